// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The binary number nearest to `significand · 10^exponent`, for significands below 2^64. The method
// is Eisel and Lemire's (Lemire, "Number parsing at a gigabyte per second", Software: Practice and
// Experience 51, 2021). That the 128-bit table decides every case, without a way out for
// undecided ones, is proved in Mushtak and Lemire, "Fast number parsing without fallback", 2023.
//
// With the significand shifted up until its first bit is set, multiply it by the leading 64 bits of
// 5^exponent. The upper half of the product holds the bits of the result, one bit to round with,
// and some more, all of them right unless the more are all ones; then the table's next 64 bits are
// brought in. The binary exponent follows from ⌊log2(5^e)⌋ and the shift. 10^e = 5^e · 2^e adds
// just e to it.
//
//   0.5 = 5 · 10^-1
//     5, shifted by 61 places        0xA000000000000000
//     5^-1, the leading bits         0xCCCCCCCCCCCCCCCC CCCCCCCCCCCCCCCD
//     product with the upper half    0x7FFFFFFFFFFFFFFF 8000000000000000   nine ones at the end:
//     and the lower half's share     0x8000000000000000 0000000000000000   bring in the lower half
//     the first 54 bits              2^53, the last of them to round with: 2^52, the hidden bit
//     exponent                       ⌊log2(10^-1)⌋ + 63 + 1 - 61 = -1      0.5 = 1.0 · 2^-1
//
// Everything here works on bit patterns without the sign, in ascending order of their values:
// zero, subnormals, normals, infinity. A carry out of the fraction moves the exponent up by itself.

public import CDecantIndex

/// The layout of an IEEE 754 binary format, and its constants in the Eisel-Lemire method.
@frozen
@usableFromInline
struct BinaryFormat: BitwiseCopyable, Sendable {
  /// Bits of the significand that are stored.
  @usableFromInline let fractionBits: Int
  /// The bias of a normal number's stored exponent.
  @usableFromInline let exponentBias: Int
  /// The bit pattern of infinity.
  @usableFromInline let infinity: UInt64
  /// The powers of ten that can put a 64-bit significand exactly between two neighbours.
  @usableFromInline let smallestTie: Int
  @usableFromInline let largestTie: Int

  @_alwaysEmitIntoClient @inline(__always)
  init(
    fractionBits: Int, exponentBias: Int, infinity: UInt64, smallestTie: Int, largestTie: Int
  ) {
    self.fractionBits = fractionBits
    self.exponentBias = exponentBias
    self.infinity = infinity
    self.smallestTie = smallestTie
    self.largestTie = largestTie
  }

  @_alwaysEmitIntoClient @inline(__always)
  static var double: BinaryFormat {
    // 5^23 < 2^54 < 5^24: no larger power leaves room for a tie. 5^4 · 2^53 < 2^64 < 5^5 · 2^53.
    BinaryFormat(
      fractionBits: 52, exponentBias: 1023, infinity: 0x7FF0_0000_0000_0000,
      smallestTie: -4, largestTie: 23)
  }

  @_alwaysEmitIntoClient @inline(__always)
  static var float: BinaryFormat {
    BinaryFormat(
      fractionBits: 23, exponentBias: 127, infinity: 0x7F80_0000, smallestTie: -17, largestTie: 10)
  }
}

extension BinaryFormat {
  /// The pattern nearest to `significand · 10^exponent`, for every exponent: zero and infinity
  /// included.
  @inline(__always)
  func nearest(to significand: UInt64, exponent: Int64) -> UInt64 {
    // 2^64 · 10^-343 is less than half of the smallest Double, 10^309 more than the largest.
    if significand == 0 || exponent < Int64(DECANT_SMALLEST_POWER_OF_FIVE) { return 0 }
    if exponent > Int64(DECANT_LARGEST_POWER_OF_FIVE) { return infinity }
    return inRange(significand, exponent: Int(exponent), isSurelyNormal: false)
  }

  /// The Eisel-Lemire method.
  ///
  /// The caller proves that `significand` is not zero, that `exponent` is one of the table's, and,
  /// if it says so, that the result is neither subnormal nor infinite.
  @_alwaysEmitIntoClient @inline(__always)
  func inRange(_ significand: UInt64, exponent: Int, isSurelyNormal: Bool) -> UInt64 {
    let places = significand.leadingZeroBitCount
    let normalized = significand &<< UInt64(truncatingIfNeeded: places)
    let power = decant_get_power_of_five(Int64(truncatingIfNeeded: exponent))
    var (upper, lower) = normalized.multipliedFullWidth(by: power.upper)
    // Kept are the hidden bit, the fraction and one bit to round with, after a first bit that may
    // be 0.
    let spareBits = 64 &- fractionBits &- 3
    let spareMask = (1 as UInt64) &<< UInt64(truncatingIfNeeded: spareBits) &- 1
    if upper & spareMask == spareMask {
      let (sum, carry) = lower.addingReportingOverflow(
        normalized.multipliedFullWidth(by: power.lower).high)
      lower = sum
      upper = upper &+ (carry ? 1 : 0)
    }
    let firstBit = upper &>> 63
    let shift = firstBit &+ UInt64(truncatingIfNeeded: spareBits)
    var kept = upper &>> shift
    // 217706 / 2^16 is log2(10) rounded so that the floor is right for all exponents of the table.
    let stored =
      (217_706 &* exponent) &>> 16 &+ 63 &+ Int(truncatingIfNeeded: firstBit) &- places
      &+ exponentBias
    if !isSurelyNormal && stored <= 0 { return Self.subnormal(kept, places: 1 &- stored) }

    // Exactly between two neighbours: to the even one. 01 at the end would be rounded up otherwise.
    if _slowPath(lower <= 1) && kept & 3 == 1 && kept &<< shift == upper
      && exponent >= smallestTie && exponent <= largestTie
    {
      kept &-= 1
    }
    kept = (kept &+ (kept & 1)) &>> 1
    // The hidden bit adds one to the exponent, a significand that was rounded up to 2^53 two.
    let bits =
      UInt64(truncatingIfNeeded: stored &- 1) &<< UInt64(truncatingIfNeeded: fractionBits) &+ kept
    return isSurelyNormal ? bits : Swift.min(bits, infinity)
  }

  /// Rounds a significand that has to be moved down by `places` to get the smallest exponent.
  ///
  /// Ties do not occur here: they need more digits than a 64-bit significand has.
  @_alwaysEmitIntoClient
  static func subnormal(_ kept: UInt64, places: Int) -> UInt64 {
    if places >= 64 { return 0 }
    let moved = kept &>> UInt64(truncatingIfNeeded: places)
    // The result may be the smallest normal number; its pattern is the next one after the
    // subnormals.
    return (moved &+ (moved & 1)) &>> 1
  }
}
