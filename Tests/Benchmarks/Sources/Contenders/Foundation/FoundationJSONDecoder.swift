// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender foundation.JSONDecoder: Codable as the compiler writes it, one decoder for all
// decodes.

import Corpora
import Foundation

struct FoundationJSONDecoder: Contender {
  let name = "foundation.JSONDecoder"

  func job(_ work: Work, _ document: Document) -> Job? {
    let data = document.data
    let decoder = JSONDecoder()
    return switch work {
    case .tiny: Job { try decoder.decode(User.self, from: data) }
    case .twitter: Job { try decoder.decode(Twitter.self, from: data) }
    case .citm: Job { try decoder.decode(Citm.self, from: data) }
    case .canada: Job { try decoder.decode(Canada.self, from: data) }
    case .users: Job { try decoder.decode([User].self, from: data) }
    }
  }
}

private struct User: UserFields, Decodable {
  var id: Int
  var name: String
  var email: String
}

// MARK: - Twitter

private struct Twitter: TwitterFields, Decodable {
  var statuses: [Status]
}

private struct Status: StatusFields, Decodable {
  var createdAt: String
  var id: Int
  var text: String
  var retweetCount: Int
  var favorited: Bool
  var inReplyToStatusID: Int?
  var user: TwitterUser

  enum CodingKeys: String, CodingKey {
    case createdAt = "created_at"
    case id
    case text
    case retweetCount = "retweet_count"
    case favorited
    case inReplyToStatusID = "in_reply_to_status_id"
    case user
  }
}

private struct TwitterUser: TwitterUserFields, Decodable {
  var id: Int
  var name: String
  var screenName: String
  var description: String?
  var followersCount: Int
  var verified: Bool

  enum CodingKeys: String, CodingKey {
    case id
    case name
    case screenName = "screen_name"
    case description
    case followersCount = "followers_count"
    case verified
  }
}

// MARK: - Citm

private struct Citm: CitmFields, Decodable {
  var performances: [Performance]
}

private struct Performance: PerformanceFields, Decodable {
  var eventID: Int
  var id: Int
  var logo: String?
  var name: String?
  var prices: [Price]
  var seatCategories: [SeatCategory]
  var seatMapImage: String?
  var start: Int
  var venueCode: String

  enum CodingKeys: String, CodingKey {
    case eventID = "eventId"
    case id
    case logo
    case name
    case prices
    case seatCategories
    case seatMapImage
    case start
    case venueCode
  }
}

private struct Price: PriceFields, Decodable {
  var amount: Int
  var audienceSubCategoryID: Int
  var seatCategoryID: Int

  enum CodingKeys: String, CodingKey {
    case amount
    case audienceSubCategoryID = "audienceSubCategoryId"
    case seatCategoryID = "seatCategoryId"
  }
}

private struct SeatCategory: SeatCategoryFields, Decodable {
  var areas: [Area]
  var seatCategoryID: Int

  enum CodingKeys: String, CodingKey {
    case areas
    case seatCategoryID = "seatCategoryId"
  }
}

private struct Area: AreaFields, Decodable {
  var areaID: Int
  var blockIDs: [Int]

  enum CodingKeys: String, CodingKey {
    case areaID = "areaId"
    case blockIDs = "blockIds"
  }
}

// MARK: - Canada

private struct Canada: CanadaFields, Decodable {
  var features: [Feature]
}

private struct Feature: FeatureFields, Decodable {
  var geometry: Geometry
}

private struct Geometry: GeometryFields, Decodable {
  var coordinates: [[[Double]]]
}
