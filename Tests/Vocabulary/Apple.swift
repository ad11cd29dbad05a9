// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "Working with JSON in Swift".

import Decant
import DecantTestSupport
import Testing

private enum Meal: String, CaseIterable, JSONDecodable { case breakfast, lunch, dinner }

private struct Restaurant: Equatable, Sendable {
  let name: String
  let location: Location
  let meals: Set<Meal>

  struct Location: Equatable, Sendable {
    let latitude: Double
    let longitude: Double
  }
}

extension Restaurant: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    name = try json.get("name")
    location = try json.get("coordinates")
    meals = try json.get("meals")
  }

  /// The article's failable initialiser.
  init?(_ json: JSONValue) {
    guard let restaurant = try? json.decode(Restaurant.self) else { return nil }
    self = restaurant
  }

  /// The same model as another service spells it.
  static func decodeFlat(_ json: JSON) -> Decoded<Restaurant> {
    build(
      Restaurant.init,
      json <| "title",
      build(Location.init, json <| ["geo", 0], json <| ["geo", 1]),
      json.decode("serves", default: []))
  }
}

extension Restaurant.Location: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    latitude = try json.convert("lat", using: .value.inRange(-90...90)).get()
    longitude = try json.convert("lng", using: .value.inRange(-180...180)).get()
  }
}

