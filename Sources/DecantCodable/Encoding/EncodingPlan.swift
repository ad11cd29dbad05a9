// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How values of a type are encoded, decided once per type and session:
//
//   dates, data and what else has a strategy     their own way (StrategyEncodable)
//   [Int], [Double], [[[Double]]], [String], …   loops that are compiled for the type
//   arrays, optionals, dictionaries by string    loops over the element's plan
//   JSONWritable models, scalars                 their `write(to:)`
//   everything else                              `encode(to:)`

internal import DecantCore

class AnyEncodingPlan {}

class EncodingPlan<Value>: AnyEncodingPlan {
  /// Encodes a value in a scope, under the key of its container or at an index, which is written already.
  func encode(
    _ value: Value, _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws { fatalError("every plan encodes") }
}

/// A type with a strategy of its own, or which does not encode as its `encode(to:)` says.
package protocol StrategyEncodable: Encodable {
  func encode(by scope: Scope) throws
}

/// A type of the standard library.
private protocol StandardEncodable {
  static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan
}

func makeEncodingPlan<Value: Encodable>(
  _ type: Value.Type, _ settings: EncodingSettings
) -> AnyEncodingPlan {
  let origin = TypeOrigin(type)
  if origin == .library, let type = type as? any StrategyEncodable.Type {
    func plan<T: StrategyEncodable>(_ type: T.Type) -> AnyEncodingPlan { StrategyEncodingPlan<T>() }
    return plan(type)
  }
  if origin != .program, let type = type as? any StandardEncodable.Type {
    return type.plan(settings)
  }
  if let type = type as? any JSONWritable.Type {
    func plan<T: JSONWritable>(_ type: T.Type) -> AnyEncodingPlan { WritingPlan<T>() }
    return plan(type)
  }
  if origin == .library, let problem = TypeOrigin.problem(of: type) {
    return FailingEncodingPlan<Value>(problem)
  }
  return ModelEncodingPlan<Value>()
}

// MARK: - Models

/// `encode(to:)`.
final class ModelEncodingPlan<Value: Encodable>: EncodingPlan<Value> {
  override func encode(
    _ value: Value, _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    let child = try scope.beginChild(container, index)
    do {
      try child.with {
        // SAFETY: the scope belongs to the chain, and is in use.
        if let borrowed = unsafe $0.borrowed { try unsafe borrowed.pointee.encode(value) }
        if $0.content == .nothing && scope.isBase && $0.isTop {
          throw scope.encodedNothing(value)
        }
      }
    } catch {
      throw scope.failure(of: child, error)
    }
    try scope.endChild(child)
  }
}

final class StrategyEncodingPlan<Value: StrategyEncodable>: EncodingPlan<Value> {
  override func encode(
    _ value: Value, _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    try scope.withChild(container, index) { try value.encode(by: $0) }
  }
}

/// A value that nothing here can encode.
final class FailingEncodingPlan<Value>: EncodingPlan<Value> {
  private let problem: String

  init(_ problem: String) { self.problem = problem }

  override func encode(
    _ value: Value, _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    try scope.withChild(container, index) { throw $0.failure(of: value, problem) }
  }
}

/// `JSONWritable`.
class WritingPlan<Value: JSONWritable>: EncodingPlan<Value> {
  /// Writes the value. Plans for known types have it compiled for the type.
  func write(_ value: Value, to json: inout JSONOutput) { value.write(to: &json) }

  override final func encode(
    _ value: Value, _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    let mark = scope.mark
    // SAFETY: the session owns the state.
    var output = unsafe JSONOutput(scope.state)
    write(value, to: &output)
    if !output.isWritten || scope.state.pointee.hasFailed {
      try explain(value, scope, container, index, mark)
    }
  }

