// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What is not JSON, by code, place and text. The other engine refuses the same documents, without a place
// and with fewer codes: see Differences.swift.

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

@Suite("Errors of documents (RFC 8259)")
struct SyntaxErrorTests {
  typealias Row = (bytes: [UInt8], failure: Failure)

  private static func row(
    _ text: String, _ code: DecodeError.Code, _ place: String, _ message: String
  ) -> Row { (Array(text.utf8), Failure(code, place, "", message)) }

  private static func row(
    _ bytes: [UInt8], _ code: DecodeError.Code, _ place: String, _ message: String
  ) -> Row { (bytes, Failure(code, place, "", message)) }

  static let rows: [Row] = [
    row("[1 2]", .unexpectedByte, "1:4", "expected ',' or ']', found '2'"),
    row(
      "[1,]", .unexpectedByte, "1:4",
      "expected a value, found ']' (extra comma; the option 'relaxations' can allow it)"),
    row("[,1]", .unexpectedByte, "1:2", "expected a value or ']', found ','"),
    row(#"{"a" 1}"#, .unexpectedByte, "1:6", "expected ':', found '1'"),
    row(
      #"{"a":1,}"#, .unexpectedByte, "1:8",
      "expected a quoted key, found '}' (extra comma; the option 'relaxations' can allow it)"),
    row("{1:2}", .unexpectedByte, "1:2", "expected a quoted key or '}', found '1'"),
    row("{a:1}", .unexpectedByte, "1:2", "expected a quoted key or '}', found 'a'"),
    row(
      "['a']", .unexpectedByte, "1:2",
      "expected a value or ']', found ''' (strings use double quotes)"),
    row("[1}", .unexpectedByte, "1:3", "expected ',' or ']', found '}'"),
    row("{]", .unexpectedByte, "1:2", "expected a quoted key or '}', found ']'"),
    row(
      "[\n  // x\n1]", .unexpectedByte, "2:3",
      "expected a value or ']', found '/' (JSON has no comments)"),
    row("]", .unexpectedByte, "1:1", "expected a value, found ']'"),
    row(
      "data: {}", .unexpectedByte, "1:1",
      #"expected a value, found 'd' (in server-sent events, JSON follows "data:")"#),
    row(
      "\nevent: added", .unexpectedByte, "2:1",
      #"expected a value, found 'e' (in server-sent events, JSON follows "data:")"#),
    row("dates: 1", .unexpectedByte, "1:1", "expected a value, found 'd'"),
    row("[data: 1]", .unexpectedByte, "1:2", "expected a value or ']', found 'd'"),
    row("[\u{0}]", .unexpectedByte, "1:2", "expected a value or ']', found byte 0x00"),
    row("[\u{C}1]", .unexpectedByte, "1:2", "expected a value or ']', found byte 0x0c"),
    row(
      "[+1]", .unexpectedByte, "1:2",
      "expected a value or ']', found '+' (numbers have no plus sign)"),
    row(
      "[.5]", .unexpectedByte, "1:2",
      "expected a value or ']', found '.' (numbers begin with a digit)"),
    row(
      "[", .unexpectedEnd, "1:2",
      "the input ends too early: expected a value or ']'; the array begins at 1:1"),
    row(
      "[1,", .unexpectedEnd, "1:4",
      "the input ends too early: expected a value; the array begins at 1:1"),
    row(
      "{\"a\":\n", .unexpectedEnd, "2:1",
      "the input ends too early: expected a value; the object begins at 1:1"),
    row(#"{"a"#, .unexpectedEnd, "1:4", "the input ends inside a string; the string begins at 1:2"),
    row(#""é\"#, .unexpectedEnd, "1:4", "the input ends inside a string; the string begins at 1:1"),
    row("[nul]", .invalidLiteral, "1:5", "expected null, found ']'"),
    row(
      "[True]", .unexpectedByte, "1:2",
      "expected a value or ']', found 'T' (true and false are lowercase)"),
    row("[truE]", .invalidLiteral, "1:5", #"expected true, found "truE""#),
    row("[01]", .invalidNumber, "1:3", "numbers have no leading zeros, found '1'"),
    row("[1.]", .invalidNumber, "1:4", "expected a digit after '.', found ']'"),
    row("[-]", .invalidNumber, "1:3", "expected a digit after '-', found ']'"),
    row("[1e+]", .invalidNumber, "1:5", "expected a digit after '+', found ']'"),
    row(
      "[\"a\r", .controlCharacter, "1:4", "the input ends inside a string; the string begins at 1:2"
    ),
    row("[\"a\tb\"]", .controlCharacter, "1:4", #"byte 0x09 must be escaped in a string, as \t"#),
    row(
      "[\"a\u{0}\"]", .controlCharacter, "1:4", #"byte 0x00 must be escaped in a string, as \u0000"#
    ),
    row(
      #"["\x"]"#, .invalidEscape, "1:4", #"expected one of " \ / b f n r t u after '\', found 'x'"#),
    row(
      #"["\u12G4"]"#, .invalidEscape, "1:7",
      #"expected four hexadecimal digits after \u, found 'G'"#),
    row(
      #"["\ud800"]"#, .loneSurrogate, "1:3",
      #"unpaired surrogate \ud800: a high surrogate must be followed by \udc00-\udfff"#),
    row(
      #"["\udc00\ud800"]"#, .loneSurrogate, "1:3",
      #"unpaired surrogate \udc00: a low surrogate must follow \ud800-\udbff"#),
    row(
      #"{"\ud800":1}"#, .loneSurrogate, "1:3",
      #"unpaired surrogate \ud800: a high surrogate must be followed by \udc00-\udfff"#),
    row([0x22, 0x61, 0xFF, 0x22], .invalidUTF8, "1:3", "not UTF-8: byte 0xff"),
    row([0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D], .invalidUTF8, "1:3", "not UTF-8: byte 0xc0"),
    row("1 2", .trailingBytes, "1:3", "expected the end of the input, found '2'"),
    row("[]\n]", .trailingBytes, "2:1", "expected the end of the input, found ']'"),
    row("{} x", .trailingBytes, "1:4", "expected the end of the input, found 'x'"),
    row(
      [0xEF, 0xBB, 0xBF, 0x5B, 0x5D], .byteOrderMark, "1:1",
      "the input begins with a byte order mark; the option 'relaxations' can allow it"),
    row("", .emptyInput, "1:1", "the input is empty"),
    row(" \t\r\n", .emptyInput, "2:1", "the input is empty"),
  ]

  @Test("codes, places and texts")
  func native() throws {
    for row in Self.rows {
      let text = String(decoding: row.bytes, as: UTF8.self)
      let error = try #require(JSONValue.parse(row.bytes).error, "\(text)")
      #expect(Failure(error) == row.failure, "\(text)")
      #expect(
        error.description.split(separator: "\n").first.map { String($0) } == row.failure.line,
        "\(text)")
      #expect(error.underlying.count == 0)
      let category: DecodeError.Category = row.failure.code == .emptyInput ? .input : .syntax
      #expect(error.code.category == category, "\(text)")
      // Whether a document is one does not depend on who asks.
      #expect(
        [Anything].decode(from: row.bytes).error.map { Failure($0) } == row.failure, "\(text)")
    }
  }

  @Test("every engine refuses them", arguments: engines)
  func everywhere(engine: Engine) {
    for row in Self.rows {
      let text = String(decoding: row.bytes, as: UTF8.self)
      let error = JSONValue.parse(row.bytes, options: .on(engine)).error
      let code = row.failure.code
      let expected = engine == .native ? code : Difference.janssonCode(code, text)
      #expect(error?.code == expected, "\(text)")
    }
  }
}

/// A model that needs nothing from its document.
private struct Anything: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Anything> { pure(Anything()) }
}
