// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Bytes of a stream that are kept in the caller's memory.
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
  mutating func append(_ bytes: Bytes, _ settings: Settings) -> Bool {
    guard bytes.count > 0 else { return true }
    guard reserve(count + bytes.count, settings), let memory = unsafe memory else { return false }
    unsafe Memory(memory + count).copy(bytes)
    count += bytes.count
    return true
  }

  /// Forgets all but the first bytes; keeps the memory.
  mutating func cut(to count: Int) { self.count = min(self.count, max(0, count)) }

  mutating func release(_ settings: Settings) {
    var allocator = settings.allocator
    unsafe decant_block_release(&allocator, memory, capacity)
    unsafe memory = nil
    (capacity, count) = (0, 0)
  }

  private mutating func reserve(_ size: Int, _ settings: Settings) -> Bool {
    if size <= capacity { return true }
    let room = max(size, leastCapacity, capacity.saturating(adding: capacity))
    var allocator = settings.allocator
    guard let larger = unsafe decant_block_allocate(&allocator, room) else { return false }
    if let memory = unsafe memory { unsafe decant_copy_bytes(larger, memory, count) }
    let before = count
    release(settings)
    unsafe memory = larger
    (capacity, count) = (room, before)
    return true
  }
}

private let leastCapacity = 4096
