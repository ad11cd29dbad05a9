// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents that C programs keep and look into. A document is one block, and its index another if it is large:
//
//   header   the context, and where the block came from
//   slots    the index, if it is small
//   text     a copy of the bytes
//   strings  as many bytes again: every string, unescaped, at its own offset, with a NUL byte after it
//
// Text and strings take two bytes for each of the document, the index at most eight (slots.c).
//
//   text     { " a " : " x \ n " }
//   strings  . a 0 . . x \n 0 . .        never longer than in the text, where quotes and escapes stand too
//
// So a string is handed out without being copied, and nothing is written after the document was made but the
// look-up words of the index, which are relaxed atomics, and the directories of huge objects, which are
// published by one atomic pointer each and given back with the document.

public import CDecant
internal import CDecantIndex
internal import DecantCore

/// The beginning of a document's block.
@safe
private struct Header {
  // SAFETY: `context` points into the block, but for a tree of another engine.
  var context: decant_context
  var allocator: decant_allocator
  var size: Int
  var strings: UnsafeMutablePointer<UInt8>?
}

extension decant_value {
  /// The document's header; nil for a value of zeros.
  // SAFETY: a document is what decant_parse made, by the contract of decant.h.
  fileprivate var header: UnsafeMutablePointer<Header>? {
    unsafe document.map { unsafe UnsafeMutablePointer<Header>($0) }
  }

  /// Calls `body` with the view of the value; nil for missing ones.
  fileprivate func looking<Result>(_ body: (JSON, UnsafeMutablePointer<Header>) -> Result)
    -> Result?
  {
    guard let header = unsafe header, unsafe node != DECANT_NODE_NONE else { return nil }
    return unsafe withUnsafePointer(to: &header.pointee.context) { context in
      unsafe body(JSON(context: context, node: node), header)
    }
  }

  /// Another value of the same document.
  fileprivate func with(_ node: UInt64) -> decant_value {
    unsafe decant_value(document: document, node: node)
  }
}

private var missing: decant_value { unsafe decant_value(document: nil, node: 0) }

// MARK: - Reading

@c @implementation
public func decant_parse(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ options: UnsafePointer<decant_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  var settings = Settings()
  if let refusal = unsafe settings.take(options) {
    return unsafe refuse(refusal.code, refusal.message, error)
  }
  guard let out = unsafe out, unsafe json != nil || length == 0, length >= 0 else {
    return unsafe refuse(
      Status(DECANT_INVALID_ARGUMENT), "json or out is NULL, or length is too large", error)
  }
  var header = unsafe Header(
    context: decant_context_zero(), allocator: settings.allocator, size: 0, strings: nil)
  if let json = unsafe json {
    unsafe header.context.text = UnsafeRawPointer(json).assumingMemoryBound(to: UInt8.self)
  }
  unsafe header.context.length = length
  unsafe header.context.rules = settings.rules
  unsafe header.context.engine = unsafe settings.engine
  var allocator = unsafe settings.allocator
  return unsafe withUnsafePointer(to: &allocator) { allocator in
    if unsafe settings.memory != nil { unsafe header.context.allocator = unsafe allocator }
    let code = unsafe build(&header.context)
    if code != ok {
      return unsafe refuse(&header.context, code, settings, Report.Place(), error)
    }
    let document = unsafe settings.engine == nil ? keep(&header) : keepTree(&header)
    guard let document = unsafe document else {
      unsafe close(&header.context)
      return unsafe refuse(Status(DECANT_OUT_OF_MEMORY), "out of memory", error)
    }
    unsafe out.pointee = OpaquePointer(document)
    return ok
  }
}

private func close(_ context: UnsafeMutablePointer<decant_context>) {
  if let engine = unsafe context.pointee.engine {
    unsafe engine.pointee.discard(context)
  }
  // The index, and what readers have found out about the document.
  unsafe decant_index_discard(context)
}

/// The most slots that are copied behind the header: one block less, for as much again of the index as this.
private let mostCopiedSlots = 512

