// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Each kind of field in each part that has to know it: the tables of facts, descriptions, decoding by the index and from
// the text, encoding, columns, and the manual. The compiler asks for a sample of a new kind below; the tests then find the
// part that was forgotten.

import CDecant
import Foundation
import Testing

@testable import DecantC

/// A field of a kind, with a value that comes back as it was written.
private struct Sample {
  /// The description of the field, but for its key and its kind.
  let description: String
  let value: String
  /// How the value is in a column's format string.
  let format: String
  /// Whether the kind has a value of its own to be written; DECANT_KIND only says of which kind another is.
  var isWritten = true
}

extension FieldKind {
  /// Nil for kinds that no description has, or none by themselves.
  fileprivate var sample: Sample? {
    func plain(_ value: String, _ format: String) -> Sample {
      Sample(description: "", value: value, format: format)
    }
    switch self {
    case .bool: return plain("true", "b")
    case .int8: return plain("-128", "c")
    case .int16: return plain("-32768", "s")
    case .int32: return plain("-2147483648", "i")
    case .int64: return plain("-9223372036854775808", "l")
    case .uint8: return plain("255", "C")
    case .uint16: return plain("65535", "S")
    case .uint32: return plain("4294967295", "I")
    case .uint64: return plain("18446744073709551615", "L")
    case .float: return plain("0.1", "f")
    case .double: return plain("1e-300", "g")
    case .string: return plain(#""a text of more than sixteen bytes""#, "vu")
    case .text: return plain(#""short""#, "vu")
    case .characters:
      return Sample(description: #","capacity":8"#, value: #""seven b""#, format: "vu")
    case .name: return Sample(description: #","names":["a","b"]"#, value: #""b""#, format: "i")
    case .flags:
      return Sample(description: #","names":["a","b"]"#, value: #"["a","b"]"#, format: "I")
    case .raw: return plain(#"{"x":[1,2]}"#, "vu")
    case .kind: return Sample(description: "", value: "[]", format: "i", isWritten: false)
    case .record, .recordPointer:
      return Sample(
        description: #","fields":[{"key":"x","kind":"int32"}]"#, value: #"{"x":7}"#, format: "+s")
    case .array: return Sample(description: #","element":"int32""#, value: "[1,2,3]", format: "+l")
    case .fixedArray:
      return Sample(
        description: #","element":"int32","capacity":2"#, value: "[1,2]", format: "+w:2")
    case .map:
      return Sample(
        description: #","fields":[{"kind":"key"},{"pointer":"","kind":"int32"}]"#,
        value: #"{"k":1,"l":2}"#, format: "+m")
    case .time: return plain(#""2024-02-29T12:30:00Z""#, "tsu:UTC")
    case .date: return plain(#""2024-02-29""#, "tdD")
    case .decimal:
      return Sample(description: #","precision":9,"scale":2"#, value: "12.50", format: "d:9,2")
    case .uuid: return plain(#""f81d4fae-7dec-11d0-a765-00a0c91e6bf6""#, "w:16")
    case .base64: return plain(#""Zm9v""#, "vz")
    case .fixedBase64:
      return Sample(description: #","capacity":3"#, value: #""Zm9v""#, format: "w:3")
    case .key, .union, .converted: return nil
    }
  }

  /// The description of a record with a field of this kind.
  fileprivate func schema(_ sample: Sample) -> String {
    #"{"fields":[{"key":"a","kind":"\#(word)"\#(sample.description)}]}"#
  }
}

@Suite("Kinds of fields")
struct FieldKindTests {
  /// Reads a description, and calls `body` with its table.
  private func withTable<Result>(
    _ description: String, _ body: (UnsafePointer<decant_record>) throws -> Result
  ) throws -> Result {
    var schema: OpaquePointer?
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    // SAFETY: the text is used during the call; the table lives as long as the schema.
    let status = unsafe description.withCString {
      unsafe decant_schema_parse($0, strlen($0), nil, &schema, &error)
    }
    defer { unsafe decant_schema_free(schema) }
    #expect(status == DECANT_OK, "\(description): \(message(error))")
    return try unsafe body(try #require(decant_schema_record(schema)))
  }

  private func message(_ error: decant_error) -> String {
    withUnsafeBytes(of: error.message) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private func text(_ words: UnsafePointer<CChar>?) -> String {
    unsafe words.map { unsafe String(cString: $0) } ?? ""
  }

  /// What a call that fills a buffer writes.
  private func written(
    _ call: (UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Int>) -> decant_status
  ) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    var length = 0
    // SAFETY: the call writes at most as many bytes as there are.
    let status = unsafe buffer.withUnsafeMutableBufferPointer {
      unsafe call($0.baseAddress!, $0.count, &length)
    }
    return status == DECANT_OK
      ? String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      : "status \(status)"
  }

  @Test("the tables of facts have a row for each kind, and the manual has a constant")
  func facts() throws {
    let kinds = FieldKind.allCases
    #expect(kinds.enumerated().allSatisfy { $0.offset == Int($0.element.ordinal) })
    #expect(Set(kinds.map { "\($0.word)" }).count == kinds.count)
    #expect(FieldKind(number: 0) == nil)
    #expect(FieldKind(number: UInt16(kinds.count + 1)) == nil)
    #expect(FieldKind.widthTables.allSatisfy { $0.utf8CodeUnitCount == kinds.count })
    for kind in kinds {
      #expect(FieldKind(number: UInt16(kind.ordinal) + 1) == kind)
      #expect(!"\(kind.expectation)".isEmpty)
      if kind == .union || kind == .converted { continue }
      #expect("\(FieldKind.expectation)".contains("\(kind.word)"), "\(kind)")
    }
    let header = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Include/decant.h"), encoding: .utf8)
    let list = try #require(header.range(of: "DECANT_BOOL = 1,"))
    let end = try #require(header.range(of: "};", range: list.lowerBound..<header.endIndex))
    let constants = header[list.lowerBound..<end.lowerBound].split(separator: "\n").filter {
      $0.drop { $0 == " " }.hasPrefix("DECANT_")
    }
    #expect(constants.count == kinds.count, "the kinds of decant.h")
  }

  @Test("each kind is described, decoded, encoded and a column", arguments: FieldKind.allCases)
  func everywhere(_ kind: FieldKind) throws {
    guard let sample = kind.sample else { return }
    let description = kind.schema(sample)
    let json = #"{"a":\#(sample.value)}"#
    try withTable(description) { table in
      // A description of the table makes a table with the same description.
      let again = written { unsafe decant_record_describe(table, $0, $1, $2, nil) }
      #expect(again.contains(#""kind":"\#(kind.word)""#), "\(again)")
      let third = try withTable(again) { table in
        written { unsafe decant_record_describe(table, $0, $1, $2, nil) }
      }
      #expect(third == again)

      // A small document is read from its text, a large one by its index.
      for document in [json, json + String(repeating: " ", count: 8192)] {
        let size = unsafe Int(table.pointee.size)
        let value = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { unsafe value.deallocate() }
        var error = decant_error()
        error.size = MemoryLayout<decant_error>.size
        let status = unsafe document.withCString {
          unsafe decant_decode(table, $0, strlen($0), value, &error)
        }
        #expect(status == DECANT_OK, "\(document.prefix(80)): \(message(error))")
        guard status == DECANT_OK else { continue }
        defer { unsafe decant_free(table, value) }
        let encoded = written { unsafe decant_encode(table, value, $0, $1, $2, nil) }
        #expect(encoded == (sample.isWritten ? json : #"{"a":[]}"#))
      }

      // Another kind of value is an error that says what the field is.
      let wrong = kind == .bool ? "{}" : "true"
      if kind != .raw, kind != .kind {
        var error = decant_error()
        error.size = MemoryLayout<decant_error>.size
        var place = [UInt64](repeating: 0, count: unsafe Int(table.pointee.size) / 8 + 1)
        let status = unsafe #"{"a":\#(wrong)}"#.withCString { json in
          unsafe place.withUnsafeMutableBytes {
            unsafe decant_decode(table, json, strlen(json), $0.baseAddress, &error)
          }
        }
        #expect(status == DECANT_TYPE_MISMATCH)
        #expect(message(error).contains("expected"))
      }

      unsafe json.withCString { text in
        let (status, format, length) = unsafe column(of: table, text)
        #expect(status == DECANT_OK)
        #expect(format == sample.format)
        #expect(length == 1)
      }
    }
  }

  /// Reads a stream of one line, and returns the format of the first column and the number of rows.
  private func column(
    of table: UnsafePointer<decant_record>, _ line: UnsafePointer<CChar>
  ) -> (decant_status, format: String, length: Int64) {
    var rows = ArrowArrayStream()
    var schema = ArrowSchema()
    var batch = ArrowArray()
    // SAFETY: the text lives until the stream is released; what the stream yields is released here.
    let status = unsafe decant_read_arrow(table, line, strlen(line), nil, &rows, nil, nil)
    guard status == DECANT_OK else { return (status, "", 0) }
    defer { unsafe rows.release(&rows) }
    guard unsafe rows.get_schema(&rows, &schema) == 0, unsafe rows.get_next(&rows, &batch) == 0
    else { return (status, "", -1) }
    defer {
      if unsafe batch.release != nil { unsafe batch.release(&batch) }
      unsafe schema.release(&schema)
    }
    return (status, unsafe text(schema.children[0]?.pointee.format), batch.length)
  }
}
