// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The sources of a stream's bytes: all at once, or chunk after chunk. Classes hide the types of bytes and of sequences, so
// that JSONLines is generic over the model only.

public import DecantCore

/// Bytes in one piece, of whatever type.
@usableFromInline
class ByteSource {
  /// Calls `body` with the bytes, which stay where they are until it returns.
  @usableFromInline
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { fatalError("abstract") }
}

/// Bytes of one type.
@usableFromInline
final class Owned<Bytes: JSONBytes>: ByteSource {
  private let bytes: Bytes

  @usableFromInline
  init(_ bytes: Bytes) { self.bytes = bytes }

  override func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe bytes.withJSONBytes(body)
  }
}

extension ByteSource {
  /// Text of another runtime would be converted for each line: it is copied once.
  @usableFromInline
  static func make<Bytes: JSONBytes>(_ bytes: Bytes) -> ByteSource {
    let isForeign =
      (bytes as? String)?.isContiguousUTF8 == false
      || (bytes as? Substring)?.base.isContiguousUTF8 == false
    // SAFETY: the bytes are used inside the closure only.
    return isForeign ? unsafe bytes.withJSONBytes { unsafe Owned([UInt8]($0)) } : Owned(bytes)
  }
}

/// Chunks that arrive on request, for one consumer at a time.
@usableFromInline
class ChunkReader {
  /// The next chunk, or nil at the end. Waits for it.
  func next() throws -> ByteSource? { fatalError("abstract") }
}

/// Chunks of an asynchronous sequence. One consumer at a time.
@usableFromInline
class ChunkIterator {
  /// The next chunk, or nil at the end.
  @usableFromInline
  func next(isolation actor: isolated (any Actor)?) async throws -> ByteSource? {
    fatalError("abstract")
  }
}

/// The chunks of a sequence of one type.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@usableFromInline
final class Chunks<Iterator: AsyncIteratorProtocol>: ChunkIterator
where Iterator.Element: JSONBytes {
  private var iterator: Iterator

  @usableFromInline
  init(_ iterator: Iterator) { self.iterator = iterator }

  override func next(isolation actor: isolated (any Actor)?) async throws -> ByteSource? {
    try await iterator.next(isolation: actor).map { Owned($0) }
  }
}

/// A reader's chunks, which are waited for.
private final class ReaderChunks: ChunkIterator {
  private let reader: ChunkReader

  init(_ reader: ChunkReader) { self.reader = reader }

  override func next(isolation actor: isolated (any Actor)?) async throws -> ByteSource? {
    try reader.next()
  }
}

/// Chunks of an asynchronous sequence, for a consumer that does not await them.
private final class UnawaitedChunks: ChunkReader {
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "these chunks arrive asynchronously, and are to be awaited" }
  }

  override func next() throws -> ByteSource? { throw Failure() }
}

/// The bytes or chunks that are iterated.
@usableFromInline
enum LineSource {
  case bytes(ByteSource)
  case reader(() -> ChunkReader)
  case chunks(() -> ChunkIterator)

  /// All bytes, if they are there.
  var bytes: ByteSource? {
    if case .bytes(let bytes) = self { return bytes }
    return nil
  }

  /// The chunks for a consumer that does not await them; nil if all bytes are there.
  func openReader() -> ChunkReader? {
    switch self {
    case .bytes: nil
    case .reader(let make): make()
    case .chunks: UnawaitedChunks()
    }
  }

  /// The chunks that are still to come, if all bytes are not there.
  func open() -> ChunkIterator? {
    switch self {
    case .bytes: nil
    case .reader(let make): ReaderChunks(make())
    case .chunks(let make): make()
    }
  }
}
