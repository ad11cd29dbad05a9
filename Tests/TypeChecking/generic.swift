// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Generic models, which `run` type-checks in Swift 6 mode with warnings as errors: initializers of generic types are
// functions that are not sendable.

import Decant

struct Page<Item: JSONDecodable> {
  let items: [Item]
  let next: String?
  let total: Int
}

extension Page: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Page> {
    curry(Page.init) <^> json <|| "items" <*> json <|? "next" <*> json <| "total"
  }
}

struct Built<Item: JSONDecodable>: JSONDecodable {
  let items: [Item]
  let next: Item?
  let pages: [String: Page<Item>]

  static func decode(_ json: JSON) -> Decoded<Built> {
    build(
      Built.init, json.decode("items"), json.decodeIfPresent("next"),
      json.decode("pages", default: [:]))
  }
}

struct Thrown<Item: JSONDecodable>: JSONInitializable {
  let items: [Item]
  let next: Item?

  init(json: JSON) throws(DecodeError) {
    items = try json.get("items")
    next = try json.getIfPresent("next")
  }
}

struct Coded<Item: Codable>: Codable {
  let items: [Item]
}

func decode<Item: JSONDecodable>(
  _ type: Item.Type, _ text: String
) async throws -> Int {
  let page = try Page<Item>(decoding: text)
  let built = try Built<Page<Item>>(decoding: text)
  let thrown = try JSONValue(parsing: text).decode(Thrown<Item>.self)
  let coded = try DecantDecoder().decode(Coded<Int>.self, from: text)
  return page.items.count + built.items.count + thrown.items.count + coded.items.count
}
