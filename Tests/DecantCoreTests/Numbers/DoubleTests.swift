// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Testing

@testable import DecantCore

@Suite("Doubles and Floats")
struct DoubleTests {
  @Test("exact bit patterns")
  func bitPatterns() throws {
    let rows: [(text: String, bits: UInt64?)] = [
      ("0", 0), ("-0", 1 << 63), ("0.0", 0), ("-0.0", 1 << 63), ("0e999999999999999999", 0),
      ("-0e-5", 1 << 63), ("1", 0x3FF0_0000_0000_0000), ("-1", 0xBFF0_0000_0000_0000),
      ("0.1", 0x3FB9_9999_9999_999A), ("0.5", 0x3FE0_0000_0000_0000),
      ("-65.613616999999977", 0xC050_6745_803C_D140), ("1e22", 0x4480_F0CF_064D_D592),
      ("1e23", 0x44B5_2D02_C7E1_4AF6), ("123456789012345678", 0x437B_69B4_BA63_0F35),
      // Around 2^53, where a tie goes to the even neighbour.
      ("9007199254740991", 0x433F_FFFF_FFFF_FFFF), ("9007199254740992", 0x4340_0000_0000_0000),
      ("9007199254740993", 0x4340_0000_0000_0000), ("9007199254740994", 0x4340_0000_0000_0001),
      ("9007199254740995", 0x4340_0000_0000_0002), ("9007199254740993.0", 0x4340_0000_0000_0000),
      ("9007199254740993.00000000000000000001", 0x4340_0000_0000_0001),
      ("9007199254740992.99999999999999999999", 0x4340_0000_0000_0000),
      ("9007199254740993e0", 0x4340_0000_0000_0000),
      ("90071992547409930e-1", 0x4340_0000_0000_0000),
      // The smallest: subnormals, and half of the smallest one, which is a tie with zero.
      ("5e-324", 1), ("4.9406564584124654e-324", 1), ("2.4703282292062328e-324", 1),
      ("2.4703282292062327e-324", 0), ("3e-324", 1), ("2e-324", 0), ("1e-400", 0),
      ("-1e-400", 1 << 63), ("7.4e-324", 1), ("7.5e-324", 2), ("1e-323", 2),
      ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
      ("2.2250738585072012e-308", 0x0010_0000_0000_0000),
      ("2.2250738585072014e-308", 0x0010_0000_0000_0000),
      // The largest, and the tie between it and infinity.
      ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF),
      ("-1.7976931348623157e308", 0xFFEF_FFFF_FFFF_FFFF),
      ("1.7976931348623158e308", 0x7FEF_FFFF_FFFF_FFFF),
      ("1.7976931348623159e308", nil), ("1e308", 0x7FE1_CCF3_85EB_C8A0), ("1e309", nil),
      ("-1e309", nil), ("1e400", nil), ("1e99999999999999999999", nil),
      ("1e-99999999999999999999", 0),
      ("0.00000000000000000000000000000000000001e38", 0x3FF0_0000_0000_0000),
      ("100000000000000000000000000000000000000e-38", 0x3FF0_0000_0000_0000),
      ("1.00000000000000000000000000000000000000", 0x3FF0_0000_0000_0000),
    ]
    for row in rows { #expect(try NumberPlacements.double(row.text) == row.bits, "\(row.text)") }
  }

