// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The way back: a model that writes itself as JSON, and the calls that make it.

/// A type that writes itself as JSON, beside ``JSONDecodable``, which reads it.
///
///     struct Point: JSONWritable {
///       var x: Double, y: Double
///       func write(to json: inout JSONOutput) {
///         json.array { $0.element(x); $0.element(y) }
///       }
///     }
///     Point(x: 1, y: 0.5).jsonText()           // [1,0.5]
///
/// Scalars, strings, optionals, arrays, sets, dictionaries, enums with raw values and ``JSONValue`` are
/// writable. An enum with raw values needs no code: `enum Meal: String, JSONWritable { … }`.
public protocol JSONWritable {
  /// Writes this value, and nothing else, to `json`.
  func write(to json: inout JSONOutput)

  /// Whether a member with this value is left out. False, but for ``JSONPresence/absent``.
  var _isAbsent: Bool { get }
}

extension JSONWritable {
  @_alwaysEmitIntoClient @inline(__always)
  public var _isAbsent: Bool { false }
}

extension JSONWritable {
  /// This value as JSON text. What JSON cannot express is `null`: infinities, NaN, and what is nested deeper
  /// than the options allow. ``checkedJSONBytes(_:)`` throws for them.
  ///
  /// - Complexity: linear in the text; one allocation for a text of up to 1 KB.
  public func jsonText(_ options: JSONWritingOptions = JSONWritingOptions()) -> String {
    unsafe writing(options) { text, _ in unsafe String(decoding: text, as: UTF8.self) }
  }

  /// ``jsonText(_:)`` as UTF-8.
  public func jsonBytes(_ options: JSONWritingOptions = JSONWritingOptions()) -> [UInt8] {
    unsafe writing(options) { text, _ in unsafe [UInt8](text) }
  }

  /// This value as JSON text in UTF-8.
  ///
  ///     try [1, .nan].checkedJSONBytes()         // /1: JSON has no infinity and no NaN
  ///
  /// - Throws: ``JSONWritingError`` for what JSON cannot express, with its path.
  public func checkedJSONBytes(
    _ options: JSONWritingOptions = JSONWritingOptions()
  ) throws(JSONWritingError) -> [UInt8] {
    try unsafe writing(options) { text, failure -> Result<[UInt8], JSONWritingError> in
      if let failure { return .failure(failure) }
      return .success(unsafe [UInt8](text))
    }.get()
  }

  /// Appends this value's JSON text to a buffer, such as the one a server sends.
  ///
  /// - Throws: ``JSONWritingError``; then nothing is appended.
  public func appendJSON<Buffer: RangeReplaceableCollection<UInt8>>(
    to buffer: inout Buffer, _ options: JSONWritingOptions = JSONWritingOptions()
  ) throws(JSONWritingError) {
    try unsafe writing(options) { text, failure -> Result<Void, JSONWritingError> in
      if let failure { return .failure(failure) }
      unsafe buffer.append(contentsOf: text)
      return .success(())
    }.get()
  }

  /// Writes this value into memory that begins on the stack, and hands the text and the failure to `body`.
  private func writing<Result>(
    _ options: JSONWritingOptions,
    _ body: (UnsafeBufferPointer<UInt8>, JSONWritingError?) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { memory in
      var state = unsafe WritingState(startingIn: memory, options: options)
      return unsafe withUnsafeMutablePointer(to: &state) { state in
        // SAFETY: the output cannot leave `write(to:)`, and the state outlives it.
        var output = unsafe JSONOutput(state)
        write(to: &output)
        if !output.isWritten { unsafe state.pointee.writeMissingValue() }
        return unsafe body(state.pointee.buffer.text, state.pointee.failure)
      }
    }
  }
}
