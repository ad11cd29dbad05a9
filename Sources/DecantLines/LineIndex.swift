// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The index of lines, and its present document: memory that each line reuses.

internal import CDecantIndex
internal import DecantCore

@safe
final class LineIndex {
  // SAFETY: memory for C, allocated in init and deallocated by deinit. `index` is in `memory`; the text that it reads is
  // the caller's, who shows it again for every line.
  private let memory: UnsafeMutableRawPointer
  private let index: OpaquePointer?
  private let context: UnsafeMutablePointer<decant_context>
  private let misses: UnsafeMutablePointer<decant_misses>
  private let start: UnsafeMutablePointer<decant_start>
  private var text: UnsafeRawBufferPointer
  private var isInLine = false
  private var turn = 0
  /// Where the next line is looked for.
  private var passed = 0

  /// A text in an index, and its place in a chunk and in the stream.
  struct Part {
    let position: Int
    let start: StreamPlace
    fileprivate let turn: Int
  }

  /// Nil where lines are read one by one.
  init?(_ rules: decant_rules) {
    var rules = rules
    let size = unsafe decant_line_index_size(&rules)
    if size == 0 { return nil }
    unsafe memory = .allocate(byteCount: size, alignment: 64)
    unsafe index = decant_line_index_make(memory, nil)
    unsafe context = .allocate(capacity: 1)
    unsafe misses = .allocate(capacity: 1)
    unsafe misses.initialize(to: decant_misses())
    unsafe start = .allocate(capacity: 1)
    unsafe start.initialize(to: decant_start(offset: 0, line: 1, column: 1))
    unsafe text = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe prepare(context, .native, rules, misses: misses)
    unsafe context.pointee.start = UnsafePointer(start)
  }

  deinit {
    endLine()
    unsafe start.deallocate()
    unsafe misses.deallocate()
    unsafe context.deallocate()
    unsafe memory.deallocate()
  }

  /// Begins a text of whole lines, which is at a position of a chunk, and at a place of the stream.
  func begin(
    _ text: UnsafeRawBufferPointer, at position: Int, from start: StreamPlace
  ) -> Part {
    endLine()
    unsafe self.text = unsafe text
    turn += 1
    passed = 0
    unsafe decant_line_index_begin(
      index, text.baseAddress!.assumingMemoryBound(to: UInt8.self), text.count)
    return Part(position: position, start: start, turn: turn)
  }

  @inline(__always)
  private func has(_ part: Part, at position: Int, of chunk: UnsafeRawBufferPointer) -> Bool {
    guard part.turn == turn, position - part.position == passed else { return false }
    return unsafe chunk.baseAddress.map { unsafe $0 + part.position } == text.baseAddress
      && part.position + text.count <= chunk.count
  }

  /// The next line that is not blank, and moves the place behind it; nil at the end of the text, and if the index does
  /// not go on where a stream is, in the same chunk at the same address.
  @inline(__always)
  func next(
    in part: Part, at position: Int, of chunk: UnsafeRawBufferPointer, _ place: inout StreamPlace
  ) -> LineText? {
    guard unsafe has(part, at: position, of: chunk) else { return nil }
    endLine()
    var line = decant_line()
    let isFound = unsafe decant_line_index_next(index, context, &line)
    place.line += line.blanks
    if !isFound {
      passed = unsafe text.count
      place.offset = part.start.offset + passed
      return nil
    }
    unsafe start.pointee.offset = part.start.offset + line.start
    unsafe start.pointee.line = place.line
    passed = unsafe min(line.end + 1, text.count)
    place.offset = part.start.offset + passed
    place.line += 1
    isInLine = line.is_linked
    unsafe misses.pointee.count = 0
    return unsafe LineText(
      document: line.is_linked ? context : nil,
      bytes: UnsafeRawBufferPointer(rebasing: text[line.start..<line.end]),
      start: UnsafePointer(start))
  }

  /// Gives back what readers of the last line found out.
  private func endLine() {
    if isInLine { unsafe decant_line_index_end_line(context) }
    isInLine = false
  }
}
