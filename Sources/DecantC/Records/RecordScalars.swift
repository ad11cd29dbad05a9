// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of a width that the table tells: numbers, booleans, fixed strings, enums. Each function writes on
// success only and answers with a status; what it is that was wrong is found out again by RecordDiagnosis,
// which asks the same functions.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A status without its type, in registers.
typealias Status = Int32

let ok = Status(DECANT_OK)
let typeMismatch = Status(DECANT_TYPE_MISMATCH)
let outOfRange = Status(DECANT_NUMBER_OUT_OF_RANGE)
let notAnInteger = Status(DECANT_NOT_AN_INTEGER)
let invalidValue = Status(DECANT_INVALID_VALUE)

/// Writes a value of one of the kinds that need no memory of their own.
// SAFETY: `place` has room for the kind's width, by the check of the table. Stores may be unaligned.
@inline(__always)
func store(_ json: JSON, _ kind: Int, _ field: Field, to place: UnsafeMutableRawPointer) -> Status {
  switch kind {
  case DECANT_INT64: unsafe storeInteger(json, field, to: place, as: Int64.self)
  case DECANT_BOOL: unsafe storeBool(json, to: place)
  case DECANT_DOUBLE: unsafe storeDouble(json, field, to: place)
  case DECANT_INT32: unsafe storeInteger(json, field, to: place, as: Int32.self)
  default: unsafe storeRare(json, kind, field, to: place)
  }
}

@inline(never)
private func storeRare(
  _ json: JSON, _ kind: Int, _ field: Field, to place: UnsafeMutableRawPointer
) -> Status {
  switch kind {
  case DECANT_INT8: unsafe storeInteger(json, field, to: place, as: Int8.self)
  case DECANT_INT16: unsafe storeInteger(json, field, to: place, as: Int16.self)
  case DECANT_UINT8: unsafe storeInteger(json, field, to: place, as: UInt8.self)
  case DECANT_UINT16: unsafe storeInteger(json, field, to: place, as: UInt16.self)
  case DECANT_UINT32: unsafe storeInteger(json, field, to: place, as: UInt32.self)
  case DECANT_UINT64: unsafe storeInteger(json, field, to: place, as: UInt64.self)
  case DECANT_FLOAT: unsafe storeFloat(json, field, to: place)
  case DECANT_CHARS: unsafe storeCharacters(json, field, to: place)
  case DECANT_ENUM: unsafe storeName(json, field, to: place)
  case DECANT_FLAGS: unsafe storeFlags(json, field, to: place)
  case DECANT_KIND: unsafe storeKind(json, to: place)
  default: Status(DECANT_INVALID_RECORD)
  }
}

// MARK: - Numbers

/// Writes a number.
@inline(never)
func storeNumber(
  _ token: NumberToken, _ kind: Int, _ field: Field, to place: UnsafeMutableRawPointer
) -> Status {
  switch kind {
  case DECANT_DOUBLE: unsafe storeDouble(token, field, to: place)
  case DECANT_FLOAT: unsafe storeFloat(token, field, to: place)
  case DECANT_INT8: unsafe storeInteger(token, field, to: place, as: Int8.self)
  case DECANT_INT16: unsafe storeInteger(token, field, to: place, as: Int16.self)
  case DECANT_INT32: unsafe storeInteger(token, field, to: place, as: Int32.self)
  case DECANT_INT64: unsafe storeInteger(token, field, to: place, as: Int64.self)
  case DECANT_UINT8: unsafe storeInteger(token, field, to: place, as: UInt8.self)
  case DECANT_UINT16: unsafe storeInteger(token, field, to: place, as: UInt16.self)
  case DECANT_UINT32: unsafe storeInteger(token, field, to: place, as: UInt32.self)
  case DECANT_UINT64: unsafe storeInteger(token, field, to: place, as: UInt64.self)
  default: typeMismatch
  }
}

@inline(__always)
private func storeInteger<Value: FixedWidthInteger & BitwiseCopyable>(
  _ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer, as type: Value.Type
) -> Status {
  guard json.isNativeNumber else {
    return unsafe storeOtherInteger(json, field, to: place, as: type)
  }
  return unsafe storeInteger(json.numberToken, field, to: place, as: type)
}

@inline(__always)
private func storeInteger<Value: FixedWidthInteger & BitwiseCopyable>(
  _ token: NumberToken, _ field: Field, to place: UnsafeMutableRawPointer, as type: Value.Type
) -> Status {
  let conversion: IntegerConversion<Value> = token.integer()
  switch conversion {
  case .value(let value):
    if unsafe field.pointee.bounds != nil, unsafe !isInBounds(value, field) { return invalidValue }
    unsafe place.storeBytes(of: value, as: Value.self)
    return ok
  case .outOfRange: return outOfRange
  case .notInteger: return notAnInteger
  }
}

