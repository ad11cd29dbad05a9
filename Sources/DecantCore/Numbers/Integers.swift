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
  /// The token as an exact integer. Nil for numbers that are not integers, such as `1.5`, `1.0` or `1e2` (`isReal`), and for
  /// integers that `Value` cannot represent.
  ///
  /// - Complexity: constant; at most 39 digits are read, without allocations.
  @_alwaysEmitIntoClient @inline(__always)
  package func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) -> Value? {
    // Both in one number: bits 8-15 are the count, bit 27 is `isReal`.
    let digits = shape & (UInt32(DECANT_NUMBER_REAL) | 0xFF00)
    if digits <= 8 &<< 8 {
      // SAFETY (uncheckedRun): `firstDigit` is at most `offset + 1`, so its eight bytes are in the
      // text.
      if offset &+ 9 <= length {
        return Self.integer(uncheckedRun(of: integerDigits, from: firstDigit), isNegative)
      }
    } else if digits <= 16 &<< 8 {
      let head = uncheckedRun(of: integerDigits &- 8, from: firstDigit)
      let tail = decant_eight_digits(uncheckedWord(at: pointOffset &- 8))
      return Self.integer(head &* 100_000_000 &+ tail, isNegative)
    }
    return longInteger()
  }

  /// `integer(_:)` for everything but a short run with readable bytes after it. One body reads the digits for all widths;
  /// each width compiles only the sign and the range.
  @_alwaysEmitIntoClient @inline(never)
  func longInteger<Value: FixedWidthInteger>() -> Value? {
    if isReal { return nil }
    if integerDigits <= 19 { return Self.integer(longMagnitude, isNegative) }
    guard Value.bitWidth > 32, let magnitude = wideMagnitude,
      magnitude.fits(isNegative, isSigned: Value.isSigned, bits: Value.bitWidth)
    else { return nil }
    return Value((isNegative, magnitude))
  }

  /// The value of at most 19 digits.
  @usableFromInline @inline(never)
  var longMagnitude: UInt64 {
    let count = integerDigits
    return count <= 8 ? run(of: count, from: firstDigit) : longRun(of: count, from: firstDigit)
  }

  /// Adds the sign to a magnitude, if the result fits into `Value`.
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
  var wideMagnitude: WideMagnitude? {
    guard integerDigits <= 39 else { return nil }
    var value = WideMagnitude()
    var position = firstDigit
    let end = pointOffset
    while position < end {
      let count = Swift.min(end &- position, 8)
      let power = UInt64(decant_get_power_of_ten(Int64(truncatingIfNeeded: count)))
      guard value.append(run(of: count, from: position), below: power) else { return nil }
      position &+= count
    }
    return value
  }
}

/// The magnitude of an integer of at most 128 bits, in words: not every system that Decant runs on has `UInt128`.
@frozen @usableFromInline
struct WideMagnitude {
  @usableFromInline var high: UInt64 = 0
  @usableFromInline var low: UInt64 = 0

  /// Appends decimal digits, whose value is below a power of ten. False if 128 bits do not hold the result.
  mutating func append(_ digits: UInt64, below power: UInt64) -> Bool {
    let product = low.multipliedFullWidth(by: power)
    let (low, carries) = product.low.addingReportingOverflow(digits)
    let (scaled, isTooLarge) = high.multipliedReportingOverflow(by: power)
    // Less than the power, so that the sum is a word.
    let carry = product.high + (carries ? 1 : 0)
    let (high, overflows) = scaled.addingReportingOverflow(carry)
    (self.high, self.low) = (high, low)
    return !isTooLarge && !overflows
  }

  /// Whether integers of so many bits have the number with this magnitude and sign.
  @usableFromInline @inline(never)
  func fits(_ isNegative: Bool, isSigned: Bool, bits: Int) -> Bool {
    var largest = self
    if isNegative, high | low != 0 {
      guard isSigned else { return false }
      // The most negative value lies one further from zero than the largest one.
      if low == 0 { largest.high -= 1 }
      largest.low &-= 1
    }
    let zeros =
      largest.high == 0 ? 64 + largest.low.leadingZeroBitCount : largest.high.leadingZeroBitCount
    return 128 - zeros <= (isSigned ? bits - 1 : bits)
  }
}

extension FixedWidthInteger {
  /// A number that the type has.
  @_alwaysEmitIntoClient
  init(_ number: (isNegative: Bool, magnitude: WideMagnitude)) {
    let (high, low) = (number.magnitude.high, number.magnitude.low)
    let value = Self(truncatingIfNeeded: high) << 64 | Self(truncatingIfNeeded: low)
    self = number.isNegative ? 0 &- value : value
  }
}
