// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A stream and its present chunk: iterators get their lines from it. It is an object, so that copying an iterator or a block
// of lines is one retain: code that copied its fields one by one was a fifth of this module. An iterator copies a shared
// feed before it continues.

internal import CDecantIndex
public import DecantCore

@usableFromInline
final class LineFeed {
  @exclusivity(unchecked) @safe private var stream: LineStream
  /// Cuts a stream into documents instead of lines.
  @exclusivity(unchecked) @safe private var documents: DocumentStream?
  /// The reason for no documents, or the error of the document around elements.
  @exclusivity(unchecked) @safe private var failure: DecodeError?
  @exclusivity(unchecked) @safe private var chunk: ByteSource?
  /// Whether `chunk` is all there is.
  @exclusivity(unchecked) @safe private var isLast = false
  @exclusivity(unchecked) @safe private var isEnded = false

  @usableFromInline
  enum Outcome { case line, needsChunk, ended }

  /// A stream, or a part of it that begins at a place, in one chunk; without that, a stream whose chunks will come.
  ///
  /// - Parameters:
  ///   - endsInInk: The last line was cut, and is not blank.
  ///   - framing: The framing, if documents are not lines. If the options exclude it, the stream has no documents.
  init(
    _ rules: LineRules, all chunk: ByteSource?, at start: StreamPlace? = nil,
    endsInInk: Bool = false, framing: DocumentFraming? = nil
  ) {
    stream = LineStream(rules, at: start ?? rules.first, endsInInk: endsInInk)
    self.chunk = chunk
    isLast = chunk != nil
    guard let framing else { return }
    documents = DocumentStream(framing, rules)
    failure = DocumentStream.refusal(of: rules.options, framing)
    isEnded = failure != nil
  }

  private init(_ other: LineFeed) {
    stream = other.stream.copy()
    documents = other.documents?.copy()
    failure = other.failure
    chunk = other.chunk
    isLast = other.isLast
    isEnded = other.isEnded
  }

  /// A copy with which another iterator continues by itself.
  @usableFromInline
  func copy() -> LineFeed { LineFeed(self) }

  /// Calls `body` with the next line, if it is whole.
  private func withNext(_ body: (LineText) -> Void) -> Outcome {
    if isEnded { return .ended }
    // Moved out and back: a copy would count references for every line.
    guard let chunk = chunk.take() else { return .needsChunk }
    var isFound = false
    // SAFETY: the line is used inside the closure only.
    unsafe chunk.withBytes { bytes in
      let next =
        unsafe documents.map { unsafe $0.next(in: bytes) } ?? stream.next(in: bytes, isLast: isLast)
      guard let line = next else { return }
      isFound = true
      body(line)
    }
    if isFound {
      self.chunk = consume chunk
      return .line
    }
    if isLast, let line = finish() {
      body(line)
      self.chunk = consume chunk
      return .line
    }
    return isLast ? .ended : .needsChunk
  }

  /// The next chunk.
  @usableFromInline
  func take(_ chunk: ByteSource) { self.chunk = chunk }

  /// Decodes the next line, if it is whole. At the end, an error of the whole stream is one more line.
  @usableFromInline
  func decode<Model>(_ decoding: LineDecoding<Model>) -> Outcome {
    let outcome = withNext { decode($0, decoding) }
    return outcome == .ended ? end(decoding) : outcome
  }

  private func end<Model>(_ decoding: LineDecoding<Model>) -> Outcome {
    guard let failure = failure.take() else { return .ended }
    decoding.put(JSONLines.Line(failed: failure))
    return .line
  }

  private func decode<Model>(_ line: LineText, _ decoding: LineDecoding<Model>) {
    if let refusal = documents?.refusal ?? stream.refusal {
      return fail(refusal, decoding)
    }
    decoding(line)
  }

  // Out of line: to look up the type of a line takes longer than to find one.
  @inline(never)
  private func fail<Model>(_ error: DecodeError, _ decoding: LineDecoding<Model>) {
    decoding.put(JSONLines.Line(failed: error))
  }

  /// The next line of a block.
  @_alwaysEmitIntoClient @inline(__always)
  func next<Model>(_ decoding: LineDecoding<Model>) -> JSONLines<Model>.Line? {
    decode(decoding) == .line ? decoding.take() : nil
  }

  /// There are no more chunks: decodes the line that no line feed ended, if there is one.
  @usableFromInline
  func decodeLast<Model>(_ decoding: LineDecoding<Model>) -> Outcome {
    guard let line = finish() else { return end(decoding) }
    decode(line, decoding)
    return .line
  }

  private func finish() -> LineText? {
    isEnded = true
    guard let documents else { return stream.finish() }
    let last = documents.finish()
    failure = documents.check()
    return last
  }

  /// Ends the stream, because no more chunks can be read. Returns the place of the first byte that was not decoded.
  @usableFromInline
  func abandon() -> DecodeError.Location {
    isEnded = true
    return documents?.unfinished ?? stream.place.location()
  }
}
