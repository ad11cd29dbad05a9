// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings where they are: keys and pointers of a table, strings and keys of a document.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Bytes that outlive the call.
@safe
struct Bytes {
  // SAFETY: `count` bytes of the table, of the document, or of the frame that hands them on.
  let start: UnsafePointer<UInt8>?
  let count: Int

  @unsafe
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  subscript(place: Int) -> UInt8 {
    precondition(place >= 0 && place < count)
    return unsafe start![place]
  }

  subscript(range: Range<Int>) -> Bytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Bytes(start.map { unsafe $0 + range.lowerBound }, range.count)
  }

  /// The characters; of an escaped string, as they are spelled out.
  func scalars(isEscaped: Bool = false) -> ScalarReader {
    unsafe ScalarReader(UnsafeBufferPointer(start: start, count: count), isEscaped: isEscaped)
  }

  /// Whether the bytes are UTF-8.
  var isText: Bool { unsafe start.map { unsafe decant_is_utf8($0, count) } ?? true }

  static func == (a: Bytes, b: Bytes) -> Bool {
    unsafe a.count == b.count && (a.count == 0 || decant_bytes_equal(a.start, b.start, a.count))
  }
}

/// A string of the document, as it is written there or as an engine has it.
struct Text {
  let bytes: Bytes
  let isEscaped: Bool

  /// The characters that the string spells.
  var scalars: ScalarReader { bytes.scalars(isEscaped: isEscaped) }
}

extension JSON {
  /// The string or key here; nil for other kinds.
  @inline(__always)
  var text: Text? { isNative ? nativeText : foreignText }

  @inline(__always)
  private var nativeText: Text? {
    let high = self.high
    if high >= UInt32(DECANT_STRING_LIMIT) { return nil }
    // SAFETY: a string's slot: the bytes are inside the text, after the quote.
    return unsafe Text(
      bytes: Bytes(
        context.pointee.text + (offset &+ 1), decant_string_length(context, node)),
      isEscaped: high & UInt32(DECANT_STRING_ESCAPE) != 0)
  }

  @inline(never)
  private var foreignText: Text? {
    var count = 0
    // SAFETY: the engine keeps the bytes as long as the document.
    guard let engine = unsafe foreign,
      let start = unsafe engine.pointee.string(context, node, &count)
    else { return nil }
    return unsafe Text(bytes: Bytes(start, count), isEscaped: false)
  }

  /// The bytes of a native value as they are in the document; nil for other engines.
  var rawText: Bytes? {
    if !isNative { return nil }
    // SAFETY: a value's bytes are inside the text.
    return unsafe Bytes(context.pointee.text + offset, end - offset)
  }
}

/// Calls `body` with the unescaped bytes of the string here. Escaped strings are unescaped on the stack, or on
/// the heap if they are long.
func withBytes(of json: JSON, _ body: (Bytes) -> Status) -> Status {
  guard let text = json.text else { return typeMismatch }
  if !text.isEscaped { return body(text.bytes) }
  let count = text.bytes.count
  // SAFETY: an unescaped string is never longer.
  return unsafe withScratch(count, of: json) { room in
    let written = unsafe decant_unescape(text.bytes.start, count, room)
    return unsafe body(Bytes(room, written))
  }
}

/// Calls `body` with memory for so many bytes.
@unsafe
private func withScratch(
  _ count: Int, of json: JSON, _ body: (UnsafeMutablePointer<UInt8>) -> Status
) -> Status {
  if count <= 1024 {
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { room in
      unsafe body(room.baseAddress!)
    }
  }
  let allocator = unsafe json.context.pointee.allocator
  guard let room = unsafe decant_block_allocate(allocator, count) else {
    return Status(DECANT_OUT_OF_MEMORY)
  }
  defer { unsafe decant_block_release(allocator, room, count) }
  return unsafe body(room.assumingMemoryBound(to: UInt8.self))
}
