// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The exact value of a JSON number, for everything that must not round: comparison of numbers, integers that are
// spelled `1e3` or `5.0`, and Foundation's Decimal.

/// A JSON number taken apart: digits × 10^exponent, without zeros at either end of the digits. Zero has no
/// digits, no exponent and no sign, so that equal numbers are equal.
///
///     -120.50e1    digits 1 2 0 5, exponent 0, negative
///
/// Exponents beyond 10^17 count as 10^17.
package struct DecimalNumber {
  package private(set) var isNegative = false
  package private(set) var digits: [UInt8] = []
  package private(set) var exponent: Int64 = 0

  /// Nil for NaN and the infinities, which have no digits.
  package init?(_ text: String) {
    var bytes = SeldomBytes(text)
    var isFraction = false
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): addExponent(&bytes)
      default:
        let digit = byte &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        if digit > 0 || !digits.isEmpty { digits.append(digit) }
        if isFraction { exponent -= 1 }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { self = DecimalNumber() }
  }

  private init() {}

  private mutating func addExponent(_ bytes: inout SeldomBytes) {
    let limit: Int64 = 100_000_000_000_000_000
    var sign: Int64 = 1
    var magnitude: Int64 = 0
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "-"): sign = -1
      default: magnitude = min(magnitude * 10 + Int64(byte - UInt8(ascii: "0")), limit)
      }
    }
    exponent += sign * magnitude
  }

  package func equals(_ other: DecimalNumber) -> Bool {
    isNegative == other.isNegative && exponent == other.exponent && digits == other.digits
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isNegative)
    hasher.combine(exponent)
    hasher.combine(digits)
  }

  /// Whether it has no fraction, however it is spelled.
  package var isIntegral: Bool { exponent >= 0 }

  /// Its integer value, however it is spelled; nil if it is not an integer (`isIntegral`), or out of the type's range.
  package func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
    // 2^128 has 39 digits.
    if exponent < 0 || Int64(digits.count) + exponent > 39 { return nil }
    var text = isNegative ? "-" : digits.isEmpty ? "0" : ""
    for digit in digits { text.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "0") + digit)) }
    for _ in 0..<exponent { text += "0" }
    return decimal(text, Value.isSigned, Value.bitWidth).map { Value($0) }
  }
}
