// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The caller's tables, and the memory they describe, as safe values. decant.h asks that the pointers of a table
// point to what they should, during every call that is given the table; RecordCheck has checked everything else
// before anything is written. These two facts are the proof of every `unsafe` here, and of those who use these
// types.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The largest struct. Offsets and widths inside of it are sums that fit an Int of 32 bits, too.
let largestStruct = min(Int(Int32.max), Int.max / 2)

/// A table's number as an Int; one that is too large for a struct stays too large.
private func extent(_ number: UInt32) -> Int {
  Int(truncatingIfNeeded: min(number, UInt32(truncatingIfNeeded: Int.max / 2)))
}

/// A struct's table.
@safe
struct RecordRef: Equatable {
  // SAFETY: see the head of the file.
  let pointer: UnsafePointer<decant_record>

  @unsafe
  init(_ pointer: UnsafePointer<decant_record>) { unsafe self.pointer = pointer }

  private var table: decant_record { unsafe pointer.pointee }

  var size: Int { table.size }
  var fieldCount: Int { table.field_count }
  var hasFields: Bool { unsafe table.fields != nil }
  var storageOffset: Int { table.storage_offset }

  /// Whether the rows are as large as this version's.
  @inline(__always)
  var hasKnownFieldSize: Bool {
    table.field_size == 0 || table.field_size == UInt32(MemoryLayout<decant_field>.stride)
      || isMarked
  }

  func has(_ flag: Int) -> Bool { table.flags & UInt32(flag) != 0 }

  /// Whether the table has neither flags nor defaults.
  @inline(__always)
  var hasNoFlags: Bool { table.flags == 0 && hasNoDefaults }

  /// Whether there is no struct that absent members are copied from.
  @inline(__always)
  private var hasNoDefaults: Bool { unsafe table.defaults == nil }

  /// The struct that absent members are copied from.
  @inline(__always)
  var defaults: Memory? { unsafe Memory(reading: table.defaults) }

  var hasKnownFlags: Bool {
    table.flags & ~(UInt32(DECANT_CLOSED | DECANT_ANY_CASE) | decant_record.own) == 0 || isMarked
  }

  /// Whether the table was made for one call, around the caller's.
  var isOwn: Bool { table.flags & decant_record.own != 0 }

  /// The same, and the size of the rows is not said.
  @inline(__always)
  var isPlain: Bool {
    unsafe table.field_size | table.flags == 0 && table.defaults == nil
  }

  /// Whether the storage is before the first field, or at or after `end`.
  func isStorageApart(from end: Int) -> Bool {
    let storage = storageOffset
    return storage == 0 || storage >= end || storage &+ pointerWidth <= self[0].offset
  }

  subscript(index: Int) -> FieldRef { unsafe FieldRef(table.fields.unsafelyUnwrapped + index) }

  /// The fields, in the order of the table.
  var fields: Fields { Fields(table) }

  /// Whether this is a record of a copy that was made to be read again and again (RecordPlan), in a table that was
  /// checked.
  @inline(__always)
  var isPrepared: Bool { table.flags & decant_record.prepared != 0 }

  /// The same of any table: such a copy has a number of its address for the size of its rows.
  @inline(__always)
  private var isMarked: Bool { isPrepared && table.field_size == mark }

  /// A number that no address nearby has, and so no copy of the record.
  @inline(__always)
  var mark: UInt32 {
    let address = unsafe UInt64(UInt(bitPattern: pointer))
    return UInt32(truncatingIfNeeded: address &* 0x9E37_79B9_7F4A_7C15 &>> 32)
  }

