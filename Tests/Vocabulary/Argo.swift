// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Argo, and what was compared with it: SwiftyJSON.

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

private struct User: Equatable, Sendable {
  let id: String
  let nickname: String?
  let age: Int
  let admin: Bool
}

extension User: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init)
      <^> json <| "id"
      <*> json <|? "nickname"
      <*> (json <| "age" >>- { $0 >= 0 ? pure($0) : .customError("age: Out of range (\($0))") })
      <*> (json <|? "admin").map { $0 ?? false }
  }
}

private enum Color: String, CaseIterable, JSONDecodable { case red, green }

private let sample = #"{"id":"a082b4fe","nickname":"Foo","age":30,"admin":false}"#

@Suite("D. Argo against SwiftyJSON")
struct ArgoTests {
  private let user = User(id: "a082b4fe", nickname: "Foo", age: 30, admin: false)

  @Test("the user", arguments: engines)
  func user(engine: Engine) {
    let bare = User(id: "a", nickname: nil, age: 0, admin: false)
    let rows: [Row<User>] = [
      Row(sample, is: user),
      Row(#"{"id":"a","age":0}"#, is: bare),
      Row(#"{"id":"a","nickname":null,"age":0,"admin":null}"#, is: bare),
      Row(
        sample.replacing("false", with: #""no""#), fails: .typeMismatch, "1:52", "/admin",
        #"expected a boolean, found the string "no""#),
      Row(
        sample.replacing(#""Foo""#, with: "5"), fails: .typeMismatch, "1:29", "/nickname",
        "expected a string, found the number 5"),
    ]
    check(rows, on: engine)
  }

  @Test("a negative age fails, message verbatim", arguments: engines)
  func age(engine: Engine) {
    let rows: [Row<User>] = [
      Row(
        sample.replacing("30", with: "-1"), fails: .custom, "", "", "age: Out of range (-1)")
    ]
    for row in rows {
      let error = User.decode(from: row.json, options: .on(engine)).error
      #expect(error?.code == .custom)
      #expect(error?.message == "age: Out of range (-1)")
    }
  }

  @Test("errors of siblings are one flat list, a single one is not wrapped", arguments: engines)
  func errors(engine: Engine) {
    let rows: [Row<User>] = [
      Row(
        #"{"id":1}"#,
        failsWith: [
          Failure(.typeMismatch, "1:7", "/id", "expected a string, found the number 1"),
          Failure(.missingKey, "1:1", "/age", "the key is missing"),
        ]),
      Row(#"{"id":"a"}"#, fails: .missingKey, "1:1", "/age", "the key is missing"),
    ]
    check(rows, on: engine)
  }

  @Test("<|?: only the last key may be missing inside what is there", arguments: engines)
  func optionalPaths(engine: Engine) {
    struct Inner: JSONDecodable, Equatable, Sendable {
      let name: String
      static func decode(_ json: JSON) -> Decoded<Inner> { Inner.init <^> json <| "name" }
    }
    let rows: [Row<Inner?>] = [
      Row("{}", is: nil),
      Row(#"{"inner":null}"#, is: nil),
      Row(#"{"inner":{"name":"a"}}"#, is: Inner(name: "a")),
      Row(#"{"inner":{}}"#, fails: .missingKey, "1:10", "/inner/name", "the key is missing"),
    ]
    check(rows, on: engine) { $0 <|? "inner" }
    let path: [Row<String?>] = [
      Row("{}", is: nil), Row(#"{"inner":{}}"#, is: nil), Row(#"{"inner":{"name":"a"}}"#, is: "a"),
    ]
    check(path, on: engine) { $0 <|? ["inner", "name"] }
  }

  @Test("map, flatMap, apply, or, pure, fromOptional, value, error")
  func combinators() {
    let failure = Decoded<Int>.customError("no")
    #expect(pure(2).map { $0 + 1 }.value == 3)
    #expect(failure.map { $0 + 1 }.error?.message == "no")
    #expect(pure(2).flatMap { pure($0 * 2) }.value == 4)
    let function: Decoded<(Int) -> Int> = pure { $0 + 1 }
    #expect(function.apply(pure(1)).value == 2)
    #expect(function.apply(failure).error?.message == "no")
    #expect(failure.or(pure(5)).value == 5)
    #expect((failure <|> pure(5)).value == 5)
    #expect((failure.value ?? 7) == 7)
    var isEvaluated = false
    func alternative() -> Decoded<Int> {
      isEvaluated = true
      return pure(0)
    }
    #expect((pure(1) <|> alternative()).value == 1)
    #expect(!isEvaluated)
    #expect(Decoded.fromOptional(5, .custom("none")).value == 5)
    #expect(Decoded<Int>.fromOptional(nil, .custom("none")).error?.message == "none")
    #expect(Decoded<Int>.fromOptional(5).value == 5)
    #expect(Decoded<Int>.fromOptional(nil).error?.message == "there is no value")
  }

  @Test("optional: every failure is nil; <|? keeps wrong types", arguments: engines)
  func optional(engine: Engine) {
    let rows: [Row<Int?>] = [
      Row("{}", is: nil), Row(#"{"a":null}"#, is: nil), Row(#"{"a":1}"#, is: 1),
      Row(#"{"a":"1"}"#, is: nil),
    ]
    check(rows, on: engine) { $0.decode("a", as: Int.self).optional }
    check(rows, on: engine) { .optional($0 <| "a") }
    let strict: [Row<Int?>] = [
      Row(
        #"{"a":"1"}"#, fails: .typeMismatch, "1:6", "/a",
        #"expected an integer, found the string "1""#)
    ]
    check(strict, on: engine) { $0 <|? "a" }
  }

  @Test("materialize takes any error; dematerialize")
  func materializing() throws {
    struct Refusal: Error {}
    let refused = materialize { () throws -> Int in throw Refusal() }
    #expect(refused.error?.code == .custom)
    #expect(refused.error?.message == "Refusal()")
    let mixed = materialize { () throws -> Int in throw DecodeError.custom("mine") }
    #expect(mixed.error?.message == "mine")
    let failure = materialize { () throws(DecodeError) -> Int in throw .custom("no") }
    #expect(failure.error?.message == "no")
    #expect(try materialize { 5 }.dematerialize() == 5)
    #expect(throws: DecodeError.self) { try failure.dematerialize() }
  }

  @Test("catDecoded, sequence, flatReduce")
  func sequences() {
    let mixed: [Decoded<Int>] = [pure(1), .customError("a"), pure(3), .customError("b")]
    #expect(catDecoded(mixed) == [1, 3])
    #expect(sequence(mixed).error?.underlying.map(\.message) == ["a", "b"])
    #expect(sequence([pure(1), pure(2)]).value == [1, 2])
    #expect(catDecoded(["a": pure(1), "b": .customError("x")]) == ["a": 1])
    #expect(sequence(["a": pure(1), "b": pure(2)]).value == ["a": 1, "b": 2])
    let sum = [1, 2, 3].flatReduce(0) { pure($0 + $1) }
    #expect(sum.value == 6)
    let stopped = [1, 2, 3].flatReduce(0) { $1 == 2 ? .customError("two") : pure($0 + $1) }
    #expect(stopped.error?.message == "two")
  }

  @Test(">>- and -<<")
  func binds() {
    let half: (Int) -> Decoded<Int> = {
      $0.isMultiple(of: 2) ? pure($0 / 2) : .customError("\($0) is odd")
    }
    #expect((pure(12) >>- half >>- half).value == 3)
    #expect((half -<< half -<< pure(12)).value == 3)
    #expect((half -<< half -<< pure(6)).error?.message == "3 is odd")
  }

  @Test("a root key; arrays at the root", arguments: engines)
  func roots(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    let json = #"{"user":\#(sample)}"#
    #expect(User.decode(from: json, rootKey: "user", options: options).value == user)
    #expect(try User(decoding: json, rootKey: ["user"], options: options) == user)
    let value = try JSONValue(parsing: json, options: options)
    #expect(value["user"].decoded(User.self).value == user)
    let missing = User.decode(from: "{}", rootKey: "user", options: options)
    #expect(failures(of: missing).map(\.message) == ["the key is missing"])
    #expect(failures(of: missing).map(\.path) == ["/user"])
    #expect(try [User](decoding: "[\(sample)]", options: options) == [user])
  }

  @Test("enums by empty conformance; an unknown raw value is named", arguments: engines)
  func enums(engine: Engine) {
    let rows: [Row<[Color]>] = [
      Row(#"["red","green"]"#, is: [.red, .green]),
      Row(
        #"["blue"]"#, fails: .invalidValue, "1:2", "/0",
        #"the string "blue" is not one of "red", "green""#),
    ]
    check(rows, on: engine)
  }

  @Test("exact where Argo was not, with opt-ins by name", arguments: engines)
  func exact(engine: Engine) {
    check(
      [Row<Bool>("1", fails: .typeMismatch, "1:1", "", "expected a boolean, found the number 1")],
      on: engine)
    check([Row("1", is: true)], on: engine) { $0.converted(using: .boolOrZeroOrOne) }
    check(
      [
        Row<Int64>(
          #""5""#, fails: .typeMismatch, "1:1", "", #"expected an integer, found the string "5""#)
      ],
      on: engine)
    check([Row(#""5""#, is: Int64(5))], on: engine) { $0.converted(using: .fromString) }
    check(
      [
        Row<Int>(
          "1.5", fails: .notAnInteger, "1:1", "", "not an integer: 1.5")
      ],
      on: engine)
    check([Row("2.0", is: 2)], on: engine) { $0.converted(using: .integral) }
  }

  @Test("SwiftyJSON's spellings; a failed look-up remembers why", arguments: engines)
  func swiftyJSON(engine: Engine) throws {
    let json = try JSONValue(
      parsing: #"{"id":"x","a":[{"b":1}],"admin":null}"#, options: .on(engine))
    #expect(json["id"].string == "x")
    #expect(json["id"].int == nil)
    #expect((json["admin"].bool ?? false) == false)
    #expect(json["a"][0]["b"].int == 1)
    #expect(json["a"][1]["b"].error?.code == .missingElement)
    #expect(json["a"][1]["b"].error?.path == "/a/1")
    #expect(json["x"]["y"]["z"].error?.path == "/x")
    #expect(json["a"].error == nil)
  }
}
