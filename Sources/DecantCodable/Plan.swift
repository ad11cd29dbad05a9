// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How values of a type are decoded, decided once per type and session:
//
//   dates, data and what else has a strategy     its own way (StrategyDecodable)
//   [Int], [Double], [[[Double]]], [String], …   the pipeline's loops, compiled for the type; what they
//                                                refuse goes the general way, which knows why
//   arrays, optionals, dictionaries by string    loops over the element's plan
//   JSONDecodable models                         their `decode(_:)`
//   everything else                              `init(from:)`
//
// A generic function finds the plan by the address of the type's metadata, and calls it: one look-up
// and one virtual call instead of dynamic casts.

internal import CDecantIndex
internal import DecantCore

package class AnyPlan {
  /// Decodes into memory for a model.
  func decode(into room: UnsafeMutableRawPointer, _ level: Level) throws {
    fatalError("every plan decodes")
  }
}

package class Plan<Model>: AnyPlan {
  /// Decodes the value at `node`, which stands in the level's container under the key that this is at, or
  /// at an index.
  func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> Model { fatalError("every plan decodes") }

  /// Decodes the element at `node` where it is to stay: an array that grows by copies would pay for each.
  // SAFETY: the caller has room for a model.
  func decode(
    _ node: UInt64, _ level: Level, at index: Int, into room: UnsafeMutablePointer<Model>
  ) throws {
    unsafe room.initialize(to: try decode(node, level, nil, index))
  }

  /// Decodes a value that stands in no container.
  // SAFETY: the caller has room for a model.
  override func decode(into room: UnsafeMutableRawPointer, _ level: Level) throws {
    unsafe room.initializeMemory(
      as: Model.self, to: try decode(level.node, level, nil, Level.noIndex))
  }
}

/// The plans that a session has made, by the address of the type: a hash table with open addressing.
@safe
struct PlanTable {
  @safe
  private struct Slot {
    var key: UInt = 0
    // SAFETY: retained by the table.
    var plan: Unmanaged<AnyPlan>?
  }

  // SAFETY: a power of two of slots, allocated here, given back by `discard`.
  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private var count = 0

  init(capacity: Int = 16) {
    unsafe slots = .allocate(capacity: capacity)
    unsafe slots.initialize(repeating: Slot(), count: capacity)
    mask = capacity - 1
  }

  @inline(__always)
  private func slot(of key: UInt) -> UnsafeMutablePointer<Slot> {
    // Metadata is aligned, and the low bits tell little.
    var place = Int(truncatingIfNeeded: (key &>> 4) ^ (key &>> 12)) & mask
    while unsafe slots[place].key != key && slots[place].key != 0 { place = (place &+ 1) & mask }
    return unsafe slots + place
  }

  subscript(key: UInt) -> Unmanaged<AnyPlan>? {
    @inline(__always) get { unsafe slot(of: key).pointee.plan }
  }

  mutating func insert(_ plan: Unmanaged<AnyPlan>, for key: UInt) {
    if count * 2 > mask {
      var larger = PlanTable(capacity: 2 * (mask + 1))
      for place in 0...mask {
        if let plan = unsafe slots[place].plan { unsafe larger.insert(plan, for: slots[place].key) }
      }
      unsafe slots.deallocate()
      self = larger
    }
    count += 1
    unsafe slot(of: key).pointee = unsafe Slot(key: key, plan: plan)
  }

  func discard() {
    for place in 0...mask { unsafe slots[place].plan?.release() }
    unsafe slots.deallocate()
  }
}

// MARK: - Choosing

/// A type with a strategy of its own, or which does not decode as its `init(from:)` says.
package protocol StrategyDecodable: Decodable {
  static func decode(by level: Level) throws -> Self
}

/// A type of the standard library.
private protocol StandardDecodable {
  static var plan: AnyPlan { get }
}

func makePlan<Model: Decodable>(_ type: Model.Type) -> Plan<Model> {
  // SAFETY: each plan below is made for `Model`, which is the opened type.
  if let type = type as? any StrategyDecodable.Type {
    func strategyPlan<T: StrategyDecodable>(_ type: T.Type) -> AnyPlan { StrategyPlan<T>() }
    return unsafe unsafeDowncast(strategyPlan(type), to: Plan<Model>.self)
  }
  if let type = type as? any StandardDecodable.Type {
    return unsafe unsafeDowncast(type.plan, to: Plan<Model>.self)
  }
  if let type = type as? any JSONDecodable.Type {
    func viewPlan<T: JSONDecodable>(_ type: T.Type) -> AnyPlan { ViewPlan<T>() }
    return unsafe unsafeDowncast(viewPlan(type), to: Plan<Model>.self)
  }
  return ModelPlan<Model>()
}

