// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Foundation

struct User: Decodable {
  let id: Int
  let name: String
  let email: String?
}

let user = try JSONDecoder().decode(User.self, from: Data(#"{"id": 5, "name": "Tester"}"#.utf8))
print(user.id, user.name)
