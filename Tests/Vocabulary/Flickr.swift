// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The variant of the article that decodes a photo service's top places.

import Decant
import DecantFoundation
import DecantOptionalOperators
import DecantTestSupport
import DecantVocabulary
import Foundation
import Testing

private struct Place: Equatable, Sendable {
  let placeURL: URL
  let timeZone: String
  let photoCount: Int
  let content: String
}

extension Place: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Place> {
    curry(Place.init) <^> json <| "place_url"
      <*> json <| "timezone"
      <*> (json <| "photo_count").map { Int($0) ?? 0 }
      <*> json <| "_content"
  }
}

private struct Places: Equatable, Sendable {
  let places: [Place]
}

extension Places: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Places> {
    Places.init <^> json <| "places" <| "place"
  }
}

private func place(_ count: String, url: String = #""/Porto""#) -> String {
  #"{"place_url":\#(url),"timezone":"Europe/Lisbon","photo_count":\#(count),"_content":"Porto"}"#
}

private func decoded(_ count: Int) -> Place? {
  URL(string: "/Porto").map {
    Place(placeURL: $0, timeZone: "Europe/Lisbon", photoCount: count, content: "Porto")
  }
}

private func wrapped(_ place: String) -> String { #"{"places":{"place":[\#(place)]}}"# }

@Suite("B. The Flickr top-places variant")
struct FlickrTests {
  private let porto = URL(string: "/Porto")

  @Test("a place, with its count as text", arguments: engines)
  func photoCount(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    #expect(try Place(decoding: place(#""125""#), options: options) == decoded(125))
    #expect(try Place(decoding: place(#""many""#), options: options) == decoded(0))
    #expect(try Place(decoding: place(#""""#), options: options) == decoded(0))
    check(
      [
        Row<Place>(
          place("125"), fails: .typeMismatch, "1:64", "/photo_count",
          "expected a string, found the number 125")
      ], on: engine)
  }

  @Test("a string becomes a URL while it is decoded", arguments: engines)
  func url(engine: Engine) {
    let rows: [Row<Place>] = [
      Row(
        place(#""1""#, url: #""not a URL""#), fails: .invalidValue, "1:14", "/place_url",
        #"expected a URL, found the string "not a URL""#),
      Row(
        place(#""1""#, url: "5"), fails: .typeMismatch, "1:14", "/place_url",
        "expected a URL, found the number 5"),
    ]
    check(rows, on: engine)
  }

  @Test("the chain: object, object, array of models", arguments: engines)
  func chain(engine: Engine) throws {
    let json = wrapped(place(#""1""#) + "," + place(#""2""#))
    let expected = Places(places: [1, 2].compactMap { decoded($0) })
    check([Row(json, is: expected)], on: engine)
    check([Row(json, is: expected.places)], on: engine) { $0 <| "places" <| "place" }
    check([Row(json, is: expected.places)], on: engine) { $0["places"] <| "place" }
    check([Row(json, is: expected.places)], on: engine) { $0 <| ["places", "place"] }
  }

  @Test("one bad element or a missing level fails the whole", arguments: engines)
  func failures(engine: Engine) {
    let rows: [Row<Places>] = [
      Row(
        wrapped(place(#""1""#) + "," + place("2")), fails: .typeMismatch, "1:171",
        "/places/place/1/photo_count", "expected a string, found the number 2"),
      Row("{}", fails: .missingKey, "1:1", "/places", "the key is missing"),
      Row(
        #"{"places":{}}"#, fails: .missingKey, "1:11", "/places/place", "the key is missing"),
      Row(
        #"{"places":[]}"#, fails: .typeMismatch, "1:11", "/places",
        "expected an object, found an empty array"),
      Row(
        wrapped("").replacing("[]", with: "5"), fails: .typeMismatch, "1:20", "/places/place",
        "expected an array, found the number 5"),
    ]
    check(rows, on: engine)
    check(
      rows.map { row in
        switch row.outcome {
        case .model(let model): Row(row.json, is: model.places)
        case .failures(let failures): Row<[Place]>(row.json, failsWith: failures)
        }
      }, on: engine
    ) { $0["places"] <| "place" }
  }

  @Test("skipping bad elements is another call", arguments: engines)
  func skipping(engine: Engine) throws {
    let json = wrapped(place(#""1""#) + "," + place("2"))
    let value = try JSONValue(parsing: json, options: .on(engine))
    let places: LossyArray<Place> = try value[["places", "place"]].decode()
    #expect(places.elements == [decoded(1)])
    #expect(places.skipped.map(\.error.path.text) == ["/places/place/1/photo_count"])
  }

  @Test("stringResult: a readable description", arguments: engines)
  func text(engine: Engine) {
    let options = DecodingOptions.on(engine)
    #expect(stringResult([Int].decode(from: "[1,2]", options: options)) == "[1, 2]")
    let text = #"/0: expected an integer, found the string "1""#
    #expect(
      stringResult([Int].decode(from: #"["1"]"#, options: options))
        == (engine == .native ? "1:2: \(text)\n  [\"1\"]\n   ^~~" : text))
  }
}
