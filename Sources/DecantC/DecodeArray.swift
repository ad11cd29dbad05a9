// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Arrays of structs.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_decode_array(
  _ record: UnsafePointer<decant_record>!, _ pointer: UnsafePointer<CChar>!,
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_array>!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  unsafe decodeArray(
    RecordRef(record), CText(pointer), Bytes(json, length: length), Memory(out), Options(options),
    ErrorOut(error))
}

/// An array is a struct with one field: the array at a pointer. Its elements are first, and their count behind the
/// pointer to them.
private func decodeArray(
  _ record: RecordRef?, _ pointer: CText?, _ json: Bytes?, _ out: Memory?, _ options: Options,
  _ error: ErrorOut
) -> Status {
  options.follow(error) { settings in
    if let pointer, !isPointer(pointer.bytes) {
      return error.refuse(DECANT_INVALID_POINTER, "pointer is not a JSON Pointer (RFC 6901)")
    }
    // SAFETY: the caller's pointer and table, during the call.
    var field = decant_field()
    unsafe field.key = (pointer?.bytes ?? Bytes("")).memory?.textPointer
    field.kind = UInt16(CDecant.DECANT_ARRAY)
    field.element = UInt16(DECANT_RECORD)
    field.flags = UInt32(DECANT_POINTER)
    field.length_offset = UInt32(pointerWidth)
    unsafe field.record = record?.pointer
    return withTable(
      size: MemoryLayout<decant_array>.size, storage: pointerWidth + countWidth, field
    ) { decode($0, json, out, settings, error) }
  }
}

@c @implementation
package func decant_array_free(
  _ array: UnsafeMutablePointer<decant_array>!, _ options: UnsafePointer<decant_options>!
) {
  unsafe freeArray(Memory(array), try? Options(options).settings())
}

private func freeArray(_ array: Memory?, _ settings: Settings?) {
  guard let array, let settings else { return }
  Block.release(array.target(at: pointerWidth + countWidth), settings)
  array.clear(MemoryLayout<decant_array>.size)
}
