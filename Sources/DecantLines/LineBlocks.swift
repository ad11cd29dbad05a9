// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Cuts a stream into blocks of whole lines, which threads and tasks decode. The place of a block is that of its first line:
// cutting counts the line feeds of earlier blocks, many times faster than lines are decoded. Blocks are made in order, on
// request, so few are in memory at a time.
//
//   stream   {"id":1}⏎{"id":2}⏎{"id":3}⏎{"id":4}
//   block    └──── 0, line 1 ──┘└── 1, line 3 ──┘

internal import CDecantIndex
internal import DecantCodable
internal import DecantCore

/// Lines of a stream, all of them whole.
@usableFromInline
struct LineBlock: @unchecked Sendable {
  // SAFETY: of the thread or task that the block was made for, and no other's.
  /// The lines.
  @usableFromInline let feed: LineFeed
  /// From 0, in the order of the stream.
  @usableFromInline let index: Int
}

/// Cuts bytes in memory.
final class BlockCutter {
  private let rules: LineRules
  private let size: Int
  @exclusivity(unchecked) @safe private var place: StreamPlace
  @exclusivity(unchecked) @safe private var position = 0
  @exclusivity(unchecked) @safe private var index = 0

  init(_ rules: LineRules, size: Int) {
    self.rules = rules
    self.size = max(size, 1)
    place = rules.first
  }

  /// The next block of the bytes.
  // SAFETY: the bytes are where they are as long as their blocks.
  func next(in bytes: UnsafeRawBufferPointer) -> LineBlock? {
    let rest = unsafe Bytes(bytes)[position..<bytes.count]
    if rest.count == 0 { return nil }
    let end = rest.count > size ? size + rest.line(at: size).count + 1 : rest.count
    let part = rest[0..<min(end, rest.count)]
    defer {
      position += part.count
      place.pass(part.count, lines: part.lineFeeds)
      index += 1
    }
    return LineBlock(feed: LineFeed(rules, all: unsafe Owned(part.buffer), at: place), index: index)
  }
}

/// Gathers the chunks of a stream into blocks, which are copies.
final class BlockGatherer {
  private let rules: LineRules
  private let size: Int
  @exclusivity(unchecked) @safe private var index = 0
  @exclusivity(unchecked) @safe private var chunk: ByteSource?
  @exclusivity(unchecked) @safe private var position = 0
  /// The place of the first byte that is not in a block.
  @exclusivity(unchecked) @safe private(set) var place: StreamPlace
  /// Whole lines, and then the unfinished one.
  @exclusivity(unchecked) @safe private var gathered: [UInt8] = []
  @exclusivity(unchecked) @safe private var wholeCount = 0
  /// For an unfinished line that is too long: the number of dropped bytes, and whether all of them are blank.
  @exclusivity(unchecked) @safe private var dropped = 0
  @exclusivity(unchecked) @safe private var isBlank = true

  init(_ rules: LineRules, size: Int) {
    self.rules = rules
    self.size = max(size, 1)
    place = rules.first
  }

  func take(_ chunk: ByteSource) {
    self.chunk = chunk
    position = 0
  }

  /// The next block; nil if that takes another chunk.
  func next() -> LineBlock? {
    guard let chunk else { return nil }
    var block: LineBlock?
    // SAFETY: the bytes are used inside the closure only.
    unsafe chunk.withBytes { bytes in
      while block == nil, position < bytes.count {
        // Takes at most a block at a time from a chunk of any size.
        let part = unsafe bytes.bytes(from: position).bytes(upTo: size)
        block = unsafe gather(part)
      }
    }
    if block == nil { self.chunk = nil }
    return block
  }

  /// The last block, when there are no more chunks.
  func finish() -> LineBlock? {
    gathered.isEmpty ? nil : makeBlock(gathered.count, isCut: dropped > 0 && !isBlank)
  }

  /// Whether all bytes of the chunk are gathered, and whole lines are among them.
  var hasLines: Bool { chunk == nil && wholeCount > 0 }

  /// The whole lines that there are, where no more are waited for.
  func whole() -> LineBlock? {
    wholeCount > 0 ? makeBlock(wholeCount, isCut: false) : nil
  }

