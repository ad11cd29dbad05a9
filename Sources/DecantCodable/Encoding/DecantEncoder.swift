// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The drop-in for Foundation's `JSONEncoder`. An encode is one `EncodingSession`; CoderState.swift tells how they are
// kept between calls.

internal import DecantCore

/// Encodes `Encodable` models as JSON, with the options and results of `JSONEncoder`, several times
/// faster.
///
///     let bytes = try DecantEncoder().encode(user)     // {"id":5,"name":"Tester"}
///
/// Members are in the order in which a model encodes them, or sorted by ``OutputFormatting/sortedKeys``.
///
/// One encoder may be used by many tasks at once. Options apply to the calls that begin after they are set.
@safe
open class DecantEncoder: @unchecked Sendable {
  package let state = CoderState<EncodingSession>(EncodingSettings())

  /// An encoder with the default settings.
  public init() {}

  // MARK: - Options

  /// How the text is laid out. By default it has no white space, members are in the order of encoding, and `/` is
  /// `\/`.
  open var outputFormatting: OutputFormatting {
    get { state.setting { $0.format } }
    set { state.set { $0.format = newValue } }
  }

  /// How the keys of models become JSON keys.
  open var keyEncodingStrategy: KeyEncodingStrategy {
    get { state.setting { $0.keys } }
    set { state.set { $0.keys = newValue } }
  }

  /// How infinities and NaN are encoded.
  open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
    get { state.setting { $0.floats } }
    set { state.set { $0.floats = newValue } }
  }

  /// The `userInfo` of the models' encoders.
  ///
  /// A subclass may override this property. The value at the beginning of a call counts.
  @preconcurrency open var userInfo: [CodingUserInfoKey: any Sendable] {
    get { state.setting { $0.userInfo } }
    set { state.set { $0.userInfo = newValue } }
  }

  /// How many arrays and objects may be inside one another: 512 by default. A cycle of class instances reaches any
  /// limit.
  open var maximumDepth: Int {
    get { state.setting { $0.maximumDepth } }
    set { state.set { $0.maximumDepth = newValue } }
  }

  // MARK: - Encoding

  /// Encodes a value as UTF-8.
  ///
  /// - Throws: `EncodingError.invalidValue` with the coding path: infinities and NaN, values that encode nothing
  ///   or more than once, and more nesting than ``maximumDepth``. Or whatever a model's `encode(to:)` throws.
  /// - Complexity: linear in the text. Nested containers and super encoders are written separately and copied into
  ///   the text. If a key is encoded twice, the text is read and written once more.
  @_disfavoredOverload
  open func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    try unsafe withText(of: value) { unsafe [UInt8]($0) }
  }

  /// Appends the text of a value to a buffer, such as the one that a server sends.
  ///
  /// - Parameter userInfo: Added to the encoder's `userInfo` for this call; it takes precedence for keys that both
  ///   have.
  /// - Throws: As ``encode(_:)``; then nothing is appended.
  @preconcurrency
  public final func encode<Value: Encodable, Buffer: RangeReplaceableCollection<UInt8>>(
    _ value: Value, to buffer: inout Buffer, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws {
    try withSession(userInfo.isEmpty ? nil : userInfo) { session in
      try unsafe session.encode(value) { unsafe buffer.append(contentsOf: $0) }
    }
  }

  /// Encodes a value and hands its text to `body`, which must not keep it.
  package final func withText<Value: Encodable, Result>(
    of value: Value, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result {
    try withSession { try unsafe $0.encode(value, body) }
  }

  /// Encodes a value by a function of the root's encoder.
  package final func withText<Result>(
    of value: Any, userInfo: UserInfo, by encode: @escaping (Scope) throws -> Void,
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result {
    try withSession(userInfo.isEmpty ? nil : userInfo) {
      try unsafe $0.encode(FunctionValue(value: value, body: encode), body)
    }
  }
}

/// A value that a function encodes.
private struct FunctionValue: StrategyEncodable {
  let value: Any
  let body: (Scope) throws -> Void

  func encode(by scope: Scope) throws {
    try body(scope)
    if scope.content == .nothing { throw scope.encodedNothing(value) }
  }
  func encode(to encoder: any Encoder) throws {
    if let scope = encoder as? Scope { try body(scope) }
  }
}

// MARK: - Sessions

extension DecantEncoder {
  /// Calls `body` with a session of this call's, and more `userInfo` for this call.
  @inline(__always)
  private func withSession<Result>(
    _ userInfo: UserInfo? = nil, _ body: (EncodingSession) throws -> Result
  ) throws -> Result {
    let isSubclass = type(of: self) != DecantEncoder.self
    let call = state.acquire(adding: isSubclass ? self.userInfo.adding(userInfo ?? [:]) : userInfo)
    defer { state.release(call) }
    return try call.session.with { try body($0) }
  }
}
