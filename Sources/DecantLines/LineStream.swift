// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Cuts a stream into lines, wherever its chunks were cut:
//
//   chunk   {"id":1}⏎{"id"      :2}⏎⏎{"id":3      }
//   line    1 ───────┘└───────── 2 ┘ └──────────── 4, by finish
//                     kept                kept
//
// A line that is whole in a chunk is decoded where it is; of others the bytes are kept until the rest comes. Of a line
// that is longer than a document may be no more is kept than its error shows, whatever follows before the line feed.
// Lines of white space have a number and nothing else.
//
// Whole lines of a chunk are read many at a time by an index of lines (decant_lines.h): what is valid comes with its
// index, what is not is read by itself.

public import CDecantIndex
internal import DecantCore

/// A line and its place: as much as is returned in registers.
@safe @usableFromInline
struct LineText {
  /// The document, if the line has been read and is valid.
  @usableFromInline let document: UnsafeMutablePointer<decant_context>?
  // SAFETY: both are valid until the stream is asked for the next line.
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline let start: UnsafePointer<decant_start>
}

/// Where the place of a line is while it is decoded.
@safe
final class LinePlace {
  // SAFETY: allocated in init and deallocated by deinit.
  private let start: UnsafeMutablePointer<decant_start>

  init() {
    unsafe start = .allocate(capacity: 1)
    unsafe start.initialize(to: decant_start())
  }

  deinit { unsafe start.deallocate() }

  /// The place, until the next one.
  func keep(_ place: decant_start) -> UnsafePointer<decant_start> {
    unsafe start.pointee = place
    return unsafe UnsafePointer(start)
  }
}

/// What a stream has to know of the options.
@usableFromInline
struct LineRules {
  var first: decant_start
  /// Whether the stream may begin with a byte order mark.
  var allowsMark: Bool
  /// The longest line.
  var maximumBytes: Int
  /// How each line is read.
  var options: DecodingOptions
  /// The same, where lines can be read many at a time.
  var indexed: decant_rules?

  /// How many bytes of a line are kept, at most: of a longer one, what its error shows.
  var mostKept: Int {
    let (sum, overflow) = maximumBytes.addingReportingOverflow(excerptReach)
    return overflow ? .max : sum
  }
}

struct LineStream {
  private let rules: LineRules
  /// The place of the first byte that was not handed out.
  private(set) var place: decant_start
  /// In the chunk.
  private var position = 0
  private var isFirst: Bool
  private let endsInInk: Bool
  private var pending: PendingLine?
  private let start = LinePlace()
  private var index: LineIndex?
  /// What this stream has of the index: nil if it has to begin anew.
  private var part: LineIndex.Part?

  /// - Parameters:
  ///   - start: where the bytes begin in the stream.
  ///   - endsInInk: the last line was cut, and is not blank.
  init(_ rules: LineRules, at start: decant_start, endsInInk: Bool = false) {
    self.rules = rules
    self.endsInInk = endsInInk
    place = start
    isFirst = rules.allowsMark && place.offset == rules.first.offset
  }

  /// The next line of a chunk that is not blank; nil when the chunk is used up. What is left then is kept, unless
  /// `isLast` says that no chunk follows.
  // SAFETY: the caller passes the same chunk until nil.
  mutating func next(in chunk: UnsafeRawBufferPointer, isLast: Bool) -> LineText? {
    while position < chunk.count {
      if unsafe beginPart(of: chunk, isLast: isLast) {
        if let line = nextIndexed() { return line }
        continue
      }
      let from = position
      let start = unsafe chunk.baseAddress! + from
      let count = chunk.count - from
      let length = unsafe decant_line_end(start.assumingMemoryBound(to: CChar.self), count)
      let isWhole = isLast || length < count
      position = from + length + 1
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
      if isWhole, pending?.isEmpty ?? true {
        let isInk = endsInInk && length == count
        if let line = unsafe take(bytes, length, isBlank: isInk ? false : nil) { return line }
      } else {
        unsafe keep(bytes)
        if isWhole, let line = takePending() { return line }
      }
    }
    if !isLast { position = 0 }
    return nil
  }

  /// The line that no line feed ended.
  mutating func finish() -> LineText? {
    guard let pending, !pending.isEmpty else { return nil }
    return takePending()
  }

