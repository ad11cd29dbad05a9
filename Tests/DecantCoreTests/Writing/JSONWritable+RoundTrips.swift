// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What is written decodes to the same value, and what decodes is written the same, however its document was spelled.

import Decant
import DecantTestSupport
import Testing

private let layouts = [
  JSONWritingOptions(), JSONWritingOptions(isPretty: true), JSONWritingOptions(sortsKeys: true),
  JSONWritingOptions(isPretty: true, sortsKeys: true, escapesSlashes: true),
]

private typealias Both = JSONDecodable & JSONWritable & Equatable

/// Nil if a value is the same on the way to text and back, in every layout.
private func changes<Model: Both>(_ model: Model, _ engines: [Engine] = engines) throws
  -> String?
{
  for options in layouts {
    let text = try model.checkedJSONBytes(options)
    for engine in engines {
      let back = try Model(decoding: text, options: .on(engine))
      guard back == model else { return "\(engine): \(model)\n\(back)" }
      // Sets and dictionaries that are equal may have different orders.
      let again = back.jsonBytes(options)
      guard again == text || again.sorted() == text.sorted() else { return "the texts differ" }
    }
  }
  return nil
}

/// A document that says the same with white space, with other escapes, and with members in reverse.
private func respelled(_ text: [UInt8]) throws -> [UInt8] {
  func reversed(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .array(let elements): JSONValue(elements.map(reversed))
    case .object(let members):
      JSONValue(members: members.reversed().map { ($0.key, reversed($0.value)) })
    default: value
    }
  }
  let document = try reversed(JSONValue(parsing: text)).jsonBytes(.pretty)
  // An escape where none is needed. `z` is in no literal and in no escape.
  return document.flatMap { $0 == UInt8(ascii: "z") ? Array(#"\u007a"#.utf8) : [$0] }
}

private struct WorkRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Nil if random values survive.
  let difference: @Sendable () throws -> String?

  init<Model: Both & Randomized>(_ name: String, _ type: Model.Type, rounds count: Int) {
    testDescription = name
    difference = {
      var random = SeededRandom(printing: name)
      for _ in 0..<rounds(count) {
        let model = Model.random(&random)
        if let difference = try changes(model) { return difference }
        let canonical = model.jsonBytes(JSONWritingOptions(sortsKeys: true))
        let other = try Model(decoding: respelled(canonical))
        guard other == model else { return "respelled: \(other)" }
        guard other.jsonBytes(JSONWritingOptions(sortsKeys: true)) == canonical else {
          return "respelled: the texts differ"
        }
      }
      return nil
    }
  }
}

private enum Suit: String, JSONDecodable, JSONWritable, Equatable { case hearts, spades = "s/\"" }
private enum Rank: Int, JSONDecodable, JSONWritable, Equatable { case two = 2, ace = -1 }

private struct Patch: JSONInitializable, JSONWritable, Equatable {
  var name: JSONPresence<String>, age: JSONPresence<Int>, rest: JSONValue
  init(name: JSONPresence<String>, age: JSONPresence<Int>, rest: JSONValue) {
    (self.name, self.age, self.rest) = (name, age, rest)
  }
  init(json: JSON) throws(DecodeError) {
    name = try json.decodePresence("name").get()
    age = try json.decodePresence("age").get()
    rest = try json.get("rest")
  }
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("name", name)
      $0.field("age", age)
      $0.field("rest", rest)
    }
  }
}

@Suite("Round trips of JSONWritable models")
struct WritableRoundTrips {
  @Test(
    "random values of the works",
    arguments: [
      WorkRow("tiny", TinyUser.self, rounds: 300), WorkRow("twitter", Twitter.self, rounds: 100),
      WorkRow("citm", Citm.self, rounds: 60), WorkRow("canada", Canada.self, rounds: 60),
      WorkRow("users", [TinyUser].self, rounds: 100),
      WorkRow("dictionaries", [String: [TinyUser?]].self, rounds: 60),
    ])
  fileprivate func works(_ row: WorkRow) throws {
    let difference = try row.difference()
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("integers of every width, at their ends")
  func integers() throws {
    func check<Value: FixedWidthInteger & Both>(_ type: Value.Type) throws {
      let values: [Value] = [0, 1, .max, .min, .max / 10, .min / 10, 100, 99]
      // libjansson has 64 bits.
      let engines = Value.bitWidth > 32 ? [Engine.native] : engines
      #expect(try changes(values, engines) == nil)
      for value in values { #expect(try changes(value, engines) == nil) }
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int128.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt128.self)
  }

  @Test("every other type that decodes")
  func types() throws {
    #expect(try changes([true, false]) == nil)
    #expect(
      try changes([0.1, -1.5e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude]) == nil)
    #expect(try changes([Float(0.1), .leastNonzeroMagnitude, 3.4e38, 16_777_216]) == nil)
    #expect(try changes(["", "a\"\\/\u{1f}\u{7f}\u{2028}é😀", "e\u{301}"]) == nil)
    #expect(try changes([Character("x"), "é", "👩‍👩‍👧"]) == nil)
    #expect(try changes([Int?.none, 1]) == nil)
    #expect(try changes([[1: [true]], [-7: []]]) == nil)
    #expect(try changes(Set([1, 2, 3])) == nil)
    #expect(try changes(Set(["a", "b\n"])) == nil)
    #expect(try changes([Suit.hearts, .spades]) == nil)
    #expect(try changes([Rank.two, .ace]) == nil)
    #expect(try changes([OpenEnum<Suit>.known(.spades), .unknown("x\u{0}")], [.native]) == nil)
    #expect(try changes(JSONTimestamp(seconds: -1, nanoseconds: 5)) == nil)
    let rest = try JSONValue(parsing: #"{"b":[1.50,1e2,"\u00e9",null],"a":{}}"#)
    #expect(try changes(Patch(name: .absent, age: .null, rest: rest), [.native]) == nil)
    #expect(
      try changes(Patch(name: .value("n"), age: .value(1), rest: nil), [.native]) == nil)
  }
}
