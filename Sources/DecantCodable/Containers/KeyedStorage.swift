// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The state of a keyed container: the object, and the way to find its members. Keys are compared as bytes, in the index; no
// dictionary is made, unless a strategy converts keys.
//
// Models mostly look up keys in the order of the document; a look-up is then one comparison. When an object lacks a key,
// one walk finds all members with known names (KeyTable.swift).

internal import CDecantIndex
internal import DecantCore

/// The object of a keyed container, for any type of keys.
@safe
class KeyedStorage: ContainerState {
  /// Members that most containers do not need.
  private final class Special {
    /// The members, where keys are converted.
    @exclusivity(unchecked) @safe var keys = ConvertedKeys()
    let convertsKeys: Bool
    /// Records the looked-up keys.
    let asked: AskedKeys?

    init(convertsKeys: Bool, _ asked: AskedKeys?) {
      (self.convertsKeys, self.asked) = (convertsKeys, asked)
    }
  }

  @exclusivity(unchecked) @safe final private(set) var node: UInt64
  // SAFETY: the context owns the table. Nil if the names of keys are read each time.
  @safe final fileprivate let names: Reference<KeyTable>?
  /// How many names `nodes` has members for: none before a key was missed, and -1 if the object is not to be
  /// walked.
  @exclusivity(unchecked) @safe final private var found = 0
  // SAFETY: `capacity` nodes, allocated here.
  @exclusivity(unchecked) @safe final private var nodes: UnsafeMutablePointer<UInt32>?
  @exclusivity(unchecked) @safe final private var capacity = 0
  // SAFETY: as in ValueDecoder.
  final let document: ContextRef
  final let decoderReference: Reference<ValueDecoder>
  /// Apart, so that other containers are small.
  @exclusivity(unchecked) @safe final private var special: Special?

  init(
    _ decoder: ValueDecoder, _ names: KeyTable? = nil, convertsKeys: Bool, asked: AskedKeys? = nil
  ) {
    node = decoder.node
    document = decoder.document
    unsafe decoderReference = Reference(decoder)
    self.names = names.map { unsafe Reference($0) }
    super.init()
    if convertsKeys || asked != nil {
      special = Special(convertsKeys: convertsKeys, asked)
      moveSpecial()
    }
  }

  deinit { unsafe nodes?.deallocate() }

  /// Points the storage to another object.
  @inline(__always)
  final func move(to node: UInt64) {
    self.node = node
    found = 0
    if special != nil { moveSpecial() }
  }

  @inline(never)
  private final func moveSpecial() {
    guard let special else { return }
    special.asked?.open(node)
    if !special.convertsKeys { return }
    let keys = decoder.context.keys
    // The result of a function may depend on the path.
    if case .custom = keys { special.keys = ConvertedKeys() }
    special.keys.move(to: json, keys.conversion(below: decoder.codingPath))
  }

  /// Records the looked-up keys.
  fileprivate final var asked: AskedKeys? { special?.asked }

  // SAFETY: the decoder outlives its containers, or they own it.
  final var decoder: ValueDecoder {
    @inline(__always) get { decoderReference.object }
  }

  final var scalars: ScalarDecoder {
    @inline(__always) get { ScalarDecoder(document: document, decoder: decoderReference) }
  }

  final var json: JSON {
    @_lifetime(borrow self)
    get {
      let json = document.view(node)
      return json
    }
  }
}

// MARK: - Looking members up

extension KeyedStorage {
  @inline(__always)
  fileprivate final func member(_ key: UnsafePointer<decant_key>) -> UInt64 {
    let place = unsafe Int(truncatingIfNeeded: key.pointee.place)
    if place < found {
      let node = nodes![place]
      return node == 0 ? DECANT_NODE_NONE : UInt64(truncatingIfNeeded: node)
    }
    return unsafe search(key)
  }

  @inline(__always)
  private final func search(_ key: UnsafePointer<decant_key>) -> UInt64 {
    let (start, count) = unsafe (key.pointee.start, Int(truncatingIfNeeded: key.pointee.count))
    let node =
      count <= 15
      ? unsafe decant_lookup_small(document.pointer, node, start, count)
      : unsafe decant_lookup_key(document.pointer, node, start, count)
    if node == DECANT_NODE_NONE && found == 0 { findMembers() }
    return node
  }

  /// Finds the members of all keys that were looked up so far, unless the object is so large that a walk would cost more
  /// than the following look-ups.
  @inline(never)
  private final func findMembers() {
    guard let names = names, json.after - node <= KeyedStorage.maximumSlots else {
      return found = -1
    }
    names.with { names in
      if capacity < names.count {
        unsafe nodes?.deallocate()
        capacity = 2 * names.count
        nodes = .allocate(capacity: capacity)
        unsafe nodes?.initialize(repeating: 0, count: capacity)
      }
      found = unsafe names.find(in: json, nodes!) ? names.count : -1
    }
  }

  private static var maximumSlots: UInt64 { 256 }

