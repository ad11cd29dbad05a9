// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The number grammar of RFC 8259 §6 over plain bytes, for numbers that do not come from an index:
// those inside strings, and those of tests. The index checks the same grammar with wide compares.
//
//   number   = [ "-" ] integer [ "." 1*digit ] [ ( "e" / "E" ) [ "+" / "-" ] 1*digit ]
//   integer  = "0" / ( digit1-9 *digit )
//
//   -65.613e-2     negative, real, exponent; 10 bytes, 2 digits before the point, 3 after it

import CDecantIndex

extension NumberToken {
  /// The tag of the slot that the index would make, or nil if `bytes` are not exactly one
  /// number.
  ///
  /// - Complexity: linear in the number of bytes.
  package static func shape(of bytes: Span<UInt8>) -> UInt32? {
    var flags = UInt32(DECANT_NUMBER)
    var position = 0
    if position < bytes.count && bytes[position] == UInt8(ascii: "-") {
      flags |= UInt32(DECANT_NUMBER_MINUS)
      position += 1
    }
    let integerDigits = digits(in: bytes, from: position)
    if integerDigits == 0 { return nil }
    if integerDigits > 1 && bytes[position] == UInt8(ascii: "0") { return nil }
    position += integerDigits

    var fractionDigits = 0
    if position < bytes.count && bytes[position] == UInt8(ascii: ".") {
      flags |= UInt32(DECANT_NUMBER_REAL)
      fractionDigits = digits(in: bytes, from: position + 1)
      if fractionDigits == 0 { return nil }
      position += 1 + fractionDigits
    }
    if position < bytes.count && bytes[position] | 0x20 == UInt8(ascii: "e") {
      flags |= UInt32(DECANT_NUMBER_REAL) | UInt32(DECANT_NUMBER_EXPONENT)
      position += 1
      if position < bytes.count
        && (bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-"))
      {
        position += 1
      }
      let exponentDigits = digits(in: bytes, from: position)
      if exponentDigits == 0 { return nil }
      position += exponentDigits
    }
    if position != bytes.count { return nil }
    return flags | field(bytes.count) | field(integerDigits) << 8 | field(fractionDigits) << 16
  }

  /// How many digits follow each other from `start`.
  private static func digits(in bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position < bytes.count && bytes[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
    return position - start
  }

  /// A count as the slot holds it.
  private static func field(_ count: Int) -> UInt32 { UInt32(min(count, longCount)) }
}
