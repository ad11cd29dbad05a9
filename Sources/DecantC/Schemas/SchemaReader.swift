// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Makes a table from its description. The table's struct has the fields in their order, each aligned for every type and
// followed by its length and presence, and the storage at the end:
//
//   {"fields":[{"key":"id","kind":"int64"},{"key":"name","kind":"string","optional":true}]}
//
//   offset   0   8     16            24    bytes 32
//   struct   id  name  name_length   storage
//
// Everything is in an arena, which the schema owns. A fault that RecordCheck finds is reported at the description of the
// field.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Memory that is released at once.
struct SchemaArena {
  let memory: decant_allocator
  /// The last block, each of which begins with the one before and its own size.
  private var last: Memory?
  private static let head = 16
  /// How many bytes there may still be.
  private(set) var left: Int

  init(_ memory: decant_allocator, upTo most: Int) {
    self.memory = memory
    left = most
  }

  /// `count` times `size` bytes of zeros; nil if there is no memory, or not so much left, which is negative then.
  mutating func allocate(_ count: Int, of size: Int) -> Memory? {
    let total = count.multipliedSaturating(by: size).saturating(adding: SchemaArena.head)
    left -= total
    guard left >= 0, let block = memory.allocateZeros(total) else { return nil }
    if let last { block.point(to: last) }
    block.store(total, at: 8)
    last = block
    return block.advanced(by: SchemaArena.head)
  }

  mutating func end() {
    while let block = last {
      last = block.target()
      memory.release(block, block.load(Int.self, at: 8))
    }
  }
}

/// The layout of a struct's fields.
private struct Layout {
  var end = 0

  /// The next `size` bytes that any type may be in.
  mutating func add(_ size: Int) -> UInt32 {
    let (place, after) = (end, end.saturating(adding: size).saturating(adding: 7))
    end = after & ~7
    return UInt32(clamping: place)
  }
}

struct SchemaReader {
  /// The description is wrong, which was reported; or there is no memory, and then nothing was.
  struct Failure: Error {}

  private(set) var arena: SchemaArena
  private let context: ContextRef
  private(set) var report: Report

  init(_ context: ContextRef, _ arena: SchemaArena, _ report: Report) {
    self.context = context
    self.arena = arena
    self.report = report
  }

  /// The table of a document.
  mutating func read() throws(Failure) -> RecordRef {
    try checkRoot(context.root.node)
    let record = try record(context.root.node, depth: 0)
    var check = RecordCheck(arena.memory, isThorough: true)
    if check.accepted(record, needsStorage: true) != nil { return record }
    let place = check.fault?.field.flatMap { find($0, record, context.root.node) }
    throw fail(
      DECANT_INVALID_RECORD, place ?? context.root.node, check.fault?.message ?? "is no record")
  }

  // MARK: - Failures

  // Out of line, as what else a level of records does not need: an error takes a kilobyte of a frame.
  @inline(never)
  private mutating func fail(_ code: Int, _ node: UInt64, _ words: StaticString) -> Failure {
    fail(RecordError(Status(code), context.view(node), .words(words)), node)
  }

  @inline(never)
  private mutating func fail(_ node: UInt64, expected: StaticString) -> Failure {
    fail(RecordError(typeMismatch, context.view(node), expected: expected), node)
  }

  private mutating func fail(_ error: RecordError, _ node: UInt64) -> Failure {
    report.add(error, at: context.view(node).token) {
      context.root.writePath(downTo: node, to: &$0)
    }
    return Failure()
  }

  private mutating func allocate(_ count: Int = 1, of size: Int) throws(Failure) -> Memory {
    if let memory = arena.allocate(count, of: size) { return memory }
    if arena.left >= 0 { throw Failure() }
    throw fail(
      RecordError(
        Status(DECANT_TOO_LARGE), context.root, .memory(context.memoryLimit(by: context.rules))),
      context.root.node)
  }

