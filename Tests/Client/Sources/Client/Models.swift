// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantVocabulary

/// One model in three spellings.
struct User: Equatable {
  let id: Int
  let name: String
  let email: String?
}

extension User: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }
}

struct BuiltUser: JSONDecodable, Equatable {
  let id: Int
  let name: String
  let email: String?

  static func decode(_ json: JSON) -> Decoded<BuiltUser> {
    build(BuiltUser.init, json <| "id", json <| "name", json <|? "email")
  }
}

struct ThrowingUser: JSONInitializable, Equatable {
  let id: Int
  let name: String
  let email: String?

  init(json: JSON) throws(DecodeError) {
    id = try json.from("id")
    name = try json.from("name")
    email = json.optionalFrom("email")
  }
}

enum Meal: String, JSONDecodable, CaseIterable { case breakfast, lunch, dinner }

/// Every kind of field in one chain.
struct Profile: JSONDecodable {
  let id: UInt64
  let ratio: Double
  let initial: Character
  let tags: [String]
  let notes: [String]?
  let meals: Set<Meal>
  let scores: [String: Int]
  let city: String
  let zip: String
  let isAdmin: Bool
  let extra: JSONValue
  let owner: User?

  static func decode(_ json: JSON) -> Decoded<Profile> {
    curry(Profile.init)
      <^> json <| "id"
      <*> json <| "ratio"
      <*> json <| "initial"
      <*> json <|| "tags"
      <*> json <||? "notes"
      <*> json <| "meals"
      <*> json <| "scores"
      <*> json <| ["address", "city"]
      <*> json.decode(pointer: "/address/zip")
      <*> json.decode("admin", default: false)
      <*> json <| "extra"
      <*> json <|? "owner"
  }
}

/// A model that looks into its view by hand, in each way that a view can be held.
struct Summary: JSONDecodable {
  let lines: [String]

  static func decode(_ json: JSON) -> Decoded<Summary> {
    var lines: [String] = []
    let user = json["user"]
    if let name = user["name"].string { lines.append(name) }
    lines.append("\(json["ids"][0].int ?? -1)")
    var elements = json["ids"].elements
    while let element = elements.next() { lines.append("element \(element.int ?? 0)") }
    json["ids"].forEach { lines.append("each \($0.int ?? 0)") }
    user.forEachMember { key, value in lines.append("\(key) \(value.kind)") }
    func describe(_ value: JSON) -> String { value.exists ? "\(value.kind)" : "nothing" }
    lines.append(describe(json["nobody"]))
    switch json["flag"].bool {
    case true?: lines.append("on")
    case false?: lines.append("off")
    case nil: lines.append("no flag")
    }
    return pure(Summary(lines: lines))
  }
}

/// Range checks and alternatives.
struct Age: JSONDecodable {
  let years: Int

  static func decode(_ json: JSON) -> Decoded<Age> {
    let years: Decoded<Int> = json <| "age" <|> json <| "years"
    return years >>- { $0 >= 0 ? pure(Age(years: $0)) : .customError("age: Out of range (\($0))") }
  }
}
