// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Writing: models that write themselves as JSON, and the calls that make a text of them.

/// A type that writes itself as JSON, the counterpart of ``JSONDecodable``.
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

  /// Writes a member with this value, or leaves it out. Types of the library write key and value in one step.
  func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput)

  /// Writes the elements of an array.
  static func _writeElements(
    _ values: UnsafeBufferPointer<Self>, to array: inout JSONArrayOutput)
}

extension JSONWritable {
  /// The key, and what `write(to:)` writes.
  @_alwaysEmitIntoClient @inline(__always)
  public func _writeMember(_ key: JSONKey, to object: inout JSONObjectOutput) {
    object.add(self, key)
  }

  /// The elements, one by one.
  @_alwaysEmitIntoClient
  public static func _writeElements(
    _ values: UnsafeBufferPointer<Self>, to array: inout JSONArrayOutput
  ) {
    guard let start = values.baseAddress else { return }
    unsafe start.withMemoryRebound(to: BorrowedElement<Self>.self, capacity: values.count) {
      for place in values.indices { unsafe $0[place].write(to: &array) }
    }
  }
}

/// A value of an array, used in place. The compiler retains a value that it reads from memory, because a call could overwrite
/// it; it does not retain a member of a noncopyable type.
@usableFromInline
struct BorrowedElement<Value: JSONWritable>: ~Copyable {
  @usableFromInline let value: Value

  @_alwaysEmitIntoClient @inline(__always)
  borrowing func write(to array: inout JSONArrayOutput) { array.element(value) }
}

extension BorrowedElement {
  /// Writes an array of numbers; false for others, and if it has to be written number by number.
  @_alwaysEmitIntoClient @inline(__always)
  borrowing func writeNumbers<Number>(to array: inout JSONArrayOutput) -> Bool
  where Value == [Number] {
    let isWhole = Number.self == Int.self && MemoryLayout<Int>.size == MemoryLayout<Int64>.size
    if !isWhole, Number.self != Double.self { return false }
    // SAFETY: the numbers are of the type that they are taken for.
    return unsafe value.withUnsafeBytes {
      isWhole
        ? unsafe array.addArray($0.assumingMemoryBound(to: Int64.self))
        : unsafe array.addArray($0.assumingMemoryBound(to: Double.self))
    }
  }
}

extension JSONObjectOutput {
  /// A member whose value writes itself.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func add(_ value: borrowing some JSONWritable, _ key: JSONKey) {
    begin(key)
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    value.write(to: &output)
    end(key, output.isWritten)
  }
}

extension JSONWritable {
  /// This value as JSON text. Values that cannot be written become `null`: infinities, NaN, and nesting beyond the
  /// options' limit or the thread's stack. ``checkedJSONBytes(_:)`` throws for them.
  ///
  /// - Complexity: linear in the text; one allocation for a text of up to 1 KB.
  @_alwaysEmitIntoClient
  public func jsonText(_ options: JSONWritingOptions = JSONWritingOptions()) -> String {
    Writing.text(options) { write(to: &$0) }
  }

  /// ``jsonText(_:)`` as UTF-8.
  @_alwaysEmitIntoClient
  public func jsonBytes(_ options: JSONWritingOptions = JSONWritingOptions()) -> [UInt8] {
    Writing.bytes(options) { write(to: &$0) }
  }

  /// This value as JSON text in UTF-8.
  ///
  ///     try [1, .nan].checkedJSONBytes()         // /1: JSON has no infinity and no NaN
  ///
  /// - Throws: ``JSONWritingError`` for what JSON cannot express, with its path.
  /// Without memory for the text the program ends, as it does where an array of Swift's grows.
  @_alwaysEmitIntoClient
  public func checkedJSONBytes(
    _ options: JSONWritingOptions = JSONWritingOptions()
  ) throws(JSONWritingError) -> [UInt8] {
    try Writing.checkedBytes(options) { write(to: &$0) }
  }

