// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of the right type that are still not acceptable. The error has the path and place of the value,
// not of the object around it.

extension Conversion {
  /// Accepts only what `accepts` does.
  ///
  ///     json.decode("port", using: .value.where("expected an even port") { $0.isMultiple(of: 2) })
  ///     // /port: expected an even port, found the number 81
  public func `where`(
    _ message: String, _ accepts: @escaping @Sendable (Value) -> Bool
  ) -> Conversion {
    Conversion { json in body(json).checked(in: json, message, accepts) }
  }

  /// Accepts only what lies in the range. No range has NaN in it.
  ///
  ///     json.decode("latitude", using: .value.in(-90...90))
  ///     // /latitude: expected a value in -90.0...90.0, found the number 91
  public func `in`<Bounds: RangeExpression & Sendable>(_ range: Bounds) -> Conversion
  where Bounds.Bound == Value, Value: SendableMetatype {
    Conversion { json in
      body(json).checked(in: json, "expected a value in \(range)") { range.contains($0) }
    }
  }
}

extension Conversion where Value: Collection & SendableMetatype {
  /// Accepts only what is not empty.
  public var nonEmpty: Conversion {
    self.where("expected something that is not empty") { !$0.isEmpty }
  }
}

extension JSON {
  /// Decodes the value at a key, which must satisfy a condition.
  ///
  ///     json.decode("age", where: { $0 >= 0 }, "age: out of range")
  public func decode<Model: JSONDecodable>(
    _ key: JSONKey, where accepts: (Model) -> Bool, _ message: @autoclosure () -> String
  ) -> Decoded<Model> {
    decode(key, by: { json in Model.decode(json).checked(in: json, message(), accepts) })
  }

  /// Decodes the value at a key, which must lie in a range.
  ///
  ///     json.decode("age", in: 0...150)
  public func decode<Bounds: RangeExpression>(
    _ key: JSONKey, in range: Bounds
  ) -> Decoded<Bounds.Bound> where Bounds.Bound: JSONDecodable {
    decode(key, where: { range.contains($0) }, "expected a value in \(range)")
  }

  /// Decodes the string, array or dictionary at a key, which must not be empty.
  public func decodeNonEmpty<Model: JSONDecodable & Collection>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) -> Decoded<Model> {
    decode(key, where: { !$0.isEmpty }, "expected something that is not empty")
  }
}

// MARK: - Throwing twins

extension JSON {
  /// Decodes the value at a key, which must satisfy a condition, or throws.
  public func get<Model: JSONDecodable>(
    _ key: JSONKey, where accepts: (Model) -> Bool, _ message: @autoclosure () -> String
  ) throws(DecodeError) -> Model { try decode(key, where: accepts, message()).get() }

  /// Decodes the value at a key, which must lie in a range, or throws.
  public func get<Bounds: RangeExpression>(
    _ key: JSONKey, in range: Bounds
  ) throws(DecodeError) -> Bounds.Bound where Bounds.Bound: JSONDecodable {
    try decode(key, in: range).get()
  }

  /// Decodes the string, array or dictionary at a key, which must not be empty, or throws.
  public func getNonEmpty<Model: JSONDecodable & Collection>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) throws(DecodeError) -> Model { try decodeNonEmpty(key).get() }
}

extension Result where Failure == DecodeError {
  /// This, if it is a failure or the condition holds.
  func checked(
    in json: JSON, _ message: @autoclosure () -> String, _ accepts: (Success) -> Bool
  ) -> Self {
    guard case .success(let value) = self, !accepts(value) else { return self }
    return .failure(.invalidValue("\(message()), found \(json.foundDescription)", in: json))
  }
}
