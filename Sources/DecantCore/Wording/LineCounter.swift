// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import CDecantIndex

/// Lines and columns of places: in ascending order by one pass over the text, and in any order in a document that
/// is kept, which remembers places all along its text (decant_places.h).
@safe @usableFromInline
package struct LineCounter {
  // SAFETY: the caller keeps the text, and the context it belongs to, for the life of the counter.
  private let text: UnsafeRawBufferPointer
  private let context: UnsafePointer<decant_context>?
  private var offset = 0
  private var line = 1
  private var column = 1
  package private(set) var lineStart = 0

  @unsafe @usableFromInline
  package init(
    _ text: UnsafeRawBufferPointer, of context: UnsafePointer<decant_context>? = nil
  ) {
    unsafe self.text = unsafe text
    unsafe self.context = unsafe context
  }

  /// The place at `target`.
  /// - Complexity: linear in the distance from the place before it; constant in a document that is kept.
  @usableFromInline
  package mutating func location(of target: Int) -> DecodeError.Location {
    let end = unsafe min(target, text.count)
    if end < offset || end - offset > Int(DECANT_PLACE_STEP) { jump(to: end) }
    var newlines = 0
    for place in offset..<end where unsafe text[place] == UInt8(ascii: "\n") { newlines &+= 1 }
    var start = offset
    if newlines > 0 {
      start = end
      while unsafe text[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      line += newlines
      lineStart = start
      column = 1
    }
    var characters = 0
    for place in start..<end where unsafe text[place] & 0xC0 != 0x80 { characters &+= 1 }
    column += characters
    offset = end
    return DecodeError.Location(offset: target, line: line, column: column)
  }

  /// Moves to a place before `end` that the document remembers; without one, back to the start if it must.
  private mutating func jump(to end: Int) {
    var place = decant_place()
    if let context = unsafe context, unsafe decant_place_before(context, end, &place) {
      (offset, line, column) = (place.offset, place.line, place.column)
      lineStart = place.line_start
    } else if end < offset {
      (offset, line, column, lineStart) = (0, 1, 1, 0)
    }
  }
}
