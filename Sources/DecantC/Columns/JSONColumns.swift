// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)

  internal import CDecant
  internal import CDecantIndex
  public import DecantCore

  /// What the lines of a stream are: names and kinds, as a document. `decant.h` has its manual: `decant_schema_parse`.
  ///
  ///     let events = try ColumnSchema(
  ///       #"{"fields":[{"key":"id","kind":"int64"},{"key":"score","kind":"double","optional":true}]}"#)
  @safe
  public final class ColumnSchema: @unchecked Sendable {
    // SAFETY: this object's, and freed with it; nothing writes to it.
    private let schema: OpaquePointer

    /// Reads a description.
    ///
    /// - Throws: `DecodeError` with the code `invalidArgument`, whose description says what is wrong and where.
    public init(_ description: String) throws(DecodeError) {
      var description = description
      var error = decant_error()
      error.size = MemoryLayout<decant_error>.size
      var made: OpaquePointer?
      // SAFETY: the text is only read, and copied.
      let status = description.withUTF8 { text in
        let start = unsafe UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        return unsafe decant_schema_parse(start, text.count, nil, &made, &error)
      }
      guard let made = unsafe made else {
        if status == noMemory { throw DecodeError.outOfMemory }
        throw DecodeError.invalidArgument(error.words)
      }
      unsafe schema = made
    }

    deinit { unsafe decant_schema_free(schema) }

    var record: UnsafePointer<decant_record>? { unsafe decant_schema_record(schema) }
  }

  /// JSON as columns: a batch of rows after the other, without a model.
  ///
  ///     var columns = try JSONColumns(bytes, events)
  ///     for batch in columns {
  ///       for score in batch["score", as: Double?.self] { … }
  ///     }
  ///     for reject in columns.rejects() { print(reject.line, reject.path, reject.message) }
  ///
  /// A line that fails has no row, and is one of the rejects. Batches are read when they are asked for, once: a second
  /// loop goes on where the first one ended.
  ///
  /// Rows are lines, unless something else is asked for:
  ///
  ///     let columns = try JSONColumns(bytes, features, rows: .elements(at: "/features"))
  public struct JSONColumns: Sequence {
    private let streams: Streams

    /// What the rows are in a stream.
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
    ///   - batchRows: the rows of a batch; 0: 65,536, but not more than 64 MiB of lines.
    ///   - firstLine: the number of the first line, if the bytes are a part of a stream, such as a thread's piece.
    ///   - firstOffset: the bytes before them in the stream.
    /// - Throws: `DecodeError` with the code `invalidArgument` or `outOfMemory`.
    public init(
      _ bytes: [UInt8], _ schema: ColumnSchema, rows: Rows = .lines, batchRows: Int = 0,
      firstLine: Int = 1, firstOffset: Int = 0
    ) throws(DecodeError) {
      var place = 0
      try unsafe self.init(
        schema, rows: rows, batchRows: batchRows, firstLine: firstLine, firstOffset: firstOffset
      ) { buffer in
        let count = Swift.min(buffer.count, bytes.count - place)
        unsafe buffer.copyBytes(from: bytes[place..<place + count])
        place += count
        return count
      }
    }

    /// The columns of a stream that is read when it is needed, such as from a file.
    ///
    /// - Parameters:
    ///   - schema: the columns.
    ///   - rows: what the rows are.
    ///   - batchRows: the rows of a batch; 0: 65,536, but not more than 64 MiB of lines.
    ///   - firstLine: the number of the first line, if the bytes are a part of a stream, such as a thread's piece.
    ///   - firstOffset: the bytes before them in the stream.
    ///   - read: fills a buffer, at least in part, and returns how many bytes there are; 0 at the end. What it throws
    ///     ends the stream, and is its `failure`.
    /// - Throws: `DecodeError` with the code `invalidArgument` or `outOfMemory`.
    public init(
      _ schema: ColumnSchema, rows: Rows = .lines, batchRows: Int = 0, firstLine: Int = 1,
      firstOffset: Int = 0, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws(DecodeError) {
      var options = decant_options()
      options.size = MemoryLayout<decant_options>.size
      options.batch_rows = Int64(batchRows)
      options.first_line = Int64(firstLine)
      options.first_offset = Int64(firstOffset)
      streams = try Streams(schema, rows, options, unsafe Input(read))
    }

    /// Why reading ended before the end.
    public var failure: (any Error)? { streams.failure }

    /// The batches that are left, up to the end or a failure: iterators of one value share its stream.
    public func makeIterator() -> AnyIterator<ColumnBatch> {
      AnyIterator { [streams] in streams.nextBatch() }
    }

    /// The lines that failed and were not handed out yet. Reads all lines that are left.
    public func rejects() -> [Reject] { streams.rejects() }

    /// Why a line has no row.
    public struct Reject: Sendable {
      /// Counted from 1: where the row begins. Nil for lines that failed after 65,536 others, which are counted alone.
      public let line: Int?
      /// Of the line's first byte, from the beginning of the stream.
      public let lineOffset: Int?
      /// Of the first offending byte, if it is known.
      public let offset: Int?
      /// The path of the value that is wrong, as a JSON Pointer.
      public let path: String
      /// What is wrong, as a code.
      public let code: DecodeError.Code
      /// What is wrong, in one line.
      public let message: String
      /// How many lines this is about: 1, if it has a line.
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

      init(_ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        unsafe self.read = read
      }

      @unsafe
      func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if failure != nil { return -5 }
        do { return try unsafe read(buffer) } catch {
          failure = error
          return -5
        }
      }
    }

    /// Both streams of C.
    @safe
    fileprivate final class Streams {
      // SAFETY: this object's, released with it.
      private let rows: UnsafeMutablePointer<ArrowArrayStream>
      private let rejected: UnsafeMutablePointer<ArrowArrayStream>
      private let schema: ColumnSchema
      private let input: Input
      /// The pointer of the elements, for C.
      private let pointer: UnsafeMutableBufferPointer<CChar>
      private var types: ColumnBatch.SchemaOwner?
      private var rejectTypes: ColumnBatch.SchemaOwner?
      private var ownFailure: DecodeError?

      init(
        _ schema: ColumnSchema, _ form: Rows, _ options: decant_options, _ input: Input
      ) throws(DecodeError) {
        self.schema = schema
        self.input = input
        let path = form.path.utf8CString
        // C's text would end there.
        let isWhole = !path.dropLast().contains(0)
        unsafe pointer = .allocate(capacity: path.count)
        _ = unsafe pointer.initialize(from: path)
        unsafe rows = .allocate(capacity: 2)
        unsafe rejected = rows + 1
        unsafe rows.initialize(repeating: ArrowArrayStream(), count: 2)
        var options = options
        options.framing = form.framing
        if case .elements = form { unsafe options.elements_at = UnsafePointer(pointer.baseAddress) }
        var error = decant_error()
        error.size = MemoryLayout<decant_error>.size
        // SAFETY: the input lives as long as the streams that call it.
        let context = unsafe Unmanaged.passUnretained(input).toOpaque()
        guard isWhole else { throw .invalidArgument("the pointer has a NUL character") }
        let status = unsafe decant_read_arrow_from(
          schema.record,
          { context, buffer, capacity in
            guard let context = unsafe context else { return -5 }
            return unsafe Unmanaged<Input>.fromOpaque(context).takeUnretainedValue().fill(
              UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
          }, context, &options, rows, rejected, &error)
        if status == ok { return }
        throw status == noMemory ? DecodeError.outOfMemory : .invalidArgument(error.words)
      }

      deinit {
        if let release = unsafe rows.pointee.release { unsafe release(rows) }
        if let release = unsafe rejected.pointee.release { unsafe release(rejected) }
        unsafe rows.deallocate()
        unsafe pointer.deallocate()
      }

      var failure: (any Error)? { input.failure ?? ownFailure }

      func nextBatch() -> ColumnBatch? { unsafe next(rows, &types) }

      func rejects() -> [Reject] {
        var found: [Reject] = []
        while let batch = unsafe next(rejected, &rejectTypes) { found += batch.rejects }
        return found
      }

      @unsafe
      private func next(
        _ stream: UnsafeMutablePointer<ArrowArrayStream>, _ types: inout ColumnBatch.SchemaOwner?
      ) -> ColumnBatch? {
        if types == nil {
          var schema = ArrowSchema()
          guard unsafe stream.pointee.get_schema(stream, &schema) == 0 else { return fail() }
          types = ColumnBatch.SchemaOwner(schema)
        }
        var batch = ArrowArray()
        guard unsafe stream.pointee.get_next(stream, &batch) == 0 else { return fail() }
        guard let types, unsafe batch.release != nil else { return nil }
        return ColumnBatch(ColumnBatch.Owner(batch, types))
      }

      /// Ends a loop; `failure` says why.
      private func fail() -> ColumnBatch? {
        if input.failure == nil { ownFailure = .outOfMemory }
        return nil
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
      let counts = self["count", as: Int64.self]
      return (0..<count).map { row in
        JSONColumns.Reject(
          line: lines[row].map { Int($0) }, lineOffset: lineOffsets[row].map { Int($0) },
          offset: offsets[row].map { Int($0) }, path: paths[row] ?? "",
          code: DecodeError.Code(status: codes[row]), message: messages[row],
          count: Int(counts[row]))
      }
    }
  }

  extension decant_error {
    /// The message.
    var words: String {
      read(.message) { unsafe String(decoding: $0.buffer, as: UTF8.self) }
    }
  }

#endif
