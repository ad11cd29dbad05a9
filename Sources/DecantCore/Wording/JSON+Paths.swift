// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a node back to its path: down from the root for a slot of the index, which is in document order; up from
// parent to parent for a node of another engine (decant_places.h).

internal import CDecantIndex

extension JSON {
  /// Walks from this native value down to another and calls `step` for each container on the way, with the child that the
  /// other value is in and the child's position. False if there is no value at the other node.
  /// - Complexity: as `decant_child_around` at each level. No text is read.
  func walk(
    downTo target: UInt64, _ step: (_ parent: JSON, _ child: UInt64, _ position: UInt64) -> Void
  ) -> Bool {
    var node = node
    while node != target {
      let parent = JSON(node, within: self)
      var position: UInt64 = 0
      guard parent.isContainer else { return false }
      // SAFETY: a container of the document.
      let child = unsafe decant_child_around(context, node, target, &position)
      // A key, or beyond.
      if child > target { return false }
      step(parent, child, position)
      node = child
    }
    return true
  }

  /// Writes the path from this value down to another, as a JSON Pointer. False if there is no value at the other node, or if
  /// another engine has it in several places; a path of slots then ends before it.
  @discardableResult
  package func writePath(downTo target: UInt64, to sink: inout ErrorSink) -> Bool {
    if !isNative { return writePath(ofForeign: target, to: &sink) }
    return walk(downTo: target) { parent, child, position in
      if sink.isDone { return }
      sink.add("/")
      if parent.isNativeObject {
        sink.add(token: JSON(child - 1, within: self).scalars)
      } else {
        sink.add(Int64(position))
      }
    }
  }

  // Recursion is bounded by the engine's own limit of nesting.
  private func writePath(ofForeign target: UInt64, to sink: inout ErrorSink) -> Bool {
    if target == node { return true }
    var parent = decant_parent()
    // SAFETY: the view's context outlives it.
    guard unsafe decant_parent_of(context, target, &parent),
      writePath(ofForeign: parent.node, to: &sink)
    else { return false }
    if sink.isDone { return true }
    sink.add("/")
    if let key = unsafe parent.key {
      // SAFETY: the engine keeps the key's bytes as long as the document.
      sink.add(token: unsafe Bytes(key, parent.key_length).scalars())
    } else {
      sink.add(Int(parent.position))
    }
    return true
  }

  /// Whether a path leads from this value down to another. No text is read.
  func leads(to target: UInt64) -> Bool {
    if isNative { return walk(downTo: target) { _, _, _ in } }
    var parent = decant_parent()
    parent.node = target
    while parent.node != node {
      // SAFETY: as above.
      guard unsafe decant_parent_of(context, parent.node, &parent) else { return false }
    }
    return true
  }

  /// Whether a node is of this document's, which another engine reads.
  func hasForeignValue(_ node: UInt64) -> Bool { unsafe decant_has_value(context, node) }
}
