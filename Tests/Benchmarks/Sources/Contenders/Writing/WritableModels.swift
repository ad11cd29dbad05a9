// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models that write themselves by hand, member by member as the compiler's `encode(to:)` does.

import Corpora
import Decant

enum WritableModels {
  struct User: UserFields, Decodable, JSONWritable {
    var id: Int
    var name: String
    var email: String

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("name", name)
        $0.field("email", email)
      }
    }
  }

  // MARK: Twitter

  struct Twitter: Decodable, JSONWritable {
    var statuses: [Status]

    func write(to json: inout JSONOutput) { json.object { $0.field("statuses", statuses) } }
  }

  struct Status: Decodable, JSONWritable {
    var created_at: String
    var id: Int
    var text: String
    var retweet_count: Int
    var favorited: Bool
    var in_reply_to_status_id: Int?
    var user: TwitterUser

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("created_at", created_at)
        $0.field("id", id)
        $0.field("text", text)
        $0.field("retweet_count", retweet_count)
        $0.field("favorited", favorited)
        $0.fieldIfPresent("in_reply_to_status_id", in_reply_to_status_id)
        $0.field("user", user)
      }
    }
  }

  struct TwitterUser: Decodable, JSONWritable {
    var id: Int
    var name: String
    var screen_name: String
    var description: String?
    var followers_count: Int
    var verified: Bool

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("name", name)
        $0.field("screen_name", screen_name)
        $0.fieldIfPresent("description", description)
        $0.field("followers_count", followers_count)
        $0.field("verified", verified)
      }
    }
  }

  // MARK: Citm

  struct Citm: Decodable, JSONWritable {
    var performances: [Performance]

    func write(to json: inout JSONOutput) { json.object { $0.field("performances", performances) } }
  }

  struct Performance: Decodable, JSONWritable {
    var eventId: Int
    var id: Int
    var logo: String?
    var name: String?
    var prices: [Price]
    var seatCategories: [SeatCategory]
    var seatMapImage: String?
    var start: Int
    var venueCode: String

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("eventId", eventId)
        $0.field("id", id)
        $0.fieldIfPresent("logo", logo)
        $0.fieldIfPresent("name", name)
        $0.field("prices", prices)
        $0.field("seatCategories", seatCategories)
        $0.fieldIfPresent("seatMapImage", seatMapImage)
        $0.field("start", start)
        $0.field("venueCode", venueCode)
      }
    }
  }

  struct Price: Decodable, JSONWritable {
    var amount: Int
    var audienceSubCategoryId: Int
    var seatCategoryId: Int

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("amount", amount)
        $0.field("audienceSubCategoryId", audienceSubCategoryId)
        $0.field("seatCategoryId", seatCategoryId)
      }
    }
  }

  struct SeatCategory: Decodable, JSONWritable {
    var areas: [Area]
    var seatCategoryId: Int

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("areas", areas)
        $0.field("seatCategoryId", seatCategoryId)
      }
    }
  }

  struct Area: Decodable, JSONWritable {
    var areaId: Int
    var blockIds: [Int]

    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("areaId", areaId)
        $0.field("blockIds", blockIds)
      }
    }
  }

  // MARK: Canada

  struct Canada: Decodable, JSONWritable {
    var features: [Feature]

    func write(to json: inout JSONOutput) { json.object { $0.field("features", features) } }
  }

  struct Feature: Decodable, JSONWritable {
    var geometry: Geometry

    func write(to json: inout JSONOutput) { json.object { $0.field("geometry", geometry) } }
  }

  struct Geometry: Decodable, JSONWritable {
    var coordinates: [[[Double]]]

    func write(to json: inout JSONOutput) { json.object { $0.field("coordinates", coordinates) } }
  }
}
