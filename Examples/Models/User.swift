// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A user, decoded with operators, and its struct in C.

import Decant
import DecantC

/// A user.
///
/// `{"id": 5, "name": "Tester", "email": "tester@test.com"}`; the email may be absent or null.
@CStruct("user", lines: false)
public struct User: Equatable, Sendable {
  public let id: Int
  /// UTF-8, with a NUL byte after it
  public let name: String
  /// absent and null are the same
  public let email: String?
}

extension User: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }
}

/// Users, in the order of a document that is an array, or has one at "users".
@CStruct("users", lines: false)
public struct UserList: Equatable, Sendable {
  @CField("items", companion: "count") public let users: [User]
}

extension UserList: JSONDecodable {
  public static func decode(_ json: JSON) -> Decoded<UserList> {
    let users: Decoded<[User]> = json.kind == .array ? json.decoded() : json <|| "users"
    return users.map(UserList.init)
  }
}
