// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one destination of C's text: a buffer of fixed size. Like snprintf, it counts the bytes that do not fit; or its
// TextDrain takes the full buffer, so that the text continues in it.
//
//   capacity 6     {"id":12}
//   buffer         {"id":      nothing is written at or after the capacity
//   count          9
//
// Nothing is written after the text either. So functions of decant_write.h that may write more than they return use
// scratch memory on the stack.

internal import CDecantIndex
internal import DecantCore

@safe
struct BoundedText {
  /// `capacity` bytes are the caller's; of a buffer that is NULL, none.
  private var memory: Memory
  private var capacity: Int
  /// Bytes of the text so far, whether they fit or not.
  private(set) var count = 0
  // SAFETY: what made the text keeps it where it is, as long as the text is written.
  private var drain: UnsafeMutablePointer<TextDrain>?

  @unsafe
  init(_ buffer: UnsafeMutablePointer<CChar>?, capacity: Int) {
    memory = unsafe Memory(
      UnsafeMutableRawPointer(buffer) ?? UnsafeMutableRawPointer(bitPattern: 1)!)
    self.capacity = unsafe buffer == nil ? 0 : capacity
  }

  init(_ memory: Memory, capacity: Int) { (self.memory, self.capacity) = (memory, capacity) }

  /// A text whose buffer is a window of it, or grows.
  @unsafe
  init(draining drain: UnsafeMutablePointer<TextDrain>) {
    unsafe self.init(drain.pointee.start, capacity: drain.pointee.size)
    unsafe self.drain = drain
  }

  /// Drains the window.
  mutating func flush() { if unsafe drain != nil { _ = makeSpace() } }

  /// Whether the drain has failed.
  var isLost: Bool { count >= Int.max / 2 }

  /// Makes space for at least one byte. Without a drain, or if the drain has failed, there is no more space, and the count
  /// becomes so large that writers of unbounded text soon stop.
  @inline(never)
  private mutating func makeSpace() -> Bool {
    guard let drain = unsafe drain else { return false }
    if unsafe drain.pointee.drain(count) {
      memory = unsafe drain.pointee.start.advanced(by: -drain.pointee.drained)
      capacity = unsafe drain.pointee.drained + drain.pointee.size
      return true
    }
    unsafe self.drain = nil
    (capacity, count) = (0, Int.max / 2)
    return false
  }

  @inline(never)
  private mutating func addBeyond(_ byte: UInt8) {
    if makeSpace() { memory.store(byte, at: count) }
    count &+= 1
  }

  /// Adds bytes in as many pieces as they take. Without space, the rest is counted.
  @inline(never)
  private mutating func addInPieces(_ bytes: Bytes) {
    var place = 0
    while place < bytes.count {
      if count >= capacity, unsafe drain == nil || !makeSpace() {
        count &+= bytes.count &- place
        return
      }
      let size = min(capacity - count, bytes.count - place)
      end.copy(bytes[place..<place + size])
      count += size
      place += size
    }
  }

  /// How many bytes `write` adds to a text.
  static func size(_ write: (inout BoundedText) -> Void) -> Int {
    var ruler = unsafe BoundedText(nil, capacity: 0)
    write(&ruler)
    return ruler.count
  }

  /// The place of the next byte, if it fits.
  @inline(__always)
  private var end: Memory { memory.advanced(by: count) }

  /// Whether all of the text is in the buffer.
  var fits: Bool { count <= capacity }

  /// Removes everything after the first `count` bytes.
  mutating func cut(to count: Int) { self.count = count }

