// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The verbs that take a conversion. A missing value and `null` mean what they mean in JSON+Decode.swift. What they
// return throws by `get()`, as for every verb with a modifier: `try json.convert("created", using: .rfc3339).get()`.

public import CDecantIndex

extension JSON {
  /// Converts this value.
  @_alwaysEmitIntoClient
  public func converted<Value>(using conversion: JSONConversion<Value>) -> Decoded<Value> {
    conversion.convert(self)
  }

  /// Converts the value at a key, an index or a path.
  ///
  ///     json.convert("created", using: .rfc3339)
  @_alwaysEmitIntoClient
  public func convert<Value>(
    _ key: JSONKey, using conversion: JSONConversion<Value>
  ) -> Decoded<Value> { decode(key, by: conversion.convert) }

  /// Converts the value at a key; missing or `null` is nil, anything else must be right.
  @_alwaysEmitIntoClient
  public func convertIfPresent<Value>(
    _ key: JSONKey, using conversion: JSONConversion<Value>
  ) -> Decoded<Value?> {
    let node = node(at: key)
    if node == DECANT_NODE_NONE { return absenceIsNil(of: key) }
    let value = JSON(node, within: self)
    if value.isNull { return .success(nil) }
    switch conversion.convert(value) {
    case .success(let model): return .success(model)
    case .failure(let error): return .failure(placed(error, at: node, of: key))
    }
  }

  /// Converts the value at a key; missing or `null` is the default, anything else must be right.
  @_alwaysEmitIntoClient
  public func convert<Value>(
    _ key: JSONKey, using conversion: JSONConversion<Value>,
    default fallback: @autoclosure () -> Value
  ) -> Decoded<Value> {
    switch convertIfPresent(key, using: conversion) {
    case .success(let value?): return .success(value)
    case .success(nil):
      note(key, .defaulted)
      return .success(fallback())
    case .failure(let error): return .failure(error)
    }
  }

  /// Decodes the value at a key by a function.
  @_alwaysEmitIntoClient
  package func decode<Value>(
    _ key: JSONKey, by body: (JSON) -> Decoded<Value>
  ) -> Decoded<Value> {
    let node = node(at: key)
    if node == DECANT_NODE_NONE { return .failure(absence(of: key)) }
    let result = body(JSON(node, within: self))
    if case .failure(let error) = result { return .failure(placed(error, at: node, of: key)) }
    return result
  }
}

extension JSONValue {
  /// Converts this value.
  public func converted<Value>(using conversion: JSONConversion<Value>) -> Decoded<Value> {
    outcome { conversion.convert($0) }
  }
}
