// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The decoding functions of decant.h. One way for all of them:
//
//   read the document -> the fast path (RecordFastPath.swift)
//                        └ not for it: check the table -> fill the struct and its block
//                                                         └ failed: give the block back, tell what is wrong
//
// What is wrong with a table is told before what is wrong with a document.
//
// The struct is filled where it stays, because a copy of what was just written stalls on the stores; its old
// bytes are kept aside, and put back after a failure.
//
// How large the block must be is measured first, by a walk of its own; a small document's strings cannot be
// longer than its text, so there the walk is saved. Nothing here touches the Swift heap: exhausted memory is
// a status.

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
  return unsafe decodeOutOfLine(record, json, length, out, settings, error)
}

/// The way of all but decant_decode, into which it is inlined.
@inline(never)
func decodeOutOfLine(
  _ record: Record?, _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ settings: Settings, _ error: UnsafeMutablePointer<decant_error>?,
  base: Report.Place = Report.Place()
) -> Status {
  unsafe decode(record, json, length, out, settings, error, base: base)
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
  var check = RecordCheck()
  if unsafe check.accepts(record, needsStorage: false) { return ok }
  return unsafe refuse(check.fault, error)
}

@c @implementation
public func decant_free(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeMutableRawPointer!
) {
  unsafe release(record, value, Settings())
}

@c @implementation
public func decant_free_with(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!
) {
  var settings = Settings()
  if unsafe settings.take(options) == nil { unsafe release(record, value, settings) }
}

private func release(
  _ record: Record?, _ value: UnsafeMutableRawPointer?, _ settings: Settings
) {
  guard let record = unsafe record, let value = unsafe value else { return }
  let offset = unsafe record.pointee.storage_offset
  // A value in the caller's buffer has nothing to give back.
  if unsafe offset <= 0 || offset > record.pointee.size - pointerWidth { return }
  let storage = unsafe value.loadUnaligned(
    fromByteOffset: offset, as: UnsafeMutableRawPointer?.self)
  unsafe Block.release(storage, settings)
  unsafe value.storeBytes(of: nil, toByteOffset: offset, as: UnsafeMutableRawPointer?.self)
}

// MARK: - The way of all

/// Decodes a document; `base` is where it begins in a stream.
// SAFETY: the caller's promises: `length` bytes from `json`, room for the record's struct at `out`.
@inline(__always)
func decode(
  _ record: Record?, _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ settings: Settings, _ error: UnsafeMutablePointer<decant_error>?,
  base: Report.Place = Report.Place()
) -> Status {
  guard let out = unsafe out, unsafe json != nil || length == 0, length >= 0 else {
    return unsafe refuse(
      Status(DECANT_INVALID_ARGUMENT), "json or out is NULL, or length is too large", error)
  }
  // SAFETY: more than 1024 bytes would come from malloc; a larger index moves to the heap by itself.
  return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { slots in
    var context = unsafe decant_context_zero()
    if let json = unsafe json {
      unsafe context.text = UnsafeRawPointer(json).assumingMemoryBound(to: UInt8.self)
    }
    unsafe context.length = length
    // One by one: read as a whole, words that were just written in parts would have to be waited for.
    unsafe context.rules.maximum_bytes = settings.rules.maximum_bytes
    unsafe context.rules.maximum_depth = settings.rules.maximum_depth
    unsafe context.rules.maximum_errors = settings.rules.maximum_errors
    unsafe context.rules.duplicates = settings.rules.duplicates
    unsafe context.rules.relaxations = settings.rules.relaxations
    unsafe context.slots = slots.baseAddress!
    unsafe context.slot_capacity = 128
    if length <= smallDocument, settings.isPlain, let record = unsafe record {
      let code = unsafe decant_index_build(&context)
      if unsafe code == ok && writeFast(&context, record, out) {
        if unsafe context.owned_slots != nil { unsafe decant_index_discard(&context) }
        return ok
      }
      return unsafe decodeSlowly(&context, code, record, out, settings, base, error)
    }
    return unsafe decodeSlowly(&context, nil, record, out, settings, base, error)
  }
}

