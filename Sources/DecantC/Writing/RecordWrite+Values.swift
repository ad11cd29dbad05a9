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
      return isDefault(field, kind, at: place) && !canWrite(field, kind, place, in: record)
        ? .absent : .value
    }
    if let defaults {
      let isSame =
        place.bytes(field.width) == defaults.advanced(by: field.offset).bytes(field.width)
        && field.length(in: record) == field.length(in: defaults)
      return isSame ? .absent : .value
    }
    return place.isZero(field.width) && field.length(in: record) ?? 0 == 0 ? .absent : .value
  }

  /// Whether a field has the value that decoding gives it for an absent key.
  private func isDefault(_ field: FieldRef, _ kind: FieldKind, at place: Memory) -> Bool {
    guard let standard = field.standard else { return false }
    if kind == .string { return unsafe place.target()?.start == standard.start }
    if let text = field.standardText { return text == place.cString(within: field.capacity) }
    return standard.bytes(field.width) == place.bytes(field.width)
  }

  /// Whether a field's value, which holds no others, can be written.
  private func canWrite(
    _ field: FieldRef, _ kind: FieldKind, _ place: Memory, in record: Memory
  ) -> Bool {
    var trial = unsafe RecordWrite(BoundedText(nil, capacity: 0), .none)
    return trial.writeLeaf(field, kind, place, field.length(in: record)) == nil
  }

  // MARK: - Fields

  /// Writes a field's value, after its key.
  mutating func write(
    _ field: FieldRef, _ kind: FieldKind, _ presence: Presence, of record: Memory,
    at path: StepPath
  ) -> Status {
    switch presence {
    case .value:
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
    if field.isBare, kind.hasParts { return writeValue(field, kind, of: record, at: path) }
    let presence = presence(of: field, kind, in: record)
    if presence.isAbsent, field.mayBeAbsent {
      text.add("null")
      return ok
    }
    return write(field, kind, presence, of: record, at: path)
  }

  /// Writes a field's value, which is there; a document in a string, if the field is one.
  mutating func writeValue(
    _ field: FieldRef, _ kind: FieldKind, of record: Memory, at path: StepPath
  ) -> Status {
    field.has(DECANT_EMBEDDED)
      ? writeEmbedded(field, kind, of: record, at: path)
      : writeOwnValue(field, kind, of: record, at: path)
  }

  /// Writes a document in a string, piece by piece: a piece gets its escapes when it moves to the text.
  @inline(never)
  private mutating func writeEmbedded(
    _ field: FieldRef, _ kind: FieldKind, of record: Memory, at path: StepPath
  ) -> Status {
    text.add(UInt8(ascii: "\""))
    var inner = self
    let status = withStackMemory(Self.embeddedPiece) { window in
      // SAFETY: both texts, and the drain between them, stay where they are while the inner one is written.
      unsafe withUnsafeMutablePointer(to: &text) { text in
        var drain = unsafe TextDrain(.string(text), by: window, Self.embeddedPiece)
        return unsafe withUnsafeMutablePointer(to: &drain) { drain in
          inner.text = unsafe BoundedText(draining: drain)
          let status = inner.writeOwnValue(field, kind, of: record, at: path)
          inner.text.flush()
          return status
        }
      }
    }
    text.add(UInt8(ascii: "\""))
    return status
  }

  private static var embeddedPiece: Int { 512 }

  private mutating func writeOwnValue(
    _ field: FieldRef, _ kind: FieldKind, of record: Memory, at path: StepPath
  ) -> Status {
    let place = record.advanced(by: field.offset)
    if kind == .record || kind == .recordPointer {
      guard let target = kind == .record ? place : place.target() else {
        return fail(.missing, kind, field, at: path, isField: true)
      }
      guard let inner = field.record else { return ok }
      let inherited = kind == .record ? defaults?.advanced(by: field.offset) : nil
      return path.adding(.field(field)) { nested(inner, target, defaults: inherited, at: $0) }
    }
    let length = field.length(in: record)
    let problem: StructError.Problem?
    switch kind {
    case .array, .map:
      let first = place.target()
      let count =
        length ?? (field.has(DECANT_NULL_TERMINATED) ? first?.countOfPointers ?? 0 : 0)
      if count < 0 {
        problem = .noLength
      } else if count > 0 && first == nil {
        problem = .noTarget(count: count)
      } else if field.accepts(count: count) {
        return writeCollection(field, kind, from: first, count, at: path)
      } else {
        problem = .count(count)
      }
    case .fixedArray:
      let count = length ?? field.capacity
      if count >= 0, field.acceptsElements(count) {
        return writeCollection(field, kind, from: place, count, at: path)
      }
      problem = count < 0 ? .noLength : .count(count)
    case .converted: return writeConverted(field, at: place, path)
    default: problem = writeLeaf(field, kind, place, length)
    }
    guard let problem else { return ok }
    return fail(problem, kind, field, at: path, isField: true)
  }

  // MARK: - Conversions of the program's

  /// Writes what the program's function makes of a member.
  @inline(never)
  private mutating func writeConverted(
    _ field: FieldRef, at place: Memory, _ path: StepPath
  ) -> Status {
    path.adding(.field(field)) { writeConverted(field, at: place, element: $0) }
  }

  /// - Parameter path: Of the value.
  @inline(never)
  mutating func writeConverted(
    _ field: FieldRef, at place: Memory, element path: StepPath
  ) -> Status {
    guard let conversion = field.conversion, let encode = unsafe conversion.encode else {
      return fail(.notEncoded, .converted, field, at: path)
    }
    return withConversionMessage { message in
      // SAFETY: the program's function, with as much memory as it is told.
      func call(_ memory: Memory, _ capacity: Int, _ length: inout Int) -> Bool {
        unsafe encode(
          conversion.context, place.start, memory.mutableText, capacity, &length,
          message.mutableText)
      }
      func add(_ memory: Memory, _ length: Int) -> Status {
        let bytes = memory.bytes(length)
        if conversion.takes_text != 0 {
          return text.add(quoting: bytes) ? ok : fail(.notText, .converted, field, at: path)
        }
        guard unsafe bytes.start.map({ unsafe decant_is_json($0, length) }) == true else {
          return fail(.notJSON, .converted, field, at: path)
        }
        text.add(bytes)
        return ok
      }
      return withStackMemory(Self.shortConverted) { memory in
        var length = 0
        guard call(memory, Self.shortConverted, &length), length >= 0 else {
          return fail(.custom(message.conversionText), .converted, field, at: path)
        }
        if length <= Self.shortConverted { return add(memory, length) }
        let capacity = length
        let status = withMemory(capacity, onStack: 0, decant_allocator()) { memory in
          guard call(memory, capacity, &length), length >= 0, length <= capacity else {
            return fail(.custom(message.conversionText), .converted, field, at: path)
          }
          return add(memory, length)
        }
        return status == Status(DECANT_OUT_OF_MEMORY)
          ? fail(.noMemory, .converted, field, at: path) : status
      }
    }
  }

  private static var shortConverted: Int { 512 }

  // MARK: - Values that hold no others

  /// Writes a scalar, a field's or an element. Returns its error; then a part of it may be written.
  @inline(never)
  mutating func writeLeaf(
    _ field: FieldRef, _ kind: FieldKind, _ place: Memory, _ length: Int?
  ) -> StructError.Problem? {
    switch kind {
    case .bool:
      let byte = place.load(UInt8.self)
      if byte > 1 { return .notBoolean(byte) }
      text.add(byte == 0 ? "false" : "true")
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
      let value = place.integer(kind)
      if field.hasBounds, !field.accepts(value) { return .integer(value) }
      text.add(value)
    case .uint64:
      let value = place.load(UInt64.self)
      if field.hasBounds, !field.accepts(value) { return .natural(value) }
      text.add(value)
    case .float:
      let value = place.load(Float.self)
      if !value.isFinite { return .notFinite }
      if field.hasBounds, !field.accepts(value) { return .real(Double(value)) }
      text.add(value)
    case .double:
      let value = place.load(Double.self)
      if !value.isFinite { return .notFinite }
      if field.hasBounds, !field.accepts(value) { return .real(value) }
      text.add(value)
    case .string, .text, .characters, .raw: return writeText(field, kind, place, length)
    case .name:
      let value = place.load(Int32.self)
      guard let name = field.names?.name(of: value) else { return .noName(Int64(value)) }
      return text.add(quoting: name) ? nil : .notText
    case .flags: return writeFlags(place.load(UInt32.self), field)
    case .kind:
      let value = place.load(Int32.self)
      guard let sample = Self.sample(ofKind: value) else { return .notKind(value) }
      text.add(sample)
    case .time:
      let value = place.load(Int64.self)
      if field.hasBounds, !field.accepts(value) { return .integer(value) }
      if field.has(DECANT_EPOCH) {
        text.add(value)
        return nil
      }
      let units = field.unitsOfSecond
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: units)
      let (seconds, fraction) =
        remainder < 0 ? (quotient - 1, remainder + units) : (quotient, remainder)
      let time = JSONTimestamp(
        seconds: seconds, nanoseconds: Int32(fraction * (1_000_000_000 / units)))
      // The text of UTC, with or without its Z.
      let zone = field.has(DECANT_ZONELESS) ? 1 : 0
      return unsafe write(30) { unsafe time.write(to: $0).map { $0 - zone } }
        ? nil : .year
    case .date:
      let day = place.load(Int32.self)
      if field.hasBounds, !field.accepts(day) { return .integer(Int64(day)) }
      return unsafe write(11) { unsafe JSONTimestamp.write(day: Int64(day), to: $0) }
        ? nil : .year
    case .union: return .unionWithRepeatedKeys
    case .decimal where field.hasBounds && !field.accepts(decimalAt: place):
      return place.units(.decimal).map { .integer($0) } ?? .decimal
    case .decimal: return text.add(decimal: place, field) ? nil : .decimal
    case .uuid:
      text.add(UInt8(ascii: "\""))
      text.add(uuid: place.bytes(16))
      text.add(UInt8(ascii: "\""))
    case .fixedBase64: write(base64: place.bytes(field.capacity))
    case .base64:
      let count = place.load(Int.self, at: pointerWidth)
      if count < 0 { return .noLength }
      guard let target = place.target() else {
        return count == 0 ? .missing : .noTarget(count: count)
      }
      write(base64: target.bytes(count))
    case .record, .recordPointer, .array, .fixedArray, .map, .key, .converted: break
    }
    return nil
  }

  /// Writes a string of at most so many bytes, which `body` makes; false if it makes none.
  private mutating func write(
    _ most: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int?
  ) -> Bool {
    var text = text
    let isWritten = withStackMemory(most) { memory in
      // SAFETY: memory for so many bytes.
      let room = unsafe UnsafeMutableBufferPointer(start: memory.bytePointer, count: most)
      guard let count = unsafe body(room) else { return false }
      text.add(UInt8(ascii: "\""))
      text.add(memory.bytes(count))
      text.add(UInt8(ascii: "\""))
      return true
    }
    self.text = text
    return isWritten
  }

  private mutating func write(base64 bytes: Bytes) {
    text.add(UInt8(ascii: "\""))
    Base64.write(bytes, to: &text)
    text.add(UInt8(ascii: "\""))
  }

  private mutating func writeText(
    _ field: FieldRef, _ kind: FieldKind, _ place: Memory, _ length: Int?
  ) -> StructError.Problem? {
    guard let bytes = bytes(kind, at: place, length, field) else {
      let count = kind == .text ? place.load(Int.self, at: pointerWidth) : length ?? 0
      return count == 0 ? .missing : count < 0 ? .noLength : .noTarget(count: count)
    }
    if bytes.count < 0 { return .noLength }
    if kind == .characters, bytes.count >= field.capacity { return .noTerminator }
    if kind == .raw {
      guard unsafe bytes.start.map({ unsafe decant_is_json($0, bytes.count) }) == true else {
        return .notJSON
      }
      text.add(bytes)
      return nil
    }
    if !field.accepts(bytes: bytes.count, kind) { return .length(bytes.count) }
    // `null_texts` apply to elements that may be null, and to members that are not embedded.
    let mayBeNull =
      field.kind.isCollection ? field.has(DECANT_NULL_ELEMENTS) : !field.has(DECANT_EMBEDDED)
    if mayBeNull, field.isNullText(bytes) { return .nullText }
    return text.add(quoting: bytes) ? nil : .notText
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
      return flag & ~bits == 0 && !names.isShadowed(entry) ? all | flag : all
    }
  }

  /// Writes the names of flags whose bits are all set, in the order of the list; those that add a bit.
  private mutating func writeFlags(_ bits: UInt32, _ field: FieldRef) -> StructError.Problem? {
    let left = bits & ~named(bits, field)
    if left != 0 { return .noName(Int64(left)) }
    var written: UInt32 = 0
    text.add(UInt8(ascii: "["))
    if let names = field.names {
      for entry in names {
        let flag = UInt32(truncatingIfNeeded: entry.value)
        if flag & ~bits != 0 || flag & ~written == 0 || names.isShadowed(entry) { continue }
        if written != 0 { text.add(UInt8(ascii: ",")) }
        if !text.add(quoting: entry.name) { return .notText }
        written |= flag
      }
    }
    text.add(UInt8(ascii: "]"))
    return nil
  }
}
