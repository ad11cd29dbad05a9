// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Decodes line after line into one struct and one block, which the next line reuses: after the first few lines, no memory
// is allocated. The table is checked once. The struct's old bytes are not saved, because the caller never sees a struct
// that was filled in part.
//
//   lines   {"id":1,"name":"Ann"}     many at a time: with one index of them all
//           {"id":"2"}                fails: read again alone, for its error and its place in the stream
//
//   line    {"id":3,"name":"Bob"}     alone, small, and its members in the table's order: from its text
//           {"name":"Eve","id":4}     otherwise with an index of its own

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Whom decoded lines are handed to.
@safe
struct LineReceiver {
  // SAFETY: the caller's function, which takes `context`, and what it is given during the call.
  private let function: decant_line_function
  private let context: UnsafeMutableRawPointer?

  /// Nil for NULL.
  init?(_ function: decant_line_function?, _ context: UnsafeMutableRawPointer?) {
    guard let function = unsafe function else { return nil }
    unsafe (self.function, self.context) = (function, context)
  }

  /// Returns whether the stream continues.
  func take(_ value: Memory, line: Int) -> Bool {
    unsafe function(context, Int64(line), value.start, nil) == 0
  }

  /// - Parameter value: A struct of which something was left out, for the reasons in `error`.
  func take(_ error: borrowing decant_error, with value: Memory? = nil, line: Int) -> Bool {
    unsafe withUnsafePointer(to: error) {
      unsafe function(context, Int64(line), value?.start, $0) == 0
    }
  }

  fileprivate func take(_ error: LineError, with value: Memory? = nil, line: Int) -> Bool {
    unsafe function(context, Int64(line), value?.start, error.pointer) == 0
  }
}

/// The error of a line, in memory of the stream's: it is not cleared for each line.
@safe
private struct LineError {
  // SAFETY: a struct of the memory that it was made in, which outlives it.
  let pointer: UnsafeMutablePointer<decant_error>

  init(_ memory: Memory) {
    memory.clear(MemoryLayout<decant_error>.size)
    unsafe pointer = memory.start.assumingMemoryBound(to: decant_error.self)
    unsafe pointer.pointee.size = MemoryLayout<decant_error>.size
  }

  var out: ErrorOut { unsafe ErrorOut(pointer) }
  var line: Int64 { unsafe pointer.pointee.line }
}

struct LineDecoder {
  private let plan: RecordPlan
  private var record: RecordRef { plan.record }
  private let check: RecordCheck
  private let needsBlock: Bool
  /// Whether small lines may be filled from their text.
  private let readsText: Bool
  private let looksForUnknown: Bool
  let settings: Settings
  /// A struct of the table's size, and behind it the error of a line.
  private let value: Memory
  private let error: LineError
  private var block: Block?
  /// Made when one is needed first.
  private var index: LinkedLines
  /// Shorter lines are filled faster from their text.
  let leastIndexedLine: Int

  /// Nil if there is no memory. `check` has accepted the table.
  init?(_ record: RecordRef, _ check: RecordCheck, _ settings: Settings) {
    guard let plan = RecordPlan(record, settings.allocator) else { return nil }
    let size = Self.size(of: record)
    guard let value = settings.allocator.allocate(size.struct + size.error) else {
      plan.release(settings.allocator)
      return nil
    }
    self.plan = plan
    self.settings = settings
    self.value = value
    error = LineError(value.advanced(by: size.struct))
    index = LinkedLines(settings.indexed, settings.allocator)
    leastIndexedLine = decant_line_index_least()
    self.check = check
    needsBlock = check.needsBlock && settings.needsStorage
    looksForUnknown = check.looksForUnknown(settings)
    readsText = !looksForUnknown && check.readsText
  }

  mutating func end() {
    block?.release(settings)
    block = nil
    let size = Self.size(of: record)
    settings.allocator.release(value, size.struct + size.error)
    index.end()
    plan.release(settings.allocator)
  }

  /// Bytes of a struct, with those up to the error behind it, and of the error.
  private static func size(of record: RecordRef) -> (struct: Int, error: Int) {
    ((record.size + 15) & ~15, MemoryLayout<decant_error>.size)
  }

