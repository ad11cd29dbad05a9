// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A model that encodes itself by random calls of an encoder: what a hand-written `encode(to:)` may do, and nothing
// that stops a program in `JSONEncoder`.

import Foundation

indirect enum RandomModel: Encodable, Sendable {
  case nothing
  case scalar(Scalar)
  case transparent(RandomModel)
  case object([Step])
  case array([Step])
  case models([RandomModel])
  case table([String: RandomModel])
  case optional(RandomModel?)
  case failing([Step])
  /// An object or an array as a single value, and then steps in a container of its kind.
  case extended(isObject: Bool, [Step], [Step])

  enum Scalar: Sendable {
    case null, bool(Bool), text(String), double(Double), float(Float), integer(Int), byte(UInt8)
    case wide(Int128), date(Date), data(Data), url(URL), numbers([Double]), texts([String])
  }

  /// One call of a container, or of one nested in it. Keys are for objects only.
  struct Step: Sendable {
    enum Call: Sendable {
      case scalar(Scalar), model(RandomModel)
      /// A nested container, into which some steps are written at once, and others before the outer one's end.
      case nested(isObject: Bool, now: [Step], later: [Step])
      /// An object or an array as a value, and then a nested container for its key.
      case extended(isObject: Bool, [Step], [Step])
      case superEncoder(RandomModel, isLate: Bool)
      /// The object's container, asked for again.
      case again([Step])
    }
    let key: String
    let call: Call
  }

  init(names: [String]) {
    self = .object(names.map { Step(key: $0, call: .scalar(.integer($0.count))) })
  }
}

// MARK: - Making one

extension RandomModel {
  private static let names = ["a", "b", "c", "userName", "iD", "a/b", "é", "\u{1}"]

  /// The same as keys that are one byte, with what steps put before them.
  fileprivate enum Name: String, CodingKey, CaseIterable {
    case a, b, c, userName, iD
    case slashed = "a/b"
    case accented = "é"
    case control = "\u{1}"
    case superA = "super_a"
    case superB = "super_b"
    case superC = "super_c"
    case objectA = "object_a"
    case arrayA = "array_a"
    case objectName = "object_userName"
    case arrayName = "array_userName"
  }

  init(depth: Int, _ random: inout some RandomNumberGenerator) {
    let kind =
      depth == 0 ? Int.random(in: 0...3, using: &random) : Int.random(in: 0...14, using: &random)
    switch kind {
    case 0: self = .nothing
    case 1...3: self = .scalar(Scalar(&random))
    case 4: self = .transparent(RandomModel(depth: depth - 1, &random))
    case 5, 6, 7: self = .object(Self.steps(depth, &random))
    case 8, 9: self = .array(Self.steps(depth, &random))
    case 10: self = .models(Self.some(&random) { RandomModel(depth: depth - 1, &$0) })
    case 11:
      let models = Self.some(&random) {
        (Self.name(&$0), RandomModel(depth: depth - 1, &$0))
      }
      self = .table(Dictionary(models) { one, _ in one })
    case 12:
      self = .optional(Bool.random(using: &random) ? RandomModel(depth: depth - 1, &random) : nil)
    case 13:
      self = .extended(
        isObject: Bool.random(using: &random), Self.steps(depth - 1, &random),
        Self.steps(depth, &random))
    default:
      self =
        Int.random(in: 0..<4, using: &random) == 0
        ? .failing(Self.steps(depth, &random)) : .object(Self.steps(depth, &random))
    }
  }

  private static func name(_ random: inout some RandomNumberGenerator) -> String {
    names.randomElement(using: &random) ?? "a"
  }