  /// What such a copy has besides the table.
  // SAFETY: callers know that this is a record of such a copy.
  @unsafe
  var planned: UnsafePointer<PlannedRecord> {
    unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: PlannedRecord.self)
  }

  /// The steps of the fields, in such a copy.
  @unsafe
  var steps: UnsafePointer<decant_record_steps> {
    unsafe UnsafeRawPointer(pointer + 1).assumingMemoryBound(to: decant_record_steps.self)
  }

  /// What was found out about a table that was prepared by decant_record_prepare(); nil for others, whose records inside
  /// are such others.
  @inline(__always)
  var facts: RecordFacts? {
    guard isMarked else { return nil }
    return unsafe planned.pointee.facts.isKnown ? planned.pointee.facts : nil
  }

  /// Whether a field is found by a pointer.
  var hasPointers: Bool { fields.contains { $0.has(DECANT_POINTER) && $0.kind != .key } }

  /// Whether a field takes the members that no other one names.
  var hasRest: Bool { fields.contains { $0.isRest } }

  /// Whether a field has a key, which is no pointer.
  func hasField(_ key: Bytes) -> Bool {
    fields.contains { !$0.isPointer && $0.kind != .key && $0.key == key }
  }

  /// The place of a field in the table.
  func index(of field: FieldRef) -> Int { unsafe field.field - table.fields }

  /// Whether a field before this one has the same key.
  @inline(never)
  func isKeyRepeated(before field: FieldRef) -> Bool {
    field.hasKey && fields.prefix(index(of: field)).contains { $0.hasKey && $0.key == field.key }
  }

  /// Whether another field has the same key.
  @inline(never)
  func isKeyRepeated(of field: FieldRef) -> Bool {
    let key = field.key
    return fields.contains { $0 != field && $0.hasKey && $0.key == key }
  }

  static func == (a: RecordRef, b: RecordRef) -> Bool { unsafe a.pointer == b.pointer }

  @safe
  struct Fields: Sequence, IteratorProtocol {
    // SAFETY: as many fields as the table says.
    private var place: UnsafePointer<decant_field>?
    private var left: Int

    init(_ record: decant_record) {
      unsafe place = record.fields
      left = record.field_count
    }

    /// The fields without the first ones.
    @inline(__always)
    func dropped(_ count: Int) -> Fields {
      var fields = self
      unsafe fields.place = place.map { unsafe $0 + count }
      fields.left &-= count
      return fields
    }

    @inline(__always)
    mutating func next() -> FieldRef? {
      guard left > 0, let field = unsafe place else { return nil }
      left &-= 1
      unsafe place = field + 1
      return unsafe FieldRef(field)
    }
  }
}

/// A field of a table.
@safe
struct FieldRef: Equatable {
  // SAFETY: see the head of the file.
  fileprivate let field: UnsafePointer<decant_field>

  @unsafe
  init(_ field: UnsafePointer<decant_field>) { unsafe self.field = field }

  static func == (a: FieldRef, b: FieldRef) -> Bool { unsafe a.field == b.field }

  /// The next field in the table, or the place after the last.
  var next: FieldRef { unsafe FieldRef(field + 1) }

  /// The row of the table.
  var row: decant_field { unsafe field.pointee }

  /// The kind; nil for an unknown number.
  var knownKind: FieldKind? { FieldKind(number: row.kind) }
  /// The kind, in a table that was checked.
  var kind: FieldKind { knownKind ?? .key }
  /// The same, without a look at the number.
  // SAFETY: RecordCheck or PlainFields have found it to be a kind's.
  var checkedKind: FieldKind {
    FieldKind(ordinal: UInt8(truncatingIfNeeded: row.kind &- UInt16(DECANT_BOOL)))
  }
  var knownElement: FieldKind? { FieldKind(number: row.element) }
  /// The kind of an array's elements, in a table that was checked.
  var element: FieldKind { knownElement ?? .key }
  /// The kind of the field's values: of an array's elements, or of the field itself.
  var content: FieldKind { kind == .array || kind == .fixedArray ? element : kind }

