// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An unkeyed container: a position among the elements of an array. Three words, which an existential holds without a
// box.

internal import CDecantIndex
internal import DecantCore

struct UnkeyedContainer: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  /// The slot of the next element, for native arrays.
  private var next: UInt64
  private var place: UInt32 = 0
  private let total: UInt32

  init(_ decoder: ValueDecoder) {
    self.decoder = decoder
    next = decoder.node &+ 2
    total = UInt32(clamping: decoder.json.count)
  }

  var count: Int? { Int(truncatingIfNeeded: total) }
  var isAtEnd: Bool { place >= total }
  var currentIndex: Int { Int(truncatingIfNeeded: place) }
  var codingPath: [any CodingKey] { decoder.codingPath }

  private var scalars: ScalarDecoder { ScalarDecoder(decoder) }

  /// The node of the next element, or nil at the end.
  @inline(__always)
  private var element: UInt64? {
    if isAtEnd { return nil }
    return decoder.json.isNative ? next : decoder.json.element(Int(truncatingIfNeeded: place))
  }

  private func peek(_ type: Any.Type) throws -> UInt64 {
    if let element { return element }
    throw atEnd(type)
  }

  @inline(__always)
  private mutating func advance() {
    place += 1
    // SAFETY: `next` is a slot of the array while the array is native; the decoder owns the document.
    if decoder.json.isNative { next = decoder.document.view(next).after }
  }

  @inline(never)
  private func atEnd(_ type: Any.Type) -> DecodingError {
    let text = decoder.text(decoder.node, "the array has no more elements")
    return .valueNotFound(type, .init(codingPath: elementPath, debugDescription: text))
  }

  private var elementPath: [any CodingKey] {
    decoder.codingPath + [PathKey.index(Int(truncatingIfNeeded: place))]
  }

  @inline(never)
  private func failure(_ type: Any.Type, _ node: UInt64) -> DecodingError {
    decoder.failure(type, node, elementPath)
  }

  mutating func decodeNil() throws -> Bool {
    // SAFETY: as above.
    guard decoder.document.view(try peek(Never.self)).isNull else {
      return false
    }
    advance()
    return true
  }

  /// Whether the next element is null or missing; the index advances in both cases.
  @inline(never)
  private mutating func isAtNull() -> Bool {
    guard let element else {
      if place < .max { place += 1 }
      return true
    }
    // SAFETY: as above.
    let isNull = decoder.document.view(element).isNull
    if isNull { advance() }
    return isNull
  }
}

// MARK: - Scalars

// The protocol has two requirements for each type. `value` has the shared part, and ScalarDecoder the part of each type.
extension UnkeyedContainer {
  /// The next element as `read` reads it.
  @inline(__always)
  private mutating func value<Value>(
    _ type: Value.Type, _ read: (ScalarDecoder, UInt64) -> Value?
  ) throws -> Value {
    let node = try peek(type)
    guard let value = read(scalars, node) else { throw failure(type, node) }
    advance()
    return value
  }

  mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try modelIfPresent() }
  mutating func decode(_ type: String.Type) throws -> String {
    try value(type) { $0.string($1) }
  }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
    isAtNull() ? nil : try decode(type)
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try value(type) { $0.uncommonDouble($1) }
  }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
    isAtNull() ? nil : try decode(type)
  }
  mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try modelIfPresent() }
  mutating func decode(_ type: Int.Type) throws -> Int {
    try value(type) { $0.int($1) }
  }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? {
    isAtNull() ? nil : try decode(type)
  }
  mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try modelIfPresent() }
  mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try modelIfPresent() }
  mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try modelIfPresent() }
  mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try modelIfPresent() }
  mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try modelIfPresent() }
  mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try modelIfPresent() }
  mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try modelIfPresent() }
  mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try modelIfPresent() }
  mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try modelIfPresent() }
}

// MARK: - Models, containers, decoders

extension UnkeyedContainer {
  mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try model(type) }

  // The standard library has defaults for these, which fail.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try model(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try model(type) }

  // Models see the container as `any UnkeyedDecodingContainer`, so specialized copies would only serve rare scalars.
  @_semantics("optimize.sil.specialize.generic.never")
  private mutating func model<Model: Decodable>(_ type: Model.Type) throws -> Model {
    let node = try peek(type)
    // A loop over small elements is not counted, because they may be fields.
    if JSON.isLarge(type) { try decoder.checkMemory(1, of: type) }
    let model = try decoder.decode(type, node, nil, Int(truncatingIfNeeded: place))
    advance()
    return model
  }

  mutating func decodeIfPresent<Model: Decodable>(_ type: Model.Type) throws -> Model? {
    isAtNull() ? nil : try model(type)
  }

  private mutating func modelIfPresent<Model: Decodable>() throws -> Model? {
    try decodeIfPresent(Model.self)
  }

  /// A decoder of the next element that may be kept.
  private func nested(_ type: Any.Type) throws -> ValueDecoder {
    guard let element else { throw atEnd(type) }
    if !decant_stack_has_room() { throw decoder.stackIsFull() }
    return ValueDecoder(element, under: PathKey.index(Int(truncatingIfNeeded: place)), of: decoder)
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
