// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Runs of decimal digits to integers, eight digits in three multiplications. The method is
// published as "SIMD within a register" (Lamport, "Multiple byte processing with full-word
// instructions", 1975; for digits: Lemire, "Number parsing at a gigabyte per second", 2021).
//
// A little-endian load puts the first digit in the lowest byte. Each step joins neighbours:
//
//   bytes, lowest first   '1' '2' '3' '4' '5' '6' '7' '8'
//   & 0x0F                 1   2   3   4   5   6   7   8       eight bytes
//   × 10 + next           12      34      56      78           four lanes of 16 bits
//   × 100 + next          1234            5678                 two lanes of 32 bits
//   × 10000 + next        12345678                             one of 64
//
// "× 10 + next" for all lanes at once is one multiplication by 10 · 2^8 + 1 and a shift by 8: the
// lane above gets ten times the lower byte added to itself. 2561 = 10 · 2^8 + 1, 6553601 = 100 ·
// 2^16 + 1, 42949672960001 = 10000 · 2^32 + 1. No lane overflows: 99 < 2^8, 9999 < 2^16, 99999999 <
// 2^32.
//
// Shorter runs are brought to eight digits with zero bytes in front, which count as the digit 0: by
// a shift when the load begins at the first digit, by a mask when it ends at the last one.

public import CDecantIndex

extension NumberToken {
  /// The value of eight bytes that are digits or zero.
  @_alwaysEmitIntoClient @inline(__always)
  static func value(ofEightDigits word: UInt64) -> UInt64 {
    var lanes = word & 0x0F0F_0F0F_0F0F_0F0F
    lanes = (lanes &* 2561) &>> 8 & 0x00FF_00FF_00FF_00FF
    lanes = (lanes &* 6_553_601) &>> 16 & 0x0000_FFFF_0000_FFFF
    return (lanes &* 42_949_672_960_001) &>> 32
  }

  /// The value of `count` digits from `start`. The caller proves 1 <= count <= 8 and eight bytes of
  /// text.
  @_alwaysEmitIntoClient @inline(__always)
  func uncheckedRun(of count: Int, from start: Int) -> UInt64 {
    // The shift is 64 - 8 * count, from 56 down to 0: it throws away the bytes past the run.
    Self.value(ofEightDigits: uncheckedWord(at: start) &<< UInt64(truncatingIfNeeded: -8 &* count))
  }

  /// The value of `count` digits that end at `end`. The caller proves 0 <= count <= 16 and end >=
  /// 16.
  @_alwaysEmitIntoClient @inline(__always)
  func uncheckedRun(of count: Int, endingAt end: Int) -> UInt64 {
    let mask = decant_get_digit_mask(Int64(truncatingIfNeeded: count))
    let head = uncheckedWord(at: end &- 16) & UInt64(littleEndian: mask.head)
    let tail = uncheckedWord(at: end &- 8) & UInt64(littleEndian: mask.tail)
    return Self.value(ofEightDigits: head) &* 100_000_000 &+ Self.value(ofEightDigits: tail)
  }

  /// The value of `count` digits from `start`, byte by byte, added to `leading` digits before them.
  ///
  /// Reads nothing but the run. The caller proves that all digits together are at most 19.
  @_alwaysEmitIntoClient
  func run(of count: Int, from start: Int, after leading: UInt64 = 0) -> UInt64 {
    var value = leading
    for position in start..<start &+ count {
      value = value &* 10 &+ UInt64(uncheckedByte(at: position) & 0x0F)
    }
    return value
  }

  /// The value of 9 to 19 digits from `start`. All loads stay inside the run.
  @_alwaysEmitIntoClient
  func longRun(of count: Int, from start: Int) -> UInt64 {
    assert(count >= 9 && count <= 19)
    let end = start &+ count
    let tail = Self.value(ofEightDigits: uncheckedWord(at: end &- 8))
    if count <= 16 {
      return uncheckedRun(of: count &- 8, from: start) &* 100_000_000 &+ tail
    }
    let middle = Self.value(ofEightDigits: uncheckedWord(at: end &- 16))
    let head = uncheckedRun(of: count &- 16, from: start)
    // At most 999 · 10^16 + 10^16 - 1 = 10^19 - 1 < 2^64.
    return (head &* 100_000_000 &+ middle) &* 100_000_000 &+ tail
  }
}
