// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lines of files: read in chunks; or mapped, if the caller guarantees that no process writes to the file. A document is
// validated before it is decoded: bytes that change in between could become strings that are not UTF-8.

internal import CDecantSystem
public import DecantCodable
public import DecantCore

/// A file of lines, which is read in chunks.
///
///     for line in JSONLines<Event>(try JSONLinesFile("events.ndjson")) { … }
///     for line in JSONLines<Event>(try JSONLinesFile(descriptor: 0)) { … }   // standard input
///
/// Every iteration of a regular file begins where the file was opened. A pipe can be iterated once. If reading fails,
/// the last line fails with the system's message; a `for try await` loop throws a ``Failure``.
public struct JSONLinesFile {
  @usableFromInline let source: LineSource
  /// How many bytes a regular file had when it was opened, from its place on; nil for a pipe.
  public let byteCount: Int?

  /// Opens a file. It is closed when it is no longer referenced.
  ///
  /// - Throws: ``Failure`` if the file cannot be opened.
  public init(_ path: String) throws(Failure) {
    self.init(try OpenFile(path))
  }

  /// Opens a file and maps it into memory if it is a regular file; others are read in chunks.
  ///
  /// The lines are decoded in place, without a copy, and only the pages in use are in memory. **No process may write
  /// to the file or shorten it** until it is closed. Bytes that change while a line is decoded can get into a
  /// `String` unchecked; it is then not UTF-8, and the behavior of the program is undefined. The system ends
  /// processes that read beyond the end of a mapped file. Files that are replaced as a whole, by renaming, are safe.
  ///
  /// - Throws: ``Failure`` if the file cannot be opened.
  public init(mapping path: String) throws(Failure) {
    let file = try OpenFile(path)
    self.init(file, file.mapped())
  }

  /// A file that is already open, and remains open. It is read from its current offset on. Reading moves the offset
  /// only in pipes and the like.
  ///
  /// - Throws: ``Failure`` if nothing can be read from it.
  public init(descriptor: Int32) throws(Failure) {
    self.init(try OpenFile(descriptor, isOwned: false, nil))
  }

  private init(_ file: OpenFile, _ bytes: MappedFile? = nil) {
    // Readers of a pipe share its place.
    let pipe = file.byteCount == nil ? FileReader(file) : nil
    source = bytes.map { .bytes($0) } ?? .reader { pipe ?? FileReader(file) }
    byteCount = file.byteCount
  }

  /// Why a file cannot be opened or read.
  public struct Failure: Error, CustomStringConvertible, Sendable {
    /// The value of `errno`.
    public let code: Int32
    let path: String?

    /// The system's message: `events.ndjson: No such file or directory`.
    public var description: String {
      let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { words in
        // SAFETY: C writes words that end with NUL.
        unsafe decant_system_message(code, words.baseAddress!, words.count)
        return unsafe String(cString: words.baseAddress!)
      }
      return path.map { "\($0): \(text)" } ?? text
    }
  }
}

extension JSONLines where Model: JSONDecodable {
  /// The lines of a file.
  @_alwaysEmitIntoClient
  public init(_ file: JSONLinesFile, options: DecodingOptions = DecodingOptions()) {
    self.init(file.source, options)
  }
}

extension JSONLines where Model: Decodable {
  /// The lines of a file, decoded as `decoder` says when the iteration begins.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public init(_ file: JSONLinesFile, decoder: DecantDecoder = DecantDecoder()) {
    self.init(file.source, by: decoder)
  }
}

/// An open file.
private final class OpenFile {
  let descriptor: Int32
  let path: String?
  /// The place in a regular file, and its size; negative for a pipe and other streams.
  private(set) var place: Int64 = -1
  private var size: Int64 = -1
  private let isOwned: Bool

  init(_ descriptor: Int32, isOwned: Bool, _ path: String?) throws(JSONLinesFile.Failure) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    self.path = path
    let code = unsafe decant_file_place(descriptor, &place, &size)
    if code != 0 { throw JSONLinesFile.Failure(code: code, path: path) }
  }

  convenience init(_ path: String) throws(JSONLinesFile.Failure) {
    var descriptor: Int32 = -1
    let code = unsafe decant_file_open(path, path.utf8.count, &descriptor)
    if code != 0 { throw JSONLinesFile.Failure(code: code, path: path) }
    try self.init(descriptor, isOwned: true, path)
  }

  deinit { if isOwned { decant_file_close(descriptor) } }

  var byteCount: Int? { place < 0 ? nil : Int(clamping: max(size - place, 0)) }

  /// The whole file; nil if it has to be read.
  func mapped() -> MappedFile? {
    var start: UnsafeRawPointer?
    unsafe decant_file_map(descriptor, size, &start)
    return unsafe start.map {
      unsafe MappedFile(UnsafeRawBufferPointer(start: $0, count: Int(truncatingIfNeeded: size)))
    }
  }
}

/// The chunks of a file.
@safe
private final class FileReader: ChunkReader {
  private let file: OpenFile
  private var place: Int64
  private var chunk: FileChunk?

  init(_ file: OpenFile) {
    self.file = file
    place = file.place
  }

  override func next() throws -> ByteSource? {
    // A copy of the iterator may not have used the last chunk up.
    if !isKnownUniquelyReferenced(&self.chunk) { self.chunk = nil }
    let chunk = self.chunk ?? FileChunk()
    self.chunk = chunk
    let code = unsafe decant_file_read(
      file.descriptor, place, chunk.memory.baseAddress!, chunk.memory.count, &chunk.count)
    if code != 0 { throw JSONLinesFile.Failure(code: code, path: file.path) }
    if place >= 0 { place += Int64(chunk.count) }
    return chunk.count > 0 ? chunk : nil
  }
}

/// The bytes that were read last. The next read reuses their memory.
@safe
private final class FileChunk: ByteSource {
  // SAFETY: allocated here, and deallocated by deinit alone.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 &<< 10, alignment: 16)
  var count = 0

  override func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe body(UnsafeRawBufferPointer(start: memory.baseAddress, count: count))
  }

  deinit { unsafe memory.deallocate() }
}

/// A file in memory.
@safe
private final class MappedFile: ByteSource {
  // SAFETY: mapped as long as this object exists.
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

  override func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe body(bytes) }

  deinit { unsafe decant_file_unmap(bytes.baseAddress, bytes.count) }
}
