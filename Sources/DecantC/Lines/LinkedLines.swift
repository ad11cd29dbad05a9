// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An index of lines (decant_lines.h) and the context into which it links them, both in one block, which does not move.
//
//   block   context │ allocator │ index
//
// `make` is called first, and once: it allocates the block and prepares the context, which refers to the allocator beside
// it. The caller keeps the text of the index until `next` has returned false. That is the proof of every `unsafe` here.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct LinkedLines {
  // SAFETY: see the head of the file.
  private var block: Memory?
  private var index: OpaquePointer?
  private let size: Int
  private let settings: Settings

  init(_ settings: Settings) {
    var rules = settings.rules
    let size = settings.engine.isNative ? unsafe decant_line_index_size(&rules) : 0
    self.size = size == 0 ? 0 : LinkedLines.head + size
    self.settings = settings
    unsafe index = nil
  }

  /// Bytes of the context and the allocator.
  private static var head: Int { contextSize + 64 }
  private static var contextSize: Int { (MemoryLayout<decant_context>.size + 15) & ~15 }

  private var pointer: UnsafeMutablePointer<decant_context> {
    unsafe block.unsafelyUnwrapped.start.assumingMemoryBound(to: decant_context.self)
  }

  var isMade: Bool { block != nil }

  /// The context of a line that is linked.
  var context: ContextRef { unsafe ContextRef(pointer) }

  /// The first of some whole lines, as many as can be read with one index, which is made where it is needed first. Empty
  /// where lines are read one by one, also because there is no memory.
  mutating func indexed(_ lines: Bytes) -> Bytes {
    if size == 0 { return Bytes() }
    let some = LineCutter.indexed(lines)
    return some.count > 0 && (isMade || make()) ? some : Bytes()
  }

  /// Begins the index over elements of an array, if there are enough of them. The text that it reads ends after an element
  /// if one is easily found: otherwise its end could be inside a string, and be invalid by itself.
  mutating func begin(elements: Bytes) -> Bool {
    let most = min(elements.count, Int(DECANT_LINE_TEXT))
    guard size > 0, most >= 1024, isMade || make() else { return false }
    var end = most
    while end > most - longestTail, !elements.endsElement(before: end) { end -= 1 }
    begin(elements[0..<(end > most - longestTail ? end : most)])
    return true
  }

  /// The next element; false where no other can be linked.
  func nextElement(_ element: inout decant_line) -> Bool {
    unsafe decant_element_index_next(index, pointer, &element)
  }

  @inline(never)
  private mutating func make() -> Bool {
    guard let block = settings.allocator.allocate(size) else { return false }
    self.block = block
    let allocator = block.advanced(by: LinkedLines.contextSize)
    allocator.store(settings.allocator)
    unsafe prepare(pointer, settings.engine, settings.rules)
    unsafe pointer.pointee.allocator =
      settings.hasMemory
      ? UnsafePointer(allocator.start.assumingMemoryBound(to: decant_allocator.self)) : nil
    unsafe index = decant_line_index_make(block.start + LinkedLines.head, nil)
    return true
  }

  func begin(_ lines: Bytes) { unsafe decant_line_index_begin(index, lines.start, lines.count) }

  /// The next line that is not blank. False at the end; `line` then has the blank lines after the last one.
  func next(_ line: inout decant_line) -> Bool {
    unsafe decant_line_index_next(index, pointer, &line)
  }

  /// Releases the memory of reading a linked line.
  func endLine() { unsafe decant_line_index_end_line(pointer) }

  func end() {
    if !isMade { return }
    endLine()
    settings.allocator.release(block, size)
  }
}

/// How far from the end of a text the end of its last element is looked for; less than a text has at least.
private let longestTail = 1000

extension Bytes {
  /// Whether a bracket and a comma are before a place.
  fileprivate func endsElement(before end: Int) -> Bool {
    self[end - 1] == UInt8(ascii: ",")
      && (self[end - 2] == UInt8(ascii: "}") || self[end - 2] == UInt8(ascii: "]"))
  }
}
