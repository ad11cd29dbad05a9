// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The named verbs under every spelling: the operators are one line each over these, and the throwing twins
// unwrap them. All go through `decode(_:as:)` or `decodeIfPresent(_:as:)`.
//
//   verb                               missing   null      wrong type
//   decode, get                        error     error     error       `null` counts as missing
//   decodeIfPresent, getIfPresent      nil       nil       error
//   decode(_:default:)                 default   default   error
//
// `decode` has three overloads, and so has `get`; modifiers have names of their own (`convert`, `decodeFirst`,
// `decodePresence`). With ten overloads of one name, a wrong `build` of 24 fields took the compiler 15 seconds
// and ended in "unable to type-check"; with three it takes 0.6 and names the field. Tests/TypeChecking measures.

public import CDecantIndex

extension JSON {
  /// Decodes this value: `Model.decode(json)`, with a type that the context can infer.
  @_alwaysEmitIntoClient @inline(__always)
  public func decoded<Model: JSONDecodable>(_ type: Model.Type = Model.self) -> Decoded<Model> {
    JSON.mayDescend(into: type) ? Model.decode(self) : .failure(stackIsFull())
  }

  /// Decodes the value at a key, an index or a path.
  @_alwaysEmitIntoClient @inline(__always)
  public func decode<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) -> Decoded<Model> { decode(key, by: { $0.decoded(type) }) }

  /// Decodes the value at a key; absent or `null` is nil, anything else must be right.
  @_alwaysEmitIntoClient @inline(__always)
  public func decodeIfPresent<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) -> Decoded<Model?> { decodeIfPresent(key, by: { $0.decoded(type) }) }

  /// Unavailable: its message explains that a property is not optional.
  @available(*, unavailable, message: "the property is not optional: use decode(_:as:)")
  @_alwaysEmitIntoClient
  public func decodeIfPresent<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) -> Decoded<Model> { decode(key) }

  /// Decodes the value at a key; absent or `null` is the default, anything else must be right.
  @_alwaysEmitIntoClient
  public func decode<Model: JSONDecodable>(
    _ key: JSONKey, default fallback: @autoclosure () -> Model
  ) -> Decoded<Model> {
    replaceNil(decodeIfPresent(key, as: Model.self), at: key, fallback)
  }

  /// Decodes the value at an RFC 6901 pointer.
  @_alwaysEmitIntoClient
  public func decode<Model: JSONDecodable>(
    pointer: JSONPointer, as type: Model.Type = Model.self
  ) -> Decoded<Model> {
    switch key(of: pointer) {
    case .success(let key): decode(key)
    case .failure(let error): .failure(error)
    }
  }

  /// Decodes the value at an RFC 6901 pointer; absent or `null` is nil.
  @_alwaysEmitIntoClient
  public func decodeIfPresent<Model: JSONDecodable>(
    pointer: JSONPointer, as type: Model.Type = Model.self
  ) -> Decoded<Model?> {
    switch key(of: pointer) {
    case .success(let key): decodeIfPresent(key)
    case .failure(let error): .failure(error)
    }
  }
}

// MARK: - By a function

extension JSON {
  /// Decodes the value at a key by a function.
  @_alwaysEmitIntoClient @inline(__always)
  package func decode<Model>(
    _ key: JSONKey, by body: (JSON) -> Decoded<Model>
  ) -> Decoded<Model> {
    let node = node(at: key)
    if node == DECANT_NODE_NONE { return .failure(absence(of: key)) }
    let result = body(JSON(node, within: self))
    if case .failure(let error) = result { return .failure(placed(error, at: node, of: key)) }
    return result
  }

  /// The same, where absent or `null` is nil.
  @_alwaysEmitIntoClient @inline(__always)
  package func decodeIfPresent<Model>(
    _ key: JSONKey, by body: (JSON) -> Decoded<Model>
  ) -> Decoded<Model?> {
    let node = node(at: key)
    if node == DECANT_NODE_NONE { return absenceIsNil(of: key) }
    let value = JSON(node, within: self)
    if value.isNull { return .success(nil) }
    switch body(value) {
    case .success(let model): return .success(model)
    case .failure(let error): return .failure(placed(error, at: node, of: key))
    }
  }

