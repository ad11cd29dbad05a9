// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a keyed container refers to, and the containers that a scope issues again and again: making one costs an
// allocation and three look-ups of generic metadata. See ContainerCache.swift, which does the same for decoding.
//
//   scope ─► ReusedWriter ─► box of KeyedWriter ┈► place ┈► scope      unowned, until the box escapes

internal import CDecantIndex
internal import DecantCore

/// What a keyed container needs, whatever its keys.
@safe
class KeyedPlace {
  // SAFETY: the scope outlives its containers, or `anchor` retains it.
  @exclusivity(unchecked) @safe final fileprivate var scopeReference: Reference<Scope>
  // SAFETY: the scope's.
  final let members: UnsafeMutablePointer<decant_members>
  // SAFETY: the session owns the keys. Nil, if a key is not a byte or may be another each time.
  @exclusivity(unchecked) @safe final let keys: Reference<QuotedKeys>?
  // SAFETY: of these keys.
  @exclusivity(unchecked) @safe final let list: UnsafePointer<decant_quoted_key>?
  /// What a container outside the chain retains.
  final var anchor: Scope?

  init(_ scope: Scope, _ keys: QuotedKeys?, anchor: Scope?) {
    unsafe scopeReference = Reference(scope)
    unsafe members = unsafe scope.members
    self.keys = keys.map { unsafe Reference($0) }
    unsafe list = keys.map { unsafe UnsafePointer($0.list) }
    self.anchor = anchor
  }

  final var scope: Scope { @inline(__always) get { scopeReference.object } }

  /// Calls `body` with the scope, which is not retained for that.
  @inline(__always)
  final func withScope(_ body: (Scope) throws -> Void) throws {
    try scopeReference.with { try body($0) }
  }

  /// The key of the member whose value is being encoded.
  var key: any CodingKey { PathKey.name("") }
}

@safe
final class TypedKeyedPlace<Key: CodingKey>: KeyedPlace {
  /// The key that leads to the value being encoded: its byte, if the keys are known by bytes.
  @exclusivity(unchecked) @safe private var byte: UInt8 = 0
  @exclusivity(unchecked) @safe private var current: Key?

  init(_ scope: Scope, anchor: Scope?) {
    super.init(scope, scope.session.keys(of: Key.self), anchor: anchor)
  }

  override var key: any CodingKey {
    if keys == nil { return current ?? PathKey.name("") }
    return KeyTable.key(byte) as Key
  }

  /// The byte that a key is, or 0 where there is but one key.
  // SAFETY: asked only where keys are bytes.
  @inline(__always)
  static func byte(of key: Key) -> UInt8 {
    MemoryLayout<Key>.size == 0 ? 0 : unsafe unsafeBitCast(key, to: UInt8.self)
  }

  /// Writes a key for a value that may ask for its path.
  @inline(__always)
  func begin(_ key: Key) throws {
    if let list = list {
      byte = TypedKeyedPlace.byte(of: key)
      if unsafe decant_members_begin(members, list, byte) { return }
    }
    try beginGenerally(key)
  }

  /// Writes a key, whatever it is.
  @inline(never)
  func beginGenerally(_ key: Key) throws {
    let scope = self.scope
    if !scope.isTop { try scope.comeToTop() }
    guard let keys = keys else {
      current = key
      return scope.begin(named: name(of: key))
    }
    byte = TypedKeyedPlace.byte(of: key)
    let quoted = unsafe keys.object.key(byte, key.stringValue)
    if !scope.names.insert(byte, of: keys) { scope.noteRepeated(byte, of: keys) }
    let count = unsafe quoted.pointee.count
    unsafe scope.state.pointee.beginMember(
      UnsafeBufferPointer(start: quoted.pointee.start, count: count))
    if scope.sortsKeys { scope.members(beginAt: scope.state.pointee.buffer.count - count) }
  }

  /// What a key is called in JSON.
  func name(of key: Key) -> String { scope.session.name(of: key) { scope.codingPath } }

  /// Takes a member back whose value could not be encoded.
  @inline(never)
  func forget(_ key: Key, _ mark: Scope.Mark) {
    if scope.returnTo(mark), !scope.session.hasDuplicates { scope.names.remove(name(of: key)) }
  }
}

// MARK: - Reuse

/// A container that was made once and is issued many times.
@safe
class ReusedWriter: IssuedContainer, @unchecked Sendable {
  private final let place: KeyedPlace
  // SAFETY: the place's.
  final let keys: Reference<QuotedKeys>?

  fileprivate init(_ key: UInt, _ place: KeyedPlace, _ use: UnsafeMutablePointer<AnyObject>) {
    self.place = place
    keys = place.keys
    unsafe super.init(key, use)
  }

  /// Makes the container, which is in use, outlive its scope's turn.
  final func escape(from scope: Scope) {
    place.anchor = scope
    EscapedContainers.insert(self)
  }
}

@safe
final class ReusedKeyedWriter<Container>: ReusedWriter, @unchecked Sendable {
  private let cell: UnsafeMutablePointer<Container>

  /// Nil if the standard library's containers are more than one reference.
  init?(_ container: Container, _ key: UInt, _ place: KeyedPlace) {
    guard ContainerBox.isKnown, ContainerBox.isOneReference(Container.self) else { return nil }
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    // SAFETY: a container is one reference.
    unsafe super.init(key, place, ContainerBox.reference(in: cell))
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  @inline(never)
  func issue() -> Container { unsafe cell.pointee }
}
