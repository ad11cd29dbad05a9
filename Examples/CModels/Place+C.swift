// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// place.h: how places fill their structs in C.

import CDecant
import CExampleModels
import DecantC
import ExampleModels

extension Place: CModel {
  public static var storage: WritableKeyPath<decant_place, UnsafeMutableRawPointer?> { \.storage }

  public func fill(_ place: inout decant_place, _ block: inout CBlock) {
    place.place_url = block.add(placeURL)
    place.place_url_length = placeURL.utf8.count
    place.time_zone = block.add(timeZone)
    place.time_zone_length = timeZone.utf8.count
    place.photo_count = Int64(photoCount)
    place.content = block.add(content)
    place.content_length = content.utf8.count
  }
}

extension Places: CModel {
  public static var storage: WritableKeyPath<decant_places, UnsafeMutableRawPointer?> { \.storage }

  public func fill(_ list: inout decant_places, _ block: inout CBlock) {
    list.items = block.add(places)
    list.count = places.count
  }
}

@c @implementation
public func decode_places(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_places>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  Places.decode(json, length, into: out, error: error)
}

@c @implementation
public func places_free(_ places: UnsafeMutablePointer<decant_places>!) { Places.free(places) }
