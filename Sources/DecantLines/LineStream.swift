// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The lines of a stream in chunks, one at a time on demand. A LineCutter finds them; an index of lines (decant_lines.h) reads
// many whole lines of a chunk at a time. A valid line comes with its index; an invalid one is read again by itself.

public import CDecantIndex
public import DecantCore

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
  func keep(
    _ place: DecodeError.Location, above: UnsafePointer<decant_above>? = nil
  ) -> UnsafePointer<decant_start> {
    unsafe start.pointee = unsafe decant_start(
      offset: place.offset, line: place.line, column: place.column, above: above)
    return unsafe UnsafePointer(start)
  }
}

/// What a stream has to know of the options. All that iterate over the stream share it.
@usableFromInline
final class LineRules {
  let first: StreamPlace
  /// Whether the stream may begin with a byte order mark: a piece that is not the first has none.
  let allowsMark: Bool
  /// The longest line.
  let maximumBytes: Int
  /// How each line is read.
  let options: DecodingOptions
  /// Where memory for unfinished documents comes from.
  var allocator = decant_allocator()
  /// The same, where lines can be read many at a time.
  let indexed: decant_rules?

  /// - Parameter isIndexed: false for models that read their lines themselves.
  @usableFromInline
  init(
    _ options: DecodingOptions, _ firstLine: Int, _ firstOffset: Int, isIndexed: Bool = true
  ) {
    first = StreamPlace(offset: max(firstOffset, 0), line: max(firstLine, 1))
    allowsMark = options.relaxations.contains(.byteOrderMark) && first.offset == 0
    maximumBytes = options.maximumBytes
    self.options = LineRules.ofLines(options)
    indexed = isIndexed && options.engine.isNative ? self.options.rules : nil
  }

  /// The options for each line: a byte order mark is the stream's.
  @usableFromInline
  static func ofLines(_ options: DecodingOptions) -> DecodingOptions {
    var options = options
    options.relaxations.remove(.byteOrderMark)
    return options
  }

  /// What a cutter has to know of them.
  var stream: StreamRules {
    var stream = StreamRules()
    stream.allocator = allocator
    stream.first = first
    stream.maximumBytes = maximumBytes
    stream.allowsMark = allowsMark
    return stream
  }
}

struct LineStream {
  let rules: LineRules
  /// The place of the first byte that was not handed out.
  private(set) var place: StreamPlace
  private var cutter = LineCutter()
  /// In the chunk: the whole lines that the cutter has found, and which of them is next.
  private var lines = 0..<0
  private var position = 0
  private var isFirst: Bool
  private let endsInInk: Bool
  private var pending: PendingLine?
  /// Why the line that was handed out last is not to be read, if it is not.
  private(set) var refusal: DecodeError?
  private var start = LinePlace()
  private var index: LineIndex?
  /// What this stream has of the index: nil if it has to begin anew.
  private var part: LineIndex.Part?

  /// - Parameters:
  ///   - start: where the bytes begin in the stream.
  ///   - endsInInk: the last line was cut, and is not blank.
  init(_ rules: LineRules, at start: StreamPlace, endsInInk: Bool = false) {
    self.rules = rules
    self.endsInInk = endsInInk
    place = start
    isFirst = rules.allowsMark && place.offset == 0
  }

  /// A stream that goes on by itself: its lines are elsewhere than this one's, also while one of these is decoded.
  func copy() -> LineStream {
    var copy = self
    copy.pending = pending.map { PendingLine($0) }
    copy.start = LinePlace()
    (copy.index, copy.part) = (nil, nil)
    return copy
  }

  /// The next line of a chunk that is not blank; nil when the chunk is used up. What is left then is kept, unless
  /// `isLast` says that no chunk follows.
  // SAFETY: the caller passes the same chunk until nil.
  @inline(__always)
  mutating func next(in chunk: UnsafeRawBufferPointer, isLast: Bool) -> LineText? {
    unsafe nextIndexed(in: chunk) ?? nextOfAll(in: chunk, isLast: isLast)
  }

