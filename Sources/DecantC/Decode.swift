// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The decoding functions of decant.h. One way for all of them:
//
//   the direct path (RecordDirectPath.swift)
//   └ not for it: check the table -> read the document -> fill the struct and its block
//                                                         └ failed: give the block back, tell what is wrong
//
// What is wrong with a table is told before what is wrong with a document.
//
// The struct is filled where it stays, because a copy of what was just written stalls on the stores; its old
// bytes are kept aside, and put back after a failure.
//
// How large the block must be is measured or estimated first, by a walk of its own; a small document's strings
// cannot be longer than its text, so there the walk is saved. Nothing here touches the Swift heap: exhausted
// memory is a status.

public import CDecant
internal import CDecantIndex
internal import DecantCore

// MARK: - Entry points

@c @implementation
public func decant_decode(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ out: UnsafeMutableRawPointer!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  guard let record = unsafe record, let json = unsafe json, let out = unsafe out,
    UInt(bitPattern: length) <= UInt(smallDocument)
  else { return unsafe decode(record, json, length, out, Settings(), error) }
  if unsafe writeDirectly(record, json, length, out) { return ok }
  return unsafe decodeIndexed(record, json, length, out, Settings(), error, Report.Place())
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
  guard let table = unsafe janssonTable() else {
    return unsafe refuse(
      Status(DECANT_UNSUPPORTED), "this library was built without libjansson", error)
  }
  guard let tree = unsafe tree, let out = unsafe out else {
    return unsafe refuse(Status(DECANT_INVALID_ARGUMENT), "tree or out is NULL", error)
  }
  var check = RecordCheck()
  guard unsafe check.accepts(record, needsStorage: settings.buffer == nil) else {
    return unsafe refuse(check.fault, error)
  }
  var allocator = unsafe settings.allocator
  return unsafe withUnsafePointer(to: &allocator) { allocator in
    var context = unsafe decant_context_zero()
    unsafe context.engine = unsafe table
    unsafe context.rules = settings.rules
    unsafe context.allocator = unsafe settings.memory != nil ? allocator : nil
    unsafe context.root = UInt64(UInt(bitPattern: tree)) | DECANT_NODE_FOREIGN
    return unsafe fill(&context, record, check.needsBlock, out, settings, Report.Place(), error)
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
  _ record: Record?, needsStorage: Bool, _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  var check = RecordCheck()
  if unsafe check.accepts(record, needsStorage: needsStorage) { return ok }
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
  _ record: Record?, _ value: UnsafeMutableRawPointer?,
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

// MARK: - The way of all

/// Slots on the stack, for documents of some 100 values.
private let stackSlots = 128

/// Decodes a document; `base` is where it begins in a stream.
// SAFETY: the caller's promises: `length` bytes from `json`, room for the record's struct at `out`.
@inline(never)
func decode(
  _ record: Record?, _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ settings: Settings, _ error: UnsafeMutablePointer<decant_error>?,
  base: Report.Place = Report.Place()
) -> Status {
  guard let out = unsafe out, unsafe json != nil || length == 0, length >= 0 else {
    return unsafe refuse(
      Status(DECANT_INVALID_ARGUMENT), "json or out is NULL, or length is too large", error)
  }
  if length <= smallDocument, settings.isDirect(length), let record = unsafe record,
    let json = unsafe json, unsafe writeDirectly(record, json, length, out)
  {
    return ok
  }
  return unsafe decodeIndexed(record, json, length, out, settings, error, base)
}

/// Decodes a document by its index.
@inline(never)
private func decodeIndexed(
  _ record: Record?, _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer,
  _ settings: Settings, _ error: UnsafeMutablePointer<decant_error>?, _ base: Report.Place
) -> Status {
  var check = RecordCheck()
  guard unsafe check.accepts(record, needsStorage: settings.buffer == nil) else {
    return unsafe refuse(check.fault, error)
  }
  var allocator = unsafe settings.allocator
  return unsafe withUnsafePointer(to: &allocator) { allocator in
    unsafe withContext(json, length, settings) { context in
      if unsafe settings.memory != nil { unsafe context.pointee.allocator = unsafe allocator }
      let engine = unsafe context.pointee.engine
      let code =
        unsafe engine.map { unsafe $0.pointee.build(context) } ?? decant_index_build(context)
      if code != ok { return unsafe refuse(context, code, settings, base, error) }
      let status = unsafe fill(context, record!, check.needsBlock, out, settings, base, error)
      if let engine = unsafe engine {
        unsafe engine.pointee.discard(context)
      } else {
        unsafe decant_index_discard(context)
      }
      return status
    }
  }
}

/// Calls `body` with a context for a document, with room for the index of a small one.
@inline(__always)
private func withContext(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ settings: Settings,
  _ body: (UnsafeMutablePointer<decant_context>) -> Status
) -> Status {
  // SAFETY: more than 1024 bytes would come from malloc; a larger index moves to the heap by itself.
  unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: stackSlots) { slots in
    unsafe withUnsafeTemporaryAllocation(of: decant_context.self, capacity: 1) { room in
      let context = room.baseAddress!
      let text = unsafe UnsafeRawPointer(json)?.assumingMemoryBound(to: UInt8.self)
      unsafe withUnsafePointer(to: settings.rules) { rules in
        unsafe decant_context_prepare(
          context, text, length, rules, settings.engine, slots.baseAddress, stackSlots, nil)
      }
      return unsafe body(context)
    }
  }
}

/// Fills the struct, with room for its old bytes at hand.
@inline(__always)
func fill(
  _ context: UnsafeMutablePointer<decant_context>, _ record: Record, _ needsBlock: Bool,
  _ out: UnsafeMutableRawPointer, _ settings: Settings, _ base: Report.Place,
  _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  let size = unsafe record.pointee.size
  if size <= 256 {
    return unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { room in
      unsafe fill(
        context, record, needsBlock, room.baseAddress!, out, settings, base, error)
    }
  }
  let allocator = unsafe context.pointee.allocator
  guard let room = unsafe decant_block_allocate(allocator, size) else {
    return unsafe diagnose(
      context, record, Status(DECANT_OUT_OF_MEMORY), settings, base, error)
  }
  let status = unsafe fill(context, record, needsBlock, room, out, settings, base, error)
  unsafe decant_block_release(allocator, room, size)
  return status
}

private func fill(
  _ context: UnsafeMutablePointer<decant_context>, _ record: Record, _ needsBlock: Bool,
  _ old: UnsafeMutableRawPointer, _ value: UnsafeMutableRawPointer, _ settings: Settings,
  _ base: Report.Place, _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  let json = unsafe JSON(context: context, node: context.pointee.root)
  let size = unsafe record.pointee.size
  unsafe decant_copy_bytes(old, value, size)
  unsafe decant_clear_bytes(value, size)
  let status: Status
  if unsafe settings.buffer != nil || !needsBlock {
    var writer = unsafe RecordWriter(
      settings.buffer, room: settings.bufferSize, rewinds: false)
    status = unsafe writer.write(record, json, value)
  } else {
    status = unsafe fillWithBlock(record, json, value, settings)
  }
  if status == ok { return ok }
  unsafe decant_copy_bytes(value, old, size)
  return unsafe diagnose(context, record, status, settings, base, error)
}

/// Fills a struct of zeros, and allocates its block: as large as the text of a small document; else as an
/// estimate says, and what is too much is given back; and as was measured, where that is not enough.
private func fillWithBlock(
  _ record: Record, _ json: JSON, _ value: UnsafeMutableRawPointer, _ settings: Settings
) -> Status {
  let length = unsafe json.context.pointee.length
  if length <= smallDocument, json.isNative {
    let status = unsafe fill(record, json, value, Block.allocate(length, settings), settings)
    if status != blockIsFull { return status }
  }
  // Only a block from malloc can be cut.
  var measure = RecordMeasure(isEstimate: unsafe settings.memory == nil)
  // What is no such value has no size: the diagnosis says why.
  guard unsafe measure.add(record, json) else { return blockIsFull }
  if !measure.isExact {
    let status = unsafe fill(
      record, json, value, Block.allocate(measure.size, settings), settings, rewinds: true,
      cuts: true)
    if status != blockIsFull && status != Status(DECANT_OUT_OF_MEMORY) { return status }
    measure = RecordMeasure(isEstimate: false)
    guard unsafe measure.add(record, json) else { return blockIsFull }
  }
  return unsafe fill(
    record, json, value, Block.allocate(measure.size, settings), settings, rewinds: true)
}

/// Fills a struct with a block, which it then owns; after a failure it is one of zeros, and the block is given
/// back.
@inline(__always)
private func fill(
  _ record: Record, _ json: JSON, _ value: UnsafeMutableRawPointer, _ block: Block?,
  _ settings: Settings, rewinds: Bool = false, cuts: Bool = false
) -> Status {
  guard var block = block else { return Status(DECANT_OUT_OF_MEMORY) }
  var writer = unsafe RecordWriter(block.data, room: block.room, rewinds: rewinds)
  var status = unsafe writer.write(record, json, value)
  if cuts, status == ok, block.cut(to: block.room - writer.room) {
    // It has moved: its pointers are those of the old one.
    unsafe decant_clear_bytes(value, record.pointee.size)
    writer = unsafe RecordWriter(block.data, room: block.room, rewinds: true)
    status = unsafe writer.write(record, json, value)
  }
  if status == ok {
    unsafe value.storeBytes(
      of: block.storage, toByteOffset: record.pointee.storage_offset,
      as: UnsafeMutableRawPointer.self)
    return ok
  }
  block.release(settings)
  unsafe decant_clear_bytes(value, record.pointee.size)
  return status
}

// MARK: - Failures

@inline(never)
private func diagnose(
  _ context: UnsafeMutablePointer<decant_context>, _ record: Record, _ status: Status,
  _ settings: Settings, _ base: Report.Place, _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  let report = unsafe Report(
    error, context: context, limit: Int(settings.rules.maximum_errors),
    sourceName: settings.sourceName, base: base)
  var diagnosis = RecordDiagnosis(report)
  let json = unsafe JSON(context: context, node: context.pointee.root)
  unsafe diagnosis.check(record, json, nil)
  if diagnosis.report.count == 0 || diagnosis.isShort {
    // Nothing is wrong with the document, or nobody can tell.
    return unsafe refuse(
      Status(DECANT_OUT_OF_MEMORY),
      status == blockIsFull ? "the buffer is too small" : "out of memory", error)
  }
  return diagnosis.report.finish()
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
