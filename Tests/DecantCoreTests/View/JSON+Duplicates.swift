// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One rule for duplicate keys, whatever the spelling and the order of look-ups. The reference is naive: a
// list of the members in document order.

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

private struct Member {
  let name: String
  let value: Int
  /// The key as it is written, with or without escapes.
  let spelling: String
}

private struct RandomObject {
  var members: [Member] = []
  var text: String

  init(using random: inout SeededRandom) {
    let names = ["a", "b", "c", "ab", "ba", "é", "", "id", "name", "a/b", "long key number one"]
    let count = Int.random(in: 0...24, using: &random)
    let pool = Int.random(in: 1...names.count, using: &random)
    for value in 0..<count {
      let name = names[Int.random(in: 0..<pool, using: &random)]
      let isEscaped = Int.random(in: 0..<4, using: &random) == 0
      members.append(
        Member(name: name, value: value, spelling: isEscaped ? RandomObject.escaped(name) : name))
    }
    let fillers = ["", " ", "\n"]
    let body = members.map { member in
      let space = fillers[Int.random(in: 0..<3, using: &random)]
      let nested = Int.random(in: 0..<5, using: &random) == 0
      let value = nested ? #"{"v":\#(member.value),"a":[1,{"b":2}]}"# : "\(member.value)"
      return "\(space)\"\(member.spelling)\":\(space)\(value)"
    }
    text = "{" + body.joined(separator: ",") + "}"
  }

  static func escaped(_ name: String) -> String {
    name.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  func first(_ name: String) -> Int? { members.first { $0.name == name }?.value }
  func last(_ name: String) -> Int? { members.last { $0.name == name }?.value }
  var names: [String] { members.map(\.name) }
  var hasDuplicates: Bool { Set(names).count < names.count }
}

/// A number, or the one inside an object.
private struct Value: JSONDecodable, Equatable {
  let number: Int
  static func decode(_ json: JSON) -> Decoded<Value> {
    json.kind == .object ? Value.init <^> json <| "v" : Value.init <^> json.decoded()
  }
}

@Suite("Duplicate keys")
struct DuplicateKeyTests {
  @Test("random objects, random orders of look-ups, every spelling, every rule")
  func randomObjects() throws {
    var random = SeededRandom(printing: "duplicate keys")
    let rules: [DecodingOptions.DuplicateKeys] = [.first, .last, .reject]
    for _ in 0..<rounds(1_500) {
      let object = RandomObject(using: &random)
      for rule in rules {
        for engine in engines {
          try check(object, rule, on: engine, using: &random)
        }
      }
    }
  }

  private func check(
    _ object: RandomObject, _ rule: DecodingOptions.DuplicateKeys, on engine: Engine,
    using random: inout SeededRandom
  ) throws {
    let options = DecodingOptions(engine: engine, duplicateKeys: rule)
    let parsed = JSONValue.parse(object.text, options: options)
    if object.hasDuplicates && (rule == .reject || engine != .native && rule != .last) {
      #expect(parsed.error?.code == .duplicateKey, "\(object.text)")
      return
    }
    let value = try parsed.get()
    let expected = rule == .last ? object.last : object.first
    let asked = object.names + ["a", "b", "", "zz", "ab", "id"]
    value.withView { json in
      for _ in 0..<12 {
        let name = asked[Int.random(in: 0..<asked.count, using: &random)]
        let found: Int? =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: json.decodeIfPresent(JSONKey(name), as: Value.self).value??.number
          case 1: Value.decode(json[name]).value?.number
          case 2: json.decode(pointer: JSONPointer([.key(name)]), as: Value.self).value?.number
          default: try? value[name].decode(Value.self).number
          }
        #expect(found == expected(name), "\(name) in \(object.text), \(rule), \(engine.name)")
      }
    }
    let dictionary = try value.decode([String: Value].self).mapValues(\.number)
    let reference = Dictionary(uniqueKeysWithValues: Set(object.names).map { ($0, expected($0)) })
    #expect(dictionary.mapValues { $0 as Int? } == reference, "\(object.text), \(rule)")
    let members = try #require(value.object).mapValues { try? $0.decode(Value.self).number }
    #expect(members == reference, "\(object.text), \(rule)")
  }

  @Test("fields of a model, in every order of the fields and of the document")
  func models() throws {
    let names = ["a", "b", "c"]
    for order in permutations(names) {
      let body = (order + order.reversed()).enumerated().map { #""\#($1)":\#($0)"# }
      let json = "{" + body.joined(separator: ",") + "}"
      let value = try JSONValue(parsing: json)
      for fields in permutations(names) {
        let sum: Decoded<[Int]> = value.outcome { json in
          sequence(fields.map { json.decode(JSONKey($0)) })
        }
        #expect(sum.value == fields.map { order.firstIndex(of: $0) ?? -1 }, "\(json) \(fields)")
      }
    }
  }

  private func permutations(_ names: [String]) -> [[String]] {
    if names.isEmpty { return [[]] }
    return names.flatMap { name in
      permutations(names.filter { $0 != name }).map { [name] + $0 }
    }
  }

  @Test("reject says where both are")
  func rejection() throws {
    typealias Place = (offset: Int, line: Int, column: Int)
    let rows: [(json: String, second: Place, first: Place, name: String, path: String)] = [
      (#"{"a":1,"a":2}"#, (7, 1, 8), (1, 1, 2), #""a""#, "/a"),
      (#"{"a":1,"\u0061":2}"#, (7, 1, 8), (1, 1, 2), #""a""#, "/a"),
      ("[{\"x\":{\"é\":0},\n \"x\":2}]", (17, 2, 2), (2, 1, 3), #""x""#, "/0/x"),
      (#"{"":0,"b":{"":1,"":2}}"#, (16, 1, 17), (11, 1, 12), #""""#, "/b/"),
    ]
    for row in rows {
      let options = DecodingOptions(duplicateKeys: .reject)
      let error = try #require(JSONValue.parse(row.json, options: options).error)
      #expect(error.code == .duplicateKey, "\(row.json)")
      #expect(error.path.text == row.path)
      let location = try #require(error.location)
      let other = try #require(error.otherLocation)
      #expect((location.offset, location.line, location.column) == row.second, "\(row.json)")
      #expect((other.offset, other.line, other.column) == row.first, "\(row.json)")
      #expect(
        error.message
          == "duplicate key \(row.name); first occurrence at \(row.first.line):\(row.first.column)"
      )
    }
  }

  @Test("equal keys in different objects are no duplicates", arguments: engines)
  func differentObjects(engine: Engine) {
    let json = #"{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":3}}"#
    let options = DecodingOptions(engine: engine, duplicateKeys: .reject)
    #expect(JSONValue.parse(json, options: options).error == nil)
  }
}
