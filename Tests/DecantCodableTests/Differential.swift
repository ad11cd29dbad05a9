// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The same models and documents through `JSONDecoder` and `DecantDecoder`: the value is the same, or the
// error's case, type and path are. Documents are the models' samples, and samples in which something was
// replaced, left out or doubled; the seed is printed.
//
// The differences on purpose are in OnPurpose.swift and in the documentation.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

/// What became of a document.
enum Outcome<Model: Equatable>: Equatable {
  case model(Model)
  case failure(kind: String, detail: String, path: [String])

  init(_ body: () throws -> Model) {
    do { self = .model(try body()) } catch let error as DecodingError {
      self = .failure(error)
    } catch {
      self = .failure(kind: "other", detail: "\(error)", path: [])
    }
  }

  private static func failure(_ error: DecodingError) -> Outcome {
    let (kind, detail, context) =
      switch error {
      case .typeMismatch(let type, let context): ("typeMismatch", "\(type)", context)
      case .valueNotFound(let type, let context): ("valueNotFound", "\(type)", context)
      case .keyNotFound(let key, let context): ("keyNotFound", key.stringValue, context)
      case .dataCorrupted(let context): ("dataCorrupted", "", context)
      @unknown default: fatalError("a new case of DecodingError")
      }
    return .failure(
      kind: kind, detail: detail,
      path: context.codingPath.map { "\($0.stringValue)#\($0.intValue.map(String.init) ?? "")" })
  }

  /// Numbers that no type can hold are corrupt data without a path in `JSONDecoder`, and with one here.
  func agrees(with other: Outcome) -> Bool {
    if case .failure("dataCorrupted", _, _) = self, case .failure("dataCorrupted", _, _) = other {
      return true
    }
    return self == other
  }

  /// Whether both failed at different members of one dictionary, whose order is the document's here and
  /// random in `JSONDecoder`.
  func failsBeside(_ other: Outcome, in json: String) -> Bool {
    guard case .failure(_, _, let path) = self, case .failure(_, _, let otherPath) = other,
      let place = zip(path, otherPath).enumerated().first(where: { $0.1.0 != $0.1.1 })?.offset,
      var value = try? JSONValue(parsing: json)
    else { return false }
    for step in path[..<place] {
      let parts = step.split(separator: "#", omittingEmptySubsequences: false)
      value = value.array != nil ? value[Int(parts[1]) ?? 0] : value[String(parts[0])]
    }
    let names = [path[place], otherPath[place]].map { String($0.prefix { $0 != "#" }) }
    return names.allSatisfy { value[$0].exists }
  }

  /// The document without the member at which this failed; nil if it failed at none.
  func documentWithoutMember(_ json: String) -> String? {
    guard case .failure(_, _, let path) = self, let document = try? JSONValue(parsing: json)
    else { return nil }
    return Self.text(of: document, without: path[...])
  }

  private static func text(of value: JSONValue, without path: ArraySlice<String>) -> String? {
    guard let step = path.first else { return nil }
    let parts = step.split(separator: "#", omittingEmptySubsequences: false)
    let rest = path.dropFirst()
    if let elements = value.array {
      guard let place = Int(parts[1]), elements.indices.contains(place),
        let shorter = text(of: elements[place], without: rest)
      else { return nil }
      var texts = elements.map { $0.text() }
      texts[place] = shorter
      return "[\(texts.joined(separator: ","))]"
    }
    guard let members = value.members else { return nil }
    let texts = members.compactMap { key, member in
      (key == parts[0] ? text(of: member, without: rest) : member.text()).map {
        "\(JSONValue(key).text()):\($0)"
      }
    }
    return "{\(texts.joined(separator: ","))}"
  }
}

struct Contest: Sendable {
  let name: String
  let sample: String
  /// Nil if both agree; what they say otherwise.
  let difference: @Sendable (String) -> String?

  init<Model: Sampled>(
    _ type: Model.Type, _ foundation: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() },
    _ decant: @escaping @Sendable () -> DecantDecoder = { DecantDecoder() }
  ) {
    name = "\(type)"
    sample = Model.sample
    // One decoder for all documents, so that what it keeps between them is tried too.
    let shared = decant()
    difference = { json in
      func outcomes(_ json: String) -> (expected: Outcome<Model>, found: Outcome<Model>) {
        (
          Outcome { try foundation().decode(Model.self, from: Data(json.utf8)) },
          Outcome { try shared.decode(Model.self, from: json) }
        )
      }
      let (expected, found) = outcomes(json)
      if found.failsBeside(expected, in: json) { return nil }
      // A number that no type can hold has no path there: without the member of ours, both fail at it.
      let corrupted = Outcome<Model>.failure(kind: "dataCorrupted", detail: "", path: [])
      if expected == corrupted, let rest = found.documentWithoutMember(json) {
        let (expected, found) = outcomes(rest)
        if expected == corrupted, found.agrees(with: corrupted) { return nil }
      }
      return found.agrees(with: expected) ? nil : "JSONDecoder: \(expected)\nDecant: \(found)"
    }
  }

  /// The model alone and inside others.
  static func family<Model: Sampled>(_ type: Model.Type) -> [Contest] {
    [
      Contest(Model.self), Contest([Model].self), Contest(Model?.self), Contest([Model?].self),
      Contest([String: Model].self), Contest(Boxed<Model>.self), Contest(Transparent<Model>.self),
      Contest([Boxed<Model>].self), Contest(Both<Model, User>.self),
      Contest(Both<Branch, [Model]>.self), Contest([String: [Model]].self),
    ]
  }

  static let all: [Contest] =
    family(Scalars.self) + family(Optionals.self) + family(User.self) + family(Group.self)
    + family(Branch.self) + family(Meal.self) + family(Level.self) + family(Shape.self)
    + family(Drawing.self) + family(Dog.self) + family(Cat.self) + family(Bird.self)
    + family(Flat.self) + family(Mixed.self) + family(Widths.self) + family(PastEnd.self)
    + family(Keys.self) + family(Any3.self) + family(Dictionaries.self) + family(Collections.self)
    + family(FoundationTypes.self) + family(Defaults.self) + family(Nests.self) + family(Probe.self)
    + [Contest(Asked.self), Contest(AskedByCase.self)]
}

