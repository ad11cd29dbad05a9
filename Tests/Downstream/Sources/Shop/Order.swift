// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An order, with a member of every kind that C can have.

import Decant
import DecantC

public enum State: String, CaseIterable, JSONDecodable, CEnum {
  case open, paid
  case sentBack = "sent-back"

  public static var cName: String { "state" }
  public static var cPrefix: String { "shop" }
}

public enum Wrapping: String, CaseIterable, JSONDecodable, CFlag {
  case paper, ribbon, card

  public static var cName: String { "wrapping" }
  public static var cPrefix: String { "shop" }
}

public struct Address: JSONDecodable {
  public let street: String
  public let zip: UInt32

  public static func decode(_ json: JSON) -> Decoded<Address> {
    build(Address.init, json <| "street", json <| "zip")
  }
}

public struct Item: JSONDecodable {
  public let name: String
  public let count: UInt8
  public let price: Double
  public let parts: [Item]

  public static func decode(_ json: JSON) -> Decoded<Item> {
    build(
      Item.init, json <| "name", json.decode("count", default: 1), json <| "price",
      json.decode("parts", default: []))
  }
}

public struct Order: JSONDecodable {
  public let number: Int
  public let state: State
  public let formerState: State?
  public let isGift: Bool
  public let discount: Float?
  public let wrapping: Set<Wrapping>
  public let billing: Address
  public let shipping: Address?
  public let items: [Item]
  public let tags: [String]
  public let weights: [Int16]
  public let note: String?

  public static func decode(_ json: JSON) -> Decoded<Order> {
    build(
      Order.init, json <| "number", json <| "state", json <|? "formerState",
      json.decode("isGift", default: false), json <|? "discount",
      json.decode("wrapping", default: []), json <| "billing", json <|? "shipping",
      json <| "items", json.decode("tags", default: []), json.decode("weights", default: []),
      json <|? "note")
  }
}
