// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Columns of a stream for Swift: the schema, and the two sequences, of batches of rows and of rejects. Both are those of
// decant_read_arrow().

internal import CDecant
public import DecantC
public import DecantCore

/// The schema of a stream's lines: names and kinds, as a document. `decant.h` has its manual: `decant_schema_parse`.
///
///     let events = try ColumnSchema(
///       #"{"fields":[{"key":"id","kind":"int64"},{"key":"score","kind":"double","optional":true}]}"#)
@safe
public final class ColumnSchema: @unchecked Sendable {
  // SAFETY: this object's, and freed with it; nothing writes to it.
  private let schema: OpaquePointer

  /// Reads a description.
  ///
  /// - Parameters:
  ///   - description: The description's text.
  ///   - options: How its text is read. The relaxation `comments` allows comments.
  /// - Throws: `DecodeError` with the code `invalidArgument`, whose description says what is wrong and where.
  public init(
    _ description: String, options: DecodingOptions = DecodingOptions()
  ) throws(DecodeError) {
    var description = description
    var settings = try decant_options(options)
    var error = decant_error.empty
    var made: OpaquePointer?
    let name = (options.sourceName ?? "") + "\0"
    // SAFETY: the texts are only read, and copied.
    let status = description.withUTF8 { text in
      unsafe Array(name.utf8).withUnsafeBytes { name in
        if options.sourceName != nil {
          unsafe settings.source_name = name.assumingMemoryBound(to: CChar.self).baseAddress
        }
        return unsafe text.withMemoryRebound(to: CChar.self) {
          unsafe decant_schema_parse($0.baseAddress, $0.count, &settings, &made, &error)
        }
      }
    }
    guard let made = unsafe made else { throw error.thrown(status) }
    unsafe schema = made
  }

  deinit { unsafe decant_schema_free(schema) }

  var record: UnsafePointer<decant_record>? { unsafe decant_schema_record(schema) }
}

extension ColumnSchema {
  /// The schema of a model's struct: a column for each field of its `CLayout`, by the field's `key`.
  ///
  /// The table decides how columns are read: an `Int32` takes the numbers that an `Int32` holds, and a member that is not
  /// optional is required. Other work of the model's own `decode` has no effect here.
  ///
  /// - Throws: As `CTable.schemaText()`.
  public convenience init(_ model: any CModel.Type) throws(DecodeError) {
    try self.init(CTable(model).schemaText())
  }
}

/// Reads JSON as columns, batch by batch, without a model.
///
///     var columns = try JSONColumns(bytes, events)
///     for batch in columns {
///       for score in batch["score", as: Double?.self] { … }
///     }
///     for reject in columns.rejects() { print(reject.line, reject.path, reject.message) }
///
/// A line that fails has no row, and is one of the rejects. Batches are read on demand, once: a second loop continues
/// where the first one ended.
///
/// By default, rows are lines:
///
///     let columns = try JSONColumns(bytes, features, rows: .elements(at: "/features"))
public struct JSONColumns: Sequence {
  private let streams: Streams

  /// The documents of a stream that are its rows.
  public enum Rows: Hashable, Sendable {
    /// Newline-delimited JSON: the lines.
    case lines
    /// RFC 7464: the documents, each behind a record separator.
    case records
    /// Documents one after another.
    case documents
    /// The stream is one document: the elements of its array at a pointer. What is wrong with the document around them
    /// is the last of the rejects, which has no `lineOffset`.
    case elements(at: JSONPointer)
  }

