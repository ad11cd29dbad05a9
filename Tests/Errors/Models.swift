// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The models and options that golden cases name in their file names.

import Decant
import DecantJansson
import DecantVocabulary

struct User: JSONDecodable {
  let id: Int
  let name: String
  let email: String?

  static func decode(_ json: JSON) -> Decoded<User> {
    curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
  }
}

/// The same by `build`, below a key.
struct Team: JSONDecodable {
  let title: String
  let users: [User]

  static func decode(_ json: JSON) -> Decoded<Team> {
    build(Team.init, json.decode("title"), json.decode("users"))
  }
}

/// The throwing form, which stops at its first error.
struct Profile: JSONInitializable {
  let screenName: String
  let city: String
  let visits: UInt8

  init(json: JSON) throws(DecodeError) {
    screenName = try json.get("screen_name")
    city = try json.get(["address", "city"])
    visits = try json.get("visits", default: 0)
  }
}

enum Meal: String, CaseIterable, Hashable, JSONDecodable, JSONObjectKey {
  case breakfast, lunch, dinner
}

enum Level: Int, JSONDecodable {
  case low = 1
  case high = 2
}

struct Age: JSONDecodable {
  let years: Int

  static func decode(_ json: JSON) -> Decoded<Age> {
    Int.decode(json) >>- { years in
      years >= 0 ? pure(Age(years: years)) : .customError("age: Out of range (\(years))")
    }
  }
}

struct Person: JSONDecodable {
  let age: Age
  let level: Level?
  let meals: Set<Meal>

  static func decode(_ json: JSON) -> Decoded<Person> {
    build(
      Person.init, json.decode("age"), json.decodeIfPresent("level"), json.decode("meals"))
  }
}

/// Takes what other models refuse.
struct Forgiving: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Forgiving> {
    let fields: [Decoded<Void>] = [
      json.convert("age", using: JSONConversion<Int>.numberOrString).map { _ in },
      json.convert("height", using: JSONConversion<Int>.integral).map { _ in },
      json.convert("isAdmin", using: .boolOrZeroOrOne).map { _ in },
      json.convert("ok", using: .boolOrZeroOrOne).map { _ in },
      json.convert("level", using: JSONConversion<Int>.fromString, default: 1).map { _ in },
      json.decode("users", as: LossyArray<User>.self).map { _ in },
      json.decode("ages", as: LossyDictionary<String, Age>.self).map { _ in },
    ]
    return sequence(fields).map { _ in Forgiving() }
  }
}

/// Twenty fields, to be missing.
struct Wide: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Wide> {
    sequence((0..<20).map { json.decode(JSONKey("field\($0)"), as: Int.self) }).map { _ in Wide() }
  }
}

/// Lacks a key, and is wrong as a whole.
struct Span: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Span> {
    build(
      { (_: Int, _: Int) in Span() }, json.decode("start"),
      .failure(.invalidValue("the span ends before it starts", in: json)))
  }
}

/// A look-up by RFC 6901.
struct Second: JSONDecodable {
  let value: Int

  static func decode(_ json: JSON) -> Decoded<Second> {
    json.decode(pointer: "/rows/1/value").map(Second.init)
  }
}

/// Refuses members that it does not name; what is in it does where the options ask for it.
struct Server: JSONDecodable {
  struct Limit: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Limit> {
      build(
        { (_: Int?, _: Void) in Limit() }, json.decodeIfPresent("max"),
        json.checkMembers(known: ["max"]))
    }
  }

  static func decode(_ json: JSON) -> Decoded<Server> {
    build(
      { (_: Int?, _: [Limit]?, _: Int?, _: Void) in Server() }, json.decodeIfPresent("retries"),
      json.decodeIfPresent("limits"), json.decodeIfPresent(["log/s", "level"]),
      json.checkMembers(known: ["retries", "limits", ["log/s", "level"]], closed: true))
  }
}

/// A model that refuses members it does not name: none is named.
struct Closed: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Closed> {
    json.checkMembers(known: [], closed: true).map { Closed() }
  }
}

struct BadPointer: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<BadPointer> {
    json.decode(pointer: "rows").map { (_: Int) in BadPointer() }
  }
}

/// The error of decoding a model by its name in the file names; nil if it decodes.
func failure(
  of model: String, _ bytes: [UInt8], _ options: DecodingOptions
) -> DecodeError?? {
  func of<Model: JSONDecodable>(_ type: Model.Type) -> DecodeError? {
    Model.decode(from: bytes, options: options).error
  }
  switch model {
  case "Value": return JSONValue.parse(bytes, options: options).error
  case "Int": return of(Int.self)
  case "Int8": return of(Int8.self)
  case "UInt64": return of(UInt64.self)
  case "Float": return of(Float.self)
  case "Double": return of(Double.self)
  case "Bool": return of(Bool.self)
  case "String": return of(String.self)
  case "Character": return of(Character.self)
  case "Ints": return of([Int].self)
  case "Grid": return of([[Int]].self)
  case "Ages": return of([String: Age].self)
  case "Counts": return of([Int: Int].self)
  case "Plan": return of([Meal: String].self)
  case "User": return of(User.self)
  case "Users": return of([User].self)
  case "Team": return of(Team.self)
  case "Profile": return of(Profile.self)
  case "Meal": return of(Meal.self)
  case "Level": return of(Level.self)
  case "Person": return of(Person.self)
  case "Wide": return of(Wide.self)
  case "Second": return of(Second.self)
  case "Closed": return of(Closed.self)
  case "Server": return of(Server.self)
  case "Span": return of(Span.self)
  case "BadPointer": return of(BadPointer.self)
  default: return nil
  }
}

extension DecodingOptions {
  /// Sets what a word of a file name means; false for other words.
  mutating func set(_ word: String) -> Bool {
    switch word {
    case "reject": duplicateKeys = .reject
    case "last": duplicateKeys = .last
    case "redacted": redactsInput = true
    case "first": maximumErrors = 1
    case "three": maximumErrors = 3
    case "depth3": maximumDepth = 3
    case "bytes8": maximumBytes = 8
    case "closed": unknownMembers = .reject
    case "named": sourceName = "events.json"
    case "comments": relaxations = .comments
    case "relaxed": relaxations = [.comments, .trailingCommas, .nonFiniteNumbers]
    case "jansson": engine = .jansson
    default: return false
    }
    return true
  }
}