/// Copies a document into a block, and a small index with it. A larger index stays where it is: a copy of it would take
/// up to eight bytes more for each byte of the document.
private func keep(_ header: inout Header) -> UnsafeMutablePointer<Header>? {
  let start = (MemoryLayout<Header>.size + 7) & ~7
  let count = Int(unsafe header.context.slot_count)
  let slots = count <= mostCopiedSlots ? count : 0
  if slots == 0 { unsafe decant_index_fit(&header.context) }
  let length = unsafe header.context.length
  let index = slots * 8
  let (texts, areTextsTooLarge) = length.multipliedReportingOverflow(by: 2)
  if areTextsTooLarge || texts > Int.max - start - index - 1 { return nil }
  let size = start + index + texts + 1
  let allocator = unsafe header.context.allocator
  guard let block = unsafe decant_block_allocate(allocator, size) else { return nil }
  // SAFETY: the parts of the block, one behind the other.
  let text = unsafe block + start + index
  if length > 0 { unsafe text.copyMemory(from: header.context.text, byteCount: length) }
  if slots > 0 {
    unsafe (block + start).copyMemory(from: header.context.slots, byteCount: index)
    unsafe decant_index_discard(&header.context)
    unsafe header.context.slots = unsafe (block + start).assumingMemoryBound(to: UInt64.self)
    unsafe header.context.slot_capacity = slots
  }
  unsafe header.context.text = unsafe UnsafePointer(text.assumingMemoryBound(to: UInt8.self))
  unsafe header.strings = unsafe (text + length).assumingMemoryBound(to: UInt8.self)
  header.size = size
  let document = unsafe adopt(&header, block)
  unsafe writeStrings(document)
  return unsafe document
}

/// Keeps a tree of another engine, whose strings are its own.
private func keepTree(_ header: inout Header) -> UnsafeMutablePointer<Header>? {
  header.size = MemoryLayout<Header>.size
  guard let block = unsafe decant_block_allocate(header.context.allocator, header.size) else {
    return nil
  }
  unsafe header.context.length = 0
  return unsafe adopt(&header, block)
}

private func adopt(
  _ header: inout Header, _ block: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<Header> {
  let document = unsafe block.bindMemory(to: Header.self, capacity: 1)
  unsafe document.initialize(to: header)
  // The index has an owner, so huge objects may have directories. Nothing here makes Swift values, which would
  // take it for a Document.
  unsafe document.pointee.context.owner = unsafe block
  if unsafe header.context.allocator != nil {
    unsafe document.pointee.context.allocator = unsafe withUnsafePointer(
      to: &document.pointee.allocator
    ) { unsafe $0 }
  }
  return unsafe document
}

/// Unescapes every string to its own place.
private func writeStrings(_ document: UnsafeMutablePointer<Header>) {
  let context = unsafe document.pointee.context
  let strings = unsafe document.pointee.strings!
  var slot: UInt64 = 0
  while slot < UInt64(unsafe context.slot_count) {
    let word = unsafe context.slots[Int(slot)]
    let offset = Int(UInt32(truncatingIfNeeded: word))
    if word >> 63 != 0 {
      slot += 2
      continue
    }
    if unsafe context.text[offset] == UInt8(ascii: "\"") {
      let raw = unsafe decant_string_length(&document.pointee.context, slot)
      // SAFETY: the closing quote's place is the last that is written.
      let count = unsafe decant_unescape(context.text + (offset + 1), raw, strings + (offset + 1))
      unsafe strings[offset + 1 + count] = 0
    }
    slot += 1
  }
}

@c @implementation
public func decant_document_free(_ document: OpaquePointer!) {
  guard let document = unsafe document else { return }
  let header = unsafe UnsafeMutablePointer<Header>(document)
  unsafe close(&header.pointee.context)
  var allocator = unsafe header.pointee.allocator
  unsafe decant_block_release(&allocator, header, header.pointee.size)
}

@c @implementation
public func decant_root(_ document: OpaquePointer!) -> decant_value {
  guard let document = unsafe document else { return unsafe missing }
  return unsafe decant_value(
    document: document, node: UnsafeMutablePointer<Header>(document).pointee.context.root)
}

// MARK: - Looking

@c @implementation
public func decant_value_kind(_ value: decant_value) -> Int32 {
  unsafe value.looking { json, _ in json.kind.rawValue } ?? Int32(DECANT_VALUE_MISSING)
}

@c @implementation
public func decant_get(_ object: decant_value, _ key: UnsafePointer<CChar>!) -> decant_value {
  guard let key = unsafe key else { return unsafe missing }
  return unsafe decant_get_counted(object, key, decant_c_string_length(key))
}

@c @implementation
public func decant_get_counted(
  _ object: decant_value, _ key: UnsafePointer<CChar>!, _ length: Int
) -> decant_value {
  guard let key = unsafe key, length >= 0 else { return unsafe missing }
  let node = unsafe object.looking { json, _ -> UInt64 in
    if json.kind != .object { return DECANT_NODE_NONE }
    return unsafe json.member(UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self), length)
  }
  return unsafe object.with(node ?? DECANT_NODE_NONE)
}

