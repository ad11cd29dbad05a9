// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Whether a table is valid, before anything is written by it: every byte that decoding writes is inside the
// struct, no two fields share one, and each field has what its kind needs. These are the only rules about
// tables; all later walks rely on them.
//
// Plain fields in the order of their offsets, with the storage before or after them, are checked by a few
// comparisons each:
//
//   struct   id  name  name_length  email  email_length  storage
//   offset   0   8     16           24     32            40        each begins where the last ended, or later
//
// For other structs, the ranges of bytes that fields write are sorted. Records nest; one that is being checked already is not checked again,
// and is a fault if it would hold itself.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A fault of a table.
struct RecordFault {
  let message: StaticString
  let record: RecordRef?
  let field: FieldRef?
  /// The nearest field with a name that holds the record, if one does.
  var holder: FieldRef?
  /// Another field that the message is about.
  var other: FieldRef?

  /// There is no memory to check the table.
  static var noMemory: RecordFault {
    RecordFault(message: "out of memory", record: nil, field: nil, isMemory: true)
  }
  var isMemory = false
}

/// How deep records nest.
let deepestRecord = 32

/// Records that nest no deeper fit every stack, so the end of the thread's stack need not be known.
let deepestUnasked = 4
let stackIsFull: StaticString = "records nest too deeply for the stack of this thread"

/// How many fields one call looks at, for tables that nest the same records again and again.
let mostFields = 100_000

/// The fields that most structs are made of, in the order of their offsets: numbers, booleans and strings, with no
/// flags but DECANT_OPTIONAL. They are valid after a few comparisons.
struct PlainFields {
  private let size: Int
  /// The end of the last field.
  var end = 0
  /// A bit for each kind of a field.
  private var kinds: UInt64 = 0

  init(_ size: Int) { self.size = size }

  /// Whether a record is valid, has no other fields, and is filled from a text. If not, nothing is said about it.
  @inline(__always)
  static func accepts(_ record: RecordRef) -> Bool {
    let (size, storage) = (record.size, record.storageOffset)
    guard record.isPlain, record.hasFields, size > 0, size <= largestStruct,
      storage == 0 || storage > 0 && storage <= size &- pointerWidth,
      record.fieldCount > 0, record.fieldCount <= 63
    else { return false }
    var plain = PlainFields(size)
    var (field, end) = (record[0], record[record.fieldCount])
    while field != end {
      if !plain.take(field) { return false }
      field = field.next
    }
    return record.isStorageApart(from: plain.end) && !plain.hasOther
      && (!plain.hasStrings || storage != 0)
  }

  /// Whether a field is plain and valid, and begins after the last one. If false, the field may still be valid.
  @inline(__always)
  mutating func take(_ field: FieldRef) -> Bool {
    guard let kind = field.knownKind, !kind.hasContent, field.isUsual, field.hasKey
    else { return false }
    let begin = field.offset
    var last = begin &+ kind.width
    if begin < end { return false }
    let length = field.plainLengthOffset
    if length != 0 {
      if length < last { return false }
      last = length &+ countWidth
    }
    if last > size { return false }
    end = last
    kinds |= kind.bit
    return true
  }

  /// Whether a field needs the block: of the kinds of `needsBlock` that have no content.
  var hasStrings: Bool { kinds & Self.strings != 0 }

  /// Whether a field has a kind that cannot be filled from a text.
  var hasOther: Bool { kinds & ~Self.readFromText != 0 }

  private static var strings: UInt64 {
    FieldKind.string.bit | FieldKind.text.bit | FieldKind.raw.bit | FieldKind.base64.bit
  }
  private static var readFromText: UInt64 {
    2 &* FieldKind.text.bit &- 1 | FieldKind.time.bit | FieldKind.date.bit
  }
}

