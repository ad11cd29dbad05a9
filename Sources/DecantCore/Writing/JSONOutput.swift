// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where one value is written. Its verbs can make no malformed JSON: an object takes members only, an array
// elements only, both are closed by the end of a closure, and an output takes one value. The bytes go
// straight into one growing buffer.

/// The place of one value in a JSON text.
///
///     extension User: JSONWritable {
///       func write(to json: inout JSONOutput) {
///         json.object { user in
///           user.field("id", id)
///           user.field("name", name)
///           user.fieldIfPresent("email", email)
///         }
///       }
///     }
///     user.jsonText()      // {"id":5,"name":"Tester"}
///
/// Exactly one value is written to an output. A second is left out and a missing one becomes `null`; both are
/// programmers' errors, which stop a debug build.
@safe
public struct JSONOutput: ~Copyable {
  // SAFETY: the state outlives all outputs: they are made inside the call that made it, handed out `inout`
  // only, and cannot be copied.
  @usableFromInline let state: UnsafeMutablePointer<WritingState>
  @usableFromInline package private(set) var isWritten = false

  @usableFromInline @unsafe
  package init(_ state: UnsafeMutablePointer<WritingState>) { unsafe self.state = state }

  /// Whether the one value may be written, which it then is.
  @inline(__always)
  mutating func begin() -> Bool {
    if isWritten {
      unsafe state.pointee.fail(.notOneValue)
      assertionFailure("write(to:) wrote a second value")
      return false
    }
    isWritten = true
    return true
  }
}

// MARK: - Values

extension JSONOutput {
  /// Writes another value in this one's place.
  @inlinable @inline(__always)
  public mutating func value(_ value: borrowing some JSONWritable) { value.write(to: &self) }

  /// Writes `null`.
  public mutating func null() {
    if begin() { unsafe state.pointee.buffer.append("null") }
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    if begin() { unsafe state.pointee.buffer.append(value ? "true" : "false") }
  }

  /// Writes an integer of any width.
  public mutating func integer(_ value: some BinaryInteger) {
    guard begin() else { return }
    if let value = Int64(exactly: value) {
      unsafe state.pointee.buffer.append(value)
    } else if let value = UInt64(exactly: value) {
      unsafe state.pointee.buffer.append(value)
    } else {
      var text = String(value)
      text.withUTF8 { unsafe state.pointee.buffer.append($0) }
    }
  }

  mutating func integer(_ value: Int64) {
    if begin() { unsafe state.pointee.buffer.append(value) }
  }

  mutating func integer(_ value: UInt64) {
    if begin() { unsafe state.pointee.buffer.append(value) }
  }

  /// Writes the shortest decimal that reads back as the same number. An infinity or NaN is a failure with the
  /// code ``JSONWritingError/Code/nonFiniteNumber``, and `null` where failures are not asked for.
  public mutating func number(_ value: Double) {
    if begin(), unsafe !state.pointee.buffer.append(value) { failNonFinite() }
  }

  /// ``number(_:)-(Double)`` with the digits that a `Float` needs.
  public mutating func number(_ value: Float) {
    if begin(), unsafe !state.pointee.buffer.append(value) { failNonFinite() }
  }

  private func failNonFinite() {
    unsafe state.pointee.fail(.nonFiniteNumber)
    unsafe state.pointee.buffer.append("null")
  }

  /// Writes a string, with the escapes of RFC 8259 §7.
  public mutating func string(_ value: String) {
    guard begin() else { return }
    let escapesSlashes = unsafe state.pointee.options.escapesSlashes
    unsafe state.pointee.buffer.append(quoting: value, escapesSlashes: escapesSlashes)
  }

  /// Writes text that is known to be one JSON value, as it is.
  package mutating func verbatim(_ text: UnsafeBufferPointer<UInt8>) {
    if begin() { unsafe state.pointee.buffer.append(text) }
  }
}

// MARK: - Containers

extension JSONOutput {
  /// Writes an object with the members that `body` writes.
  ///
  /// - Complexity: with ``JSONWritingOptions/sortsKeys``, members are written first and put in order when the
  ///   object is closed: n log n comparisons, and one copy of the object.
  @inlinable @inline(__always)
  public mutating func object(_ body: (inout JSONObjectOutput) -> Void) {
    guard open(UInt8(ascii: "{")) else { return }
    var object = unsafe JSONObjectOutput(state)
    body(&object)
    object.close()
  }

  /// Writes an array with the elements that `body` writes.
  @inlinable @inline(__always)
  public mutating func array(_ body: (inout JSONArrayOutput) -> Void) {
    guard open(UInt8(ascii: "[")) else { return }
    var array = unsafe JSONArrayOutput(state)
    body(&array)
    array.close()
  }

