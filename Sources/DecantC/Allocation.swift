// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Memory of the caller's allocator or of malloc, and objects that live in it between calls.
//
// decant.h requires the caller to keep the allocator's functions and state until everything is released. Each block has
// one owner, which releases it once, with the size of its allocation. These two facts are the proof of every `unsafe`
// here.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension decant_allocator {
  /// `size` bytes; nil if there is no memory.
  func allocate(_ size: Int) -> Memory? {
    var allocator = self
    return unsafe Memory(decant_block_allocate(&allocator, size))
  }

  /// `size` bytes of zeros; nil if there is no memory.
  func allocateZeros(_ size: Int) -> Memory? {
    let block = allocate(size)
    block?.clear(size)
    return block
  }

  func release(_ block: Memory?, _ size: Int) {
    var allocator = self
    unsafe decant_block_release(&allocator, block?.start, size)
  }

  /// Resizes a block, which may move. Nil if memory is exhausted; the old block then stays.
  func reallocate(_ block: Memory?, _ old: Int, _ size: Int) -> Memory? {
    var allocator = self
    return unsafe Memory(decant_block_reallocate(&allocator, block?.start, old, size))
  }
}

extension ContextRef {
  /// The allocator of the document's memory.
  var allocator: decant_allocator {
    unsafe pointer.pointee.allocator?.pointee ?? decant_allocator()
  }
}

extension Memory {
  /// The bytes here, for a function of C.
  var bytePointer: UnsafeMutablePointer<UInt8> {
    unsafe start.assumingMemoryBound(to: UInt8.self)
  }

  /// The text here, for a struct of C.
  var textPointer: UnsafePointer<CChar> { unsafe pointer() }

  /// A pointer to the contents, for a C struct.
  func pointer<Value>() -> UnsafePointer<Value> {
    unsafe UnsafePointer(start.assumingMemoryBound(to: Value.self))
  }
}

/// Calls `body` with memory for so many bytes: of the stack, if they are at most a kilobyte; more may come from malloc.
@inline(__always)
func withStackMemory<Result>(_ size: Int, _ body: (Memory) -> Result) -> Result {
  unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) {
    unsafe body(Memory($0.baseAddress!))
  }
}

/// Numbers in memory.
struct NumberTable<Number: FixedWidthInteger & BitwiseCopyable> {
  let memory: Memory

  subscript(place: Int) -> Number {
    @inline(__always) get { memory.load(Number.self, at: place &* MemoryLayout<Number>.size) }
    @inline(__always) nonmutating set {
      memory.store(newValue, at: place &* MemoryLayout<Number>.size)
    }
  }
}

/// Calls `body` with `count` zeros on the stack, at most a kilobyte. Swift's InlineArray needs systems of 2025.
@inline(__always)
func withZeros<Number, Result>(
  _ count: Int, of type: Number.Type, _ body: (NumberTable<Number>) -> Result
) -> Result {
  withStackMemory(count * MemoryLayout<Number>.size) { memory in
    memory.clear(count * MemoryLayout<Number>.size)
    return body(NumberTable(memory: memory))
  }
}

/// Calls `body` with memory for so many bytes: of the stack, if they are at most `most`, or else of an allocator.
@inline(__always)
func withMemory(
  _ size: Int, onStack most: Int, _ allocator: decant_allocator, _ body: (Memory) -> Status
) -> Status {
  if size <= most { return withStackMemory(most, body) }
  guard let memory = allocator.allocate(size) else { return Status(DECANT_OUT_OF_MEMORY) }
  defer { allocator.release(memory, size) }
  return body(memory)
}

/// A value in a block of its own: what the handles of decant.h are, and what several of them share.
@safe
struct Handle<Value> {
  // SAFETY: points to a value that `init` has placed there, until `release`. decant.h requires that a handle of a program
  // is one of these, has this type, and is not released. Calls do not overlap.
  private let pointer: UnsafeMutablePointer<Value>

  /// Nil if there is no memory.
  init?(_ value: Value, _ allocator: decant_allocator) {
    guard let block = allocator.allocate(MemoryLayout<Value>.size) else { return nil }
    unsafe self.init(block.start.bindMemory(to: Value.self, capacity: 1), value)
  }

  /// A value that is placed where there is memory for it.
  init(_ place: UnsafeMutablePointer<Value>, _ value: Value) {
    unsafe pointer = place
    unsafe pointer.initialize(to: value)
  }

  /// A value that is where it is for as long as this is used.
  init(_ place: UnsafeMutablePointer<Value>) { unsafe pointer = place }

  /// The handle of a program; nil for NULL.
  init?(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return nil }
    unsafe pointer = UnsafeMutablePointer(handle)
  }

  /// The context of a callback.
  init?(_ context: UnsafeMutableRawPointer?) {
    unsafe self.init(OpaquePointer(context))
  }

  var value: Value {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The handle as a program has it.
  var opaque: OpaquePointer { unsafe OpaquePointer(pointer) }

  var memory: Memory { unsafe Memory(pointer) }

  /// The same for a callback.
  var raw: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(pointer) }

  /// Releases the block, after what the value has.
  func release(_ allocator: decant_allocator) {
    allocator.release(memory, MemoryLayout<Value>.size)
  }
}
