// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where lines come from: a buffer of the caller's, or a function that is asked for more bytes when they are needed.
//
//   window   {"id":1}⏎{"id":2}⏎{"id":
//            lines, with one index    the beginning of a line, which the next bytes follow
//
// Lines are cut and linked by an index of lines (decant_lines.h), which reads many at a time. A line that is not
// linked, and any line where there is no such index, is to be read by itself. So are the documents of streams without
// lines, which a DocumentCutter cuts.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Fewer bytes are not worth an index of lines.
private let leastIndexed = 1024
/// The first window of a stream that is read.
private let firstWindow = 1 << 20
/// How much of a line that is too long is kept beyond the limit.
private let excerptReach = 1024

@safe
struct LineSource {
  enum Next {
    case line(Bytes, isLinked: Bool)
    /// A document that is not to be read, and why.
    case refusal(Bytes, code: Int, message: StaticString)
    case end
    /// `noMemory`, or what the caller's function returned.
    case failure(Status)
  }

  /// The caller's function.
  @safe
  struct Input {
    // SAFETY: the caller's function, which takes `context`, and writes at most as many bytes as it is told.
    let function: decant_read_function
    let context: UnsafeMutableRawPointer?
  }

  private let memory: ColumnMemory
  private let longest: Int
  private let input: Input?
  private var index: LineIndex

  /// The lines that are at hand, and the place of the next one among them.
  private var lines: Bytes
  private var at = 0
  /// Of a stream that is read: what the lines are in, and how many bytes of it are filled.
  private var window = Buffer()
  private var filled = 0
  /// Bytes of the first line that were left out because the line is too long, and whether they are blank.
  private var omitted = 0
  private var omitsBlanks = true

  /// The place of the next line.
  private(set) var place: Report.Place
  private var length = 0
  private var isPending = false
  /// Whether a byte order mark may be next.
  private var mayBeginWithMark: Bool
  private var isIndexed = false
  private var isLast: Bool

  /// What cuts a stream without lines; the document that it found, until `pass()`.
  private var cutter: DocumentCutter
  /// Whether there is a cutter: this is asked for each line.
  private let isCut: Bool
  private var found: Next?
  /// Whether nothing is left of the chunk.
  private var isUsed = false

  /// A buffer, if there is no function.
  init(_ lines: Bytes, _ input: Input? = nil, _ settings: Settings) {
    memory = ColumnMemory(allocator: settings.allocator)
    longest = Int(clamping: settings.rules.maximum_bytes).saturating(adding: excerptReach)
    self.lines = lines
    self.input = input
    place = settings.first
    isLast = input == nil
    mayBeginWithMark = settings.skipsByteOrderMark && place.offset == 0
    index = LineIndex(settings)
    cutter = DocumentCutter(settings.stream)
    isCut = !settings.stream.hasLines
  }

  mutating func end() {
    index.end(memory)
    cutter.release()
    window.release(memory)
  }

  /// The bytes of the caller's buffer from the next line on.
  var rest: Bytes { lines[(isCut ? cutter.from : at)..<lines.count] }

  /// How many bytes there are from the next line on; nil if that is not known.
  var left: Int? { isLast ? rest.count : nil }

  /// The element that is next, of an array whose elements are read.
  var element: ArrayStream.ElementPlace? { cutter.array?.element }

  /// What is around the elements, when there are no others, and where the stream ended.
  var around: (array: ArrayStream, end: Report.Place)? {
    guard let array = cutter.array else { return nil }
    return (array, cutter.end)
  }

  /// The context of a line that is linked, until `pass()`.
  @inline(__always)
  var linked: ContextRef? { index.isMade ? index.context : nil }

  /// The next line that is not blank, without its line feed. It stays the next one until `pass()`, but is linked once.
  @inline(__always)
  mutating func next() -> Next {
    if isCut { return nextDocument() }
    if isPending { return .line(line, isLinked: false) }
    while true {
      if isIndexed {
        var line = decant_line()
        if unsafe decant_line_index_next(index.index, index.pointer, &line) {
          move(to: index.start + line.start, blanks: line.blanks)
          length = line.end - line.start
          isPending = true
          return .line(self.line, isLinked: line.is_linked)
        }
        move(to: index.end, blanks: line.blanks)
        isIndexed = false
      }
      if at >= lines.count {
        if isLast { return .end }
        let status = refill()
        if status != ok { return .failure(status) }
        continue
      }
      if mayBeginWithMark { passMark() }
      if beginIndex() { continue }
      length = lines.lineLength(at: at)
      if !line.isBlankLine || !omitsBlanks {
        isPending = true
        return .line(line, isLinked: false)
      }
      pass()
    }
  }

