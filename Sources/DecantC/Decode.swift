// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The decoding functions of decant.h. All follow the same steps:
//
//   check the table -> read the document -> fill the struct and its block
//                                           └ failed: release the block, report what is wrong
//
// A fault of the table is reported before an error of the document.
//
// The struct is filled in place, because copying bytes that were just written would wait for the stores. Its old bytes are
// saved first, and restored after a failure.
//
// The block's size is measured or estimated first, by a separate walk. A small document needs no such walk, because its
// strings are never longer than its text. Nothing here uses the Swift heap: exhausted memory is a status.

package import CDecant
internal import CDecantIndex
internal import DecantCore

// MARK: - Entry points

// decant.h requires that every pointer that is not NULL is valid for its type during the whole call, and that `out` has the
// record's size. That is the proof of every `unsafe` in the entry points. They pass safe values on.

@c @implementation
package func decant_decode(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ out: UnsafeMutableRawPointer!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, json, out) = unsafe (
    RecordRef(record), Bytes(json, length: length), Memory(out)
  )
  if let record, let json, let out, decodeText(record, json, out) { return ok }
  return unsafe decodeAny(record, json, out, ErrorOut(error))
}

@c @implementation
package func decant_decode_with(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ out: UnsafeMutableRawPointer!, _ options: UnsafePointer<decant_options>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, json, out, error) = unsafe (
    RecordRef(record), Bytes(json, length: length), Memory(out), ErrorOut(error)
  )
  return unsafe follow(options, error) { decode(record, json, out, $0, error) }
}

/// An array is a struct with one field: the array at a pointer. The pointer to its elements is first, then their count.
@c @implementation
package func decant_decode_array(
  _ record: UnsafePointer<decant_record>!, _ pointer: UnsafePointer<CChar>!,
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_array>!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (pointer, json, out, error) = unsafe (
    Bytes(cString: pointer) ?? Bytes(""), Bytes(json, length: length), Memory(out), ErrorOut(error)
  )
  return unsafe follow(options, error) { settings in
    if !isPointer(pointer) { return error.refuseArrayPointer() }
    return unsafe withTable(ofArrayAt: pointer, of: record) {
      decode($0, json, out, settings, error)
    }
  }
}

extension ErrorOut {
  func refuseArrayPointer() -> Status {
    refuse(DECANT_INVALID_POINTER, "pointer is not a JSON Pointer (RFC 6901)")
  }
}

/// Calls `body` with the table of a `decant_array`, which is the array at a pointer.
@unsafe @inline(__always)
func withTable(
  ofArrayAt pointer: Bytes, of record: UnsafePointer<decant_record>?,
  _ body: (RecordRef) -> Status
) -> Status {
  // SAFETY: the caller's pointer and table, during the call.
  var field = decant_field()
  unsafe field.key = pointer.memory?.textPointer
  field.kind = UInt16(CDecant.DECANT_ARRAY)
  field.element = UInt16(DECANT_RECORD)
  field.flags = UInt32(DECANT_POINTER)
  field.length_offset = UInt32(pointerWidth)
  unsafe field.record = record
  return withTable(
    size: MemoryLayout<decant_array>.size, storage: pointerWidth + countWidth, field, body)
}

@c @implementation
package func decant_decode_jansson(
  _ record: UnsafePointer<decant_record>!, _ tree: UnsafeRawPointer!,
  _ out: UnsafeMutableRawPointer!, _ options: UnsafePointer<decant_options>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, out, error) = unsafe (RecordRef(record), Memory(out), ErrorOut(error))
  let tree = UInt(bitPattern: tree)
  return unsafe follow(options, error) { settings throws(Settings.Refusal) in
    let engine = try Settings.jansson()
    guard tree != 0, let out else {
      return error.refuse(DECANT_INVALID_ARGUMENT, "tree or out is NULL")
    }
    var check = RecordCheck(settings.allocator)
    guard let record = check.accepted(record, needsStorage: settings.needsStorage) else {
      return error.refuse(check.fault)
    }
    var context = decant_context_zero()
    unsafe context.engine = engine.table
    context.rules = settings.rules
    context.root = UInt64(tree) | DECANT_NODE_FOREIGN
    // SAFETY: allocator and context are where they are until the struct is filled.
    return unsafe withUnsafePointer(to: settings.allocator) { allocator in
      unsafe context.allocator = settings.hasMemory ? allocator : nil
      return unsafe withUnsafePointer(to: context) {
        unsafe Call(
          record: record, check: check, out: out, settings: settings, error: error
        ).fill(ContextRef($0))
      }
    }
  }
}

