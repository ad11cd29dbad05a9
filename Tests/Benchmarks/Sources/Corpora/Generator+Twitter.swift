// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Search results in the shape of twitter.json: 100 statuses of some 25 members, most of which quote
// a whole status again, text that is mostly Japanese, two spaces a level.

extension Generator {
  public static func twitter() -> String {
    var writer = TwitterWriter()
    let statuses = (0..<100).map { _ in writer.status(quoting: writer.dice.chance(73)) }
    let metadata = Node.object([
      ("completed_in", .raw("0.087")), ("max_id", .integer(505_874_924_095_815_700)),
      ("max_id_str", .string("505874924095815681")), ("query", .string("%E4%B8%80")),
      ("count", .integer(100)), ("since_id", .integer(0)), ("since_id_str", .string("0")),
    ])
    return Node.object([("statuses", .array(statuses)), ("search_metadata", metadata)])
      .text(indent: 2)
  }

  /// One of them, without white space.
  public static func status() -> String {
    var writer = TwitterWriter()
    return writer.status(quoting: false).text(indent: 0).split(separator: "\n").joined()
  }
}

private struct TwitterWriter {
  var dice = Dice(seed: 2014)

  private let words = [
    "前田", "今日", "の", "一言", "好きなところ", "ありがとう", "😊", "✨✨", "最高の夏を", "照れますがな",
    "名前", "第一印象", "\n", "@aym0566x", "LINE", "一生もん", "、", "。", "ブログ", "RT", "《", "》", "元野球部",
    "マネージャー", "http://t.co/QMLJeFmfMT", "❤️", "噛み合わない", "\"",
  ]

  mutating func status(quoting: Bool) -> Node {
    let id = dice.integer(505_000_000_000_000_000...505_900_000_000_000_000)
    let reply = dice.chance(12) ? id - dice.integer(1...1_000_000_000) : nil
    var members: [(String, Node)] = [
      (
        "metadata",
        .object([("result_type", .string("recent")), ("iso_language_code", .string("ja"))])
      ),
      ("created_at", .string("Sun Aug 31 00:29:\(dice.integer(10...59)) +0000 2014")),
      ("id", .integer(id)),
      ("id_str", .string("\(id)")),
      ("text", .string(text(words: 8...26))),
      ("source", .string("<a href=\"http://twitter.com/download\" rel=\"nofollow\">Twitter</a>")),
      ("truncated", .flag(false)),
      ("in_reply_to_status_id", reply.map(Node.integer) ?? .null),
      ("in_reply_to_status_id_str", reply.map { .string("\($0)") } ?? .null),
      ("in_reply_to_user_id", .null),
      ("in_reply_to_user_id_str", .null),
      ("in_reply_to_screen_name", .null),
      ("user", user()),
      ("geo", .null),
      ("coordinates", .null),
      ("place", .null),
      ("contributors", .null),
    ]
    if quoting { members.append(("retweeted_status", status(quoting: false))) }
    members += [
      ("retweet_count", .integer(dice.integer(0...3000))),
      ("favorite_count", .integer(dice.integer(0...200))),
      ("entities", entities()),
      ("favorited", .flag(dice.chance(5))),
      ("retweeted", .flag(false)),
      ("lang", .string("ja")),
    ]
    return .object(members)
  }

  private mutating func user() -> Node {
    let id = dice.integer(1_000_000...2_900_000_000)
    let image = "http://pbs.twimg.com/profile_images/\(id)/LDjAwR_y_normal.jpeg"
    return .object([
      ("id", .integer(id)),
      ("id_str", .string("\(id)")),
      ("name", .string(text(words: 1...3))),
      ("screen_name", .string("user_\(id % 1_000_000)")),
      ("location", .string(dice.chance(50) ? "" : text(words: 1...2))),
      ("description", dice.chance(5) ? .null : .string(text(words: 4...22))),
      ("url", .null),
      ("entities", .object([("description", .object([("urls", .array([]))]))])),
      ("protected", .flag(false)),
      ("followers_count", .integer(dice.integer(0...20_000))),
      ("friends_count", .integer(dice.integer(0...2000))),
      ("listed_count", .integer(dice.integer(0...50))),
      ("created_at", .string("Sat Feb 16 13:40:\(dice.integer(10...59)) +0000 2013")),
      ("favourites_count", .integer(dice.integer(0...900))),
      ("utc_offset", .null),
      ("time_zone", .null),
      ("geo_enabled", .flag(dice.chance(30))),
      ("verified", .flag(dice.chance(3))),
      ("statuses_count", .integer(dice.integer(1...90_000))),
      ("lang", .string("ja")),
      ("contributors_enabled", .flag(false)),
      ("is_translator", .flag(false)),
      ("is_translation_enabled", .flag(false)),
      ("profile_background_color", .string("C0DEED")),
      (
        "profile_background_image_url",
        .string("http://abs.twimg.com/images/themes/theme1/bg.png")
      ),
      (
        "profile_background_image_url_https",
        .string("https://abs.twimg.com/images/themes/theme1/bg.png")
      ),
      ("profile_background_tile", .flag(false)),
      ("profile_image_url", .string(image)),
      ("profile_image_url_https", .string(image)),
      ("profile_banner_url", .string("https://pbs.twimg.com/profile_banners/\(id)/1409318784")),
      ("profile_link_color", .string("0084B4")),
      ("profile_sidebar_border_color", .string("C0DEED")),
      ("profile_sidebar_fill_color", .string("DDEEF6")),
      ("profile_text_color", .string("333333")),
      ("profile_use_background_image", .flag(true)),
      ("default_profile", .flag(dice.chance(60))),
      ("default_profile_image", .flag(false)),
      ("following", .flag(false)),
      ("follow_request_sent", .flag(false)),
      ("notifications", .flag(false)),
    ])
  }

  private mutating func entities() -> Node {
    let mentions = (0..<dice.integer(0...2)).map { _ in
      let id = dice.integer(1_000_000...2_900_000_000)
      return Node.object([
        ("screen_name", .string("user_\(id % 1_000_000)")), ("name", .string(text(words: 1...3))),
        ("id", .integer(id)), ("id_str", .string("\(id)")),
        ("indices", .array([.integer(0), .integer(9)])),
      ])
    }
    return .object([
      ("hashtags", .array([])), ("symbols", .array([])), ("urls", .array([])),
      ("user_mentions", .array(mentions)),
    ])
  }

  private mutating func text(words count: ClosedRange<Int>) -> String {
    (0..<dice.integer(count)).map { _ in dice.pick(words) }.joined()
  }
}
