// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one growing buffer that values are written into. It begins with memory of its creator, usually the
// stack's, and moves to the thread's cached block when that is full. Its last byte says whether a comma is
// due:
//
//   {"a":1        the next member begins with a comma, because the last byte is not an opening brace
//
// Frequent members and elements are written by C, in one step (decant_write.h): `raw` is what C knows of the buffer.

package import CDecantIndex

@safe
package struct TextBuffer: ~Copyable {
  package var raw: decant_output
  private var ownership: Ownership

  private enum Ownership {
    /// Memory of the caller's.
    case borrowed
    /// A block from malloc.
    case owned
    /// The thread's cached block, or one that becomes that.
    case ofThread
  }

  /// A buffer that begins in memory of the caller's, which outlives it.
  @unsafe
  init(startingIn memory: UnsafeMutableBufferPointer<UInt8>, flags: UInt32) {
    // SAFETY: callers pass memory that is not empty.
    let start = memory.baseAddress!
    unsafe raw = decant_output(start: start, end: start, limit: start + memory.count, flags: flags)
    ownership = .borrowed
  }

  /// A buffer in memory of its own.
  init(capacity: Int, flags: UInt32) {
    let start = unsafe TextBuffer.allocate(capacity)
    unsafe raw = decant_output(start: start, end: start, limit: start + capacity, flags: flags)
    ownership = .owned
  }

  deinit { release() }

  @inline(never)
  private func release() {
    switch ownership {
    case .borrowed: break
    // SAFETY: only this buffer has the block.
    case .owned: unsafe decant_block_release(nil, raw.start, 0)
    case .ofThread: unsafe decant_thread_block_give(raw.start, capacity)
    }
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    guard let block = unsafe decant_block_allocate(nil, capacity) else { outOfMemory() }
    return unsafe block.assumingMemoryBound(to: UInt8.self)
  }

  private static func outOfMemory() -> Never { fatalError("out of memory") }

  // SAFETY: `start`, `end` and `limit` are in one block, in this order.
  var bytes: UnsafeMutablePointer<UInt8> { unsafe raw.start }
  package var count: Int { @inline(__always) get { unsafe raw.end - raw.start } }
  private var capacity: Int { unsafe raw.limit - raw.start }

  package var last: UInt8? {
    @inline(__always)
    get {
      // SAFETY: `count` bytes are written.
      count == 0 ? nil : unsafe raw.end[-1]
    }
  }

  /// The text so far.
  @unsafe
  package var text: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: raw.start, count: count)
  }

  /// Makes space for `needed` bytes more.
  ///
  /// - Complexity: amortised constant; the capacity at least doubles.
  @inline(__always)
  mutating func reserve(_ needed: Int) {
    if unsafe raw.limit - raw.end < needed { grow(needed) }
  }

  @inline(never)
  private mutating func grow(_ needed: Int) {
    let count = count
    var larger = max(capacity * 2, count + needed)
    var block: UnsafeMutableRawPointer?
    if ownership == .borrowed {
      // SAFETY: the block has at least `larger` bytes, of which the first `count` are written.
      unsafe block = decant_thread_block_take(max(larger, TextBuffer.firstBlock), &larger)
      unsafe block?.copyMemory(from: raw.start, byteCount: count)
      ownership = .ofThread
    } else {
      // SAFETY: the block is from malloc, and this buffer's.
      unsafe block = decant_block_cut(raw.start, larger)
    }
    guard let start = unsafe block?.assumingMemoryBound(to: UInt8.self) else {
      TextBuffer.outOfMemory()
    }
    unsafe raw.start = start
    unsafe raw.end = start + count
    unsafe raw.limit = start + larger
  }

  /// The least capacity of a text that outgrows its creator's memory.
  private static var firstBlock: Int { 1 << 14 }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    // SAFETY: there is space for one byte.
    unsafe raw.end.pointee = byte
    unsafe raw.end += 1
  }

  @inline(never)
  package mutating func append(_ text: StaticString) {
    // SAFETY: a StaticString of ASCII text has a pointer to it.
    unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @unsafe
  package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    reserve(text.count)
    // SAFETY: there is space for the text, which does not overlap this buffer.
    unsafe raw.end.update(from: start, count: text.count)
    unsafe raw.end += text.count
  }

  mutating func append(spaces: Int) {
    reserve(spaces)
    // SAFETY: there is space for them.
    unsafe raw.end.update(repeating: UInt8(ascii: " "), count: spaces)
    unsafe raw.end += spaces
  }

  /// Takes back everything, and more memory than `limit` too.
  mutating func reset(keeping limit: Int) {
    unsafe raw.end = raw.start
    guard ownership != .borrowed && capacity > limit else { return }
    release()
    let start = unsafe TextBuffer.allocate(limit)
    ownership = .owned
    unsafe raw.start = start
    unsafe raw.end = start
    unsafe raw.limit = start + limit
  }

  /// Takes back everything from `length` on, which is at most the count.
  package mutating func truncate(to length: Int) { unsafe raw.end = raw.start + min(count, length) }

  // MARK: Numbers

  @inline(__always)
  private mutating func appendNumber(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> Bool {
    reserve(Int(DECANT_NUMBER_CAPACITY))
    // SAFETY: the writers need DECANT_NUMBER_CAPACITY bytes.
    let length = unsafe write(raw.end)
    unsafe raw.end += length
    return length > 0
  }

  package mutating func append(_ value: Int64) {
    _ = unsafe appendNumber { unsafe decant_write_int64($0, value) }
  }

  package mutating func append(_ value: UInt64) {
    _ = unsafe appendNumber { unsafe decant_write_uint64($0, value) }
  }

  /// False if the number is not finite; then nothing is written.
  package mutating func append(_ value: Double) -> Bool {
    unsafe appendNumber { unsafe decant_write_double($0, value) }
  }

  /// False if the number is not finite; then nothing is written.
  package mutating func append(_ value: Float) -> Bool {
    unsafe appendNumber { unsafe decant_write_float($0, value) }
  }

  /// Appends text that needs no escapes, such as a number's.
  package mutating func append(digits text: consuming String) {
    text.withUTF8 { unsafe append($0) }
  }

  // MARK: Strings

  /// Writes text in quotation marks, with the escapes of RFC 8259 §7.
  @unsafe
  mutating func append(quoting text: UnsafeBufferPointer<UInt8>, flags: UInt32) {
    reserve(text.count &+ Int(DECANT_ESCAPE_CAPACITY) &+ 2)
    // SAFETY: there is space for both marks, and the writer gets the capacity between them.
    unsafe raw.end.pointee = UInt8(ascii: "\"")
    unsafe raw.end += 1
    var consumed = 0
    unsafe raw.end += decant_write_escaped(
      raw.end, raw.limit - raw.end - 1, text.baseAddress, text.count, &consumed, flags)
    if consumed < text.count { unsafe appendRest(of: text, from: consumed, flags) }
    unsafe raw.end.pointee = UInt8(ascii: "\"")
    unsafe raw.end += 1
  }

  /// Writes the rest of a text that has many escapes.
  @inline(never)
  private mutating func appendRest(
    of text: UnsafeBufferPointer<UInt8>, from start: Int, _ flags: UInt32
  ) {
    var consumed = start
    while consumed < text.count {
      reserve((text.count - consumed) * 2 + Int(DECANT_ESCAPE_CAPACITY) + 2)
      // SAFETY: the capacity leaves space for the closing mark.
      unsafe raw.end += decant_write_escaped(
        raw.end, raw.limit - raw.end - 1, text.baseAddress, text.count, &consumed, flags)
    }
  }

  package mutating func append(quoting text: String) {
    let flags = unsafe raw.flags
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(quoting: $0, flags: flags)
    }
    if isDone != nil { return }
    var copy = text
    copy.withUTF8 { unsafe append(quoting: $0, flags: flags) }
  }

  // MARK: Members and elements

  /// Writes a member, or an element if there is no key, if C can do it in one step.
  // SAFETY: the key has `length` bytes.
  @unsafe @inline(__always)
  package mutating func add(
    _ key: UnsafePointer<UInt8>?, _ length: Int, _ value: String
  ) -> Bool {
    if let (low, high, count) = value.smallBytes {
      return unsafe decant_output_add_small_string(&raw, key, length, low, high, count)
    }
    return unsafe value.utf8.withContiguousStorageIfAvailable {
      // SAFETY: C reads the value's bytes and the key's, and writes up to the limit.
      unsafe decant_output_add_string(&raw, key, length, $0.baseAddress, $0.count)
    } ?? false
  }

  /// Begins a member, if C can do it in one step.
  @inline(__always)
  mutating func beginMember(_ name: String) -> Bool {
    // SAFETY: C reads the key's bytes, and writes up to the limit.
    unsafe name.utf8.withContiguousStorageIfAvailable {
      unsafe decant_output_begin_member(&raw, $0.baseAddress ?? UnsafePointer(raw.start), $0.count)
    } ?? false
  }
}
