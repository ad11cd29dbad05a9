// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// JSON text into a buffer of fixed size, in snprintf's manner: what does not fit is counted.
//
//   capacity 6     {"id":12}
//   buffer         {"id":      no byte at the capacity or behind it is written
//   count          9
//
// Nothing behind the text is written either, so the functions of decant_write.h that may write more than they
// return go through scratch memory of the stack.

internal import CDecantIndex
internal import DecantCore

@safe
struct BoundedText {
  // SAFETY: `capacity` bytes from `start` are the caller's; of a buffer that is NULL, none.
  private let start: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  /// Whether the text is only measured.
  private let isMeasuring: Bool
  /// Bytes of the text so far, whether they fit or not.
  private(set) var count = 0

  @unsafe
  init(_ buffer: UnsafeMutablePointer<CChar>?, capacity: Int) {
    let bytes = unsafe UnsafeMutableRawPointer(buffer)?.assumingMemoryBound(to: UInt8.self)
    isMeasuring = unsafe bytes == nil
    unsafe start = bytes ?? UnsafeMutablePointer(bitPattern: 1)!
    self.capacity = isMeasuring ? 0 : capacity
  }

  /// Whether all of the text is in the buffer, if there is one.
  var fits: Bool { isMeasuring || count <= capacity }

  /// Ends the text with a NUL byte that does not count, if there is space.
  func terminate() {
    if count < capacity { unsafe start[count] = 0 }
  }

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    if count < capacity { unsafe start[count] = byte }
    count &+= 1
  }

  /// Adds bytes, or as many of them as fit.
  @inline(__always)
  mutating func add(_ bytes: Bytes) {
    guard let source = unsafe bytes.start else { return }
    let length = bytes.count
    if length <= capacity &- count {
      unsafe decant_copy_bytes(start + count, source, length)
    } else if count < capacity {
      unsafe decant_copy_bytes(start + count, source, capacity - count)
    }
    count &+= length
  }

  @inline(__always)
  mutating func add(_ words: StaticString) {
    unsafe add(Bytes(words.utf8Start, words.utf8CodeUnitCount))
  }

  // MARK: Strings

  /// Adds a separator, a key in quotation marks, and a colon. False if that has to be done in steps.
  @inline(__always)
  mutating func addPlainKey(_ separator: UInt8, _ key: Bytes) -> Bool {
    // SAFETY: there is space for the key and four characters more.
    guard let source = unsafe key.start, key.count &+ 4 <= capacity &- count else { return false }
    let place = unsafe start + count
    unsafe place[0] = separator
    unsafe place[1] = UInt8(ascii: "\"")
    guard unsafe decant_copy_plain(place + 2, source, key.count) else { return false }
    let end = unsafe place + (key.count &+ 2)
    unsafe end[0] = UInt8(ascii: "\"")
    unsafe end[1] = UInt8(ascii: ":")
    count &+= key.count &+ 4
    return true
  }

  /// Adds a string in quotation marks, with its escapes. False if it is not UTF-8; then nothing counts.
  @inline(__always)
  mutating func add(quoting text: Bytes) -> Bool {
    guard let source = unsafe text.start, text.count &+ 2 <= capacity &- count else {
      return addEscaped(text)
    }
    // SAFETY: the count is not negative, and there is space for the text and both marks.
    let place = unsafe start + count
    guard unsafe decant_copy_plain(place + 1, source, text.count) else { return addEscaped(text) }
    unsafe place[0] = UInt8(ascii: "\"")
    unsafe place[text.count &+ 1] = UInt8(ascii: "\"")
    count &+= text.count &+ 2
    return true
  }

  @inline(never)
  private mutating func addEscaped(_ text: Bytes) -> Bool {
    if let source = unsafe text.start, text.count &+ 2 <= capacity &- count {
      // SAFETY: there is space for both marks, and the function is told what is left between them.
      let place = unsafe start + count
      let length = unsafe decant_copy_text(place + 1, capacity &- count &- 2, source, text.count)
      if length >= 0 {
        unsafe place[0] = UInt8(ascii: "\"")
        unsafe place[length + 1] = UInt8(ascii: "\"")
        count &+= length &+ 2
        return true
      }
      if length == Int(DECANT_TEXT_BROKEN) { return false }
    }
    return countEscaped(text)
  }

  /// Adds what fits of a string, and counts the rest.
  private mutating func countEscaped(_ text: Bytes) -> Bool {
    guard text.isText else { return false }
    add(UInt8(ascii: "\""))
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { scratch in
      var consumed = 0
      while consumed < text.count {
        // SAFETY: the writer is told the capacity, and reads `text.count` bytes.
        let written = unsafe decant_write_escaped(
          scratch.baseAddress!, scratch.count, text.start, text.count, &consumed, 0)
        unsafe add(Bytes(scratch.baseAddress!, written))
      }
    }
    add(UInt8(ascii: "\""))
    return true
  }

  // MARK: Numbers

  mutating func add(_ value: Int64) { unsafe addNumber { unsafe decant_write_int64($0, value) } }

  mutating func add(_ value: UInt64) { unsafe addNumber { unsafe decant_write_uint64($0, value) } }

  /// The number is finite.
  mutating func add(_ value: Double) { unsafe addNumber { unsafe decant_write_double($0, value) } }

  /// The number is finite.
  mutating func add(_ value: Float) { unsafe addNumber { unsafe decant_write_float($0, value) } }

  @inline(__always)
  private mutating func addNumber(_ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    // SAFETY: the writers need DECANT_NUMBER_CAPACITY bytes.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(DECANT_NUMBER_CAPACITY)) {
      scratch in
      let length = unsafe write(scratch.baseAddress!)
      unsafe add(Bytes(scratch.baseAddress!, length))
    }
  }
}
