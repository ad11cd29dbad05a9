// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A stream and the chunk that it is in: what iterators ask for lines.

internal import CDecantIndex
public import DecantCore

@usableFromInline
struct LineFeed {
  private var stream: LineStream
  private var chunk: ByteSource?
  /// Whether `chunk` is all there is.
  private var isLast = false
  private var isEnded = false

  @usableFromInline
  enum Outcome { case line, needsChunk, ended }

  /// A stream whose chunks will come.
  init(_ rules: LineRules) { stream = LineStream(rules, at: rules.first) }

  /// A stream, or a part of it that begins at a place, in one chunk.
  /// - Parameter endsInInk: the last line was cut, and is not blank.
  init(
    _ rules: LineRules, all chunk: ByteSource, at start: decant_start? = nil,
    endsInInk: Bool = false
  ) {
    stream = LineStream(rules, at: start ?? rules.first, endsInInk: endsInInk)
    self.chunk = chunk
    isLast = true
  }

  /// Calls `body` with the next line, if it is whole.
  @usableFromInline
  mutating func withNext(_ body: (LineText) -> Void) -> Outcome {
    if isEnded { return .ended }
    guard let chunk else { return .needsChunk }
    var isFound = false
    // SAFETY: the line is used inside the closure only.
    unsafe chunk.withBytes { bytes in
      guard let line = unsafe stream.next(in: bytes, isLast: isLast) else { return }
      isFound = true
      body(line)
    }
    if isFound { return .line }
    self.chunk = nil
    isEnded = isLast
    return isEnded ? .ended : .needsChunk
  }

  /// The next chunk.
  @usableFromInline
  mutating func take(_ chunk: ByteSource) { self.chunk = chunk }

  /// There are no more chunks: calls `body` with the line that no line feed ended, if there is one.
  @usableFromInline
  mutating func finish(_ body: (LineText) -> Void) {
    isEnded = true
    if let line = stream.finish() { body(line) }
  }

  /// There are no more chunks that can be read. Returns the place of the first byte that was not handed out.
  @usableFromInline
  mutating func abandon() -> DecodeError.Location {
    isEnded = true
    return DecodeError.Location(stream.place)
  }
}

extension DecodeError.Location {
  init(_ place: decant_start) {
    self.init(offset: place.offset, line: place.line, column: place.column)
  }
}
