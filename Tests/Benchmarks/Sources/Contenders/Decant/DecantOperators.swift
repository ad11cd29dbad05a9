// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.operators: applicative chains.

import Corpora
import Decant

struct DecantOperators: Contender {
  let name = "decant.operators"

  func job(_ work: Work, _ document: Document) -> Job? {
    let bytes = document.bytes
    return switch work {
    case .tiny: Job { try User(decoding: bytes) }
    case .twitter: Job { try Twitter(decoding: bytes) }
    case .citm: Job { try Citm(decoding: bytes) }
    case .canada: Job { try Canada(decoding: bytes) }
    case .users: Job { try [User](decoding: bytes) }
    }
  }
}

// MARK: - Users

extension DecantOperators {
  struct User: UserFields, JSONDecodable {
    var id: Int
    var name: String
    var email: String

    static func decode(_ json: JSON) -> Decoded<Self> {
      curry(Self.init) <^> json <| "id" <*> json <| "name" <*> json <| "email"
    }
  }
}

// MARK: - Twitter

private struct Twitter: TwitterFields, JSONDecodable {
  var statuses: [Status]

  static func decode(_ json: JSON) -> Decoded<Self> {
    Self.init <^> json <| "statuses"
  }
}

private struct Status: StatusFields, JSONDecodable {
  var createdAt: String
  var id: Int
  var text: String
  var retweetCount: Int
  var favorited: Bool
  var inReplyToStatusID: Int?
  var user: TwitterUser

  static func decode(_ json: JSON) -> Decoded<Self> {
    curry(Self.init)
      <^> json <| "created_at"
      <*> json <| "id"
      <*> json <| "text"
      <*> json <| "retweet_count"
      <*> json <| "favorited"
      <*> json <|? "in_reply_to_status_id"
      <*> json <| "user"
  }
}

private struct TwitterUser: TwitterUserFields, JSONDecodable {
  var id: Int
  var name: String
  var screenName: String
  var description: String?
  var followersCount: Int
  var verified: Bool

  static func decode(_ json: JSON) -> Decoded<Self> {
    curry(Self.init)
      <^> json <| "id"
      <*> json <| "name"
      <*> json <| "screen_name"
      <*> json <|? "description"
      <*> json <| "followers_count"
      <*> json <| "verified"
  }
}

// MARK: - Citm

private struct Citm: CitmFields, JSONDecodable {
  var performances: [Performance]

  static func decode(_ json: JSON) -> Decoded<Self> {
    Self.init <^> json <| "performances"
  }
}

private struct Performance: PerformanceFields, JSONDecodable {
  var eventID: Int
  var id: Int
  var logo: String?
  var name: String?
  var prices: [Price]
  var seatCategories: [SeatCategory]
  var seatMapImage: String?
  var start: Int
  var venueCode: String

  static func decode(_ json: JSON) -> Decoded<Self> {
    curry(Self.init)
      <^> json <| "eventId"
      <*> json <| "id"
      <*> json <|? "logo"
      <*> json <|? "name"
      <*> json <| "prices"
      <*> json <| "seatCategories"
      <*> json <|? "seatMapImage"
      <*> json <| "start"
      <*> json <| "venueCode"
  }
}

private struct Price: PriceFields, JSONDecodable {
  var amount: Int
  var audienceSubCategoryID: Int
  var seatCategoryID: Int

  static func decode(_ json: JSON) -> Decoded<Self> {
    curry(Self.init)
      <^> json <| "amount"
      <*> json <| "audienceSubCategoryId"
      <*> json <| "seatCategoryId"
  }
}

private struct SeatCategory: SeatCategoryFields, JSONDecodable {
  var areas: [Area]
  var seatCategoryID: Int

  static func decode(_ json: JSON) -> Decoded<Self> {
    curry(Self.init) <^> json <| "areas" <*> json <| "seatCategoryId"
  }
}

private struct Area: AreaFields, JSONDecodable {
  var areaID: Int
  var blockIDs: [Int]

  static func decode(_ json: JSON) -> Decoded<Self> {
    curry(Self.init) <^> json <| "areaId" <*> json <| "blockIds"
  }
}

// MARK: - Canada

private struct Canada: CanadaFields, JSONDecodable {
  var features: [Feature]

  static func decode(_ json: JSON) -> Decoded<Self> {
    Self.init <^> json <| "features"
  }
}

private struct Feature: FeatureFields, JSONDecodable {
  var geometry: Geometry

  static func decode(_ json: JSON) -> Decoded<Self> {
    Self.init <^> json <| "geometry"
  }
}

private struct Geometry: GeometryFields, JSONDecodable {
  var coordinates: [[[Double]]]

  static func decode(_ json: JSON) -> Decoded<Self> {
    Self.init <^> json <| "coordinates"
  }
}
