// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The shape of documents: which kinds of values are where, and under which keys. Elements of one
// array are one shape.
//
//   [{"id":1,"email":null},{"id":2}]      array of 2
//                                           id     integer
//                                           email  null, in 1 of 2

import Decant

/// What the values at one place have in common.
final class Shape {
  enum Kind: CaseIterable { case null, bool, integer, number, string, array, object }

  /// A member of the objects at one place.
  struct Member {
    let key: String
    let shape: Shape
    /// How many of the objects have it.
    fileprivate(set) var count = 0
    fileprivate(set) var hasNull = false
    /// The object that had it last, counted from 1. An object that repeats a key has it once.
    fileprivate var lastObject = 0
  }

  /// How many values are of which kind, in the order in which kinds appeared.
  fileprivate(set) var kinds: [(kind: Kind, count: Int)] = []
  /// Of all numbers.
  private(set) var numbers = NumberRange()
  /// Of all arrays: the elements, unless all arrays are empty, and how many there are.
  private(set) var element: Shape?
  private(set) var elementCount = 0
  private(set) var elementsHaveNull = false
  /// Of all objects, in the order in which keys appeared.
  private(set) var members: [Member] = []
  /// Keys as bytes: two that Unicode holds to be equal are different keys of JSON.
  private var places: [[UInt8]: Int] = [:]
  /// Whether values here are nested too deep to be looked into.
  private(set) var isTooDeep = false
  /// Members with a key that their object already had.
  private(set) var repeatedKeys = 0
  /// Of objects whose keys are data, such as identifiers: their values.
  private var values: Shape?
  private(set) var valuesHaveNull = false
  /// The shape that this one has become a part of.
  private var whole: Shape?

  static let deepest = 100

  /// Looks at a value, and at what is in it.
  func add(_ json: JSON, depth: Int = 0) {
    let kind = json.shapeKind
    add(kind, 1)
    switch kind {
    case .null, .bool, .string: break
    case .integer, .number: numbers.add(json)
    case .array, .object:
      if depth == Shape.deepest {
        isTooDeep = isTooDeep || json.count > 0
      } else {
        addChildren(json, depth)
      }
    }
  }

  private func addChildren(_ json: JSON, _ depth: Int) {
    if json.kind == .array { elementCount += json.count }
    var elements = json.elements
    while let next = elements.next() {
      let element = element ?? Shape()
      self.element = element
      elementsHaveNull = elementsHaveNull || next.isNull
      element.add(next, depth: depth + 1)
    }
    let number = count(of: .object)
    json.forEachMember { key, value in
      let place = place(of: key)
      if members[place].lastObject == number {
        repeatedKeys += 1
      } else {
        members[place].lastObject = number
        members[place].count += 1
        members[place].hasNull = members[place].hasNull || value.isNull
        members[place].shape.add(value, depth: depth + 1)
      }
    }
  }

  private func place(of key: String) -> Int {
    let bytes = Array(key.utf8)
    if let place = places[bytes] { return place }
    places[bytes] = members.count
    members.append(Member(key: key, shape: Shape()))
    return members.count - 1
  }

  private func add(_ kind: Kind, _ count: Int) {
    if let place = kinds.firstIndex(where: { $0.kind == kind }) {
      kinds[place].count += count
    } else {
      kinds.append((kind, count))
    }
  }

  // MARK: - Questions

  /// How many values this is the shape of.
  var count: Int { kinds.reduce(0) { $0 + $1.count } }

  func count(of kind: Kind) -> Int { kinds.first { $0.kind == kind }?.count ?? 0 }

  func has(_ kind: Kind) -> Bool { count(of: kind) > 0 }

  func has(_ key: String) -> Bool { places[Array(key.utf8)] != nil }

  func member(_ key: String) -> Shape? { places[Array(key.utf8)].map { members[$0].shape } }

  /// The kinds, those of numbers as one, without null.
  var alternatives: Set<Kind> {
    Set(kinds.lazy.map { $0.kind == .integer ? .number : $0.kind }).subtracting([.null])
  }

  /// Members with repeated keys, here and inside.
  var allRepeatedKeys: Int {
    members.reduce(repeatedKeys + (element?.allRepeatedKeys ?? 0)) {
      $0 + $1.shape.allRepeatedKeys
    }
  }
}

// MARK: - Joining

extension Shape {
  /// The shape that this one is a part of, or itself.
  var joined: Shape {
    var shape = self
    while let whole = shape.whole { shape = whole }
    return shape
  }

  /// The elements of arrays, if any array has one.
  var elements: Shape? { element?.joined }

  /// The values of objects whose keys are data.
  var dictionaryValues: Shape? { values?.joined }

  /// Makes two places have one shape. What is inside of them is joined, too, and may be either of the two.
  static func join(_ left: Shape, _ right: Shape) {
    let (left, right) = (left.joined, right.joined)
    if left === right { return }
    right.whole = left
    for (kind, count) in right.kinds { left.add(kind, count) }
    left.numbers.add(right.numbers)
    left.elementCount += right.elementCount
    left.elementsHaveNull = left.elementsHaveNull || right.elementsHaveNull
    left.valuesHaveNull = left.valuesHaveNull || right.valuesHaveNull
    left.isTooDeep = left.isTooDeep || right.isTooDeep
    for member in right.members {
      if let place = left.places[Array(member.key.utf8)] {
        left.members[place].count += member.count
        left.members[place].hasNull = left.members[place].hasNull || member.hasNull
        join(left.members[place].shape, member.shape)
      } else {
        left.places[Array(member.key.utf8)] = left.members.count
        left.members.append(member)
      }
    }
    left.element = joined(left.element, right.element)
    left.values = joined(left.values, right.values)
  }

  private static func joined(_ left: Shape?, _ right: Shape?) -> Shape? {
    if let left, let right { join(left, right) }
    return left ?? right
  }

  /// Takes the keys for data: all members have one shape.
  func becomeDictionary() {
    guard let first = members.first else { return }
    for member in members {
      valuesHaveNull = valuesHaveNull || member.hasNull
      Shape.join(first.shape, member.shape)
    }
    values = first.shape
  }
}

// MARK: - Numbers

/// Which types have all numbers of a place.
struct NumberRange {
  private(set) var isInt = true
  private(set) var isUInt64 = true
  private(set) var isInt128 = true
  private(set) var isUInt128 = true
  private(set) var isDouble = true

  mutating func add(_ json: JSON) {
    isDouble = isDouble && json.double != nil
    if isInt, json.int != nil {
      isUInt64 = isUInt64 && json.decoded(UInt64.self).value != nil
      isUInt128 = isUInt64
      return
    }
    isInt = false
    isUInt64 = isUInt64 && json.decoded(UInt64.self).value != nil
    isInt128 = isInt128 && json.decoded(Int128.self).value != nil
    isUInt128 = isUInt128 && json.decoded(UInt128.self).value != nil
  }

  mutating func add(_ other: NumberRange) {
    isInt = isInt && other.isInt
    isUInt64 = isUInt64 && other.isUInt64
    isInt128 = isInt128 && other.isInt128
    isUInt128 = isUInt128 && other.isUInt128
    isDouble = isDouble && other.isDouble
  }
}

extension JSON {
  fileprivate var shapeKind: Shape.Kind {
    switch kind {
    case .missing, .null: .null
    case .bool: .bool
    case .number: decoded(JSONNumber.self).value?.isInteger == true ? .integer : .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

extension JSONNumber {
  /// By the text: `1.0` and `1e3` are none.
  fileprivate var isInteger: Bool { !text.utf8.contains { ".eE".utf8.contains($0) } }
}
