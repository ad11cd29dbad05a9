// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The contender jansson.swift: hand-written Swift over libjansson's trees.

import CJansson
import Corpora

struct JanssonSwift: Contender {
  let name = "jansson.swift"

  func job(_ work: Work, _ document: Document) -> Job? {
    json_object_seed(0)
    return switch work {
    case .tiny: Job { try decode(document.padded, User.init) }
    case .twitter: Job { try decode(document.padded, Twitter.init) }
    case .citm: Job { try decode(document.padded, Citm.init) }
    case .canada: Job { try decode(document.padded, Canada.init) }
    case .users: Job { try decode(document.padded) { tree in try array(tree, User.init) } }
    }
  }
}

// MARK: - Leaves

/// A `json_t *` that the tree owns.
private typealias Tree = UnsafeMutablePointer<json_t>

@inline(__always)
private func decode<Model>(
  _ bytes: UnsafeRawBufferPointer, _ model: (Tree) throws -> Model
) throws -> Model {
  let text = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
  guard let tree = json_loadb(text, bytes.count, 0, nil) else { throw ContenderFailure() }
  defer { json_decref(tree) }
  return try model(tree)
}

@inline(__always)
private func field(_ tree: Tree, _ key: StaticString) throws -> Tree {
  let name = UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self)
  guard let field = json_object_getn(tree, name, key.utf8CodeUnitCount) else {
    throw ContenderFailure()
  }
  return field
}

@inline(__always)
private func array<Element>(
  _ tree: Tree, _ element: (Tree) throws -> Element
) throws -> [Element] {
  guard tree.pointee.type == JSON_ARRAY else { throw ContenderFailure() }
  let count = json_array_size(tree)
  var elements: [Element] = []
  elements.reserveCapacity(count)
  for index in 0..<count { elements.append(try element(json_array_get(tree, index))) }
  return elements
}

@inline(__always)
private func integer(_ tree: Tree) throws -> Int {
  guard tree.pointee.type == JSON_INTEGER else { throw ContenderFailure() }
  return Int(json_integer_value(tree))
}

@inline(__always)
private func number(_ tree: Tree) throws -> Double {
  switch tree.pointee.type {
  case JSON_REAL: return json_real_value(tree)
  case JSON_INTEGER: return Double(json_integer_value(tree))
  default: throw ContenderFailure()
  }
}

@inline(__always)
private func flag(_ tree: Tree) throws -> Bool {
  switch tree.pointee.type {
  case JSON_TRUE: return true
  case JSON_FALSE: return false
  default: throw ContenderFailure()
  }
}

@inline(__always)
private func string(_ tree: Tree) throws -> String {
  guard let characters = json_string_value(tree) else { throw ContenderFailure() }
  let bytes = UnsafeRawBufferPointer(start: characters, count: json_string_length(tree))
  return String(decoding: bytes, as: UTF8.self)
}

@inline(__always)
private func ifPresent<Leaf>(_ tree: Tree, _ leaf: (Tree) throws -> Leaf) throws -> Leaf? {
  tree.pointee.type == JSON_NULL ? nil : try leaf(tree)
}

// MARK: - Users

private struct User: UserFields {
  var id: Int
  var name: String
  var email: String

  init(_ tree: Tree) throws {
    id = try integer(field(tree, "id"))
    name = try string(field(tree, "name"))
    email = try string(field(tree, "email"))
  }
}

// MARK: - Twitter

private struct Twitter: TwitterFields {
  var statuses: [Status]

  init(_ tree: Tree) throws {
    statuses = try array(field(tree, "statuses"), Status.init)
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

  init(_ tree: Tree) throws {
    createdAt = try string(field(tree, "created_at"))
    id = try integer(field(tree, "id"))
    text = try string(field(tree, "text"))
    retweetCount = try integer(field(tree, "retweet_count"))
    favorited = try flag(field(tree, "favorited"))
    inReplyToStatusID = try ifPresent(field(tree, "in_reply_to_status_id"), integer)
    user = try TwitterUser(field(tree, "user"))
  }
}

private struct TwitterUser: TwitterUserFields {
  var id: Int
  var name: String
  var screenName: String
  var description: String?
  var followersCount: Int
  var verified: Bool

  init(_ tree: Tree) throws {
    id = try integer(field(tree, "id"))
    name = try string(field(tree, "name"))
    screenName = try string(field(tree, "screen_name"))
    description = try ifPresent(field(tree, "description"), string)
    followersCount = try integer(field(tree, "followers_count"))
    verified = try flag(field(tree, "verified"))
  }
}

// MARK: - Citm

private struct Citm: CitmFields {
  var performances: [Performance]

  init(_ tree: Tree) throws {
    performances = try array(field(tree, "performances"), Performance.init)
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

  init(_ tree: Tree) throws {
    eventID = try integer(field(tree, "eventId"))
    id = try integer(field(tree, "id"))
    logo = try ifPresent(field(tree, "logo"), string)
    name = try ifPresent(field(tree, "name"), string)
    prices = try array(field(tree, "prices"), Price.init)
    seatCategories = try array(field(tree, "seatCategories"), SeatCategory.init)
    seatMapImage = try ifPresent(field(tree, "seatMapImage"), string)
    start = try integer(field(tree, "start"))
    venueCode = try string(field(tree, "venueCode"))
  }
}

private struct Price: PriceFields {
  var amount: Int
  var audienceSubCategoryID: Int
  var seatCategoryID: Int

  init(_ tree: Tree) throws {
    amount = try integer(field(tree, "amount"))
    audienceSubCategoryID = try integer(field(tree, "audienceSubCategoryId"))
    seatCategoryID = try integer(field(tree, "seatCategoryId"))
  }
}

private struct SeatCategory: SeatCategoryFields {
  var areas: [Area]
  var seatCategoryID: Int

  init(_ tree: Tree) throws {
    areas = try array(field(tree, "areas"), Area.init)
    seatCategoryID = try integer(field(tree, "seatCategoryId"))
  }
}

private struct Area: AreaFields {
  var areaID: Int
  var blockIDs: [Int]

  init(_ tree: Tree) throws {
    areaID = try integer(field(tree, "areaId"))
    blockIDs = try array(field(tree, "blockIds"), integer)
  }
}

// MARK: - Canada

private struct Canada: CanadaFields {
  var features: [Feature]

  init(_ tree: Tree) throws {
    features = try array(field(tree, "features"), Feature.init)
  }
}

private struct Feature: FeatureFields {
  var geometry: Geometry

  init(_ tree: Tree) throws {
    geometry = try Geometry(field(tree, "geometry"))
  }
}

private struct Geometry: GeometryFields {
  var coordinates: [[[Double]]]

  init(_ tree: Tree) throws {
    coordinates = try array(field(tree, "coordinates")) { ring in
      try array(ring) { point in try array(point, number) }
    }
  }
}
