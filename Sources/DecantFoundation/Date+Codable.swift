// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Dates by strategy. The usual form of RFC 3339 is read by Decant, every other by Foundation, which takes
// some 20 times as long.
//
//   2026-03-01T12:30:00Z     20 bytes, UTC, since the Gregorian reform: read here

public import DecantCodable
internal import DecantCore
public import Foundation

extension DecantDecoder {
  /// How dates are written.
  public enum DateDecodingStrategy: Sendable {
    /// As `Date` decodes itself: seconds since 2001.
    case deferredToDate
    case secondsSince1970
    case millisecondsSince1970
    /// RFC 3339, such as `2026-03-01T12:30:00Z`.
    case iso8601
    case formatted(DateFormatter)
    @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
  }

  /// How dates are written; by default as `Date` itself does.
  public var dateDecodingStrategy: DateDecodingStrategy {
    get { state.setting { $0.dates as? DateDecodingStrategy } ?? .deferredToDate }
    set { state.set { $0.dates = newValue } }
  }
}

extension Date: StrategyDecodable {
  package static func decode(by decoder: ValueDecoder) throws -> Date {
    // Null is never handed to a strategy.
    if decoder.decodeNil() { throw decoder.failure(Date.self, decoder.node, decoder.codingPath) }
    switch decoder.context.settings.dates as? DecantDecoder.DateDecodingStrategy ?? .deferredToDate
    {
    case .deferredToDate:
      return Date(timeIntervalSinceReferenceDate: try decoder.decode(Double.self))
    case .secondsSince1970: return Date(timeIntervalSince1970: try decoder.decode(Double.self))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try decoder.decode(Double.self) / 1000)
    case .iso8601:
      let text = try decoder.decode(String.self)
      if let date = plain(text) { return date }
      if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
      throw decoder.corrupted(
        "expected a date such as 2026-03-01T12:30:00Z, found \(decoder.found)")
    case .formatted(let formatter):
      let text = try decoder.decode(String.self)
      if let date = formatter.date(from: text) { return date }
      throw decoder.corrupted("expected a date that its formatter reads, found \(decoder.found)")
    case .custom(let decode): return try decode(decoder)
    }
  }

  /// The date of a string in the usual form of RFC 3339, which Foundation reads alike; nil for others.
  private static func plain(_ text: String) -> Date? {
    let bytes = text.utf8
    guard bytes.count == 20, bytes.last == UInt8(ascii: "Z"), text >= "1583",
      !text.hasSuffix(":60Z"),
      bytes[bytes.index(bytes.startIndex, offsetBy: 10)] == UInt8(ascii: "T"),
      let timestamp = JSONTimestamp(rfc3339: text)
    else { return nil }
    return Date(timestamp)
  }
}

package func linkedByDateCodable() -> Linked { linked() }
