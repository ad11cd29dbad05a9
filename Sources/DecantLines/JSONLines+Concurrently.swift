// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lines on all cores: the same lines, numbers, offsets and errors as on one.

internal import DecantCodable
internal import DecantCore

/// Makes decodings for several threads.
@usableFromInline
struct SharedDecoding<Model: SendableMetatype>: @unchecked Sendable {
  // SAFETY: the closure has the options or the decoder, which are Sendable. It calls the model's conformance, which belongs
  // to no actor, because its metatype is Sendable. One thread uses its result.
  @usableFromInline let make: () -> LineDecoding<Model>

  @usableFromInline
  init(_ make: @escaping () -> LineDecoding<Model>) { self.make = make }
}

extension JSONLines where Model: SendableMetatype {
  /// Calls `body` with each line, from several threads at once, and returns when all lines were handled.
  ///
  ///     let report = JSONLines<Event>(bytes).forEachConcurrently { line in … }
  ///     print(report.lineCount, report.failureCount, report.failures.first?.error)
  ///
  /// Lines have the same numbers, offsets and results as on one thread; only the order of the calls differs. Bytes
  /// are decoded in place. Of a file that cannot be mapped, memory holds a few blocks at a time. If the task is
  /// cancelled, the remaining lines are left out. A stream that arrives by an `AsyncSequence` is one line that fails;
  /// for such a stream use ``forEachConcurrently(tasks:keeping:_:)``.
  ///
  /// - Parameters:
  ///   - threads: The number of threads that decode, including the caller's; by default, one for each processor.
  ///   - limit: How many failures the report keeps.
  ///   - body: Handles a line. Several threads call it at once.
  /// - Throws: The error of `body` for the first line for which it throws. All lines before that line were handled.
  @discardableResult
  public func forEachConcurrently<Failure>(
    threads: Int? = nil, keeping limit: Int = 64, _ body: @Sendable (Line) throws(Failure) -> Void
  ) throws(Failure) -> JSONLinesReport {
    try forEachConcurrently(
      threads: threads, blockSize: LineThreads.blockSize, keeping: limit, body)
  }

  func forEachConcurrently<Failure>(
    threads: Int?, blockSize: Int, keeping limit: Int,
    _ body: @Sendable (Line) throws(Failure) -> Void
  ) throws(Failure) -> JSONLinesReport {
    let (rules, makeDecoding) = begin()
    let decoding = SharedDecoding(makeDecoding)
    let first = FirstError<Failure>()
    var (report, failure) = LineThreads.run(
      source, rules, threads: threads, blockSize: blockSize, keeping: limit
    ) { thread in
      thread.forEach(decoding.make(), keeping: limit, first, body)
    }
    if let error = first.error { throw error }
    if let failure {
      let line = Line(cannotRead: failure.error, at: failure.place)
      report.add(line)
      try body(line)
    }
    return report
  }

  /// Calls `body` with each line, in several tasks at once, and returns when all lines were handled.
  ///
  /// Chunks are awaited on demand: at most `tasks` blocks of some hundred kilobytes are in memory. While no task is
  /// busy, lines wait for more lines for at most a millisecond, because the sequence may itself wait for its lines to
  /// be handled.
  ///
  /// - Parameters:
  ///   - tasks: How many tasks handle lines at once.
  ///   - limit: How many failures the report keeps.
  ///   - body: Handles a line. Several tasks call it at once.
  /// - Throws: The error of `body` for the first line for which it throws, the error of the sequence of chunks after
  ///   the complete lines, or `CancellationError`. All tasks have then been cancelled and have ended.
  @_alwaysEmitIntoClient
  @discardableResult
  public func forEachConcurrently(
    tasks: Int, keeping limit: Int = 64, _ body: @escaping @Sendable (Line) async throws -> Void
  ) async throws -> JSONLinesReport {
    let (rules, makeDecoding) = begin()
    let decoding = SharedDecoding(makeDecoding)
    let window = BlockWindow(
      BlockSupply(source, rules, size: LineThreads.blockSize, for: tasks), width: tasks
    ) { block in
      var report = JSONLinesReport(keeping: limit)
      let decode = decoding.make()
      do {
        while let line = block.feed.next(decode) {
          try Task.checkCancellation()
          report.add(line)
          try await body(line)
        }
        return PartOf(report)
      } catch { return PartOf(report, error) }
    }
    var report = JSONLinesReport(keeping: limit)
    do {
      while let part = try await window.next() as! PartOf<JSONLinesReport>? {
        report.merge(part.value)
        if let failure = part.failure { throw failure }
      }
      return report
    } catch {
      await window.end()
      throw error
    }
  }