  /// The columns of a stream in memory.
  ///
  /// - Parameters:
  ///   - bytes: the stream.
  ///   - schema: the columns.
  ///   - rows: what the rows are.
  ///   - options: how each document is read, and what is relaxed. The stream may begin with a byte order mark if
  ///     `relaxations` have `byteOrderMark`. A reject is a line's first error, so `maximumErrors` has no effect.
  ///   - batchRows: the rows of a batch; 0: 65,536, and at most 8 MiB of lines.
  ///   - maximumRows: reading ends after this many rows; 0: no limit. The rejects are those of the lines before the last row.
  ///   - maximumRejects: how many lines that fail have a reject of their own; one last reject counts the others.
  ///   - lineNumbers: whether there is a last column `_line` of `Int64`, the line of each row.
  ///   - firstLine: the number of the first line, if the bytes are a part of a stream, such as a thread's piece.
  ///   - firstOffset: the bytes before them in the stream.
  /// - Throws: `DecodeError` with the code `invalidArgument`, `outOfMemory`, or `unsupported` for options that exclude one
  ///   another, such as comments where rows are not lines.
  public init(
    _ bytes: [UInt8], _ schema: ColumnSchema, rows: Rows = .lines,
    options: DecodingOptions = DecodingOptions(), batchRows: Int = 0, maximumRows: Int = 0,
    maximumRejects: Int = 65_536, lineNumbers: Bool = false, firstLine: Int = 1,
    firstOffset: Int = 0
  ) throws(DecodeError) {
    var place = 0
    try unsafe self.init(
      schema, rows: rows, options: options, batchRows: batchRows, maximumRows: maximumRows,
      maximumRejects: maximumRejects, lineNumbers: lineNumbers, firstLine: firstLine,
      firstOffset: firstOffset
    ) { buffer in
      let count = Swift.min(buffer.count, bytes.count - place)
      unsafe buffer.copyBytes(from: bytes[place..<place + count])
      place += count
      return count
    }
  }

  /// The columns of a stream that is read on demand, such as from a file.
  ///
  /// - Parameters:
  ///   - schema: the columns.
  ///   - rows: what the rows are.
  ///   - options: how each document is read, and what is relaxed. The stream may begin with a byte order mark if
  ///     `relaxations` have `byteOrderMark`. A reject is a line's first error, so `maximumErrors` has no effect.
  ///   - batchRows: the rows of a batch; 0: 65,536, and at most 8 MiB of lines.
  ///   - maximumRows: reading ends after this many rows; 0: no limit. The rejects are those of the lines before the last row.
  ///   - maximumRejects: how many lines that fail have a reject of their own; one last reject counts the others.
  ///   - lineNumbers: whether there is a last column `_line` of `Int64`, the line of each row.
  ///   - firstLine: the number of the first line, if the bytes are a part of a stream, such as a thread's piece.
  ///   - firstOffset: the bytes before them in the stream.
  ///   - read: fills a buffer, at least in part, and returns the number of bytes; 0 at the end. An error that it throws
  ///     ends the stream, and is its `failure`. It must not ask these columns for batches or rejects, which ends it, too.
  /// - Throws: As above.
  public init(
    _ schema: ColumnSchema, rows: Rows = .lines, options: DecodingOptions = DecodingOptions(),
    batchRows: Int = 0, maximumRows: Int = 0, maximumRejects: Int = 65_536,
    lineNumbers: Bool = false, firstLine: Int = 1, firstOffset: Int = 0,
    read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws(DecodeError) {
    var settings = try decant_options(options)
    settings.batch_rows = Int64(batchRows)
    settings.maximum_rows = Int64(maximumRows)
    if maximumRejects < 1 { throw .invalidArgument("maximumRejects is less than 1") }
    settings.maximum_rejects = maximumRejects
    if lineNumbers { settings.columns = UInt32(DECANT_COLUMNS_LINE) }
    settings.first_line = Int64(firstLine)
    settings.first_offset = Int64(firstOffset)
    streams = try Streams(schema, rows, settings, unsafe Input(read))
  }

  /// Why reading ended before the end.
  public var failure: (any Error)? { streams.failure }

  /// The remaining batches, up to the end or a failure: iterators of one value share its stream.
  public func makeIterator() -> AnyIterator<ColumnBatch> {
    AnyIterator { [streams] in streams.nextBatch() }
  }

  /// The lines that failed and were not returned yet. Reads all remaining lines.
  public func rejects() -> [Reject] { streams.rejects() }

  /// Why a line has no row.
  public struct Reject: Sendable {
    /// Counted from 1: where the row begins. Nil for the lines beyond `maximumRejects`, which are only counted.
    public let line: Int?
    /// The offset of the line's first byte in the stream.
    public let lineOffset: Int?
    /// The offset of the first offending byte, if it is known.
    public let offset: Int?
    /// The path of the value that is wrong, as a JSON Pointer.
    public let path: String
    /// The code of the error.
    public let code: DecodeError.Code
    /// The message of the error, in one line.
    public let message: String
    /// The line's first 1,024 bytes, with U+FFFD for bytes that are not UTF-8; nil with `redactsInput`.
    public let text: String?
    /// The number of lines: 1, if it has a line.
    public let count: Int
  }
}

extension JSONColumns {
  /// A function that reads, and what it threw.
  @safe
  fileprivate final class Input {
    // SAFETY: a function that writes inside of the buffer that it is given.
    let read: (UnsafeMutableRawBufferPointer) throws -> Int
    var failure: (any Error)?
    /// Whether the function is being called.
    private(set) var isReading = false

    init(_ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
      unsafe self.read = read
    }

    /// Fills a buffer of C's, or returns that it cannot.
    func fill(_ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
      if failure != nil { return -5 }
      isReading = true
      defer { isReading = false }
      do {
        let count = try unsafe read(UnsafeMutableRawBufferPointer(start: start, count: count))
        if failure != nil { return -5 }
        if count >= 0 { return count }
        failure = DecodeError.invalidArgument("the function that reads returned \(count)")
        return -5
      } catch {
        failure = error
        return -5
      }
    }
  }

