// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The tour through the example documents: each is read, decoded with both engines, and shown.

import Decant
import DecantJansson
import ExampleModels

struct Tour {
  let data: String
  let large: String?
  let engine: DecodingOptions.Engine

  func run() throws(Failure) {
    try showUser()
    try showUsers()
    try showRestaurants()
    try showPlaces()
    try showEvents()
    try showLarge()
    try showErrors()
  }

  private func showUser() throws(Failure) {
    let (user, remark) = try decode(User.self, "user.json")
    print("  \(user.id): \(user.name) <\(user.email ?? "no email")>")
    print("  \(remark)")
  }

  private func showUsers() throws(Failure) {
    let (list, remark) = try decode(UserList.self, "users.json")
    showTable(of: list.users)
    print("  \(counted(list.users.count, "user")); \(remark)")
  }

  private func showRestaurants() throws(Failure) {
    let (page, remark) = try decode(RestaurantPage.self, "restaurants.json")
    var table = Table("name", "latitude", "longitude", "meals")
    for restaurant in page.results {
      let meals = Meal.allCases.filter(restaurant.meals.contains).map(\.rawValue)
      table.add(
        restaurant.name, "\(restaurant.location.latitude)", "\(restaurant.location.longitude)",
        meals.isEmpty ? "none" : meals.joined(separator: ", "))
    }
    table.show()
    print(
      "  page \(page.page) of \"\(page.query)\": \(page.results.count) of",
      "\(counted(page.resultsCount, "restaurant")); \(remark)")
  }

  private func showPlaces() throws(Failure) {
    let (list, remark) = try decode(Places.self, "places.json")
    var table = Table("photos", "time zone", "place", "page")
    for place in list.places {
      table.add("\(place.photoCount)", place.timeZone, place.content, place.placeURL)
    }
    table.show()
    print("  \(counted(list.places.count, "place")); \(remark)")
  }

  /// A document a line: each is decoded on its own, so a stream never has to fit into memory.
  private func showEvents() throws(Failure) {
    let bytes = try open("events.ndjson")
    var table = Table("time", "event", "what")
    for (place, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      switch Event.decode(from: line, options: DecodingOptions(engine: engine)) {
      case .failure(let error): throw .document("events.ndjson, document \(place + 1): \(error)")
      case .success(let event):
        guard Event.decode(from: line, options: other).value == event else {
          throw .document("events.ndjson, document \(place + 1): the engines do not agree")
        }
        table.add(event.time, event.payload.name, event.payload.summary)
      }
    }
    table.show()
    print("  \(counted(table.count, "event")); \(agreement)")
  }

  private func showLarge() throws(Failure) {
    guard let large else { return }
    let (list, remark) = try decode(
      UserList.self, large, name: String(large.split(separator: "/").last ?? ""))
    showTable(of: list.users, atMost: 3)
    let withEmail = list.users.count { $0.email != nil }
    print(
      "  \(counted(list.users.count, "user")), \(grouped(withEmail)) with an email; \(remark)")
  }

  /// Documents that must not decode, and what their errors say.
  private func showErrors() throws(Failure) {
    for name in ["broken.json", "malformed.json"] {
      let bytes = try open(name)
      let options = DecodingOptions(engine: engine, sourceName: name)
      guard let error = UserList.decode(from: bytes, options: options).error else {
        throw .document("\(name) decodes, and should not")
      }
      print(indented("\(error)"))
      let errors = error.count
      print("  \(counted(errors, "error")), as it should be")
    }
  }
}

// MARK: - Reading

extension Tour {
  private var other: DecodingOptions {
    DecodingOptions(engine: engine == .native ? .jansson : .native)
  }

  private var agreement: String { "\(engine.name) and \(other.engine.name) agree" }

  /// Reads a document and prints a heading for it.
  private func open(_ name: String) throws(Failure) -> [UInt8] {
    let bytes = try Input.bytes(of: "\(data)/\(name)")
    heading(name, bytes)
    return bytes
  }

  private func heading(_ name: String, _ bytes: [UInt8]) {
    print("\n\(name), \(counted(bytes.count, "byte"))")
  }

  private func decode<Model: JSONDecodable & Equatable>(
    _ type: Model.Type, _ name: String
  ) throws(Failure) -> (Model, String) {
    try decode(type, "\(data)/\(name)", name: name)
  }

  /// A model that both engines agree about, and a remark that says so.
  private func decode<Model: JSONDecodable & Equatable>(
    _ type: Model.Type, _ path: String, name: String
  ) throws(Failure) -> (Model, String) {
    let bytes = try Input.bytes(of: path)
    heading(name, bytes)
    switch Model.decode(from: bytes, options: DecodingOptions(engine: engine, sourceName: name)) {
    case .failure(let error): throw .document("\(error)")
    case .success(let model):
      guard Model.decode(from: bytes, options: other).value == model else {
        throw .document("\(name): the engines do not agree")
      }
      return (model, agreement)
    }
  }
}

// MARK: - Showing

/// Users as a table.
func showTable(of users: [User], atMost limit: Int = Table.longest) {
  var table = Table("id", "name", "email")
  for user in users.prefix(limit) { table.add("\(user.id)", user.name, user.email ?? "-") }
  table.count = users.count
  table.show()
}

extension Event.Payload {
  fileprivate var name: String {
    switch self {
    case .signup: "signup"
    case .view: "view"
    case .purchase: "purchase"
    case .other(let kind, _): kind
    }
  }

  fileprivate var summary: String {
    switch self {
    case .signup(let user): "\(user.name) <\(user.email ?? "no email")>"
    case .view(let userID, let path): "user \(userID) at \(path)"
    case .purchase(let userID, let total, let items):
      "user \(userID), \(total): "
        + items.map { "\($0.quantity) \($0.name)" }.joined(separator: ", ")
    case .other(_, let value): "kept as it came, \(counted(value.text().utf8.count, "byte"))"
    }
  }
}