  @inline(never)
  private mutating func nextOfAll(in chunk: UnsafeRawBufferPointer, isLast: Bool) -> LineText? {
    let bytes = unsafe Bytes(chunk)
    while true {
      while position < lines.upperBound {
        if beginPart(of: bytes) {
          if let line = unsafe nextIndexed(in: chunk) { return line }
          continue
        }
        let line = bytes[0..<lines.upperBound].line(at: position)
        position += line.count + 1
        let isInk = endsInInk && position > chunk.count
        if let line = take(line, line.count, isInk: isInk) { return line }
      }
      switch cut(bytes, isLast: isLast) {
      case .lines(let range):
        (lines, position) = (range, range.lowerBound)
        place.leaveRoom(for: bytes.count)
      case .unfinished: if let line = takePending() { return line }
      case .nothing:
        (lines, position) = (0..<0, 0)
        return nil
      }
    }
  }

  @inline(never)
  private mutating func cut(_ chunk: Bytes, isLast: Bool) -> LineCutter.Next {
    refusal = nil
    if isLast, pending == nil {
      // Nothing is kept of the last chunk.
      var none = Unfinished()
      return cutter.next(in: chunk, isLast: true, &none, rules.stream)
    }
    let pending = pending ?? PendingLine(rules)
    self.pending = pending
    pending.forgetLast()
    return cutter.next(in: chunk, isLast: isLast, &pending.unfinished, pending.rules)
  }

  /// The line that no line feed ended.
  mutating func finish() -> LineText? {
    refusal = nil
    pending?.forgetLast()
    return takePending()
  }

  /// - Parameter isInk: whether what is behind the bytes is not blank.
  private mutating func take(_ bytes: Bytes, _ length: Int, isInk: Bool) -> LineText? {
    var (bytes, start) = (bytes, place)
    place.passLine(length)
    if isFirst {
      isFirst = false
      bytes = bytes.withoutMark(&start)
    }
    if !isInk && bytes.isBlank { return nil }
    return unsafe LineText(
      document: nil, bytes: bytes.buffer, start: self.start.keep(start.location()))
  }

  // MARK: - Many lines at a time

  /// Begins to index the whole lines of the chunk from the position on; false where lines are read one by one.
  private mutating func beginPart(of chunk: Bytes) -> Bool {
    guard rules.indexed != nil, !isFirst, !endsInInk else { return false }
    let some = LineCutter.indexed(chunk[position..<lines.upperBound])
    guard some.count > 0, let index = index ?? LineIndex(rules) else { return false }
    self.index = index
    part = index.begin(some, at: position, from: place)
    return true
  }

  /// The next line that the index has; nil if it has none, or is at another stream, or at another chunk.
  @inline(__always)
  private mutating func nextIndexed(in chunk: UnsafeRawBufferPointer) -> LineText? {
    // Moved out and back: a copy would count references for every line.
    guard let part, let index = index.take() else { return nil }
    let line = unsafe index.next(in: part, at: position, of: Bytes(chunk), &place)
    self.index = consume index
    if line == nil { self.part = nil }
    position = part.position + (place.offset - part.start.offset)
    return line
  }

  // MARK: - The unfinished line

  @inline(never)
  private mutating func takePending() -> LineText? {
    guard let pending, pending.unfinished.length > 0 else { return nil }
    let (line, length) = (pending.unfinished.bytes, pending.unfinished.length)
    if pending.unfinished.isShort, !pending.unfinished.isRestBlank {
      refusal = .unreadable(
        "out of memory", at: place.location(), .outOfMemory, rules.options.sourceName)
    }
    // The bytes are where they are until the next question.
    pending.isHandedOut = true
    place.leaveRoom(for: line.count)
    return take(line, length, isInk: !pending.unfinished.isRestBlank)
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
}

/// The line whose end has not arrived.
private final class PendingLine {
  var unfinished = Unfinished()
  let rules: StreamRules
  var isHandedOut = false

  init(_ rules: LineRules) { self.rules = rules.stream }

  init(_ other: PendingLine) {
    rules = other.rules
    if !other.isHandedOut { unfinished = other.unfinished.copy(rules) }
  }

  /// Forgets a line that was handed out.
  func forgetLast() {
    if isHandedOut { unfinished.clear(rules) }
    isHandedOut = false
  }

  deinit { unfinished.release(rules) }
}
