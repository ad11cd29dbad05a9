// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Correctly rounded Double and Float: the representable value nearest to the decimal one, ties to
// even, for every number of digits. A Float comes straight from the text, never through a Double,
// which would round twice. Infinity means "out of range" inside; callers get nil. `-0`, `-0.0`
// and `-1e-999` are negative zero.
//
// Three ways, by the token's shape:
//
//   short   at most 8 digits before the point, 16 after it, 19 in all, no exponent: inlined. The
//           digits are gathered into one integer without a branch on their counts, then rounded.
//   known   at most 19 digits and any exponent: the same, out of line.
//   long    more digits, or counts that the index could not hold: ScannedDecimal.swift.
//
//   -65.613616999999977     2 digits before the point, 15 after it
//
//     before the point      eight bytes that end there, six of them masked   65
//     after it              sixteen bytes that end there, one masked         613616999999977
//     together              65 · 10^15 + 613616999999977 = 65613616999999977, exponent -15
//
// The masks need readable bytes in front of the token. Sixteen are there for all tokens but those
// at the very beginning of a text, which are gathered byte by byte.
//
// Clinger's way (Clinger, "How to read floating point numbers accurately", 1990): a significand up
// to 2^53 and a power up to 10^22 are exact as Doubles, so that one division or multiplication
// rounds correctly.

public import CDecantIndex

extension NumberToken {
  /// The Double nearest to the token's value, or nil if that is beyond the largest finite one.
  ///
  /// - Complexity: linear in the number of digits, without allocations.
  @_alwaysEmitIntoClient @inline(__always)
  package func double() -> Double? {
    // Bit 28 of `shape` is the sign; in a Double it is bit 63.
    let sign = UInt64(shape & UInt32(DECANT_NUMBER_MINUS)) &<< 35
    guard isShort else {
      let bits = longDouble()
      if bits == BinaryFormat.double.infinity, !isNonFinite { return nil }
      return Double(bitPattern: bits | sign)
    }
    let significand = shortSignificand()
    if integerDigits &+ fractionDigits <= 15 {
      // Clinger: 10^15 < 2^53, and the power is at most 10^15.
      let power = decant_get_exact_power_of_ten(Int64(truncatingIfNeeded: fractionDigits))
      let quotient = Double(Int64(truncatingIfNeeded: significand)) / power
      return Double(bitPattern: quotient.bitPattern | sign)
    }
    let bits = BinaryFormat.double.nearest(toShort: significand, fractionDigits: fractionDigits)
    return Double(bitPattern: bits | sign)
  }

  /// `double()`, faster for numbers of few digits: eight bytes from the first digit on are all of them and the point.
  @_alwaysEmitIntoClient @inline(__always)
  package func shortDouble() -> Double? {
    let digits = integerDigits &+ fractionDigits
    guard digits <= 7, shape & UInt32(DECANT_NUMBER_EXPONENT) == 0, fractionDigits != 0,
      offset &+ 9 <= length
    else { return seldomDouble() }
    // SAFETY (uncheckedWord): the first digit is at most at `offset + 1`.
    let word = uncheckedWord(at: firstDigit)
    let significand = decant_joined_digits(
      word, UInt32(truncatingIfNeeded: integerDigits), UInt32(truncatingIfNeeded: fractionDigits))
    let power = decant_get_exact_power_of_ten(Int64(truncatingIfNeeded: fractionDigits))
    let quotient = Double(significand) / power
    let sign = UInt64(shape & UInt32(DECANT_NUMBER_MINUS)) &<< 35
    return Double(bitPattern: quotient.bitPattern | sign)
  }

  /// `double()` out of line.
  @usableFromInline @inline(never)
  func seldomDouble() -> Double? { double() }

  /// The Float nearest to the token's value, or nil if that is beyond the largest finite one.
  ///
  /// - Complexity: linear in the number of digits, without allocations.
  @_alwaysEmitIntoClient @inline(__always)
  package func float() -> Float? {
    let sign = (shape & UInt32(DECANT_NUMBER_MINUS)) &<< 3
    guard isShort else {
      let bits = longFloat()
      if bits == BinaryFormat.float.infinity, !isNonFinite { return nil }
      return Float(bitPattern: UInt32(truncatingIfNeeded: bits) | sign)
    }
    let significand = shortSignificand()
    if integerDigits &+ fractionDigits <= 7 {
      // Clinger: 10^7 < 2^24, and the power, at most 10^7, is exact as a Float.
      let power = decant_get_exact_power_of_ten(Int64(truncatingIfNeeded: fractionDigits))
      let quotient = Float(Int32(truncatingIfNeeded: significand)) / Float(power)
      return Float(bitPattern: quotient.bitPattern | sign)
    }
    let bits = BinaryFormat.float.nearest(toShort: significand, fractionDigits: fractionDigits)
    return Float(bitPattern: UInt32(truncatingIfNeeded: bits) | sign)
  }
}

