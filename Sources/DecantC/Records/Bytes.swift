// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Strings in place: keys and pointers of a table, strings and keys of a document.

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

  /// The text of a value: of a string, or, where the field takes them, of a number or a boolean.
  @inline(__always)
  func text(of field: FieldRef) -> Text? {
    text ?? (field.has(DECANT_AS_TEXT) ? scalarText : nil)
  }

  /// The text of a number or a boolean; nil for other kinds, and for numbers of other engines.
  @inline(never)
  private var scalarText: Text? {
    switch kind {
    case .bool: (Bytes(bool == true ? "true" : "false"), false)
    case .number: rawText.map { ($0, false) }
    default: nil
    }
  }

  /// The status of a value without a text.
  func lackOfText(for field: FieldRef) -> Status {
    field.has(DECANT_AS_TEXT) && kind == .number ? Status(DECANT_UNSUPPORTED) : typeMismatch
  }

  /// The bytes of a native value as they are in the document; nil for other engines.
  var rawText: Bytes? { isNative ? source[offset..<end] : nil }

  /// Whether the bytes of a native value are UTF-8: bytes in comments were not checked.
  var isRawText: Bool {
    // SAFETY: the document's context.
    let relaxations = unsafe context.pointee.rules.relaxations
    return Int(relaxations) & DECANT_ALLOW_COMMENTS == 0 || source[offset..<end].isText
  }

  /// Calls `body` with those bytes, or returns the reason why a program does not get them.
  @inline(__always)
  func withRawText(_ body: (Bytes) -> Status) -> Status {
    guard let text = rawText else { return Status(DECANT_UNSUPPORTED) }
    return isRawText ? body(text) : Status(DECANT_INVALID_UTF8)
  }
}

extension Bytes {
  /// Whether a NUL byte is among them.
  var hasNUL: Bool {
    guard let start = unsafe start else { return false }
    // SAFETY: `count` bytes are there.
    return unsafe Memory(reading: start).cString(within: count).count != count
  }
}

extension Memory {
  /// Copies a string without its escapes, with which it is never shorter; returns its length.
  @inline(__always)
  func copy(_ text: Text) -> Int {
    let count = text.bytes.count
    // SAFETY: there is memory for so many bytes.
    if text.isEscaped { return unsafe decant_unescape(text.bytes.start, count, bytePointer) }
    copy(text.bytes)
    return count
  }
}

/// Calls `body` with the unescaped bytes of the string here. Escaped strings are unescaped on the stack, or on
/// the heap if they are long.
func withBytes(of json: JSON, _ body: (Bytes) -> Status) -> Status {
  guard let text = json.text else { return typeMismatch }
  return withBytes(of: text, json.reference.allocator, body)
}

/// The same of what a field takes as text.
func withBytes(of json: JSON, _ field: FieldRef, _ body: (Bytes) -> Status) -> Status {
  guard let text = json.text(of: field) else { return json.lackOfText(for: field) }
  return withBytes(of: text, json.reference.allocator, body)
}

/// The same of a text.
func withBytes(of text: Text, _ allocator: decant_allocator, _ body: (Bytes) -> Status) -> Status {
  if !text.isEscaped { return body(text.bytes) }
  return withMemory(text.bytes.count, onStack: 1024, allocator) {
    body($0.bytes($0.copy(text)))
  }
}
