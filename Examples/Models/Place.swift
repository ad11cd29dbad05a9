// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Top places of a photo service, decoded with `build`.

import Decant

public struct Place: Equatable, Sendable {
  public let placeURL: String
  public let timeZone: String
  public let photoCount: Int
  public let content: String
}

extension Place: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<Place> {
    build(
      Place.init,
      json <| "place_url",
      json <| "timezone",
      (json <| "photo_count").map(count),
      json <| "_content")
  }

  /// The service sends counts as text: no number is 0. That it is text still is required.
  private static func count(in text: String) -> Int { Int(text) ?? 0 }
}

/// `{"places": {"place": […]}}`
public struct Places: Equatable, Sendable {
  public let places: [Place]
}

extension Places: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<Places> {
    build(Places.init, json <| ["places", "place"])
  }
}
