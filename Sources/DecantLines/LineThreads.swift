// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Threads that decode the blocks of a stream during a call. Each thread cuts its next block with a lock, and decodes it
// without one: no thread waits for a slower one.

internal import CDecantIndex
internal import CDecantSystem
internal import DecantCodable
internal import DecantCore

/// The work of one call.
@usableFromInline
final class LineThreads: Sendable {
  private let blocks: Locked<Blocks>
  private let reports: Locked<JSONLinesReport>
  /// Lines after this block are not needed.
  private let lastBlock = SharedWord(.max)

  private init(_ blocks: Blocks, keeping limit: Int) {
    self.blocks = Locked(blocks)
    reports = Locked(JSONLinesReport(keeping: limit))
  }

  /// How large blocks are, where there is enough for all threads.
  @usableFromInline
  static var blockSize: Int { 256 &<< 10 }

  /// Small streams are shared as well; blocks smaller than that would cost more than they spread.
  static func blockSize(of count: Int, for threads: Int, most: Int) -> Int {
    max(min(most, count / (min(max(threads, 1), mostThreads) * 4)), min(most, 16 &<< 10))
  }

  private static var mostThreads: Int { 1024 }

  /// How many processors there are for this process.
  @usableFromInline
  static var processorCount: Int { Int(clamping: decant_processor_count()) }

  /// Calls `body` on each of the threads, and returns when all calls have returned. The failure is that of a file which
  /// cannot be read on.
  // SAFETY: `body` is called by several threads at once; it shares nothing that may not be.
  static func run(
    _ source: LineSource, _ rules: LineRules, threads: Int?, blockSize: Int, keeping limit: Int,
    _ body: (LineThreads) -> Void
  ) -> (report: JSONLinesReport, failure: (error: any Error, place: DecodeError.Location)?) {
    let count = min(max(threads ?? processorCount, 1), mostThreads)
    var work: LineThreads?
    if let bytes = source.bytes {
      unsafe bytes.withBytes { bytes in
        let size = LineThreads.blockSize(of: bytes.count, for: count, most: blockSize)
        let all = unsafe LineThreads(Blocks(bytes, BlockCutter(rules, size: size)), keeping: limit)
        all.run(min(count, (bytes.count + size - 1) / size), body)
        work = all
      }
    } else if let reader = source.openReader() {
      let all = LineThreads(Blocks(reader, BlockGatherer(rules, size: blockSize)), keeping: limit)
      all.run(count, body)
      work = all
    }
    guard let work else { return (JSONLinesReport(keeping: limit), nil) }
    return (work.reports.withLock { $0 }, work.blocks.withLock { $0.failure })
  }

  private func run(_ count: Int, _ body: (LineThreads) -> Void) {
    withoutActuallyEscaping(body) { body in
      let job = Job { body(self) }
      // SAFETY: the job outlives the call, and all threads end within it.
      withExtendedLifetime(job) {
        unsafe decant_run_on_threads(
          count, { unsafe Unmanaged<Job>.fromOpaque($0!).takeUnretainedValue().body() },
          Unmanaged.passUnretained(job).toOpaque())
      }
    }
  }

  private final class Job {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Calls `body` with the lines of block after block, on one of the threads, until no more are wanted.
  // Not for a client to specialize: a line that is larger than registers would be copied from one variable to the next.
  func forEach<Model, Failure>(
    _ decoding: LineDecoding<Model>, keeping limit: Int, _ first: FirstError<Failure>,
    _ body: (JSONLines<Model>.Line) throws(Failure) -> Void
  ) {
    var report = JSONLinesReport(keeping: limit)
    while let block = next(&report) {
      do throws(Failure) { try forEach(of: block, decoding, &report, body) } catch {
        first.add(error, at: block.index)
        end(after: block.index)
      }
    }
    reports.withLock { $0.merge(report) }
  }

  private func forEach<Model, Failure>(
    of block: LineBlock, _ decoding: LineDecoding<Model>, _ report: inout JSONLinesReport,
    _ body: (JSONLines<Model>.Line) throws(Failure) -> Void
  ) throws(Failure) {
    while lastBlock.value >= block.index, block.feed.decode(decoding) == .line {
      let line = decoding.take()
      report.count()
      if decoding.hasFailed { report.addFailure(line) }
      try body(line)
    }
  }

  private func next(_ report: inout JSONLinesReport) -> LineBlock? {
    // The caller's thread may be that of a task.
    if Task.isCancelled {
      report.isCancelled = true
      end(after: -1)
      return nil
    }
    return blocks.withLock { $0.next() }
  }

  /// The lines after this block are not needed.
  private func end(after index: Int) {
    blocks.withLock {
      $0.isEnded = true
      if index < lastBlock.value { lastBlock.value = index }
    }
  }
}

/// The blocks that are still to be cut.
@safe
private final class Blocks: @unchecked Sendable {
  // SAFETY: used only with the lock, except for the bytes, which do not move until the last thread has ended.
  private let bytes: UnsafeRawBufferPointer
  private let cutter: BlockCutter?
  private let reader: ChunkReader?
  private let gatherer: BlockGatherer?
  var isEnded = false
  /// Why there are no more chunks, if they did not just end.
  private(set) var failure: (error: any Error, place: DecodeError.Location)?

  @unsafe
  init(_ bytes: UnsafeRawBufferPointer, _ cutter: BlockCutter) {
    unsafe self.bytes = unsafe bytes
    self.cutter = cutter
    reader = nil
    gatherer = nil
  }

  init(_ reader: ChunkReader, _ gatherer: BlockGatherer) {
    unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    self.reader = reader
    self.gatherer = gatherer
    cutter = nil
  }

  func next() -> LineBlock? {
    if isEnded { return nil }
    if let block = unsafe cutter?.next(in: bytes) { return block }
    while let reader {
      if let block = gatherer?.next() { return block }
      do {
        if let chunk = try reader.next() {
          gatherer?.take(chunk)
          continue
        }
        isEnded = true
        return gatherer?.finish()
      } catch {
        isEnded = true
        let block = gatherer?.whole()
        failure = gatherer.map { (error, $0.place.location()) }
        return block
      }
    }
    isEnded = true
    return nil
  }
}

/// The error of the first block whose body threw.
final class FirstError<Failure: Error>: Sendable {
  private let first = Locked<(index: Int, error: Failure)?>(nil)

  func add(_ error: Failure, at index: Int) {
    first.withLock { if $0.map({ index < $0.index }) ?? true { $0 = (index, error) } }
  }

  var error: Failure? { first.withLock { $0?.error } }
}