  @Test("Floats are rounded once, from the text")
  func floatBitPatterns() throws {
    let rows: [(text: String, bits: UInt32?)] = [
      ("0", 0), ("-0", 1 << 31), ("1", 0x3F80_0000), ("0.1", 0x3DCC_CCCD), ("-0.5", 0xBF00_0000),
      ("16777216", 0x4B80_0000), ("16777217", 0x4B80_0000), ("16777218", 0x4B80_0001),
      ("16777219", 0x4B80_0002), ("16777217.0000000000000000001", 0x4B80_0001),
      // As a Double this is the tie 16777217, and would then go to the even neighbour.
      ("16777217.000000001", 0x4B80_0001), ("16777216.999999999", 0x4B80_0000),
      ("1.00000005960464477540", 0x3F80_0001), ("1.000000059604644775390625", 0x3F80_0000),
      ("1e-45", 1), ("7.006492321624085e-46", 0), ("7.006492321624086e-46", 1), ("1e-46", 0),
      ("1.17549435e-38", 0x0080_0000), ("1.1754942e-38", 0x007F_FFFF), ("1e-400", 0),
      ("3.4028235e38", 0x7F7F_FFFF), ("3.4028235677973367e38", nil),
      ("3.4028235677973366e38", 0x7F7F_FFFF), ("340282356779733661637539395458142568448", nil),
      ("340282356779733661637539395458142568447", 0x7F7F_FFFF),
      ("1e39", nil), ("1e308", nil), ("1e400", nil),
    ]
    for row in rows { #expect(try NumberPlacements.float(row.text) == row.bits, "\(row.text)") }
  }

  @Test("ten thousand digits")
  func longInputs() throws {
    let zeros = String(repeating: "0", count: 10_000)
    let nines = String(repeating: "9", count: 10_000)
    let one = (1.0).bitPattern
    let rows: [(text: String, bits: UInt64?)] = [
      ("1" + zeros, nil), ("1" + zeros + "e-10000", one), ("0." + zeros + "1", 0),
      ("0." + zeros + "1e10001", one), ("1." + zeros, one), ("1." + zeros + "1", one),
      ("0." + nines, one), (nines, nil), (nines + "e-10000", one), ("0." + zeros + "e5", 0),
      ("1e" + nines, nil), ("1e-" + nines, 0), ("-0." + zeros, 1 << 63),
      ("1e" + zeros + "1", (10.0).bitPattern), ("0e" + nines, 0),
      ("9007199254740993." + zeros, 0x4340_0000_0000_0000),
      ("9007199254740993." + zeros + "1", 0x4340_0000_0000_0001),
      ("9007199254740992." + nines, 0x4340_0000_0000_0000),
      ("-9007199254740993" + zeros + "1e-10001", 0xC340_0000_0000_0001),
    ]
    for row in rows { #expect(try NumberPlacements.double(row.text) == row.bits) }
  }

  @Test("exact midpoints go to the even neighbour, and the next digit decides")
  func midpoints() throws {
    var random = SeededNumbers(seed: 20_250_101)
    // The smallest, the last subnormal, the last below one and the largest, then random ones.
    var patterns: [UInt64] = [0, 1, 2, 0x000F_FFFF_FFFF_FFFF, 0x0010_0000_0000_0000]
    patterns += [0x3FEF_FFFF_FFFF_FFFF, 0x7FEF_FFFF_FFFF_FFFF, 0x7FEF_FFFF_FFFF_FFFE]
    for _ in 0..<24 { patterns.append(random.next() % 0x7FF0_0000_0000_0000) }
    for lower in patterns {
      let text = midpoint(above: lower)
      let upper: UInt64? = lower + 1 == 0x7FF0_0000_0000_0000 ? nil : lower + 1
      #expect(try NumberPlacements.double(text) == (lower & 1 == 0 ? lower : upper), "\(text)")
      let zeros = String(repeating: "0", count: 900)
      let point = text.contains(".") ? "" : "."
      for more in ["1", zeros + "1"] {
        #expect(try NumberPlacements.double(text + point + more) == upper, "\(text)")
      }
      // A fraction ends in 5, an integer in an even digit.
      guard let last = text.last?.wholeNumberValue, last > 0 else { continue }
      let less = text.dropLast() + String(last - 1) + point + "9"
      #expect(try NumberPlacements.double(less) == lower, "\(text)")
    }
  }

  /// The decimal spelling of the value halfway between two neighbouring patterns.
  private func midpoint(above lower: UInt64) -> String {
    let stored = Int(lower >> 52)
    let fraction = lower & (1 << 52 - 1)
    var limbs: [UInt64] = []  // groups of nine digits, the lowest first
    func multiply(_ factor: UInt64, _ summand: UInt64 = 0) {
      var carry = summand
      for index in limbs.indices {
        (carry, limbs[index]) = (limbs[index] * factor + carry).quotientAndRemainder(
          dividingBy: 1_000_000_000)
      }
      while carry > 0 {
        limbs.append(carry % 1_000_000_000)
        carry /= 1_000_000_000
      }
    }
    multiply(1, 2 * (stored == 0 ? fraction : fraction | 1 << 52) + 1)
    let twos = max(stored, 1) - 1076
    for _ in 0..<abs(twos) { multiply(twos < 0 ? 5 : 2) }
    var digits = ""
    for limb in limbs.reversed() {
      let group = String(limb)
      digits += (digits.isEmpty ? "" : String(repeating: "0", count: 9 - group.count)) + group
    }
    // Powers of two below one: 2^-n = 5^n · 10^-n.
    if twos >= 0 { return digits }
    let missing = max(0, 1 - twos - digits.count)
    digits = String(repeating: "0", count: missing) + digits
    return digits.dropLast(-twos) + "." + digits.suffix(-twos)
  }
}
