// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents of C programs. A document is one block, and its index another if it is large:
//
//   header   the context, and where the block came from
//   slots    the index, if it is small
//   text     a copy of the bytes
//   strings  as many bytes again: every string, unescaped, at its own offset, with a NUL byte after it
//
// Text and strings take two bytes for each of the document, the index at most eight (slots.c).
//
//   text     { " a " : " x \ n " }
//   strings  . a 0 . . x \n 0 . .        never longer than in the text, which has quotes and escapes too
//
// So strings are returned without being copied. After the document was made, only the look-up words of the index are
// written, which are relaxed atomics, and the directories of huge objects, which are published by one atomic pointer
// each and freed with the document.
//
// A `decant_document` and the values in it are what these functions returned, and a document is used until it is
// freed: decant.h asks for that, and it is the proof of every `unsafe` here that follows such a pointer.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// The beginning of a document's block.
@safe
private struct Header {
  // SAFETY: `context` points into the block, except for a tree of another engine.
  var context: decant_context
  var allocator: decant_allocator
  var size: Int
  var strings: UnsafeMutablePointer<UInt8>?
}

/// A document, as long as it is not freed.
@safe
private struct DocumentRef {
  // SAFETY: see the head of the file.
  let header: UnsafeMutablePointer<Header>

  @unsafe
  init?(_ document: OpaquePointer?) {
    guard let document = unsafe document else { return nil }
    unsafe header = UnsafeMutablePointer(document)
  }

  @unsafe
  init(_ header: UnsafeMutablePointer<Header>) { unsafe self.header = header }

  var handle: OpaquePointer { unsafe OpaquePointer(header) }

  var context: ContextRef {
    // SAFETY: the context is at the beginning of the header.
    unsafe ContextRef(
      UnsafeRawPointer(header).assumingMemoryBound(to: decant_context.self))
  }

  func value(_ node: UInt64) -> decant_value { unsafe decant_value(document: handle, node: node) }

  /// The string or key at a node, unescaped and with a NUL byte behind it.
  func string(_ json: JSON) -> CString? {
    guard let text = json.text else { return nil }
    let count = text.isEscaped ? text.scalars.utf8Count : text.bytes.count
    // SAFETY: a native string is unescaped at its own offset; another engine's strings are as they should be.
    return unsafe CString(
      json.isNative ? UnsafePointer(header.pointee.strings! + (json.offset + 1)) : text.bytes.start,
      count)
  }
}

/// Bytes for C, which live as long as the document.
@safe
private struct CString {
  let start: UnsafePointer<CChar>?
  let count: Int

  @unsafe
  init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    unsafe self.start = UnsafeRawPointer(start)?.assumingMemoryBound(to: CChar.self)
    self.count = count
  }

  @unsafe
  func start(_ length: UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>? {
    if unsafe start != nil { unsafe length?.pointee = count }
    return unsafe start
  }
}

/// The value of no document.
private var missing: decant_value { unsafe decant_value(document: nil, node: 0) }

extension decant_value {
  /// The document of the value; nil for a value of zeros.
  fileprivate var reference: DocumentRef? { unsafe DocumentRef(document) }

  /// The view of the value; nil for missing ones.
  fileprivate var view: JSON? {
    @_lifetime(immortal)
    get {
      guard let reference = reference, node != DECANT_NODE_NONE else { return nil }
      return reference.context.view(node)
    }
  }

  /// Another value of the same document.
  fileprivate func with(_ node: UInt64) -> decant_value {
    unsafe decant_value(document: document, node: node)
  }
}

// MARK: - Reading

@c @implementation
package func decant_parse(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ options: UnsafePointer<decant_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  do throws(Settings.Refusal) {
    let settings = try unsafe Settings(options)
    guard let out = unsafe out, let json = unsafe Bytes(json, length: length) else {
      return error.refuse(
        DECANT_INVALID_ARGUMENT, "json or out is NULL, or length is too large")
    }
    return parse(json, settings, error) { document in
      unsafe out.pointee = document.handle
    }
  } catch let refusal { return refusal.report(to: error) }
}