  /// A stream of C.
  @safe
  fileprivate final class Stream {
    // SAFETY: this object's; what is in it is released by `end`.
    let stream: UnsafeMutablePointer<ArrowArrayStream>
    private var types: ArrowOwner<ArrowSchema>?

    struct Failure: Error {}

    init() {
      unsafe stream = .allocate(capacity: 1)
      unsafe stream.initialize(to: ArrowArrayStream())
    }

    deinit { unsafe stream.deallocate() }

    func end() { unsafe stream.pointee.release?(stream) }

    /// The next batch; nil at the end.
    func next() throws(Failure) -> ColumnBatch? {
      if types == nil {
        var schema = ArrowSchema()
        guard unsafe stream.pointee.get_schema(stream, &schema) == 0 else { throw Failure() }
        types = ArrowOwner(schema)
      }
      var batch = ArrowArray()
      guard unsafe stream.pointee.get_next(stream, &batch) == 0 else { throw Failure() }
      guard let types, unsafe batch.release != nil else { return nil }
      return ColumnBatch(_ColumnStorage(ArrowOwner(batch), types))
    }
  }

  /// Both streams of C.
  @safe
  fileprivate final class Streams {
    // SAFETY: this object's: a C string, which the streams read.
    private let pointer: UnsafeMutablePointer<CChar>
    private let rows = Stream()
    private let rejected = Stream()
    private let schema: ColumnSchema
    private let input: Input
    private var ownFailure: DecodeError?

    init(
      _ schema: ColumnSchema, _ form: Rows, _ options: decant_options, _ input: Input
    ) throws(DecodeError) {
      self.schema = schema
      self.input = input
      let path = form.path.utf8
      unsafe pointer = .allocate(capacity: path.count + 1)
      unsafe pointer.update(from: path.map { CChar(bitPattern: $0) } + [0], count: path.count + 1)
      if path.contains(0) { throw .invalidArgument("the pointer has a NUL character") }
      var options = options
      options.framing = form.framing
      if case .elements = form { unsafe options.elements_at = UnsafePointer(pointer) }
      var error = decant_error.empty
      // SAFETY: the input lives as long as the streams that call it.
      let status = unsafe decant_read_arrow_from(
        schema.record, { unsafe Reference<Input>(opaque: $0!).object.fill($1, $2) },
        Reference(input).opaque, &options, rows.stream, rejected.stream, &error)
      if status != DECANT_OK { throw error.thrown(status) }
    }

    deinit {
      rows.end()
      rejected.end()
      unsafe pointer.deallocate()
    }

    var failure: (any Error)? { input.failure ?? ownFailure }

    func nextBatch() -> ColumnBatch? { next(rows) }

    func rejects() -> [Reject] {
      var found: [Reject] = []
      while let batch = next(rejected) { found += batch.rejects }
      return found
    }

    private func next(_ stream: Stream) -> ColumnBatch? {
      if input.isReading {
        // The stream would wait for itself.
        input.failure = DecodeError.invalidArgument(
          "the function that reads asked for what is read by it")
        return nil
      }
      do throws(Stream.Failure) { return try stream.next() } catch {
        // This ends a loop; `failure` says why.
        if input.failure == nil { ownFailure = .outOfMemory }
        return nil
      }
    }
  }
}

extension JSONColumns.Rows {
  fileprivate var framing: Int32 {
    switch self {
    case .lines, .elements: Int32(DECANT_LINES)
    case .records: Int32(DECANT_RECORDS)
    case .documents: Int32(DECANT_DOCUMENTS)
    }
  }

