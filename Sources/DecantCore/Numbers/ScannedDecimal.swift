// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers with more than 19 digits, or with counts that the index could not hold. The token is scanned once. Its first 19
// significant digits, w, and the next number after them enclose the value:
//
//   w · 10^e  <=  value  <  (w + 1) · 10^e
//
// If both bounds round to the same pattern, that is the answer; an enclosure 10^-19 wide nearly
// always does. Otherwise they round to neighbours, and the value is compared exactly with the
// midpoint between them, as integers (after Clinger, "How to read floating point numbers
// accurately", 1990):
//
//   9007199254740993.00000000000000000001       w = 9007199254740993000, e = -3
//     bounds round to 9007199254740992 and …994, the midpoint is 9007199254740993
//     digits · 10^-20   against   (2 · 4503599627370496 + 1) · 2^0
//     both sides times 10^20: 900719925474099300000000000000000001 is the larger one: …994
//
// A midpoint of Doubles has at most 767 significant digits. So 770 digits are compared, and whether
// any nonzero digit follows them is appended as one more digit: time stays linear, memory at 1 KB
// of stack.

/// The result of one scan over a number.
struct ScannedDecimal {
  private let token: NumberToken
  /// The first significant digits, at most 19.
  private var significand: UInt64 = 0
  /// The power of ten that belongs to `significand`.
  private var exponent: Int64 = 0
  /// Whether a digit that is not zero follows those in `significand`.
  private var isTruncated = false
  /// The end of the digits, before the exponent.
  private var digitsEnd: Int

  init(_ token: NumberToken) {
    self.token = token
    var position = token.firstDigit
    var kept = 0
    var exponent: Int64 = 0
    var isAfterPoint = false
    var next: UInt8 = 0
    while position < token.length {
      next = token.uncheckedByte(at: position)
      let digit = next &- UInt8(ascii: "0")
      if digit <= 9 {
        if kept < 19 {
          significand = significand * 10 + UInt64(digit)
          if significand != 0 { kept += 1 }
          if isAfterPoint { exponent -= 1 }
        } else {
          if digit != 0 { isTruncated = true }
          if !isAfterPoint { exponent += 1 }
        }
      } else if next == UInt8(ascii: ".") {
        isAfterPoint = true
      } else {
        break
      }
      position += 1
    }
    digitsEnd = position
    if position < token.length && next | 0x20 == UInt8(ascii: "e") {
      let start = position + 1
      exponent += token.exponentValue(from: start, to: Self.exponentEnd(token, start))
    }
    self.exponent = exponent
  }

  /// The end of an exponent that starts at `start`: after its sign and its digits.
  private static func exponentEnd(_ token: NumberToken, _ start: Int) -> Int {
    var position = start + 1
    while position < token.length && token.uncheckedByte(at: position) &- UInt8(ascii: "0") <= 9 {
      position += 1
    }
    return position
  }

  /// The pattern nearest to the number without its sign.
  func nearestBits(_ format: BinaryFormat) -> UInt64 {
    let lower = format.nearest(to: significand, exponent: exponent)
    if !isTruncated { return lower }
    // Below 10^19, so there is a next one.
    let upper = format.nearest(to: significand + 1, exponent: exponent)
    return lower == upper ? lower : nearestBits(from: lower, format)
  }
}

// MARK: - Exact comparison

extension ScannedDecimal {
  /// Compared digits. Midpoints have at most 767.
  private static var digitLimit: Int { 770 }

  /// The nearer one of `lower` and the pattern after it, given that the value lies between them.
  private func nearestBits(from lower: UInt64, _ format: BinaryFormat) -> UInt64 {
    let order = unsafe withUnsafeTemporaryAllocation(
      of: UInt64.self, capacity: 2 * BigNatural.capacity
    ) { limbs in
      // SAFETY: both halves are used inside this closure only.
      var digits = unsafe BigNatural(limbs.extracting(..<BigNatural.capacity))
      var midpoint = unsafe BigNatural(limbs.extracting(BigNatural.capacity...))
      return compare(lower, format, &digits, &midpoint)
    }
    if order == 0 { return lower + (lower & 1) }
    return order < 0 ? lower : lower + 1
  }

  /// The sign of the value's distance from the midpoint above `lower`.
  private func compare(
    _ lower: UInt64, _ format: BinaryFormat,
    _ digits: inout BigNatural, _ midpoint: inout BigNatural
  ) -> Int {
    let tens = exponent - Int64(collect(&digits))
    // The midpoint is 2 · significand + 1 in units of half the last place. Subnormals have no
    // hidden bit and the same unit as the smallest normal numbers.
    let stored = Int64(lower >> UInt64(format.fractionBits))
    let hiddenBit = (1 as UInt64) << UInt64(format.fractionBits)
    let fraction = lower & (hiddenBit - 1)
    midpoint.multiply(by: 0, adding: 2 * (stored == 0 ? fraction : fraction | hiddenBit) + 1)
    let twos = max(stored, 1) - Int64(format.exponentBias + format.fractionBits) - 1

    // digits · 5^tens · 2^tens against midpoint · 2^twos, with negative powers moved across.
    if tens >= 0 {
      digits.multiply(byFiveTo: Int(tens))
    } else {
      midpoint.multiply(byFiveTo: Int(-tens))
    }
    if tens >= twos {
      digits.shiftLeft(Int(tens - twos))
    } else {
      midpoint.shiftLeft(Int(twos - tens))
    }
    return digits.compare(midpoint)
  }

  /// Reads the digits again, now up to the limit, and returns how many more than 19 they are.
  private func collect(_ digits: inout BigNatural) -> Int {
    var collected = 0
    var group: UInt64 = 0
    var groupCount = 0
    var position = token.firstDigit
    var hasMore = false
    while position < digitsEnd {
      let byte = token.uncheckedByte(at: position)
      position += 1
      if byte == UInt8(ascii: ".") || (collected == 0 && byte == UInt8(ascii: "0")) { continue }
      if collected == Self.digitLimit {
        if byte != UInt8(ascii: "0") {
          hasMore = true
          break
        }
        continue
      }
      group = group * 10 + UInt64(byte & 0x0F)
      groupCount += 1
      collected += 1
      if groupCount == 18 {
        digits.multiply(byTenTo: groupCount, adding: group)
        group = 0
        groupCount = 0
      }
    }
    // At most 18 digits and one that represents all the rest.
    if hasMore {
      group = group * 10 + 1
      groupCount += 1
      collected += 1
    }
    digits.multiply(byTenTo: groupCount, adding: group)
    return collected - 19
  }
}
