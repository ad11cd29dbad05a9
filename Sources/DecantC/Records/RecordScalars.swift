// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of the kinds that need no block: numbers, booleans, characters, names, flags. Each function stores on
// success only, and returns a status.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Stores a value of one of the kinds that need no block.
@inline(__always)
func store(_ json: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory) -> Status {
  switch kind {
  case .int64: storeInteger(json, field, to: place, as: Int64.self)
  case .bool: storeBool(json, to: place)
  case .double: storeReal(json, field, to: place, as: Double.self)
  case .int32: storeInteger(json, field, to: place, as: Int32.self)
  default: storeRare(json, kind, field, to: place)
  }
}

@inline(never)
private func storeRare(
  _ json: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  switch kind {
  case .int8: storeInteger(json, field, to: place, as: Int8.self)
  case .int16: storeInteger(json, field, to: place, as: Int16.self)
  case .uint8: storeInteger(json, field, to: place, as: UInt8.self)
  case .uint16: storeInteger(json, field, to: place, as: UInt16.self)
  case .uint32: storeInteger(json, field, to: place, as: UInt32.self)
  case .uint64: storeInteger(json, field, to: place, as: UInt64.self)
  case .float: storeReal(json, field, to: place, as: Float.self)
  case .characters: storeCharacters(json, field, to: place)
  case .name: storeName(json, field, to: place)
  case .flags: storeFlags(json, field, to: place)
  case .kind: storeKind(json, to: place)
  default: Status(DECANT_INVALID_RECORD)
  }
}

// MARK: - Numbers

/// Stores a number.
func storeNumber(
  _ token: NumberToken, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  switch kind {
  case .double: storeReal(token, field, to: place, as: Double.self)
  case .float: storeReal(token, field, to: place, as: Float.self)
  case .int8: storeInteger(token, field, to: place, as: Int8.self)
  case .int16: storeInteger(token, field, to: place, as: Int16.self)
  case .int32: storeInteger(token, field, to: place, as: Int32.self)
  case .int64: storeInteger(token, field, to: place, as: Int64.self)
  case .uint8: storeInteger(token, field, to: place, as: UInt8.self)
  case .uint16: storeInteger(token, field, to: place, as: UInt16.self)
  case .uint32: storeInteger(token, field, to: place, as: UInt32.self)
  case .uint64: storeInteger(token, field, to: place, as: UInt64.self)
  default: typeMismatch
  }
}

@inline(__always)
private func storeInteger<Value: FixedWidthInteger & BitwiseCopyable>(
  _ json: JSON, _ field: FieldRef, to place: Memory, as type: Value.Type
) -> Status {
  guard json.isNativeNumber else { return storeOtherInteger(json, field, to: place, as: type) }
  return storeInteger(json.numberToken, field, to: place, as: type)
}

@inline(__always)
private func storeInteger<Value: FixedWidthInteger & BitwiseCopyable>(
  _ token: NumberToken, _ field: FieldRef, to place: Memory, as type: Value.Type
) -> Status {
  guard let value: Value = token.integer() else { return token.isReal ? notAnInteger : outOfRange }
  if field.hasBounds, !field.accepts(value) { return invalidValue }
  place.store(value)
  return ok
}

/// An integer of another engine, or in a string.
@inline(never)
private func storeOtherInteger<Value: FixedWidthInteger & BitwiseCopyable>(
  _ json: JSON, _ field: FieldRef, to place: Memory, as type: Value.Type
) -> Status {
  let kind = json.kind
  if kind == .string, field.has(DECANT_FROM_TEXT) {
    return withNumber(in: json) { storeInteger($0, field, to: place, as: type) }
  }
  guard kind == .number, let engine = unsafe json.foreign else { return typeMismatch }
  var integer: Int64 = 0
  guard unsafe engine.pointee.integer(json.context, json.node, &integer) else {
    return notAnInteger
  }
  guard let value = Value(exactly: integer) else { return outOfRange }
  if !field.accepts(value) { return invalidValue }
  place.store(value)
  return ok
}

/// A floating-point number as tokens have it.
private protocol Real: BinaryFloatingPoint, BitwiseCopyable {
  init?(_ token: NumberToken)
}

