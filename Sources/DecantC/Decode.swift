// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The decoding functions of decant.h. One way for all of them:
//
//   check the table -> read the document -> fill the struct and its block
//                                           └ failed: release the block, report what is wrong
//
// A fault of the table is reported before an error of the document.
//
// The struct is filled where it is, because a copy of bytes that were just written waits for the stores; its old
// bytes are kept aside, and put back after a failure.
//
// The block's size is measured or estimated first, by a walk of its own; the strings of a small document are
// never longer than its text, so that walk is saved there. Nothing here touches the Swift heap: exhausted memory
// is a status.

public import CDecant
internal import CDecantIndex
internal import DecantCore

// MARK: - Entry points

@c @implementation
public func decant_decode(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ out: UnsafeMutableRawPointer!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  unsafe decode(record, json, length, out, Settings(), error)
}

@c @implementation
public func decant_decode_with(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ out: UnsafeMutableRawPointer!, _ options: UnsafePointer<decant_options>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  var settings = Settings()
  if let refusal = unsafe settings.take(options) {
    return unsafe refuse(refusal.code, refusal.message, error)
  }
  return unsafe decode(record, json, length, out, settings, error)
}

@c @implementation
public func decant_decode_jansson(
  _ record: UnsafePointer<decant_record>!, _ tree: UnsafeRawPointer!,
  _ out: UnsafeMutableRawPointer!, _ options: UnsafePointer<decant_options>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  var settings = Settings()
  if let refusal = unsafe settings.take(options) {
    return unsafe refuse(refusal.code, refusal.message, error)
  }
  guard let engine = unsafe janssonTable() else {
    return unsafe refuse(
      Status(DECANT_UNSUPPORTED), "this library was built without libjansson", error)
  }
  guard let tree = unsafe tree, let out = unsafe out else {
    return unsafe refuse(Status(DECANT_INVALID_ARGUMENT), "tree or out is NULL", error)
  }
  var check = RecordCheck()
  let table = unsafe record.map { unsafe RecordRef($0) }
  guard check.accepts(table, needsStorage: settings.needsStorage), let table else {
    return unsafe refuse(check.fault, error)
  }
  var allocator = unsafe settings.allocator
  return unsafe withUnsafePointer(to: &allocator) { allocator in
    var context = unsafe decant_context_zero()
    unsafe context.engine = unsafe engine
    unsafe context.rules = settings.rules
    unsafe context.allocator = unsafe settings.memory != nil ? allocator : nil
    unsafe context.root = UInt64(UInt(bitPattern: tree)) | DECANT_NODE_FOREIGN
    return unsafe fill(
      &context, table, check.needsBlock, Memory(out), settings, Report.Place(), error)
  }
}

@c @implementation
public func decant_record_check(
  _ record: UnsafePointer<decant_record>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  unsafe check(record, needsStorage: true, error)
}

/// Whether decoding may use a table, or why not.
func check(
  _ record: UnsafePointer<decant_record>?, needsStorage: Bool,
  _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  var check = RecordCheck()
  let table = unsafe record.map { unsafe RecordRef($0) }
  if check.accepts(table, needsStorage: needsStorage) { return ok }
  return unsafe refuse(check.fault, error)
}

@c @implementation
public func decant_free(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeMutableRawPointer!
) {
  unsafe release(record, value) { storage in unsafe decant_block_release(nil, storage, 1) }
}

@c @implementation
public func decant_free_with(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!
) {
  var settings = Settings()
  guard unsafe settings.take(options) == nil else { return }
  unsafe release(record, value) { storage in unsafe Block.release(storage, settings) }
}

