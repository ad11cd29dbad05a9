// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Text that is still in the document or in a table, read in place, character by character.

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

  private func byte(_ offset: Int) -> UInt8 {
    place + offset < bytes.count ? bytes[place + offset] : 0
  }

  @usableFromInline @inline(never)
  package mutating func next() -> Unicode.Scalar? {
    if place >= bytes.count { return nil }
    let lead = byte(0)
    if isEscaped, lead == UInt8(ascii: "\\") { return escape() }
    if lead < 0x80 {
      place += 1
      return Unicode.Scalar(lead)
    }
    let count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    var value = UInt32(lead) & (0x7F >> UInt32(count))
    for offset in 1..<count {
      let next = byte(offset)
      if lead < 0xC2 || lead > 0xF4 || next & 0xC0 != 0x80 {
        place += 1
        return "\u{FFFD}"
      }
      value = value << 6 | UInt32(next & 0x3F)
    }
    let least: UInt32 = count == 4 ? 0x1_0000 : count == 3 ? 0x800 : 0x80
    guard value >= least, let scalar = Unicode.Scalar(value) else {
      place += 1
      return "\u{FFFD}"
    }
    place += count
    return scalar
  }

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
    while let scalar = scalars.next() {
      let value = scalar.value
      count += value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x1_0000 ? 3 : 4
    }
    return count
  }

  private mutating func escape() -> Unicode.Scalar {
    let letter = byte(1)
    place += 2
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return Unicode.Scalar(letter)
    }
    var value = unit()
    if value & 0xFC00 == 0xD800, byte(0) == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
      var rest = self
      rest.place += 2
      let low = rest.unit()
      // Otherwise it is alone, where the rules allow that.
      if low & 0xFC00 == 0xDC00 {
        self = rest
        value = 0x1_0000 + (value & 0x3FF) << 10 + low & 0x3FF
      }
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func unit() -> UInt32 {
    var value: UInt32 = 0
    for offset in 0..<4 {
      let digit = UInt32(byte(offset))
      value = value << 4 | (digit < 0x40 ? digit & 0xF : (digit & 0x7) + 9)
    }
    place += 4
    return value
  }
}
