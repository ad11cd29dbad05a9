// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Newline-delimited JSON: a document a line. A bad line fails alone; the next line is decoded as if nothing had
// happened. Numbers, offsets and all places of errors count from the stream's beginning.

internal import CDecantIndex
public import DecantCodable
public import DecantCore

/// The lines of newline-delimited JSON, each with its number, its offset and its result.
///
///     for line in JSONLines<Event>(bytes) {
///       switch line.result {
///       case .success(let event): handle(event)
///       case .failure(let error): log(error)      // 3:12: /id: expected an integer, found the string "5"
///       }
///     }
///
///     for try await line in JSONLines<Event>(chunks) { … }
///     let report = JSONLines<Event>(bytes).forEachConcurrently { line in … }
///
/// Lines end with LF or CR LF; the last one may lack its end. Lines of white space are counted and left out. A line
/// that is longer than `DecodingOptions.maximumBytes` fails, and the stream goes on. The stream may begin with a byte
/// order mark if `DecodingOptions.relaxations` have `byteOrderMark`. For streams that are not lines there are
/// ``records``, ``documents`` and ``elements(at:)``.
///
/// Bytes are decoded in place. Chunks may be cut anywhere; only the unfinished line is copied. Bytes can be iterated
/// again; chunks can if their sequence can.
@safe
public struct JSONLines<Model> {
  @usableFromInline let source: LineSource
  /// The rules of an iteration that begins, and what makes a decoding for each of its threads.
  @usableFromInline let begin: () -> (rules: LineRules, makeDecoding: () -> LineDecoding<Model>)

  /// A line that is not blank.
  @frozen
  public struct Line {
    // LineDecoding knows this order.

    /// The number, from 1.
    public let number: Int
    /// The bytes before the line.
    public let offset: Int
    /// The model, or the error.
    public let result: Decoded<Model>
  }

  @usableFromInline
  init(
    _ source: LineSource,
    _ begin: @escaping () -> (rules: LineRules, makeDecoding: () -> LineDecoding<Model>)
  ) {
    self.source = source
    self.begin = begin
  }
}

extension JSONLines.Line: Sendable where Model: Sendable {}

extension JSONLines.Line: CustomStringConvertible {
  /// The number, and the model or the error: `line 2: Event(id: 7)`.
  public var description: String { described("line", number, result) }
}

/// Describes the outcome of a line or an element.
func described<Model>(_ kind: String, _ number: Int, _ result: Decoded<Model>) -> String {
  let text =
    switch result {
    case .success(let model): String(describing: model)
    case .failure(let error): error.description
    }
  return kind + " " + number.description + ": " + text
}

/// Decodes the document of a line.
///
/// Copying a large model takes as long as decoding a field. So the result is decoded in place, and the line stays there
/// until it is moved out to the caller.
@safe @usableFromInline
final class LineDecoding<Model> {
  @usableFromInline typealias Line = JSONLines<Model>.Line
  @usableFromInline typealias Place = UnsafeMutablePointer<Decoded<Model>>

  // SAFETY: memory for a line, allocated in init and deallocated by deinit. It is initialized only while a line is passed
  // to the caller.
  @usableFromInline let room: UnsafeMutablePointer<Line>
  private let result: Place
  private let decode: (LineText, Place) -> Bool
  /// Whether the line in the memory has failed.
  private(set) var hasFailed = false

  /// - Parameter decode: initializes the place with the result of the document, and returns whether it is a model.
  @usableFromInline
  init(_ decode: @escaping (LineText, Place) -> Bool) {
    unsafe self.decode = unsafe decode
    unsafe room = .allocate(capacity: 1)
    // A structure's fields are laid out in order, each at its alignment.
    let alignment = MemoryLayout<Decoded<Model>>.alignment
    let offset = (2 * MemoryLayout<Int>.size + alignment - 1) / alignment * alignment
    unsafe result = (UnsafeMutableRawPointer(room) + offset)
      .assumingMemoryBound(to: Decoded<Model>.self)
  }

