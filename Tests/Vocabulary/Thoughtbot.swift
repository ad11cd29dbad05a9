// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "Efficient JSON in Swift with Functional Concepts and Generics": its vocabulary, its user, and the edge
// cases that it leaves to the reader.

import Decant
import DecantOptionalOperators
import DecantTestSupport
import DecantVocabulary
import Testing

private struct User: Equatable, Sendable {
  let id: Int
  let name: String
  let email: String?
}

extension User: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }
}

/// The article's user, whose email is required.
private struct StrictUser: Equatable, Sendable {
  let id: Int
  let name: String
  let email: String

  /// The article's decoder, over the loosely typed tree.
  static func decode(tree json: JSONValue) -> StrictUser? {
    json >>> JSONObject >>> { d in
      curry(StrictUser.init) <^> d["id"] >>> JSONInt
        <*> d["name"] >>> JSONString
        <*> d["email"] >>> JSONString
    }
  }

  /// The same over a view, which needs no dictionary.
  static func decode(view d: JSON) -> StrictUser? {
    curry(StrictUser.init) <^> d["id"] >>> JSONInt
      <*> d["name"] >>> JSONString
      <*> d["email"] >>> JSONString
  }
}

private let tester = #"{"id":5,"name":"Tester","email":"tester@test.com"}"#
private let withoutEmail = #"{"id":5,"name":"Tester"}"#

@Suite("A. Efficient JSON in Swift with Functional Concepts and Generics")
struct ThoughtbotTests {
  // MARK: - The loosely typed tree