  @usableFromInline
  mutating func open(_ bracket: UInt8) -> Bool {
    guard begin() else { return false }
    return unsafe state.pointee.open(bracket)
  }
}

/// An object that is being written: takes members.
@safe
public struct JSONObjectOutput: ~Copyable {
  @usableFromInline let state: UnsafeMutablePointer<WritingState>
  /// Where each member is, where they are put in order.
  private var members: [Range<Int>] = []
  @usableFromInline let sortsKeys: Bool

  @usableFromInline @unsafe
  init(_ state: UnsafeMutablePointer<WritingState>) {
    unsafe self.state = state
    sortsKeys = unsafe state.pointee.options.sortsKeys
  }

  /// Writes a member. A value that is absent (``JSONPresence/absent``) is left out.
  @inlinable @inline(__always)
  public mutating func field(_ key: JSONKey, _ value: borrowing some JSONWritable) {
    if value._isAbsent { return }
    begin(key)
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    value.write(to: &output)
    end(key, output.isWritten)
  }

  /// Writes a member, or nothing if the value is nil. `field` writes `null` for nil.
  @inlinable @inline(__always)
  public mutating func fieldIfPresent(_ key: JSONKey, _ value: borrowing (some JSONWritable)?) {
    if let value = copy value { field(key, value) }
  }

  /// Writes a member whose value is an object.
  @inlinable @inline(__always)
  public mutating func object(_ key: JSONKey, _ body: (inout JSONObjectOutput) -> Void) {
    begin(key)
    var output = unsafe JSONOutput(state)
    output.object(body)
    end(key, output.isWritten)
  }

  /// Writes a member whose value is an array.
  @inlinable @inline(__always)
  public mutating func array(_ key: JSONKey, _ body: (inout JSONArrayOutput) -> Void) {
    begin(key)
    var output = unsafe JSONOutput(state)
    output.array(body)
    end(key, output.isWritten)
  }

  @usableFromInline
  mutating func begin(_ key: JSONKey) {
    unsafe state.pointee.separate(after: UInt8(ascii: "{"))
    if sortsKeys { members.append(unsafe state.pointee.buffer.count..<Int.max) }
    unsafe state.pointee.append(key: key)
  }

  @usableFromInline @inline(__always)
  mutating func end(_ key: JSONKey, _ isWritten: Bool) {
    if unsafe !isWritten || state.pointee.hasFailed || sortsKeys { mend(key, isWritten) }
  }

  @usableFromInline @inline(never)
  mutating func mend(_ key: JSONKey, _ isWritten: Bool) {
    if !isWritten { unsafe state.pointee.writeMissingValue() }
    unsafe state.pointee.addToPath(key.step)
    if sortsKeys, let member = members.popLast() {
      let end = unsafe state.pointee.buffer.count
      members.append(member.lowerBound..<end)
    }
  }

  @usableFromInline
  mutating func close() {
    if sortsKeys { unsafe state.pointee.sort(members) }
    unsafe state.pointee.close(UInt8(ascii: "}"), after: UInt8(ascii: "{"))
  }
}

/// An array that is being written: takes elements.
@safe
public struct JSONArrayOutput: ~Copyable {
  @usableFromInline let state: UnsafeMutablePointer<WritingState>
  private var count = 0

  @usableFromInline @unsafe
  init(_ state: UnsafeMutablePointer<WritingState>) { unsafe self.state = state }

  /// Writes an element. A value that is absent becomes `null`.
  @inlinable @inline(__always)
  public mutating func element(_ value: borrowing some JSONWritable) {
    begin()
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    value.write(to: &output)
    end(output.isWritten)
  }

  /// Writes an element that is an object.
  @inlinable @inline(__always)
  public mutating func object(_ body: (inout JSONObjectOutput) -> Void) {
    begin()
    var output = unsafe JSONOutput(state)
    output.object(body)
    end(output.isWritten)
  }

  /// Writes an element that is an array.
  @inlinable @inline(__always)
  public mutating func array(_ body: (inout JSONArrayOutput) -> Void) {
    begin()
    var output = unsafe JSONOutput(state)
    output.array(body)
    end(output.isWritten)
  }

  @usableFromInline
  mutating func begin() { unsafe state.pointee.separate(after: UInt8(ascii: "[")) }

  @usableFromInline @inline(__always)
  mutating func end(_ isWritten: Bool) {
    if unsafe !isWritten || state.pointee.hasFailed { mend(isWritten) }
    count += 1
  }

  @usableFromInline @inline(never)
  mutating func mend(_ isWritten: Bool) {
    if !isWritten { unsafe state.pointee.writeMissingValue() }
    unsafe state.pointee.addToPath(.index(count))
  }

  @usableFromInline
  mutating func close() { unsafe state.pointee.close(UInt8(ascii: "]"), after: UInt8(ascii: "[")) }
}
