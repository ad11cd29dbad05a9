// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values into columns: another visitor of the walk that fills structs, so that a table means the same in both. A
// number is stored where a struct's would be, at the next row of its column; RecordScalars has the conversions. Plain
// values, which are most, are added by decant_runs.h, many fields at once.
//
// After a visit that succeeds, every column of the record has one row more.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct ColumnFill: RecordVisitor {
  typealias Place = ColumnRef

  private(set) var columns: decant_columns

  /// Reads a document that is in `bytes`. Views of text refer to `input`, if it is there, and the bytes are in it then.
  @inline(__always)
  init(reading bytes: Bytes, input: Bytes?) {
    unsafe columns = decant_columns(
      limit: bytes.start.map { unsafe $0 + bytes.count }, input: input?.start,
      input_length: min(input?.count ?? 0, mostColumnText), stride: MemoryLayout<Column>.stride)
  }

  var rewinds: Bool { false }

  var limit: UnsafePointer<UInt8>? {
    get { unsafe columns.limit }
    set { unsafe columns.limit = newValue }
  }

  static var hasTerminators: Bool { false }

  // MARK: - Values

  @inline(__always)
  mutating func plain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, _ index: Int, in record: ColumnRef
  ) -> Bool {
    unsafe decant_column_add(
      &columns, value.context, value.node, record.column.children[index].run)
  }

  static var takesRuns: Bool { true }

  @inline(__always)
  mutating func plainFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, at key: inout UInt64,
    before end: UInt64, in place: ColumnRef, _ nesting: inout decant_nesting
  ) {
    unsafe decant_columns_fill(
      &columns, &nesting, json.context, place.run, &index, &key, end)
    if index != record.fieldCount { takeBack(index, in: place) }
  }

  mutating func otherFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, _ members: inout decant_run_place,
    in place: ColumnRef, _ nesting: inout decant_nesting
  ) {
    unsafe decant_columns_fill_others(
      &columns, &nesting, json.context, place.run, &index, &members)
    if index != record.fieldCount { takeBack(index, in: place) }
  }

  /// Takes the rows back that a run that stopped has added to the columns of a field.
  private func takeBack(_ index: Int, in place: ColumnRef) {
    let child = place.column.children[index]
    if child.column.children.count > 0 { child.column.cut(to: place.column.count) }
  }

  @inline(__always)
  mutating func plainElements(
    _ count: Int, of array: JSON, _ kind: FieldKind, from first: ColumnRef
  ) -> Int {
    let elements = first.elements
    let total = elements.column.count &+ count
    guard total <= mostColumnText, elements.column.reserve(total) else { return 0 }
    return unsafe decant_column_add_all(
      &columns, array.context, array.node, count, elements.run)
  }

  @inline(__always)
  mutating func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: ColumnRef, _ count: inout Int
  ) -> Status {
    switch kind {
    case .string, .text, .characters: return addText(value, kind, field, to: place)
    case .raw: return value.withRawText { place.column.add($0) }
    case .name: return addName(value, field, to: place)
    case .base64:
      guard let text = value.text else { return typeMismatch }
      return place.column.add(base64: text)
    default:
      switch kind {
      case .decimal, .time, .date:
        if value.isNative, !field.hasBounds,
          unsafe decant_column_add(&columns, value.context, value.node, place.run)
        {
          return ok
        }
      default: break
      }
      let status = DecantC.store(value, kind, field, to: place.column.next)
      if status == ok { place.column.added() }
      return status
    }
  }

  /// A string; bounds and capacity are about its bytes without escapes.
  private func addText(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, to place: ColumnRef
  ) -> Status {
    guard let text = value.text(of: field) else { return value.lackOfText(for: field) }
    if kind == .characters || field.hasBounds && !field.kind.isCollection {
      let status = withBytes(of: value, field) {
        field.accepts(bytes: $0.count, kind) ? ok : invalidValue
      }
      if status != ok { return status }
    }
    return place.column.add(text.bytes, isEscaped: text.isEscaped)
  }

  private func addName(_ value: JSON, _ field: FieldRef, to place: ColumnRef) -> Status {
    withBytes(of: value) { bytes in
      guard let entry = ColumnNames(field).entry(named: bytes, place.column.places)
      else { return invalidValue }
      place.column.add(entry: entry)
      return ok
    }
  }

  mutating func key(_ key: Text, of value: JSON, _ field: FieldRef, in record: ColumnRef) -> Status
  {
    record.child(of: field).column.add(key.bytes, isEscaped: key.isEscaped)
  }

  /// The members that no other column has, as an object; null without one.
  @inline(never)
  mutating func rest(
    _ json: JSON, _ field: FieldRef, of record: RecordRef, at place: ColumnRef, _ count: inout Int
  ) -> Status {
    var size = 0
    let measured = record.forEachOther(of: json) { key, value in
      value.withRawText { raw in
        size += key.bytes.count + raw.count + 4
        return ok
      }
    }
    if measured != ok { return measured }
    if size == 0 { return place.column.addNull() ? ok : noMemory }
    return withMemory(size + 1, onStack: 1024, json.reference.allocator) { text in
      var length = 0
      let status = record.forEachOther(of: json) { key, value in
        guard let raw = value.rawText else { return Status(DECANT_UNSUPPORTED) }
        length = text.write(member: key, raw, at: length)
        return ok
      }
      if status != ok { return status }
      text.store(UInt8(ascii: "}"), at: length)
      return place.column.add(text.bytes(length + 1))
    }
  }

  // MARK: - Parts that do not fit

  /// Removes the values that the part has added.
  mutating func isLeftOut(
    _ status: Status, since start: Int, at place: ColumnRef, _ stride: Int
  ) -> Bool {
    guard isLeavable(status) else { return false }
    place.column.cut(to: place.column.count)
    return true
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
    guard let value = field.standard else { return place.column.addNull() ? ok : noMemory }
    if let text = field.standardText { return place.column.add(text) }
    if place.column.form == .names {
      let entry = ColumnNames(field).entry(of: value.load(Int32.self), place.column.places)
      place.column.add(entry: entry ?? 0)
    } else {
      place.column.next.copy(value, place.column.width)
      place.column.added()
    }
    return ok
  }

  // MARK: - Elements

  /// Elements make their space one by one.
  func room(
    _ count: Int, of stride: Int, cleared: Bool, for json: JSON, at place: ColumnRef
  ) -> ColumnRef? { place }

  @inline(never)
  func nullElement(_ index: Int, stride: Int, from first: ColumnRef) -> Status {
    let elements = first.elements
    guard elements.column.count < mostColumnText || first.column.form == .fixedList else {
      return columnIsFull
    }
    return elements.column.reserveRow() && elements.column.addNull() ? ok : noMemory
  }

  @inline(__always)
  static func step(
    _ step: WalkStep, from place: ColumnRef, _ body: (ColumnRef) -> Status
  ) -> Status {
    if case .field(let field) = step { return body(place.child(of: field)) }
    if case .document = step { return body(place) }
    if case .part = step { return body(place) }
    let elements = place.elements
    guard elements.column.count < mostColumnText || place.column.form == .fixedList else {
      return columnIsFull
    }
    guard elements.column.reserveRow() else { return noMemory }
    let status = body(elements)
    if elements.column.form == .structure, status != partIsLeftOut { elements.column.added() }
    return status
  }
}
