// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant

// `visits` is not decoded.
struct Profile {
  let id: Int
  let name: String
  let email: String?
  let age: Int
  let admin: Bool
  let score: Double
  let tags: [String]
  let city: String?
  let zip: String
  let country: String
  let visits: Int
  let ratio: Double
  let nickname: String?
  let verified: Bool
  let friends: [Int]
  let labels: [String: String]
  let height: Double?
  let weight: Float
  let language: String
  let active: Bool
}

extension Profile: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Profile> {
    build(
      Profile.init,
      json <| "id",
      json <| "name",
      json <|? "email",
      json <| "age",
      json <| "admin",
      json <| "score",
      json <|| "tags",
      json <|? "city",
      json <| "zip",
      json <| "country",
      json <| "ratio",
      json <|? "nickname",
      json <| "verified",
      json <|| "friends",
      json <| "labels",
      json <|? "height",
      json <| "weight",
      json <| "language",
      json <| "active"
    )
  }
}