  /// Where the lines that are at hand end.
  // SAFETY: all bytes of a line that is linked, and behind it up to here, may be read.
  @unsafe
  @inline(__always)
  var limit: UnsafePointer<UInt8>? { unsafe lines.start.map { unsafe $0 + lines.count } }

  /// The same for any document, which may be elsewhere.
  @unsafe
  func limit(of document: Bytes) -> UnsafePointer<UInt8>? {
    guard let start = unsafe document.start, let first = unsafe lines.start else { return nil }
    let isHere = unsafe start >= first && start + document.count <= first + lines.count
    return unsafe isHere ? limit : start + document.count
  }

  private var line: Bytes { lines[at..<at + length] }

  /// Goes on behind the line.
  @inline(__always)
  mutating func pass() {
    if isCut { return found = nil }
    if isIndexed { unsafe decant_line_index_end_line(index.pointer) }
    isPending = false
    place.pass(length.saturating(adding: omitted))
    at = min(at + length + 1, lines.count)
    (omitted, omitsBlanks) = (0, true)
  }

  /// Passes a byte order mark, which is in the first line.
  private mutating func passMark() {
    mayBeginWithMark = false
    let mark = Bytes("\u{FEFF}")
    if rest.count >= mark.count, rest[0..<mark.count] == mark { move(to: mark.count, blanks: 0) }
  }

  private mutating func move(to next: Int, blanks: Int) {
    place.offset = place.offset.saturating(adding: next - at)
    place.line = place.line.saturating(adding: blanks)
    at = next
  }

  // MARK: - Streams without lines

  @inline(never)
  private mutating func nextDocument() -> Next {
    if let found { return found }
    while true {
      if mayBeginWithMark, lines.count > 0 || isLast { passMarkOfDocuments() }
      let next = isLast && isUsed ? cutter.finish() : cutter.next(in: lines)
      place = cutter.start
      switch next {
      case .document(let bytes): found = .line(bytes, isLinked: false)
      case .refusal(let bytes, let code, let message):
        found = .refusal(bytes, code: code, message: message)
      case .noMemory: return .failure(noMemory)
      case .nothing:
        if isLast && isUsed { return .end }
        isUsed = true
        if isLast { continue }
        let status = readChunk()
        if status != ok { return .failure(status) }
        isUsed = false
      }
      if let found { return found }
    }
  }

  private mutating func passMarkOfDocuments() {
    mayBeginWithMark = false
    let mark = Bytes("\u{FEFF}")
    guard lines.count >= mark.count, lines[0..<mark.count] == mark else { return }
    lines = lines[mark.count..<lines.count]
    cutter.passMark()
  }

  /// Reads the next chunk; at the beginning of the stream, enough for a byte order mark.
  private mutating func readChunk() -> Status {
    guard let input else { return ok }
    lines = Bytes()
    repeat {
      if window.capacity == 0, !makeSpace() { return noMemory }
      let status = read(input)
      if status != ok { return status }
    } while !isLast && mayBeginWithMark && filled < 3
    lines = window.memory(at: 0).bytes(filled)
    filled = 0
    return ok
  }

  // MARK: - Many lines

  /// Begins an index of the next lines; false if they are read one by one.
  private mutating func beginIndex() -> Bool {
    guard lines.count - at >= leastIndexed, omitted == 0, index.make(memory) else { return false }
    var part = rest
    if part.count > mostIndexed {
      part = part[0..<part[0..<mostIndexed].lastLineFeed]
      // A line that is longer is read by itself.
      if part.count == 0 { return false }
    }
    index.begin(part, at: at)
    isIndexed = true
    return true
  }

  // MARK: - Reading

  /// Reads more bytes, until there is a whole line. `ok` also at the end.
  private mutating func refill() -> Status {
    guard let input else { return ok }
    let used = lines.count
    // What follows the last line feed is the beginning of the next line.
    if used > 0 {
      window.moveDown(from: used, filled - used)
      filled -= used
    }
    (lines, at) = (Bytes(), 0)
    while true {
      if filled == window.capacity, !makeSpace() { return noMemory }
      let from = filled
      let status = read(input)
      if status != ok { return status }
      let bytes = window.memory(at: 0).bytes(filled)
      let end = from + bytes[from..<filled].lastLineFeed
      let whole = isLast ? filled : end > from ? end : 0
      if whole > 0 || isLast {
        lines = bytes[0..<whole]
        return ok
      }
      omitExcess()
    }
  }