/// One look at a table.
struct RecordCheck {
  /// The first fault, after a look that did not succeed.
  private(set) var fault: RecordFault?
  /// Whether structs of the table need a block.
  private(set) var needsBlock = false
  /// Whether structs of the table can be filled from a text (RecordFill+Text.swift): none has flags but DECANT_OPTIONAL,
  /// nor kinds that take an index.
  private(set) var readsText = true
  /// Whether the table is one of PlainFields.
  private(set) var isUsual = true
  /// Whether structs of the table have arrays in the block.
  private(set) var hasArrays = false
  /// Whether every record of the table is written as an object with a key for each field (RecordWrite.Shape). Only looked at
  /// for writing; false if that is not known.
  private(set) var areObjects: Bool
  /// Whether a table is closed.
  private var isClosed = false
  private var fields = 0
  /// Whether bounds and all names of enums and flags are checked, too. Decoding checks those that it needs.
  private let isThorough: Bool
  /// For many fields that are not in the order of their offsets.
  private let memory: decant_allocator

  init(
    _ memory: decant_allocator = decant_allocator(), isThorough: Bool = false,
    forWriting isForWriting: Bool = false
  ) {
    self.memory = memory
    self.isThorough = isThorough
    areObjects = isForWriting
  }

  /// The table, if decoding may use it. A struct that nothing holds needs a place for its block, if it has one.
  @inline(__always)
  mutating func accepted(_ record: RecordRef?, needsStorage: Bool) -> RecordRef? {
    guard let record else {
      fault = RecordFault(message: "record is NULL", record: nil, field: nil)
      return nil
    }
    if !isThorough, let facts = record.facts {
      take(facts)
    } else {
      let root = unsafe Holder(
        record: record, parent: nil, isByValue: false, isEntry: false, depth: 1)
      if !check(root) { return nil }
    }
    if needsStorage, needsBlock, record.storageOffset == 0 {
      _ = fail("it has strings, arrays or maps, and no storage_offset", record)
      return nil
    }
    return record
  }

  /// What was found out about a table, for a copy of it.
  var facts: RecordFacts {
    RecordFacts(
      isKnown: true, needsBlock: needsBlock, readsText: readsText, isUsual: isUsual,
      hasArrays: hasArrays, isClosed: isClosed)
  }

  @inline(__always)
  private mutating func take(_ facts: RecordFacts) {
    // Each record of such a table has its own shape.
    areObjects = false
    (needsBlock, readsText, isUsual) = (facts.needsBlock, facts.readsText, facts.isUsual)
    (hasArrays, isClosed) = (facts.hasArrays, facts.isClosed)
  }

  /// Whether members are looked for that no field names.
  func looksForUnknown(_ settings: Settings) -> Bool { isClosed || settings.rejectsUnknown }

  /// A record that is being checked, and the one whose field holds it: by value, or as a map's member.
  @safe
  private struct Holder {
    let record: RecordRef
    // SAFETY: in the frame of the check that called this one.
    let parent: UnsafePointer<Holder>?
    let isByValue: Bool
    let isEntry: Bool
    let depth: Int
  }

  @inline(never)
  private mutating func fail(
    _ message: StaticString, _ record: RecordRef, _ field: FieldRef? = nil
  ) -> Bool {
    fault = RecordFault(message: message, record: record, field: field)
    return false
  }

  private mutating func check(_ here: Holder) -> Bool {
    let record = here.record
    let size = record.size
    guard checkHead(record, size) else { return failed(here) }
    if isThorough {
      isUsual = false
      if !checkThoroughly(record) { return failed(here) }
    }
    var plain = PlainFields(size)
    var isOrdered = true
    var keys = KeyBits()
    if record.fieldCount > KeyBits.most { areObjects = false }
    var looksAtKeys = areObjects
    for field in record.fields {
      if !plain.take(field) {
        isUsual = false
        // A copy, so that the loop keeps the end in a register.
        var end = plain.end
        let isValid =
          checkPart(field, of: here, &end) ?? checkOther(field, of: here, &end, &isOrdered)
        if !isValid { return failed(here) }
        plain.end = end
        looksAtKeys = areObjects
      }
      if looksAtKeys, !keys.add(field, of: record) { (areObjects, looksAtKeys) = (false, false) }
    }
    if plain.hasStrings { needsBlock = true }
    if plain.hasOther { readsText = false }
    return isOrdered && record.isStorageApart(from: plain.end) || hasNoOverlap(record)
      || failed(here)
  }

