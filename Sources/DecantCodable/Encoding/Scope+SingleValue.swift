// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A scope as the container of its one value, and how scalars are written.

internal import DecantCore

extension Scope: SingleValueEncodingContainer {
  @inline(__always)
  private func write(_ value: (inout TextBuffer) -> Void) throws {
    try beginValue()
    // SAFETY: the session owns the state.
    value(&state.pointee.buffer)
  }

  @inline(never)
  private func writeChecked(_ value: (Scope) throws -> Void) throws {
    try beginValue()
    let mark = mark
    do { try value(self) } catch {
      endFailedValue(mark)
      throw error
    }
  }

  package func encodeNil() throws { try write { $0.append("null") } }
  package func encode(_ value: Bool) throws { try write { $0.append(value ? "true" : "false") } }
  package func encode(_ value: String) throws {
    try beginValue()
    write(value)
  }
  package func encode(_ value: Double) throws { try writeChecked { try $0.write(value, []) } }
  package func encode(_ value: Float) throws { try writeChecked { try $0.write(value, []) } }

  /// Any integer, as in `UnkeyedWriter`.
  @inline(__always)
  package func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try write { $0.append(integer: value) }
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package func encode(_ value: Int128) throws { try write { $0.append(integer: value) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package func encode(_ value: UInt128) throws { try write { $0.append(integer: value) } }

  package func encode<Value: Encodable>(_ value: Value) throws {
    try writeChecked { try $0.encode(value, nil, Scope.noIndex) }
  }
}

// MARK: - Text

extension TextBuffer {
  /// Appends an integer of any type.
  @inline(__always)
  mutating func append(integer value: some FixedWidthInteger) {
    if let value = Int64(exactly: value) { append(value) } else { append(digits: String(value)) }
  }
}

extension Scope {
  /// Writes a string as a value whose key or separator is written.
  @inline(__always)
  func write(_ text: String) {
    // SAFETY: the session owns the state.
    state.pointee.append(string: text)
  }

  /// Writes a number, or its replacement if it is not finite.
  func write(_ value: Double, _ steps: @autoclosure () -> [any CodingKey]) throws {
    if !state.pointee.buffer.append(value) { try writeInWords(value, steps()) }
  }
  func write(_ value: Float, _ steps: @autoclosure () -> [any CodingKey]) throws {
    if !state.pointee.buffer.append(value) { try writeInWords(value, steps()) }
  }

  @inline(never)
  private func writeInWords(
    _ value: some BinaryFloatingPoint, _ steps: @autoclosure () -> [any CodingKey]
  ) throws {
    guard let text = session.settings.floats.text(for: value) else {
      throw notFinite(value, steps())
    }
    write(text)
  }

  /// Writes the only value of this scope as text that is known to be JSON.
  package func encode(verbatim text: String) throws { try write { $0.append(digits: text) } }

  /// Writes a key.
  func begin(named name: String) {
    if !names.insert(name) { noteRepeated() }
    begin(distinct: name)
  }

  /// Writes a key that the object does not have.
  func begin(distinct name: String) {
    state.pointee.separate(after: UInt8(ascii: "{"))
    if sortsKeys { members(beginAt: state.pointee.buffer.count) }
    state.pointee.append(key: name)
  }
}
