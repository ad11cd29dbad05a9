// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Testing

@testable import DecantCore

@Suite("Integers")
struct IntegerTests {
  @Test("every width takes its edges and refuses their neighbours")
  func edges() throws {
    try checkEdges(Int8.self)
    try checkEdges(Int16.self)
    try checkEdges(Int32.self)
    try checkEdges(Int64.self)
    try checkEdges(Int.self)
    try checkEdges(Int128.self)
    try checkEdges(UInt8.self)
    try checkEdges(UInt16.self)
    try checkEdges(UInt32.self)
    try checkEdges(UInt64.self)
    try checkEdges(UInt.self)
    try checkEdges(UInt128.self)
  }

  /// The last digit of a largest value is 5 or 7, of a smallest one 8: a neighbour differs there
  /// only.
  private func checkEdges<Value: FixedWidthInteger & Sendable>(_ type: Value.Type) throws {
    for offset in 0..<6 as Range<Value> {
      let large = Value.max - offset
      let small = Value.min + offset
      #expect(try NumberPlacements.integer(large.description) == .value(large))
      #expect(try NumberPlacements.integer(small.description) == .value(small))
    }
    let above = String(Value.max.description.dropLast()) + (Value.isSigned ? "8" : "6")
    #expect(try NumberPlacements.integer(above, as: type) == .outOfRange)
    let below = Value.isSigned ? Value.min.description.dropLast() + "9" : "-1"
    #expect(try NumberPlacements.integer(below, as: type) == .outOfRange)
    for text in [Value.max.description + "0", "-" + Value.max.description + "0"] {
      #expect(try NumberPlacements.integer(text, as: type) == .outOfRange)
    }
    for zero in ["0", "-0"] { #expect(try NumberPlacements.integer(zero, as: type) == .value(0)) }
    for real in ["1.5", "1.0", "0.0", "-0.0", "1e2", "1E0", "1e-400", "1e400", "12345678.5"] {
      #expect(try NumberPlacements.integer(real, as: type) == .notInteger)
    }
    let many = String(repeating: "9", count: 10_000)
    #expect(try NumberPlacements.integer(many, as: type) == .outOfRange)
    #expect(try NumberPlacements.integer("-" + many, as: type) == .outOfRange)
    #expect(try NumberPlacements.integer(many + ".5", as: type) == .notInteger)
  }

  @Test("every number of digits is read exactly", arguments: 1...45)
  func digitCounts(count: Int) throws {
    let all = "123456789012345678901234567890123456789012345"
    for digits in [
      String(all.prefix(count)), String(repeating: "9", count: count),
      "1" + String(repeating: "0", count: count - 1),
    ] {
      for text in [digits, "-" + digits] {
        #expect(try NumberPlacements.integer(text) == expected(text, Int32.self))
        #expect(try NumberPlacements.integer(text) == expected(text, UInt32.self))
        #expect(try NumberPlacements.integer(text) == expected(text, Int64.self))
        #expect(try NumberPlacements.integer(text) == expected(text, UInt64.self))
        #expect(try NumberPlacements.integer(text) == expected(text, Int128.self))
        #expect(try NumberPlacements.integer(text) == expected(text, UInt128.self))
      }
    }
  }

  private func expected<Value: FixedWidthInteger>(
    _ text: String, _ type: Value.Type
  ) -> IntegerConversion<Value> {
    Value(text).map { .value($0) } ?? .outOfRange
  }

  @Test("20 digits around 2^64, 39 around 2^127 and 2^128")
  func powersOfTwo() throws {
    typealias Row = (text: String, int64: Int64?, uint64: UInt64?)
    let rows: [Row] = [
      ("9223372036854775807", .max, 1 << 63 - 1), ("9223372036854775808", nil, 1 << 63),
      ("-9223372036854775808", .min, nil), ("-9223372036854775809", nil, nil),
      ("9999999999999999999", nil, 9_999_999_999_999_999_999),
      ("10000000000000000000", nil, 10_000_000_000_000_000_000),
      ("18446744073709551615", nil, .max), ("18446744073709551616", nil, nil),
      ("99999999999999999999", nil, nil), ("100000000000000000000", nil, nil),
    ]
    for row in rows {
      #expect(try NumberPlacements.integer(row.text) == conversion(row.int64), "\(row.text)")
      #expect(try NumberPlacements.integer(row.text) == conversion(row.uint64), "\(row.text)")
    }
    let wide = "170141183460469231731687303715884105728"
    #expect(try NumberPlacements.integer(wide, as: Int128.self) == .outOfRange)
    #expect(try NumberPlacements.integer("-" + wide) == .value(Int128.min))
    let widest = "340282366920938463463374607431768211455"
    #expect(try NumberPlacements.integer(widest) == .value(UInt128.max))
  }

  private func conversion<Value: FixedWidthInteger>(_ value: Value?) -> IntegerConversion<Value> {
    value.map { .value($0) } ?? .outOfRange
  }
}
