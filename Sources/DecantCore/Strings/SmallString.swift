// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings of up to 15 bytes, made and read in registers. The standard library keeps such strings in the String
// itself; making one through its public initialisers takes about a hundred instructions, which is a
// quarter of a small model's decoding (benchmark: tiny, users). The layout, on 64-bit little-endian
// platforms (StringObject.swift and SmallString.swift in the standard library):
//
//   "Cool User"   43 6f 6f 6c 20 55 73 65 | 72 00 00 00 00 00 00 e9
//                 bytes 0 to 7              bytes 8 to 14         and 0xE0 + count; 0xA0 if not ASCII
//
// It is not promised to us. So it is used with the compilers it was checked with only, whose library it
// is; any other takes the public initialiser. A test compares every length with the library's own.

public import CDecantIndex

#if compiler(>=6.3) && compiler(<6.4) && _pointerBitWidth(_64) && _endian(little)

  extension String {
    /// A copy of at most 15 bytes that are known to be valid UTF-8.
    // SAFETY: the caller vouches for `start`: 16 readable bytes, of which `count` are the string.
    @inlinable @inline(__always)
    package init(validUTF8 start: UnsafePointer<UInt8>, smallCount count: Int) {
      let bytes = unsafe decant_load_prefix(start, count)
      let isASCII = (bytes.low | bytes.high) & 0x8080_8080_8080_8080 == 0
      let discriminator = (isASCII ? 0xE0 : 0xA0) | UInt64(truncatingIfNeeded: count)
      var words = (bytes.low, bytes.high | discriminator << 56)
      // SAFETY: the layout above. Moved, because a copy would be retained.
      self = unsafe withUnsafeMutablePointer(to: &words) {
        unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: String.self).move()
      }
    }

    /// The bytes of a string that is kept like this, the first one lowest, with zeros behind the last.
    @inlinable @inline(__always)
    package var smallBytes: (low: UInt64, high: UInt64, count: Int)? {
      // SAFETY: the layout above; 0x20 is set in the last byte of these strings only.
      let (low, high) = unsafe unsafeBitCast(self, to: (UInt64, UInt64).self)
      if high & 0x20 << 56 == 0 { return nil }
      return (low, high & 0x00FF_FFFF_FFFF_FFFF, Int(high >> 56 & 0xF))
    }
  }

#else

  extension String {
    /// A copy of at most 15 bytes that are known to be valid UTF-8.
    // SAFETY: the caller vouches for `count` readable bytes of valid UTF-8.
    @inlinable @inline(__always)
    package init(validUTF8 start: UnsafePointer<UInt8>, smallCount count: Int) {
      unsafe self.init(validUTF8: start, count: count, isASCII: false)
    }

    /// Nil, because it is not known how the string is kept.
    @inlinable @inline(__always)
    package var smallBytes: (low: UInt64, high: UInt64, count: Int)? { nil }
  }

#endif
