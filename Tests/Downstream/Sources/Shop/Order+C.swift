// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// shop.h: the structs, and the functions that it declares.

import CDecant
import DecantC
import DecantHeader

extension Address: CModel {
  public static func layout(_ c: inout CLayout<Address>) {
    c.structure("address", "Where something goes.", prefix: "shop", isPart: true)
    c.field("street", \.street)
    c.field("zip", \.zip)
  }
}

extension Item: CModel {
  public static func layout(_ c: inout CLayout<Item>) {
    c.structure("item", "Something in an order.", prefix: "shop", isPart: true)
    c.field("name", \.name)
    c.field("count", \.count)
    c.field("price", \.price, "of one")
    c.field("parts", \.parts, "what it is made of")
  }
}

extension Order: CModel {
  public static func layout(_ c: inout CLayout<Order>) {
    c.structure("order", "An order.", prefix: "shop", array: "orders", lines: true)
    c.field("number", \.number)
    c.field("state", \.state)
    c.field("former_state", \.formerState)
    c.field("is_gift", \.isGift)
    c.field("discount", \.discount, "0 to 1")
    c.field("wrapping", \.wrapping)
    c.field("billing", \.billing)
    c.field("shipping", \.shipping, "where it is not the same")
    c.field("items", \.items)
    c.field("tags", \.tags)
    c.field("weights", \.weights, "in grams")
    c.field("note", \.note)
  }
}

@c(decode_order)
public func decode_order(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Order.decode(json, length, into: out, error: error)
}

@c(order_free)
public func order_free(_ order: UnsafeMutableRawPointer?) { Order.free(order) }

@c(decode_orders)
public func decode_orders(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Order.decodeArray(json, length, into: out, error: error)
}

@c(orders_free)
public func orders_free(_ orders: UnsafeMutableRawPointer?) { Order.freeArray(orders) }

@c(decode_order_lines)
public func decode_order_lines(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ function: decant_line_function?,
  _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Order.decodeLines(json, length, to: function, context, error: error)
}

@c(decant_headers)
public func decant_headers(_ sink: CHeader.Sink, _ context: UnsafeMutableRawPointer?) -> Bool {
  CHeader.write([CHeader("shop.h", "Orders of a shop.", [Order.self])], to: sink, context)
}
