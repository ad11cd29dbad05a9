// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Rejects values of the right type by a condition. The error has the path and place of the value, not of the enclosing
// object.

extension JSONConversion {
  /// Accepts only the values for which `accepts` is true.
  ///
  ///     json.convert("port", using: .value.validated("expected an even port") { $0.isMultiple(of: 2) })
  ///     // /port: expected an even port, found the number 81
  public func validated(
    _ message: String, _ accepts: @escaping @Sendable (Value) -> Bool
  ) -> JSONConversion {
    JSONConversion { json in convert(json).checked(in: json, message, accepts) }
  }

  /// Accepts only values in the range. No range contains NaN.
  ///
  ///     json.convert("latitude", using: .value.inRange(-90...90))
  ///     // /latitude: expected a value in -90.0...90.0, found the number 91
  public func inRange<Bounds: RangeExpression & Sendable>(_ range: Bounds) -> JSONConversion
  where Bounds.Bound == Value, Value: SendableMetatype {
    JSONConversion { json in
      convert(json).checked(in: json, "expected a value in \(range)") { range.contains($0) }
    }
  }
}

extension JSONConversion where Value: Collection & SendableMetatype {
  /// Accepts only strings, arrays and dictionaries that are not empty.
  @_alwaysEmitIntoClient
  public var nonEmpty: JSONConversion {
    validated("expected a non-empty value") { !$0.isEmpty }
  }
}

extension Result where Failure == DecodeError {
  /// This, if it is a failure or the condition holds.
  fileprivate func checked(
    in json: JSON, _ message: @autoclosure () -> String, _ accepts: (Success) -> Bool
  ) -> Self {
    guard case .success(let value) = self, !accepts(value) else { return self }
    return .failure(.invalidValue(message() + ", found " + json.foundDescription, in: json))
  }
}