@c @implementation
package func decant_record_check(
  _ record: UnsafePointer<decant_record>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  var check = RecordCheck(isThorough: true)
  if check.accepted(unsafe RecordRef(record), needsStorage: true) != nil { return ok }
  return unsafe ErrorOut(error).refuse(check.fault)
}

@c @implementation
package func decant_record_prepare(
  _ record: UnsafePointer<decant_record>!,
  _ out: UnsafeMutablePointer<UnsafePointer<decant_record>?>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  guard let out = unsafe out else {
    return error.refuse(DECANT_INVALID_ARGUMENT, "out is NULL")
  }
  var check = RecordCheck()
  guard let record = unsafe check.accepted(RecordRef(record), needsStorage: false) else {
    return error.refuse(check.fault)
  }
  guard let prepared = RecordPlan.prepared(record, check) else {
    return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
  }
  unsafe out.pointee = prepared.pointer
  return ok
}

@c @implementation
package func decant_record_free(_ prepared: UnsafePointer<decant_record>!) {
  if let record = unsafe RecordRef(prepared) { RecordPlan.release(record) }
}

@c @implementation
package func decant_free(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeMutableRawPointer!
) {
  unsafe release(RecordRef(record), Memory(value), Settings())
}

@c @implementation
package func decant_free_with(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!
) {
  guard let settings = try? unsafe Settings(options) else { return }
  unsafe release(RecordRef(record), Memory(value), settings)
}

@c @implementation
package func decant_array_free(
  _ array: UnsafeMutablePointer<decant_array>!, _ options: UnsafePointer<decant_options>!
) {
  guard let array = unsafe Memory(array), let settings = try? unsafe Settings(options) else {
    return
  }
  Block.release(array.target(at: pointerWidth + countWidth), settings)
  array.clear(MemoryLayout<decant_array>.size)
}

@inline(__always)
private func release(_ record: RecordRef?, _ value: Memory?, _ settings: Settings) {
  guard let record, let value else { return }
  let offset = record.storageOffset
  // A value in the caller's buffer has no block.
  if offset <= 0 || offset > record.size - pointerWidth { return }
  Block.release(value.target(at: offset), settings)
  value.store(0 as Int, at: offset)
}

// MARK: - Reading

/// The largest document whose block is allocated without being measured: the text's length is enough for its
/// strings, and not much more than they need.
let smallDocument = 512
/// The same of a block that is cut afterwards.
private let mostCut = 4096

/// Decodes a small document with the default options, if it needs no index. Otherwise leaves the struct unchanged.
@inline(__always)
private func decodeText(_ record: RecordRef, _ json: Bytes, _ out: Memory) -> Bool {
  if json.count > mostText { return false }
  if PlainFields.accepts(record) {
    return fillFromText(record, json, out, isUsual: true, hasArrays: false, nil)
  }
  return decodeOtherText(record, json, out)
}

/// The same by a table that is none of PlainFields.
@inline(never)
private func decodeOtherText(_ record: RecordRef, _ json: Bytes, _ out: Memory) -> Bool {
  if let facts = record.facts {
    if json.count > mostPreparedText || !facts.readsText { return false }
    if facts.needsBlock, record.storageOffset == 0 { return false }
    return fillFromText(
      record, json, out, isUsual: facts.isUsual, hasArrays: facts.hasArrays, nil)
  }
  var check = RecordCheck()
  guard check.accepted(record, needsStorage: true) != nil, check.readsText else { return false }
  return fillFromText(record, json, out, isUsual: false, hasArrays: check.hasArrays, nil)
}

/// Decodes by the default options, where that was not enough.
@inline(never)
private func decodeAny(
  _ record: RecordRef?, _ json: Bytes?, _ out: Memory?, _ error: ErrorOut
) -> Status {
  decode(record, json, out, Settings(), isNew: false, error)
}

/// - Parameter isNew: Whether the text alone was not tried.
@inline(__always)
private func decode(
  _ record: RecordRef?, _ json: Bytes?, _ out: Memory?, _ settings: Settings, isNew: Bool = true,
  _ error: ErrorOut
) -> Status {
  guard let json, let out else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "json or out is NULL, or length is too large")
  }
  var check = RecordCheck(settings.allocator)
  guard let record = check.accepted(record, needsStorage: settings.needsStorage) else {
    return error.refuse(check.fault)
  }
  // Into memory from malloc, or into a buffer.
  if isNew, json.count <= mostText, check.readsText, settings.readsText(of: json.count),
    !settings.hasMemory || !settings.needsStorage,
    fillFromText(
      record, json, out, isUsual: check.isUsual, hasArrays: check.hasArrays,
      settings.needsStorage ? nil : settings.fillOfBuffer())
  {
    return ok
  }
  return decodeIndexed(record, check, json, out, settings, error)
}

