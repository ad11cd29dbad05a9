// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A keyed container: a box's content, one reference. It writes the key, and then the value.

internal import DecantCore

@safe
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let place: TypedKeyedPlace<Key>

  init(_ place: TypedKeyedPlace<Key>) { self.place = place }

  var codingPath: [any CodingKey] { place.scope.codingPath }

  @inline(__always)
  private func write(_ key: Key, _ value: (inout TextBuffer) -> Void) throws {
    try place.begin(key)
    // SAFETY: the scope is there as long as its container.
    value(&place.scope.state.pointee.buffer)
  }

  /// Writes a value that can fail; then the member is taken back.
  @inline(__always)
  private func writeChecked(_ key: Key, _ value: (Scope) throws -> Void) throws {
    if !place.scope.isTop { try place.scope.comeToTop() }
    let mark = place.scope.mark
    try place.begin(key)
    do { try value(place.scope) } catch {
      place.forget(key, mark)
      throw error
    }
  }
}

// MARK: - Scalars

// A function a type, because the standard library asks for them.
extension KeyedWriter {
  func encodeNil(forKey key: Key) throws { try write(key) { $0.append("null") } }

  func encode(_ value: Bool, forKey key: Key) throws {
    try write(key) { $0.append(value ? "true" : "false") }
  }
  func encode(_ value: String, forKey key: Key) throws {
    try place.begin(key)
    place.scope.write(value)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try writeChecked(key) { try $0.write(value, [key]) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    try writeChecked(key) { try $0.write(value, [key]) }
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try write(key) { $0.append(Int64(value)) }
  }
  func encode(_ value: Int8, forKey key: Key) throws {
    try write(key) { $0.append(Int64(value)) }
  }
  func encode(_ value: Int16, forKey key: Key) throws {
    try write(key) { $0.append(Int64(value)) }
  }
  func encode(_ value: Int32, forKey key: Key) throws {
    try write(key) { $0.append(Int64(value)) }
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try write(key) { $0.append(Int64(value)) }
  }
  func encode(_ value: UInt, forKey key: Key) throws {
    try write(key) { $0.append(UInt64(value)) }
  }
  func encode(_ value: UInt8, forKey key: Key) throws {
    try write(key) { $0.append(UInt64(value)) }
  }
  func encode(_ value: UInt16, forKey key: Key) throws {
    try write(key) { $0.append(UInt64(value)) }
  }
  func encode(_ value: UInt32, forKey key: Key) throws {
    try write(key) { $0.append(UInt64(value)) }
  }
  func encode(_ value: UInt64, forKey key: Key) throws {
    try write(key) { $0.append(UInt64(value)) }
  }
  func encode(_ value: Int128, forKey key: Key) throws {
    try write(key) { $0.append(digits: String(value)) }
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try write(key) { $0.append(digits: String(value)) }
  }
}

// MARK: - Models, containers, encoders

extension KeyedWriter {
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try writeChecked(key) {
      unsafe try $0.encode(value, .passUnretained(place), Scope.noIndex)
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key, .object).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key, .array).unkeyedContainer()
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    scope(key)
  }

  func superEncoder() -> any Encoder {
    let outer = place.scope
    do {
      if !outer.isTop { try outer.comeToTop() }
      outer.begin(named: outer.session.name(of: NameKey("super")) { outer.codingPath })
    } catch { outer.session.note(error) }
    return outer.nest(NameKey("super"))
  }

  /// The scope of a nested container: the one that the key has already, or another.
  private func nested(_ key: Key, _ kind: Scope.Content) -> Scope {
    let name = place.name(of: key)
    if let known = place.scope.nestedMember(name, kind) { return known }
    let nested = scope(key)
    place.scope.addNestedMember(name, nested)
    return nested
  }

  private func scope(_ key: Key) -> Scope {
    do { try place.begin(key) } catch { place.scope.session.note(error) }
    return place.scope.nest(key)
  }
}
