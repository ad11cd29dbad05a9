// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// UUIDs, and their texts in both directions.

public import DecantCore
public import Foundation

extension UUID: JSONDecodable {
  /// A string by RFC 9562 §4: `"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"`.
  public static func decode(_ json: JSON) -> Decoded<UUID> {
    json.parsed("a UUID") { UUID(digits: $0) }
  }

  /// 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12. Foundation takes six times as long.
  init?(digits text: String) {
    var text = text
    guard let number = text.withUTF8({ unsafe hexadecimalNumber($0) }) else { return nil }
    // SAFETY: both are sixteen bytes, of any value.
    let bytes = (number.high.bigEndian, number.low.bigEndian)
    self.init(uuid: unsafe unsafeBitCast(bytes, to: uuid_t.self))
  }
}

extension UUID {
  /// The digits in their groups, in capitals: `uuidString`, for which Foundation takes twenty times as long.
  var digits: String {
    // SAFETY: 36 bytes are written.
    unsafe String(unsafeUninitializedCapacity: 36) { room in
      unsafe withUnsafeBytes(of: uuid) { bytes in
        var end = 0
        for place in 0..<16 {
          if place == 4 || place == 6 || place == 8 || place == 10 {
            unsafe room[end] = UInt8(ascii: "-")
            end += 1
          }
          unsafe room[end] = hexadecimalDigit(bytes[place] >> 4)
          unsafe room[end + 1] = hexadecimalDigit(bytes[place] & 15)
          end += 2
        }
        return end
      }
    }
  }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
}

private func hexadecimalNumber(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
  guard text.count == 36 else { return nil }
  var (high, low): (UInt64, UInt64) = (0, 0)
  var isWrong = false
  for place in 0..<36 {
    let byte = unsafe text[place]
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

package func linkedByUUIDDecode() -> Linked { linked() }