// MARK: - Models

/// `init(from:)`.
final class ModelPlan<Model: Decodable>: Plan<Model> {
  override func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> Model {
    try level.withChild(node, in: container, at: index) { child in
      if !decant_stack_has_room() { throw child.stackIsFull() }
      return try Model(from: child)
    }
  }

  // SAFETY: as above.
  override func decode(
    _ node: UInt64, _ level: Level, at index: Int, into room: UnsafeMutablePointer<Model>
  ) throws {
    let child = unsafe level.takeChild(node, in: nil, at: index)
    defer { unsafe level.giveBack(child) }
    try unsafe child._withUnsafeGuaranteedRef { child in
      if !decant_stack_has_room() { throw child.stackIsFull() }
      unsafe room.initialize(to: try Model(from: child))
    }
  }

  /// The root's level is the model's decoder: nothing stands beside the model.
  // SAFETY: the caller has room for a model.
  override func decode(into room: UnsafeMutableRawPointer, _ level: Level) throws {
    unsafe room.initializeMemory(as: Model.self, to: try Model(from: level))
  }
}

final class StrategyPlan<Model: StrategyDecodable>: Plan<Model> {
  override func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> Model {
    try level.withChild(node, in: container, at: index) { try Model.decode(by: $0) }
  }
}

/// `JSONDecodable`.
final class ViewPlan<Model: JSONDecodable>: Plan<Model> {
  override func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> Model {
    // SAFETY: as in Level.
    switch unsafe Model.decode(JSON(context: level.context, node: node)) {
    case .success(let model): return model
    case .failure(let error):
      return try level.withChild(node, in: container, at: index) {
        throw $0.failure(error, of: Model.self)
      }
    }
  }
}

/// A function of the decoder; for roots only.
final class FunctionPlan<Model>: Plan<Model> {
  private let body: (Level) throws -> Model

  init(_ body: @escaping (Level) throws -> Model) { self.body = body }

  override func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> Model { try body(level) }
}

// MARK: - Containers

class ArrayPlan<Element: Decodable>: Plan<[Element]> {
  override func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> [Element] {
    try level.withChild(node, in: container, at: index) { level in
      guard level.json.kind == .array else { throw level.notA("an array", [Any].self) }
      let count = level.json.count
      if count == 0 { return [] }
      return unsafe try Array(unsafeUninitializedCapacity: count) { room, made in
        try unsafe decode(count, level, into: room.baseAddress!, &made)
      }
    }
  }

  // SAFETY: the caller has room for `count` elements.
  private func decode(
    _ count: Int, _ level: Level, into room: UnsafeMutablePointer<Element>, _ made: inout Int
  ) throws {
    let plan = unsafe level.session.plan(Element.self)
    let isNative = level.json.isNative
    var next = isNative ? level.node &+ 2 : 0
    while made < count {
      let element = isNative ? next : level.json.element(made)
      // SAFETY: the session holds the plan of a type under that type's address.
      try unsafe plan._withUnsafeGuaranteedRef {
        try unsafe unsafeDowncast($0, to: Plan<Element>.self)
          .decode(element, level, at: made, into: room + made)
      }
      made += 1
      // SAFETY: as in Level.
      if isNative { next = unsafe JSON(context: level.context, node: next).after }
    }
  }
}

final class OptionalPlan<Wrapped: Decodable>: Plan<Wrapped?> {
  override func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> Wrapped? {
    // SAFETY: as in Level.
    let json = unsafe JSON(context: level.context, node: node)
    if json.isNull || !json.exists { return nil }
    return try level.decode(Wrapped.self, node, container, index)
  }
}

/// Dictionaries by string, whose keys no strategy converts. Duplicates follow the document's rule; under a
/// key strategy `JSONDecoder` decodes those that do not count as well, and its paths have no numbers.
final class DictionaryPlan<Value: Decodable>: Plan<[String: Value]> {
  override func decode(
    _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
  ) throws -> [String: Value] {
    try level.withChild(node, in: container, at: index) { level in
      guard level.json.kind == .object else { throw level.notA("an object", [String: Any].self) }
      let state = NamedState(level)
      let keepsLast = level.json.keepsLastDuplicate
      var dictionary: [String: Value] = [:]
      dictionary.reserveCapacity(level.json.count)
      var cursor = ChildCursor(level.json)
      while true {
        let value = cursor.next(in: level.json)
        if value == DECANT_NODE_NONE { return dictionary }
        state.name = cursor.key(in: level.json)
        let isDuplicate = !keepsLast && dictionary[state.name] != nil
        if isDuplicate && !level.convertsKeys { continue }
        let model = try level.decode(Value.self, value, state, Level.noIndex)
        if !isDuplicate { dictionary[state.name] = model }
      }
    }
  }
}

