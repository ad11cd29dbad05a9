// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Binary data in strings: UUIDs, and base64 (RFC 4648 §4, with padding, and without nonzero unused bits).

internal import CDecant
internal import CDecantIndex
internal import DecantCore

func storeUUID(_ json: JSON, to place: Memory) -> Status {
  withBytes(of: json) { text in
    guard let number = uuidNumber(text) else { return invalidValue }
    place.store(number.high.bigEndian)
    place.store(number.low.bigEndian, at: 8)
    return ok
  }
}

/// Stores as many bytes as the field has; without a place, says whether that can be done.
func storeFixedBase64(_ json: JSON, _ field: FieldRef, to place: Memory?) -> Status {
  withBytes(of: json) { text in
    guard let count = Base64.count(text), count == field.capacity else { return invalidValue }
    if let place { Base64.decode(text, to: place) }
    return ok
  }
}

enum Base64 {
  /// How many bytes a text spells; nil if it is not base64.
  static func count(_ text: Bytes) -> Int? {
    let length = text.count
    guard length.isMultiple(of: 4) else { return nil }
    if length == 0 { return 0 }
    let padding = text[length - 1] != equals ? 0 : text[length - 2] != equals ? 1 : 2
    let digits = length - padding
    for place in 0..<digits where digit(text[place]) > 63 { return nil }
    // The bits of the last digit that belong to no byte.
    let rest = padding == 0 ? 0 : digit(text[digits - 1]) & (padding == 1 ? 3 : 15)
    return rest == 0 ? length / 4 * 3 - padding : nil
  }

  /// Writes the bytes of a text that is base64, which may be in the same place.
  static func decode(_ text: Bytes, to place: Memory) {
    var end = 0
    for first in stride(from: 0, to: text.count, by: 4) {
      var group: UInt32 = 0
      var digits = 0
      while digits < 4, text[first + digits] != equals {
        group |= digit(text[first + digits]) << UInt32(18 - 6 * digits)
        digits += 1
      }
      for byte in 0..<(digits - 1) {
        place.store(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * byte)), at: end)
        end += 1
      }
    }
  }

  /// Writes bytes as text.
  static func write(_ bytes: Bytes, to text: inout BoundedText) {
    for first in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - first)
      var group: UInt32 = 0
      for byte in 0..<count { group |= UInt32(bytes[first + byte]) << UInt32(16 - 8 * byte) }
      for digit in 0..<4 {
        let value = Int(group >> UInt32(18 - 6 * digit) & 63)
        text.add(digit > count ? equals : alphabet[value])
      }
    }
  }

  private static var equals: UInt8 { UInt8(ascii: "=") }

  private static var alphabet: Bytes {
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" as StaticString).bytes
  }

  /// The six bits of a digit; more than 63 for other bytes.
  private static func digit(_ byte: UInt8) -> UInt32 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: 64
    }
  }
}

extension BoundedText {
  /// Adds the text of a UUID's bytes.
  mutating func add(uuid bytes: Bytes) {
    for place in 0..<16 {
      if place == 4 || place == 6 || place == 8 || place == 10 { add(UInt8(ascii: "-")) }
      add(hexadecimalDigit(bytes[place] >> 4))
      add(hexadecimalDigit(bytes[place] & 15))
    }
  }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
}
