// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a node back to its path: down from the root for a slot of the index, which is in document order; up from
// parent to parent for a node of another engine (decant_places.h).

internal import CDecantIndex

extension JSON {
  /// The path components from this root down to a value, or nil if it is not a value of this document, or if it is
  /// one value of another engine that occurs in several places, as `null` can.
  @inline(never)
  func steps(to target: UInt64) -> [JSONPointer.Token]? {
    isNative ? nativeSteps(to: target) : foreignSteps(to: target)
  }

  private func nativeSteps(to target: UInt64) -> [JSONPointer.Token]? {
    var steps: [JSONPointer.Token] = []
    var parent = node
    while parent != target {
      let view = JSON(parent, within: self)
      // SAFETY: a node of the document.
      guard view.isContainer, let child = unsafe view.child(around: target), child.node <= target
      else { return nil }
      steps.append(
        view.isNativeObject
          ? .key(JSON(child.node - 1, within: self).seldomString ?? "") : .index(child.position))
      parent = child.node
    }
    return steps
  }

  /// The child of this native container that contains a slot, and its position; nil if none does.
  // SAFETY: the caller vouches for a container of the document.
  @unsafe @usableFromInline
  func child(around target: UInt64) -> (node: UInt64, position: Int)? {
    var position: UInt64 = 0
    let child = unsafe decant_child_around(context, node, target, &position)
    return child == DECANT_NODE_NONE ? nil : (child, Int(position))
  }

  /// Whether a node is of this document's, which another engine reads.
  func hasForeignValue(_ node: UInt64) -> Bool { unsafe decant_has_value(context, node) }

  private func foreignSteps(to target: UInt64) -> [JSONPointer.Token]? {
    var steps: [JSONPointer.Token] = []
    var node = target
    var parent = decant_parent()
    while node != self.node {
      guard unsafe decant_parent_of(context, node, &parent) else { return nil }
      // SAFETY: the engine keeps the key's bytes, which are valid UTF-8, as long as the document.
      let key = unsafe UnsafeBufferPointer(start: parent.key, count: parent.key_length)
      unsafe steps.append(
        parent.key == nil
          ? .index(Int(parent.position)) : .key(String(decoding: key, as: UTF8.self)))
      node = parent.node
    }
    var path: [JSONPointer.Token] = []
    path.append(backwards: steps, from: steps.count)
    return path
  }
}
