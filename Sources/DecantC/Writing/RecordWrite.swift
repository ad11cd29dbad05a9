// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A struct as JSON text, by the table that fills it. The walk goes over table and memory:
//
//   struct  { id 5         name ─► "Ann"    email NULL }
//   table     id INT64     name STRING      email STRING OPTIONAL
//   text    { "id":5,      "name":"Ann"               }
//
// Decoding the text gives the same struct. A value that the table would reject, or that JSON cannot express, is an error with
// its path; the first error ends the walk. Nothing here allocates.
//
// Fields that most structs are made of, numbers, booleans and strings with no flags but DECANT_OPTIONAL, are written
// where they are found; RecordWrite+Values.swift has all the others, and RecordWrite+Paths.swift the records whose
// fields have pointers for keys.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Bytes of a text that decoding can read.
private let largestText = Int(clamping: 0xFFFF_FFFE as Int64)

@safe
struct RecordWrite {
  var text: BoundedText
  /// Records around the present one.
  private var depth = 0
  /// Objects and arrays that pointers have opened.
  var levels = 0
  /// The defaults of the present struct, from which absent members are copied.
  private(set) var defaults: Memory?
  private let error: ErrorOut
  /// Whether all records are objects with a key for each field.
  private let areObjects: Bool
  /// Records whose shape is known: address and shape.
  private var shapes = SIMD8<UInt>()

  /// - Parameter check: That of the table, for writing. Nil: nothing is known of the shapes of records.
  init(_ text: BoundedText, _ error: ErrorOut, _ check: RecordCheck? = nil) {
    self.text = text
    self.error = error
    areObjects = check?.areObjects ?? false
  }

  // MARK: - Records

  /// Writes a struct as an object; or as its only value, if that has the pointer "".
  mutating func write(
    _ record: RecordRef, _ value: Memory, at path: StepPath
  ) -> Status {
    if let own = record.defaults { defaults = own }
    switch shape(of: record) {
    case .keys: return writeMembers(record, value, at: path)
    case .itself:
      for field in record.fields where field.kind != .key {
        return writeItself(field, value, at: path)
      }
      return ok
    case .paths:
      return record.hasRest
        ? fail(.unionWithRepeatedKeys, .record, nil, at: path)
        : writeByPaths(record, value, at: path)
    case nil: return fail(.noMemory, .record, nil, at: path)
    }
  }

  private mutating func writeMembers(
    _ record: RecordRef, _ value: Memory, at path: StepPath
  ) -> Status {
    var separator = UInt8(ascii: "{")
    let status = addMembers(record, value, &separator, at: path)
    if status != ok { return status }
    if separator == UInt8(ascii: "{") { text.add(separator) }
    text.add(UInt8(ascii: "}"))
    return ok
  }

  /// Writes the fields of a struct into an object that was begun.
  @inline(__always)
  private mutating func addMembers(
    _ record: RecordRef, _ value: Memory, _ separator: inout UInt8, at path: StepPath
  ) -> Status {
    if hasRuns(record), defaults == nil { return addRuns(record, value, &separator, at: path) }
    for field in record.fields {
      let status = addMember(field, of: record, value, &separator, at: path)
      if status != ok { return status }
    }
    return ok
  }

  /// Whether runs in C (runs_write.c) write fields of a record, for which absent members are zeros.
  @inline(__always)
  private func hasRuns(_ record: RecordRef) -> Bool {
    unsafe record.isPrepared && record.steps.pointee.is_written
  }

  /// Runs of fields, and those in between, one by one.
  @inline(never)
  private mutating func addRuns(
    _ record: RecordRef, _ value: Memory, _ separator: inout UInt8, at path: StepPath
  ) -> Status {
    var index = 0
    while true {
      unsafe text.addMembers(
        record.steps, from: &index, of: value, &separator, levels: deepestRecord &- depth)
      if index == record.fieldCount { return ok }
      let status = addMember(record[index], of: record, value, &separator, at: path)
      if status != ok { return status }
      index &+= 1
    }
  }

