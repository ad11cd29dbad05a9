// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Paths of errors that may outlive their document. The errors of a document share the common parts of their paths, so that
// paths take at most the memory of the document's keys.
//
//   {"users":[{"id":"x"},{"id":"y"}]}      /users/0/id    "users" <- 0 <- "id"
//                                          /users/1/id            <- 1 <- "id"

internal import CDecantIndex

/// The last component of a path, and those above.
final class ErrorPath {
  private(set) var above: ErrorPath?
  let step: JSONPointer.Token

  init(_ step: JSONPointer.Token, below above: ErrorPath?) {
    self.above = above
    self.step = step
  }

  // Component by component, not by recursion; up to where another path has them, too.
  deinit {
    var next = above.take()
    while isKnownUniquelyReferenced(&next) {
      let above = next?.above.take()
      next = above
    }
  }

  /// The components from the root on.
  var steps: [JSONPointer.Token] {
    var steps: [JSONPointer.Token] = []
    var next: ErrorPath? = self
    while let path = next {
      steps.append(path.step)
      next = path.above
    }
    return steps.reversed()
  }

  /// Writes the path from the root on, as an RFC 6901 pointer.
  func write(to sink: inout ErrorSink) {
    for step in steps {
      if sink.isDone { return }
      sink.add(step)
    }
  }
}

/// The requested paths to values of a document.
struct ErrorPaths {
  private var known = [UInt64: ErrorPath]()
  /// The paths below each, if equal paths are shared.
  private var below: [Key: ErrorPath]?

  private struct Key: Hashable {
    let above: ObjectIdentifier?
    let step: JSONPointer
  }

  /// - Parameter areUnique: whether equal paths are one object.
  init(areUnique: Bool = false) { below = areUnique ? [:] : nil }

  /// One component more.
  mutating func path(_ step: JSONPointer.Token, below above: ErrorPath?) -> ErrorPath {
    guard below != nil else { return ErrorPath(step, below: above) }
    let key = Key(above: above.map { ObjectIdentifier($0) }, step: JSONPointer(step.escaped))
    if let path = below?[key] { return path }
    let path = ErrorPath(step, below: above)
    below?[key] = path
    return path
  }

  /// The path from a root down to a value: nil for the root, and not found if it is no value of the document, or if it
  /// is one value of another engine that occurs in several places, as `null` can.
  mutating func path(from root: JSON, to target: UInt64) -> (isFound: Bool, path: ErrorPath?) {
    root.isNative ? pathDown(from: root, to: target) : pathUp(to: root, from: target)
  }

  private mutating func pathDown(from root: JSON, to target: UInt64) -> (Bool, ErrorPath?) {
    var path: ErrorPath?
    let isFound = root.walk(downTo: target) { parent, child, position in
      if let other = known[child] { return path = other }
      let step: JSONPointer.Token
      if parent.isNativeObject {
        let key = JSON(child - 1, within: parent).scalars
        step = .key(written { key.write(to: &$0) })
      } else {
        step = .index(Int(position))
      }
      let next = self.path(step, below: path)
      if child != target { known[child] = next }
      path = next
    }
    return (isFound, isFound ? path : nil)
  }

  private mutating func pathUp(to root: JSON, from target: UInt64) -> (Bool, ErrorPath?) {
    var steps: [(node: UInt64, step: JSONPointer.Token)] = []
    var node = target
    var parent = decant_parent()
    while node != root.node, known[node] == nil {
      // SAFETY: the view's context outlives it.
      guard unsafe decant_parent_of(root.context, node, &parent) else { return (false, nil) }
      if let key = unsafe parent.key {
        // SAFETY: the engine keeps the key's bytes, which are valid UTF-8, as long as the document.
        let bytes = unsafe Bytes(key, parent.key_length).buffer
        steps.append((node, .key(unsafe String(decoding: bytes, as: UTF8.self))))
      } else {
        steps.append((node, .index(Int(parent.position))))
      }
      node = parent.node
    }
    var path = node == root.node ? nil : known[node]
    for (node, step) in steps.reversed() {
      let next = self.path(step, below: path)
      if node != target { known[node] = next }
      path = next
    }
    return (true, path)
  }
}

extension DecodeError {
  /// The path from a value of the document down to the value of the error, or of the first of several; nil if the error is
  /// not about a value below it. Reads nothing above the value.
  package func steps(below json: JSON) -> [String]? {
    let storage = storage
    guard !isResolved, storage.inner == nil, storage.tree == json.tree,
      storage.node != DECANT_NODE_NONE,
      !json.isNative || storage.node < json.reference.slotCount,
      storage.document === Document.owner(of: json.reference)
    else { return nil }
    var paths = ErrorPaths()
    let (isFound, path) = paths.path(from: json, to: storage.node)
    if !isFound { return nil }
    let steps = (path?.steps ?? []) + (storage.step.map { [$0] } ?? [])
    return steps.map {
      switch $0 {
      case .key(let key): key
      case .index(let index): index.description
      }
    }
  }
}
