// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Random programs that write to any container they have: those of values that are being encoded, or were, or could not
// be. `JSONEncoder` and `DecantEncoder` run the same ones.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

/// The containers that a program has, and what it does next.
private final class Program: @unchecked Sendable {
  private var random: SeededRandom
  private var objects: [KeyedEncodingContainer<AnyKey>] = []
  private var typedObjects: [KeyedEncodingContainer<Name>] = []
  private var arrays: [any UnkeyedEncodingContainer] = []
  private var left: Int
  fileprivate var depth = 0
  /// Whether containers are written to whose values are complete.
  private let keeps: Bool
  private let fails: Bool
  private let asksAgain: Bool
  /// What was done, for whoever has to find out why the texts differ.
  private(set) var log = ""

  fileprivate enum Name: String, CodingKey, CaseIterable { case a, b, c, d }

  init(_ random: SeededRandom, keeps: Bool, fails: Bool, asksAgain: Bool) {
    self.random = random
    left = 30
    (self.keeps, self.fails, self.asksAgain) = (keeps, fails, asksAgain)
  }

  /// Encodes one value.
  func encode(to encoder: any Encoder) throws {
    depth += 1
    let (objectCount, typedCount, arrayCount) = (objects.count, typedObjects.count, arrays.count)
    defer {
      depth -= 1
      if !keeps {
        objects.removeSubrange(objectCount...)
        typedObjects.removeSubrange(typedCount...)
        arrays.removeSubrange(arrayCount...)
      }
    }
    let kind = Int.random(in: 0..<8, using: &random)
    note("value of kind \(kind)")
    switch kind {
    case 0:
      var container = encoder.singleValueContainer()
      try container.encode(left)
    case 1:
      var container = encoder.singleValueContainer()
      try container.encode(Value(self))
    case 2, 3, 4: objects.append(encoder.container(keyedBy: AnyKey.self))
    case 5: typedObjects.append(encoder.container(keyedBy: Name.self))
    default: arrays.append(encoder.unkeyedContainer())
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) { try step() }
    if fails && Int.random(in: 0..<6, using: &random) == 0 {
      note("fails")
      throw CocoaError(.coderInvalidValue)
    }
  }

  /// What writes to containers of complete values goes on, although that fails.
  private func step() throws {
    do { try stepAnywhere() } catch { if !keeps || !(error is EncodingError) { throw error } }
  }

  private func stepAnywhere() throws {
    guard left > 0, depth < 7 else { return }
    left -= 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0: try stepInObject()
    case 1: try stepInTypedObject()
    default: try stepInArray()
    }
  }

  /// A place, rather the last ones.
  private func place(_ count: Int) -> Int {
    let distance =
      Int.random(in: 0...2, using: &random) * Int.random(in: 0...2, using: &random)
    return max(0, count - 1 - distance)
  }

  private func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch { if !fails { throw error } }
  }

  private func note(_ text: String) {
    log += "\n" + String(repeating: "  ", count: depth) + text
  }

  private func stepInObject() throws {
    if objects.isEmpty { return }
    let place = place(objects.count)
    var object = objects[place]
    let name = ["a", "b", "é", "long name that is longer"].randomElement(using: &random) ?? "a"
    let call = Int.random(in: 0..<8, using: &random)
    note("object \(place) of \(objects.count), call \(call), key \(name), \(left)")
    switch call {
    case 0, 1: try object.encode(left, forKey: AnyKey(name))
    case 2, 3:
      // What a value under this key would become is a container later.
      let key = AnyKey("value_" + name)
      try attempt { try object.encode(Value(self), forKey: key) }
    case 4:
      let key = AnyKey("object_" + (asksAgain ? name : "\(left)"))
      if asksAgain, Bool.random(using: &random) { try object.encode(["x": left], forKey: key) }
      objects.append(object.nestedContainer(keyedBy: AnyKey.self, forKey: key))
    case 5:
      let key = AnyKey("array_" + (asksAgain ? name : "\(left)"))
      if asksAgain, Bool.random(using: &random) { try object.encode([left], forKey: key) }
      arrays.append(object.nestedUnkeyedContainer(forKey: key))
    case 6: try object.encode([name: [left]], forKey: AnyKey("table_" + name))
    default: try Value(self).encode(to: object.superEncoder(forKey: AnyKey("super_\(left)")))
    }
  }

  private func stepInTypedObject() throws {
    if typedObjects.isEmpty { return }
    let place = place(typedObjects.count)
    var object = typedObjects[place]
    let name = [Name.a, .b].randomElement(using: &random) ?? .a
    let call = Int.random(in: 0..<4, using: &random)
    note("typed object \(place) of \(typedObjects.count), call \(call), key \(name), \(left)")
    switch call {
    case 0: try object.encode("text \(left)", forKey: name)
    case 1: try object.encode(Value(self), forKey: name)
    case 2:
      if asksAgain { objects.append(object.nestedContainer(keyedBy: AnyKey.self, forKey: .c)) }
    default:
      if asksAgain { arrays.append(object.nestedUnkeyedContainer(forKey: .d)) }
    }
  }

  private func stepInArray() throws {
    if arrays.isEmpty { return }
    let place = place(arrays.count)
    let call = Int.random(in: 0..<6, using: &random)
    note("array \(place) of \(arrays.count), call \(call), \(left)")
    // A copy would count by itself.
    switch call {
    case 0, 1: try arrays[place].encode(left)
    case 2, 3:
      var array = arrays[place]
      try attempt { try array.encode(Value(self)) }
    case 4: objects.append(arrays[place].nestedContainer(keyedBy: AnyKey.self))
    default: arrays.append(arrays[place].nestedUnkeyedContainer())
    }
  }
}