@inline(never)
private func isInBounds<Value: FixedWidthInteger>(_ value: Value, _ field: Field) -> Bool {
  let bounds = unsafe field.pointee.bounds!.pointee
  if bounds.minimum == 0 && bounds.maximum == 0 { return true }
  return value >= bounds.minimum && value <= bounds.maximum
}

/// An integer of another engine, or in a string.
@inline(never)
private func storeOtherInteger<Value: FixedWidthInteger & BitwiseCopyable>(
  _ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer, as type: Value.Type
) -> Status {
  let kind = json.kind
  if kind == .string, unsafe field.pointee.has(DECANT_FROM_TEXT) {
    return withNumber(in: json) { token in
      unsafe storeInteger(token, field, to: place, as: type)
    }
  }
  guard kind == .number, let engine = unsafe json.foreign else { return typeMismatch }
  var integer: Int64 = 0
  guard unsafe engine.pointee.integer(json.context, json.node, &integer) else {
    return notAnInteger
  }
  guard let value = Value(exactly: integer) else { return outOfRange }
  if unsafe field.pointee.bounds != nil, unsafe !isInBounds(value, field) { return invalidValue }
  unsafe place.storeBytes(of: value, as: Value.self)
  return ok
}

@inline(__always)
private func storeDouble(_ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer) -> Status
{
  guard json.isNativeNumber else { return unsafe storeOtherReal(json, field, to: place) }
  return unsafe storeDouble(json.numberToken, field, to: place)
}

@inline(__always)
private func storeDouble(
  _ token: NumberToken, _ field: Field, to place: UnsafeMutableRawPointer
) -> Status {
  guard let value = token.double() else { return outOfRange }
  if unsafe field.pointee.bounds != nil, unsafe !isInBounds(value, field) { return invalidValue }
  unsafe place.storeBytes(of: value, as: Double.self)
  return ok
}

private func storeFloat(_ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer) -> Status {
  guard json.isNativeNumber else { return unsafe storeOtherReal(json, field, to: place) }
  return unsafe storeFloat(json.numberToken, field, to: place)
}

private func storeFloat(
  _ token: NumberToken, _ field: Field, to place: UnsafeMutableRawPointer
) -> Status {
  guard let value = token.float() else { return outOfRange }
  if unsafe !isInBounds(Double(value), field) { return invalidValue }
  unsafe place.storeBytes(of: value, as: Float.self)
  return ok
}

@inline(never)
private func isInBounds(_ value: Double, _ field: Field) -> Bool {
  guard let bounds = unsafe field.pointee.bounds?.pointee else { return true }
  if bounds.least == 0 && bounds.most == 0 { return true }
  return value >= bounds.least && value <= bounds.most
}

/// A real of another engine, or in a string.
@inline(never)
private func storeOtherReal(
  _ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer
) -> Status {
  let isFloat =
    Int(unsafe field.pointee.kind) == DECANT_FLOAT
    || Int(unsafe field.pointee.element) == DECANT_FLOAT
  let kind = json.kind
  if kind == .string, unsafe field.pointee.has(DECANT_FROM_TEXT) {
    return withNumber(in: json) { token in
      unsafe isFloat
        ? storeFloat(token, field, to: place) : storeDouble(token, field, to: place)
    }
  }
  guard kind == .number, let real = json.foreignReal else { return typeMismatch }
  if unsafe !isInBounds(real, field) { return invalidValue }
  guard isFloat else {
    unsafe place.storeBytes(of: real, as: Double.self)
    return ok
  }
  let value = Float(real)
  if !value.isFinite { return outOfRange }
  unsafe place.storeBytes(of: value, as: Float.self)
  return ok
}

/// Calls `body` with the number that a string is; a string that is none is an invalid value.
private func withNumber(in json: JSON, _ body: (NumberToken) -> Status) -> Status {
  unsafe withBytes(of: json) { bytes in
    guard let start = bytes.baseAddress,
      let shape = unsafe NumberToken.shape(of: Span(_unsafeElements: bytes))
    else { return invalidValue }
    // SAFETY: exactly one number, which is the whole text.
    return unsafe body(
      NumberToken(unchecked: start, length: bytes.count, offset: 0, high: shape))
  }
}

