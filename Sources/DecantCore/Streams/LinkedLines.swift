// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An index of lines (decant_lines.h) and the context into which it links them, both in one block, which does not move.
//
//   block   context │ allocator │ misses │ index
//
// `make` is called first: it allocates the block and prepares the context, which refers to the allocator and the misses
// beside it. The caller keeps the text of the index until no line is left of it. That is the proof of every `unsafe` here.

public import CDecantIndex

@frozen @safe @usableFromInline
package struct LinkedLines {
  // SAFETY: see the head of the file.
  @usableFromInline var block: UnsafeMutableRawPointer?
  @usableFromInline var index: OpaquePointer?
  @usableFromInline let size: Int
  @usableFromInline let rules: decant_rules
  @usableFromInline let allocator: decant_allocator

  /// Without rules, or with rules that no index of lines has, lines are read one by one.
  package init(_ rules: decant_rules?, _ allocator: decant_allocator) {
    unsafe (block, index) = (nil, nil)
    self.rules = rules ?? DecodingOptions.standardRules
    self.allocator = allocator
    var given = self.rules
    let size = rules != nil ? unsafe decant_line_index_size(&given) : 0
    self.size = size == 0 ? 0 : LinkedLines.beforeIndex + size
  }

  private static var beforeMisses: Int {
    rounded(contextSize + MemoryLayout<decant_allocator>.size)
  }
  private static var beforeIndex: Int { beforeMisses + MemoryLayout<decant_misses>.size }
  private static var contextSize: Int { rounded(MemoryLayout<decant_context>.size) }
  private static func rounded(_ size: Int) -> Int { (size + 15) & ~15 }

  /// Makes the index, once. False where lines are read one by one, also because there is no memory.
  package mutating func make() -> Bool { unsafe block != nil || allocate() }

  @inline(never)
  private mutating func allocate() -> Bool {
    if size == 0 { return false }
    var memory = allocator
    guard let block = unsafe decant_block_allocate(&memory, size) else { return false }
    let misses = unsafe (block + Self.beforeMisses).initializeMemory(
      as: decant_misses.self, to: decant_misses())
    unsafe self.block = block
    unsafe prepare(pointer, .native, rules, misses: misses)
    if unsafe allocator.allocate != nil {
      unsafe pointer.pointee.allocator = UnsafePointer(
        (block + Self.contextSize).initializeMemory(as: decant_allocator.self, to: allocator))
    }
    unsafe index = decant_line_index_make(block + Self.beforeIndex, nil)
    return true
  }

  /// One that goes on by itself, and has no text yet.
  func copy() -> LinkedLines {
    var copy = self
    unsafe (copy.block, copy.index) = (nil, nil)
    return copy
  }

  package mutating func end() {
    guard let block = unsafe block else { return }
    endLine()
    var memory = allocator
    unsafe decant_block_release(&memory, block, size)
    unsafe self.block = nil
  }

  // MARK: - Lines

  /// The first of some whole lines, as many as can be read with one index, which is made where it is needed first. Empty
  /// where lines are read one by one.
  package mutating func indexed(_ lines: Bytes) -> Bytes {
    if size == 0 { return Bytes() }
    let some = LineCutter.indexed(lines)
    return some.count > 0 && make() ? some : Bytes()
  }

  /// Begins with a text of lines, or of elements.
  @_alwaysEmitIntoClient @inline(__always)
  package func begin(_ text: Bytes) {
    unsafe decant_line_index_begin(index, text.start, text.count)
  }

  /// The next line that is not blank. False at the end; `line` then has the blank lines after the last one.
  @_alwaysEmitIntoClient @inline(__always)
  package func next(_ line: inout decant_line) -> Bool {
    unsafe pointer.pointee.misses?.pointee.count = 0
    return unsafe decant_line_index_next(index, pointer, &line)
  }

  /// Adds rows from the next lines to columns, as long as they are as `lines` and the columns say (decant_runs.h).
  @unsafe
  package func add(
    _ lines: inout decant_column_lines, to columns: decant_columns,
    of record: UnsafeMutablePointer<decant_column>
  ) {
    var columns = columns
    unsafe decant_columns_add_lines(index, &columns, record, &lines)
  }

  /// The next element; false where no other can be linked.
  @_alwaysEmitIntoClient @inline(__always)
  package func nextElement(_ element: inout decant_line) -> Bool {
    unsafe pointer.pointee.misses?.pointee.count = 0
    return unsafe decant_element_index_next(index, pointer, &element)
  }

  /// The context of a line that is linked.
  @_alwaysEmitIntoClient @inline(__always)
  package var context: ContextRef { unsafe ContextRef(pointer) }

  /// The same, for who sets where the line is in its stream.
  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package var pointer: UnsafeMutablePointer<decant_context> {
    unsafe block.unsafelyUnwrapped.assumingMemoryBound(to: decant_context.self)
  }

  /// Releases the memory of reading a linked line.
  @_alwaysEmitIntoClient @inline(__always)
  package func endLine() { unsafe decant_line_index_end_line(pointer) }
}
