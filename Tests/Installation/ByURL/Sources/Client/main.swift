// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant

struct User: JSONInitializable {
  let id: Int
  let name: String

  init(json: JSON) throws(DecodeError) {
    id = try json.get("id")
    name = try json.get("name")
  }
}

let user = try User(decoding: #"{"id": 5, "name": "Tester"}"#)
print(user.id, user.name)