  // MARK: - Look-ups

  /// The node of a member; nil if there is none.
  private func member(_ key: SchemaKey, of node: UInt64) -> UInt64? {
    let name = key.name
    let found = unsafe context.view(node).member(name.utf8Start, name.utf8CodeUnitCount)
    return found == DECANT_NODE_NONE ? nil : found
  }

  /// The description of a field of a table that was made, below that of its record.
  private func find(_ field: FieldRef, _ record: RecordRef, _ node: UInt64) -> UInt64? {
    var fields = ChildCursor(context.view(member(.fields, of: node) ?? node))
    for other in record.fields {
      guard let place = fields.next(in: context.root) else { return nil }
      if other == field { return place }
      if let nested = other.record, let found = find(field, nested, place) { return found }
    }
    return nil
  }

  // MARK: - Records

  private mutating func record(_ node: UInt64, depth: Int) throws(Failure) -> RecordRef {
    if context.view(node).kind != .object { throw fail(node, expected: "an object") }
    guard let fields = member(.fields, of: node) else {
      throw fail(DECANT_MISSING_KEY, node, "the key \"fields\" is missing")
    }
    let list = context.view(fields)
    guard list.kind == .array else { throw fail(fields, expected: "an array") }
    if depth > deepestRecord {
      throw fail(DECANT_TOO_DEEP, node, "records nest more than 32 deep")
    }
    if depth >= deepestUnasked, !decant_stack_has_room() {
      throw fail(DECANT_TOO_DEEP, node, stackIsFull)
    }
    let count = list.count
    if count > mostFields { throw fail(DECANT_INVALID_RECORD, fields, "too many fields") }
    let stride = MemoryLayout<decant_field>.stride
    let table = try allocate(max(count, 1), of: stride)
    let record = try allocate(of: MemoryLayout<decant_record>.stride)
    var layout = Layout()
    var places = ChildCursor(list)
    for index in 0..<count {
      guard let place = places.next(in: list) else { break }
      table.store(try field(place, &layout, depth), at: index * stride)
    }
    let storage = depth == 0 ? Int(layout.add(pointerWidth)) : 0
    var made = decant_record()
    made.size = max(layout.end, 8)
    // SAFETY: fields and record are in the arena, which the schema owns.
    unsafe made.fields = table.pointer()
    made.field_count = count
    made.storage_offset = count > 0 ? storage : 0
    if try flag(.closed, of: node) { made.flags |= UInt32(DECANT_CLOSED) }
    if try flag(.anyCase, of: node) { made.flags |= UInt32(DECANT_ANY_CASE) }
    record.store(made)
    return unsafe RecordRef(record.pointer())
  }

  // MARK: - Fields

  private mutating func field(
    _ node: UInt64, _ layout: inout Layout, _ depth: Int
  ) throws(Failure) -> decant_field {
    var field = try beginning(of: node)
    if member(.fields, of: node) != nil {
      unsafe field.record = try record(node, depth: depth + 1).pointer
    }
    try complete(&field, node, &layout)
    return field
  }

