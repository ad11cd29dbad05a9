// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

private struct Circle: JSONDecodable, Equatable, Sendable {
  let radius: Double
  static func decode(_ json: JSON) -> Decoded<Circle> { Circle.init <^> json <| "radius" }
}

private struct Square: JSONDecodable, Equatable, Sendable {
  let side: Double
  static func decode(_ json: JSON) -> Decoded<Square> { Square.init <^> json <| "side" }
}

private enum Shape: JSONDecodable, Equatable, Sendable {
  case circle(Circle)
  case square(Square)
  case point
  case unknown(String, JSONValue)

  static let variants = JSONConversion<Shape>.variants(
    by: "type",
    [
      "circle": .model(Shape.circle), "square": .model(at: "data", Shape.square),
      "point": .constant(.point),
    ],
    otherwise: Shape.unknown)

  static func decode(_ json: JSON) -> Decoded<Shape> { variants.convert(json) }
}

private enum ClosedShape: JSONDecodable, Equatable, Sendable {
  case circle(Circle)
  case square(Square)

  static let variants = JSONConversion<ClosedShape>.variants(
    by: ["meta", "type"],
    ["circle": .model(ClosedShape.circle), "square": .model(ClosedShape.square)])

  static func decode(_ json: JSON) -> Decoded<ClosedShape> { variants.convert(json) }
}

