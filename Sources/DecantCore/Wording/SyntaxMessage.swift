// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The message of a syntax error, in one line: what was expected, what was found, and the most common mistake that
// causes it.

internal import CDecantIndex

/// The seam where a text continues elsewhere in its stream, because bytes were removed.
package struct TextSeam {
  let offset: Int
  let start: DecodeError.Location
  /// The last token of the removed bytes.
  let last: SyntaxExpectation.Last

  init(
    offset: Int = .max, start: DecodeError.Location = .start,
    last: SyntaxExpectation.Last = .nothing
  ) {
    self.offset = offset
    self.start = start
    self.last = last
  }

  /// Before which byte of the text others were taken out; none, if the array was empty.
  package var gap: Int { last == .nothing || last == .open ? .max : offset }

  /// The place in the stream of a byte of the text, which begins at `first`.
  package func location(
    of place: Int, in text: Bytes, from first: DecodeError.Location
  ) -> DecodeError.Location {
    let isBefore = place < offset
    var lines =
      isBefore
      ? LineCounter(text, from: first) : LineCounter(text[offset..<text.count], from: start)
    return lines.location(of: isBefore ? place : place - offset)
  }
}

/// The error of a document at `offset`, in one line. The text begins at `start` of its stream.
struct SyntaxMessage {
  let code: DecodeError.Code
  let offset: Int
  let text: Bytes
  let start: DecodeError.Location
  let rules: decant_rules
  /// Whether the text is an element of an array that is read one by one.
  let isElement: Bool
  let seam: TextSeam
  /// The tokens that the grammar allows at the place. To find them, the text before the place is read.
  private var known: SyntaxExpectation?

  init(
    code: DecodeError.Code, offset: Int, text: Bytes, start: DecodeError.Location,
    rules: decant_rules, isElement: Bool = false, seam: TextSeam = TextSeam()
  ) {
    self.code = code
    self.offset = offset
    self.text = text
    self.start = start
    self.rules = rules
    self.isElement = isElement
    self.seam = seam
  }

  /// The same, for a caller that writes both the message and the expectation.
  func prepared() -> SyntaxMessage {
    var prepared = self
    switch code {
    case .unexpectedByte, .unexpectedEnd, .trailingBytes, .invalidLiteral, .controlCharacter:
      prepared.known = expectation
    default: break
    }
    return prepared
  }

  var relaxations: DecodingOptions.Relaxations { .init(rawValue: rules.relaxations) }

  var redacts: Bool { rules.redacts != 0 }

  var length: Int { text.count }

  var byte: UInt8? { offset < length ? text[offset] : nil }

  func byte(_ distance: Int) -> UInt8? {
    let place = offset + distance
    return place >= 0 && place < length ? text[place] : nil
  }

  func write(to sink: inout ErrorSink) {
    switch code {
    case .trailingBytes where isElement:
      sink.add("expected ',' or ']'")
      writeButFound(to: &sink)
    case .unexpectedByte, .trailingBytes: writeExpectation(to: &sink)
    case .unexpectedEnd: writeEnd(to: &sink)
    case .invalidLiteral: writeLiteral(to: &sink)
    case .invalidNumber: writeNumber(to: &sink)
    // The CR of a line that ends inside a string.
    case .controlCharacter where byte == 0x0D && offset == length - 1: writeEnd(to: &sink)
    case .controlCharacter: writeControl(to: &sink)
    case .invalidEscape: writeEscape(to: &sink)
    case .loneSurrogate: writeSurrogate(to: &sink)
    case .invalidUTF8:
      sink.add("not UTF-8")
      if !redacts, byte != nil {
        sink.add(": ")
        writeFound(to: &sink)
      }
    case .byteOrderMark:
      sink.add("the input begins with a byte order mark")
      sink.add(
        byte == 0xEF
          ? "; the option 'relaxations' can allow it" : "; the input is not UTF-8")
    default: sink.add("the input is not JSON")
    }
  }

  // MARK: Expected

