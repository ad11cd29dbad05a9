// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The place of one value. Its verbs cannot write malformed JSON: an object takes only members, an array only elements, the
// end of a closure closes both, and an output takes one value. The bytes go straight into one growing buffer.
//
// Members and elements that are scalars or strings, and keys, are written by C in one step where the text is compact
// (decant_write.h); WritingState has the general path.

internal import CDecantIndex

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
  // SAFETY: the state outlives all outputs: they are made inside the call that made it, are passed `inout` only, and cannot
  // be copied.
  @safe @usableFromInline let state: UnsafeMutablePointer<WritingState>
  @usableFromInline package var isWritten = false

  @usableFromInline
  package init(_ state: UnsafeMutablePointer<WritingState>) { unsafe self.state = state }

  /// Whether the one value may be written, which it then is.
  @usableFromInline @inline(__always)
  mutating func begin() -> Bool {
    if isWritten {
      failSecondValue()
      return false
    }
    isWritten = true
    return true
  }

  @usableFromInline @inline(never)
  func failSecondValue() {
    state.pointee.fail(.notOneValue)
    assertionFailure("write(to:) wrote a second value")
  }
}

// MARK: - Values

extension JSONOutput {
  /// Writes a value: a boolean, a number, a string, an optional, or another value in this one's place. Numbers have
  /// their shortest text that reads back as the same number.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func value(_ value: borrowing some JSONWritable) { value.write(to: &self) }

  /// Writes `null`.
  public mutating func null() {
    if begin() { state.pointee.buffer.append("null") }
  }

  package mutating func bool(_ value: Bool) {
    if begin() { state.pointee.buffer.append(value ? "true" : "false") }
  }

  /// Writes an integer of any width.
  @_alwaysEmitIntoClient
  public mutating func integer(_ value: some BinaryInteger) {
    if let value = Int64(exactly: value) { integer(value) } else { wide(value) }
  }

  /// An integer that 64 bits with a sign may not hold.
  // The callee has no generic parameters, because Embedded Swift does not specialize functions that are not inlinable.
  @_alwaysEmitIntoClient @inline(never)
  mutating func wide(_ value: some BinaryInteger) {
    if let value = UInt64(exactly: value) { integer(value) } else { integer(digits: String(value)) }
  }

  @usableFromInline
  mutating func integer(_ value: Int64) {
    if begin() { state.pointee.buffer.append(value) }
  }

  @usableFromInline
  mutating func integer(_ value: UInt64) {
    if begin() { state.pointee.buffer.append(value) }
  }

  /// An integer that 64 bits do not hold.
  @usableFromInline
  mutating func integer(digits: String) {
    if begin() { state.pointee.buffer.append(digits: digits) }
  }

  /// Writes the shortest decimal that reads back as the same number. An infinity or NaN is a failure, and `null` if failures
  /// are ignored.
  package mutating func number(_ value: Double) {
    if begin(), !state.pointee.buffer.append(value) { failNonFinite() }
  }

  /// With the digits that a `Float` needs.
  package mutating func number(_ value: Float) {
    if begin(), !state.pointee.buffer.append(value) { failNonFinite() }
  }

  /// Writes `null` for a value that has no text, which is a failure.
  package mutating func failInvalidValue() {
    guard begin() else { return }
    state.pointee.fail(.invalidValue)
    state.pointee.buffer.append("null")
  }

  private func failNonFinite() {
    state.pointee.fail(.nonFiniteNumber)
    state.pointee.buffer.append("null")
  }

  /// Writes a string, with the escapes of RFC 8259 §7.
  package mutating func string(_ value: String) {
    if begin() { state.pointee.buffer.append(quoting: value) }
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
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func object(_ body: (inout JSONObjectOutput) -> Void) {
    guard begin(), let first = state.pointee.openObject() else { return }
    var object = unsafe JSONObjectOutput(state, first)
    body(&object)
    object.close()
  }

  /// Writes an array with the elements that `body` writes.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func array(_ body: (inout JSONArrayOutput) -> Void) {
    guard begin(), state.pointee.openArray() else { return }
    var array = unsafe JSONArrayOutput(state)
    body(&array)
    array.close()
  }
}