  /// Checks any field.
  @inline(never)
  private mutating func checkOther(
    _ field: FieldRef, of here: Holder, _ end: inout Int, _ isOrdered: inout Bool
  ) -> Bool {
    let record = here.record
    if !field.hasKnownScale {
      return fail("scale of a field that is no DECANT_DECIMAL", record, field)
    }
    if !field.hasKnownBounds { return fail("unknown ends of its bounds", record, field) }
    if !field.hasKnownLengthKind {
      return fail("length_kind is not that of an integer", record, field)
    }
    guard let kind = field.knownKind else { return fail("kind is unknown", record, field) }
    if field.isPointer || kind == .key { areObjects = false }
    if field.hasOtherKeys, !checkOtherKeys(of: field, kind, record) { return false }
    if field.flags > UInt32(DECANT_OPTIONAL) || field.hasOtherKeys || !kind.isReadFromText {
      readsText = false
    }
    let width = checkSpecial(field, kind, of: here)
    if width == 0 || !checkPlaces(of: field, width, in: record, &end, &isOrdered) { return false }
    if !field.hasKey, kind != .key, !field.isRest { return fail("key is NULL", record, field) }
    return true
  }

  /// Checks a field that is a record, or an array of records, numbers or strings, with no flags but DECANT_OPTIONAL, behind
  /// the fields before it. Nil for any other field, about which nothing is said.
  private mutating func checkPart(
    _ field: FieldRef, of here: Holder, _ end: inout Int
  ) -> Bool? {
    guard !isThorough, let kind = field.knownKind, kind == .record || kind == .array, field.isUsual,
      field.hasKey, let content = kind == .record ? kind : field.knownElement
    else { return nil }
    let nested = content == .record ? field.record : nil
    let width = nested?.size ?? content.width
    // The content is valid, and has the size that the row says.
    guard content == .record ? nested != nil : content.ordinal <= DECANT_RUN_TEXT, width > 0,
      width <= largestStruct, field.extentOfMember == 0 || field.extentOfMember == width
    else { return nil }
    let (begin, length) = (field.offset, field.plainLengthOffset)
    var last = begin &+ (kind == .record ? width : pointerWidth)
    if kind == .array {
      guard length >= last else { return nil }
      last = length &+ countWidth
    }
    guard begin >= end, kind == .array || length == 0, last <= here.record.size else { return nil }
    end = last
    if kind == .array { (needsBlock, hasArrays) = (true, true) }
    guard let nested else { return true }
    return check(nested, in: field, of: here, isByValue: kind == .record, isEntry: false)
  }

  /// Finds who holds the record of the fault.
  @inline(never)
  private mutating func failed(_ here: Holder) -> Bool {
    if fault?.holder == nil, let above = unsafe here.parent?.pointee.record {
      fault?.holder = above.fields.first {
        $0.heldRecord == here.record && ($0.kind == .map) == here.isEntry && $0.hasKey
          && $0.key.count > 0
      }
    }
    return false
  }

  @inline(__always)
  private mutating func checkHead(_ record: RecordRef, _ size: Int) -> Bool {
    let count = record.fieldCount
    let storage = record.storageOffset
    fields &+= count
    if !record.isPlain {
      if !record.hasKnownFieldSize {
        return fail("field_size is not the sizeof(decant_field) of this library", record)
      }
      if !record.hasKnownFlags { return fail("unknown flags", record) }
      if record.has(DECANT_CLOSED) { isClosed = true }
      if !record.hasNoFlags { readsText = false }
    }
    if count > 0, !record.hasFields { return fail("fields is NULL", record) }
    // As unsigned numbers, negative ones are too large.
    if UInt(bitPattern: count) > UInt(mostFields) || fields > mostFields {
      return fail("too many fields", record)
    }
    if UInt(bitPattern: size &- 1) >= UInt(largestStruct) {
      return fail(size == 0 ? "size is 0" : "size is too large", record)
    }
    if storage != 0, size < pointerWidth || UInt(bitPattern: storage) > UInt(size &- pointerWidth) {
      return fail("storage_offset is outside the struct", record)
    }
    return true
  }

