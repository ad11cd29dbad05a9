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
  // SAFETY: the session keeps the names. Nil, if keys are asked for theirs each time.
  @exclusivity(unchecked) @safe final fileprivate var names: Unmanaged<KeyNames>?
  /// The members by the place of their names, once one was missed: so many, or -1 if the object is not to
  /// be walked.
  @exclusivity(unchecked) @safe final private var found = 0
  // SAFETY: room for as many nodes, allocated here.
  @exclusivity(unchecked) @safe final private var nodes: UnsafeMutablePointer<UInt32>?
  @exclusivity(unchecked) @safe final private var room = 0
  // SAFETY: as in Level.
  final let context: UnsafeMutablePointer<decant_context>
  final let levelReference: Unmanaged<Level>
  /// The members, where keys are converted.
  @exclusivity(unchecked) @safe final private var converted: ConvertedMembers?
  /// What a container outside the chain keeps alive.
  final var anchor: AnyObject?

  init(_ level: Level, _ names: KeyNames? = nil) {
    node = level.node
    unsafe context = level.context
    unsafe levelReference = .passUnretained(level)
    unsafe self.names = names.map { unsafe .passUnretained($0) }
  }

  deinit { unsafe nodes?.deallocate() }

  /// The keys are converted from now on.
  final func convertKeys() {
    names = nil
    converted = ConvertedMembers()
    convertMembers()
  }

  /// Goes on to another object.
  @inline(__always)
  final func move(to node: UInt64) {
    self.node = node
    found = 0
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

  /// A container of this state that holds it, in the standard library's box.
  var kept: AnyObject? { nil }

  /// Has to be called when the container may be used after the decode, where others use the names.
  func forgetNames() { names = nil }
}

@safe
final class TypedKeyedState<Key: CodingKey>: KeyedState {
  /// The key that leads to the value being decoded: its byte, if names are known by bytes.
  @exclusivity(unchecked) @safe private var current: UnsafeMutablePointer<Key>?
  @exclusivity(unchecked) @safe private var currentByte: UInt8?
  /// What `allKeys` has answered for objects with one member, which is how enums with associated values
  /// are written: making an array costs five times as much as finding it here. Only for keys that a byte is
  /// all of: what has identity or state is made anew, as its type's initialiser says.
  @exclusivity(unchecked) @safe private var onlyKeys: [String] = []
  private var arrays: UnsafeMutablePointer<[Key]>?
  private static var maximumArrays: Int { 16 }

  private let areKeysTrivial: Bool

  init(_ level: Level) {
    areKeysTrivial = KeyNames.areKnown(for: Key.self)
    current = nil
    unsafe arrays = nil
    super.init(level, level.isLender ? level.session.names(of: Key.self) : nil)
  }

  deinit {
    unsafe current?.deinitialize(count: 1)
    unsafe current?.deallocate()
    unsafe arrays?.deinitialize(count: onlyKeys.count)
    unsafe arrays?.deallocate()
  }

  var allKeys: [Key] {
    guard areKeysTrivial, let key = onlyKey else { return arrayOfKeys(keys) }
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
  @inline(__always)
  func begin(_ key: Key) {
    guard let names = names else { return beginSlowly(key) }
    currentByte = unsafe names._withUnsafeGuaranteedRef { $0.byte(of: key) }
  }

  // SAFETY: one Key, initialised when it is allocated.
  @inline(never)
  private func beginSlowly(_ key: Key) {
    if let current = current {
      unsafe current.pointee = key
    } else {
      current = .allocate(capacity: 1)
      unsafe current?.initialize(to: key)
    }
  }

  override var key: any CodingKey {
    if let byte = currentByte { return Self.key(byte) }
    guard let current = current else { return NameKey("") }
    return unsafe current.pointee
  }

  override func forgetNames() {
    if let byte = currentByte {
      currentByte = nil
      beginSlowly(Self.key(byte))
    }
    super.forgetNames()
  }

  // SAFETY: the byte of a trivial key that is a byte, or of one that takes none.
  private static func key(_ byte: UInt8) -> Key {
    MemoryLayout<Key>.size == 0
      ? unsafe unsafeBitCast((), to: Key.self) : unsafe unsafeBitCast(byte, to: Key.self)
  }

  override var kept: AnyObject? { BoxLayout.box(KeyedDecodingContainer(Kept(state: self))) }
}

// MARK: - Looking up

extension TypedKeyedState {
  /// The member's value, or DECANT_NODE_NONE.
  @inline(__always)
  func member(_ key: Key) -> UInt64 {
    guard let names = names, node < DECANT_NODE_NATIVE_LIMIT else {
      return member(named: key.stringValue)
    }
    // SAFETY: an object's slot, as looking up asks; the names outlive their users.
    return unsafe names._withUnsafeGuaranteedRef { unsafe member($0.name(of: key)) }
  }
}

extension KeyedState {
  @inline(__always)
  fileprivate final func member(_ name: UnsafePointer<KeyName>) -> UInt64 {
    let name = unsafe name.pointee
    if Int(name.place) < found {
      let node = nodes![Int(name.place)]
      return node == 0 ? DECANT_NODE_NONE : UInt64(node)
    }
    let node =
      name.isSmall
      ? unsafe decant_lookup_small(
        context, node, name.low, name.high, name.start, Int(name.count))
      : unsafe decant_lookup_key(context, node, name.start, Int(name.count))
    if node == DECANT_NODE_NONE && found == 0 { findMembers() }
    return node
  }

