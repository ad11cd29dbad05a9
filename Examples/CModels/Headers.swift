// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The headers in Examples/Include, which `swift package decant-header` writes.

import DecantHeader
import ExampleModels

@c(decant_headers)
public func decant_headers(_ sink: CHeader.Sink, _ context: UnsafeMutableRawPointer?) -> Bool {
  CHeader.write(
    [
      CHeader(
        "user.h",
        """
        Users: {"id": 5, "name": "Tester", "email": "tester@test.com"}, where the email may be absent or null. \
        {"id": "5", "name": "Tester"} is DECANT_TYPE_MISMATCH, {"id": 5} is DECANT_MISSING_KEY.
        """,
        [User.self, UserList.self]),
      CHeader(
        "place.h",
        """
        Top places: {"places": {"place": [{"place_url": …, "timezone": …, "photo_count": "12", "_content": …}, \
        …]}}.
        """,
        [Place.self, Places.self]),
      CHeader(
        "restaurant.h",
        """
        A page of restaurants: {"query": …, "results_count": …, "page": …, "results": [{"name": …, \
        "coordinates": {"lat": …, "lng": …}, "meals": ["breakfast", "lunch", "dinner"]}, …]}.
        """,
        [Restaurant.self, RestaurantPage.self]),
      CHeader(
        "event.h",
        "Events of a stream that has a document a line: {\"time\": …, \"kind\": \"view\", …}.",
        [Event.self]),
    ], to: sink, context)
}