/// Decodes a document with its index.
@inline(never)
private func decodeIndexed(
  _ record: RecordRef, _ check: RecordCheck, _ json: Bytes, _ out: Memory, _ settings: Settings,
  _ error: ErrorOut
) -> Status {
  let call = Call(
    record: record, check: check, out: out, settings: settings, error: error)
  return withDocument(json, settings) { context, code in
    code == ok ? call.fill(context) : call.refuse(context, code)
  }
}

/// Slots on the stack, for the index of a document of some 100 values.
private let stackSlots = 128

/// Calls `body` with the context of a document that is read for this call, and what reading it came to: an index code,
/// and unless that is `ok`, there is nothing in the context but the error.
@safe @inline(__always)
func withDocument(
  _ json: Bytes, _ settings: Settings, from start: UnsafePointer<decant_start>? = nil,
  _ body: (ContextRef, Status) -> Status
) -> Status {
  // SAFETY: the allocator is where it is during the call.
  unsafe withUnsafePointer(to: settings.allocator) { allocator in
    unsafe withDocument(
      json, settings.engine, settings.rules, settings.hasMemory ? allocator : nil, from: start, body
    )
  }
}

/// The same of the document that a string of another one spells, with the options of that one.
@inline(never)
func withInner(
  of text: Text, in outer: ContextRef, _ body: (ContextRef, Status) -> Status
) -> Status {
  // SAFETY: the outer document's engine and allocator, which outlive its context.
  withBytes(of: text, outer.allocator) { json in
    unsafe withDocument(
      json, DecodingOptions.Engine(table: outer.pointer.pointee.engine), outer.rules,
      outer.pointer.pointee.allocator, from: nil, body)
  }
}

@unsafe @inline(__always)
private func withDocument(
  _ json: Bytes, _ engine: DecodingOptions.Engine, _ rules: decant_rules,
  _ allocator: UnsafePointer<decant_allocator>?, from start: UnsafePointer<decant_start>?,
  _ body: (ContextRef, Status) -> Status
) -> Status {
  // SAFETY: the context refers to these frames, which outlive it, and to the text, which outlives the call. More than
  // 1024 bytes would come from malloc; a larger index moves to the heap by itself.
  unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: stackSlots) { slots in
    unsafe withUnsafeTemporaryAllocation(of: decant_context.self, capacity: 1) { memory in
      let context = memory.baseAddress!
      unsafe prepare(
        context, engine, rules, json.buffer, slots: slots.baseAddress, capacity: stackSlots)
      if let start = unsafe start { unsafe context.pointee.start = start }
      unsafe context.pointee.allocator = allocator
      let code = unsafe read(context)
      defer { unsafe end(context, code) }
      return unsafe body(ContextRef(context), code)
    }
  }
}

/// Reads a document into a prepared context; returns an index code. `end` releases its memory.
@inline(__always)
func read(_ context: UnsafeMutablePointer<decant_context>) -> Status {
  guard let engine = unsafe context.pointee.engine else {
    return unsafe decant_index_build(context)
  }
  return unsafe engine.pointee.build(context)
}

/// Releases the memory of reading a document; after a failure, another engine's reason.
@inline(__always)
func end(_ context: UnsafeMutablePointer<decant_context>, _ code: Status) {
  // SAFETY: only an engine that refused a document has a C string there (decant_engine.h); who reports it reads it.
  unsafe code == ok ? close(context) : decant_reason_free(context.pointee.engine_state)
}

/// The largest struct whose old bytes are kept on the stack.
private let smallStruct = 256

/// The most bytes that a block has too many.
private let mostUnused = 512

/// Fills a struct from a small document's text, without an index. Otherwise leaves the struct unchanged.
@inline(__always)
private func fillFromText(
  _ record: RecordRef, _ json: Bytes, _ out: Memory, isUsual: Bool, hasArrays: Bool,
  _ buffer: RecordFill?
) -> Bool {
  let (size, storage, length) = (record.size, record.storageOffset, json.count)
  guard size <= smallStruct, let text = ObjectText(json) else { return false }
  return withStackMemory(smallStruct) { old in
    old.copy(out, size)
    out.clear(size)
    // Without a place for a block, there are no strings.
    let malloc = decant_allocator()
    let hasBlock = buffer == nil && storage != 0
    // Elements may be larger than their text, and move.
    let room = hasArrays ? 2 &* length &+ 64 : length
    var block = hasBlock ? malloc.allocate(room) : nil
    var fill =
      unsafe buffer ?? RecordFill(block?.start, room: block == nil ? 0 : room, rewinds: false)
    var isFilled = fill.fill(record, from: text, at: out, isUsual: isUsual)
    if isFilled, let filled = block, fill.room != room {
      if fill.room > mostUnused, let cut = malloc.reallocate(filled, room, room - fill.room) {
        // The pointers are those of the old block.
        isFilled = unsafe cut.start == filled.start
        block = cut
      }
      if isFilled {
        out.advanced(by: storage).point(to: block)
        return true
      }
    }
    // A struct without strings owns nothing.
    malloc.release(block, room)
    if !isFilled { out.copy(old, size) }
    return isFilled
  }
}