  deinit { unsafe room.deallocate() }

  /// Decodes a line into the memory.
  @usableFromInline
  func callAsFunction(_ text: LineText) {
    let place = unsafe UnsafeMutableRawPointer(room).assumingMemoryBound(to: Int.self)
    unsafe place.initialize(to: text.start.pointee.line)
    unsafe (place + 1).initialize(to: text.start.pointee.offset)
    hasFailed = unsafe !decode(text, result)
  }

  /// Puts a line that cannot be read into the memory.
  func put(_ line: Line) {
    unsafe room.initialize(to: line)
    hasFailed = true
  }

  /// Moves the line out of the memory.
  @_alwaysEmitIntoClient @inline(__always)
  func take() -> Line { unsafe room.move() }
}

// MARK: - Models

extension JSONLines where Model: JSONDecodable {
  /// The lines of `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: The text of the lines.
  ///   - options: The options for each line; limits apply to a line.
  ///   - firstLine: The number of the first line, if the bytes are a part of a stream.
  ///   - firstOffset: The bytes before them in the stream.
  @_alwaysEmitIntoClient
  public init(
    _ bytes: some JSONBytes, options: DecodingOptions = DecodingOptions(), firstLine: Int = 1,
    firstOffset: Int = 0
  ) {
    self.init(.bytes(.make(bytes)), options, firstLine, firstOffset)
  }

  /// The lines of bytes that arrive in chunks, cut anywhere.
  ///
  /// If the sequence throws, all complete lines are returned first, and then the error is thrown.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @_alwaysEmitIntoClient
  public init<Sequence: AsyncSequence>(
    _ chunks: Sequence, options: DecodingOptions = DecodingOptions(), firstLine: Int = 1,
    firstOffset: Int = 0
  ) where Sequence.Element: JSONBytes {
    self.init(.chunks { Chunks(chunks.makeAsyncIterator()) }, options, firstLine, firstOffset)
  }

  /// Calls `body` with each line of bytes that can only be borrowed, such as a `Span`, until it throws.
  @_alwaysEmitIntoClient
  public static func forEach<Failure>(
    in bytes: borrowing some JSONBytes & ~Escapable, options: DecodingOptions = DecodingOptions(),
    _ body: (Line) throws(Failure) -> Void
  ) throws(Failure) {
    // SAFETY: the lines are used inside the closure only.
    try unsafe bytes.withJSONBytes { bytes in
      unsafe JSONLines(bytes, options: options).passed(to: body)
    }.get()
  }

  @_alwaysEmitIntoClient
  init(
    _ source: LineSource, _ options: DecodingOptions, _ firstLine: Int = 1, _ firstOffset: Int = 0
  ) {
    let rules = LineRules(
      options, firstLine, firstOffset, isIndexed: Model.self != JSONValue.self)
    let makeDecoding = JSONLines.decoding(LineRules.ofLines(options))
    self.init(source) { (rules, makeDecoding) }
  }

  @_alwaysEmitIntoClient
  static func decoding(_ options: DecodingOptions) -> () -> LineDecoding<Model> {
    if Model.self == JSONValue.self {
      // A value owns its document: the line is read into one, not decoded from a borrowed one.
      return {
        // SAFETY: a place for the outcome, once.
        unsafe LineDecoding { line, place in
          unsafe place.put(JSONValue.parse(line: line, options).map { $0 as! Model })
        }
      }
    }
    return {
      // SAFETY: as above.
      unsafe LineDecoding { line, place in
        unsafe line.decode(options, into: place, Model.decode)
      }
    }
  }
}