  /// Whether the bytes that a field writes are inside the struct; and whether they are in order.
  private mutating func checkPlaces(
    of field: FieldRef, _ width: Int, in record: RecordRef, _ end: inout Int,
    _ isOrdered: inout Bool
  ) -> Bool {
    for part in 0..<Self.parts {
      guard let range = range(part, of: field, width) else { continue }
      if range.upperBound > record.size {
        let isOutside: StaticString =
          part == 0
          ? "offset is outside the struct"
          : part == 1
            ? "length_offset is outside the struct"
            : part == 2
              ? "presence_offset is outside the struct" : "left_out_offset is outside the struct"
        return fail(isOutside, record, field)
      }
    }
    // A presence may be before its value or after it.
    let first = field.presenceOffset.map { $0 < field.offset } == true ? 2 : 0
    for place in first..<first + 3 {
      guard let range = range(place % 3, of: field, width) else { continue }
      if range.lowerBound < end { isOrdered = false }
      end = range.upperBound
    }
    if let range = range(3, of: field, width) {
      if range.lowerBound < end { isOrdered = false }
      end = range.upperBound
    }
    return true
  }

  /// The width of a field that is more than a number or a string, or that has flags; 0 after a fault.
  @inline(never)
  private mutating func checkSpecial(
    _ field: FieldRef, _ kind: FieldKind, of here: Holder
  ) -> Int {
    let width = field.width
    if width == 0 {
      _ = fail(explanation(of: field), here.record, field)
      return 0
    }
    return checkContent(field, kind, of: here) && checkFlags(of: field, kind, here.record)
      ? width : 0
  }

  private mutating func checkOtherKeys(
    of field: FieldRef, _ kind: FieldKind, _ record: RecordRef
  ) -> Bool {
    if kind == .key { return fail("a DECANT_KEY has no other keys", record, field) }
    if field.isPointer, field.containsOtherKey(where: { !isPointer($0) }) {
      return fail("one of other_keys is not a JSON Pointer (RFC 6901)", record, field)
    }
    return true
  }

  /// Checks the requirements of a field's flags.
  private mutating func checkFlags(
    of field: FieldRef, _ kind: FieldKind, _ record: RecordRef
  ) -> Bool {
    if field.flags <= UInt32(DECANT_OPTIONAL) { return true }
    if field.flags >= UInt32(DECANT_REST) * 2 { return fail("unknown flags", record, field) }
    if field.has(DECANT_NULL_TERMINATED | DECANT_LEAVE_OUT | DECANT_REST),
      let message = wrongList(field, kind, record)
    {
      return fail(message, record, field)
    }
    let units = field.flags & UInt32(DECANT_SECONDS | DECANT_MILLISECONDS | DECANT_NANOSECONDS)
    if units | field.flags & UInt32(DECANT_EPOCH) != 0, field.content != .time {
      return fail("a unit of time of a field that is no DECANT_TIME", record, field)
    }
    if field.has(DECANT_ZONELESS), field.content != .time {
      return fail("DECANT_ZONELESS of a field that is no DECANT_TIME", record, field)
    }
    if field.has(DECANT_AS_TEXT), !field.content.isString {
      return fail("DECANT_AS_TEXT of a field that is no string", record, field)
    }
    if field.has(DECANT_NULL_TEXTS) {
      if !field.hasNullTexts {
        return fail("DECANT_NULL_TEXTS without null_texts", record, field)
      }
      if kind == .key || !field.mayBeAbsent && !field.has(DECANT_NULL_ELEMENTS) {
        return fail("DECANT_NULL_TEXTS of a field that is never null", record, field)
      }
    }
    if units & (units &- 1) != 0 { return fail("several units of time", record, field) }
    if field.has(DECANT_NULL_ELEMENTS), kind != .array, kind != .fixedArray {
      return fail("DECANT_NULL_ELEMENTS of a field that is no array", record, field)
    }
    if field.has(DECANT_INTEGRAL), !field.content.isInteger, field.content != .time {
      return fail("DECANT_INTEGRAL of a field that is no integer", record, field)
    }
    if field.has(DECANT_EMBEDDED), kind == .key {
      return fail("DECANT_EMBEDDED of a DECANT_KEY", record, field)
    }
    if field.has(DECANT_STATE), field.presenceOffset == nil {
      return fail("DECANT_STATE without a presence_offset", record, field)
    }
    if field.has(DECANT_DEFAULT) {
      if field.standard == nil {
        return fail("DECANT_DEFAULT without a default_value", record, field)
      }
      if !kind.canHaveDefault {
        return fail("fields of this kind have no default", record, field)
      }
      if kind == .characters, field.standardText?.count == field.width {
        return fail("default_value has no NUL", record, field)
      }
      if !field.canCount(field.standardText?.count ?? 0) {
        return fail("default_value is longer than its length can say", record, field)
      }
    }
    if field.has(DECANT_POINTER), kind != .key, field.hasKey, !isPointer(field.key) {
      return fail("key is not a JSON Pointer (RFC 6901)", record, field)
    }
    return true
  }

