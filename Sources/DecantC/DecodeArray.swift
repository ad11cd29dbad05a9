// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Arrays of structs.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// An array is a struct with one field: the array at a pointer. Its elements are first, and their count behind the
/// pointer to them.
@c @implementation
package func decant_decode_array(
  _ record: UnsafePointer<decant_record>!, _ pointer: UnsafePointer<CChar>!,
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_array>!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (pointer, json, out, error) = unsafe (
    Bytes(cString: pointer) ?? Bytes(""), Bytes(json, length: length), Memory(out), ErrorOut(error)
  )
  // SAFETY: the caller's pointer and table, during the call.
  var field = decant_field()
  unsafe field.key = pointer.memory?.textPointer
  field.kind = UInt16(CDecant.DECANT_ARRAY)
  field.element = UInt16(DECANT_RECORD)
  field.flags = UInt32(DECANT_POINTER)
  field.length_offset = UInt32(pointerWidth)
  unsafe field.record = record
  return unsafe follow(options, error) { settings in
    if !isPointer(pointer) {
      return error.refuse(DECANT_INVALID_POINTER, "pointer is not a JSON Pointer (RFC 6901)")
    }
    return withTable(
      size: MemoryLayout<decant_array>.size, storage: pointerWidth + countWidth, field
    ) { decode($0, json, out, settings, error) }
  }
}

@c @implementation
package func decant_array_free(
  _ array: UnsafeMutablePointer<decant_array>!, _ options: UnsafePointer<decant_options>!
) {
  guard let array = unsafe Memory(array), let settings = try? unsafe Settings(options) else {
    return
  }
  Block.release(array.target(at: pointerWidth + countWidth), settings)
  array.clear(MemoryLayout<decant_array>.size)
}
