// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Source lines, and what errors cost to write")
struct ErrorCostTests {
  /// Characters that take no column of a terminal, in front of errors and behind them.
  private static let marks = String(repeating: "\u{301}", count: 20_000)

  @Test("the source line is short, however many characters without a width it has")
  func marks() throws {
    let documents = [
      "[\"a\(Self.marks)\", 1 x]", "[1 x, \"a\(Self.marks)\"]", "[\(Self.marks)]",
      "[\"\(Self.marks)", "[\"a\(Self.marks)\u{1}\"]",
    ]
    for document in documents {
      let text = try #require(JSONValue.parse(document).error).description
      #expect(text.utf8.count < 1_500)
      let mark = text.split(separator: "\n").last.map { $0.drop { $0 == " " } }
      #expect(mark?.allSatisfy { $0 == "^" || $0 == "~" } == true)
    }
    let values = "[\"a\(Self.marks)\"\(String(repeating: ",true", count: 63))]"
    for (place, error) in try #require([Int].decode(from: values).error).underlying.enumerated() {
      #expect(error.path.text == "/\(place)")
      #expect(error.description.utf8.count < 1_500)
    }
  }

  @Test("a mark is under its place between characters without a width")
  func mark() throws {
    let some = String(repeating: "\u{301}", count: 10)
    let text = try #require(JSONValue.parse("[\"a\(some)\", 1 x, \"a\(some)\"]").error).description
    #expect(text.hasSuffix("\n  [\"a\(some)\", 1 x, \"a\(some)\"]\n          ^"))
  }

  @Test(
    "a mark is under its place behind words with marks of their own",
    arguments: [
      ("हिन्दी", 5), ("ภาษาที่นี้", 6), ("نَصٌّ", 2), ("שָׁלוֹם", 4), ("\u{5D0}\u{5BE}\u{5D1}", 3),
      ("か\u{3099}", 2), ("e\u{20D7}", 1), ("\u{2329}\u{232A}", 4), ("漢字", 4), ("한글", 4), ("😀⌚♈", 6),
      ("→∀☂", 3), ("বাঁ", 2), ("தமிழ்", 4), ("ಕು", 2), ("ਕੂ", 1), ("ગુજરાતી", 6),
    ])
  func words(word: String, columns: Int) throws {
    let text = try #require(JSONValue.parse("[\"\(word)\" x]").error).description
    #expect(text.hasSuffix("\n" + String(repeating: " ", count: 6 + columns) + "^"))
  }

  /// Looks for many keys.
  private struct Wide: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Wide> {
      sequence((0..<300).map { json.decode(JSONKey("field\($0)"), as: Int.self) })
        .map { _ in Wide() }
    }
  }

  @Test(
    "missing keys beside a long one take linear time", .timeLimit(.minutes(1)), arguments: engines)
  func longKey(engine: Engine) throws {
    let key = String(repeating: #"\u00e9"#, count: rounds(400_000))
    let options = DecodingOptions(engine: engine, maximumErrors: 300)
    let document = #"{"\#(key)": 1, "feild299": 2}"#
    let error = try #require(Wide.decode(from: document, options: options).error)
    #expect(error.count == 300)
    let last = error.underlying[299]
    #expect(last.message == #"the key is missing; did you mean "feild299"?"#)
    let cut = String(repeating: "é", count: 40)
    #expect(last.description.hasSuffix("\n  the object has \"\(cut)…\", \"feild299\""))
  }
}
