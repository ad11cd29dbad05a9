// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("Writing Foundation's types")
struct FoundationWriting {
  @Test("what is written decodes as the same value")
  func roundTrips() throws {
    func check<Model: JSONWritable & JSONDecodable & Equatable>(
      _ model: Model, _ text: String
    ) throws {
      #expect(model.jsonText() == text)
      #expect(try Model(decoding: text) == model)
      #expect(try [Model](decoding: [model].jsonBytes()) == [model])
    }
    try check(Date(timeIntervalSince1970: 1_709_209_800.5), #""2024-02-29T12:30:00.5Z""#)
    try check(Date(timeIntervalSince1970: -1), #""1969-12-31T23:59:59Z""#)
    try check(Data([0, 255, 62]), #""AP8+""#)
    try check(Data(), #""""#)
    let url = try #require(URL(string: "https://example.com/a?b=c%20d"))
    try check(url, #""https://example.com/a?b=c%20d""#)
    let id = try #require(UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"))
    try check(id, #""F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6""#)
    let decimal = try #require(Decimal(string: "-12345678901234567890123456789.012345678"))
    try check(decimal, "-12345678901234567890123456789.012345678")
    try check(Decimal.greatestFiniteMagnitude, Decimal.greatestFiniteMagnitude.description)
  }

  @Test("fractions of three and six digits are written as they were read")
  func fractions() throws {
    for year in ["1900", "1970", "2001", "2026", "2099"] {
      for fraction in ["", ".1", ".123", ".999", ".000001", ".123456", ".999999"] {
        let text = #""\#(year)-12-31T23:59:59\#(fraction)Z""#
        #expect(try Date(decoding: text).jsonText() == text)
      }
    }
    let moment = try #require(JSONTimestamp(rfc3339: "2001-01-01T00:00:00.123456789Z"))
    #expect(JSONTimestamp(Date(moment)) == moment)
  }

  @Test("dates read back, as exact as they are")
  func dates() throws {
    for step in 0..<2000 {
      let date = Date(timeIntervalSinceReferenceDate: Double(step) * 9_876_543.210987 - 9e9)
      let back = try Date(decoding: date.jsonBytes())
      #expect(abs(back.timeIntervalSince(date)) <= 1e-9)
    }
  }

  @Test("dates in whole seconds and UUIDs are as JSONEncoder writes them")
  func sameTexts() throws {
    var random = SeededRandom(printing: "dates and UUIDs")
    let (encoder, foundation) = (DecantEncoder(), JSONEncoder())
    encoder.dateEncodingStrategy = .iso8601
    foundation.dateEncodingStrategy = .iso8601
    for _ in 0..<rounds(4000) {
      let second = Double(Int.random(in: -13_000_000_000...255_000_000_000, using: &random))
      let time = [second, second.nextUp, second.nextDown, second + 0.5, second / 1000]
        .randomElement(using: &random)!
      let date = Date(timeIntervalSince1970: time)
      #expect(try encoder.encode([date]) == Array(foundation.encode([date])), "\(time)")
      let uuid = UUID()
      #expect(try encoder.encode([uuid]) == Array(foundation.encode([uuid])))
      #expect(uuid.jsonText() == "\"\(uuid.uuidString)\"")
    }
  }

  @Test("values that have no text are failures")
  func failures() {
    for seconds in [Double.nan, .infinity, -1e300, -0x1p63, 1e17, 3e11] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(date.jsonText() == "null")
      #expect(throws: JSONWritingError.self) { try date.checkedJSONBytes() }
    }
    #expect(throws: JSONWritingError.self) { try Decimal.nan.checkedJSONBytes() }
  }
}
