// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the grammar (RFC 8259 §2) allows where a document stops being JSON. The engines report the offset and the code.
// This reads the valid bytes before the offset once more, and remembers only which brackets are open and what came last.
//
//   bytes    { " a " : [ 1   2
//   open     {         [
//   last     open  key colon  open value       expected ',' or ']', found '2'
//
// Used for errors only, and without allocating: the kinds of the outermost 4096 open brackets are known.

internal import CDecantIndex

package struct SyntaxExpectation {
  /// The last token before the place.
  package enum Last {
    case nothing, open, comma, key, colon, value
  }

  var last = Last.nothing
  let relaxations: DecodingOptions.Relaxations
  /// Open brackets, and whether each is an object.
  private(set) var depth = 0
  private var objects: [64 of UInt64] = .init(repeating: 0)
  /// Where the innermost open bracket is, if it is known.
  private(set) var bracket: Int?
  /// Where the token that the place is inside begins.
  private(set) var token: Int?

  var isInObject: Bool {
    guard depth > 0, depth <= 4096 else { return false }
    return objects[(depth - 1) / 64] >> UInt64((depth - 1) % 64) & 1 == 1
  }

  /// Reads `text` up to `end`. All of it is valid except the token that begins last. There is one exception: where
  /// libjansson's engine refuses a NUL byte, nothing before it was checked, and it may close more brackets than it
  /// opens.
  package init(
    before end: Int, in text: Bytes, _ relaxations: DecodingOptions.Relaxations
  ) {
    self.init(before: end, in: text, relaxations, bracketAt: nil)
    // Places by depth would need memory. Now that the depth is known, the last bracket that reached it is looked for.
    if bracket == nil, depth > 0 {
      bracket = SyntaxExpectation(before: end, in: text, relaxations, bracketAt: depth).bracket
    }
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
        open(isObject: byte == UInt8(ascii: "{"))
        if wanted == nil || depth == wanted { bracket = place }
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        if wanted == nil { bracket = nil }
        last = .value
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
        last = isInObject && (last == .open || last == .comma) ? .key : .value
        place = after
      }
    }
  }

  private mutating func open(isObject: Bool) {
    if depth < 4096 {
      let bit = UInt64(1) << UInt64(depth % 64)
      objects[depth / 64] = isObject ? objects[depth / 64] | bit : objects[depth / 64] & ~bit
    }
    depth += 1
    last = .open
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
