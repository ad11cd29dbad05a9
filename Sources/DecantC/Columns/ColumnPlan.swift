// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The columns of a table: what each kind of field is in Arrow.
//
//   DECANT_BOOL                    bool
//   DECANT_INT8 … DECANT_DOUBLE    the same type
//   DECANT_STRING, _TEXT, _CHARS   utf8_view, or utf8
//   DECANT_KEY, DECANT_RAW         utf8_view, or utf8
//   DECANT_ENUM                    dictionary of utf8, by int32
//   DECANT_FLAGS, DECANT_KIND      uint32, int32
//   DECANT_TIME, DECANT_DATE       timestamp, date32
//   DECANT_DECIMAL                 decimal128
//   DECANT_UUID, _FIXED_BASE64     fixed_size_binary
//   DECANT_BASE64                  binary_view, or binary
//   DECANT_RECORD, _POINTER        struct
//   DECANT_ARRAY                   list; of the values themselves where a record has one field, by the pointer ""
//   DECANT_FIXED_ARRAY             fixed_size_list; list where the elements are counted
//   DECANT_MAP                     map; list of structs where the record has not one DECANT_KEY and other fields
//
// A field with DECANT_OPTIONAL is nullable. A record that holds itself has no columns, for they would have no end.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct ColumnPlan {
  let usesViews: Bool
  let memory: decant_allocator
  /// Why there are no columns; nil if there is no memory.
  private(set) var fault: RecordFault?
  /// Bytes that a row takes at least.
  private(set) var rowSize = 0
  /// The records that hold the present one, as addresses.
  private var records = SIMD64<UInt>()
  private var depth = 0

  init(usesViews: Bool, _ memory: decant_allocator) {
    self.usesViews = usesViews
    self.memory = memory
  }

  /// The structure of a record's columns, optionally with a column of line numbers; nil after a fault.
  mutating func rows(of record: RecordRef, hasLines: Bool) -> ColumnList? {
    guard var columns = columns(of: record, others: 1) else { return nil }
    if hasLines {
      let name = Bytes("_line")
      if let taken = record.fields.first(where: { self.name(of: $0) == name }) {
        fault = RecordFault(
          message: "its column has the name of the column of lines", record: record, field: taken)
        columns.end(memory)
        return nil
      }
      columns.append(Column(.fixed, width: 8, name: name, memory))
    }
    if let rows = ColumnList(structure: columns, record: record, memory) { return rows }
    columns.end(memory)
    return nil
  }

  /// The columns of a record, and space for `others` more; nil after a fault.
  mutating func columns(of record: RecordRef, others: Int = 0) -> ColumnList? {
    columns(of: record, rows: 1, others: others, from: nil, in: nil)
  }

  /// The columns of a record, which a field of `holder` holds.
  private mutating func columns(
    of record: RecordRef, rows: Int, others: Int, from field: FieldRef?, in holder: RecordRef?
  ) -> ColumnList? {
    let address = unsafe UInt(bitPattern: record.pointer)
    let holdsItself = (0..<depth).contains { records[$0] == address }
    if holdsItself || depth >= deepestUnasked && !decant_stack_has_room() {
      refuse(
        field, of: holder,
        holdsItself ? "a record that holds itself has no columns" : stackIsFull)
      return nil
    }
    guard depth < records.scalarCount,
      var list = ColumnList(capacity: record.fieldCount + others, memory)
    else { return nil }
    records[depth] = address
    depth += 1
    defer { depth -= 1 }
    for field in record.fields {
      guard append(field, of: record, field.kind, rows, to: &list) else {
        list.end(memory)
        return nil
      }
    }
    if hasRepeatedNames(list, record) {
      list.end(memory)
      return nil
    }
    return list
  }

  /// Whether two columns of a record have one name, which consumers of tables cannot tell apart; or there is no memory to
  /// know.
  private mutating func hasRepeatedNames(_ columns: ColumnList, _ record: RecordRef) -> Bool {
    do throws(RepeatedKeys.NoMemory) {
      let pair = try RepeatedKeys.first(of: columns.count, memory) { columns[$0].column.name }
      guard let pair else { return false }
      fault = RecordFault(
        message: "its column has the same name", record: record, field: record[pair.second],
        other: record[pair.first])
    } catch _ {}
    return true
  }

  /// Adds a field's column, or that of its elements; false after a fault. `rows` is how many a row of the batch has.
  private mutating func append(
    _ field: FieldRef, of record: RecordRef, _ kind: FieldKind, _ rows: Int,
    isElement: Bool = false, to list: inout ColumnList
  ) -> Bool {
    if isRefused(field, of: record) { return false }
    let form = form(of: field, kind)
    let width = width(form, field, kind)
    var children = ColumnList()
    switch form {
    case .structure:
      guard let inner = field.record,
        let columns = columns(of: inner, rows: rows, others: 0, from: field, in: record)
      else { return false }
      children = columns
    case .list, .fixedList, .map:
      guard let one = ColumnList(capacity: 1, memory) else { return false }
      children = one
      let inner = form == .fixedList ? rows.multipliedSaturating(by: width) : 0
      let element = kind == .map ? .record : field.element
      guard append(field, of: record, element, inner, isElement: true, to: &children) else {
        children.end(memory)
        return false
      }
    case .names, .fixed, .bool, .view, .text: break
    }
    guard let places = places(of: field, of: record, form) else { return false }
    if form != .fixedList {
      rowSize = rowSize.saturating(adding: rows.multipliedSaturating(by: width))
    }
    append(form, width, field, kind, isElement: isElement, places, children, to: &list)
    return true
  }

  // Out of line, as what else a level of records does not need: a fault or a column takes hundreds of bytes of a frame.

  @inline(never)
  private mutating func refuse(_ field: FieldRef?, of record: RecordRef?, _ message: StaticString) {
    fault = RecordFault(message: message, record: record, field: field)
  }

  /// Whether a field has no column, for the reason that becomes the fault.
  @inline(never)
  private mutating func isRefused(_ field: FieldRef, of record: RecordRef) -> Bool {
    let message: StaticString
    if field.kind != .key, field.hasKey, !field.key.isText {
      message = "key is not UTF-8"
    } else if field.kind == .union {
      message = "a DECANT_UNION has no columns"
    } else if field.content == .converted {
      message = "a DECANT_CONVERTED has no columns"
    } else if field.column?.isText == false {
      message = "column is not UTF-8"
    } else if field.zone?.isText == false {
      message = "zone is not UTF-8"
    } else if field.standardText?.isText == false {
      message = "default_value is not UTF-8"
    } else {
      return false
    }
    refuse(field, of: record, message)
    return true
  }

  @inline(never)
  private func append(
    _ form: Column.Form, _ width: Int, _ field: FieldRef, _ kind: FieldKind, isElement: Bool,
    _ places: Buffer, _ children: ColumnList, to list: inout ColumnList
  ) {
    var column = Column(
      form, width: width,
      isNullable: isElement
        ? field.has(DECANT_NULL_ELEMENTS)
        : kind == .raw && field.isRest
          || kind != .key && field.has(DECANT_OPTIONAL) && !field.has(DECANT_DEFAULT),
      name: isElement ? Bytes("item") : name(of: field), field: field, record: field.record, memory)
    column.places = places
    column.children = children
    // A null element is a null of the column that replaces the record.
    if form == .structure, isElement, column.isNullable, column.isTransparent {
      column.children[0].column.isNullable = true
    }
    list.append(column)
  }

  /// For a column of names: the places of a field's names in the dictionary; nil after a fault.
  @inline(never)
  private mutating func places(
    of field: FieldRef, of record: RecordRef, _ form: Column.Form
  ) -> Buffer? {
    guard form == .names else { return Buffer() }
    let names = ColumnNames(field)
    if let message = names.fault {
      refuse(field, of: record, message)
      return nil
    }
    guard let places = names.places(memory) else { return nil }
    if let value = field.standard, names.entry(of: value.load(Int32.self), places) == nil {
      places.released(memory)
      refuse(field, of: record, "default_value has no name")
      return nil
    }
    return places
  }

  private func form(of field: FieldRef, _ kind: FieldKind) -> Column.Form {
    switch kind {
    case .bool: .bool
    case .string, .text, .characters, .raw, .key, .base64: usesViews ? .view : .text
    // Without names, there is no dictionary.
    case .name: ColumnNames(field).isEmpty ? .fixed : .names
    case .record, .recordPointer: .structure
    case .array: .list
    case .fixedArray: field.lengthOffset == nil ? .fixedList : .list
    case .map: field.record?.isOfMap == true ? .map : .list
    default: .fixed
    }
  }

  private func width(_ form: Column.Form, _ field: FieldRef, _ kind: FieldKind) -> Int {
    switch form {
    case .fixed: kind == .fixedBase64 ? field.capacity : kind.width
    case .bool: 1
    case .view: 16
    case .text, .names, .list, .map: 4
    case .fixedList: field.capacity
    case .structure: 0
    }
  }

  /// The name of a column: its `column`, or else the key as the table has it. The pointer "" is the value itself.
  private func name(of field: FieldRef) -> Bytes {
    if let column = field.column { return column }
    if field.kind == .key { return Bytes("key") }
    // The other members need no key.
    if !field.hasKey { return Bytes("rest") }
    return field.isAlone ? Bytes("value") : field.key
  }
}

extension RecordRef {
  /// Whether the members of a map have one key, and something else.
  var isOfMap: Bool {
    fieldCount > 1 && fields.reduce(0) { $0 + ($1.kind == .key ? 1 : 0) } == 1
  }
}

extension Int {
  /// The product, or the largest Int.
  func multipliedSaturating(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