  /// Reads bytes into the window, behind those that are there.
  private mutating func read(_ input: Input) -> Status {
    let space = window.memory(at: filled)
    let count = unsafe input.function(
      input.context, space.start.assumingMemoryBound(to: CChar.self), window.capacity - filled)
    if count < 0 { return Status(clamping: count) }
    filled += min(count, window.capacity - filled)
    isLast = count == 0
    return ok
  }

  private mutating func makeSpace() -> Bool {
    window.reserve(max(firstWindow, window.capacity.saturating(adding: window.capacity)), memory)
  }

  /// Of a line that is too long, no more is kept than its error shows.
  private mutating func omitExcess() {
    if filled <= longest { return }
    let excess = window.memory(at: longest).bytes(filled - longest)
    omitsBlanks = omitsBlanks && excess.isBlankLine
    omitted = omitted.saturating(adding: excess.count)
    filled = longest
  }
}

/// The most bytes that an index of lines tells apart.
private let mostIndexed = 1 << 30

/// An index of lines and the context that it links them in: both in one block, where they stay.
@safe
private struct LineIndex {
  // SAFETY: memory for a context, an allocator and an index of lines; nil until there are lines for it.
  private var block: UnsafeMutableRawPointer?
  private(set) var index: OpaquePointer?
  private let size: Int
  private let settings: Settings
  /// Which part of the lines was begun.
  private(set) var start = 0
  private(set) var end = 0

  init(_ settings: Settings) {
    var rules = settings.rules
    let size = settings.engine.isNative ? unsafe decant_line_index_size(&rules) : 0
    self.size = size == 0 ? 0 : LineIndex.head + size
    self.settings = settings
    unsafe (block, index) = (nil, nil)
  }

  /// Bytes of the context and the allocator.
  private static var head: Int { contextSize + 64 }
  private static var contextSize: Int { (MemoryLayout<decant_context>.size + 15) & ~15 }

  @inline(__always)
  var pointer: UnsafeMutablePointer<decant_context> {
    unsafe block.unsafelyUnwrapped.assumingMemoryBound(to: decant_context.self)
  }

  @inline(__always)
  var context: ContextRef { unsafe ContextRef(pointer) }

  @inline(__always)
  var isMade: Bool { unsafe block != nil }

  /// Makes the index, once. False if there is no memory, and where lines are read one by one.
  mutating func make(_ memory: ColumnMemory) -> Bool {
    if isMade { return true }
    if size == 0 { return false }
    guard let block = unsafe memory.allocate(size) else { return false }
    unsafe self.block = block
    let context = unsafe block.bindMemory(to: decant_context.self, capacity: 1)
    let allocator = unsafe (block + LineIndex.contextSize).bindMemory(
      to: decant_allocator.self, capacity: 1)
    unsafe allocator.initialize(to: memory.allocator)
    unsafe prepare(context, settings.engine, settings.rules)
    unsafe context.pointee.allocator = settings.hasMemory ? UnsafePointer(allocator) : nil
    unsafe index = decant_line_index_make(block + LineIndex.head, nil)
    return true
  }

  mutating func begin(_ lines: Bytes, at place: Int) {
    unsafe decant_line_index_begin(index, lines.start, lines.count)
    (start, end) = (place, place + lines.count)
  }

  func end(_ memory: ColumnMemory) {
    if !isMade { return }
    unsafe decant_line_index_end_line(pointer)
    unsafe memory.release(block, size)
  }
}

extension Bytes {
  /// Whether a line has white space alone.
  fileprivate var isBlankLine: Bool {
    for at in 0..<count where !decant_is_white(self[at]) { return false }
    return true
  }

  /// How many bytes the line has that begins at a place.
  fileprivate func lineLength(at place: Int) -> Int {
    let rest = self[place..<count]
    return unsafe UnsafeRawPointer(rest.start).map {
      unsafe decant_line_end($0.assumingMemoryBound(to: CChar.self), rest.count)
    } ?? 0
  }

  /// How many bytes there are up to and with the last line feed.
  fileprivate var lastLineFeed: Int {
    unsafe UnsafeRawPointer(start).map {
      unsafe decant_last_line_end($0.assumingMemoryBound(to: CChar.self), count)
    } ?? 0
  }
}