  /// Decodes a line, which begins at `place` of the stream, or an element. Returns whether the stream continues.
  mutating func decode(
    _ line: Bytes, at place: StreamPlace, _ element: ArrayStream.ElementPlace? = nil,
    to receiver: LineReceiver
  ) -> Bool {
    if fillFromText(line) { return receiver.take(value, line: place.line) }
    if settings.tellsLeftOut { return decodeTelling(line, at: place, element, to: receiver) }
    defer { forgetLargeBlock() }
    let status = withDocument(line, settings) { context, code in
      code == ok ? fill(context.root, within: line) : code
    }
    if status == ok { return receiver.take(value, line: place.line) }
    return refuse(line, status, at: place, element, to: receiver)
  }

  /// Decodes a line from its text, without an index; nil if that takes one.
  mutating func decodeFromText(
    _ line: Bytes, at place: StreamPlace, to receiver: LineReceiver
  ) -> Bool? {
    fillFromText(line) ? receiver.take(value, line: place.line) : nil
  }

  // MARK: - Lines with one index

  /// The first of some whole lines, which can be decoded with one index; empty if there are none.
  mutating func indexed(_ lines: Bytes) -> Bytes { index.indexed(lines) }

  /// Decodes whole lines, which begin at `place`, and moves it after the last one that was decoded. Returns whether the
  /// stream continues. `indexed` returned the lines.
  mutating func decode(
    indexed lines: Bytes, from place: inout StreamPlace, to receiver: LineReceiver
  ) -> Bool {
    var line = decant_line()
    let first = place
    var passed = 0
    index.begin(lines)
    while index.next(&line) {
      passed += line.blanks
      place = first
      place.pass(line.start, lines: passed)
      let text = lines[line.start..<line.end]
      let goesOn =
        line.is_linked
        ? decode(linked: text, of: lines, at: place, to: receiver)
        : decode(text, at: place, to: receiver)
      place.passLine(text.count)
      passed += 1
      if !goesOn { return false }
    }
    place = first
    place.pass(lines.count, lines: passed + line.blanks)
    return true
  }

  // MARK: - Linked elements

  /// Fills the struct from an element that is linked.
  @inline(__always)
  mutating func fill(_ element: ContextRef, within chunk: Bytes) -> Status {
    fill(element.root, within: chunk)
  }

  /// Passes the filled struct to the receiver. Returns whether the stream continues.
  @inline(__always)
  mutating func handOut(line: Int, to receiver: LineReceiver) -> Bool {
    defer { forgetLargeBlock() }
    return receiver.take(value, line: line)
  }

  /// Decodes a line that has its slots.
  @inline(__always)
  private mutating func decode(
    linked line: Bytes, of lines: Bytes, at place: StreamPlace, to receiver: LineReceiver
  ) -> Bool {
    let status = fill(index.context, within: lines)
    index.endLine()
    if status == ok { return handOut(line: place.line, to: receiver) }
    return refuse(line, status, at: place, to: receiver)
  }

  /// A document that is not read: memory is exhausted, or the text around it is invalid.
  func refuse(
    _ code: Int, _ message: StaticString, at place: StreamPlace, to receiver: LineReceiver
  ) -> Bool {
    _ = error.out.refuse(code, message, at: place, source: settings.source)
    return receiver.take(error, line: place.line)
  }

  /// Checks the document around an array; hands an error out if it is wrong, or if it has no array there.
  func check(
    _ array: ArrayStream, endingAt end: StreamPlace, to receiver: LineReceiver
  ) -> Bool {
    let status = array.check(endingAt: end, settings, value, error.out)
    return status == ok || receiver.take(error, line: max(1, Int(clamping: error.line)))
  }

  // MARK: - Filling

  /// Fills the struct from a small line's text; false if that takes an index.
  @inline(__always)
  private mutating func fillFromText(_ line: Bytes) -> Bool {
    let count = line.count
    guard readsText, count <= mostText, settings.readsText(of: count),
      !needsBlock || reserve(count),
      let text = ObjectText(line)
    else { return false }
    value.clear(record.size)
    // The caller's buffer may be smaller than the text. Then an index measures the strings.
    guard needsBlock || settings.needsStorage || settings.bufferSize >= count else { return false }
    var fill = recordFill(rewinds: false, upTo: count)
    return fill.fill(record, from: text, at: value, isUsual: check.isUsual)
  }

  /// Fills the block, or at most so many bytes of it.
  private func recordFill(rewinds: Bool, upTo most: Int) -> RecordFill {
    block?.fill(rewinds: rewinds, upTo: most) ?? settings.fillOfBuffer(rewinds: rewinds)
  }