// MARK: - Booleans, kinds

@inline(__always)
private func storeBool(_ json: JSON, to place: UnsafeMutableRawPointer) -> Status {
  guard let value = json.bool else { return typeMismatch }
  unsafe place.storeBytes(of: value ? 1 : 0, as: UInt8.self)
  return ok
}

private func storeKind(_ json: JSON, to place: UnsafeMutableRawPointer) -> Status {
  unsafe place.storeBytes(of: json.kind.rawValue, as: Int32.self)
  return ok
}

// MARK: - Strings of fixed size, names

/// Calls `body` with the unescaped bytes of the string here; native strings with escapes are unescaped into
/// the stack, or the heap if they are long.
func withBytes(of json: JSON, _ body: (UnsafeBufferPointer<UInt8>) -> Status) -> Status {
  if json.isNative {
    if json.high >= UInt32(DECANT_STRING_LIMIT) { return typeMismatch }
    let start = unsafe json.context.pointee.text + (json.offset + 1)
    let count = unsafe decant_string_length(json.context, json.node)
    if json.high & UInt32(DECANT_STRING_ESCAPE) == 0 {
      return unsafe body(UnsafeBufferPointer(start: start, count: count))
    }
    if count <= 1024 {
      return unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { room in
        let out = unsafe room.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let written = unsafe decant_unescape(start, count, out)
        return unsafe body(UnsafeBufferPointer(start: out, count: written))
      }
    }
    let allocator = unsafe json.context.pointee.allocator
    guard let room = unsafe decant_block_allocate(allocator, count) else {
      return Status(DECANT_OUT_OF_MEMORY)
    }
    let out = unsafe room.assumingMemoryBound(to: UInt8.self)
    let written = unsafe decant_unescape(start, count, out)
    let status = unsafe body(UnsafeBufferPointer(start: out, count: written))
    unsafe decant_block_release(allocator, room, count)
    return status
  }
  var count = 0
  guard let engine = unsafe json.foreign,
    let start = unsafe engine.pointee.string(json.context, json.node, &count)
  else { return typeMismatch }
  return unsafe body(UnsafeBufferPointer(start: start, count: count))
}

/// Whether the length of a string or array is one that the field accepts.
func isInBounds(count: Int, _ field: Field) -> Bool {
  guard let bounds = unsafe field.pointee.bounds?.pointee else { return true }
  if bounds.shortest == 0 && bounds.longest == 0 { return true }
  return count >= bounds.shortest && count <= bounds.longest
}

private func storeCharacters(
  _ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer
) -> Status {
  let capacity = Int(unsafe field.pointee.capacity)
  return unsafe withBytes(of: json) { bytes in
    guard bytes.count < capacity, unsafe isInBounds(count: bytes.count, field) else {
      return invalidValue
    }
    if let start = bytes.baseAddress {
      unsafe place.copyMemory(from: start, byteCount: bytes.count)
    }
    unsafe place.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return ok
  }
}

/// The value of the name here.
private func value(
  of json: JSON, among names: UnsafePointer<decant_name>, _ value: inout Int64
) -> Status {
  var result: Int64 = 0
  let status = unsafe withBytes(of: json) { bytes in
    var entry = unsafe names
    while let name = unsafe entry.pointee.name {
      if unsafe decant_c_string_length(name) == bytes.count,
        unsafe bytes.count == 0 || decant_bytes_equal(name, bytes.baseAddress, bytes.count)
      {
        result = unsafe entry.pointee.value
        return ok
      }
      unsafe entry += 1
    }
    return invalidValue
  }
  value = result
  return status
}

private func storeName(_ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer) -> Status {
  var result: Int64 = 0
  let status = unsafe value(of: json, among: field.pointee.names, &result)
  if status == ok {
    unsafe place.storeBytes(of: Int32(truncatingIfNeeded: result), as: Int32.self)
  }
  return status
}

private func storeFlags(_ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer) -> Status {
  if json.kind != .array { return typeMismatch }
  var flags: UInt32 = 0
  var elements = json.elements
  while let element = elements.next() {
    let status = unsafe flag(element, field, &flags)
    if status != ok { return status }
  }
  unsafe place.storeBytes(of: flags, as: UInt32.self)
  return ok
}

/// One element of a set of flags.
func flag(_ json: JSON, _ field: Field, _ flags: inout UInt32) -> Status {
  var result: Int64 = 0
  let status = unsafe value(of: json, among: field.pointee.names, &result)
  if status == ok { flags |= UInt32(truncatingIfNeeded: result) }
  return status
}
