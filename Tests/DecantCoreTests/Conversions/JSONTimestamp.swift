// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Dates and times by RFC 3339")
struct TimestampTests {
  @Test(
    "are instants",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0),
      ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
      ("1985-04-12T23:20:50.52Z", 482_196_050, 520_000_000),
      ("1996-12-19T16:39:57-08:00", 851_042_397, 0),
      ("1996-12-20T00:39:57z", 851_042_397, 0),
      ("1937-01-01t12:00:27.87+00:20", -1_041_337_173, 870_000_000),
      ("1990-12-31T23:59:60Z", 662_688_000, 0),
      ("1990-12-31T15:59:60-08:00", 662_688_000, 0),
      ("2016-12-31T23:59:60.25Z", 1_483_228_800, 250_000_000),
      ("2024-02-29T12:30:00-00:00", 1_709_209_800, 0),
      ("2000-02-29T00:00:00.123456789987Z", 951_782_400, 123_456_789),
      ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
      ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
    ] as [(String, Int64, Int32)])
  func instants(text: String, seconds: Int64, nanoseconds: Int32) {
    #expect(
      JSONTimestamp(rfc3339: text) == JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(
    "are refused",
    arguments: [
      "", "2024", "2024-02-29", "2024-02-29T12:30:00", "2024-02-29 12:30:00Z",
      "2024-02-29T12:30Z", "2024-2-29T12:30:00Z", "2023-02-29T12:30:00Z", "1900-02-29T00:00:00Z",
      "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-04-31T00:00:00Z",
      "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T23:60:00Z",
      "2024-01-01T23:59:61Z", "2024-01-15T23:59:60Z", "2024-12-31T22:59:60Z",
      "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00+24:00",
      "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+01", "2024-01-01T00:00:00Z ",
      " 2024-01-01T00:00:00Z", "+2024-01-01T00:00:00Z", "２024-01-01T00:00:00Z",
    ])
  func refused(text: String) { #expect(JSONTimestamp(rfc3339: text) == nil) }

  @Test("are in order")
  func order() throws {
    let texts = [
      "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.5Z", "1970-01-01T00:00:00Z",
      "1970-01-01T00:00:00.000000001Z", "2024-02-29T12:00:00+01:00", "2024-02-29T12:00:00Z",
    ]
    let instants = try texts.map { try #require(JSONTimestamp(rfc3339: $0)) }
    #expect(instants.shuffled().sorted() == instants)
  }

  @Test("a leap second before 1970 ends a month too")
  func earlyLeapSeconds() {
    #expect(JSONTimestamp(rfc3339: "1960-12-31T23:59:60Z")?.seconds == -283_996_800)
    #expect(JSONTimestamp(rfc3339: "1960-12-30T23:59:60Z") == nil)
  }

  @Test("every day of 800 years follows the day before it")
  func days() {
    var previous: Int64?
    let end = 1600 + rounds(800)
    for year in 1600..<end {
      for month in 1...12 {
        for day in 1...31 {
          let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T00:00:00Z"
          guard let seconds = JSONTimestamp(rfc3339: text)?.seconds else { continue }
          if let previous, seconds != previous + 86_400 { Issue.record("\(text)") }
          previous = seconds
        }
      }
    }
    #expect(previous == JSONTimestamp(rfc3339: "\(end - 1)-12-31T00:00:00Z")?.seconds)
  }

  private func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  @Test("in fields, with errors that show the text", arguments: engines)
  func fields(engine: Engine) {
    let rows: [Row<JSONTimestamp>] = [
      Row(#"{"at":"1970-01-01T00:00:01Z"}"#, is: JSONTimestamp(seconds: 1)),
      Row(
        #"{"at":"yesterday"}"#, fails: .invalidValue, "1:7", "/at",
        #"expected a date and time by RFC 3339, found the string "yesterday""#),
      Row(
        #"{"at":1}"#, fails: .typeMismatch, "1:7", "/at",
        "expected a date and time by RFC 3339, found the number 1"),
    ]
    check(rows, on: engine) { $0 <| "at" }
  }
}
