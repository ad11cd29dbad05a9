// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Equality of what the JSON says, whatever its spelling: white space, escapes, the order of members and
// the form of numbers do not count; `1`, `1.0` and `10e-1` are equal, exactly. Of members with one key
// the document's rule for duplicates chooses. Walks use an explicit stack instead of recursion.

internal import CDecantIndex

extension JSONValue: Equatable {
  /// - Complexity: expected linear in the values.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    left.looking { left in right.looking { right in areEqual(left, right) } }
  }

  private static func areEqual(_ left: JSON, _ right: JSON) -> Bool {
    var open: [(UInt64, UInt64)] = []
    // Scalars at once; what has children waits on the stack, so that wide arrays of scalars need none.
    func areAlike(_ leftNode: UInt64, _ rightNode: UInt64) -> Bool {
      let a = JSON(leftNode, within: left)
      let b = JSON(rightNode, within: right)
      guard a.kind == b.kind else { return false }
      switch a.kind {
      case .missing, .null: return true
      case .bool: return a.isTrue == b.isTrue
      case .number: return JSON.areEqual(numbers: a.numberText, b.numberText)
      case .string:
        // Code unit by code unit (RFC 8259 §8.3), not by canonical equivalence as in `String`.
        guard let a = a.string, let b = b.string else { return false }
        return areSame(a, b)
      case .array, .object:
        open.append((leftNode, rightNode))
        return true
      }
    }
    guard areAlike(left.node, right.node) else { return false }
    while let (leftNode, rightNode) = open.popLast() {
      let a = JSON(leftNode, within: left)
      let b = JSON(rightNode, within: right)
      guard a.kind == .array ? a.hasElements(of: b, areAlike) : a.hasMembers(of: b, areAlike) else {
        return false
      }
    }
    return true
  }
}

extension JSON {
  /// NaN and the infinities equal what is spelled like them.
  fileprivate static func areEqual(numbers left: String, _ right: String) -> Bool {
    guard let a = DecimalNumber(left), let b = DecimalNumber(right) else { return left == right }
    return a == b
  }

  fileprivate func hasElements(of other: JSON, _ areAlike: (UInt64, UInt64) -> Bool) -> Bool {
    guard count == other.count else { return false }
    var ours = ChildCursor(self)
    var theirs = ChildCursor(other)
    while true {
      let child = ours.next(in: self)
      if child == DECANT_NODE_NONE { return true }
      guard areAlike(child, theirs.next(in: other)) else { return false }
    }
  }

  fileprivate func hasMembers(of other: JSON, _ areAlike: (UInt64, UInt64) -> Bool) -> Bool {
    var count = 0
    let areFound = forEachMemberThatCounts { key, child in
      count += 1
      let theirs = other.member(key)
      return theirs != DECANT_NODE_NONE && areAlike(child, theirs)
    }
    guard areFound else { return false }
    // Equal counts and every left member found on the right imply equality, because keys are unique.
    if other.count == count { return true }
    _ = other.forEachMemberThatCounts { _, _ in
      count -= 1
      return true
    }
    return count == 0
  }

  /// Calls `body` with the members that look-ups find: of several with one key, the document's rule
  /// chooses. Ends when `body` says false, and says so.
  fileprivate func forEachMemberThatCounts(_ body: (String, UInt64) -> Bool) -> Bool {
    var children = ChildCursor(self)
    while true {
      let child = children.next(in: self)
      if child == DECANT_NODE_NONE { return true }
      let key = children.key(in: self)
      if member(key) == child, !body(key, child) { return false }
    }
  }
}

extension JSONValue: Hashable {
  /// - Complexity: expected linear in the values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(
      looking {
        var sum = ValueSum()
        sum.addAll(of: $0)
        return sum.sum
      })
  }
}

/// A sum over all values of a hash of path and scalar: it does not depend on the order of members, and needs no
/// recursion.
private struct ValueSum {
  private(set) var sum = 0
  /// Containers whose children are to be added.
  private var open: [(node: UInt64, path: Int)] = []

  mutating func addAll(of root: JSON) {
    add(root, Hasher())
    while let (node, path) = open.popLast() {
      var hasher = Hasher()
      hasher.combine(path)
      addChildren(of: JSON(node, within: root), hasher)
    }
  }

  /// Adds a scalar. What has children waits on the stack, so that wide arrays of scalars need none.
  private mutating func add(_ json: JSON, _ hasher: consuming Hasher) {
    let kind = json.kind
    hasher.combine(kind)
    switch kind {
    case .missing, .null, .array, .object: break
    case .bool: hasher.combine(json.isTrue)
    case .number:
      let text = json.numberText
      if let number = DecimalNumber(text) { hasher.combine(number) } else { hasher.combine(text) }
    case .string: hasher.combine(json.string)
    }
    let hash = hasher.finalize()
    sum &+= hash
    if kind == .array || kind == .object { open.append((json.node, hash)) }
  }

  private mutating func addChildren(of json: JSON, _ path: Hasher) {
    if json.kind == .object {
      _ = json.forEachMemberThatCounts { key, child in
        var hasher = path
        hasher.combine(key)
        add(JSON(child, within: json), hasher)
        return true
      }
      return
    }
    var children = ChildCursor(json)
    for index in 0..<json.count {
      var hasher = path
      hasher.combine(index)
      add(JSON(children.next(in: json), within: json), hasher)
    }
  }
}
