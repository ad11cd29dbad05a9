// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender foundation.JSONSerialization: hand-written Swift that takes an `Any` apart.
//
// It has no part in canada. A number of more than 17 digits becomes an NSDecimalNumber there, whose
// `Double` is off by one in the last place for more than half of the points.

import Corpora
import Foundation

struct FoundationJSONSerialization: Contender {
  let name = "foundation.JSONSerialization"
  let remark: String? = "no canada: numbers of more than 17 digits come out rounded wrongly"

  func job(_ work: Work, _ document: Document) -> Job? {
    let data = document.data
    return switch work {
    case .tiny: Job { try User(JSONSerialization.jsonObject(with: data)) }
    case .twitter: Job { try Twitter(JSONSerialization.jsonObject(with: data)) }
    case .citm: Job { try Citm(JSONSerialization.jsonObject(with: data)) }
    case .canada: nil
    case .users: Job { try array(JSONSerialization.jsonObject(with: data), User.init) }
    }
  }
}

// MARK: - Leaves

private func object(_ value: Any?) throws -> [String: Any] {
  guard let object = value as? [String: Any] else { throw ContenderFailure() }
  return object
}

private func array<Element>(_ value: Any?, _ element: (Any) throws -> Element) throws -> [Element] {
  guard let array = value as? [Any] else { throw ContenderFailure() }
  return try array.map(element)
}

private func leaf<Leaf>(_ value: Any?) throws -> Leaf {
  guard let leaf = value as? Leaf else { throw ContenderFailure() }
  return leaf
}

private func leafIfPresent<Leaf>(_ value: Any?) throws -> Leaf? {
  guard let value, !(value is NSNull) else { return nil }
  return try leaf(value) as Leaf
}

// MARK: - Users

private struct User: UserFields {
  var id: Int
  var name: String
  var email: String

  init(_ value: Any) throws {
    let object = try object(value)
    id = try leaf(object["id"])
    name = try leaf(object["name"])
    email = try leaf(object["email"])
  }
}

// MARK: - Twitter

private struct Twitter: TwitterFields {
  var statuses: [Status]

  init(_ value: Any) throws {
    statuses = try array(object(value)["statuses"], Status.init)
  }
}

private struct Status: StatusFields {
  var createdAt: String
  var id: Int
  var text: String
  var retweetCount: Int
  var favorited: Bool
  var inReplyToStatusID: Int?
  var user: TwitterUser

  init(_ value: Any) throws {
    let object = try object(value)
    createdAt = try leaf(object["created_at"])
    id = try leaf(object["id"])
    text = try leaf(object["text"])
    retweetCount = try leaf(object["retweet_count"])
    favorited = try leaf(object["favorited"])
    inReplyToStatusID = try leafIfPresent(object["in_reply_to_status_id"])
    user = try TwitterUser(object["user"])
  }
}

private struct TwitterUser: TwitterUserFields {
  var id: Int
  var name: String
  var screenName: String
  var description: String?
  var followersCount: Int
  var verified: Bool

  init(_ value: Any?) throws {
    let object = try object(value)
    id = try leaf(object["id"])
    name = try leaf(object["name"])
    screenName = try leaf(object["screen_name"])
    description = try leafIfPresent(object["description"])
    followersCount = try leaf(object["followers_count"])
    verified = try leaf(object["verified"])
  }
}

// MARK: - Citm

private struct Citm: CitmFields {
  var performances: [Performance]

  init(_ value: Any) throws {
    performances = try array(object(value)["performances"], Performance.init)
  }
}

private struct Performance: PerformanceFields {
  var eventID: Int
  var id: Int
  var logo: String?
  var name: String?
  var prices: [Price]
  var seatCategories: [SeatCategory]
  var seatMapImage: String?
  var start: Int
  var venueCode: String

  init(_ value: Any) throws {
    let object = try object(value)
    eventID = try leaf(object["eventId"])
    id = try leaf(object["id"])
    logo = try leafIfPresent(object["logo"])
    name = try leafIfPresent(object["name"])
    prices = try array(object["prices"], Price.init)
    seatCategories = try array(object["seatCategories"], SeatCategory.init)
    seatMapImage = try leafIfPresent(object["seatMapImage"])
    start = try leaf(object["start"])
    venueCode = try leaf(object["venueCode"])
  }
}

private struct Price: PriceFields {
  var amount: Int
  var audienceSubCategoryID: Int
  var seatCategoryID: Int

  init(_ value: Any) throws {
    let object = try object(value)
    amount = try leaf(object["amount"])
    audienceSubCategoryID = try leaf(object["audienceSubCategoryId"])
    seatCategoryID = try leaf(object["seatCategoryId"])
  }
}

private struct SeatCategory: SeatCategoryFields {
  var areas: [Area]
  var seatCategoryID: Int

  init(_ value: Any) throws {
    let object = try object(value)
    areas = try array(object["areas"], Area.init)
    seatCategoryID = try leaf(object["seatCategoryId"])
  }
}

private struct Area: AreaFields {
  var areaID: Int
  var blockIDs: [Int]

  init(_ value: Any) throws {
    let object = try object(value)
    areaID = try leaf(object["areaId"])
    blockIDs = try array(object["blockIds"], leaf)
  }
}
