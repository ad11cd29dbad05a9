// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Text that is still in the document or in a table, read in place, character by character.

internal import CDecantIndex

/// The characters of UTF-8 text, or of a JSON string between its quotes, escapes undone. Bytes that are not
/// UTF-8, which only a table can have, are replacement characters.
@usableFromInline
package struct ScalarReader {
  private let bytes: Bytes
  private let isEscaped: Bool
  private var place = 0

  @usableFromInline
  package init(_ bytes: Bytes, isEscaped: Bool = false) {
    self.bytes = bytes
    self.isEscaped = isEscaped
  }

  @usableFromInline @inline(never)
  package mutating func next() -> Unicode.Scalar? {
    if place >= bytes.count { return nil }
    let lead = bytes[place]
    if isEscaped, lead == UInt8(ascii: "\\") { return escape() }
    if lead < 0x80 {
      place += 1
      return Unicode.Scalar(lead)
    }
    let (scalar, length) = decodedScalar(at: place, in: bytes)
    place += length
    return scalar ?? "\u{FFFD}"
  }

  var isAtEnd: Bool { place >= bytes.count }

  /// The printable ASCII that comes next and needs no escape undone, nor made in a token of a JSON Pointer.
  mutating func nextRun(isToken: Bool = false) -> Bytes {
    let start = place
    // Whoever cuts the text reads no more of it than that.
    let end = min(bytes.count, start + 256)
    while place < end {
      let byte = bytes[place]
      if byte &- 0x20 >= 0x5F || isEscaped && byte == UInt8(ascii: "\\") { break }
      if isToken, byte == UInt8(ascii: "~") || byte == UInt8(ascii: "/") { break }
      place += 1
    }
    return bytes[start..<place]
  }

  /// The bytes that are left, if they are the characters; nil if there may be escapes.
  var unescaped: Bytes? { isEscaped ? nil : bytes[place..<bytes.count] }

  /// Whether the characters that are left begin with a literal of ASCII.
  @usableFromInline
  package func starts(with words: StaticString) -> Bool {
    var rest = self
    let bytes = words.bytes
    for place in 0..<bytes.count {
      guard rest.next()?.value == UInt32(bytes[place]) else { return false }
    }
    return true
  }

  /// Bytes of all the characters that are left.
  package var utf8Count: Int {
    var scalars = self
    var count = 0
    while let scalar = scalars.next() { count += UTF8.width(scalar) }
    return count
  }

  private mutating func escape() -> Unicode.Scalar {
    var scalar: UInt32 = 0
    // SAFETY: a document was checked, and a closing quote follows its strings.
    place += unsafe decant_read_escape(bytes.start.unsafelyUnwrapped + place, &scalar)
    return Unicode.Scalar(scalar) ?? "\u{FFFD}"
  }
}

/// The scalar at a place, or nil if the bytes there are not UTF-8 (Unicode, table 3-7), and how many bytes
/// it takes: 1 if they are not.
@inline(never)
package func decodedScalar(
  at place: Int, in text: Bytes
) -> (scalar: Unicode.Scalar?, length: Int) {
  let lead = text[place]
  if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
  // SAFETY: the place is one of the text's.
  let length = unsafe decant_utf8_length(text.start.unsafelyUnwrapped, place, text.count)
  guard length > 0, place + length <= text.count else { return (nil, 1) }
  var value = UInt32(lead) & (0x7F >> UInt32(length))
  for step in 1..<length { value = value << 6 | UInt32(text[place + step] & 0x3F) }
  return (Unicode.Scalar(value), length)
}