@inline(__always)
private func release(
  _ record: UnsafePointer<decant_record>?, _ value: UnsafeMutableRawPointer?,
  _ giveBack: (UnsafeMutableRawPointer?) -> Void
) {
  guard let record = unsafe record, let value = unsafe value else { return }
  let offset = unsafe record.pointee.storage_offset
  // A value in the caller's buffer has nothing to give back.
  if unsafe offset <= 0 || offset > record.pointee.size - pointerWidth { return }
  let storage = unsafe value.loadUnaligned(
    fromByteOffset: offset, as: UnsafeMutableRawPointer?.self)
  unsafe value.storeBytes(of: nil, toByteOffset: offset, as: UnsafeMutableRawPointer?.self)
  unsafe giveBack(storage)
}

// MARK: - Reading

/// The largest document whose block is allocated without being measured: the text's length is enough for its
/// strings, and not much more than they need.
let smallDocument = 512

/// Decodes a document; `base` is where it begins in a stream.
// SAFETY: the caller's promises: `length` bytes from `json`, and the record's size at `out`.
func decode(
  _ record: UnsafePointer<decant_record>?, _ json: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutableRawPointer?, _ settings: Settings,
  _ error: UnsafeMutablePointer<decant_error>?, base: Report.Place = Report.Place()
) -> Status {
  guard let out = unsafe out, unsafe json != nil || length == 0, length >= 0 else {
    return unsafe refuse(
      Status(DECANT_INVALID_ARGUMENT), "json or out is NULL, or length is too large", error)
  }
  if length <= smallDocument, settings.canReadText(length), let record = unsafe record,
    let json = unsafe json, unsafe fillFromText(RecordRef(record), json, length, Memory(out))
  {
    return ok
  }
  return unsafe decodeIndexed(record, json, length, out, settings, error, base)
}

/// Decodes a document with its index.
@inline(never)
private func decodeIndexed(
  _ record: UnsafePointer<decant_record>?, _ json: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutableRawPointer, _ settings: Settings,
  _ error: UnsafeMutablePointer<decant_error>?, _ base: Report.Place
) -> Status {
  var check = RecordCheck()
  let table = unsafe record.map { unsafe RecordRef($0) }
  guard check.accepts(table, needsStorage: settings.needsStorage), let table else {
    return unsafe refuse(check.fault, error)
  }
  return unsafe withContext(json, length, settings) { context in
    let code = unsafe build(context)
    if code != ok { return unsafe refuse(context, code, settings, base, error) }
    defer { unsafe close(context) }
    return unsafe fill(context, table, check.needsBlock, Memory(out), settings, base, error)
  }
}

/// Slots on the stack, for the index of a document of some 100 values.
private let stackSlots = 128

/// Calls `body` with a context for a document, prepared and not read yet.
@inline(__always)
func withContext(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ settings: Settings,
  _ body: (UnsafeMutablePointer<decant_context>) -> Status
) -> Status {
  // SAFETY: more than 1024 bytes would come from malloc; a larger index moves to the heap by itself.
  unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: stackSlots) { slots in
    unsafe withUnsafeTemporaryAllocation(of: decant_context.self, capacity: 1) { room in
      let context = room.baseAddress!
      let text = unsafe UnsafeRawPointer(json)?.assumingMemoryBound(to: UInt8.self)
      var rules = settings.rules
      unsafe decant_context_prepare(
        context, text, length, &rules, settings.engine, slots.baseAddress, stackSlots, nil)
      if unsafe settings.memory == nil { return unsafe body(context) }
      return unsafe withUnsafePointer(to: settings.allocator) { allocator in
        unsafe context.pointee.allocator = unsafe allocator
        return unsafe body(context)
      }
    }
  }
}

/// Reads a document; returns an index code, and after a failure there is nothing to close.
@inline(__always)
func build(_ context: UnsafeMutablePointer<decant_context>) -> Status {
  guard let engine = unsafe context.pointee.engine else {
    return unsafe decant_index_build(context)
  }
  return unsafe engine.pointee.build(context)
}

/// The largest struct that is filled from a text; its old bytes are kept on the stack.
let smallStruct = 128

