// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents of C programs. A document is one block, and its index another if it is large:
//
//   header   the context, and the block's allocator
//   slots    the index, if it is small
//   text     a copy of the bytes
//   strings  as many bytes again: every string, unescaped, at its own offset, with a NUL byte after it
//
// Text and strings take two bytes for each of the document, the index at most eight (slots.c).
//
//   text     { " a " : " x \ n " }
//   strings  . a 0 . . x \n 0 . .        never longer than in the text, which has quotes and escapes too
//
// So strings are returned without a copy. After the document was made, only two things are written: the look-up words of
// the index, which are relaxed atomics, and the directories of huge objects, each of which is published by one atomic
// pointer and freed with the document.
//
// decant.h requires that a `decant_document` and its values come from these functions, and that a document is not used
// after it is freed. That is the proof of every `unsafe` here that follows such a pointer.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// The beginning of a document's block.
private struct Header {
  /// It points into the block, except for a tree of another engine, and to `allocator`.
  var context: decant_context
  var allocator: decant_allocator
  var size = 0
  var strings: Memory?
}

/// A document, as long as it is not freed; or its header while it is read.
private typealias DocumentRef = Handle<Header>

// SAFETY: see the head of the file. The context is at the beginning of the header.
extension Handle where Value == Header {
  /// A document in its own block, with what a header has.
  init(_ header: Header, in block: Memory) {
    unsafe self.init(block.start.bindMemory(to: Header.self, capacity: 1), header)
    setAllocator()
    // The index has an owner, so huge objects may have directories. Nothing here makes Swift values, which would
    // take it for a Document.
    unsafe own.pointee.owner = block.start
  }

  private var own: UnsafeMutablePointer<decant_context> {
    unsafe memory.start.assumingMemoryBound(to: decant_context.self)
  }

  var context: ContextRef { unsafe ContextRef(own) }

  private func setAllocator() {
    if unsafe value.allocator.allocate == nil { return }
    unsafe own.pointee.allocator = withUnsafePointer(to: &value.allocator) { unsafe $0 }
  }

  /// Reads a text; returns an index code. `end` releases its memory if that fails.
  func read(_ json: Bytes, _ settings: Settings) -> Status {
    unsafe prepare(own, settings.engine, settings.rules, json.buffer)
    setAllocator()
    return unsafe DecantC.read(own)
  }

  func end(_ code: Status) { unsafe DecantC.end(own, code) }

  /// Releases the memory outside the block.
  func discard() { unsafe DecantCore.release(own) }

  /// Releases the unused slots.
  func fit() { unsafe decant_index_fit(own) }

  /// Moves the text, and the slots unless `slots` is nil. The strings will follow the text.
  func move(text: Memory, slots: Memory?) {
    text.copy(context.source)
    if let slots {
      unsafe decant_index_move(own, slots.start.assumingMemoryBound(to: UInt64.self))
    }
    unsafe own.pointee.text = UnsafePointer(text.bytePointer)
    value.strings = text.advanced(by: context.length)
  }

  func value(_ node: UInt64) -> decant_value { unsafe decant_value(document: opaque, node: node) }

  /// The string or key at a node, unescaped and terminated by a NUL byte.
  func string(_ json: JSON) -> Bytes? {
    guard let text = json.text else { return nil }
    let count = text.isEscaped ? json.scalars.utf8Count : text.bytes.count
    // A native string is unescaped at its own offset; another engine's strings are as they should be.
    guard json.isNative else { return text.bytes }
    return value.strings.map { $0.advanced(by: json.offset + 1).bytes(count) }
  }
}

extension Bytes {
  /// The bytes for C, which live as long as the document, and how many there are.
  fileprivate func text(_ length: UnsafeMutablePointer<Int>? = nil) -> UnsafePointer<CChar>? {
    guard let memory else { return nil }
    unsafe length?.pointee = count
    return unsafe memory.textPointer
  }
}

/// The value of no document.
private var missing: decant_value { unsafe decant_value(document: nil, node: 0) }

extension decant_value {
  /// The document of the value; nil for a value of zeros.
  fileprivate var reference: DocumentRef? { unsafe DocumentRef(document) }

  /// The view of the value; nil for missing ones.
  var view: JSON? {
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
  let (json, error) = unsafe (Bytes(json, length: length), ErrorOut(error))
  return unsafe follow(options, error) { settings in
    guard let out = unsafe out, let json else {
      return error.refuse(
        DECANT_INVALID_ARGUMENT, "json or out is NULL, or length is too large")
    }
    var header = Header(context: decant_context_zero(), allocator: settings.allocator)
    // SAFETY: the header is where it is until it is copied into the document's block.
    return unsafe withUnsafeMutablePointer(to: &header) { header in
      let draft = unsafe DocumentRef(header)
      let code = draft.read(json, settings)
      if code != ok {
        defer { draft.end(code) }
        return error.refuse(draft.context, code, settings)
      }
      let layout = DocumentLayout(draft.context)
      if let layout, layout.total > draft.context.memoryLimit(by: settings.rules) {
        defer { draft.discard() }
        return error.refuse(draft.context, Status(DECANT_TOO_LARGE), settings)
      }
      guard let layout, let document = keep(draft, layout) else {
        draft.discard()
        return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
      }
      unsafe out.pointee = document.opaque
      return ok
    }
  }
}

/// The most slots that are copied after the header. This saves a block, and copies the index.
private let mostCopiedSlots = 512

/// The memory of a document: a block, and the index beside it if that is large. A copy of a large index would take up to
/// eight bytes more for each byte of the document. The tree of another engine has all strings.
private struct DocumentLayout {
  let start = (MemoryLayout<Header>.size + 7) & ~7
  /// The bytes of an index that is copied after the header.
  let index: Int
  /// Bytes of the block.
  let size: Int
  /// Bytes of the block and of the index beside it.
  let total: Int

