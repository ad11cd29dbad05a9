// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The additional verbs of models by declaration, for models by hand as well: replaced defaults, alternative keys, and all
// errors of an initializer.

internal import CDecantIndex

extension JSON {
  /// Decodes the replacement of a property's default: absent or `null` is nil, anything else must be right.
  ///
  ///     var labels: [Label] = []
  ///     if let found = try json.decodeReplacement("labels", as: [Label].self).get() { labels = found }
  @_alwaysEmitIntoClient @inline(__always)
  public func decodeReplacement<Model: JSONDecodable>(
    _ key: JSONKey, as type: Model.Type = Model.self
  ) -> Decoded<Model?> { replacement(at: key, decodeIfPresent(key, as: type)) }

  /// Converts the replacement of a property's default: absent or `null` is nil, anything else must be right.
  @_alwaysEmitIntoClient
  public func convertReplacement<Value>(
    _ key: JSONKey, using conversion: JSONConversion<Value>
  ) -> Decoded<Value?> { replacement(at: key, convertIfPresent(key, using: conversion)) }

  @_alwaysEmitIntoClient @inline(__always)
  func replacement<Value>(at key: JSONKey, _ found: consuming Decoded<Value?>) -> Decoded<Value?> {
    switch consume found {
    case .success(nil):
      note(key, .defaulted)
      return .success(nil)
    case let found: return found
    }
  }

  /// The first of several keys that has a value other than `null`, or the first of all.
  ///
  ///     try json.get(json.firstKey(of: ["photo_url", "photoURL"]))
  ///
  /// A later key does not hide an earlier one of a wrong type.
  public func firstKey(of keys: [JSONKey]) -> JSONKey {
    for key in keys {
      let node = node(at: key)
      if node != DECANT_NODE_NONE, !JSON(node, within: self).isNull { return key }
    }
    return keys.first ?? []
  }

  /// The tag of a value such as `{"circle":{…}}`: the key of its only member, or the string itself.
  public func decodeOnlyKey() -> Decoded<String> {
    if let text = string { return .success(text) }
    guard kind == .object, count == 1, let key = keys.first else {
      return .failure(
        failure(.typeMismatch, expected: "an object with one member, whose key is a case"))
    }
    return .success(key)
  }

  /// Returns the error about a tag that no case has.
  public func unknownCase(at key: JSONKey, of numbers: [Int]) -> DecodeError {
    unknownCase(at: key, accepted: numbers.map(String.init))
  }

  /// Returns the error about a tag that no case has.
  public func unknownCase(at key: JSONKey, of names: [String]) -> DecodeError {
    if case .path(let steps) = key.storage, steps.isEmpty, kind == .object, let name = keys.first {
      let list = names.map(quoted).joined(separator: ", ")
      return failure(.invalidValue, message: "the key " + quoted(name) + " is not one of " + list)
    }
    return unknownCase(at: key, accepted: names.map(quoted))
  }

  private func unknownCase(at key: JSONKey, accepted: [String]) -> DecodeError {
    reportTag(key)
    let node = node(at: key)
    return placed(
      DecodeError.notOne(of: accepted, in: JSON(node, within: self)), at: node, of: key)
  }
}

// MARK: - All errors

/// Collects the errors of one value, field by field: in an initializer that reports all of them, and for
/// alternatives.
///
///     init(json: JSON) throws(DecodeError) {
///       var errors = DecodeErrors()
///       let id = errors.part(json.decode("id", as: Int.self))
///       let name = errors.part(json.decode("name", as: String.self))
///       let email = errors.part(json.decodeIfPresent("email", as: String.self))
///       guard let id, let name, let email else { throw errors.all }
///       self.init(id: id, name: name, email: email)
///     }
///
/// `@JSONModel` writes the same. Success costs the same as `try json.get("id")`.
public struct DecodeErrors {
  @usableFromInline var failures = _BuildFailures()

  /// No errors so far.
  @_alwaysEmitIntoClient @inline(__always)
  public init() {}

  /// Whether there are none.
  @_alwaysEmitIntoClient @inline(__always)
  public var isEmpty: Bool { failures.error == nil }

  /// The value of a field, or nil: then its error is added.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func part<Value>(_ outcome: consuming Decoded<Value>) -> Value? {
    failures.part(outcome)
  }

  /// The value of a field, or nil: then its error is added. The property only gives the field's type; it is not read.
  ///
  ///     let name = errors.part(json.decode("name"), of: { (user: User) in user.name })
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func part<Model, Value>(
    _ outcome: consuming Decoded<Value>, of property: (Model) -> Value
  ) -> Value? { failures.part(outcome) }

  /// The replacement of a property's default; `.some(nil)` if there is none. Nil after a failure, whose error is added.
  ///
  ///     let labels = errors.part(json.decodeReplacement("labels"), replacing: { (issue: Issue) in issue.labels })
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func part<Model, Value>(
    _ outcome: consuming Decoded<Value?>, replacing property: (Model) -> Value
  ) -> Value?? { failures.part(outcome) }

  /// Adds an error, if there is one.
  ///
  ///     errors.add(json.checkMembers(known: ["id", "name"]))
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func add<Value>(_ outcome: consuming Decoded<Value>) {
    _ = failures.part(outcome)
  }

  /// Adds the error of another alternative of a union. Several errors about the value itself become one, which names
  /// everything that was expected.
  public mutating func add(alternative failure: DecodeError, in json: JSON) {
    guard let earlier = failures.error.take() else { return failures.error = failure }
    failures.error = .ofBoth(earlier, failure, in: json)
  }

  /// The errors as one, in the order in which they were added.
  ///
  /// - Precondition: There is one.
  @_alwaysEmitIntoClient
  public var all: DecodeError {
    guard let error = failures.error else {
      preconditionFailure("DecodeErrors.all: there is no error")
    }
    return error
  }
}

extension Result where Failure == DecodeError {
  /// Adds the errors of a check: fails if either fails, with the errors of both.
  ///
  ///     build(User.init, json.decode("id"), json.decode("name")).and(json.checkMembers(known: ["id", "name"]))
  @_alwaysEmitIntoClient @inline(__always)
  public consuming func and(_ check: consuming Decoded<Void>) -> Self {
    guard case .failure(let other) = consume check else { return self }
    guard case .failure(let error) = consume self else { return .failure(other) }
    return .failure(.combining(error, other))
  }
}