  private static func some<Element, Generator: RandomNumberGenerator>(
    _ random: inout Generator, _ make: (inout Generator) -> Element
  ) -> [Element] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&random) }
  }

  /// Nested containers have keys of their own: `JSONEncoder` stops a program that asks for one under the key of
  /// another kind of value.
  private static func steps(_ depth: Int, _ random: inout some RandomNumberGenerator) -> [Step] {
    some(&random) { random in
      let name = name(&random)
      if Int.random(in: 0..<3, using: &random) == 0 && depth > 0 {
        let isObject = Bool.random(using: &random)
        let (first, then) = (steps(depth - 1, &random), steps(depth - 1, &random))
        return Step(
          key: (isObject ? "object_" : "array_") + name,
          call: Int.random(in: 0..<4, using: &random) == 0
            ? .extended(isObject: isObject, first, then)
            : .nested(isObject: isObject, now: first, later: then))
      }
      return Step(key: name, call: call(depth, &random))
    }
  }

  private static func call(_ depth: Int, _ random: inout some RandomNumberGenerator) -> Step.Call {
    let depth = max(depth - 1, 0)
    switch Int.random(in: 0...9, using: &random) {
    case 0...3: return .scalar(Scalar(&random))
    case 4...7: return .model(RandomModel(depth: depth, &random))
    case 8:
      return .superEncoder(RandomModel(depth: depth, &random), isLate: Bool.random(using: &random))
    default: return depth == 0 ? .scalar(.null) : .again(steps(depth, &random))
    }
  }
}

extension RandomModel.Scalar {
  init(_ random: inout some RandomNumberGenerator) {
    let integer = Int(
      truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random))
    let double = [
      Double(bitPattern: random.next()), Double(integer), Double(integer) / 100, .nan, -.infinity,
    ][Int.random(in: 0..<40, using: &random) % 5 % (Bool.random(using: &random) ? 3 : 5)]
    let text = ["", "a/b", "é\n", String(repeating: "long \"text\" ", count: 9)]
    switch Int.random(in: 0...12, using: &random) {
    case 0: self = .null
    case 1: self = .bool(integer & 1 == 0)
    case 2: self = .text(text.randomElement(using: &random) ?? "")
    case 3: self = .double(double)
    case 4: self = .float(Float(bitPattern: UInt32(truncatingIfNeeded: integer)))
    case 5: self = .integer(integer)
    case 6: self = .byte(UInt8(truncatingIfNeeded: integer))
    case 7: self = .wide(Int128(integer) << 40)
    case 8: self = .date(Date(timeIntervalSince1970: Double(integer % 10_000_000_000) / 4))
    case 9: self = .data(Data(text[1].utf8))
    case 10: self = .url(URL(fileURLWithPath: "/x"))
    case 11: self = .numbers([0.5, double])
    default: self = .texts(text)
    }
  }
}

// MARK: - Where it fails

extension RandomModel {
  enum FailingPlace { case direct, nested }

  /// Where encoding this root may fail: numbers that are not finite, errors of models, and a root that encodes nothing.
  func failingPlaces(throwsNonFinite: Bool) -> [FailingPlace] {
    var root = self
    while true {
      switch root {
      case .nothing: return [.direct]
      case .transparent(let inner), .optional(.some(let inner)): root = inner
      default: return places(.direct, throwsNonFinite)
      }
    }
  }

  private func places(_ place: FailingPlace, _ throwsNonFinite: Bool) -> [FailingPlace] {
    func places(_ steps: [Step], _ place: FailingPlace) -> [FailingPlace] {
      steps.flatMap { step -> [FailingPlace] in
        switch step.call {
        case .scalar(let scalar): return scalar.isFinite || !throwsNonFinite ? [] : [place]
        case .model(let model): return model.places(place, throwsNonFinite)
        case .nested(_, let now, let later): return places(now + later, .nested)
        case .extended(_, let first, let then): return places(first, place) + places(then, .nested)
        case .superEncoder(let model, _): return model.places(.nested, throwsNonFinite)
        case .again(let steps): return places(steps, place)
        }
      }
    }
    switch self {
    case .nothing: return []
    case .scalar(let scalar): return scalar.isFinite || !throwsNonFinite ? [] : [place]
    case .transparent(let model): return model.places(place, throwsNonFinite)
    case .object(let steps), .array(let steps): return places(steps, place)
    case .models(let models): return models.flatMap { $0.places(place, throwsNonFinite) }
    case .table(let table): return table.values.flatMap { $0.places(place, throwsNonFinite) }
    case .optional(let model): return model?.places(place, throwsNonFinite) ?? []
    case .failing(let steps): return places(steps, place) + [place]
    case .extended(_, let first, let then): return places(first + then, place)
    }
  }
}

