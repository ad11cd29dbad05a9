// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A stream of events, one document a line. What an event carries depends on its kind; kinds that
// are not known yet are kept as they came.

import Decant

public struct Event: Equatable, Sendable {
  public let time: String
  public let payload: Payload

  public enum Payload: Equatable, Sendable {
    case signup(User)
    case view(userID: Int, path: String)
    case purchase(userID: Int, total: Double, items: [Item])
    case other(kind: String, JSONValue)
  }

  public struct Item: Equatable, Sendable {
    public let name: String
    public let quantity: Int
  }
}

extension Event: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<Event> {
    build(Event.init, json <| "time", json.decoded())
  }
}

extension Event.Payload: JSONInitializable {
  public init(json: JSON) throws(DecodeError) {
    switch try json.get("kind", as: String.self) {
    case "signup":
      self = .signup(try json.get("user"))
    case "view":
      self = .view(userID: try json.get("user_id"), path: try json.get("path"))
    case "purchase":
      self = .purchase(
        userID: try json.get("user_id"),
        total: try json.get("total"),
        items: try json.get("items", default: []))
    case let kind:
      self = .other(kind: kind, try json.decoded().get())
    }
  }
}

extension Event.Item: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<Event.Item> {
    build(Event.Item.init, json <| "name", json.decode("quantity", default: 1))
  }
}
