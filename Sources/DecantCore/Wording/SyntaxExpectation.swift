// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the grammar (RFC 8259 §2) allows where a document stops being JSON. The engines report the offset and the code.
// This reads the valid bytes before the offset once more, and remembers only how many brackets are open and what came
// last. A second pass finds the innermost open bracket.
//
//   bytes    { " a " : [ 1   2
//   depth    1         2
//   last     open  key colon  open value       expected ',' or ']', found '2'
//
// Used for errors only, and without allocating.

internal import CDecantIndex

struct SyntaxExpectation {
  /// The last token before the place.
  enum Last {
    case nothing, open, comma, key, colon, value
  }

  var last = Last.nothing
  let relaxations: DecodingOptions.Relaxations
  /// Whether the last token is the first after an open bracket or a comma.
  private var isFirst = false
  /// Open brackets.
  private(set) var depth = 0
  /// The place of the innermost open bracket.
  private(set) var bracket: Int?
  /// Whether that is an object's.
  private(set) var isInObject = false
  /// The beginning of the token that contains the place.
  private(set) var token: Int?

  /// Reads `text` up to `end`. All of it is valid except the token that begins last. There is one exception: where
  /// libjansson's engine refuses a NUL byte, nothing before it was checked, and it may close more brackets than it
  /// opens.
  init(
    before end: Int, in text: Bytes, _ relaxations: DecodingOptions.Relaxations
  ) {
    self.init(before: end, in: text, relaxations, bracketAt: nil)
    // Places by depth would need memory. Now that the depth is known, the last bracket that reached it is looked for.
    if bracket == nil, depth > 0 {
      bracket = SyntaxExpectation(before: end, in: text, relaxations, bracketAt: depth).bracket
    }
    isInObject = bracket.map { text[$0] == UInt8(ascii: "{") } ?? false
    if isInObject, isFirst, last == .value { last = .key }
  }

  /// - Parameter wanted: the depth of the open bracket that is looked for, if it is known.
  private init(
    before end: Int, in text: Bytes, _ relaxations: DecodingOptions.Relaxations,
    bracketAt wanted: Int?
  ) {
    self.relaxations = relaxations
    // Valid bytes begin with 0xEF in a byte order mark only.
    var place =
      relaxations.contains(.byteOrderMark) && end > 2 && text[0] == 0xEF
      ? 3 : 0
    while place < end {
      let byte = text[place]
      switch byte {
      case _ where decant_is_white(byte): place += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        last = .open
        if wanted == nil || depth == wanted { bracket = place }
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        if wanted == nil { bracket = nil }
        (isFirst, last) = (false, .value)
        place += 1
      case UInt8(ascii: ","):
        last = .comma
        place += 1
      case UInt8(ascii: ":"):
        last = .colon
        place += 1
      case UInt8(ascii: "/") where relaxations.contains(.comments):
        place = text.end(ofCommentAt: place, before: end)
      default:
        let after = Self.end(ofTokenAt: place, in: text, before: end)
        if after > end { token = place }
        isFirst = last == .open || last == .comma
        last = .value
        place = after
      }
    }
  }

  /// The end of a string, or of a run of visible bytes; beyond `end` if that cuts it.
  static func end(
    ofTokenAt start: Int, in text: Bytes, before end: Int
  ) -> Int {
    var place = start + 1
    if text[start] == UInt8(ascii: "\"") {
      while place < end {
        let byte = text[place]
        if byte == UInt8(ascii: "\"") { return place + 1 }
        place += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      return .max
    }
    while place < end {
      switch text[place] {
      case let byte where decant_is_white(byte): return place
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\""):
        return place
      default: place += 1
      }
    }
    return .max
  }
}
