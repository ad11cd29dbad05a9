// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What may stand where a document stops being JSON. The engines say where and by which code; this reads the
// valid bytes before that place once more, keeping only which brackets are open and what came last, and
// says what the grammar (RFC 8259 §2) would have allowed next.
//
//   bytes    { " a " : [ 1   2
//   open     {         [
//   last     open  key colon  open value       expected ',' or ']', found '2'
//
// Read for errors only, and without memory of its own: of the open brackets the outermost 4096 are known.

@usableFromInline
package struct SyntaxExpectation {
  /// What stands last before the place.
  @usableFromInline
  enum Last {
    case nothing, open, comma, key, colon, value
  }

  @usableFromInline var last = Last.nothing
  @usableFromInline let relaxations: DecodingOptions.Relaxations
  /// Open brackets, and whether each is an object.
  @usableFromInline private(set) var depth = 0
  private var objects: [64 of UInt64] = .init(repeating: 0)
  /// Where the innermost open bracket stands, if it is known.
  @usableFromInline private(set) var bracket: Int?
  /// Where the token that the place is inside begins.
  @usableFromInline private(set) var token: Int?

  @usableFromInline
  var isInObject: Bool {
    guard depth > 0, depth <= 4096 else { return false }
    return objects[(depth - 1) / 64] >> UInt64((depth - 1) % 64) & 1 == 1
  }

  /// Reads `text` up to `end`: all of it is valid but for what begins last. Only where libjansson's engine
  /// refuses a NUL byte has nobody read what is before it, which may close more brackets than it opens.
  // SAFETY: `end` is at most the text's length, and nothing from there on is read.
  @unsafe @usableFromInline
  package init(
    before end: Int, in text: UnsafeRawBufferPointer, _ relaxations: DecodingOptions.Relaxations
  ) {
    self.relaxations = relaxations
    // Valid bytes begin with 0xEF in a byte order mark only.
    var place =
      unsafe relaxations.contains(.byteOrderMark) && end > 2 && text[0] == 0xEF
      ? 3 : 0
    while place < end {
      let byte = unsafe text[place]
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: place += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open(isObject: byte == UInt8(ascii: "{"), at: place)
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        bracket = nil
        last = .value
        place += 1
      case UInt8(ascii: ","):
        last = .comma
        place += 1
      case UInt8(ascii: ":"):
        last = .colon
        place += 1
      case UInt8(ascii: "/") where relaxations.contains(.comments):
        place = unsafe Self.end(ofCommentAt: place, in: text, before: end)
      default:
        let after = unsafe Self.end(ofTokenAt: place, in: text, before: end)
        if after > end { token = place }
        last = isInObject && (last == .open || last == .comma) ? .key : .value
        place = after
      }
    }
    if bracket == nil, depth > 0 {
      bracket = unsafe Self.openBracket(
        before: end, in: text, hasComments: relaxations.contains(.comments))
    }
  }

  private mutating func open(isObject: Bool, at place: Int) {
    if depth < 4096 {
      let bit = UInt64(1) << UInt64(depth % 64)
      objects[depth / 64] = isObject ? objects[depth / 64] | bit : objects[depth / 64] & ~bit
    }
    depth += 1
    bracket = place
    last = .open
  }

  /// The end of a string, or of a run of visible bytes; beyond `end` if that cuts it.
  @unsafe
  private static func end(
    ofTokenAt start: Int, in text: UnsafeRawBufferPointer, before end: Int
  ) -> Int {
    var place = start + 1
    if unsafe text[start] == UInt8(ascii: "\"") {
      while place < end {
        let byte = unsafe text[place]
        if byte == UInt8(ascii: "\"") { return place + 1 }
        place += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      return .max
    }
    while place < end {
      switch unsafe text[place] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""):
        return place
      default: place += 1
      }
    }
    return .max
  }

  /// The end of a comment; beyond `end` if that cuts it, but for the end of the input behind `//`.
  @unsafe
  private static func end(
    ofCommentAt start: Int, in text: UnsafeRawBufferPointer, before end: Int
  ) -> Int {
    var place = start + 1
    guard place < end else { return .max }
    if unsafe text[place] == UInt8(ascii: "/") {
      while place < end, unsafe text[place] != UInt8(ascii: "\n") && text[place] != 0x0D {
        place += 1
      }
      return place
    }
    place += 1
    while place + 1 < end {
      if unsafe text[place] == UInt8(ascii: "*") && text[place + 1] == UInt8(ascii: "/") {
        return place + 2
      }
      place += 1
    }
    return .max
  }

  /// Where the innermost bracket opens that is still open at `end`: a second reading, which counts down.
  @unsafe
  private static func openBracket(
    before end: Int, in text: UnsafeRawBufferPointer, hasComments: Bool
  ) -> Int? {
    // Places by depth would need memory; so the depth at the end is counted first, and then the last
    // bracket that reached it is looked for.
    var depth = 0
    unsafe forEachBracket(before: end, in: text, hasComments) { _, isOpening in
      depth += isOpening ? 1 : -1
    }
    let wanted = depth
    depth = 0
    var found: Int?
    unsafe forEachBracket(before: end, in: text, hasComments) { place, isOpening in
      depth += isOpening ? 1 : -1
      if isOpening, depth == wanted { found = place }
    }
    return found
  }

  @unsafe
  private static func forEachBracket(
    before end: Int, in text: UnsafeRawBufferPointer, _ hasComments: Bool,
    _ body: (Int, Bool) -> Void
  ) {
    var place = 0
    while place < end {
      let byte = unsafe text[place]
      if byte == UInt8(ascii: "\"") {
        place = unsafe self.end(ofTokenAt: place, in: text, before: end)
        continue
      }
      if hasComments, byte == UInt8(ascii: "/") {
        place = unsafe self.end(ofCommentAt: place, in: text, before: end)
        continue
      }
      if byte | 0x20 == UInt8(ascii: "{") { body(place, true) }
      if byte | 0x20 == UInt8(ascii: "}") { body(place, false) }
      place += 1
    }
  }
}

