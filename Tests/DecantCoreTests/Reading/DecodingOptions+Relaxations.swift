// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantJansson
import DecantTestSupport
import Testing

private typealias Relaxations = DecodingOptions.Relaxations

@Suite("Relaxations")
struct RelaxationTests {
  /// A document, what allows it, and what it says in strict JSON.
  private static let rows: [(json: String, needs: Relaxations, says: String)] = [
    ("// one\n[1]", .comments, "[1]"),
    ("[1] // one", .comments, "[1]"),
    ("[1]//", .comments, "[1]"),
    ("/**/[/* ] */1/*,*/,/*/**/2//]\r]", .comments, "[1,2]"),
    ("{/**/\"a\"/**/:/**/1/**/,//}\n\"b\":true/**/}/**/", .comments, #"{"a":1,"b":true}"#),
    (#"{"a":[1,[2 /* ] */ ] // ]"# + "\n], \"b\":[]}", .comments, #"{"a":[1,[2]],"b":[]}"#),
    (#""// no comment""#, [], #""// no comment""#),
    ("[1,]", .trailingCommas, "[1]"),
    ("[[1,],[2,] , ]", .trailingCommas, "[[1],[2]]"),
    (#"{"a":{"b":[],},}"#, .trailingCommas, #"{"a":{"b":[]}}"#),
    ("[1,/*,*/]", [.comments, .trailingCommas], "[1]"),
    ("\u{FEFF}[1]", .byteOrderMark, "[1]"),
    ("\u{FEFF} 5", .byteOrderMark, "5"),
    (#"["\ud800"]"#, .loneSurrogates, #"["\#u{FFFD}"]"#),
    (#"["\udc00\ud800x"]"#, .loneSurrogates, #"["\#u{FFFD}\#u{FFFD}x"]"#),
    (#"["\ud800\ud83d\ude00\ud800\n"]"#, .loneSurrogates, #"["\#u{FFFD}😀\#u{FFFD}\n"]"#),
    (#"{"\udfff":1}"#, .loneSurrogates, #"{"\#u{FFFD}":1}"#),
    (#"["\ud800\u0041"]"#, .loneSurrogates, #"["\#u{FFFD}A"]"#),
  ]
  private static let all: [Relaxations] = [
    .comments, .trailingCommas, .nonFiniteNumbers, .byteOrderMark, .loneSurrogates,
  ]

  @Test("each is read with its option, and with no other")
  func each() throws {
    for row in Self.rows {
      let value = try JSONValue(
        parsing: row.json, options: DecodingOptions(relaxations: row.needs))
      let expected = try JSONValue(parsing: row.says)
      #expect(value == expected, "\(row.json)")
      #expect(value.jsonText() == expected.jsonText(), "\(row.json)")
      let again = try JSONValue(
        parsing: value.bytes(), options: DecodingOptions(relaxations: row.needs))
      #expect(again == value, "\(row.json), written as it came")
      for element in value.array ?? [] where element.kind == .array {
        #expect(
          try JSONValue(
            parsing: element.bytes(), options: DecodingOptions(relaxations: row.needs)) == element,
          "a part of \(row.json), written as it came")
      }
      for other in Self.all where !row.needs.isEmpty {
        if row.needs.isSubset(of: other) { continue }
        let result = JSONValue.parse(row.json, options: DecodingOptions(relaxations: other))
        #expect(result.error?.code.category == .syntax, "\(row.json)")
      }
      #expect(JSONValue.parse(row.json).error?.code.category == (row.needs.isEmpty ? nil : .syntax))
    }
  }

  @Test("a part of a document with comments is written as it came")
  func parts() throws {
    let json = "{\"a\":[1,[2 /* ] */ ,] // ]\n], \"b\":7}"
    let options = DecodingOptions(relaxations: [.comments, .trailingCommas])
    let value = try JSONValue(parsing: json, options: options)
    #expect(value["a"].text() == "[1,[2 /* ] */ ,] // ]\n]")
    #expect(value["a"][1].text() == "[2 /* ] */ ,]")
  }

  @Test("what stays forbidden, with code and place")
  func forbidden() throws {
    let options = DecodingOptions(relaxations: Relaxations(rawValue: 31))
    let rows: [(json: String, code: DecodeError.Code, offset: Int)] = [
      ("[,]", .unexpectedByte, 1), ("[1,,]", .unexpectedByte, 3), ("{,}", .unexpectedByte, 1),
      ("1,", .trailingBytes, 1), ("[1] /* one", .trailingBytes, 4), ("[1 /", .unexpectedByte, 3),
      ("[1 /* one]", .unexpectedByte, 3), ("/", .unexpectedByte, 0), ("// one", .emptyInput, 6),
      ("[1,", .unexpectedEnd, 3), ("[NaNs]", .invalidLiteral, 4), ("[Inf]", .invalidLiteral, 4),
      ("[-NaN]", .invalidNumber, 2), ("[+1]", .unexpectedByte, 1), ("[nan]", .invalidLiteral, 2),
      ("\u{FEFF}\u{FEFF}1", .unexpectedByte, 3), ("\u{FEFF}", .emptyInput, 3),
      (#"["\ud800\u12"]"#, .invalidEscape, 12), (#""\ud8"#, .unexpectedEnd, 5),
      ("['a']", .unexpectedByte, 1),
    ]
    for row in rows {
      let error = try #require(JSONValue.parse(row.json, options: options).error, "\(row.json)")
      #expect(error.code == row.code, "\(row.json)")
      #expect(error.location?.offset == row.offset, "\(row.json)")
    }
  }

  @Test("NaN and the infinities are numbers for Double and Float alone")
  func nonFinite() throws {
    let options = DecodingOptions(relaxations: .nonFiniteNumbers)
    let json = "[NaN,Infinity,-Infinity,1.5]"
    let doubles = try [Double](decoding: json, options: options)
    #expect(doubles[0].isNaN && doubles[1...] == [.infinity, -.infinity, 1.5])
    let floats = try [Float](decoding: json, options: options)
    #expect(floats[0].isNaN && floats[1...] == [.infinity, -.infinity, 1.5])
    let value = try JSONValue(parsing: json, options: options)
    #expect(value.array?.map(\.kind) == [.number, .number, .number, .number])
    #expect(value.array?.map { $0.numberText ?? "" } == ["NaN", "Infinity", "-Infinity", "1.5"])
    #expect(value.text() == json)
    #expect(value.jsonText() == "[null,null,null,1.5]")
    #expect(value.array?.map(\.int) == [nil, nil, nil, nil])
    let same = try JSONValue(parsing: json, options: options)
    #expect(value == same && value.hashValue == same.hashValue && value[1] != value[2])
    #expect([Int].decode(from: "[NaN]", options: options).error?.code == .notAnInteger)
    for row in ["NaN", "[NaN]", "-Infinity", "[Infinity]"] {
      #expect(JSONValue.parse(row).error?.code.category == .syntax)
    }
  }

  @Test("NaN and the infinities are no integer and no decimal in any spelling")
  func nonFiniteElsewhere() throws {
    let options = DecodingOptions(relaxations: .nonFiniteNumbers)
    let decoder = showingDecoder()
    decoder.allowsJSON5 = true
    for text in ["NaN", "Infinity", "-Infinity"] {
      let json = "[\(text)]"
      let value = try JSONValue(parsing: json, options: options)
      func check<Value: FixedWidthInteger & JSONDecodable & SendableMetatype>(_ type: Value.Type)
      where Value: Decodable {
        let integral = value.outcome { $0.convert(0, using: JSONConversion<Value>.integral) }
        #expect(integral.error?.code == .notAnInteger, "\(type) \(text)")
        #expect([Value].decode(from: json, options: options).error?.code == .notAnInteger)
        let error = #expect(throws: DecodingError.self) {
          try decoder.decode([Value].self, from: json)
        }
        if case .dataCorrupted(let context)? = error {
          #expect(
            context.debugDescription == "1:2: expected an integer, found the number \(text)")
        } else {
          Issue.record("\(type) \(text)")
        }
        #expect(throws: DecodingError.self) {
          try decoder.decode([String: Value].self, from: "{\"a\":\(text)}")
        }
      }
      check(Int.self)
      check(Int8.self)
      check(UInt64.self)
      check(Int128.self)
      check(UInt128.self)
      let number = [JSONNumber].decode(from: json, options: options).error
      #expect(number?.code == .invalidValue)
      #expect(number?.message == "expected a finite number, found the number \(text)")
      let parsed = value.outcome {
        $0.convert(0, using: JSONConversion.number("a price") { _ in 0 })
      }
      #expect(parsed.error?.code == .invalidValue)
      #expect(value[0].int == nil && value[0].numberText == text)
      #expect(value[0] != JSONValue(3520) && value[0] == value[0])
    }
    let all = try JSONValue(parsing: "[NaN,Infinity,-Infinity,3520]", options: options)
    #expect(Set(all.array ?? []).count == 4)
  }

  @Test("escaped keys with half a surrogate pair are found, and are duplicates of U+FFFD")
  func surrogateKeys() throws {
    var options = DecodingOptions(relaxations: .loneSurrogates)
    let json = "{\"\\ud800\":1,\"\\udfff\":2,\"\u{FFFD}\":3}"
    let value = try JSONValue(parsing: json, options: options)
    #expect(value["\u{FFFD}"].int == 1)
    options.duplicateKeys = .reject
    let error = try #require(JSONValue.parse(json, options: options).error)
    #expect(error.code == .duplicateKey && error.location?.offset == 12)
  }

  @Test("libjansson says that it cannot")
  func otherEngine() throws {
    for relaxation in Self.all {
      let options = DecodingOptions(engine: .jansson, relaxations: relaxation)
      let error = try #require(JSONValue.parse("[1]", options: options).error)
      #expect(error.code == .unsupported && error.location == nil)
    }
  }
}