  /// The node of the member of this name, or DECANT_NODE_NONE.
  @inline(never)
  final func member(named name: String) -> UInt64 {
    if let special {
      special.asked?.ask(name, of: node)
      if special.convertsKeys { return special.keys.node(name) }
    }
    if node >= DECANT_NODE_NATIVE_LIMIT { return json.member(name) }
    let found = unsafe name.utf8.withContiguousStorageIfAvailable { name in
      // SAFETY: the slot of a native object; the buffer of an empty string has no address.
      guard let start = name.baseAddress else { return DECANT_NODE_NONE }
      return unsafe decant_lookup_key(document.pointer, node, start, name.count)
    }
    return found ?? json.member(name)
  }

  /// The key of the only member; nil if there is no member, or more than one.
  fileprivate final var onlyKey: String? {
    if special != nil { return nil }
    var cursor = ChildCursor(json)
    guard cursor.next(in: json) != nil else { return nil }
    let key = cursor.key(in: json)
    return cursor.next(in: json) == nil ? key : nil
  }

  /// The distinct keys, in document order.
  fileprivate final var keys: [String] {
    if let special, special.convertsKeys { return special.keys.all }
    let keys = json.keys
    if keys.count < 2 { return keys }
    var seen = [String: Int]()
    seen.reserveCapacity(keys.count)
    var first: [String] = []
    for key in keys where seen.updateValue(0, forKey: distinct(key)) == nil { first.append(key) }
    return first
  }
}

// MARK: - Keys of one type

@safe
final class TypedKeyedStorage<Key: CodingKey>: KeyedStorage {
  /// The key of the value that is being decoded: its byte if the key is trivial.
  // SAFETY: one key, allocated and initialised by `begin`.
  @exclusivity(unchecked) @safe private var current: UnsafeMutablePointer<Key>?
  @exclusivity(unchecked) @safe private var currentByte: UInt8?
  private let areKeysTrivial: Bool
  /// The object whose keys were listed last.
  @exclusivity(unchecked) @safe private var listed = DECANT_NODE_NONE
  /// The results of `allKeys` for objects with one member, which encode enums with associated values: making an array costs
  /// five times as much as finding it here. Only for trivial keys; keys with identity or state are made each time.
  @exclusivity(unchecked) @safe private var onlyKeys: [String] = []
  // SAFETY: an array of keys for each of `onlyKeys`.
  private var arrays: UnsafeMutablePointer<[Key]>?
  private static var maximumArrays: Int { 16 }

  init(_ decoder: ValueDecoder) {
    areKeysTrivial = KeyTable.holds(Key.self)
    let asked = decoder.context.askedKeys
    let hasNames = areKeysTrivial && !decoder.convertsKeys && asked == nil
    super.init(
      decoder, hasNames ? decoder.context.names(of: Key.self) : nil,
      convertsKeys: decoder.convertsKeys, asked: asked)
  }

  deinit {
    unsafe current?.deinitialize(count: 1)
    unsafe current?.deallocate()
    unsafe arrays?.deinitialize(count: onlyKeys.count)
    unsafe arrays?.deallocate()
  }

  /// The node of the member, or DECANT_NODE_NONE.
  @inline(__always)
  func member(_ key: Key) -> UInt64 {
    guard let names = names, node < DECANT_NODE_NATIVE_LIMIT else {
      return member(named: key.stringValue)
    }
    // SAFETY: an object's slot, as looking up asks; the context outlives its users.
    return names.with { unsafe member($0.key(KeyTable.byte(of: key), key.stringValue)) }
  }

  /// Whether the model has listed the object's keys. There may be any number of them, and the model may collect the members.
  var areListed: Bool { listed == node }

  var allKeys: [Key] {
    if !areKeysTrivial { listed = node }
    guard areKeysTrivial, let key = onlyKey else { return arrayOfKeys(keys) }
    let place = onlyKeys.firstIndex { $0.hasBytes(of: key) }
    if let place, let arrays = unsafe arrays { return unsafe arrays[place] }
    return remember(arrayOfKeys([key]), for: key)
  }

  @inline(never)
  private func arrayOfKeys(_ keys: [String]) -> [Key] {
    keys.compactMap { name in
      let key = Key(stringValue: name)
      if key != nil { asked?.ask(name, of: node) }
      return key
    }
  }

  @inline(never)
  private func remember(_ array: [Key], for key: String) -> [Key] {
    if onlyKeys.count < Self.maximumArrays {
      let arrays = unsafe self.arrays ?? .allocate(capacity: Self.maximumArrays)
      unsafe self.arrays = arrays
      unsafe (arrays + onlyKeys.count).initialize(to: array)
      onlyKeys.append(key)
    }
    return array
  }

  /// Remembers the key of the value that is about to be decoded.
  @inline(__always)
  func begin(_ key: Key) {
    if names == nil { return store(key) }
    currentByte = KeyTable.byte(of: key)
  }

  @inline(never)
  private func store(_ key: Key) {
    if let current = current {
      unsafe current.pointee = key
    } else {
      current = .allocate(capacity: 1)
      unsafe current?.initialize(to: key)
    }
  }

  override var key: any CodingKey {
    if let byte = currentByte { return KeyTable.key(byte) as Key }
    guard let current = current else { return PathKey.name("") }
    return unsafe current.pointee
  }
}

extension String {
  /// Whether both have the same bytes; `==` finds canonically equivalent ones equal.
  @inline(__always)
  fileprivate func hasBytes(of other: String) -> Bool {
    if let small = smallBytes, let otherSmall = other.smallBytes { return small == otherSmall }
    return areSame(self, other)
  }
}
