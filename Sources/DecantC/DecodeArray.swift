// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Arrays of structs.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// An array is a struct with one field: the array at a pointer.
@c @implementation
package func decant_decode_array(
  _ record: UnsafePointer<decant_record>!, _ pointer: UnsafePointer<CChar>!,
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_array>!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  do throws(Settings.Refusal) {
    let settings = try unsafe Settings(options)
    var root: CChar = 0
    return unsafe withUnsafePointer(to: &root) { root in
      let field = unsafe arrayField(at: pointer ?? root, of: record)
      return unsafe withUnsafePointer(to: field) { field in
        let list = unsafe decant_record(
          size: MemoryLayout<decant_array>.size, fields: field, field_count: 1,
          storage_offset: pointerWidth + countWidth)
        return unsafe withUnsafePointer(to: list) { list in
          unsafe decode(
            RecordRef(list), Bytes(json, length: length), Memory(out), settings, error)
        }
      }
    }
  } catch let refusal { return refusal.report(to: error) }
}

/// The field of a `decant_array`: its elements, and their count after the pointer to them.
@unsafe
private func arrayField(
  at pointer: UnsafePointer<CChar>, of record: UnsafePointer<decant_record>?
) -> decant_field {
  var field = decant_field()
  unsafe field.key = pointer
  field.kind = UInt16(CDecant.DECANT_ARRAY)
  field.element = UInt16(DECANT_RECORD)
  field.flags = UInt32(DECANT_POINTER)
  field.length_offset = UInt32(pointerWidth)
  unsafe field.record = record
  return field
}

@c @implementation
package func decant_array_free(
  _ array: UnsafeMutablePointer<decant_array>!, _ options: UnsafePointer<decant_options>!
) {
  guard let array = unsafe array, let settings = try? unsafe Settings(options) else { return }
  unsafe Block.release(array.pointee.storage, settings)
  unsafe array.pointee = decant_array()
}