/// The member that a dictionary is at.
private final class NamedState: KeyedState {
  var name = ""
  override var key: any CodingKey {
    level.convertsKeys ? NameKey(name) : DictionaryKey(name)
  }
}

// MARK: - The standard library's types

extension Array: StandardDecodable where Element: Decodable {
  fileprivate static var plan: AnyPlan {
    switch Element.self {
    case is Int.Type: FastArrayPlan.Integers()
    case is Double.Type: FastArrayPlan.Numbers()
    case is String.Type: FastArrayPlan.Strings()
    case is Bool.Type: FastArrayPlan.Booleans()
    case is [Int].Type: FastArrayPlan.IntegerRows()
    case is [Double].Type: FastArrayPlan.NumberRows()
    case is [[Double]].Type: FastArrayPlan.NumberTables()
    default: ArrayPlan<Element>()
    }
  }
}

/// Arrays that the pipeline decodes as `JSONDecoder` would. What it refuses, such as `1.0` for an `Int`,
/// the general plan accepts or explains.
private enum FastArrayPlan {
  final class Integers: ArrayPlan<Int> {
    override func decode(
      _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
    ) throws -> [Int] {
      // SAFETY: as in Level.
      let json = unsafe JSON(context: level.context, node: node)
      if case .success(let array) = [Int].decode(json) { return array }
      return try super.decode(node, level, container, index)
    }
  }
  final class Numbers: ArrayPlan<Double> {
    override func decode(
      _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
    ) throws -> [Double] {
      // SAFETY: as in Level.
      let json = unsafe JSON(context: level.context, node: node)
      if case .success(let array) = [Double].decode(json) { return array }
      return try super.decode(node, level, container, index)
    }
  }
  final class Strings: ArrayPlan<String> {
    override func decode(
      _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
    ) throws -> [String] {
      // SAFETY: as in Level.
      let json = unsafe JSON(context: level.context, node: node)
      if case .success(let array) = [String].decode(json) { return array }
      return try super.decode(node, level, container, index)
    }
  }
  final class Booleans: ArrayPlan<Bool> {
    override func decode(
      _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
    ) throws -> [Bool] {
      // SAFETY: as in Level.
      let json = unsafe JSON(context: level.context, node: node)
      if case .success(let array) = [Bool].decode(json) { return array }
      return try super.decode(node, level, container, index)
    }
  }
  final class IntegerRows: ArrayPlan<[Int]> {
    override func decode(
      _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
    ) throws -> [[Int]] {
      // SAFETY: as in Level.
      let json = unsafe JSON(context: level.context, node: node)
      if case .success(let array) = [[Int]].decode(json) { return array }
      return try super.decode(node, level, container, index)
    }
  }
  final class NumberRows: ArrayPlan<[Double]> {
    override func decode(
      _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
    ) throws -> [[Double]] {
      // SAFETY: as in Level.
      let json = unsafe JSON(context: level.context, node: node)
      if case .success(let array) = [[Double]].decode(json) { return array }
      return try super.decode(node, level, container, index)
    }
  }
  final class NumberTables: ArrayPlan<[[Double]]> {
    override func decode(
      _ node: UInt64, _ level: Level, _ container: KeyedState?, _ index: Int
    ) throws -> [[[Double]]] {
      // SAFETY: as in Level.
      let json = unsafe JSON(context: level.context, node: node)
      if case .success(let array) = [[[Double]]].decode(json) { return array }
      return try super.decode(node, level, container, index)
    }
  }
}

extension Optional: StandardDecodable where Wrapped: Decodable {
  fileprivate static var plan: AnyPlan { OptionalPlan<Wrapped>() }
}

extension Dictionary: StandardDecodable where Key: Decodable, Value: Decodable {
  fileprivate static var plan: AnyPlan {
    Key.self == String.self ? DictionaryPlan<Value>() : ModelPlan<[Key: Value]>()
  }
}

extension Set: StandardDecodable where Element: Decodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Set<Element>>() }
}

extension Bool: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Bool>() }
}
extension String: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<String>() }
}
extension Double: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Double>() }
}
extension Float: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Float>() }
}
extension Int: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Int>() }
}
extension Int8: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Int8>() }
}
extension Int16: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Int16>() }
}
extension Int32: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Int32>() }
}
extension Int64: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Int64>() }
}
extension Int128: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<Int128>() }
}
extension UInt: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<UInt>() }
}
extension UInt8: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<UInt8>() }
}
extension UInt16: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<UInt16>() }
}
extension UInt32: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<UInt32>() }
}
extension UInt64: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<UInt64>() }
}
extension UInt128: StandardDecodable {
  fileprivate static var plan: AnyPlan { ModelPlan<UInt128>() }
}