extension RandomModel.Scalar {
  fileprivate var isFinite: Bool {
    switch self {
    case .double(let value): value.isFinite
    case .float(let value): value.isFinite
    case .numbers(let values): values.allSatisfy(\.isFinite)
    default: true
    }
  }
}

// MARK: - Encoding it

extension RandomModel {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .nothing: break
    case .scalar(let scalar):
      var container = encoder.singleValueContainer()
      try scalar.encode {
        try container.encode($0)
      } orNil: {
        try container.encodeNil()
      }
    case .transparent(let model):
      var container = encoder.singleValueContainer()
      try container.encode(model)
    case .object(let steps): try run(steps, in: encoder)
    case .array(let steps): try ArrayWriter(encoder.unkeyedContainer()).run(steps)
    case .models(let models):
      var container = encoder.singleValueContainer()
      try container.encode(models)
    case .table(let table):
      var container = encoder.singleValueContainer()
      try container.encode(table)
    case .optional(let model):
      var container = encoder.singleValueContainer()
      try container.encode(model)
    case .failing(let steps):
      try run(steps, in: encoder)
      throw CocoaError(.coderInvalidValue)
    case .extended(let isObject, let first, let then):
      var container = encoder.singleValueContainer()
      try container.encode(isObject ? RandomModel.object(first) : .array(first))
      try (isObject ? RandomModel.object(then) : .array(then)).encode(to: encoder)
    }
  }
}

extension RandomModel.Scalar {
  func encode(
    _ encode: (any Encodable) throws -> Void, orNil: () throws -> Void
  ) throws {
    switch self {
    case .null: try orNil()
    case .bool(let value): try encode(value)
    case .text(let value): try encode(value)
    case .double(let value): try encode(value)
    case .float(let value): try encode(value)
    case .integer(let value): try encode(value)
    case .byte(let value): try encode(value)
    case .wide(let value): try encode(value)
    case .date(let value): try encode(value)
    case .data(let value): try encode(value)
    case .url(let value): try encode(value)
    case .numbers(let value): try encode(value)
    case .texts(let value): try encode(value)
    }
  }
}

/// Runs steps in an object of the encoder's, by keys of one byte where there are such.
private func run(_ steps: [RandomModel.Step], in encoder: any Encoder) throws {
  if steps.allSatisfy(\.hasName) {
    try ObjectWriter<RandomModel.Name>(encoder).run(steps)
  } else {
    try ObjectWriter<AnyKey>(encoder).run(steps)
  }
}

extension RandomModel.Step {
  fileprivate var hasName: Bool {
    let name = if case .superEncoder = call { "super_" + key } else { key }
    return RandomModel.Name(rawValue: name) != nil && RandomModel.Name(rawValue: key) != nil
  }
}

private final class ObjectWriter<Key: CodingKey> {
  var container: KeyedEncodingContainer<Key>
  let encoder: (any Encoder)?
  private var later: [() throws -> Void] = []

  init(_ encoder: any Encoder) {
    self.encoder = encoder
    container = encoder.container(keyedBy: Key.self)
  }

  init(_ container: KeyedEncodingContainer<Key>) {
    self.container = container
    encoder = nil
  }

  private func key(_ name: String) throws -> Key {
    guard let key = Key(stringValue: name) else { throw CocoaError(.coderInvalidValue) }
    return key
  }

  func run(_ steps: [RandomModel.Step]) throws {
    for step in steps { try run(step) }
    for rest in later { try rest() }
    later = []
  }

