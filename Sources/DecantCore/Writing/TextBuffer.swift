// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one growing buffer that values are written into. It begins with memory of its creator, usually the
// stack's, and moves to the heap when that is full. What stands in it so far says whether a comma is due:
//
//   {"a":1        the next member begins with a comma, because the last byte is not an opening brace

internal import CDecantIndex

@safe
package struct TextBuffer: ~Copyable {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  package private(set) var count = 0
  private var capacity: Int
  private var isOwned = false

  /// A buffer that begins in memory of the caller's, which outlives it.
  @unsafe
  init(startingIn memory: UnsafeMutableBufferPointer<UInt8>) {
    // SAFETY: callers hand in memory that is not empty.
    unsafe bytes = memory.baseAddress!
    capacity = memory.count
  }

  /// A buffer in memory of its own.
  init(capacity: Int) {
    unsafe bytes = .allocate(capacity: capacity)
    self.capacity = capacity
    isOwned = true
  }

  deinit { if isOwned { unsafe bytes.deallocate() } }

  package var last: UInt8? {
    // SAFETY: `count` bytes are written.
    count == 0 ? nil : unsafe bytes[count - 1]
  }

  /// The text so far.
  @unsafe
  package var text: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: bytes, count: count)
  }

  /// Makes space for `needed` bytes more.
  ///
  /// - Complexity: amortised constant; the capacity at least doubles.
  @inline(__always)
  mutating func reserve(_ needed: Int) { if capacity - count < needed { grow(needed) } }

  @inline(never)
  private mutating func grow(_ needed: Int) {
    let larger = max(capacity * 2, count + needed)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    // SAFETY: both have at least `count` bytes.
    unsafe moved.update(from: bytes, count: count)
    if isOwned { unsafe bytes.deallocate() }
    unsafe bytes = moved
    capacity = larger
    isOwned = true
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    // SAFETY: there is space for one byte.
    unsafe bytes[count] = byte
    count += 1
  }

  package mutating func append(_ text: StaticString) {
    // SAFETY: a StaticString of ASCII text has a pointer to it.
    unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @unsafe
  package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    reserve(text.count)
    // SAFETY: there is space for the text, which does not overlap this buffer.
    unsafe (bytes + count).update(from: start, count: text.count)
    count += text.count
  }

  mutating func append(spaces: Int) {
    reserve(spaces)
    // SAFETY: there is space for them.
    unsafe (bytes + count).update(repeating: UInt8(ascii: " "), count: spaces)
    count += spaces
  }

  mutating func removeLast() { count -= 1 }

  /// Takes back everything, and more memory than `limit` too.
  mutating func reset(keeping limit: Int) {
    count = 0
    guard isOwned && capacity > limit else { return }
    unsafe bytes.deallocate()
    unsafe bytes = .allocate(capacity: limit)
    capacity = limit
  }

  /// Takes back everything from `length` on, which is at most the count.
  package mutating func truncate(to length: Int) { count = min(count, length) }

  // MARK: Numbers

  @inline(__always)
  private mutating func appendNumber(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> Bool {
    reserve(Int(DECANT_NUMBER_CAPACITY))
    // SAFETY: the writers need DECANT_NUMBER_CAPACITY bytes.
    let length = unsafe write(bytes + count)
    count += length
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
  mutating func append(quoting text: UnsafeBufferPointer<UInt8>, escapesSlashes: Bool) {
    let flags = escapesSlashes ? UInt32(DECANT_ESCAPE_SLASHES) : 0
    reserve(text.count &+ Int(DECANT_ESCAPE_CAPACITY) &+ 2)
    // SAFETY: there is space for both marks, and the writer is told what is left between them.
    unsafe bytes[count] = UInt8(ascii: "\"")
    var consumed = 0
    let written = unsafe decant_write_escaped(
      bytes + count + 1, capacity &- count &- 2, text.baseAddress, text.count, &consumed, flags)
    count &+= written &+ 1
    if consumed < text.count { unsafe appendRest(of: text, from: consumed, flags) }
    unsafe bytes[count] = UInt8(ascii: "\"")
    count &+= 1
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
      count += unsafe decant_write_escaped(
        bytes + count, capacity - count - 1, text.baseAddress, text.count, &consumed, flags)
    }
  }

  package mutating func append(quoting text: String, escapesSlashes: Bool) {
    var text = text
    text.withUTF8 { unsafe append(quoting: $0, escapesSlashes: escapesSlashes) }
  }

  // MARK: Members in order

  /// Puts ranges of the text into another order. In the order in which they are written, equal separators are
  /// between them and nothing is after the last.
  mutating func permute(_ ranges: [Range<Int>]) {
    let written = ranges.sorted { $0.lowerBound < $1.lowerBound }
    guard written.count > 1, let start = written.first?.lowerBound else { return }
    // SAFETY: all ranges are inside the text.
    let copy = unsafe [UInt8](UnsafeBufferPointer(start: bytes + start, count: count - start))
    let separator = copy[(written[0].upperBound - start)..<(written[1].lowerBound - start)]
    count = start
    for (number, range) in ranges.enumerated() {
      if number > 0 { append(separator) }
      append(copy[(range.lowerBound - start)..<(range.upperBound - start)])
    }
  }

  private mutating func append(_ slice: ArraySlice<UInt8>) {
    // SAFETY: an array's elements do not overlap this buffer.
    unsafe slice.withUnsafeBufferPointer { unsafe append($0) }
  }
}
