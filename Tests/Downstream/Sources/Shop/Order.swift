// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An order, with a member of every kind that C can have, and its header: each is declared once.

import Decant
import DecantC
import DecantHeader

@JSONModel public enum State: String, CEnum {
  case open, paid
  case sentBack = "sent-back"

  public static var cName: String { "state" }
  public static var cPrefix: String { "shop" }
}

@JSONModel public enum Wrapping: String, CFlag {
  case paper, ribbon, card

  public static var cName: String { "wrapping" }
  public static var cPrefix: String { "shop" }
}

/// Where something goes.
@CStruct("address", prefix: "shop", isPart: true) @JSONModel
public struct Address {
  public let street: String
  public let zip: UInt32
}

/// Something in an order.
@CStruct("item", prefix: "shop", isPart: true) @JSONModel
public struct Item {
  public let name: String
  public var count: UInt8 = 1
  /// of one
  public let price: Double
  /// what it is made of
  public var parts: [Item] = []
}

/// An order.
@CStruct("order", prefix: "shop", array: "orders", encodes: false) @JSONModel
public struct Order {
  public let number: Int
  public let state: State
  public let formerState: State?
  public var isGift = false
  /// 0 to 1
  public let discount: Float?
  public var wrapping: Set<Wrapping> = []
  public let billing: Address
  /// where it is not the same
  public let shipping: Address?
  public let items: [Item]
  public var tags: [String] = []
  /// in grams
  public var weights: [Int16] = []
  public let note: String?
}

@c(decant_headers)
public func decant_headers(_ sink: CHeader.Sink, _ context: UnsafeMutableRawPointer?) -> Bool {
  CHeader.write([CHeader("shop.h", "Orders of a shop.", [Order.self])], to: sink, context)
}