// MARK: - Short tokens

extension NumberToken {
  /// Whether `shortSignificand` may be called, and no exponent follows.
  @_alwaysEmitIntoClient @inline(__always)
  var isShort: Bool { !hasExponent && hasShortSignificand }

  /// Whether `shortSignificand` may be called.
  @_alwaysEmitIntoClient @inline(__always)
  var hasShortSignificand: Bool {
    integerDigits <= 8 && fractionDigits <= 16 && integerDigits &+ fractionDigits <= 19
      && offset >= 16
  }

  /// All digits before the exponent as one integer. The caller proves `hasShortSignificand`.
  @_alwaysEmitIntoClient @inline(__always)
  func shortSignificand() -> UInt64 {
    // SAFETY (unchecked loads): both ends lie in the token or just past it, so at most at `length`,
    // and at 16 or more, as the token begins there.
    let point = pointOffset
    let places = UInt64(truncatingIfNeeded: 64 &- 8 &* integerDigits)
    let whole = decant_eight_digits(
      uncheckedWord(at: point &- 8) & (UInt64.max &<< places))
    let fraction = uncheckedRun(of: fractionDigits, endingAt: digitsEnd)
    // Below 10^19 < 2^64.
    return whole
      &* decant_get_power_of_ten(Int64(truncatingIfNeeded: fractionDigits)) &+ fraction
  }
}

extension BinaryFormat {
  /// The pattern nearest to `significand · 10^-fractionDigits`, for at most 16 fraction digits.
  @_alwaysEmitIntoClient @inline(__always)
  func nearest(toShort significand: UInt64, fractionDigits: Int) -> UInt64 {
    if significand == 0 { return 0 }
    // From 10^-16 to below 2^64: normal in both formats.
    return inRange(significand, exponent: 0 &- fractionDigits, isSurelyNormal: true)
  }
}

// MARK: - All tokens

extension NumberToken {
  /// The pattern of the nearest Double without its sign, for every token.
  @usableFromInline
  func longDouble() -> UInt64 { nearestBits(.double) }

  /// The pattern of the nearest Float without its sign, for every token.
  @usableFromInline
  func longFloat() -> UInt64 { nearestBits(.float) }

  @inline(__always)
  private func nearestBits(_ format: BinaryFormat) -> UInt64 {
    if isNonFinite {
      let isNaN = uncheckedByte(at: offset) == UInt8(ascii: "N")
      return isNaN ? format.infinity | 1 << UInt64(format.fractionBits - 1) : format.infinity
    }
    guard byteCount != Self.longCount, integerDigits + fractionDigits <= 19 else {
      return ScannedDecimal(self).nearestBits(format)
    }
    let significand = hasShortSignificand ? shortSignificand() : knownSignificand()
    var exponent = Int64(-fractionDigits)
    if hasExponent {
      exponent += exponentValue(from: digitsEnd + 1, to: offset + byteCount)
    }
    return format.nearest(to: significand, exponent: exponent)
  }

  /// All digits before the exponent as one integer; at most 19.
  private func knownSignificand() -> UInt64 {
    let whole =
      integerDigits > 8
      ? longRun(of: integerDigits, from: firstDigit) : run(of: integerDigits, from: firstDigit)
    if fractionDigits <= 8 {
      return run(of: fractionDigits, from: pointOffset + 1, after: whole)
    }
    return whole * decant_get_power_of_ten(Int64(fractionDigits))
      + longRun(of: fractionDigits, from: pointOffset + 1)
  }

  /// The number between an `e` and the token's end; huge ones become some huge number.
  ///
  /// The limit is far beyond what digits can make up for: a text has fewer than 2^32 of them.
  func exponentValue(from start: Int, to end: Int) -> Int64 {
    var position = start
    let sign = uncheckedByte(at: position)
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
    var exponent: Int64 = 0
    while position < end {
      let digit = Int64(uncheckedByte(at: position) & 0x0F)
      if exponent < 1 << 40 { exponent = exponent * 10 + digit }
      position += 1
    }
    return sign == UInt8(ascii: "-") ? -exponent : exponent
  }
}