// MARK: - In words

/// Says what is wrong with a document at `offset`, in one line.
// SAFETY: the text is there for the call, and `offset` at most its length.
@unsafe @inlinable
package func writeSyntaxMessage(
  _ code: Int32, at offset: Int, in text: UnsafeRawBufferPointer,
  _ relaxations: DecodingOptions.Relaxations, redacts: Bool, to sink: inout some ErrorSink
) {
  let writer = unsafe SyntaxMessage(
    code: code, offset: offset, text: text, relaxations: relaxations, redacts: redacts)
  writer.write(to: &sink)
}

@safe @usableFromInline
struct SyntaxMessage {
  @usableFromInline let code: Int32
  @usableFromInline let offset: Int
  // SAFETY: the caller's, for the call.
  @usableFromInline let text: UnsafeRawBufferPointer
  @usableFromInline let relaxations: DecodingOptions.Relaxations
  @usableFromInline let redacts: Bool

  @unsafe @usableFromInline
  init(
    code: Int32, offset: Int, text: UnsafeRawBufferPointer,
    relaxations: DecodingOptions.Relaxations, redacts: Bool
  ) {
    self.relaxations = relaxations
    self.code = code
    self.offset = offset
    unsafe self.text = unsafe text
    self.redacts = redacts
  }

  @usableFromInline
  var length: Int { unsafe text.count }

  @usableFromInline
  var byte: UInt8? { offset < length ? unsafe text[offset] : nil }

  @usableFromInline
  func byte(_ distance: Int) -> UInt8? {
    let place = offset + distance
    return place >= 0 && place < length ? unsafe text[place] : nil
  }

  @inlinable
  func write(to sink: inout some ErrorSink) {
    switch DecodeError.Code(rawValue: code) {
    case .unexpectedByte: writeExpectation(to: &sink)
    case .unexpectedEnd: writeEnd(to: &sink)
    case .invalidLiteral: writeLiteral(to: &sink)
    case .invalidNumber: writeNumber(to: &sink)
    case .controlCharacter:
      if !redacts {
        writeFound(to: &sink)
        sink.add(" must be escaped in a string")
      } else {
        sink.add("a control character must be escaped in a string")
      }
      writeSpelling(to: &sink)
    case .invalidEscape: writeEscape(to: &sink)
    case .loneSurrogate:
      sink.add("half of a surrogate pair: \\ud800 to \\udbff need \\udc00 to \\udfff behind them")
    case .invalidUTF8:
      sink.add("not UTF-8")
      if !redacts, byte != nil {
        sink.add(": ")
        writeFound(to: &sink)
      }
    case .trailingBytes:
      sink.add("expected the end of the input")
      writeButFound(to: &sink)
    case .byteOrderMark:
      sink.add("the input begins with a byte order mark")
      if byte != 0xEF { sink.add(", and is not UTF-8") }
    default: sink.add("the input is not JSON")
    }
  }

