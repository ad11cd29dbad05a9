// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors into the caller's struct while they are found, without a Swift heap: the first one's code, path and
// place; text and facts of each until the space is full; and the number of errors. The words are the core's.

public import CDecant
internal import CDecantIndex
public import DecantCore

struct Report {
  private let error: ErrorOut
  private var text: ErrorSink
  private var details: ErrorSink
  private let limit: Int
  private let source: Bytes?
  private let context: ContextRef?
  let seam: TextSeam?
  private var lines: LineCounter
  /// The source line and the note of the last error, which the next may share.
  private var excerpt: SourceExcerpt?
  private var shownLine: Bytes?
  private var noted: (context: ContextRef, node: UInt64)?
  private var lastLocation: DecodeError.Location?

  private(set) var count = 0
  private var firstCode = ok

  /// About the document of a context, or about none.
  init(
    _ error: ErrorOut, context: ContextRef? = nil, limit: Int = 1, source: Bytes? = nil,
    seam: TextSeam? = nil
  ) {
    self.error = error
    self.context = context
    self.source = source
    self.limit = max(limit, 1)
    lines = context.map { LineCounter($0, isKept: true) } ?? LineCounter(Bytes())
    self.seam = seam
    text = error.writer(.message)
    details = error.writer(.details)
    text.saysRanges = true
    details.saysRanges = true
    _ = error.writer(.path)
    error.set(ok, count: 0)
    error.location = nil
  }

  /// Whether the report has its first error, and needs no other.
  var isDone: Bool { limit == 1 && count > 0 }

  /// Whether the next error is written, and not only counted.
  var writesNext: Bool {
    if error.isList { return count < limit }
    return error.isThere && count < limit && !(text.isFull && details.isFull)
  }

  /// One error that is not written.
  mutating func count(_ code: Status) {
    if isDone { return }
    count += 1
    if count == 1 { firstCode = code }
  }

  /// One error.
  /// - Parameters:
  ///   - mark: The bytes of the document that the source line marks; nil if the engine does not know the place.
  ///   - known: The place of an error without a mark, because the report is not about a document.
  ///   - object: The object that lacks a key, for the note; and its document, if that is an inner one.
  mutating func add(
    _ facts: some ErrorFacts, at mark: Range<Int>?, _ known: DecodeError.Location? = nil,
    object: UInt64? = nil, of inner: ContextRef? = nil, path: (inout ErrorSink) -> Void = { _ in }
  ) {
    if isDone { return }
    let isWritten = writesNext
    count(facts.code.rawValue)
    guard isWritten else { return }
    let location = mark.map { self.location(of: $0.lowerBound) } ?? known
    if location == nil || location != lastLocation { finishLast() }
    if count == 1 { writeFirst(location, path) }
    lastLocation = location
    let packed =
      error.isBrief || error.isList || details.isFull
      ? nil
      : facts.pack(into: &details, source: source?.scalars(), location: location, path: path)
    if !text.isFull || error.isList {
      text.beginError()
      if let packed {
        packed.write(to: &text)
      } else {
        if !error.isBrief {
          text.addPlace(source: source?.scalars(), location: location, path: path)
        }
        facts.writeMessage(to: &text)
      }
      text.endErrorLine()
    }
    if error.isBrief || error.isList { return }
    if text.isFull { return }
    guard !facts.redacts, let context else { return }
    noted = object.map { (inner ?? context, $0) } ?? noted
    guard let mark else { return }
    excerpt = SourceExcerpt(
      context.source, offset: mark.lowerBound, length: mark.count, lineStart: lines.lineStart,
      gap: seam?.gap ?? .max)
  }

  private func writeFirst(
    _ location: DecodeError.Location?, _ path: (inout ErrorSink) -> Void
  ) {
    error.location = location
    var writer = error.writer(.path)
    // A key can be long.
    writer.stopsWhenFull = true
    path(&writer)
  }

  /// The source line and the note of the last error.
  private mutating func finishLast() {
    if let excerpt, !excerpt.isBlank {
      text.add("\n")
      excerpt.write(to: &text, after: &shownLine)
    }
    if let noted {
      let object = noted.context.view(noted.node)
      if object.count > 0 {
        text.add("\n  ")
        object.writeKeys(to: &text)
      }
    }
    excerpt = nil
    noted = nil
  }

  /// Writes the note of the last error, if that is about an inner document, which ends.
  mutating func leave(_ inner: ContextRef) {
    guard let noted, unsafe noted.context.pointer == inner.pointer else { return }
    finishLast()
  }

  /// The status of the call, when there are no more errors.
  mutating func finish() -> Status {
    let code = count > 1 ? Status(DECANT_MULTIPLE) : firstCode
    error.set(code, count: count)
    finishLast()
    if count > limit { text.addOmitted(count - limit) }
    if error.isThere { text.endErrors(of: count) }
    error.setLength(text.length)
    return code
  }

  /// The place of a byte of the document in its stream.
  mutating func location(of offset: Int) -> DecodeError.Location {
    let place = lines.location(of: offset)
    guard let seam, let context else { return place }
    return seam.location(of: offset, in: context.source, from: context.start)
  }
}

#if !hasFeature(Embedded)
  /// Writes an error of a Swift model into the caller's struct, if there is one of a known size, and returns its code.
  @usableFromInline
  package func report(_ failure: DecodeError?, to error: UnsafeMutablePointer<decant_error>?)
    -> decant_status
  {
    guard let failure else { return ok }
    var report = unsafe Report(ErrorOut(error))
    return report.finish(with: failure)
  }

  extension Report {
    /// Writes an error that has its texts already; returns its code.
    fileprivate mutating func finish(with failure: DecodeError) -> Status {
      let code = failure.code.rawValue
      guard error.isThere else { return code }
      error.set(code, count: failure.count)
      writeFirst(failure.location) { $0.add(failure.path.text) }
      failure.write(to: &text)
      text.endErrors(of: failure.count)
      failure.pack(into: &details)
      return code
    }
  }
#endif
