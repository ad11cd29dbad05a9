// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The inverses of this module's conversions.

public import DecantCore
public import Foundation

extension JSONInverse where Value == Date {
  /// A string by RFC 3339.
  public static var rfc3339: JSONInverse { .value }
  /// The seconds since 1970.
  public static var epochSeconds: JSONInverse {
    JSONInverse { $1.value($0.timeIntervalSince1970) }
  }
  /// The milliseconds since 1970.
  public static var epochMilliseconds: JSONInverse {
    JSONInverse { $1.value($0.timeIntervalSince1970 * 1000) }
  }
}

extension JSONInverse where Value == Data {
  /// A string by base64.
  public static var base64: JSONInverse { .value }
  /// A string by base64url, without padding.
  public static var base64URL: JSONInverse {
    JSONInverse { data, json in
      let text = data.base64EncodedString()
      json.value(
        String(text.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 }))
    }
  }
}

extension JSONInverse where Value == URL {
  /// The URL's text.
  public static var absoluteURL: JSONInverse { .value }
}

package func linkedByInverses() -> Linked { linked() }