  /// Writes a field, or leaves it out.
  @inline(__always)
  private mutating func addMember(
    _ field: FieldRef, of record: RecordRef, _ value: Memory, _ separator: inout UInt8,
    at path: StepPath
  ) -> Status {
    let kind = field.kind
    if field.isPlain {
      if writePlain(field, kind, of: value, &separator) { return ok }
      if field.isBare, kind.hasParts, addKey(field, &separator) {
        // An array of structs: of any length, as there are no bounds.
        if kind == .array, field.element == .record, let record = field.record,
          let first = value.target(at: field.offset), let count = field.length(in: value), count > 0
        {
          return path.adding(.field(field)) { writeRecords(record, from: first, count, at: $0) }
        }
        return writeValue(field, kind, of: value, at: path)
      }
    }
    return field.isRest
      ? addRest(field, kind, of: record, value, &separator, at: path)
      : kind == .union
        ? addCase(field, of: record, value, &separator, at: path)
        : writeMember(field, kind, of: value, &separator, at: path)
  }

  // MARK: - Arrays of records

  /// Structs of which a copy of the table is worth its time, and the most fields of such a copy.
  private static var manyRecords: Int { 64 }
  /// An array in which so many more runs stop does not try another one.
  private static var mostStops: Int { 4 }

  /// Writes an array of structs.
  mutating func writeRecords(
    _ record: RecordRef, from first: Memory, _ count: Int, at path: StepPath
  ) -> Status {
    if count < Self.manyRecords || record.isPrepared {
      return writeMany(record, from: first, count, at: path)
    }
    // Without memory for it, they are written by the table itself.
    let memory = decant_allocator()
    let plan = RecordPlan(record, memory, upTo: Self.manyRecords)
    defer {
      plan?.release(memory)
      // The next copy may have the same address.
      shapes = SIMD8()
    }
    return writeMany(plan?.record ?? record, from: first, count, at: path)
  }

