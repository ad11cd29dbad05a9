// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender decant.model: models by declaration, which are read and written.

import Corpora
import Decant

struct DecantModel: Contender {
  let name = "decant.model"

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

extension DecantModel {
  @JSONModel
  struct User: UserFields {
    var id: Int
    var name: String
    var email: String
  }

  @JSONModel
  struct Twitter: TwitterFields {
    var statuses: [Status]
  }

  @JSONModel(keys: .snakeCase)
  struct Status: StatusFields {
    var createdAt: String
    var id: Int
    var text: String
    var retweetCount: Int
    var favorited: Bool
    var inReplyToStatusID: Int?
    var user: TwitterUser
  }

  @JSONModel(keys: .snakeCase)
  struct TwitterUser: TwitterUserFields {
    var id: Int
    var name: String
    var screenName: String
    var description: String?
    var followersCount: Int
    var verified: Bool
  }

  @JSONModel
  struct Citm: CitmFields {
    var performances: [Performance]
  }

  @JSONModel
  struct Performance: PerformanceFields {
    @JSONField("eventId") var eventID: Int
    var id: Int
    var logo: String?
    var name: String?
    var prices: [Price]
    var seatCategories: [SeatCategory]
    var seatMapImage: String?
    var start: Int
    var venueCode: String
  }

  @JSONModel
  struct Price: PriceFields {
    var amount: Int
    @JSONField("audienceSubCategoryId") var audienceSubCategoryID: Int
    @JSONField("seatCategoryId") var seatCategoryID: Int
  }

  @JSONModel
  struct SeatCategory: SeatCategoryFields {
    var areas: [Area]
    @JSONField("seatCategoryId") var seatCategoryID: Int
  }

  @JSONModel
  struct Area: AreaFields {
    @JSONField("areaId") var areaID: Int
    @JSONField("blockIds") var blockIDs: [Int]
  }

  @JSONModel
  struct Canada: CanadaFields {
    var features: [Feature]
  }

  @JSONModel
  struct Feature: FeatureFields {
    var geometry: Geometry
  }

  @JSONModel
  struct Geometry: GeometryFields {
    var coordinates: [[[Double]]]
  }
}
