// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A Swift String from a string token. The index has validated its UTF-8 and its escapes and knows its
// length, so a string without escapes is one copy, and nothing is looked at twice.

public import CDecantIndex

extension JSON {
  /// The string or key at this native slot.
  // SAFETY: a string's slot: its bytes lie inside the text, are valid UTF-8, and their count is `high`.
  @inlinable @inline(__always)
  package var nativeString: String {
    let high = self.high
    let start = offset &+ 1
    // Small, without escapes, and with 16 bytes to load before the text ends.
    if high <= 15, unsafe start &+ 16 <= context.pointee.length {
      return unsafe String(validUTF8: context.pointee.text + start, smallCount: Int(high))
    }
    // One test for "no escape and not too long for the slot".
    if high < DECANT_STRING_LONG {
      return unsafe String(
        validUTF8: context.pointee.text + start, count: Int(high),
        isASCII: context.pointee.facts & UInt32(DECANT_FACT_NON_ASCII) == 0)
    }
    return nativeStringSlowly
  }

  @usableFromInline @inline(never)
  package var nativeStringSlowly: String {
    unsafe withNativeStringBytes {
      unsafe String(validUTF8: $0.baseAddress!, count: $0.count, isASCII: false)
    }
  }

  /// The bytes of the string at this native slot, escapes undone.
  package func withNativeStringBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    // SAFETY: as above; unescaping writes at most as many bytes as it reads.
    let start = unsafe context.pointee.text + (offset + 1)
    let count = unsafe decant_string_length(context, node)
    if high & DECANT_STRING_ESCAPE == 0 {
      return unsafe body(UnsafeBufferPointer(start: start, count: count))
    }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(count, 1)) { room in
      let written = unsafe decant_unescape(start, count, room.baseAddress!)
      return unsafe body(UnsafeBufferPointer(start: room.baseAddress!, count: written))
    }
  }

  /// The string at this foreign node, or nil if it is none.
  @usableFromInline @inline(never)
  package var foreignString: String? {
    var count = 0
    // SAFETY: the engine's strings are valid UTF-8 of that many bytes, as long as the document.
    guard let engine = unsafe foreign,
      let start = unsafe engine.pointee.string(context, node, &count)
    else { return nil }
    return unsafe String(validUTF8: start, count: count, isASCII: false)
  }

  /// The string here, or nil for other kinds: no number or boolean reads as a string.
  @inlinable @inline(__always)
  public var string: String? {
    if isNative { return high < DECANT_STRING_LIMIT ? nativeString : nil }
    return foreignString
  }
}
