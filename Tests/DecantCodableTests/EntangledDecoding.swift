// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Random programs that read any decoder and container they have: those of values that are being decoded, or were, or could
// not be, and those nested in them. Errors are dropped, or thrown further on. `JSONDecoder` and `DecantDecoder` run the
// same ones, and all that these say is compared.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

private let programKey = CodingUserInfoKey(rawValue: "program")

/// The decoders and containers that a program has, and what it does next.
private final class Program: @unchecked Sendable {
  private var random: SeededRandom
  /// Those of the values that are being decoded. `JSONDecoder` gives all values one decoder, and so only the last one is
  /// at its value.
  private var decoders: [any Decoder] = []
  private var objects: [KeyedDecodingContainer<AnyKey>] = []
  private var typedObjects: [KeyedDecodingContainer<Name>] = []
  private var arrays: [any UnkeyedDecodingContainer] = []
  private var left = 60
  private var depth = 0
  /// What was asked and answered.
  private(set) var log = ""

  static let names = ["a", "b", "userName", "longNameOfMany", "d"]
  fileprivate enum Name: String, CodingKey, CaseIterable { case a, b, userName, longNameOfMany, d }

  init(_ random: SeededRandom) { self.random = random }

  private struct Failure: Error {}

  /// Decodes one value, and keeps what it was given.
  func decode(from decoder: any Decoder) throws {
    depth += 1
    defer { depth -= 1 }
    note("value", path(decoder.codingPath))
    decoders.append(decoder)
    defer { decoders.removeLast() }
    try attempt("container") { try self.take(decoder) }
    for _ in 0..<Int.random(in: 0...6, using: &random) { try step() }
    if Int.random(in: 0..<8, using: &random) == 0 {
      note("fails")
      throw Failure()
    }
  }

  /// A few more calls, after all is decoded.
  func goOn() { for _ in 0..<20 { try? step() } }

  // MARK: What is noted

  private func note(_ text: String...) {
    log += "\n" + String(repeating: "  ", count: depth) + text.joined(separator: " ")
  }

  private func path(_ path: [any CodingKey]) -> String {
    path.map { "\($0.stringValue)#\($0.intValue.map(String.init) ?? "")" }.joined(separator: "/")
  }

  private func text(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .typeMismatch(let type, let why)?: "mismatch \(type) at \(path(why.codingPath))"
    case .valueNotFound(let type, let why)?: "no value \(type) at \(path(why.codingPath))"
    case .keyNotFound(let key, let why)?: "no key \(key.stringValue) at \(path(why.codingPath))"
    case .dataCorrupted(let why)?: "corrupted at \(path(why.codingPath))"
    default: "\(type(of: error))"
    }
  }

  private func attempt<Result>(_ call: String, _ body: () throws -> Result) throws {
    do { note(call, "\(try body())") } catch {
      note(call, text(error))
      if Int.random(in: 0..<6, using: &random) == 0 { throw error }
    }
  }

  // MARK: Steps

  /// A place, rather the last ones.
  private func place(_ count: Int) -> Int {
    max(
      0, count - 1 - Int.random(in: 0...2, using: &random) * Int.random(in: 0...2, using: &random))
  }

  private func step() throws {
    guard left > 0, depth < 7 else { return }
    left -= 1
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try stepInDecoder()
    case 1, 2, 3: try stepInObject()
    case 4, 5: try stepInTypedObject()
    default: try stepInArray()
    }
  }

  /// A container of the decoder's, or its single value.
  private func take(_ decoder: any Decoder) throws -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: objects.append(try decoder.container(keyedBy: AnyKey.self))
    case 2, 3, 4: typedObjects.append(try decoder.container(keyedBy: Name.self))
    case 5, 6: arrays.append(try decoder.unkeyedContainer())
    default:
      let value = try decoder.singleValueContainer()
      if value.decodeNil() { return "nil" }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return "\(try value.decode(Int.self))"
      case 1: return try value.decode(String.self)
      case 2: return "\(try value.decode([Bool].self).count)"
      case 3: return "\(try value.decode(Double.self))"
      default: _ = try value.decode(Value.self)
      }
    }
    return ""
  }

  private func stepInDecoder() throws {
    guard let decoder = decoders.last else { return }
    note("decoder", path(decoder.codingPath))
    try attempt("take") { try take(decoder) }
  }

  private func stepInObject() throws {
    if objects.isEmpty { return }
    let place = place(objects.count)
    let name = Self.names.randomElement(using: &random) ?? "a"
    note("object", "\(place)", path(objects[place].codingPath), name)
    try step(in: objects[place], AnyKey(name))
  }

  private func stepInTypedObject() throws {
    if typedObjects.isEmpty { return }
    let place = place(typedObjects.count)
    let name = Name.allCases.randomElement(using: &random) ?? .a
    note("typed object", "\(place)", path(typedObjects[place].codingPath), name.rawValue)
    try step(in: typedObjects[place], name)
  }

  private func step<Key: CodingKey>(in object: KeyedDecodingContainer<Key>, _ key: Key) throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: note("contains", "\(object.contains(key))")
    case 1: note("keys", object.allKeys.map(\.stringValue).sorted().joined(separator: " "))
    case 2: try attempt("nil") { try object.decodeNil(forKey: key) }
    case 3: try attempt("Int") { try object.decode(Int.self, forKey: key) }
    case 4: try attempt("String") { try object.decode(String.self, forKey: key) }
    case 5: try attempt("UInt8?") { try object.decodeIfPresent(UInt8.self, forKey: key) as Any }
    case 6: try attempt("Double?") { try object.decodeIfPresent(Double.self, forKey: key) as Any }
    case 7: try attempt("[Int]") { try object.decode([Int].self, forKey: key) }
    case 8: try attempt("[Value]") { try object.decode([Value].self, forKey: key).count }
    case 9:
      try attempt("Value?") { try object.decodeIfPresent(Value.self, forKey: key) == nil }
    case 10, 11: try attempt("Value") { _ = try object.decode(Value.self, forKey: key) }
    case 12:
      try attempt("object") {
        objects.append(try object.nestedContainer(keyedBy: AnyKey.self, forKey: key))
      }
    case 13:
      try attempt("typed object") {
        typedObjects.append(try object.nestedContainer(keyedBy: Name.self, forKey: key))
      }
    case 14:
      try attempt("array") { arrays.append(try object.nestedUnkeyedContainer(forKey: key)) }
    default:
      try attempt("super") {
        let isNamed = Bool.random(using: &random)
        return try take(isNamed ? object.superDecoder(forKey: key) : object.superDecoder())
      }
    }
  }

  // A copy would advance by itself. A value that is being decoded may advance the array too.
  private func stepInArray() throws {
    if arrays.isEmpty { return }
    let place = place(arrays.count)
    let array = arrays[place]
    note("array", "\(place)", path(array.codingPath), "\(array.currentIndex)", "\(array.isAtEnd)")
    switch Int.random(in: 0..<10, using: &random) {
    case 0: note("count", "\(array.count ?? -1)")
    case 1: try attempt("nil") { try arrays[place].decodeNil() }
    case 2: try attempt("Int") { try arrays[place].decode(Int.self) }
    case 3: try attempt("String?") { try arrays[place].decodeIfPresent(String.self) as Any }
    case 4: try attempt("Bool") { try arrays[place].decode(Bool.self) }
    case 5, 6:
      try attempt("Value") {
        var array = arrays[place]
        defer { arrays[place] = array }
        _ = try array.decode(Value.self)
      }
    case 7:
      try attempt("object") {
        objects.append(try arrays[place].nestedContainer(keyedBy: AnyKey.self))
      }
    case 8: try attempt("array") { arrays.append(try arrays[place].nestedUnkeyedContainer()) }
    default: try attempt("super") { try take(arrays[place].superDecoder()) }
    }
  }
}

