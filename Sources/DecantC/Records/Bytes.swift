// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings where they are: keys and pointers of a table, strings and keys of a document.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A string of the document, as it is written there or as an engine has it.
typealias Text = (bytes: Bytes, isEscaped: Bool)

extension JSON {
  /// The string or key here; nil for other kinds.
  @inline(__always)
  var text: Text? { isNative ? nativeText : foreignText }

  @inline(never)
  private var foreignText: Text? { foreignBytes.map { ($0, false) } }

  /// The bytes of a native value as they are in the document; nil for other engines.
  var rawText: Bytes? { isNative ? source[offset..<end] : nil }
}

/// Calls `body` with the unescaped bytes of the string here. Escaped strings are unescaped on the stack, or on
/// the heap if they are long.
func withBytes(of json: JSON, _ body: (Bytes) -> Status) -> Status {
  guard let text = json.text else { return typeMismatch }
  if !text.isEscaped { return body(text.bytes) }
  let count = text.bytes.count
  return withMemory(count, onStack: 1024, json.reference.allocator) { room in
    // SAFETY: an unescaped string is never longer.
    let written = unsafe decant_unescape(text.bytes.start, count, room.bytePointer)
    return body(room.bytes(written))
  }
}
