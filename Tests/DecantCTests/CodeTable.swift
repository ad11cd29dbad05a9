// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import CDecant
import CDecantIndex
import DecantC
import DecantCore
import Testing

@Suite("Codes in Swift, in decant.h and in the index")
struct CodeTableTests {
  typealias Row = (name: String, swift: DecodeError.Code, c: Int, index: Int?)

  static let rows: [Row] = [
    ("unexpected byte", .unexpectedByte, DECANT_UNEXPECTED_BYTE, DECANT_INDEX_UNEXPECTED_BYTE),
    ("unexpected end", .unexpectedEnd, DECANT_UNEXPECTED_END, DECANT_INDEX_UNEXPECTED_END),
    ("invalid literal", .invalidLiteral, DECANT_INVALID_LITERAL, DECANT_INDEX_INVALID_LITERAL),
    ("invalid number", .invalidNumber, DECANT_INVALID_NUMBER, DECANT_INDEX_INVALID_NUMBER),
    (
      "control character", .controlCharacter, DECANT_CONTROL_CHARACTER,
      DECANT_INDEX_CONTROL_CHARACTER
    ),
    ("invalid escape", .invalidEscape, DECANT_INVALID_ESCAPE, DECANT_INDEX_INVALID_ESCAPE),
    ("lone surrogate", .loneSurrogate, DECANT_LONE_SURROGATE, DECANT_INDEX_LONE_SURROGATE),
    ("invalid UTF-8", .invalidUTF8, DECANT_INVALID_UTF8, DECANT_INDEX_INVALID_UTF8),
    ("trailing bytes", .trailingBytes, DECANT_TRAILING_BYTES, DECANT_INDEX_TRAILING_BYTES),
    ("byte order mark", .byteOrderMark, DECANT_BYTE_ORDER_MARK, DECANT_INDEX_BYTE_ORDER_MARK),
    ("number overflow", .numberOverflow, DECANT_NUMBER_OVERFLOW, DECANT_INDEX_NUMBER_OVERFLOW),
    ("type mismatch", .typeMismatch, DECANT_TYPE_MISMATCH, nil),
    ("missing key", .missingKey, DECANT_MISSING_KEY, nil),
    ("number out of range", .numberOutOfRange, DECANT_NUMBER_OUT_OF_RANGE, nil),
    ("not an integer", .notAnInteger, DECANT_NOT_AN_INTEGER, nil),
    ("invalid value", .invalidValue, DECANT_INVALID_VALUE, nil),
    ("custom", .custom, DECANT_CUSTOM, nil),
    ("duplicate key", .duplicateKey, DECANT_DUPLICATE_KEY, DECANT_INDEX_DUPLICATE_KEY),
    ("missing element", .missingElement, DECANT_MISSING_ELEMENT, nil),
    ("unknown key", .unknownKey, DECANT_UNKNOWN_KEY, nil),
    ("multiple", .multiple, DECANT_MULTIPLE, nil),
    ("too deep", .tooDeep, DECANT_TOO_DEEP, DECANT_INDEX_TOO_DEEP),
    ("too large", .tooLarge, DECANT_TOO_LARGE, DECANT_INDEX_TOO_LARGE),
    ("empty input", .emptyInput, DECANT_EMPTY_INPUT, DECANT_INDEX_EMPTY_INPUT),
    ("invalid pointer", .invalidPointer, DECANT_INVALID_POINTER, nil),
    ("unsupported", .unsupported, DECANT_UNSUPPORTED, nil),
    ("invalid argument", .invalidArgument, DECANT_INVALID_ARGUMENT, nil),
    ("invalid record", .invalidRecord, DECANT_INVALID_RECORD, nil),
    ("out of memory", .outOfMemory, DECANT_OUT_OF_MEMORY, DECANT_INDEX_OUT_OF_MEMORY),
    ("buffer too small", .bufferTooSmall, DECANT_BUFFER_TOO_SMALL, nil),
  ]

  @Test("are the same numbers, with a name each")
  func codes() {
    for row in Self.rows {
      #expect(Int(row.swift.rawValue) == row.c, "\(row.name)")
      if let index = row.index { #expect(index == row.c, "\(row.name)") }
      #expect(name(decant_status(row.c)) == row.name)
    }
    #expect(Set(Self.rows.map(\.c)).count == Self.rows.count)
  }

  @Test("numbers that are no code have no name, and every other number in the hundreds is one")
  func unknown() {
    let known = Set(Self.rows.map(\.c)).union([DECANT_OK])
    for number in -1...700 where !known.contains(number) {
      #expect(name(decant_status(number)) == "unknown status")
    }
    #expect(name(.max) == "unknown status")
    #expect(name(0) == "ok")
  }

  @Test("the version is one")
  func version() {
    let text = String(cString: decant_version())
    let parts = text.split(separator: ".").compactMap { Int32($0) }
    #expect(parts.count == 3)
    #expect(parts.reduce(0) { $0 * 100 + $1 } == decant_version_number())
    #expect(decant_version_number() == Int32(DECANT_VERSION_NUMBER))
  }

  private func name(_ status: decant_status) -> String {
    String(cString: decant_status_name(status))
  }
}
