// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Integers from documents")
struct IntegerDecodeTests {
  @Test("every width takes its edges, and its neighbours are out of range", arguments: engines)
  func edges(engine: Engine) {
    checkEdges(Int8.self, "an Int8", on: engine)
    checkEdges(Int16.self, "an Int16", on: engine)
    checkEdges(Int32.self, "an Int32", on: engine)
    checkEdges(UInt8.self, "a UInt8", on: engine)
    checkEdges(UInt16.self, "a UInt16", on: engine)
    checkEdges(UInt32.self, "a UInt32", on: engine)
    // libjansson's integers are Int64: larger integers are in Differences.swift.
    guard engine == .native else { return }
    checkEdges(Int.self, "an Int64", on: engine)
    checkEdges(Int64.self, "an Int64", on: engine)
    checkEdges(Int128.self, "an Int128", on: engine)
    checkEdges(UInt.self, "a UInt64", on: engine)
    checkEdges(UInt64.self, "a UInt64", on: engine)
    checkEdges(UInt128.self, "a UInt128", on: engine)
  }

  private func checkEdges<Value: FixedWidthInteger & JSONDecodable & Sendable>(
    _ type: Value.Type, _ name: String, on engine: Engine
  ) {
    // The last digit of a largest value is 5 or 7, of a smallest one 8 or 0.
    let above = Value.max.description.dropLast() + (Value.isSigned ? "8" : "6")
    let below = Value.isSigned ? Value.min.description.dropLast() + "9" : "-1"
    check(
      [
        Row("\(Value.max)", is: Value.max), Row(" \(Value.min) ", is: Value.min),
        Row("0", is: 0), Row("-0", is: 0),
        Row(
          String(above), fails: .numberOutOfRange, "1:1", "",
          "out of range for \(Value.self): \(above)"),
        Row(
          "\n" + below, fails: .numberOutOfRange, "2:1", "",
          "out of range for \(Value.self): \(below)"),
      ], on: engine)
  }

  @Test("the edges of 64 bits", arguments: engines)
  func edgesOf64Bits(engine: Engine) {
    check(
      [
        Row("9223372036854775807", is: Int64.max), Row("-9223372036854775808", is: Int64.min),
        Row("9007199254740993", is: 9_007_199_254_740_993),
      ], on: engine)
    check([Row("9223372036854775807", is: UInt64(Int64.max))], on: engine)
    check([Row("-9223372036854775808", is: Int128(Int64.min))], on: engine)
  }

  @Test("a fraction or an exponent is no integer, even if its value is one", arguments: engines)
  func fractions(engine: Engine) {
    check(
      [
        Row<Int>(
          "1.5", fails: .notAnInteger, "1:1", "", "not an integer: 1.5"),
        Row<Int>(
          "1.0", fails: .notAnInteger, "1:1", "", "not an integer: 1.0"),
        Row<Int>(
          "-0.25", fails: .notAnInteger, "1:1", "", "not an integer: -0.25"),
        Row<Int>(
          "1e+20", fails: .notAnInteger, "1:1", "", "not an integer: 1e+20"),
      ], on: engine)
  }

  @Test("no other kind is an integer", arguments: engines)
  func otherKinds(engine: Engine) {
    check(
      [
        Row<Int>(
          #""5""#, fails: .typeMismatch, "1:1", "", #"expected an integer, found the string "5""#),
        Row<Int>("true", fails: .typeMismatch, "1:1", "", "expected an integer, found true"),
        Row<Int>("null", fails: .typeMismatch, "1:1", "", "expected an integer, found null"),
        Row<Int>(
          "[]", fails: .typeMismatch, "1:1", "", "expected an integer, found an empty array"),
        Row<Int>("[1]", fails: .typeMismatch, "1:1", "", "expected an integer, found an array"),
        Row<Int>(
          "{}", fails: .typeMismatch, "1:1", "", "expected an integer, found an empty object"),
        Row<Int>(
          #"{"a":1}"#, fails: .typeMismatch, "1:1", "", "expected an integer, found an object"),
      ], on: engine)
  }
}