  private mutating func writeMany(
    _ record: RecordRef, from first: Memory, _ count: Int, at path: StepPath
  ) -> Status {
    let stride = record.size
    // Elements inherit no defaults.
    let isRun = hasRuns(record) && record.defaults == nil
    // How many more runs stopped than structs were written by runs: the struct of each is written again.
    var stops = 0
    var index = 0
    if count == 0 { text.add(UInt8(ascii: "[")) }
    while index < count {
      var separator = index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ",")
      if isRun, stops < Self.mostStops {
        let added = unsafe text.addRecords(
          record.steps, from: first.advanced(by: index &* stride), count &- index, &separator,
          levels: deepestRecord &- depth)
        index &+= added
        if index == count { break }
        stops = max(stops &- added, 0) &+ 1
      }
      text.add(separator)
      let status = path.adding(.index(index)) {
        nested(record, first.advanced(by: index &* stride), at: $0)
      }
      if status != ok { return status }
      index &+= 1
    }
    text.add(UInt8(ascii: "]"))
    return ok
  }

  /// Writes a field of a common kind, when nothing is unusual. False if nothing was done.
  @inline(__always)
  private mutating func writePlain(
    _ field: FieldRef, _ kind: FieldKind, of value: Memory, _ separator: inout UInt8
  ) -> Bool {
    var isOptional = field.flags != 0
    let presence = field.plainPresenceOffset
    if presence != 0 {
      if value.load(UInt8.self, at: presence) == 0 { return isOptional }
      isOptional = false
    }
    // The general path decides which fields are absent.
    if isOptional, defaults != nil { return false }
    let place = value.advanced(by: field.offset)
    switch kind {
    case .int64: return writePlain(place.load(Int64.self), field, isOptional, &separator)
    case .int32: return writePlain(Int64(place.load(Int32.self)), field, isOptional, &separator)
    case .bool:
      let byte = place.load(UInt8.self)
      if isOptional, byte == 0 { return true }
      guard byte <= 1, addKey(field, &separator) else { return false }
      text.add(byte == 0 ? "false" : "true")
    case .double:
      let number = place.load(Double.self)
      if isOptional, number.bitPattern == 0 { return true }
      guard number.isFinite, addKey(field, &separator) else { return false }
      text.add(number)
    case .string, .text:
      return writePlainText(field, kind, isOptional, at: place, of: value, &separator)
    default: return false
    }
    return true
  }

  @inline(__always)
  private mutating func writePlain(
    _ number: Int64, _ field: FieldRef, _ isOptional: Bool, _ separator: inout UInt8
  ) -> Bool {
    if isOptional, number == 0 { return true }
    guard addKey(field, &separator) else { return false }
    text.add(number)
    return true
  }

  @inline(__always)
  private mutating func writePlainText(
    _ field: FieldRef, _ kind: FieldKind, _ isOptional: Bool, at place: Memory, of value: Memory,
    _ separator: inout UInt8
  ) -> Bool {
    let length = field.plainLengthOffset
    guard let target = place.target() else {
      // An optional string of zeros is absent.
      return isOptional && (length == 0 || value.load(Int.self, at: length) == 0)
        && (kind == .string || place.load(Int.self, at: pointerWidth) == 0)
    }
    let bytes =
      kind == .text
      ? target.bytes(place.load(Int.self, at: pointerWidth))
      : length != 0 ? target.bytes(value.load(Int.self, at: length)) : target.cString
    let before = text.count
    let first = separator
    guard bytes.count >= 0, addKey(field, &separator) else { return false }
    if text.add(quoting: bytes) { return true }
    // The general path reports the string.
    text.cut(to: before)
    separator = first
    return false
  }

  /// Begins a member. False if its key is not plain.
  @inline(__always)
  private mutating func addKey(_ field: FieldRef, _ separator: inout UInt8) -> Bool {
    guard text.addPlainKey(separator, field.key) else { return false }
    separator = UInt8(ascii: ",")
    return true
  }

  /// Writes any field, or leaves it out.
  @inline(never)
  private mutating func writeMember(
    _ field: FieldRef, _ kind: FieldKind, of value: Memory, _ separator: inout UInt8,
    at path: StepPath
  ) -> Status {
    if kind == .key { return ok }
    if kind == .record, field.isFlat {
      return addFlat(field, of: value, &separator, at: path)
    }
    let presence = presence(of: field, kind, in: value)
    if presence.isAbsent, field.mayBeAbsent { return ok }
    text.add(separator)
    separator = UInt8(ascii: ",")
    guard text.add(quoting: field.key) else {
      return fail(.keyIsNotText, kind, field, at: path, isField: false)
    }
    text.add(UInt8(ascii: ":"))
    return write(field, kind, presence, of: value, at: path)
  }

  @inline(never)
  private mutating func addFlat(
    _ field: FieldRef, of value: Memory, _ separator: inout UInt8, at path: StepPath
  ) -> Status {
    guard let record = field.record else { return ok }
    let outer = defaults
    defer { defaults = outer }
    defaults = record.defaults ?? outer?.advanced(by: field.offset)
    return path.adding(.field(field)) {
      addMembers(record, value.advanced(by: field.offset), &separator, at: $0)
    }
  }

  /// Writes a union's tag, and then the members of its case.
  @inline(never)
  private mutating func addCase(
    _ field: FieldRef, of outer: RecordRef, _ value: Memory, _ separator: inout UInt8,
    at path: StepPath
  ) -> Status {
    if field.mayBeAbsent, presence(of: field, .union, in: value).isAbsent { return ok }
    let tag = field.length(in: value) ?? 0
    guard let names = field.names,
      let (place, entry) = names.enumerated().first(where: {
        $0.element.value == Int64(tag) && !names.isShadowed($0.element)
      })
    else { return fail(.noName(Int64(tag)), .union, field, at: path, isField: true) }
    text.add(separator)
    separator = UInt8(ascii: ",")
    guard text.add(quoting: field.key) else {
      return fail(.keyIsNotText, .union, field, at: path, isField: false)
    }
    text.add(UInt8(ascii: ":"))
    guard text.add(quoting: entry.name) else {
      return fail(.notText, .union, field, at: path, isField: true)
    }
    if field.hasOtherCase(of: entry.value) {
      return fail(.severalCases, .union, field, at: path, isField: true)
    }
    guard let record = field.record(ofCase: place) else { return ok }
    guard let shape = shape(of: record) else {
      return fail(.noMemory, .union, field, at: path, isField: true)
    }
    // The members of the case are written one after another, behind those of the record around it.
    if shape != .keys
      || record.fields.contains(where: { $0.kind != .key && outer.hasField($0.key) })
    {
      return fail(.unionWithRepeatedKeys, .union, field, at: path, isField: true)
    }
    let above = defaults
    defer { defaults = above }
    defaults = record.defaults
    return addMembers(record, value.advanced(by: field.offset), &separator, at: path)
  }

  // MARK: - Nested records

  /// - Parameter defaults: The enclosing struct's defaults for this one.
  mutating func nested(
    _ record: RecordRef, _ value: Memory, defaults inherited: Memory? = nil, at path: StepPath
  ) -> Status {
    if depth >= deepestRecord {
      return fail(.tooDeep("records nest more than 32 deep"), .record, nil, at: path)
    }
    if depth >= deepestUnasked, !decant_stack_has_room() {
      return fail(.tooDeep(stackIsFull), .record, nil, at: path)
    }
    // Structs that several pointers lead to are written several times.
    if text.count > largestText { return fail(.tooLarge, .record, nil, at: path) }
    depth &+= 1
    let outer = defaults
    defaults = inherited
    let status = write(record, value, at: path)
    defaults = outer
    depth &-= 1
    return status
  }

  /// Whether the text can be read again.
  var isTooLarge: Bool { text.count > largestText }

  // MARK: - Shapes

  /// How a record is written.
  enum Shape: UInt {
    /// As an object, with a key for each field.
    case keys = 1
    /// As its only field's value.
    case itself
    /// As the objects and arrays that its fields' pointers name.
    case paths
  }

  @inline(__always)
  private mutating func shape(of record: RecordRef) -> Shape? {
    if areObjects { return .keys }
    if record.isPrepared,
      let shape = unsafe Shape(rawValue: UInt(record.planned.pointee.facts.shape))
    {
      return shape
    }
    let address = unsafe UInt(bitPattern: record.pointer)
    let place = Int(truncatingIfNeeded: address &>> 4 ^ address &>> 7) & 7
    return unsafe withUnsafeMutableBytes(of: &shapes) {
      // SAFETY: one of eight numbers.
      let known = unsafe $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt.self) + place
      // Tables are aligned to their pointers.
      if unsafe known.pointee & ~3 == address,
        let shape = unsafe Shape(rawValue: known.pointee & 3)
      {
        return shape
      }
      guard let shape = record.shape else { return nil }
      if address & 3 == 0 { unsafe known.pointee = address | shape.rawValue }
      return shape
    }
  }

  // MARK: - Failures

  /// Reports the error of a field of the struct at a path, or of the value at the path itself.
  @inline(never)
  func fail(
    _ problem: StructError.Problem, _ kind: FieldKind, _ field: FieldRef?,
    at path: StepPath, isField: Bool = false
  ) -> Status {
    let failure = StructError(problem: problem, kind: kind, field: field)
    func report(_ path: StepPath) -> Status {
      var report = Report(error)
      report.add(failure, at: path)
      return report.finish()
    }
    guard isField, let field else { return report(path) }
    return path.adding(.field(field), report)
  }
}

