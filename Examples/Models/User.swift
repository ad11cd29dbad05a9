// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A user, decoded with operators.

import Decant

/// `{"id": 5, "name": "Tester", "email": "tester@test.com"}`; the email may be absent or null.
public struct User: Equatable, Sendable {
  public let id: Int
  public let name: String
  public let email: String?
}

extension User: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }
}

/// Users as services send them: an array, or an object that has the array at `users`.
public struct UserList: Equatable, Sendable {
  public let users: [User]
}

extension UserList: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<UserList> {
    let users: Decoded<[User]> = json.kind == .array ? json.decoded() : json <|| "users"
    return users.map(UserList.init)
  }
}
