// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A prepared table: a copy of it, and of the records that it holds, in one block. In the copy the length of every key is
// known, and each field has what finding and writing its member takes, in little more than a cache line:
//
//   block   records, each with its steps │ fields │ steps │ keys
//
//   field   key "name", length 4, kind TEXT, offset 8 …
//   step    "name" as a word and its length, kind TEXT, offset 8, no flags, no bounds
//   key     ,"name":
//
// The copy is a table like the caller's, and points to the caller's keys, names and bounds. Reading and writing use its
// steps in runs (decant_runs.h). Calls make such a copy for streams, large documents and long arrays. A program gets one
// from decant_record_prepare(), and passes it as the table: then the copy also has the results of the check.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension decant_field_step {
  /// The prepared field of a walk. If the field is not a member of the record's object, or an earlier field has its key, it
  /// gets a key that no object has. `name` is the key's text.
  fileprivate init(
    _ field: FieldRef, of holder: RecordRef, record: UnsafePointer<decant_record_steps>?,
    _ name: UnsafePointer<UInt8>?
  ) {
    let isMember = !field.isPointer && field.kind != .key
    let length = isMember && !holder.isKeyRepeated(before: field) ? field.keyLength : .max
    // A null under the key of a field with other keys is not the field's value.
    let isSimple = field.isPlain && !field.hasOtherKeys
    let isRun = isSimple || field.isItself && field.kind == .array && field.isBareList
    let run = isRun ? field.kindOfRun : UInt8(DECANT_RUN_OTHER)
    let isOfRuns = run != UInt8(DECANT_RUN_OTHER)
    let stride =
      field.element == .record ? alignment(ofSize: field.elementWidth) : field.element.width
    let mayLack =
      isOfRuns && isMember && field.has(DECANT_OPTIONAL) && !holder.has(DECANT_ANY_CASE)
      && field.key.isText
    unsafe self.init(
      key: decant_key_step_make(name, length), name: name, record: record,
      offset: UInt32(truncatingIfNeeded: field.offset),
      length_offset: UInt32(truncatingIfNeeded: field.plainLengthOffset),
      presence_offset: UInt32(truncatingIfNeeded: field.plainPresenceOffset),
      kind: field.kind.ordinal,
      run: run,
      element: field.kind == .array ? field.element.ordinal : UInt8(DECANT_RUN_OTHER),
      shift: UInt8(truncatingIfNeeded: stride.trailingZeroBitCount),
      is_member: isMember, is_optional: field.has(DECANT_OPTIONAL), may_lack: mayLack,
      is_itself: holder.isItself)
  }
}

extension RecordRef {
  /// Whether it is one field, the record's own value.
  fileprivate var isItself: Bool { fieldCount == 1 && self[0].isItself }
}

extension FieldRef {
  /// Whether an array has nothing but its elements and a length that is a size_t.
  fileprivate var isBareList: Bool { isBare && !hasOddLength && !hasOtherKeys }

  /// What a run does with the value, if it has nothing but that to look at.
  fileprivate var kindOfRun: UInt8 {
    switch kind {
    case .bool, .string, .text: return kind.ordinal
    case .record where record.map({ $0.defaults == nil && !$0.isItself }) == true:
      return kind.ordinal
    case .array where element == .record:
      return record.map { $0.defaults == nil } == true
        ? UInt8(DECANT_RUN_RECORDS) : UInt8(DECANT_RUN_OTHER)
    case .array where element.ordinal <= DECANT_RUN_TEXT: return kind.ordinal
    default: return kind.isNumber ? kind.ordinal : UInt8(DECANT_RUN_OTHER)
    }
  }
}

extension decant_record_steps {
  /// Whether a run takes every field.
  fileprivate var areRuns: Bool {
    (0..<count).allSatisfy { unsafe steps.unsafelyUnwrapped[$0].run != UInt8(DECANT_RUN_OTHER) }
  }
}

/// A record of a copy.
@safe
struct PlannedRecord {
  // The record is first, and its steps follow: RecordRef.steps.
  var table: decant_record
  // SAFETY: a step for each of the record's fields.
  var steps: decant_record_steps
  var facts = RecordFacts()
}

