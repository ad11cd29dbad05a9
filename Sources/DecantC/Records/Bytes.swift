// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings where they are: keys and pointers of a table, strings and keys of a document.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

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
  var text: Text? {
    if isNative { return nativeText.map { Text(bytes: $0.bytes, isEscaped: $0.isEscaped) } }
    return foreignText
  }

  @inline(never)
  private var foreignText: Text? { foreignBytes.map { Text(bytes: $0, isEscaped: false) } }

  /// The bytes of a native value as they are in the document; nil for other engines.
  var rawText: Bytes? {
    if !isNative { return nil }
    return source[offset..<end]
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
