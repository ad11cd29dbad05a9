// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What strategies are asked, and the paths of dictionaries, against JSONDecoder.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("Strategies against JSONDecoder")
struct Strategies {
  /// The same change to both decoders.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let theirs: @Sendable (JSONDecoder) -> Void
    let ours: @Sendable (DecantDecoder) -> Void
  }

  private static func same<Model: Decodable & Equatable>(
    _ type: Model.Type, _ json: String, _ change: Change, _ engine: Engine
  ) throws {
    let (theirs, ours) = (JSONDecoder(), DecantDecoder())
    ours.options.engine = engine
    change.theirs(theirs)
    change.ours(ours)
    let expected = Outcome { try theirs.decode(type, from: Data(json.utf8)) }
    let found = Outcome { try ours.decode(type, from: json) }
    #expect(found == expected, "\(type) \(json) \(change.testDescription)")
  }

  static let changes: [Change] = [
    Change(
      testDescription: ".custom dates",
      theirs: { $0.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: 0) } },
      ours: { $0.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: 0) } }),
    Change(testDescription: ".deferredToDate", theirs: { _ in }, ours: { _ in }),
    Change(
      testDescription: ".secondsSince1970",
      theirs: { $0.dateDecodingStrategy = .secondsSince1970 },
      ours: { $0.dateDecodingStrategy = .secondsSince1970 }),
    Change(
      testDescription: ".iso8601",
      theirs: { $0.dateDecodingStrategy = .iso8601 },
      ours: { $0.dateDecodingStrategy = .iso8601 }),
    Change(
      testDescription: ".custom data",
      theirs: { $0.dataDecodingStrategy = .custom { _ in Data([1]) } },
      ours: { $0.dataDecodingStrategy = .custom { _ in Data([1]) } }),
    Change(
      testDescription: ".deferredToData",
      theirs: { $0.dataDecodingStrategy = .deferredToData },
      ours: { $0.dataDecodingStrategy = .deferredToData }),
  ]

  @Test("no strategy gets null", arguments: changes, engines)
  func null(_ change: Change, _ engine: Engine) throws {
    struct Model: Decodable, Equatable {
      let date: Date?
      let data: Data?
    }
    struct Needy: Decodable, Equatable {
      let date: Date
      let data: Data
    }
    try Strategies.same(Date.self, "null", change, engine)
    try Strategies.same(Data.self, "null", change, engine)
    try Strategies.same([Date].self, "[null]", change, engine)
    try Strategies.same([Data].self, "[null]", change, engine)
    try Strategies.same([Date?].self, "[null]", change, engine)
    try Strategies.same([Data?].self, "[null]", change, engine)
    try Strategies.same([String: Date].self, #"{"a":null}"#, change, engine)
    try Strategies.same([String: Data].self, #"{"a":null}"#, change, engine)
    try Strategies.same(Model.self, #"{"date":null,"data":null}"#, change, engine)
    try Strategies.same(Needy.self, #"{"date":null,"data":null}"#, change, engine)
    try Strategies.same(Needy.self, #"{"data":null}"#, change, engine)
  }

  static let keys: [Change] = [
    Change(testDescription: ".useDefaultKeys", theirs: { _ in }, ours: { _ in }),
    Change(
      testDescription: ".convertFromSnakeCase",
      theirs: { $0.keyDecodingStrategy = .convertFromSnakeCase },
      ours: { $0.keyDecodingStrategy = .convertFromSnakeCase }),
    Change(
      testDescription: ".custom keys",
      theirs: { $0.keyDecodingStrategy = .custom { $0[$0.count - 1] } },
      ours: { $0.keyDecodingStrategy = .custom { $0[$0.count - 1] } }),
  ]

  /// Says its coding path.
  private struct Path: Decodable, Equatable {
    let steps: [String]
    init(from decoder: any Decoder) throws {
      steps = decoder.codingPath.map { "\($0.stringValue) \($0.intValue ?? -1)" }
      if try decoder.singleValueContainer().decodeNil() {
        throw DecodingError.valueNotFound(
          Path.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
      }
    }
  }

  @Test("numeric keys of dictionaries are numbers in paths", arguments: keys)
  func paths(_ change: Change) throws {
    for key in ["5", "-6", "+7", "08", "9x", "", "99999999999999999999", "super", "a_b"] {
      for value in ["1", "null", #"{"1":2}"#, #"{"1":null}"#] {
        let json = #"{"\#(key)":\#(value)}"#
        try Strategies.same([String: Path].self, json, change, .native)
        try Strategies.same([String: [String: Path]].self, json, change, .native)
        try Strategies.same([String: Int].self, json, change, .native)
        try Strategies.same([Int: Path].self, json, change, .native)
        try Strategies.same([String: [Path]].self, "{\"\(key)\":[\(value)]}", change, .native)
        try Strategies.same([[String: Path]].self, "[\(json)]", change, .native)
      }
    }
  }

  @Test("a wrong later duplicate is seen under a key strategy, and not without", arguments: keys)
  func duplicates(_ change: Change) throws {
    for json in [
      #"{"a":1,"a":"x"}"#, #"{"a":1,"a":2}"#, #"{"a":1,"a":null}"#, #"{"a_b":1,"aB":"x"}"#,
      #"{"a_b":1,"b":2,"a_b":3,"a_b":"x"}"#, #"{"a":"x","a":1}"#, #"{"a":null,"a":1}"#,
    ] {
      try Strategies.same([String: Int].self, json, change, .native)
      try Strategies.same([String: Int?].self, json, change, .native)
      try Strategies.same([[String: Int]].self, "[\(json)]", change, .native)
    }
    let decoder = DecantDecoder()
    change.ours(decoder)
    decoder.options.duplicateKeys = .last
    #expect(try decoder.decode([String: Int].self, from: #"{"a":1,"a":2}"#) == ["a": 2])
    struct Row: Decodable { let a: Int, b: Int? }
    let rows = try decoder.decode(
      [Row].self, from: #"[{"a":"x","b":1,"a":2},{"a":3,"b":1,"\u0061":4},{"a":5}]"#)
    #expect(rows.map(\.a) == [2, 4, 5])
  }

  @Test("numbers that are not finite are NaN to a Decimal, and no JSONDecodable Decimal")
  func decimals() throws {
    let (theirs, ours) = (JSONDecoder(), DecantDecoder())
    theirs.allowsJSON5 = true
    ours.allowsJSON5 = true
    let options = DecodingOptions(relaxations: .nonFiniteNumbers)
    for text in ["NaN", "Infinity", "-Infinity"] {
      let expected = try theirs.decode([Decimal].self, from: Data("[\(text)]".utf8))
      let found = try ours.decode([Decimal].self, from: "[\(text)]")
      #expect(found[0].isNaN && expected[0].isNaN)
      let error = [Decimal].decode(from: "[\(text)]", options: options).error
      #expect(error?.code == .invalidValue)
      let value = try JSONValue(parsing: "[\(text)]", options: options)
      for unit in [JSONConversion<Date>.epochSeconds, .epochMilliseconds] {
        #expect(value.outcome { $0.convert(0, using: unit) }.error?.code == .invalidValue)
      }
    }
  }
}
