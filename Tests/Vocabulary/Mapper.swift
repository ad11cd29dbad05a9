// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "Embrace immutability" and its library, Mapper.

import Decant
import DecantFoundation
import DecantTestSupport
import DecantVocabulary
import Foundation
import Testing

private struct User: JSONInitializable, Equatable, Sendable {
  let id: String
  let photoURL: URL?
  let verified: Bool

  init(json: JSON) throws(DecodeError) {
    try id = json.from("id")
    photoURL = json.optionalFrom("photoURL")
    verified = json.optionalFrom("phone.verified") ?? false
  }
}

private struct Envelope: JSONInitializable, Equatable, Sendable {
  let user: User
  init(json: JSON) throws(DecodeError) { try user = json.from("user") }
}

private enum HintID: String, CaseIterable, JSONDecodable { case welcome, pickup }

private struct Hint: JSONInitializable, Equatable, Sendable {
  let id: HintID
  let text: String

  init(id: HintID, text: String) {
    self.id = id
    self.text = text
  }

  init(json: JSON) throws(DecodeError) {
    try id = json.from("id")
    try text = json.from("text")
  }
}

private struct AppInfo: JSONInitializable, Equatable, Sendable {
  let hints: [HintID: Hint]
  let later: [HintID: Hint]?

  init(json: JSON) throws(DecodeError) {
    try hints = json.from("hints", transformation: Transform.toDictionary { $0.id })
    later = json.optionalFrom("later", transformation: Transform.toDictionary { $0.id })
  }
}

private struct Coordinate: Convertible, Equatable, Sendable {
  let latitude: Double
  let longitude: Double

  static func from(_ json: JSON) throws(DecodeError) -> Coordinate {
    Coordinate(
      latitude: try json.from(["lat", "latitude"]), longitude: try json.from(["lng", "longitude"]))
  }
}

private struct Place: JSONInitializable, Equatable, Sendable {
  let name: String
  init(json: JSON) throws(DecodeError) { try name = json.from("name") }
}

private struct RideRequest: JSONInitializable, Equatable, Sendable {
  let pickup: Coordinate
  let destination: Place?
  let seats: Int

  init(json: JSON) throws(DecodeError) {
    try pickup = json.from("pickup")
    destination = json.optionalFrom("destination")
    seats = json.optionalFrom("party.size") ?? 1
  }
}

private struct Ride: JSONInitializable, Equatable, Sendable {
  enum Status: String, JSONDecodable { case pending, accepted }
  let status: Status
  let request: RideRequest
  let fares: [String: Int]

  init(json: JSON) throws(DecodeError) {
    try status = json.from("status")
    try request = json.from("request")
    try fares = json.from("fares")
  }
}

private let sample =
  #"{"user":{"id":"123","photoURL":"http://example.com/123.jpg","phone":{"verified":false}}}"#