@c @implementation
public func decant_element(_ array: decant_value, _ index: Int) -> decant_value {
  let node = unsafe array.looking { json, _ in
    json.kind == .array ? json.element(index) : DECANT_NODE_NONE
  }
  return unsafe array.with(node ?? DECANT_NODE_NONE)
}

@c @implementation
public func decant_at(_ value: decant_value, _ pointer: UnsafePointer<CChar>!) -> decant_value {
  guard let pointer = unsafe pointer else { return unsafe missing }
  let path = unsafe CText(pointer).bytes
  guard isPointer(path) else { return unsafe missing }
  let node = unsafe value.looking { json, _ in json.node(atPointer: path).node }
  return unsafe value.with(node ?? DECANT_NODE_NONE)
}

@c @implementation
public func decant_count(_ container: decant_value) -> Int {
  unsafe container.looking { json, _ in json.count } ?? 0
}

// MARK: - Leaves

/// Stores a value of a kind of field.
private func store(
  _ value: decant_value, _ kind: FieldKind, to out: UnsafeMutableRawPointer?
) -> Status {
  guard let out = unsafe out else { return Status(DECANT_INVALID_ARGUMENT) }
  let status = unsafe value.looking { json, _ in
    // A field of nothing but its kind.
    let field = unsafe decant_field()
    return unsafe withUnsafePointer(to: field) {
      unsafe store(json, kind, FieldRef($0), to: Memory(out))
    }
  }
  return status ?? Status(DECANT_MISSING_KEY)
}

@c @implementation
public func decant_get_int64(
  _ value: decant_value, _ out: UnsafeMutablePointer<Int64>!
) -> decant_status { unsafe store(value, .int64, to: out) }

@c @implementation
public func decant_get_uint64(
  _ value: decant_value, _ out: UnsafeMutablePointer<UInt64>!
) -> decant_status { unsafe store(value, .uint64, to: out) }

@c @implementation
public func decant_get_double(
  _ value: decant_value, _ out: UnsafeMutablePointer<Double>!
) -> decant_status { unsafe store(value, .double, to: out) }

@c @implementation
public func decant_get_bool(
  _ value: decant_value, _ out: UnsafeMutablePointer<Bool>!
) -> decant_status { unsafe store(value, .bool, to: out) }

