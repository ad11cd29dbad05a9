// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An unkeyed container: a scope, which counts its elements.

internal import DecantCore

@safe
struct UnkeyedWriter: UnkeyedEncodingContainer {
  private let scope: Scope

  init(_ scope: Scope) { self.scope = scope }
  var codingPath: [any CodingKey] { scope.codingPath }
  var count: Int { scope.count }

  @inline(__always)
  private func begin() throws {
    if !scope.isTop { try scope.comeToTop() }
    scope.state.pointee.separate(after: UInt8(ascii: "["))
  }

  @inline(__always)
  private func write(_ value: (inout TextBuffer) -> Void) throws {
    try begin()
    // SAFETY: the session owns the state.
    value(&scope.state.pointee.buffer)
    scope.count += 1
  }

  /// Writes a value that can fail; then the element is taken back.
  @inline(never)
  private func writeChecked(_ value: (Scope) throws -> Void) throws {
    let mark = try scope.markMember()
    try begin()
    do { try value(scope) } catch {
      scope.returnTo(mark)
      throw error
    }
    scope.count += 1
  }
}

// MARK: - Scalars

extension UnkeyedWriter {
  func encodeNil() throws { try write { $0.append("null") } }

  func encode(_ value: Bool) throws { try write { $0.append(value ? "true" : "false") } }
  func encode(_ value: String) throws {
    try begin()
    scope.write(value)
    scope.count += 1
  }
  func encode(_ value: Double) throws {
    try writeChecked { try $0.write(value, [PathKey.index(scope.count)]) }
  }
  func encode(_ value: Float) throws {
    try writeChecked { try $0.write(value, [PathKey.index(scope.count)]) }
  }

  /// Any integer. It is inlined into the functions that the standard library requires, so each knows its type.
  @inline(__always)
  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try write { $0.append(integer: value) }
  }

  // The standard library has defaults for these, which fail.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try write { $0.append(integer: value) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try write { $0.append(integer: value) } }
}

// MARK: - Models, containers, encoders

extension UnkeyedWriter {
  func encode<Value: Encodable>(_ value: Value) throws {
    try writeChecked { try $0.encode(value, nil, scope.count) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> { nested().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func nested() -> Scope {
    if (try? begin()) == nil { return Scope(insteadOf: scope) }
    defer { scope.count += 1 }
    return scope.nest(PathKey.index(scope.count))
  }
}