extension JSONLines where Model: Decodable {
  /// The lines of `bytes`, decoded as `decoder` says when the iteration begins.
  ///
  /// All of its options apply except `DecantDecoder.assumesTopLevelDictionary`.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public init(
    _ bytes: some JSONBytes, decoder: DecantDecoder = DecantDecoder(), firstLine: Int = 1,
    firstOffset: Int = 0
  ) {
    self.init(.bytes(.make(bytes)), by: decoder, firstLine, firstOffset)
  }

  /// The lines of bytes that arrive in chunks, cut anywhere, decoded as `decoder` says when the iteration begins.
  ///
  /// If the sequence throws, all complete lines are returned first, and then the error is thrown.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @_alwaysEmitIntoClient @_disfavoredOverload
  public init<Sequence: AsyncSequence>(
    _ chunks: Sequence, decoder: DecantDecoder = DecantDecoder(), firstLine: Int = 1,
    firstOffset: Int = 0
  ) where Sequence.Element: JSONBytes {
    self.init(.chunks { Chunks(chunks.makeAsyncIterator()) }, by: decoder, firstLine, firstOffset)
  }

  /// Calls `body` with each line of bytes that can only be borrowed, such as a `Span`, until it throws.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public static func forEach<Failure>(
    in bytes: borrowing some JSONBytes & ~Escapable, decoder: DecantDecoder = DecantDecoder(),
    _ body: (Line) throws(Failure) -> Void
  ) throws(Failure) {
    // SAFETY: as above.
    try unsafe bytes.withJSONBytes { bytes in
      unsafe JSONLines(bytes, decoder: decoder).passed(to: body)
    }.get()
  }

  @usableFromInline @inline(never)
  init(
    _ source: LineSource, by decoder: DecantDecoder, _ firstLine: Int = 1, _ firstOffset: Int = 0
  ) {
    self.init(source) {
      let settings = decoder.settings
      let options = LineRules.ofLines(settings.options)
      return (
        LineRules(settings.options, firstLine, firstOffset),
        {
          let session = DecodingSession(settings)
          // SAFETY: as above.
          return unsafe LineDecoding { line, place in
            unsafe line.decode(options, into: place) { session.decode(Model.self, from: $0) }
          }
        }
      )
    }
  }
}

extension LineText {
  /// Decodes the line, which was read before or is read now.
  // SAFETY: the place is uninitialized; the line is valid until the next one is requested.
  @_alwaysEmitIntoClient @inline(__always)
  func decode<Model>(
    _ options: DecodingOptions, into place: LineDecoding<Model>.Place,
    _ body: (JSON) -> Decoded<Model>
  ) -> Bool {
    if let document = unsafe document {
      return unsafe DecantCore.decode(document, options.sourceName, into: place, body)
    }
    return unsafe place.put(
      reading(bytes, options.engine, options.rules, from: start, options.sourceName, body))
  }
}

extension UnsafeMutablePointer {
  /// Initializes the place, and returns whether there is a model.
  @_alwaysEmitIntoClient
  func put<Model>(_ result: Decoded<Model>) -> Bool where Pointee == Decoded<Model> {
    unsafe initialize(to: result)
    if case .success = result { return true }
    return false
  }
}

extension JSONValue {
  @usableFromInline
  static func parse(line: LineText, _ options: DecodingOptions) -> Decoded<JSONValue> {
    // SAFETY: the document takes a copy of both.
    unsafe parse(line.bytes, options, from: line.start)
  }
}

// MARK: - Iterating

extension JSONLines: Sequence {
  /// Returns the lines of a stream that is in memory, or of a file. A stream that arrives by an `AsyncSequence` is one
  /// line that fails: iterate over that by `for try await`.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The lines of a stream, one after the other.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var feed: LineFeed
    /// Nil while a line is decoded.
    @usableFromInline var decode: LineDecoding<Model>?
    private let makeDecoding: () -> LineDecoding<Model>
    private let reader: ChunkReader?

    @usableFromInline
    init(_ lines: JSONLines, _ framing: DocumentFraming? = nil) {
      let (rules, makeDecoding) = lines.begin()
      self.makeDecoding = makeDecoding
      decode = makeDecoding()
      feed = LineFeed(rules, all: lines.source.bytes, framing: framing)
      reader = lines.source.openReader()
    }

