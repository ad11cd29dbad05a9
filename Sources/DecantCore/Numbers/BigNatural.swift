// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A natural number of up to 4096 bits in borrowed memory, with the few operations that comparing a
// decimal number with a binary one takes. Schoolbook arithmetic: operands are a word on one side.
//
// Why 4096 bits are enough. In ScannedDecimal's comparison the digits are below 10^771 < 2^2562.
// With a positive power of ten the whole value is below 2^1025. With a negative one, 10^-n, the
// value is at least half of the smallest Double, so n < 324 + 771; 5^1095 < 2^2543, and 54 bits of
// a midpoint make 2597. Powers of two are cancelled before they are applied. The remaining power aligns one
// side with the other, and the sides are neighbors, so neither gets longer than the longer one and a word.

import CDecantIndex

/// A natural number as limbs of 64 bits, the lowest first, without zeros at the top.
@safe
struct BigNatural {
  /// The number of limbs that the memory must hold.
  static var capacity: Int { 64 }

  private let limbs: UnsafeMutableBufferPointer<UInt64>
  private var count = 0

  /// Zero, in memory that holds `capacity` limbs and outlives the number.
  @unsafe
  init(_ memory: UnsafeMutableBufferPointer<UInt64>) {
    unsafe limbs = memory
  }

  private func limb(_ index: Int) -> UInt64 {
    assert(index < count)
    // SAFETY: limbs below `count` are inside the memory and have been written.
    return unsafe limbs[index]
  }

  private mutating func append(_ limb: UInt64) {
    precondition(count < Self.capacity)
    // SAFETY: `count` is less than the capacity, which the memory has.
    unsafe limbs.initializeElement(at: count, to: limb)
    count += 1
  }
}

// MARK: - Arithmetic

extension BigNatural {
  mutating func multiply(by factor: UInt64, adding summand: UInt64 = 0) {
    var carry = summand
    for index in 0..<count {
      let product = limb(index).multipliedFullWidth(by: factor)
      let (low, overflow) = product.low.addingReportingOverflow(carry)
      // SAFETY: `index` is below `count`.
      unsafe limbs[index] = low
      // The upper half of a product is at most 2^64 - 2.
      carry = product.high + (overflow ? 1 : 0)
    }
    if carry != 0 { append(carry) }
  }

  /// Exponents from 0 to 19.
  mutating func multiply(byTenTo exponent: Int, adding summand: UInt64) {
    multiply(by: decant_get_power_of_ten(Int64(exponent)), adding: summand)
  }

  mutating func multiply(byFiveTo exponent: Int) {
    // 5^27 is the largest power of five in a word.
    for _ in 0..<exponent / 27 { multiply(by: 7_450_580_596_923_828_125) }
    var rest: UInt64 = 1
    for _ in 0..<exponent % 27 { rest *= 5 }
    multiply(by: rest)
  }

  mutating func shiftLeft(_ places: Int) {
    multiply(by: 1 << UInt64(places % 64))
    let words = places / 64
    guard words > 0 else { return }
    precondition(count + words <= Self.capacity)
    // SAFETY: all limbs below the new count are inside the memory; every one is written.
    for index in (0..<count).reversed() { unsafe limbs[index + words] = limb(index) }
    for index in 0..<words { unsafe limbs[index] = 0 }
    count += words
  }

  /// Negative, zero or positive: the order of the two numbers.
  func compare(_ other: BigNatural) -> Int {
    if count != other.count { return count < other.count ? -1 : 1 }
    for index in (0..<count).reversed() where limb(index) != other.limb(index) {
      return limb(index) < other.limb(index) ? -1 : 1
    }
    return 0
  }
}
