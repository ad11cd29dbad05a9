// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lines and columns of errors, counted from the bytes when an error is resolved, so that reading a document counts
// nothing. Columns are characters, from 1.
//
//   bytes    {⏎"né":x}        offset 8 is line 2, column 6: é has two bytes

internal import CDecantIndex

/// Lines and columns of places. Places in roughly ascending order take one pass over the text. A kept document remembers
/// places along its text after the first question (decant_places.h), so any order is cheap. In a stream, places count from
/// its beginning.
package struct LineCounter {
  private let text: Bytes
  private let context: ContextRef?
  /// Whether the document's table is used: if it is kept, or a place was far before the previous one.
  private var asks = false
  /// The place of the text's first byte.
  private let first: DecodeError.Location
  private var offset = 0
  private var line = 1
  private var column = 1
  package private(set) var lineStart = 0

  package init(_ text: Bytes, from start: DecodeError.Location = .start) {
    self.text = text
    first = start
    context = nil
  }

  /// Counts in the text of a document. The table of a kept document is used from the first place on.
  package init(_ context: ContextRef, isKept: Bool) {
    text = context.source
    first = context.start
    self.context = context
    asks = isKept
  }

  /// The place at `target`.
  /// - Complexity: linear in the distance from the previous place, if that is not far away; constant with the document's
  ///   table.
  package mutating func location(of target: Int) -> DecodeError.Location {
    let end = min(target, text.count)
    if end < offset ? !stepBack(to: end) : asks && end - offset > Int(DECANT_PLACE_STEP) {
      asks = true
      jump(to: end)
    }
    pass(text[offset..<end])
    offset = end
    // A brace that the reader added is before the start.
    return DecodeError.Location(
      offset: max(0, first.offset &+ target), line: max(1, first.line &+ line &- 1),
      column: line == 1 ? first.column &+ column &- 1 : column)
  }

  private mutating func pass(_ passed: Bytes) {
    // Most texts have neither line feeds nor characters of several bytes.
    if passed.printableCount == passed.count {
      column += passed.count
      return
    }
    let newlines = passed.lineFeeds
    if newlines > 0 {
      line += newlines
      lineStart = offset + passed.lastLineEnd
      column = 1
    }
    column += characters(from: max(offset, lineStart), to: offset + passed.count)
  }

  /// Moves back to `end`, if that is near: the errors of one object are in the order of the model's keys.
  private mutating func stepBack(to end: Int) -> Bool {
    let reach = Int(DECANT_PLACE_STEP)
    guard offset - end <= reach else { return false }
    let newlines = text[end..<offset].lineFeeds
    if newlines == 0 {
      column -= characters(from: end, to: offset)
    } else {
      let farthest = max(0, end - reach)
      let start = farthest + text[farthest..<end].lastLineEnd
      if start == farthest, start > 0 { return false }
      line -= newlines
      lineStart = start
      column = 1 + characters(from: start, to: end)
    }
    offset = end
    return true
  }

  private func characters(from start: Int, to end: Int) -> Int {
    var characters = 0
    for place in start..<end where text[place] & 0xC0 != 0x80 { characters &+= 1 }
    return characters
  }

  /// Moves to a place before `end` that the document remembers; without one, back to the start if it must.
  private mutating func jump(to end: Int) {
    var place = decant_place()
    if let context, unsafe decant_place_before(context.pointer, end, &place) {
      (offset, line, column) = (place.offset, place.line, place.column)
      lineStart = place.line_start
    } else if end < offset {
      (offset, line, column, lineStart) = (0, 1, 1, 0)
    }
  }
}