  var flags: UInt32 { row.flags }
  func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
  /// Whether its value is at a pointer, or is made of the object itself.
  var isPointer: Bool { has(DECANT_POINTER | DECANT_REST) }
  /// Whether its value is all members that no other field names.
  var isRest: Bool { has(DECANT_REST) }
  var mayBeAbsent: Bool { has(DECANT_OPTIONAL | DECANT_DEFAULT) }
  /// No flags but DECANT_OPTIONAL, and a length, if there is one, that is a size_t.
  @inline(__always)
  var isOrdinary: Bool {
    // SAFETY: `flags`, `length_kind` and `scale` are eight bytes after a pointer and eight bytes. One comparison tests all
    // of them. On big-endian processors an optional field is not ordinary, which is slower.
    let word = unsafe UnsafeRawPointer(field).loadUnaligned(
      fromByteOffset: pointerWidth + 8, as: UInt64.self)
    return word <= UInt64(DECANT_OPTIONAL)
  }
  /// The same, and no bounds: nothing but a value's kind to look at.
  var isPlain: Bool { isOrdinary && !hasBounds }

  /// Whether there is no scale but that of a decimal.
  @inline(__always)
  var hasKnownScale: Bool { row.scale == 0 || content == .decimal }

  /// Whether it is ordinary, without presence, bounds and other keys.
  @inline(__always)
  var isUsual: Bool {
    let pointers = unsafe UInt(bitPattern: row.bounds) | UInt(bitPattern: row.other_keys)
    return isOrdinary && UInt(row.presence_offset) | pointers == 0
  }

  /// No flags but DECANT_POINTER, no bounds and no presence: always there, and any number of elements will do.
  var isBare: Bool {
    flags & ~UInt32(DECANT_POINTER) == 0 && !hasBounds && plainPresenceOffset == 0
  }

  // MARK: The key

  var hasKey: Bool { unsafe row.key != nil || row.member != nil }
  /// The key; nil if there is neither a key nor the name of a member.
  @inline(__always)
  private var keyPointer: UnsafePointer<CChar>? {
    guard let key = unsafe row.key else { return unsafe row.member }
    return unsafe key
  }
  /// The key's bytes.
  var keyStart: UnsafePointer<UInt8> {
    unsafe UnsafeRawPointer(keyPointer.unsafelyUnwrapped).assumingMemoryBound(to: UInt8.self)
  }
  /// The key's length; 0 for a key that ends with a NUL byte.
  var givenKeyLength: Int { extent(row.key_length) }
  var keyLength: Int {
    givenKeyLength != 0 ? givenKeyLength : unsafe decant_c_string_length(keyPointer)
  }
  var key: Bytes { unsafe Bytes(keyStart, keyLength) }

  var hasOtherKeys: Bool { unsafe row.other_keys != nil }

  /// Calls `body` with each other key, until it returns true.
  @inline(never)
  func containsOtherKey(where body: (Bytes) -> Bool) -> Bool {
    guard var place = unsafe row.other_keys else { return false }
    // SAFETY: keys up to one of NULL, as decant.h asks.
    while let key = unsafe Bytes(cString: place.pointee) {
      if body(key) { return true }
      unsafe place += 1
    }
    return false
  }

  /// Whether the key is the pointer "", which is the record's own value. A row may have no key: checks ask before
  /// they know, and a DECANT_KEY has none.
  @inline(__always)
  var isItself: Bool {
    unsafe isPointer && (isRest || givenKeyLength == 0 && keyPointer?[0] == 0)
  }

  /// Whether it is the value that others would be members of: by the pointer "".
  var isAlone: Bool { isItself && !isRest }

  /// A record by the pointer "": its members are those of the object that the record around it is.
  var isFlat: Bool {
    kind == .record && flags == UInt32(DECANT_POINTER) && plainPresenceOffset == 0 && isItself
  }

  /// The memory of the table's row.
  var place: Memory { unsafe Memory(reading: UnsafeRawPointer(field)) }

  /// The row of a table that is at a place.
  @unsafe
  init(at place: Memory) { unsafe field = place.pointer() }

