// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.try: throwing initialisers, written by hand. Those of large models are in extensions and
// hand all to the memberwise one: an initialiser that sets one property after the other copies the model in
// the end, when it has more than some words.

import Corpora
import Decant

struct DecantTry: Contender {
  let name = "decant.try"

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

extension DecantTry {
  struct User: UserFields, JSONInitializable {
    var id: Int
    var name: String
    var email: String

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      name = try json.get("name")
      email = try json.get("email")
    }
  }
}

// MARK: - Twitter

extension DecantTry {
  struct Twitter: TwitterFields, JSONInitializable {
    var statuses: [Status]

    init(json: JSON) throws(DecodeError) {
      statuses = try json.get("statuses")
    }
  }

  struct Status: StatusFields {
    var createdAt: String
    var id: Int
    var text: String
    var retweetCount: Int
    var favorited: Bool
    var inReplyToStatusID: Int?
    var user: TwitterUser
  }

  struct TwitterUser: TwitterUserFields {
    var id: Int
    var name: String
    var screenName: String
    var description: String?
    var followersCount: Int
    var verified: Bool
  }
}

extension DecantTry.Status: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    self.init(
      createdAt: try json.get("created_at"),
      id: try json.get("id"),
      text: try json.get("text"),
      retweetCount: try json.get("retweet_count"),
      favorited: try json.get("favorited"),
      inReplyToStatusID: try json.getIfPresent("in_reply_to_status_id"),
      user: try json.get("user"))
  }
}

extension DecantTry.TwitterUser: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    self.init(
      id: try json.get("id"),
      name: try json.get("name"),
      screenName: try json.get("screen_name"),
      description: try json.getIfPresent("description"),
      followersCount: try json.get("followers_count"),
      verified: try json.get("verified"))
  }
}

// MARK: - Citm

extension DecantTry {
  struct Citm: CitmFields, JSONInitializable {
    var performances: [Performance]

    init(json: JSON) throws(DecodeError) {
      performances = try json.get("performances")
    }
  }

  struct Performance: PerformanceFields {
    var eventID: Int
    var id: Int
    var logo: String?
    var name: String?
    var prices: [Price]
    var seatCategories: [SeatCategory]
    var seatMapImage: String?
    var start: Int
    var venueCode: String
  }

  struct Price: PriceFields, JSONInitializable {
    var amount: Int
    var audienceSubCategoryID: Int
    var seatCategoryID: Int

    init(json: JSON) throws(DecodeError) {
      amount = try json.get("amount")
      audienceSubCategoryID = try json.get("audienceSubCategoryId")
      seatCategoryID = try json.get("seatCategoryId")
    }
  }

  struct SeatCategory: SeatCategoryFields, JSONInitializable {
    var areas: [Area]
    var seatCategoryID: Int

    init(json: JSON) throws(DecodeError) {
      areas = try json.get("areas")
      seatCategoryID = try json.get("seatCategoryId")
    }
  }

  struct Area: AreaFields, JSONInitializable {
    var areaID: Int
    var blockIDs: [Int]

    init(json: JSON) throws(DecodeError) {
      areaID = try json.get("areaId")
      blockIDs = try json.get("blockIds")
    }
  }
}

extension DecantTry.Performance: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    self.init(
      eventID: try json.get("eventId"),
      id: try json.get("id"),
      logo: try json.getIfPresent("logo"),
      name: try json.getIfPresent("name"),
      prices: try json.get("prices"),
      seatCategories: try json.get("seatCategories"),
      seatMapImage: try json.getIfPresent("seatMapImage"),
      start: try json.get("start"),
      venueCode: try json.get("venueCode"))
  }
}

// MARK: - Canada

extension DecantTry {
  struct Canada: CanadaFields, JSONInitializable {
    var features: [Feature]

    init(json: JSON) throws(DecodeError) {
      features = try json.get("features")
    }
  }

  struct Feature: FeatureFields, JSONInitializable {
    var geometry: Geometry

    init(json: JSON) throws(DecodeError) {
      geometry = try json.get("geometry")
    }
  }

  struct Geometry: GeometryFields, JSONInitializable {
    var coordinates: [[[Double]]]

    init(json: JSON) throws(DecodeError) {
      coordinates = try json.get("coordinates")
    }
  }
}
