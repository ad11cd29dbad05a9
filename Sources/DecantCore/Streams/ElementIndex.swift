// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Elements of an array that are whole, and valid, with one index of many.
//
//   chunk    … ,{"id":1},{"id":2},{"id":"3"   ← 1 and 2 are linked; 3 is cut by itself
//               └──── window ────────────┘
//
// An index costs what its window is long. If less than a quarter of it was taken, the next window is short, and more and
// more elements are cut before it.

internal import CDecantIndex

struct ElementIndex {
  private(set) var lines: LinkedLines
  /// The chunk that the index reads, and where its window is in that.
  private var chunk = Bytes()
  private var start = 0
  private var length = 0
  private(set) var isOn = false
  /// Whether no line feed is in the window.
  private(set) var isOnLine = false
  /// How many bytes of the window are behind elements.
  private var taken = 0
  /// Elements that are cut one by one before the next index, and how many the next time.
  private var alone = 0
  private var nextAlone = 1
  private var window = ElementIndex.smallestWindow
  private static var smallestWindow: Int { 1 << 14 }

  init(_ rules: StreamRules) { lines = LinkedLines(rules.indexed, rules.allocator) }

  private init(_ lines: LinkedLines) { self.lines = lines }

  /// One that goes on by itself.
  func copy() -> ElementIndex { ElementIndex(lines.copy()) }

  mutating func end() { lines.end() }

  /// Whether all of a linked element is ASCII.
  @inline(__always)
  var isASCII: Bool {
    unsafe lines.context.pointer.pointee.facts & UInt32(DECANT_FACT_NON_ASCII) == 0
  }

  /// Begins an index where an element begins in a chunk; false if it is to be cut by itself.
  mutating func begin(in chunk: Bytes, at place: Int) -> Bool {
    if alone > 0 {
      alone -= 1
      return false
    }
    let rest = chunk[place..<min(chunk.count, place + window)]
    guard rest.count >= 1024, lines.make() else { return false }
    (self.chunk, start, length, taken) = (chunk, place, rest.count, 0)
    (isOn, isOnLine) = (true, rest.line(at: 0).count == rest.count)
    // What is behind the last element could end within a string, and be invalid by itself.
    let end = unsafe rest.start.map { unsafe decant_last_comma($0, rest.count) } ?? 0
    lines.begin(end > 0 ? rest[0..<end] : rest)
    return true
  }

  /// Where the next element is in the chunk; nil if it is to be cut by itself.
  @inline(__always)
  mutating func next(in chunk: Bytes) -> (start: Int, end: Int)? {
    if !isOn { return nil }
    lines.endLine()
    var element = decant_line()
    // The chunk may have moved.
    guard unsafe chunk.start == self.chunk.start, chunk.count == self.chunk.count,
      lines.nextElement(&element)
    else {
      finish()
      return nil
    }
    taken = element.end
    return (start + element.start, start + element.end)
  }

  @inline(never)
  private mutating func finish() {
    isOn = false
    if taken >= length / 4 {
      (alone, nextAlone) = (1, 1)
      if length == window { window = min(2 * window, Int(DECANT_LINE_TEXT)) }
    } else {
      nextAlone = min(2 * nextAlone, 64)
      alone = nextAlone + 1
      if length >= Self.smallestWindow { window = Self.smallestWindow }
    }
  }
}
