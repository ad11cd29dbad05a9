// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Streams without line feeds between documents:
//
//   RECORDS    <RS>{"id":1}⏎<RS>{⏎"id":2}⏎      RFC 7464: a record separator (1E) before each, white space behind
//   DOCUMENTS  {"id":1}{"id":2} 3 4"five"[6]     one after another: a document ends with its last bracket or quote,
//                                                other ones before white space, a bracket or a quote
//
// A document may have several lines, so places are counted over every byte.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension LineStream {
  /// What is known of the value that is being passed.
  struct Value {
    enum Kind {
      case none
      case container
      case string
      case run
    }
    var kind = Kind.none
    var cut = decant_cut()
    /// The place behind the last byte that was passed.
    var end = Report.Place()
    /// Of records: whether a separator was there, and whether the last byte is white space.
    var isRecord = false
    var isTerminated = false
  }

  // MARK: - Records

  mutating func takeRecords(_ chunk: Bytes, to receiver: LineReceiver) {
    var at = 0
    while at < chunk.count, !isEnded {
      var end = at
      while end < chunk.count, chunk[end] != recordSeparator { end += 1 }
      let part = chunk[at..<end]
      if part.count > 0 {
        unfinished.keep(part, settings)
        value.end.pass(part)
        value.isTerminated = decant_is_white(part[part.count - 1])
      }
      at = end
      guard end < chunk.count else { return }
      finishRecord(to: receiver)
      value.isRecord = true
      value.end.pass(chunk[end..<end + 1])
      place = value.end
      at += 1
    }
  }

  /// Takes the record so far.
  mutating func finishRecord(to receiver: LineReceiver) {
    guard unfinished.length > 0 else { return }
    if unfinished.isBlank || unfinished.isShort {
      takeUnfinished(to: receiver)
    } else if !value.isRecord {
      refuseRecord(
        DECANT_UNEXPECTED_BYTE, "expected a record separator (1E) before the document",
        to: receiver)
    } else if !value.isTerminated, unfinished.bytes.mayBeCut {
      refuseRecord(
        DECANT_UNEXPECTED_END,
        "the record may be cut short: expected white space after a number or a literal",
        to: receiver)
    } else {
      takeUnfinished(to: receiver)
    }
    place = value.end
  }

  private mutating func refuseRecord(
    _ code: Int, _ message: StaticString, to receiver: LineReceiver
  ) {
    isEnded = !decoder.refuse(code, message, at: place, to: receiver)
    unfinished.clear(settings)
  }

  // MARK: - Documents, one after another

  mutating func takeDocuments(_ chunk: Bytes, to receiver: LineReceiver) {
    var at = 0
    while at < chunk.count, !isEnded {
      if value.kind == .none {
        at = passWhite(chunk, at)
        guard at < chunk.count else { return }
      }
      let end = valueEnd(chunk, at)
      takeValue(chunk[at..<end], isWhole: value.kind == .none, to: receiver)
      at = end
    }
  }

  /// Passes over white space before a document, which begins at `place`.
  mutating func passWhite(_ chunk: Bytes, _ start: Int) -> Int {
    var at = start
    while at < chunk.count, decant_is_white(chunk[at]) { at += 1 }
    if at > start { value.end.pass(chunk[start..<at]) }
    place = value.end
    return at
  }

  /// Takes bytes of a document, with its last one if it `isWhole`.
  mutating func takeValue(_ part: Bytes, isWhole: Bool, to receiver: LineReceiver) {
    value.end.pass(part)
    if isWhole, unfinished.length == 0 {
      isEnded = !decoder.decode(part, at: place, to: receiver)
    } else {
      unfinished.keep(part, settings)
      if isWhole { takeUnfinished(to: receiver) }
    }
    if isWhole { place = value.end }
  }

  /// Where the document ends of which a part begins at `start`; it has no kind any more. Or the chunk's end.
  private mutating func valueEnd(_ chunk: Bytes, _ start: Int) -> Int {
    var at = start
    if value.kind == .none {
      at += 1
      switch chunk[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): value.kind = .container
      case UInt8(ascii: "\""):
        value.kind = .string
        value.cut.escaped = false
      default:
        value.kind = .run
      }
    }
    switch value.kind {
    case .none: break
    case .container:
      at += cut(chunk[at..<chunk.count], atCommas: false)
      if at == chunk.count { return at }
      at += 1
    case .string:
      var isOpen = true
      while at < chunk.count, isOpen {
        let byte = chunk[at]
        isOpen = byte != UInt8(ascii: "\"") || value.cut.escaped
        value.cut.escaped = byte == UInt8(ascii: "\\") && !value.cut.escaped
        at += 1
      }
      if isOpen { return at }
    case .run:
      while at < chunk.count, !chunk[at].endsRun { at += 1 }
      if at == chunk.count { return at }
    }
    value.kind = .none
    value.cut = decant_cut()
    return at
  }

  /// How many bytes of a value there are before what ends it.
  mutating func cut(_ bytes: Bytes, atCommas: Bool) -> Int {
    guard let start = unsafe bytes.start else { return 0 }
    // SAFETY: `count` bytes from `start`.
    return unsafe decant_cut_value(&value.cut, start, bytes.count, atCommas)
  }
}

private let recordSeparator: UInt8 = 0x1E

extension UInt8 {
  fileprivate var endsRun: Bool {
    decant_is_white(self) || self == UInt8(ascii: "{") || self == UInt8(ascii: "[")
      || self == UInt8(ascii: "\"")
  }
}

extension Bytes {
  /// Whether a document that ends here may have had more bytes that nobody would miss: RFC 7464 §2.4.
  fileprivate var mayBeCut: Bool {
    for at in 0..<count where !decant_is_white(self[at]) {
      return self[at] != UInt8(ascii: "{") && self[at] != UInt8(ascii: "[")
        && self[at] != UInt8(ascii: "\"")
    }
    return false
  }
}

extension Report.Place {
  mutating func passComma() {
    offset = offset.saturating(adding: 1)
    column = column.saturating(adding: 1)
  }

  /// Moves behind bytes.
  mutating func pass(_ bytes: Bytes) {
    guard let start = unsafe bytes.start else { return }
    var place = decant_text_place(offset: offset, line: line, column: column)
    // SAFETY: `count` bytes from `start`.
    unsafe decant_text_pass(&place, start, bytes.count)
    (offset, line, column) = (place.offset, place.line, place.column)
  }
}
