// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The state that a keyed container of an encoder refers to (ContainerCache.swift).
//
//   scope ─► ReusedContainer ─► box of KeyedWriter ┈► place ┈► scope      ┈► unowned, until the box escapes
//   scope ─► RenewedContainer ─► KeyedWriter ─► place ┈► scope            a box for each object has a copy of it

internal import CDecantIndex
internal import DecantCore

/// The state of a keyed container, for any type of keys.
@safe
class KeyedPlace: ContainerState {
  // SAFETY: the scope outlives its containers, or `owner` retains it.
  @exclusivity(unchecked) @safe final let scopeReference: Reference<Scope>
  // SAFETY: the scope's.
  final let members: UnsafeMutablePointer<decant_members>
  // SAFETY: the session owns the keys. Nil, if a key is not a byte or may be another each time.
  @exclusivity(unchecked) @safe final let keys: Reference<KeyTable>?
  // SAFETY: of these keys.
  @exclusivity(unchecked) @safe final let list: UnsafePointer<decant_key>?

  init(_ scope: Scope, _ keys: KeyTable?) {
    unsafe scopeReference = Reference(scope)
    unsafe members = unsafe scope.members
    self.keys = keys.map { unsafe Reference($0) }
    unsafe list = keys.map { unsafe UnsafePointer($0.list) }
  }

  final var scope: Scope { @inline(__always) get { scopeReference.object } }
}

@safe
final class TypedKeyedPlace<Key: CodingKey>: KeyedPlace {
  /// The key that leads to the value being encoded: its byte, if the keys are known by bytes.
  @exclusivity(unchecked) @safe private var byte: UInt8 = 0
  @exclusivity(unchecked) @safe private var current: Key?

  init(_ scope: Scope) { super.init(scope, scope.session.keys(of: Key.self)) }

  override var key: any CodingKey {
    if keys == nil { return current ?? PathKey.name("") }
    return KeyTable.key(byte) as Key
  }

  /// Writes a key for a value that may ask for its path.
  @inline(__always)
  func begin(_ key: Key) throws {
    if let list = list {
      byte = KeyTable.byte(of: key)
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
    byte = KeyTable.byte(of: key)
    let quoted = unsafe keys.object.key(byte, key.stringValue)
    if !scope.names.insert(byte, of: keys) { scope.noteRepeated() }
    let count = unsafe Int(truncatingIfNeeded: quoted.pointee.count)
    unsafe scope.state.pointee.beginMember(
      UnsafeBufferPointer(start: quoted.pointee.start, count: count))
    if scope.sortsKeys { scope.members(beginAt: scope.state.pointee.buffer.count - count) }
  }

  /// The name of a key in JSON.
  func name(of key: Key) -> String { scope.session.name(of: key) { scope.codingPath } }

  /// Takes a member back whose value could not be encoded.
  @inline(never)
  func forget(_ key: Key, _ mark: Scope.Mark) {
    scope.returnTo(mark)
    if !scope.session.hasDuplicates { scope.names.remove(name(of: key)) }
  }
}
