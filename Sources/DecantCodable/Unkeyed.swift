// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An unkeyed container: a place among the elements of an array. Three words, so that the existential
// that the standard library asks for needs no box.

internal import CDecantIndex
internal import DecantCore

struct Unkeyed: UnkeyedDecodingContainer {
  private let level: Level
  /// The slot of the next element, for native arrays.
  private var next: UInt64
  private var place: UInt32 = 0
  private let total: UInt32

  init(_ level: Level) {
    self.level = level
    next = level.node &+ 2
    total = UInt32(clamping: level.json.count)
  }

  var count: Int? { Int(total) }
  var isAtEnd: Bool { place >= total }
  var currentIndex: Int { Int(place) }
  var codingPath: [any CodingKey] { level.codingPath }

  private var reader: Reader {
    unsafe Reader(context: level.context, level: .passUnretained(level))
  }

  /// The node of the element that is next, if there is one.
  @inline(__always)
  private var element: UInt64? {
    if isAtEnd { return nil }
    return level.json.isNative ? next : level.json.element(Int(place))
  }

  @inline(__always)
  private func peek<Value>(_ type: Value.Type) throws -> UInt64 {
    if let element { return element }
    throw atEnd(type)
  }

  @inline(__always)
  private mutating func advance() {
    place += 1
    // SAFETY: `next` is a slot of the array while the array is native; level holds the context.
    if level.json.isNative { next = unsafe JSON(context: level.context, node: next).after }
  }

  @inline(never)
  private func atEnd(_ type: Any.Type) -> DecodingError {
    let text = level.text(level.node, "the array has no more elements")
    return .valueNotFound(type, .init(codingPath: elementPath, debugDescription: text))
  }

  private var elementPath: [any CodingKey] { level.codingPath + [IndexKey(Int(place))] }

  @inline(never)
  private func failure(_ type: Any.Type, _ node: UInt64) -> DecodingError {
    level.failure(type, node, elementPath)
  }

  mutating func decodeNil() throws -> Bool {
    // SAFETY: as above.
    guard unsafe JSON(context: level.context, node: try peek(Never.self)).isNull else {
      return false
    }
    advance()
    return true
  }

  /// The next element, or nil if it is null or if there is none; the index moves on either way.
  @inline(__always)
  private mutating func elementIfPresent() -> UInt64? {
    guard let element else {
      if place < .max { place += 1 }
      return nil
    }
    // SAFETY: as above.
    if unsafe !JSON(context: level.context, node: element).isNull { return element }
    advance()
    return nil
  }
}

// MARK: - Scalars

extension Unkeyed {
  mutating func decode(_ type: Bool.Type) throws -> Bool {
    let node = try peek(type)
    guard let value = reader.bool(node) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: String.Type) throws -> String {
    let node = try peek(type)
    guard let value = reader.string(node) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    let node = try peek(type)
    guard let value = reader.double(node) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    let node = try peek(type)
    guard let value = reader.float(node) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Int.Type) throws -> Int {
    let node = try peek(type)
    guard let value = reader.int(node) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: UInt.Type) throws -> UInt {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    let node = try peek(type)
    guard let value = reader.integer(node, type) else { throw failure(type, node) }
    advance()
    return value
  }
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }
}

// MARK: - Models, containers, decoders

extension Unkeyed {
  mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
    let node = try peek(type)
    let model = try level.decode(type, node, nil, Int(place))
    advance()
    return model
  }

  mutating func decodeIfPresent<Model: Decodable>(_ type: Model.Type) throws -> Model? {
    if elementIfPresent() == nil { return nil }
    return try decode(type)
  }

  /// The level of the next element, for a user who may keep it.
  private func nested(_ type: Any.Type) throws -> Level {
    guard let element else { throw atEnd(type) }
    return Level(element, under: IndexKey(Int(place)), of: level)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try nested(KeyedDecodingContainer<NestedKey>.self).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try nested((any UnkeyedDecodingContainer).self).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try nested((any Decoder).self)
    advance()
    return decoder
  }
}
