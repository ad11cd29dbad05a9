// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What was decoded is encoded, and decoded again: the value is the same, and so is its second text, but for the order of sets.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

struct RoundTrip: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Nil if nothing changes on the way.
  let difference: @Sendable () throws -> String?

  init<Model: Sampled & Encodable>(_ type: Model.Type) {
    testDescription = "\(type)"
    difference = {
      let encoder = DecantEncoder()
      encoder.outputFormatting = .sortedKeys
      let model = try DecantDecoder().decode(Model.self, from: Model.sample)
      let text = try encoder.encode(model) as [UInt8]
      let again = try DecantDecoder().decode(Model.self, from: text)
      guard again == model else { return "\(model)\n\(again)" }
      // Sets are equal in any order.
      let second = try encoder.encode(again) as [UInt8]
      guard second.sorted() == text.sorted() else { return "the texts differ" }
      return DecantCodableTests.difference(model)
    }
  }

  static func family<Model: Sampled & Encodable>(_ type: Model.Type) -> [RoundTrip] {
    [
      RoundTrip(Model.self), RoundTrip([Model].self), RoundTrip([Model?].self),
      RoundTrip([String: Model].self), RoundTrip(Boxed<Model>.self),
    ]
  }

  static let all: [RoundTrip] =
    family(Scalars.self) + family(Optionals.self) + family(User.self) + family(Group.self)
    + family(Branch.self) + family(Meal.self) + family(Level.self) + family(Shape.self)
    + family(Drawing.self) + family(Dictionaries.self) + family(Collections.self)
    + family(FoundationTypes.self)
}

@Suite("Round trips of Codable models")
struct RoundTrips {
  @Test("decode, encode, decode", arguments: RoundTrip.all)
  func models(_ trip: RoundTrip) throws {
    let difference = try trip.difference()
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("a JSONValue inside a model is written with its numbers' spelling")
  func values() throws {
    struct Entry: Codable { var id: Int, rest: JSONValue }
    let text = #"{"id":1,"rest":{"b":1.50,"a":[1e2,"\u00e9\n",null,true,{}]}}"#
    let entry = try DecantDecoder().decode(Entry.self, from: text)
    let encoder = DecantEncoder()
    let expected = #"{"id":1,"rest":{"b":1.50,"a":[1e2,"é\n",null,true,{}]}}"#
    #expect(String(decoding: try encoder.encode(entry) as Data, as: UTF8.self) == expected)
    #expect(entry.rest.jsonText() == #"{"b":1.50,"a":[1e2,"é\n",null,true,{}]}"#)
    encoder.outputFormatting = .sortedKeys
    let sorted = #"{"id":1,"rest":{"a":[1e2,"é\n",null,true,{}],"b":1.50}}"#
    #expect(String(decoding: try encoder.encode(entry) as Data, as: UTF8.self) == sorted)
    let foundation = JSONEncoder()
    foundation.outputFormatting = .sortedKeys
    let other = #"{"id":1,"rest":{"a":[100,"é\n",null,true,{}],"b":1.5}}"#
    #expect(String(decoding: try foundation.encode(entry), as: UTF8.self) == other)
  }

  @Test("other encoders leave a JSONValue's keys alone, and refuse numbers that no Double holds")
  func valuesElsewhere() throws {
    let foundation = JSONEncoder()
    foundation.keyEncodingStrategy = .convertToSnakeCase
    for text in [#"{"oneTwo":{"threeFour":1}}"#, #"[{"oneTwo":null}]"#, "[[],{},[[]]]", "null"] {
      let value = try JSONValue(parsing: text)
      #expect(String(decoding: try foundation.encode(value), as: UTF8.self) == text)
      #expect(
        String(decoding: try foundation.encode(["aB": value]), as: UTF8.self) == "{\"aB\":\(text)}")
    }
    let value = try JSONValue(parsing: #"{"a":[0,-1e400]}"#)
    #expect {
      try foundation.encode(value)
    } throws: { error in
      guard case EncodingError.invalidValue(_, let context) = error else { return false }
      return context.codingPath.last?.intValue == 1
    }
  }
}
