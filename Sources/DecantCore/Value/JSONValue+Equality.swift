// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Equality of what the JSON says, whatever its spelling: white space, escapes, the order of members and
// the form of numbers do not count; `1`, `1.0` and `10e-1` are equal, exactly. Of members with one key
// the document's rule for duplicates chooses. Walks keep a stack of their own.

internal import CDecantIndex

extension JSONValue: Equatable {
  /// - Complexity: expected linear in the values.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    left.looking { left in right.looking { right in areEqual(left, right) } }
  }

  private static func areEqual(_ left: JSON, _ right: JSON) -> Bool {
    var pairs = [(left.node, right.node)]
    while let (leftNode, rightNode) = pairs.popLast() {
      let a = JSON(leftNode, within: left)
      let b = JSON(rightNode, within: right)
      guard a.kind == b.kind else { return false }
      switch a.kind {
      case .missing, .null: break
      case .bool: if a.isTrue != b.isTrue { return false }
      case .number:
        if CanonicalNumber(a.numberText) != CanonicalNumber(b.numberText) { return false }
      case .string:
        // Code unit by code unit (RFC 8259 §8.3), not by canonical equivalence as in `String`.
        guard let a = a.string, let b = b.string, a.utf8.elementsEqual(b.utf8) else { return false }
      case .array:
        if a.count != b.count { return false }
        var ours = ChildCursor(a)
        var theirs = ChildCursor(b)
        while true {
          let child = ours.next(in: left)
          if child == DECANT_NODE_NONE { break }
          pairs.append((child, theirs.next(in: right)))
        }
      case .object:
        let theirs = members(of: b)
        let ours = members(of: a)
        if ours.count != theirs.count { return false }
        for (name, child) in ours {
          guard let other = theirs[name] else { return false }
          pairs.append((child, other))
        }
      }
    }
    return true
  }

  /// The members that count: of several with one key the document's rule chooses.
  private static func members(of object: JSON) -> [MemberName: UInt64] {
    var members: [MemberName: UInt64] = [:]
    let keepsLast = object.keepsLastDuplicate
    var children = ChildCursor(object)
    while true {
      let child = children.next(in: object)
      if child == DECANT_NODE_NONE { return members }
      let name = MemberName(text: children.key(in: object))
      if keepsLast || members[name] == nil { members[name] = child }
    }
  }
}

/// A key as JSON compares it: by its bytes. Strings are equal under canonical equivalence, keys are not.
private struct MemberName: Hashable {
  var text: String

  static func == (left: MemberName, right: MemberName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    // SAFETY: the bytes stay inside the closure.
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension JSONValue: Hashable {
  /// - Complexity: linear in the values.
  public func hash(into hasher: inout Hasher) {
    // A sum over all values of a hash of depth, step and scalar: it does not depend on the order of
    // members, and needs no recursion.
    let sum = looking { root in
      var sum = 0
      var open: [(node: UInt64, depth: Int, step: JSONPointer.Token?)] = [(root.node, 0, nil)]
      while let (node, depth, step) = open.popLast() {
        let json = JSON(node, within: root)
        sum &+= JSONValue.hash(of: json, depth: depth, step: step)
        switch json.kind {
        case .array:
          var children = ChildCursor(json)
          for index in 0..<json.count {
            open.append((children.next(in: root), depth + 1, .index(index)))
          }
        case .object:
          for (name, child) in JSONValue.members(of: json) {
            open.append((child, depth + 1, .key(name.text)))
          }
        default: break
        }
      }
      return sum
    }
    hasher.combine(sum)
  }

  private static func hash(of json: JSON, depth: Int, step: JSONPointer.Token?) -> Int {
    var hasher = Hasher()
    hasher.combine(depth)
    hasher.combine(step)
    hasher.combine(json.kind)
    switch json.kind {
    case .bool: hasher.combine(json.isTrue)
    case .number: hasher.combine(CanonicalNumber(json.numberText))
    case .string: hasher.combine(json.string)
    default: break
    }
    return hasher.finalize()
  }
}

/// A number's exact value: sign, digits without outer zeros, and the power of ten of the last one.
/// Zero has no digits and no sign.
struct CanonicalNumber: Hashable {
  var isNegative = false
  var digits: [UInt8] = []
  var exponent = 0

  /// - Precondition: `text` is a JSON number (RFC 8259 §6).
  init(_ text: String) {
    var exponentDigits = 0
    var exponentSign = 1
    var state = UInt8(ascii: "0")  // before the point; then "." after it; then "e"
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-") where state == UInt8(ascii: "e"): exponentSign = -1
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): state = byte
      case UInt8(ascii: "e"), UInt8(ascii: "E"): state = UInt8(ascii: "e")
      case _ where state == UInt8(ascii: "e"):
        exponentDigits = min(exponentDigits * 10 + Int(byte & 0xF), 1 << 48)
      default:
        if state == UInt8(ascii: ".") { exponent -= 1 }
        if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
      }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    } else {
      exponent += exponentSign * exponentDigits
    }
  }
}