extension Double: Real {
  @inline(__always)
  fileprivate init?(_ token: NumberToken) {
    guard let value = token.shortDouble() else { return nil }
    self = value
  }
}

extension Float: Real {
  fileprivate init?(_ token: NumberToken) {
    guard let value = token.float() else { return nil }
    self = value
  }
}

@inline(__always)
private func storeReal<Value: Real>(
  _ json: JSON, _ field: FieldRef, to place: Memory, as type: Value.Type
) -> Status {
  guard json.isNativeNumber else { return storeOtherReal(json, field, to: place, as: type) }
  return storeReal(json.numberToken, field, to: place, as: type)
}

@inline(__always)
private func storeReal<Value: Real>(
  _ token: NumberToken, _ field: FieldRef, to place: Memory, as type: Value.Type
) -> Status {
  guard let value = Value(token) else { return outOfRange }
  if field.hasBounds, !field.accepts(Double(value)) { return invalidValue }
  place.store(value)
  return ok
}

/// A real of another engine, or in a string.
@inline(never)
private func storeOtherReal<Value: Real>(
  _ json: JSON, _ field: FieldRef, to place: Memory, as type: Value.Type
) -> Status {
  let kind = json.kind
  if kind == .string, field.has(DECANT_FROM_TEXT) {
    return withNumber(in: json) { storeReal($0, field, to: place, as: type) }
  }
  guard kind == .number, let real = json.foreignReal else { return typeMismatch }
  if !field.accepts(real) { return invalidValue }
  let value = Value(real)
  if !value.isFinite { return outOfRange }
  place.store(value)
  return ok
}

/// Calls `body` with the number that a string spells; any other string is an invalid value.
private func withNumber(in json: JSON, _ body: (NumberToken) -> Status) -> Status {
  withBytes(of: json) { bytes in
    guard let start = unsafe bytes.start,
      let shape = unsafe NumberToken.shape(
        of: Span(_unsafeElements: UnsafeBufferPointer(start: start, count: bytes.count)))
    else { return invalidValue }
    // SAFETY: exactly one number, which is the whole text.
    return unsafe body(
      NumberToken(unchecked: start, length: bytes.count, offset: 0, shape: shape))
  }
}

// MARK: - Booleans, kinds

@inline(__always)
private func storeBool(_ json: JSON, to place: Memory) -> Status {
  guard let value = json.bool else { return typeMismatch }
  place.store(value ? 1 : 0 as UInt8)
  return ok
}

private func storeKind(_ json: JSON, to place: Memory) -> Status {
  place.store(json.kind.rawValue as Int32)
  return ok
}

// MARK: - Strings of fixed size, names

private func storeCharacters(_ json: JSON, _ field: FieldRef, to place: Memory) -> Status {
  withBytes(of: json) { bytes in
    guard bytes.count < field.capacity, field.accepts(count: bytes.count) else {
      return invalidValue
    }
    place.copy(bytes)
    place.store(0 as UInt8, at: bytes.count)
    return ok
  }
}

/// The value of the name here.
func value(of json: JSON, among names: NameList?, _ value: inout Int64) -> Status {
  var result: Int64 = 0
  let status = withBytes(of: json) { bytes in
    guard let entry = names?.first(where: { $0.name.bytes == bytes }) else {
      return invalidValue
    }
    result = entry.value
    return ok
  }
  value = result
  return status
}

private func storeName(_ json: JSON, _ field: FieldRef, to place: Memory) -> Status {
  var result: Int64 = 0
  let status = value(of: json, among: field.names, &result)
  if status == ok { place.store(Int32(truncatingIfNeeded: result)) }
  return status
}

private func storeFlags(_ json: JSON, _ field: FieldRef, to place: Memory) -> Status {
  if json.kind != .array { return typeMismatch }
  var flags: UInt32 = 0
  var elements = json.elements
  while let element = elements.next() {
    var flag: Int64 = 0
    let status = value(of: element, among: field.names, &flag)
    if status != ok { return status }
    flags |= UInt32(truncatingIfNeeded: flag)
  }
  place.store(flags)
  return ok
}
