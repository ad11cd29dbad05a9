// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers to JSON text, appended to bytes. Reals take the shortest decimal form that reads back as
// the same value, which the standard library's `description` is, independently of any locale. All
// its forms are JSON numbers, but for the values that JSON cannot spell:
//
//   1 → 1.0     100 → 100.0     1e20 → 1e+20     5e-324 → 5e-324     -0 → -0.0     nan → refused

/// Appends numbers to JSON text.
package enum NumberWriter {
  /// Appends an integer.
  package static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest != 0
    bytes[start...].reverse()
  }

  /// Appends a Double; for infinities and NaN appends nothing and returns false.
  package static func append(_ value: Double, to bytes: inout [UInt8]) -> Bool {
    guard value.isFinite else { return false }
    bytes.append(contentsOf: value.description.utf8)
    return true
  }

  /// Appends a Float; for infinities and NaN appends nothing and returns false.
  package static func append(_ value: Float, to bytes: inout [UInt8]) -> Bool {
    guard value.isFinite else { return false }
    bytes.append(contentsOf: value.description.utf8)
    return true
  }
}
