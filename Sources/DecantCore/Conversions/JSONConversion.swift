// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A conversion is a decoder for one field: where a type alone does not say how its JSON looks (a date, a
// number in quotes), the field names the conversion. A field without a conversion pays nothing.
//
//   json.convert("created", using: .rfc3339)
//   json.convert("photo_count", using: .fromString)
//   json.convert("age", using: .value.inRange(0...150))
//
// The error of a conversion has the path, what was expected, and what was found, shortened to a line.

internal import CDecantIndex

/// A conversion from JSON to a value, for the fields that name it.
///
///     let celsius = JSONConversion<Double>.value.map { ($0 - 32) / 1.8 }
///     json.convert("temperature", using: celsius)
public struct JSONConversion<Value>: Sendable {
  private let body: @Sendable (JSON) -> Decoded<Value>

  /// A conversion by a function from the view.
  public init(_ body: @escaping @Sendable (JSON) -> Decoded<Value>) { self.body = body }

  /// A conversion by a function that throws, such as an initializer.
  ///
  ///     JSONConversion<Animal>.throwing { (json) throws(DecodeError) in try Dog(json: json) }
  @_alwaysEmitIntoClient
  public static func throwing(
    _ body: @escaping @Sendable (JSON) throws(DecodeError) -> Value
  ) -> JSONConversion {
    JSONConversion { json in
      do throws(DecodeError) { return .success(try body(json)) } catch { return .failure(error) }
    }
  }

  @usableFromInline
  package func convert(_ json: JSON) -> Decoded<Value> {
    // A function may convert parts of its value by itself.
    decant_stack_has_room() ? body(json) : .failure(json.stackIsFull())
  }
}

// MARK: - Sources

extension JSONConversion where Value: JSONDecodable & SendableMetatype {
  /// The type's own decoder: the start for ``map(_:)``, ``validated(_:_:)`` and others.
  @_alwaysEmitIntoClient
  public static var value: JSONConversion { JSONConversion { $0.decoded() } }
}

extension JSONConversion {
  /// Another model, wrapped: `.model(Shape.circle)`, or `.model(at: "data", Shape.circle)` for one at a key.
  @_alwaysEmitIntoClient
  public static func model<Model: JSONDecodable & SendableMetatype>(
    at key: JSONKey = [], _ wrap: @escaping @Sendable (Model) -> Value
  ) -> JSONConversion { JSONConversion { $0.decode(key).map(wrap) } }

  /// The same result for every value: `.constant(Shape.point)`.
  @_alwaysEmitIntoClient
  public static func constant(_ value: Value) -> JSONConversion where Value: Sendable {
    JSONConversion { _ in .success(value) }
  }

  /// A string that `parse` understands.
  ///
  ///     json.convert("size", using: .string("a size such as 3x4") { Size($0) })
  ///     // /size: expected a size such as 3x4, found the string "large"
  ///
  /// - Parameter expected: the expected value's name in errors, with its article.
  @_alwaysEmitIntoClient
  public static func string(
    _ expected: StaticString, _ parse: @escaping @Sendable (String) -> Value?
  ) -> JSONConversion {
    JSONConversion { $0.parsed(expected, parse) }
  }
}

extension JSON {
  /// The result of `parse` for the string here. `expected` is its name in errors.
  @_alwaysEmitIntoClient
  package func parsed<Value>(
    _ expected: StaticString, _ parse: (String) -> Value?
  ) -> Decoded<Value> {
    guard let text = string else { return .failure(.mismatch(expected: expected, in: self)) }
    guard let value = parse(text) else {
      return .failure(.mismatch(.invalidValue, expected: expected, in: self))
    }
    return .success(value)
  }

