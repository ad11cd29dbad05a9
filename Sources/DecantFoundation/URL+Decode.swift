// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import DecantCore
public import Foundation

extension URL: JSONDecodable {
  /// A string that is a URL as it is (RFC 3986): nothing is escaped to make it one. A relative one is
  /// a URL too; `JSONConversion.absoluteURL` is stricter.
  public static func decode(_ json: JSON) -> Decoded<URL> {
    guard let text = json.string else {
      return .failure(.mismatch(expected: "a URL", in: json))
    }
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      return .failure(.mismatch(.invalidValue, expected: "a URL", in: json))
    }
    return .success(url)
  }
}

extension JSONConversion where Value == URL {
  /// A URL with a scheme: `"https://example.com/1"`, not `"1"`.
  public static var absoluteURL: JSONConversion {
    .string("a URL with a scheme") { text in
      URL(string: text, encodingInvalidCharacters: false).flatMap { $0.scheme == nil ? nil : $0 }
    }
  }
}

extension UUID: JSONDecodable {
  /// A string by RFC 9562 §4: `"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"`.
  public static func decode(_ json: JSON) -> Decoded<UUID> {
    guard let text = json.string else {
      return .failure(.mismatch(expected: "a UUID", in: json))
    }
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else {
      return .failure(.mismatch(.invalidValue, expected: "a UUID", in: json))
    }
    return .success(uuid)
  }
}