  /// The result of `transform` for each line, in the order of the lines, computed by several tasks at once.
  ///
  ///     for try await row in JSONLines<Event>(chunks).mapConcurrently({ line in row(of: line) }) { … }
  ///
  /// Results are computed only a little ahead: at most `tasks` blocks of some hundred kilobytes and their values are
  /// in memory. If the iteration ends early or its task is cancelled, so are the tasks. Chunks may be read on another
  /// thread while you handle values, so the sequence must not share non-`Sendable` state with the loop. Ready values
  /// are delivered without waiting for more chunks. While no task is busy, lines wait for more lines for at most a
  /// millisecond.
  ///
  /// The values end with an error of `transform`, an error of the sequence of chunks after all complete lines, or
  /// `CancellationError`.
  ///
  /// - Parameters:
  ///   - tasks: The number of tasks that compute at once; by default, one for each processor.
  ///   - transform: Computes the value of a line. Several tasks call it at once.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @_alwaysEmitIntoClient
  public func mapConcurrently<Value: Sendable>(
    tasks: Int? = nil, _ transform: @escaping @Sendable (Line) async throws -> Value
  ) -> some AsyncSequence<Value, any Error> {
    ConcurrentMap(self, tasks, transform)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @usableFromInline
  struct ConcurrentMap<Value: Sendable>: AsyncSequence {
    @usableFromInline let lines: JSONLines
    @usableFromInline let tasks: Int
    @usableFromInline let transform: @Sendable (Line) async throws -> Value

    @usableFromInline
    init(
      _ lines: JSONLines, _ tasks: Int?,
      _ transform: @escaping @Sendable (Line) async throws -> Value
    ) {
      self.lines = lines
      self.tasks = tasks ?? LineThreads.processorCount
      self.transform = transform
    }

    @inlinable
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    @usableFromInline
    struct AsyncIterator: AsyncIteratorProtocol {
      @usableFromInline let window: BlockWindow
      @usableFromInline var values: IndexingIterator<[Value]>
      @usableFromInline var failure: (any Error)?

      @_alwaysEmitIntoClient
      init(_ map: ConcurrentMap) {
        let (rules, makeDecoding) = map.lines.begin()
        let decoding = SharedDecoding(makeDecoding)
        let transform = map.transform
        values = [].makeIterator()
        window = BlockWindow(
          BlockSupply(map.lines.source, rules, size: LineThreads.blockSize, for: map.tasks),
          width: map.tasks
        ) { block in
          var values: [Value] = []
          let decode = decoding.make()
          do {
            while let line = block.feed.next(decode) {
              try Task.checkCancellation()
              values.append(try await transform(line))
            }
            return PartOf(values)
          } catch { return PartOf(values, error) }
        }
      }

      @inlinable
      mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Value? {
        while true {
          if let value = values.next() { return value }
          if let failure {
            window.cancel()
            self.failure = nil
            throw failure
          }
          let part = try await window.next(isolation: actor) as! PartOf<[Value]>?
          guard let part else { return nil }
          values = part.value.makeIterator()
          failure = part.failure
        }
      }
    }
  }
}