  /// Writes the expectation at the place, for programs: `',' or ']'`. It quotes nothing from the document.
  func writeAccepted(to sink: inout ErrorSink) {
    switch code {
    case .trailingBytes where isElement: sink.add("',' or ']'")
    case .unexpectedByte, .trailingBytes, .unexpectedEnd: writeAcceptedToken(to: &sink)
    case .invalidLiteral: writeAccepted(literalAt: expectation.token ?? offset, to: &sink)
    case .invalidNumber:
      sink.add(isAfterSignOfNumber ? "a digit" : "the end of the number")
    case .controlCharacter where byte == 0x0D && offset == length - 1:
      writeAcceptedToken(to: &sink)
    case .controlCharacter: sink.add("an escape")
    case .invalidEscape: sink.add(acceptedEscape)
    case .loneSurrogate: sink.add("a pair of surrogates")
    case .byteOrderMark where byte == 0xEF: sink.add("no byte order mark")
    case .invalidUTF8, .byteOrderMark: sink.add("UTF-8")
    default: sink.add("JSON")
    }
  }

  /// Writes the tokens that are accepted at the place, or after the end of the input.
  private func writeAcceptedToken(to sink: inout ErrorSink) {
    let expectation = expectation
    if let token = expectation.token {
      if text[token] == UInt8(ascii: "\"") {
        return sink.add(code == .unexpectedByte ? "an escape" : "the end of the string")
      }
      if code == .unexpectedEnd, let wanted = missingPart(of: token) { return sink.add(wanted) }
    }
    sink.add(expectation.accepted)
  }

  private func writeAccepted(literalAt start: Int, to sink: inout ErrorSink) {
    let literal = literal(at: start) ?? "null"
    if offset - start >= literal.utf8CodeUnitCount { sink.add("nothing more after ") }
    sink.add(literal)
  }

