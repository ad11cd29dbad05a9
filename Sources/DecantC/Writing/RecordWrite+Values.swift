// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of every kind, and whether a field has one:
//
//   presence_offset            tells whether there is a value; with DECANT_STATE also absent from null
//   without, DECANT_OPTIONAL   absent is what decoding leaves for an absent key: zeros, NULL
//   without, DECANT_DEFAULT    a value; but a default that cannot be written, such as NaN, is absent

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Whether a field of a struct has a value.
enum Presence {
  case absent, null, value
  /// A state that is not one.
  case unknown(UInt8)

  var isAbsent: Bool { if case .absent = self { true } else { false } }
  var isNull: Bool { if case .null = self { true } else { false } }
}

extension RecordWrite {
  func presence(of field: FieldRef, _ kind: FieldKind, in record: Memory) -> Presence {
    if let offset = field.presenceOffset {
      let byte = record.load(UInt8.self, at: offset)
      if field.has(DECANT_STATE) {
        return byte == 2 ? .value : byte == 1 ? .null : byte == 0 ? .absent : .unknown(byte)
      }
      return byte == 0 ? .absent : .value
    }
    if kind == .kind { return record.load(Int32.self, at: field.offset) == 0 ? .absent : .value }
    if !field.mayBeAbsent { return .value }
    let place = record.advanced(by: field.offset)
    if field.has(DECANT_DEFAULT) {
      return isDefault(field, kind, at: place) && problem(field, kind, of: record) != nil
        ? .absent : .value
    }
    return place.isZero(field.width) && length(of: field, in: record) ?? 0 == 0 ? .absent : .value
  }

  /// Whether a field has the value that decoding gives it for an absent key.
  private func isDefault(_ field: FieldRef, _ kind: FieldKind, at place: Memory) -> Bool {
    guard let value = unsafe field.defaultValue else { return false }
    if kind == .string { return place.load(Int.self) == Int(bitPattern: value) }
    // SAFETY: a value of the field's type, by the contract of default_value; it is only read.
    let standard = unsafe Memory(reading: value)
    return standard.bytes(field.width) == place.bytes(field.width)
  }

  func length(of field: FieldRef, in record: Memory) -> Int? {
    field.lengthOffset.map { record.load(Int.self, at: $0) }
  }

  // MARK: - Fields

  /// Writes a field's value, after its key.
  mutating func write(
    _ field: FieldRef, _ kind: FieldKind, _ presence: Presence, of record: Memory,
    at path: StepPath
  ) -> Status {
    switch presence {
    case .value:
      if let problem = problem(field, kind, of: record) {
        return fail(problem, kind, field, at: path, isField: true)
      }
      return writeValue(field, kind, of: record, at: path)
    case .null where field.mayBeAbsent:
      text.add("null")
      return ok
    case .absent, .null: return fail(.missing, kind, field, at: path, isField: true)
    case .unknown(let state):
      return fail(.state(state), kind, field, at: path, isField: true)
    }
  }

  /// Writes the only field of a record, which is the record's own value.
  mutating func writeItself(
    _ field: FieldRef, _ record: Memory, at path: StepPath
  ) -> Status {
    let kind = field.kind
    if field.isBare, canWriteBare(field, kind, of: record) {
      return writeBare(field, kind, of: record, at: path)
    }
    let presence = presence(of: field, kind, in: record)
    if presence.isAbsent, field.mayBeAbsent {
      text.add("null")
      return ok
    }
    return write(field, kind, presence, of: record, at: path)
  }

  /// Writes a value that has no problem, but perhaps one further inside.
  private mutating func writeValue(
    _ field: FieldRef, _ kind: FieldKind, of record: Memory, at path: StepPath
  ) -> Status {
    let place = record.advanced(by: field.offset)
    switch kind {
    case .record, .recordPointer:
      guard let inner = field.record,
        let target = kind == .record ? place : place.target()
      else { return ok }
      return path.adding(.field(field)) { nested(inner, target, at: $0) }
    case .array, .fixedArray:
      let count = length(of: field, in: record) ?? field.capacity
      guard let first = kind == .fixedArray ? place : place.target(), count > 0 else {
        text.add("[]")
        return ok
      }
      return path.adding(.field(field)) {
        writeElements(field, from: first, count, at: $0)
      }
    case .map: return writeMap(field, of: record, at: path)
    default:
      let length = length(of: field, in: record)
      if let problem = writeLeaf(field, kind, place, length) {
        return fail(problem, kind, field, at: path, isField: true)
      }
      return ok
    }
  }

