// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Arrays of structs and streams of documents.

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

@c @implementation
public func decant_decode_lines(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ function: decant_line_function!, _ context: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  var settings = Settings()
  if let refusal = unsafe settings.take(options) {
    return unsafe refuse(refusal.code, refusal.message, error)
  }
  guard let function = unsafe function, unsafe json != nil || length == 0, length >= 0 else {
    return unsafe refuse(
      Status(DECANT_INVALID_ARGUMENT), "json or function is NULL, or length is too large", error)
  }
  let status = unsafe check(record, needsStorage: settings.needsStorage, error)
  if status != ok { return status }
  let size = unsafe record.pointee.size
  var allocator = unsafe settings.allocator
  guard let value = unsafe decant_block_allocate(&allocator, size) else {
    return unsafe refuse(Status(DECANT_OUT_OF_MEMORY), "out of memory", error)
  }
  unsafe forEachLine(json, length) { line, count, place in
    var problem = decant_error()
    problem.size = MemoryLayout<decant_error>.size
    let number = Int64(place.line)
    if unsafe decode(record, line, count, value, settings, &problem, base: place) != ok {
      return unsafe function(context, number, nil, &problem) == 0
    }
    let goesOn = unsafe function(context, number, value, nil) == 0
    if unsafe settings.buffer == nil {
      unsafe settings.memory == nil
        ? decant_free(record, value) : decant_free_with(record, value, options)
    }
    return goesOn
  }
  unsafe decant_block_release(&allocator, value, size)
  return ok
}

/// Hands out the lines that are not blank, until the answer is false.
func forEachLine(
  _ json: UnsafePointer<CChar>?, _ length: Int,
  _ body: (UnsafePointer<CChar>, Int, Report.Place) -> Bool
) {
  guard let json = unsafe json else { return }
  var place = Report.Place()
  while place.offset < length {
    let line = unsafe json + place.offset
    var count = 0
    var isBlank = true
    while place.offset + count < length, unsafe line[count] != CChar(bitPattern: 0x0A) {
      let byte = unsafe UInt8(bitPattern: line[count])
      if byte != 0x20 && byte != 0x09 && byte != 0x0D { isBlank = false }
      count += 1
    }
    if !isBlank, unsafe !body(line, count, place) { return }
    place.offset += count + 1
    place.line += 1
  }
}
