// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A table as it is read again and again: a copy of it, and of the records that it holds, in one block. In the copy the
// length of every key is known, and each field has what finding its member takes, in less than a cache line:
//
//   block   records, each with its steps │ fields │ steps
//
//   field   key "name", length 4, kind TEXT, offset 8 …
//   step    "name" as a word and its length, kind TEXT, offset 8, no flags, no bounds
//
// The copy is a table like the caller's, with the caller's keys, names and bounds. A walk that knows that it has
// such a copy takes the steps, as long as the members of an object are in the table's order.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension decant_field_step {
  /// The prepared field of a walk. If the field is not a member of the record's object, or an earlier field has its key, it
  /// gets a key that no object has.
  fileprivate init(
    _ field: FieldRef, isRepeated: Bool, record: UnsafePointer<decant_record_steps>?
  ) {
    let isMember = !field.isPointer && field.kind != .key
    let length = isMember && !isRepeated ? field.keyLength : .max
    let name = unsafe field.hasKey ? field.keyStart : nil
    // A null under the key of a field with other keys is not the field's value.
    let isPlain = field.isPlain && !field.hasOtherKeys
    let isOfRuns =
      switch field.kind {
      case .bool, .string, .text, .array: isPlain
      case .record: unsafe isPlain && record != nil && field.record?.defaults == nil
      default: field.kind.isNumber && isPlain
      }
    unsafe self.init(
      key: decant_key_step_make(name, length), name: name, record: record,
      offset: UInt32(truncatingIfNeeded: field.offset),
      length_offset: UInt32(truncatingIfNeeded: field.plainLengthOffset),
      presence_offset: UInt32(truncatingIfNeeded: field.plainPresenceOffset),
      kind: field.kind.ordinal,
      run: isOfRuns ? field.kind.ordinal : UInt8(DECANT_RUN_OTHER),
      element: field.kind == .array ? field.element.ordinal : UInt8(DECANT_RUN_OTHER),
      shift: UInt8(truncatingIfNeeded: field.element.width.trailingZeroBitCount),
      is_member: isMember, is_optional: field.has(DECANT_OPTIONAL))
  }
}

/// A record of a copy.
@safe
struct PlannedRecord {
  // The record is first, and its steps follow: RecordRef.steps.
  var table: decant_record
  // SAFETY: a step for each of the record's fields.
  var steps: decant_record_steps
}

@safe
struct RecordPlan {
  /// The copy; or the caller's table, if it is so large that it is not copied.
  let record: RecordRef
  /// Whether it is a copy.
  let isCopy: Bool
  /// `size` bytes of the caller's memory, which `release` frees; nil without a copy.
  private let block: Memory?
  private let size: Int

  /// The most records and fields of a copy.
  fileprivate static var mostRecords: Int { 64 }
  static var mostFields: Int { 1024 }

  /// A copy, if the table has no more fields than `most`: the fields of a record are compared in pairs. Nil if there is
  /// no memory. The table was checked.
  init?(_ record: RecordRef, _ allocator: decant_allocator, upTo most: Int = mostFields) {
    let plan = withZeros(Self.mostRecords, of: UInt.self) { addresses in
      var records = RecordList(addresses: addresses)
      guard let fields = records.addAll(of: record), fields <= most else {
        return Self(record: record, isCopy: false, block: nil, size: 0) as Self?
      }
      return Self(copyOf: records, fields: fields, allocator)
    }
    guard let plan else { return nil }
    self = plan
  }

  private init(record: RecordRef, isCopy: Bool, block: Memory?, size: Int) {
    (self.record, self.isCopy, self.block, self.size) = (record, isCopy, block, size)
  }

  /// A copy of records with so many fields; the first one contains the others.
  private init?(copyOf records: RecordList, fields: Int, _ allocator: decant_allocator) {
    let fieldsStart = records.count * MemoryLayout<PlannedRecord>.stride
    let stepsStart = fieldsStart + fields * MemoryLayout<decant_field>.stride
    let size = stepsStart + fields * MemoryLayout<decant_field_step>.stride
    guard let block = allocator.allocate(size) else { return nil }
    let start = unsafe block.start
    let planned = unsafe start.bindMemory(to: PlannedRecord.self, capacity: records.count)
    var rows = unsafe (start + fieldsStart).bindMemory(to: decant_field.self, capacity: fields)
    var steps = unsafe (start + stepsStart).bindMemory(
      to: decant_field_step.self, capacity: fields)
    for index in 0..<records.count {
      let original = records[index]
      var table = unsafe original.pointer.pointee
      unsafe table.fields = UnsafePointer(rows)
      unsafe (planned + index).initialize(
        to: PlannedRecord(
          table: table, steps: decant_record_steps(steps: steps, count: original.fieldCount)))
      for field in original.fields {
        var row = field.row
        if field.hasKey { row.key_length = UInt32(truncatingIfNeeded: field.keyLength) }
        let inner = field.heldRecord.map { held in
          unsafe RecordRef(
            UnsafeRawPointer(planned + (records.place(of: held) ?? 0))
              .assumingMemoryBound(to: decant_record.self))
        }
        if let inner { unsafe row.record = inner.pointer }
        unsafe rows.initialize(to: row)
        unsafe steps.initialize(
          to: decant_field_step(
            field, isRepeated: original.isKeyRepeated(before: field), record: inner?.steps))
        unsafe rows += 1
        unsafe steps += 1
      }
    }
    let copy = unsafe UnsafeRawPointer(planned).assumingMemoryBound(to: decant_record.self)
    self.init(record: unsafe RecordRef(copy), isCopy: true, block: block, size: size)
  }

  func release(_ allocator: decant_allocator) { allocator.release(block, size) }
}

/// The records of a table, in the order in which they are met.
@safe
private struct RecordList {
  // SAFETY: the first `count` are addresses of records that the caller's table holds.
  let addresses: NumberTable<UInt>
  private(set) var count = 0

  init(addresses: NumberTable<UInt>) { self.addresses = addresses }

  subscript(place: Int) -> RecordRef {
    unsafe RecordRef(UnsafePointer(bitPattern: addresses[place]).unsafelyUnwrapped)
  }

  func place(of record: RecordRef) -> Int? { (0..<count).first { self[$0] == record } }

  /// False if there are too many.
  private mutating func add(_ record: RecordRef) -> Bool {
    if place(of: record) != nil { return true }
    if count == RecordPlan.mostRecords { return false }
    addresses[count] = unsafe UInt(bitPattern: record.pointer)
    count += 1
    return true
  }

  /// Adds a record and those that it holds; the fields that all have together, or nil if there are too many records.
  mutating func addAll(of record: RecordRef) -> Int? {
    var (seen, fields) = (0, 0)
    if !add(record) { return nil }
    while seen < count {
      let next = self[seen]
      seen += 1
      fields += next.fieldCount
      for field in next.fields {
        // The records of a union's cases are not copied.
        if field.kind == .union { return nil }
        if let inner = field.heldRecord, !add(inner) { return nil }
      }
    }
    return fields
  }
}
