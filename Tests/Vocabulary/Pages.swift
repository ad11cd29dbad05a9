// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Snippets of the documentation's pages that no other suite has.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("Snippets of the pages")
struct PageTests {
  @Test("coming from SwiftyJSON", arguments: engines)
  func swiftyJSON(engine: Engine) throws {
    let data = Data(#"{"users":[{"name":"Ann"}],"price":0.5}"#.utf8)
    let json = try JSONValue(parsing: data, options: .on(engine))
    #expect(json["users"][0]["name"].string == "Ann")
    #expect(json[["users", 0, "name"]].string == "Ann")
    #expect(json[pointer: "/users/0/name"].string == "Ann")
    let missing = try #require(json["users"][9]["name"].error)
    #expect(missing.path == "/users/9")
    #expect(missing.message == "the element is missing")
    #expect(json["admin"].bool ?? false == false)
    #expect(json["users"].array?.count == 1)
    #expect(json["price"].numberText == "0.5")
    #expect(json.members?.map(\.key).sorted() == ["price", "users"])
    let literal: JSONValue = ["a": 1]
    #expect(literal.text() == #"{"a":1}"#)
    #expect(literal.jsonText(.pretty).contains("\n"))
  }

  @Test("what SwiftyJSON has and Decant spells otherwise", arguments: engines)
  func swiftyJSONDifferences(engine: Engine) throws {
    let json = try JSONValue(
      parsing: #"{"a":null,"n":5,"url":"a b","list":["x","y"],"more":{"n":6,"m":7}}"#,
      options: .on(engine))
    // A missing value does not equal null.
    #expect(json["missing"] != nil)
    #expect(json["a"] == nil)
    #expect(json["a"].isNull && !json["missing"].isNull)
    // URLs are not escaped.
    let url = json["url"].decoded(URL.self)
    #expect(url.error?.code == .invalidValue)
    // Values have no order; what is in them has.
    #expect((json["n"].int ?? 0) < (json["more"]["n"].int ?? 0))
    // No tuples from arrays, and widths by type.
    var texts: [String] = []
    for element in json["list"].array ?? [] { texts.append(element.string ?? "-") }
    #expect(texts == ["x", "y"])
    #expect(try json["n"].decode(Int64.self) == 5)
    #expect(try json["n"].decode(UInt8.self) == 5)
    // Dictionaries of values, and merging by hand.
    let object = try #require(json["more"].object)
    #expect(object["m"]?.int == 7)
    let merged = (json.object ?? [:]).merging(object) { _, new in new }
    let value = JSONValue(members: merged.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    #expect(value["n"].int == 6 && value["m"].int == 7 && value["list"].count == 2)
    // Paths that are known at run time.
    let path: [JSONKey] = ["list", JSONKey(1)]
    #expect(json[JSONKey(path: path)].string == "y")
  }

  @Test("conversions", arguments: engines)
  func conversions(engine: Engine) {
    check(
      [
        Row<Date>(
          #"{"created":"yesterday"}"#, fails: .invalidValue, "1:12", "/created",
          #"expected a date and time by RFC 3339, found the string "yesterday""#)
      ], on: engine
    ) { $0.convert("created", using: .rfc3339) }
    check(
      [
        Row(#"{"age":150}"#, is: 150),
        Row(
          #"{"age":151}"#, fails: .invalidValue, "1:8", "/age",
          "expected a value in 0...150, found the number 151"),
      ], on: engine
    ) { $0.convert("age", using: .value.inRange(0...150)) }
    check(
      [
        Row(#"{"ages":[1,2]}"#, is: [1, 2]),
        Row(
          #"{"ages":[1,-2]}"#, fails: .invalidValue, "1:12", "/ages/1",
          "expected a value in 0...150, found the number -2"),
      ], on: engine
    ) { $0.convert("ages", using: .array(of: .value.inRange(0...150))) }
    check([Row(#"{"n":"5"}"#, is: 5)], on: engine) { $0.convert("n", using: .numberOrString) }
  }

  @Test("a conversion as long as a chain's field", arguments: engines)
  func chains(engine: Engine) {
    struct Event: Equatable, Sendable, JSONDecodable {
      let id: Int
      let at: Date
      let until: Date?
      let tags: [String]

      static func decode(_ json: JSON) -> Decoded<Event> {
        curry(Event.init) <^> json.convert("id", using: .fromString)
          <*> json.convert("at", using: .epochSeconds)
          <*> json.convertIfPresent("until", using: .rfc3339)
          <*> json.convert("tags", using: .value.nonEmpty)
      }
    }
    let epoch = Date(timeIntervalSince1970: 0)
    check(
      [
        Row(
          #"{"id":"1","at":0,"tags":["a"]}"#, is: Event(id: 1, at: epoch, until: nil, tags: ["a"])),
        Row(
          #"{"id":1,"at":0,"until":0,"tags":[]}"#,
          failsWith: [
            Failure(
              .typeMismatch, "1:7", "/id", "expected a number in a string, found the number 1"),
            Failure(
              .typeMismatch, "1:24", "/until",
              "expected a date and time by RFC 3339, found the number 0"),
            Failure(
              .invalidValue, "1:33", "/tags",
              "expected a non-empty value, found an empty array"),
          ]),
      ], on: engine)
  }
}
