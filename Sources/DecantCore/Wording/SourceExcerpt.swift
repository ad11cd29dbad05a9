// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The source line of an error, and a mark under the place.
//
//   {"id": "2", "email": false}
//          ^~~
//
// A line that is too wide is cut to a window around the place, with … where it continues, and where bytes were taken out
// of it, such as the elements of an array that is read one by one. Characters that are unsafe
// to print are escaped, bytes that are not UTF-8 appear as \xff, and a tab as one space, so that the mark is
// under the place. Only the part that is shown is read: a document of one line costs no more than another.

internal import CDecantIndex

package struct SourceExcerpt {
  /// Columns of source that are shown, including the marks of a cut.
  package static var width: Int { 100 }
  /// Columns before the place, where a line is cut on its left.
  private static var before: Int { 48 }
  /// Bytes on either side of the place that are shown, of characters that take no column.
  private static var reach: Int { 4 * width }

  let text: Bytes
  let offset: Int
  let length: Int
  let lineStart: Int
  /// Before which byte others were taken out.
  let gap: Int

  /// The excerpt for `length` bytes (at least one is marked) at `offset` of a line that begins at
  /// `lineStart`.
  package init(
    _ text: Bytes, offset: Int, length: Int, lineStart: Int, gap: Int = .max
  ) {
    self.text = text
    self.offset = min(offset, text.count)
    self.length = length
    self.lineStart = lineStart
    self.gap = gap
  }

  /// Whether there is anything to see in the line.
  package var isBlank: Bool {
    var place = max(lineStart, offset - Self.width)
    let end = min(text.count, offset + Self.width)
    while place < end, text[place] != UInt8(ascii: "\n") {
      if !decant_is_white(text[place]) { return false }
      place += 1
    }
    return true
  }

  /// Writes both lines, indented by two spaces, with a line feed between them.
  package func write(to sink: inout ErrorSink) {
    var line: Bytes?
    write(to: &sink, after: &line)
  }

  /// - Parameter known: The line of an excerpt before this one, if it was shown as it is: errors often share a line.
  package func write(to sink: inout ErrorSink, after known: inout Bytes?) {
    if let line = shortLine(known) {
      known = line
      sink.add("  ")
      sink.add(plain: line)
      let end = lineStart + line.count
      let lastMarked = min(max(offset, offset + length - 1), max(offset, end - 1))
      return writeMark(from: offset - lineStart, to: lastMarked - lineStart + 1, to: &sink)
    }
    let start = firstShown
    var line = LineOfSource(start > lineStart ? 1 : 0)
    sink.add("  ")
    if start > lineStart { sink.add("…") }
    var place = start
    var markStart = -1
    var markEnd = -1
    while place < text.count, text[place] != UInt8(ascii: "\n") {
      if place == gap, place > start { writeGap(&line, to: &sink) }
      let column = line.columns
      var next = place + 1
      // Most of most lines: bytes of one column, before the last one of the window.
      let run = unescapedRun(at: place, atMost: Self.width - 1 - column)
      if run.count > 0 {
        line.columns += run.count
        next = place + run.count
        sink.add(plain: run)
      } else {
        let (scalar, size) = decodedScalar(at: place, in: text)
        next = place + size
        let isLast = next >= text.count || text[next] == UInt8(ascii: "\n")
        if scalar == "\r", isLast { break }
        let isTooFar = !isLast && place > offset + Self.reach
        if isTooFar || column + LineOfSource.columns(of: scalar) > Self.width - (isLast ? 0 : 1) {
          sink.add("…")
          break
        }
        line.write(scalar, text[place], to: &sink)
      }
      // In a run, each byte has a column.
      if place <= offset {
        markStart = run.count > 0 ? column + min(offset, next - 1) - place : column
      }
      let lastMarked = max(offset, offset + length - 1)
      if place <= lastMarked {
        markEnd = run.count > 0 ? column + min(lastMarked, next - 1) - place + 1 : line.columns
      }
      place = next
    }
    if place == gap, place > start { writeGap(&line, to: &sink) }
    if offset >= place { (markStart, markEnd) = (line.columns, line.columns + 1) }
    writeMark(from: markStart, to: markEnd, to: &sink)
  }

  private func writeMark(from start: Int, to end: Int, to sink: inout ErrorSink) {
    sink.add("\n  ")
    sink.add(UInt8(ascii: " "), times: start)
    sink.add("^")
    sink.add(UInt8(ascii: "~"), times: end - start - 1)
  }

  /// The line, if it is shown from its beginning to its end and as it is: most lines.
  private func shortLine(_ known: Bytes?) -> Bytes? {
    guard lineStart <= offset, offset - lineStart <= Self.before, gap == .max else { return nil }
    let rest = text[lineStart..<min(text.count, lineStart + Self.width + 1)]
    if let known, unsafe known.start == rest.start, offset - lineStart <= known.count {
      return known
    }
    let count = rest.printableCount
    if count > Self.width || offset > lineStart + count { return nil }
    return count == rest.count || rest[count] == UInt8(ascii: "\n") ? rest[0..<count] : nil
  }

  private func writeGap(_ line: inout LineOfSource, to sink: inout ErrorSink) {
    line.columns += 1
    sink.add("…")
  }

  /// The printable ASCII at a place, before the gap.
  private func unescapedRun(at place: Int, atMost count: Int) -> Bytes {
    let end = min(text.count, place + max(0, count), place < gap ? gap : .max)
    return text[place..<place + text[place..<max(place, end)].printableCount]
  }

  /// The printable ASCII character at a place, which is shown as it is.
  func plainScalar(at place: Int) -> Unicode.Scalar? {
    let byte = text[place]
    return byte >= 0x20 && byte < 0x7F ? Unicode.Scalar(byte) : nil
  }

  /// The beginning of the window: the line's start, if the place is near it.
  var firstShown: Int {
    var place = offset
    var columns = 0
    var cut = offset
    while place > lineStart {
      var previous = place - 1
      if columns < Self.before, plainScalar(at: previous) != nil {
        columns += 1
        (cut, place) = (previous, previous)
        continue
      }
      while previous > lineStart, place - previous < 4, text[previous] & 0xC0 == 0x80 {
        previous -= 1
      }
      var (scalar, size) = decodedScalar(at: previous, in: text)
      if scalar == nil || size != place - previous {
        previous = place - 1
        (scalar, size) = (nil, 1)
      }
      columns += LineOfSource.columns(of: scalar)
      if columns <= Self.before { cut = previous }
      if columns > Self.before + 16 || offset - previous > Self.reach { return cut }
      place = previous
    }
    return lineStart
  }
}

/// A line as it is written, and how wide it is so far.
struct LineOfSource {
  var columns: Int

  init(_ columns: Int) { self.columns = columns }

  static func columns(of scalar: Unicode.Scalar?) -> Int {
    guard let scalar else { return 4 }
    if scalar == "\t" { return 1 }
    return scalar.isTreacherous ? (scalar.value > 0xFFFF ? 7 : 6) : scalar.columns
  }

  mutating func write(_ scalar: Unicode.Scalar?, _ byte: UInt8, to sink: inout ErrorSink) {
    columns += Self.columns(of: scalar)
    guard let scalar else {
      sink.add("\\x")
      return sink.add(hexadecimal: UInt32(byte), digits: 2)
    }
    if scalar == "\t" { return sink.add(" ") }
    if scalar.isTreacherous { sink.add(numberOf: scalar) } else { sink.add(scalar) }
  }
}
