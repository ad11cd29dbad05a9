// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models of every shape that Codable knows, with a document that each accepts. `Differential.swift` holds
// every one against `JSONDecoder`; what they have in common is that both decode them.

import Foundation

/// A model and a document for it.
protocol Sampled: Decodable, Equatable, Sendable {
  static var sample: String { get }
}

struct Scalars: Sampled, Encodable {
  let a: Int, b: Int8, c: Int16, d: Int32, e: Int64, f: UInt, g: UInt8, h: UInt16, i: UInt32
  let j: UInt64, k: Float, l: Double, m: Bool, n: String, o: Int128, p: UInt128
  static let sample = #"""
    {"a":1,"b":-2,"c":3,"d":4,"e":-5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":1.5,"l":2.25,"m":true,"n":"é",
    "o":12,"p":13}
    """#
}

struct Optionals: Sampled, Encodable {
  let a: Int?, b: Int8?, c: Int16?, d: Int32?, e: Int64?, f: UInt?, g: UInt8?, h: UInt16?
  let i: UInt32?, j: UInt64?, k: Float?, l: Double?, m: Bool?, n: String?, o: [Int]?, p: User?
  static let sample = #"""
    {"a":1,"b":null,"c":3,"e":-5,"f":6,"g":null,"h":8,"i":9,"j":10,"k":null,"l":2.25,"m":true,"n":"x",
    "o":[1],"p":{"id":1,"name":"n"}}
    """#
}

struct User: Sampled, Encodable {
  let id: Int
  let name: String
  let email: String?
  static let sample = #"{"id":1,"name":"Cool User","email":"u@example.com"}"#
}

struct Group: Sampled, Encodable {
  let title: String
  let owner: User
  let members: [User]
  let scores: [String: Double]
  static let sample = #"""
    {"title":"g","owner":{"id":1,"name":"a"},"members":[{"id":2,"name":"b"},{"id":3,"name":"c"}],
    "scores":{"a":1.5}}
    """#
}

struct Branch: Sampled, Encodable {
  let value: Int
  let children: [Branch]
  static let sample = #"""
    {"value":1,"children":[{"value":2,"children":[]},{"value":3,"children":[{"value":4,"children":[]}]}]}
    """#
}

enum Meal: String, Sampled, Encodable, CodingKeyRepresentable {
  case breakfast, lunch, dinner
  static let sample = #""lunch""#
}

enum Level: Int, Sampled, Encodable {
  case low = 1, high = 2
  static let sample = "2"
}

enum Shape: Sampled, Encodable {
  case circle(radius: Double)
  case rectangle(width: Double, height: Double)
  case named(String, User?)
  case empty
  static let sample = #"{"rectangle":{"width":1,"height":2.5}}"#
}

struct Drawing: Sampled, Encodable {
  let shapes: [Shape]
  static let sample = #"""
    {"shapes":[{"circle":{"radius":1}},{"named":{"_0":"n","_1":null}},{"empty":{}},
    {"rectangle":{"width":1,"height":2}}]}
    """#
}

class Animal: Decodable {
  let name: String
  private enum CodingKeys: String, CodingKey { case name }
  required init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
  }
}

/// The superclass reads the same object.
final class Dog: Animal, Sampled, @unchecked Sendable {
  let breed: String
  private enum CodingKeys: String, CodingKey { case breed }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    breed = try container.decode(String.self, forKey: .breed)
    try super.init(from: decoder)
  }
  static func == (a: Dog, b: Dog) -> Bool { a.name == b.name && a.breed == b.breed }
  static let sample = #"{"name":"Rex","breed":"mutt"}"#
}

/// The superclass reads the member `super`.
final class Cat: Animal, Sampled, @unchecked Sendable {
  let lives: Int
  private enum CodingKeys: String, CodingKey { case lives }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    lives = try container.decode(Int.self, forKey: .lives)
    try super.init(from: container.superDecoder())
  }
  static func == (a: Cat, b: Cat) -> Bool { a.name == b.name && a.lives == b.lives }
  static let sample = #"{"lives":9,"super":{"name":"Tom"}}"#
}

/// The superclass reads a member of another name, by a decoder taken from a temporary container.
final class Bird: Animal, Sampled, @unchecked Sendable {
  let wings: Int
  private enum CodingKeys: String, CodingKey { case wings, base }
  required init(from decoder: any Decoder) throws {
    wings = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .wings)
    try super.init(
      from: decoder.container(keyedBy: CodingKeys.self).superDecoder(forKey: .base))
  }
  static func == (a: Bird, b: Bird) -> Bool { a.name == b.name && a.wings == b.wings }
  static let sample = #"{"wings":2,"base":{"name":"Tweety"}}"#
}

/// A model flatter than its document.
struct Flat: Sampled {
  let id: Int
  let city: String
  let latitude: Double
  let tags: [String]
  private enum Outer: String, CodingKey { case id, place, tags }
  private enum Place: String, CodingKey { case city, at }
  init(from decoder: any Decoder) throws {
    let outer = try decoder.container(keyedBy: Outer.self)
    let place = try outer.nestedContainer(keyedBy: Place.self, forKey: .place)
    var tags = try outer.nestedUnkeyedContainer(forKey: .tags)
    var coordinates = try place.nestedUnkeyedContainer(forKey: .at)
    id = try outer.decode(Int.self, forKey: .id)
    latitude = try coordinates.decode(Double.self)
    city = try place.decode(String.self, forKey: .city)
    var all: [String] = []
    while !tags.isAtEnd { all.append(try tags.decode(String.self)) }
    self.tags = all
  }
  static let sample = #"{"id":1,"place":{"city":"x","at":[1.5,2]},"tags":["a","b"]}"#
}

/// An array of values of different types, looked at in every way that an unkeyed container has.
struct Mixed: Sampled {
  var log: [String] = []
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    log.append("\(container.count ?? -1) \(container.currentIndex) \(container.isAtEnd)")
    log.append("\(try container.decodeNil()) \(container.currentIndex)")
    log.append("\(try container.decode(Int.self)) \(container.currentIndex)")
    log.append("\(try container.decodeIfPresent(String.self) ?? "nil") \(container.currentIndex)")
    log.append("\(try container.decode(User.self))")
    log.append("\(try container.decodeIfPresent(User.self)?.id ?? 0) \(container.currentIndex)")
    var nested = try container.nestedUnkeyedContainer()
    log.append("\(try nested.decode(Bool.self)) \(nested.codingPath.map(\.stringValue))")
    let keyed = try container.nestedContainer(keyedBy: Key.self)
    log.append(
      "\(try keyed.decode(Double.self, forKey: .x)) \(keyed.codingPath.map(\.stringValue))")
    let decoder = try container.superDecoder()
    log.append("\(try decoder.singleValueContainer().decode(UInt8.self)) \(container.currentIndex)")
    log.append("\(decoder.codingPath.map(\.stringValue)) \(container.isAtEnd)")
  }
  private enum Key: String, CodingKey { case x }
  static let sample = #"[1,"s",{"id":1,"name":"n"},null,[true],{"x":1.5},8,"rest"]"#
}

/// An array of numbers of every width.
struct Widths: Sampled {
  let numbers: [String]
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    numbers = [
      "\(try container.decode(Int8.self))", "\(try container.decode(UInt64.self))",
      "\(try container.decode(Float.self))", "\(try container.decode(Int128.self))",
      "\(try container.decode(UInt128.self))", "\(try container.decodeIfPresent(Int16.self) ?? 0)",
      "\(try container.decodeIfPresent(Float.self) ?? 0)", "\(container.currentIndex)",
    ]
  }
  static let sample = "[-128,18446744073709551615,0.1,-7,8,null,2.5]"
}

/// An array that is asked for an optional element of every type, mostly past its end.
struct PastEnd: Sampled {
  var log: [String] = []
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let asks: [() throws -> Any?] = [
      { try container.decodeIfPresent(Bool.self) }, { try container.decodeIfPresent(String.self) },
      { try container.decodeIfPresent(Double.self) }, { try container.decodeIfPresent(Float.self) },
      { try container.decodeIfPresent(Int.self) }, { try container.decodeIfPresent(Int8.self) },
      { try container.decodeIfPresent(Int16.self) }, { try container.decodeIfPresent(Int32.self) },
      { try container.decodeIfPresent(Int64.self) }, { try container.decodeIfPresent(Int128.self) },
      { try container.decodeIfPresent(UInt.self) }, { try container.decodeIfPresent(UInt8.self) },
      { try container.decodeIfPresent(UInt16.self) },
      { try container.decodeIfPresent(UInt32.self) },
      { try container.decodeIfPresent(UInt64.self) },
      { try container.decodeIfPresent(UInt128.self) },
      { try container.decodeIfPresent(User.self) },
    ]
    for ask in asks { log.append("\(try ask() == nil) \(container.currentIndex)") }
  }
  static let sample = "[null,null]"
}

/// The keys of an object.
struct Keys: Sampled {
  let keys: [String]
  let hasID: Bool
  let isNull: Bool
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    keys = container.allKeys.map(\.stringValue).sorted()
    hasID = container.contains(Key(stringValue: "id"))
    isNull = try container.decodeNil(forKey: Key(stringValue: "value"))
  }
  static let sample = #"{"value":null,"id":1,"":2,"é":3}"#
}

/// Whatever comes first.
/// How many values a task has decoded; for what must not be decoded twice.
final class DecodeCounter: @unchecked Sendable {
  @TaskLocal static var current: DecodeCounter?
  // SAFETY: of the one task that made it.
  var count = 0
}

indirect enum Any3: Sampled {
  case integer(Int)
  case text(String)
  case list([Any3])
  case members([String: Any3])
  init(from decoder: any Decoder) throws {
    DecodeCounter.current?.count += 1
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([Any3].self) {
      self = .list(value)
    } else {
      self = .members(try container.decode([String: Any3].self))
    }
  }
  static let sample = #"[1,"a",[2,{"x":[3,"b"],"y":4}]]"#
}

struct Dictionaries: Sampled, Encodable {
  let strings: [String: String]
  let counts: [String: Int]
  let rates: [String: Double]
  let integers: [Int: Bool]
  let meals: [Meal: Int]
  let users: [String: User]
  let nested: [String: [String: [Int]]]
  let flags: [String: Bool]
  let maybe: [String: Int16?]
  let levels: [String: Level]
  let pairs: [Level: String]
  static let sample = #"""
    {"strings":{"a":"b"},"counts":{"a":1,"b":2.0},"rates":{"c":0.5},"integers":{"-2":false},"meals":{"lunch":3},
    "users":{"x":{"id":1,"name":"n"}},"nested":{"a":{"b":[1,2]}},
    "flags":{"a":true,"b":false},"maybe":{"b":null,"c":1e2},"levels":{"d":2},"pairs":[1,"a",2,"b"]}
    """#
}

struct Collections: Sampled, Encodable {
  let numbers: [Double]
  let floats: [Float]
  let rows: [[Int]]
  let tables: [[[Double]]]
  let flags: [Bool]
  let set: Set<Int>
  let words: Set<String>
  let wide: [Int128]
  let texts: [String?]
  let optionals: [Int?]
  let small: [UInt8]
  let levels: [Level]
  static let sample = #"""
    {"numbers":[1,2.5],"floats":[0.1,3e38],"rows":[[1],[2,3]],"tables":[[[1,2]],[[3]]],"flags":[true,false],"set":[1,2,1],
    "words":["a","b","a"],"wide":[1,-2.0],"texts":["a",null],
    "optionals":[1,null],"small":[1,2],"levels":[1,2]}
    """#
}

struct FoundationTypes: Sampled, Encodable {
  let date: Date
  let data: Data
  let url: URL
  let uuid: UUID
  let decimal: Decimal
  let dates: [Date]
  let maybe: [String: URL?]
  static let sample = #"""
    {"date":700000000.5,"data":"AQID","url":"https://example.com/a?b=c",
    "uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","decimal":1.25,"dates":[1,2],"maybe":{"a":null,"b":"x:y"}}
    """#
}

/// Defaults by hand, and decoders asked for twice.
struct Defaults: Sampled {
  let count: Int
  let name: String
  let user: User?
  private enum CodingKeys: String, CodingKey { case count, name, user }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    count = (try? container.decode(Int.self, forKey: .count)) ?? 7
    name =
      try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
        String.self, forKey: .name) ?? "none"
    user = try container.decodeIfPresent(User.self, forKey: .user)
  }
  static let sample = #"{"count":"x","user":{"id":1,"name":"n","email":null}}"#
}

/// A wrapper that is transparent.
struct Transparent<Value: Sampled>: Sampled {
  let value: Value
  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
  static var sample: String { Value.sample }
}

struct Boxed<Value: Sampled>: Sampled {
  let before: Int?
  let value: Value
  let others: [Value]?
  static var sample: String {
    "{\"before\":1,\"value\":\(Value.sample),\"others\":[\(Value.sample)]}"
  }
}

extension Boxed: Encodable where Value: Encodable {}

struct Both<First: Sampled, Second: Sampled>: Sampled {
  let first: First
  let second: Second?
  static var sample: String { "{\"first\":\(First.sample),\"second\":\(Second.sample)}" }
}

extension Array: Sampled where Element: Sampled {
  static var sample: String { "[\(Element.sample),\(Element.sample)]" }
}

extension Optional: Sampled where Wrapped: Sampled {
  static var sample: String { Wrapped.sample }
}

extension Dictionary: Sampled where Key == String, Value: Sampled {
  static var sample: String { "{\"b c\":\(Value.sample)}" }
}

/// Names as `convertFromSnakeCase` needs them.
struct Snake: Sampled, Encodable {
  let userName: String
  let _privateID: Int?
  let address: Address
  let extraValues: [String: Int]
  struct Address: Codable, Equatable, Sendable { let streetName: String }
  static let sample = #"""
    {"user_name":"n","_private_iD":2,"address":{"street_name":"s"},"extra_values":{"kept_key":1}}
    """#
}

private func joined(_ path: [any CodingKey]) -> String {
  path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
}

/// Containers nested in one another, one after the other and at the same time.
struct Nests: Sampled {
  let found: [String]

  private enum Key: String, CodingKey { case a, b, c, x, y }

  init(from decoder: any Decoder) throws {
    let top = try decoder.container(keyedBy: Key.self)
    func once(_ key: Key) throws -> Int? {
      try top.nestedContainer(keyedBy: Key.self, forKey: key).decodeIfPresent(Int.self, forKey: .y)
    }
    let early = [try once(.a), try once(.b)]
    let a = try top.nestedContainer(keyedBy: Key.self, forKey: .a)
    let inner = try a.nestedContainer(keyedBy: Key.self, forKey: .x)
    let b = try top.nestedContainer(keyedBy: Key.self, forKey: .b)
    let user = try top.decode(User.self, forKey: .c)
    let late = try [a, b, inner].map { try $0.decodeIfPresent(Int.self, forKey: .y) }
    found =
      ["\(early)", "\(user)", "\(late)"]
      + [top, a, b, inner].map { container in
        joined(container.codingPath) + ":" + container.allKeys.map(\.rawValue).sorted().joined()
      }
  }
  static let sample = #"""
    {"a":{"x":{"y":1},"y":2},"b":{"y":3,"x":{"y":4}},"c":{"id":1,"name":"n"}}
    """#
}

/// Asks for its path, and for what it is not, before and after its children do.
struct Probe: Sampled {
  let found: [String]
  let children: [Probe]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func trial<Model: Decodable>(_ type: Model.Type) -> String {
      do { return "\(try container.decode(type))" } catch DecodingError.typeMismatch(_, let context)
      {
        return joined(context.codingPath)
      } catch { return "\(decoder.codingPath.count)" }
    }
    let before = trial(Int.self)
    if let list = try? container.decode([Probe].self) {
      children = list
    } else if let table = try? container.decode([String: Probe].self) {
      children = table.sorted { $0.key < $1.key }.map(\.value)
    } else {
      children = []
    }
    found = [before, trial(Bool.self), joined(decoder.codingPath)]
  }
  static let sample = #"[1,[2,{"x":[true,[[]]],"y":null}],{"z":{"z":{"z":4}}},5]"#
}

/// Asks for many keys, in two orders, of which an object has few.
struct Asked: Sampled {
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  static let names = [
    "", "a", "b", "ab", "ba", "aab", "é", "\"", "\\", "a\n", "seven_7", "eight__8",
    "nine____9", "fifteen_bytes__", "sixteen_bytes___", "seventeen_bytes__",
    "a key that is much longer than a key that fits",
  ]

  let found: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    found = try (Asked.names + Asked.names.reversed()).map { name in
      let key = Key(stringValue: name)
      let value = try container.decodeIfPresent(Int.self, forKey: key)
      return "\(container.contains(key)) \(value ?? -1)"
    }
  }
  static let sample = #"{"a":1,"é":2,"\n":3,"eight__8":null,"fifteen_bytes__":5}"#
}

/// The same by keys that are one byte, as the compiler writes them, and more of them than have room at first.
struct AskedByCase: Sampled {
  enum Key: String, CodingKey, CaseIterable {
    case empty = ""
    case a, b, ab, ba, aab
    case accented = "é"
    case quote = "\""
    case backslash = "\\"
    case line = "a\n"
    case seven_7, eight__8, nine____9, fifteen_bytes__, sixteen_bytes___, seventeen_bytes__
    case long = "a key that is much longer than a key that fits"
    // Alike in length, first and last byte.
    case alike = "a1___z"
    case alikeToo = "a2___z"
    case alikeAgain = "a3___z"
    // Called as another.
    case second

    var stringValue: String { self == .second ? "b" : rawValue }
  }

  static let names = Key.allCases.map(\.rawValue)

  let found: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    found = try (Key.allCases + Key.allCases.reversed()).map { key in
      let value = try container.decodeIfPresent(Int.self, forKey: key)
      return "\(container.contains(key)) \(value ?? -1)"
    }
  }
  static let sample = Asked.sample
}
