// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Cuts a stream into lines. Chunks may end at any byte:
//
//   chunk   {"id":1}⏎{"id"      :2}⏎⏎{"id":3      }
//   line    1 ───────┘└───────── 2 ┘ └──────────── 4, when no chunk follows
//                     kept                kept
//
// Lines within one chunk are read in place, many at a time (decant_lines.h). The bytes of any other line are copied until
// the rest arrives. If a line is longer than a document may be, only the bytes that its error shows are kept. Blank lines
// are returned like others; the reader counts and skips them.

internal import CDecantIndex

package struct LineCutter {
  package enum Next {
    /// Whole lines of the chunk; of the last chunk, with the line that no line feed ends.
    case lines(Range<Int>)
    /// The line that was unfinished has ended. It is to be cleared before the next question.
    case unfinished
    /// The chunk is used up.
    case nothing
  }

  /// In the chunk.
  private var at = 0

  package init() {}

  /// What is next in a chunk. The same chunk comes again until there is nothing left in it. Without memory for it, the
  /// unfinished line is given up.
  package mutating func next(
    in chunk: Bytes, isLast: Bool, _ unfinished: inout Unfinished, _ rules: StreamRules
  ) -> Next {
    if unfinished.length > 0, at < chunk.count {
      let rest = chunk.line(at: at)
      keep(rest, &unfinished, rules)
      let end = at + rest.count
      at = min(end + 1, chunk.count)
      if end < chunk.count { return .unfinished }
    }
    let from = at
    at = isLast ? chunk.count : from + chunk[from..<chunk.count].lastLineEnd
    if at > from { return .lines(from..<at) }
    if at < chunk.count { keep(chunk[at..<chunk.count], &unfinished, rules) }
    at = 0
    return .nothing
  }

  private func keep(_ bytes: Bytes, _ unfinished: inout Unfinished, _ rules: StreamRules) {
    if unfinished.keep(bytes, rules) { return }
    unfinished.giveUp(rules)
    _ = unfinished.keep(bytes, rules)
  }

  /// The first of some whole lines, as many as an index of lines takes together. Empty if they are so few that an index
  /// is not worth it, or if the first line is longer than an index can be of.
  package static func indexed(_ lines: Bytes) -> Bytes {
    if lines.count < 1024 { return Bytes() }
    let most = Int(DECANT_LINE_TEXT)
    return lines.count <= most ? lines : lines[0..<lines[0..<most].lastLineEnd]
  }
}
