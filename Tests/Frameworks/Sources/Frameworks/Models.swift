// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant

/// A model that looks into its coder's `userInfo`.
struct Order: Codable, Equatable {
  let id: Int
  var tenant: String?

  enum CodingKeys: CodingKey { case id, tenant }

  init(id: Int, tenant: String? = nil) {
    self.id = id
    self.tenant = tenant
  }

  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
    tenant = decoder.userInfo[.tenant] as? String
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(encoder.userInfo[.tenant] as? String, forKey: .tenant)
  }
}

extension CodingUserInfoKey {
  static let tenant = CodingUserInfoKey(rawValue: "tenant")!
  static let other = CodingUserInfoKey(rawValue: "other")!
}

/// A model that reports all of its errors.
struct SignUp: JSONDecodable {
  let name: String
  let age: Int
  let tags: [String]

  static func decode(_ json: JSON) -> Decoded<SignUp> {
    build(SignUp.init, json.decode("name"), json.decode("age"), json.decode("tags", default: []))
  }
}

let json = #"{"id": 7}"#