  /// Whether a digit has to follow, because of the byte before the place.
  private var isAfterSignOfNumber: Bool {
    switch byte(-1) {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private var acceptedEscape: StaticString {
    byte(-1) == UInt8(ascii: "\\")
      ? "one of \" \\ / b f n r t u after '\\'" : "four hexadecimal digits after \\u"
  }

  // MARK: Found

  func writeFound(to sink: inout ErrorSink) {
    if byte != nil {
      sink.add(foundAt: offset, in: text)
    } else {
      sink.add("the end of the input")
    }
  }

  func writeButFound(to sink: inout ErrorSink) {
    if byte != nil && redacts { return }
    sink.add(", found ")
    writeFound(to: &sink)
  }

  /// The escape at the place, an unpaired surrogate, and the range of the half that is missing.
  func writeSurrogate(to sink: inout ErrorSink) {
    sink.add("unpaired surrogate")
    if redacts { return }
    sink.add(" ")
    for distance in 0..<6 { if let byte = byte(distance) { sink.add(Unicode.Scalar(byte)) } }
    // The second hexadecimal digit tells high from low: \ud8 to \udb, \udc to \udf.
    let isHigh = byte(3).map { $0 <= UInt8(ascii: "9") || $0 | 0x20 < UInt8(ascii: "c") } ?? true
    sink.add(
      isHigh
        ? ": a high surrogate must be followed by \\udc00-\\udfff"
        : ": a low surrogate must follow \\ud800-\\udbff")
  }

  // MARK: Grammar

  /// What is allowed at the place.
  var expectation: SyntaxExpectation {
    if let known { return known }
    var expectation = SyntaxExpectation(before: offset, in: text, relaxations)
    if expectation.last == .open, expectation.bracket == seam.offset - 1 {
      expectation.last = seam.last
    }
    return expectation
  }

  func writeExpectation(to sink: inout ErrorSink) {
    let expectation = expectation
    // libjansson's engine refuses a NUL by this code wherever it is.
    if let token = expectation.token, text[token] == UInt8(ascii: "\"") {
      return writeControl(to: &sink)
    }
    expectation.write(to: &sink)
    writeButFound(to: &sink)
    if isTrailingComma(expectation) {
      return sink.add(" (extra comma; the option 'relaxations' can allow it)")
    }
    if !redacts { writeHint(expectation, to: &sink) }
  }

  /// Whether the byte closes the container in which a comma is the last token.
  func isTrailingComma(_ expectation: SyntaxExpectation) -> Bool {
    expectation.last == .comma
      && byte == UInt8(ascii: expectation.isInObject ? "}" : "]")
  }

  /// The most common mistake that leads to this byte.
  func writeHint(_ expectation: SyntaxExpectation, to sink: inout ErrorSink) {
    let last = expectation.last
    let wantsKey = expectation.isInObject && (last == .open || last == .comma)
    let wantsValue = last != .value && last != .key
    let hasComments = relaxations.contains(.comments)
    switch byte {
    case UInt8(ascii: "#"):
      sink.add(hasComments ? " (comments begin with // or /*)" : " (JSON has no comments)")
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/") || byte(1) == UInt8(ascii: "*"):
      sink.add(hasComments ? " (the comment does not end)" : " (JSON has no comments)")
    case UInt8(ascii: ",") where last == .comma: sink.add(" (extra comma)")
    case UInt8(ascii: "'") where wantsValue: sink.add(" (strings use double quotes)")
    case UInt8(ascii: "+") where wantsValue: sink.add(" (numbers have no plus sign)")
    case UInt8(ascii: ".") where wantsValue: sink.add(" (numbers begin with a digit)")
    case UInt8(ascii: "=") where last == .key: sink.add(" (a colon separates key and value)")
    default:
      if last == .nothing, isFieldOfEvent {
        sink.add(" (in server-sent events, JSON follows \"data:\")")
      } else if wantsValue && !wantsKey {
        writeHint(ofWordAt: offset, to: &sink)
      }
    }
  }

  /// Whether a line of a stream of server-sent events begins here.
  private var isFieldOfEvent: Bool {
    isField("data") || isField("event") || isField("id") || isField("retry")
  }

  private func isField(_ name: StaticString) -> Bool {
    isWord(name, at: offset) && byte(name.utf8CodeUnitCount) == UInt8(ascii: ":")
  }

  /// Writes the JSON spelling of the word at a place, if it is a word of another language or in another case.
  func writeHint(ofWordAt start: Int, to sink: inout ErrorSink) {
    if isWord("nan", at: start) || isWord("inf", at: start) || isWord("infinity", at: start) {
      // If they are allowed, only their spelling is wrong.
      if !relaxations.contains(.nonFiniteNumbers) { sink.add(" (JSON has no NaN or Infinity)") }
    } else if start >= length || text[start] >= UInt8(ascii: "a") {
      return
    } else if isWord("null", at: start) || isWord("none", at: start) || isWord("nil", at: start) {
      sink.add(" (null is lowercase)")
    } else if isWord("true", at: start) || isWord("false", at: start) {
      sink.add(" (true and false are lowercase)")
    }
  }

  /// Whether the letters at a place are a word, in any case, and no more.
  private func isWord(_ word: StaticString, at start: Int) -> Bool {
    let end = start + word.utf8CodeUnitCount
    guard end <= length, end == length || !isLetter(text[end]) else { return false }
    // SAFETY: as many bytes as the word has.
    return (start..<end).allSatisfy { unsafe text[$0] | 0x20 == word.utf8Start[$0 - start] }
  }

  func writeEnd(to sink: inout ErrorSink) {
    let expectation = expectation
    if let token = expectation.token {
      if text[token] == UInt8(ascii: "\"") {
        sink.add("the input ends inside a string")
        return writePlace(token, "the string begins", to: &sink)
      }
      if let wanted = missingPart(of: token) {
        sink.add("the input ends too early: expected ")
        return sink.add(wanted)
      }
    }
    sink.add("the input ends too early: ")
    expectation.write(to: &sink)
    if let bracket = expectation.bracket {
      writePlace(
        bracket, expectation.isInObject ? "the object begins" : "the array begins", to: &sink)
    }
  }

  /// The missing part of a number or literal that the end of the input cuts; nil if there is none.
  func missingPart(of token: Int) -> StaticString? {
    if let literal = literal(at: token) {
      return length - token < literal.utf8CodeUnitCount ? literal : nil
    }
    return text[length - 1] &- UInt8(ascii: "0") < 10 ? nil : "a digit"
  }

  /// The literal that a token begins like.
  func literal(at token: Int) -> StaticString? {
    switch text[token] {
    case UInt8(ascii: "t"): "true"
    case UInt8(ascii: "f"): "false"
    case UInt8(ascii: "n"): "null"
    case UInt8(ascii: "N"): "NaN"
    case UInt8(ascii: "I"): "Infinity"
    case UInt8(ascii: "-") where token + 1 < length && text[token + 1] == UInt8(ascii: "I"):
      "-Infinity"
    default: nil
    }
  }

  func writePlace(_ place: Int, _ what: StaticString, to sink: inout ErrorSink) {
    sink.add("; ")
    sink.add(what)
    sink.add(" at ")
    sink.add(seam.location(of: place, in: text, from: start))
  }

  // MARK: Tokens

  /// Writes a control character, and its escape.
  func writeControl(to sink: inout ErrorSink) {
    guard let byte, !redacts else {
      return sink.add("a control character must be escaped in a string")
    }
    writeFound(to: &sink)
    sink.add(" must be escaped in a string, as ")
    switch byte {
    case 0x08: sink.add("\\b")
    case 0x09: sink.add("\\t")
    case 0x0A: sink.add("\\n")
    case 0x0C: sink.add("\\f")
    case 0x0D: sink.add("\\r")
    default: sink.add(numberOf: Unicode.Scalar(byte))
    }
  }

  func writeLiteral(to sink: inout ErrorSink) {
    // The beginning of the run of letters, digits and signs that contains the place.
    let start = expectation.token ?? offset
    sink.add("expected ")
    writeAccepted(literalAt: start, to: &sink)
    if byte.map({ isLetter($0) }) == true, !redacts {
      sink.add(", found \"")
      var place = start
      while place < min(length, start + 20), isLetter(text[place]) {
        sink.add(Unicode.Scalar(text[place]))
        place += 1
      }
      sink.add(place == start + 20 ? "…\"" : "\"")
    } else {
      writeButFound(to: &sink)
    }
  }

  func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  func writeNumber(to sink: inout ErrorSink) {
    let before = byte(-1)
    switch before {
    case UInt8(ascii: "0") where byte.map({ $0 &- UInt8(ascii: "0") < 10 }) == true:
      sink.add("numbers have no leading zeros")
      writeButFound(to: &sink)
    case _ where isAfterSignOfNumber:
      sink.add("expected a digit after '")
      if let before { sink.add(Unicode.Scalar(before)) }
      sink.add("'")
      writeButFound(to: &sink)
      if before == UInt8(ascii: "-"), !redacts { writeHint(ofWordAt: offset, to: &sink) }
    default:
      sink.add("expected the end of the number")
      writeButFound(to: &sink)
      if byte.map({ $0 | 0x20 == UInt8(ascii: "x") }) == true {
        sink.add(" (numbers are decimal)")
      }
    }
  }

  func writeEscape(to sink: inout ErrorSink) {
    sink.add("expected ")
    sink.add(acceptedEscape)
    writeButFound(to: &sink)
  }
}

extension SyntaxExpectation {
  /// `expected ',' or ']'` and the like.
  func write(to sink: inout ErrorSink) {
    sink.add("expected ")
    sink.add(accepted)
  }

  /// The tokens that may follow the last one, such as `',' or ']'`.
  var accepted: StaticString {
    switch last {
    case .nothing, .colon: "a value"
    case .open: isInObject ? "a quoted key or '}'" : "a value or ']'"
    case .comma where relaxations.contains(.trailingCommas) && depth > 0:
      isInObject ? "a quoted key or '}'" : "a value or ']'"
    case .comma: isInObject ? "a quoted key" : "a value"
    case .key: "':'"
    case .value where depth == 0: "the end of the input"
    case .value: isInObject ? "',' or '}'" : "',' or ']'"
    }
  }
}
