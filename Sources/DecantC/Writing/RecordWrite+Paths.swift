// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Records whose fields have pointers for keys, or share keys. Their values are the leaves of a tree that the
// pointers spell; a node is written where the table first names it:
//
//   /id   /address/city   /address/street   /at/0   /at/1
//   {"id":…,"address":{"city":…,"street":…},"at":[…,…]}
//
// A node is all the fields that begin with the same tokens. Its children are an array if their tokens are 0, 1, 2 … in
// the order of the table, and else an object. Nothing is stored between steps, so the time is that of comparing every
// field of the record with every other, for each level.
//
// Two fields that hold one value, or one a part of the other's, would write it twice: an error. A DECANT_KIND
// beside them writes nothing, but tells objects from arrays; alone it writes the least value of its kind. Of a part of
// another field's value, only a DECANT_RAW can keep the kind.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The tokens of a field's key, which is one token, or of its pointer.
private struct Tokens {
  private let path: Bytes
  private let isPointer: Bool
  private var place = 0

  init(_ field: FieldRef) {
    path = field.key
    isPointer = field.isPointer
  }

  /// The next token; of a pointer, still escaped.
  mutating func next() -> Token? {
    if !isPointer {
      defer { place = 1 }
      return place == 0 ? Token(bytes: path, isEscaped: false) : nil
    }
    if place >= path.count { return nil }
    let token = tokenOfPointer(path, at: place)
    place += 1 + token.count
    return Token(bytes: token, isEscaped: true)
  }
}

/// A step of a path.
private struct Token {
  let bytes: Bytes
  /// Whether `~1` is `/`, and `~0` is `~`.
  let isEscaped: Bool

  private func withKey<Result>(_ body: (Bytes) -> Result) -> Result {
    isEscaped ? DecantC.withKey(ofToken: bytes, body) : body(bytes)
  }

  static func == (a: Token, b: Token) -> Bool {
    if a.isEscaped == b.isEscaped { return a.bytes == b.bytes }
    return a.withKey { key in b.withKey { key == $0 } }
  }

  /// Whether the token is a number, as RFC 6901 writes the places in an array.
  func isIndex(_ number: Int) -> Bool { JSONPointer.arrayIndex(bytes) == number }

  /// Adds the token as a key. False if it is not UTF-8.
  func write(to text: inout BoundedText) -> Bool {
    withKey { text.add(quoting: $0) }
  }
}

/// The fields of a record whose first tokens are those of a field.
private struct Node {
  let record: RecordRef
  let lead: FieldRef?
  let level: Int

  /// Whether a field is in the node.
  func has(_ field: FieldRef) -> Bool {
    if field.kind == .key { return false }
    guard let lead else { return true }
    var (tokens, others) = (Tokens(lead), Tokens(field))
    for _ in 0..<level {
      guard let token = tokens.next(), let other = others.next(), token == other else {
        return false
      }
    }
    return true
  }

  /// A field's token below the node; nil if the node is the field's value.
  func token(of field: FieldRef) -> Token? {
    var tokens = Tokens(field)
    for _ in 0..<level { _ = tokens.next() }
    return tokens.next()
  }

  func child(_ field: FieldRef) -> Node { Node(record: record, lead: field, level: level + 1) }

  /// Calls `body` with the first field of each child, and its token, until it returns a failure.
  func forEachChild(_ body: (FieldRef, Token) -> Status) -> Status {
    for field in record.fields where has(field) {
      guard let token = token(of: field) else { continue }
      let child = child(field)
      let isLater = record.fields.prefix(record.index(of: field)).contains { child.has($0) }
      if isLater { continue }
      let status = body(field, token)
      if status != ok { return status }
    }
    return ok
  }

  /// Whether the children are the elements of an array. A member by its key, which only the first level has, is an object's.
  var isArray: Bool {
    if level == 0, record.fields.contains(where: { !$0.isPointer && $0.kind != .key }) {
      return false
    }
    var count = 0
    let status = forEachChild { _, token in
      guard token.isIndex(count) else { return typeMismatch }
      count += 1
      return ok
    }
    return status == ok && count > 0
  }
}

/// The fields of a node.
private struct NodeFields {
  /// The field that is the node's value.
  var whole: FieldRef?
  /// The field that is its kind.
  var kind: FieldRef?
  var hasParts = false
  var hasWrittenParts = false
  /// The kind of a part, one that is written if there is one.
  var kindOfPart: FieldRef?
}

extension RecordWrite {
  mutating func writeByPaths(
    _ record: RecordRef, _ value: Memory, at path: StepPath
  ) -> Status {
    write(Node(record: record, lead: nil, level: 0), value, at: path)
  }

