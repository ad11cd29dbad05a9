// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The source of lines: the caller's buffer, or a function that is called for more bytes on demand.
//
//   window   {"id":1}⏎{"id":2}⏎{"id":
//            lines, with one index    the beginning of a line, which the next bytes follow
//
// An index of lines (decant_lines.h) cuts and links many lines at a time. A line that is not linked is read by itself. So
// is every line if there is no such index, and every document of a stream without lines, which a DocumentCutter cuts.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The first window of a stream that is read.
private let firstWindow = 1 << 20
/// The fewest bytes that a read requests, even if much of a line that is too long is buffered.
private let leastRead = 1 << 12

@safe
struct LineSource {
  enum Next {
    case line(Bytes, isLinked: Bool)
    /// A document that is refused, and why.
    case refusal(Bytes, code: Int, message: StaticString)
    case end
    /// `noMemory`, or what the caller's function returned.
    case failure(Status)
  }

  /// The caller's function.
  @safe
  struct Input {
    // SAFETY: the caller's function, which takes `context` and writes at most `capacity` bytes.
    private let function: decant_read_function
    private let context: UnsafeMutableRawPointer?

    /// Nil for NULL.
    init?(_ function: decant_read_function?, _ context: UnsafeMutableRawPointer?) {
      guard let function = unsafe function else { return nil }
      unsafe (self.function, self.context) = (function, context)
    }

    /// Fills at most `capacity` bytes; returns how many there are, or a negative status.
    func read(_ memory: Memory, _ capacity: Int) -> Int {
      unsafe function(context, memory.start.assumingMemoryBound(to: CChar.self), capacity)
    }
  }

  private let memory: decant_allocator
  private let longest: Int
  private let input: Input?
  private var index: LinkedLines
  /// Which part of the lines the index has.
  private var indexed = 0..<0

  /// The lines that are at hand, and the place of the next one among them.
  private(set) var lines: Bytes
  private var at = 0
  /// For a stream that is read on demand: the window with the lines, and its number of bytes.
  private var window = Buffer()
  private var filled = 0
  /// Bytes of the first line that were left out because the line is too long, and whether they are blank.
  private var omitted = 0
  private var omitsBlanks = true

  /// The place of the next line.
  private(set) var place: StreamPlace
  private var length = 0
  private var isPending = false
  /// Whether a byte order mark may be next.
  private var mayBeginWithMark: Bool
  private var isIndexed = false
  private var isLast: Bool

  /// Cuts a stream without lines; has the document that it found, until `pass()`.
  private var cutter: DocumentCutter
  /// Whether there is a cutter. Stored, because every line tests it.
  private let isCut: Bool
  private var found: Next?
  /// Whether nothing is left of the chunk.
  private var isUsed = false

  /// A buffer, if there is no function.
  init(_ lines: Bytes, _ input: Input? = nil, _ settings: Settings) {
    memory = settings.allocator
    longest = settings.stream.mostKept
    self.lines = lines
    self.input = input
    place = settings.first
    isLast = input == nil
    mayBeginWithMark = settings.skipsMark
    index = LinkedLines(settings.indexed, settings.allocator)
    cutter = DocumentCutter(settings.stream)
    isCut = !settings.hasLines
  }

  mutating func end() {
    index.end()
    cutter.release()
    window.release(memory)
  }

  /// The bytes of the caller's buffer from the next line on.
  var rest: Bytes { lines[(isCut ? cutter.from : at)..<lines.count] }

  /// The number of bytes from the next line on; nil if it is not known.
  var left: Int? { isLast ? rest.count : nil }

  /// The element that is next, of an array whose elements are read.
  var element: ArrayStream.ElementPlace? { cutter.array?.element }

  /// The document around the elements, after the last one, and the place where the stream ended.
  var around: (array: ArrayStream, end: StreamPlace)? {
    guard let array = cutter.array else { return nil }
    return (array, cutter.end)
  }

  /// The context of a line that is linked, until `pass()`.
  var linked: ContextRef? { isCut ? cutter.linked : index.context }