private let sample = #"""
  {"name":"Caffè Macs","coordinates":{"lat":37.330576,"lng":-122.029739},"meals":["breakfast","lunch","dinner"]}
  """#

private let macs = Restaurant(
  name: "Caffè Macs", location: .init(latitude: 37.330576, longitude: -122.029739),
  meals: [.breakfast, .lunch, .dinner])

/// One page of a search.
private struct Page: JSONDecodable {
  let query: String
  let count: Int
  let page: Int
  let results: LossyArray<Restaurant>

  static func decode(_ json: JSON) -> Decoded<Page> {
    build(
      Page.init, json <| "query", json <| "results_count", json <| "page", json <| "results")
  }
}

private func restaurants(
  matching json: String, on engine: Engine, completion: ([Restaurant]) -> Void
) {
  switch Page.decode(from: json, options: .on(engine)) {
  case .success(let page): completion(page.results.elements)
  case .failure: completion([])
  }
}

@Suite("E. Working with JSON in Swift")
struct AppleTests {
  @Test("the sample is a Codable model, too", arguments: engines)
  func codable(_ engine: Engine) throws {
    struct Coordinates: Codable, Equatable { let lat: Double, lng: Double }
    enum Meal: String, Codable { case breakfast, lunch, dinner }
    struct Restaurant: Codable {
      let name: String
      let coordinates: Coordinates
      let meals: Set<Meal>
    }
    let text = """
      {"name":"Caffè Macs","coordinates":{"lat":37.330576,"lng":-122.029739},\
      "meals":["breakfast","lunch","dinner","lunch"]}
      """
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let restaurant = try decoder.decode(Restaurant.self, from: text)
    #expect(restaurant.name == "Caffè Macs")
    #expect(restaurant.coordinates == Coordinates(lat: 37.330576, lng: -122.029739))
    #expect(restaurant.meals == [.breakfast, .lunch, .dinner])
  }

  @Test("typed extraction from object and array roots", arguments: engines)
  func extraction(engine: Engine) throws {
    let object = try JSONValue(
      parsing: #"{"someKey":42.0,"anotherKey":{"someNestedKey":true}}"#, options: .on(engine))
    #expect(object["someKey"].double == 42)
    #expect(object["anotherKey"]["someNestedKey"].bool == true)
    #expect(object["someKey"].string == nil)
    let array = try JSONValue(parsing: #"["hello",3,true]"#, options: .on(engine))
    #expect(array[0].string == "hello")
    #expect(array[1].int == 3)
    #expect(array[2].bool == true)
    #expect(array[3].exists == false)
  }

  @Test("iteration over elements and keys; patterns of kinds", arguments: engines)
  func iteration(engine: Engine) throws {
    let array = try JSONValue(parsing: #"["hello",3,true,"world"]"#, options: .on(engine))
    var strings: [String] = []
    for case .string(let text) in array.array?.map(\.content) ?? [] { strings.append(text) }
    #expect(strings == ["hello", "world"])
    let object = try JSONValue(parsing: #"{"b":1,"a":"x"}"#, options: .on(engine))
    #expect(object.members?.map(\.key).sorted() == ["a", "b"])
    var numbers: [String] = []
    for (key, value) in object.members ?? [] {
      if case .number(let text) = value.content { numbers.append(key + text) }
    }
    #expect(numbers == ["b1"])
  }

  @Test("the restaurant, and each way it fails", arguments: engines)
  func restaurant(engine: Engine) {
    let rows: [Row<Restaurant>] = [
      Row(sample, is: macs),
      Row(
        #"{"name":"a","coordinates":{"lat":90,"lng":-180},"meals":["lunch","lunch"]}"#,
        is: Restaurant(
          name: "a", location: .init(latitude: 90, longitude: -180), meals: [.lunch])),
      Row("{}", fails: .missingKey, "1:1", "/name", "the key is missing"),
      Row(#"{"name":"a"}"#, fails: .missingKey, "1:1", "/coordinates", "the key is missing"),
      Row(
        #"{"name":"a","coordinates":{"lat":0,"lng":0}}"#, fails: .missingKey, "1:1", "/meals",
        "the key is missing"),
      Row(
        #"{"name":"a","coordinates":{"lat":91,"lng":181},"meals":[]}"#, fails: .invalidValue,
        "1:34", "/coordinates/lat", "expected a value in -90.0...90.0, found the number 91"),
      Row(
        #"{"name":"a","coordinates":{"lat":0,"lng":-180.5},"meals":[]}"#, fails: .invalidValue,
        "1:42", "/coordinates/lng", "expected a value in -180.0...180.0, found the number -180.5"),
      Row(
        #"{"name":"a","coordinates":{"lat":0,"lng":0},"meals":["brunch"]}"#, fails: .invalidValue,
        "1:54", "/meals/0",
        #"the string "brunch" is not one of "breakfast", "lunch", "dinner""#),
    ]
    check(rows, on: engine)
    check(
      [
        Row<Restaurant>(
          #"{"name":"a","coordinates":{"lat":0}}"#, fails: .missingKey, "1:27", "/coordinates/lng",
          "the key is missing")
      ], on: engine)
  }

  @Test("the failable initialiser", arguments: engines)
  func failable(engine: Engine) throws {
    let value = try JSONValue(parsing: sample, options: .on(engine))
    #expect(Restaurant(value) == macs)
    #expect(Restaurant(value["coordinates"]) == nil)
    #expect(Restaurant(value["absent"]) == nil)
  }

  @Test("no range has NaN in it")
  func notANumber() {
    let nan = JSONConversion<Double> { _ in .success(.nan) }
    let result = JSONValue.parse("[0]").flatMap { value in
      value.outcome { $0.convert(0, using: nan.inRange(-90...90)) }
    }
    #expect(result.error?.code == .invalidValue)
  }

  @Test("the envelope skips bad elements and says which; it completes once", arguments: engines)
  func envelope(engine: Engine) throws {
    let json = #"""
      {"query":"sandwich","results_count":3,"page":1,"results":[\#(sample),{"name":5},\#(sample)]}
      """#
    var completions: [[Restaurant]] = []
    restaurants(matching: json, on: engine) { completions.append($0) }
    #expect(completions == [[macs, macs]])
    completions = []
    for bad in ["{", "{}", #"{"query":"","results_count":0,"page":1,"results":{}}"#] {
      restaurants(matching: bad, on: engine) { completions.append($0) }
    }
    #expect(completions == [[], [], []])
    let page = try Page(decoding: json, options: .on(engine))
    #expect(page.results.skipped.map(\.index) == [1])
    #expect(page.results.skipped[0].error.path == "/results/1/name")
    #expect(page.results.skipped[0].error.message == "expected a string, found the number 5")
  }

  @Test("services that spell one model differently", arguments: engines)
  func spellings(engine: Engine) {
    let flat = #"{"place":{"title":"Caffè Macs","geo":[37.330576,-122.029739]}}"#
    let expected = Restaurant(name: macs.name, location: macs.location, meals: [])
    check([Row(flat, is: expected)], on: engine) {
      $0.convert("place", using: JSONConversion(Restaurant.decodeFlat))
    }
  }
}
