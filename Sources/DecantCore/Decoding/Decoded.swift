// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What `Result` lacks for decoding. The operators are one line over these; Argo's further words are in
// DecantVocabulary.

extension Result where Failure == DecodeError {
  /// The model, or nil.
  @_alwaysEmitIntoClient
  public var value: Success? {
    if case .success(let value) = self { return value }
    return nil
  }

  /// The error, or nil.
  @_alwaysEmitIntoClient
  public var error: DecodeError? {
    if case .failure(let error) = self { return error }
    return nil
  }

  /// This, or if it failed, the alternative, which is not evaluated otherwise.
  @_alwaysEmitIntoClient
  public func or(_ alternative: @autoclosure () -> Self) -> Self {
    if case .success = self { return self }
    return alternative()
  }
}

extension DecodeError {
  /// This error, and another outcome's if it has one.
  @_alwaysEmitIntoClient
  package consuming func adding<Model>(_ other: consuming Decoded<Model>) -> DecodeError {
    if case .failure(let error) = consume other { return .combining(consume self, consume error) }
    return self
  }
}
