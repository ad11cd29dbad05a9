// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What an error in flight learns from the frames it passes: the value it is about, if its model did not say so, and
// the path components that another engine's nodes do not tell.

internal import CDecantIndex

extension JSON {
  /// Tells an error the place it passed: the value at `node`, reached from here by `key`.
  @usableFromInline @inline(never)
  package func placed(_ error: DecodeError, at node: UInt64, of key: JSONKey) -> DecodeError {
    // Native nodes tell their path by themselves.
    switch error.form {
    case .simple(let simple) where isNative: return nullIsMissing(simple, at: node)
    case .stored(let storage) where isNative && !storage.isResolved:
      return nullIsMissing(located(error, at: node), at: node, true)
    default: return placed(error, at: node, along: key.steps)
    }
  }

  func placed(
    _ error: DecodeError, at node: UInt64, along steps: [JSONPointer.Token]
  ) -> DecodeError {
    if isNative, case .simple(let simple) = error.form { return nullIsMissing(simple, at: node) }
    if error.isResolved { return error }
    var storage = located(DecodeError(error.storage), at: node).storage
    if storage.isFull { storage = storage.copiedChain() }
    storage.forEach { storage in
      // An error of another document has its path there, and may be held by others.
      guard storage.tree == tree else { return }
      storage.trail.append(backwards: steps, from: steps.count)
      storage.base = self.node
    }
    return nullIsMissing(DecodeError(storage), at: node, storage.trail.count == steps.count)
  }

  /// Tells an error the steps by which its value was reached from here. Its code stays.
  package func reached(_ error: DecodeError, by steps: [JSONPointer.Token]) -> DecodeError {
    // Native nodes tell their path by themselves.
    guard !isNative, case .stored(let storage) = error.form else { return error }
    storage.trail.append(backwards: steps, from: steps.count)
    storage.base = node
    return error
  }

  /// An error without a place of its own is about the value it first passed. It is copied: it may be a
  /// constant of the model's, and fail in other places too.
  @inline(never)
  func located(_ error: DecodeError, at node: UInt64) -> DecodeError {
    if case .simple = error.form { return error }
    if error.storage.following == nil, error.storage.node != DECANT_NODE_NONE {
      return error
    }
    var isLocated = true
    error.storage.forEach {
      if $0.node == DECANT_NODE_NONE, !$0.isSettled { isLocated = false }
    }
    if isLocated { return error }
    let chain = error.storage.copiedChain()
    chain.forEach { storage in
      guard storage.node == DECANT_NODE_NONE, !storage.isSettled else { return }
      storage.node = node
      storage.tree = tree
    }
    return DecodeError(chain)
  }

  /// Where a field's value is null, the field counts as missing.
  private func nullIsMissing(_ simple: DecodeError.Simple, at node: UInt64) -> DecodeError {
    var simple = simple
    if UInt64(simple.node) == node, simple.code == UInt16(DecodeError.Code.typeMismatch.rawValue),
      JSON(node, within: self).isNull
    {
      simple.code = UInt16(DecodeError.Code.missingKey.rawValue)
    }
    return DecodeError(simple)
  }

  private func nullIsMissing(
    _ error: DecodeError, at node: UInt64, _ isFields: Bool
  ) -> DecodeError {
    let storage = error.storage
    if isFields, storage.code == .typeMismatch, storage.node == node, storage.step == nil,
      storage.following == nil,
      JSON(node, within: self).isNull
    {
      storage.code = .missingKey
    }
    return error
  }
}