  @inline(never)
  private mutating func beginning(of node: UInt64) throws(Failure) -> decant_field {
    if context.view(node).kind != .object { throw fail(node, expected: "an object") }
    var field = decant_field()
    try readKind(node, &field)
    try checkKeys(of: node, field)
    try readKey(node, &field)
    if let name = member(.column, of: node) {
      unsafe field.column = try copyText(name).textPointer
    }
    if try flag(.optional, of: node) { field.flags |= UInt32(DECANT_OPTIONAL) }
    if try flag(.fromText, of: node) { field.flags |= UInt32(DECANT_FROM_TEXT) }
    if try flag(.nullElements, of: node) { field.flags |= UInt32(DECANT_NULL_ELEMENTS) }
    if try flag(.embedded, of: node) { field.flags |= UInt32(DECANT_EMBEDDED) }
    if try flag(.integral, of: node) { field.flags |= UInt32(DECANT_INTEGRAL) }
    if try flag(.leaveOut, of: node) { field.flags |= UInt32(DECANT_LEAVE_OUT) }
    if try flag(.rest, of: node) { field.flags |= UInt32(DECANT_REST) }
    if let keys = member(.otherKeys, of: node) { try readOtherKeys(keys, &field) }
    if try flag(.epoch, of: node) { field.flags |= UInt32(DECANT_EPOCH) }
    if try flag(.asText, of: node) { field.flags |= UInt32(DECANT_AS_TEXT) }
    if try flag(.zoneless, of: node) { field.flags |= UInt32(DECANT_ZONELESS) }
    if let zone = member(.zone, of: node) {
      unsafe field.zone = try copyText(zone).textPointer
    }
    if let texts = member(.nullTexts, of: node) { try readNullTexts(texts, &field) }
    if let unit = member(.unit, of: node) { field.flags |= try flagOfUnit(unit) }
    if let capacity = member(.capacity, of: node) {
      field.capacity = UInt32(clamping: try integer(capacity))
    }
    if let precision = member(.precision, of: node) {
      let digits = try integer(precision)
      if digits < 1 { throw fail(DECANT_INVALID_VALUE, precision, "is less than 1") }
      field.capacity = UInt32(clamping: digits)
    }
    if let scale = member(.scale, of: node) { field.scale = UInt16(clamping: try count(scale)) }
    if let names = member(.names, of: node) { try readNames(names, &field) }
    return field
  }

  @inline(never)
  private mutating func complete(
    _ field: inout decant_field, _ node: UInt64, _ layout: inout Layout
  ) throws(Failure) {
    try readBounds(node, &field)
    place(&field, &layout, isCounted: try flag(.counted, of: node))
    try readDefault(node, &field)
  }

  /// Throws if a key is not one of a field's description, or says nothing about its kind.
  private mutating func checkKeys(of node: UInt64, _ field: decant_field) throws(Failure) {
    let (kind, content) = field.refer { ($0.kind, $0.content) }
    var seen: KeySet = 0
    let json = context.view(node)
    var members = ChildCursor(json)
    while let value = members.next(in: json) {
      guard let key = try key(value, &seen) else {
        throw fail(DECANT_INVALID_VALUE, value, "its key is not one of a field's description")
      }
      if !key.isKnown(to: kind, of: content) {
        throw fail(DECANT_INVALID_VALUE, value, "says nothing about a field of this kind")
      }
    }
  }

  /// Throws if the description has more than its fields.
  private mutating func checkRoot(_ node: UInt64) throws(Failure) {
    var seen: KeySet = 0
    let json = context.view(node)
    var members = ChildCursor(json)
    while json.kind == .object, let value = members.next(in: json) {
      let key = try key(value, &seen)
      if key != .fields, key != .closed, key != .anyCase {
        throw fail(
          DECANT_INVALID_VALUE, value, "its key is not \"fields\", \"closed\" or \"any_case\"")
      }
    }
  }

  /// Keys that were seen, a bit each.
  private typealias KeySet = UInt32

  /// The key of a member; nil if descriptions have no such key. Throws if it was seen before.
  private mutating func key(_ value: UInt64, _ seen: inout KeySet) throws(Failure) -> SchemaKey? {
    var key: SchemaKey?
    let status = withBytes(of: context.view(value - 1)) { bytes in
      key = SchemaKey.allCases.first { $0.name.bytes == bytes }
      return ok
    }
    if status != ok { throw Failure() }
    guard let key else { return nil }
    let bit: KeySet = 1 << UInt32(key.rawValue)
    if seen & bit != 0 { throw fail(DECANT_DUPLICATE_KEY, value, "its key occurs twice") }
    seen |= bit
    return key
  }

