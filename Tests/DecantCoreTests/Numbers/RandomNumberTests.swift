// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantTestSupport
import Foundation
import Testing

@testable import DecantCore

@Suite("Random numbers")
struct RandomNumberTests {
  private static let commonSeed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["DECANT_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("random numbers: DECANT_SEED=\(seed)")
    return seed
  }()

  private var seed: UInt64 { Self.commonSeed }

  @Test("Doubles and Floats written in shortest form read back as the same bits")
  func roundTrips() throws {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<rounds(3_000) {
      let double = Double(bitPattern: random.next())
      if double.isFinite {
        let text = double.description
        #expect(try NumberPlacements.double(text) == double.bitPattern, "\(text), seed \(seed)")
      }
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      if float.isFinite {
        let text = float.description
        #expect(try NumberPlacements.float(text) == float.bitPattern, "\(text), seed \(seed)")
      }
    }
  }

  @Test("random decimals agree with the standard library")
  func decimals() throws {
    var random = SeededNumbers(seed: seed ^ 1)
    for _ in 0..<rounds(6_000) {
      let text = decimal(&random)
      let double = Double(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
      #expect(try NumberPlacements.double(text) == double, "\(text), seed \(seed)")
      let float = Float(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
      #expect(try NumberPlacements.float(text) == float, "\(text), seed \(seed)")
    }
  }

  @Test("random integers of every length are exact")
  func integers() throws {
    var random = SeededNumbers(seed: seed ^ 2)
    for _ in 0..<rounds(3_000) {
      let wide = Int128(truncatingIfNeeded: random.next()) << 64 | Int128(random.next())
      let value = wide >> Int128.random(in: 0...127, using: &random)
      let text = value.description
      #expect(try NumberPlacements.integer(text) == .value(value), "\(text), seed \(seed)")
      try checkNarrow(value, as: Int64.self)
      try checkNarrow(value, as: UInt64.self)
      try checkNarrow(value, as: UInt16.self)
    }
  }

  private func checkNarrow<Value: FixedWidthInteger & Sendable>(
    _ value: Int128, as type: Value.Type
  ) throws {
    let expected = Value(exactly: value).map { IntegerConversion.value($0) } ?? .outOfRange
    #expect(
      try NumberPlacements.integer(value.description, as: type) == expected,
      "\(value), seed \(seed)")
  }

  /// A JSON number with up to 45 digits, mostly in the range of a Double.
  private func decimal(_ random: inout SeededNumbers) -> String {
    func digits(_ count: Int) -> String {
      String((0..<count).map { _ in Character(String(random.next() % 10)) })
    }
    var text = random.next() % 2 == 0 ? "-" : ""
    let before = digits(Int(random.next() % 20))
    text += before.isEmpty || before.hasPrefix("0") ? "0" : before
    if random.next() % 4 != 0 { text += "." + digits(1 + Int(random.next() % 25)) }
    switch random.next() % 4 {
    case 0: text += "e" + String(Int.random(in: -345...310, using: &random))
    case 1: text += "E+" + digits(1)
    case 2: text += "e" + String(Int.random(in: -60...45, using: &random))
    default: break
    }
    return text
  }
}
