// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The models of the benchmarks' five works, in both directions by hand, with random values.

import Decant
import DecantTestSupport

/// A model of which there are random values.
protocol Randomized {
  static func random(_ random: inout SeededRandom) -> Self
}

/// A model that reads and writes itself.
typealias Work = JSONInitializable & JSONWritable & Equatable & Randomized

extension Int: Randomized {
  static func random(_ random: inout SeededRandom) -> Int {
    Int(truncatingIfNeeded: random.next() >> (random.next() & 63))
  }
}

extension Double: Randomized {
  static func random(_ random: inout SeededRandom) -> Double {
    let value =
      random.next() % 2 == 0
      ? Double(bitPattern: random.next()) : Double(Int.random(&random)) / 1024
    // libjansson reads -0 as 0.
    return value.isFinite && value != 0 ? value : 0.5
  }
}

extension Bool: Randomized {
  static func random(_ random: inout SeededRandom) -> Bool { random.next() % 2 == 0 }
}

extension String: Randomized {
  /// Short and long, with characters of every width, and of those that need an escape.
  static func random(_ random: inout SeededRandom) -> String {
    let count = Int(random.next() % (random.next() % 4 == 0 ? 300 : 20))
    let rare = random.next() % 40 + 1
    return String(
      String.UnicodeScalarView(
        (0..<count).map { _ in
          if random.next() % rare != 0 { return Unicode.Scalar(UInt8(97 + random.next() % 26)) }
          return Unicode.Scalar(UInt32(random.next() % 0x11_0000)) ?? "\""
        }))
  }
}

extension Optional: Randomized where Wrapped: Randomized {
  static func random(_ random: inout SeededRandom) -> Wrapped? {
    random.next() % 3 == 0 ? nil : .random(&random)
  }
}

extension Array: Randomized where Element: Randomized {
  static func random(_ random: inout SeededRandom) -> [Element] {
    (0..<Int(random.next() % 5)).map { _ in .random(&random) }
  }
}

extension Dictionary: Randomized where Key: Randomized, Value: Randomized {
  static func random(_ random: inout SeededRandom) -> [Key: Value] {
    let members = (0..<Int(random.next() % 5)).map { _ in
      (Key.random(&random), Value.random(&random))
    }
    return Dictionary(members) { first, _ in first }
  }
}

// MARK: - The works

struct TinyUser: Work {
  let id: Int, name: String, email: String

  init(json: JSON) throws(DecodeError) {
    id = try json.get("id")
    name = try json.get("name")
    email = try json.get("email")
  }
  init(_ random: inout SeededRandom) {
    (id, name, email) = (.random(&random), .random(&random), .random(&random))
  }
  static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("id", id)
      $0.field("name", name)
      $0.field("email", email)
    }
  }
}

struct Twitter: Work {
  struct Status: Work {
    let createdAt: String, id: Int, text: String, retweetCount: Int, favorited: Bool
    let inReplyToStatusID: Int?
    let user: Author

    init(json: JSON) throws(DecodeError) {
      createdAt = try json.get("created_at")
      id = try json.get("id")
      text = try json.get("text")
      retweetCount = try json.get("retweet_count")
      favorited = try json.get("favorited")
      inReplyToStatusID = try json.getIfPresent("in_reply_to_status_id")
      user = try json.get("user")
    }
    init(_ random: inout SeededRandom) {
      (createdAt, id, text) = (.random(&random), .random(&random), .random(&random))
      (retweetCount, favorited) = (.random(&random), .random(&random))
      (inReplyToStatusID, user) = (.random(&random), .random(&random))
    }
    static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("created_at", createdAt)
        $0.field("id", id)
        $0.field("text", text)
        $0.field("retweet_count", retweetCount)
        $0.field("favorited", favorited)
        $0.fieldIfPresent("in_reply_to_status_id", inReplyToStatusID)
        $0.field("user", user)
      }
    }
  }

  struct Author: Work {
    let id: Int, name: String, screenName: String, description: String?, followersCount: Int
    let verified: Bool

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      name = try json.get("name")
      screenName = try json.get("screen_name")
      description = try json.getIfPresent("description")
      followersCount = try json.get("followers_count")
      verified = try json.get("verified")
    }
    init(_ random: inout SeededRandom) {
      (id, name, screenName) = (.random(&random), .random(&random), .random(&random))
      (description, followersCount) = (.random(&random), .random(&random))
      verified = .random(&random)
    }
    static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("id", id)
        $0.field("name", name)
        $0.field("screen_name", screenName)
        $0.fieldIfPresent("description", description)
        $0.field("followers_count", followersCount)
        $0.field("verified", verified)
      }
    }
  }

  let statuses: [Status]

  init(json: JSON) throws(DecodeError) { statuses = try json.get("statuses") }
  init(_ random: inout SeededRandom) { statuses = .random(&random) }
  static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
  func write(to json: inout JSONOutput) { json.object { $0.field("statuses", statuses) } }
}

