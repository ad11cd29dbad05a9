// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// All 1,114,112 code points in strings: those that are characters come out as they went in, raw and escaped;
// the others are errors.

import Decant
import DecantTestSupport
import Testing

@Suite("Every code point")
struct CodePointTests {
  /// The characters from U+0020 on; where rounds are dear, one of so many.
  private static let points = stride(
    from: 0x20 + UInt32.random(in: 0..<UInt32(oneRoundIn)), through: 0x10FFFF,
    by: oneRoundIn
  ).filter { $0 & 0xFFF800 != 0xD800 }

  /// A string of them, written by `write`, and what it spells.
  private static func document(
    _ write: (UInt32, inout [UInt8]) -> Void
  ) -> (json: [UInt8], text: [UInt8]) {
    var (json, text) = ([UInt8(ascii: "\"")], [UInt8]())
    for point in points {
      encode(point, &text)
      write(point, &json)
    }
    return (json + [UInt8(ascii: "\"")], text)
  }

  /// UTF-8, of surrogates too.
  private static func encode(_ point: UInt32, _ bytes: inout [UInt8]) {
    func next(_ shift: UInt32) -> UInt8 { UInt8(0x80 | point >> shift & 0x3F) }
    switch point {
    case ..<0x80: bytes.append(UInt8(point))
    case ..<0x800: bytes += [UInt8(0xC0 | point >> 6), next(0)]
    case ..<0x1_0000: bytes += [UInt8(0xE0 | point >> 12), next(6), next(0)]
    default: bytes += [UInt8(0xF0 | point >> 18), next(12), next(6), next(0)]
    }
  }

  private static func escape(_ unit: UInt32, _ bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789abcdef"
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(UInt8(ascii: "u"))
    var shift: UInt32 = 16
    while shift > 0 {
      shift -= 4
      // SAFETY: one of sixteen digits.
      unsafe bytes.append(digits.utf8Start[Int(unit >> shift & 15)])
    }
  }

  private static let raw = document { point, bytes in
    if point == 0x22 || point == 0x5C { bytes.append(UInt8(ascii: "\\")) }
    encode(point, &bytes)
  }

  private static let escaped = document { point, bytes in
    if point < 0x1_0000 { return escape(point, &bytes) }
    escape(0xD800 + (point - 0x1_0000) >> 10, &bytes)
    escape(0xDC00 + (point - 0x1_0000) & 0x3FF, &bytes)
  }

  @Test("raw", arguments: engines)
  func raw(engine: Engine) {
    let (json, text) = Self.raw
    let string = String.decode(from: json, options: .on(engine)).value
    #expect(string.map { Array($0.utf8) == text } == true)
    #expect(string?.unicodeScalars.count == Self.points.count)
    #expect(oneRoundIn > 1 || Self.points.count == 0x110000 - 0x800 - 0x20)
  }

  @Test("escaped, those beyond U+FFFF by each of all surrogate pairs", arguments: engines)
  func escaped(engine: Engine) {
    let (json, text) = Self.escaped
    let string = String.decode(from: json, options: .on(engine)).value
    #expect(string.map { Array($0.utf8) == text } == true)
  }

  @Test("controls are characters only escaped, and surrogates none at all", arguments: engines)
  func others(engine: Engine) {
    let quote = UInt8(ascii: "\"")
    for point in UInt32(0)..<0x20 {
      var json = [quote]
      Self.escape(point, &json)
      let string = String.decode(from: json + [quote], options: .on(engine)).value
      #expect(string.map { Array($0.unicodeScalars.map(\.value)) } == [point])
      expect(.controlCharacter, of: [quote, UInt8(point), quote], engine)
    }
    for point in UInt32(0xD800)..<0xE000 {
      var (json, raw) = ([quote], [quote])
      Self.escape(point, &json)
      Self.encode(point, &raw)
      expect(.loneSurrogate, of: json + [quote], engine)
      expect(.invalidUTF8, of: raw + [quote], engine)
    }
  }

  /// An error, and on the native engine which.
  private func expect(_ code: DecodeError.Code, of json: [UInt8], _ engine: Engine) {
    let found = JSONValue.parse(json, options: .on(engine)).error?.code
    #expect(engine == .native ? found == code : found != nil, "\(json)")
  }
}