  // MARK: Offsets

  var offset: Int { extent(row.offset) }
  /// The offset of the length, if it is stored.
  var lengthOffset: Int? {
    let offset = extent(row.length_offset)
    return offset != 0 || row.length_kind != 0 || has(DECANT_LENGTH_AT_ZERO) ? offset : nil
  }
  /// The integer type of the length, if it is not a size_t; nil also for an unknown number.
  private var lengthKind: FieldKind? {
    FieldKind(number: row.length_kind).flatMap { $0.isInteger ? $0 : nil }
  }
  /// Whether the length is another integer than a size_t.
  var hasOddLength: Bool { row.length_kind != 0 }
  var hasKnownLengthKind: Bool { row.length_kind == 0 || lengthKind != nil }
  /// Bytes of the length.
  var lengthWidth: Int { lengthKind?.width ?? countWidth }

  /// Whether the length can be so much.
  func canCount(_ count: Int) -> Bool {
    lengthKind.map { $0.largest >= Int64(count) } ?? true
  }

  /// Stores a length that was accepted, if the struct has a place for it.
  @inline(__always)
  func storeLength(_ count: Int, in record: Memory) {
    guard let offset = lengthOffset else { return }
    if row.length_kind == 0 {
      record.store(count, at: offset)
    } else {
      storeOddLength(count, record)
    }
  }

  @inline(never)
  private func storeOddLength(_ count: Int, _ record: Memory) {
    record.advanced(by: lengthOffset ?? 0).store(Int64(count), width: lengthWidth)
  }

  /// The length in a struct, if it has one; negative if it is more than an Int.
  func length(in record: Memory) -> Int? {
    guard let offset = lengthOffset else { return nil }
    if row.length_kind == 0 { return record.load(Int.self, at: offset) }
    guard let kind = lengthKind else { return nil }
    return Int(truncatingIfNeeded: record.advanced(by: offset).integer(kind))
  }
  /// The offset of the number of elements that were left out, if it is stored.
  var leftOutOffset: Int? {
    let offset = extent(row.left_out_offset)
    return offset != 0 && has(DECANT_LEAVE_OUT) ? offset : nil
  }
  var hasLeftOutOffset: Bool { row.left_out_offset != 0 }
  /// The offset of the length of a field without further flags; 0 if it is not stored.
  var plainLengthOffset: Int { extent(row.length_offset) }
  /// The offset of the presence of a field without further flags; 0 if it is not stored.
  var plainPresenceOffset: Int { extent(row.presence_offset) }
  /// The offset of the presence, if it is stored.
  var presenceOffset: Int? {
    let offset = extent(row.presence_offset)
    return offset != 0 || has(DECANT_PRESENCE_AT_ZERO) ? offset : nil
  }

  /// Bytes in the struct; 0 if the field does not tell.
  var width: Int {
    switch knownKind {
    case .characters, .fixedBase64: return capacity
    case .union, .converted: return extentOfMember
    case .record: return record?.size ?? 0
    case .fixedArray:
      let (width, overflow) = elementWidth.multipliedReportingOverflow(by: capacity)
      return overflow ? Int.max / 2 : min(width, Int.max / 2)
    default: return knownKind?.width ?? 0
    }
  }

  /// Bytes of an element; 0 if there are no arrays of such elements.
  @inline(never)
  var elementWidth: Int {
    guard let element = knownElement, element.canBeElement else { return 0 }
    if element == .converted { return extentOfMember }
    return element == .record ? record?.size ?? 0 : element.width
  }

  /// Bytes of the record, or of an element.
  var widthOfContent: Int {
    kind == .array || kind == .fixedArray ? elementWidth : record?.size ?? 0
  }

  // MARK: What goes with the kind