  /// Ends the text with a NUL byte that does not count, if there is space.
  func terminate() {
    if count < capacity { memory.store(UInt8(0), at: count) }
  }

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    if count >= capacity { return addBeyond(byte) }
    memory.store(byte, at: count)
    count &+= 1
  }

  /// Adds bytes, or as many of them as fit.
  @inline(__always)
  mutating func add(_ bytes: Bytes) {
    let length = bytes.count
    if length > capacity &- count { return addInPieces(bytes) }
    end.copy(bytes)
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
    let length = key.count
    guard length &+ 4 <= capacity &- count else { return false }
    let place = end
    place.store(separator)
    place.store(UInt8(ascii: "\""), at: 1)
    guard place.advanced(by: 2).copyPlain(key) else { return false }
    place.store(UInt8(ascii: "\""), at: length &+ 2)
    place.store(UInt8(ascii: ":"), at: length &+ 3)
    count &+= length &+ 4
    return true
  }

  /// Adds a string in quotation marks, with its escapes. False if it is not UTF-8; then nothing counts.
  @inline(__always)
  mutating func add(quoting text: Bytes) -> Bool {
    // The count is not negative.
    let length = text.count
    guard length &+ 2 <= capacity &- count, end.advanced(by: 1).copyPlain(text) else {
      return addEscaped(text)
    }
    addMarks(around: length)
    return true
  }

  @inline(never)
  private mutating func addEscaped(_ text: Bytes) -> Bool {
    if text.count &+ 2 <= capacity &- count {
      let length = end.advanced(by: 1).copyText(text, capacity: capacity &- count &- 2)
      if length >= 0 {
        addMarks(around: length)
        return true
      }
      if length == Int(DECANT_TEXT_BROKEN) { return false }
    }
    return countEscaped(text)
  }

  /// Adds quotation marks around text that is written already.
  @inline(__always)
  private mutating func addMarks(around length: Int) {
    end.store(UInt8(ascii: "\""))
    end.store(UInt8(ascii: "\""), at: length &+ 1)
    count &+= length &+ 2
  }

  /// Adds what fits of a string, and counts the rest.
  private mutating func countEscaped(_ text: Bytes) -> Bool {
    guard text.isText else { return false }
    add(UInt8(ascii: "\""))
    add(escaping: text)
    add(UInt8(ascii: "\""))
    return true
  }

  /// Adds a part of a string, with its escapes. It may begin and end within a character.
  mutating func add(escaping text: Bytes) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { scratch in
      var consumed = 0
      while consumed < text.count {
        // SAFETY: the writer is told the capacity, and reads `text.count` bytes.
        let written = unsafe decant_write_escaped(
          scratch.baseAddress!, scratch.count, text.start, text.count, &consumed, 0)
        unsafe add(Bytes(scratch.baseAddress!, written))
      }
    }
  }

  // MARK: Structs

  /// Adds members of a struct from a field on, as far as a run in C writes them (runs_write.c).
  mutating func addMembers(
    _ steps: UnsafePointer<decant_record_steps>, from field: inout Int, of value: Memory,
    _ separator: inout UInt8, levels: Int
  ) {
    guard var run = run(separator) else { return }
    // SAFETY: the steps are those of the struct's table; the run writes as many bytes as there are.
    field = unsafe decant_run_write_members(&run, steps, field, value.start, levels)
    take(run, &separator)
  }

  /// Adds up to `count` structs of an array, and returns how many.
  mutating func addRecords(
    _ steps: UnsafePointer<decant_record_steps>, from first: Memory, _ count: Int,
    _ separator: inout UInt8, levels: Int
  ) -> Int {
    guard var run = run(separator) else { return 0 }
    // SAFETY: as above.
    let added = unsafe decant_run_write_records(&run, steps, first.start, count, levels)
    take(run, &separator)
    return added
  }

  /// A run from the end of the text on; nil if there is no space.
  @inline(__always)
  private func run(_ separator: UInt8) -> decant_text_run? {
    if count >= capacity { return nil }
    return unsafe decant_text_run(
      next: end.bytePointer, limit: memory.advanced(by: capacity).bytePointer,
      separator: separator)
  }

  @inline(__always)
  private mutating func take(_ run: decant_text_run, _ separator: inout UInt8) {
    count = unsafe run.next - memory.bytePointer
    separator = run.separator
  }

  // MARK: Numbers

  @inline(__always)
  mutating func add(_ value: Int64) { unsafe addNumber { unsafe decant_write_int64($0, value) } }

  @inline(__always)
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
