// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The verbs that take a conversion. A missing value and `null` mean what they mean in JSON+Decode.swift. What they
// return throws by `get()`, as for every verb with a modifier: `try json.convert("created", using: .rfc3339).get()`.

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
  ) -> Decoded<Value?> { decodeIfPresent(key, by: conversion.convert) }

  /// Converts the value at a key; missing or `null` is the default, anything else must be right.
  @_alwaysEmitIntoClient
  public func convert<Value>(
    _ key: JSONKey, using conversion: JSONConversion<Value>,
    default fallback: @autoclosure () -> Value
  ) -> Decoded<Value> {
    replaceNil(convertIfPresent(key, using: conversion), at: key, fallback)
  }
}

extension JSONValue {
  /// Converts this value.
  public func converted<Value>(using conversion: JSONConversion<Value>) -> Decoded<Value> {
    outcome { conversion.convert($0) }
  }
}