  /// The filling of the struct.
  private func call(_ error: ErrorOut) -> Call {
    Call(record: record, check: check, out: value, settings: settings, error: error)
  }

  /// Fills the struct from a document, and reads no byte outside of `text`.
  @inline(__always)
  private mutating func fill(_ json: JSON, within text: Bytes) -> Status {
    if looksForUnknown {
      let status = record.checkMembers(json, settings)
      if status != ok { return status }
    }
    let most = settings.memoryLeft(json)
    if needsBlock, !reserve(min(json.reference.length &+ spareRoom, most)) { return blockIsFull }
    let status = fill(json, within: text, rewinds: false, upTo: most)
    return _fastPath(status != blockIsFull) ? status : fillAgain(json, within: text, upTo: most)
  }

  @inline(__always)
  private func fill(_ json: JSON, within text: Bytes, rewinds: Bool, upTo most: Int) -> Status {
    value.clear(record.size)
    var fill = recordFill(rewinds: rewinds, upTo: most)
    fill.read(within: text)
    var walk = RecordWalk(fill, over: json)
    return walk.visit(record, json, at: value)
  }

  /// Arrays of numbers may need more than their text.
  @inline(never)
  private mutating func fillAgain(_ json: JSON, within text: Bytes, upTo most: Int) -> Status {
    guard needsBlock, let measure = call(.none).measured(json, isEstimate: false),
      measure.size <= most, reserve(measure.size)
    else { return blockIsFull }
    return fill(json, within: text, rewinds: true, upTo: most)
  }

  // MARK: - The block

  /// Room for `size` bytes, at least; false if there is no memory.
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

  private mutating func forgetLargeBlock() {
    if let block, block.room > mostKept { releaseBlock() }
  }

  private mutating func releaseBlock() {
    block?.release(settings)
    block = nil
  }

  // MARK: - Failures

  /// Decodes a line with an index of its own, and reports why elements were left out.
  @inline(never)
  private mutating func decodeTelling(
    _ line: Bytes, at place: StreamPlace, _ element: ArrayStream.ElementPlace?,
    to receiver: LineReceiver
  ) -> Bool {
    defer { forgetLargeBlock() }
    let error = error
    error.out.set(ok, count: 0)
    let status = withDocument(line, settings, at: place, element) { context, code in
      if code != ok { return call(error.out).refuse(context, code) }
      let status = fill(context.root, within: line)
      if status != ok { return call(error.out).diagnose(context, status) }
      call(error.out).tellLeftOut(context)
      return ok
    }
    if status != ok { return receiver.take(error, line: place.line) }
    return error.out.count == 0
      ? receiver.take(value, line: place.line)
      : receiver.take(error, with: value, line: place.line)
  }

  /// Reports the errors of a line, which is read again.
  @inline(never)
  func refuse(
    _ line: Bytes, _ status: Status, at place: StreamPlace,
    _ element: ArrayStream.ElementPlace? = nil, to receiver: LineReceiver
  ) -> Bool {
    let call = call(error.out)
    _ = withDocument(line, settings, at: place, element) { context, code in
      code == ok ? call.diagnose(context, status) : call.refuse(context, code)
    }
    return receiver.take(error, line: place.line)
  }
}

/// `withDocument` for a document of a stream, which begins at `place`: errors count from the stream's beginning, and
/// paths from the root of the document that an element is of.
func withDocument(
  _ json: Bytes, _ settings: Settings, at place: StreamPlace,
  _ element: ArrayStream.ElementPlace?, _ body: (ContextRef, Status) -> Status
) -> Status {
  let above = unsafe decant_above(
    pointer: element?.array.start, length: element?.array.count ?? 0, index: element?.index ?? 0)
  // SAFETY: both places are where they are during the call.
  return unsafe withUnsafePointer(to: above) { above in
    var start = decant_start(place.location(before: json.count))
    if element != nil { unsafe start.above = above }
    return unsafe withUnsafePointer(to: start) {
      withDocument(json, settings, from: $0, body)
    }
  }
}

/// The first block.
private let leastRoom = 1024

/// The bytes of a block beyond the text, so that short strings are copied together with the bytes after them.
private let spareRoom = 64

/// The most memory that a stream keeps for its next line: of a block, and of an unfinished line.
let mostKept = 1 << 20
