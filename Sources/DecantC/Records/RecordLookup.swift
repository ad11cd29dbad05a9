// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a field's key to the value it names. Pointers (RFC 6901) are walked token by token in their own bytes; a
// token with an escape is unescaped on the stack.
//
//   "/a~1b/0"    token "a/b", a key; token "0", a key in objects and a place in arrays

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The longest token of a pointer that has escapes: it is unescaped on the stack.
private let longestEscapedToken = 255

/// The node of a field's value in a record's value, or DECANT_NODE_NONE.
func node(of field: FieldRef, in json: JSON, _ record: RecordRef) -> UInt64 {
  let node = json.node(field.key, isPointer: field.isPointer)
  return node == DECANT_NODE_NONE ? otherNode(of: field, in: json, record) : node
}

/// The same under another name, if the key has no value: the other keys; or, if the record allows any case, the first member
/// whose key equals one of the keys except for the case of ASCII letters, and is not exactly another field's key.
@inline(never)
func otherNode(of field: FieldRef, in json: JSON, _ record: RecordRef) -> UInt64 {
  let node = valueNode(of: field, in: json)
  guard node == DECANT_NODE_NONE, record.has(DECANT_ANY_CASE), !field.isPointer,
    json.kind == .object
  else { return node }
  let allocator = json.reference.allocator
  var members = ChildCursor(json)
  while let member = members.next(in: json) {
    guard let key = members.keyText(in: json) else { continue }
    var found = DECANT_NODE_NONE
    _ = withBytes(of: key, allocator) { bytes in
      let isOurs =
        bytes.isEqualInAnyCase(field.key) || field.containsOtherKey { bytes.isEqualInAnyCase($0) }
      // Of several members with this key, one counts.
      if isOurs, !record.hasField(bytes) {
        found = json.isNative ? json.node(bytes, isPointer: false) : member
      }
      return ok
    }
    if found != DECANT_NODE_NONE { return found }
  }
  return DECANT_NODE_NONE
}

/// The node of the first value but null that one of the other keys names, or else the key's own node.
@inline(never)
func valueNode(
  of field: FieldRef, insteadOf own: UInt64 = DECANT_NODE_NONE, in json: JSON
) -> UInt64 {
  var node = own
  _ = field.containsOtherKey {
    let other = json.node($0, isPointer: field.isPointer)
    if other == DECANT_NODE_NONE || JSON(other, within: json).isNull { return false }
    node = other
    return true
  }
  return node
}

extension Bytes {
  /// Whether bytes are equal except for the case of ASCII letters.
  func isEqualInAnyCase(_ other: Bytes) -> Bool {
    guard count == other.count else { return false }
    return (0..<count).allSatisfy { place in
      let (byte, lower) = (self[place], self[place] | 0x20)
      return byte == other[place]
        || lower == other[place] | 0x20 && UInt8(ascii: "a")...UInt8(ascii: "z") ~= lower
    }
  }
}

/// Whether a field's value is absent: its object has no such member. Anything but an object in its way is a
/// mismatch instead.
func isAbsent(_ field: FieldRef, in json: JSON) -> Bool {
  if !field.isPointer { return json.kind == .object }
  let (parent, step) = json.reach(field.key)
  switch JSON(parent, within: json).kind {
  case .object, .null: return true
  case .array: return JSONPointer.arrayIndex(tokenOfPointer(field.key, at: step)) != nil
  default: return false
  }
}

extension JSON {
  /// The node of a member, or at a pointer that was checked; DECANT_NODE_NONE if there is none.
  fileprivate func node(_ key: Bytes, isPointer: Bool) -> UInt64 {
    if isPointer { return node(atPointer: key) }
    return unsafe key.start.map { unsafe member($0, key.count) } ?? DECANT_NODE_NONE
  }

  /// The node at a pointer that was checked, or DECANT_NODE_NONE.
  func node(atPointer pointer: Bytes) -> UInt64 {
    let (node, end) = reach(pointer)
    return end == pointer.count ? node : DECANT_NODE_NONE
  }

  /// The last value that such a pointer reaches, and the offset in the pointer of the step that leads nowhere.
  @inline(never)
  func reach(_ pointer: Bytes) -> (node: UInt64, end: Int) {
    var view = self
    var place = 0
    while place < pointer.count {
      let token = tokenOfPointer(pointer, at: place)
      let next = view.child(at: token)
      if next == DECANT_NODE_NONE { break }
      view = JSON(next, within: self)
      place += 1 + token.count
    }
    return (view.node, place)
  }

  private func child(at token: Bytes) -> UInt64 {
    if kind == .array {
      guard let index = JSONPointer.arrayIndex(token) else { return DECANT_NODE_NONE }
      return element(index)
    }
    return withKey(ofToken: token) { key in
      unsafe key.start.map { unsafe member($0, key.count) } ?? DECANT_NODE_NONE
    }
  }
}

/// The token of a pointer that begins with the `/` at an offset, still escaped.
func tokenOfPointer(_ pointer: Bytes, at step: Int) -> Bytes {
  let start = min(step + 1, pointer.count)
  var end = start
  while end < pointer.count, pointer[end] != UInt8(ascii: "/") { end += 1 }
  return pointer[start..<end]
}

/// Calls `body` with the key that a token of a checked pointer spells: `~1` is `/`, and `~0` is `~`.
@inline(__always)
func withKey<Result>(ofToken token: Bytes, _ body: (Bytes) -> Result) -> Result {
  if !(0..<token.count).contains(where: { token[$0] == UInt8(ascii: "~") }) { return body(token) }
  // SAFETY: the pointer was checked: no such token is longer, and every `~` has its digit.
  return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestEscapedToken) {
    key in
    var (place, count) = (0, 0)
    while place < token.count {
      var byte = token[place]
      if byte == UInt8(ascii: "~") {
        place += 1
        if token[place] == UInt8(ascii: "1") { byte = UInt8(ascii: "/") }
      }
      unsafe key[count] = byte
      place += 1
      count += 1
    }
    return unsafe body(Bytes(UnsafePointer(key.baseAddress), count))
  }
}

/// Whether bytes are a JSON Pointer that `node(atPointer:)` can walk.
func isPointer(_ pointer: Bytes) -> Bool {
  if pointer.count == 0 { return true }
  if pointer[0] != UInt8(ascii: "/") { return false }
  var (token, isEscaped) = (0, false)
  var place = 0
  while place < pointer.count {
    let byte = pointer[place]
    if byte == UInt8(ascii: "/") { (token, isEscaped) = (place, false) }
    if byte == UInt8(ascii: "~") {
      isEscaped = true
      place += 1
      guard place < pointer.count, pointer[place] | 1 == UInt8(ascii: "1") else {
        return false
      }
    }
    if isEscaped, place - token > longestEscapedToken { return false }
    place += 1
  }
  return true
}
