// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The models of the pages about models: lists inside a model, keys known at run time, many fields, classes and
// recursive models.

import Decant
import DecantTestSupport
import Testing

// MARK: - Lists inside a model

private struct Sales: JSONInitializable, Equatable {
  let total: Int
  let names: [String]
  let prices: [String: Double]

  init(json: JSON) throws(DecodeError) {
    var total = 0
    var names: [String] = []
    var rows = json["rows"].elements
    while let row = rows.next() {
      total += try row.get("count", as: Int.self)
      names.append(try row.get("name"))
    }
    self.total = total
    self.names = names

    var prices: [String: Double] = [:]
    try json["prices"].forEachMember { (name, price) throws(DecodeError) in
      prices[name.uppercased()] = try price.decoded().get()
    }
    self.prices = prices
  }
}

// MARK: - Keys known at run time

private enum Meal: String, JSONObjectKey { case lunch, dinner }

private struct Translation: JSONInitializable, Equatable {
  let text: String
  let all: [String: String]
  let counts: [Meal: Int]

  init(json: JSON) throws(DecodeError) {
    let language = try json.get("language", as: String.self)
    text = try json.get(["texts", JSONKey(language)])
    all = try json.get("texts")
    counts = try json.get("counts", default: [:])
  }
}

// MARK: - Many fields

private struct Name: JSONDecodable, Equatable {
  let first: String
  let last: String

  static func decode(_ json: JSON) -> Decoded<Name> {
    build(Name.init, json.decode("first"), json.decode("last"))
  }
}

private struct Employee: JSONDecodable, Equatable {
  let name: Name
  let id: Int

  static func decode(_ json: JSON) -> Decoded<Employee> {
    build(Employee.init, json.decoded(), json.decode("id"))
  }
}

// MARK: - Classes

private final class Account: JSONInitializable {
  let id: Int
  var visits = 0

  init(json: JSON) throws(DecodeError) { id = try json.get("id") }
}

private class Animal {
  let name: String
  init(json: JSON) throws(DecodeError) { name = try json.get("name") }
}

private final class Dog: Animal {
  let breed: String
  override init(json: JSON) throws(DecodeError) {
    breed = try json.get("breed")
    try super.init(json: json)
  }
}

extension JSONConversion where Value == Animal {
  fileprivate static var animal: JSONConversion {
    .variants(
      by: "kind",
      [
        "dog": .throwing { (json) throws(DecodeError) in try Dog(json: json) },
        "other": .throwing { (json) throws(DecodeError) in try Animal(json: json) },
      ])
  }
}

// MARK: - Recursive models

private struct Comment: JSONDecodable, Equatable {
  let text: String
  let replies: [Comment]

  static func decode(_ json: JSON) -> Decoded<Comment> {
    build(Comment.init, json.decode("text"), json.decode("replies", default: []))
  }
}

private indirect enum Formula: JSONDecodable, Equatable {
  case number(Double)
  case sum(Formula, Formula)

  static func decode(_ json: JSON) -> Decoded<Formula> {
    if let number = json.double { return .success(.number(number)) }
    return build(Formula.sum, json.decode("left"), json.decode("right"))
  }
}

@Suite("Pages about models")
struct ModelPageTests {
  private func value(_ json: String, _ engine: Engine) throws -> JSONValue {
    try JSONValue(parsing: json, options: .on(engine))
  }

  @Test("lists inside a model", arguments: engines)
  func lists(engine: Engine) throws {
    let json = #"{"rows":[{"count":2,"name":"a"},{"count":3,"name":"b"}],"prices":{"x":1.5}}"#
    let sales = try value(json, engine).decode(Sales.self)
    #expect(sales.total == 5)
    #expect(sales.names == ["a", "b"])
    #expect(sales.prices == ["X": 1.5])
    let wrong = json.replacing("3", with: "\"3\"")
    let error = try value(wrong, engine).decoded(Sales.self).error
    #expect(error?.code == .typeMismatch)
    if engine == .native { #expect(error?.path == "/rows/1/count") }
  }

  @Test("keys known at run time", arguments: engines)
  func keys(engine: Engine) throws {
    let json = #"{"language":"fi","texts":{"fi":"moi","en":"hi"},"counts":{"lunch":2}}"#
    let translation = try value(json, engine).decode(Translation.self)
    #expect(translation.text == "moi")
    #expect(translation.all == ["fi": "moi", "en": "hi"])
    #expect(translation.counts == [.lunch: 2])
    let missing = try value(json.replacing(#":"fi""#, with: #":"sv""#), engine)
    #expect(missing.decoded(Translation.self).error?.path == "/texts/sv")
  }

  @Test("models made of models of the same value", arguments: engines)
  func parts(engine: Engine) throws {
    let json = #"{"id":1,"first":"Ada","last":"L"}"#
    let employee = try value(json, engine).decode(Employee.self)
    #expect(employee == Employee(name: Name(first: "Ada", last: "L"), id: 1))
    let errors = failures(of: try value(#"{"first":"Ada"}"#, engine).decoded(Employee.self))
    #expect(errors.map(\.path) == ["/last", "/id"])
  }

  @Test("classes", arguments: engines)
  func classes(engine: Engine) throws {
    #expect(try value(#"{"id":1}"#, engine).decode(Account.self).id == 1)
    let pets = try value(#"{"pet":{"kind":"dog","name":"Rex","breed":"Collie"}}"#, engine)
    let pet = try pets["pet"].converted(using: .animal).get()
    #expect(pet.name == "Rex")
    #expect((pet as? Dog)?.breed == "Collie")
  }

  @Test("recursive models", arguments: engines)
  func recursive(engine: Engine) throws {
    let comment = try value(#"{"text":"a","replies":[{"text":"b"}]}"#, engine).decode(Comment.self)
    #expect(comment.replies == [Comment(text: "b", replies: [])])
    let formula = try value(#"{"left":1,"right":{"left":2,"right":3}}"#, engine)
    #expect(try formula.decode(Formula.self) == .sum(.number(1), .sum(.number(2), .number(3))))
  }
}