/// Fills a struct from a small document's text, without an index; or leaves it as it was.
@inline(__always)
private func fillFromText(
  _ record: RecordRef, _ json: UnsafePointer<CChar>, _ length: Int, _ out: Memory
) -> Bool {
  let size = record.size
  let storage = record.storageOffset
  guard size > 0, size <= smallStruct,
    storage == 0 || storage > 0 && storage <= size &- pointerWidth,
    record.fieldCount <= smallStruct,
    let text = unsafe ObjectText(
      UnsafeRawPointer(json).assumingMemoryBound(to: UInt8.self), length)
  else { return false }
  return unsafe withUnsafeTemporaryAllocation(byteCount: smallStruct, alignment: 16) { room in
    let old = room.baseAddress!
    unsafe decant_copy_bytes(old, out.start, size)
    out.clear(size)
    // Without a place for a block, there are no strings.
    let block = unsafe storage == 0 ? nil : decant_block_allocate(nil, length)
    var fill = unsafe RecordFill(block, room: block == nil ? 0 : length, rewinds: false)
    let isFilled = fill.fill(record, from: text, at: out)
    if isFilled, unsafe block != nil, fill.room != length {
      out.store(Int(bitPattern: block), at: storage)
      return true
    }
    // A struct without strings owns nothing.
    unsafe decant_block_release(nil, block, length)
    if !isFilled { unsafe decant_copy_bytes(out.start, old, size) }
    return isFilled
  }
}

// MARK: - Filling

/// Fills the struct, with its old bytes aside.
@inline(__always)
func fill(
  _ context: UnsafeMutablePointer<decant_context>, _ record: RecordRef, _ needsBlock: Bool,
  _ out: Memory, _ settings: Settings, _ base: Report.Place,
  _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  let size = record.size
  if size <= 256 {
    return unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { room in
      let old = unsafe Memory(room.baseAddress!)
      return unsafe fill(context, record, needsBlock, old, out, settings, base, error)
    }
  }
  let allocator = unsafe context.pointee.allocator
  guard let room = unsafe decant_block_allocate(allocator, size) else {
    return unsafe diagnose(
      context, record, Status(DECANT_OUT_OF_MEMORY), settings, base, error)
  }
  defer { unsafe decant_block_release(allocator, room, size) }
  return unsafe fill(context, record, needsBlock, Memory(room), out, settings, base, error)
}

@inline(__always)
private func fill(
  _ context: UnsafeMutablePointer<decant_context>, _ record: RecordRef, _ needsBlock: Bool,
  _ old: Memory, _ out: Memory, _ settings: Settings, _ base: Report.Place,
  _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  let json = unsafe JSON(context: context, node: context.pointee.root)
  let size = record.size
  unsafe decant_copy_bytes(old.start, out.start, size)
  out.clear(size)
  let status =
    needsBlock && settings.needsStorage
    ? fillWithBlock(record, json, out, settings)
    : unsafe fill(
      record, json, out,
      RecordFill(settings.buffer, room: settings.bufferSize, rewinds: false)
    ).status
  if status == ok { return ok }
  unsafe decant_copy_bytes(out.start, old.start, size)
  return unsafe diagnose(context, record, status, settings, base, error)
}

/// Fills a struct of zeros.
@inline(never)
func fill(
  _ record: RecordRef, _ json: JSON, _ out: Memory, _ fill: RecordFill
) -> (status: Status, room: Int) {
  var walk = RecordWalk(fill, over: json)
  let status = walk.visit(record, json, at: out)
  return (status, walk.visitor.room)
}

/// Fills a struct of zeros, and allocates its block: for a small document as large as its text; else as large as
/// an estimate says, and the excess is returned; where that is not enough, as large as was measured.
@inline(__always)
private func fillWithBlock(
  _ record: RecordRef, _ json: JSON, _ out: Memory, _ settings: Settings
) -> Status {
  let length = unsafe json.context.pointee.length
  if length <= smallDocument, json.isNative {
    let status = fill(record, json, out, Block.allocate(length, settings), settings)
    if status != blockIsFull { return status }
  }
  return fillMeasured(record, json, out, settings)
}

