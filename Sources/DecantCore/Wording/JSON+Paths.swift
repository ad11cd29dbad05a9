// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a node back to its path: down from the root for a slot of the index, which is in document order; up from
// parent to parent for a node of another engine (decant_places.h).

internal import CDecantIndex

extension JSON {
  /// The path from this root down to a value, or nil if it is not a value of this document, or if it is one value of
  /// another engine that occurs in several places, as `null` can.
  @inline(never)
  func path(to target: UInt64) -> String? {
    if !isNative { return foreignPath(to: target) }
    var isThere = false
    let path = written { isThere = writePath(downTo: target, to: &$0) }
    return isThere ? path : nil
  }

  /// Writes the path from this native value down to another, as a JSON Pointer. False if there is no value at the other
  /// node, and then the path ends before it.
  @discardableResult
  package func writePath(downTo target: UInt64, to sink: inout ErrorSink) -> Bool {
    var node = node
    while node != target {
      let parent = JSON(node, within: self)
      var position: UInt64 = 0
      guard parent.isContainer else { return false }
      // SAFETY: a container of the document.
      let child = unsafe decant_child_around(context, node, target, &position)
      // A key, or beyond.
      if child > target { return false }
      sink.add("/")
      if parent.isNativeObject {
        sink.add(token: JSON(child - 1, within: self).scalars)
      } else {
        sink.add(Int64(position))
      }
      node = child
    }
    return true
  }

  /// Whether a node is of this document's, which another engine reads.
  func hasForeignValue(_ node: UInt64) -> Bool { unsafe decant_has_value(context, node) }

  private func foreignPath(to target: UInt64) -> String? {
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
    return JSONPointer(path).text
  }
}