    /// Decodes the next line. If a file cannot be read, its last line fails.
    @inlinable
    public mutating func next() -> Line? {
      if !isKnownUniquelyReferenced(&feed) { part() }
      // Moved out and back: a copy would count references for every line.
      let decode = decode.take()!
      defer { self.decode = decode }
      var outcome = feed.decode(decode)
      if outcome == .needsChunk { outcome = readOn(decode) }
      // Moved once: to move a line twice takes as long as to decode a field.
      return outcome == .line ? decode.take() : nil
    }

    /// Goes on by itself, where another iterator has the same feed: that may be while this one decodes a line, whose model
    /// asks the other.
    @usableFromInline @inline(never)
    mutating func part() {
      feed = feed.copy()
      decode = makeDecoding()
    }

    /// Decodes the next line, which the chunk does not have.
    @usableFromInline
    mutating func readOn(_ decode: LineDecoding<Model>) -> LineFeed.Outcome {
      while true {
        do {
          let outcome = try read() ? feed.decode(decode) : feed.decodeLast(decode)
          if outcome != .needsChunk { return outcome }
        } catch {
          decode.put(Line(cannotRead: error, at: feed.abandon()))
          return .line
        }
      }
    }

    /// Reads a chunk; false at the end.
    @usableFromInline
    mutating func read() throws -> Bool {
      guard let chunk = try reader?.next() else { return false }
      feed.take(chunk)
      return true
    }
  }
}

extension JSONLines.Line {
  /// The result in place of the lines that cannot be read.
  @usableFromInline
  init(cannotRead error: any Error, at place: DecodeError.Location) {
    number = place.line
    offset = place.offset
    result = .failure(.unreadable("\(error)", at: place))
  }

  /// The line of a document that is not decoded. A line without a place is about the whole stream.
  @usableFromInline
  init(failed error: DecodeError) {
    number = error.location?.line ?? 1
    offset = error.location?.offset ?? 0
    result = .failure(error)
  }
}

extension JSONLines {
  @_alwaysEmitIntoClient
  func passed<Failure>(to body: (Line) throws(Failure) -> Void) -> Result<Void, Failure> {
    do throws(Failure) {
      for line in self { try body(line) }
      return .success(())
    } catch { return .failure(error) }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONLines: AsyncSequence {
  /// Returns the lines, as their chunks arrive.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// The lines of a stream, as its chunks arrive.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var feed: LineFeed
    /// Nil while a line is decoded.
    @usableFromInline var decode: LineDecoding<Model>?
    @usableFromInline let chunks: ChunkIterator?

    @usableFromInline
    init(_ lines: JSONLines, _ framing: DocumentFraming? = nil) {
      let (rules, makeDecoding) = lines.begin()
      decode = makeDecoding()
      feed = LineFeed(rules, all: lines.source.bytes, framing: framing)
      chunks = lines.source.open()
    }

    /// Decodes the next line, after waiting for its chunks.
    ///
    /// - Throws: The error of the sequence of chunks, or `CancellationError`.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Line? {
      // Moved out and back: a copy would count references for every line.
      guard let decode = decode.take() else { return nil }
      defer { self.decode = decode }
      if !isKnownUniquelyReferenced(&feed) { feed = feed.copy() }
      while true {
        try Task.checkCancellation()
        switch feed.decode(decode) {
        case .line: return decode.take()
        case .ended: return nil
        case .needsChunk: break
        }
        do {
          if let chunk = try await chunks?.next(isolation: actor) {
            feed.take(chunk)
            continue
          }
        } catch {
          _ = feed.abandon()
          throw error
        }
        // A sequence may end because its task is cancelled: the last line was cut then.
        try Task.checkCancellation()
        if feed.decodeLast(decode) == .line { return decode.take() }
      }
    }
  }
}
