// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Dates. JSON has none, and services spell them in many ways, so a field names a conversion; the default is RFC 3339.

public import DecantCore
public import Foundation

extension Date: JSONDecodable {
  /// A string by RFC 3339, such as `"2024-02-29T12:30:00Z"`, with or without a fraction.
  public static func decode(_ json: JSON) -> Decoded<Date> {
    JSONTimestamp.decode(json).map(Date.init)
  }

  /// The date of an instant, as exact as a Date can be.
  public init(_ timestamp: JSONTimestamp) {
    // Seconds since 2001 are a Date's own count; its Double is finest there.
    self.init(
      timeIntervalSinceReferenceDate: Double(timestamp.seconds) - 978_307_200
        + Double(timestamp.nanoseconds) / 1e9)
  }
}

extension JSONConversion where Value == Date {
  /// A string by RFC 3339, with or without a fraction: `"2024-02-29T12:30:00.125+01:00"`.
  public static var rfc3339: JSONConversion { .value }

  /// A number of seconds since 1970, with or without a fraction: `1709209800.5`.
  public static var epochSeconds: JSONConversion {
    JSONConversion { seconds($0, per: 1, "seconds since 1970") }
  }

  /// A number of milliseconds since 1970: `1709209800500`.
  public static var epochMilliseconds: JSONConversion {
    JSONConversion { seconds($0, per: 1000, "milliseconds since 1970") }
  }

  /// A string that one of Foundation's strategies parses.
  ///
  ///     let time = Date.ISO8601FormatStyle()
  ///     json.convert("born", using: .parsed(by: time, "a time such as 2024-02-29T12:30:00Z"))
  ///
  /// The strategy decides which texts are dates. Foundation's strategies read 30 February as 1 March, as
  /// `JSONDecoder` does with `.iso8601`, and may ignore text after the date; ``rfc3339`` does neither. To accept
  /// only the style's own spelling, compare:
  ///
  ///     let day = Date.ISO8601FormatStyle().year().month().day()
  ///     json.convert("born", using: .string("a day such as 2024-02-29") { text in
  ///       (try? day.parse(text)).flatMap { day.format($0) == text ? $0 : nil }
  ///     })
  public static func parsed<Strategy: ParseStrategy & Sendable & SendableMetatype>(
    by strategy: Strategy, _ expected: StaticString
  ) -> JSONConversion where Strategy.ParseInput == String, Strategy.ParseOutput == Date {
    .string(expected) { try? strategy.parse($0) }
  }
}

private func seconds(
  _ json: JSON, per unit: Double, _ expected: StaticString
) -> Decoded<Date> {
  // Numbers beyond Double are no moment, nor are NaN and the infinities, which a relaxation allows.
  guard let count = json.double, count.isFinite else {
    let code: DecodeError.Code = json.kind == .number ? .invalidValue : .typeMismatch
    return .failure(.mismatch(code, expected: expected, in: json))
  }
  return .success(Date(timeIntervalSince1970: count / unit))
}

package func linkedByDateDecode() -> Linked { linked() }
