// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The blocks of a stream that tasks work on, in the order of the stream.
//
//   chunks ──► BlockSupply ──► │ block 4 │ block 3 │ block 2 │ ──► parts, block 1's first
//                              └── a task each, at most `width` ┘
//
// The consumer takes the parts, cuts the blocks, and begins the tasks. While tasks are busy, another task reads the
// chunks, so that the consumer wakes for a part or a block, whichever comes first. While no task is busy, lines wait for
// more lines for at most a millisecond; then all of them become a block.

internal import CDecantSystem
internal import DecantCodable

/// The outcome of a block. A window needs no more, so it is not generic.
@usableFromInline
class BlockPart: @unchecked Sendable {
  // SAFETY: its only heir is below, and has constants, too.
  /// Why the rest of the block was left out.
  @usableFromInline let failure: (any Error)?

  @usableFromInline
  init(_ failure: (any Error)?) { self.failure = failure }
}

@usableFromInline
final class PartOf<Value: Sendable>: BlockPart, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value, _ failure: (any Error)? = nil) {
    self.value = value
    super.init(failure)
  }
}

/// One consumer at a time.
@usableFromInline
final class BlockWindow {
  private let supply: BlockSupply
  private let width: Int
  private let work: @Sendable (LineBlock) async -> BlockPart
  @exclusivity(unchecked) @safe private var jobs: [Job] = []
  @exclusivity(unchecked) @safe private var reader: Task<Void, Never>?
  private let state = WindowState()
  @exclusivity(unchecked) @safe private var isEnded = false
  @exclusivity(unchecked) @safe private var pausing: Task<Void, Never>?
  /// The millisecond in which lines last did not wait for others.
  @exclusivity(unchecked) @safe private var lastUrgent: Int64 = 0

  @usableFromInline
  init(
    _ supply: BlockSupply, width: Int, _ work: @escaping @Sendable (LineBlock) async -> BlockPart
  ) {
    self.supply = supply
    self.width = max(width, 1)
    self.work = work
  }

  deinit { cancel() }

  /// The outcome of the next block.
  @usableFromInline
  func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> BlockPart? {
    while true {
      let (isFound, part) = try await turn(isolation: actor)
      if isFound { return part }
    }
  }

  // Apart from the loop, as the step is, because an async function is compiled anew from each of its awaits on.
  private func turn(
    isolation actor: isolated (any Actor)?
  ) async throws -> (isFound: Bool, part: BlockPart?) {
    switch try step() {
    case .end: return (true, nil)
    case .take: return (true, jobs.remove(at: 0).part)
    case .read: _ = await supply.readOn(isolation: actor)
    case .readBeside: readBeside(isolation: actor)
    case .wait:
      await withTaskCancellationHandler {
        await state.wait()
      } onCancel: { [state] in
        state.setChanged()
      }
    }
    return (false, nil)
  }

  private enum Step {
    case read, readBeside, wait, take, end
  }

  /// Begins tasks for the available blocks, and returns the consumer's next action.
  @inline(never)
  private func step() throws -> Step {
    try checkCancellation()
    if isEnded { return .end }
    let isRead = state.isReading.value != 0
    while true {
      let isBusy = state.atWork.value > 0
      let isIdle = jobs.isEmpty && !isBusy
      guard isIdle || jobs.count < width && isBusy else { break }
      if isIdle && supply.hasLines && decant_milliseconds() == lastUrgent {
        pause()
      } else if let block = supply.next(isUrgent: isIdle) {
        if isIdle { lastUrgent = decant_milliseconds() }
        begin(block)
      } else if isRead || supply.ended != nil {
        break
      } else {
        return isIdle ? .read : .readBeside
      }
    }
    if let first = jobs.first { return first.isOver.value != 0 ? .take : .wait }
    if isRead { return .wait }
    isEnded = true
    if let failure = supply.ended?.failure { throw failure }
    return .end
  }

  /// Lets lines wait for others, for a millisecond: more small blocks would cost more than they are worth.
  private func pause() {
    state.atWork.add(1)
    pausing = Task { [state] in
      try? await Task.sleep(nanoseconds: 1_000_000)
      state.atWork.add(-1)
      state.setChanged()
    }
  }

  private func begin(_ block: LineBlock) {
    let (work, state, job) = (work, state, Job())
    state.atWork.add(1)
    job.task = Task {
      job.part = await work(block)
      job.isOver.value = 1
      state.atWork.add(-1)
      state.setChanged()
    }
    jobs.append(job)
  }

  /// Reads until there is a block, or no task is at work.
  private func readBeside(isolation actor: isolated (any Actor)?) {
    let (supply, state) = (supply, state)
    state.isReading.value = 1
    reader = Task {
      while await !supply.readOn(isolation: actor), state.atWork.value > 0 {}
      state.isReading.value = 0
      state.setChanged()
    }
  }

  /// Cancels the tasks: nothing more is wanted.
  @usableFromInline @inline(never)
  func cancel() {
    isEnded = true
    reader?.cancel()
    pausing?.cancel()
    for job in jobs { job.task?.cancel() }
  }

  /// Cancels the tasks, and returns when they have ended.
  @usableFromInline
  func end(isolation actor: isolated (any Actor)? = #isolation) async {
    cancel()
    await reader?.value
    for job in jobs { await job.task?.value }
  }

  @inline(never)
  private func checkCancellation() throws {
    if Task.isCancelled {
      cancel()
      throw CancellationError()
    }
  }
}

/// A block that a task works on.
private final class Job: @unchecked Sendable {
  // SAFETY: the task is the consumer's. The part is written before the word, and read after it.
  @exclusivity(unchecked) @safe var task: Task<Void, Never>?
  @exclusivity(unchecked) @safe var part: BlockPart?
  let isOver = SharedWord(0)
}

/// The state that the consumer of a window and its tasks share.
private final class WindowState: @unchecked Sendable {
  /// How many tasks are at work on blocks, and pauses.
  let atWork = SharedWord(0)
  /// Whether a task reads chunks.
  let isReading = SharedWord(0)

  // SAFETY: the following members are read and written with the lock.
  private let lock = Locked(())
  /// Whether anything has changed since the consumer last waited.
  @exclusivity(unchecked) @safe private var isChanged = false
  /// The consumer, where it waits.
  @exclusivity(unchecked) @safe private var waiter: CheckedContinuation<Void, Never>?

  /// Wakes the consumer, because something has changed.
  func setChanged() {
    let consumer = lock.withLock { _ in
      isChanged = true
      return waiter.take()
    }
    consumer?.resume()
  }

  /// Waits until something has changed. May return again for an earlier change.
  func wait() async {
    await withCheckedContinuation { consumer in
      let isLate = lock.withLock { _ in
        defer { isChanged = false }
        if !isChanged { waiter = consumer }
        return isChanged
      }
      if isLate { consumer.resume() }
    }
  }
}