  /// The next line that is not blank, without its line feed. It stays the next one until `pass()`, but is linked once.
  @inline(__always)
  mutating func next() -> Next {
    if isCut { return nextDocument() }
    if isPending { return .line(line, isLinked: false) }
    while true {
      if isIndexed {
        var line = decant_line()
        if index.next(&line) {
          move(to: indexed.lowerBound + line.start, blanks: line.blanks)
          length = line.end - line.start
          isPending = true
          return .line(self.line, isLinked: line.is_linked)
        }
        move(to: indexed.upperBound, blanks: line.blanks)
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
      length = lines.line(at: at).count
      if !line.isBlank || !omitsBlanks {
        isPending = true
        return .line(line, isLinked: false)
      }
      pass()
    }
  }

  /// Adds rows from the next lines to the columns of a record, as many as can be added without being linked.
  mutating func add(
    _ lines: inout decant_column_lines, to columns: ColumnFill, of record: ColumnRef
  ) {
    guard isIndexed, !isPending else { return }
    unsafe lines.number = Int64(place.line)
    unsafe index.add(&lines, to: columns.columns, of: record.run)
    let next = unsafe indexed.lowerBound + lines.next
    unsafe move(to: next, blanks: lines.lines)
  }

  /// The bytes that may be read from a document on: with the lines in memory, also the bytes after it. A document may be
  /// elsewhere.
  func readable(of document: Bytes) -> Bytes {
    lines.offset(of: document) == nil ? document : lines
  }

  private var line: Bytes { lines[at..<at + length] }

  /// Moves to the next line.
  @inline(__always)
  mutating func pass() {
    if isCut { return found = nil }
    if isIndexed { index.endLine() }
    isPending = false
    place.passLine(length.saturating(adding: omitted))
    at = min(at + length + 1, lines.count)
    (omitted, omitsBlanks) = (0, true)
  }

  /// Passes a byte order mark, which is in the first line.
  private mutating func passMark() {
    mayBeginWithMark = false
    at = lines.count - rest.withoutMark(&place).count
  }

  private mutating func move(to next: Int, blanks: Int) {
    place.pass(next - at, lines: blanks)
    at = next
  }

  // MARK: - Streams without lines

  @inline(never)
  private mutating func nextDocument() -> Next {
    if let found { return found }
    while true {
      let next = isLast && isUsed ? cutter.finish() : cutter.next(in: lines)
      cutter.count(in: lines)
      place = cutter.start
      switch next {
      case .document(let bytes):
        found = .line(bytes, isLinked: false)
        if cutter.linked != nil { return .line(bytes, isLinked: true) }
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

  /// Reads the next chunk.
  private mutating func readChunk() -> Status {
    guard let input else { return ok }
    lines = Bytes()
    if window.capacity == 0, !makeSpace() { return noMemory }
    let status = read(input)
    if status != ok { return status }
    lines = window.memory(at: 0).bytes(filled)
    filled = 0
    return ok
  }

  // MARK: - Many lines

  /// Begins an index of the next lines; false if they are read one by one.
  private mutating func beginIndex() -> Bool {
    // A line that is longer than an index can be of is read by itself.
    let part = omitted == 0 ? index.indexed(rest) : Bytes()
    if part.count == 0 { return false }
    index.begin(part)
    indexed = at..<at + part.count
    isIndexed = true
    return true
  }

  // MARK: - Reading

  /// Reads more bytes, until there is a whole line. `ok` also at the end.
  private mutating func refill() -> Status {
    guard let input else { return ok }
    let used = lines.count
    // The bytes after the last line feed begin the next line.
    if used > 0 {
      window.moveDown(from: used, filled - used)
      filled -= used
    }
    (lines, at) = (Bytes(), 0)
    while true {
      if window.capacity - filled < leastRead, !makeSpace() { return noMemory }
      let from = filled
      let status = read(input)
      if status != ok { return status }
      let bytes = window.memory(at: 0).bytes(filled)
      let end = from + bytes[from..<filled].lastLineEnd
      let whole = isLast ? filled : end > from ? end : 0
      if whole > 0 || isLast {
        lines = bytes[0..<whole]
        return ok
      }
      omitExcess()
    }
  }

  /// Appends bytes to the window.
  private mutating func read(_ input: Input) -> Status {
    let capacity = window.capacity - filled
    let count = input.read(window.memory(at: filled), capacity)
    if count > capacity { return tooManyBytes }
    if count < 0 { return Status(clamping: count) }
    filled += count
    isLast = count == 0
    return ok
  }

  private mutating func makeSpace() -> Bool {
    window.reserve(max(firstWindow, window.capacity.saturating(adding: window.capacity)), memory)
  }

  /// Drops the bytes of a line that is too long, except those that its error shows.
  private mutating func omitExcess() {
    if filled <= longest { return }
    let excess = window.memory(at: longest).bytes(filled - longest)
    omitsBlanks = omitsBlanks && excess.isBlank
    omitted = omitted.saturating(adding: excess.count)
    filled = longest
  }
}
