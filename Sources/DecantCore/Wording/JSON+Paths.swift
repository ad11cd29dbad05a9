// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a slot of the index to its path: down from the root, because slots are in document order. Nodes of other engines
// do not tell their place; their paths go up from parent to parent (ErrorPath.swift).

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

  /// Writes the path from this native value down to another, as a JSON Pointer. False if there is no value at the other
  /// node, and then the path ends before it.
  @discardableResult
  package func writePath(downTo target: UInt64, to sink: inout ErrorSink) -> Bool {
    walk(downTo: target) { parent, child, position in
      if sink.isDone { return }
      sink.add("/")
      if parent.isNativeObject {
        sink.add(token: JSON(child - 1, within: self).scalars)
      } else {
        sink.add(Int64(position))
      }
    }
  }

  /// Whether a node is of this document's, which another engine reads.
  func hasForeignValue(_ node: UInt64) -> Bool { unsafe decant_has_value(context, node) }
}
