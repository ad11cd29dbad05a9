// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One model in every spelling. They share one table: a spelling changes nothing but how it reads. The
// throwing form stops at its first error, so it has the table's first failure.

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

/// The fields of Argo's comparison with SwiftyJSON.
private struct Fields: Equatable, Sendable {
  var id: String
  var nickname: String?
  var age: Int
  var admin: Bool
}

private func inRange(_ age: Int) -> Decoded<Int> {
  age >= 0 ? pure(age) : .customError("age: Out of range (\(age))")
}

private struct ByOperators: JSONDecodable {
  let fields: Fields

  static func decode(_ json: JSON) -> Decoded<Self> {
    let make =
      curry(Fields.init) <^> json <| "id" <*> json <|? "nickname"
      <*> (json <| "age" >>- inRange) <*> (json <|? "admin").map { $0 ?? false }
    return make.map { Self(fields: $0) }
  }
}

private struct ByBuild: JSONDecodable {
  let fields: Fields

  static func decode(_ json: JSON) -> Decoded<Self> {
    build(
      Fields.init, json <| "id", json <|? "nickname", json <| "age" >>- inRange,
      json.decode("admin", default: false)
    ).map { Self(fields: $0) }
  }
}

private struct ByVerbs: JSONDecodable {
  let fields: Fields

  static func decode(_ json: JSON) -> Decoded<Self> {
    curry(Fields.init) <^> json.decode("id") <*> json.decodeIfPresent("nickname")
      <*> json.decode("age").flatMap(inRange)
      <*> json.decode(["admin"], default: false) >>- { .success(Self(fields: $0)) }
  }
}

private struct ByPointers: JSONDecodable {
  let fields: Fields

  static func decode(_ json: JSON) -> Decoded<Self> {
    build(
      Fields.init, json.decode(pointer: "/id"), json.decodeIfPresent(pointer: "/nickname"),
      json.decode(pointer: "/age") >>- inRange,
      json.decodeIfPresent(pointer: "/admin").map { $0 ?? false }
    ).map { Self(fields: $0) }
  }
}

private struct ByThrowing: JSONInitializable {
  let fields: Fields

  init(json: JSON) throws(DecodeError) {
    fields = try Fields(
      id: json.get("id"), nickname: json.getIfPresent("nickname"),
      age: inRange(json.get("age")).dematerialize(), admin: json.get("admin", default: false))
  }
}

private struct ByMaterialize: JSONDecodable {
  let fields: Fields

  static func decode(_ json: JSON) -> Decoded<Self> {
    materialize { () throws(DecodeError) in
      try Self(
        fields: Fields(
          id: json.from("id"), nickname: json.getIfPresent("nickname"),
          age: inRange(json.from("age")).get(), admin: json.get("admin", default: false)))
    }
  }
}

@Suite("One model in every spelling")
struct ModelSpellingTests {
  private let foo = Fields(id: "a082b4fe", nickname: "Foo", age: 30, admin: false)