  /// Of a DECANT_TIME.
  var unitsOfSecond: Int64 {
    if has(DECANT_SECONDS) { return 1 }
    if has(DECANT_MILLISECONDS) { return 1000 }
    return has(DECANT_NANOSECONDS) ? 1_000_000_000 : 1_000_000
  }

  /// How many digits of a fraction the unit of a time has.
  var digitsOfSecond: UInt8 {
    has(DECANT_SECONDS) ? 0 : has(DECANT_MILLISECONDS) ? 3 : has(DECANT_NANOSECONDS) ? 9 : 6
  }

  /// The name of the zone of a time's column; nil for UTC.
  var zone: Bytes? { unsafe Bytes(cString: row.zone) }

  var hasNullTexts: Bool { unsafe row.null_texts != nil }

  /// Whether a value is a string that counts as null.
  @inline(__always)
  func isNullText(_ value: JSON) -> Bool { has(DECANT_NULL_TEXTS) && isNullText(of: value) }

  @inline(never)
  private func isNullText(of value: JSON) -> Bool {
    value.kind == .string
      && withBytes(of: value) { isNullText($0) ? ok : invalidValue } == ok
  }

  func isNullText(_ text: Bytes) -> Bool {
    guard has(DECANT_NULL_TEXTS), var place = unsafe row.null_texts else { return false }
    // SAFETY: texts up to one of NULL.
    while let null = unsafe Bytes(cString: place.pointee) {
      if null == text { return true }
      unsafe place += 1
    }
    return false
  }

  /// Calls `body` with each text that counts as null.
  func forEachNullText(_ body: (Bytes) -> Void) {
    guard has(DECANT_NULL_TEXTS), var place = unsafe row.null_texts else { return }
    // SAFETY: as above.
    while let null = unsafe Bytes(cString: place.pointee) {
      body(null)
      unsafe place += 1
    }
  }

  /// The expected JSON value of the field or of an element, in the words of errors.
  func expectation(_ kind: FieldKind) -> StaticString {
    if has(DECANT_AS_TEXT), kind.isString { return "a string, a number or a boolean" }
    if has(DECANT_ZONELESS), kind == .time { return "a date and time without a zone" }
    return kind.expectation
  }

  /// The name of the field's column; nil if it is the key.
  var column: Bytes? { unsafe Bytes(cString: row.column) }

  var capacity: Int { extent(row.capacity) }
  /// The size of the member's record or element by its type; 0 if it is not given.
  var extentOfMember: Int { extent(row.extent) }
  var record: RecordRef? { unsafe row.record.map { unsafe RecordRef($0) } }
  /// The record of values that are objects; nil for fields of other kinds, whatever is there.
  var heldRecord: RecordRef? { content.isObject ? record : nil }
  var names: NameList? { unsafe row.names.map { unsafe NameList($0) } }
  var hasCases: Bool { unsafe row.records != nil }
  /// Of a DECANT_UNION: the record of the case whose name is at a place; nil if the case has no members.
  func record(ofCase place: Int) -> RecordRef? {
    // SAFETY: as many records as names, as decant.h asks.
    unsafe row.records.flatMap { unsafe $0[place].map { unsafe RecordRef($0) } }
  }
  /// Whether names of a DECANT_UNION have this value, but not all the same record.
  @inline(never)
  func hasOtherCase(of value: Int64) -> Bool {
    guard let names, let first = names.enumerated().first(where: { $0.element.value == value })
    else { return false }
    let record = record(ofCase: first.offset)
    return names.enumerated().contains {
      $0.element.value == value && self.record(ofCase: $0.offset) != record
    }
  }
  var hasNames: Bool { unsafe row.names != nil }
  var hasRecord: Bool { unsafe row.record != nil }
  var hasStandard: Bool { unsafe row.default_value != nil }
  /// The value of a field with DECANT_DEFAULT: one of the field's type, or the text of a string. So asks decant.h.
  var standard: Memory? { has(DECANT_DEFAULT) ? unsafe Memory(reading: row.default_value) : nil }
  /// The same of fields that hold text.
  var standardText: Bytes? {
    switch kind {
    case .string: standard?.cString
    case .characters: standard?.cString(within: capacity)
    default: nil
    }
  }