private struct Value: Decodable {
  init(from decoder: any Decoder) throws {
    guard let programKey, let program = decoder.userInfo[programKey] as? Program else { return }
    try program.decode(from: decoder)
  }
}

@Suite("Entangled decoding")
struct EntangledDecoding {
  /// An object or an array of some depth, with keys that the programs ask for, as a strategy converts them. All numbers fit
  /// all types: models of `JSONDecoder` see an error of its own for one that does not.
  private func document(_ depth: Int, _ snakes: Bool, _ random: inout SeededRandom) -> String {
    let kind = Int.random(in: 0..<(depth == 0 ? 6 : 14), using: &random)
    if kind < 6 {
      return ["7", "-0", "255", #""text""#, "null", "true"][kind]
    }
    if kind < 9 {
      let count = Int.random(in: 0...4, using: &random)
      let elements = (0..<count).map { _ in document(depth - 1, snakes, &random) }
      return "[\(elements.joined(separator: ","))]"
    }
    let names = snakes ? ["a", "b", "user_name", "long_name_of_many", "d"] : Program.names
    let members = names.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
      .map { "\"\($0)\":\(document(depth - 1, snakes, &random))" }
    return "{\(members.joined(separator: ","))}"
  }

  @Test("random programs read any container they have", arguments: [false, true])
  func programs(snakes: Bool) throws {
    let key = try #require(programKey)
    var random = SeededRandom(printing: "entangled decoding")
    let decant = DecantDecoder()
    if snakes { decant.keyDecodingStrategy = .convertFromSnakeCase }
    for _ in 0..<rounds(1500) {
      let json = document(4, snakes, &random)
      func log(_ decode: (Program) throws -> Void) -> String {
        let program = Program(random)
        let hasFailed = (try? decode(program)) == nil
        // What `JSONDecoder` leaves of a document that failed reads memory that is gone.
        if !hasFailed { program.goOn() }
        return program.log + "\nfailed: \(hasFailed)"
      }
      let expected = log {
        let foundation = JSONDecoder()
        if snakes { foundation.keyDecodingStrategy = .convertFromSnakeCase }
        foundation.userInfo[key] = $0
        _ = try foundation.decode(Value.self, from: Data(json.utf8))
      }
      // The second program finds what the first one has left in the decoder.
      for _ in 0..<2 {
        let found = log { _ = try decant.decode(Value.self, from: json, userInfo: [key: $0]) }
        #expect(found == expected, "\(json)\n\(firstDifference(found, expected))")
        if found != expected { return }
      }
      _ = random.next()
    }
  }

  private func firstDifference(_ found: String, _ expected: String) -> String {
    let (found, expected) = (found.split(separator: "\n"), expected.split(separator: "\n"))
    let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let end = place ?? min(found.count, expected.count)
    return found.prefix(end + 1).joined(separator: "\n") + "\nJSONDecoder:\n"
      + (end < expected.count ? String(expected[end]) : "the end")
  }
}
