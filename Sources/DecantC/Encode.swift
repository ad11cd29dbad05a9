// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The encoding functions of decant.h: check the table, write the text, say how long it is.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_encode(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeRawPointer!,
  _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int, _ length: UnsafeMutablePointer<Int>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  guard let value = unsafe value else {
    unsafe length?.pointee = 0
    return unsafe ErrorOut(error).refuse(DECANT_INVALID_ARGUMENT, "value is NULL")
  }
  let memory = unsafe Memory(reading: value)
  return unsafe encode(record, buffer, capacity, length, error) { writer, table in
    writer.write(table, memory, at: StructPath())
  }
}

@c @implementation
package func decant_encode_array(
  _ record: UnsafePointer<decant_record>!, _ items: UnsafeRawPointer!, _ count: Int,
  _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int, _ length: UnsafeMutablePointer<Int>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  guard unsafe items != nil || count == 0, count >= 0 else {
    unsafe length?.pointee = 0
    return unsafe ErrorOut(error).refuse(
      DECANT_INVALID_ARGUMENT, "items is NULL, or count is too large")
  }
  let first = unsafe items.map { unsafe Memory(reading: $0) }
  return unsafe encode(record, buffer, capacity, length, error) { writer, table in
    guard let first, count > 0 else {
      writer.text.add("[]")
      return ok
    }
    return writer.writeRecords(table, from: first, count, at: StructPath())
  }
}

/// Writes a text by a table, and says how long it is.
// SAFETY: the caller's promises: `capacity` bytes from `buffer`, and a struct as the table says. Nothing writes to it.
@inline(__always)
private func encode(
  _ record: UnsafePointer<decant_record>?, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int, _ length: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<decant_error>?,
  _ write: (inout RecordWrite, RecordRef) -> Status
) -> Status {
  unsafe length?.pointee = 0
  let error = unsafe ErrorOut(error)
  guard unsafe buffer != nil || capacity == 0, capacity >= 0 else {
    return error.refuse(DECANT_INVALID_ARGUMENT, "buffer is NULL, or capacity is too large")
  }
  var check = RecordCheck()
  let table = unsafe RecordRef(record)
  guard check.accepts(table, needsStorage: false), let table else {
    return error.refuse(check.fault)
  }
  var writer = unsafe RecordWrite(BoundedText(buffer, capacity: capacity), error)
  let status = write(&writer, table)
  if status != ok { return status }
  if writer.isTooLarge { return writer.fail(.tooLarge, .record, nil, at: StructPath()) }
  let count = writer.text.count
  unsafe length?.pointee = count
  writer.text.terminate()
  if unsafe writer.text.fits || buffer == nil { return ok }
  return writer.fail(.tooSmall(count), .record, nil, at: StructPath())
}
