// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Booleans, reals and text from documents")
struct ScalarDecodeTests {
  @Test("booleans are true and false, and nothing else", arguments: engines)
  func booleans(engine: Engine) {
    check(
      [
        Row("true", is: true), Row(" false\n", is: false),
        Row<Bool>("1", fails: .typeMismatch, "1:1", "", "expected a boolean, found the number 1"),
        Row<Bool>("0", fails: .typeMismatch, "1:1", "", "expected a boolean, found the number 0"),
        Row<Bool>(
          #""true""#, fails: .typeMismatch, "1:1", "",
          #"expected a boolean, found the string "true""#),
        Row<Bool>("null", fails: .typeMismatch, "1:1", "", "expected a boolean, found null"),
      ], on: engine)
  }

  @Test("a Double is any number, correctly rounded", arguments: engines)
  func doubles(engine: Engine) {
    check(
      [
        Row("0", is: 0.0), Row("1", is: 1.0), Row("-1.5", is: -1.5), Row("1e2", is: 100.0),
        Row("0.1", is: 0.1), Row("2.2250738585072014e-308", is: 0x1p-1022),
        Row("5e-324", is: 0x1p-1074), Row("1.7976931348623157e308", is: 0x1.fffffffffffffp1023),
        Row("9007199254740993.0", is: 9_007_199_254_740_992.0),
        Row<Double>(
          #""1""#, fails: .typeMismatch, "1:1", "", #"expected a number, found the string "1""#),
        Row<Double>("true", fails: .typeMismatch, "1:1", "", "expected a number, found true"),
        Row<Double>("null", fails: .typeMismatch, "1:1", "", "expected a number, found null"),
      ], on: engine)
  }

  @Test("a Float is rounded once, and refused when it would be infinite", arguments: engines)
  func floats(engine: Engine) {
    check(
      [
        Row("0.1", is: Float(0.1)), Row("-16777216", is: Float(-16_777_216)),
        Row("3.4028235e38", is: Float.greatestFiniteMagnitude),
        Row("1e-45", is: Float.leastNonzeroMagnitude),
        Row<Float>(
          "1e+39", fails: .numberOutOfRange, "1:1", "",
          "out of range for Float: 1e+39"),
        Row<Float>(
          "[]", fails: .typeMismatch, "1:1", "", "expected a number, found an empty array"),
      ], on: engine)
  }

  @Test("strings, with their escapes undone (RFC 8259 §7)", arguments: engines)
  func strings(engine: Engine) {
    check(
      [
        Row(#""""#, is: ""), Row(#""id""#, is: "id"), Row(#""Caffè Macs""#, is: "Caffè Macs"),
        Row(#""\"\\\/\b\f\n\r\t""#, is: "\"\\/\u{8}\u{C}\n\r\t"),
        Row(#""\u0041\u00e9\u20AC""#, is: "Aé€"),
        Row(#""\ud83d\ude00""#, is: "😀"), Row(#""\uD83D\uDE00""#, is: "😀"),
        Row(#""😀""#, is: "😀"), Row(#""\u0000""#, is: "\0"), Row(#""a\u0000b""#, is: "a\0b"),
        Row(#""\ud800\udc00\udbff\udfff""#, is: "\u{10000}\u{10FFFF}"),
        Row(#""\\u0041""#, is: #"\u0041"#), Row(#""\uFFFE\uffff""#, is: "\u{FFFE}\u{FFFF}"),
        Row("\"\u{7F}\u{2028}\"", is: "\u{7F}\u{2028}"),
        Row<String>("5", fails: .typeMismatch, "1:1", "", "expected a string, found the number 5"),
        Row<String>("false", fails: .typeMismatch, "1:1", "", "expected a string, found false"),
        Row<String>("null", fails: .typeMismatch, "1:1", "", "expected a string, found null"),
      ], on: engine)
  }

  @Test("strings of every length, with and without an escape at every place", arguments: engines)
  func lengths(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    for length in 0...140 {
      let text =
        String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2)
      #expect(try String(decoding: "\"\(text)\"", options: options) == text)
      let plain = String(repeating: "x", count: length)
      for place in stride(from: 0, through: length, by: 7) {
        let head = plain.prefix(place)
        let tail = plain.suffix(length - place)
        let json = #"["\#(head)\u00e9\#(tail)"]"#
        #expect(try [String](decoding: json, options: options) == [head + "é" + tail])
      }
    }
  }

  @Test("a Character is a string of one", arguments: engines)
  func characters(engine: Engine) {
    let message = "expected a string of one character, found"
    check(
      [
        Row(#""a""#, is: Character("a")), Row(#""é""#, is: Character("é")),
        Row(#""👨‍👩‍👧""#, is: Character("👨‍👩‍👧")), Row(#""\u0000""#, is: Character("\0")),
        Row<Character>(#""""#, fails: .typeMismatch, "1:1", "", message + #" the string """#),
        Row<Character>(#""ab""#, fails: .typeMismatch, "1:1", "", message + #" the string "ab""#),
        Row<Character>("1", fails: .typeMismatch, "1:1", "", message + " the number 1"),
      ], on: engine)
  }

  @Test("a long or hostile value is quoted short and escaped", arguments: engines)
  func quoting(engine: Engine) {
    let forty = String(repeating: "x", count: 40)
    check(
      [
        Row<Int>(
          "\"\(forty)\"", fails: .typeMismatch, "1:1", "",
          "expected an integer, found the string \"\(forty)\""),
        Row<Int>(
          "\"\(forty)y\"", fails: .typeMismatch, "1:1", "",
          "expected an integer, found the string \"\(forty)…\""),
        Row<Int>(
          #""\u001b[31m\n\"\u202e""#, fails: .typeMismatch, "1:1", "",
          #"expected an integer, found the string "\u001b[31m\n\"\u202e""#),
      ], on: engine)
  }
}