/// The string or key at a node, unescaped and with a NUL byte behind it.
private func string(
  _ json: JSON, _ header: UnsafeMutablePointer<Header>, _ count: inout Int
) -> UnsafePointer<CChar>? {
  guard let text = json.text else { return nil }
  count = text.isEscaped ? text.scalars.utf8Count : text.bytes.count
  // SAFETY: a native string is unescaped at its own offset; another engine's strings are as they should be.
  let start =
    json.isNative
    ? unsafe UnsafePointer(header.pointee.strings! + (json.offset + 1)) : unsafe text.bytes.start
  return unsafe UnsafeRawPointer(start)?.assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func decant_get_string(
  _ value: decant_value, _ length: UnsafeMutablePointer<Int>!
) -> UnsafePointer<CChar>! {
  var count = 0
  let start = unsafe value.looking { json, header in unsafe string(json, header, &count) } ?? nil
  if unsafe start != nil { unsafe length?.pointee = count }
  return unsafe start
}

@c @implementation
public func decant_get_raw(
  _ value: decant_value, _ length: UnsafeMutablePointer<Int>!
) -> UnsafePointer<CChar>! {
  guard let text = unsafe value.looking({ json, _ in json.rawText }) ?? nil else { return nil }
  unsafe length?.pointee = text.count
  return unsafe UnsafeRawPointer(text.start)?.assumingMemoryBound(to: CChar.self)
}

// MARK: - Walking

@c @implementation
public func decant_iterate(_ container: decant_value) -> decant_iterator {
  unsafe decant_iterator(
    value: missing, key: nil, key_length: 0, container: container, position: 0)
}

/// `position` is the next child's node and, for other engines, what the engine's cursor keeps.
@c @implementation
public func decant_next(_ iterator: UnsafeMutablePointer<decant_iterator>!) -> Bool {
  guard let iterator = unsafe iterator else { return false }
  let container = unsafe iterator.pointee.container
  let moved = unsafe container.looking { json, header in
    unsafe advance(&iterator.pointee, json, header)
  }
  if moved == true { return true }
  unsafe iterator.pointee.value = missing
  unsafe iterator.pointee.key = nil
  unsafe iterator.pointee.key_length = 0
  return false
}

private func advance(
  _ iterator: inout decant_iterator, _ json: JSON, _ header: UnsafeMutablePointer<Header>
) -> Bool {
  let kind = json.kind
  guard kind == .array || kind == .object else { return false }
  guard json.isNative else { return unsafe advanceForeign(&iterator, json) }
  var place = unsafe iterator.position == 0 ? json.firstChild : iterator.position
  if place >= json.after { return false }
  if kind == .object {
    var count = 0
    unsafe iterator.key = unsafe string(JSON(place, within: json), header, &count)
    unsafe iterator.key_length = count
    place += 1
  }
  unsafe iterator.value = unsafe iterator.container.with(place)
  unsafe iterator.position = JSON(place, within: json).after
  return true
}

private func advanceForeign(_ iterator: inout decant_iterator, _ json: JSON) -> Bool {
  guard let engine = unsafe json.foreign else { return false }
  var cursor = unsafe decant_cursor()
  unsafe cursor.position = unsafe iterator.position
  guard unsafe engine.pointee.advance(json.context, json.node, &cursor) else { return false }
  unsafe iterator.position = unsafe cursor.position
  unsafe iterator.value = unsafe iterator.container.with(cursor.value)
  if let key = unsafe cursor.key {
    unsafe iterator.key = unsafe UnsafeRawPointer(key).assumingMemoryBound(to: CChar.self)
    unsafe iterator.key_length = unsafe cursor.key_length
  }
  return true
}

// MARK: - Decoding a part

@c @implementation
public func decant_decode_value(
  _ record: UnsafePointer<decant_record>!, _ value: decant_value, _ out: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  var settings = Settings()
  if let refusal = unsafe settings.take(options) {
    return unsafe refuse(refusal.code, refusal.message, error)
  }
  guard let out = unsafe out, let header = unsafe value.header,
    unsafe value.node != DECANT_NODE_NONE
  else {
    return unsafe refuse(
      Status(DECANT_INVALID_ARGUMENT), "the value is missing, or out is NULL", error)
  }
  var check = RecordCheck()
  let table = unsafe record.map { unsafe RecordRef($0) }
  guard check.accepts(table, needsStorage: settings.needsStorage), let table else {
    return unsafe refuse(check.fault, error)
  }
  settings.rules.duplicates = unsafe header.pointee.context.rules.duplicates
  // A context of this call's own, at another root; index and text are the document's.
  var context = unsafe decant_context_copy(&header.pointee.context, nil)
  unsafe context.root = value.node
  return unsafe fill(
    &context, table, check.needsBlock, Memory(out), settings, Report.Place(), error)
}