  /// Finds the members of the keys that were asked for so far, unless the object is a large one, in which
  /// that would cost more than what follows.
  @inline(never)
  private final func findMembers() {
    guard let names = names, json.after - node <= KeyedState.maximumSlots else { return found = -1 }
    unsafe names._withUnsafeGuaranteedRef { names in
      if room < names.count {
        unsafe nodes?.deallocate()
        room = 2 * names.count
        nodes = .allocate(capacity: room)
        unsafe nodes?.initialize(repeating: 0, count: room)
      }
      found = unsafe names.find(in: json, nodes!) ? names.count : -1
    }
  }

  private static var maximumSlots: UInt64 { 256 }

  /// The value of the member of this name, or DECANT_NODE_NONE.
  @inline(never)
  fileprivate final func member(named name: consuming String) -> UInt64 {
    if converted != nil || node >= DECANT_NODE_NATIVE_LIMIT {
      return converted?.node(name) ?? json.member(name)
    }
    return name.withUTF8 { name in
      // SAFETY: as above; the buffer of an empty string has no address.
      guard let start = name.baseAddress else { return DECANT_NODE_NONE }
      return unsafe decant_lookup_key(context, node, start, name.count)
    }
  }
}

// MARK: - The containers

/// What the standard library's box holds: a reference to a state, and all that containers do. The box copies
/// it for every call, so a container that is lent holds nothing: its lender has the state. One that is
/// kept is a `Kept` one; see Lender.swift.
@safe
struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  // SAFETY: the lender has the state, or whoever makes a container for a moment.
  private let reference: Unmanaged<TypedKeyedState<Key>>

  init(_ state: TypedKeyedState<Key>) { unsafe reference = .passUnretained(state) }

  private var state: TypedKeyedState<Key> { unsafe reference.takeUnretainedValue() }

  @inline(__always)
  private var reader: Reader { unsafe reference._withUnsafeGuaranteedRef { $0.reader } }

  /// The member's value, or DECANT_NODE_NONE.
  @inline(__always)
  private func node(_ key: Key) -> UInt64 {
    unsafe reference._withUnsafeGuaranteedRef { $0.member(key) }
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
        if let nested = unsafe level.takeNested(node, in: state) {
          return try unsafe nested._withUnsafeGuaranteedRef { try $0.container(keyedBy: type) }
        }
        return try Level(node, under: key, of: level).container(keyedBy: type)
      }
    }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try Level(try member(key), under: key, of: state.level).unkeyedContainer()
  }

  /// The decoder of the member, or of nothing, which reads as null.
  func superDecoder(forKey key: Key) -> any Decoder {
    decoder(node(key), under: key)
  }

  func superDecoder() -> any Decoder {
    decoder(state.member(named: "super"), under: NameKey("super"))
  }

  private func decoder(_ node: UInt64, under key: any CodingKey) -> Level {
    Level(node == DECANT_NODE_NONE ? DECANT_NODE_MISSING : node, under: key, of: state.level)
  }
}

// MARK: - Kept containers

/// A container that holds its state, and works as one that does not.
struct Kept<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let state: TypedKeyedState<Key>

  private var keyed: Keyed<Key> { Keyed(state) }

  var codingPath: [any CodingKey] { keyed.codingPath }
  var allKeys: [Key] { keyed.allKeys }

  func contains(_ key: Key) -> Bool { keyed.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try keyed.decodeNil(forKey: key) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try keyed.decode(type, forKey: key)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try keyed.decode(type, forKey: key)
  }
  func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model {
    try keyed.decode(type, forKey: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try keyed.nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try keyed.nestedUnkeyedContainer(forKey: key)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { keyed.superDecoder(forKey: key) }
  func superDecoder() throws -> any Decoder { keyed.superDecoder() }
}
