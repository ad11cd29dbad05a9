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
  // SAFETY: `capacity` bytes from `start`, which is nil only if there are none. Callers pass offsets and counts inside the
  // space that they reserved.
  private(set) var start: Memory?
  private(set) var capacity = 0
  /// The slab that the block is a part of, if it is not a block of its own.
  private var slab: Slab?

  init() {}

  fileprivate init(_ start: Memory, _ capacity: Int, of slab: Slab? = nil) {
    self.start = start
    self.capacity = capacity
    self.slab = slab
  }

  var isThere: Bool { start != nil }

  private var first: Memory { unsafe start.unsafelyUnwrapped }

  /// Space for `size` bytes; false if there is no memory, and then nothing has changed.
  mutating func reserve(_ size: Int, _ memory: decant_allocator) -> Bool {
    size <= capacity || grow(to: size, memory)
  }

  @inline(never)
  private mutating func grow(to size: Int, _ memory: decant_allocator) -> Bool {
    if slab != nil {
      guard let larger = memory.allocate(size) else { return false }
      move(to: Buffer(larger, size), capacity, memory)
      return true
    }
    guard let larger = memory.reallocate(start, capacity, size) else { return false }
    start = larger
    capacity = size
    return true
  }

  /// Moves the first `count` bytes to another block, which becomes this one.
  mutating func move(to other: Buffer, _ count: Int, _ memory: decant_allocator) {
    if count > 0 { other.first.copy(first, count) }
    release(memory)
    self = other
  }

  mutating func release(_ memory: decant_allocator) {
    released(memory)
    self = Buffer()
  }

  /// The same for a buffer that is not used again.
  func released(_ memory: decant_allocator) {
    if let slab { slab.release(memory) } else { memory.release(start, capacity) }
  }

  /// Gives the block away.
  mutating func take() -> Buffer {
    defer { self = Buffer() }
    return self
  }

  func memory(at offset: Int) -> Memory { first.advanced(by: offset) }

  func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
    first.store(value, at: offset)
  }

  @inline(__always)
  func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
    first.load(type, at: offset)
  }

  /// Moves `count` bytes to the beginning.
  func moveDown(from offset: Int, _ count: Int) {
    if count <= 0 { return }
    unsafe first.start.copyMemory(from: first.start + offset, byteCount: count)
  }

  func fill(_ byte: UInt8, from offset: Int, _ count: Int) {
    if count <= 0 { return }
    unsafe (first.start + offset).initializeMemory(as: UInt8.self, repeating: byte, count: count)
  }

  /// Packs the first `count` bytes, each 0 or 1, into bits, the first into the lowest. Returns how many are 0.
  func pack(_ count: Int) -> Int {
    guard count > 0, let start else { return 0 }
    return unsafe count - decant_pack_bits(start.bytePointer, count)
  }
}

/// A block that several buffers are in, and that ends with the last of them (decant_slab.h).
@safe
private struct Slab {
  // SAFETY: a slab that lives until its maker and each of its parts have released it once.
  private let slab: OpaquePointer

  /// Nil if there is no memory.
  init?(_ size: Int, _ memory: decant_allocator) {
    var memory = memory
    guard let slab = unsafe decant_slab_make(&memory, size) else { return nil }
    unsafe self.slab = slab
  }

  /// The buffer of `size` bytes at an offset, which retains the slab. Its bytes are inside the slab, and in no other part.
  func part(at offset: Int, _ size: Int) -> Buffer {
    unsafe Buffer(Memory(decant_slab_part(slab, offset)), size, of: self)
  }

  func release(_ memory: decant_allocator) {
    var memory = memory
    unsafe decant_slab_release(slab, &memory)
  }
}

/// Buffers of known sizes, adjacent in a few large blocks.
struct Slabs {
  /// The present slab, of `size` bytes, which this has a hold on until `end`.
  private var slab: Slab?
  private var size = 0
  private var used = 0
  /// Bytes of the buffers that are still to come.
  private var left: Int
  private let memory: decant_allocator

  /// Fewer bytes are not worth it.
  private static var least: Int { 1 << 20 }
  /// More bytes become several blocks, unless one buffer needs them: malloc keeps freed blocks of this size. Whole pages,
  /// because the rest of the last page would be cleared for nothing.
  private static var most: Int { 16 << 20 }

  /// Slabs for buffers of so many bytes together; nil if there are too few.
  init?(for bytes: Int, _ memory: decant_allocator) {
    if bytes < Slabs.least { return nil }
    left = bytes
    self.memory = memory
  }

  /// How many bytes a buffer takes.
  static func extent(_ bytes: Int) -> Int { bytes.saturating(adding: 63) & ~63 }

  /// The next buffer; one without space if there is no memory.
  mutating func take(_ bytes: Int) -> Buffer {
    let extent = Slabs.extent(bytes)
    if extent > size - used {
      end()
      let head = Int(DECANT_SLAB_HEAD)
      let (next, overflow) = max(extent, min(left, Slabs.most - head))
        .addingReportingOverflow(head)
      slab = overflow ? nil : Slab(next, memory)
      (size, used) = (next, Int(DECANT_SLAB_HEAD))
    }
    left = max(0, left - extent)
    guard bytes > 0, let slab else { return Buffer() }
    defer { used += extent }
    return slab.part(at: used, bytes)
  }

  mutating func end() {
    slab?.release(memory)
    slab = nil
    (size, used) = (0, 0)
  }
}
