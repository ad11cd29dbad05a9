// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

private let noon = Date(timeIntervalSince1970: 1_709_209_800)

@Suite("Dates")
struct DateTests {
  @Test("by RFC 3339, with and without a fraction", arguments: engines)
  func rfc3339(engine: Engine) {
    let rows: [Row<Date>] = [
      Row(#"{"at":"2024-02-29T12:30:00Z"}"#, is: noon),
      Row(#"{"at":"2024-02-29T13:30:00.500+01:00"}"#, is: noon.addingTimeInterval(0.5)),
      Row(
        #"{"at":"2024-02-30T12:30:00Z"}"#, fails: .invalidValue, "1:7", "/at",
        #"expected a date and time by RFC 3339, found the string "2024-02-30T12:30:00Z""#),
      Row(
        #"{"at":5}"#, fails: .typeMismatch, "1:7", "/at",
        "expected a date and time by RFC 3339, found the number 5"),
    ]
    check(rows, on: engine) { $0 <| "at" }
    check(rows, on: engine) { $0.convert("at", using: .rfc3339) }
  }

  @Test("by seconds and milliseconds since 1970", arguments: engines)
  func epoch(engine: Engine) {
    check(
      [
        Row(#"{"at":1709209800}"#, is: noon),
        Row(#"{"at":1709209800.5}"#, is: noon.addingTimeInterval(0.5)),
        Row(#"{"at":-1}"#, is: Date(timeIntervalSince1970: -1)),
        Row(
          #"{"at":"1709209800"}"#, fails: .typeMismatch, "1:7", "/at",
          #"expected seconds since 1970, found the string "1709209800""#),
      ], on: engine
    ) { $0.convert("at", using: .epochSeconds) }
    check(
      [
        Row(#"{"at":1709209800500}"#, is: noon.addingTimeInterval(0.5)),
        Row(
          #"{"at":true}"#, fails: .typeMismatch, "1:7", "/at",
          "expected milliseconds since 1970, found true"),
      ], on: engine
    ) { $0.convert("at", using: .epochMilliseconds) }
    // libjansson refuses the document.
    check(
      [
        Row<Date>(
          #"{"at":-1e999}"#, fails: .invalidValue, "1:7", "/at",
          "expected seconds since 1970, found the number -1e999")
      ], on: .native
    ) { $0.convert("at", using: .epochSeconds) }
  }

  @Test("by a strategy, by a function, by the first that works", arguments: engines)
  func custom(engine: Engine) {
    let day = Date.ISO8601FormatStyle().year().month().day()
    check(
      [
        Row(#"{"on":"1970-01-02"}"#, is: Date(timeIntervalSince1970: 86_400)),
        Row(
          #"{"on":"today"}"#, fails: .invalidValue, "1:7", "/on",
          #"expected a day such as 2024-02-29, found the string "today""#),
        // Foundation's strategies count on into the next month.
        Row(#"{"on":"2024-02-30"}"#, is: Date(timeIntervalSince1970: 1_709_251_200)),
      ], on: engine
    ) { $0.convert("on", using: .parsed(by: day, "a day such as 2024-02-29")) }
    let exact = JSONConversion<Date>.string("a day such as 2024-02-29") { text in
      (try? day.parse(text)).flatMap { day.format($0) == text ? $0 : nil }
    }
    let refused = #"expected a day such as 2024-02-29, found the string"#
    check(
      [
        Row(#"{"on":"1970-01-02"}"#, is: Date(timeIntervalSince1970: 86_400)),
        Row(
          #"{"on":"2024-02-29junk"}"#, fails: .invalidValue, "1:7", "/on",
          refused + #" "2024-02-29junk""#),
        Row(
          #"{"on":"2024-02-30"}"#, fails: .invalidValue, "1:7", "/on", refused + #" "2024-02-30""#),
      ], on: engine
    ) { $0.convert("on", using: exact) }
    let days = JSONConversion<Date>.string("a day's number") {
      Int($0).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
    }
    check([Row(#"{"on":"1"}"#, is: Date(timeIntervalSince1970: 86_400))], on: engine) {
      $0.convert("on", using: days)
    }
    check(
      [
        Row(#"[1709209800,"2024-02-29T12:30:00Z"]"#, is: [noon, noon])
      ], on: engine
    ) { $0.converted(using: .array(of: JSONConversion<Date>.rfc3339.or(.epochSeconds))) }
    check(
      [
        Row<Date>(
          #""noon""#, fails: .invalidValue, "1:1", "",
          #"expected a date and time by RFC 3339 or seconds since 1970, found the string "noon""#)
      ], on: engine
    ) { $0.converted(using: JSONConversion<Date>.rfc3339.or(.epochSeconds)) }
  }
}

@Suite("Base64")
struct Base64Tests {
  @Test("base64, strict", arguments: engines)
  func base64(engine: Engine) {
    check(
      [
        Row(
          #"["","Zg==","Zm9v","+/8="]"#,
          is: [Data(), Data("f".utf8), Data("foo".utf8), Data([251, 255])]),
        Row(
          #"["Zm9v","Zg"]"#, fails: .invalidValue, "1:9", "/1",
          #"expected base64, found the string "Zg""#),
        Row(#"[5]"#, fails: .typeMismatch, "1:2", "/0", "expected base64, found the number 5"),
      ], on: engine)
    for text in [
      "Zg=", "Z", "Zm9v\\n", "Zm 9v", "-_8=", "Zg==Zg==", "Zg===", "====", "Zm9v====", "Zg=v",
      "Zg=v====",
    ] {
      let json = #""\#(text)""#
      #expect(
        Data.decode(from: json, options: .on(engine)).error?.code == .invalidValue, "\(text)")
      if text == "-_8=" { continue }
      let url = JSONValue.parse(json, options: .on(engine)).flatMap { value in
        value.outcome { $0.converted(using: .base64URL) }
      }
      #expect(url.error?.code == .invalidValue, "\(text)")
    }
  }

  @Test("base64url, padded or not", arguments: engines)
  func base64URL(engine: Engine) {
    check(
      [
        Row(
          #"["","Zg","Zg==","-_8"]"#,
          is: [Data(), Data("f".utf8), Data("f".utf8), Data([251, 255])]),
        Row(
          #"["+/8="]"#, fails: .invalidValue, "1:2", "/0",
          #"expected base64url, found the string "+/8=""#),
      ], on: engine
    ) { $0.converted(using: .array(of: .base64URL)) }
  }
}

@Suite("URLs and UUIDs")
struct URLTests {
  @Test("URLs as they are written", arguments: engines)
  func urls(engine: Engine) throws {
    let url = try URL(decoding: #""https://example.com/a?b=c#d""#, options: .on(engine))
    #expect(url.absoluteString == "https://example.com/a?b=c#d")
    for text in ["", "not a URL", "http://[", "%%"] {
      check(
        [
          Row<URL>(
            #""\#(text)""#, fails: .invalidValue, "1:1", "",
            #"expected a URL, found the string "\#(text)""#)
        ], on: engine)
    }
    for text in ["a/b", ":", "://a"] {
      check(
        [
          Row<URL>(
            #""\#(text)""#, fails: .invalidValue, "1:1", "",
            #"expected a URL with a scheme, found the string "\#(text)""#)
        ], on: engine
      ) { $0.converted(using: .absoluteURL) }
    }
  }

  @Test("UUIDs", arguments: engines)
  func uuids(engine: Engine) throws {
    let text = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
    let uuid = try UUID(decoding: #""\#(text)""#, options: .on(engine))
    #expect(uuid.uuidString == text.uppercased())
    let rows: [Row<UUID>] = [
      Row(
        #""f81d4fae-7dec-11d0-a765""#, fails: .invalidValue, "1:1", "",
        #"expected a UUID, found the string "f81d4fae-7dec-11d0-a765""#),
      Row("5", fails: .typeMismatch, "1:1", "", "expected a UUID, found the number 5"),
    ]
    check(rows, on: engine)
  }

  @Test("a UUID has 32 digits in their groups; a DecantDecoder takes what JSONDecoder takes")
  func sameUUIDs() throws {
    var random = SeededRandom(printing: "UUIDs")
    let decoder = DecantDecoder()
    for round in 0..<rounds(4000) {
      var text = Array(UUID().uuidString.utf8)
      if round % 3 == 1 { text = Array(String(decoding: text, as: UTF8.self).lowercased().utf8) }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        text[place] = Array("0aFgG-@`/:~ {é".utf8).randomElement(using: &random)!
      }
      let words = String(decoding: text, as: UTF8.self)
      let expected = UUID(uuidString: words)
      let json = #""\#(words)""#
      #expect((try? decoder.decode(UUID.self, from: json)) == expected, "\(words)")
      // Foundation also takes a sign or a space for a digit.
      let groups = words.split(separator: "-", omittingEmptySubsequences: false)
      let isExact =
        groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
        && groups.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
      #expect(UUID.decode(from: json).value == (isExact ? expected : nil), "\(words)")
    }
  }
}

@Suite("Decimals")
struct DecimalTests {
  @Test("from the digits, never through a Double")
  func exact() throws {
    for text in [
      "0", "-0.1", "1234567890.12345678901234567890", "99999999999999999999999999999999999999",
      "0.00000000000000000000000000000000000001", "-1e127", "1e-128", "1.50",
      "340282366920938463463374607431768211455e127", "-3.40282366920938463463374607431768211454",
    ] {
      let decimal = try Decimal(decoding: text)
      #expect(
        decimal == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), "\(text)")
    }
    #expect(try Decimal(decoding: "0e300") == 0)
    #expect(try Decimal(decoding: "-0.00e-300") == 0)
    let decoder = DecantDecoder()
    var random = SeededRandom(printing: "decimals")
    for _ in 0..<rounds(2000) {
      var text = (0..<Int.random(in: 1...38, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
      text = text.drop { $0 == "0" }.isEmpty ? "0" : String(text.drop { $0 == "0" })
      if text.count > 1, Bool.random(using: &random) {
        text.insert(".", at: text.index(after: text.startIndex))
      }
      if Bool.random(using: &random) { text = "-" + text }
      text += ["", "e7", "E-12", "e+40"].randomElement(using: &random)!
      let expected = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
      #expect(try Decimal(decoding: text) == expected, "\(text)")
      #expect(try decoder.decode(Decimal.self, from: text) == expected, "\(text)")
    }
    let price: Decimal = try Decimal(decoding: "0.1") + Decimal(decoding: "0.2")
    #expect(price == Decimal(string: "0.3"))
  }

  @Test("what does not fit is an error, nothing is rounded")
  func limits() {
    let long = "1.00000000000000000000000000000000000000001"
    check(
      [
        Row<Decimal>(
          long, fails: .numberOutOfRange, "1:1", "",
          "out of range for Decimal: \(long.prefix(40))…"),
        Row<Decimal>(
          "1e200", fails: .numberOutOfRange, "1:1", "",
          "out of range for Decimal: 1e200"),
        Row<Decimal>(
          "340282366920938463463374607431768211456", fails: .numberOutOfRange, "1:1", "",
          "out of range for Decimal: 340282366920938463463374607431768211456"),
      ], on: .native)
  }

  @Test("on both engines", arguments: engines)
  func everywhere(engine: Engine) {
    check(
      [
        Row("1.25", is: Decimal(sign: .plus, exponent: -2, significand: 125)),
        Row(#""1""#, fails: .typeMismatch, "1:1", "", #"expected a number, found the string "1""#),
      ], on: engine)
    check([Row(#""1.25""#, is: Decimal(sign: .plus, exponent: -2, significand: 125))], on: engine) {
      $0.converted(using: .fromString)
    }
  }
}