  private mutating func readKind(_ node: UInt64, _ field: inout decant_field) throws(Failure) {
    guard let kind = member(.kind, of: node) else {
      throw fail(DECANT_MISSING_KEY, node, "the key \"kind\" is missing")
    }
    field.kind = try number(ofKind: kind)
    if let element = member(.element, of: node) { field.element = try number(ofKind: element) }
  }

  private mutating func number(ofKind node: UInt64) throws(Failure) -> UInt16 {
    var number: UInt16?
    let status = withBytes(of: context.view(node)) {
      number = FieldKind.number(of: $0)
      return ok
    }
    if status == typeMismatch { throw fail(node, expected: "a string") }
    guard let number else { throw fail(DECANT_INVALID_VALUE, node, FieldKind.expectation) }
    return number
  }

  private mutating func readKey(_ node: UInt64, _ field: inout decant_field) throws(Failure) {
    let (key, pointer) = (member(.key, of: node), member(.pointer, of: node))
    guard let name = pointer ?? key else {
      if Int(field.kind) == DECANT_KEY { return }
      if try flag(.rest, of: node) { return }
      throw fail(DECANT_MISSING_KEY, node, "the key \"key\" or \"pointer\" is missing")
    }
    if pointer != nil, key != nil {
      throw fail(DECANT_INVALID_VALUE, node, "it has a key and a pointer")
    }
    if pointer != nil { field.flags |= UInt32(DECANT_POINTER) }
    let text = try copy(name)
    unsafe field.key = text.memory.textPointer
    field.key_length = UInt32(clamping: text.count)
  }

  private mutating func readOtherKeys(
    _ node: UInt64, _ field: inout decant_field
  ) throws(Failure) {
    let json = context.view(node)
    guard json.kind == .array else { throw fail(node, expected: "an array") }
    let count = json.count
    if count > mostNames { throw fail(DECANT_INVALID_VALUE, node, "more than 4096 keys") }
    let list = try allocate(count + 1, of: pointerWidth)
    var keys = ChildCursor(json)
    for index in 0..<count {
      guard let key = keys.next(in: json) else { break }
      list.advanced(by: index * pointerWidth).point(to: try copyText(key))
    }
    list.advanced(by: count * pointerWidth).point(to: nil)
    unsafe field.other_keys = unsafe UnsafePointer(list.pointer())
  }

  private mutating func flag(_ key: SchemaKey, of node: UInt64) throws(Failure) -> Bool {
    guard let value = member(key, of: node) else { return false }
    guard let flag = context.view(value).bool else { throw fail(value, expected: "a boolean") }
    return flag
  }

  private mutating func flagOfUnit(_ node: UInt64) throws(Failure) -> UInt32 {
    var flag: Int?
    let status = withBytes(of: context.view(node)) { word in
      if word == Bytes("s") { flag = DECANT_SECONDS }
      if word == Bytes("ms") { flag = DECANT_MILLISECONDS }
      if word == Bytes("us") { flag = 0 }
      if word == Bytes("ns") { flag = DECANT_NANOSECONDS }
      return ok
    }
    if status == typeMismatch { throw fail(node, expected: "a string") }
    guard let flag else {
      throw fail(DECANT_INVALID_VALUE, node, "is not a unit of time; those are s, ms, us and ns")
    }
    return UInt32(flag)
  }

