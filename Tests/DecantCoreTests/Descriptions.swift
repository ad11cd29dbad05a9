// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Descriptions")
struct Descriptions {
  private enum Color: String { case red }

  private static var values: [(any Sendable, String)] {
    let timestamp = JSONTimestamp(seconds: 1_709_209_800, nanoseconds: 500_000_000)
    let lossy = LossyArray<Int>.decode(from: "[1,true]")
    let lossyDictionary = LossyDictionary<String, Int>.decode(from: #"{"a":1,"b":true}"#)
    return [
      (DecodeError.Code.typeMismatch, "typeMismatch"), (DecodeError.Category.syntax, "syntax"),
      (Int.decode(from: "\n x").error!.location!, "2:2"),
      (
        DecodingOptions(
          maximumDepth: 3, sourceName: "a.json", relaxations: [.comments, .byteOrderMark]),
        "engine: native, maximumDepth: 3, maximumBytes: 4294967294, maximumMemory: standard, duplicateKeys: first, maximumErrors: 64, "
          + "sourceName: a.json, relaxations: [comments, byteOrderMark], redactsInput: false, "
          + "unknownMembers: ignore"
      ),
      (JSONKind.bool, "bool"), (JSONKey("a/b"), "/a~1b"), (["users", 0] as JSONKey, "/users/0"),
      (timestamp, "2024-02-29T12:30:00.5Z"),
      (JSONTimestamp(seconds: .max), "9223372036854775807 s"),
      (OpenEnum<Color>.known(.red), "red"), (OpenEnum<Color>.unknown("x"), "x"),
      (lossy.value!, "[1], skipped: 1"), (lossyDictionary.value!, "[\"a\": 1], skipped: 1"),
      (JSONValue([1]).explain([Int].self).fields[0], "/0 decoded 1"),
      (JSONExplanation.Outcome.skipped, "skipped"),
      // What comes from a document is escaped.
      (JSONValue(["\u{1B}": 1]).explain([String: Int].self).fields[0], #"/\u001b decoded 1"#),
    ]
  }

  @Test("values print what they are", arguments: values.indices)
  func prints(_ place: Int) {
    let (value, text) = Self.values[place]
    #expect("\(value)" == text)
  }
}