private func parse(
  _ json: Bytes, _ settings: Settings, _ error: ErrorOut, _ done: (DocumentRef) -> Void
) -> Status {
  var header = unsafe Header(
    context: decant_context_zero(), allocator: settings.allocator, size: 0, strings: nil)
  return unsafe settings.withAllocator { allocator in
    unsafe prepare(&header.context, settings.engine, settings.rules, json.buffer)
    unsafe header.context.allocator = allocator
    let code = unsafe build(&header.context)
    if code != ok { return unsafe error.refuse(ContextRef(&header.context), code, settings) }
    guard let document = settings.engine.isNative ? keep(&header) : keepTree(&header) else {
      unsafe release(&header.context)
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    done(document)
    return ok
  }
}

/// The most slots that are copied behind the header: one block less, for as much again of the index as this.
private let mostCopiedSlots = 512

/// Copies a document into a block, and a small index with it. A larger index stays where it is: a copy of it would take
/// up to eight bytes more for each byte of the document.
private func keep(_ header: inout Header) -> DocumentRef? {
  let start = (MemoryLayout<Header>.size + 7) & ~7
  let count = Int(header.context.slot_count)
  let slots = count <= mostCopiedSlots ? count : 0
  if slots == 0 { unsafe decant_index_fit(&header.context) }
  let length = header.context.length
  let index = slots * 8
  let (texts, areTextsTooLarge) = length.multipliedReportingOverflow(by: 2)
  if areTextsTooLarge || texts > Int.max - start - index - 1 { return nil }
  let size = start + index + texts + 1
  let allocator = unsafe header.context.allocator
  guard let block = unsafe decant_block_allocate(allocator, size) else { return nil }
  // SAFETY: the parts of the block, one behind the other.
  let text = unsafe (block + start + index).assumingMemoryBound(to: UInt8.self)
  unsafe Memory(text).copy(Bytes(header.context.text, length))
  if slots > 0 {
    unsafe decant_index_move(
      &header.context, (block + start).assumingMemoryBound(to: UInt64.self))
  }
  unsafe header.context.text = UnsafePointer(text)
  unsafe header.strings = text + length
  header.size = size
  let document = unsafe adopt(&header, block)
  writeStrings(document)
  return document
}

/// Keeps a tree of another engine, whose strings are its own.
private func keepTree(_ header: inout Header) -> DocumentRef? {
  header.size = MemoryLayout<Header>.size
  guard let block = unsafe decant_block_allocate(header.context.allocator, header.size) else {
    return nil
  }
  header.context.length = 0
  return unsafe adopt(&header, block)
}

@unsafe
private func adopt(_ header: inout Header, _ block: UnsafeMutableRawPointer) -> DocumentRef {
  let document = unsafe block.bindMemory(to: Header.self, capacity: 1)
  unsafe document.initialize(to: header)
  // The index has an owner, so huge objects may have directories. Nothing here makes Swift values, which would
  // take it for a Document.
  unsafe document.pointee.context.owner = block
  if unsafe header.context.allocator != nil {
    unsafe document.pointee.context.allocator = withUnsafePointer(
      to: &document.pointee.allocator
    ) { unsafe $0 }
  }
  return unsafe DocumentRef(document)
}

/// Unescapes every string to its own place.
private func writeStrings(_ document: DocumentRef) {
  let strings = unsafe document.header.pointee.strings!
  var json = document.context.view(0)
  while json.node < document.context.slotCount {
    if let text = json.nativeText {
      // SAFETY: the closing quote's place is the last that is written.
      let place = unsafe strings + (json.offset + 1)
      let count = unsafe decant_unescape(text.bytes.start, text.bytes.count, place)
      unsafe place[count] = 0
    }
    json = JSON(json.following, within: json)
  }
}

@c @implementation
package func decant_document_free(_ document: OpaquePointer!) {
  guard let header = unsafe DocumentRef(document)?.header else { return }
  unsafe release(&header.pointee.context)
  var allocator = unsafe header.pointee.allocator
  unsafe decant_block_release(&allocator, header, header.pointee.size)
}

@c @implementation
package func decant_root(_ document: OpaquePointer!) -> decant_value {
  guard let document = unsafe DocumentRef(document) else { return missing }
  return document.value(document.context.root.node)
}

// MARK: - Look-ups

@c @implementation
package func decant_value_kind(_ value: decant_value) -> Int32 {
  value.view?.kind.rawValue ?? Int32(DECANT_VALUE_MISSING)
}

@c @implementation
package func decant_get(_ object: decant_value, _ key: UnsafePointer<CChar>!) -> decant_value {
  guard let key = unsafe key else { return missing }
  return unsafe decant_get_counted(object, key, decant_c_string_length(key))
}

@c @implementation
package func decant_get_counted(
  _ object: decant_value, _ key: UnsafePointer<CChar>!, _ length: Int
) -> decant_value {
  guard let key = unsafe key, length >= 0 else { return missing }
  guard let json = object.view, json.kind == .object else {
    return object.with(DECANT_NODE_NONE)
  }
  let start = unsafe UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self)
  return unsafe object.with(json.member(start, length))
}

@c @implementation
package func decant_element(_ array: decant_value, _ index: Int) -> decant_value {
  guard let json = array.view, json.kind == .array else {
    return array.with(DECANT_NODE_NONE)
  }
  return array.with(json.element(index))
}

@c @implementation
package func decant_at(_ value: decant_value, _ pointer: UnsafePointer<CChar>!) -> decant_value {
  guard let pointer = unsafe pointer else { return missing }
  let path = unsafe CText(pointer).bytes
  guard isPointer(path) else { return missing }
  guard let json = value.view else { return value.with(DECANT_NODE_NONE) }
  return value.with(json.node(atPointer: path).node)
}

