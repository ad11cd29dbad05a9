// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a field takes up in its struct. Tables come from C: any number may stand anywhere, so every question
// has an answer for every number.

internal import CDecant

typealias Field = UnsafePointer<decant_field>
typealias Record = UnsafePointer<decant_record>

/// The widths of C here: what decant.h says of 32-bit platforms is what the compiler says.
let pointerWidth = unsafe MemoryLayout<UnsafeRawPointer>.size
let countWidth = MemoryLayout<Int>.size

/// Bytes of a scalar or string kind; nil for kinds that are none or whose width the field tells.
@inline(__always)
func width(ofKind kind: Int) -> Int? {
  switch kind {
  case DECANT_BOOL, DECANT_INT8, DECANT_UINT8: 1
  case DECANT_INT16, DECANT_UINT16: 2
  case DECANT_INT32, DECANT_UINT32, DECANT_FLOAT, DECANT_ENUM, DECANT_FLAGS, DECANT_KIND: 4
  case DECANT_INT64, DECANT_UINT64, DECANT_DOUBLE: 8
  case DECANT_STRING, DECANT_RAW, DECANT_KEY: pointerWidth
  case DECANT_TEXT: unsafe MemoryLayout<decant_text>.size
  default: nil
  }
}

/// Bytes of one element of an array's field; nil if it can have no such elements.
@inline(__always)
func elementWidth(of field: Field) -> Int? {
  // SAFETY: a field of the caller's table.
  let element = Int(unsafe field.pointee.element)
  if element == DECANT_RECORD { return unsafe field.pointee.record?.pointee.size }
  return element == DECANT_KEY ? nil : width(ofKind: element)
}

/// Bytes of a field in its struct; nil if the field makes no sense.
@inline(never)
func width(of field: Field) -> Int? {
  let kind = Int(unsafe field.pointee.kind)
  if let width = width(ofKind: kind) { return width }
  switch kind {
  case DECANT_CHARS: return Int(unsafe field.pointee.capacity)
  case DECANT_RECORD: return unsafe field.pointee.record?.pointee.size
  case DECANT_RECORD_POINTER, CDecant.DECANT_ARRAY, DECANT_MAP: return pointerWidth
  case DECANT_FIXED_ARRAY:
    guard let element = unsafe elementWidth(of: field) else { return nil }
    let (width, overflow) = element.multipliedReportingOverflow(
      by: Int(unsafe field.pointee.capacity))
    return overflow ? nil : width
  default: return nil
  }
}

/// Whether a field has a number somewhere: its offset, or 0 if that is meant.
extension decant_field {
  var lengthOffset: Int? {
    unsafe length_offset != 0 || flags & UInt32(DECANT_LENGTH_AT_ZERO) != 0
      ? Int(length_offset) : nil
  }

  var presenceOffset: Int? {
    unsafe presence_offset != 0 || flags & UInt32(DECANT_PRESENCE_AT_ZERO) != 0
      ? Int(presence_offset) : nil
  }

  func has(_ flag: Int) -> Bool { unsafe flags & UInt32(flag) != 0 }

  var mayBeAbsent: Bool { unsafe flags & UInt32(DECANT_OPTIONAL | DECANT_DEFAULT) != 0 }
}

/// The alignment of C structs of this size: no type is aligned to more than the largest power of two that
/// divides its size, nor to more than malloc promises.
@inline(__always)
func alignment(ofSize size: Int) -> Int { size == 0 ? 1 : min(size & -size, 16) }
