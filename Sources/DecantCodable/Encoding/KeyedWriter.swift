// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A keyed container: a box's content. It writes the key, and then the value: both in one step where C can do that
// (decant_write.h), and otherwise one after the other.

internal import CDecantIndex
internal import DecantCore

/// A writer that owns its place, and may be used as long as anybody likes.
typealias OwningKeyedWriter<Key: CodingKey> = KeyedWriter<Key, AnyObject>

/// - Parameter Owner: what keeps the place alive, or nothing. Copying a container that owns nothing costs nothing.
@safe
struct KeyedWriter<Key: CodingKey, Owner>: KeyedEncodingContainerProtocol {
  // SAFETY: the owner, the IssuedContainer or the caller owns the place, and the scope that it belongs to.
  private let reference: Reference<TypedKeyedPlace<Key>>
  private let members: UnsafeMutablePointer<decant_members>
  // SAFETY: the session owns the keys. Nil if keys are not known by bytes.
  private let list: UnsafePointer<decant_key>?
  let owner: Owner

  init(_ place: TypedKeyedPlace<Key>, owner: Owner) {
    unsafe reference = Reference(place)
    unsafe members = unsafe place.members
    unsafe list = place.list
    self.owner = owner
  }

  private var place: TypedKeyedPlace<Key> { reference.object }
  var codingPath: [any CodingKey] { place.scope.codingPath }

  /// The key's byte, if it has one.
  @inline(__always)
  private func byte(_ key: Key) -> UInt8 {
    unsafe list == nil ? 0 : KeyTable.byte(of: key)
  }

  /// Writes a key, whatever it is, and then a value.
  @inline(never)
  private func write(_ key: Key, _ value: (Scope) -> Void) throws {
    try place.beginGenerally(key)
    value(place.scope)
  }

  /// Writes a value that can fail; then the member is taken back.
  @inline(__always)
  private func writeChecked(_ key: Key, _ value: (Scope) throws -> Void) throws {
    try reference.with { place in
      try place.scopeReference.with { scope in
        let mark = try scope.markMember()
        try place.begin(key)
        do { try value(scope) } catch {
          place.forget(key, mark)
          throw error
        }
      }
    }
  }
}

// MARK: - Scalars

extension KeyedWriter {
  func encodeNil(forKey key: Key) throws {
    try write(key) { $0.state.pointee.buffer.append("null") }
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    // SAFETY: C writes a member of an object that is open, or nothing.
    if unsafe decant_members_add_bool(members, list, byte(key), value) { return }
    try write(key) { $0.state.pointee.buffer.append(value ? "true" : "false") }
  }

  func encode(_ value: String, forKey key: Key) throws {
    let byte = byte(key)
    // SAFETY: as above; C reads the string's bytes.
    if let (low, high, count) = value.smallBytes {
      if unsafe decant_members_add_small_string(members, list, byte, low, high, count) { return }
    } else if unsafe value.utf8.withContiguousStorageIfAvailable({
      unsafe decant_members_add_string(members, list, byte, $0.baseAddress, $0.count)
    }) ?? false {
      return
    }
    try write(key) { $0.write(value) }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    // SAFETY: as above.
    if unsafe decant_members_add_double(members, list, byte(key), value) { return }
    try writeChecked(key) { try $0.write(value, [key]) }
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try writeChecked(key) { try $0.write(value, [key]) }
  }

  func encode(_ value: Int64, forKey key: Key) throws {
    // SAFETY: as above.
    if unsafe decant_members_add_int64(members, list, byte(key), value) { return }
    try write(key) { $0.state.pointee.buffer.append(value) }
  }

  /// Any other integer. It is inlined into the functions that the standard library requires, so each knows its type.
  @inline(__always)
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
    if let value = Int64(exactly: value) { return try encode(value, forKey: key) }
    try write(key) { $0.state.pointee.buffer.append(integer: value) }
  }

  // The standard library has defaults for these, which fail.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128, forKey key: Key) throws {
    try write(key) { $0.state.pointee.buffer.append(integer: value) }
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128, forKey key: Key) throws {
    try write(key) { $0.state.pointee.buffer.append(integer: value) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
}

// MARK: - Models, containers, encoders

extension KeyedWriter {
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let container = unsafe Reference<KeyedPlace>(opaque: reference.opaque)
    try writeChecked(key) { try $0.encode(value, container, Scope.noIndex) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key, .object).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key, .array).unkeyedContainer()
  }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
  func superEncoder() -> any Encoder {
    let outer = place.scope
    let step = PathKey.name("super")
    return nested(step) {
      if !outer.isTop { try outer.comeToTop() }
      outer.begin(named: outer.session.name(of: step) { outer.codingPath })
    }
  }

  /// The scope of a nested container: the one that the key has already, or another.
  private func nested(_ key: Key, _ kind: Scope.Content) -> Scope {
    let outer = place.scope
    let name = place.name(of: key)
    let mayHave =
      outer.names.has(name, byte(key), of: place.keys)
      && (outer.isTop || (try? outer.comeToTop()) != nil)
    if mayHave, let known = outer.nestedMember(name, kind, key) { return known }
    return nested(key)
  }

  private func nested(_ key: Key) -> Scope { nested(key) { try place.beginGenerally(key) } }

  private func nested(_ step: any CodingKey, _ begin: () throws -> Void) -> Scope {
    // Writing to a container of a complete value throws later.
    (try? begin()) == nil ? Scope(insteadOf: place.scope) : place.scope.nest(step)
  }
}
