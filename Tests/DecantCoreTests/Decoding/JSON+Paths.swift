// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

private let document = #"""
  {"user":{"name":"Tester","tags":["a","b"],"phone":{"verified":false},"nothing":null},
   "a.b":1,"a/b":2,"m~n":3,"":4,"users":[{"id":1},{"id":"2"}],"01":5,"0":6}
  """#

@Suite("Paths to values")
struct JSONPathTests {
  /// Runs rows whose JSON is the one document.
  private func check<Model: Equatable & Sendable>(
    _ outcome: Row<Model>, on engine: Engine, by body: (JSON) -> Decoded<Model>
  ) { DecantTestSupport.check([outcome], on: engine, by: body) }

  @Test("array literals: keys and places", arguments: engines)
  func arrayLiterals(engine: Engine) {
    check(Row(document, is: "Tester"), on: engine) { $0 <| ["user", "name"] }
    check(Row(document, is: 1), on: engine) { $0 <| ["users", 0, "id"] }
    check(Row(document, is: "b"), on: engine) { $0.decode(["user", "tags", 1]) }
    check(Row(document, is: 1), on: engine) { $0 <| "a.b" }
    check(Row(document, is: 2), on: engine) { $0 <| ["a/b"] }
    check(Row(document, is: 4), on: engine) { $0 <| "" }
    check(Row(document, is: ["a", "b"]), on: engine) { $0 <|| ["user", "tags"] }
    check(Row(document, is: [String]?.none), on: engine) { $0 <||? ["user", "nothing"] }
    check(Row(document, is: "Tester"), on: engine) { $0.decode(JSONKey(path: ["user", "name"])) }
  }

  @Test("failures name the step that leads nowhere", arguments: engines)
  func failingPaths(engine: Engine) {
    check(
      Row<Int>(document, fails: .missingKey, "1:9", "/user/age", "the key is missing"), on: engine
    ) { $0 <| ["user", "age"] }
    check(
      Row<Int>(document, fails: .missingKey, "1:1", "/person", "the key is missing"), on: engine
    ) { $0 <| ["person", "age"] }
    check(
      Row<Int>(
        document, fails: .typeMismatch, "1:17", "/user/name",
        #"expected an object, found the string "Tester""#), on: engine
    ) { $0 <| ["user", "name", "first"] }
    check(
      Row<Int>(document, fails: .missingElement, "2:39", "/users/2", "the element is missing"),
      on: engine
    ) { $0 <| ["users", 2, "id"] }
    check(
      Row<Int>(document, fails: .missingElement, "2:39", "/users/-1", "the element is missing"),
      on: engine
    ) { $0 <| ["users", -1] }
    check(
      Row<Int>(
        document, fails: .typeMismatch, "2:55", "/users/1/id",
        #"expected an integer, found the string "2""#), on: engine
    ) { $0 <| ["users", 1, "id"] }
    check(
      Row<Int>(
        document, fails: .typeMismatch, "2:39", "/users", "expected an object, found an array"),
      on: engine
    ) { $0 <| ["users", "id"] }
    check(
      Row<Int>(
        document, fails: .typeMismatch, "1:9", "/user", "expected an array, found an object"),
      on: engine
    ) { $0 <| ["user", 0] }
    check(
      Row<Int>(
        document, fails: .missingKey, "1:80", "/user/nothing", "expected an object, found null"),
      on: engine
    ) { $0 <| ["user", "nothing", "x"] }
  }

  @Test("pointers (RFC 6901)", arguments: engines)
  func pointers(engine: Engine) {
    check(Row(document, is: "Tester"), on: engine) { $0.decode(pointer: "/user/name") }
    check(Row(document, is: "b"), on: engine) { $0.decode(pointer: "/user/tags/1") }
    check(Row(document, is: 2), on: engine) { $0.decode(pointer: "/a~1b") }
    check(Row(document, is: 3), on: engine) { $0.decode(pointer: "/m~0n") }
    check(Row(document, is: 4), on: engine) { $0.decode(pointer: "/") }
    check(Row(document, is: 6), on: engine) { $0.decode(pointer: "/0") }
    check(Row(document, is: 5), on: engine) { $0.decode(pointer: "/01") }
    check(Row("7", is: 7), on: engine) { $0.decode(pointer: "") }
    check(Row(#"{"~1":1}"#, is: 1), on: engine) { $0.decode(pointer: "/~01") }
    check(Row(document, is: String?.none), on: engine) { $0.decodeIfPresent(pointer: "/user/x") }
    check(
      Row<String>(document, fails: .missingKey, "1:9", "/user/x~1y", "the key is missing"),
      on: engine
    ) { $0.decode(pointer: "/user/x~1y") }
    check(
      Row<Int>(document, fails: .missingElement, "2:39", "/users/7", "the element is missing"),
      on: engine
    ) { $0.decode(pointer: "/users/7/id") }
    check(
      Row<Int>(
        document, fails: .typeMismatch, "2:39", "/users", "expected an object, found an array"),
      on: engine
    ) { $0.decode(pointer: "/users/01") }
    // What an Int64 holds is the place of an element; more digits are a key. The rows of Tests/C/records.c.
    let places = [
      ("999999999999999999", isKey: false), ("9223372036854775807", isKey: false),
      ("9223372036854775808", isKey: true), ("99999999999999999999", isKey: true),
    ]
    for (place, isKey) in places {
      let row: Row<Int> =
        isKey
        ? Row(
          document, fails: .typeMismatch, "2:39", "/users", "expected an object, found an array")
        : Row(
          document, fails: .missingElement, "2:39", "/users/\(place)", "the element is missing")
      check(row, on: engine) { $0.decode(pointer: JSONPointer("/users/\(place)")) }
    }
    check(Row(document, is: "b"), on: engine) { json in
      materialize { () throws(DecodeError) in try json.get(pointer: "/user/tags/1") }
    }
    for text in ["user", "/~2", "/~", "user/name", "#/user", "/a/~x/b"] {
      check(
        Row<Int?>(
          document, fails: .invalidPointer, "1:1", "",
          "\"\(text)\" is not a JSON Pointer (RFC 6901)"), on: engine
      ) { $0.decodeIfPresent(pointer: JSONPointer(text)) }
      check(
        Row<Int>(
          document, fails: .invalidPointer, "1:1", "",
          "\"\(text)\" is not a JSON Pointer (RFC 6901)"), on: engine
      ) { $0.decode(pointer: JSONPointer(text)) }
    }
  }

  @Test("dotted fields, and fields with alternatives", arguments: engines)
  func dottedFields(engine: Engine) throws {
    let value = try JSONValue(parsing: document, options: .on(engine))
    try value.withView { (json) throws(DecodeError) in
      #expect(try json.from("user.phone.verified") == false)
      #expect(try json.from("user.tags") == ["a", "b"])
      #expect(try json.from(["new", "user.name"]) == "Tester")
      #expect(try json.from(["user.name", "new"]) == "Tester")
      #expect(try json.from(["user", "user.name"]) == "Tester")
      #expect(json.optionalFrom("user.phone.verified") == false)
      #expect(json.optionalFrom(["x", "user.x", "user.tags"]) == ["a", "b"])
      let verified = json.optionalFrom("user.landline.verified") ?? false
      #expect(verified == false)
      #expect(json.optionalFrom("user.name", as: Int.self) == nil)
      #expect(json.optionalFrom("user.nothing", as: Int.self) == nil)
      #expect(json.optionalFrom("user.name.first", as: Int.self) == nil)
      #expect(json.optionalFrom(["x", "y"], as: Int.self) == nil)
      #expect(json.optionalFrom([], as: Int.self) == nil)
    }
    #expect(try value["user"][pointer: "/tags/0"].decode() == "a")
    #expect(value["nobody"][pointer: "/tags/0"].error?.path.text == "/nobody")
    value.withView { json in
      let long = String(repeating: "k", count: 60)
      let missing = json[long].decoded(Int.self).error
      #expect(missing?.code == .missingKey)
    }
    value.withView { json in
      #expect(json[pointer: "/user/tags/1"].string == "b")
      for text in ["/user/tags/2", "/user/nobody", "/user/name/0", "user"] {
        #expect(json[pointer: JSONPointer(text)].kind == .missing, "\(text)")
      }
      #expect(json["user"]["nobody"]["further"][0].kind == .missing)
      #expect(!json["user"]["nobody"].exists && json["user"].exists)
    }
    // Without a field there is the key "".
    #expect(throws: DecodeError.self) { try value.withView { _ = try $0.from([], as: Int.self) } }
    func outcome(_ fields: [String]) -> Decoded<Int> {
      value.outcome { json in materialize { () throws(DecodeError) in try json.from(fields) } }
    }
    let rows: [Row<Int>] = [
      Row(document, fails: .missingKey, "1:51", "/user/phone/x", "the key is missing"),
      Row(document, fails: .missingKey, "1:1", "/nobody", "the key is missing"),
      Row(
        document, fails: .typeMismatch, "1:17", "/user/name",
        #"expected an object, found the string "Tester""#),
      Row(document, fails: .missingKey, "1:1", "/a", "the key is missing"),
    ]
    for (row, field) in zip(rows, ["user.phone.x", "nobody.home", "user.name.first", "a.b"]) {
      row.check(outcome([field]), on: engine, field)
      row.check(outcome(["user.name", field]), on: engine, field)
    }
    #expect(
      try JSONValue(parsing: "[5]", options: .on(engine)).outcome { json in
        materialize { () throws(DecodeError) in try json.from("") }
      }.get() == [5])
  }

  @Test("only the path may be missing for <|?", arguments: engines)
  func optionalPaths(engine: Engine) {
    check(Row(document, is: Int?.none), on: engine) { $0 <|? ["person", "age"] }
    check(Row(document, is: Int?.none), on: engine) { $0 <|? ["user", "nothing", "x"] }
    check(Row(document, is: Int?.none), on: engine) { $0 <|? ["users", 9, "id"] }
    check(
      Row<Int?>(
        document, fails: .typeMismatch, "1:17", "/user/name",
        #"expected an object, found the string "Tester""#), on: engine
    ) { $0 <|? ["user", "name", "first"] }
    check(
      Row<Int?>(
        document, fails: .typeMismatch, "1:17", "/user/name",
        #"expected an integer, found the string "Tester""#), on: engine
    ) { $0 <|? ["user", "name"] }
    // A key that is missing inside what is present is a failure.
    check(
      Row<Inner?>(document, fails: .missingKey, "1:9", "/user/id", "the key is missing"), on: engine
    ) { $0 <|? "user" }
    check(Row(document, is: Inner?.none), on: engine) { $0 <|? "person" }
  }

  @Test("decode(default:) forgives absence and null, and no wrong type", arguments: engines)
  func defaults(engine: Engine) {
    check(Row(#"{"a":1}"#, is: 1), on: engine) { $0.decode("a", default: 7) }
    check(Row(#"{"b":1}"#, is: 7), on: engine) { $0.decode("a", default: 7) }
    check(Row(#"{"a":null}"#, is: 7), on: engine) { $0.decode("a", default: 7) }
    check(
      Row<Int>(
        #"{"a":"1"}"#, fails: .typeMismatch, "1:6", "/a",
        #"expected an integer, found the string "1""#), on: engine
    ) { $0.decode("a", default: 7) }
    check(
      Row<Int>("[]", fails: .typeMismatch, "1:1", "", "expected an object, found an empty array"),
      on: engine
    ) { $0.decode("a", default: 7) }
  }
}

private struct Inner: JSONDecodable, Equatable {
  let id: Int
  static func decode(_ json: JSON) -> Decoded<Inner> { Inner.init <^> json <| "id" }
}
