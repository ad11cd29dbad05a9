// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Classes that a metatype selects at run time: a subclass behind its superclass's metatype, and registries of
// `any Decodable.Type`. `JSONDecoder` decodes the class that the metatype names. (The standard library's keyed
// containers forget a metatype's class: a member is of the static type, in every decoder.)

import Decant
import DecantTestSupport
import Foundation
import Testing

private class Person: Decodable {
  let name: String

  private enum Key: String, CodingKey { case name }

  required init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
  }

  /// The class, and all that it holds.
  var summary: String { "Person \(name)" }
}

private class Employee: Person {
  let id: Int
  let notes: [String]

  private enum Key: String, CodingKey { case id, notes }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(Int.self, forKey: .id)
    notes = try container.decode([String].self, forKey: .notes)
    try super.init(from: decoder)
  }

  override var summary: String { "Employee \(name) \(id) \(notes)" }
}

private final class Manager: Employee {
  let staff: [Person]

  private enum Key: String, CodingKey { case staff }

  required init(from decoder: any Decoder) throws {
    staff = try decoder.container(keyedBy: Key.self).decode([Person].self, forKey: .staff)
    try super.init(from: decoder)
  }

  override var summary: String { "Manager of \(staff.map(\.summary)) \(name) \(id) \(notes)" }
}

private let john = #"{"id":1,"name":"John","notes":["a"],"staff":[{"name":"Jim"}]}"#

/// What a model says of itself. Every way to a class decodes through `read`, which finds the metatype in
/// `userInfo`, as programs with registries do.
private struct Reading: Decodable {
  static let name = "reader"

  typealias Reader = @Sendable (any Decoder) throws -> String
  let text: String

  init(from decoder: any Decoder) throws {
    guard let key = CodingUserInfoKey(rawValue: Reading.name),
      let read = decoder.userInfo[key] as? Reader
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no reader"))
    }
    text = try read(decoder)
  }
}

private enum Key: String, CodingKey { case person, missing }

@Suite("Classes through metatypes")
struct Subclasses {
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let json: String
    fileprivate let read: Reading.Reader

