// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The protocol of models, and its entry points for bytes.

/// The result of decoding: a model or an error.
public typealias Decoded<Model> = Result<Model, DecodeError>

/// A type that can be decoded from a JSON value. Every spelling of a decoder calls its one requirement.
///
///     extension User: JSONDecodable {
///       static func decode(_ json: JSON) -> Decoded<User> {
///         curry(User.init) <^> json <| "id" <*> json <| "name" <*> json <|? "email"
///       }
///     }
///
///     let user = try User(decoding: bytes)
///
/// Enums with raw values need no code: `extension Meal: JSONDecodable {}`.
public protocol JSONDecodable: SendableMetatype {
  /// Makes a model from `json`, or says why not.
  static func decode(_ json: JSON) -> Decoded<Self>
}

/// A decodable type in its throwing form.
///
///     extension User: JSONInitializable {
///       init(json: JSON) throws(DecodeError) {
///         id = try json.get("id")
///         name = try json.get("name")
///         email = try json.getIfPresent("email")
///       }
///     }
///
/// It stops at the first error. Every other spelling collects the errors of all fields; an initializer can do so with
/// ``DecodeErrors``.
///
/// For the most speed with large models, write the initializer in an extension and call the memberwise one,
/// `self.init(id: try json.get("id"), …)`: otherwise the compiler copies the whole model at the end.
public protocol JSONInitializable: JSONDecodable {
  init(json: JSON) throws(DecodeError)
}

extension JSONInitializable {
  /// The outcome of `init(json:)`.
  @_alwaysEmitIntoClient @inline(__always)
  public static func decode(_ json: JSON) -> Decoded<Self> {
    do throws(DecodeError) { return .success(try Self(json: json)) } catch {
      return .failure(error)
    }
  }
}

// MARK: - Entry points

extension JSONDecodable {
  /// Decodes a document, as a value: a model or an error with path, place and text.
  ///
  /// The bytes are borrowed for the call. The whole document is validated first; a model only sees valid JSON.
  ///
  /// - Complexity: linear in the bytes. No allocation beyond the model for documents of some hundred
  ///   bytes; 8 bytes a value, 16 a container, from a buffer that the thread keeps, for larger ones.
  @_alwaysEmitIntoClient
  public static func decode(
    from bytes: borrowing some JSONBytes & ~Escapable, options: DecodingOptions
  ) -> Decoded<Self> {
    // SAFETY: the buffer is used inside the closure only.
    unsafe bytes.withJSONBytes {
      unsafe reading($0, options.engine, options.rules, options.sourceName, Self.decode)
    }
  }

  /// Decodes a document with the standard options: ``decode(from:options:)``.
  @_alwaysEmitIntoClient
  public static func decode(from bytes: borrowing some JSONBytes & ~Escapable) -> Decoded<Self> {
    // SAFETY: as above.
    unsafe bytes.withJSONBytes {
      unsafe reading($0, .native, DecodingOptions.standardRules, nil, Self.decode)
    }
  }

  /// Decodes a document, or throws.
  ///
  /// - Throws: ``DecodeError`` with any code of its categories syntax, data, limit, input and memory.
  @_alwaysEmitIntoClient
  public init(
    decoding bytes: borrowing some JSONBytes & ~Escapable, options: DecodingOptions
  ) throws(DecodeError) {
    self = try Self.decode(from: bytes, options: options).get()
  }

  /// Decodes a document with the standard options, or throws: ``init(decoding:options:)``.
  @_alwaysEmitIntoClient
  public init(decoding bytes: borrowing some JSONBytes & ~Escapable) throws(DecodeError) {
    self = try Self.decode(from: bytes).get()
  }
}

// MARK: - Outcomes

// Functions that `Result` lacks for decoding. The operators are one line over these; DecantVocabulary has Argo's others.

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

  /// This result, or if it failed, the alternative, which is only evaluated then. If both fail, the error lists the
  /// errors of the first 8 alternatives:
  ///
  ///     none of 2 alternatives: /x: expected an integer, found the string "1"; /y: the key is missing
  ///
  /// - Complexity: That of both. A model that contains itself in two alternatives takes twice as long for each level
  ///   on which the first one fails. Choose by a member instead, as `JSONConversion.variants` does.
  @_alwaysEmitIntoClient
  public func or(_ alternative: @autoclosure () -> Self) -> Self {
    guard case .failure(let error) = self else { return self }
    let other = alternative()
    guard case .failure(let otherError) = other else { return other }
    return .failure(.neither(error, otherError))
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