  /// Throws the failure that was noted.
  func explain(
    _ value: Value, _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int,
    _ mark: Scope.Mark
  ) throws { throw scope.failure(of: value, container, index) }
}

// MARK: - Containers

final class OptionalEncodingPlan<Wrapped: Encodable>: EncodingPlan<Wrapped?> {
  override func encode(
    _ value: Wrapped?, _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    if let value { return try scope.encode(value, container, index) }
    scope.state.pointee.buffer.append("null")
  }
}

final class ArrayEncodingPlan<Element: Encodable>: EncodingPlan<[Element]> {
  override func encode(
    _ value: [Element], _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    try scope.withChild(container, index) { array in
      guard array.openArray() else { throw array.tooDeep() }
      let plan = array.session.plan(Element.self)
      // SAFETY: the elements are in memory as such; the session holds the plan of a type under that type.
      try unsafe value.withUnsafeBufferPointer { elements in
        guard let start = elements.baseAddress else { return }
        for place in elements.indices {
          array.state.pointee.separate(after: UInt8(ascii: "["))
          try plan.with {
            try unsafe BorrowedElement.at(start + place).pointee.encode(
              by: unsafeDowncast($0, to: EncodingPlan<Element>.self), array)
          }
          array.count += 1
        }
      }
    }
  }
}

/// Dictionaries by string, whose keys no strategy converts.
final class DictionaryEncodingPlan<Element: Encodable>: EncodingPlan<[String: Element]> {
  override func encode(
    _ value: [String: Element], _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    try scope.withChild(container, index) { object in
      guard object.openObject() else { throw object.tooDeep() }
      let place = NamedPlace(object)
      defer { withExtendedLifetime(place) {} }
      for (name, element) in value {
        place.name = name
        object.begin(distinct: name)
        try unsafe object.encode(element, Reference(place), Scope.noIndex)
      }
    }
  }
}

/// The member that a dictionary is at.
private final class NamedPlace: KeyedPlace {
  var name = ""
  init(_ scope: Scope) { super.init(scope, nil) }
  override var key: any CodingKey { PathKey.name(name) }
}

// MARK: - The standard library's types

extension Optional: StandardEncodable where Wrapped: Encodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    OptionalEncodingPlan<Wrapped>()
  }
}

extension Dictionary: StandardEncodable where Key: Encodable, Value: Encodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    Key.self == String.self
      ? DictionaryEncodingPlan<Value>() : ModelEncodingPlan<[Key: Value]>()
  }
}

extension Set: StandardEncodable where Element: Encodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    ModelEncodingPlan<Set<Element>>()
  }
}

// Strategies reach into what these have, although they can write themselves.

extension JSONPresence: StandardEncodable where Value: Encodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    ModelEncodingPlan<JSONPresence<Value>>()
  }
}
extension LossyArray: StandardEncodable where Element: Encodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    ModelEncodingPlan<LossyArray<Element>>()
  }
}
extension LossyDictionary: StandardEncodable where Key: JSONObjectKey, Value: Encodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    ModelEncodingPlan<LossyDictionary<Key, Value>>()
  }
}

extension Array: StandardEncodable where Element: Encodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    switch Element.self {
    case is Int.Type: return FastEncodingPlan<Int> { $0.write(to: &$1) }
    case is String.Type: return FastEncodingPlan<String> { $0.write(to: &$1) }
    case is [Int].Type: return FastEncodingPlan<[Int]> { $0.write(to: &$1) }
    default: break
    }
    // Numbers that are not finite may have a strategy.
    guard settings.floats.isThrow else { return ArrayEncodingPlan<Element>() }
    switch Element.self {
    case is Double.Type: return FastEncodingPlan<Double> { $0.write(to: &$1) }
    case is [Double].Type: return FastEncodingPlan<[Double]> { $0.write(to: &$1) }
    case is [[Double]].Type: return FastEncodingPlan<[[Double]]> { $0.write(to: &$1) }
    default: return ArrayEncodingPlan<Element>()
    }
  }
}

/// Arrays by loops that are compiled for the type.
private final class FastEncodingPlan<Element: Encodable & JSONWritable>: WritingPlan<[Element]> {
  private let loop: ([Element], inout JSONOutput) -> Void

  init(_ loop: @escaping ([Element], inout JSONOutput) -> Void) { self.loop = loop }

  override func write(_ value: [Element], to json: inout JSONOutput) { loop(value, &json) }

  /// The general plan finds the element that fails.
  override func explain(
    _ value: [Element], _ scope: Scope, _ container: Reference<KeyedPlace>?, _ index: Int,
    _ mark: Scope.Mark
  ) throws {
    scope.returnTo(mark)
    try ArrayEncodingPlan<Element>().encode(value, scope, container, index)
  }
}

extension Double: StandardEncodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    settings.floats.isThrow ? WritingPlan<Double>() : ModelEncodingPlan<Double>()
  }
}
extension Float: StandardEncodable {
  fileprivate static func plan(_ settings: EncodingSettings) -> AnyEncodingPlan {
    settings.floats.isThrow ? WritingPlan<Float>() : ModelEncodingPlan<Float>()
  }
}