/// The results of a check, and how a record is written.
struct RecordFacts {
  /// Whether there are results of a check: only of the record that leads to the others.
  var isKnown = false
  var needsBlock = false
  var readsText = false
  var isUsual = false
  var hasArrays = false
  var isClosed = false
  /// How the record is written; 0 if that is not known.
  var shape: UInt8 = 0
  /// Bytes of the block.
  var size = 0
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
    let keysStart = stepsStart + fields * MemoryLayout<decant_field_step>.stride
    let size = keysStart + records.bytesOfKeys
    guard let block = allocator.allocate(size) else { return nil }
    let start = unsafe block.start
    let planned = unsafe start.bindMemory(to: PlannedRecord.self, capacity: records.count)
    var rows = unsafe (start + fieldsStart).bindMemory(to: decant_field.self, capacity: fields)
    var steps = unsafe (start + stepsStart).bindMemory(
      to: decant_field_step.self, capacity: fields)
    var key = block.advanced(by: keysStart)
    for index in 0..<records.count {
      let original = records[index]
      var table = unsafe original.pointer.pointee
      unsafe table.fields = UnsafePointer(rows)
      let place = unsafe UnsafeRawPointer(planned + index)
      unsafe table.field_size =
        RecordRef(place.assumingMemoryBound(to: decant_record.self)).mark
      table.flags |= decant_record.prepared
      unsafe (planned + index).initialize(
        to: PlannedRecord(
          table: table,
          steps: decant_record_steps(
            steps: steps, count: original.fieldCount, size: original.size,
            is_itself: original.isItself, is_list: false, is_written: false)))
      var isWritten = true
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
        let name = key.advanced(by: 2)
        let isPlain = field.hasKey && key.write(key: field.key)
        if field.hasKey { key = key.advanced(by: field.keyLength &+ 4) }
        let step = unsafe decant_field_step(
          field, of: original, record: inner?.steps,
          field.hasKey ? UnsafePointer(name.bytePointer) : nil)
        unsafe steps.initialize(to: step)
        if step.is_itself {
          unsafe planned[index].steps.is_list = step.run == DECANT_RUN_ARRAY
        } else if step.run != UInt8(DECANT_RUN_OTHER), !isPlain || step.key.length == .max {
          isWritten = false
        }
        unsafe rows += 1
        unsafe steps += 1
      }
      unsafe planned[index].steps.is_written = isWritten
    }
    unsafe Self.stopRuns(planned, records.count)
    let copy = unsafe UnsafeRawPointer(planned).assumingMemoryBound(to: decant_record.self)
    self.init(record: unsafe RecordRef(copy), isCopy: true, block: block, size: size)
  }

  /// Makes runs enter only records of which they take every field.
  private static func stopRuns(_ planned: UnsafeMutablePointer<PlannedRecord>, _ count: Int) {
    var isStable = false
    while !isStable {
      isStable = true
      for index in 0..<count {
        let own = unsafe planned[index].steps
        // SAFETY: the steps are in the same block, which is not in use yet.
        let steps = unsafe UnsafeMutablePointer(mutating: own.steps.unsafelyUnwrapped)
        for place in 0..<own.count {
          let step = unsafe steps + place
          if unsafe step.pointee.run != UInt8(DECANT_RUN_OTHER),
            let inner = unsafe step.pointee.record, unsafe !inner.pointee.areRuns
          {
            unsafe step.pointee.run = UInt8(DECANT_RUN_OTHER)
            isStable = false
          }
        }
      }
    }
  }

  func release(_ allocator: decant_allocator) { allocator.release(block, size) }

  /// A copy from malloc that has the results of a check; the table itself, if it is too large to be copied. Nil if there is
  /// no memory.
  static func prepared(_ record: RecordRef, _ check: RecordCheck) -> RecordRef? {
    guard let plan = Self(record, decant_allocator()) else { return nil }
    guard plan.isCopy, let block = plan.block else { return record }
    let memory = unsafe block.start
    let records = unsafe memory.assumingMemoryBound(to: PlannedRecord.self)
    var place = 0
    // The fields follow the last record.
    while unsafe UnsafeRawPointer(records + place)
      < UnsafeRawPointer(records.pointee.table.fields.unsafelyUnwrapped)
    {
      let copy = unsafe UnsafeRawPointer(records + place)
        .assumingMemoryBound(to: decant_record.self)
      let shape = unsafe RecordRef(copy).shape
      unsafe records[place].facts.shape = UInt8(truncatingIfNeeded: shape?.rawValue ?? 0)
      place += 1
    }
    let shape = unsafe records.pointee.facts.shape
    unsafe records.pointee.facts = check.facts
    unsafe records.pointee.facts.shape = shape
    unsafe records.pointee.facts.size = plan.size
    return plan.record
  }

  /// Frees such a copy; ignores other tables.
  static func release(_ record: RecordRef) {
    guard let facts = record.facts else { return }
    let block = unsafe Memory(reading: UnsafeRawPointer(record.pointer))
    decant_allocator().release(block, facts.size)
  }
}

extension Memory {
  /// Writes a comma, a key in quotation marks, and a colon. Returns whether it is JSON so.
  fileprivate func write(key: Bytes) -> Bool {
    let name = advanced(by: 2)
    let isPlain = name.copyPlain(key)
    if !isPlain { name.copy(key) }
    store(UInt8(ascii: ","))
    store(UInt8(ascii: "\""), at: 1)
    store(UInt8(ascii: "\""), at: key.count &+ 2)
    store(UInt8(ascii: ":"), at: key.count &+ 3)
    return isPlain
  }
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

  /// What the keys of all fields take, as they are written.
  var bytesOfKeys: Int {
    var bytes = 0
    for place in 0..<count {
      for field in self[place].fields where field.hasKey { bytes += field.keyLength + 4 }
    }
    return bytes
  }

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
        if let inner = field.heldRecord, !add(inner) { return nil }
      }
    }
    return fields
  }
}
