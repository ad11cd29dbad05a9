// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A keyed container: a box's content, one reference. All it does is look the key up and hand the node on.
// Keys are compared as bytes, in the index; no dictionary is made, unless keys are converted.

internal import CDecantIndex
internal import DecantCore

/// What a keyed container needs, whatever its keys.
@safe
class KeyedState {
  @exclusivity(unchecked) @safe final private(set) var node: UInt64
  /// The filter of the object's keys, once one was missed; see decant_lookup.h.
  @exclusivity(unchecked) @safe final private var names: UInt64 = 0
  // SAFETY: as in Level.
  final let context: UnsafeMutablePointer<decant_context>
  final let levelReference: Unmanaged<Level>
  /// The members, where keys are converted.
  @exclusivity(unchecked) @safe final private var converted: ConvertedMembers?
  /// What a container outside the chain keeps alive.
  final var anchor: AnyObject?

  init(_ level: Level) {
    node = level.node
    unsafe context = level.context
    unsafe levelReference = .passUnretained(level)
  }

  /// The keys are converted from now on.
  final func convertKeys() {
    converted = ConvertedMembers()
    convertMembers()
  }

  /// Goes on to another object.
  @inline(__always)
  final func move(to node: UInt64) {
    self.node = node
    names = 0
    if converted != nil { convertMembers() }
  }

  @inline(never)
  private final func convertMembers() {
    let strategy = level.session.settings.keys
    if case .custom(let convert) = strategy {
      // What it makes of a key may depend on the path.
      let path = level.codingPath
      converted = ConvertedMembers()
      converted?.move(to: json) { convert(path + [NameKey($0)]).stringValue }
    } else {
      converted?.move(to: json, DecantDecoder.KeyDecodingStrategy.camelCased)
    }
  }

  // SAFETY: the level outlives its containers, or these hold it.
  final var level: Level { @inline(__always) get { unsafe levelReference.takeUnretainedValue() } }

  final var reader: Reader {
    @inline(__always) get { unsafe Reader(context: context, level: levelReference) }
  }

  final var json: JSON {
    @_lifetime(borrow self)
    get {
      let json = unsafe JSON(context: context, node: node)
      return json
    }
  }

  /// The key of the member that is being decoded.
  var key: any CodingKey { NameKey("") }
}

@safe
final class TypedKeyedState<Key: CodingKey>: KeyedState {
  @exclusivity(unchecked) @safe private var current: UnsafeMutablePointer<Key>?
  /// What `allKeys` has answered for objects with one member, which is how enums with associated values
  /// are written: making an array costs five times as much as finding it here.
  @exclusivity(unchecked) @safe private var onlyKeys: [String] = []
  private var arrays: UnsafeMutablePointer<[Key]>?
  private static var maximumArrays: Int { 16 }

  override init(_ level: Level) {
    current = nil
    unsafe arrays = nil
    super.init(level)
  }

  deinit {
    unsafe current?.deinitialize(count: 1)
    unsafe current?.deallocate()
    unsafe arrays?.deinitialize(count: onlyKeys.count)
    unsafe arrays?.deallocate()
  }

  var allKeys: [Key] {
    guard let key = onlyKey else { return arrayOfKeys(keys) }
    let place = onlyKeys.firstIndex { $0.hasBytes(of: key) }
    // SAFETY: `arrays` has an array for each of `onlyKeys`.
    if let place, let arrays = unsafe arrays { return unsafe arrays[place] }
    return remember(arrayOfKeys([key]), for: key)
  }

  @inline(never)
  private func arrayOfKeys(_ keys: [String]) -> [Key] { keys.compactMap { Key(stringValue: $0) } }

  @inline(never)
  private func remember(_ array: [Key], for key: String) -> [Key] {
    if onlyKeys.count < Self.maximumArrays {
      let arrays = unsafe self.arrays ?? .allocate(capacity: Self.maximumArrays)
      unsafe self.arrays = unsafe arrays
      unsafe (arrays + onlyKeys.count).initialize(to: array)
      onlyKeys.append(key)
    }
    return array
  }

  /// Remembers the key that leads to the value about to be decoded.
  // SAFETY: one Key, initialised when it is allocated.
  func begin(_ key: Key) {
    if let current = current {
      unsafe current.pointee = key
    } else {
      current = .allocate(capacity: 1)
      unsafe current?.initialize(to: key)
    }
  }

  override var key: any CodingKey {
    guard let current = current else { return NameKey("") }
    return unsafe current.pointee
  }
}

/// What the standard library's box holds. The box copies it for every call, so a container that is lent
/// holds nothing: its lender owns the state. One that is kept holds it; see Lender.swift.
@safe
struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  // SAFETY: the lender has the state, or `keeper` is it.
  private let reference: Unmanaged<TypedKeyedState<Key>>
  private let keeper: AnyObject?

  init(_ state: TypedKeyedState<Key>, isKept: Bool) {
    unsafe reference = .passUnretained(state)
    keeper = isKept ? state : nil
  }

  fileprivate var state: TypedKeyedState<Key> { unsafe reference.takeUnretainedValue() }
}

// MARK: - Looking up

extension KeyedState {
  /// The member's value, or DECANT_NODE_NONE.
  @inline(never)
  final func member(_ name: consuming String) -> UInt64 {
    if node < DECANT_NODE_NATIVE_LIMIT, converted == nil {
      // SAFETY: as below.
      if let (low, high, count) = name.smallBytes {
        return unsafe decant_lookup_small(context, node, low, high, count, &names)
      }
      return name.withUTF8 { name in
        // SAFETY: an object's slot, as decant_lookup_named asks.
        guard let start = name.baseAddress else { return DECANT_NODE_NONE }
        return unsafe decant_lookup_named(context, node, start, name.count, &names)
      }
    }
    return memberSlowly(name)
  }

