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

let bytes = #"{"id": 5, "name": "Tester"}"#
let user = try User(decoding: bytes)
print(user.id, user.name)

switch User.decode(from: bytes, options: DecodingOptions(engine: .jansson)) {
case .success(let user): print("libjansson:", user.id, user.name)
case .failure(let error): print(error)
}
