// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors into the caller's struct while they are found, without a Swift heap: the first one's code, path and
// place; text and JSON of each until the room is used up; and how many there were. The words are the core's.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct Report {
  // SAFETY: the caller's struct, of at least our size, or nil.
  private let error: UnsafeMutablePointer<decant_error>?
  private var text: ErrorSink
  private var details: ErrorSink
  private let limit: Int
  private let source: CText?
  private let context: UnsafePointer<decant_context>?
  private let base: Place
  private var lines: LineCounter
  /// The source line and the note of the last error, which the next may share.
  private var excerpt: SourceExcerpt?
  private var noted: UInt64?
  private var lastLocation: DecodeError.Location?

  private(set) var count = 0
  private var firstCode = ok

  /// A place that a document's first byte has in a stream of them.
  struct Place {
    var offset = 0
    var line = 1
  }

  /// What the source line marks: bytes of the document.
  struct Mark {
    let offset: Int
    let length: Int
  }

  /// About no document.
  init(_ error: UnsafeMutablePointer<decant_error>?) {
    unsafe self.init(error, context: nil, limit: 1, sourceName: nil)
  }

  init(
    _ error: UnsafeMutablePointer<decant_error>?, context: UnsafePointer<decant_context>?,
    limit: Int, sourceName: UnsafePointer<CChar>?, base: Place = Place()
  ) {
    // SAFETY: the caller's promise: a decant_error of the size that it begins with.
    let isKnown =
      unsafe error.map { unsafe $0.pointee.size >= MemoryLayout<decant_error>.size } ?? false
    unsafe self.error = unsafe isKnown ? error : nil
    unsafe self.context = unsafe context
    source = unsafe sourceName.map { unsafe CText($0) }
    self.limit = max(limit, 1)
    self.base = base
    lines = unsafe LineCounter(
      UnsafeRawBufferPointer(
        start: context?.pointee.text, count: context?.pointee.length ?? 0), of: context)
    let none = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    text = unsafe ErrorSink(self.error.map { unsafe messageRoom(of: $0) } ?? none)
    details = unsafe ErrorSink(self.error.map { unsafe detailsRoom(of: $0) } ?? none)
    guard let error = unsafe self.error else { return }
    unsafe error.pointee.code = ok
    unsafe error.pointee.error_count = 0
    unsafe error.pointee.offset = -1
    unsafe error.pointee.line = 0
    unsafe error.pointee.column = 0
    unsafe error.pointee.path.0 = 0
  }

  /// Whether a first error is all that was asked for, and is there.
  var isDone: Bool { limit == 1 && count > 0 }

  /// One error. `mark` is nil where the engine does not know the place.
  /// - Parameter object: the object that lacks a key, for the note.
  mutating func add(
    _ facts: some ErrorFacts, at mark: Mark?, path: some ErrorPhrase, hasPath: Bool,
    object: UInt64? = nil
  ) {
    if isDone { return }
    count += 1
    if count == 1 { firstCode = facts.code.rawValue }
    guard unsafe error != nil, count <= limit, !text.isFull || !details.isFull else { return }
    let place = mark.map { lines.location(of: $0.offset) }
    let location = place.map {
      DecodeError.Location(
        offset: base.offset.saturating(adding: $0.offset),
        line: base.line.saturating(adding: $0.line - 1), column: $0.column)
    }
    if location == nil || location != lastLocation { finishLast() }
    if count == 1 { writeFirst(location, path) }
    if count > 1 { text.add("\n") }
    text.addPlace(source: source, location: location, path: path, hasPath: hasPath)
    facts.writeMessage(to: &text)
    writeDetails(facts, location, path)
    lastLocation = location
    noted = facts.redacts ? nil : object
    guard !facts.redacts, let mark, let context = unsafe context else { return }
    // SAFETY: the context has its text, and outlives the report.
    excerpt = unsafe SourceExcerpt(
      UnsafeRawBufferPointer(start: context.pointee.text, count: context.pointee.length),
      offset: mark.offset, length: mark.length, lineStart: lines.lineStart)
  }

  private func writeFirst(_ location: DecodeError.Location?, _ path: some ErrorPhrase) {
    guard let error = unsafe error else { return }
    if let location {
      unsafe error.pointee.offset = Int64(location.offset)
      unsafe error.pointee.line = Int64(location.line)
      unsafe error.pointee.column = Int64(location.column)
    }
    var writer = unsafe ErrorSink(pathRoom(of: error))
    path.write(to: &writer)
  }

  /// A line of `details`, if all of it fits.
  private mutating func writeDetails(
    _ facts: some ErrorFacts, _ location: DecodeError.Location?, _ path: some ErrorPhrase
  ) {
    let start = details.used
    if start > 0 { details.add("\n") }
    facts.writeJSON(to: &details, source: source, location: location, path: path)
    if details.isFull { details.cut(to: start) }
  }

  /// The source line and the note of the last error.
  private mutating func finishLast() {
    if let excerpt, !excerpt.isBlank {
      text.add("\n")
      excerpt.write(to: &text)
    }
    if let noted, let context = unsafe context {
      let object = unsafe JSON(noted, within: JSON(context: context, node: context.pointee.root))
      if object.count > 0 {
        text.add("\n  ")
        object.writeKeys(to: &text)
      }
    }
    excerpt = nil
    noted = nil
  }

  /// The status of the call, when all is told.
  mutating func finish() -> Status {
    let code = count > 1 ? Status(DECANT_MULTIPLE) : firstCode
    guard let error = unsafe error else { return code }
    unsafe error.pointee.code = code
    unsafe error.pointee.error_count = Int32(clamping: count)
    finishLast()
    if count > limit { text.addOmitted(count - limit) }
    return code
  }

  /// Where a byte of the document stands.
  func location(of offset: Int) -> DecodeError.Location {
    var lines = lines
    let place = lines.location(of: offset)
    return DecodeError.Location(
      offset: base.offset.saturating(adding: offset),
      line: base.line.saturating(adding: place.line - 1), column: place.column)
  }
}

extension Int {
  /// The sum, or the largest Int: places in streams that are longer than an Int can tell.
  @inline(__always)
  func saturating(adding other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

/// decant.h: the struct ends with `char path[256]; char message[1024]; char details[2048];`.
let detailsOffset = MemoryLayout<decant_error>.size - 2048
let messageOffset = detailsOffset - 1024
let pathOffset = messageOffset - 256

// SAFETY: offsets and sizes of the members are those of decant.h; a test asks C for them.
private func pathRoom(
  of error: UnsafeMutablePointer<decant_error>
) -> UnsafeMutableRawBufferPointer {
  unsafe UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(error) + pathOffset, count: 256)
}

private func detailsRoom(
  of error: UnsafeMutablePointer<decant_error>
) -> UnsafeMutableRawBufferPointer {
  unsafe UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(error) + detailsOffset, count: 2048)
}

private func messageRoom(
  of error: UnsafeMutablePointer<decant_error>
) -> UnsafeMutableRawBufferPointer {
  unsafe UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(error) + messageOffset, count: 1024)
}
