// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCodable

struct User: Decodable {
  let id: Int
  let name: String
}

let user = try DecantDecoder().decode(User.self, from: #"{"id": 5, "name": "Tester"}"#)
print(user.id, user.name)