  /// Why a field cannot be an array that ends with NULL, leave elements out, or take the members that no field names;
  /// nil if it can.
  @inline(never)
  private func wrongList(
    _ field: FieldRef, _ kind: FieldKind, _ record: RecordRef
  ) -> StaticString? {
    if field.has(DECANT_NULL_TERMINATED) {
      switch field.element {
      case .string, .raw, .recordPointer:
        if kind != .array { return "DECANT_NULL_TERMINATED of a field that is no DECANT_ARRAY" }
      default: return "DECANT_NULL_TERMINATED of elements that are no pointers"
      }
      if field.has(DECANT_NULL_ELEMENTS) {
        return "DECANT_NULL_TERMINATED and DECANT_NULL_ELEMENTS exclude each other"
      }
    }
    if field.has(DECANT_LEAVE_OUT) {
      if !kind.isCollection { return "DECANT_LEAVE_OUT of a field that is no array or map" }
      if kind == .fixedArray, field.lengthOffset == nil {
        return "DECANT_LEAVE_OUT of an array whose elements are not counted"
      }
    }
    guard field.isRest else { return nil }
    if kind != .raw && kind != .map {
      return "DECANT_REST of a field that is no DECANT_RAW or _MAP"
    }
    if field.flags & ~UInt32(DECANT_REST | DECANT_LEAVE_OUT) != 0 || field.presenceOffset != nil {
      return "a field with DECANT_REST has no flags but DECANT_LEAVE_OUT, and no presence"
    }
    if field.hasOtherKeys { return "a field with DECANT_REST has no other keys" }
    if record.hasPointers { return "a record with DECANT_REST has a DECANT_POINTER" }
    return record.fields.contains { $0.isRest && $0 != field } ? "two fields have DECANT_REST" : nil
  }

  /// Checks the requirements of a field's kind.
  private mutating func checkContent(
    _ field: FieldRef, _ kind: FieldKind, of here: Holder
  ) -> Bool {
    let (record, content) = (here.record, field.content)
    if kind == .union { return checkUnion(field, of: here) }
    if content == .name || content == .flags, field.names == nil {
      return fail("names is NULL", record, field)
    }
    if isThorough, content == .name || content == .flags,
      field.names?.contains(where: { !NameList.canHave($0.value) }) == true
    {
      return fail("a name's value does not fit into 32 bits", record, field)
    }
    if kind == .array {
      hasArrays = true
      if !content.isReadFromText { readsText = false }
    }
    if kind == .array || kind == .fixedArray, content != .record, field.elementWidth == 0 {
      return fail("element is not a kind that arrays have", record, field)
    }
    if content == .decimal, kind == .decimal, field.precision > mostDecimalDigits {
      return fail("a DECANT_DECIMAL has at most 38 digits", record, field)
    }
    if content == .decimal, field.scale > (kind == .decimal ? field.precision : mostDecimalDigits) {
      return fail("scale is more than the digits of the decimal", record, field)
    }
    if kind.needsBlock || content.needsBlock { needsBlock = true }
    if content == .converted {
      guard let conversion = field.conversion else {
        return fail("conversion is NULL", record, field)
      }
      if unsafe conversion.decode == nil {
        return fail("its conversion has no decode", record, field)
      }
      if conversion.reserved != 0 { return fail("reserved is not 0", record, field) }
    }
    if content == .key, !here.isEntry {
      return fail("a DECANT_KEY is for the record of a map", record, field)
    }
    if kind == .array || kind == .map, field.lengthOffset == nil, !field.has(DECANT_NULL_TERMINATED)
    {
      return fail("length_offset is missing", record, field)
    }
    if field.extentOfMember != 0, kind.hasParts, field.extentOfMember != field.widthOfContent {
      return fail("extent is not the size of its record or element", record, field)
    }
    guard content.isObject else { return true }
    guard let nested = field.record else { return fail("record is NULL", record, field) }
    if kind == .record, field.isItself, nested.hasRest {
      return fail("a record by the pointer \"\" has DECANT_REST", record, field)
    }
    return check(
      nested, in: field, of: here,
      isByValue: kind == .record || kind == .fixedArray && content == .record,
      isEntry: kind == .map)
  }

