// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Dates by strategy. RFC 3339 in its usual form is read here, digit by digit; every other form goes to
// Foundation, which takes some 20 times as long.
//
//   2026-03-01T12:30:00Z     20 bytes, UTC: read here

public import DecantCodable
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
    case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
  }

  /// How dates are written. `Date`'s own way if nothing else is said.
  public var dateDecodingStrategy: DateDecodingStrategy {
    get { setting { $0.dates as? DateDecodingStrategy } ?? .deferredToDate }
    set { set { $0.dates = newValue } }
  }
}

extension Date: StrategyDecodable {
  package static func decode(by level: Level) throws -> Date {
    guard let strategy = level.session.settings.dates as? DecantDecoder.DateDecodingStrategy else {
      return Date(timeIntervalSinceReferenceDate: try level.seconds())
    }
    switch strategy {
    case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try level.seconds())
    case .secondsSince1970: return Date(timeIntervalSince1970: try level.seconds())
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try level.seconds() / 1000)
    case .iso8601:
      let text = try level.text(for: Date.self)
      if let date = Date(plainRFC3339: text) { return date }
      if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
      throw level.corrupted("expected a date such as 2026-03-01T12:30:00Z, found \(level.found)")
    case .formatted(let formatter):
      let text = try level.text(for: Date.self)
      if let date = formatter.date(from: text) { return date }
      throw level.corrupted("expected a date that its formatter reads, found \(level.found)")
    case .custom(let decode): return try decode(level)
    }
  }

  /// A date in the usual form of RFC 3339: 20 bytes, UTC, since the Gregorian reform. Nil for others.
  init?(plainRFC3339 text: String) {
    var text = text
    let seconds: Int? = text.withUTF8 { bytes in
      guard bytes.count == 20 else { return nil }
      // SAFETY: every place is below 20.
      func number(_ place: Int, _ count: Int) -> Int? {
        var value = 0
        for place in place..<place + count {
          let digit = unsafe bytes[place] &- UInt8(ascii: "0")
          if digit > 9 { return nil }
          value = value * 10 + Int(digit)
        }
        return value
      }
      guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
        let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
        unsafe bytes[4] == UInt8(ascii: "-"), unsafe bytes[7] == UInt8(ascii: "-"),
        unsafe bytes[10] == UInt8(ascii: "T"), unsafe bytes[13] == UInt8(ascii: ":"),
        unsafe bytes[16] == UInt8(ascii: ":"), unsafe bytes[19] == UInt8(ascii: "Z"),
        year >= 1583, 1...12 ~= month, hour < 24, minute < 60, second < 60
      else { return nil }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      guard 1...days ~= day else { return nil }
      // Years begin in March, so that the day that is not always there comes last.
      let shifted = month > 2 ? year : year - 1
      let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
      let epochDay =
        shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
      return ((epochDay * 24 + hour) * 60 + minute) * 60 + second
    }
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }
}

extension Level {
  /// The number that stands for a date.
  fileprivate func seconds() throws -> Double {
    if decodeNil() { throw failure(Date.self, node, codingPath) }
    return try decode(Double.self)
  }
}
