// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The index of lines, and its present document: memory that each line reuses.

internal import CDecantIndex
internal import DecantCore

@safe
final class LineIndex {
  // SAFETY: `start` is memory for C, allocated in init and deallocated by deinit. The text that the index reads is the
  // caller's, who shows it again for every line.
  @exclusivity(unchecked) @safe private var lines: LinkedLines
  private let start: UnsafeMutablePointer<decant_start>
  @exclusivity(unchecked) @safe private var text = Bytes()
  @exclusivity(unchecked) @safe private var isInLine = false
  @exclusivity(unchecked) @safe private var turn = 0
  /// Where the next line is looked for.
  @exclusivity(unchecked) @safe private var passed = 0

  /// A text in an index, and its place in a chunk and in the stream.
  struct Part {
    let position: Int
    let start: StreamPlace
    fileprivate let turn: Int
  }

  /// Nil where lines are read one by one.
  init?(_ rules: LineRules) {
    lines = LinkedLines(rules.indexed, rules.allocator)
    if !lines.make() { return nil }
    unsafe start = .allocate(capacity: 1)
    unsafe start.initialize(to: decant_start(offset: 0, line: 1, column: 1))
    unsafe lines.pointer.pointee.start = UnsafePointer(start)
  }

  deinit {
    lines.end()
    unsafe start.deallocate()
  }

  /// Begins a text of whole lines, which is at a position of a chunk, and at a place of the stream.
  func begin(_ text: Bytes, at position: Int, from start: StreamPlace) -> Part {
    endLine()
    self.text = text
    turn += 1
    passed = 0
    lines.begin(text)
    return Part(position: position, start: start, turn: turn)
  }

  @inline(__always)
  private func has(_ part: Part, at position: Int, of chunk: Bytes) -> Bool {
    guard part.turn == turn, position - part.position == passed else { return false }
    return unsafe chunk.start.map { unsafe $0 + part.position } == text.start
      && part.position + text.count <= chunk.count
  }

  /// The next line that is not blank, and moves the place behind it; nil at the end of the text, and if the index does
  /// not go on where a stream is, in the same chunk at the same address.
  @inline(__always)
  func next(
    in part: Part, at position: Int, of chunk: Bytes, _ place: inout StreamPlace
  ) -> LineText? {
    guard has(part, at: position, of: chunk) else { return nil }
    endLine()
    var line = decant_line()
    let isFound = lines.next(&line)
    place.line += line.blanks
    if !isFound {
      passed = text.count
      place.offset = part.start.offset + passed
      return nil
    }
    unsafe start.pointee.offset = part.start.offset + line.start
    unsafe start.pointee.line = place.line
    passed = min(line.end + 1, text.count)
    place.offset = part.start.offset + passed
    place.line += 1
    isInLine = line.is_linked
    return unsafe LineText(
      document: line.is_linked ? lines.pointer : nil,
      bytes: text[line.start..<line.end].buffer, start: UnsafePointer(start))
  }

  /// Gives back what readers of the last line found out.
  private func endLine() {
    if isInLine { lines.endLine() }
    isInLine = false
  }
}
