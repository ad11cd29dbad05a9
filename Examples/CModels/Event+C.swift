// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Events in C. What Swift keeps in an enum's payloads are members, of which the kind tells which are set.

import CDecant
import Decant
import DecantC
import ExampleModels

private enum EventKind: String, CaseIterable, CEnum {
  case other, signup, view, purchase

  static var cName: String { "event" }

  init(_ payload: Event.Payload) {
    self =
      switch payload {
      case .signup: .signup
      case .view: .view
      case .purchase: .purchase
      case .other: .other
      }
  }
}

extension Event.Payload {
  fileprivate var user: User? { if case .signup(let user) = self { user } else { nil } }

  fileprivate var userID: Int {
    switch self {
    case .view(let userID, _), .purchase(let userID, _, _): userID
    case .signup, .other: 0
    }
  }

  fileprivate var path: String? { if case .view(_, let path) = self { path } else { nil } }

  fileprivate var total: Double { if case .purchase(_, let total, _) = self { total } else { 0 } }

  fileprivate var items: [Event.Item] {
    if case .purchase(_, _, let items) = self { items } else { [] }
  }

  fileprivate var kindName: String? { if case .other(let kind, _) = self { kind } else { nil } }

  fileprivate var rest: String? { if case .other(_, let rest) = self { rest.text() } else { nil } }
}

extension Event.Item: CModel {
  public static func layout(_ c: inout CLayout<Event.Item>) {
    c.structure("event_item", "Something that was bought.", isPart: true)
    c.field("name", \.name)
    c.field("quantity", \.quantity)
  }
}

extension Event: CModel {
  public static func layout(_ c: inout CLayout<Event>) {
    c.structure(
      "event", "An event. Which members are set depends on its kind; the others are zero.",
      lines: true)
    c.field("time", \.time)
    c.field("kind", { EventKind($0.payload) })
    c.field("user", \.payload.user, "of a signup; the event owns its memory")
    c.field("user_id", \.payload.userID, "of a view and a purchase")
    c.field("path", \.payload.path, "of a view")
    c.field("total", \.payload.total, "of a purchase")
    c.field("items", \.payload.items, "of a purchase")
    c.field("kind_name", \.payload.kindName, "of another kind")
    c.field("rest", \.payload.rest, "an event of another kind, as it came")
  }
}

@c(decode_event)
public func decode_event(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Event.decode(json, length, into: out, error: error)
}

@c(event_free)
public func event_free(_ event: UnsafeMutableRawPointer?) { Event.free(event) }

@c(decode_event_lines)
public func decode_event_lines(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ function: decant_line_function?,
  _ context: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  Event.decodeLines(json, length, to: function, context, error: error)
}
