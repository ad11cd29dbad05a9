// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The numbers of parse-number-fxx-test-data: files numbers/*.txt in $DECANT_CONFORMANCE_DIR, each
// line
//
//   3C00 3F800000 3FF0000000000000 1.0        bits as half, Float and Double, then the text
//
// Other spellings than JSON's are brought to JSON's when they have the same digits: `+1`, `.5`,
// `1.`, `007`. The rest (names, nothing before an exponent) is counted and left out.

import DecantTestSupport
import Foundation
import Testing

@testable import DecantCore

@Suite("Number files")
struct NumberFileTests {
  private static let folder = ProcessInfo.processInfo.environment["DECANT_CONFORMANCE_DIR"]

  @Test(
    "every line has its bits, as a Double and as a Float",
    .enabled(if: folder != nil, "skipped: DECANT_CONFORMANCE_DIR is not set"))
  func bits() throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder)).appendingPathComponent("numbers")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }
    #expect(!files.isEmpty)
    var checked = 0
    var respelled = 0
    var skipped = 0
    var wrong = 0
    // Where rounds are dear, one line of so many.
    let first = Int.random(in: 0..<oneRoundIn)
    for file in files {
      let lines = [UInt8](try Data(contentsOf: file)).split(separator: UInt8(ascii: "\n"))
      for line in stride(from: first, to: lines.count, by: oneRoundIn).lazy.map({ lines[$0] }) {
        // Columns are of fixed width: 4, 8 and 16 hexadecimal digits.
        let raw = Array(line.dropFirst(31))
        let number = Self.json(raw)
        guard let high = NumberPlacements.shape(number) else {
          skipped += 1
          continue
        }
        if number != raw { respelled += 1 }
        checked += 1
        let double = Self.bits(line.dropFirst(14).prefix(16))
        let float = Self.bits(line.dropFirst(5).prefix(8))
        if !Self.agrees(number, high, double, float) {
          wrong += 1
          if wrong <= 20 { Issue.record("\(file.lastPathComponent): \(Self.excerpt(line))") }
        }
      }
    }
    #expect(wrong == 0)
    print(
      "number files: \(checked) lines checked, \(respelled) of them respelled; "
        + "\(skipped) skipped that are not decimal numbers; \(wrong) wrong")
  }

  /// Whether the number converts to both patterns; infinity means "out of range".
  private static func agrees(
    _ number: [UInt8], _ high: UInt32, _ double: UInt64, _ float: UInt64
  ) -> Bool {
    // At the beginning of a text and inside one, where conversions take different ways.
    let before = NumberPlacements.before
    let inside = before + number + NumberPlacements.behind
    for (text, offset) in [(number, 0), (inside, before.count)] {
      let results = NumberPlacements.one(text, offset, high) { ($0.double(), $0.float()) }
      let doubleBits = results.0?.bitPattern ?? double & 1 << 63 | 0x7FF0_0000_0000_0000
      let floatBits = results.1?.bitPattern ?? UInt32(float) & 1 << 31 | 0x7F80_0000
      if doubleBits != double || UInt64(floatBits) != float { return false }
    }
    return true
  }

  private static func bits(_ digits: ArraySlice<UInt8>) -> UInt64 {
    UInt64(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
  }

  private static func excerpt(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.prefix(100), as: UTF8.self)
  }

  /// The JSON spelling of a decimal number; anything else is returned as something that is no
  /// number.
  private static func json(_ text: [UInt8]) -> [UInt8] {
    var rest = text[...]
    var result: [UInt8] = []
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      if sign == UInt8(ascii: "-") { result.append(sign) }
      rest = rest.dropFirst()
    }
    let isDigit = { (byte: UInt8) in byte &- UInt8(ascii: "0") <= 9 }
    let before = rest.prefix(while: isDigit)
    rest = rest.dropFirst(before.count)
    var fraction: ArraySlice<UInt8>?
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(1 + (fraction?.count ?? 0))
    }
    if before.isEmpty && fraction?.isEmpty ?? true { return [] }
    let significant = before.drop { $0 == UInt8(ascii: "0") }
    result += significant.isEmpty ? [UInt8(ascii: "0")] : significant
    if let fraction {
      result += [UInt8(ascii: ".")] + (fraction.isEmpty ? [UInt8(ascii: "0")] : fraction)
    }
    return result + rest
  }
}