extension Contest: CustomTestStringConvertible {
  var testDescription: String { name }
}

@Suite("Codable against JSONDecoder")
struct Differential {
  @Test("models decode from their samples as in JSONDecoder", arguments: Contest.all)
  func samples(_ contest: Contest) {
    #expect(contest.difference(contest.sample) == nil)
  }

  @Test("a decoder of an absent member has null, for every type")
  func absentMembers() {
    struct FromAbsent<Value: Decodable & Equatable & Sendable>: Sampled {
      private enum Key: String, CodingKey { case value }
      let value: Value
      init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        value = try Value(from: members.superDecoder(forKey: .value))
      }
      static var sample: String { "{}" }
    }
    let contests = [
      Contest(FromAbsent<Bool>.self), Contest(FromAbsent<Int>.self),
      Contest(FromAbsent<Double>.self), Contest(FromAbsent<String>.self),
      Contest(FromAbsent<[Int]>.self), Contest(FromAbsent<Int?>.self),
      Contest(FromAbsent<User>.self),
    ]
    for contest in contests {
      for json in ["{}", #"{"value":null}"#] {
        let difference = contest.difference(json)
        #expect(difference == nil, "\(contest.name)\n\(json)\n\(difference ?? "")")
      }
    }
  }

  @Test("mutilated samples give JSONDecoder's value, or its error at its path")
  func mutations() throws {
    var random = SeededRandom(printing: "mutilated samples")
    for contest in Contest.all {
      let tree = try JSONValue(parsing: contest.sample)
      for _ in 0..<rounds(60) {
        let json = Mutation.mutated(tree, &random)
        let difference = contest.difference(json)
        #expect(difference == nil, "\(contest.name)\n\(json)\n\(difference ?? "")")
      }
    }
  }

  @Test("keys are found in objects of any keys as in JSONDecoder")
  func objects() {
    let contests = [
      (Contest([Asked].self), Asked.names), (Contest([AskedByCase].self), AskedByCase.names),
    ]
    var random = SeededRandom(printing: "objects of any keys")
    for (contest, names) in contests {
      for _ in 0..<rounds(500) {
        let json = objects(of: names, &random)
        let difference = contest.difference(json)
        #expect(difference == nil, "\(contest.name)\n\(json)\n\(difference ?? "")")
      }
    }
  }

  /// A few objects, each with some of the keys and some others, in any order, some of them twice.
  private func objects(of names: [String], _ random: inout SeededRandom) -> String {
    let objects = (0...Int.random(in: 0...4, using: &random)).map { _ in
      let chance = Double.random(in: 0...1, using: &random)
      var keys = names.filter { _ in Double.random(in: 0...1, using: &random) < chance }
      if Bool.random(using: &random) { keys.shuffle(using: &random) }
      if Bool.random(using: &random) { keys += keys.prefix(2) }
      if Bool.random(using: &random) { keys += ["other", "b2", ""] }
      let members = keys.map { key in
        let value = Int.random(in: -1...9, using: &random)
        return JSONValue(key).description + (value < 0 ? ":null" : ":\(value)")
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  @Test("keys of objects that change convert as in JSONDecoder")
  func changingKeys() {
    struct Row: Sampled {
      let userId: Int?
      let userName: Int?
      let x: Int?
      let _x: Int?
      let longerNameOfMember: Int?
      static let sample = "{}"
    }
    let contest = Contest(
      [Row].self,
      {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
      },
      {
        let decoder = DecantDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
      })
    let names = [
      "user_id", "userId", "user_name", "x", "_x", "longer_name_of_member", "of_no_use",
    ]
    var random = SeededRandom(printing: "objects that change")
    for _ in 0..<rounds(500) {
      let json = objects(of: names, &random)
      let difference = contest.difference(json)
      #expect(difference == nil, "\(json)\n\(difference ?? "")")
    }
  }

  @Test("keys convert as in JSONDecoder")
  func keys() throws {
    struct Plain: Sampled {
      let keys: [String]
      struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      init(from decoder: any Decoder) throws {
        keys = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted()
      }
      static let sample = "{}"
    }
    let contest = Contest(
      Plain.self,
      {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
      },
      {
        let decoder = DecantDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
      })
    var random = SeededRandom(printing: "snake case")
    let letters: [Character] = [
      "a", "B", "_", "_", "_", "1", "é", "ß", "-", " ", "'", "ǆ", "x", ".", "İ",
    ]
    for _ in 0..<rounds(3000) {
      let key = String(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? "a"
        })
      let json = JSONValue(members: [(key, JSONValue(1))]).description
      let difference = contest.difference(json)
      #expect(difference == nil, "\(json)\n\(difference ?? "")")
    }
  }
}