  /// Appends this value's JSON text to a buffer, such as the one a server sends.
  ///
  /// - Throws: ``JSONWritingError``; then nothing is appended.
  public func appendJSON<Buffer: RangeReplaceableCollection<UInt8>>(
    to buffer: inout Buffer, _ options: JSONWritingOptions = JSONWritingOptions()
  ) throws(JSONWritingError) {
    let failure = unsafe Writing.withText(options, { write(to: &$0) }) { text, failure in
      if failure == nil { unsafe buffer.append(contentsOf: text) }
      return failure
    }
    if let failure { throw failure }
  }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension JSONWritable {
  /// Appends this value's JSON text to the caller's memory, if it fits. The text is written there directly.
  ///
  /// - Returns: The text's length. If that is more than the span's free capacity, nothing is appended.
  /// - Throws: ``JSONWritingError``; then nothing is appended.
  public func appendJSON(
    to span: inout OutputSpan<UInt8>, _ options: JSONWritingOptions = JSONWritingOptions()
  ) throws(JSONWritingError) -> Int {
    try unsafe span.withUnsafeMutableBufferPointer { memory, used throws(JSONWritingError) in
      let free = unsafe UnsafeMutableBufferPointer(rebasing: memory[used...])
      let (count, failure) = unsafe Writing.write(to: free, options) { write(to: &$0) }
      if let failure { throw failure }
      if count <= free.count { used += count }
      return count
    }
  }
}

/// The calls that make a text of what a function writes. They are not generic: how a value writes itself is
/// compiled where its type is known.
@usableFromInline
enum Writing {
  @usableFromInline
  static func text(_ options: JSONWritingOptions, _ write: (inout JSONOutput) -> Void) -> String {
    unsafe withText(options, write) { text, _ in unsafe String(decoding: text, as: UTF8.self) }
  }

  @usableFromInline
  static func bytes(_ options: JSONWritingOptions, _ write: (inout JSONOutput) -> Void) -> [UInt8] {
    unsafe withText(options, write) { text, _ in unsafe [UInt8](text) }
  }

  @usableFromInline
  static func checkedBytes(
    _ options: JSONWritingOptions, _ write: (inout JSONOutput) -> Void
  ) throws(JSONWritingError) -> [UInt8] {
    let (bytes, failure) = unsafe withText(options, write) { text, failure in
      (failure == nil ? unsafe [UInt8](text) : [], failure)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes into memory of the caller's, if the text fits, and returns the text's length.
  fileprivate static func write(
    to memory: UnsafeMutableBufferPointer<UInt8>, _ options: JSONWritingOptions,
    _ write: (inout JSONOutput) -> Void
  ) -> (count: Int, failure: JSONWritingError?) {
    if memory.isEmpty { return unsafe withText(options, write) { ($0.count, $1) } }
    return unsafe withText(startingIn: memory, options, write) { text, failure in
      // A text that was longer on its way, or needed more space than it takes, is elsewhere.
      if let start = text.baseAddress, unsafe start != memory.baseAddress!, failure == nil,
        text.count <= memory.count
      {
        unsafe memory.baseAddress!.update(from: start, count: text.count)
      }
      return (text.count, failure)
    }
  }

  /// Writes into memory that begins on the stack, and hands the text and the failure to `body`.
  @inline(__always)
  fileprivate static func withText<Result>(
    _ options: JSONWritingOptions, _ write: (inout JSONOutput) -> Void,
    _ body: (UnsafeBufferPointer<UInt8>, JSONWritingError?) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { memory in
      unsafe withText(startingIn: memory, options, write, body)
    }
  }

  /// The same with memory of the caller's, which is not empty.
  @inline(__always)
  private static func withText<Result>(
    startingIn memory: UnsafeMutableBufferPointer<UInt8>, _ options: JSONWritingOptions,
    _ write: (inout JSONOutput) -> Void,
    _ body: (UnsafeBufferPointer<UInt8>, JSONWritingError?) -> Result
  ) -> Result {
    var state = unsafe WritingState(startingIn: memory, options: options)
    let failure = unsafe run(&state, options, write)
    return unsafe body(state.buffer.text, failure)
  }

  /// Writes a text, and returns why it is not what was to be written.
  @inline(never)
  private static func run(
    _ state: UnsafeMutablePointer<WritingState>, _ options: JSONWritingOptions,
    _ write: (inout JSONOutput) -> Void
  ) -> JSONWritingError? {
    // SAFETY: the output cannot leave `write`, and the state outlives it.
    var output = unsafe JSONOutput(state)
    write(&output)
    if !output.isWritten { unsafe state.pointee.writeMissingValue() }
    let failure = unsafe state.pointee.failure
    if failure != nil || !options.rejectsDuplicateKeys { return failure }
    return unsafe duplicateKey(in: state.pointee.buffer.text)
  }

  /// The first key that an object of a text has twice.
  @inline(never)
  private static func duplicateKey(in text: UnsafeBufferPointer<UInt8>) -> JSONWritingError? {
    let reading = DecodingOptions(
      maximumDepth: .max, maximumBytes: text.count, duplicateKeys: .reject)
    guard let error = unsafe JSONValue.parse(text, options: reading).error else { return nil }
    // After any other failure, the question stays open.
    let code = error.code == .duplicateKey ? JSONWritingError.Code.duplicateKey : .uncheckedKeys
    return JSONWritingError(code: code, path: error.path)
  }
}
