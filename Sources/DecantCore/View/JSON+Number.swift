// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The text of a number, and the token of a value.

internal import CDecantIndex

extension JSON {
  /// The text of the number here: as the document spells it, if the engine keeps that, as the native one does; else its
  /// value, shortest. Empty for other kinds.
  @usableFromInline
  package var numberText: String {
    var count = 0
    if let start = unsafe spelling(&count) {
      return unsafe String(decoding: Bytes(start, count).buffer, as: UTF8.self)
    }
    guard kind == .number, let engine = unsafe foreign else { return "" }
    var integer: Int64 = 0
    if unsafe engine.pointee.integer(context, node, &integer) { return String(integer) }
    var real = 0.0
    _ = unsafe engine.pointee.real(context, node, &real)
    return real.description
  }

  /// The bytes of the number here, if its engine keeps them; nil for other kinds. They live as long as the document.
  func spelling(_ count: inout Int) -> UnsafePointer<UInt8>? {
    if isNativeNumber {
      let text = source[offset..<scalarEnd]
      count = text.count
      return unsafe text.start
    }
    // SAFETY: a node of the engine, whose numbers are valid UTF-8.
    return unsafe foreign?.pointee.number?(context, node, &count)
  }

  /// The offset after the last byte of the native scalar here.
  package var scalarEnd: Int {
    switch kind {
    case .string: return offset + 2 + (unsafe decant_string_length(context, node))
    case .bool: return offset + (isTrue ? 4 : 5)
    case .null: return offset + 4
    default:
      let count = Int(tag & 0xFF)
      if count != Int(DECANT_NUMBER_LONG) { return offset + count }
      if isNonFinite { return nonFiniteEnd }
      var end = offset
      let source = self.source
      while end < source.count, isNumberByte(source[end]) { end += 1 }
      return end
    }
  }

  /// The bytes of a scalar, or the bracket that begins a container.
  package var token: Range<Int> { offset..<(isContainer ? offset + 1 : scalarEnd) }

  /// NaN, Infinity or -Infinity, which a relaxation allows.
  package var isNonFinite: Bool { isNativeNumber && tag & DECANT_NUMBER_NON_FINITE != 0 }

  private var nonFiniteEnd: Int {
    if tag & DECANT_NUMBER_MINUS != 0 { return offset + 9 }
    return offset + (source[offset] == UInt8(ascii: "N") ? 3 : 8)
  }
}

/// Whether a byte can occur in a number (RFC 8259 §6).
func isNumberByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
    UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
    true
  default: false
  }
}
