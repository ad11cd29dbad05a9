// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Data as a value, a string of base64; and as the bytes of a document.

public import DecantCore
public import Foundation

extension Data: JSONDecodable {
  /// A string of base64 (RFC 4648 §4), padded, without line breaks.
  public static func decode(_ json: JSON) -> Decoded<Data> {
    json.parsed("base64", parsed)
  }

  /// Foundation also takes any number of `=`, and one before the last digit.
  fileprivate static func parsed(_ base64: String) -> Data? {
    let (digits, mark) = (base64.utf8, UInt8(ascii: "="))
    guard digits.count.isMultiple(of: 4), !base64.hasSuffix("==="),
      digits.last == mark || digits.suffix(2).first != mark
    else { return nil }
    return Data(base64Encoded: base64)
  }
}

extension JSONConversion where Value == Data {
  /// A string of base64 (RFC 4648 §4), padded, without line breaks.
  public static var base64: JSONConversion { .value }

  /// A string of base64url (RFC 4648 §5), padded or not.
  public static var base64URL: JSONConversion {
    JSONConversion { json in
      json.parsed("base64url") { text in
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") })
        else { return nil }
        var base64 = text.replacingOccurrences(of: "-", with: "+")
          .replacingOccurrences(of: "_", with: "/")
        if !base64.hasSuffix("=") {
          base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        }
        return Data.parsed(base64)
      }
    }
  }
}

extension Data: JSONBytes {
  /// Calls `body` with the bytes, which are borrowed for the call.
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes { unsafe body($0) }
  }
}

package func linkedByDataDecode() -> Linked { linked() }
