// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stores values in a struct and its block. Strings, arrays and maps go into the block, one after another:
//
//   {"name":"Ann","tags":["a","b"]}
//
//   struct  { name ─┐          tags ─┐             tags_count 2 }
//   block           A n n \0 (pad)   [0]─┐ [1]─┐   a \0 b \0
//                                        └─────┼───┘
//                                              └────────┘
//
// Runs in C store plain values (decant_runs.h). This file stores the others: other kinds, rare forms, and values at the
// document's end.
//
// Filling stops at the first value that does not fit, without a reason. RecordReport then finds all errors. The caller
// clears the struct before filling, and discards it after a failure.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct RecordFill: RecordVisitor {
  typealias Place = Memory

  // SAFETY: the bytes from `next` up to `end` are free and the caller's; the text can be read up to the limit.
  private var run: decant_struct_run
  /// Whether objects were looked into before.
  let rewinds: Bool
  /// Whether a struct began with defaults: what a value replaces may be no zeros.
  private var replaces = false

  /// The first free byte of the block.
  var next: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(run.block.next) }

  /// Bytes of the block that are free.
  var room: Int { unsafe run.block.end - run.block.next }

  @inline(__always)
  init(_ block: UnsafeMutableRawPointer?, room: Int, rewinds: Bool) {
    // SAFETY: without a block there is no space, and nothing is written at this address.
    let next = unsafe (block ?? UnsafeMutableRawPointer(bitPattern: 16)!)
      .assumingMemoryBound(to: UInt8.self)
    unsafe run = decant_struct_run(
      block: decant_block_run(next: next, end: next + room, limit: nil),
      store_doubles: { unsafe Self.storeDoubles($0, $1, $2, $3) })
    self.rewinds = rewinds
  }

  /// Stores the first of so many slots as doubles, as far as they have many digits each. Returns how many.
  ///
  /// A function of its own: into a closure that C calls, the compiler inlines no function of C.
  // SAFETY: a run's document, slots of it, and space for so many doubles in the struct or its block.
  @inline(never)
  private static func storeDoubles(
    _ context: UnsafePointer<decant_context>?, _ node: UInt64, _ count: Int,
    _ place: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context = unsafe context, let place = unsafe place else { return 0 }
    let document = unsafe ContextRef(context)
    for index in 0..<count {
      let value = document.view(node &+ UInt64(truncatingIfNeeded: index))
      guard let number = value.nativeNumber, index == 0 || value.digitCount > 15,
        let real = number.double()
      else { return index }
      unsafe place.storeBytes(of: real, toByteOffset: 8 &* index, as: Double.self)
    }
    return count
  }

  /// Fills from a document that is a part of `text`. All of `text` may be read.
  mutating func read(within text: Bytes) {
    unsafe limit = text.start.map { unsafe $0 + text.count }
  }

  var limit: UnsafePointer<UInt8>? {
    get { unsafe run.block.limit }
    set { unsafe run.block.limit = newValue }
  }

  /// Passes over so many bytes of the block.
  private mutating func pass(_ count: Int) { unsafe run.block.next += count }

  // MARK: - Values

  @inline(__always)
  mutating func plain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, _ index: Int, in record: Memory
  ) -> Bool {
    if kind.ordinal > DECANT_RUN_TEXT { return false }
    let length = field.plainLengthOffset
    guard
      unsafe decant_run_value(
        &run.block, value.context, value.node, kind.ordinal,
        record.advanced(by: field.offset).start,
        length != 0 ? record.advanced(by: length).start : nil)
    else { return false }
    let presence = field.plainPresenceOffset
    if presence != 0 { record.store(1 as UInt8, at: presence) }
    return true
  }

  static var takesRuns: Bool { true }
  static var takesRecords: Bool { true }

  @inline(__always)
  mutating func plainFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, at key: inout UInt64,
    before end: UInt64, in place: Memory, _ nesting: inout decant_nesting
  ) {
    unsafe decant_run_members(
      &run, &nesting, json.context, record.steps, &index, &key, end, place.start)
  }

  mutating func otherFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, _ members: inout decant_run_place,
    in place: Memory, _ nesting: inout decant_nesting
  ) {
    unsafe decant_run_others(
      &run, &nesting, json.context, record.steps, &index, &members, place.start)
  }

  mutating func plainRecords(
    _ count: Int, of record: RecordRef, _ json: JSON, at node: inout UInt64, from first: Memory,
    _ nesting: inout decant_nesting
  ) -> Int {
    unsafe decant_run_records(
      &run, &nesting, json.context, record.steps, &node, count, first.start)
  }

  @inline(__always)
  mutating func plainElements(
    _ count: Int, of array: JSON, _ kind: FieldKind, from first: Memory
  ) -> Int {
    var stored = unsafe decant_run_elements(
      &run.block, array.context, array.node, count, kind.ordinal, first.start)
    // Reals of many digits, which arrays have for all elements.
    while kind == .double, stored < count,
      let real = JSON(array.firstChild &+ UInt64(truncatingIfNeeded: stored), within: array)
        .nativeNumber?.shortDouble()
    {
      first.store(real, at: 8 &* stored)
      stored &+= 1
    }
    return stored
  }

  /// Ends a string of `length` bytes at `next`, and stores a pointer to it.
  @inline(__always)
  mutating func end(_ length: Int, at place: Memory) {
    let start = unsafe next
    unsafe start.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    place.point(to: unsafe Memory(start))
    pass(length &+ 1)
  }

  @inline(__always)
  mutating func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Memory, _ count: inout Int
  ) -> Status {
    switch kind {
    case .string, .text, .raw: copy(value, kind, field, to: place, &count)
    case .characters: storeCharacters(value, field, to: place, &count)
    case .base64: decode(value, to: place, &count)
    default: store(value, kind, field, to: place)
    }
  }

  // MARK: - Strings

  /// Copies a string, or a value's text.
  private mutating func copy(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory, _ count: inout Int
  ) -> Status {
    guard let text: Text = kind == .raw ? value.rawText.map({ ($0, false) }) : value.text(of: field)
    else {
      return kind == .raw ? Status(DECANT_UNSUPPORTED) : value.lackOfText(for: field)
    }
    if kind == .raw, !value.isRawText { return Status(DECANT_INVALID_UTF8) }
    // SAFETY: the text is copied to the next bytes of the block.
    let copied = unsafe Memory(next)
    guard let length = copy(text, to: place) else { return blockIsFull }
    count = length
    if kind == .raw || text.isEscaped || !value.isNative, !field.counts(kind),
      copied.cString(within: length).count != length
    {
      return invalidValue
    }
    if kind == .text { place.store(length, at: pointerWidth) }
    let isAccepted = kind == .raw ? field.canCount(length) : field.accepts(bytes: length, kind)
    return isAccepted ? ok : invalidValue
  }

  /// Stores the bytes of a base64 string, and a NUL byte.
  @inline(never)
  private mutating func decode(_ value: JSON, to place: Memory, _ count: inout Int) -> Status {
    guard let text = value.text else { return typeMismatch }
    guard text.bytes.count < room else { return blockIsFull }
    // SAFETY: the block has space for the text, which the bytes replace.
    let memory = unsafe Memory(next)
    let spelled = memory.bytes(memory.copy(text))
    guard let length = Base64.count(spelled) else { return invalidValue }
    Base64.decode(spelled, to: memory)
    end(length, at: place)
    place.store(length, at: pointerWidth)
    count = length
    return ok
  }

  /// Copies and unescapes a string to the block, adds a NUL byte, and stores a pointer to it. Returns its length, or nil if
  /// the block is full.
  @inline(__always)
  private mutating func copy(_ text: Text, to place: Memory) -> Int? {
    guard text.bytes.count < room else { return nil }
    let length = unsafe Memory(next).copy(text)
    end(length, at: place)
    return length
  }

  mutating func key(_ key: Text, of value: JSON, _ field: FieldRef, in record: Memory) -> Status {
    // SAFETY: as above.
    let copied = unsafe Memory(next)
    guard let length = copy(key, to: record.advanced(by: field.offset)) else { return blockIsFull }
    if key.isEscaped || !value.isNative, !field.counts(.key),
      copied.cString(within: length).count != length
    {
      return invalidValue
    }
    if !field.canCount(length) { return invalidValue }
    finish(field, length, in: record)
    return ok
  }

  /// Stores the members that no field names as an object; NULL without one.
  @inline(never)
  mutating func rest(
    _ json: JSON, _ field: FieldRef, of record: RecordRef, at place: Memory, _ count: inout Int
  ) -> Status {
    // SAFETY: fewer bytes are written than the block has space for.
    let text = unsafe Memory(next)
    let space = room
    var length = 0
    let status = record.forEachOther(of: json) { key, value in
      value.withRawText { raw in
        // A brace or a comma, quotation marks and a colon; a brace and a NUL byte at the end.
        guard key.bytes.count + raw.count + 6 <= space - length else { return blockIsFull }
        length = text.write(member: key, raw, at: length)
        return ok
      }
    }
    if status != ok || length == 0 { return status }
    text.store(UInt8(ascii: "}"), at: length)
    length += 1
    end(length, at: place)
    count = length
    if !field.counts(.raw), text.cString(within: length).count != length { return invalidValue }
    return field.canCount(length) ? ok : invalidValue
  }

  // MARK: - Parts that do not fit

  func beginPart() -> Int { unsafe Int(bitPattern: next) }

  /// Gives the part's bytes of the block back.
  mutating func isLeftOut(
    _ status: Status, since start: Int, at place: Memory, _ stride: Int
  ) -> Bool {
    guard isLeavable(status) else { return false }
    unsafe pass(start - Int(bitPattern: next))
    place.clear(stride)
    return true
  }

  /// Nothing that is kept is as if nothing had been there: NULL, unless a NULL ends the array.
  func leftOut(_ out: Int, of field: FieldRef, keeping count: Int, in record: Memory) {
    if count == 0, out != 0, field.kind != .fixedArray, !field.has(DECANT_NULL_TERMINATED) {
      record.store(0 as Int, at: field.offset)
    }
    guard let offset = field.leftOutOffset else { return }
    record.store(UInt32(clamping: out), at: offset)
  }

  // MARK: - Defaults

  /// A struct begins as a copy of the defaults, which owns nothing.
  mutating func begin(_ record: RecordRef, from defaults: Memory, at place: Memory) {
    place.copy(defaults, record.size)
    if record.storageOffset != 0 { place.store(0 as Int, at: record.storageOffset) }
    replaces = true
  }

  /// Clears what a value does not fill.
  @inline(__always)
  func replace(_ field: FieldRef, in record: Memory) {
    if replaces { clear(field, in: record) }
  }

  @inline(never)
  private func clear(_ field: FieldRef, in record: Memory) {
    // The members of a record have defaults of their own.
    if field.kind == .record { return }
    record.advanced(by: field.offset).clear(field.width)
    field.storeLength(0, in: record)
    leftOut(0, of: field, keeping: 0, in: record)
  }

  // MARK: - What goes with a value

  @inline(__always)
  func finish(_ field: FieldRef, _ count: Int, in record: Memory) {
    field.storeLength(count, in: record)
    if let presence = field.presenceOffset {
      record.store(field.has(DECANT_STATE) ? 2 : 1 as UInt8, at: presence)
    }
  }

  /// Leaves the struct's zeros, or stores the default.
  @inline(never)
  func absent(_ field: FieldRef, isNull: Bool, in record: Memory) -> Status {
    if let presence = field.presenceOffset {
      record.store(field.has(DECANT_STATE) && isNull ? 1 : 0 as UInt8, at: presence)
    }
    guard let value = field.standard else { return ok }
    let place = record.advanced(by: field.offset)
    guard let text = field.standardText else {
      place.copy(value, field.width)
      return ok
    }
    if field.kind == .string { place.point(to: value) } else { place.copy(text) }
    field.storeLength(text.count, in: record)
    return ok
  }

  // MARK: - The block

  @inline(__always)
  mutating func room(
    _ count: Int, of stride: Int, cleared: Bool, for json: JSON, at place: Memory
  ) -> Memory? {
    room(count, of: stride, cleared: cleared, at: place)
  }

  @inline(__always)
  mutating func room(_ count: Int, of stride: Int, cleared: Bool, at place: Memory) -> Memory? {
    let (size, overflow) = count.multipliedReportingOverflow(by: stride)
    let padding = unsafe (0 &- Int(bitPattern: next)) & (alignment(ofSize: stride) &- 1)
    guard !overflow, padding <= room, size <= room &- padding else { return nil }
    let memory = unsafe Memory(next + padding)
    if cleared { memory.clear(size) }
    place.point(to: memory)
    pass(padding &+ size)
    return memory
  }

  func nullElement(_ index: Int, stride: Int, from first: Memory) -> Status {
    first.advanced(by: index &* stride).clear(stride)
    return ok
  }

  @inline(__always)
  static func step(_ step: WalkStep, from place: Memory, _ body: (Memory) -> Status) -> Status {
    switch step {
    case .field(let field), .part(let field): body(place.advanced(by: field.offset))
    case .element(let index, let stride), .member(_, let index, let stride):
      body(place.advanced(by: index &* stride))
    case .document: body(place)
    }
  }
}

extension Memory {
  /// Writes a member of an object at a place, with the brace or the comma before it; returns where it ends. It takes the
  /// bytes of the key and of the value, and 4 more.
  func write(member key: Text, _ value: Bytes, at start: Int) -> Int {
    store(start == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","), at: start)
    store(UInt8(ascii: "\""), at: start + 1)
    advanced(by: start + 2).copy(key.bytes)
    let end = start + key.bytes.count + 4
    store(UInt8(ascii: "\""), at: end - 2)
    store(UInt8(ascii: ":"), at: end - 1)
    advanced(by: end).copy(value)
    return end + value.count
  }
}

extension JSON {
  /// How many digits a native number has before and behind the point.
  @inline(__always)
  fileprivate var digitCount: UInt32 { (tag &>> 8 & 0xFF) &+ (tag &>> 16 & 0xFF) }
}
