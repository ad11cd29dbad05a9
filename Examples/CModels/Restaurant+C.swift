// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Restaurants in C: a struct with a struct inside and a set of constants, arrays of it, and pages.

import CDecant
import DecantC
import ExampleModels

extension Meal: CFlag {
  public static var cName: String { "meal" }
}

extension Coordinates: CModel {
  public static func layout(_ c: inout CLayout<Coordinates>) {
    c.structure("coordinates", "A place on Earth, in degrees.", isPart: true)
    c.field("latitude", \.latitude, "-90 to 90")
    c.field("longitude", \.longitude, "-180 to 180")
  }
}

extension Restaurant: CModel {
  public static func layout(_ c: inout CLayout<Restaurant>) {
    c.structure(
      "restaurant",
      "A restaurant. An unknown meal, and coordinates out of range, are DECANT_INVALID_VALUE.",
      array: "restaurants")
    c.field("name", \.name)
    c.field("location", \.location)
    c.field("meals", \.meals)
  }
}

extension RestaurantPage: CModel {
  public static func layout(_ c: inout CLayout<RestaurantPage>) {
    c.structure("restaurant_page", "One page of a search's results.")
    c.field("query", \.query)
    c.field("results_count", \.resultsCount, "on all pages")
    c.field("page", \.page)
    c.field("results", \.results)
  }
}

@c(decode_restaurant)
public func decode_restaurant(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Restaurant.decode(json, length, into: out, error: error)
}

@c(restaurant_free)
public func restaurant_free(_ restaurant: UnsafeMutableRawPointer?) { Restaurant.free(restaurant) }

@c(decode_restaurants)
public func decode_restaurants(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Restaurant.decodeArray(json, length, into: out, error: error)
}

@c(restaurants_free)
public func restaurants_free(_ restaurants: UnsafeMutableRawPointer?) {
  Restaurant.freeArray(restaurants)
}

@c(decode_restaurant_page)
public func decode_restaurant_page(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  RestaurantPage.decode(json, length, into: out, error: error)
}

@c(restaurant_page_free)
public func restaurant_page_free(_ page: UnsafeMutableRawPointer?) { RestaurantPage.free(page) }