  @inline(never)
  private final func memberSlowly(_ name: String) -> UInt64 {
    converted?.node(name) ?? json.member(name)
  }
}

extension Keyed {
  @inline(__always)
  private var reader: Reader { unsafe reference._withUnsafeGuaranteedRef { $0.reader } }

  /// The member's value, or DECANT_NODE_NONE.
  @inline(__always)
  private func node(_ key: Key) -> UInt64 {
    unsafe reference._withUnsafeGuaranteedRef { $0.member(key.stringValue) }
  }

  /// The view of the member, which has to be there.
  @inline(__always)
  private func member(_ key: Key) throws -> UInt64 {
    let node = node(key)
    if node == DECANT_NODE_NONE { throw missing(key) }
    return node
  }

  /// The member's node, or nil if it is absent or null.
  @inline(__always)
  private func memberIfPresent(_ key: Key) -> UInt64? {
    let node = node(key)
    if node == DECANT_NODE_NONE { return nil }
    // SAFETY: as in KeyedState.
    return unsafe JSON(context: reader.context, node: node).isNull ? nil : node
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    let text = state.level.text(state.node, "the key \(quoted(key.stringValue)) is missing")
    return .keyNotFound(key, .init(codingPath: state.level.codingPath, debugDescription: text))
  }

  @inline(never)
  private func failure(_ type: Any.Type, _ node: UInt64, _ key: Key) -> DecodingError {
    state.level.failure(type, node, state.level.codingPath + [key])
  }

  var codingPath: [any CodingKey] { state.level.codingPath }

  var allKeys: [Key] { unsafe reference._withUnsafeGuaranteedRef { $0.allKeys } }

  func contains(_ key: Key) -> Bool { node(key) != DECANT_NODE_NONE }

  func decodeNil(forKey key: Key) throws -> Bool {
    // SAFETY: as in KeyedState.
    unsafe JSON(context: reader.context, node: try member(key)).isNull
  }
}

extension String {
  /// Whether both have the same bytes; `==` finds canonically equivalent ones equal.
  @inline(__always)
  fileprivate func hasBytes(of other: String) -> Bool {
    if let small = smallBytes, let otherSmall = other.smallBytes { return small == otherSmall }
    return utf8.elementsEqual(other.utf8)
  }
}

extension KeyedState {
  /// The key of the only member, or nil if there are none or more.
  fileprivate final var onlyKey: String? {
    if converted != nil { return nil }
    var cursor = ChildCursor(json)
    if cursor.next(in: json) == DECANT_NODE_NONE { return nil }
    let key = cursor.key(in: json)
    return cursor.next(in: json) == DECANT_NODE_NONE ? key : nil
  }

  /// The distinct keys, in document order.
  final var keys: [String] {
    if let converted { return converted.keys }
    let keys = json.keys
    if keys.count < 2 || Set(keys).count == keys.count { return keys }
    var seen: Set<String> = []
    return keys.filter { seen.insert($0).inserted }
  }
}

// MARK: - Scalars

// Two lines a type, because the standard library asks for them: what is common is in `value`, and what is
// the type's own in Reader.
extension Keyed {
  /// The member as `read` reads it.
  @inline(__always)
  private func value<Value>(
    _ type: Value.Type, _ key: Key, _ read: (Reader, UInt64) -> Value?
  ) throws -> Value {
    let node = try member(key)
    if let value = read(reader, node) { return value }
    throw failure(type, node, key)
  }

  /// The same, or nil if the member is absent or null.
  @inline(__always)
  private func valueIfPresent<Value>(
    _ type: Value.Type, _ key: Key, _ read: (Reader, UInt64) -> Value?
  ) throws -> Value? {
    guard let node = memberIfPresent(key) else { return nil }
    if let value = read(reader, node) { return value }
    throw failure(type, node, key)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(type, key) { $0.bool($1) }
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try valueIfPresent(type, key) { $0.bool($1) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(type, key) { $0.string($1) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try valueIfPresent(type, key) { $0.string($1) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(type, key) { $0.double($1) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try valueIfPresent(type, key) { $0.double($1) }
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(type, key) { $0.float($1) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try valueIfPresent(type, key) { $0.float($1) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(type, key) { $0.int($1) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try valueIfPresent(type, key) { $0.int($1) }
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(type, key) { $0.integer($1, type) }
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try valueIfPresent(type, key) { $0.integer($1, type) }
  }
}

// MARK: - Models, containers, decoders

extension Keyed {
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
    try unsafe reference._withUnsafeGuaranteedRef { state in
      try unsafe state.levelReference._withUnsafeGuaranteedRef { level in
        level.willMoveOn()
        state.begin(key)
        return try level.decode(type, node, state, Level.noIndex)
      }
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let node = try member(key)
    return try unsafe reference._withUnsafeGuaranteedRef { state in
      try unsafe state.levelReference._withUnsafeGuaranteedRef { level in
        level.willMoveOn()
        state.begin(key)
        let nested = level.takeNested(node, in: state) ?? Level(node, under: key, of: level)
        return try nested.container(keyedBy: type)
      }
    }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try Level(try member(key), under: key, of: state.level).unkeyedContainer()
  }

  /// The decoder of the member, or of nothing, which reads as null.
  func superDecoder(forKey key: Key) -> any Decoder {
    decoder(key)
  }

  func superDecoder() -> any Decoder {
    decoder(NameKey("super"))
  }

  private func decoder(_ key: some CodingKey) -> Level {
    let node = state.member(key.stringValue)
    return Level(
      node == DECANT_NODE_NONE ? DECANT_NODE_MISSING : node, under: key, of: state.level)
  }
}
