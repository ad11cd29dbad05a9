// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The way back of the models of decant.try, written by hand, member by member as the compiler's `encode(to:)` does.

import Corpora
import Decant

extension DecantTry.User: JSONWritable {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("id", id)
      $0.field("name", name)
      $0.field("email", email)
    }
  }
}

// MARK: - Twitter

extension DecantTry.Twitter: JSONWritable {
  func write(to json: inout JSONOutput) { json.object { $0.field("statuses", statuses) } }
}

extension DecantTry.Status: JSONWritable {
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

extension DecantTry.TwitterUser: JSONWritable {
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

// MARK: - Citm

extension DecantTry.Citm: JSONWritable {
  func write(to json: inout JSONOutput) { json.object { $0.field("performances", performances) } }
}

extension DecantTry.Performance: JSONWritable {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("eventId", eventID)
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

extension DecantTry.Price: JSONWritable {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("amount", amount)
      $0.field("audienceSubCategoryId", audienceSubCategoryID)
      $0.field("seatCategoryId", seatCategoryID)
    }
  }
}

extension DecantTry.SeatCategory: JSONWritable {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("areas", areas)
      $0.field("seatCategoryId", seatCategoryID)
    }
  }
}

extension DecantTry.Area: JSONWritable {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("areaId", areaID)
      $0.field("blockIds", blockIDs)
    }
  }
}

// MARK: - Canada

extension DecantTry.Canada: JSONWritable {
  func write(to json: inout JSONOutput) { json.object { $0.field("features", features) } }
}

extension DecantTry.Feature: JSONWritable {
  func write(to json: inout JSONOutput) { json.object { $0.field("geometry", geometry) } }
}

extension DecantTry.Geometry: JSONWritable {
  func write(to json: inout JSONOutput) { json.object { $0.field("coordinates", coordinates) } }
}
