// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Writing: this module's types write the form that they decode from.

public import DecantCore
public import Foundation

extension JSONTimestamp {
  /// The instant of a date. If the date is the one nearest to a whole number of milliseconds or microseconds, the
  /// instant is that number, so that a text of three or six digits is written as it was read. Otherwise it has
  /// nanoseconds.
  public init?(_ date: Date) {
    // Seconds since 2001 are a Date's own count.
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.magnitude < 0x1p53 else { return nil }
    let whole = seconds.rounded(.down)
    var nanoseconds = 0.0
    for unit in [1e6, 1e3, 1] {
      nanoseconds = ((seconds - whole) * 1e9 / unit).rounded() * unit
      if whole + nanoseconds / 1e9 == seconds { break }
    }
    let carried: Int64 = nanoseconds == 1e9 ? 1 : 0
    self.init(
      seconds: Int64(whole) + 978_307_200 + carried,
      nanoseconds: carried == 1 ? 0 : Int32(nanoseconds))
  }
}

extension Date: JSONWritable {
  /// A string by RFC 3339 in UTC, such as `"2024-02-29T12:30:00.125Z"`. Dates outside the years 0 to 9999 are a
  /// failure.
  public func write(to json: inout JSONOutput) {
    if let timestamp = JSONTimestamp(self) {
      json.value(timestamp)
    } else {
      json.failInvalidValue()
    }
  }
}

extension Data: JSONWritable {
  /// A string of base64, padded, without line breaks.
  public func write(to json: inout JSONOutput) { json.value(base64EncodedString()) }
}

extension URL: JSONWritable {
  /// The URL as a string, resolved against its base.
  public func write(to json: inout JSONOutput) { json.value(absoluteString) }
}

extension UUID: JSONWritable {
  /// The UUID as a string, in capitals.
  public func write(to json: inout JSONOutput) { json.value(digits) }
}

extension Decimal: JSONWritable {
  /// All digits of the number. NaN is a failure.
  public func write(to json: inout JSONOutput) {
    if isNaN { json.failInvalidValue() } else { json.number(spelled: description) }
  }
}

package func linkedByFoundationWriting() -> Linked { linked() }
