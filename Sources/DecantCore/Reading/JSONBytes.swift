// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The inputs that can be decoded: the protocol of contiguous bytes, and its conformances in the standard library.

/// Contiguous bytes that can be read as a document, without a copy, a terminator or padding.
///
/// `[UInt8]`, `ArraySlice<UInt8>`, `ContiguousArray<UInt8>`, `UnsafeRawBufferPointer`, `UnsafeBufferPointer<UInt8>`,
/// `Span<UInt8>`, `RawSpan`, `String`, `Substring` and `StaticString` conform; with DecantFoundation, so does `Data`.
public protocol JSONBytes: ~Escapable {
  /// Calls `body` with the bytes, which stay where they are until it returns.
  func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension Array: JSONBytes where Element == UInt8 {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes(body)
  }
}

extension ArraySlice: JSONBytes where Element == UInt8 {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes(body)
  }
}

extension ContiguousArray: JSONBytes where Element == UInt8 {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes(body)
  }
}

extension UnsafeRawBufferPointer: @unsafe JSONBytes {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(self)
  }
}

extension UnsafeBufferPointer: @unsafe JSONBytes where Element == UInt8 {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(self))
  }
}

extension Span: JSONBytes where Element == UInt8 {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { unsafe body($0) }
  }
}

extension RawSpan: JSONBytes {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe withUnsafeBytes { unsafe body($0) }
  }
}

extension String: JSONBytes {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = self
    return text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }
}

extension Substring: JSONBytes {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let result = unsafe utf8.withContiguousStorageIfAvailable {
      unsafe body(UnsafeRawBufferPointer($0))
    }
    if let result { return result }
    // Only strings of another runtime are not contiguous.
    return unsafe String(self).withJSONBytes(body)
  }
}

extension StaticString: JSONBytes {
  /// Calls `body` with the bytes, which are borrowed for the call.
  @_alwaysEmitIntoClient
  public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
  }
}
