// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A stream of documents in chunks, which passes each document to a decoder. A LineCutter cuts lines, which are read many at
// a time if that is faster; a DocumentCutter cuts streams without lines.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct LineStream {
  let settings: Settings
  private let rules: StreamRules
  var decoder: LineDecoder
  /// The place of the first byte that was not decoded yet: the beginning of the unfinished document. Its column is that of
  /// an element before.
  var place: StreamPlace { isCut ? cutter.unfinishedPlace : nextLine }
  private var nextLine: StreamPlace
  private var isEnded = false
  /// Whether the stream has ended, so that no other document can follow.
  private(set) var isFinished = false
  private var lines = LineCutter()
  private var unfinished = Unfinished()
  /// Cuts a stream without lines.
  private var cutter: DocumentCutter
  /// Whether there is one.
  private let isCut: Bool
  /// Whether the next line is the stream's first, and may begin with a byte order mark.
  private var mayBeginWithMark: Bool

  /// Nil if there is no memory.
  init?(_ record: RecordRef, _ check: RecordCheck, _ settings: Settings) {
    let settings = settings.ofDocuments
    guard let decoder = LineDecoder(record, check, settings) else { return nil }
    self.decoder = decoder
    self.settings = settings
    rules = settings.stream
    nextLine = settings.first
    mayBeginWithMark = settings.skipsMark
    cutter = DocumentCutter(rules)
    isCut = !settings.hasLines
  }

  mutating func end() {
    decoder.end()
    unfinished.release(rules)
    cutter.release()
  }

  /// Takes the next bytes. If `isLast`, no others follow, and the remaining bytes are a document.
  mutating func take(_ chunk: Bytes, isLast: Bool, to receiver: LineReceiver) {
    takeFramed(chunk, isLast: isLast, to: receiver)
    if isLast { takeRest(to: receiver) }
  }

  /// Takes the document that nothing ended, once.
  mutating func finish(to receiver: LineReceiver) {
    if isFinished { return }
    isFinished = true
    takeRest(to: receiver)
  }

  private mutating func takeFramed(_ chunk: Bytes, isLast: Bool, to receiver: LineReceiver) {
    if !isCut { return takeLines(chunk, isLast: isLast, to: receiver) }
    while !isEnded, handOut(cutter.next(in: chunk), in: chunk, to: receiver) {}
  }

  private mutating func takeRest(to receiver: LineReceiver) {
    if isEnded { return }
    if !isCut {
      if unfinished.length > 0 { takeUnfinishedLine(endsStream: true, to: receiver) }
      return
    }
    while !isEnded, handOut(cutter.finish(), in: Bytes(), to: receiver) {}
    if !isEnded, let array = cutter.array {
      isEnded = !decoder.check(array, endingAt: cutter.end, to: receiver)
    }
  }

  /// Decodes what the cutter found in a chunk; false if there is nothing.
  @inline(__always)
  private mutating func handOut(
    _ next: DocumentCutter.Next, in chunk: Bytes, to receiver: LineReceiver
  ) -> Bool {
    switch next {
    case .document(let bytes):
      isEnded = !handOut(bytes, in: chunk, to: receiver)
    case .refusal(_, let code, let message):
      isEnded = !decoder.refuse(code, message, at: cutter.start, to: receiver)
    case .noMemory: cutter.giveUp()
    case .nothing: return false
    }
    return true
  }

  /// Decodes a document of a chunk. Returns whether the stream continues.
  @inline(__always)
  private mutating func handOut(
    _ document: Bytes, in chunk: Bytes, to receiver: LineReceiver
  ) -> Bool {
    guard let element = cutter.linked else {
      return decoder.decode(document, at: cutter.start, cutter.array?.element, to: receiver)
    }
    let status = decoder.fill(element, within: chunk)
    if status == ok { return decoder.handOut(line: cutter.start.line, to: receiver) }
    cutter.count(in: chunk)
    return decoder.refuse(document, status, at: cutter.start, cutter.array?.element, to: receiver)
  }

  // MARK: - Lines

  /// The first line of the stream without a byte order mark; other lines as they are.
  @inline(__always)
  private mutating func withoutMark(_ lines: Bytes) -> Bytes {
    if !mayBeginWithMark { return lines }
    mayBeginWithMark = false
    return lines.withoutMark(&nextLine)
  }

  private mutating func takeLines(_ chunk: Bytes, isLast: Bool, to receiver: LineReceiver) {
    while !isEnded {
      switch lines.next(in: chunk, isLast: isLast, &unfinished, rules) {
      case .lines(let range): take(lines: chunk[range], to: receiver)
      case .unfinished: takeUnfinishedLine(endsStream: false, to: receiver)
      case .nothing: return
      }
    }
  }

  /// Takes whole lines, as many at a time as an index of lines can tell.
  private mutating func take(lines: Bytes, to receiver: LineReceiver) {
    let lines = withoutMark(lines)
    var start = 0
    while start < lines.count, !isEnded {
      let rest = lines[start..<lines.count]
      let part = decoder.indexed(rest)
      if part.count == 0 {
        let line = rest.line(at: 0)
        isEnded = !line.isBlank && !decoder.decode(line, at: nextLine, to: receiver)
        nextLine.passLine(line.count)
        start += line.count + 1
        continue
      }
      start += part.count
      let short = take(short: part, to: receiver)
      if isEnded || short == part.count { continue }
      isEnded = !decoder.decode(indexed: part[short..<part.count], from: &nextLine, to: receiver)
    }
  }

  /// Takes short lines from their texts, as long as that can be done with most. Returns how many bytes were taken.
  private mutating func take(short lines: Bytes, to receiver: LineReceiver) -> Int {
    var at = 0
    var others = 0
    while at < lines.count, !isEnded, others < 4 {
      let line = lines.line(at: at)
      guard line.count < decoder.leastIndexedLine else { break }
      if let goesOn = decoder.decodeFromText(line, at: nextLine, to: receiver) {
        isEnded = !goesOn
        others = 0
      } else {
        isEnded = !line.isBlank && !decoder.decode(line, at: nextLine, to: receiver)
        others += 1
      }
      nextLine.passLine(line.count)
      at = min(lines.count, at + line.count + 1)
    }
    return at
  }

  // MARK: - The unfinished line

  /// Takes the unfinished line, unless it is blank. At the end of the stream no line feed follows it.
  private mutating func takeUnfinishedLine(endsStream: Bool, to receiver: LineReceiver) {
    let line = withoutMark(unfinished.bytes)
    let length = unfinished.length - (unfinished.bytes.count - line.count)
    if unfinished.isShort {
      isEnded = !decoder.refuse(DECANT_OUT_OF_MEMORY, "out of memory", at: nextLine, to: receiver)
    } else if !unfinished.isRestBlank || !line.isBlank {
      isEnded = !decoder.decode(line, at: nextLine, to: receiver)
    }
    unfinished.clear(rules)
    if endsStream { nextLine.pass(length, lines: 0) } else { nextLine.passLine(length) }
  }
}

/// Calls `body` with each line that is not blank, until it returns false.
func forEachLine(_ json: Bytes, _ body: (Bytes, StreamPlace) -> Bool) {
  var place = StreamPlace()
  while place.offset < json.count {
    let line = json.line(at: place.offset)
    if !line.isBlank && !body(line, place) { return }
    place.passLine(line.count)
  }
}