  /// The program's own way from a value to the member, and back.
  var conversion: decant_conversion? { unsafe row.conversion?.pointee }

  var hasBounds: Bool { unsafe row.bounds != nil }

  /// Whether the bounds, if there are any, have nothing that later versions may use.
  @inline(__always)
  var hasKnownBounds: Bool {
    guard let bounds = unsafe row.bounds else { return true }
    return unsafe bounds.pointee.ends | bounds.pointee.reserved == 0 || areBoundsKnown
  }

  @inline(never)
  private var areBoundsKnown: Bool {
    guard let bounds else { return true }
    return bounds.ends < UInt32(DECANT_HAS_LONGEST) * 2 && bounds.reserved == 0
  }

  private var bounds: decant_bounds? { unsafe row.bounds?.pointee }

  @inline(never)
  func accepts(_ value: some FixedWidthInteger) -> Bool {
    guard let bounds else { return true }
    // Both ends hold, whichever are meant.
    if value >= bounds.minimum && value <= bounds.maximum { return true }
    guard let (minimum, maximum) = integerBounds else { return true }
    if let minimum, value < minimum { return false }
    if let maximum, value > maximum { return false }
    return true
  }

  @inline(never)
  func accepts(_ value: Double) -> Bool {
    guard let (least, most) = realBounds else { return true }
    return value >= least ?? -.infinity && value <= most ?? .infinity
  }

  /// A float is compared with the floats of its bounds: that of 0.1 is more than 0.1.
  @inline(never)
  func accepts(_ value: Float) -> Bool {
    guard let (least, most) = realBounds else { return true }
    return value >= Float(least ?? -.infinity) && value <= Float(most ?? .infinity)
  }

  /// The integers that are accepted; nil if all are. An end that excludes nothing is nil.
  var integerBounds: (minimum: Int64?, maximum: Int64?)? {
    guard let bounds else { return nil }
    let (minimum, maximum) = (bounds.minimum, bounds.maximum)
    if bounds.ends != 0 {
      return (bounds.end(DECANT_HAS_MINIMUM, minimum), bounds.end(DECANT_HAS_MAXIMUM, maximum))
    }
    if minimum == 0 && maximum == 0 { return nil }
    return (
      minimum == 0 && maximum < 0 || minimum == .min ? nil : minimum,
      maximum == 0 && minimum > 0 || maximum == .max ? nil : maximum
    )
  }

  /// The reals that are accepted; nil if all are. An end that excludes nothing is nil.
  var realBounds: (least: Double?, most: Double?)? {
    guard let bounds else { return nil }
    let (least, most) = (bounds.least, bounds.most)
    if bounds.ends != 0 {
      return (bounds.end(DECANT_HAS_LEAST, least), bounds.end(DECANT_HAS_MOST, most))
    }
    if least == 0 && most == 0 { return nil }
    return (
      least == 0 && most < 0 || least == -.infinity ? nil : least,
      most == 0 && least > 0 || most == .infinity ? nil : most
    )
  }

  /// The lengths that are accepted; nil if all are. A length of a few bits accepts those that it can hold.
  var lengths: (shortest: Int, longest: Int)? {
    guard row.length_kind != 0, let kind = lengthKind, !canCount(.max) else { return givenLengths }
    let (shortest, longest) = givenLengths ?? (0, .max)
    return (shortest, min(longest, Int(truncatingIfNeeded: kind.largest)))
  }

