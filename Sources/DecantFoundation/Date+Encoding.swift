// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Dates through DecantEncoder: the strategies.

public import DecantCodable
internal import DecantCore
public import Foundation

extension DecantEncoder {
  /// How dates are written.
  public enum DateEncodingStrategy: Sendable {
    /// As `Date` encodes itself: seconds since 2001.
    case deferredToDate
    case secondsSince1970
    case millisecondsSince1970
    /// RFC 3339 in whole seconds, such as `2026-03-01T12:30:00Z`.
    case iso8601
    case formatted(DateFormatter)
    @preconcurrency case custom(@Sendable (_ date: Date, _ encoder: any Encoder) throws -> Void)
  }

  /// How dates are written; by default as `Date` itself does.
  public var dateEncodingStrategy: DateEncodingStrategy {
    get { state.setting { $0.dates as? DateEncodingStrategy } ?? .deferredToDate }
    set { state.set { $0.dates = newValue } }
  }
}

extension Date: StrategyEncodable {
  package func encode(by scope: Scope) throws {
    switch scope.session.settings.dates as? DecantEncoder.DateEncodingStrategy ?? .deferredToDate {
    case .deferredToDate: try scope.encode(timeIntervalSinceReferenceDate)
    case .secondsSince1970: try scope.encode(timeIntervalSince1970)
    case .millisecondsSince1970: try scope.encode(1000 * timeIntervalSince1970)
    case .iso8601: try scope.encode(wholeSeconds ?? formatted(.iso8601))
    case .formatted(let formatter): try scope.encode(formatter.string(from: self))
    case .custom(let encode): try encode(self, scope)
    }
  }
}

extension Date {
  /// RFC 3339 in whole seconds, for the years 1583 to 9999: before, Foundation's calendar is another one. It takes six
  /// times as long.
  private var wholeSeconds: String? {
    let seconds = timeIntervalSinceReferenceDate.rounded(.down) + 978_307_200
    guard seconds >= -12_212_553_600, seconds < 253_402_300_800 else { return nil }
    return JSONTimestamp(seconds: Int64(seconds)).rfc3339
  }
}

package func linkedByDateEncoding() -> Linked { linked() }
