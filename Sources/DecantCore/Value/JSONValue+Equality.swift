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
    var comparison = Comparison()
    guard comparison.areAlike(left, right) else { return false }
    while let (leftNode, rightNode) = comparison.open.popLast() {
      let a = JSON(leftNode, within: left)
      let b = JSON(rightNode, within: right)
      guard a.kind == .array ? comparison.areElementsAlike(a, b) : comparison.areMembersAlike(a, b)
      else { return false }
    }
    return true
  }
}

/// Scalars are compared at once. Containers wait on a stack, so wide arrays of scalars need none.
private struct Comparison {
  fileprivate var open: [(UInt64, UInt64)] = []

  @inline(never)
  mutating func areAlike(_ a: JSON, _ b: JSON) -> Bool {
    guard a.kind == b.kind else { return false }
    switch a.kind {
    case .missing, .null: return true
    case .bool: return a.isTrue == b.isTrue
    case .number: return Self.areEqual(numbers: a.numberText, b.numberText)
    case .string:
      // Code unit by code unit (RFC 8259 §8.3), not by canonical equivalence as in `String`.
      guard let a = a.seldomString, let b = b.seldomString else { return false }
      return areSame(a, b)
    case .array, .object:
      open.append((a.node, b.node))
      return true
    }
  }

  /// NaN and the infinities equal themselves, by their spelling.
  private static func areEqual(numbers left: String, _ right: String) -> Bool {
    if left == right { return true }
    guard let a = DecimalNumber(left), let b = DecimalNumber(right) else { return false }
    return a.equals(b)
  }

  mutating func areElementsAlike(_ a: JSON, _ b: JSON) -> Bool {
    guard a.count == b.count else { return false }
    var ours = ChildCursor(seldom: a)
    var theirs = ChildCursor(seldom: b)
    while let our = ours.seldomNext(in: a), let their = theirs.seldomNext(in: b) {
      guard areAlike(JSON(our, within: a), JSON(their, within: b)) else { return false }
    }
    return true
  }

  mutating func areMembersAlike(_ a: JSON, _ b: JSON) -> Bool {
    var count = 0
    var members = ChildCursor(seldom: a)
    while let child = members.nextThatCounts(in: a) {
      count += 1
      let theirs = b.member(members.key(in: a))
      guard theirs != DECANT_NODE_NONE,
        areAlike(JSON(child, within: a), JSON(theirs, within: b))
      else { return false }
    }
    // Equal counts and every left member found on the right imply equality, because keys are unique.
    if b.count == count { return true }
    members = ChildCursor(seldom: b)
    while members.nextThatCounts(in: b) != nil { count -= 1 }
    return count == 0
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
  /// Containers whose children must still be added.
  private var open: [(node: UInt64, path: Int)] = []

  mutating func addAll(of root: JSON) {
    add(root, Hasher())
    while let (node, path) = open.popLast() {
      var hasher = Hasher()
      hasher.combine(path)
      addChildren(of: JSON(node, within: root), hasher)
    }
  }

  /// Adds a scalar. Containers wait on a stack, so wide arrays of scalars need none.
  private mutating func add(_ json: JSON, _ hasher: consuming Hasher) {
    let kind = json.kind
    hasher.combine(kind)
    switch kind {
    case .missing, .null, .array, .object: break
    case .bool: hasher.combine(json.isTrue)
    case .number:
      let text = json.numberText
      if let number = DecimalNumber(text) {
        number.hash(into: &hasher)
      } else {
        hasher.combine(text)
      }
    case .string: hashBytes(of: json.seldomString ?? "", into: &hasher)
    }
    let hash = hasher.finalize()
    sum &+= hash
    if kind == .array || kind == .object { open.append((json.node, hash)) }
  }

  private mutating func addChildren(of json: JSON, _ path: Hasher) {
    var children = ChildCursor(seldom: json)
    if json.kind == .object {
      while let child = children.nextThatCounts(in: json) {
        var hasher = path
        hashBytes(of: children.key(in: json), into: &hasher)
        add(JSON(child, within: json), hasher)
      }
      return
    }
    var index = 0
    while let child = children.seldomNext(in: json) {
      var hasher = path
      hasher.combine(index)
      add(JSON(child, within: json), hasher)
      index += 1
    }
  }
}