  private var rows: [Row<Fields>] {
    [
      Row(#"{"id":"a082b4fe","nickname":"Foo","age":30,"admin":false}"#, is: foo),
      Row(#"{"admin":false,"age":30,"nickname":"Foo","id":"a082b4fe"}"#, is: foo),
      Row(#"{"x":[{"id":1}],"id":"a082b4fe","age":30,"nickname":"Foo","id":2}"#, is: foo),
      Row(
        #"{"id":"a082b4fe","age":30,"admin":true}"#,
        is: Fields(id: "a082b4fe", nickname: nil, age: 30, admin: true)),
      Row(
        #"{"id":"a082b4fe","nickname":null,"age":0,"admin":null}"#,
        is: Fields(id: "a082b4fe", nickname: nil, age: 0, admin: false)),
      Row(
        #"{"id":"a082b4fe","nickname":"Foo","age":-1,"admin":false}"#, fails: .custom, "", "",
        "age: Out of range (-1)"),
      Row(
        #"{"id":"a082b4fe","nickname":1,"age":30}"#, fails: .typeMismatch, "1:29", "/nickname",
        "expected a string, found the number 1"),
      Row(
        #"{"id":"a082b4fe","age":30,"admin":"yes"}"#, fails: .typeMismatch, "1:35", "/admin",
        #"expected a boolean, found the string "yes""#),
      Row(
        #"{"id":"a082b4fe","age":null}"#, fails: .missingKey, "1:24", "/age",
        "expected an integer, found null"),
      Row(
        #"{"nickname":[],"admin":0}"#,
        failsWith: [
          Failure(.missingKey, "1:1", "/id", "the key is missing"),
          Failure(.typeMismatch, "1:13", "/nickname", "expected a string, found an empty array"),
          Failure(.missingKey, "1:1", "/age", "the key is missing"),
          Failure(.typeMismatch, "1:24", "/admin", "expected a boolean, found the number 0"),
        ]),
      Row(
        "{}",
        failsWith: [
          Failure(.missingKey, "1:1", "/id", "the key is missing"),
          Failure(.missingKey, "1:1", "/age", "the key is missing"),
        ]),
      // Each field reports the same about a root that is not an object: once is enough.
      Row(" [1]", fails: .typeMismatch, "1:2", "", "expected an object, found an array"),
      Row("5", fails: .typeMismatch, "1:1", "", "expected an object, found the number 5"),
      Row("null", fails: .typeMismatch, "1:1", "", "expected an object, found null"),
    ]
  }

  /// The table for a spelling that stops at its first error.
  private var firstErrors: [Row<Fields>] {
    rows.map { row in
      guard case .failures(let failures) = row.outcome else { return row }
      return Row(
        row.json, failsWith: [failures[0]], sourceLocation: row.sourceLocation)
    }
  }

  private func run(_ rows: [Row<Fields>], on engine: Engine, by body: (JSON) -> Decoded<Fields>) {
    let usable = rows.filter { engine == .native || !$0.json.contains(#""id":2"#) }
    check(usable, on: engine, by: body)
  }

  @Test("operators", arguments: engines)
  func operators(engine: Engine) {
    run(rows, on: engine) { ByOperators.decode($0).map(\.fields) }
  }

  @Test("build", arguments: engines)
  func buildFunction(engine: Engine) { run(rows, on: engine) { ByBuild.decode($0).map(\.fields) } }

  @Test("named verbs", arguments: engines)
  func verbs(engine: Engine) { run(rows, on: engine) { ByVerbs.decode($0).map(\.fields) } }

  @Test("the throwing form stops at its first error", arguments: engines)
  func throwing(engine: Engine) {
    run(firstErrors, on: engine) { ByThrowing.decode($0).map(\.fields) }
  }

  @Test("materialize does too", arguments: engines)
  func materialized(engine: Engine) {
    let rows = firstErrors.filter { !$0.json.contains(#""id":2"#) }
    run(rows, on: engine) { ByMaterialize.decode($0).map(\.fields) }
  }

  @Test("pointers", arguments: engines)
  func pointers(engine: Engine) {
    run(rows, on: engine) { ByPointers.decode($0).map(\.fields) }
  }

  @Test("in an array, every bad element's errors are reported, in order", arguments: engines)
  func inArrays(engine: Engine) throws {
    let json = #"""
      [{"id":"1","age":1}, {"id":2,"age":"x"},
       {"id":"3","age":-3},
       null, {"id":"5"}]
      """#
    let result = [ByOperators].decode(from: json, options: .on(engine))
    let found = failures(of: result).map { engine == .native ? $0 : $0.withoutPlace }
    let expected = [
      Failure(.typeMismatch, "1:28", "/1/id", "expected a string, found the number 2"),
      Failure(.typeMismatch, "1:36", "/1/age", #"expected an integer, found the string "x""#),
      Failure(.custom, "2:2", "/2", "age: Out of range (-3)"),
      Failure(.typeMismatch, "3:2", "/3", "expected an object, found null"),
      Failure(.missingKey, "3:8", "/4/age", "the key is missing"),
    ]
    #expect(found == expected.map { engine == .native ? $0 : $0.withoutPlace })
  }
}