  // MARK: Found

  @inlinable
  func writeFound(to sink: inout some ErrorSink) {
    if let byte {
      let (scalar, size) = unsafe decodedScalar(at: offset, in: text)
      if let scalar, size > 1, !scalar.isTreacherous {
        sink.add("'")
        sink.add(scalar)
        sink.add("'")
      } else {
        sink.add(byte: byte)
      }
    } else {
      sink.add("the end of the input")
    }
  }

  @inlinable
  func writeButFound(to sink: inout some ErrorSink) {
    if byte != nil && redacts { return }
    sink.add(", found ")
    writeFound(to: &sink)
  }

  // MARK: Grammar

  @inlinable
  func writeExpectation(to sink: inout some ErrorSink) {
    let expectation = unsafe SyntaxExpectation(before: offset, in: text, relaxations)
    expectation.write(to: &sink)
    writeButFound(to: &sink)
    if !redacts { writeHint(expectation.last, to: &sink) }
  }

  /// The mistake that is most often behind a byte.
  @inlinable
  func writeHint(_ last: SyntaxExpectation.Last, to sink: inout some ErrorSink) {
    let wantsValue = last != .value && last != .key
    let hasComments = relaxations.contains(.comments)
    switch byte {
    case UInt8(ascii: "#"): sink.add(" (JSON has no comments)")
    case UInt8(ascii: "/") where !hasComments: sink.add(" (JSON has no comments)")
    case UInt8(ascii: "]") where last == .comma, UInt8(ascii: "}") where last == .comma,
      UInt8(ascii: ",") where last == .comma:
      sink.add(" (one comma too many)")
    case UInt8(ascii: "'") where wantsValue: sink.add(" (strings stand in double quotes)")
    case UInt8(ascii: "N") where wantsValue, UInt8(ascii: "I") where wantsValue:
      if byte(1) == UInt8(ascii: "a") || byte(1) == UInt8(ascii: "n") {
        sink.add(" (JSON has no NaN and no Infinity)")
      } else if byte(1) == UInt8(ascii: "o") || byte(1) == UInt8(ascii: "U") {
        sink.add(" (null is written in small letters)")
      }
    case UInt8(ascii: "T") where wantsValue, UInt8(ascii: "F") where wantsValue:
      sink.add(" (true and false are written in small letters)")
    case UInt8(ascii: "+") where wantsValue: sink.add(" (numbers have no plus sign)")
    case UInt8(ascii: ".") where wantsValue: sink.add(" (numbers begin with a digit)")
    case UInt8(ascii: "=") where last == .key: sink.add(" (a colon stands before a value)")
    default: break
    }
  }

