// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents in which something other than text and numbers costs: members that may be absent, and enums.

extension Generator {
  /// Profiles of 18 members, of which about half are absent and a fifth is null.
  public static func profiles(count: Int = 2000) -> String {
    var dice = Dice(seed: 18)
    let texts = [
      "nickname", "first_name", "last_name", "title", "company", "street", "city", "country",
      "phone", "website", "avatar", "biography",
    ]
    let integers = ["age", "floor", "followers", "score"]
    let flags = ["subscribed", "verified"]
    let profiles = (1...count).map { id in
      var members = [#""id":\#(id)"#]
      func add(_ name: String, _ value: String) {
        if dice.chance(50) { return }
        members.append("\"\(name)\":\(dice.chance(20) ? "null" : value)")
      }
      for name in texts {
        add(name, "\"\(dice.pick(["a", "some words", "a rather longer text"]))\"")
      }
      for name in integers { add(name, "\(dice.integer(0...100_000))") }
      for name in flags { add(name, "\(dice.chance(50))") }
      return "{\(members.joined(separator: ","))}"
    }
    return "[\(profiles.joined(separator: ","))]"
  }

  /// Events of five kinds, with priorities and tags: enums with raw values, and one with associated
  /// values in the form that the compiler's Codable has.
  public static func events(count: Int = 3000) -> String {
    var dice = Dice(seed: 5)
    let events = (1...count).map { id in
      let action =
        switch dice.integer(0...4) {
        case 0: #"{"created":{"by":\#(dice.integer(1...99))}}"#
        case 1: #"{"renamed":{"from":"old name","to":"new name"}}"#
        case 2: #"{"moved":{"_0":\#(dice.integer(0...9)),"_1":\#(dice.integer(0...9))}}"#
        case 3: #"{"deleted":{}}"#
        default: #"{"commented":{"text":"a few words"}}"#
        }
      let tags = (0..<dice.integer(0...3)).map { _ in "\"\(dice.pick(["red", "green", "blue"]))\"" }
      return #"{"id":\#(id),"priority":\#(dice.integer(1...3)),"action":\#(action),"#
        + #""tags":[\#(tags.joined(separator: ","))],"source":"\#(dice.pick(["web", "app", "api"]))"}"#
    }
    return "[\(events.joined(separator: ","))]"
  }
}
