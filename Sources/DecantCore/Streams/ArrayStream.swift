// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One document whose array is handed out element by element:
//
//   stream    {"type":"x","items":[{"id":1} , {"id":2}],"n":2}
//   elements                       {"id":1}   {"id":2}           each a document, with its place in the stream
//   around    {"type":"x","items":[                   ],"n":2}   kept until the end, then checked as a document
//
// Memory holds the document around the array, up to `maximum_bytes`, and one unfinished element.

internal import CDecantIndex

/// What is known of the document around the elements.
@usableFromInline
package struct ArrayStream {
  enum Part {
    case before
    case elements
    case behind
  }
  private(set) var part = Part.before
  /// Whether the array was found.
  package var isFound: Bool { part != .before }
  /// The document without the elements of its array, as far as it came.
  private(set) var around = GrowingBytes()
  package var text: Bytes { around.bytes }
  /// Whether a bracket ended the array that is not its own: of the wrong kind, or one too many.
  private(set) var isWronglyEnded = false
  /// What was passed behind the elements, beside white space.
  enum Passed {
    /// The array's bracket; a comma behind it; the brace of the object that has the array; anything that may go on.
    case nothing, bracket, comma, brace, others
  }
  var passed = Passed.nothing
  /// Whether there was no memory for it.
  package private(set) var isShort = false
  /// Whether a comma was passed behind the last element.
  var hasComma = false
  /// How many elements were passed.
  @usableFromInline
  package private(set) var count = 0
  /// Where the elements were, and where the document goes on behind them.
  private var seam: (offset: Int, place: StreamPlace)?
  @usableFromInline
  package let pointer: Bytes
  private var isSearched: Bool
  private var seek = decant_seek()

  init(_ pointer: Bytes, _ rules: StreamRules) {
    self.pointer = pointer
    isSearched = rules.isSearched
    // SAFETY: the caller's pointer, which outlives the stream.
    unsafe decant_seek_begin(&seek, pointer.start, pointer.count, rules.allowsMark)
  }

  /// An element's place in the document.
  @usableFromInline package typealias ElementPlace = (array: Bytes, index: Int)

  /// The element that was passed last.
  @_alwaysEmitIntoClient @inline(__always)
  package var element: ElementPlace { (pointer, count - 1) }

  /// Keeps bytes that are around the elements, as many as a document may have, and one more. False if there is no memory,
  /// and then nothing has changed.
  mutating func keep(_ bytes: Bytes, _ rules: StreamRules) -> Bool {
    let most = rules.maximumBytes.saturating(adding: 1)
    let wanted = isShort ? 0 : min(bytes.count, most - around.count)
    return wanted <= 0 || around.append(bytes[0..<wanted], rules.allocator)
  }

  /// The same in memory of its own.
  func copy(_ rules: StreamRules) -> ArrayStream {
    var copy = self
    copy.around = GrowingBytes()
    if !copy.around.append(around.bytes, rules.allocator) {
      copy.isShort = true
      if !isFound { unsafe decant_seek_forget(&copy.seek, seek.at) }
    }
    return copy
  }

  /// There is no memory: what is around the array is not kept any more. The array is looked for as before.
  mutating func giveUp(_ rules: StreamRules) {
    isShort = true
    if isFound { release(rules) } else { forgetPassed() }
  }

  /// Keeps of what is before the array the key alone that is not whole.
  private mutating func forgetPassed() {
    let passed = seek.in_key && seek.at - seek.key <= longestKey ? seek.key : seek.at
    unsafe decant_seek_forget(&seek, passed)
    around.drop(first: passed)
  }

  /// As `pass` does, where what was before is not kept. A key that is not whole is.
  private mutating func passForgotten(_ bytes: Bytes, _ rules: StreamRules) -> Int {
    let before = around.count
    guard isSearched else { return bytes.count }
    if !around.append(bytes, rules.allocator) {
      // The search needs no memory for bytes without the beginning of a key.
      unsafe decant_seek_forget(&seek, before)
      around.cut(to: 0)
    }
    let isKept = around.count > 0
    let text = isKept ? around.bytes : bytes
    guard let start = unsafe text.start else { return bytes.count }
    // SAFETY: the bytes that are kept, or the caller's.
    let found = unsafe decant_seek_array(&seek, start, text.count)
    if found == Int32(DECANT_SEEK_FOUND) {
      around.cut(to: 0)
      part = .elements
      return seek.at - (isKept ? before : 0)
    }
    isSearched = found == Int32(DECANT_SEEK_ON)
    if isKept { forgetPassed() } else { unsafe decant_seek_forget(&seek, seek.at) }
    return bytes.count
  }

  mutating func release(_ rules: StreamRules) { around.release(rules.allocator) }

  /// Passes over bytes before the elements; returns how many there are, or nil if there is no memory.
  mutating func pass(_ bytes: Bytes, _ rules: StreamRules) -> Int? {
    if isShort { return passForgotten(bytes, rules) }
    let before = around.count
    if !keep(bytes, rules) { return nil }
    // SAFETY: the bytes that were kept.
    guard isSearched, let text = unsafe around.bytes.start,
      unsafe decant_seek_array(&seek, text, around.count) == Int32(DECANT_SEEK_FOUND)
    else { return bytes.count }
    around.cut(to: seek.at)
    part = .elements
    return seek.at - before
  }

  mutating func passElement() {
    count = count.saturating(adding: 1)
    hasComma = false
  }

  /// Passes over elements with the commas behind them.
  mutating func passElements(_ more: Int) {
    count = count.saturating(adding: more)
    hasComma = true
  }

  /// The array ends, and the document goes on at a place.
  /// - Parameter isWrong: whether a bracket of the wrong kind ends it.
  mutating func end(at place: StreamPlace, isWrong: Bool) {
    // What is wrong first is what the document's error is about.
    if seam == nil { seam = (around.count, place) }
    isWronglyEnded = isWrong
    // In an array, a line behind a comma may begin with a bracket.
    passed = seek.container == UInt8(ascii: "[") ? .others : .nothing
    part = .behind
  }

  /// Whether the document cannot go on with a byte behind what was passed, so that the array did not end there.
  func isWrong(_ byte: UInt8) -> Bool {
    let levels = (0..<pointer.count).count { pointer[$0] == UInt8(ascii: "/") }
    switch passed {
    case .nothing, .others: return false
    case .bracket: return levels == 0 || byte != UInt8(ascii: "}")
    case .comma: return levels == 0 || byte != UInt8(ascii: "\"")
    case .brace:
      let mayGoOn =
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      return levels == 1 || !mayGoOn
    }
  }

  /// What is behind the bracket that ended the array shows that it was none of its own.
  mutating func wasEndedWrongly() { isWronglyEnded = true }

  /// Elements go on behind a bracket that ended them too early, which stays in what is around them.
  mutating func resume() {
    if let seam { around.cut(to: seam.offset + 1) }
    hasComma = true
    part = .elements
  }

  /// The seam in a stream that ends at a place, if the array was found.
  package func seam(endingAt end: StreamPlace) -> TextSeam? {
    guard let (offset, place) = seam ?? (isFound ? (around.count, end) : nil) else { return nil }
    return TextSeam(
      offset: offset, start: place.location(before: around.count),
      last: count == 0 ? .open : hasComma ? .comma : .value)
  }
}

/// The bytes of a key that is looked for, at most: of a token, each as an escape.
private let longestKey = 255 * 6
