// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// UUIDs as text, for DecantFoundation and for tables of C.
//
//   f81d4fae-7dec-11d0-a765-00a0c91e6bf6     high 0xf81d4fae7dec11d0, low 0xa76500a0c91e6bf6

/// The number of a UUID's text (RFC 9562 §4): 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12. Nil for any other text.
package func uuidNumber(_ text: Bytes) -> (high: UInt64, low: UInt64)? {
  guard text.count == 36 else { return nil }
  var (high, low): (UInt64, UInt64) = (0, 0)
  var isWrong = false
  for place in 0..<36 {
    let byte = text[place]
    if place == 8 || place == 13 || place == 18 || place == 23 {
      isWrong = isWrong || byte != UInt8(ascii: "-")
      continue
    }
    // No branches: digits and letters come by chance, and a processor guesses wrong a dozen times.
    let decimal = byte &- UInt8(ascii: "0")
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    isWrong = isWrong || (decimal > 9 && letter > 5)
    high = high << 4 | low >> 60
    low = low << 4 | UInt64(decimal <= 9 ? decimal : letter &+ 10)
  }
  return isWrong ? nil : (high, low)
}