  // MARK: - Bare fields

  /// Whether a bare field is a struct in place, or an array whose pointer is what it should be.
  @inline(__always)
  func canWriteBare(_ field: FieldRef, _ kind: FieldKind, of record: Memory) -> Bool {
    if kind == .record { return field.record != nil }
    guard kind == .array, field.plainLengthOffset != 0 else { return false }
    let count = record.load(Int.self, at: field.plainLengthOffset)
    return count == 0 || count > 0 && record.target(at: field.offset) != nil
  }

  /// Writes a bare field's value.
  @inline(__always)
  mutating func writeBare(
    _ field: FieldRef, _ kind: FieldKind, of record: Memory, at path: StepPath
  ) -> Status {
    let place = record.advanced(by: field.offset)
    return path.adding(.field(field)) { path in
      if kind == .record, let inner = field.record {
        return nested(inner, place, at: path)
      }
      let count = record.load(Int.self, at: field.plainLengthOffset)
      guard count > 0, let first = place.target() else {
        text.add("[]")
        return ok
      }
      return writeElements(field, from: first, count, at: path)
    }
  }

  // MARK: - Values that hold no others

  /// Writes a value that has no problem; what only writing can find is returned.
  @inline(__always)
  mutating func writeLeaf(
    _ field: FieldRef, _ kind: FieldKind, _ place: Memory, _ length: Int?
  ) -> StructError.Problem? {
    switch kind {
    case .bool: text.add(place.load(UInt8.self) == 0 ? "false" : "true")
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
      text.add(place.integer(kind))
    case .uint64: text.add(place.load(UInt64.self))
    case .float: text.add(place.load(Float.self))
    case .double: text.add(place.load(Double.self))
    case .string, .text, .characters, .raw:
      guard let bytes = bytes(kind, at: place, length, field) else { return .missing }
      if kind == .raw { text.add(bytes) } else if !text.add(quoting: bytes) { return .notText }
    case .name:
      guard let name = field.names?.name(of: place.load(Int32.self)) else { return nil }
      if !text.add(quoting: name) { return .notText }
    case .flags: return writeFlags(place.load(UInt32.self), field)
    case .kind: text.add(Self.sample(ofKind: place.load(Int32.self)) ?? "null")
    case .record, .recordPointer, .array, .fixedArray, .map, .key: break
    }
    return nil
  }

  /// What is wrong with a field's own value, as far as that can be told before it is written.
  func problem(
    _ field: FieldRef, _ kind: FieldKind, of record: Memory
  ) -> StructError.Problem? {
    let place = record.advanced(by: field.offset)
    let length = length(of: field, in: record)
    switch kind {
    case .record: return nil
    case .recordPointer: return place.target() == nil ? .missing : nil
    case .array, .map:
      let count = length ?? 0
      if count < 0 || count > 0 && place.target() == nil { return .noTarget(count: count) }
      return field.accepts(count: count) ? nil : .count(count)
    case .fixedArray:
      let count = length ?? field.capacity
      return count >= 0 && field.acceptsElements(count) ? nil : .count(count)
    default: return problem(field, kind, at: place, length)
    }
  }

