// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of every shape that Codable knows, and random ones, through `JSONEncoder` and `DecantEncoder`.

import Decant
import DecantTestSupport
import Foundation
import Testing

private struct Nothing: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {}
}

private struct Empty: Encodable, Sendable {}

private struct Empties: Encodable, Sendable {
  let a = Nothing(), b: [Int] = [], c: [String: Int] = [:], d = Empty(), e: [Nothing?] = [nil]
}

private struct Number<Value: Encodable & Sendable>: Encodable, Sendable { let x: Value }

private enum Key: String, CodingKey { case a, b, c }

private enum Size: String, Encodable, Sendable, CodingKeyRepresentable { case veryLarge, small }

private enum Event: Encodable, Sendable {
  case opened(Int, byUser: String), closed, moved(toPlace: Int?)
}

private struct Names: Encodable, Sendable {
  var aBC = 1, oneTwoThree = 2, _private = 3, myURLProperty = 4, a1B = 5, ABD = 6, URLx = 7
  var aB_cD = 8, xé = 9, aÉb = 10, trailing_ = 11, __ = 12, iOS = 13, a = 14, myU = 15
  var names = ["aB": 1, "b/c": 2], places = [1: Number(x: 1.5)], sizes = [Size.veryLarge: 1]
}

private struct Foundations: Encodable, Sendable {
  var date = Date(timeIntervalSince1970: 1.5), none: Date?, early: Date? = Date.distantPast
  var data = Data([1, 2, 255]), id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
  var url = URL(string: "https://example.com/a?b=c"), dates = [Date(timeIntervalSince1970: -0.5)]
  var decimals = [Decimal(string: "123456789012345678901234567890"), Decimal(string: "-1.50")]
  var table = ["k": Data()], any = [AnyModel(Date.distantPast), AnyModel(Data([7]))]
}

/// Encodes another value by its own `encode(to:)`, past all strategies.
private struct AnyModel: Encodable, Sendable {
  let model: any Encodable & Sendable
  init(_ model: any Encodable & Sendable) { self.model = model }
  func encode(to encoder: any Encoder) throws { try model.encode(to: encoder) }
}

private class Vehicle: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("vehicle", forKey: .a)
    try container.encode(1, forKey: .b)
  }
}

/// Adds to its superclass's object, and replaces a member of it.
private final class Car: Vehicle {
  private enum CarKey: String, CodingKey { case a, wheels }
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CarKey.self)
    try container.encode(["long"], forKey: .wheels)
    try container.encode("car", forKey: .a)
  }
}

private final class Bicycle: Vehicle {
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try super.encode(to: container.superEncoder())
    _ = container.superEncoder(forKey: .c)
    try container.encode(9, forKey: .a)
  }
}

/// Nested containers that are written to by turns.
private struct Interleaved: Encodable, Sendable {
  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: Key.self)
    var list = outer.nestedUnkeyedContainer(forKey: .a)
    var object = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
    let later = outer.superEncoder(forKey: .c)
    for (index, key) in [Key.a, .b, .c].enumerated() {
      try list.encode(Number(x: index))
      var inner = list.nestedContainer(keyedBy: Key.self)
      try inner.encode(index, forKey: .a)
      try list.encode("between")
      try inner.encode([index], forKey: .b)
      try object.encode(Number(x: "t"), forKey: key)
    }
    var again = outer.nestedContainer(keyedBy: Key.self, forKey: .b)
    try again.encode(Empty(), forKey: .a)
    var value = later.singleValueContainer()
    try value.encode(["late": [1]])
  }
}

