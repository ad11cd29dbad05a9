// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

private struct Size: Equatable, Sendable {
  let width: Int
  let height: Int

  init?(_ text: String) {
    let parts = text.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2 else { return nil }
    width = parts[0]
    height = parts[1]
  }

  static let conversion = JSONConversion<Size>.string("a size such as 3x4") { Size($0) }
}

@Suite("Conversions of fields")
struct ConversionTests {
  private let size = Size("3x4")

  @Test("of strings", arguments: engines)
  func strings(engine: Engine) {
    let rows: [Row<Size?>] = [
      Row(#"{"a":{"size":"3x4"}}"#, is: size),
      Row(
        #"{"a":{"size":"large"}}"#, fails: .invalidValue, "1:14", "/a/size",
        #"expected a size such as 3x4, found the string "large""#),
      Row(
        #"{"a":{"size":12}}"#, fails: .typeMismatch, "1:14", "/a/size",
        "expected a size such as 3x4, found the number 12"),
      Row(#"{"a":{}}"#, fails: .missingKey, "1:6", "/a/size", "the key is missing"),
      Row(
        #"{"a":{"size":null}}"#, fails: .missingKey, "1:14", "/a/size",
        "expected a size such as 3x4, found null"),
      Row(
        #"{"a":{"size":"\#(String(repeating: "x", count: 100))"}}"#, fails: .invalidValue, "1:14",
        "/a/size",
        #"expected a size such as 3x4, found the string "\#(String(repeating: "x", count: 40))…""#),
    ]
    check(rows, on: engine) { $0.convert(["a", "size"], using: Size.conversion.map { $0 }) }
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in
        try json.convert(["a", "size"], using: Size.conversion).get()
      }
    }
  }

  @Test("absent and null: nil, a default, or an error", arguments: engines)
  func optionals(engine: Engine) {
    for json in ["{}", #"{"size":null}"#] {
      check([Row(json, is: Size?.none)], on: engine) {
        $0.convertIfPresent("size", using: Size.conversion)
      }
      check([Row(json, is: size)], on: engine) {
        $0.convert("size", using: Size.conversion.map { $0 }, default: size)
      }
      check([Row(json, is: size)], on: engine) { json in
        Result { () throws(DecodeError) in
          try json.convert("size", using: Size.conversion.map { $0 }, default: size).get()
        }
      }
    }
    check([Row(#"{"size":"3x4"}"#, is: size)], on: engine) {
      $0.convertIfPresent("size", using: Size.conversion)
    }
    check([Row(#"{"size":"3x4"}"#, is: size)], on: engine) {
      $0.convert("size", using: Size.conversion.map { $0 }, default: nil)
    }
    check([Row(#"{"size":"3x4"}"#, is: size)], on: engine) { json in
      Result { () throws(DecodeError) in
        try json.convert("size", using: Size.conversion.map { $0 }, default: nil).get()
      }
    }
    check([Row(#""3x4""#, is: size)], on: engine) { json in
      Result { () throws(DecodeError) in try json.converted(using: Size.conversion).get() }
    }
    let wrong = Row<Size?>(
      #"{"size":true}"#, fails: .typeMismatch, "1:9", "/size",
      "expected a size such as 3x4, found true")
    check([wrong], on: engine) { $0.convertIfPresent("size", using: Size.conversion) }
    check([wrong], on: engine) {
      $0.convert("size", using: Size.conversion.map { $0 }, default: size)
    }
    check([wrong], on: engine) { json in
      Result { () throws(DecodeError) in
        try json.convertIfPresent("size", using: Size.conversion).get()
      }
    }
  }

  @Test("of array elements, with all their errors", arguments: engines)
  func arrays(engine: Engine) {
    let rows: [Row<[Size?]>] = [
      Row(#"{"sizes":["3x4",null]}"#, is: [size, nil]),
      Row(
        #"{"sizes":["3x4","a",5]}"#,
        failsWith: [
          Failure(
            .invalidValue, "1:17", "/sizes/1", #"expected a size such as 3x4, found the string "a""#
          ),
          Failure(
            .typeMismatch, "1:21", "/sizes/2", "expected a size such as 3x4, found the number 5"),
        ]),
      Row(
        #"{"sizes":"3x4"}"#, fails: .typeMismatch, "1:10", "/sizes",
        #"expected an array, found the string "3x4""#),
    ]
    check(rows, on: engine) {
      $0.convert("sizes", using: .array(of: .optional(Size.conversion)))
    }
  }

  @Test("with an alternative, whose errors are both told", arguments: engines)
  func alternatives(engine: Engine) {
    let conversion = JSONConversion<Int>.value.or(.fromString)
    let rows: [Row<Int>] = [
      Row(#"{"n":5}"#, is: 5),
      Row(#"{"n":"5"}"#, is: 5),
      Row(
        #"{"n":"five"}"#, fails: .invalidValue, "1:6", "/n",
        #"expected an integer or a number in a string, found the string "five""#),
      Row(
        #"{"n":[]}"#, fails: .typeMismatch, "1:6", "/n",
        "expected an integer or a number in a string, found an empty array"),
    ]
    check(rows, on: engine) { $0.convert("n", using: conversion) }
  }

  @Test("of numbers, by every digit of their text", arguments: engines)
  func numbers(engine: Engine) {
    let cents = JSONConversion<Int>.number("an amount in cents") { number in
      number.text.split(separator: ".").last.flatMap { $0.utf8.count == 2 ? Int($0) : nil }
    }
    check(
      [
        Row(#"{"n":1.25}"#, is: 25),
        Row(
          #"{"n":1.5}"#, fails: .invalidValue, "1:6", "/n",
          "expected an amount in cents, found the number 1.5"),
        Row(
          #"{"n":"1.25"}"#, fails: .typeMismatch, "1:6", "/n",
          #"expected an amount in cents, found the string "1.25""#),
      ], on: engine
    ) { $0.convert("n", using: cents) }
    let either = JSONConversion<Int>.value.or(JSONConversion<[Int]>.value.map { $0.count })
    check(
      [
        Row(#"{"n":[7,8]}"#, is: 2),
        // The second conversion failed further in: what is wrong there is said, and not what else would do.
        Row(
          #"{"n":["x"]}"#, fails: .typeMismatch, "1:7", "/n/0",
          #"expected an integer, found the string "x""#),
      ], on: engine
    ) { $0.convert("n", using: either) }
    // So it is if the first one did, and the second takes no such value at all.
    let first = JSONConversion<[Int]>.array(of: .value).map { $0.count }
      .or(JSONConversion<String>.value.map { $0.utf8.count })
    check(
      [
        Row(#"{"n":"ab"}"#, is: 2),
        Row(
          #"{"n":[7,null,"x"]}"#,
          failsWith: [
            Failure(.typeMismatch, "1:9", "/n/1", "expected an integer, found null"),
            Failure(
              .typeMismatch, "1:14", "/n/2", #"expected an integer, found the string "x""#),
          ]),
        Row(
          #"{"n":5}"#, fails: .typeMismatch, "1:6", "/n",
          "expected an array or a string, found the number 5"),
      ], on: engine
    ) { $0.convert("n", using: first) }
    let member = JSONConversion<Int> { $0.decode("id") }.or(JSONConversion<Int>.value)
    check(
      [Row(#"{"n":{"other":5}}"#, fails: .missingKey, "1:6", "/n/id", "the key is missing")],
      on: engine
    ) { $0.convert("n", using: member) }
  }

  @Test("by a function, and of a whole value", arguments: engines)
  func functions(engine: Engine) throws {
    check([Row(#"{"a":[1,2]}"#, is: 2)], on: engine) { json in
      json.convert("a", using: JSONConversion { .success($0.count) })
    }
    // Two errors of a function's own: both are about the value that it was given.
    let twice = [Failure(.custom, "1:6", "/a", "one"), Failure(.custom, "1:6", "/a", "two")]
    check([Row<Int>(#"{"a":[1,2]}"#, failsWith: twice)], on: engine) { json in
      json.convert(
        "a",
        using: JSONConversion { _ in
          build({ $0 + $1 }, Decoded<Int>.customError("one"), .customError("two"))
        })
    }
    let value = try JSONValue(parsing: #"["3x4"]"#, options: .on(engine))
    #expect(value[0].converted(using: Size.conversion).value == size)
    let doubled = JSONConversion<Int>.value.flatMap { $0 > 0 ? pure($0 * 2) : .customError("no") }
    check([Row(#"{"n":4}"#, is: 8)], on: engine) { $0.convert("n", using: doubled) }
    check([Row<Int>(#"{"n":0}"#, fails: .custom, "1:6", "/n", "no")], on: engine) {
      $0.convert("n", using: doubled)
    }
  }
}

@Suite("Validation")
struct ValidationTests {
  @Test("by a condition, with its message at the value", arguments: engines)
  func conditions(engine: Engine) {
    let rows: [Row<Int>] = [
      Row(#"{"age":0}"#, is: 0),
      Row(#"{"age":-1}"#, fails: .invalidValue, "1:8", "/age", "no age, found the number -1"),
      Row(
        #"{"age":"1"}"#, fails: .typeMismatch, "1:8", "/age",
        #"expected an integer, found the string "1""#),
      Row("{}", fails: .missingKey, "1:1", "/age", "the key is missing"),
    ]
    check(rows, on: engine) { $0.convert("age", using: .value.validated("no age") { $0 >= 0 }) }
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in
        try json.convert("age", using: .value.validated("no age") { $0 >= 0 }).get()
      }
    }
  }

  @Test("by a range", arguments: engines)
  func ranges(engine: Engine) {
    let rows: [Row<Double>] = [
      Row(#"{"lat":-90}"#, is: -90),
      Row(#"{"lat":90.0}"#, is: 90),
      Row(
        #"{"lat":90.5}"#, fails: .invalidValue, "1:8", "/lat",
        "expected a value in -90.0...90.0, found the number 90.5"),
    ]
    check(rows, on: engine) { $0.convert("lat", using: .value.inRange(-90...90)) }
  }

  @Test("by not being empty", arguments: engines)
  func empty(engine: Engine) {
    check([Row(#"{"a":[1]}"#, is: [1])], on: engine) { $0.convert("a", using: .value.nonEmpty) }
    check([Row(#"{"a":[1]}"#, is: [1])], on: engine) { json in
      Result { () throws(DecodeError) in try json.convert("a", using: .value.nonEmpty).get() }
    }
    check(
      [
        Row<[Int]>(
          #"{"a":[]}"#, fails: .invalidValue, "1:6", "/a",
          "expected a non-empty value, found an empty array")
      ], on: engine
    ) { $0.convert("a", using: .value.nonEmpty) }
    check(
      [
        Row<String>(
          #"{"a":""}"#, fails: .invalidValue, "1:6", "/a",
          #"expected a non-empty value, found the string """#)
      ], on: engine
    ) { $0.convert("a", using: .value.nonEmpty) }
  }
}
