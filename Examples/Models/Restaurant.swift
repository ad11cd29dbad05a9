// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A page of restaurants, decoded by initialisers that throw.

import Decant

public struct Restaurant: Equatable, Sendable {
  public let name: String
  public let location: Coordinates
  public let meals: Set<Meal>
}

public enum Meal: String, CaseIterable, Sendable {
  case breakfast, lunch, dinner
}

/// An enum with raw values needs no code.
extension Meal: JSONDecodable {}

extension Restaurant: JSONInitializable {
  public init(json: JSON) throws(DecodeError) {
    name = try json.get("name")
    location = try json.get("coordinates")
    meals = try json.get("meals")
  }
}

/// A place on Earth, in degrees.
public struct Coordinates: Equatable, Sendable {
  public let latitude: Double
  public let longitude: Double
}

extension Coordinates: JSONInitializable {
  public init(json: JSON) throws(DecodeError) {
    latitude = try json.get("lat")
    longitude = try json.get("lng")
    guard (-90...90).contains(latitude) else {
      throw .invalidValue("latitude \(latitude) is not in -90…90", in: json["lat"])
    }
    guard (-180...180).contains(longitude) else {
      throw .invalidValue("longitude \(longitude) is not in -180…180", in: json["lng"])
    }
  }
}

/// One page of a search's results.
public struct RestaurantPage: Equatable, Sendable {
  public let query: String
  public let resultsCount: Int
  public let page: Int
  public let results: [Restaurant]
}

extension RestaurantPage: JSONInitializable {
  public init(json: JSON) throws(DecodeError) {
    query = try json.get("query")
    resultsCount = try json.get("results_count")
    page = try json.get("page")
    results = try json.get("results")
  }
}
