// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Arrays of structs.

public import CDecant
internal import CDecantIndex

/// An array is a struct with one field: the array at a pointer.
@c @implementation
public func decant_decode_array(
  _ record: UnsafePointer<decant_record>!, _ pointer: UnsafePointer<CChar>!,
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_array>!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  var settings = Settings()
  if let refusal = unsafe settings.take(options) {
    return unsafe refuse(refusal.code, refusal.message, error)
  }
  var root: CChar = 0
  return unsafe withUnsafePointer(to: &root) { root in
    var field = unsafe decant_field()
    unsafe field.key = unsafe pointer ?? root
    unsafe field.kind = UInt16(CDecant.DECANT_ARRAY)
    unsafe field.element = UInt16(DECANT_RECORD)
    unsafe field.flags = UInt32(DECANT_POINTER)
    unsafe field.length_offset = UInt32(pointerWidth)
    unsafe field.record = unsafe record
    return unsafe withUnsafePointer(to: &field) { field in
      var list = unsafe decant_record(
        size: MemoryLayout<decant_array>.size, fields: field, field_count: 1,
        storage_offset: pointerWidth + countWidth)
      return unsafe decode(&list, json, length, out, settings, error)
    }
  }
}

@c @implementation
public func decant_array_free(
  _ array: UnsafeMutablePointer<decant_array>!, _ options: UnsafePointer<decant_options>!
) {
  var settings = Settings()
  guard let array = unsafe array, unsafe settings.take(options) == nil else { return }
  unsafe Block.release(array.pointee.storage, settings)
  unsafe array.pointee = unsafe decant_array()
}
