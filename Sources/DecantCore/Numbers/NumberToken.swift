// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A number as the structural index left it: its place in the text, and what the index learned about
// its shape when it checked the grammar of RFC 8259 §6. `Int.decode`, `Double.decode` and the loops
// over arrays make one from a slot and ask it for `integer(_:)`, `double()` or `float()`.
//
//   text     [  -  6  5  .  6  1  3  e  -  2  ]          offset 1, bytes 9
//   offset   0  1  2  3  4  5  6  7  8  9  10 11         2 digits before the point, 3 after it
//                  firstDigit = 2     pointOffset = 4     digitsEnd = 8     end = 10
//
// The layout of `shape` is that of a number's slot in decant_index.h. Counts come from the index, so
// no digit is looked at twice: conversions go straight to runs of known length. Only counts of 255
// and more (DECANT_NUMBER_LONG) are unknown; such tokens go to the scanner in ScannedDecimal.swift.

public import CDecantIndex

/// A validated number token in a borrowed text.
///
/// SAFETY: trivially copyable and unchecked. The code that makes one guarantees that `text` is readable for `length` bytes
/// as long as the token is used, that a JSON number is at `offset`, and that `shape` describes it. Every method relies on
/// exactly that, and reads nothing outside `text[0 ..< length]`.
@frozen
@usableFromInline
@safe
package struct NumberToken: BitwiseCopyable {
  /// The whole text, not only the token: conversions load words that begin before it or end after
  /// it.
  @usableFromInline package let text: UnsafePointer<UInt8>
  @usableFromInline package let length: Int
  @usableFromInline package let offset: Int
  /// The tag of the number's slot.
  @usableFromInline package let shape: UInt32

  @_alwaysEmitIntoClient @inline(__always)
  @unsafe
  package init(
    unchecked text: UnsafePointer<UInt8>, length: Int, offset: Int, shape: UInt32
  ) {
    unsafe self.text = text
    self.length = length
    self.offset = offset
    self.shape = shape
  }
}

// MARK: - Shape

extension NumberToken {
  @_alwaysEmitIntoClient package var isReal: Bool { shape & UInt32(DECANT_NUMBER_REAL) != 0 }

  /// NaN, Infinity or -Infinity, which a relaxation allows.
  @_alwaysEmitIntoClient var isNonFinite: Bool { shape & UInt32(DECANT_NUMBER_NON_FINITE) != 0 }

  @_alwaysEmitIntoClient var isNegative: Bool { shape & UInt32(DECANT_NUMBER_MINUS) != 0 }

  @_alwaysEmitIntoClient var hasExponent: Bool { shape & UInt32(DECANT_NUMBER_EXPONENT) != 0 }

  /// 1 for a negative number, else 0.
  @_alwaysEmitIntoClient
  var minus: Int { Int(truncatingIfNeeded: shape / UInt32(DECANT_NUMBER_MINUS)) & 1 }

  /// Bytes in the token, or `longCount`.
  @_alwaysEmitIntoClient var byteCount: Int { Int(truncatingIfNeeded: shape & 0xFF) }

  /// Digits before the point, or `longCount`.
  @_alwaysEmitIntoClient var integerDigits: Int { Int(truncatingIfNeeded: shape &>> 8 & 0xFF) }

  /// Digits after the point, or `longCount`.
  @_alwaysEmitIntoClient var fractionDigits: Int { Int(truncatingIfNeeded: shape &>> 16 & 0xFF) }

  /// Stands for every count that does not fit in its byte.
  @_alwaysEmitIntoClient static var longCount: Int { Int(DECANT_NUMBER_LONG) }

  @_alwaysEmitIntoClient var firstDigit: Int { offset &+ minus }

  /// The offset just past the digits before the point; right only if `integerDigits` is a count.
  @_alwaysEmitIntoClient var pointOffset: Int { firstDigit &+ integerDigits }

  /// The offset just past the last digit before the exponent; right only if both counts are counts.
  @_alwaysEmitIntoClient var digitsEnd: Int {
    pointOffset &+ fractionDigits &+ (fractionDigits != 0 ? 1 : 0)
  }
}

// MARK: - Reading

extension NumberToken {
  /// Eight bytes of the text, the first in the lowest byte of the result.
  ///
  /// The caller proves `0 <= position && position + 8 <= length`.
  @_alwaysEmitIntoClient @inline(__always)
  func uncheckedWord(at position: Int) -> UInt64 {
    assert(position >= 0 && position + 8 <= length)
    // SAFETY: the eight bytes are inside the text, by the caller's proof.
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(text).loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The caller proves `0 <= position && position < length`.
  @_alwaysEmitIntoClient @inline(__always)
  func uncheckedByte(at position: Int) -> UInt8 {
    assert(position >= 0 && position < length)
    // SAFETY: the byte is inside the text, by the caller's proof.
    return unsafe text[position]
  }
}