extension RecordRef {
  /// How the record is written. Fields of a kind alone (DECANT_KIND) may share their value with others.
  var shape: RecordWrite.Shape? { hasKeysApart ? .keys : exactShape }

  /// Whether each of a few fields has a key of its own, which is no pointer. Fields of a kind alone do not count.
  @inline(never)
  private var hasKeysApart: Bool {
    if fieldCount > KeyBits.most { return false }
    var keys = KeyBits()
    for field in fields where field.row.kind != UInt16(DECANT_KEY) {
      if field.isPointer || !keys.add(field, of: self) { return false }
    }
    return true
  }

  @inline(never)
  private var exactShape: RecordWrite.Shape? {
    var hasPointers = false
    var isRepeated = false
    let isSmall = fieldCount <= KeyBits.most
    // A bit for each key, so that few have to be compared with those before them.
    var (seen, others): (UInt64, UInt64) = (0, 0)
    for field in fields where field.kind != .key {
      if field.isPointer {
        if !field.isRest { hasPointers = true }
        continue
      }
      if !isSmall { continue }
      let hash = field.keyHash
      let bit: UInt64 = 1 &<< UInt64(hash & 63)
      let isEven = hash & 64 == 0
      if (isEven ? seen : others) & bit != 0, self.isRepeated(field) { isRepeated = true }
      if isEven { seen |= bit } else { others |= bit }
    }
    if hasPointers { return shapeWithPointers }
    if !isSmall {
      guard let hasRepeatedKeys else { return nil }
      isRepeated = hasRepeatedKeys
    }
    return isRepeated ? .paths : .keys
  }