@Suite("C. Mapper")
struct MapperTests {
  @Test("the sample, with and without its optional parts", arguments: engines)
  func user(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    let user = try Envelope(decoding: sample, options: options).user
    #expect(user.id == "123")
    #expect(user.photoURL == URL(string: "http://example.com/123.jpg"))
    #expect(user.verified == false)
    let verified = sample.replacing("false", with: "true")
    #expect(try Envelope(decoding: verified, options: options).user.verified)
    let bare = try User(decoding: #"{"id":"123"}"#, options: options)
    #expect(bare.photoURL == nil)
    #expect(bare.verified == false)
  }

  @Test("a required field that fails throws: there is no half-built object", arguments: engines)
  func required(engine: Engine) {
    let rows: [Row<User>] = [
      Row("{}", fails: .missingKey, "1:1", "/id", "the key is missing"),
      Row(#"{"id":null}"#, fails: .missingKey, "1:7", "/id", "expected a string, found null"),
      Row(
        #"{"id":123}"#, fails: .typeMismatch, "1:7", "/id",
        "expected a string, found the number 123"),
    ]
    check(rows, on: engine)
  }

  @Test("key paths: dots, dotted keys, the whole document", arguments: engines)
  func paths(engine: Engine) {
    let json = #"{"user":{"phone":{"verified":true},"id":"1"},"a.b":2}"#
    check([Row(json, is: true)], on: engine) { json in
      Result { () throws(DecodeError) in try json.from("user.phone.verified") }
    }
    check([Row(json, is: 2)], on: engine) { $0 <| ["a.b"] }
    check([Row(json, is: 2)], on: engine) { $0.decode(pointer: "/a.b") }
    check([Row("[1]", is: [1])], on: engine) { json in
      Result { () throws(DecodeError) in try json.from("") }
    }
    let missing: [Row<Bool>] = [
      Row(
        json, fails: .typeMismatch, "1:41", "/user/id",
        #"expected an object, found the string "1""#)
    ]
    check(missing, on: engine) { json in
      Result { () throws(DecodeError) in try json.from("user.id.verified") }
    }
    check([Row(json, is: Bool?.none)], on: engine) {
      .success($0.optionalFrom("user.id.verified"))
    }
    check(
      [Row<Bool>(json, fails: .missingKey, "1:1", "/a", "the key is missing")], on: engine
    ) { json in Result { () throws(DecodeError) in try json.from("a.b") } }
  }

  @Test("optionalFrom turns every failure into nil; <|? does not", arguments: engines)
  func optional(engine: Engine) throws {
    let rows = [
      "{}", #"{"photoURL":null}"#, #"{"photoURL":5}"#, #"{"photoURL":"not a URL"}"#,
    ]
    for json in rows {
      let value = try JSONValue(parsing: json, options: .on(engine))
      value.withView { json in
        #expect(json.optionalFrom("photoURL", as: URL.self) == nil)
        #expect(json.optionalFrom("photoURL", as: Ride.Status.self) == nil)
      }
    }
    let wrong = Row<URL?>(
      #"{"photoURL":5}"#, fails: .typeMismatch, "1:13", "/photoURL",
      "expected a URL, found the number 5")
    check([wrong], on: engine) { $0 <|? "photoURL" }
  }

  @Test("the first field that works", arguments: engines)
  func alternatives(engine: Engine) {
    let rows: [Row<String>] = [
      Row(#"{"new":"a","old":"b"}"#, is: "a"),
      Row(#"{"old":"b"}"#, is: "b"),
      Row(#"{"new":5,"old":"b"}"#, is: "b"),
      Row(#"{"new":5}"#, fails: .missingKey, "1:1", "/old", "the key is missing"),
    ]
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in try json.from(["new", "old"]) }
    }
  }

  @Test("no field works where none is given", arguments: engines)
  func noFields(engine: Engine) {
    let row = Row<Int>(
      "5", fails: .missingKey, "1:1", "", "expected at least one key, found the number 5")
    check([row], on: engine) { json in
      Result { () throws(DecodeError) in try json.from([] as [String]) }
    }
    check([row], on: engine) { json in
      Result { () throws(DecodeError) in
        try json.from([] as [String], transformation: { (_: JSON) throws(DecodeError) in 1 })
      }
    }
  }

  @Test("transformations of the first field that works", arguments: engines)
  func transformedAlternatives(engine: Engine) {
    let length = { (json: JSON) throws(DecodeError) -> Int in
      try json.get("text", as: String.self).count
    }
    let rows: [Row<Int>] = [
      Row(#"{"new":{"text":"a"},"old":{"text":"bc"}}"#, is: 1),
      Row(#"{"old":{"text":"bc"}}"#, is: 2),
      Row(#"{"new":{},"old":{"text":"bc"}}"#, is: 2),
      Row(#"{"new":{}}"#, fails: .missingKey, "1:1", "/old", "the key is missing"),
    ]
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in try json.from(["new", "old"], transformation: length) }
    }
    let optional: [Row<Int?>] = [
      Row(#"{"new":{},"old":{"text":"bc"}}"#, is: 2), Row("{}", is: nil),
    ]
    check(optional, on: engine) { json in
      .success(json.optionalFrom(["new", "old"], transformation: length))
    }
  }

  @Test("unknown raw values in an array: an error, or a default", arguments: engines)
  func rawValues(engine: Engine) {
    let unknown = #"{"hints":["welcome","bye"]}"#
    let rows: [Row<[HintID]>] = [
      Row(
        unknown, fails: .invalidValue, "1:21", "/hints/1",
        #"the string "bye" is not one of "welcome", "pickup""#)
    ]
    check(rows, on: engine) { $0.decode("hints") }
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in try json.from("hints") }
    }
    let lossy: [Row<[HintID]>] = [Row(unknown, is: [.welcome])]
    check(lossy, on: engine) { $0.decode("hints", as: LossyArray<HintID>.self).map(\.elements) }
    let defaults: [Row<[HintID]>] = [
      Row(unknown, is: [.welcome, .pickup]),
      Row(
        #"{"hints":["welcome",5]}"#, fails: .typeMismatch, "1:21", "/hints/1",
        "expected a string, found the number 5"),
    ]
    check(defaults, on: engine) { json in
      Result { () throws(DecodeError) in try json.from("hints", defaultValue: .pickup) }
    }
  }

  private struct Refusal: Error {}

  private struct Even: Convertible, Equatable, Sendable {
    let number: Int
    static func from(_ json: JSON) throws -> Even {
      let number: Int = try json.from("")
      if !number.isMultiple(of: 2) { throw Refusal() }
      return Even(number: number)
    }
  }

  @Test("conversions that throw errors of their own", arguments: engines)
  func ownErrors(engine: Engine) {
    let rows: [Row<Even>] = [
      Row(#"{"n":4}"#, is: Even(number: 4)),
      Row(#"{"n":5}"#, fails: .custom, "1:6", "/n", "Refusal()"),
      Row(
        #"{"n":"4"}"#, fails: .typeMismatch, "1:6", "/n",
        #"expected an integer, found the string "4""#),
    ]
    check(rows, on: engine) { json in Result { () throws(DecodeError) in try json.from("n") } }
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in try json.from("n") { json in try Even.from(json) } }
    }
    check(rows, on: engine) { json in
      Result { () throws(DecodeError) in
        try json.from(["m", "n"], transformation: { try Even.from($0) })
      }
    }
  }

  @Test("Convertible: a coordinate under two spellings", arguments: engines)
  func convertible(engine: Engine) {
    let coordinate = Coordinate(latitude: 1.5, longitude: -2)
    let rows: [Row<Coordinate>] = [
      Row(#"{"lat":1.5,"lng":-2}"#, is: coordinate),
      Row(#"{"latitude":1.5,"longitude":-2}"#, is: coordinate),
      Row(#"{"lat":1.5}"#, fails: .missingKey, "1:1", "/longitude", "the key is missing"),
      Row("5", fails: .typeMismatch, "1:1", "", "expected an object, found the number 5"),
    ]
    check(rows, on: engine)
  }

  @Test("a URL from a non-string and from a bad string are two errors", arguments: engines)
  func url(engine: Engine) {
    let rows: [Row<URL>] = [
      Row("[]", fails: .typeMismatch, "1:1", "", "expected a URL, found an empty array"),
      Row(
        #""%%""#, fails: .invalidValue, "1:1", "", #"expected a URL, found the string "%%""#),
    ]
    check(rows, on: engine)
  }

  @Test("Transform.toDictionary: models by a key of theirs, the last one stays", arguments: engines)
  func dictionary(engine: Engine) {
    let hints =
      #"[{"id":"welcome","text":"a"},{"id":"pickup","text":"b"},{"id":"welcome","text":"c"}]"#
    let expected = [
      HintID.welcome: Hint(id: .welcome, text: "c"), .pickup: Hint(id: .pickup, text: "b"),
    ]
    check([Row(#"{"hints":\#(hints)}"#, is: expected)], on: engine) { json in
      AppInfo.decode(json).map(\.hints)
    }
    let laters: [(String, [HintID: Hint]?)] = [
      ("", nil), (#","later":5"#, nil), (#","later":[]"#, [:]),
      (#","later":[{"id":"welcome"}]"#, nil),
    ]
    for (later, expected) in laters {
      check([Row(#"{"hints":[]\#(later)}"#, is: expected)], on: engine) { json in
        AppInfo.decode(json).map(\.later)
      }
    }
    let rows: [Row<AppInfo>] = [
      Row(
        #"{"hints":{}}"#, fails: .typeMismatch, "1:10", "/hints",
        "expected an array, found an empty object"),
      Row("{}", fails: .missingKey, "1:1", "/hints", "the key is missing"),
      Row(
        #"{"hints":[{"id":"bye","text":"a"}]}"#, fails: .invalidValue, "1:17", "/hints/0/id",
        #"the string "bye" is not one of "welcome", "pickup""#),
    ]
    check(rows, on: engine)
  }

  @Test("errors say which: missing, mismatch, raw value, conversion, custom", arguments: engines)
  func errors(engine: Engine) {
    func failing(_ json: String, _ body: @escaping (JSON) throws(DecodeError) -> Void) -> String {
      let result = JSONValue.parse(json, options: .on(engine)).flatMap { value in
        value.outcome { json in Result { () throws(DecodeError) in try body(json) } }
      }
      guard let error = result.error else { return "" }
      return "\(error.code.rawValue) \(error.path) \(error.message)"
    }
    let json = #"{"a":"x","n":1}"#
    let missing = failing(json) { json throws(DecodeError) in
      _ = try json.from("b", as: Int.self)
    }
    #expect(missing == "202 /b the key is missing")
    let mismatch = failing(json) { json throws(DecodeError) in
      _ = try json.from("a", as: Int.self)
    }
    #expect(mismatch == #"201 /a expected an integer, found the string "x""#)
    let raw = failing(json) { json throws(DecodeError) in
      _ = try json.from("a", as: Ride.Status.self)
    }
    #expect(raw == #"205 /a the string "x" is not an accepted value"#)
    let conversion = failing(json) { json throws(DecodeError) in
      _ = try json.from("n", as: URL.self)
    }
    #expect(conversion == "201 /n expected a URL, found the number 1")
    let custom = failing(json) { json throws(DecodeError) in
      let transformation = { (_: JSON) throws(DecodeError) -> Int in throw .custom("too small") }
      _ = try json.from("n", transformation: transformation)
    }
    #expect(custom == "206 /n too small")
  }

  @Test("[\"hi\", 1] as strings fails as a whole", arguments: engines)
  func mixed(engine: Engine) {
    check(
      [
        Row<[String]>(
          #"["hi",1]"#, fails: .typeMismatch, "1:7", "/1", "expected a string, found the number 1")
      ], on: engine)
    check([Row(#"{"a":["hi",1]}"#, is: [String]?.none)], on: engine) {
      .success($0.optionalFrom("a"))
    }
  }

  @Test("the models of the talk, on a tree that is parsed already", arguments: engines)
  func ride(engine: Engine) throws {
    let json = #"""
      {"status":"pending","fares":{"base":500,"tip":0},
       "request":{"pickup":{"lat":37.8,"lng":-122.4},"destination":{"name":"Home"}}}
      """#
    let tree = try JSONValue(parsing: json, options: .on(engine))
    let ride = try tree.decode(Ride.self)
    #expect(ride.status == .pending)
    #expect(ride.fares == ["base": 500, "tip": 0])
    #expect(ride.request.pickup == Coordinate(latitude: 37.8, longitude: -122.4))
    #expect(ride.request.destination?.name == "Home")
    #expect(ride.request.seats == 1)
    #expect(try tree["request"].decode(RideRequest.self) == ride.request)
  }
}
