// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// This library's types in Codable models, by its coders and by Foundation's: one value, one text.

import Decant
import DecantFoundation
import DecantOperators
import DecantTestSupport
import Foundation
import Testing

@Suite("LossyArray, OpenEnum, JSONNumber and others in Codable models")
struct OwnTypes {
  private enum Meal: String { case lunch, dinner }

  private struct Place: Codable, Equatable { let fullName: String }

  private struct Model: Codable {
    let numbers: LossyArray<Int>
    let dates: LossyArray<Date>
    let places: LossyArray<Place>
    let byName: LossyDictionary<String, Place>
    let byNumber: LossyDictionary<Int, LossyArray<Bool?>>
    let meals: [OpenEnum<Meal>]
    let instant: JSONTimestamp
    let count: JSONNumber
    let rest: JSONValue

    /// All values that were decoded.
    var summary: String {
      let places = places.elements.map(\.fullName)
      let names = byName.elements.mapValues(\.fullName).sorted { $0.key < $1.key }
      let numbered = byNumber.elements.mapValues(\.elements).sorted { $0.key < $1.key }
      return """
        \(numbers.elements) \(dates.elements.map(\.timeIntervalSince1970)) \(places) \(names) \
        \(numbered) \(meals) \(instant) \(count) \(rest.jsonText(JSONWritingOptions(sortsKeys: true)))
        """
    }

    /// The keys and indices of what was skipped.
    var skipped: [String] {
      let inside = byNumber.elements.sorted { $0.key < $1.key }
      return numbers.skipped.map { "\($0.index)" } + dates.skipped.map { "\($0.index)" }
        + places.skipped.map { "\($0.index)" } + byName.skipped.map(\.key)
        + byNumber.skipped.map(\.key).sorted()
        + inside.flatMap { $0.value.skipped.map { "\($0.index)" } }
    }
  }