  /// The same for a value that holds no others, a field's or an element.
  @inline(__always)
  func problem(
    _ field: FieldRef, _ kind: FieldKind, at place: Memory, _ length: Int?
  ) -> StructError.Problem? {
    switch kind {
    case .bool:
      let byte = place.load(UInt8.self)
      return byte > 1 ? .notBoolean(byte) : nil
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
      if !field.hasBounds { return nil }
      let value = place.integer(kind)
      return field.accepts(value) ? nil : .integer(value)
    case .uint64:
      if !field.hasBounds { return nil }
      let value = place.load(UInt64.self)
      return field.accepts(value) ? nil : .natural(value)
    case .float, .double:
      let value = kind == .float ? Double(place.load(Float.self)) : place.load(Double.self)
      if !value.isFinite { return .notFinite }
      return !field.hasBounds || field.accepts(value) ? nil : .real(value)
    case .string, .text, .characters, .raw:
      return problemOfText(field, kind, at: place, length)
    case .name:
      let value = place.load(Int32.self)
      return field.names?.name(of: value) == nil ? .noName(Int64(value)) : nil
    case .flags:
      let bits = place.load(UInt32.self)
      let left = bits & ~named(bits, field)
      return left == 0 ? nil : .noName(Int64(left))
    case .kind:
      let value = place.load(Int32.self)
      return Self.sample(ofKind: value) == nil ? .notKind(value) : nil
    case .record, .recordPointer, .array, .fixedArray, .map, .key: return nil
    }
  }

  private func problemOfText(
    _ field: FieldRef, _ kind: FieldKind, at place: Memory, _ length: Int?
  ) -> StructError.Problem? {
    guard let bytes = bytes(kind, at: place, length, field) else {
      let count = kind == .text ? place.load(Int.self, at: pointerWidth) : length ?? 0
      return count == 0 ? .missing : .noTarget(count: count)
    }
    if bytes.count < 0 { return .length(bytes.count) }
    if kind == .characters, bytes.count >= field.capacity { return .noTerminator }
    if kind == .raw {
      let isJSON = unsafe bytes.start.map { unsafe decant_is_json($0, bytes.count) } ?? false
      return isJSON ? nil : .notJSON
    }
    return field.kind.isCollection || field.accepts(count: bytes.count)
      ? nil : .length(bytes.count)
  }

  /// A string's bytes; nil for NULL.
  @inline(__always)
  private func bytes(
    _ kind: FieldKind, at place: Memory, _ length: Int?, _ field: FieldRef
  ) -> Bytes? {
    if kind == .characters {
      guard let length else { return place.cString(within: field.capacity) }
      return place.bytes(UInt(bitPattern: length) < UInt(field.capacity) ? length : field.capacity)
    }
    guard let target = place.target() else { return nil }
    if kind == .text { return target.bytes(place.load(Int.self, at: pointerWidth)) }
    return length.map { target.bytes($0) } ?? target.cString
  }

  /// The least value of a kind: decoding it gives the kind again.
  private static func sample(ofKind kind: Int32) -> StaticString? {
    switch Int(kind) {
    case DECANT_VALUE_NULL: "null"
    case DECANT_VALUE_BOOL: "false"
    case DECANT_VALUE_NUMBER: "0"
    case DECANT_VALUE_STRING: "\"\""
    case DECANT_VALUE_ARRAY: "[]"
    case DECANT_VALUE_OBJECT: "{}"
    default: nil
    }
  }

  // MARK: - Names

  /// The bits that have names, among those that are set.
  private func named(_ bits: UInt32, _ field: FieldRef) -> UInt32 {
    guard let names = field.names else { return 0 }
    return names.reduce(0) { all, entry in
      let flag = UInt32(truncatingIfNeeded: entry.value)
      return flag & ~bits == 0 ? all | flag : all
    }
  }

  /// Writes the names of flags whose bits are all set, in the order of the list; those that add a bit.
  private mutating func writeFlags(_ bits: UInt32, _ field: FieldRef) -> StructError.Problem? {
    var written: UInt32 = 0
    text.add(UInt8(ascii: "["))
    if let names = field.names {
      for entry in names {
        let flag = UInt32(truncatingIfNeeded: entry.value)
        if flag & ~bits != 0 || flag & ~written == 0 { continue }
        if written != 0 { text.add(UInt8(ascii: ",")) }
        if !text.add(quoting: entry.name.bytes) { return .notText }
        written |= flag
      }
    }
    text.add(UInt8(ascii: "]"))
    return nil
  }
}
