// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Testing

@testable import DecantCore

@Suite("Number grammar (RFC 8259 §6)")
struct NumberGrammarTests {
  private static let number: UInt32 = 0x4000_0000
  private static let minus: UInt32 = 0x1000_0000
  private static let real: UInt32 = 0x0800_0000
  private static let exponent: UInt32 = 0x0C00_0000

  @Test("numbers have the shape that the index stores")
  func shapes() {
    let rows: [(text: String, flags: UInt32, before: UInt32, after: UInt32)] = [
      ("0", 0, 1, 0), ("-0", Self.minus, 1, 0), ("7", 0, 1, 0), ("1234567890", 0, 10, 0),
      ("-1234", Self.minus, 4, 0), ("0.5", Self.real, 1, 1),
      ("-65.613", Self.minus | Self.real, 2, 3), ("1e5", Self.exponent, 1, 0),
      ("1E+05", Self.exponent, 1, 0), ("12.5e-7", Self.exponent, 2, 1),
      ("-0.0E0", Self.minus | Self.exponent, 1, 1), ("0e00", Self.exponent, 1, 0),
    ]
    for row in rows {
      let shape =
        Self.number | row.flags | row.after << 16 | row.before << 8 | UInt32(row.text.utf8.count)
      #expect(NumberPlacements.shape(row.text) == shape, "\(row.text)")
    }
  }

  @Test("counts of 255 and more are long", arguments: [253, 254, 255, 256, 1_000])
  func longCounts(count: Int) {
    let digits = String(repeating: "1", count: count)
    let field = UInt32(min(count, 255))
    let integer = NumberPlacements.shape(digits)
    #expect(integer == Self.number | field << 8 | field)
    let fraction = NumberPlacements.shape("0." + digits)
    #expect(
      fraction == Self.number | Self.real | field << 16 | 1 << 8 | UInt32(min(count + 2, 255)))
    let exponent = NumberPlacements.shape("1e" + digits)
    #expect(exponent == Self.number | Self.exponent | 1 << 8 | UInt32(min(count + 2, 255)))
  }

  @Test(
    "rejects what is not exactly one number",
    arguments: [
      "", "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e5", "1e", "1e+", "1e-", "1e5.0",
      "1.5.5", "--1", "1-", "1 ", " 1", "1,", "0x1", "1f", "1_000", "Infinity", "NaN", "-Infinity",
      "1e5e5", "e5", "-e5", "1.-5", "１", "1\u{0}",
    ])
  func rejections(text: String) {
    #expect(NumberPlacements.shape(text) == nil)
  }
}
