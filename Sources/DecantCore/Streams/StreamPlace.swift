// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Places in streams. They saturate at the largest Int, because a stream may be longer.

internal import CDecantIndex

/// A place in a stream. `column` characters are before it on its line.
@frozen @usableFromInline
package struct StreamPlace: BitwiseCopyable {
  @usableFromInline package var offset: Int
  @usableFromInline package var line: Int
  @usableFromInline package var column: Int

  @_alwaysEmitIntoClient @inline(__always)
  package init(offset: Int = 0, line: Int = 1, column: Int = 0) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// The place as errors report it. Numbers beyond an Int saturate, also for the next `count` bytes.
  package func location(before count: Int = 0) -> DecodeError.Location {
    DecodeError.Location(
      offset: min(offset, .max - count), line: min(line, .max - count),
      column: min(column, .max - count - 1) + 1)
  }

  /// Moves after `count` bytes. If there are line feeds among them, the last byte is one.
  @_alwaysEmitIntoClient @inline(__always)
  package mutating func pass(_ count: Int, lines: Int) {
    offset = offset.saturating(adding: count)
    line = line.saturating(adding: lines)
    if lines > 0 { column = 0 }
  }

  /// Moves after a line of `count` bytes and its line feed.
  @_alwaysEmitIntoClient @inline(__always)
  package mutating func passLine(_ count: Int) {
    pass(count.saturating(adding: 1), lines: 1)
  }

  /// Steps back from the largest place, if so many bytes, and a line feed, could not be passed otherwise.
  package mutating func leaveRoom(for count: Int) {
    offset = min(offset, .max - count - 1)
    line = min(line, .max - count - 1)
  }

  /// Moves after bytes.
  /// - Parameter isOnLine: whether there is no line feed among them.
  mutating func pass(_ bytes: Bytes, isOnLine: Bool = false) {
    guard let start = unsafe bytes.start else { return }
    var place = decant_text_place(offset: offset, line: line, column: column)
    // SAFETY: `count` bytes from `start`.
    if isOnLine {
      unsafe decant_text_pass_on_line(&place, start, bytes.count)
    } else {
      unsafe decant_text_pass(&place, start, bytes.count)
    }
    (offset, line, column) = (place.offset, place.line, place.column)
  }

  /// Moves after a byte order mark.
  package mutating func passMark() {
    offset = offset.saturating(adding: 3)
    column = column.saturating(adding: 1)
  }

  /// Moves behind ASCII without line feeds.
  @inline(__always)
  mutating func passASCII(_ count: Int) {
    offset = offset.saturating(adding: count)
    column = column.saturating(adding: count)
  }
}

extension Int {
  /// The sum, or the largest Int: places in streams that are longer than an Int can tell.
  @_alwaysEmitIntoClient @inline(__always)
  package func saturating(adding other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
