// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The way of a text: into a buffer, into memory that grows or to a function, compact or pretty.
//
//   compact   text ─► buffer, memory or function
//   pretty    text ─► window ─► layout ─► buffer, memory or function

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct TextPipe {
  @safe
  enum Target {
    /// A buffer. Bytes that do not fit are counted.
    case buffer(BoundedText)
    case memory(BlockSource)
    // SAFETY: the program's function, with the context that it takes.
    case function(decant_write_function, UnsafeMutableRawPointer?)
  }

  private var last = unsafe BoundedText(nil, capacity: 0)
  private var lastDrain: TextDrain?
  private var first = unsafe BoundedText(nil, capacity: 0)
  private var firstDrain: TextDrain?

  /// Bytes of a window.
  private static var window: Int { 1024 }

  /// The size of a pipe's windows.
  static func memory(isPretty: Bool) -> Int { isPretty ? 2 * window : window }

  /// Without a target: nothing is written, and all is counted.
  init() {}

  /// Makes a pipe at a place, with memory for its windows, where it then stays.
  // SAFETY: the pipe's own parts, whose drains it refers to, are where it is.
  static func make(
    at place: UnsafeMutablePointer<TextPipe>, _ memory: Memory, to target: Target, isPretty: Bool
  ) {
    unsafe place.initialize(to: TextPipe())
    switch target {
    case .buffer(let text): unsafe place.pointee.last = text
    case .memory(let source):
      unsafe place.pointee.lastDrain = TextDrain(.memory(source), by: memory, window)
    case .function(let write, let context):
      unsafe place.pointee.lastDrain = TextDrain(.function(write, context), by: memory, window)
    }
    unsafe bind(&place.pointee.last, to: &place.pointee.lastDrain)
    if !isPretty { return }
    unsafe withUnsafeMutablePointer(to: &place.pointee.last) { last in
      unsafe place.pointee.firstDrain = TextDrain(
        .layout(last), by: memory.advanced(by: window), window)
    }
    unsafe bind(&place.pointee.first, to: &place.pointee.firstDrain)
  }

  private static func bind(_ text: inout BoundedText, to drain: inout TextDrain?) {
    guard drain != nil else { return }
    unsafe withUnsafeMutablePointer(to: &drain) { drain in
      // SAFETY: an optional that has a value begins with it.
      text = unsafe BoundedText(
        draining: UnsafeMutableRawPointer(drain).assumingMemoryBound(to: TextDrain.self))
    }
  }

  /// The text to write to.
  var text: BoundedText {
    get { firstDrain == nil ? last : first }
    set { if firstDrain == nil { last = newValue } else { first = newValue } }
  }

  /// Why no more is taken: exhausted memory, or what the function has returned.
  var status: Status {
    let status = lastDrain?.status ?? ok
    return status != ok ? status : firstDrain?.status ?? ok
  }

  /// The length of the text so far, as it is laid out.
  var place: Int {
    mutating get {
      first.flush()
      return last.count
    }
  }

  /// Drains the windows. Returns the status.
  mutating func flush() -> Status {
    first.flush()
    if case .function? = lastDrain?.target { last.flush() }
    return status
  }

  /// The text where all of it has gone, laid out.
  var result: BoundedText {
    get { last }
    set { last = newValue }
  }

  /// Ends a text in memory with a NUL byte that does not count. Returns its block, which the caller then owns; nil, and
  /// nothing is left, if there is no memory.
  mutating func takeBlock() -> Memory? {
    last.add(0 as UInt8)
    let block = status == ok ? lastDrain?.block(of: last.count) : nil
    if block == nil { release() }
    return block
  }

  func release() { lastDrain?.release() }

  /// Reports why no more is taken.
  func refuse(_ error: ErrorOut) -> Status {
    if status == Status(DECANT_OUT_OF_MEMORY) {
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    _ = error.refuse(Int(status), "the function that writes has ended the text")
    return status
  }
}

/// The allocator of blocks: the options' memory, or malloc.
struct BlockSource: BitwiseCopyable {
  private let allocator: decant_allocator

  init(_ settings: Settings) { allocator = settings.allocator }

  func allocate(_ size: Int) -> Memory? { Block.allocate(size, Settings(allocator))?.start }

  func release(_ start: Memory) { Block.release(startingAt: start, Settings(allocator)) }

  /// Gives back what is behind the first bytes of a block, which may move.
  func cut(_ start: Memory, _ size: Int, to count: Int) -> Memory {
    Block.cut(startingAt: start, size, to: count, Settings(allocator))
  }
}

/// Calls `body` with a pipe on the stack.
func withPipe(
  to target: TextPipe.Target, isPretty: Bool, _ body: (inout TextPipe) -> Status
) -> Status {
  // SAFETY: the pipe and its windows are where they are until `body` returns.
  withStackMemory(TextPipe.memory(isPretty: isPretty)) { windows in
    unsafe withUnsafeTemporaryAllocation(of: TextPipe.self, capacity: 1) { place in
      let pipe = place.baseAddress!
      unsafe TextPipe.make(at: pipe, windows, to: target, isPretty: isPretty)
      return unsafe body(&pipe.pointee)
    }
  }
}