  /// A record that a field holds.
  private mutating func check(
    _ nested: RecordRef, in field: FieldRef, of here: Holder, isByValue holdsByValue: Bool,
    isEntry: Bool
  ) -> Bool {
    let record = here.record
    return unsafe withUnsafePointer(to: here) { parent in
      if let isInside = unsafe isChecked(nested, from: parent, holdsByValue) {
        return isInside ? fail("the record holds itself", record, field) : true
      }
      if here.depth >= deepestRecord { return fail("records nest too deeply", record, field) }
      return unsafe check(
        Holder(
          record: nested, parent: parent, isByValue: holdsByValue, isEntry: isEntry,
          depth: here.depth + 1))
    }
  }

  /// The cases of a union, whose members are among those of the object. None is found by a pointer, because encoding
  /// writes them one after another.
  private mutating func checkUnion(_ field: FieldRef, of here: Holder) -> Bool {
    let record = here.record
    guard field.hasCases, let names = field.names else {
      return fail("names or records is NULL", record, field)
    }
    if field.flags & ~UInt32(DECANT_OPTIONAL) != 0 {
      return fail("a DECANT_UNION has no flags but DECANT_OPTIONAL", record, field)
    }
    if field.lengthOffset == nil { return fail("length_offset is missing", record, field) }
    if record.hasPointers {
      return fail("a record with a DECANT_UNION has a DECANT_POINTER", record, field)
    }
    for (place, entry) in names.enumerated() {
      if entry.value < 0 || entry.value > Int32.max || !field.canCount(Int(entry.value)) {
        return fail("a name's value does not fit into the tag", record, field)
      }
      if isThorough, field.hasOtherCase(of: entry.value) {
        return fail("two names of one value have different records", record, field)
      }
      guard let nested = field.record(ofCase: place) else { continue }
      if nested.size > field.extentOfMember {
        return fail("the record of a case is larger than the union", record, field)
      }
      if !check(nested, in: field, of: here, isByValue: true, isEntry: false) { return false }
      if nested.hasPointers {
        return fail("the record of a case has a DECANT_POINTER", record, field)
      }
      if nested.hasRest { return fail("the record of a case has DECANT_REST", record, field) }
    }
    return true
  }

  /// Whether a record is one of those being checked, and then whether it would hold itself by value.
  private func isChecked(
    _ record: RecordRef, from last: UnsafePointer<Holder>, _ isByValue: Bool
  ) -> Bool? {
    var isInside = isByValue
    var holder: UnsafePointer<Holder>? = unsafe last
    while let place = unsafe holder {
      if unsafe place.pointee.record == record { return isInside }
      isInside = unsafe isInside && place.pointee.isByValue
      unsafe holder = place.pointee.parent
    }
    return nil
  }

  /// Why a field has no width.
  private func explanation(of field: FieldRef) -> StaticString {
    if field.knownKind == .union || field.content == .converted { return "extent is 0" }
    if field.knownKind != .record && field.capacity == 0 { return "capacity is 0" }
    if field.content != .record { return "element is not a kind that arrays have" }
    return field.record == nil ? "record is NULL" : "the size of its record is 0"
  }

  // MARK: - Checked by decoding when a document needs it

