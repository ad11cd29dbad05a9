// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Coercions that are asked for")
struct CoercionTests {
  @Test("an integer from a string", arguments: engines)
  func integersFromStrings(engine: Engine) {
    let rows: [Row<Int8>] = [
      Row(#""5""#, is: 5),
      Row(#""-128""#, is: -128),
      Row(
        #""128""#, fails: .numberOutOfRange, "1:1", "",
        #"out of range for Int8: the string "128""#),
      Row(
        #""1.5""#, fails: .notAnInteger, "1:1", "",
        #"not an integer: the string "1.5""#),
      Row(
        "5", fails: .typeMismatch, "1:1", "", "expected a number in a string, found the number 5"),
    ]
    check(rows, on: engine) { $0.converted(using: .fromString) }
    for text in ["", " 5", "5 ", "+5", "05", "five", "0x5", "5,0", "٥", "true", "null", "5 6", "-"]
    {
      let row = Row<Int8>(
        #""\#(text)""#, fails: .invalidValue, "1:1", "",
        #"expected a number in a string, found the string "\#(text)""#)
      check([row], on: engine) { $0.converted(using: .fromString) }
    }
  }

  @Test("a Double from a string", arguments: engines)
  func doublesFromStrings(engine: Engine) {
    let rows: [Row<Double>] = [
      Row(#""1.5e2""#, is: 150),
      Row(#""5""#, is: 5),
      Row(
        #""1e400""#, fails: .numberOutOfRange, "1:1", "",
        #"out of range for Double: the string "1e400""#),
      Row(
        #""NaN""#, fails: .invalidValue, "1:1", "",
        #"expected a number in a string, found the string "NaN""#),
    ]
    check(rows, on: engine) { $0.converted(using: .fromString) }
  }

  @Test("a number or a string with one", arguments: engines)
  func either(engine: Engine) {
    let rows: [Row<Int>] = [
      Row("5", is: 5),
      Row(#""5""#, is: 5),
      Row("1.5", fails: .notAnInteger, "1:1", "", "not an integer: 1.5"),
      Row(
        "true", fails: .typeMismatch, "1:1", "", "expected a number, or one in a string, found true"
      ),
    ]
    check(rows, on: engine) { $0.converted(using: .numberOrString) }
  }

  @Test("an integer from a number without a fraction", arguments: engines)
  func integral(engine: Engine) {
    for (text, value) in [
      ("5", 5), ("5.0", 5), ("5e0", 5), ("50e-1", 5), ("1.20e1", 12), ("0.0", 0), ("-0.0", 0),
      ("0e99", 0), ("-120.50e2", -12050), ("1e2", 100), ("0.001e3", 1),
    ] {
      check([Row(text, is: value)], on: engine) { $0.converted(using: .integral) }
    }
    check([Row("9223372036854775807.0", is: Int.max)], on: .native) {
      $0.converted(using: .integral)
    }
    check([Row("-128.0", is: Int8.min)], on: engine) { $0.converted(using: .integral) }
    let rows: [Row<Int>] = [
      Row("5.5", fails: .notAnInteger, "1:1", "", "not an integer: 5.5"),
      Row(
        #""5""#, fails: .typeMismatch, "1:1", "", #"expected an integer, found the string "5""#),
    ]
    check(rows, on: engine) { $0.converted(using: .integral) }
    let far: [Row<Int>] = [
      Row(
        "1e300", fails: .numberOutOfRange, "1:1", "",
        "out of range for Int: 1e300"),
      Row(
        "9223372036854775808.0", fails: .numberOutOfRange, "1:1", "",
        "out of range for Int: 9223372036854775808.0"),
    ]
    check(far, on: .native) { $0.converted(using: .integral) }
  }

  @Test("a boolean from 0 and 1, or from words", arguments: engines)
  func booleans(engine: Engine) {
    check([Row("0", is: false), Row("1", is: true)], on: engine) { $0.converted(using: .zeroOrOne) }
    let bits: [Row<Bool>] = [
      Row("2", fails: .invalidValue, "1:1", "", "expected 0 or 1, found the number 2"),
      Row("true", fails: .typeMismatch, "1:1", "", "expected 0 or 1, found true"),
    ]
    check(bits, on: engine) { $0.converted(using: .zeroOrOne) }
    let both: [Row<Bool>] = [
      Row("0", is: false), Row("true", is: true),
      Row(
        #""true""#, fails: .typeMismatch, "1:1", "",
        #"expected a boolean or 0 or 1, found the string "true""#),
    ]
    check(both, on: engine) { $0.converted(using: .boolOrZeroOrOne) }
    let words: [Row<Bool>] = [
      Row(#""true""#, is: true), Row(#""false""#, is: false),
      Row(
        #""yes""#, fails: .invalidValue, "1:1", "",
        #"expected "true" or "false", found the string "yes""#),
    ]
    check(words, on: engine) { $0.converted(using: .fromString) }
  }

  @Test("not one of them by itself", arguments: engines)
  func exact(engine: Engine) {
    check(
      [
        Row<Int>(
          #""5""#, fails: .typeMismatch, "1:1", "", #"expected an integer, found the string "5""#),
        Row<Int>(
          "1.5", fails: .notAnInteger, "1:1", "", "not an integer: 1.5"),
      ], on: engine)
    check(
      [
        Row<Bool>("1", fails: .typeMismatch, "1:1", "", "expected a boolean, found the number 1")
      ],
      on: engine)
  }
}

@Suite("Exact numbers")
struct JSONNumberTests {
  @Test("keep their text", arguments: engines)
  func text(engine: Engine) {
    check(
      [
        Row("5", is: JSONNumber(text: "5")), Row("-1.25", is: JSONNumber(text: "-1.25")),
        Row(#""5""#, fails: .typeMismatch, "1:1", "", #"expected a number, found the string "5""#),
      ], on: engine)
    let digits = "0.10000000000000000000000000000001"
    check([Row(digits, is: JSONNumber(text: digits))], on: .native)
    check([Row("1.50", is: JSONNumber(text: "1.50"))], on: .native)
    check([Row("1.50", is: 4)], on: .native) {
      $0.converted(using: .number("a number") { $0.text.utf8.count })
    }
  }
}
