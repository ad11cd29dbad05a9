// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Codable models as the compiler writes them, the same types for every decoder and encoder of Codable.

import Corpora

enum CodableModels {
  struct User: UserFields, Codable {
    var id: Int
    var name: String
    var email: String
  }

  // MARK: Twitter

  struct Twitter: TwitterFields, Codable {
    var statuses: [Status]
  }

  struct Status: StatusFields, Codable {
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

  struct TwitterUser: TwitterUserFields, Codable {
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

  // MARK: Citm

  struct Citm: CitmFields, Codable {
    var performances: [Performance]
  }

  struct Performance: PerformanceFields, Codable {
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

  struct Price: PriceFields, Codable {
    var amount: Int
    var audienceSubCategoryID: Int
    var seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
      case amount
      case audienceSubCategoryID = "audienceSubCategoryId"
      case seatCategoryID = "seatCategoryId"
    }
  }

  struct SeatCategory: SeatCategoryFields, Codable {
    var areas: [Area]
    var seatCategoryID: Int

    enum CodingKeys: String, CodingKey {
      case areas
      case seatCategoryID = "seatCategoryId"
    }
  }

  struct Area: AreaFields, Codable {
    var areaID: Int
    var blockIDs: [Int]

    enum CodingKeys: String, CodingKey {
      case areaID = "areaId"
      case blockIDs = "blockIds"
    }
  }

  // MARK: Canada

  struct Canada: CanadaFields, Codable {
    var features: [Feature]
  }

  struct Feature: FeatureFields, Codable {
    var geometry: Geometry
  }

  struct Geometry: GeometryFields, Codable {
    var coordinates: [[[Double]]]
  }
}
