// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// JSON in a string, as a conversion of Swift and as a flag of C tables: the same values, and the same errors.

import CDecant
import Decant
import DecantC
import Testing

private struct Inner: JSONDecodable {
  let a: Int64
  static func decode(_ json: JSON) -> Decoded<Inner> { json.decode("a").map { Inner(a: $0) } }
}

/// {"log":"{\"a\":1}"}
private struct Outer: JSONDecodable {
  let a: Int64
  static func decode(_ json: JSON) -> Decoded<Outer> {
    json.convert("log", using: JSONConversion<Inner>.embedded).map { Outer(a: $0.a) }
  }
}

/// {"log":"{\"log\":\"{\\\"a\\\":1}\"}"}
private struct Nested: JSONDecodable {
  let a: Int64
  static func decode(_ json: JSON) -> Decoded<Nested> {
    json.convert("log", using: JSONConversion<Outer>.embedded).map { Nested(a: $0.a) }
  }
}

/// The tables of the same, each in the one before: a number at offset 0.
private final class Tables: Sendable {
  nonisolated(unsafe) let inner: UnsafeMutablePointer<decant_record>
  nonisolated(unsafe) let outer: UnsafeMutablePointer<decant_record>
  nonisolated(unsafe) let nested: UnsafeMutablePointer<decant_record>

  init() {
    inner = Self.table("a", DECANT_INT64, nil)
    outer = Self.table("log", DECANT_RECORD, inner)
    nested = Self.table("log", DECANT_RECORD, outer)
  }

  private static func table(
    _ key: StaticString, _ kind: Int, _ record: UnsafeMutablePointer<decant_record>?
  ) -> UnsafeMutablePointer<decant_record> {
    let field = UnsafeMutablePointer<decant_field>.allocate(capacity: 1)
    var row = decant_field()
    row.key = UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self)
    row.kind = UInt16(kind)
    row.flags = record == nil ? 0 : UInt32(DECANT_EMBEDDED)
    row.record = UnsafePointer(record)
    field.initialize(to: row)
    let table = UnsafeMutablePointer<decant_record>.allocate(capacity: 1)
    var made = decant_record()
    (made.size, made.fields, made.field_count) = (8, UnsafePointer(field), 1)
    table.initialize(to: made)
    return table
  }
}

private let tables = Tables()

@Suite("JSON in a string, in Swift and in C")
struct EmbeddedTests {
  private static let texts: [String] = [
    #"{"log":"{\"a\":1}"}"#,
    #"{"log":"  {\"a\" : 1}\n"}"#,
    #"{"log":"{\"a\":\"x\"}"}"#,
    "\n " + #"{"log":"{\n \"a\":1.5}"}"#,
    #"{"log":"{\"b\":1}"}"#,
    #"{"log":"{\"A\":1}"}"#,
    #"{"log":"{}"}"#,
    #"{"log":"[1]"}"#,
    #"{"log":"null"}"#,
    #"{"log":""}"#,
    #"{"log":"5"}"#,
    #"{"log":"{\"a\":1"}"#,
    #"{"log":"{\"a\":1}}"}"#,
    #"{"log":"{\"a\":01}"}"#,
    #"{"log":"{\"a\":300000000000000000000}"}"#,
    #"{"log":"\ud83d\ude00"}"#,
    #"{"log":{"a":1}}"#,
    #"{"log":5}"#,
    #"{"log":null}"#,
    #"{}"#,
    #"{"log":"\#(String(repeating: "[", count: 600))"}"#,
    #"{"log":"{\"log\":\"{\\\"a\\\":1}\"}"}"#,
    #"{"log":"{\"log\":\"{\\\"a\\\":\\\"x\\\"}\"}"}"#,
    #"{"log":"{\"log\":\"{\\\"b\\\":1}\"}"}"#,
    #"{"log":"{\"log\":\"{\\\"a\\\":1\"}"}"#,
    #"{"log":"{\"log\":7}"}"#,
  ]

  private func check<Model: JSONDecodable>(
    _ type: Model.Type, _ record: UnsafeMutablePointer<decant_record>, _ text: String,
    redacts: Bool,
    _ number: (Model) -> Int64
  ) throws {
    var settings = decant_options()
    settings.size = MemoryLayout<decant_options>.size
    settings.redacts_input = redacts ? 1 : 0
    var value: Int64 = 0
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    let bytes = Array(text.utf8)
    let status = bytes.withUnsafeBufferPointer {
      decant_decode_with(
        record, UnsafeRawPointer($0.baseAddress!).assumingMemoryBound(to: CChar.self), $0.count,
        &value, &settings, &error)
    }
    switch Model.decode(from: text, options: DecodingOptions(redactsInput: redacts)) {
    case .success(let model):
      #expect(status == 0 && value == number(model), "\(text)")
    case .failure(let failure):
      #expect(status == failure.code.rawValue, "\(text)")
      #expect(pathText(of: error) == failure.path.text, "\(text)")
      #expect(messageText(of: error) == inC(failure.description), "\(text)")
      // What a table expects is always told.
      let expectation = /,"expected":"([^"\\]|\\.)*"/
      let ours = json(of: error)
      #expect(ours.contains(expectation) || failure.code.category == .syntax, "\(text)")
      #expect(
        ours.replacing(expectation, with: "")
          == inC(failure.jsonText).replacing(expectation, with: ""), "\(text)")
    }
    decant_free(record, &value)
  }

  /// An error's text in C's words, which names no types of Swift.
  private func inC(_ text: String) -> String {
    text.replacing(/out of range for Int64(: )?/) {
      "expected a number in \(Int64.min) to \(Int64.max), found "
        + ($0.1 == nil ? "a number" : "the number ")
    }
  }

  private func json(of error: decant_error) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    var error = error
    let length = decant_error_json(&error, &buffer, buffer.count)
    return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("tables and conversions tell the same", arguments: [false, true])
  func same(redacts: Bool) throws {
    for text in Self.texts {
      try check(Outer.self, tables.outer, text, redacts: redacts) { $0.a }
      try check(Nested.self, tables.nested, text, redacts: redacts) { $0.a }
    }
  }
}
