// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings of 16 bytes and more, made in one step. The standard library keeps such a string in an object of its
// own, and its initialisers take about 110 instructions more than the allocation and the copy need: a tenth
// of a small model's decoding (benchmark: tiny, users). The layout, on 64-bit platforms without Objective-C (StringObject.swift
// and StringStorage.swift in the standard library):
//
//   String   count, highest byte 0xF0 (ASCII) or 0x30 | the object
//   object   class | references | capacity; highest bit: breadcrumbs | the String's first word
//            bytes … NUL … to the capacity's end | breadcrumbs: 8 bytes of zeros, in strings of 64 bytes and more
//
// The class is read from strings that the library made. PrivateLayout.swift has the rules for relying on this.

internal import CDecantIndex

extension String {
  /// A copy of bytes that are known to be valid UTF-8.
  // SAFETY: the caller vouches for `count` readable bytes of valid UTF-8, and for `isASCII` if true.
  @usableFromInline @inline(never)
  package init(validUTF8 start: UnsafePointer<UInt8>, count: Int, isASCII: Bool) {
    if count > 15, let type = unsafe LargeString.type {
      self = unsafe LargeString(count: count, isASCII: isASCII).make(type, start)
    } else {
      self = unsafe String(libraryCopy: start, count, isASCII)
    }
  }

  /// The same, made by the standard library.
  // SAFETY: as above.
  init(libraryCopy start: UnsafePointer<UInt8>, _ count: Int, _ isASCII: Bool) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      self = unsafe String(
        copying: UTF8Span(
          unchecked: Span(_unsafeStart: start, count: count), isKnownASCII: isASCII))
    } else {
      self = unsafe String(
        decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }
}

/// The contents of the object of a string of so many bytes.
struct LargeString {
  static let header = 32
  let count: Int
  let isASCII: Bool

  @inline(__always) private var breadcrumbs: Int { count >= 64 ? 8 : 0 }
  /// All the bytes.
  @inline(__always) var size: Int { (Self.header &+ count &+ 16 &+ breadcrumbs) & ~15 }
  @inline(__always) var room: UInt64 {
    UInt64(truncatingIfNeeded: size &- Self.header &- breadcrumbs)
      | (breadcrumbs != 0 ? 1 << 63 : 0)
  }
  @inline(__always) var word: UInt64 {
    UInt64(truncatingIfNeeded: count) | (isASCII ? 0xF0 : 0x30) << 56
  }

  // SAFETY: `type` is the class of such objects; `count` readable bytes of valid UTF-8 at `start`.
  @inline(__always)
  func make(_ type: UnsafeRawPointer, _ start: UnsafePointer<UInt8>) -> String {
    // SAFETY: everything up to `size` is the object's.
    let object = unsafe swift_allocObject(type, size, 7)!
    // The breadcrumbs, or bytes that the text is written over.
    unsafe object.storeBytes(of: 0, toByteOffset: size &- 8, as: UInt64.self)
    unsafe object.storeBytes(of: room, toByteOffset: 16, as: UInt64.self)
    unsafe object.storeBytes(of: word, toByteOffset: 24, as: UInt64.self)
    unsafe decant_copy_bytes(object + Self.header, start, count)
    unsafe object.storeBytes(of: 0, toByteOffset: Self.header &+ count, as: UInt8.self)
    var words = (word, UInt64(UInt(bitPattern: object)))
    return unsafe withUnsafeMutablePointer(to: &words) {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: String.self).move()
    }
  }

  /// The address of the class of a string's object, or nil if anything is not as it should be.
  func type(of string: String) -> UInt? {
    let (first, second) = unsafe unsafeBitCast(string, to: (UInt64, UInt64).self)
    // The highest bits of the object say what else it could be.
    guard first == word, second >> 56 == 0, second & 15 == 0,
      let object = unsafe UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: second))
    else { return nil }
    // SAFETY: the object of a string that owns its bytes.
    return withExtendedLifetime(string) {
      guard unsafe object.load(fromByteOffset: 16, as: UInt64.self) == room,
        unsafe object.load(fromByteOffset: 24, as: UInt64.self) == word,
        unsafe object.load(fromByteOffset: Self.header + count, as: UInt8.self) == 0,
        unsafe breadcrumbs == 0 || object.load(fromByteOffset: size - 8, as: UInt64.self) == 0
      else { return nil }
      return unsafe object.load(as: UInt.self)
    }
  }

  /// The class of the objects, if strings are kept as above.
  @inline(__always)
  static var type: UnsafeRawPointer? {
    // SAFETY: an address to compare; it is used as a class only if it is one.
    guard let found = unsafe decant_string_class() else { return unsafe findType() }
    return unsafe UInt(bitPattern: found) == UInt(DECANT_STRING_CLASS_NONE) ? nil : found
  }

  @inline(never)
  private static func findType() -> UnsafeRawPointer? {
    guard PrivateLayout.areAllowed,
      MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size
    else { return unsafe none() }
    // The least and the most of each size, with and without breadcrumbs. (Larger ones may have more capacity.)
    let types = [16, 31, 32, 63, 64, 71, 72, 86].map { count in
      let large = LargeString(count: count, isASCII: count & 1 == 0)
      return unsafe [UInt8](repeating: UInt8(ascii: "d"), count: count).withUnsafeBufferPointer {
        unsafe large.type(of: String(libraryCopy: $0.baseAddress!, count, large.isASCII))
      }
    }
    guard let type = types[0] else { return unsafe none() }
    for other in types where other != type { return unsafe none() }
    let pointer = unsafe UnsafeRawPointer(bitPattern: type)
    unsafe decant_string_class_set(pointer)
    return unsafe pointer
  }

  private static func none() -> UnsafeRawPointer? {
    unsafe decant_string_class_set(UnsafeRawPointer(bitPattern: UInt(DECANT_STRING_CLASS_NONE)))
    return nil
  }
}
