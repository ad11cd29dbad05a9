// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Top places in C: struct decant_places, and decode_places().

import CDecant
import DecantC
import ExampleModels

extension Place: CModel {
  public static func layout(_ c: inout CLayout<Place>) {
    c.structure("place", "A place.")
    c.field("place_url", \.placeURL)
    c.field("time_zone", \.timeZone)
    c.field("photo_count", \.photoCount, "0 when the document's text is no number")
    c.field("content", \.content)
  }
}

@c(decode_place)
public func decode_place(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Place.decode(json, length, into: out, error: error)
}

@c(place_free)
public func place_free(_ place: UnsafeMutableRawPointer?) { Place.free(place) }

extension Places: CModel {
  public static func layout(_ c: inout CLayout<Places>) {
    c.structure("places", "The document's places, in its order.")
    c.field("items", \.places, companion: "count")
  }
}

@c(decode_places)
public func decode_places(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Places.decode(json, length, into: out, error: error)
}

@c(places_free)
public func places_free(_ places: UnsafeMutableRawPointer?) { Places.free(places) }