  private func run(_ step: RandomModel.Step) throws {
    let key = try key(step.key)
    switch step.call {
    case .scalar(.bool(let value)): try container.encode(value, forKey: key)
    case .scalar(.text(let value)): try container.encode(value, forKey: key)
    case .scalar(.double(let value)): try container.encode(value, forKey: key)
    case .scalar(.float(let value)): try container.encode(value, forKey: key)
    case .scalar(.integer(let value)): try container.encodeIfPresent(value, forKey: key)
    case .scalar(.byte(let value)): try container.encode(value, forKey: key)
    case .scalar(.wide(let value)): try container.encode(value, forKey: key)
    case .scalar(let scalar):
      try scalar.encode {
        try container.encode($0, forKey: key)
      } orNil: {
        try container.encodeNil(forKey: key)
      }
    case .model(let model): try container.encode(model, forKey: key)
    case .nested(true, let now, let rest):
      let nested = ObjectWriter<AnyKey>(
        container.nestedContainer(keyedBy: AnyKey.self, forKey: key))
      try nested.run(now)
      later.append { try nested.run(rest) }
    case .nested(false, let now, let rest):
      let nested = ArrayWriter(container.nestedUnkeyedContainer(forKey: key))
      try nested.run(now)
      later.append { try nested.run(rest) }
    case .extended(true, let first, let then):
      try container.encode(RandomModel.object(first), forKey: key)
      try ObjectWriter<AnyKey>(container.nestedContainer(keyedBy: AnyKey.self, forKey: key))
        .run(then)
    case .extended(false, let first, let then):
      try container.encode(RandomModel.array(first), forKey: key)
      try ArrayWriter(container.nestedUnkeyedContainer(forKey: key)).run(then)
    case .superEncoder(let model, let isLate):
      // `JSONEncoder` adds the member when the super encoder goes, which has to be before the next.
      let inner = container.superEncoder(forKey: try self.key("super_" + step.key))
      if isLate { try container.encodeNil(forKey: key) }
      try model.encode(to: inner)
    case .again(let steps):
      if let encoder { try DecantCodableTests.run(steps, in: encoder) }
    }
  }
}

private final class ArrayWriter {
  var container: any UnkeyedEncodingContainer
  private var later: [() throws -> Void] = []

  init(_ container: any UnkeyedEncodingContainer) { self.container = container }

  func run(_ steps: [RandomModel.Step]) throws {
    for step in steps { try run(step) }
    for rest in later { try rest() }
    later = []
    try container.encode(container.count)
  }

  private func run(_ step: RandomModel.Step) throws {
    switch step.call {
    case .scalar(.bool(let value)): try container.encode(value)
    case .scalar(.text(let value)): try container.encode(value)
    case .scalar(.double(let value)): try container.encode(value)
    case .scalar(.float(let value)): try container.encode(value)
    case .scalar(.integer(let value)): try container.encode(value)
    case .scalar(.byte(let value)): try container.encode(contentsOf: [value])
    case .scalar(.wide(let value)): try container.encode(value)
    case .scalar(let scalar):
      try scalar.encode {
        try container.encode($0)
      } orNil: {
        try container.encodeNil()
      }
    case .model(let model): try container.encode(model)
    case .nested(true, let now, let rest):
      let nested = ObjectWriter<AnyKey>(container.nestedContainer(keyedBy: AnyKey.self))
      try nested.run(now)
      later.append { try nested.run(rest) }
    case .nested(false, let now, let rest):
      let nested = ArrayWriter(container.nestedUnkeyedContainer())
      try nested.run(now)
      later.append { try nested.run(rest) }
    case .superEncoder(let model, _): try model.encode(to: container.superEncoder())
    case .extended(let isObject, let first, let then):
      try container.encode(RandomModel.extended(isObject: isObject, first, then))
    case .again: try container.encodeNil()
    }
  }
}