  /// The elements of this array that `body` makes something of; the errors of the others are handed to `fail`, with the
  /// number of errors that models had kept of the document before.
  func convertElements<Element>(
    _ body: (JSON) -> Decoded<Element>,
    _ fail: (_ index: Int, _ child: JSON, _ error: DecodeError, _ keptBefore: Int) -> Void
  ) -> [Element] {
    var array: [Element] = []
    var elements = ChildCursor(seldom: self)
    var index = 0
    while let node = elements.next(in: self) {
      let child = JSON(node, within: self)
      let keptBefore = reference.keptErrors
      switch body(child) {
      case .success(let value): array.append(value)
      case .failure(let error): fail(index, child, error, keptBefore)
      }
      index += 1
    }
    return array
  }
}

// MARK: - Combinations

extension JSONConversion {
  /// The conversion, and then a function that cannot fail.
  @_alwaysEmitIntoClient
  public func map<Output>(
    _ transform: @escaping @Sendable (Value) -> Output
  ) -> JSONConversion<Output> { JSONConversion<Output> { convert($0).map(transform) } }

  /// The conversion, and then a function that may fail.
  @_alwaysEmitIntoClient
  public func flatMap<Output>(
    _ transform: @escaping @Sendable (Value) -> Decoded<Output>
  ) -> JSONConversion<Output> { JSONConversion<Output> { convert($0).flatMap(transform) } }

  /// The conversion, or if it fails, another one. If both fail on the value itself, the error names what both
  /// expected; if only one of them accepts the value's kind, the error is that one's. Otherwise the error lists the
  /// errors of the first 8 alternatives:
  ///
  ///     none of 2 alternatives: /x: expected an integer, found the string "1"; /y: the key is missing
  ///
  /// - Complexity: That of both. A model that contains itself in two alternatives takes twice as long for each level
  ///   on which the first one fails. Choose by a member instead, as `variants` does.
  public func or(_ other: JSONConversion) -> JSONConversion {
    JSONConversion { json in
      let result = convert(json)
      guard case .failure(let first) = result else { return result }
      let otherResult = other.convert(json)
      guard case .failure(let second) = otherResult else { return otherResult }
      return .failure(.ofBoth(first, second, in: json))
    }
  }

  /// An array, each element by a conversion. The errors of all elements that fail are reported.
  public static func array<Element>(of element: JSONConversion<Element>) -> JSONConversion
  where Value == [Element] {
    JSONConversion { json in
      guard json.kind == .array else {
        return .failure(json.failure(.typeMismatch, .array))
      }
      if !json.mayHold(json.count, of: Element.self) {
        return json.refusing(JSONConversion.array(of: element).convert)
      }
      var errors = ErrorList(in: json)
      let array = json.convertElements(element.convert) { index, child, error, _ in
        errors.add(error, at: child, step: .index(index))
      }
      return errors.failure.map { .failure($0) } ?? .success(array)
    }
  }

  /// `null` is nil, anything else is converted.
  @_alwaysEmitIntoClient
  public static func optional<Wrapped>(_ wrapped: JSONConversion<Wrapped>) -> JSONConversion
  where Value == Wrapped? {
    JSONConversion { json in json.isNull ? .success(nil) : wrapped.convert(json).map { $0 } }
  }
}

extension DecodeError {
  /// Two conversions' errors about one value as one.
  static func ofBoth(_ first: DecodeError, _ second: DecodeError, in json: JSON) -> DecodeError {
    let (a, b) = (first.storage, second.storage)
    let node = json.node
    guard a.node == node, b.node == node, a.message == nil, b.message == nil,
      let one = a.expectation, let other = b.expectation
    else {
      func refuses(_ error: Storage) -> Bool { error.code == .typeMismatch && error.node == node }
      if refuses(b) && !refuses(a) { return first }
      if refuses(a) && !refuses(b) { return second }
      return json.located(.alternatives(first, second, at: node), at: node)
    }
    let isInvalid = a.code != .typeMismatch || b.code != .typeMismatch
    let error = json.failure(isInvalid ? .invalidValue : .typeMismatch, expected: nil)
    error.storage.expectation = one == other ? one : one + " or " + other
    return error
  }
}

// MARK: - Verbs

// A missing value and `null` mean what they mean in JSON+Decode.swift. To throw, call `get()` on the result, as with every
// verb with a modifier: `try json.convert("created", using: .rfc3339).get()`.

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
