// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents that wrap the model in an object: `{"user": {…}}`. And the first of several keys.

extension JSONDecodable {
  /// Decodes the value at a key of the document's root, as a value.
  ///
  ///     User.decode(from: bytes, rootKey: "user")
  public static func decode(
    from bytes: borrowing some JSONBytes & ~Escapable, rootKey: JSONKey,
    options: DecodingOptions = DecodingOptions()
  ) -> Decoded<Self> {
    // SAFETY: the buffer is used inside the closure only.
    unsafe bytes.withJSONBytes {
      unsafe reading($0, options.engine, options.rules, options.sourceName) { $0.decode(rootKey) }
    }
  }

  /// Decodes the value at a key of the document's root, or throws.
  public init(
    decoding bytes: borrowing some JSONBytes & ~Escapable, rootKey: JSONKey,
    options: DecodingOptions = DecodingOptions()
  ) throws(DecodeError) {
    self = try Self.decode(from: bytes, rootKey: rootKey, options: options).get()
  }
}

extension JSONValue {
  /// Decodes the value at a key, an index or a path, as a value.
  public func decoded<Model: JSONDecodable>(
    rootKey: JSONKey, as type: Model.Type = Model.self
  ) -> Decoded<Model> { outcome { $0.decode(rootKey) } }
}

extension JSON {
  /// Decodes the first of several keys that is there; `null` counts as missing. What is there must be
  /// right: a later key does not hide an earlier one of a wrong type.
  ///
  ///     json.decode(firstOf: ["photo_url", "photoURL"])
  public func decode<Model: JSONDecodable>(
    firstOf keys: [JSONKey], as type: Model.Type = Model.self
  ) -> Decoded<Model> {
    for key in keys {
      switch decodeIfPresent(key, as: Model.self) {
      case .success(.some(let model)): return .success(model)
      case .success(.none): continue
      case .failure(let error): return .failure(error)
      }
    }
    guard let first = keys.first else {
      return .failure(failure(.missingKey, expected: "a value at one of no keys"))
    }
    return decode(first)
  }

  /// Decodes the first of several keys that is there, or throws.
  public func get<Model: JSONDecodable>(
    firstOf keys: [JSONKey], as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model { try decode(firstOf: keys).get() }
}
