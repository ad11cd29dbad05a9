// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A Swift String from a string token. The index has validated its UTF-8 and its escapes and knows its
// length, so a string without escapes is one copy, and nothing is read twice.

public import CDecantIndex

extension JSON {
  /// The string or key at this native slot.
  // SAFETY: a string's slot: its bytes lie inside the text, are valid UTF-8, and their count is the tag.
  @_alwaysEmitIntoClient @inline(__always)
  package var nativeString: String {
    let tag = self.tag
    let start = offset &+ 1
    // Small, without escapes, and with 16 bytes to load before the text ends.
    if tag <= 15, unsafe start &+ 16 <= context.pointee.length {
      return unsafe String(validUTF8: context.pointee.text + start, smallCount: Int(tag))
    }
    // One test for "no escape and not too long for the slot".
    if tag < DECANT_STRING_LONG {
      return unsafe String(
        validUTF8: context.pointee.text + start, count: Int(tag),
        isASCII: context.pointee.facts & UInt32(DECANT_FACT_NON_ASCII) == 0)
    }
    return nativeLongString
  }

  @usableFromInline @inline(never)
  package var nativeLongString: String {
    withNativeStringBytes { bytes in
      guard let start = unsafe bytes.start else { return "" }
      return unsafe String(validUTF8: start, count: bytes.count, isASCII: false)
    }
  }

  /// The bytes of the string or key at this native slot, and whether they have escapes; nil for other kinds.
  // SAFETY: a string's slot: its bytes are inside the text, after the quote.
  @_alwaysEmitIntoClient @inline(__always)
  package var nativeText: (bytes: Bytes, isEscaped: Bool)? {
    let tag = self.tag
    if tag >= DECANT_STRING_LIMIT { return nil }
    return unsafe (
      Bytes(context.pointee.text + (offset &+ 1), decant_string_length(context, node)),
      tag & DECANT_STRING_ESCAPE != 0
    )
  }

  /// How many bytes the string or key at this native slot has, where the slot says so and there are no escapes; nil
  /// for others, and for other kinds.
  @_alwaysEmitIntoClient @inline(__always)
  package var plainLength: Int? {
    let tag = self.tag
    return tag < DECANT_STRING_LONG ? Int(tag) : nil
  }

  /// The bytes of the string at this native slot, escapes undone.
  func withNativeStringBytes<R>(_ body: (Bytes) -> R) -> R {
    guard let text = nativeText else { return body(Bytes()) }
    if !text.isEscaped { return body(text.bytes) }
    let count = text.bytes.count
    // SAFETY: unescaping writes at most as many bytes as it reads.
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(count, 1)) { memory in
      let written = unsafe decant_unescape(text.bytes.start, count, memory.baseAddress!)
      return unsafe body(Bytes(memory.baseAddress, written))
    }
  }

  /// The characters of the string or key here; none for other kinds.
  @usableFromInline @inline(never)
  package var scalars: ScalarReader {
    if isNative {
      return nativeText.map { $0.bytes.scalars(isEscaped: $0.isEscaped) } ?? Bytes().scalars()
    }
    return (foreignBytes ?? Bytes()).scalars()
  }

  /// The bytes of the string at a node of another engine; nil for other kinds.
  package var foreignBytes: Bytes? {
    var count = 0
    // SAFETY: the engine's strings are valid UTF-8 of that many bytes, as long as the document.
    guard let engine = unsafe foreign,
      let start = unsafe engine.pointee.string(context, node, &count)
    else { return nil }
    return unsafe Bytes(start, count)
  }

  /// The string at a node of another engine; nil for other kinds.
  @usableFromInline @inline(never)
  package var foreignString: String? {
    guard let bytes = foreignBytes, let start = unsafe bytes.start else { return nil }
    return unsafe String(validUTF8: start, count: bytes.count, isASCII: false)
  }

  /// The string here, or nil for other kinds: no number or boolean reads as a string.
  @_alwaysEmitIntoClient @inline(__always)
  public var string: String? {
    if isNative { return tag < DECANT_STRING_LIMIT ? nativeString : nil }
    return foreignString
  }

  /// `string` out of line, where it need not be fast.
  package var seldomString: String? { @inline(never) get { string } }
}