  /// Nil for more than there can be.
  init?(_ context: ContextRef) {
    let slots = Int(context.slotCount)
    index = slots <= mostCopiedSlots ? slots * 8 : 0
    let texts = (context.isNative ? context.length : 0).multipliedSaturating(by: 2)
    size = texts.saturating(adding: start + index + 1)
    total = size.saturating(adding: slots * 8 - index)
    if total == .max { return nil }
  }
}

/// Copies a document into a block.
private func keep(_ draft: DocumentRef, _ layout: DocumentLayout) -> DocumentRef? {
  if !draft.context.isNative { draft.value.context.length = 0 }
  if layout.index == 0 { draft.fit() }
  guard let block = draft.value.allocator.allocate(layout.size) else { return nil }
  // The parts of the block, in order.
  draft.move(
    text: block.advanced(by: layout.start + layout.index),
    slots: layout.index > 0 ? block.advanced(by: layout.start) : nil)
  draft.value.size = layout.size
  let document = DocumentRef(draft.value, in: block)
  writeStrings(document)
  return document
}

/// Unescapes every string to its own place.
private func writeStrings(_ document: DocumentRef) {
  guard let strings = document.value.strings else { return }
  var json = document.context.view(0)
  while json.node < document.context.slotCount {
    if let text = json.nativeText {
      // The closing quote's place is the last that is written.
      let place = strings.advanced(by: json.offset + 1)
      place.store(0 as UInt8, at: place.copy(text))
    }
    json = JSON(json.following, within: json)
  }
}

@c @implementation
package func decant_document_free(_ document: OpaquePointer!) {
  guard let document = unsafe DocumentRef(document) else { return }
  document.discard()
  let (allocator, size) = (document.value.allocator, document.value.size)
  allocator.release(document.memory, size)
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
  unsafe object.member(Bytes(cString: key))
}

@c @implementation
package func decant_get_counted(
  _ object: decant_value, _ key: UnsafePointer<CChar>!, _ length: Int
) -> decant_value { unsafe object.member(key == nil ? nil : Bytes(key, length: length)) }

extension decant_value {
  fileprivate func member(_ key: Bytes?) -> decant_value {
    guard let key else { return missing }
    guard let json = view, json.kind == .object else { return with(DECANT_NODE_NONE) }
    // SAFETY: the caller's key, which is not NULL.
    return unsafe with(json.member(key.start.unsafelyUnwrapped, key.count))
  }
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
  guard let path = unsafe Bytes(cString: pointer), isPointer(path) else { return missing }
  guard let json = value.view else { return value.with(DECANT_NODE_NONE) }
  return value.with(json.node(atPointer: path))
}

@c @implementation
package func decant_count(_ container: decant_value) -> Int { container.view?.count ?? 0 }

// MARK: - Leaves

/// Stores a value of a kind of field.
private func store(_ json: JSON?, _ kind: FieldKind, to out: Memory?) -> Status {
  guard let out else { return Status(DECANT_INVALID_ARGUMENT) }
  guard let json else { return Status(DECANT_MISSING_KEY) }
  // A field of nothing but its kind.
  return decant_field().refer { store(json, kind, $0, to: out) }
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
  return unsafe value.reference?.string(json)?.text(length)
}

@c @implementation
package func decant_get_raw(
  _ value: decant_value, _ length: UnsafeMutablePointer<Int>!
) -> UnsafePointer<CChar>! {
  unsafe value.view?.rawText?.text(length)
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
  return unsafe iterator.pointee.advance()
}

extension decant_iterator {
  fileprivate mutating func advance() -> Bool {
    guard let json = container.view, let document = container.reference else { return end() }
    var cursor = ChildCursor(json, from: position)
    guard let value = cursor.next(in: json) else { return end() }
    position = cursor.position
    var key: Bytes?
    if cursor.isObject {
      key =
        json.isNative ? document.string(JSON(value - 1, within: json)) : cursor.foreignKey
    }
    set(container.with(value), key)
    return true
  }

  private mutating func end() -> Bool {
    set(missing, nil)
    return false
  }

  private mutating func set(_ value: decant_value, _ key: Bytes?) {
    unsafe (self.value, self.key) = (value, key?.text())
    key_length = key?.count ?? 0
  }
}

// MARK: - Decoding a part

@c @implementation
package func decant_decode_value(
  _ record: UnsafePointer<decant_record>!, _ value: decant_value, _ out: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, out, error) = unsafe (RecordRef(record), Memory(out), ErrorOut(error))
  return unsafe follow(options, error) { settings in
    guard let out, let json = value.view else {
      return error.refuse(DECANT_INVALID_ARGUMENT, "the value is missing, or out is NULL")
    }
    var check = RecordCheck(settings.allocator)
    guard let record = check.accepted(record, needsStorage: settings.needsStorage) else {
      return error.refuse(check.fault)
    }
    var settings = settings
    settings.rules.duplicates = json.reference.rules.duplicates
    // A context of this call's own, at another root; index and text are the document's.
    var context = unsafe decant_context_copy(json.context, nil)
    context.root = json.node
    context.rules.redacts |= settings.rules.redacts
    // SAFETY: the context is where it is during the call.
    return unsafe withUnsafePointer(to: &context) {
      unsafe Call(
        record: record, check: check, out: out, settings: settings, error: error
      ).fill(ContextRef($0))
    }
  }
}