  @Test("JSONDictionary, JSONArray: the loosely typed tree", arguments: engines)
  func tree(engine: Engine) throws {
    let value = try JSONValue(parsing: #"{"users":[\#(tester)]}"#, options: .on(engine))
    let object: JSONDictionary = try #require(JSONObject(value))
    let users: JSONArray = try #require(object["users"]?.array)
    #expect(users[0]["name"].string == "Tester")
    #expect(JSONObject(users[0])?.keys.sorted() == ["email", "id", "name"])
  }

  @Test("JSONString, JSONInt, JSONObject: the exact kind or nil", arguments: engines)
  func narrowing(engine: Engine) throws {
    let json = #"{"int":5,"text":"5","real":5.0,"true":true,"null":null,"list":[],"object":{}}"#
    let value = try JSONValue(parsing: json, options: .on(engine))
    let keys = ["int", "text", "real", "true", "null", "list", "object", "absent"]
    #expect(keys.filter { JSONInt(value[$0]) != nil } == ["int"])
    #expect(keys.filter { JSONString(value[$0]) != nil } == ["text"])
    #expect(keys.filter { JSONObject(value[$0]) != nil } == ["object"])
    #expect(JSONInt(value["int"]) == 5)
    #expect(JSONString(value["text"]) == "5")
    value.withView { view in
      #expect(keys.filter { JSONInt(view[$0]) != nil } == ["int"])
      #expect(keys.filter { JSONString(view[$0]) != nil } == ["text"])
    }
  }

  // MARK: - Operators on Optional

  @Test("the article's decoder, over the tree and over a view", arguments: engines)
  func optionalDecoder(engine: Engine) throws {
    let expected = StrictUser(id: 5, name: "Tester", email: "tester@test.com")
    let rows: [(json: String, user: StrictUser?)] = [
      (tester, expected),
      (withoutEmail, nil),
      (#"{"id":"5","name":"Tester","email":"tester@test.com"}"#, nil),
      (#"{"id":5,"name":null,"email":"tester@test.com"}"#, nil),
      ("[]", nil), ("{}", nil), ("5", nil),
    ]
    for row in rows {
      let value = try JSONValue(parsing: row.json, options: .on(engine))
      #expect(StrictUser.decode(tree: value) == row.user, "\(row.json)")
      #expect(value.withView { StrictUser.decode(view: $0) } == row.user, "\(row.json)")
    }
  }

  @Test("an optional property over the tree: nil gives nil, .some keeps it", arguments: engines)
  func optionalProperty(engine: Engine) throws {
    func strict(_ d: JSONValue) -> User? {
      curry(User.init) <^> d["id"] >>> JSONInt <*> d["name"] >>> JSONString <*> d["email"]
        >>> JSONString
    }
    func lenient(_ d: JSONValue) -> User? {
      curry(User.init) <^> d["id"] >>> JSONInt <*> d["name"] >>> JSONString
        <*> .some(d["email"] >>> JSONString)
    }
    let with = try JSONValue(parsing: tester, options: .on(engine))
    let without = try JSONValue(parsing: withoutEmail, options: .on(engine))
    let user = User(id: 5, name: "Tester", email: "tester@test.com")
    #expect(strict(with) == user && lenient(with) == user)
    #expect(strict(without) == nil)
    #expect(lenient(without) == User(id: 5, name: "Tester", email: nil))
  }

  @Test(">>> on Optional is left associative and stops at nil")
  func bindOptional() {
    var calls: [String] = []
    func half(_ n: Int) -> Int? {
      calls.append("half \(n)")
      return n.isMultiple(of: 2) ? n / 2 : nil
    }
    func text(_ n: Int) -> String? {
      calls.append("text \(n)")
      return "\(n)"
    }
    let twelve: Int? = 12
    #expect((twelve >>> half >>> half >>> text) == "3")
    #expect(calls == ["half 12", "half 6", "text 3"])
    calls = []
    #expect((twelve >>> half >>> half >>> half >>> text) == nil)
    #expect(calls == ["half 12", "half 6", "half 3"])
    calls = []
    #expect((Int?.none >>> half >>> text) == nil)
    #expect(calls == [])
  }

  @Test(">>> on Result is left associative and stops at a failure")
  func bindResult() {
    var calls: [Int] = []
    func half(_ n: Int) -> Decoded<Int> {
      calls.append(n)
      return n.isMultiple(of: 2) ? .success(n / 2) : .customError("\(n) is odd")
    }
    #expect((pure(12) >>> half >>> half).value == 3)
    let odd = pure(6) >>> half >>> half >>> half
    #expect(odd.error?.message == "3 is odd")
    #expect(calls == [12, 6, 6, 3])
  }

  @Test("<^> and <*> on Optional: nil anywhere gives nil")
  func applyOptional() {
    func pair(_ a: Int?, _ b: Int?, _ c: Int?) -> [Int]? {
      curry { (a: Int, b: Int, c: Int) in [a, b, c] } <^> a <*> b <*> c
    }
    #expect(pair(1, 2, 3) == [1, 2, 3])
    #expect(pair(nil, 2, 3) == nil)
    #expect(pair(1, nil, 3) == nil)
    #expect(pair(1, 2, nil) == nil)
    let negated: Int? = { -$0 } <^> Int?.some(1)
    #expect(negated == -1)
    let none: Int? = { -$0 } <^> Int?.none
    #expect(none == nil)
  }

  @Test("curried constructors of 20 arguments")
  func curried() {
    func sum(
      _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int,
      _ j: Int, _ k: Int, _ l: Int, _ m: Int, _ n: Int, _ o: Int, _ p: Int, _ q: Int, _ r: Int,
      _ s: Int, _ t: Int
    ) -> Int {
      [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t].reduce(0) { $0 * 2 + $1 }
    }
    let one: Int? = 1
    let ten =
      curry(sum) <^> one <*> one <*> one <*> one <*> one <*> one <*> one <*> one <*> one <*> one
    let all = ten <*> one <*> one <*> one <*> one <*> one <*> one <*> one <*> one <*> one <*> one
    #expect(all == (1 << 20) - 1)
  }

  // MARK: - Results

  @Test("Result(error, value): the error wins, and the value is not even evaluated")
  func errorWins() {
    var isEvaluated = false
    func value() -> Int {
      isEvaluated = true
      return 5
    }
    let failure = Result<Int, DecodeError>(.custom("no network"), value())
    #expect(failure.error?.message == "no network")
    #expect(!isEvaluated)
    let success = Result<Int, DecodeError>(nil, value())
    #expect(success.value == 5)
    #expect(isEvaluated)
  }

  @Test("resultFromOptional")
  func fromOptional() {
    #expect(resultFromOptional(5, DecodeError.custom("none")).value == 5)
    let none = resultFromOptional(Int?.none, DecodeError.custom("none"))
    #expect(none.error?.message == "none")
    #expect(Decoded.fromOptional(5, .custom("none")).value == 5)
  }

  @Test("decodeJSON keeps the parser's own error")
  func parserError() {
    #expect(decodeJSON(tester).value?["id"].int == 5)
    let error = decodeJSON("{\"id\":5,}").error
    #expect(error?.code == .unexpectedByte)
    #expect(
      error?.message
        == "expected a quoted key, found '}' (extra comma; the option 'relaxations' can allow it)")
  }

  @Test("decodeObject infers its type; the chain ends in a model or the first failure")
  func chain() {
    func parse(_ bytes: String, _ error: DecodeError? = nil) -> Result<User, DecodeError> {
      Result(error, bytes) >>> { decodeJSON($0) } >>> decodeObject
    }
    #expect(parse(tester).value == User(id: 5, name: "Tester", email: "tester@test.com"))
    #expect(parse(tester, .custom("no network")).error?.message == "no network")
    #expect(parse("{").error?.code == .unexpectedEnd)
    #expect(parse("{}").error?.underlying.map(\.path.text) == ["/id", "/name"])
  }

  // MARK: - Models

  @Test("the user with an email and without", arguments: engines)
  func user(engine: Engine) {
    check(
      [
        Row(tester, is: User(id: 5, name: "Tester", email: "tester@test.com")),
        Row(withoutEmail, is: User(id: 5, name: "Tester", email: nil)),
        Row(
          #"{"id":5,"name":"Tester","email":5}"#, fails: .typeMismatch, "1:33", "/email",
          "expected a string, found the number 5"),
        Row(
          #"{"id":"5","name":"Tester"}"#, fails: .typeMismatch, "1:7", "/id",
          #"expected an integer, found the string "5""#),
      ], on: engine)
  }
}