@c @implementation
package func decant_count(_ container: decant_value) -> Int { container.view?.count ?? 0 }

// MARK: - Leaves

/// Stores a value of a kind of field.
private func store(_ json: JSON?, _ kind: FieldKind, to out: Memory?) -> Status {
  guard let out else { return Status(DECANT_INVALID_ARGUMENT) }
  guard let json else { return Status(DECANT_MISSING_KEY) }
  // A field of nothing but its kind.
  return unsafe withUnsafePointer(to: decant_field()) { field in
    unsafe store(json, kind, FieldRef(field), to: out)
  }
}

@c @implementation
package func decant_get_int64(
  _ value: decant_value, _ out: UnsafeMutablePointer<Int64>!
) -> decant_status { unsafe store(value.view, .int64, to: Memory(out)) }

@c @implementation
package func decant_get_uint64(
  _ value: decant_value, _ out: UnsafeMutablePointer<UInt64>!
) -> decant_status { unsafe store(value.view, .uint64, to: Memory(out)) }

@c @implementation
package func decant_get_double(
  _ value: decant_value, _ out: UnsafeMutablePointer<Double>!
) -> decant_status { unsafe store(value.view, .double, to: Memory(out)) }

@c @implementation
package func decant_get_bool(
  _ value: decant_value, _ out: UnsafeMutablePointer<Bool>!
) -> decant_status { unsafe store(value.view, .bool, to: Memory(out)) }

@c @implementation
package func decant_get_string(
  _ value: decant_value, _ length: UnsafeMutablePointer<Int>!
) -> UnsafePointer<CChar>! {
  guard let json = value.view else { return nil }
  return unsafe value.reference?.string(json)?.start(length)
}

@c @implementation
package func decant_get_raw(
  _ value: decant_value, _ length: UnsafeMutablePointer<Int>!
) -> UnsafePointer<CChar>! {
  guard let text = value.view?.rawText else { return nil }
  return unsafe CString(text.start, text.count).start(length)
}

// MARK: - Iteration

@c @implementation
package func decant_iterate(_ container: decant_value) -> decant_iterator {
  unsafe decant_iterator(
    value: missing, key: nil, key_length: 0, container: container, position: 0)
}

/// `position` is the next child's node; for other engines, the position of the engine's cursor.
@c @implementation
package func decant_next(_ iterator: UnsafeMutablePointer<decant_iterator>!) -> Bool {
  guard let iterator = unsafe iterator else { return false }
  let container = unsafe iterator.pointee.container
  if let json = container.view, let document = container.reference,
    unsafe advance(&iterator.pointee, json, document)
  {
    return true
  }
  unsafe iterator.pointee.value = missing
  unsafe iterator.pointee.key = nil
  unsafe iterator.pointee.key_length = 0
  return false
}

private func advance(
  _ iterator: inout decant_iterator, _ json: JSON, _ document: DocumentRef
) -> Bool {
  let kind = json.kind
  guard kind == .array || kind == .object else { return false }
  guard json.isNative else { return advanceForeign(&iterator, json) }
  var place = iterator.position == 0 ? json.firstChild : iterator.position
  if place >= json.after { return false }
  if kind == .object {
    let key = document.string(JSON(place, within: json))
    unsafe iterator.key = key?.start
    iterator.key_length = key?.count ?? 0
    place += 1
  }
  iterator.value = iterator.container.with(place)
  iterator.position = JSON(place, within: json).after
  return true
}

private func advanceForeign(_ iterator: inout decant_iterator, _ json: JSON) -> Bool {
  guard let engine = unsafe json.foreign else { return false }
  var cursor = decant_cursor()
  cursor.position = iterator.position
  guard unsafe engine.pointee.advance(json.context, json.node, &cursor) else { return false }
  iterator.position = cursor.position
  iterator.value = iterator.container.with(cursor.value)
  if let key = unsafe cursor.key {
    let key = unsafe CString(key, cursor.key_length)
    unsafe iterator.key = key.start
    iterator.key_length = key.count
  }
  return true
}

// MARK: - Decoding a part

@c @implementation
package func decant_decode_value(
  _ record: UnsafePointer<decant_record>!, _ value: decant_value, _ out: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  do throws(Settings.Refusal) {
    var settings = try unsafe Settings(options)
    guard let out = unsafe Memory(out), let json = value.view else {
      return error.refuse(DECANT_INVALID_ARGUMENT, "the value is missing, or out is NULL")
    }
    var check = RecordCheck()
    guard let record = check.accepted(unsafe RecordRef(record), settings) else {
      return error.refuse(check.fault)
    }
    settings.rules.duplicates = json.reference.rules.duplicates
    // A context of this call's own, at another root; index and text are the document's.
    var context = unsafe decant_context_copy(json.context, nil)
    context.root = json.node
    return unsafe Call(record, check, out, settings, error).fill(&context)
  } catch let refusal { return refusal.report(to: error) }
}
