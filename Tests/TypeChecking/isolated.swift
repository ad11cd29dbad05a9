// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models in a module that is the main actor's by default, as Xcode makes new ones. A conformance in a model's declaration
// frees the model from the actor; in an extension it says so.

import Decant
import DecantLines

struct User: JSONInitializable {
  let id: Int

  init(json: JSON) throws(DecodeError) { id = try json.get("id") }
}

struct Contact {
  let id: Int
  let email: String?
}

nonisolated extension Contact: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Contact> {
    curry(Contact.init) <^> json <| "id" <*> json <|? "email"
  }
}

enum Meal: String { case lunch }

extension Meal: JSONDecodable {}

extension Contact: JSONWritable {
  func write(to json: inout JSONOutput) { json.object { $0.field("id", id) } }
}

struct Meeting: Codable { let id: Int }

func decode(_ text: String) async throws -> Int {
  let user = try User(decoding: text)
  let contacts = try [Contact](decoding: text)
  let meals = try JSONValue(parsing: text).decode([Meal].self)
  let meeting = try DecantDecoder().decode(Meeting.self, from: text)
  let lines = JSONLines<Contact>(text).forEachConcurrently { _ in }
  return user.id + contacts.jsonText().count + meals.count + meeting.id + lines.lineCount
}