/// An object that is being written. It takes members, each with one key. Using a path as a key is a programmer's
/// error, which stops the process.
@safe
public struct JSONObjectOutput: ~Copyable {
  // SAFETY: as for the state of every output.
  @safe @usableFromInline let state: UnsafeMutablePointer<WritingState>
  /// How many members of other objects come before this one's, where members are put in order.
  @usableFromInline let first: Int

  @usableFromInline
  init(_ state: UnsafeMutablePointer<WritingState>, _ first: Int) {
    unsafe self.state = state
    self.first = first
  }

  /// Writes a member. A value that is absent (``JSONPresence/absent``) is left out.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func field(_ key: JSONKey, _ value: borrowing some JSONWritable) {
    value._writeMember(key, to: &self)
  }

  /// Writes a member, or nothing if the value is nil. `field` writes `null` for nil.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func fieldIfPresent(_ key: JSONKey, _ value: (some JSONWritable)?) {
    if let value { value._writeMember(key, to: &self) }
  }

  /// Writes a member whose value is an object.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func object(_ key: JSONKey, _ body: (inout JSONObjectOutput) -> Void) {
    begin(key)
    var output = unsafe JSONOutput(state)
    output.object(body)
    end(key, output.isWritten)
  }

  /// Writes a member whose value is an array.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func array(_ key: JSONKey, _ body: (inout JSONArrayOutput) -> Void) {
    begin(key)
    var output = unsafe JSONOutput(state)
    output.array(body)
    end(key, output.isWritten)
  }

  /// Writes a key, whose value has to follow.
  @usableFromInline @inline(never)
  mutating func begin(_ key: JSONKey) {
    // SAFETY: the bytes of a literal live as long as the program.
    if case .literal(let start, let count) = key.storage,
      unsafe decant_output_begin_member(&state.pointee.buffer.raw, start, count)
    {
      return
    }
    state.pointee.begin(key)
  }

  @usableFromInline @inline(never)
  mutating func end(_ key: JSONKey, _ isWritten: Bool) {
    if !isWritten || state.pointee.hasFailed { state.pointee.end(key, isWritten) }
  }

  @usableFromInline
  mutating func close() { state.pointee.closeObject(first) }
}

// MARK: - Members in one step

extension JSONObjectOutput {
  @usableFromInline
  mutating func add(_ key: JSONKey, _ value: Int64) {
    // SAFETY: the bytes of a literal live as long as the program.
    if case .literal(let start, let count) = key.storage,
      unsafe decant_output_add_int64(&state.pointee.buffer.raw, start, count, value)
    {
      return
    }
    state.pointee.begin(key)
    state.pointee.buffer.append(value)
  }

  @usableFromInline
  mutating func add(_ key: JSONKey, _ value: Double) {
    // SAFETY: as above.
    if case .literal(let start, let count) = key.storage,
      unsafe decant_output_add_double(&state.pointee.buffer.raw, start, count, value)
    {
      return
    }
    field(key) { $0.number(value) }
  }

  @usableFromInline
  mutating func add(_ key: JSONKey, _ value: Bool) {
    // SAFETY: as above.
    if case .literal(let start, let count) = key.storage,
      unsafe decant_output_add_bool(&state.pointee.buffer.raw, start, count, value)
    {
      return
    }
    state.pointee.begin(key)
    state.pointee.buffer.append(value ? "true" : "false")
  }

  @usableFromInline
  mutating func add(_ key: JSONKey, _ value: String) {
    // SAFETY: as above.
    if case .literal(let start, let count) = key.storage,
      unsafe state.pointee.buffer.add(start, count, value)
    {
      return
    }
    state.pointee.begin(key)
    state.pointee.append(string: value)
  }

  @usableFromInline
  mutating func addNull(_ key: JSONKey) {
    // SAFETY: as above.
    if case .literal(let start, let count) = key.storage,
      unsafe decant_output_add_null(&state.pointee.buffer.raw, start, count)
    {
      return
    }
    state.pointee.begin(key)
    state.pointee.buffer.append("null")
  }
}