@Suite("Tagged unions")
struct VariantsTests {
  @Test("of two cases with one tag the first counts")
  func tagTwice() throws {
    let variants = JSONConversion<Int>.variants(by: "type", ["a": .constant(1), "a": .constant(2)])
    let value = try JSONValue(parsing: #"{"type":"a"}"#)
    #expect(value.withView { variants.convert($0).value } == 1)
  }

  @Test("the discriminator names the case", arguments: engines)
  func cases(engine: Engine) {
    let rows: [Row<[Shape]>] = [
      Row(
        #"[{"type":"circle","radius":1},{"data":{"side":2},"type":"square"},{"type":"point"}]"#,
        is: [.circle(Circle(radius: 1)), .square(Square(side: 2)), .point]),
      Row(
        #"[{"type":"circle","radius":"1"}]"#, fails: .typeMismatch, "1:28", "/0/radius",
        #"expected a number, found the string "1""#),
      Row(
        #"[{"type":"square"}]"#, fails: .missingKey, "1:2", "/0/data", "the key is missing"),
    ]
    check(rows, on: engine)
  }

  @Test("an unknown case keeps its JSON", arguments: engines)
  func unknown(engine: Engine) {
    let json: JSONValue = ["type": "hexagon", "sides": 6]
    check(
      [
        Row(
          #"{"shape":{"type":"hexagon","sides":6}}"#, is: Shape.unknown("hexagon", json))
      ], on: engine
    ) { $0 <| "shape" }
  }

  @Test("a discriminator that is missing, unknown or no string", arguments: engines)
  func failures(engine: Engine) {
    let rows: [Row<ClosedShape>] = [
      Row(
        #"{"s":{"meta":{"type":"circle"},"radius":1}}"#, is: .circle(Circle(radius: 1))),
      Row(
        #"{"s":{"meta":{"type":"hexagon"}}}"#, fails: .invalidValue, "1:22", "/s/meta/type",
        #"the string "hexagon" is not one of "circle", "square""#),
      Row(
        #"{"s":{"meta":{}}}"#, fails: .missingKey, "1:14", "/s/meta/type", "the key is missing"),
      Row(#"{"s":{}}"#, fails: .missingKey, "1:6", "/s/meta", "the key is missing"),
      Row(
        #"{"s":{"meta":{"type":1}}}"#, fails: .typeMismatch, "1:22", "/s/meta/type",
        "expected a string, found the number 1"),
      Row(
        #"{"s":[]}"#, fails: .typeMismatch, "1:6", "/s", "expected an object, found an empty array"),
    ]
    check(rows, on: engine) { $0 <| "s" }
    check(
      [
        Row<Int>(
          #"{"t":"a"}"#, fails: .invalidValue, "1:6", "/t",
          #"the string "a" is not an accepted value"#)
      ], on: engine
    ) { $0.converted(using: .variants(by: "t", [:])) }
  }
}

private enum Meal: String, CaseIterable, JSONDecodable { case lunch, dinner }
private enum OpenMeal: String, JSONUnknownCase {
  case lunch, dinner, other
  static let unknownCase = OpenMeal.other
}
private enum ListedMeal: String, CaseIterable, JSONUnknownCase {
  case lunch, other
  static let unknownCase = ListedMeal.other
}

@Suite("Enums with unknown cases")
struct OpenEnumTests {
  @Test("closed: an unknown raw value is an error that lists the known ones", arguments: engines)
  func closed(engine: Engine) {
    check(
      [
        Row(#"{"m":"lunch"}"#, is: Meal.lunch),
        Row(
          #"{"m":"brunch"}"#, fails: .invalidValue, "1:6", "/m",
          #"the string "brunch" is not one of "lunch", "dinner""#),
      ], on: engine
    ) { $0 <| "m" }
  }

  @Test("with a case for them", arguments: engines)
  func fallback(engine: Engine) {
    let wrong = (Failure(.typeMismatch, "1:2", "/0", "expected a string, found the number 5"))
    check(
      [
        Row(#"["lunch","brunch"]"#, is: [OpenMeal.lunch, .other]),
        Row("[5]", failsWith: [wrong]),
      ], on: engine)
    check([Row(#"["lunch","brunch"]"#, is: [ListedMeal.lunch, .other])], on: engine)
  }

  @Test("kept as they came", arguments: engines)
  func open(engine: Engine) {
    check(
      [
        Row(#"["lunch","brunch"]"#, is: [OpenEnum<Meal>.known(.lunch), .unknown("brunch")])
      ], on: engine)
    #expect(OpenEnum<Meal>.known(.dinner).rawValue == "dinner")
    #expect(OpenEnum<Meal>.known(.dinner).known == .dinner)
    #expect(OpenEnum<Meal>.unknown("brunch").known == nil)
    #expect(OpenEnum<Meal>.unknown("brunch").rawValue == "brunch")
  }
}

@Suite("Absent and null told apart")
struct PresenceTests {
  @Test("absent, null, a value, a wrong type", arguments: engines)
  func presence(engine: Engine) {
    let rows: [Row<JSONPresence<String>>] = [
      Row("{}", is: .absent),
      Row(#"{"email":null}"#, is: .null),
      Row(#"{"email":"a"}"#, is: .value("a")),
      Row(
        #"{"email":5}"#, fails: .typeMismatch, "1:10", "/email",
        "expected a string, found the number 5"),
    ]
    check(rows, on: engine) { $0.decodePresence("email") }
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in try json.decodePresence("email").get() }
    }
    let all: [JSONPresence<String>] = [.absent, .null, .value("a")]
    #expect(all.map(\.value) == [nil, nil, "a"])
  }
}

@Suite("The first of several keys")
struct FirstOfKeysTests {
  @Test("the first that is there must be right", arguments: engines)
  func firstOf(engine: Engine) {
    let rows: [Row<String>] = [
      Row(#"{"old":"a","new":"b"}"#, is: "b"),
      Row(#"{"old":"a"}"#, is: "a"),
      Row(#"{"new":null,"old":"a"}"#, is: "a"),
      Row(
        #"{"new":5,"old":"a"}"#, fails: .typeMismatch, "1:8", "/new",
        "expected a string, found the number 5"),
      Row("{}", fails: .missingKey, "1:1", "/new", "the key is missing"),
    ]
    check(rows, on: engine) { $0.decodeFirst(of: ["new", "old"]) }
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in try json.decodeFirst(of: ["new", "old"]).get() }
    }
    check(
      [
        Row<String>(
          "{}", fails: .missingKey, "1:1", "",
          "expected at least one key, found an empty object")
      ],
      on: engine
    ) { $0.decodeFirst(of: []) }
  }
}