  /// An array of names, whose values are their places or, of flags, bits; or an object of names with their values.
  private mutating func readNames(_ node: UInt64, _ field: inout decant_field) throws(Failure) {
    let json = context.view(node)
    guard json.kind == .array || json.kind == .object else {
      throw fail(node, expected: "an array or an object")
    }
    let (count, stride) = (json.count, MemoryLayout<decant_name>.stride)
    if count > mostNames { throw fail(DECANT_INVALID_VALUE, node, "more than 4096 names") }
    let list = try allocate(count + 1, of: stride)
    let areFlags = field.refer { $0.content == .flags }
    if areFlags, json.kind == .array, count > UInt32.bitWidth {
      throw fail(DECANT_INVALID_VALUE, node, "flags have at most 32 names")
    }
    var names = ChildCursor(json)
    for index in 0..<count {
      guard let value = names.next(in: json) else { break }
      var name = decant_name()
      unsafe name.name = try copyText(names.isObject ? value - 1 : value).textPointer
      name.value = areFlags ? 1 << Int64(index) : Int64(index)
      if names.isObject {
        name.value = try integer(value)
        // An enum is an int32_t, and flags are a uint32_t.
        if !NameList.canHave(name.value) {
          throw fail(DECANT_NUMBER_OUT_OF_RANGE, value, "does not fit into 32 bits")
        }
      }
      list.store(name, at: index * stride)
    }
    unsafe field.names = list.pointer()
  }

  private mutating func readNullTexts(
    _ node: UInt64, _ field: inout decant_field
  ) throws(Failure) {
    let texts = context.view(node)
    guard texts.kind == .array else { throw fail(node, expected: "an array") }
    let count = texts.count
    if count > mostNames { throw fail(DECANT_INVALID_RECORD, node, "more than 4096 texts") }
    let list = try allocate(count + 1, of: pointerWidth)
    var elements = ChildCursor(texts)
    for index in 0..<count {
      guard let element = elements.next(in: texts) else { break }
      list.advanced(by: index * pointerWidth).point(to: try copyText(element))
    }
    field.flags |= UInt32(DECANT_NULL_TEXTS)
    unsafe field.null_texts = list.pointer()
  }

  /// A bound as a field's values are stored: an integer, or what units a time, a date or a decimal has.
  private mutating func units(_ node: UInt64, _ field: decant_field) throws(Failure) -> Int64 {
    let (kind, json) = (field.refer { $0.content }, context.view(node))
    guard kind.hasUnits else { return try integer(node) }
    var value: Int64?
    let status = withStackMemory(16) { memory in
      let status = field.refer { store(json, kind, $0, to: memory) }
      if status == ok { value = memory.units(kind) }
      return status
    }
    if status == ok, value == nil {
      throw fail(DECANT_NUMBER_OUT_OF_RANGE, node, "does not fit into 64 bits of its units")
    }
    guard let value else { throw fail(Int(status), node, "is not a value that the field accepts") }
    return value
  }

  private mutating func readBounds(_ node: UInt64, _ field: inout decant_field) throws(Failure) {
    let (minimum, maximum) = (member(.minimum, of: node), member(.maximum, of: node))
    let (shortest, longest) = (member(.shortest, of: node), member(.longest, of: node))
    if minimum == nil && maximum == nil && shortest == nil && longest == nil { return }
    var bounds = decant_bounds()
    let isReal = field.refer { $0.content.isReal }
    if let minimum {
      if isReal {
        bounds.least = try real(minimum)
      } else {
        bounds.minimum = try units(minimum, field)
      }
      bounds.ends |= UInt32(isReal ? DECANT_HAS_LEAST : DECANT_HAS_MINIMUM)
    }
    if let maximum {
      if isReal {
        bounds.most = try real(maximum)
      } else {
        bounds.maximum = try units(maximum, field)
      }
      bounds.ends |= UInt32(isReal ? DECANT_HAS_MOST : DECANT_HAS_MAXIMUM)
    }
    if let shortest {
      bounds.shortest = try count(shortest)
      bounds.ends |= UInt32(DECANT_HAS_SHORTEST)
    }
    if let longest {
      bounds.longest = try count(longest)
      bounds.ends |= UInt32(DECANT_HAS_LONGEST)
    }
    let memory = try allocate(of: MemoryLayout<decant_bounds>.stride)
    memory.store(bounds)
    unsafe field.bounds = memory.pointer()
    if field.refer({ $0.isClosed }) {
      throw fail(DECANT_INVALID_RECORD, node, "its bounds let nothing in")
    }
  }