    fileprivate init(_ name: String, _ json: String, _ read: @escaping Reading.Reader) {
      (testDescription, self.json, self.read) = (name, json, read)
    }
  }

  static let ways: [Way] = [
    Way("a single value", john) {
      try $0.singleValueContainer().decode(Employee.self as Person.Type).summary
    },
    Way("a member", #"{"person":\#(john)}"#) {
      try $0.container(keyedBy: Key.self).decode(Employee.self as Person.Type, forKey: .person)
        .summary
    },
    Way("a member that may be missing", #"{"person":\#(john)}"#) {
      let container = try $0.container(keyedBy: Key.self)
      let type: Person.Type = Manager.self
      let found = try container.decodeIfPresent(type, forKey: .person)?.summary
      return "\(found ?? "") \(try container.decodeIfPresent(type, forKey: .missing) == nil)"
    },
    Way("elements of one class each", "[\(john),\(john),\(john),\(john)]") {
      var container = try $0.unkeyedContainer()
      var found: [String] = []
      for type in [Person.self, Employee.self, Manager.self, Person.self] {
        found.append(try container.decode(type).summary)
      }
      return "\(found)"
    },
    Way("an element that may be missing", "[\(john),null]") {
      var container = try $0.unkeyedContainer()
      let type: Person.Type = Employee.self
      let found = try container.decodeIfPresent(type)?.summary
      return "\(found ?? "") \(try container.decodeIfPresent(type) == nil)"
    },
    Way("a super decoder", #"{"super":\#(john)}"#) {
      let decoder = try $0.container(keyedBy: Key.self).superDecoder()
      return try decoder.singleValueContainer().decode(Manager.self as Employee.Type).summary
    },
    Way("an initialiser", john) { try (Manager.self as Person.Type).init(from: $0).summary },
    Way("a registry", "[\(john),5,\(john),[\(john)],\(john)]") {
      let types: [any Decodable.Type] = [
        Employee.self, Int.self, Person.self, [Employee].self, Manager.self as Person.Type,
      ]
      var container = try $0.unkeyedContainer()
      return try types.map { try registered($0, &container) }.joined(separator: ", ")
    },
    Way("arrays, optionals and dictionaries are of the static type", "[[\(john)],\(john)]") {
      var container = try $0.unkeyedContainer()
      let array = try container.decode([Person].self).map(\.summary)
      let optional = try container.decode(Person?.self)?.summary
      return "\(array) \(optional ?? "")"
    },
    Way("the wrong value", #"{"person":{"name":"n","id":"x"}}"#) {
      try $0.container(keyedBy: Key.self).decode(Employee.self as Person.Type, forKey: .person)
        .summary
    },
  ]

  private static func registered<Model: Decodable>(
    _ type: Model.Type, _ container: inout any UnkeyedDecodingContainer
  ) throws -> String {
    let model = try container.decode(type)
    if let people = model as? [Person] { return "\(people.map(\.summary))" }
    return (model as? Person)?.summary ?? "\(model)"
  }

  @Test("are the classes that JSONDecoder decodes, whatever was decoded before", arguments: engines)
  func ways(_ engine: Engine) throws {
    let key = try #require(CodingUserInfoKey(rawValue: Reading.name))
    // One decoder for all, and each way twice: what a decoder remembers must not reach the next decode.
    let ours = DecantDecoder()
    ours.options.engine = engine
    for way in Subclasses.ways + Subclasses.ways.reversed() {
      let theirs = JSONDecoder()
      theirs.userInfo[key] = way.read
      ours.userInfo[key] = way.read
      let expected = Outcome { try theirs.decode(Reading.self, from: Data(way.json.utf8)).text }
      let fresh = DecantDecoder()
      fresh.options.engine = engine
      fresh.userInfo[key] = way.read
      for decoder in [ours, fresh] {
        let found = Outcome { try decoder.decode(Reading.self, from: way.json).text }
        #expect(found == expected, "\(way.testDescription)")
      }
    }
  }

  @Test(
    "roots are of the metatype's class, and later decoders see nothing of it", arguments: engines)
  func roots(_ engine: Engine) throws {
    let decoder = DecantDecoder()
    if engine != .native { decoder.options.engine = engine }
    let types: [Person.Type] = [Employee.self, Person.self, Manager.self, Employee.self]
    for type in types {
      let theirs = try JSONDecoder().decode(type, from: Data(john.utf8))
      #expect(try decoder.decode(type, from: john).summary == theirs.summary)
      let value = try JSONValue(parsing: john, options: .on(engine))
      #expect(try decoder.decode(type, from: value).summary == theirs.summary)
      #expect(try decoder.decode([Employee].self, from: "[\(john)]")[0].id == 1)
      // Decoders without options hand what they have learnt to the next one.
      #expect(try DecantDecoder().decode(type, from: john).summary == theirs.summary)
      #expect(try DecantDecoder().decode(Employee.self, from: john).notes == ["a"])
      #expect(
        try DecantDecoder().decode([String: Manager].self, from: #"{"a":\#(john)}"#).count == 1)
    }
    let error = Outcome { try decoder.decode(Employee.self as Person.Type, from: "{}").summary }
    #expect(
      error
        == Outcome {
          try JSONDecoder().decode(Employee.self as Person.Type, from: Data("{}".utf8)).summary
        })
  }

  @Test("a subclass of a JSONDecodable class decodes by its own rules", arguments: engines)
  func views(_ engine: Engine) throws {
    class Shape: Decodable {
      let sides: Int
      private enum Key: String, CodingKey { case sides }
      init(sides: Int) { self.sides = sides }
      required init(from decoder: any Decoder) throws {
        sides = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .sides)
      }
    }
    // Only final classes can be JSONDecodable.
    final class Square: Shape, JSONInitializable {
      let width: Double
      init(json: JSON) throws(DecodeError) {
        width = try json.get("width")
        super.init(sides: try json.get("sides"))
      }
      required init(from decoder: any Decoder) throws {
        width = -1
        try super.init(from: decoder)
      }
    }
    struct Holder: Decodable {
      let shape: Shape
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        shape = try container.decode(Square.self as Shape.Type)
      }
    }
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let text = #"{"sides":4,"width":2.5}"#
    let root = try decoder.decode(Square.self as Shape.Type, from: text)
    #expect((root as? Square)?.width == 2.5 && root.sides == 4)
    let member = try decoder.decode(Holder.self, from: "[\(text)]").shape
    #expect((member as? Square)?.width == 2.5 && member.sides == 4)
    #expect(try decoder.decode(Square.self, from: text).width == 2.5)
    #expect(try decoder.decode(Shape.self, from: text).sides == 4)
    let error = try #require(throws: DecodingError.self) {
      try decoder.decode(Holder.self, from: #"[{"sides":4}]"#)
    }
    guard case .keyNotFound(let key, let context) = error else { throw error }
    #expect(key.stringValue == "width" && context.codingPath.map(\.intValue) == [0])
  }

  @Test("keys that are classes are made by the class that was asked for", arguments: engines)
  func keys(_ engine: Engine) throws {
    class Name: CodingKey, @unchecked Sendable {
      let stringValue: String
      var intValue: Int? { nil }
      var origin: String { "name" }
      required init(stringValue: String) { self.stringValue = stringValue }
      required init?(intValue: Int) { nil }
    }
    final class Special: Name, @unchecked Sendable {
      override var origin: String { "special" }
    }
    struct Origins: Decodable, Equatable {
      var found: [String] = []
      init(from decoder: any Decoder) throws {
        for _ in 0..<2 {
          for type in [Name.self, Special.self, Name.self] {
            let container = try decoder.container(keyedBy: type)
            found += container.allKeys.map(\.origin)
            found += ["\(try container.decode(Int.self, forKey: Name(stringValue: "a")))"]
          }
          let container = try decoder.container(keyedBy: Special.self)
          found += container.allKeys.map(\.origin)
          // No two are one object.
          let first = container.allKeys
          let second = container.allKeys
          found += ["\(first[0] === second[0])"]
        }
      }
    }
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let expected = try JSONDecoder().decode([Origins].self, from: Data(#"[{"a":1},{"a":2}]"#.utf8))
    #expect(try decoder.decode([Origins].self, from: #"[{"a":1},{"a":2}]"#) == expected)
  }

  @Test("many tasks decode classes through metatypes by one decoder, and keep containers")
  func tasks() async throws {
    struct Kept: Decodable, @unchecked Sendable {
      let decoder: any Decoder
      let container: KeyedDecodingContainer<Key>
      let values: any SingleValueDecodingContainer
      init(from decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.container(keyedBy: Key.self)
        values = try container.superDecoder(forKey: .person).singleValueContainer()
      }
      /// A class by its metatype, from the containers that were kept.
      func person(_ type: Person.Type) throws -> String {
        #expect(try container.decode(Employee.self, forKey: .person).id == 1)
        return try values.decode(type).summary
      }
    }
    let types: [Person.Type] = [Person.self, Employee.self, Manager.self]
    let expected = try types.map {
      try JSONDecoder().decode($0, from: Data(john.utf8)).summary
    }
    let decoder = DecantDecoder()
    let text = #"{"person":\#(john)}"#
    let kept = try await withThrowingTaskGroup(of: [Kept].self) { group in
      for task in 0..<6 {
        group.addTask {
          var kept: [Kept] = []
          for round in 0..<60 {
            let place = (task + round) % types.count
            let summary = try decoder.decode(types[place], from: john).summary
            #expect(summary == expected[place])
            kept += try decoder.decode([Kept].self, from: "[\(text),\(text)]")
            // Half of what was kept is read and dropped while others decode.
            if round % 2 == 0, let last = kept.popLast() {
              #expect(try last.person(types[place]) == expected[place])
            }
          }
          return kept
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // And read, and dropped, by other tasks than those that decoded.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, list) in kept.enumerated() {
        group.addTask { () throws in
          for item in list {
            #expect(try item.person(types[index % 3]) == expected[index % 3])
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
