// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant

struct User: JSONDecodable {
  let id: Int
  let name: String

  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name"
  }
}

@main
struct Linkage {
  static func main() throws {
    let user = try User(decoding: #"{"id":5,"name":"Tester"}"#)
    let value = try JSONValue(parsing: #"{"ratio":0.5}"#)
    print(user.id, user.name, value["ratio"].double ?? 0)
  }
}