// MARK: - Filling

/// The filling of a struct from a document that was read: a checked table, and where everything goes.
struct Call {
  let record: RecordRef
  private let needsBlock: Bool
  private let looksForUnknown: Bool
  let out: Memory
  let settings: Settings
  let error: ErrorOut
  private let seam: TextSeam?

  /// - Parameter check: The check that accepted the table; nil for a call that fills nothing.
  init(
    record: RecordRef, check: RecordCheck?, out: Memory, settings: Settings, error: ErrorOut,
    seam: TextSeam? = nil
  ) {
    self.record = record
    needsBlock = check?.needsBlock ?? false
    looksForUnknown = check?.looksForUnknown(settings) ?? false
    self.out = out
    self.settings = settings
    self.error = error
    self.seam = seam
  }

  /// Fills the struct, with its old bytes aside.
  @inline(__always)
  func fill(_ context: ContextRef) -> Status {
    let (json, size) = (context.root, record.size)
    if looksForUnknown {
      let status = record.checkMembers(json, settings)
      if status != ok { return diagnose(context, status) }
    }
    // The allocator is the document's, which a part of it is decoded with.
    let status = withMemory(size, onStack: smallStruct, context.allocator) { old in
      old.copy(out, size)
      out.clear(size)
      let status =
        needsBlock && settings.needsStorage
        ? fillWithBlock(json)
        : fill(json, settings.fillOfBuffer(rewinds: looksForUnknown)).status
      if status != ok { out.copy(old, size) }
      return status
    }
    if status != ok { return diagnose(context, status) }
    if settings.tellsLeftOut { tellLeftOut(context) }
    return ok
  }

  /// Fills a struct of zeros.
  @inline(never)
  func fill(
    _ json: JSON, _ fill: RecordFill, _ plan: RecordPlan? = nil
  ) -> (status: Status, room: Int) {
    var walk = RecordWalk(fill, over: json)
    let status = walk.visit(plan?.record ?? record, json, at: out)
    return (status, walk.visitor.room)
  }

  /// Fills a struct of zeros, and allocates its block. Small documents: the size of the text. Others: an estimate, and the
  /// excess is returned to the allocator. If the estimate is too small: the measured size.
  @inline(__always)
  private func fillWithBlock(_ json: JSON) -> Status {
    let length = json.reference.length
    // Only a block from malloc can be cut.
    let most = settings.hasMemory ? smallDocument : mostCut
    if length <= most, json.isNative, settings.hasPlainRules(for: length) {
      let status = fill(
        json, Block.allocate(length > smallDocument ? 2 &* length : length, settings),
        rewinds: looksForUnknown, cuts: length > smallDocument)
      if status != blockIsFull { return status }
    }
    return fillMeasured(json)
  }

  @inline(never)
  private func fillMeasured(_ json: JSON) -> Status {
    let most = memoryLeft(json)
    if !settings.hasMemory {
      guard var measure = measured(json, isEstimate: true) else { return blockIsFull }
      if measure.size > most, !measure.isExact {
        guard let whole = measured(json, isEstimate: false) else { return blockIsFull }
        measure = whole
      }
      if measure.size > most { return blockIsFull }
      // A document much larger than the table is worth a copy of it; without memory for that it is read by the table.
      let most = min(json.reference.length / 16384, 128)
      let plan =
        most == 0 || record.isPrepared
        ? nil : RecordPlan(record, settings.allocator, upTo: most)
      defer { plan?.release(settings.allocator) }
      let status = fill(
        json, Block.allocate(measure.size, settings), rewinds: true, cuts: !measure.isExact, plan)
      if measure.isExact || status != blockIsFull && status != Status(DECANT_OUT_OF_MEMORY) {
        return status
      }
    }
    guard let measure = measured(json, isEstimate: false), measure.size <= most else {
      return blockIsFull
    }
    return fill(json, Block.allocate(measure.size, settings), rewinds: true)
  }

