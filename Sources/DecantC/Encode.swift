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
  return unsafe encode(record, buffer, capacity, length, error) { writer, table, path in
    unsafe writer.write(table, Memory(UnsafeMutableRawPointer(mutating: value)), at: path)
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
  return unsafe encode(record, buffer, capacity, length, error) { writer, table, path in
    guard let items = unsafe items, count > 0 else {
      writer.text.add("[]")
      return ok
    }
    let first = unsafe Memory(UnsafeMutableRawPointer(mutating: items))
    return unsafe writer.writeRecords(table, from: first, count, at: path)
  }
}

/// Writes a text by a table, and says how long it is.
// SAFETY: the caller's promises: `capacity` bytes from `buffer`, and a struct as the table says. Nothing writes to it.
@inline(__always)
private func encode(
  _ record: UnsafePointer<decant_record>?, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int, _ length: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<decant_error>?,
  _ write: (inout RecordWrite, RecordRef, UnsafePointer<StructPath>) -> Status
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
  let bytes = unsafe UnsafeMutableRawPointer(buffer)?.assumingMemoryBound(to: UInt8.self)
  var writer = unsafe RecordWrite(BoundedText(bytes, capacity: capacity), error)
  let root = unsafe StructPath(nil, .root)
  return unsafe withUnsafePointer(to: root) { path in
    let status = unsafe write(&writer, table, path)
    if status != ok { return status }
    if writer.isTooLarge { return unsafe writer.fail(.tooLarge, .record, nil, at: path) }
    unsafe length?.pointee = writer.text.count
    writer.text.terminate()
    if unsafe writer.text.fits || buffer == nil { return ok }
    return unsafe writer.fail(.tooSmall(writer.text.count), .record, nil, at: path)
  }
}
