// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Frames add to the errors in flight that pass them: the value, if the model's error names none, and the path components,
// which another engine's nodes do not determine.

internal import CDecantIndex

extension JSON {
  /// Tells an error the place it passed: the value at `node`, reached from here by `key`.
  @usableFromInline @inline(never)
  package func placed(_ error: DecodeError, at node: UInt64, of key: JSONKey) -> DecodeError {
    // Native nodes tell their path by themselves.
    if isNative { return placed(error, at: node, along: [], isField: true) }
    return placed(error, at: node, along: key.steps, isField: true)
  }

  /// - Parameter isField: whether the value is a field's, which counts as missing if it is null.
  func placed(
    _ error: DecodeError, at node: UInt64, along steps: [JSONPointer.Token], isField: Bool
  ) -> DecodeError {
    if case .simple(let simple) = error.form, isNative {
      return UInt64(simple.node) == node ? null(simple, isField) : error
    }
    if error.isResolved, !isOfInner(error) { return error }
    let error = located(error, at: node).mapPartsUnless(isNative) {
      guard case .stored(let storage) = $0.form, storage.tree == tree else { return $0 }
      // An error of another document has its path there, and may be held by others.
      let own = storage.copy()
      own.trail.append(backwards: steps, from: steps.count)
      own.base = self.node
      return DecodeError(own)
    }
    guard case .stored(let storage) = error.form, storage.node == node, !storage.hasSought,
      isNative || storage.trail.count == steps.count,
      let code = codeOfNull(storage.code, at: node, isField)
    else { return error }
    let own = storage.copy()
    own.code = code
    return DecodeError(own)
  }

  /// Adds the steps by which an error's value was reached from here. Its code stays.
  package func reached(_ error: DecodeError, by steps: [JSONPointer.Token]) -> DecodeError {
    // Native nodes tell their path by themselves.
    guard !isNative, case .stored(let storage) = error.form else { return error }
    storage.trail.append(backwards: steps, from: steps.count)
    storage.base = node
    return error
  }

  /// An error without a place of its own is about the value it first passed. It is copied: it may be a
  /// constant of the model's, and fail in other places too. An error of another document becomes one about the value in
  /// which that was decoded.
  @inline(never)
  func located(_ error: DecodeError, at node: UInt64) -> DecodeError {
    func lacksPlace(_ error: DecodeError) -> Bool {
      guard case .stored(let storage) = error.form else { return false }
      return storage.node == DECANT_NODE_NONE && !storage.isResolved
    }
    switch error.form {
    case .simple: return error
    case .stored, .list:
      if isOfInner(error) { return enclosing(error, at: node) }
      if error.isResolved || !error.hasPart(where: { lacksPlace($0) || isOfInner($0) }) {
        return error
      }
    }
    return error.mapParts {
      if isOfInner($0) { return enclosing($0, at: node) }
      guard lacksPlace($0) else { return $0 }
      let own = $0.storage.copy()
      own.node = node
      own.tree = tree
      return DecodeError(own)
    }
  }

  private func null(_ simple: DecodeError.Simple, _ isField: Bool) -> DecodeError {
    guard
      let code = codeOfNull(
        DecodeError.Code(status: Int32(simple.code)), at: UInt64(simple.node), isField)
    else { return DecodeError(simple) }
    var simple = simple
    simple.code = UInt16(code.rawValue)
    return DecodeError(simple)
  }

  /// The code for null: a null field counts as missing; a null element is present. Nil if the code stays.
  private func codeOfNull(
    _ code: DecodeError.Code, at node: UInt64, _ isField: Bool
  ) -> DecodeError.Code? {
    if !isField { return code == .missingKey ? .typeMismatch : nil }
    guard code == .typeMismatch, JSON(node, within: self).isNull else { return nil }
    return .missingKey
  }
}

extension DecodeError {
  fileprivate func mapPartsUnless(
    _ isDone: Bool, _ body: (DecodeError) -> DecodeError
  ) -> DecodeError { isDone ? self : mapParts(body) }
}