  /// The value at a key, or the default if it is nil.
  @_alwaysEmitIntoClient
  package func replaceNil<Model>(
    _ decoded: Decoded<Model?>, at key: JSONKey, _ fallback: () -> Model
  ) -> Decoded<Model> {
    switch decoded {
    case .success(let model?): return .success(model)
    case .success(nil):
      note(key, .defaulted)
      return .success(fallback())
    case .failure(let error): return .failure(error)
    }
  }
}

// MARK: - Throwing twins

extension JSON {
  /// Decodes the value at a key, or throws.
  @_alwaysEmitIntoClient @inline(__always)
  public func get<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model { try decode(key).get() }

  /// Decodes the value at a key, or throws; absent or `null` is nil.
  @_alwaysEmitIntoClient @inline(__always)
  public func getIfPresent<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model? { try decodeIfPresent(key).get() }

  /// Decodes the value at a key, or throws; absent or `null` is the default.
  @_alwaysEmitIntoClient
  public func get<Model: JSONDecodable>(
    _ key: JSONKey, default fallback: @autoclosure () -> Model
  ) throws(DecodeError) -> Model { try decode(key, default: fallback()).get() }

  /// Decodes the value at an RFC 6901 pointer, or throws.
  @_alwaysEmitIntoClient
  public func get<Model: JSONDecodable>(
    pointer: JSONPointer, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model { try decode(pointer: pointer).get() }
}

// MARK: - Failures, out of line

extension JSON {
  /// nil where a key is merely absent; an error where the way to it leads through a wrong kind. In clients, as all
  /// generic code: a call would ask the runtime for the types, which takes as long as five members.
  @_alwaysEmitIntoClient @inline(__always)
  package func absenceIsNil<Model>(of key: JSONKey) -> Decoded<Model?> {
    if case .literal = key.storage, isNativeObject { return .success(nil) }
    if let error = wrongWay(of: key) { return .failure(error) }
    return .success(nil)
  }

  @usableFromInline @inline(never)
  package func wrongWay(of key: JSONKey) -> DecodeError? {
    if isNull { return nil }
    let error = absence(of: key)
    return error.code == .missingKey || error.code == .missingElement ? nil : error
  }

  /// The error if there is no array at a pointer; nil if there is one.
  package func lackOfArray(at pointer: JSONPointer) -> DecodeError? {
    key(of: pointer).flatMap { key in
      decode(key) { $0.kind == .array ? .success(()) : .failure($0.failure(.typeMismatch, .array)) }
    }.error
  }

  /// The path that a pointer spells in this document.
  @usableFromInline
  package func key(of pointer: JSONPointer) -> Decoded<JSONKey> {
    var keys: [JSONKey]? = []
    if node(at: pointer, &keys) != nil { return .success(JSONKey(path: keys ?? [])) }
    let error = failure(.invalidPointer, expected: nil)
    error.storage.message = quoted(pointer.text) + " is not a JSON Pointer (RFC 6901)"
    return .failure(error)
  }
}

// MARK: - Several keys

extension JSON {
  /// Decodes the value at the first of several keys that is present; `null` counts as missing.
  ///
  /// The value must be right: a later key does not hide an earlier one of a wrong type.
  ///
  ///     json.decodeFirst(of: ["photo_url", "photoURL"])
  @_alwaysEmitIntoClient
  public func decodeFirst<Model: JSONDecodable>(
    of keys: [JSONKey], as type: Model.Type = Model.self
  ) -> Decoded<Model> {
    for key in keys {
      switch decodeIfPresent(key, as: Model.self) {
      case .success(.some(let model)): return .success(model)
      case .success(.none): continue
      case .failure(let error): return .failure(error)
      }
    }
    guard let first = keys.first else {
      return .failure(failure(.missingKey, expected: "at least one key"))
    }
    return decode(first)
  }
}
