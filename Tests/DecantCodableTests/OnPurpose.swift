// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The differences on purpose, each shown on both decoders: the rows of the documentation's list, and what
// of JSON5 is read.

import Decant
import DecantFoundation
import Foundation
import Testing

@Suite("Differences from JSONDecoder on purpose")
struct OnPurpose {
  /// A row of the list: its first cell, and what shows it.
  struct Row: Sendable, CustomTestStringConvertible {
    let document: String
    let show: @Sendable () throws -> Void
    var testDescription: String { document }
  }

  static let rows: [Row] = [
    Row(document: #"`[1,2,]`, `{"a":1,}`"#) {
      refused("[1,2,]", [Int].self)
      refused(#"{"id":1,"name":"n",}"#, User.self)
    },
    Row(document: "a byte order mark, UTF-16, UTF-32") {
      refused("\u{FEFF}[1]", [Int].self)
      let encodings: [String.Encoding] = [
        .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian,
      ]
      for encoding in encodings {
        refused(try #require("[1,2]".data(using: encoding)), [Int].self)
      }
    },
    Row(document: #"`{"id":1,"x":01}` where the model does not ask for `x`"#) {
      refused(#"{"id":1,"name":"n","x":01}"#, User.self)
    },
    Row(document: "`1.0000000000000000001` as an `Int`") {
      refused("1.0000000000000000001", Int.self)
      refused("[1.0000000000000000001]", [Int].self)
      for text in ["1.0", "2e3"] { try alike(text, Int.self) }
    },
    Row(document: "`9223372036854775807.0` as an `Int`, `1e37` as an `Int128`") {
      try accepted("9223372036854775807.0", Int.max)
      try accepted("1e37", 10_000_000_000_000_000_000_000_000_000_000_000_000 as Int128)
      try alike("1234567890123456789.0", Int.self)
    },
    Row(document: "`1e-400` as a `Double`") { try accepted("1e-400", 0.0) },
    Row(document: "`0E1`") { try accepted("[0E1]", [0.0]) },
    Row(document: "`1.5` or `300` as an `Int8`") {
      for text in ["1.5", "300"] {
        let json = #"{"a":\#(text)}"#
        let theirs = corruption {
          try JSONDecoder().decode([String: Int8].self, from: Data(json.utf8))
        }
        #expect(theirs?.path == [] && theirs?.text.contains("not valid JSON") == true)
        let ours = corruption { try DecantDecoder().decode([String: Int8].self, from: json) }
        #expect(ours?.path == ["a"] && ours?.text.hasPrefix("1:6: ") == true)
      }
    },
    Row(document: #"`{"e\u0301":1}` if the model looks up `é`"#) {
      struct Accented: Decodable {
        let value: Int?
        enum CodingKeys: String, CodingKey { case value = "é" }
      }
      let json = #"{"e\u0301":1}"#
      let theirs = try JSONDecoder().decode(Accented.self, from: Data(json.utf8))
      let ours = try DecantDecoder().decode(Accented.self, from: json)
      #expect(theirs.value == 1 && ours.value == nil)
    },
    Row(document: "several wrong members in a dictionary") {
      var isAlwaysFirst = true
      for round in 0..<20 {
        let names = (0..<20).map { "k\(round)_\($0)" }
        let json = "{" + names.map { "\"\($0)\":\"x\"" }.joined(separator: ",") + "}"
        let ours = mismatch { try DecantDecoder().decode([String: Int].self, from: json) }
        #expect(ours == [names[0]])
        let theirs = mismatch {
          try JSONDecoder().decode([String: Int].self, from: Data(json.utf8))
        }
        isAlwaysFirst = isAlwaysFirst && theirs == [names[0]]
      }
      #expect(!isAlwaysFirst)
    },
    Row(document: "`allKeys`") {
      struct Ordered: Decodable {
        let keys: [String]
        init(from decoder: any Decoder) throws {
          keys = try decoder.container(keyedBy: Asked.Key.self).allKeys.map(\.stringValue)
        }
      }
      let names = (0..<40).map { "key \($0)" }
      let json = Data(("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}").utf8)
      #expect(try DecantDecoder().decode(Ordered.self, from: json).keys == names)
      let theirs = try JSONDecoder().decode(Ordered.self, from: json).keys
      #expect(theirs != names && Set(theirs) == Set(names))
    },
    Row(document: "a date that is not ISO 8601") {
      let json = #"{"a":"yesterday"}"#
      let (theirs, ours) = (JSONDecoder(), DecantDecoder())
      theirs.dateDecodingStrategy = .iso8601
      ours.dateDecodingStrategy = .iso8601
      let error = corruption { try theirs.decode([String: Date].self, from: Data(json.utf8)) }
      #expect(error?.path == [])
      #expect(corruption { try ours.decode([String: Date].self, from: json) }?.path == ["a"])
    },
  ]

  @Test("are listed in the documentation, and each has a test here")
  func page() throws {
    #expect(try firstCells(after: "### Differences on purpose") == OnPurpose.rows.map(\.document))
    #expect(
      try firstCells(after: "With `allowsJSON5`") == OnPurpose.restOfJSON5.map(\.document))
  }

  @Test("are what they are said to be", arguments: rows)
  func shown(_ row: Row) throws { try row.show() }

  // MARK: - JSON5

  @Test(
    "JSON5 is read as far as the relaxations reach",
    arguments: [
      "[1, // one\n2]", "[1 /* one */]", "/**/[1]//", "[1,]", #"[1 , ]"#, "\u{FEFF}[1]", "[NaN]",
      "[Infinity]", "[-Infinity]",
    ])
  func json5(_ json: String) throws {
    let (theirs, ours) = OnPurpose.json5Decoders()
    let expected = try theirs.decode([Double].self, from: Data(json.utf8))
    // As text, in which NaN is NaN.
    #expect("\(try ours.decode([Double].self, from: json))" == "\(expected)")
    #expect(throws: DecodingError.self) { try DecantDecoder().decode([Double].self, from: json) }
    ours.allowsJSON5 = false
    #expect(throws: DecodingError.self) { try ours.decode([Double].self, from: json) }
  }

  static let restOfJSON5: [Row] =
    [
      ("single quotes, keys without quotes", ["['a']", "{a:1}"]),
      ("other numbers", ["[0x1F]", "[+1]", "[.5]", "[5.]", "[+Infinity]", "[-NaN]"]),
      ("escapes and line ends in strings", [#"["\x41"]"#, "[\"a\\\nb\"]"]),
      ("white space that JSON does not have", ["[\u{0B}1]"]),
    ].map { document, texts in
      Row(document: document) { for text in texts { try refusedAsJSON5(text) } }
    }

  @Test("the rest of JSON5 is refused", arguments: restOfJSON5)
  func refusals(_ row: Row) throws { try row.show() }

  private static func refusedAsJSON5(_ json: String) throws {
    let (theirs, ours) = json5Decoders()
    #expect(throws: Never.self) { try theirs.decode(Anything.self, from: Data(json.utf8)) }
    let error = try #require(throws: DecodingError.self) {
      try ours.decode(Anything.self, from: json)
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect((context.underlyingError as? DecodeError)?.code.category == .syntax)
  }

  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }

  private static func json5Decoders() -> (JSONDecoder, DecantDecoder) {
    let (theirs, ours) = (JSONDecoder(), DecantDecoder())
    theirs.allowsJSON5 = true
    #expect(!ours.allowsJSON5)
    ours.allowsJSON5 = true
    #expect(ours.allowsJSON5)
    return (theirs, ours)
  }
}

// MARK: - Both decoders

private func refused<Model: Decodable>(_ text: String, _ type: Model.Type) {
  refused(Data(text.utf8), type)
}

/// Accepted by `JSONDecoder`, and refused here.
private func refused<Model: Decodable>(_ data: Data, _ type: Model.Type) {
  #expect(throws: Never.self) { try JSONDecoder().decode(type, from: data) }
  #expect(throws: DecodingError.self) { try DecantDecoder().decode(type, from: data) }
}

/// Refused by `JSONDecoder`, and accepted here.
private func accepted<Model: Decodable & Equatable>(_ text: String, _ model: Model) throws {
  #expect(throws: (any Error).self) {
    try JSONDecoder().decode(Model.self, from: Data(text.utf8))
  }
  #expect(try DecantDecoder().decode(Model.self, from: text) == model)
}

private func alike<Model: Decodable & Equatable>(_ text: String, _ type: Model.Type) throws {
  let expected = try JSONDecoder().decode(type, from: Data(text.utf8))
  #expect(try DecantDecoder().decode(type, from: text) == expected)
}

/// The path and the text of the corrupt data that is found.
private func corruption<Model>(_ decode: () throws -> Model) -> (path: [String], text: String)? {
  do { _ = try decode() } catch DecodingError.dataCorrupted(let context) {
    return (context.codingPath.map(\.stringValue), context.debugDescription)
  } catch {}
  return nil
}

/// The path of the wrong value that is found.
private func mismatch<Model>(_ decode: () throws -> Model) -> [String]? {
  do { _ = try decode() } catch DecodingError.typeMismatch(_, let context) {
    return context.codingPath.map(\.stringValue)
  } catch {}
  return nil
}

/// The first column of the page's first table after a text.
func firstCells(after text: String) throws -> [String] {
  let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
  let file = root.appending(path: "Sources/Decant/Decant.docc/FromJSONDecoder.md")
  let page = try String(contentsOf: file, encoding: .utf8)
  let start = try #require(page.range(of: text)?.upperBound)
  let lines = page[start...].split(separator: "\n", omittingEmptySubsequences: false)
    .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
  return lines.dropFirst(2).map { line in
    line.split(separator: " | ")[0].dropFirst(2).trimmingCharacters(in: .whitespaces)
  }
}