  private static let json = #"""
    {"numbers":[1,"x",null,3,1.5,[]],"dates":["2024-02-29T00:00:00Z","no",5],
    "places":[{"full_name":"A"},{"full_name":5},{},[]],
    "by_name":{"a_b":{"full_name":"B"},"c_d":{"full_name":null},"e":1},
    "by_number":{"1":[true,null,"z",5],"x":[],"2":3},
    "meals":["lunch","brunch"],"instant":"2024-02-29T12:30:00.125+01:00","count":0.12345678901234567890123,
    "rest":{"b":[1,null,true,"x",18446744073709551615,-0.5,[]],"a_b":{}}}
    """#

  private static func decoders(_ engine: Engine) -> (ours: DecantDecoder, theirs: JSONDecoder) {
    let (ours, theirs) = (DecantDecoder(), JSONDecoder())
    ours.options.engine = engine
    ours.keyDecodingStrategy = .convertFromSnakeCase
    theirs.keyDecodingStrategy = .convertFromSnakeCase
    ours.dateDecodingStrategy = .iso8601
    theirs.dateDecodingStrategy = .iso8601
    return (ours, theirs)
  }

  private static func encoders() -> (ours: DecantEncoder, theirs: JSONEncoder) {
    let (ours, theirs) = (DecantEncoder(), JSONEncoder())
    ours.keyEncodingStrategy = .convertToSnakeCase
    theirs.keyEncodingStrategy = .convertToSnakeCase
    ours.dateEncodingStrategy = .iso8601
    theirs.dateEncodingStrategy = .iso8601
    ours.outputFormatting = .sortedKeys
    theirs.outputFormatting = .sortedKeys
    return (ours, theirs)
  }

  @Test("decode alike by DecantDecoder and JSONDecoder, and report what they skip")
  func decoding() throws {
    let (ours, theirs) = OwnTypes.decoders(.native)
    let found = try ours.decode(Model.self, from: OwnTypes.json)
    let expected = try theirs.decode(Model.self, from: Data(OwnTypes.json.utf8))
    #expect(found.summary == expected.summary)
    #expect(found.skipped == expected.skipped)
    #expect(
      found.skipped
        == ["1", "2", "4", "5", "1", "2", "1", "2", "3", "c_d", "e", "2", "x", "2", "3"])
    #expect(found.numbers.skippedCount == 4 && expected.numbers.skippedCount == 4)
    let value = try ours.decode(Model.self, from: JSONValue(parsing: OwnTypes.json))
    #expect(value.summary == found.summary && value.skipped == found.skipped)
  }

  @Test("errors of what is skipped have path and place, or what the other decoder says")
  func errors() throws {
    let (ours, theirs) = OwnTypes.decoders(.native)
    let found = try ours.decode(Model.self, from: OwnTypes.json)
    #expect(
      found.numbers.skipped.map { "\($0.error)" } == [
        "1:15: /numbers/1: expected an integer, found a string",
        "1:19: /numbers/2: expected an integer, found null",
        "1:26: /numbers/4: expected an integer, found a number",
        "1:30: /numbers/5: expected an integer, found an empty array",
      ])
    #expect(found.places.skipped.map(\.error.path.text).prefix(1) == ["/places/1/full_name"])
    #expect(found.places.skipped.map(\.error.code) == [.typeMismatch, .missingKey, .typeMismatch])
    #expect(
      found.byName.skipped.map { "\($0.error)" } == [
        "3:55: /by_name/c_d/full_name: expected a string, found null",
        "3:65: /by_name/e: expected an object, found a number",
      ])
    #expect(
      found.byNumber.elements[1]?.skipped.map(\.error.path.text)
        == ["/by_number/1/2", "/by_number/1/3"])
    // A decoder that shows values shows them here.
    ours.showsValuesInErrors = true
    let shown = try ours.decode(LossyArray<Int>.self, from: #"["x"]"#).skipped[0].error
    #expect("\(shown)" == "1:2: /0: expected an integer, found the string \"x\"\n  [\"x\"]\n   ^~~")

    let expected = try theirs.decode(Model.self, from: Data(OwnTypes.json.utf8))
    #expect(
      expected.numbers.skipped.map(\.error.path.text)
        == ["/numbers/1", "/numbers/2", "/numbers/4", "/numbers/5"])
    #expect(expected.numbers.skipped.allSatisfy { $0.error.location == nil })
    #expect(expected.places.skipped.map(\.error.code) == found.places.skipped.map(\.error.code))
    #expect(expected.places.skipped[1].error.path.text == "/places/2/fullName")
    #expect(expected.byNumber.skipped.map(\.key) == ["2", "x"])
    #expect(expected.byNumber.skipped[1].error.message == "the key is not an accepted key")
  }

  @Test("encode alike by DecantEncoder and JSONEncoder, and round-trip by every pair")
  func encoding() throws {
    let (decoder, theirDecoder) = OwnTypes.decoders(.native)
    let (encoder, theirEncoder) = OwnTypes.encoders()
    let model = try decoder.decode(Model.self, from: OwnTypes.json)
    let text = try encoder.encode(model) as Data
    #expect(text == (try theirEncoder.encode(model)))
    #expect(try decoder.decode(Model.self, from: text).summary == model.summary)
    #expect(try theirDecoder.decode(Model.self, from: text).summary == model.summary)
    let list = try PropertyListEncoder().encode(
      Listed(numbers: model.numbers, meals: model.meals, instant: model.instant))
    let listed = try PropertyListDecoder().decode(Listed.self, from: list)
    #expect(listed.numbers.elements == [1, 3] && listed.meals == model.meals)
    #expect(listed.instant == model.instant)
  }

  private struct Listed: Codable {
    let numbers: LossyArray<Int>
    let meals: [OpenEnum<Meal>]
    let instant: JSONTimestamp
  }

  @Test("what is no array, object, instant or raw value is an error, as of the same kind")
  func refusals() throws {
    func same<Value: Decodable & CustomStringConvertible>(
      _ type: Value.Type, _ json: String, _ engine: Engine
    ) {
      let (ours, theirs) = OwnTypes.decoders(engine)
      let expected = Outcome {
        "\(try theirs.decode([String: Value].self, from: Data(json.utf8))["a"]!)"
      }
      let found = Outcome { "\(try ours.decode([String: Value].self, from: json)["a"]!)" }
      guard case .failure(let kind, _, let path) = found,
        case .failure(let otherKind, _, let otherPath) = expected
      else {
        Issue.record("\(type) \(json): \(found), \(expected)")
        return
      }
      #expect(kind == otherKind && path == otherPath, "\(type) \(json)")
    }
    for engine in engines {
      for json in [#"{"a":5}"#, #"{"a":"x"}"#, #"{"a":null}"#] {
        same(LossyArray<Int>.self, json, engine)
        same(LossyDictionary<String, Int>.self, json, engine)
        same(JSONTimestamp.self, json, engine)
      }
      for json in [#"{"a":5}"#, #"{"a":[]}"#, #"{"a":null}"#] {
        same(OpenEnum<Meal>.self, json, engine)
      }
      same(LossyArray<Int>.self, #"{"a":{}}"#, engine)
      same(LossyDictionary<String, Int>.self, #"{"a":[]}"#, engine)
      for json in [#"{"a":"5"}"#, #"{"a":[]}"#] { same(JSONNumber.self, json, engine) }
    }
    let late = JSONTimestamp(seconds: 1 << 40)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([late]) }
    #expect(throws: EncodingError.self) { try DecantEncoder().encode([late]) as Data }
  }

  @Test("elements by view fail in flight, and all are counted")
  func budget() throws {
    struct View: JSONDecodable, Codable {
      let x: Int
      static func decode(_ json: JSON) -> Decoded<View> { build(View.init, json <| "x") }
    }
    let json = "[" + Array(repeating: #"{"x":"y"}"#, count: 100).joined(separator: ",") + "]"
    let decoder = DecantDecoder()
    for count in [1, 64, 1000] {
      decoder.options.maximumErrors = count
      let views = try decoder.decode(LossyArray<View>.self, from: json)
      #expect(views.skippedCount == 100 && views.skipped.count == min(count, 100))
      #expect(views.skipped.last?.error.path.text == "/\(min(count, 100) - 1)/x")
      let places = try decoder.decode(LossyArray<LossyArray<Place>>.self, from: "[\(json),[5]]")
      #expect(places.elements.map(\.skippedCount) == [100, 1])
      #expect(places.elements.map(\.skipped.count).reduce(0, +) == min(count, 101))
    }
    let theirs = try JSONDecoder().decode(LossyArray<View>.self, from: Data(json.utf8))
    #expect(theirs.skippedCount == 100 && theirs.skipped.count == 64)
  }

  // MARK: - Numbers

  @Test("a JSONNumber is made of a number's text and of no other")
  func grammar() throws {
    for text in ["0", "-0", "5", "-12", "1.5", "0.10", "1e5", "1E+5", "-0.0e-0", "120.50e01"] {
      #expect(JSONNumber(text)?.text == text)
    }
    let grammar = try Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
    for text in ["", " 1", "1 ", "NaN", "Infinity", "null", "\"1\"", "[1]", "1,", "\u{661}", "1\n"]
    {
      #expect(JSONNumber(text) == nil && (try? grammar.wholeMatch(in: text)) == nil)
    }
    var random = SeededRandom(printing: "numbers")
    for _ in 0..<20_000 {
      let length = Int.random(in: 1...8, using: &random)
      let text = String((0..<length).map { _ in "0012-+.eE ".randomElement(using: &random) ?? "0" })
      let isNumber = try grammar.wholeMatch(in: text) != nil
      #expect((JSONNumber(text) != nil) == isNumber, "\(text)")
    }
  }

  /// A number, and how JSONEncoder writes it; nil if not at all.
  private static let numbers: [(text: String, written: String?)] = [
    ("5", "5"), ("5.0", "5"), ("1e2", "100"), ("-0", "0"), ("0.1", "0.1"), ("1.10", "1.1"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("18446744073709551615", "18446744073709551615"),
    ("18446744073709551616", "18446744073709551616"),
    ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
    ("0.12345678901234567890123", "0.12345678901234567890123"),
    ("123456789012345678901234567890.5", "123456789012345678901234567890.5"),
    ("1e-300", "1e-300"), ("1e300", "1e+300"), ("1e400", nil),
    ("0.12345678901234567890123456789012345678901", nil),
    ("1234567890123456789012345678901234567890.5", nil),
  ]

  @Test(
    "JSONEncoder writes every digit of a JSONNumber and a JSONValue, or fails", arguments: numbers)
  private func digits(text: String, written: String?) throws {
    let number = try #require(JSONNumber(text))
    let value = try JSONValue(parsing: text)
    let expected = written.map { "[\($0)]" }
    #expect(
      (try? JSONEncoder().encode([number])).map { String(decoding: $0, as: UTF8.self) } == expected)
    #expect(
      (try? JSONEncoder().encode([value])).map { String(decoding: $0, as: UTF8.self) } == expected)
    if expected == nil {
      #expect(throws: EncodingError.self) { try JSONEncoder().encode([number]) }
      #expect(throws: EncodingError.self) { try PropertyListEncoder().encode([value]) }
    }
    // By this library's coders it is the text.
    #expect(try DecantEncoder().encode([number]) as Data == Data("[\(text)]".utf8))
    #expect(try DecantEncoder().encode([value]) as Data == Data("[\(text)]".utf8))
    #expect(try DecantDecoder().decode([JSONNumber].self, from: "[\(text)]") == [number])
    // Foundation's decoder has the value, if it was written.
    guard let written else { return }
    let decoded = try JSONDecoder().decode([JSONNumber].self, from: Data("[\(written)]".utf8))[0]
    #expect(try JSONValue(parsing: decoded.text) == value)
    let tree = try JSONDecoder().decode([JSONValue].self, from: Data("[\(written)]".utf8))[0]
    #expect(tree == value)
  }

  @Test("numbers that are not finite are an encoder's own to write or to refuse")
  func nonFinite() throws {
    let options = DecodingOptions(relaxations: .nonFiniteNumbers)
    let value = try JSONValue(parsing: "[NaN,-Infinity]", options: options)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "n")
    #expect(try encoder.encode(value) == Data(#"["n","-"]"#.utf8))
  }
}
