// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a keyed container refers to, and the containers that a scope issues again and again: making one costs an
// allocation and three look-ups of generic metadata. See ContainerCache.swift, which does the same for decoding.
//
//   scope ─► ReusedWriter ─► box of KeyedWriter ┈► place ┈► scope      ┈► unowned, until the box escapes
//   scope ─► RenewedWriter ─► KeyedWriter ─► place ┈► scope            a box for each object has a copy of it

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
    if !scope.names.insert(byte, of: keys) { scope.noteRepeated() }
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
    scope.returnTo(mark)
    if !scope.session.hasDuplicates { scope.names.remove(name(of: key)) }
  }
}

// MARK: - Issued again

/// A container that a scope issues for one object after the other. As in decoding (ContainerCache.swift), there are two
/// kinds: one keeps the standard library's box, the other makes a box for each object and relies on no private layout.
@safe
class IssuedWriter: IssuedContainer, @unchecked Sendable {
  // SAFETY: the subclass owns the place.
  private final let place: Reference<KeyedPlace>
  // SAFETY: the place's.
  final let keys: Reference<QuotedKeys>?

  fileprivate init(_ key: UInt, _ place: KeyedPlace, _ use: UnsafeMutablePointer<AnyObject>) {
    unsafe self.place = Reference(place)
    keys = place.keys
    unsafe super.init(key, use)
  }

  /// Makes the container, which is in use, outlive its scope's turn.
  func escape(from scope: Scope) { place.object.anchor = scope }
}

/// With the container's type at hand, whose metadata a generic function would look up each time.
class TypedWriter<Container>: IssuedWriter, @unchecked Sendable {
  func issue() -> Container { fatalError("every writer is issued") }
}

/// The writer for a place.
func issuedWriter<Key: CodingKey>(
  _ place: TypedKeyedPlace<Key>, _ key: UInt
) -> TypedWriter<KeyedEncodingContainer<Key>> {
  guard ContainerBox.isKnown, ContainerBox.isOneReference(KeyedEncodingContainer<Key>.self) else {
    return renewedWriter(place, key)
  }
  return ReusedWriter(KeyedEncodingContainer(KeyedWriter(place, owner: ())), place, key)
}

@safe
private final class ReusedWriter<Container>: TypedWriter<Container>, @unchecked Sendable {
  private let ownedPlace: KeyedPlace
  // SAFETY: one container, allocated here.
  private let cell: UnsafeMutablePointer<Container>

  init(_ container: Container, _ place: KeyedPlace, _ key: UInt) {
    ownedPlace = place
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
  override func issue() -> Container { unsafe cell.pointee }

  override func escape(from scope: Scope) {
    super.escape(from: scope)
    EscapedContainers.insert(self)
  }
}

@safe
private final class RenewedWriter<Writer: KeyedEncodingContainerProtocol>:
  TypedWriter<KeyedEncodingContainer<Writer.Key>>, @unchecked Sendable
{
  // SAFETY: one writer that owns its place, allocated by `renewedWriter`.
  private let cell: UnsafeMutablePointer<Writer>

  init(
    _ cell: UnsafeMutablePointer<Writer>, _ use: UnsafeMutablePointer<AnyObject>,
    _ place: KeyedPlace, _ key: UInt
  ) {
    unsafe self.cell = cell
    unsafe super.init(key, place, use)
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  override func issue() -> KeyedEncodingContainer<Writer.Key> {
    KeyedEncodingContainer(unsafe cell.pointee)
  }
}

private func renewedWriter<Key: CodingKey>(
  _ place: TypedKeyedPlace<Key>, _ key: UInt
) -> TypedWriter<KeyedEncodingContainer<Key>> {
  typealias Writer = OwningKeyedWriter<Key>
  let cell = UnsafeMutablePointer<Writer>.allocate(capacity: 1)
  unsafe cell.initialize(to: KeyedWriter(place, owner: place))
  // SAFETY: the place of a stored property; the writer is initialised.
  let use = unsafe UnsafeMutableRawPointer(cell)
    .advanced(by: MemoryLayout<Writer>.offset(of: \.owner) ?? 0)
    .assumingMemoryBound(to: AnyObject.self)
  return unsafe RenewedWriter<Writer>(cell, use, place, key)
}
