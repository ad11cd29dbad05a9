// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Memory for the bytes of a stream that must outlive their chunk: the unfinished document, and the document around the
// elements of an array. An allocation that fails is reported to the caller and changes nothing.

internal import CDecantIndex

/// Bytes in memory of an allocator. Its owner releases them.
@safe
struct GrowingBytes {
  // SAFETY: `capacity` bytes, of which `count` are initialized.
  private var memory: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private(set) var count = 0

  init() { unsafe memory = nil }

  var bytes: Bytes {
    unsafe Bytes(memory.map { unsafe UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }, count)
  }

  /// False if there is no memory, and then nothing has changed.
  @inline(never)
  mutating func append(_ bytes: Bytes, _ allocator: decant_allocator) -> Bool {
    guard bytes.count > 0 else { return true }
    guard reserve(count + bytes.count, allocator), let memory = unsafe memory else { return false }
    unsafe decant_copy_bytes(memory + count, bytes.start!, bytes.count)
    count += bytes.count
    return true
  }

  /// Forgets all but the first bytes; keeps the memory.
  mutating func cut(to count: Int) { self.count = min(self.count, max(0, count)) }

  /// Forgets the first bytes; keeps the memory.
  mutating func drop(first dropped: Int) {
    guard let memory = unsafe memory, dropped > 0, dropped <= count else { return }
    count -= dropped
    // SAFETY: bytes of the memory, which may overlap.
    unsafe memory.copyMemory(from: memory + dropped, byteCount: count)
  }

  @inline(never)
  mutating func release(_ allocator: decant_allocator) {
    var allocator = allocator
    unsafe decant_block_release(&allocator, memory, capacity)
    unsafe memory = nil
    (capacity, count) = (0, 0)
  }

  private mutating func reserve(_ size: Int, _ allocator: decant_allocator) -> Bool {
    if size <= capacity { return true }
    let room = max(size, leastCapacity, capacity.saturating(adding: capacity))
    var allocator = allocator
    guard let larger = unsafe decant_block_reallocate(&allocator, memory, capacity, room) else {
      return false
    }
    unsafe memory = larger
    capacity = room
    return true
  }
}

private let leastCapacity = 4096