  @inlinable
  func writeEnd(to sink: inout some ErrorSink) {
    let expectation = unsafe SyntaxExpectation(before: offset, in: text, relaxations)
    if let token = expectation.token {
      if unsafe text[token] == UInt8(ascii: "\"") {
        sink.add("the input ends inside a string")
        return writePlace(token, "it begins", to: &sink)
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

  /// What a number or literal that the input's end cuts still needs; nil if nothing.
  @usableFromInline
  func missingPart(of token: Int) -> StaticString? {
    switch unsafe text[token] {
    case UInt8(ascii: "t"): length - token < 4 ? "true" : nil
    case UInt8(ascii: "f"): length - token < 5 ? "false" : nil
    case UInt8(ascii: "n"): length - token < 4 ? "null" : nil
    case UInt8(ascii: "N"): length - token < 3 ? "NaN" : nil
    case UInt8(ascii: "I"): length - token < 8 ? "Infinity" : nil
    default: unsafe text[length - 1] &- UInt8(ascii: "0") < 10 ? nil : "a digit"
    }
  }

  @inlinable
  func writePlace(_ place: Int, _ what: StaticString, to sink: inout some ErrorSink) {
    var lines = unsafe LineCounter(text)
    let location = lines.location(of: place)
    sink.add("; ")
    sink.add(what)
    sink.add(" at ")
    sink.add(location.line)
    sink.add(":")
    sink.add(location.column)
  }

  // MARK: Tokens

  /// Where the run of letters, digits and signs begins that the place continues.
  @usableFromInline
  var tokenStart: Int {
    unsafe SyntaxExpectation(before: offset, in: text, relaxations).token ?? offset
  }

  @inlinable
  func writeLiteral(to sink: inout some ErrorSink) {
    let start = tokenStart
    let spelling: StaticString
    switch unsafe text[start] {
    case UInt8(ascii: "t"): spelling = "true"
    case UInt8(ascii: "f"): spelling = "false"
    default: spelling = "null"
    }
    if offset - start >= spelling.utf8CodeUnitCount {
      sink.add("expected nothing more after ")
    } else {
      sink.add("expected ")
    }
    sink.add(spelling)
    if byte.map({ isLetter($0) }) == true, !redacts {
      sink.add(", found \"")
      var place = start
      while place < min(length, start + 20), unsafe isLetter(text[place]) {
        unsafe sink.add(Unicode.Scalar(text[place]))
        place += 1
      }
      sink.add(place == start + 20 ? "…\"" : "\"")
    } else {
      writeButFound(to: &sink)
    }
  }

  @usableFromInline
  func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  @inlinable
  func writeNumber(to sink: inout some ErrorSink) {
    let before = byte(-1)
    switch before {
    case UInt8(ascii: "0") where byte.map({ $0 &- UInt8(ascii: "0") < 10 }) == true:
      sink.add("a number has no leading zeros")
      writeButFound(to: &sink)
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      sink.add("expected a digit after '")
      if let before { sink.add(Unicode.Scalar(before)) }
      sink.add("'")
      writeButFound(to: &sink)
      if before == UInt8(ascii: "-"), byte == UInt8(ascii: "I") || byte == UInt8(ascii: "N") {
        sink.add(" (JSON has no NaN and no Infinity)")
      }
    default:
      sink.add("expected the end of the number")
      writeButFound(to: &sink)
      if byte.map({ $0 | 0x20 == UInt8(ascii: "x") }) == true {
        sink.add(" (numbers are decimal)")
      }
    }
  }

  @inlinable
  func writeSpelling(to sink: inout some ErrorSink) {
    guard let byte, !redacts else { return }
    sink.add(", as ")
    switch byte {
    case 0x08: sink.add("\\b")
    case 0x09: sink.add("\\t")
    case 0x0A: sink.add("\\n")
    case 0x0C: sink.add("\\f")
    case 0x0D: sink.add("\\r")
    default:
      sink.add("\\u")
      sink.add(hexadecimal: UInt32(byte), digits: 4)
    }
  }

  @inlinable
  func writeEscape(to sink: inout some ErrorSink) {
    if byte(-1) == UInt8(ascii: "\\") {
      sink.add("expected one of \" \\ / b f n r t u after '\\'")
    } else {
      sink.add("expected four hexadecimal digits after \\u")
    }
    writeButFound(to: &sink)
  }
}

extension SyntaxExpectation {
  /// `expected ',' or ']'` and the like.
  @inlinable
  func write(to sink: inout some ErrorSink) {
    switch last {
    case .nothing: sink.add("expected a value")
    case .open: sink.add(isInObject ? "expected a quoted key or '}'" : "expected a value or ']'")
    case .comma where relaxations.contains(.trailingCommas) && depth > 0:
      sink.add(isInObject ? "expected a quoted key or '}'" : "expected a value or ']'")
    case .comma: sink.add(isInObject ? "expected a quoted key" : "expected a value")
    case .key: sink.add("expected ':'")
    case .colon: sink.add("expected a value")
    case .value: sink.add(isInObject ? "expected ',' or '}'" : "expected ',' or ']'")
    }
  }
}
