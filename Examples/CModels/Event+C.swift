// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// event.h: how an event fills its struct in C.

import CDecant
import CExampleModels
import Decant
import DecantC
import ExampleModels

extension Event.Item: CModel {
  public static var storage: WritableKeyPath<decant_event_item, UnsafeMutableRawPointer?> {
    \.storage
  }

  public func fill(_ item: inout decant_event_item, _ block: inout CBlock) {
    item.name = block.add(name)
    item.name_length = name.utf8.count
    item.quantity = Int64(quantity)
  }
}

extension Event: CModel {
  public static var storage: WritableKeyPath<decant_event, UnsafeMutableRawPointer?> { \.storage }

  public func fill(_ event: inout decant_event, _ block: inout CBlock) {
    event = decant_event()
    event.time = block.add(time)
    event.time_length = time.utf8.count
    switch payload {
    case .signup(let user):
      event.kind = Int32(DECANT_EVENT_SIGNUP)
      user.fill(&event.user, &block)
    case .view(let userID, let path):
      event.kind = Int32(DECANT_EVENT_VIEW)
      event.user_id = Int64(userID)
      event.path = block.add(path)
      event.path_length = path.utf8.count
    case .purchase(let userID, let total, let items):
      event.kind = Int32(DECANT_EVENT_PURCHASE)
      event.user_id = Int64(userID)
      event.total = total
      event.items = block.add(items)
      event.items_length = items.count
    case .other(let kind, let value):
      let rest = value.text()
      event.kind = Int32(DECANT_EVENT_OTHER)
      event.kind_name = block.add(kind)
      event.kind_name_length = kind.utf8.count
      event.rest = block.add(rest)
      event.rest_length = rest.utf8.count
    }
  }
}

@c @implementation
public func decode_event(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_event>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  Event.decode(json, length, into: out, error: error)
}

@c @implementation
public func event_free(_ event: UnsafeMutablePointer<decant_event>!) { Event.free(event) }
