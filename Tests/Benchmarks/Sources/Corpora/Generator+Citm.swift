// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A catalogue in the shape of citm_catalog.json: tables keyed by number, 184 events, 243
// performances with their prices and seats, four spaces a level.

extension Generator {
  public static func citm() -> String {
    var writer = CitmWriter()
    return writer.catalogue().text(indent: 4)
  }
}

private struct CitmWriter {
  var dice = Dice(seed: 2013)

  private let names = [
    "Arrière-scène central", "1er balcon central", "2ème balcon bergerie cour", "Abonné",
    "Musique amplifiée", "Activité", "Salle Pleyel", "1ère catégorie", "Orchestre de chambre",
  ]

  mutating func catalogue() -> Node {
    let events = (0..<184).map { 138_586_341 + $0 * 1000 }
    return .object([
      ("areaNames", table(from: 205_705_993, count: 17)),
      ("audienceSubCategoryNames", table(from: 337_100_890, count: 1)),
      ("blockNames", .object([])),
      ("events", .object(events.map { ("\($0)", event($0)) })),
      ("performances", .array((0..<243).map { _ in performance(of: dice.pick(events)) })),
      ("seatCategoryNames", table(from: 338_937_235, count: 64)),
      ("subTopicNames", table(from: 337_184_262, count: 19)),
      ("subjectNames", .object([])),
      ("topicNames", table(from: 107_888_604, count: 4)),
      (
        "topicSubTopics",
        .object((0..<4).map { ("\(107_888_604 + $0)", integers(from: 337_184_262, count: 9)) })
      ),
      ("venueNames", .object([("PLEYEL_PLEYEL", .string("Salle Pleyel"))])),
    ])
  }

  private mutating func table(from first: Int, count: Int) -> Node {
    .object((0..<count).map { ("\(first + $0)", .string(dice.pick(names))) })
  }

  private func integers(from first: Int, count: Int) -> Node {
    .array((0..<count).map { .integer(first + $0) })
  }

  private mutating func event(_ id: Int) -> Node {
    .object([
      ("description", .null), ("id", .integer(id)),
      ("logo", dice.chance(50) ? .null : .string("/images/UE0AAAAACEKo6QAAAAZDSVRN")),
      ("name", .string(dice.pick(names))),
      ("subTopicIds", integers(from: 337_184_262, count: dice.integer(1...4))),
      ("subjectCode", .null), ("subtitle", .null),
      ("topicIds", integers(from: 107_888_604, count: 2)),
    ])
  }

  private mutating func performance(of event: Int) -> Node {
    let categories = (0..<dice.integer(1...6)).map { 338_937_235 + $0 }
    let prices = categories.map { category in
      Node.object([
        ("amount", .integer(dice.integer(20...400) * 250)),
        ("audienceSubCategoryId", .integer(337_100_890)),
        ("seatCategoryId", .integer(category)),
      ])
    }
    return .object([
      ("eventId", .integer(event)), ("id", .integer(dice.integer(339_000_000...341_000_000))),
      ("logo", dice.chance(90) ? .null : .string("/images/UE0AAAAACEKo6QAAAAZDSVRN")),
      ("name", .null), ("prices", .array(prices)),
      ("seatCategories", .array(categories.map { seats(in: $0) })), ("seatMapImage", .null),
      ("start", .integer(1_372_701_600_000 + dice.integer(0...400) * 86_400_000)),
      ("venueCode", .string("PLEYEL_PLEYEL")),
    ])
  }

  private mutating func seats(in category: Int) -> Node {
    let areas = (0..<dice.integer(3...17)).map { index in
      Node.object([("areaId", .integer(205_705_993 + index)), ("blockIds", .array([]))])
    }
    return .object([("areas", .array(areas)), ("seatCategoryId", .integer(category))])
  }
}
