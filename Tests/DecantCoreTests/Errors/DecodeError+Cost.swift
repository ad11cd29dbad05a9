// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
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

  @Test("texts have the beginning of a path, however long a key on it is", arguments: engines)
  func longPaths(engine: Engine) throws {
    for (count, isCut) in [(190, false), (197, true), (30_000, true), (2_000_000, true)] {
      // The token of a pointer: each of the slashes is two characters.
      let key = "/" + String(repeating: "é", count: count)
      let document = "{\"\(key)\":[1,true,{\"x\":[]}]}"
      let options = DecodingOptions(engine: engine)
      let error = try #require([String: [Int]].decode(from: document, options: options).error)
      let value = try JSONValue(parsing: document, options: options)
      for error in [error, try #require(value.decoded([String: [Int]].self).error)] {
        let text = "/~1" + key.dropFirst()
        #expect(error.underlying.map(\.path.text) == ["\(text)/1", "\(text)/2"])
        let shown = text.unicodeScalars.count + 2 > 200 ? text.prefix(200) + "…" : "\(text)/1"
        #expect((shown != "\(text)/1") == isCut)
        #expect(error.description.contains("\(shown): expected an integer, found true"))
        let json = try JSONValue(parsing: error.jsonText)
        #expect(json["errors"][0]["path"].string == "\(shown)")
        #expect(error.jsonText.utf8.count < 1_500)
      }
    }
  }

  @Test("what is asked of an error one by one is what its texts say", arguments: engines)
  func onePartAfterTheOther(engine: Engine) throws {
    let document = "{\"list\":[1,\n\"x\",{\"id\":2}],\"list\":0}"
    for space in [0, 70_000, 1_100_000] {
      let text = document + String(repeating: " ", count: space)
      let options = DecodingOptions(
        engine: engine, duplicateKeys: engine == .native ? .first : .last)
      let error = [String: [Int]].decode(from: text, options: options).error
      guard engine == .native else { continue }
      let parts = try #require(error).underlying
      #expect(parts.map { $0.location?.line } == [2, 2])
      #expect(parts.map(\.found) == ["the string \"x\"", "an object"])
      #expect(parts.map(\.path.text) == ["/list/1", "/list/2"])
      #expect(parts.map(\.location?.offset) == [12, 16])
      for part in parts {
        #expect(part.description.contains(part.message))
        #expect(part.jsonText.contains("\"path\":\"\(part.path.text)\""))
      }
    }
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
    #expect(last.message == #"the key is missing; is "feild299" a misspelling of it?"#)
    let cut = String(repeating: "é", count: 40)
    #expect(last.description.hasSuffix("\n  the object has \"\(cut)…\", \"feild299\""))
  }
}
