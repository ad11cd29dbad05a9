// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Making the error about a value.

internal import CDecantIndex

extension JSON {
  /// An error about this value. The error of a missing view names the missing value instead.
  @usableFromInline @inline(never)
  package func failure(_ code: DecodeError.Code, expected: StaticString?) -> DecodeError {
    if !exists { return absence }
    return DecodeError(stored(code, expected: expected))
  }

  /// An error about this value, which exists, to be written to.
  @inline(__always)
  private func stored(
    _ code: DecodeError.Code, expected: StaticString?
  ) -> DecodeError.Storage {
    let storage = DecodeError.Storage(code, node: node, expected: expected)
    if !isNative { storage.tree = tree }
    if isKept { storage.document = document }
    return storage
  }

  /// An error about this value, in as little as it takes.
  @usableFromInline @inline(never)
  package func failure(_ code: DecodeError.Code, _ expected: Expectation) -> DecodeError {
    if isNative, !isKept { return DecodeError(DecodeError.Simple(code, node, expected)) }
    return failure(code, expected: expected.name)
  }

  // SAFETY: the view's context outlives it.
  private var isKept: Bool { reference.has(Int(DECANT_FACT_DOCUMENT)) }

  private var document: Document? { Document.owner(of: reference) }

  /// The root, which tells one engine's tree from another; 0 for native documents, which need no telling.
  // SAFETY: the view's context outlives it.
  var tree: UInt64 { isNative ? 0 : unsafe context.pointee.root }

  /// An error about this value in words of its own.
  package func failure(
    _ code: DecodeError.Code, message: String, expected: String? = nil
  ) -> DecodeError {
    let error = failure(code, expected: nil)
    if error.storage.code == code {
      error.storage.message = message
      if let expected { error.storage.expectation = expected }
    }
    return error
  }

  /// An error about the key of this member, which no name of a model is.
  package func unknownKey(among known: DecodeError.KnownNames) -> DecodeError {
    let storage = stored(.unknownKey, expected: nil)
    storage.isAboutKey = true
    storage.known = known
    return DecodeError(storage)
  }

  /// Why this view is missing.
  var absence: DecodeError {
    guard let miss else { return DecodeError(DecodeError.Storage(.missingKey)) }
    return JSON(miss.parent, within: self).absence(of: miss.step)
  }

  /// Why a look-up of `step` in this value found nothing.
  func absence(of step: JSONPointer.Token) -> DecodeError { absence(ofOne: JSONKey(step)) }

  private func absence(ofOne key: JSONKey) -> DecodeError {
    if !exists { return absence }
    let container = key.container
    let code: DecodeError.Code
    switch kind {
    case container.kind: code = container.absence
    // A field's value that is null counts as missing. The root is there, if only as null.
    case .null:
      let isRoot = node == reference.root.node
      return failure(isRoot ? .typeMismatch : .missingKey, container.name)
    default: return failure(.typeMismatch, container.name)
    }
    let storage = stored(code, expected: nil)
    storage.sought = key
    storage.base = node
    return DecodeError(storage)
  }

  /// Why the look-up of a path found nothing: about its first step that leads nowhere.
  @usableFromInline @inline(never)
  package func absence(of key: JSONKey) -> DecodeError {
    if case .path = key.storage { return absence(along: key.steps) }
    return absence(ofOne: key)
  }

  func absence(along steps: [JSONPointer.Token]) -> DecodeError {
    guard let (parent, place) = miss(along: steps) else { return absence }
    let error = JSON(parent, within: self).absence(of: steps[place])
    // Native nodes tell their path by themselves, and so does a simple error's.
    guard !isNative, case .stored(let storage) = error.form else { return error }
    storage.trail.append(backwards: steps, from: place)
    if exists { storage.base = node }
    return error
  }
}

extension JSONKey {
  /// The kind of value that has such keys, and the code for a value without this one.
  fileprivate var container: (kind: JSONKind, name: Expectation, absence: DecodeError.Code) {
    if case .index = storage { return (.array, .array, .missingElement) }
    return (.object, .object, .missingKey)
  }
}

extension DecodeError {
  /// The value is not in a list; the error shows the first 20 entries.
  static func notOne(
    of accepted: @escaping @autoclosure () -> [String], in json: JSON
  ) -> DecodeError {
    let error = json.failure(.invalidValue, expected: nil)
    if error.storage.code == .invalidValue {
      error.storage.remark = {
        let accepted = accepted()
        if accepted.isEmpty { return "is not an accepted value" }
        let list = accepted.prefix(20).joined(separator: ", ")
        return "is not one of " + list + (accepted.count > 20 ? ", …" : "")
      }
    }
    return error
  }
}
