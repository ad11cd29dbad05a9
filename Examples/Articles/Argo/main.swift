// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The user with which Argo was compared with SwiftyJSON: a range, a default, and every error at once.

import Decant
import DecantVocabulary

struct User {
  let id: String
  let nickname: String?
  let age: Int
  let admin: Bool
}

extension User: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init)
      <^> json <| "id"
      <*> json <|? "nickname"
      <*> (json <| "age" >>- { $0 >= 0 ? pure($0) : .customError("age: Out of range (\($0))") })
      <*> (json <|? "admin").map { $0 ?? false }
  }
}

for json in [
  #"{"id":"a082b4fe","nickname":"Foo","age":30,"admin":false}"#,
  #"{"id":"a082b4fe","age":30,"admin":null}"#,
  #"{"id":"a082b4fe","age":-1}"#,
  #"{"id":1,"nickname":5,"admin":"no"}"#,
] {
  switch User.decode(from: json) {
  case .success(let user): print(user)
  case .failure(let error): print(error)
  }
}

// A root key, and SwiftyJSON's way of looking.
print(stringResult(User.decode(from: #"{"user":{"id":"b","age":1}}"#, rootKey: "user")))
let json = try JSONValue(parsing: #"{"users":[{"id":"c"}]}"#)
print(json["users"][0]["id"].string ?? "-", json["users"][1]["id"].error.map { "\($0)" } ?? "-")