/// An array that is being written. It takes elements.
@safe
public struct JSONArrayOutput: ~Copyable {
  // SAFETY: as for the state of every output.
  @safe @usableFromInline let state: UnsafeMutablePointer<WritingState>
  @usableFromInline var count = 0

  @usableFromInline
  init(_ state: UnsafeMutablePointer<WritingState>) { unsafe self.state = state }

  /// Writes an element. A value that is absent becomes `null`.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func element(_ value: borrowing some JSONWritable) {
    begin()
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    value.write(to: &output)
    end(output.isWritten)
  }

  /// Writes an element that is an object.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func object(_ body: (inout JSONObjectOutput) -> Void) {
    begin()
    var output = unsafe JSONOutput(state)
    output.object(body)
    end(output.isWritten)
  }

  /// Writes an element that is an array.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func array(_ body: (inout JSONArrayOutput) -> Void) {
    begin()
    var output = unsafe JSONOutput(state)
    output.array(body)
    end(output.isWritten)
  }

  @usableFromInline @inline(never)
  mutating func begin() { state.pointee.separate(after: UInt8(ascii: "[")) }

  @usableFromInline @inline(never)
  mutating func end(_ isWritten: Bool) {
    if !isWritten || state.pointee.hasFailed {
      state.pointee.endElement(count, isWritten)
    }
    count += 1
  }

  @usableFromInline
  mutating func close() { state.pointee.closeArray() }
}

// MARK: - Elements in one step

extension JSONArrayOutput {
  @usableFromInline @inline(never)
  mutating func add(_ value: Int64) {
    state.pointee.separate(after: UInt8(ascii: "["))
    state.pointee.buffer.append(value)
    count += 1
  }

  /// An integer that 64 bits with a sign do not hold.
  @_alwaysEmitIntoClient @inline(never)
  mutating func add(wide value: some BinaryInteger) {
    begin()
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    output.wide(value)
    end(output.isWritten)
  }

  @usableFromInline
  mutating func add(_ values: UnsafeBufferPointer<Int64>) {
    var place = 0
    while place < values.count {
      // SAFETY: C reads as many values as there are, and writes up to the limit.
      place += unsafe decant_output_add_int64s(
        &state.pointee.buffer.raw, values.baseAddress.map { unsafe $0 + place },
        values.count - place)
      if place < values.count {
        begin()
        unsafe state.pointee.buffer.append(values[place])
        place += 1
      }
    }
    count += values.count
  }

  @usableFromInline
  mutating func add(_ values: UnsafeBufferPointer<Double>) {
    var place = 0
    while place < values.count {
      // SAFETY: C reads as many values as there are, and writes up to the limit.
      let done = unsafe decant_output_add_doubles(
        &state.pointee.buffer.raw, values.baseAddress.map { unsafe $0 + place },
        values.count - place)
      place += done
      count += done
      if place < values.count {
        unsafe element(general: values[place])
        place += 1
      }
    }
  }

  /// Writes an element that is an array, with all of its numbers; false if that is not possible in one step.
  @usableFromInline
  mutating func addArray(_ numbers: UnsafeBufferPointer<Double>) -> Bool {
    // SAFETY: C reads as many values as there are, and writes up to the limit.
    guard state.pointee.mayOpen,
      unsafe decant_output_add_double_array(
        &state.pointee.buffer.raw, numbers.baseAddress, numbers.count)
    else { return false }
    count += 1
    return true
  }

  @usableFromInline
  mutating func addArray(_ numbers: UnsafeBufferPointer<Int64>) -> Bool {
    // SAFETY: as above.
    guard state.pointee.mayOpen,
      unsafe decant_output_add_int64_array(
        &state.pointee.buffer.raw, numbers.baseAddress, numbers.count)
    else { return false }
    count += 1
    return true
  }

  private mutating func element(general value: Double) {
    begin()
    var output = unsafe JSONOutput(state)
    output.number(value)
    end(output.isWritten)
  }

  @usableFromInline
  mutating func add(_ values: UnsafeBufferPointer<String>) {
    for place in values.indices {
      // SAFETY: an element has no key.
      if unsafe state.pointee.buffer.add(nil, 0, values[place]) { continue }
      begin()
      unsafe state.pointee.buffer.append(quoting: values[place])
    }
    count += values.count
  }
}
