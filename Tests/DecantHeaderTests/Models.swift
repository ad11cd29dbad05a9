// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantC

/// Something of every kind that a member can be.
struct Everything: CModel, JSONDecodable, Equatable {
  var isNew = false
  var small: Int8 = 0
  var large: UInt64 = 0
  var ratio: Float = 0
  var age: Int? = nil
  var isKnown: Bool? = nil
  var state = State.open
  var next: State? = nil
  var sides: Set<Side> = []
  var title = ""
  var note: String? = nil
  var tags: [String] = []
  var numbers: [Int32] = []
  var part = Part(x: 0, y: 0)
  var extra: Part? = nil
  var parts: [Part] = []
  var children: [Everything] = []

  static func layout(_ c: inout CLayout<Everything>) {
    c.structure("everything", "A member of every kind.", array: "everythings", lines: true)
    c.field("is_new", \.isNew)
    c.field("small", \.small, "a comment that ends */ a comment")
    c.field("large", \.large)
    c.field("ratio", \.ratio)
    c.field("age", \.age, "in years")
    c.field("is_known", \.isKnown, companion: "knows")
    c.field("state", \.state)
    c.field("next", \.next, "what comes then")
    c.field("sides", \.sides, "where it is open")
    c.field("title", \.title, companion: "title_bytes")
    c.field("note", \.note)
    c.field("tags", \.tags)
    c.field("numbers", \.numbers)
    c.field("part", \.part)
    c.field("extra", \.extra, String(repeating: "Very much to say. ", count: 7))
    c.field("parts", \.parts)
    c.field("children", \.children)
  }

  static func decode(_ json: JSON) -> Decoded<Everything> {
    do {
      var value = Everything()
      value.isNew = try json.get("isNew")
      value.small = try json.get("small")
      value.large = try json.get("large")
      value.ratio = try json.get("ratio")
      value.age = try json.getIfPresent("age")
      value.isKnown = try json.getIfPresent("isKnown")
      value.state = try json.get("state")
      value.next = try json.getIfPresent("next")
      value.sides = try json.get("sides")
      value.title = try json.get("title")
      value.note = try json.getIfPresent("note")
      value.tags = try json.get("tags")
      value.numbers = try json.get("numbers")
      value.part = try json.get("part")
      value.extra = try json.getIfPresent("extra")
      value.parts = try json.get("parts")
      value.children = try json.get("children", default: [])
      return .success(value)
    } catch {
      return .failure(error)
    }
  }
}

enum State: String, CEnum, JSONDecodable {
  case open, closed
  case openLate = "open-late"

  static var cName: String { "state" }
}

enum Side: CFlag {
  case north, southEast

  static var cName: String { "side" }
  static var cPrefix: String { "compass" }
}

extension Side: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Side> {
    json.decode(as: String.self).flatMap { text in
      allCases.first { "\($0)" == text }.map { .success($0) }
        ?? .failure(.invalidValue("no side", in: json))
    }
  }
}

struct Part: CModel, JSONDecodable, Equatable {
  let x: UInt8
  let y: UInt32

  static func layout(_ c: inout CLayout<Part>) {
    c.structure("part", "", isPart: true)
    c.field("x", \.x)
    c.field("y", \.y)
  }

  static func decode(_ json: JSON) -> Decoded<Part> {
    build(Part.init, json.decode("x"), json.decode("y"))
  }
}
