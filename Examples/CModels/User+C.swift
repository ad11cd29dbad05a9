// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Users in C: struct decant_user, and decode_user().

import CDecant
import DecantC
import ExampleModels

extension User: CModel {
  public static func layout(_ c: inout CLayout<User>) {
    c.structure("user", "A user.", encodes: true)
    c.field("id", \.id)
    c.field("name", \.name, "UTF-8, with a NUL byte after it")
    c.field("email", \.email, "absent and null are the same")
  }
}

@c(decode_user)
public func decode_user(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  User.decode(json, length, into: out, error: error)
}

@c(user_free)
public func user_free(_ user: UnsafeMutableRawPointer?) { User.free(user) }

private let users = CTable(User.self)

@c(encode_user)
public func encode_user(
  _ user: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ length: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  users.encode(user, buffer, capacity, length, error: error)
}

extension UserList: CModel {
  public static func layout(_ c: inout CLayout<UserList>) {
    c.structure(
      "users", "Users, in the order of a document that is an array, or has one at \"users\".",
      encodes: true)
    c.field("items", \.users, companion: "count", key: "users")
  }
}

@c(decode_users)
public func decode_users(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  UserList.decode(json, length, into: out, error: error)
}

@c(users_free)
public func users_free(_ users: UnsafeMutableRawPointer?) { UserList.free(users) }

private let lists = CTable(UserList.self)

@c(encode_users)
public func encode_users(
  _ users: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ length: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<decant_error>?
) -> decant_status {
  lists.encode(users, buffer, capacity, length, error: error)
}