/// Everything that is not for the fast path. `code` is what reading the document came to, if it was read.
@inline(never)
private func decodeSlowly(
  _ context: UnsafeMutablePointer<decant_context>, _ code: Status?, _ record: Record?,
  _ out: UnsafeMutableRawPointer, _ settings: Settings, _ base: Report.Place,
  _ error: UnsafeMutablePointer<decant_error>?
) -> Status {
  var check = RecordCheck()
  guard unsafe check.accepts(record, needsStorage: settings.buffer == nil) else {
    if code == ok { unsafe decant_index_discard(context) }
    return unsafe refuse(check.fault, error)
  }
  var allocator = unsafe settings.allocator
  return unsafe withUnsafePointer(to: &allocator) { allocator in
    if unsafe settings.memory != nil { unsafe context.pointee.allocator = unsafe allocator }
    if let engine = unsafe settings.engine {
      unsafe context.pointee.engine = unsafe engine
      let code = unsafe engine.pointee.build(context)
      if code != ok { return unsafe refuse(context, code, settings, base, error) }
      let status = unsafe fill(context, record!, check.needsBlock, out, settings, base, error)
      unsafe engine.pointee.discard(context)
      return status
    }
    let code = unsafe code ?? decant_index_build(context)
    if code != ok { return unsafe refuse(context, code, settings, base, error) }
    let status = unsafe fill(context, record!, check.needsBlock, out, settings, base, error)
    unsafe decant_index_discard(context)
    return status
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
    return unsafe refuse(Status(DECANT_OUT_OF_MEMORY), "out of memory", error)
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
  var block: Block?
  var status: Status
  if unsafe settings.buffer != nil {
    var writer = unsafe RecordWriter(settings.buffer, room: settings.bufferSize, rewinds: false)
    status = unsafe writer.write(record, json, value)
  } else if !needsBlock {
    var writer = unsafe RecordWriter(nil, room: 0, rewinds: false)
    status = unsafe writer.write(record, json, value)
  } else {
    status = blockIsFull
    let length = unsafe context.pointee.length
    if length <= smallDocument, unsafe context.pointee.engine == nil {
      block = Block.allocate(length, settings)
      guard let small = block else {
        unsafe decant_copy_bytes(value, old, size)
        return unsafe refuse(Status(DECANT_OUT_OF_MEMORY), "out of memory", error)
      }
      var writer = unsafe RecordWriter(small.data, room: small.room, rewinds: false)
      status = unsafe writer.write(record, json, value)
    }
    if status == blockIsFull {
      block?.release(settings)
      unsafe value.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      var measure = RecordMeasure()
      // What is no such value has no size: the diagnosis says why.
      let isMeasured = unsafe measure.add(record, json)
      block = isMeasured ? Block.allocate(measure.size, settings) : nil
      if isMeasured, block == nil {
        unsafe decant_copy_bytes(value, old, size)
        return unsafe refuse(Status(DECANT_OUT_OF_MEMORY), "out of memory", error)
      }
      if let block = block {
        var writer = unsafe RecordWriter(block.data, room: block.room, rewinds: true)
        status = unsafe writer.write(record, json, value)
      }
    }
  }
  if status == ok {
    if let block = block {
      unsafe value.storeBytes(
        of: block.storage, toByteOffset: record.pointee.storage_offset,
        as: UnsafeMutableRawPointer.self)
    }
    return ok
  }
  block?.release(settings)
  unsafe decant_copy_bytes(value, old, size)
  return unsafe diagnose(context, record, status, settings, base, error)
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
  if status == Status(DECANT_OUT_OF_MEMORY) {
    return unsafe refuse(status, "out of memory", error)
  }
  var diagnosis = RecordDiagnosis(report)
  let json = unsafe JSON(context: context, node: context.pointee.root)
  unsafe diagnosis.check(record, json, nil)
  if diagnosis.report.count == 0 {
    // Nothing is wrong with the document.
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
