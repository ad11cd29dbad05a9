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

  func take(_ error: decant_error, line: Int) -> Bool {
    unsafe withUnsafePointer(to: error) {
      unsafe function(context, Int64(line), nil, $0) == 0
    }
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
    var allocator = settings.allocator
    guard let value = unsafe decant_block_allocate(&allocator, record.size) else { return nil }
    self.record = record
    self.settings = settings
    self.value = unsafe Memory(value)
    needsBlock = check.needsBlock && settings.needsStorage
  }

  mutating func end() {
    block?.release(settings)
    block = nil
    var allocator = settings.allocator
    unsafe decant_block_release(&allocator, value.start, record.size)
  }

  /// Decodes a line, which begins at `place` of the stream. True if the stream is to go on.
  mutating func decode(
    _ line: Bytes, at place: Report.Place, to receiver: LineReceiver
  ) -> Bool {
    if fillFromText(line) { return receiver.take(value, line: place.line) }
    defer { if let block, block.room > mostKept { releaseBlock() } }
    let status = unsafe withContext(line, settings) { context in
      let code = unsafe build(context)
      if code != ok { return code }
      let status = unsafe fill(ContextRef(context).root)
      unsafe close(context)
      return status
    }
    if status == ok { return receiver.take(value, line: place.line) }
    return refuse(line, status, at: place, to: receiver)
  }

  /// A line that there was no memory for.
  func refuseWithoutMemory(at place: Report.Place, to receiver: LineReceiver) -> Bool {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    _ = unsafe ErrorOut(&error).refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    error.line = Int64(place.line)
    error.offset = Int64(place.offset)
    error.column = 1
    return receiver.take(error, line: place.line)
  }

  // MARK: - Filling

  /// Fills the struct from a small line's text; false if that takes an index.
  @inline(__always)
  private mutating func fillFromText(_ line: Bytes) -> Bool {
    let count = line.count
    guard count <= smallDocument, settings.hasPlainRules(for: count),
      record.fieldCount <= smallStruct, !needsBlock || reserve(count),
      let text = ObjectText(line)
    else { return false }
    value.clear(record.size)
    // A buffer of the caller's may have less room than the text: what needs an index to tell, gets one.
    guard needsBlock || settings.needsStorage || settings.bufferSize >= count else { return false }
    var fill = recordFill(rewinds: false)
    return fill.fill(record, from: text, at: value)
  }

  private func recordFill(rewinds: Bool) -> RecordFill {
    block?.fill(rewinds: rewinds) ?? settings.fillOfBuffer(rewinds: rewinds)
  }

  /// The filling of the struct, with errors for a line at a place.
  private func call(_ error: ErrorOut, _ place: Report.Place = Report.Place()) -> Call {
    Call(record, needsBlock: needsBlock, value, settings, error, place)
  }

  private mutating func fill(_ json: JSON) -> Status {
    let call = call(.none)
    if needsBlock, !reserve(json.reference.length) { return blockIsFull }
    var rewinds = false
    while true {
      value.clear(record.size)
      let status = call.fill(json, recordFill(rewinds: rewinds)).status
      // Arrays of numbers may need more than their text.
      guard status == blockIsFull, needsBlock, !rewinds,
        let measure = call.measured(json, isEstimate: false), reserve(measure.size)
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

  /// Reports what is wrong with a line. The line is read again: failures are rare, and this keeps the 3 KB of an
  /// error off the stack of all other lines.
  @inline(never)
  private func refuse(
    _ line: Bytes, _ status: Status, at place: Report.Place, to receiver: LineReceiver
  ) -> Bool {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    unsafe withUnsafeMutablePointer(to: &error) { error in
      let call = unsafe call(ErrorOut(error), place)
      _ = unsafe withContext(line, settings) { context in
        let code = unsafe build(context)
        if code != ok { return unsafe call.refuse(ContextRef(context), code) }
        defer { unsafe close(context) }
        return unsafe call.diagnose(ContextRef(context), status)
      }
    }
    return receiver.take(error, line: place.line)
  }
}

/// The first block.
private let leastRoom = 1024

/// The most memory that a stream keeps for its next line: of a block, and of an unfinished line.
let mostKept = 1 << 20