  fileprivate var path: String {
    if case .elements(let pointer) = self { pointer.text } else { "" }
  }
}

extension ColumnBatch {
  fileprivate var rejects: [JSONColumns.Reject] {
    let (lines, lineOffsets) = (
      self["line", as: Int64?.self], self["line_offset", as: Int64?.self]
    )
    let (offsets, paths) = (self["offset", as: Int64?.self], self["path", as: String?.self])
    let (codes, messages) = (self["code", as: Int32.self], self["message", as: String.self])
    let (texts, counts) = (self["text", as: String?.self], self["count", as: Int64.self])
    return (0..<count).map { row in
      JSONColumns.Reject(
        line: lines[row].map { Int($0) }, lineOffset: lineOffsets[row].map { Int($0) },
        offset: offsets[row].map { Int($0) }, path: paths[row] ?? "",
        code: DecodeError.Code(status: codes[row]), message: messages[row], text: texts[row],
        count: Int(counts[row]))
    }
  }
}

extension decant_options {
  /// What C calls the options of Swift's.
  fileprivate init(_ options: DecodingOptions) throws(DecodeError) {
    self.init()
    size = MemoryLayout<decant_options>.size
    if options.engine != .native {
      guard options.engine.name == "jansson" else {
        throw .invalidArgument(
          "columns are read by the native engine, or by libjansson", .unsupported)
      }
      engine = Int32(DECANT_JANSSON)
    }
    // For C, 0 is the default.
    if options.maximumDepth < 1 || options.maximumBytes < 1 {
      throw .invalidArgument("maximumDepth or maximumBytes is less than 1")
    }
    maximum_depth = options.maximumDepth
    maximum_bytes = options.maximumBytes
    maximum_memory = options.maximumMemory ?? 0
    maximum_errors = options.maximumErrors
    duplicate_keys = Int32(options.duplicateKeys.rawValue)
    relaxations = UInt32(options.relaxations.rawValue)
    redacts_input = options.redactsInput ? 1 : 0
    rejects_unknown = options.unknownMembers == .reject ? 1 : 0
  }
}

extension decant_error {
  fileprivate static var empty: decant_error {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    return error
  }

  /// What Swift throws for a call that failed with this error.
  fileprivate func thrown(_ status: decant_status) -> DecodeError {
    if status == DECANT_OUT_OF_MEMORY { return .outOfMemory }
    let code: DecodeError.Code = status == DECANT_UNSUPPORTED ? .unsupported : .invalidArgument
    // SAFETY: a C string in the struct.
    return unsafe withUnsafeBytes(of: message) { message in
      unsafe .invalidArgument(String(decoding: message.prefix { $0 != 0 }, as: UTF8.self), code)
    }
  }
}