  /// How many bytes a value's block may have.
  private func memoryLeft(_ json: JSON) -> Int {
    needsBlock && settings.needsStorage ? settings.memoryLeft(json) : .max
  }

  /// The same, with how many bytes the document may have.
  private func memory(_ json: JSON) -> (left: Int, limit: Int) {
    (memoryLeft(json), json.reference.memoryLimit(by: settings.rules))
  }

  /// The size of a value's block; nil if no number tells it.
  func measured(_ json: JSON, isEstimate: Bool) -> RecordMeasure? {
    var walk = RecordWalk(RecordMeasure(isEstimate: isEstimate), over: json)
    return walk.visit(record, json, at: ()) == ok ? walk.visitor : nil
  }

  /// Fills a struct with a block, which it then owns; after a failure it is one of zeros, and the block is released.
  @inline(__always)
  private func fill(
    _ json: JSON, _ block: Block?, rewinds: Bool = false, cuts: Bool = false,
    _ plan: RecordPlan? = nil
  ) -> Status {
    guard var block = block else { return Status(DECANT_OUT_OF_MEMORY) }
    var (status, room) = fill(json, block.fill(rewinds: rewinds), plan)
    if cuts, status == ok, block.cut(to: block.room - room) {
      // The block has moved: its pointers are those of the old one.
      out.clear(record.size)
      (status, room) = fill(json, block.fill(rewinds: true), plan)
    }
    if status == ok {
      out.advanced(by: record.storageOffset).point(to: block.storage)
      return ok
    }
    block.release(settings)
    out.clear(record.size)
    return status
  }
}

// MARK: - Failures

extension Call {
  /// Reports the errors of a value.
  /// - Parameter status: The status of filling it; nil if that was not tried.
  @inline(never)
  func diagnose(_ context: ContextRef, _ status: Status? = nil) -> Status {
    let report = Report(
      error, context: context, limit: Int(settings.rules.maximum_errors), source: settings.source,
      seam: seam)
    let json = context.root
    let visitor = RecordReport(report, memory(json), rejectsUnknown: settings.rejectsUnknown)
    var walk = RecordWalk(visitor, over: json)
    let end = walk.visit(record, json, at: StepPath())
    let isShort = walk.visitor.isShort || end == Status(DECANT_OUT_OF_MEMORY)
    if walk.visitor.report.count == 0, !isShort, status == Status(DECANT_TOO_DEEP) {
      // Reporting takes less stack than filling did.
      return error.refuse(DECANT_TOO_DEEP, stackIsFull)
    }
    if walk.visitor.report.count == 0, !isShort, status == nil { return ok }
    if walk.visitor.report.count == 0, !isShort, status == Status(DECANT_CUSTOM) {
      return error.refuse(DECANT_CUSTOM, "a conversion refused a value, and then accepted it")
    }
    if walk.visitor.report.count == 0 || isShort {
      // Nothing is wrong with the document, or there is no memory to tell.
      if status == blockIsFull, !settings.needsStorage,
        let measure = measured(json, isEstimate: false)
      {
        return error.refuse(bufferFor: measure.size)
      }
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    return walk.visitor.report.finish()
  }

  /// Reports why parts of a value, which was filled, were left out.
  @inline(never)
  func tellLeftOut(_ context: ContextRef) {
    if !error.isThere { return }
    let report = Report(
      error, context: context, limit: Int(settings.rules.maximum_errors), source: settings.source,
      seam: seam)
    let visitor = RecordReport(
      report, (.max, .max), rejectsUnknown: false, tellsLeftOut: true)
    var walk = RecordWalk(visitor, over: context.root)
    _ = walk.visit(record, context.root, at: StepPath())
    _ = walk.visitor.report.finish()
    error.set(ok, count: walk.visitor.report.count)
  }

  /// Reports that a document takes more memory than it may.
  @inline(never)
  func refuseMemory(_ context: ContextRef, _ limit: Int) -> Status {
    var report = Report(error, context: context, source: settings.source)
    report.add(
      RecordError(Status(DECANT_TOO_LARGE), context.root, .memory(limit)), at: context.root.token)
    return report.finish()
  }

  /// Reports the error of the document.
  @inline(never)
  func refuse(_ context: ContextRef, _ code: Status) -> Status {
    error.refuse(context, code, settings, seam)
  }
}

extension ErrorOut {
  /// Reports what an engine refused a document for.
  @inline(never)
  func refuse(
    _ context: ContextRef, _ code: Status, _ settings: Settings, _ seam: TextSeam? = nil
  ) -> Status {
    var report = Report(self, context: context, source: settings.source, seam: seam)
    report.add(reading: context, code)
    return report.finish()
  }
}
