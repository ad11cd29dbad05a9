// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Memory that grows, from the caller's allocator or from malloc: what a column's values, bits and text are in until
// a batch takes them.

internal import CDecantIndex
internal import DecantCore

/// A block that grows. Its owner releases it, or gives it away.
@safe
struct Buffer {
  // SAFETY: `capacity` bytes from `start`, which is nil only if there are none. Offsets and counts that the callers
  // hand in are inside of what they reserved.
  private(set) var start: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  /// What the block is a part of, if it is no block of its own.
  private var slab: OpaquePointer?

  init() { unsafe (start, slab) = (nil, nil) }

  /// A block that someone else has allocated.
  @unsafe
  init(_ start: UnsafeMutableRawPointer?, _ capacity: Int) {
    unsafe (self.start, slab) = (start, nil)
    self.capacity = capacity
  }

  var isThere: Bool { unsafe start != nil }

  /// Space for `size` bytes; false if there is no memory, and then nothing has changed.
  @inline(__always)
  mutating func reserve(_ size: Int, _ memory: ColumnMemory) -> Bool {
    size <= capacity || grow(to: size, memory)
  }

  @inline(never)
  private mutating func grow(to size: Int, _ memory: ColumnMemory) -> Bool {
    if unsafe slab != nil { return leaveSlab(size, memory) }
    guard let larger = unsafe memory.reallocate(start, capacity, size) else { return false }
    unsafe start = larger
    capacity = size
    return true
  }

  private mutating func leaveSlab(_ size: Int, _ memory: ColumnMemory) -> Bool {
    guard let larger = unsafe memory.allocate(size) else { return false }
    unsafe move(to: Buffer(larger, size), capacity, memory)
    return true
  }

  /// Moves the first `count` bytes to another block, which becomes this one.
  mutating func move(to other: Buffer, _ count: Int, _ memory: ColumnMemory) {
    if count > 0 { unsafe decant_copy_bytes(other.start.unsafelyUnwrapped, start, count) }
    release(memory)
    self = other
  }

  mutating func release(_ memory: ColumnMemory) {
    if let slab = unsafe slab {
      unsafe memory.withAllocator { unsafe decant_slab_release(slab, $0) }
    } else {
      unsafe memory.release(start, capacity)
    }
    self = Buffer()
  }

  /// Gives the block away.
  mutating func take() -> Buffer {
    defer { self = Buffer() }
    return self
  }

  @inline(__always)
  func memory(at offset: Int) -> Memory { unsafe Memory(start.unsafelyUnwrapped + offset) }

  @inline(__always)
  func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
    unsafe start.unsafelyUnwrapped.storeBytes(of: value, toByteOffset: offset, as: Value.self)
  }

  @inline(__always)
  func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
    unsafe start.unsafelyUnwrapped.load(fromByteOffset: offset, as: type)
  }

  /// Moves `count` bytes to the beginning.
  func moveDown(from offset: Int, _ count: Int) {
    if count <= 0 { return }
    unsafe start.unsafelyUnwrapped.copyMemory(
      from: start.unsafelyUnwrapped + offset, byteCount: count)
  }

  func fill(_ byte: UInt8, from offset: Int, _ count: Int) {
    if count <= 0 { return }
    unsafe (start.unsafelyUnwrapped + offset).initializeMemory(
      as: UInt8.self, repeating: byte, count: count)
  }

  /// Packs the first `count` bytes, each 0 or 1, into bits, the first into the lowest. Returns how many are 0.
  func pack(_ count: Int) -> Int {
    guard count > 0, let bytes = unsafe start?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    return unsafe count - decant_pack_bits(bytes, count)
  }
}

/// Buffers of known sizes, one behind the other in a few large blocks; a block ends with its last buffer (decant_slab.h).
@safe
struct Slabs {
  // SAFETY: the present slab, of `size` bytes, which this has a hold on until `end`; nil if there is none.
  private var slab: OpaquePointer?
  private var size = 0
  private var used = 0
  /// Bytes of the buffers that are still to come.
  private var left: Int
  private let memory: ColumnMemory

  /// Fewer bytes are not worth it.
  private static var least: Int { 1 << 20 }
  /// More are several blocks, unless they are one buffer's: malloc keeps blocks of this size when they are freed. Whole
  /// pages, because what is left of the last one is cleared for nothing.
  private static var most: Int { 8 << 20 }

  /// Slabs for buffers that take so many bytes together; nil if that is not worth it.
  init?(for bytes: Int, _ memory: ColumnMemory) {
    if bytes < Slabs.least { return nil }
    left = bytes
    self.memory = memory
    unsafe slab = nil
  }

  /// How many bytes a buffer takes.
  static func extent(_ bytes: Int) -> Int { bytes.saturating(adding: 63) & ~63 }

  /// The next buffer; one without space if there is no memory.
  mutating func take(_ bytes: Int) -> Buffer {
    let extent = Slabs.extent(bytes)
    if extent > size - used {
      end()
      let head = Int(DECANT_SLAB_HEAD)
      let next = max(extent, min(left, Slabs.most - head)).saturating(adding: head)
      unsafe slab = memory.withAllocator { unsafe decant_slab_make($0, next) }
      (size, used) = (next, Int(DECANT_SLAB_HEAD))
    }
    left = max(0, left - extent)
    guard bytes > 0, let slab = unsafe slab else { return Buffer() }
    defer { used += extent }
    return unsafe Buffer(part: decant_slab_part(slab, used), bytes, of: slab)
  }

  mutating func end() {
    if let slab = unsafe slab {
      unsafe memory.withAllocator { unsafe decant_slab_release(slab, $0) }
    }
    unsafe slab = nil
    (size, used) = (0, 0)
  }
}

extension Buffer {
  @unsafe
  fileprivate init(part start: UnsafeMutableRawPointer, _ capacity: Int, of slab: OpaquePointer) {
    unsafe (self.start, self.slab) = (start, slab)
    self.capacity = capacity
  }
}

/// Where the memory of columns comes from.
@safe
struct ColumnMemory {
  // SAFETY: the allocator's functions and state are the caller's, who keeps them until everything is released.
  var allocator = decant_allocator()

  @unsafe
  func withAllocator<Result>(_ body: (UnsafePointer<decant_allocator>) -> Result) -> Result {
    unsafe withUnsafePointer(to: allocator) { unsafe body($0) }
  }

  @unsafe
  func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    unsafe withAllocator { unsafe decant_block_allocate($0, size) }
  }

  @unsafe
  func release(_ block: UnsafeMutableRawPointer?, _ size: Int) {
    unsafe withAllocator { unsafe decant_block_release($0, block, size) }
  }

  /// A block of another size with the same bytes as far as they go; nil if there is none, and then the old one stays.
  @unsafe
  func reallocate(
    _ block: UnsafeMutableRawPointer?, _ old: Int, _ size: Int
  ) -> UnsafeMutableRawPointer? {
    guard let block = unsafe block else { return unsafe allocate(size) }
    if unsafe allocator.allocate == nil { return unsafe decant_block_cut(block, size) }
    guard let other = unsafe allocate(size) else { return nil }
    unsafe decant_copy_bytes(other, block, min(old, size))
    unsafe release(block, old)
    return unsafe other
  }
}