private struct Value: Encodable {
  let program: Program
  init(_ program: Program) { self.program = program }
  func encode(to encoder: any Encoder) throws { try program.encode(to: encoder) }
}

@Suite("Entangled encoding")
struct EntangledEncoding {
  /// A member whose value, while it is encoded, gives its object another one.
  private struct Interrupted: Encodable {
    struct Member: Encodable {
      let interrupt: () throws -> Void

      func encode(to encoder: any Encoder) throws {
        try interrupt()
        try 1.encode(to: encoder)
      }
    }

    func encode(to encoder: any Encoder) throws {
      let object = encoder.container(keyedBy: Program.Name.self)
      var outer = object
      let member = Member {
        var outer = object
        try outer.encode([1], forKey: .b)
      }
      try outer.encode(member, forKey: .a)
      var list = outer.nestedUnkeyedContainer(forKey: .b)
      try list.encode(2)
    }
  }

  @Test("a list that was encoded while another member was goes on")
  func interruptions() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let expected = try String(decoding: encoder.encode(Interrupted()), as: UTF8.self)
    let ours = DecantEncoder()
    ours.outputFormatting = .sortedKeys
    let text: [UInt8] = try ours.encode(Interrupted())
    #expect(String(decoding: text, as: UTF8.self) == expected)
    #expect(expected == #"{"a":1,"b":[1,2]}"#)
  }

  @Test("random programs write to any container they have", arguments: [false, true])
  func programs(asksAgain: Bool) {
    var random = SeededRandom(printing: "entangled programs")
    for _ in 0..<rounds(1000) {
      _ = random.next()
      var log = ""
      func text(_ encode: (Value) throws -> Data) -> String? {
        let program = Program(random, keeps: false, fails: false, asksAgain: asksAgain)
        defer { log = program.log }
        return (try? encode(Value(program))).map { String(decoding: $0, as: UTF8.self) }
      }
      for format in [2, 3] as [UInt] {
        let foundation = JSONEncoder(), decant = DecantEncoder()
        foundation.outputFormatting = .init(rawValue: format)
        decant.outputFormatting = .init(rawValue: format)
        let expected = text { try foundation.encode($0) }
        for _ in 0..<2 {
          let found = text { try decant.encode($0) }
          #expect(found == expected, "\(log)")
          if found != expected { return }
        }
      }
    }
  }

  @Test("random programs of which values fail have one text", arguments: [false, true])
  func failures(keeps: Bool) throws {
    // `JSONEncoder` stops many of these programs.
    var random = SeededRandom(printing: "entangled failures")
    var texts = 0
    for _ in 0..<rounds(1000) {
      _ = random.next()
      var first: String?
      let encoder = DecantEncoder()
      for format in [0, 1, 2, 0] as [UInt] {
        let program = Program(random, keeps: keeps, fails: true, asksAgain: true)
        encoder.outputFormatting = .init(rawValue: format)
        guard let bytes = try? encoder.encode(Value(program)) as [UInt8] else { continue }
        let value = try JSONValue(parsing: bytes, options: DecodingOptions(duplicateKeys: .reject))
        let text = value.jsonText(JSONWritingOptions(sortsKeys: true))
        #expect(first == nil || text == first, "\(program.log)")
        first = text
        texts += 1
      }
    }
    #expect(texts > rounds(1000))
  }
}
