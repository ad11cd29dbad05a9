// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The blocks of a stream that tasks work on, in the order of the stream.
//
//   chunks ──► BlockSupply ──► │ block 4 │ block 3 │ block 2 │ ──► parts, block 1's first
//                              └── a task each, at most `width` ┘
//
// The consumer takes the parts, cuts the blocks, and begins the tasks. While tasks are at work, a task of its own reads the
// chunks, so that the consumer wakes for whichever comes first, a part or a block. While none is, lines do not wait for
// another chunk: all that there are become a block.

internal import CDecantSystem
internal import DecantCodable

/// One consumer at a time.
@usableFromInline
final class BlockWindow<Part: Sendable> {
  private let supply: BlockSupply
  private let width: Int
  private let work: @Sendable (LineBlock) async -> Part
  @exclusivity(unchecked) @safe private var jobs: [Job] = []
  @exclusivity(unchecked) @safe private var reader: Task<Void, Never>?
  private let state = State()
  @exclusivity(unchecked) @safe private var isEnded = false
  /// The millisecond in which a small block last came while no task was at work.
  @exclusivity(unchecked) @safe private var lastSmall: Int64 = 0

  private struct Job {
    let task: Task<Void, Never>
    let result: Result
  }

  private final class Result: Sendable {
    let part = Locked<Part?>(nil)
  }

  @usableFromInline
  init(
    _ supply: BlockSupply, width: Int, _ work: @escaping @Sendable (LineBlock) async -> Part
  ) {
    self.supply = supply
    self.width = max(width, 1)
    self.work = work
  }

  deinit { cancel() }

  /// What became of the next block.
  @usableFromInline
  func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Part? {
    while true {
      switch try step() {
      case .end: return nil
      case .take: return jobs.remove(at: 0).result.part.withLock { $0 }
      case .decode(let block):
        let part = await work(block)
        try checkCancellation()
        return part
      case .read: _ = await supply.readOn(isolation: actor)
      case .readBeside: readBeside(isolation: actor)
      case .wait:
        await withTaskCancellationHandler {
          await state.change.wait()
        } onCancel: { [state] in
          state.change.set()
        }
      }
    }
  }

  /// Begins the tasks that there are blocks for, and returns what is to be done.
  // Apart from that, because an async function is compiled anew from each of its awaits on.
  @inline(never)
  private func step() throws -> WindowStep {
    try checkCancellation()
    if isEnded { return .end }
    let isRead = state.isReading.value != 0
    while true {
      // Where elements are generic, isEmpty asks for witnesses, and count does not.
      let isIdle = jobs.count == 0
      guard isIdle || jobs.count < width && state.atWork.value > 0 else { break }
      if let block = supply.next(isUrgent: isIdle) {
        if isIdle && !isWorthATask(block) { return .decode(block) }
        begin(block)
      } else if isRead || supply.ended != nil {
        break
      } else {
        return isIdle ? .read : .readBeside
      }
    }
    if jobs.count > 0 {
      return jobs[0].result.part.withLock { $0 != nil } ? .take : .wait
    }
    if isRead { return .wait }
    isEnded = true
    if let failure = supply.ended?.failure { throw failure }
    return .end
  }

  /// Whether a task should decode a block, where none is at work. A task costs more than a small block, of which there
  /// may be many; what takes longer than a millisecond is the block of a body that waits, and may have a task.
  private func isWorthATask(_ block: LineBlock) -> Bool {
    if block.count > 4096 { return true }
    let now = decant_milliseconds()
    defer { lastSmall = now }
    return now != lastSmall
  }

  private func begin(_ block: LineBlock) {
    let (work, state, result) = (work, state, Result())
    state.atWork.add(1)
    let task = Task {
      let part = await work(block)
      result.part.withLock { $0 = part }
      state.atWork.add(-1)
      state.change.set()
    }
    jobs.append(Job(task: task, result: result))
  }

  /// Reads until there is a block, or no task is at work.
  private func readBeside(isolation actor: isolated (any Actor)?) {
    let (supply, state) = (supply, state)
    state.isReading.value = 1
    reader = Task {
      while await !supply.readOn(isolation: actor), state.atWork.value > 0 {}
      state.isReading.value = 0
      state.change.set()
    }
  }

  /// Cancels the tasks: nothing more is wanted.
  @usableFromInline @inline(never)
  func cancel() {
    isEnded = true
    reader?.cancel()
    for job in jobs { job.task.cancel() }
  }

  /// Cancels the tasks, and returns when they have ended.
  @usableFromInline
  func end(isolation actor: isolated (any Actor)? = #isolation) async {
    cancel()
    await reader?.value
    for job in jobs { await job.task.value }
  }

  @inline(never)
  private func checkCancellation() throws {
    if Task.isCancelled {
      cancel()
      throw CancellationError()
    }
  }
}

// Not in the window: what is generic asks for its metadata whenever it is used.
private enum WindowStep {
  case read, readBeside, wait, take, end
  case decode(LineBlock)
}

/// What the consumer of a window and its tasks share.
private final class State: Sendable {
  /// How many tasks are at work on blocks.
  let atWork = SharedWord(0)
  /// Whether a task reads chunks.
  let isReading = SharedWord(0)
  /// Set when one of these has changed.
  let change = AutoResetEvent()
}

/// An event that wakes one waiter, and is reset by it.
private final class AutoResetEvent: Sendable {
  private struct State {
    var isSet = false
    var waiter: CheckedContinuation<Void, Never>?
  }
  private let state = Locked(State())

  func set() {
    let waiter = state.withLock { state in
      let waiter = state.waiter.take()
      state.isSet = waiter == nil
      return waiter
    }
    waiter?.resume()
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isSet = state.withLock { state in
        if !state.isSet { state.waiter = waiter }
        defer { state.isSet = false }
        return state.isSet
      }
      if isSet { waiter.resume() }
    }
  }
}