@inline(never)
private func fillMeasured(
  _ record: RecordRef, _ json: JSON, _ out: Memory, _ settings: Settings
) -> Status {
  // Only a block from malloc can be cut.
  if unsafe settings.memory == nil {
    guard let measure = measured(record, json, isEstimate: true) else { return blockIsFull }
    let status = fill(
      record, json, out, Block.allocate(measure.size, settings), settings, rewinds: true,
      cuts: !measure.isExact)
    if measure.isExact || status != blockIsFull && status != Status(DECANT_OUT_OF_MEMORY) {
      return status
    }
  }
  guard let measure = measured(record, json, isEstimate: false) else { return blockIsFull }
  return fill(
    record, json, out, Block.allocate(measure.size, settings), settings, rewinds: true)
}

/// The size of a value's block; nil if no number tells it.
func measured(_ record: RecordRef, _ json: JSON, isEstimate: Bool) -> RecordMeasure? {
  var walk = RecordWalk(RecordMeasure(isEstimate: isEstimate), over: json)
  return walk.visit(record, json, at: RecordMeasure.Place()) == ok ? walk.visitor : nil
}

/// Fills a struct with a block, which it then owns; after a failure it is one of zeros, and the block is released.
@inline(__always)
private func fill(
  _ record: RecordRef, _ json: JSON, _ out: Memory, _ block: Block?, _ settings: Settings,
  rewinds: Bool = false, cuts: Bool = false
) -> Status {
  guard var block = block else { return Status(DECANT_OUT_OF_MEMORY) }
  var (status, room) = fill(
    record, json, out, unsafe RecordFill(block.data, room: block.room, rewinds: rewinds))
  if cuts, status == ok, block.cut(to: block.room - room) {
    // The block has moved: its pointers are those of the old one.
    out.clear(record.size)
    (status, room) = fill(
      record, json, out, unsafe RecordFill(block.data, room: block.room, rewinds: true))
  }
  if status == ok {
    unsafe out.store(Int(bitPattern: block.storage), at: record.storageOffset)
    return ok
  }
  block.release(settings)
  out.clear(record.size)
  return status
}

// MARK: - Failures

/// Reports what is wrong with a value.
@inline(never)
func diagnose(
  _ context: UnsafeMutablePointer<decant_context>, _ record: RecordRef, _ status: Status,
  _ settings: Settings, _ base: Report.Place, _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  let report = unsafe Report(
    error, context: context, limit: Int(settings.rules.maximum_errors),
    sourceName: settings.sourceName, base: base)
  let json = unsafe JSON(context: context, node: context.pointee.root)
  var walk = RecordWalk(RecordReport(report), over: json)
  let end = unsafe walk.visit(record, json, at: RecordReport.Place(last: nil))
  let isShort = walk.visitor.isShort || end == Status(DECANT_OUT_OF_MEMORY)
  if walk.visitor.report.count == 0 || isShort {
    // Nothing is wrong with the document, or there is no memory to tell.
    return unsafe refuse(
      Status(DECANT_OUT_OF_MEMORY),
      status == blockIsFull ? "the buffer is too small" : "out of memory", error)
  }
  return walk.visitor.report.finish()
}

@inline(never)
func refuse(
  _ context: UnsafeMutablePointer<decant_context>, _ code: Status, _ settings: Settings,
  _ base: Report.Place, _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  var report = unsafe Report(
    error, context: context, limit: 1, sourceName: settings.sourceName, base: base)
  unsafe report.add(reading: context, code)
  return report.finish()
}

@inline(never)
func refuse(
  _ code: Status, _ message: StaticString, _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  var report = unsafe Report(error)
  report.add(code, message)
  return report.finish()
}

@inline(never)
func refuse(
  _ fault: RecordFault?, _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  var report = unsafe Report(error)
  if let fault = fault { report.add(fault) }
  return report.finish()
}