  /// - Parameter isBlank: nil if the bytes tell.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ length: Int, isBlank: Bool?
  ) -> LineText? {
    var (bytes, start) = unsafe (bytes, place)
    place.offset += length + 1
    place.line += 1
    if isFirst {
      isFirst = false
      if unsafe bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF {
        unsafe bytes = bytes.bytes(from: 3)
        start.offset += 3
        start.column += 1
      }
    }
    if unsafe isBlank ?? bytes.isBlank { return nil }
    return unsafe LineText(document: nil, bytes: bytes, start: self.start.keep(start))
  }

  // MARK: - Many lines at a time

  /// Whether an index has the line at the position: it goes on, or begins with all whole lines of the chunk.
  @inline(__always)
  private mutating func beginPart(of chunk: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
    if let part {
      // Moved out and back: a copy would count references for every line.
      let index = index.take()
      let goesOn = unsafe index?.has(part, at: position, of: chunk) ?? false
      self.index = consume index
      if goesOn { return true }
    }
    part = nil
    guard rules.indexed != nil, !isFirst, !endsInInk, pending?.isEmpty ?? true else { return false }
    return unsafe makePart(of: chunk, isLast: isLast)
  }

  @inline(never)
  private mutating func makePart(of chunk: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
    guard let indexed = rules.indexed, chunk.count - position >= leastIndexed else { return false }
    var rest = unsafe chunk.bytes(from: position)
    if !isLast || rest.count > mostIndexed {
      let some = unsafe rest.bytes(upTo: mostIndexed)
      let whole = unsafe decant_last_line_end(
        some.baseAddress!.assumingMemoryBound(to: CChar.self), some.count)
      unsafe rest = rest.bytes(upTo: whole)
    }
    guard rest.count >= leastIndexed, let index = index ?? LineIndex(indexed) else { return false }
    self.index = index
    part = unsafe index.begin(rest, at: position, from: place)
    return true
  }

  @inline(__always)
  private mutating func nextIndexed() -> LineText? {
    guard let part, let index = index.take() else { return nil }
    let line = index.next(in: part, &place)
    self.index = consume index
    position = part.position + (place.offset - part.start.offset)
    if line == nil { self.part = nil }
    return line
  }

  // MARK: - The unfinished line

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    let pending = self.pending ?? PendingLine()
    self.pending = pending
    unsafe pending.append(bytes, atMost: rules.mostKept)
  }

  private mutating func takePending() -> LineText? {
    guard let pending else { return nil }
    let (bytes, length) = unsafe (pending.bytes, pending.length)
    // The bytes are where they are until the next append.
    pending.clear()
    return unsafe take(bytes, length, isBlank: pending.wasCut ? pending.wasBlank : nil)
  }
}

// A slice, and a buffer made of it, are ten times as much to compile, for the same.
extension UnsafeRawBufferPointer {
  /// The first `count` bytes, or all if there are fewer.
  @inline(__always)
  func bytes(upTo count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: baseAddress, count: Swift.min(count, self.count))
  }

  /// All bytes but the first `place`, or none if there are fewer.
  @inline(__always)
  func bytes(from place: Int) -> UnsafeRawBufferPointer {
    guard let start = baseAddress else { return unsafe self }
    let place = Swift.min(place, count)
    return unsafe UnsafeRawBufferPointer(start: start + place, count: count - place)
  }

  /// Whether a line has white space alone.
  @inline(__always)
  var isBlank: Bool {
    for place in 0..<count where !decant_is_white(unsafe self[place]) { return false }
    return true
  }
}

/// Shorter texts cost more to begin than they save.
private let leastIndexed = 1024

/// The longest text that an index takes.
private let mostIndexed = Int(DECANT_LINE_TEXT)

/// How far the source line of an error reaches beyond its place.
private let excerptReach = 1024

/// The most memory that a stream keeps for its next unfinished line.
private let mostKept = 1 << 20

/// The bytes of a line whose end has not arrived.
@safe
final class PendingLine {
  // SAFETY: `capacity` bytes, of which `kept` are initialized; deallocated where it is replaced, and by deinit.
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var kept = 0
  private(set) var length = 0
  private var isBlank = true
  /// Of the line before `clear`.
  private(set) var wasCut = false
  private(set) var wasBlank = true

  var isEmpty: Bool { length == 0 }

  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: kept) }

  func append(_ bytes: UnsafeRawBufferPointer, atMost limit: Int) {
    if isEmpty, capacity > mostKept { release() }
    length += bytes.count
    isBlank = unsafe isBlank && bytes.isBlank
    let wanted = min(bytes.count, limit - kept)
    guard wanted > 0 else { return }
    reserve(kept + wanted)
    unsafe UnsafeMutableRawBufferPointer(start: memory! + kept, count: wanted)
      .copyMemory(from: bytes.bytes(upTo: wanted))
    kept += wanted
  }

  func clear() {
    (wasCut, wasBlank) = (kept < length, isBlank)
    (kept, length, isBlank) = (0, 0, true)
  }

  private func reserve(_ size: Int) {
    if size <= capacity { return }
    let larger = max(size, 4096, 2 * capacity)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    if let old = unsafe self.memory { unsafe memory.copyMemory(from: old, byteCount: kept) }
    let before = kept
    release()
    unsafe self.memory = memory
    (capacity, kept) = (larger, before)
  }

  private func release() {
    unsafe memory?.deallocate()
    unsafe memory = nil
    (capacity, kept) = (0, 0)
  }

  deinit { release() }
}
