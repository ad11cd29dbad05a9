// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What values print as: release builds have no metadata for reflection, so each has a description of its own.

import Decant
import DecantTestSupport
import Testing

@Suite("Descriptions")
struct Descriptions {
  private enum Color: String { case red }

  private static var values: [(any Sendable & CustomStringConvertible, String)] {
    let timestamp = JSONTimestamp(seconds: 1_709_209_800, nanoseconds: 500_000_000)
    let lossy = LossyArray<Int>.decode(from: "[1,true]")
    let lossyDictionary = LossyDictionary<String, Int>.decode(from: #"{"a":1,"b":true}"#)
    return [
      (DecodeError.Code.typeMismatch, "typeMismatch"),
      (DecodeError.Code.notAnInteger, "notAnInteger"),
      (DecodeError.Code.invalidUTF8, "invalidUTF8"), (DecodeError.Category.syntax, "syntax"),
      (Int.decode(from: "\n x").error!.location!, "2:2"),
      (JSONWritingError.Code.notOneValue, "notOneValue"),
      (
        DecodingOptions(
          maximumDepth: 3, sourceName: "a.json", relaxations: [.comments, .byteOrderMark]),
        "engine: native, maximumDepth: 3, maximumBytes: 4294967294, maximumMemory: standard, "
          + "duplicateKeys: first, maximumErrors: 64, sourceName: a.json, relaxations: comments, byteOrderMark, redactsInput: false"
      ),
      (
        JSONWritingOptions(sortsKeys: true),
        "isPretty: false, sortsKeys: true, escapesSlashes: false, maximumDepth: 512, rejectsDuplicateKeys: false"
      ),
      (JSONKind.bool, "bool"), (JSONKey("a/b"), "/a~1b"), (["users", 0] as JSONKey, "/users/0"),
      (JSONPointer.Token.key("a"), "a"), (JSONPointer.Token.index(7), "7"),
      (JSONValue("x").content, "\"x\""), (JSONValue([1, nil]).content, "[1, null]"),
      (timestamp, "2024-02-29T12:30:00.5Z"),
      (JSONTimestamp(seconds: .max), "9223372036854775807 s"),
      (JSONPresence<Int>.absent, "absent"), (JSONPresence<Int>.value(5), "5"),
      (OpenEnum<Color>.known(.red), "red"), (OpenEnum<Color>.unknown("x"), "x"),
      (lossy.value!, "[1], skipped: 1"), (lossyDictionary.value!, "[\"a\": 1], skipped: 1"),
      (JSONValue([1]).explain([Int].self).fields[0], "/0 decoded 1"),
      (JSONExplanation.Outcome.skipped, "skipped"),
      // What comes from a document is escaped.
      (JSONValue(["\u{1B}": 1]).explain([String: Int].self).fields[0], #"/\u001b decoded 1"#),
      (
        LossyDictionary<String, Int>.decode(from: #"{"\u001b":[]}"#).value!.skipped[0],
        #"""
        "\u001b": 1:11: /\u001b: expected an integer, found an empty array
          {"\u001b":[]}
                    ^
        """#
      ),
    ]
  }

  @Test("values print what they are", arguments: values.indices)
  func prints(_ place: Int) {
    let (value, text) = Self.values[place]
    #expect("\(value)" == text)
  }

  @Test(
    "codes print as their names without what is between the words",
    arguments: DecodeError.Code.allCases)
  func codes(_ code: DecodeError.Code) {
    let words = code.name.split { " -".contains($0) }
    let name =
      words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    #expect("\(code)" == name)
  }
}
