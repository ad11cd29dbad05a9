// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A table made of its description. The struct that the table describes has the fields in their order, each aligned for
// every type, with its length and presence behind it, and the storage at the end:
//
//   {"fields":[{"key":"id","kind":"int64"},{"key":"name","kind":"string","optional":true}]}
//
//   offset   0   8     16            24    bytes 32
//   struct   id  name  name_length   storage
//
// Everything is in an arena, which the schema owns. What RecordCheck says of the table is reported where the
// description of the field is.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Memory that is given back at once.
struct SchemaArena {
  let memory: decant_allocator
  /// The last block, each of which begins with the one before and its own size.
  private var last: Memory?
  private static let head = 16

  init(_ memory: decant_allocator) { self.memory = memory }

  /// `size` bytes of zeros; nil if there is no memory.
  mutating func allocate(_ size: Int) -> Memory? {
    let total = size + SchemaArena.head
    guard let block = memory.allocateZeros(total) else { return nil }
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

/// Where the fields of a struct are, one behind the other.
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
  private(set) var arena: SchemaArena
  private let context: ContextRef
  private var report: Report
  /// What reading came to.
  private(set) var status = ok

  init(_ context: ContextRef, _ arena: SchemaArena, _ report: Report) {
    self.context = context
    self.arena = arena
    self.report = report
  }

  /// The table of a document. Nil after a failure, which was reported.
  mutating func read() -> RecordRef? {
    guard let record = record(context.root.node, depth: 0) else {
      status = report.count > 0 ? report.finish() : noMemory
      return nil
    }
    var check = RecordCheck()
    if check.accepted(record, needsStorage: true) != nil { return record }
    if let fault = check.fault {
      let node = fault.field.flatMap { find($0, record, context.root.node) } ?? context.root.node
      fail(Status(DECANT_INVALID_RECORD), node, fault.message)
    }
    status = report.finish()
    return nil
  }

  // MARK: - Failures

  private mutating func fail(_ code: Int, _ node: UInt64, _ words: StaticString) {
    fail(Status(code), node, words)
  }

  private mutating func fail(_ code: Status, _ node: UInt64, _ words: StaticString) {
    let json = context.view(node)
    add(RecordError(code, json, .words(words)), node)
  }

  private mutating func fail(_ node: UInt64, expected: StaticString) {
    add(RecordError(typeMismatch, context.view(node), expected: expected), node)
  }

  private mutating func add(_ error: RecordError, _ node: UInt64) {
    if report.count > 0 { return }
    let json = context.view(node)
    let length = json.isContainer ? 1 : json.scalarEnd - json.offset
    report.add(
      error, at: Report.Mark(offset: json.offset, length: length),
      path: NodePath(node, below: context.root), hasPath: node != context.root.node)
  }

  // MARK: - Look-ups

  /// The node of a member; DECANT_NODE_NONE if there is none.
  private func member(_ key: StaticString, of node: UInt64) -> UInt64 {
    unsafe context.view(node).member(key.utf8Start, key.utf8CodeUnitCount)
  }

  private func member(_ key: SchemaKey, of node: UInt64) -> UInt64? {
    let found = member(key.name, of: node)
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

  private mutating func record(_ node: UInt64, depth: Int) -> RecordRef? {
    if context.view(node).kind != .object {
      fail(node, expected: "an object")
      return nil
    }
    guard let fields = member(.fields, of: node) else {
      fail(DECANT_MISSING_KEY, node, "the key \"fields\" is missing")
      return nil
    }
    let list = context.view(fields)
    guard list.kind == .array else {
      fail(fields, expected: "an array")
      return nil
    }
    if depth > deepestRecord {
      fail(DECANT_TOO_DEEP, node, "records nest more than 32 deep")
      return nil
    }
    let count = list.count
    let stride = MemoryLayout<decant_field>.stride
    guard let table = arena.allocate(max(count, 1) * stride),
      let record = arena.allocate(MemoryLayout<decant_record>.stride)
    else { return nil }
    var layout = Layout()
    var places = ChildCursor(list)
    for index in 0..<count {
      guard let place = places.next(in: list), let field = field(place, &layout, depth) else {
        return nil
      }
      table.store(field, at: index * stride)
    }
    let storage = depth == 0 ? Int(layout.add(pointerWidth)) : 0
    var made = decant_record()
    made.size = max(layout.end, 8)
    // SAFETY: fields and record are in the arena, which the schema owns.
    unsafe made.fields = table.pointer()
    made.field_count = count
    made.storage_offset = count > 0 ? storage : 0
    record.store(made)
    return unsafe RecordRef(record.pointer())
  }

  // MARK: - Fields

  private mutating func field(
    _ node: UInt64, _ layout: inout Layout, _ depth: Int
  ) -> decant_field? {
    guard hasKnownKeys(node) else { return nil }
    var field = decant_field()
    guard readKind(node, &field), hasFittingKeys(node, field), readKey(node, &field),
      readFlags(node, &field),
      readContent(node, &field, depth), readBounds(node, &field)
    else { return nil }
    place(&field, &layout, isCounted: flag(.counted, of: node) == true)
    return readDefault(node, &field) ? field : nil
  }

  private mutating func hasKnownKeys(_ node: UInt64) -> Bool {
    let json = context.view(node)
    guard json.kind == .object else {
      fail(node, expected: "an object")
      return false
    }
    var members = ChildCursor(json)
    while let value = members.next(in: json) {
      let key = context.view(value - 1).text.map { $0.bytes } ?? Bytes()
      if !SchemaKey.allCases.contains(where: { $0.name.bytes == key }) {
        fail(DECANT_INVALID_VALUE, value, "its key is not one of a field's description")
        return false
      }
    }
    return true
  }

  /// Whether all keys say something about the kind of field.
  private mutating func hasFittingKeys(_ node: UInt64, _ field: decant_field) -> Bool {
    guard let kind = FieldKind(number: field.kind) else { return true }
    let content = kind == .array || kind == .fixedArray ? FieldKind(number: field.element) : kind
    for key in SchemaKey.allCases where !key.isKnown(to: kind, of: content ?? kind) {
      guard let value = member(key, of: node) else { continue }
      fail(DECANT_INVALID_VALUE, value, "says nothing about a field of this kind")
      return false
    }
    return true
  }

  private mutating func readKind(_ node: UInt64, _ field: inout decant_field) -> Bool {
    guard let kind = member(.kind, of: node) else {
      fail(DECANT_MISSING_KEY, node, "the key \"kind\" is missing")
      return false
    }
    guard let number = number(ofKind: kind) else { return false }
    field.kind = number
    guard let element = member(.element, of: node) else { return true }
    guard let number = self.number(ofKind: element) else { return false }
    field.element = number
    return true
  }

  private mutating func number(ofKind node: UInt64) -> UInt16? {
    guard let text = context.view(node).text else {
      fail(node, expected: "a string")
      return nil
    }
    guard !text.isEscaped, let number = FieldKind.number(of: text.bytes) else {
      fail(DECANT_INVALID_VALUE, node, "is not a kind of field")
      return nil
    }
    return number
  }

  private mutating func readKey(_ node: UInt64, _ field: inout decant_field) -> Bool {
    let pointer = member(.pointer, of: node)
    guard let key = pointer ?? member(.key, of: node) else {
      if Int(field.kind) == DECANT_KEY { return true }
      fail(DECANT_MISSING_KEY, node, "the key \"key\" or \"pointer\" is missing")
      return false
    }
    if pointer != nil {
      if member(.key, of: node) != nil {
        fail(DECANT_INVALID_VALUE, node, "it has a key and a pointer")
        return false
      }
      field.flags |= UInt32(DECANT_POINTER)
    }
    guard let text = copy(key) else { return false }
    unsafe field.key = text.memory.textPointer
    field.key_length = UInt32(clamping: text.count)
    return true
  }

  /// A string as a C string of the arena.
  private mutating func copy(_ node: UInt64) -> (memory: Memory, count: Int)? {
    guard let text = context.view(node).text else {
      fail(node, expected: "a string")
      return nil
    }
    guard let memory = arena.allocate(text.bytes.count + 1) else { return nil }
    var count = text.bytes.count
    if text.isEscaped {
      // SAFETY: an unescaped string is never longer.
      count = unsafe decant_unescape(text.bytes.start, count, memory.bytePointer)
      memory.store(0 as UInt8, at: count)
    } else {
      memory.copy(text.bytes)
    }
    return (memory, count)
  }

  /// The same of a string that ends at a NUL byte wherever it is used.
  private mutating func copyText(_ node: UInt64) -> Memory? {
    guard let text = copy(node) else { return nil }
    if text.memory.cString.count == text.count { return text.memory }
    fail(DECANT_INVALID_VALUE, node, "has a NUL byte")
    return nil
  }

  /// A boolean; nil if it is missing, or something else, which is reported.
  private mutating func flag(_ key: SchemaKey, of node: UInt64) -> Bool? {
    guard let value = member(key, of: node) else { return false }
    if let flag = context.view(value).bool { return flag }
    fail(value, expected: "a boolean")
    return nil
  }

  private mutating func readFlags(_ node: UInt64, _ field: inout decant_field) -> Bool {
    guard let isOptional = flag(.optional, of: node), let isText = flag(.fromText, of: node),
      flag(.counted, of: node) != nil
    else { return false }
    if isOptional { field.flags |= UInt32(DECANT_OPTIONAL) }
    if isText { field.flags |= UInt32(DECANT_FROM_TEXT) }
    return true
  }

  private mutating func readContent(
    _ node: UInt64, _ field: inout decant_field, _ depth: Int
  ) -> Bool {
    if let capacity = member(.capacity, of: node) {
      guard let number = integer(capacity) else { return false }
      field.capacity = UInt32(clamping: number)
    }
    if let names = member(.names, of: node), !readNames(names, &field) { return false }
    guard member(.fields, of: node) != nil else { return true }
    guard let record = record(node, depth: depth + 1) else { return false }
    unsafe field.record = record.pointer
    return true
  }

  private mutating func integer(_ node: UInt64) -> Int64? {
    guard let number = context.view(node).nativeNumber, !number.isReal else {
      fail(node, expected: "an integer")
      return nil
    }
    if let value = number.integer(Int64.self) { return value }
    fail(DECANT_NUMBER_OUT_OF_RANGE, node, "does not fit into 64 bits")
    return nil
  }

  /// An array of names, whose values are their places or, of flags, bits; or an object of names with their values.
  private mutating func readNames(_ node: UInt64, _ field: inout decant_field) -> Bool {
    let json = context.view(node)
    guard json.kind == .array || json.kind == .object else {
      fail(node, expected: "an array or an object")
      return false
    }
    let (count, stride) = (json.count, MemoryLayout<decant_name>.stride)
    guard let list = arena.allocate((count + 1) * stride) else { return false }
    let areFlags = Int(field.kind) == DECANT_FLAGS || Int(field.element) == DECANT_FLAGS
    if areFlags, json.kind == .array, count > UInt32.bitWidth {
      fail(DECANT_INVALID_VALUE, node, "flags have at most 32 names")
      return false
    }
    var names = ChildCursor(json)
    for index in 0..<count {
      guard let value = names.next(in: json),
        let text = copyText(names.isObject ? value - 1 : value)
      else { return false }
      var name = decant_name()
      unsafe name.name = text.textPointer
      if names.isObject {
        guard let number = integer(value) else { return false }
        // An enum is an int32_t, and flags are a uint32_t.
        guard NameList.canHave(number) else {
          fail(DECANT_NUMBER_OUT_OF_RANGE, value, "does not fit into 32 bits")
          return false
        }
        name.value = number
      } else {
        name.value = areFlags ? 1 << Int64(index) : Int64(index)
      }
      list.store(name, at: index * stride)
    }
    unsafe field.names = list.pointer()
    return true
  }

  private mutating func readBounds(_ node: UInt64, _ field: inout decant_field) -> Bool {
    let keys: [4 of SchemaKey] = [.minimum, .maximum, .shortest, .longest]
    var bounds = decant_bounds()
    var isBounded = false
    let hasNumbers = member(.minimum, of: node) != nil || member(.maximum, of: node) != nil
    let hasCounts = member(.shortest, of: node) != nil || member(.longest, of: node) != nil
    let content = FieldKind(number: field.element) ?? FieldKind(number: field.kind)
    if hasNumbers {
      (bounds.minimum, bounds.maximum) = (.min, .max)
      (bounds.least, bounds.most) = (-.infinity, .infinity)
    }
    if hasCounts { bounds.longest = .max }
    for index in 0..<4 {
      guard let value = member(keys[index], of: node) else { continue }
      isBounded = true
      if index < 2, content?.isReal == true {
        guard let text = context.view(value).nativeNumber else {
          fail(value, expected: "a number")
          return false
        }
        guard let number = text.double() else {
          fail(DECANT_NUMBER_OUT_OF_RANGE, value, "does not fit into 64 bits")
          return false
        }
        if index == 0 { bounds.least = number } else { bounds.most = number }
        continue
      }
      guard let number = integer(value) else { return false }
      if index >= 2, number < 0 {
        fail(DECANT_NUMBER_OUT_OF_RANGE, value, "is negative")
        return false
      }
      switch index {
      case 0: bounds.minimum = number
      case 1: bounds.maximum = number
      case 2: bounds.shortest = Int(clamping: number)
      default: bounds.longest = Int(clamping: number)
      }
    }
    if !isBounded { return true }
    // In a table, these are no bounds.
    if hasNumbers && (bounds.minimum, bounds.maximum) == (0, 0)
      || hasNumbers && (bounds.least, bounds.most) == (0, 0)
      || hasCounts && (bounds.shortest, bounds.longest) == (0, 0)
    {
      fail(DECANT_INVALID_VALUE, node, "bounds cannot be 0 and 0")
      return false
    }
    guard let memory = arena.allocate(MemoryLayout<decant_bounds>.stride) else { return false }
    memory.store(bounds)
    unsafe field.bounds = memory.pointer()
    return true
  }

  /// Where the field, its length and its presence are in the struct.
  private func place(_ field: inout decant_field, _ layout: inout Layout, isCounted: Bool) {
    let kind = FieldKind(number: field.kind) ?? .key
    let width = field.refer { $0.width }
    field.offset = layout.add(width)
    switch kind {
    case .string, .raw, .key, .array, .map: field.length_offset = layout.add(countWidth)
    case .fixedArray: if isCounted { field.length_offset = layout.add(countWidth) }
    default: break
    }
    if field.flags & UInt32(DECANT_OPTIONAL) != 0, !kind.needsBlock {
      field.presence_offset = layout.add(1)
    }
  }

  private mutating func readDefault(_ node: UInt64, _ field: inout decant_field) -> Bool {
    guard let value = member(.byDefault, of: node) else { return true }
    field.flags |= UInt32(DECANT_DEFAULT)
    let kind = FieldKind(number: field.kind) ?? .key
    if kind == .string {
      guard let text = copyText(value) else { return false }
      unsafe field.default_value = UnsafeRawPointer(text.start)
      return true
    }
    let (width, isNamed) = field.refer { ($0.width, $0.names != nil) }
    guard kind.canHaveDefault, kind != .name && kind != .flags || isNamed else {
      fail(DECANT_INVALID_VALUE, value, "fields of this kind have no default")
      return false
    }
    guard let memory = arena.allocate(max(width, 1)) else { return false }
    let json = context.view(value)
    // A table may have a default outside of its bounds, such as -1.
    let status = field.unbounded { store(json, kind, $0, to: memory) }
    if status != ok {
      fail(status, value, "is not a value that the field accepts")
      return false
    }
    unsafe field.default_value = UnsafeRawPointer(memory.start)
    return true
  }
}