  /// The same of the bounds alone.
  private var givenLengths: (shortest: Int, longest: Int)? {
    guard let bounds else { return nil }
    // Swift has size_t as Int: SIZE_MAX would be negative.
    let shortest = Int(clamping: UInt(bitPattern: bounds.shortest))
    let longest = Int(clamping: UInt(bitPattern: bounds.longest))
    if bounds.ends != 0 {
      let least = bounds.end(DECANT_HAS_SHORTEST, shortest)
      let most = bounds.end(DECANT_HAS_LONGEST, longest)
      return least == nil && most == nil ? nil : (least ?? 0, most ?? .max)
    }
    if shortest == 0 && longest == 0 { return nil }
    return (shortest, longest == 0 ? .max : longest)
  }

  /// Whether the bounds let nothing in.
  var isClosed: Bool {
    if let (minimum, maximum) = integerBounds, let minimum, let maximum, minimum > maximum {
      return true
    }
    if let (least, most) = realBounds, !(least ?? -.infinity <= most ?? .infinity) { return true }
    return lengths.map { $0.shortest > $0.longest } ?? false
  }

  /// Whether a string or a collection of so many bytes, elements or members is accepted.
  @inline(__always)
  func accepts(count: Int) -> Bool {
    !hasBounds && row.length_kind == 0 || acceptsByBounds(count)
  }

  @inline(never)
  private func acceptsByBounds(_ count: Int) -> Bool {
    guard let lengths else { return true }
    return count >= lengths.shortest && count <= lengths.longest
  }

  /// Whether a string of so many bytes is accepted, which is of a kind: the field's, or an element's. The bounds of a
  /// collection are about its elements.
  func accepts(bytes count: Int, _ kind: FieldKind) -> Bool {
    (kind != .characters || count < capacity) && (self.kind.isCollection || accepts(count: count))
  }

  /// Whether the length of a string is stored, which is of a kind: the field's, or an element's. Where nothing counts a
  /// string, a NUL byte in it would end it.
  func counts(_ kind: FieldKind) -> Bool {
    kind == .text || !self.kind.isCollection && lengthOffset != nil
  }

  /// Whether an array has as many elements as the field takes.
  @inline(__always)
  func acceptsElements(_ count: Int) -> Bool {
    if kind == .array { return accepts(count: count) }
    if lengthOffset == nil { return count == capacity }
    return count <= capacity && accepts(count: count)
  }
}

extension decant_bounds {
  /// An end, if it is given.
  fileprivate func end<Number>(_ flag: Int, _ number: Number) -> Number? {
    ends & UInt32(flag) != 0 ? number : nil
  }
}

/// How many names an enum has at most in columns and in descriptions.
let mostNames = 4_096

/// The names of an enum or of flags.
@safe
struct NameList: Sequence, IteratorProtocol {
  // SAFETY: names up to one of NULL.
  private var place: UnsafePointer<decant_name>

  @unsafe
  init(_ names: UnsafePointer<decant_name>) { unsafe place = names }

  /// An entry that is there, counted from 0.
  subscript(index: Int) -> (name: Bytes, value: Int64) {
    let entry = unsafe place[index]
    return unsafe (Bytes(cString: entry.name) ?? Bytes(), entry.value)
  }

  /// Whether a value has 32 bits, with a sign or without.
  static func canHave(_ value: Int64) -> Bool { value >= Int32.min && value <= UInt32.max }

  mutating func next() -> (name: Bytes, value: Int64)? {
    guard let name = unsafe Bytes(cString: place.pointee.name) else { return nil }
    defer { unsafe place += 1 }
    return unsafe (name, place.pointee.value)
  }

  /// The first name that decoding takes for a value.
  func name(of value: Int32) -> Bytes? {
    first { Int32(truncatingIfNeeded: $0.value) == value && !isShadowed($0) }?.name
  }

  /// Whether decoding takes an entry's name for the value of one before it.
  func isShadowed(_ entry: (name: Bytes, value: Int64)) -> Bool {
    first { $0.name == entry.name }.map { $0.value != entry.value } ?? false
  }
}

typealias Memory = _CMemory

