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
  /// What the walk asks a field first. The key of a field that is no member of the record's object, and of one whose key
  /// another field has before it, is one that no object has.
  fileprivate init(
    _ field: FieldRef, isRepeated: Bool, record: UnsafePointer<decant_record_steps>?
  ) {
    let isMember = !field.isPointer && field.kind != .key
    let length = isMember && !isRepeated ? field.keyLength : .max
    let name = unsafe field.hasKey ? field.keyStart : nil
    let isOfRuns =
      switch field.kind {
      case .bool, .string, .text, .array: field.isPlain
      case .record: unsafe field.isPlain && record != nil
      default: field.kind.isNumber && field.isPlain
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
  // The record comes first, and the steps are behind it: RecordRef.steps.
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
  /// `size` bytes of the caller's memory, which `release` gives back; nil without a copy.
  private let block: Memory?
  private let size: Int

  /// The most records and fields of a copy.
  private static var mostRecords: Int { 64 }
  static var mostFields: Int { 1024 }

  /// A copy, if the table has no more fields than `most`: the fields of a record are compared in pairs. Nil if there is
  /// no memory. The table was checked.
  init?(_ record: RecordRef, _ allocator: decant_allocator, upTo most: Int = mostFields) {
    // The records in the order in which they are met, as addresses.
    var records: [64 of UInt] = .init(repeating: 0)
    unsafe records[0] = UInt(bitPattern: record.pointer)
    var (found, seen, fields) = (1, 0, 0)
    while seen < found, found <= Self.mostRecords {
      let next = unsafe RecordRef(UnsafePointer(bitPattern: records[seen]).unsafelyUnwrapped)
      seen += 1
      fields += next.fieldCount
      for field in next.fields {
        guard let inner = field.heldRecord else { continue }
        let address = unsafe UInt(bitPattern: inner.pointer)
        if (0..<min(found, Self.mostRecords)).contains(where: { records[$0] == address }) {
          continue
        }
        if found < Self.mostRecords { records[found] = address }
        found += 1
      }
    }
    guard found <= Self.mostRecords, fields <= most else {
      self.record = record
      isCopy = false
      block = nil
      size = 0
      return
    }
    let fieldsStart = found * MemoryLayout<PlannedRecord>.stride
    let stepsStart = fieldsStart + fields * MemoryLayout<decant_field>.stride
    size = stepsStart + fields * MemoryLayout<decant_field_step>.stride
    guard let block = allocator.allocate(size) else { return nil }
    self.block = block
    let start = unsafe block.start
    let planned = unsafe start.bindMemory(to: PlannedRecord.self, capacity: found)
    var rows = unsafe (start + fieldsStart).bindMemory(to: decant_field.self, capacity: fields)
    var steps = unsafe (start + stepsStart).bindMemory(
      to: decant_field_step.self, capacity: fields)
    for index in 0..<found {
      let original = unsafe RecordRef(
        UnsafePointer(bitPattern: records[index]).unsafelyUnwrapped)
      var table = unsafe original.pointer.pointee
      unsafe table.fields = UnsafePointer(rows)
      unsafe (planned + index).initialize(
        to: PlannedRecord(
          table: table, steps: decant_record_steps(steps: steps, count: original.fieldCount)))
      for field in original.fields {
        var row = field.row
        if field.hasKey { row.key_length = UInt32(truncatingIfNeeded: field.keyLength) }
        var inner: RecordRef?
        if let held = field.heldRecord {
          let address = unsafe UInt(bitPattern: held.pointer)
          let place = (0..<found).first { records[$0] == address }
          inner = unsafe RecordRef(
            UnsafeRawPointer(planned + (place ?? 0)).assumingMemoryBound(to: decant_record.self))
          unsafe row.record = inner?.pointer
        }
        unsafe rows.initialize(to: row)
        unsafe steps.initialize(
          to: decant_field_step(
            field, isRepeated: original.isKeyRepeated(before: field), record: inner?.steps))
        unsafe rows += 1
        unsafe steps += 1
      }
    }
    unsafe self.record = RecordRef(
      UnsafeRawPointer(planned).assumingMemoryBound(to: decant_record.self))
    isCopy = true
  }

  func release(_ allocator: decant_allocator) { allocator.release(block, size) }
}
