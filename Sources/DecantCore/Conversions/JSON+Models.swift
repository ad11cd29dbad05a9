// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The verbs that a model by declaration needs beyond those of every decoder, for models by hand as well: defaults that
// stay, alternative keys, members that no field names, and all errors of an initializer.

public import CDecantIndex

extension JSON {
  /// Decodes the value at a key into a variable; absent or `null` leaves its value, anything else must be right.
  ///
  ///     var labels: [Label] = []
  ///     try json.update(&labels, from: "labels").get()
  @_alwaysEmitIntoClient @inline(__always)
  public func update<Model: JSONDecodable>(
    _ value: inout Model, from key: JSONKey
  ) -> Decoded<Void> { replace(&value, at: key, decodeIfPresent(key, as: Model.self)) }

  /// Converts the value at a key into a variable; absent or `null` leaves its value, anything else must be right.
  @_alwaysEmitIntoClient
  public func update<Value>(
    _ value: inout Value, from key: JSONKey, using conversion: JSONConversion<Value>
  ) -> Decoded<Void> { replace(&value, at: key, convertIfPresent(key, using: conversion)) }

  @_alwaysEmitIntoClient @inline(__always)
  func replace<Value>(
    _ value: inout Value, at key: JSONKey, _ decoded: consuming Decoded<Value?>
  ) -> Decoded<Void> {
    switch consume decoded {
    case .success(let new?): value = new
    case .success(nil): note(key, .defaulted)
    case .failure(let error): return .failure(error)
    }
    return .success(())
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

  /// The tag of a value such as `{"circle":{…}}`: the key of its one member, or the string that it is.
  public func decodeOnlyKey() -> Decoded<String> {
    if let text = string { return .success(text) }
    guard kind == .object, count == 1, let key = keys.first else {
      return .failure(
        failure(.typeMismatch, expected: "an object with one member, whose key is a case"))
    }
    return .success(key)
  }

  /// The error about a tag that no case has.
  public func unknownCase(at key: JSONKey, of names: [String]) -> DecodeError {
    if kind == .object, let name = keys.first, case .path = key.storage {
      let list = names.map(quoted).joined(separator: ", ")
      return failure(.invalidValue, message: "the key " + quoted(name) + " is not one of " + list)
    }
    let node = node(at: key)
    return placed(
      DecodeError.notOne(of: names.map(quoted), in: JSON(node, within: self)), at: node, of: key)
  }
}

// MARK: - Members that no field names

extension JSON {
  /// The members of this object whose keys are not listed.
  ///
  ///     let others: [String: JSONValue] = try json.members(except: ["id", "name"]).get()
  ///
  /// Of members with one key the document's rule for duplicates chooses.
  ///
  /// - Complexity: linear in the members and the keys that are listed.
  public func members<Value: JSONDecodable>(
    except known: [JSONKey], as type: [String: Value].Type = [String: Value].self
  ) -> Decoded<[String: Value]> {
    guard kind == .object else { return .failure(failure(.typeMismatch, .object)) }
    let known = JSON.names(of: known)
    var others: [String: Value] = [:]
    var errors = ErrorList(in: self)
    var cursor = ChildCursor(seldom: self)
    while let node = cursor.next(in: self) {
      let name = cursor.key(in: self)
      if known.contains(name) || others[name] != nil { continue }
      // Of members with one key, the one that counts.
      if isNative, member(name) != node { continue }
      let child = JSON(node, within: self)
      switch child.decoded(Value.self) {
      case .success(let value): others[name] = value
      case .failure(let error): errors.add(error, at: child, step: .key(name))
      }
    }
    return errors.failure.map { .failure($0) } ?? .success(others)
  }

