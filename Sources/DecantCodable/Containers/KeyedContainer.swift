// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The keyed container that is in the standard library's box: a reference to its storage. All it does is look a key
// up and pass the node on.

internal import CDecantIndex
internal import DecantCore

/// A container whose storage something else owns. Copying it costs nothing, and the box copies it for each call.
typealias BorrowingKeyedContainer<Key: CodingKey> = KeyedContainer<Key, Void>

/// A container that owns its storage, and may be used as long as anybody likes.
typealias OwningKeyedContainer<Key: CodingKey> = KeyedContainer<Key, AnyObject>

/// - Parameter Owner: what keeps the storage alive, or nothing.
@safe
struct KeyedContainer<Key: CodingKey, Owner>: KeyedDecodingContainerProtocol {
  // SAFETY: the owner, the cache or the caller owns the storage.
  private let reference: Reference<TypedKeyedStorage<Key>>
  let owner: Owner

  init(_ storage: TypedKeyedStorage<Key>, owner: Owner) {
    unsafe reference = Reference(storage)
    self.owner = owner
  }

  private var storage: TypedKeyedStorage<Key> { reference.object }

  @inline(__always)
  private var scalars: ScalarDecoder { reference.with { $0.scalars } }

  /// The node of the member, or DECANT_NODE_NONE.
  @inline(__always)
  private func node(_ key: Key) -> UInt64 {
    reference.with { $0.member(key) }
  }

  /// The node of the member, which has to exist.
  @inline(__always)
  private func member(_ key: Key) throws -> UInt64 {
    let node = node(key)
    if node == DECANT_NODE_NONE { throw missing(key) }
    return node
  }

  /// The node of the member, or nil if it is absent or null.
  @inline(__always)
  private func memberIfPresent(_ key: Key) -> UInt64? {
    let node = node(key)
    if node == DECANT_NODE_NONE { return nil }
    // SAFETY: as in KeyedStorage.
    return scalars.document.view(node).isNull ? nil : node
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    let decoder = storage.decoder
    let text = decoder.text(storage.node, "the key \(quoted(key.stringValue)) is missing")
    return .keyNotFound(key, .init(codingPath: decoder.codingPath, debugDescription: text))
  }

  @inline(never)
  private func failure(_ type: Any.Type, _ node: UInt64, _ key: Key) -> DecodingError {
    storage.decoder.failure(type, node, storage.decoder.codingPath + [key])
  }

  var codingPath: [any CodingKey] { storage.decoder.codingPath }

  var allKeys: [Key] { reference.with { $0.allKeys } }

  func contains(_ key: Key) -> Bool { node(key) != DECANT_NODE_NONE }

  func decodeNil(forKey key: Key) throws -> Bool {
    // SAFETY: as in KeyedStorage.
    scalars.document.view(try member(key)).isNull
  }
}

// MARK: - Scalars

// The protocol has two requirements for each type. `value` has the shared part, and ScalarDecoder the part of each type. A
// generic `decodeIfPresent` would implement none of them, because the standard library's defaults for each type win.
extension KeyedContainer {
  /// The value at a node as `read` reads it.
  @inline(__always)
  private func value<Value>(
    _ type: Value.Type, _ key: Key, at node: UInt64, _ read: (ScalarDecoder, UInt64) -> Value?
  ) throws -> Value {
    if let value = read(scalars, node) { return value }
    throw failure(type, node, key)
  }

  /// The same, or nil where there is no node.
  @inline(__always)
  private func value<Value>(
    _ type: Value.Type, _ key: Key, at node: UInt64?, _ read: (ScalarDecoder, UInt64) -> Value?
  ) throws -> Value? {
    guard let node else { return nil }
    if let value = read(scalars, node) { return value }
    throw failure(type, node, key)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(type, key, at: member(key)) { $0.bool($1) }
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try value(type, key, at: memberIfPresent(key)) { $0.bool($1) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(type, key, at: member(key)) { $0.string($1) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try value(type, key, at: memberIfPresent(key)) { $0.string($1) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(type, key, at: member(key)) { $0.uncommonDouble($1) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try value(type, key, at: memberIfPresent(key)) { $0.uncommonDouble($1) }
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(type, key, at: member(key)) { $0.float($1) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try value(type, key, at: memberIfPresent(key)) { $0.float($1) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(type, key, at: member(key)) { $0.int($1) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try value(type, key, at: memberIfPresent(key)) { $0.int($1) }
  }
  /// An integer of a type other than Int, or nil.
  private func integer<Value: FixedWidthInteger>(_ key: Key) throws -> Value? {
    let type = Value.self
    return try value(type, key, at: memberIfPresent(key)) { $0.integer($1, type) }
  }
  /// Any integer that has no function of its own here.
  func decode<Value: FixedWidthInteger & Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value {
    try value(type, key, at: member(key)) { $0.integer($1, type) }
  }
  func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try integer(key) }
  func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try integer(key) }
  func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try integer(key) }
  func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try integer(key) }
  func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try integer(key) }
  func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try integer(key) }
  func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try integer(key) }
  func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try integer(key) }
  func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try integer(key) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension KeyedContainer {
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(type, key, at: member(key)) { $0.wideInteger($1) }
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(type, key, at: member(key)) { $0.wideInteger($1) }
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try value(type, key, at: memberIfPresent(key)) { $0.wideInteger($1) }
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try value(type, key, at: memberIfPresent(key)) { $0.wideInteger($1) }
  }
}

// MARK: - Models, containers, decoders

extension KeyedContainer {
  func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model {
    try model(type, try member(key), key)
  }

  func decodeIfPresent<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model? {
    guard let node = memberIfPresent(key) else { return nil }
    return try model(type, node, key)
  }

  @inline(__always)
  private func model<Model: Decodable>(_ type: Model.Type, _ node: UInt64, _ key: Key) throws
    -> Model
  {
    try reference.with { storage in
      try storage.decoderReference.with { decoder in
        if JSON.isLarge(type), storage.areListed { try decoder.checkMemory(1, of: type) }
        decoder.willAdvance()
        storage.begin(key)
        return try decoder.decode(type, node, storage, ValueDecoder.noIndex)
      }
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let node = try member(key)
    return try reference.with { storage in
      try storage.decoderReference.with { decoder in
        if !decant_stack_has_room() { throw decoder.stackIsFull() }
        decoder.willAdvance()
        storage.begin(key)
        if let nested = decoder.acquireNested(node, in: storage) {
          return try nested.with { try $0.container(keyedBy: type) }
        }
        return try ValueDecoder(node, under: key, of: decoder).container(keyedBy: type)
      }
    }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(try member(key), under: key).unkeyedContainer()
  }

  /// The decoder of the member, or of a missing value, which reads as null.
  func superDecoder(forKey key: Key) throws -> any Decoder {
    try decoder(node(key), under: key)
  }

  func superDecoder() throws -> any Decoder {
    try decoder(storage.member(named: "super"), under: PathKey.name("super"))
  }

  private func decoder(_ node: UInt64, under key: any CodingKey) throws -> ValueDecoder {
    if !decant_stack_has_room() { throw storage.decoder.stackIsFull() }
    return ValueDecoder(
      node == DECANT_NODE_NONE ? DECANT_NODE_MISSING : node, under: key, of: storage.decoder)
  }
}
