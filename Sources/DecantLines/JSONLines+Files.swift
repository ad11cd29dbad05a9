// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lines of files: mapped, so that no more than the pages in use is in memory, or read in chunks, such as those of a
// pipe.

internal import CDecantSystem
public import DecantCodable
public import DecantCore

/// A file whose lines are to be decoded: mapped into memory if it can be, and else read in chunks.
///
///     for line in JSONLines<Event>(try JSONLinesFile("events.ndjson")) { … }
///     for line in JSONLines<Event>(try JSONLinesFile(descriptor: 0)) { … }   // standard input
///
/// A pipe can be iterated once. Where reading fails, the last line fails with the system's words, and whoever awaits the
/// lines gets a ``Failure`` thrown. A mapped file must not be cut while it is read: the system ends processes that read
/// behind the end of a file.
public struct JSONLinesFile {
  @usableFromInline let source: LineSource

  /// Opens a file. It is closed when nothing refers to it any longer.
  ///
  /// - Throws: ``Failure`` if the file cannot be opened.
  public init(_ path: String) throws(Failure) {
    var descriptor: Int32 = -1
    let code = unsafe decant_file_open(path, path.utf8.count, &descriptor)
    if code != 0 { throw Failure(code: code, path: path) }
    try self.init(OpenFile(descriptor, isOwned: true, path))
  }

  /// A file that is open already, and stays so. It is read from its current place on.
  ///
  /// - Throws: ``Failure`` if nothing can be read from it.
  public init(descriptor: Int32) throws(Failure) {
    try self.init(OpenFile(descriptor, isOwned: false, nil))
  }

  private init(_ file: OpenFile) throws(Failure) {
    if let bytes = try file.mapped() { source = .bytes(bytes) } else { source = .reader { file } }
  }

  /// How many bytes the file has, if it is mapped.
  public var byteCount: Int? {
    guard let bytes = source.bytes else { return nil }
    var count = 0
    unsafe bytes.withBytes { count = $0.count }
    return count
  }

  /// Why a file cannot be opened or read.
  public struct Failure: Error, CustomStringConvertible, Sendable {
    /// The value of `errno`.
    public let code: Int32
    let path: String?

    /// The system's words: `events.ndjson: No such file or directory`.
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

/// An open file, and its chunks.
@safe
private final class OpenFile: ChunkReader {
  private let descriptor: Int32
  private let isOwned: Bool
  private let path: String?
  private var chunk: FileChunk?

  init(_ descriptor: Int32, isOwned: Bool, _ path: String?) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    self.path = path
  }

  deinit { if isOwned { decant_file_close(descriptor) } }

  /// The whole file; nil if it has to be read.
  func mapped() throws(JSONLinesFile.Failure) -> MappedFile? {
    var start: UnsafeRawPointer?
    var count = 0
    let code = unsafe decant_file_map(descriptor, &start, &count)
    if code != 0 { throw JSONLinesFile.Failure(code: code, path: path) }
    return unsafe start.map { unsafe MappedFile(UnsafeRawBufferPointer(start: $0, count: count)) }
  }

  override func next() throws -> ByteSource? {
    // A copy of the iterator may not have used the last chunk up.
    if !isKnownUniquelyReferenced(&self.chunk) { self.chunk = nil }
    let chunk = self.chunk ?? FileChunk()
    self.chunk = chunk
    let code = unsafe decant_file_read(
      descriptor, chunk.memory.baseAddress!, chunk.memory.count, &chunk.count)
    if code != 0 { throw JSONLinesFile.Failure(code: code, path: path) }
    return chunk.count > 0 ? chunk : nil
  }
}

/// The bytes that were read last. Who asks for more has used them; then their memory is used again.
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