  @inline(never)
  private var shapeWithPointers: RecordWrite.Shape? {
    var members = fields.lazy.filter { $0.kind != .key }.makeIterator()
    if let first = members.next(), first.isItself, members.next() == nil { return .itself }
    let areFlat = !fields.contains { $0.isPointer && $0.kind != .key && !$0.isFlat }
    guard areFlat, let count = flatCount else { return .paths }
    return areFlatKeysDistinct(count).map { $0 ? .keys : .paths }
  }

  /// Whether all members of the object have keys of their own, those of records by the pointer "" included.
  @inline(never)
  private func areFlatKeysDistinct(_ count: Int) -> Bool? {
    var pair: (first: Int, second: Int)?
    let memory = decant_allocator()
    let status = withMemory(count * pointerWidth, onStack: 1024, memory) { block in
      var used = 0
      collectFlat(block, &used)
      do throws(RepeatedKeys.NoMemory) {
        // SAFETY: fields of the table.
        pair = try RepeatedKeys.first(of: count, memory) {
          block.target(at: $0 * pointerWidth).map { unsafe FieldRef(at: $0).key }
        }
        return ok
      } catch _ { return Status(DECANT_OUT_OF_MEMORY) }
    }
    return status == ok ? pair == nil : nil
  }

  /// How many members the object has; nil if one is by a pointer that leads into it.
  private var flatCount: Int? {
    var count = 0
    for field in fields where field.kind != .key {
      guard field.isFlat || !field.isPointer else { return nil }
      guard let inner = field.isFlat ? field.record?.flatCount : 1 else { return nil }
      count += inner
    }
    return count
  }

  private func collectFlat(_ block: Memory, _ used: inout Int) {
    for field in fields where field.kind != .key {
      if field.isFlat {
        field.record?.collectFlat(block, &used)
      } else {
        block.advanced(by: used * pointerWidth).point(to: field.place)
        used += 1
      }
    }
  }

  fileprivate func isRepeated(_ field: FieldRef) -> Bool {
    fields.prefix(index(of: field)).contains {
      $0.kind != .key && $0.hasKey && $0.key == field.key
    }
  }

  /// Whether two of many fields without pointers have the same key; nil if memory for the check is exhausted.
  @inline(never)
  private var hasRepeatedKeys: Bool? {
    do throws(RepeatedKeys.NoMemory) {
      let pair = try RepeatedKeys.first(of: fieldCount, decant_allocator()) {
        self[$0].kind == .key || self[$0].isRest ? nil : self[$0].key
      }
      return pair != nil
    } catch _ { return nil }
  }
}

/// A bit for each key of a record, so that few have to be compared with those before them.
struct KeyBits {
  private var seen: UInt64 = 0

  /// Fields for whose keys a few bits are enough.
  static var most: Int { 64 }

  /// Adds one of a few fields, which is no pointer. False if an earlier one has its key.
  @inline(__always)
  mutating func add(_ field: FieldRef, of record: RecordRef) -> Bool {
    let bit: UInt64 = 1 &<< UInt64(field.keyHash & 63)
    if seen & bit != 0, record.isRepeated(field) { return false }
    seen |= bit
    return true
  }
}

extension FieldRef {
  /// A number that is the same for equal keys.
  @inline(__always)
  fileprivate var keyHash: Int {
    var count = givenKeyLength
    if count == 0 { count = keyLength }
    if count == 0 { return 0 }
    let start = unsafe keyStart
    // SAFETY: the key has `count` bytes.
    return unsafe count &* 4 &+ Int(start[count &- 1]) &* 5 &+ Int(start[0])
  }
}
