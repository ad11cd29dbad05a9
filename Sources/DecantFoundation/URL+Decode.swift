// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// URLs as values: strings that are valid without escaping.

public import DecantCore
public import Foundation

extension URL: JSONDecodable {
  /// A string that is a valid URL (RFC 3986) without further escaping. It may be relative;
  /// `JSONConversion.absoluteURL` is stricter.
  public static func decode(_ json: JSON) -> Decoded<URL> {
    json.parsed("a URL") { URL(unescaped: $0) }
  }
}

extension JSONConversion where Value == URL {
  /// A URL with a scheme: `"https://example.com/1"`, not `"1"`.
  public static var absoluteURL: JSONConversion {
    .string("a URL with a scheme") { text in
      // The scheme of ":" is "".
      URL(unescaped: text).flatMap {
        $0.scheme?.isEmpty == false ? $0 : nil
      }
    }
  }
}

extension URL {
  fileprivate init?(unescaped text: String) {
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) {
      self.init(string: text, encodingInvalidCharacters: false)
    } else {
      // Escapes nothing there.
      self.init(string: text)
    }
  }
}

package func linkedByURLDecode() -> Linked { linked() }
