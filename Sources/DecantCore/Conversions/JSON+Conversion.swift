// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The verbs with `using:` a conversion and `by:` a function. Absent and `null` mean what they mean in
// JSON+Decode.swift.

internal import CDecantIndex

extension JSON {
  /// Converts this value.
  public func decode<Value>(using conversion: Conversion<Value>) -> Decoded<Value> {
    conversion.decode(self)
  }

  /// Converts the value at a key, an index or a path.
  ///
  ///     json.decode("created", using: .rfc3339)
  public func decode<Value>(
    _ key: JSONKey, using conversion: Conversion<Value>
  ) -> Decoded<Value> { decode(key, by: conversion.body) }

  /// Converts the value at a key; absent or `null` is nil, anything else must be right.
  public func decodeIfPresent<Value>(
    _ key: JSONKey, using conversion: Conversion<Value>
  ) -> Decoded<Value?> { decodeIfPresent(key, by: conversion.body) }

  /// Converts the value at a key; absent or `null` is the default, anything else must be right.
  public func decode<Value>(
    _ key: JSONKey, using conversion: Conversion<Value>, default fallback: @autoclosure () -> Value
  ) -> Decoded<Value> {
    switch decodeIfPresent(key, by: conversion.body) {
    case .success(let value?): return .success(value)
    case .success(nil):
      note(key, .defaulted)
      return .success(fallback())
    case .failure(let error): return .failure(error)
    }
  }

  /// Decodes the value at a key by a function, such as a second decoder of a model's.
  ///
  ///     json.decode("place", by: Place.decodeShort)
  public func decode<Value>(
    _ key: JSONKey, by body: (JSON) -> Decoded<Value>
  ) -> Decoded<Value> {
    let node = node(at: key)
    if node == DECANT_NODE_NONE { return .failure(absence(of: key)) }
    let result = body(JSON(node, within: self))
    if case .failure(let error) = result { return .failure(placed(error, at: node, of: key)) }
    return result
  }

  /// Decodes the value at a key by a function; absent or `null` is nil.
  public func decodeIfPresent<Value>(
    _ key: JSONKey, by body: (JSON) -> Decoded<Value>
  ) -> Decoded<Value?> {
    let node = node(at: key)
    if node == DECANT_NODE_NONE { return absenceIsNil(of: key) }
    let value = JSON(node, within: self)
    if value.isNull { return .success(nil) }
    switch body(value) {
    case .success(let model): return .success(model)
    case .failure(let error): return .failure(placed(error, at: node, of: key))
    }
  }
}

// MARK: - Throwing twins

extension JSON {
  /// Converts this value, or throws.
  public func get<Value>(using conversion: Conversion<Value>) throws(DecodeError) -> Value {
    try conversion.decode(self).get()
  }

  /// Converts the value at a key, or throws.
  public func get<Value>(
    _ key: JSONKey, using conversion: Conversion<Value>
  ) throws(DecodeError) -> Value { try decode(key, using: conversion).get() }

  /// Converts the value at a key, or throws; absent or `null` is nil.
  public func getIfPresent<Value>(
    _ key: JSONKey, using conversion: Conversion<Value>
  ) throws(DecodeError) -> Value? { try decodeIfPresent(key, using: conversion).get() }

  /// Converts the value at a key, or throws; absent or `null` is the default.
  public func get<Value>(
    _ key: JSONKey, using conversion: Conversion<Value>, default fallback: @autoclosure () -> Value
  ) throws(DecodeError) -> Value {
    try decode(key, using: conversion, default: fallback()).get()
  }
}

extension JSONValue {
  /// Converts this value, or throws.
  public func decode<Value>(using conversion: Conversion<Value>) throws(DecodeError) -> Value {
    try outcome(conversion.body).get()
  }

  /// Converts the value at a key, an index or a path, or throws.
  public func decode<Value>(
    _ key: JSONKey, using conversion: Conversion<Value>
  ) throws(DecodeError) -> Value { try outcome { $0.decode(key, using: conversion) }.get() }
}
