// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors that are not about a field: of the document, of the table, of the call.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension Report {
  /// What an engine refused a document for.
  // SAFETY: the context has its text, and offsets never exceed its length.
  mutating func add(reading context: UnsafePointer<decant_context>, _ code: Status) {
    let length = unsafe context.pointee.length
    let offset = unsafe context.pointee.error_offset
    let hasPlace =
      unsafe (context.pointee.engine == nil || offset < length)
      && code != Status(DECANT_OUT_OF_MEMORY) && code != Status(DECANT_TOO_LARGE)
    let found: UInt8? = unsafe hasPlace && offset < length ? context.pointee.text[offset] : nil
    var first: (line: Int, column: Int)?
    if code == Status(DECANT_DUPLICATE_KEY), hasPlace {
      first = unsafe place(of: context.pointee.error_other)
    }
    unsafe add(code, offset: hasPlace ? offset : nil, path: nil) { text in
      describe(code, found, first, to: &text)
    }
  }

  mutating func add(_ code: Status, _ message: StaticString) {
    unsafe add(code, offset: nil, path: nil) { $0.add(message) }
  }

  /// What is wrong with a table: `field 2 ("name"): its offset is outside the struct`.
  mutating func add(_ fault: RecordFault) {
    unsafe add(Status(DECANT_INVALID_RECORD), offset: nil, path: nil) { text in
      text.add("the record makes no sense: ")
      if let record = unsafe fault.record, fault.field >= 0 {
        text.add("field ")
        text.add(fault.field)
        let field = unsafe record.pointee.fields + fault.field
        if unsafe field.pointee.key != nil {
          text.add(" (")
          unsafe text.addQuoted(
            UnsafeBufferPointer(start: field.keyStart, count: field.keyLength), isEscaped: false)
          text.add(")")
        }
        text.add(": ")
      }
      text.add(fault.message)
    }
  }
}

/// The words for a document's error, as in Swift.
private func describe(
  _ code: Status, _ found: UInt8?, _ first: (line: Int, column: Int)?, to text: inout TextWriter
) {
  func quote(_ before: StaticString, _ after: StaticString, otherwise: StaticString) {
    guard let found else { return text.add(otherwise) }
    text.add(before)
    text.add(byte: found)
    text.add(after)
  }
  switch Int(code) {
  case DECANT_UNEXPECTED_BYTE: quote("unexpected ", "", otherwise: "the input is not JSON")
  case DECANT_UNEXPECTED_END: text.add("the input ends inside a value")
  case DECANT_INVALID_LITERAL:
    quote(
      "expected true, false or null, found ", "",
      otherwise: "expected true, false or null, found nothing")
  case DECANT_INVALID_NUMBER:
    quote("", " does not continue the number", otherwise: "nothing does not continue the number")
  case DECANT_CONTROL_CHARACTER:
    quote(
      "", " must be escaped in a string", otherwise: "nothing must be escaped in a string")
  case DECANT_INVALID_ESCAPE:
    quote(
      "", " does not continue the escape sequence",
      otherwise: "nothing does not continue the escape sequence")
  case DECANT_LONE_SURROGATE: text.add("half of a surrogate pair")
  case DECANT_INVALID_UTF8: quote("not UTF-8: ", "", otherwise: "the input is not UTF-8")
  case DECANT_TRAILING_BYTES:
    quote("expected the end of the input, found ", "", otherwise: "expected the end of the input")
  case DECANT_BYTE_ORDER_MARK: text.add("the input begins with a byte order mark")
  case DECANT_NUMBER_OVERFLOW: text.add("the number is too large for a double")
  case DECANT_DUPLICATE_KEY:
    text.add("the key stands twice in its object")
    if let first {
      text.add("; the first stands at ")
      text.add(first.line)
      text.add(":")
      text.add(first.column)
    }
  case DECANT_TOO_DEEP: text.add("nested too deeply")
  case DECANT_TOO_LARGE: text.add("the input is too large")
  case DECANT_EMPTY_INPUT: text.add("the input is empty")
  case DECANT_OUT_OF_MEMORY: text.add("out of memory")
  case DECANT_UNSUPPORTED: text.add("the engine does not support this")
  default:
    text.add("error ")
    text.add(Int(code))
  }
}