  /// Places the field, its length and its presence in the struct.
  private func place(_ field: inout decant_field, _ layout: inout Layout, isCounted: Bool) {
    let (kind, width) = field.refer { ($0.kind, $0.width) }
    field.offset = layout.add(width)
    switch kind {
    case .string, .raw, .key, .array, .map: field.length_offset = layout.add(countWidth)
    case .fixedArray: if isCounted { field.length_offset = layout.add(countWidth) }
    default: break
    }
    if field.flags & UInt32(DECANT_LEAVE_OUT) != 0 { field.left_out_offset = layout.add(8) }
    if field.flags & UInt32(DECANT_OPTIONAL) != 0, !kind.needsBlock {
      field.presence_offset = layout.add(1)
    }
  }

  private mutating func readDefault(_ node: UInt64, _ field: inout decant_field) throws(Failure) {
    guard let value = member(.byDefault, of: node) else { return }
    field.flags |= UInt32(DECANT_DEFAULT)
    let (kind, width, isNamed) = field.refer { ($0.kind, $0.width, $0.names != nil) }
    if kind == .string {
      unsafe field.default_value = UnsafeRawPointer(try copyText(value).start)
      return
    }
    guard kind.canHaveDefault, kind != .name && kind != .flags || isNamed else {
      throw fail(DECANT_INVALID_VALUE, value, "fields of this kind have no default")
    }
    if kind == .characters {
      // Only the text: a description decides how many bytes of the struct follow it.
      let text = try copy(value)
      if text.memory.cString.count != text.count {
        throw fail(DECANT_INVALID_VALUE, value, "has a NUL byte")
      }
      if text.count >= Int(field.capacity) {
        throw fail(DECANT_INVALID_VALUE, value, "is not a value that the field accepts")
      }
      unsafe field.default_value = UnsafeRawPointer(text.memory.start)
      return
    }
    let memory = try allocate(of: max(width, 1))
    let json = context.view(value)
    // A table may have a default outside of its bounds, such as -1.
    let status = field.unbounded { store(json, kind, $0, to: memory) }
    if status != ok {
      throw fail(Int(status), value, "is not a value that the field accepts")
    }
    unsafe field.default_value = UnsafeRawPointer(memory.start)
  }

  // MARK: - Texts and numbers

  /// A string as a C string of the arena.
  private mutating func copy(_ node: UInt64) throws(Failure) -> (memory: Memory, count: Int) {
    guard let text = context.view(node).text else { throw fail(node, expected: "a string") }
    let memory = try allocate(of: text.bytes.count + 1)
    let count = memory.copy(text)
    memory.store(0 as UInt8, at: count)
    return (memory, count)
  }

  /// The same of a string that ends at a NUL byte wherever it is used.
  private mutating func copyText(_ node: UInt64) throws(Failure) -> Memory {
    let text = try copy(node)
    if text.memory.cString.count == text.count { return text.memory }
    throw fail(DECANT_INVALID_VALUE, node, "has a NUL byte")
  }

  private mutating func integer(_ node: UInt64) throws(Failure) -> Int64 {
    guard let number = context.view(node).nativeNumber, !number.isReal else {
      throw fail(node, expected: "an integer")
    }
    if let value = number.integer(Int64.self) { return value }
    throw fail(DECANT_NUMBER_OUT_OF_RANGE, node, "does not fit into an int64_t")
  }

  private mutating func count(_ node: UInt64) throws(Failure) -> Int {
    let number = try integer(node)
    if number >= 0 { return Int(clamping: number) }
    throw fail(DECANT_NUMBER_OUT_OF_RANGE, node, "is negative")
  }

  private mutating func real(_ node: UInt64) throws(Failure) -> Double {
    guard let number = context.view(node).nativeNumber else {
      throw fail(node, expected: "a number")
    }
    if let value = number.double() { return value }
    throw fail(DECANT_NUMBER_OUT_OF_RANGE, node, "does not fit into a double")
  }
}
