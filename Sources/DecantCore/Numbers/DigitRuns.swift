// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Runs of decimal digits to integers, eight digits at a time (decant_eight_digits, decant_numbers.h).
//
// Shorter runs are brought to eight digits with zero bytes in front, which count as the digit 0: by
// a shift when the load begins at the first digit, by a mask when it ends at the last one.

public import CDecantIndex

extension NumberToken {
  /// The value of `count` digits from `start`. The caller proves 1 <= count <= 8 and eight bytes of
  /// text.
  @_alwaysEmitIntoClient @inline(__always)
  func uncheckedRun(of count: Int, from start: Int) -> UInt64 {
    // The shift is 64 - 8 * count, from 56 down to 0: it throws away the bytes past the run.
    decant_eight_digits(uncheckedWord(at: start) &<< UInt64(truncatingIfNeeded: -8 &* count))
  }

  /// The value of `count` digits that end at `end`. The caller proves 0 <= count <= 16 and end >=
  /// 16.
  @_alwaysEmitIntoClient @inline(__always)
  func uncheckedRun(of count: Int, endingAt end: Int) -> UInt64 {
    let mask = decant_get_digit_mask(Int64(truncatingIfNeeded: count))
    let head = uncheckedWord(at: end &- 16) & UInt64(littleEndian: mask.head)
    let tail = uncheckedWord(at: end &- 8) & UInt64(littleEndian: mask.tail)
    return decant_eight_digits(head) &* 100_000_000 &+ decant_eight_digits(tail)
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
    let tail = decant_eight_digits(uncheckedWord(at: end &- 8))
    if count <= 16 {
      return uncheckedRun(of: count &- 8, from: start) &* 100_000_000 &+ tail
    }
    let middle = decant_eight_digits(uncheckedWord(at: end &- 16))
    let head = uncheckedRun(of: count &- 16, from: start)
    // At most 999 · 10^16 + 10^16 - 1 = 10^19 - 1 < 2^64.
    return (head &* 100_000_000 &+ middle) &* 100_000_000 &+ tail
  }
}
