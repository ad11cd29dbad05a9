// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Exact integers of every width. Nothing passes through floating point and nothing is rounded: a
// token with a point or an exponent is not an integer (`1.0` and `1e2` included), and a value that
// does not fit is out of range. `-0` is 0.
//
// The number of digits decides the way:
//
//   1 … 8     one load from the first digit on, shifted so that the run ends at the word's top:
//             no loop and no branch on the count. Needs eight readable bytes; the last number of
//             a text may not have them and is read byte by byte.
//   9 … 19    two or three loads, all inside the token. Every value fits: 10^19 - 1 < 2^64.
//   20 …      eight digits at a time with overflow checks, at most 39 digits (2^128 has 39); longer
//             tokens are out of range without being read, as JSON has no leading zeros.
//
//   -17       `shape` says negative and 2 digits. The word at the '1' is  '1' '7' ',' …, shifted by
//             six bytes  0 0 0 0 0 0 '1' '7', which is 17. The sign makes it -17.

public import CDecantIndex

extension NumberToken {
  /// The token as an exact integer. Nil for what is none, such as `1.5`, `1.0` or `1e2`: those `isReal`; and for what
  /// `Value` cannot represent.
  ///
  /// - Complexity: constant; at most 39 digits are read, without allocations.
  @_alwaysEmitIntoClient @inline(__always)
  package func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) -> Value? {
    // One comparison for "not real, and 0 to 8 digits": bits 8-15 are the count, bit 27 is
    // `isReal`.
    if shape & (UInt32(DECANT_NUMBER_REAL) | 0xFF00) <= 8 &<< 8, offset &+ 9 <= length {
      // SAFETY (uncheckedRun): `firstDigit` is at most `offset + 1`, so its eight bytes are in the
      // text.
      return Self.integer(uncheckedRun(of: integerDigits, from: firstDigit), isNegative)
    }
    if shape & UInt32(DECANT_NUMBER_REAL) == 0, integerDigits > 8, integerDigits <= 16 {
      let head = uncheckedRun(of: integerDigits &- 8, from: firstDigit)
      let tail = decant_eight_digits(uncheckedWord(at: pointOffset &- 8))
      return Self.integer(head &* 100_000_000 &+ tail, isNegative)
    }
    return longInteger()
  }

  /// `integer(_:)` for everything that is not a short run with room behind it. The digits are read by one body for
  /// all widths; what is compiled for each is the sign and the range.
  @_alwaysEmitIntoClient @inline(never)
  func longInteger<Value: FixedWidthInteger>() -> Value? {
    if isReal { return nil }
    if integerDigits <= 19 { return Self.integer(longMagnitude, isNegative) }
    guard Value.bitWidth > 32, let magnitude = wideMagnitude else { return nil }
    if !Value.isSigned {
      guard !isNegative, magnitude <= UInt128(truncatingIfNeeded: Value.max) else {
        return nil
      }
      return Value(truncatingIfNeeded: magnitude)
    }
    let largest = UInt128(truncatingIfNeeded: Value.max) &+ (isNegative ? 1 : 0)
    guard magnitude <= largest else { return nil }
    return Value(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
  }

  /// The value of at most 19 digits.
  @usableFromInline @inline(never)
  var longMagnitude: UInt64 {
    let count = integerDigits
    return count <= 8 ? run(of: count, from: firstDigit) : longRun(of: count, from: firstDigit)
  }

  /// Adds the sign to a magnitude, if `Value` has room for the result.
  @_alwaysEmitIntoClient @inline(__always)
  static func integer<Value: FixedWidthInteger>(
    _ magnitude: UInt64, _ isNegative: Bool
  ) -> Value? {
    guard Value.isSigned else {
      guard !isNegative || magnitude == 0 else { return nil }
      return Value(exactly: magnitude)
    }
    if Value.bitWidth <= 64 {
      // The most negative value lies one further from zero than the largest one.
      let largest = UInt64(truncatingIfNeeded: Value.max) &+ (isNegative ? 1 : 0)
      guard magnitude <= largest else { return nil }
    }
    let value = Value(truncatingIfNeeded: magnitude)
    return isNegative ? 0 &- value : value
  }

  /// The value of 20 digits and more, or nil if 128 bits do not hold it. The bound keeps `longCount` out.
  @usableFromInline @inline(never)
  var wideMagnitude: UInt128? {
    guard integerDigits <= 39 else { return nil }
    var value: UInt128 = 0
    var position = firstDigit
    let end = pointOffset
    while position < end {
      let count = Swift.min(end &- position, 8)
      let power = UInt128(decant_get_power_of_ten(Int64(truncatingIfNeeded: count)))
      let (scaled, overflow) = value.multipliedReportingOverflow(by: power)
      let (sum, carry) = scaled.addingReportingOverflow(UInt128(run(of: count, from: position)))
      if overflow || carry { return nil }
      value = sum
      position &+= count
    }
    return value
  }
}
