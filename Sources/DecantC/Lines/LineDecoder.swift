// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Line after line into one struct and one block, which the next line uses again: after the first few lines, no
// memory is allocated. The table is checked once, and nothing is kept aside, because a struct that was filled in
// part is nobody's.
//
//   line    {"id":1,"name":"Ann"}     small, and its members in the table's order: from its text
//           {"name":"Bob","id":2}     otherwise with an index
//           {"id":"3"}                fails: what is wrong, with places that count from the stream's beginning

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Whom decoded lines are handed to.
@safe
struct LineReceiver {
  // SAFETY: the caller's function, which takes `context`.
  let function: decant_line_function
  let context: UnsafeMutableRawPointer?

  /// True if the stream is to go on.
  @inline(__always)
  func take(_ value: Memory, line: Int) -> Bool {
    unsafe function(context, Int64(line), value.start, nil) == 0
  }

  func take(_ error: UnsafePointer<decant_error>, line: Int) -> Bool {
    unsafe function(context, Int64(line), nil, error) == 0
  }
}

@safe
struct LineDecoder {
  private let record: RecordRef
  private let needsBlock: Bool
  private let settings: Settings
  /// A struct of the table's size.
  private let value: Memory
  private var block: Block?

  /// Nil if there is no memory. `check` has accepted the table.
  init?(_ record: RecordRef, _ check: RecordCheck, _ settings: Settings) {
    var allocator = unsafe settings.allocator
    guard let value = unsafe decant_block_allocate(&allocator, record.size) else { return nil }
    self.record = record
    self.settings = settings
    self.value = unsafe Memory(value)
    needsBlock = check.needsBlock && settings.needsStorage
  }

  mutating func end() {
    block?.release(settings)
    block = nil
    var allocator = unsafe settings.allocator
    unsafe decant_block_release(&allocator, value.start, record.size)
  }

  /// Decodes a line of `count` bytes, which begins at `place` of the stream. True if the stream is to go on.
  mutating func decode(
    _ line: UnsafePointer<CChar>, _ count: Int, at place: Report.Place, to receiver: LineReceiver
  ) -> Bool {
    if unsafe fillFromText(line, count) { return receiver.take(value, line: place.line) }
    defer { if let block, block.room > mostKept { releaseBlock() } }
    let status = unsafe withContext(line, count, settings) { context in
      let code = unsafe build(context)
      if code != ok { return code }
      let status = unsafe fill(context)
      unsafe close(context)
      return status
    }
    if status == ok { return receiver.take(value, line: place.line) }
    return unsafe refuse(line, count, status, at: place, to: receiver)
  }

  /// A line that there was no memory for.
  func refuseWithoutMemory(at place: Report.Place, to receiver: LineReceiver) -> Bool {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    _ = unsafe DecantC.refuse(Status(DECANT_OUT_OF_MEMORY), "out of memory", &error)
    error.line = Int64(place.line)
    error.offset = Int64(place.offset)
    error.column = 1
    return unsafe receiver.take(&error, line: place.line)
  }

  // MARK: - Filling

  /// Fills the struct from a small line's text; false if that takes an index.
  // SAFETY: the caller's promise, `count` bytes from `line`.
  @inline(__always)
  private mutating func fillFromText(_ line: UnsafePointer<CChar>, _ count: Int) -> Bool {
    guard count <= smallDocument, settings.hasPlainRules(for: count),
      record.fieldCount <= smallStruct, !needsBlock || reserve(count),
      let text = unsafe ObjectText(
        UnsafeRawPointer(line).assumingMemoryBound(to: UInt8.self), count)
    else { return false }
    value.clear(record.size)
    // A buffer of the caller's may have less room than the text: what needs an index to tell, gets one.
    guard needsBlock || settings.needsStorage || settings.bufferSize >= count else { return false }
    var fill = recordFill(rewinds: false)
    return fill.fill(record, from: text, at: value)
  }

  private func recordFill(rewinds: Bool) -> RecordFill {
    if let block { return unsafe RecordFill(block.data, room: block.room, rewinds: rewinds) }
    return unsafe RecordFill(settings.buffer, room: settings.bufferSize, rewinds: rewinds)
  }

  private mutating func fill(_ context: UnsafeMutablePointer<decant_context>) -> Status {
    let json = unsafe JSON(context: context, node: context.pointee.root)
    if needsBlock, !reserve(unsafe context.pointee.length) { return blockIsFull }
    var rewinds = false
    while true {
      value.clear(record.size)
      let status = DecantC.fill(record, json, value, recordFill(rewinds: rewinds)).status
      // Arrays of numbers may need more than their text.
      guard status == blockIsFull, needsBlock, !rewinds,
        let measure = measured(record, json, isEstimate: false), reserve(measure.size)
      else { return status }
      rewinds = true
    }
  }

  // MARK: - The block

  /// Room for `size` bytes, at least; false if there is no memory.
  @inline(__always)
  private mutating func reserve(_ size: Int) -> Bool {
    if let block, block.room >= size { return true }
    return grow(to: size)
  }

  @inline(never)
  private mutating func grow(to size: Int) -> Bool {
    let room = max(size, leastRoom, 2 * min(block?.room ?? 0, mostKept))
    releaseBlock()
    block = Block.allocate(room, settings)
    return block != nil
  }

  private mutating func releaseBlock() {
    block?.release(settings)
    block = nil
  }

  // MARK: - Failures

  /// Says what is wrong with a line. It is read once more: failures are rare, and this keeps an error's 3 KB off the
  /// way of all other lines.
  @inline(never)
  private func refuse(
    _ line: UnsafePointer<CChar>, _ count: Int, _ status: Status, at place: Report.Place,
    to receiver: LineReceiver
  ) -> Bool {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    _ = unsafe withContext(line, count, settings) { context in
      let code = unsafe build(context)
      if code != ok { return unsafe DecantC.refuse(context, code, settings, place, &error) }
      defer { unsafe close(context) }
      return unsafe diagnose(context, record, status, settings, place, &error)
    }
    return unsafe receiver.take(&error, line: place.line)
  }
}

/// The first block, and the largest that is kept for the next line.
private let leastRoom = 1024
private let mostKept = 1 << 20