  /// Fails if this object has members whose keys are not listed, where the model or the options want that.
  ///
  ///     try json.checkMembers(known: ["retries", "timeout"], closed: true).get()
  ///     // 1:2: /retires: unknown key "retires"; did you mean "retries"?
  ///
  /// - Parameter isClosed: Whether the model refuses such members by itself; else the document's options decide:
  ///   ``DecodingOptions/unknownMembers``.
  /// - Complexity: a look-up for each key that is listed; nothing where the members are not checked.
  @_alwaysEmitIntoClient @inline(__always)
  public func checkMembers(
    known: @autoclosure () -> [JSONKey], closed isClosed: Bool = false
  ) -> Decoded<Void> {
    isClosed || rejectsUnknownMembers ? _checkMembers(known()) : .success(())
  }

  @_alwaysEmitIntoClient @inline(__always)
  var rejectsUnknownMembers: Bool { unsafe context.pointee.rules.rejects_unknown != 0 }

  /// The check of ``checkMembers(known:closed:)``, where it is asked for.
  @_documentation(visibility: internal)
  @inline(never)
  public func _checkMembers(_ known: [JSONKey]) -> Decoded<Void> {
    guard kind == .object else { return .success(()) }
    // Members that are found one behind another are not found twice: as many as there are, they are all of them.
    var (found, last) = (0, node)
    for key in known {
      if case .path = key.storage { continue }
      let place = node(at: key)
      if place == DECANT_NODE_NONE || place <= last { continue }
      (found, last) = (found + 1, place)
    }
    if found == count { return .success(()) }
    let names = JSON.names(of: known)
    let list = DecodeError.KnownNames(names: known.compactMap { JSON.name(of: $0) })
    var errors = ErrorList(in: self)
    var cursor = ChildCursor(seldom: self)
    while let node = cursor.next(in: self) {
      let name = cursor.key(in: self)
      if names.contains(name) { continue }
      let child = JSON(node, within: self)
      errors.add(child.unknownKey(among: list), at: child, step: .key(name))
    }
    return errors.failure.map { .failure($0) } ?? .success(())
  }

  private static func names(of keys: [JSONKey]) -> Set<String> {
    Set(keys.lazy.compactMap { name(of: $0) })
  }

  private static func name(of key: JSONKey) -> String? {
    if case .key(let name)? = key.steps.first { name } else { nil }
  }
}

// MARK: - All errors

/// The errors of one value, field by field: of an initializer that throws, which fails at its first error and asks the
/// fields behind it for theirs, and of alternatives.
///
///     init(json: JSON) throws(DecodeError) {
///       do throws(DecodeError) {
///         id = try json.get("id")
///         name = try json.get("name")
///       } catch {
///         var errors = DecodeErrors(error, in: json)
///         errors.add(json.decode("name", as: String.self))
///         throw errors.all
///       }
///     }
///
/// A field that is asked twice, such as `name` here, is told once. A model that nests asks only the fields behind the one
/// that failed, as models by `@JSONModel` do: otherwise a value is decoded once more at every level above it.
public struct DecodeErrors {
  @usableFromInline var failures = _BuildFailures()

  /// No errors so far.
  public init(in json: JSON) {}

  /// The error that ended an initializer.
  public init(_ error: DecodeError, in json: JSON) { failures.error = error }

  /// Adds a field's error, if it has one.
  @_alwaysEmitIntoClient
  public mutating func add<Value>(_ outcome: consuming Decoded<Value>) {
    _ = failures.part(outcome)
  }

  /// Adds a field's error, if it has one. The property says as what the field is decoded, and is not read.
  ///
  ///     errors.add(json.decode("name"), of: { (user: User) in user.name })
  @_alwaysEmitIntoClient
  public mutating func add<Model, Value>(
    _ outcome: consuming Decoded<Value>, of property: (Model) -> Value
  ) { add(outcome) }

  /// Adds what is wrong with another alternative of a union: several about the value itself become one, which names all
  /// that was expected.
  public mutating func add(alternative failure: DecodeError, in json: JSON) {
    guard let earlier = failures.error.take() else { return failures.error = failure }
    failures.error = .ofBoth(earlier, failure, in: json)
  }

  /// The errors as one, in the order in which they were added.
  ///
  /// - Precondition: There is one.
  public var all: DecodeError {
    guard let error = failures.error else {
      preconditionFailure("DecodeErrors.all: there is no error")
    }
    return error
  }
}