  private func gather(_ part: UnsafeRawBufferPointer) -> LineBlock? {
    if dropped > 0 || gathered.count - wholeCount > rules.stream.mostKept {
      return unsafe drop(part)
    }
    position += part.count
    var end = part.count
    while end > 0, unsafe part[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    if end > 0 { wholeCount = gathered.count + end }
    unsafe gathered.append(contentsOf: part)
    return wholeCount > 0 && gathered.count >= size ? makeBlock(wholeCount, isCut: false) : nil
  }

  /// Passes over bytes of a line that is too long, up to its line feed, which ends a block.
  private func drop(_ part: UnsafeRawBufferPointer) -> LineBlock? {
    let rest = unsafe Bytes(part).line(at: 0)
    let length = rest.count
    isBlank = isBlank && rest.isBlank
    dropped = dropped.saturating(adding: length)
    position += min(length + 1, part.count)
    if length == part.count { return nil }
    let block = makeBlock(gathered.count, isCut: !isBlank)
    place.passLine(dropped)
    (dropped, isBlank) = (0, true)
    return block
  }

  private func makeBlock(_ count: Int, isCut: Bool) -> LineBlock {
    let lines = GatheredLines(gathered, count)
    // Copies the bytes after the lines; slices of arrays take ten times as long to compile.
    gathered = []
    unsafe lines.bytes.withUnsafeBytes {
      unsafe gathered.append(contentsOf: $0.bytes(from: count))
    }
    let start = place
    unsafe lines.withBytes { unsafe place.pass(count, lines: Bytes($0).lineFeeds) }
    wholeCount = 0
    defer { index += 1 }
    return LineBlock(
      feed: LineFeed(rules, all: lines, at: start, endsInInk: isCut), index: index)
  }
}

/// The lines of a block, in front of bytes that belong to the next one.
private final class GatheredLines: ByteSource {
  let bytes: [UInt8]
  private let count: Int

  init(_ bytes: [UInt8], _ count: Int) {
    self.bytes = bytes
    self.count = count
  }

  override func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe bytes.withUnsafeBytes { unsafe body($0.bytes(upTo: count)) }
  }
}

/// The source of blocks for tasks. While one task waits for a chunk, another can take the available lines.
@usableFromInline
final class BlockSupply: @unchecked Sendable {
  // SAFETY: the window lets one task at a time request chunks; the other members are used with the lock.
  private let lock = Locked(())
  private let gatherer: BlockGatherer
  private let chunks: ChunkIterator?
  /// A block that was gathered, and not requested yet.
  @exclusivity(unchecked) @safe private var gathered: LineBlock?
  @exclusivity(unchecked) @safe private var end: End?

  /// Why there are no more chunks, if they did not just end.
  struct End {
    let failure: (any Error)?
  }

  /// - Parameter width: how many tasks there will be.
  @usableFromInline
  init(_ source: LineSource, _ rules: LineRules, size: Int, for width: Int) {
    let bytes = source.bytes
    var size = size
    if let bytes {
      // SAFETY: the bytes are counted, and not read.
      unsafe bytes.withBytes { size = LineThreads.blockSize(of: $0.count, for: width, most: size) }
    }
    gatherer = BlockGatherer(rules, size: size)
    if let bytes { gatherer.take(bytes) }
    chunks = source.open()
  }

  /// Set when there are no more chunks.
  var ended: End? { lock.withLock { _ in end } }

  /// Whether lines wait for others, and more may come.
  var hasLines: Bool {
    lock.withLock { _ in gathered == nil && end == nil && gatherer.hasLines }
  }

  /// The next block; nil if that needs another chunk, or there are no more.
  /// - Parameter isUrgent: whether all tasks are idle, so that lines do not wait for more lines.
  func next(isUrgent: Bool) -> LineBlock? {
    lock.withLock { _ in
      if let block = gathered.take() ?? gatherer.next() { return block }
      if let end { return end.failure == nil ? gatherer.finish() : gatherer.whole() }
      return isUrgent ? gatherer.whole() : nil
    }
  }

  /// Waits for a chunk, or the end. Returns whether that is all for now: a block is full, or there are no more chunks.
  @inline(never)
  func readOn(isolation actor: isolated (any Actor)?) async -> Bool {
    var failure: (any Error)?
    do {
      if let chunk = try await chunks?.next(isolation: actor) {
        return lock.withLock { _ in
          gatherer.take(chunk)
          gathered = gatherer.next()
          return gathered != nil
        }
      }
      // A sequence may end because its task is cancelled: the last line was cut then.
      try Task.checkCancellation()
    } catch { failure = error }
    lock.withLock { _ in end = End(failure: failure) }
    return true
  }
}
