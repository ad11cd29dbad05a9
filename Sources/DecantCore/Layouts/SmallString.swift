// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings of up to 15 bytes, made and read in registers. The standard library keeps such strings in the String
// itself; making one through its public initialisers takes about a hundred instructions, which is a
// quarter of a small model's decoding (benchmark: tiny, users). The layout, on most 64-bit platforms
// (StringObject.swift and SmallString.swift in the standard library):
//
//   "Cool User"   43 6f 6f 6c 20 55 73 65 | 72 00 00 00 00 00 00 e9
//                 bytes 0 to 7              bytes 8 to 14         and 0xE0 + count; 0xA0 if not ASCII
//
// 0x20 in the last byte is set in no other string. PrivateLayout.swift has the rules for relying on this.

public import CDecantIndex

extension String {
  /// A copy of at most 15 bytes that are known to be valid UTF-8.
  // SAFETY: the caller vouches for `start`: 16 readable bytes, of which `count` are the string.
  @_alwaysEmitIntoClient @inline(__always)
  package init(validUTF8 start: UnsafePointer<UInt8>, smallCount count: Int) {
    if SmallString.isReady {
      self = unsafe SmallString.make(start, count)
    } else {
      self = unsafe SmallString.copy(start, count)
    }
  }

  /// The bytes of a string with this layout, the first one lowest, with zeros after the last. Nil for other strings, and if
  /// the layout differs.
  @_alwaysEmitIntoClient @inline(__always)
  package var smallBytes: (low: UInt64, high: UInt64, count: Int)? {
    SmallString.isReady || SmallString.isKnown ? SmallString.bytes(of: self) : nil
  }
}

/// The layout and its probe.
@usableFromInline
enum SmallString {
  /// Whether a probe has found the layout: one load and one comparison.
  @_alwaysEmitIntoClient @inline(__always)
  static var isReady: Bool { decant_small_strings_state() == UInt32(DECANT_LAYOUT_KNOWN) }

  /// Whether the layout is as drawn. The first call probes.
  @usableFromInline
  static var isKnown: Bool {
    if decant_small_strings_state() == UInt32(DECANT_LAYOUT_UNKNOWN) {
      let state = isAsDrawn ? DECANT_LAYOUT_KNOWN : DECANT_LAYOUT_OTHER
      decant_small_strings_set(UInt32(state))
    }
    return isReady
  }

  /// The string in the drawing's two words.
  // SAFETY: 16 readable bytes at `start`, of which the first `count`, at most 15, are valid UTF-8; and the layout is
  // as drawn.
  @_alwaysEmitIntoClient @inline(__always)
  static func make(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
    var words = unsafe words(start, count)
    // SAFETY: the layout. Moved, because a copy would be retained.
    return unsafe withUnsafeMutablePointer(to: &words) {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: String.self).move()
    }
  }

  // SAFETY: as above; the layout need not be as drawn.
  @_alwaysEmitIntoClient @inline(__always)
  static func words(_ start: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
    let bytes = unsafe decant_load_prefix(start, count)
    let isASCII = (bytes.low | bytes.high) & 0x8080_8080_8080_8080 == 0
    let discriminator = (isASCII ? 0xE0 : 0xA0) | UInt64(truncatingIfNeeded: count)
    return (bytes.low, bytes.high | discriminator << 56)
  }

  // SAFETY: the layout is as drawn.
  @_alwaysEmitIntoClient @inline(__always)
  static func bytes(of string: String) -> (low: UInt64, high: UInt64, count: Int)? {
    let (low, high) = unsafe unsafeBitCast(string, to: (UInt64, UInt64).self)
    if high & 0x20 << 56 == 0 { return nil }
    return (low, high & 0x00FF_FFFF_FFFF_FFFF, Int(high >> 56 & 0xF))
  }

  /// The string before the first probe, and where the layout is another.
  // SAFETY: `count` readable bytes of valid UTF-8 at `start`.
  @usableFromInline @inline(never)
  static func copy(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
    _ = isKnown
    return unsafe String(libraryCopy: start, count, false)
  }

  /// The probe: every length, ASCII and not, has the drawing's words, and longer strings lack their mark.
  private static var isAsDrawn: Bool {
    guard PrivateLayout.areAllowed,
      MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size
    else { return false }
    let ascii = Array("0123456789abcdef".utf8)
    let accented = Array("ééééééé!\0".utf8)
    for count in 0...15 where !has(ascii, count) { return false }
    for count in stride(from: 2, through: 14, by: 2) where !has(accented, count) {
      return false
    }
    return !isMarked(ascii + ascii) && !isMarked(accented + accented)
  }

  // SAFETY: 16 bytes, valid UTF-8 up to `count`.
  private static func has(_ text: [UInt8], _ count: Int) -> Bool {
    unsafe text.withUnsafeBufferPointer {
      let start = $0.baseAddress!
      let made = unsafe String(libraryCopy: start, count, false)
      return unsafe unsafeBitCast(made, to: (UInt64, UInt64).self) == words(start, count)
    }
  }

  // SAFETY: 32 bytes of valid UTF-8.
  private static func isMarked(_ text: [UInt8]) -> Bool {
    unsafe text.withUnsafeBufferPointer {
      unsafe bytes(of: String(libraryCopy: $0.baseAddress!, 30, false)) != nil
    }
  }
}