struct Citm: Work {
  struct Performance: Work {
    let eventID: Int, id: Int, logo: String?, name: String?, prices: [Price]
    let seatCategories: [SeatCategory], seatMapImage: String?, start: Int, venueCode: String

    init(json: JSON) throws(DecodeError) {
      eventID = try json.get("eventId")
      id = try json.get("id")
      logo = try json.getIfPresent("logo")
      name = try json.getIfPresent("name")
      prices = try json.get("prices")
      seatCategories = try json.get("seatCategories")
      seatMapImage = try json.getIfPresent("seatMapImage")
      start = try json.get("start")
      venueCode = try json.get("venueCode")
    }
    init(_ random: inout SeededRandom) {
      (eventID, id, logo, name) = (
        .random(&random), .random(&random), .random(&random), .random(&random)
      )
      (prices, seatCategories) = (.random(&random), .random(&random))
      (seatMapImage, start, venueCode) = (.random(&random), .random(&random), .random(&random))
    }
    static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("eventId", eventID)
        $0.field("id", id)
        $0.field("logo", logo)
        $0.field("name", name)
        $0.field("prices", prices)
        $0.field("seatCategories", seatCategories)
        $0.field("seatMapImage", seatMapImage)
        $0.field("start", start)
        $0.field("venueCode", venueCode)
      }
    }
  }

  struct Price: Work {
    let amount: Int, audience: Int, category: Int

    init(json: JSON) throws(DecodeError) {
      amount = try json.get("amount")
      audience = try json.get("audienceSubCategoryId")
      category = try json.get("seatCategoryId")
    }
    init(_ random: inout SeededRandom) {
      (amount, audience, category) = (.random(&random), .random(&random), .random(&random))
    }
    static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("amount", amount)
        $0.field("audienceSubCategoryId", audience)
        $0.field("seatCategoryId", category)
      }
    }
  }

  struct SeatCategory: Work {
    let areas: [Area], category: Int

    init(json: JSON) throws(DecodeError) {
      areas = try json.get("areas")
      category = try json.get("seatCategoryId")
    }
    init(_ random: inout SeededRandom) { (areas, category) = (.random(&random), .random(&random)) }
    static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("areas", areas)
        $0.field("seatCategoryId", category)
      }
    }
  }

  struct Area: Work {
    let id: Int, blocks: [Int]

    init(json: JSON) throws(DecodeError) {
      id = try json.get("areaId")
      blocks = try json.get("blockIds")
    }
    init(_ random: inout SeededRandom) { (id, blocks) = (.random(&random), .random(&random)) }
    static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
    func write(to json: inout JSONOutput) {
      json.object {
        $0.field("areaId", id)
        $0.array("blockIds") { for block in blocks { $0.element(block) } }
      }
    }
  }

  let performances: [Performance]
  let names: [String: String]

  init(json: JSON) throws(DecodeError) {
    performances = try json.get("performances")
    names = try json.get("audienceSubCategoryNames")
  }
  init(_ random: inout SeededRandom) {
    (performances, names) = (.random(&random), .random(&random))
  }
  static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("performances", performances)
      $0.field("audienceSubCategoryNames", names)
    }
  }
}

struct Canada: Work {
  struct Feature: Work {
    let coordinates: [[[Double]]]

    init(json: JSON) throws(DecodeError) {
      coordinates = try json.get(["geometry", "coordinates"])
    }
    init(_ random: inout SeededRandom) { coordinates = .random(&random) }
    static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
    func write(to json: inout JSONOutput) {
      json.object { $0.object("geometry") { $0.field("coordinates", coordinates) } }
    }
  }

  let features: [Feature]

  init(json: JSON) throws(DecodeError) { features = try json.get("features") }
  init(_ random: inout SeededRandom) { features = .random(&random) }
  static func random(_ random: inout SeededRandom) -> Self { Self(&random) }
  func write(to json: inout JSONOutput) { json.object { $0.field("features", features) } }
}
