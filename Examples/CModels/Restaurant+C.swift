// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// restaurant.h: how a page of restaurants fills its struct in C.

import CDecant
import CExampleModels
import DecantC
import ExampleModels

extension Restaurant: CModel {
  public static var storage: WritableKeyPath<decant_restaurant, UnsafeMutableRawPointer?> {
    \.storage
  }

  public func fill(_ restaurant: inout decant_restaurant, _ block: inout CBlock) {
    restaurant.name = block.add(name)
    restaurant.name_length = name.utf8.count
    restaurant.latitude = location.latitude
    restaurant.longitude = location.longitude
    restaurant.meals = meals.reduce(0) { $0 | $1.bit }
  }
}

extension Meal {
  fileprivate var bit: UInt32 {
    switch self {
    case .breakfast: UInt32(DECANT_MEAL_BREAKFAST)
    case .lunch: UInt32(DECANT_MEAL_LUNCH)
    case .dinner: UInt32(DECANT_MEAL_DINNER)
    }
  }
}

extension RestaurantPage: CModel {
  public static var storage: WritableKeyPath<decant_restaurant_page, UnsafeMutableRawPointer?> {
    \.storage
  }

  public func fill(_ out: inout decant_restaurant_page, _ block: inout CBlock) {
    out.query = block.add(query)
    out.query_length = query.utf8.count
    out.results_count = Int64(resultsCount)
    out.page = Int64(page)
    out.results = block.add(results)
    out.results_length = results.count
  }
}

@c @implementation
public func decode_restaurant_page(
  _ json: UnsafePointer<CChar>!, _ length: Int,
  _ out: UnsafeMutablePointer<decant_restaurant_page>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  RestaurantPage.decode(json, length, into: out, error: error)
}

@c @implementation
public func restaurant_page_free(_ page: UnsafeMutablePointer<decant_restaurant_page>!) {
  RestaurantPage.free(page)
}