  /// Whether a record's fields have no more than their kinds need, and bounds that accept some value.
  private mutating func checkThoroughly(_ record: RecordRef) -> Bool {
    for field in record.fields {
      guard let kind = field.knownKind else { continue }
      let content = field.content
      if field.isClosed { return fail("its bounds let nothing in", record, field) }
      if field.extentOfMember != 0, !kind.hasParts,
        field.extentOfMember != field.width
      {
        return fail("extent is not the size of its kind", record, field)
      }
      if field.zone != nil, content != .time || field.has(DECANT_ZONELESS) {
        return fail("zone is for a DECANT_TIME with a zone", record, field)
      }
      if field.hasNullTexts, !field.has(DECANT_NULL_TEXTS) {
        return fail("null_texts without DECANT_NULL_TEXTS", record, field)
      }
      if field.hasLeftOutOffset, !field.has(DECANT_LEAVE_OUT) {
        return fail("left_out_offset without DECANT_LEAVE_OUT", record, field)
      }
      if field.hasStandard, !field.has(DECANT_DEFAULT) {
        return fail("default_value without DECANT_DEFAULT", record, field)
      }
      if field.capacity != 0, kind != .characters, kind != .fixedArray, kind != .fixedBase64,
        kind != .decimal
      {
        return fail(
          "capacity is for DECANT_CHARS, _FIXED_ARRAY, _FIXED_BASE64 and _DECIMAL", record, field)
      }
      if field.row.element != 0, kind != .array, kind != .fixedArray {
        return fail("element is for DECANT_ARRAY and DECANT_FIXED_ARRAY", record, field)
      }
      if field.hasNames, content != .name, content != .flags, content != .union {
        return fail("names are for DECANT_ENUM and DECANT_FLAGS", record, field)
      }
      if field.hasRecord, !content.isObject {
        return fail("record is for fields that hold records", record, field)
      }
    }
    return true
  }

  // MARK: - Overlaps

  /// The check of overlaps for fields in any order: by the ranges of bytes that the fields write, sorted.
  @inline(never)
  private mutating func hasNoOverlap(_ record: RecordRef) -> Bool {
    let storage = record.storageOffset
    if storage != 0 {
      let used = storage..<storage + pointerWidth
      for field in record.fields {
        let width = field.width
        for part in 0..<Self.parts where range(part, of: field, width)?.overlaps(used) == true {
          return fail("it overlaps the storage", record, field)
        }
      }
    }
    let count = record.fieldCount
    var culprit: Int?
    let status = withMemory(Self.parts * count * 8, onStack: 1024, memory) { memory in
      let ranges = NumberTable<UInt64>(memory: memory)
      if isApart(count, of: record, ranges) { return ok }
      // The first field that shares a byte with one before it.
      var (apart, shared) = (1, count)
      while apart < shared {
        let half = apart + (shared - apart) / 2
        if isApart(half, of: record, ranges) { apart = half + 1 } else { shared = half }
      }
      culprit = shared - 1
      return ok
    }
    if status != ok {
      fault = .noMemory
      return false
    }
    return culprit.map { fail("it overlaps another field", record, record[$0]) } ?? true
  }

  /// Whether no two ranges of the first `count` fields have a byte in common. A range is its first byte in the high
  /// half and its end in the low half.
  private func isApart(_ count: Int, of record: RecordRef, _ ranges: NumberTable<UInt64>) -> Bool {
    var used = 0
    for index in 0..<count {
      let field = record[index]
      let width = field.width
      for part in 0..<Self.parts {
        guard let range = range(part, of: field, width) else { continue }
        ranges[used] = UInt64(range.lowerBound) << 32 | UInt64(range.upperBound)
        used += 1
      }
    }
    ranges.sort(used)
    var end: UInt64 = 0
    for index in 0..<used {
      if ranges[index] >> 32 < end { return false }
      end = ranges[index] & UInt64(UInt32.max)
    }
    return true
  }

  /// The parts that a field writes: itself, its length, its presence, the number of elements left out.
  private static var parts: Int { 4 }

  /// The bytes of such a part.
  private func range(_ part: Int, of field: FieldRef, _ width: Int) -> Range<Int>? {
    switch part {
    case 0: field.offset..<field.offset + width
    case 1: field.lengthOffset.map { $0..<$0 + field.lengthWidth }
    case 2: field.presenceOffset.map { $0..<$0 + 1 }
    default: field.leftOutOffset.map { $0..<$0 + FieldKind.uint32.width }
    }
  }
}

extension NumberTable<UInt64> {
  /// Sorts the first `count` numbers: by insertion among those at a distance, which shrinks to 1. Fields are almost in
  /// order, most often.
  fileprivate func sort(_ count: Int) {
    var gap = 1
    while gap < count / 9 { gap = 3 * gap + 1 }
    while gap > 0 {
      for index in gap..<max(count, gap) {
        let number = self[index]
        var place = index
        while place >= gap, self[place - gap] > number {
          self[place] = self[place - gap]
          place -= gap
        }
        self[place] = number
      }
      gap /= 3
    }
  }
}
