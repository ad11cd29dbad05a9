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
    // SAFETY: the text is read while it is there.
    let read = text.withUTF8 { unsafe uuidNumber(Bytes($0.baseAddress, $0.count)) }
    guard let number = read else { return nil }
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

package func linkedByUUIDDecode() -> Linked { linked() }