/// The memory of a C value: a place in the caller's struct, or in the block.
@frozen @safe
public struct _CMemory {
  // SAFETY: the bytes of the struct or field, by the table or the model's layout. Encoding only reads them.
  @usableFromInline
  let start: UnsafeMutableRawPointer

  @unsafe
  @inlinable @inline(__always)
  init(_ start: UnsafeMutableRawPointer) { unsafe self.start = start }

  /// Memory that is only read.
  @unsafe
  init(reading start: UnsafeRawPointer) {
    unsafe self.start = UnsafeMutableRawPointer(mutating: start)
  }

  @inlinable @inline(__always)
  func advanced(by offset: Int) -> _CMemory { unsafe _CMemory(start + offset) }

  @inline(__always)
  func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int = 0) -> Value {
    unsafe start.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// The memory that a pointer here points to; nil for NULL.
  @inlinable @inline(__always)
  func target(at offset: Int = 0) -> _CMemory? {
    // SAFETY: the contract of decant.h: the program's pointer is NULL, or points to what the table says.
    unsafe start.loadUnaligned(fromByteOffset: offset, as: UnsafeMutableRawPointer?.self)
      .map { unsafe _CMemory($0) }
  }

  /// So many bytes from here on.
  func bytes(_ count: Int) -> Bytes {
    unsafe Bytes(UnsafePointer(start.assumingMemoryBound(to: UInt8.self)), count)
  }

  /// How many pointers are here before the first NULL.
  var countOfPointers: Int {
    var count = 0
    while target(at: count * pointerWidth) != nil { count += 1 }
    return count
  }

  /// The bytes before the first NUL byte.
  var cString: Bytes {
    bytes(unsafe decant_c_string_length(start.assumingMemoryBound(to: CChar.self)))
  }

  /// The bytes before the first NUL byte, of at most `limit`.
  func cString(within limit: Int) -> Bytes {
    bytes(unsafe decant_bounded_length(start.assumingMemoryBound(to: CChar.self), limit))
  }

  /// Stores an integer of so many bytes.
  @inline(__always)
  func store(_ value: Int64, width: Int) {
    switch width {
    case 1: store(UInt8(truncatingIfNeeded: value))
    case 2: store(UInt16(truncatingIfNeeded: value))
    case 4: store(UInt32(truncatingIfNeeded: value))
    default: store(value)
    }
  }

  func isZero(_ count: Int) -> Bool { unsafe decant_are_zero(start, count) }

  @inlinable @inline(__always)
  func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int = 0) {
    unsafe start.storeBytes(of: value, toByteOffset: offset, as: Value.self)
  }

  /// Stores a pointer to other memory.
  @inlinable @inline(__always)
  func point(to memory: _CMemory?) {
    unsafe start.storeBytes(of: memory?.start, as: UnsafeMutableRawPointer?.self)
  }

  @usableFromInline @inline(__always)
  func clear(_ count: Int) { unsafe decant_clear_bytes(start, count) }

  func copy(_ other: _CMemory, _ count: Int) { unsafe decant_copy_bytes(start, other.start, count) }

  func copy(_ bytes: Bytes) {
    if let source = unsafe bytes.start { unsafe decant_copy_bytes(start, source, bytes.count) }
  }

  /// Copies text if all of it is plain (decant_plain.h). If it is not, some of its bytes may be written.
  @inline(__always)
  func copyPlain(_ text: Bytes) -> Bool {
    guard let source = unsafe text.start else { return text.count == 0 }
    return unsafe decant_copy_plain(
      start.assumingMemoryBound(to: UInt8.self), source, text.count)
  }

  /// Copies text with its escapes, and returns the bytes written; negative if it is not text or does not fit.
  func copyText(_ text: Bytes, capacity: Int) -> Int {
    guard let source = unsafe text.start else { return 0 }
    return unsafe decant_copy_text(
      start.assumingMemoryBound(to: UInt8.self), capacity, source, text.count)
  }
}
