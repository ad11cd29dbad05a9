// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "Working with JSON in Swift", its final program: restaurants that match a search, bad ones skipped.

import Decant

enum Meal: String, CaseIterable, JSONDecodable { case breakfast, lunch, dinner }

struct Restaurant {
  let name: String
  let location: (latitude: Double, longitude: Double)
  let meals: Set<Meal>
}

extension Restaurant: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    name = try json.get("name")
    let coordinates = json["coordinates"]
    location = (
      try coordinates.convert("lat", using: .value.inRange(-90...90)).get(),
      try coordinates.convert("lng", using: .value.inRange(-180...180)).get()
    )
    meals = try json.get("meals")
  }

  /// Completes once, with no restaurants if the answer is no page of them.
  static func restaurants(
    matching query: String, answer: String, completion: ([Restaurant], [DecodeError]) -> Void
  ) {
    switch JSONValue.parse(answer).flatMap({ $0["results"].decoded(Results.self) }) {
    case .success(let results): completion(results.elements, results.skipped.map(\.error))
    case .failure(let error): completion([], [error])
    }
  }

  typealias Results = LossyArray<Restaurant>
}

func restaurant(_ latitude: Double, _ meals: String) -> String {
  #"{"name":"Caffè Macs","coordinates":{"lat":\#(latitude),"lng":-122.03},"meals":[\#(meals)]}"#
}

let good = restaurant(37.330576, #""breakfast","lunch","lunch""#)
let far = restaurant(91, #""dinner""#)
let brunch = restaurant(0, #""brunch""#)
for answer in [#"{"query":"sandwich","results":[\#(good),\#(far),\#(brunch)]}"#, "{}", "<html>"] {
  Restaurant.restaurants(matching: "sandwich", answer: answer) { restaurants, errors in
    print("\(restaurants.count) found, \(errors.count) problems")
    for restaurant in restaurants {
      print(" ", restaurant.name, restaurant.location, restaurant.meals.map(\.rawValue).sorted())
    }
    for error in errors { print("  \(error)") }
  }
}
