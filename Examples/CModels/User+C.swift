// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// user.h: how users fill their structs in C. The compiler holds the functions against the header.

import CDecant
import CExampleModels
import DecantC
import ExampleModels

extension User: CModel {
  public static var storage: WritableKeyPath<decant_user, UnsafeMutableRawPointer?> { \.storage }

  public func fill(_ user: inout decant_user, _ block: inout CBlock) {
    user.id = Int64(id)
    user.name = block.add(name)
    user.name_length = name.utf8.count
    user.email = email.flatMap { block.add($0) }
    user.email_length = email?.utf8.count ?? 0
  }
}

@c @implementation
public func decode_user(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_user>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  User.decode(json, length, into: out, error: error)
}

@c @implementation
public func user_free(_ user: UnsafeMutablePointer<decant_user>!) { User.free(user) }

extension UserList: CModel {
  public static var storage: WritableKeyPath<decant_users, UnsafeMutableRawPointer?> { \.storage }

  public func fill(_ list: inout decant_users, _ block: inout CBlock) {
    list.items = block.add(users)
    list.count = users.count
  }
}

@c @implementation
public func decode_users(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: UnsafeMutablePointer<decant_users>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  UserList.decode(json, length, into: out, error: error)
}

@c @implementation
public func users_free(_ users: UnsafeMutablePointer<decant_users>!) { UserList.free(users) }
