// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The article's variant for a photo service: two levels down, counts as text, URLs.

import Decant
import DecantFoundation
import DecantOptionalOperators
import DecantVocabulary
import Foundation

struct Place {
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

struct Places: CustomStringConvertible {
  let places: [Place]

  var description: String {
    places.map { "\($0.photoCount)\t\($0.content) (\($0.placeURL))" }.joined(separator: "\n")
  }
}

extension Places: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Places> {
    Places.init <^> json <| "places" <| "place"
  }
}

func place(_ name: String, _ count: String) -> String {
  #"{"place_url":"/\#(name)","timezone":"UTC","photo_count":\#(count),"_content":"\#(name)"}"#
}

func document(_ places: String...) -> String {
  #"{"places":{"place":[\#(places.joined(separator: ","))]}}"#
}

print(
  stringResult(Places.decode(from: document(place("Porto", #""125""#), place("Oslo", #""?""#)))))
print(stringResult(Places.decode(from: document(place("Porto", #""125""#), place("Oslo", "7")))))

// Skipping bad elements is another call, which reports them.
let lossy = try JSONValue(parsing: document(place("Porto", #""125""#), place("Oslo", "7")))
  .decode(["places", "place"], as: LossyArray<Place>.self)
print("kept:", lossy.elements.map(\.content))
for skipped in lossy.skipped { print("skipped \(skipped.index): \(skipped.error)") }
