// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantJansson
import DecantTestSupport
import Testing

/// The outcome as text, so that every kind of bytes is compared with the same row.
private func outcome(_ result: Decoded<[Int]>) -> String {
  switch result {
  case .success(let numbers): "\(numbers)"
  case .failure(let error): "\(error.code.rawValue) \(error)"
  }
}

@Suite("Entry points: every kind of bytes")
struct EntryPointTests {
  private let rows: [(text: String, native: String, jansson: String)] = [
    ("[1,2]", "[1, 2]", "[1, 2]"), ("[]", "[]", "[]"),
    ("", "401 1:1: the input is empty", "401 the input is empty"),
    (" \n", "401 2:1: the input is empty", "401 the input is empty"),
    (
      "[1,true]", "201 1:4: /1: expected an integer, found true\n  [1,true]\n     ^~~~",
      "201 /1: expected an integer, found true"
    ),
    (
      "[1",
      "102 1:3: the input ends too early: expected ',' or ']'; the array begins at 1:1\n  [1\n    ^",
      "102 libjansson, line 1: ']' expected near end of file"
    ),
  ]

  @Test("arrays, slices that do not begin at zero, strings and substrings", arguments: engines)
  func ownedBytes(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    for row in rows {
      let expected = engine == .native ? row.native : row.jansson
      let bytes = Array(row.text.utf8)
      let slice = (Array("{[\"x".utf8) + bytes + Array("]]1".utf8))[4..<4 + bytes.count]
      let text = "é[9" + row.text + "]9"
      let start = text.index(text.startIndex, offsetBy: 3)
      let end = text.index(text.endIndex, offsetBy: -2)
      #expect(outcome([Int].decode(from: bytes, options: options)) == expected)
      #expect(outcome([Int].decode(from: slice, options: options)) == expected)
      #expect(outcome([Int].decode(from: ContiguousArray(bytes), options: options)) == expected)
      #expect(outcome([Int].decode(from: row.text, options: options)) == expected)
      #expect(outcome([Int].decode(from: text[start..<end], options: options)) == expected)
    }
  }

  @Test("buffers and spans, which need no terminator", arguments: engines)
  func borrowedBytes(engine: Engine) {
    let options = DecodingOptions.on(engine)
    for row in rows {
      let expected = engine == .native ? row.native : row.jansson
      let bytes = Array(row.text.utf8)
      let span = outcome([Int].decode(from: bytes.span, options: options))
      #expect(span == expected)
      let rawSpan = outcome(unsafe [Int].decode(from: bytes.span.bytes, options: options))
      #expect(rawSpan == expected)
      let raw = unsafe bytes.withUnsafeBytes {
        unsafe outcome([Int].decode(from: $0, options: options))
      }
      #expect(raw == expected)
      let typed = unsafe bytes.withUnsafeBufferPointer {
        unsafe outcome([Int].decode(from: $0, options: options))
      }
      #expect(typed == expected)
    }
  }

  @Test("a StaticString", arguments: engines)
  func staticStrings(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    let numbers: StaticString = "[1,2]"
    #expect(try [Int](decoding: numbers, options: options) == [1, 2])
    let empty: StaticString = ""
    #expect([Int].decode(from: empty, options: options).error?.code == .emptyInput)
  }

  @Test("empty buffers, with and without a base address", arguments: engines)
  func emptyBuffers(engine: Engine) {
    let options = DecodingOptions.on(engine)
    let raw = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(unsafe [Int].decode(from: raw, options: options).error?.code == .emptyInput)
    let typed = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    #expect(unsafe [Int].decode(from: typed, options: options).error?.code == .emptyInput)
    #expect([Int].decode(from: [UInt8](), options: options).error?.code == .emptyInput)
    #expect([Int].decode(from: [UInt8]()[...], options: options).error?.code == .emptyInput)
    #expect(unsafe JSONValue.parse(raw, options: options).error?.code == .emptyInput)
    #expect(JSONValue.parse([UInt8](), options: options).error?.code == .emptyInput)
  }

  @Test("values are parsed from the same kinds of bytes", arguments: engines)
  func values(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    let bytes = Array("x[1,2]x".utf8)
    #expect(try JSONValue(parsing: bytes[1..<6], options: options)[1].int == 2)
    #expect(try JSONValue(parsing: "[1,2]", options: options)[1].int == 2)
    let inner = Array(bytes[1..<6])
    let fromSpan = try JSONValue(parsing: inner.span, options: options)
    #expect(fromSpan[1].int == 2)
  }

  @Test("a String that is not stored as UTF-8 in one piece", arguments: engines)
  func bridgedStrings(engine: Engine) throws {
    let pieces = ["[", "\"é\"", ",", "\"😀\"", "]"].joined()
    let reversed = String(pieces.reversed().reversed())
    #expect(try [String](decoding: reversed, options: .on(engine)) == ["é", "😀"])
  }
}