private let values: [any Encodable & Sendable] = [
  Nothing(), [Nothing()], Empty(), Empties(), [Empties()], 1, "a", true, 1.5, nil as Int?,
  [nil, 1] as [Int?], ["a": nil as [Int]?], [[]] as [[Int]], [[1], []], [["a": [1.5]]],
  [[[1.5]], [[]]], [true, false], [1.5, .nan], [[0.5], [.infinity]], [Float(0.1), -.infinity],
  Number(x: Double.nan), [Number(x: -Double.infinity)], ["k": [Number(x: Float.infinity)]],
  [
    1e16, 1e-5, 1e15, 0.0001, 123_456_789_012_345_680, 0.1, -0.0, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude,
  ],
  [Float(1e16), 16_777_216, 0.1, .leastNonzeroMagnitude, 3.4e38], [Int128.max, .min],
  [UInt128.max], [Int8.min], [Int16.min], [Int32.min], [Int.min], [UInt.max], [UInt8.max],
  [UInt16.max], [UInt32.max], [UInt64.max], Set([1]), ContiguousArray([1]),
  ContiguousArray([0.5, .nan]), 1..<3, [JSONPresence.value(Double.nan)],
  [.value(Date.distantPast), .null, .absent] as [JSONPresence<Date>],
  Number(x: Optional(JSONPresence.value(Date.distantPast))), ["k": JSONPresence.value(Data([7]))],
  "a/\u{7f}\u{2028}\u{0}\u{1f}\u{8}\u{c}\n\r\t\"\\é😀" + String(repeating: "x/", count: 40),
  [
    "b": 1, "B": 2, "a10": 3, "a9": 4, "é": 5, "e\u{301}x": 6, "z": 7, "\u{1F600}": 8,
    "\u{FFFD}": 9, "": 0, "a\"": 1, "a#": 2, "a\u{1}": 4, "a": 9,
  ], [1: "a", -2: "b"], [UInt8(1): "a"], [Size.small: 1], Names(), [Names()], Foundations(),
  [Foundations()], [Event.opened(1, byUser: "x"), .closed, .moved(toPlace: nil)],
  ["k": Interleaved()], [Interleaved(), Interleaved()],
]

@Suite("DecantEncoder against JSONEncoder")
struct EncodingDifferential {
  @Test("values of every shape, with every option", arguments: values.indices)
  func shapes(_ index: Int) {
    for options in EncodingOptions.all {
      let difference = difference(values[index], options)
      #expect(difference == nil, "\(values[index])\n\(options)\n\(difference ?? "")")
    }
  }

  @Test("classes that add to their superclass's object, or encode it apart")
  func classes() {
    for value in [[Car(), Vehicle(), Bicycle()], [Bicycle(), Car(), Car()]] as [[Vehicle]] {
      #expect(difference(value) == nil, "\(difference(value) ?? "")")
    }
    #expect(difference(Car()) == nil, "\(difference(Car()) ?? "")")
    #expect(difference(["k": Bicycle()]) == nil, "\(difference(["k": Bicycle()]) ?? "")")
  }

  @Test("random models: every call of every container, in any order")
  func randomModels() {
    var random = SeededRandom(printing: "random models")
    var failed = 0
    for _ in 0..<rounds(2000) {
      let model = RandomModel(depth: 4, &random)
      let options = EncodingOptions.plain.randomElement(using: &random) ?? EncodingOptions()
      // A model that may fail in one place has one error. Of several, either may be reported.
      let places = model.failingPlaces(throwsNonFinite: options.floats == nil)
      let errors: ErrorComparison =
        places.count != 1 ? .none : places[0] == .nested ? .kindAndShorterPath : .kindAndPath
      if places.count == 1 { failed += 1 }
      let difference = difference(model, options, errors: errors)
      #expect(difference == nil, "\(model)\n\(options)\n\(difference ?? "")")
      if difference != nil { return }
    }
    #expect(failed > rounds(50), "too few models with one failure")
  }

  @Test("snake case of random names")
  func snakeCase() {
    var random = SeededRandom(printing: "snake case")
    for _ in 0..<rounds(2000) {
      let names = (0..<3).map { _ in
        String(
          (0..<Int.random(in: 0...7, using: &random)).map { _ in
            "aabbABX_1-é\u{c9}ßÿ\u{1c5}日'".randomElement(using: &random) ?? "a"
          })
      }
      let model = RandomModel(names: Array(Set(names)))
      let difference = difference(model, EncodingOptions(snakes: true))
      #expect(difference == nil, "\(names)\n\(difference ?? "")")
      if difference != nil { return }
    }
  }
}
