// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values into columns: another visitor of the walk that fills structs, so that a table means the same in both. A
// number is stored where a struct's would be, at the next row of its column; RecordScalars has the conversions.
//
// After a visit that succeeds, every column of the record has one row more.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct ColumnFill: RecordVisitor {
  typealias Place = ColumnRef

  var rewinds: Bool { false }

  // MARK: - Values

  @inline(__always)
  mutating func plain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, _ index: Int, in record: ColumnRef
  ) -> Bool {
    let place = record.column.children[index]
    switch kind {
    case .string, .text:
      return addPlain(value, to: place)
    case .int64, .bool, .double, .int32, .int8, .int16, .uint8, .uint16, .uint32, .uint64, .float:
      guard DecantC.store(value, kind, field, to: place.column.next) == ok else { return false }
      place.column.added()
      return true
    default: return false
    }
  }

  /// A string without escapes whose length the slot has.
  @inline(__always)
  private func addPlain(_ value: JSON, to place: ColumnRef) -> Bool {
    guard let length = value.plainLength else { return false }
    let start = value.offset &+ 1
    // SAFETY: a string's bytes are inside the text, after the quote.
    let bytes = unsafe Bytes(value.context.pointee.text + start, length)
    let rest = unsafe value.context.pointee.length &- start
    return place.column.add(plain: bytes, rest: rest) == ok
  }

  @inline(__always)
  mutating func plainElements(
    _ count: Int, of array: JSON, _ kind: FieldKind, from first: ColumnRef
  ) -> Int {
    let elements = first.elements
    let total = elements.column.count &+ count
    guard total <= mostColumnText, elements.column.reserve(total) else { return 0 }
    var added = 0
    switch kind {
    case .double, .int64:
      added = storeNumbers(count, of: array, kind, to: elements.column.next)
      elements.column.added(added)
    case .string, .text:
      var element = JSON(array.firstChild, within: array)
      while added < count, addPlain(element, to: elements) {
        element = JSON(element.node &+ 1, within: array)
        added &+= 1
      }
    default: break
    }
    return added
  }

  @inline(__always)
  mutating func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: ColumnRef, _ count: inout Int
  ) -> Status {
    switch kind {
    case .string, .text, .characters: return addText(value, kind, field, to: place)
    case .raw:
      guard let bytes = value.rawText else { return Status(DECANT_UNSUPPORTED) }
      return place.column.add(bytes)
    case .name: return addName(value, field, to: place)
    default:
      let status = DecantC.store(value, kind, field, to: place.column.next)
      if status == ok { place.column.added() }
      return status
    }
  }

  /// A string; bounds and capacity are about its bytes without escapes.
  private func addText(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, to place: ColumnRef
  ) -> Status {
    guard let text = value.text else { return typeMismatch }
    if kind == .characters || field.hasBounds && !field.kind.isCollection {
      let status = withBytes(of: value) { bytes in
        if kind == .characters, bytes.count >= field.capacity { return invalidValue }
        return field.kind.isCollection || field.accepts(count: bytes.count) ? ok : invalidValue
      }
      if status != ok { return status }
    }
    return place.column.add(text.bytes, isEscaped: text.isEscaped)
  }

  private func addName(_ value: JSON, _ field: FieldRef, to place: ColumnRef) -> Status {
    withBytes(of: value) { bytes in
      guard let entry = ColumnNames(field).entry(named: bytes) else { return invalidValue }
      place.column.add(entry: entry)
      return ok
    }
  }

  mutating func key(_ key: Text, _ field: FieldRef, in record: ColumnRef) -> Status {
    record.child(of: field).column.add(key.bytes, isEscaped: key.isEscaped)
  }

  // MARK: - What goes with a value

  @inline(__always)
  mutating func finish(_ field: FieldRef, _ count: Int, in record: ColumnRef) {
    let place = record.child(of: field)
    switch place.column.form {
    case .structure, .fixedList: place.column.added()
    case .list, .map: place.column.endList()
    case .fixed, .bool, .view, .text, .names: break
    }
  }

  func absent(_ field: FieldRef, isNull: Bool, in record: ColumnRef) -> Status {
    let place = record.child(of: field)
    guard field.has(DECANT_DEFAULT), let value = unsafe field.defaultValue else {
      return place.column.addNull() ? ok : noMemory
    }
    // SAFETY: a value of the field's type, by the contract of default_value.
    let memory = unsafe Memory(UnsafeMutableRawPointer(mutating: value))
    switch field.kind {
    case .string: return place.column.add(memory.cString)
    case .characters: return place.column.add(memory.cString(within: field.capacity))
    case .name where place.column.form == .names:
      let value = Int64(memory.load(Int32.self))
      place.column.add(entry: ColumnNames(field).entry(of: value) ?? 0)
    default:
      place.column.next.copy(memory, place.column.width)
      place.column.added()
    }
    return ok
  }

  func missing(_ field: FieldRef, in json: JSON, _ record: ColumnRef) -> Status { typeMismatch }

  func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, at place: ColumnRef
  ) -> Status { status }

  // MARK: - Elements

  /// Elements make their space one by one.
  func room(_ count: Int, of stride: Int, cleared: Bool, at place: ColumnRef) -> ColumnRef? {
    place
  }

  @inline(__always)
  static func inside(
    _ field: FieldRef, of record: ColumnRef, _ body: (ColumnRef) -> Status
  ) -> Status { body(record.child(of: field)) }

  @inline(__always)
  static func element(
    _ index: Int, of array: ColumnRef, _ stride: Int, _ body: (ColumnRef) -> Status
  ) -> Status {
    let elements = array.elements
    guard elements.column.count < mostColumnText || array.column.form == .fixedList else {
      return tooLarge
    }
    guard elements.column.reserveRow() else { return noMemory }
    let status = body(elements)
    if elements.column.form == .structure { elements.column.added() }
    return status
  }

  @inline(__always)
  static func member(
    _ key: Text, _ index: Int, of map: ColumnRef, _ stride: Int, _ body: (ColumnRef) -> Status
  ) -> Status { element(index, of: map, stride, body) }
}