  /// Whether a field has something to write, if only an error.
  private func isWritten(_ field: FieldRef, of value: Memory) -> Bool {
    !presence(of: field, field.kind, in: value).isAbsent || !field.mayBeAbsent
  }

  private mutating func write(
    _ node: Node, _ value: Memory, at path: StepPath
  ) -> Status {
    if levels >= DECANT_CHECKED_DEPTH {
      return fail(
        .tooDeep("pointers nest more than 512 deep"), .record, nil, at: path)
    }
    levels += 1
    defer { levels -= 1 }
    var fields = NodeFields()
    let status = gather(node, value, at: path, into: &fields)
    if status != ok { return status }
    let kindOfWhole = fields.kind.map { Int(value.load(Int32.self, at: $0.offset)) }
    if let whole = fields.whole {
      let isPresent = isWritten(whole, of: value)
      // Zeros are a value, too, if the kind is that of one.
      let isZero = !isPresent && kindOfWhole ?? DECANT_VALUE_NULL > DECANT_VALUE_NULL
      if let kindOfPart = fields.kindOfPart,
        forbids(whole, kindOfPart, in: value, isWritten: isPresent || isZero)
      {
        return fail(.sharedValue, .kind, kindOfPart, at: path, isField: true)
      }
      if isPresent { return write(whole, of: value, at: path) }
      if isZero { return writeValue(whole, whole.kind, of: value, at: path) }
    }
    if fields.hasWrittenParts {
      let isObject = kindOfWhole == DECANT_VALUE_OBJECT
      return writeChildren(of: node, isArray: !isObject && node.isArray, value, at: path)
    }
    if let kind = fields.kind, isWritten(kind, of: value) {
      return write(kind, of: value, at: path)
    }
    // Only of a record that has nothing to write. Where the kind of a member is told, no kind but an object's is read.
    let isNull = fields.whole.map { fields.kindOfPart == nil || !$0.kind.isObject } ?? false
    text.add(isNull ? "null" : "{}")
    return ok
  }

  /// Finds the fields of a node. A value that two fields hold, or one and its parts, cannot be written.
  private mutating func gather(
    _ node: Node, _ value: Memory, at path: StepPath, into fields: inout NodeFields
  ) -> Status {
    for field in node.record.fields where node.has(field) {
      let isWhole = node.token(of: field) == nil
      let isKind = field.kind == .kind
      if !isKind, fields.whole != nil || isWhole && fields.hasParts {
        return fail(.sharedValue, field.kind, field, at: path, isField: true)
      }
      switch (isWhole, isKind) {
      case (true, true): fields.kind = fields.kind ?? field
      case (true, false): fields.whole = field
      case (false, _):
        let isPartWritten = isWritten(field, of: value)
        if !isKind {
          fields.hasParts = true
        } else if isPartWritten || fields.kindOfPart == nil {
          fields.kindOfPart = field
        }
        if isPartWritten { fields.hasWrittenParts = true }
      }
    }
    return ok
  }

  /// Whether a value, which is written or left out, could not be read by a table with the kind of a part of it: the kind
  /// would be another one, or the value has no parts.
  private func forbids(
    _ whole: FieldRef, _ kindOfPart: FieldRef, in value: Memory, isWritten: Bool
  ) -> Bool {
    if whole.kind == .raw { return false }
    if self.isWritten(kindOfPart, of: value) { return true }
    return isWritten && !whole.kind.hasParts
      && !presence(of: whole, whole.kind, in: value).isNull
  }

  private mutating func write(
    _ field: FieldRef, of value: Memory, at path: StepPath
  ) -> Status {
    let kind = field.kind
    let presence = presence(of: field, kind, in: value)
    return write(field, kind, presence, of: value, at: path)
  }

  /// Writes a node as an array or as an object, without the fields that are absent.
  private mutating func writeChildren(
    of node: Node, isArray: Bool, _ value: Memory, at path: StepPath
  ) -> Status {
    var separator = isArray ? UInt8(ascii: "[") : UInt8(ascii: "{")
    // Elements that are absent, before one that is not.
    var gaps = 0
    let status = node.forEachChild { field, token in
      let child = node.child(field)
      let isPresent = node.record.fields.contains { child.has($0) && isWritten($0, of: value) }
      if !isPresent {
        gaps += 1
        return ok
      }
      if isArray {
        for _ in 0..<gaps {
          text.add(separator)
          text.add("null")
          separator = UInt8(ascii: ",")
        }
        gaps = 0
      }
      text.add(separator)
      separator = UInt8(ascii: ",")
      if !isArray {
        guard token.write(to: &text) else {
          return fail(.keyIsNotText, field.kind, field, at: path)
        }
        text.add(UInt8(ascii: ":"))
      }
      return write(child, value, at: path)
    }
    if status != ok { return status }
    text.add(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    return ok
  }
}
