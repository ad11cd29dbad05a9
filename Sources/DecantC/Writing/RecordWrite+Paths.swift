// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Records whose fields have pointers for keys, or share keys. Their values are the leaves of a tree that the
// pointers spell; a node is written where the table first names it:
//
//   /id   /address/city   /address/street   /at/0   /at/1
//   {"id":…,"address":{"city":…,"street":…},"at":[…,…]}
//
// The tree is made for each struct, because its nodes also have facts about the struct. A node is named by the first field
// whose pointer leads through it; its children are a list, in the order of the table. In a large table a node is found by
// a hash of its parent and its token, in a small one by walking the list. So the time is linear in the bytes of the
// pointers. The children of a node are an array if their tokens are 0, 1, 2 … in that order, and an object otherwise.
//
// Two fields with the same value, or one with a part of the other's, would write it twice: that is an error. A DECANT_KIND
// beside another field writes nothing, but distinguishes objects from arrays; alone it writes the least value of its kind.
// Only a DECANT_RAW preserves the kind of a part of its value.

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

  /// A number that is the same for equal tokens of one parent.
  func hash(below parent: UInt32, _ seed: NumberTable<UInt64>) -> Int {
    withKey { key in
      // SAFETY: the seed is two words, and a key has as many bytes as it says.
      let words = unsafe seed.memory.start.assumingMemoryBound(to: UInt64.self)
      let hash = unsafe key.start.map { unsafe decant_hash_plain(words, $0, key.count) } ?? 0
      let spread = (hash ^ UInt64(parent)) &* (seed[1] | 1)
      return Int(truncatingIfNeeded: spread &>> 32)
    }
  }

  /// Whether the token is a number, as RFC 6901 writes the places in an array.
  func isIndex(_ number: Int) -> Bool { JSONPointer.arrayIndex(bytes) == number }

  /// Adds the token as a key. False if it is not UTF-8.
  func write(to text: inout BoundedText) -> Bool {
    withKey { text.add(quoting: $0) }
  }
}

/// A value of the text, which pointers lead to or through. Nodes and fields are numbers from 1; 0 means none.
private struct PathNode: BitwiseCopyable {
  /// The token that leads to the node, in the key of the field that has named it.
  var token = Bytes()
  var lead: UInt32 = 0
  var parent: UInt32 = 0
  /// The next one below the parent.
  var sibling: UInt32 = 0
  var firstChild: UInt32 = 0
  var lastChild: UInt32 = 0
  /// The field that is the node's value.
  var whole: UInt32 = 0
  /// The field that is its kind.
  var kind: UInt32 = 0
  /// The first field with a value that another one has too, or a part of it.
  var clash: UInt32 = 0
  /// The kind of a part, one that is written if there is one.
  var kindOfPart: UInt32 = 0
  var hasParts = false
  var hasWrittenParts = false
  var isKindOfPartWritten = false
  /// Whether the node's own value or kind is written.
  var isItselfWritten = false

  /// Whether anything is written, if only an error.
  var isWritten: Bool { hasWrittenParts || isItselfWritten }
}

/// The nodes of a struct.
@safe
private struct PathTree {
  // SAFETY: memory for as many nodes and buckets as `size(of:)` has counted, as long as the tree.
  private let nodes: UnsafeMutablePointer<PathNode>
  private let record: RecordRef
  private var count: UInt32 = 1
  /// The numbers of nodes, at their hashes or after them; nil in a small tree.
  private let buckets: NumberTable<UInt32>?
  private let lastBucket: Int
  private let seed: NumberTable<UInt64>
  /// Whether a field has a key that is not a pointer.
  private(set) var hasPlainKeys = false

  static var root: UInt32 { 1 }

  /// Bytes of a tree that the stack has.
  static var onStack: Int { 1024 }

  /// Nodes of a tree that needs no buckets.
  private static var few: Int { 64 }

  /// How many nodes a record can have: one for each token, and the root.
  static func mostNodes(of record: RecordRef) -> Int {
    var count = 1
    for field in record.fields where field.kind != .key {
      var tokens = Tokens(field)
      while tokens.next() != nil { count += 1 }
    }
    return count
  }

  private static func buckets(of nodes: Int) -> Int {
    nodes <= few ? 0 : 1 << (Int.bitWidth - (2 * nodes - 1).leadingZeroBitCount)
  }

  /// Bytes of memory for so many nodes.
  static func size(of nodes: Int) -> Int {
    16 + nodes * MemoryLayout<PathNode>.stride + buckets(of: nodes) * 4
  }

  init(_ record: RecordRef, mostNodes: Int, in memory: Memory) {
    self.record = record
    let start = memory.advanced(by: 16)
    unsafe nodes = start.start.bindMemory(to: PathNode.self, capacity: mostNodes)
    unsafe nodes.initialize(to: PathNode())
    seed = NumberTable(memory: memory)
    let buckets = PathTree.buckets(of: mostNodes)
    lastBucket = buckets - 1
    if buckets == 0 {
      self.buckets = nil
      return
    }
    // SAFETY: the seed is two words.
    unsafe decant_draw_seed(memory.start.assumingMemoryBound(to: UInt64.self))
    let table = start.advanced(by: mostNodes * MemoryLayout<PathNode>.stride)
    table.clear(buckets * 4)
    self.buckets = NumberTable(memory: table)
  }

  subscript(number: UInt32) -> PathNode {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(nodes + Int(number) - 1) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe nodes + Int(number) - 1 }
  }

  /// The field of a number; nil for 0.
  func field(_ number: UInt32) -> FieldRef? { number == 0 ? nil : record[Int(number) - 1] }

  /// The field that has named a node.
  func lead(of number: UInt32) -> FieldRef { record[Int(self[number].lead) - 1] }

  /// The token that leads to a node.
  func token(of number: UInt32) -> Token {
    Token(bytes: self[number].token, isEscaped: lead(of: number).isPointer)
  }

  /// Calls `body` with each node below one until it returns a failure.
  func forEachChild(of number: UInt32, _ body: (UInt32) -> Status) -> Status {
    var child = self[number].firstChild
    while child != 0 {
      let status = body(child)
      if status != ok { return status }
      child = self[child].sibling
    }
    return ok
  }

  /// Whether the nodes below one are the elements of an array. A member by its key, which only the first level has, is an
  /// object's.
  func isArray(_ number: UInt32) -> Bool {
    if number == PathTree.root, hasPlainKeys { return false }
    var count = 0
    let status = forEachChild(of: number) { child in
      guard token(of: child).isIndex(count) else { return typeMismatch }
      count += 1
      return ok
    }
    return status == ok && count > 0
  }

  /// Adds a field, and the nodes that it leads through.
  mutating func add(_ field: FieldRef, _ number: UInt32, isWritten: Bool) {
    if !field.isPointer { hasPlainKeys = true }
    let isKind = field.kind == .kind
    var node = PathTree.root
    var tokens = Tokens(field)
    while let token = tokens.next() {
      addPart(number, to: node, isKind: isKind, isWritten: isWritten)
      node = child(of: node, token, number)
    }
    if isWritten { self[node].isItselfWritten = true }
    if isKind {
      if self[node].kind == 0 { self[node].kind = number }
    } else if self[node].whole == 0, !self[node].hasParts {
      self[node].whole = number
    } else if self[node].clash == 0 {
      self[node].clash = number
    }
  }

  /// A field is a part of a node's value.
  private func addPart(_ number: UInt32, to node: UInt32, isKind: Bool, isWritten: Bool) {
    if isWritten { self[node].hasWrittenParts = true }
    if !isKind {
      if self[node].whole != 0, self[node].clash == 0 { self[node].clash = number }
      self[node].hasParts = true
    } else if isWritten || self[node].kindOfPart == 0 {
      self[node].kindOfPart = number
      self[node].isKindOfPartWritten = isWritten
    }
  }

  /// The node below one at a token of a field's key.
  private mutating func child(of parent: UInt32, _ token: Token, _ field: UInt32) -> UInt32 {
    guard let buckets else {
      var child = self[parent].firstChild
      while child != 0, !(self.token(of: child) == token) { child = self[child].sibling }
      return child != 0 ? child : append(below: parent, field, token)
    }
    var bucket = token.hash(below: parent, seed) & lastBucket
    while buckets[bucket] != 0 {
      let other = buckets[bucket]
      if self[other].parent == parent, self.token(of: other) == token { return other }
      bucket = (bucket + 1) & lastBucket
    }
    let child = append(below: parent, field, token)
    buckets[bucket] = child
    return child
  }

  private mutating func append(below parent: UInt32, _ field: UInt32, _ token: Token) -> UInt32 {
    count += 1
    let (child, last) = (count, self[parent].lastChild)
    var node = PathNode()
    (node.lead, node.token, node.parent) = (field, token.bytes, parent)
    unsafe (nodes + Int(child) - 1).initialize(to: node)
    if last == 0 { self[parent].firstChild = child } else { self[last].sibling = child }
    self[parent].lastChild = child
    return child
  }
}

extension RecordWrite {
  mutating func writeByPaths(
    _ record: RecordRef, _ value: Memory, at path: StepPath
  ) -> Status {
    let nodes = PathTree.mostNodes(of: record)
    let size = PathTree.size(of: nodes)
    if nodes >= UInt32.max { return fail(.noMemory, .record, nil, at: path) }
    if size <= PathTree.onStack {
      return withStackMemory(PathTree.onStack) { memory in
        writeByPaths(PathTree(record, mostNodes: nodes, in: memory), record, value, at: path)
      }
    }
    guard let memory = decant_allocator().allocate(size) else {
      return fail(.noMemory, .record, nil, at: path)
    }
    defer { decant_allocator().release(memory, size) }
    return writeByPaths(PathTree(record, mostNodes: nodes, in: memory), record, value, at: path)
  }

  @inline(never)
  private mutating func writeByPaths(
    _ empty: PathTree, _ record: RecordRef, _ value: Memory, at path: StepPath
  ) -> Status {
    var tree = empty
    var number: UInt32 = 0
    for field in record.fields {
      number += 1
      if field.kind == .key { continue }
      tree.add(field, number, isWritten: isWritten(field, of: value))
    }
    return write(PathTree.root, of: tree, value, at: path)
  }

  /// Whether a field has something to write, if only an error.
  private func isWritten(_ field: FieldRef, of value: Memory) -> Bool {
    !presence(of: field, field.kind, in: value).isAbsent || !field.mayBeAbsent
  }

  private mutating func write(
    _ number: UInt32, of tree: PathTree, _ value: Memory, at path: StepPath
  ) -> Status {
    if levels >= DECANT_CHECKED_DEPTH {
      return fail(
        .tooDeep("pointers nest more than 512 deep"), .record, nil, at: path)
    }
    levels += 1
    defer { levels -= 1 }
    let node = tree[number]
    // A value that two fields hold, or one and its parts, cannot be written.
    if let field = tree.field(node.clash) {
      return fail(.sharedValue, field.kind, field, at: path, isField: true)
    }
    let kindOfWhole = tree.field(node.kind).map { Int(value.load(Int32.self, at: $0.offset)) }
    if let whole = tree.field(node.whole) {
      let isPresent = isWritten(whole, of: value)
      // Zeros are a value, too, if the kind is that of one.
      let isZero = !isPresent && kindOfWhole ?? DECANT_VALUE_NULL > DECANT_VALUE_NULL
      if let kindOfPart = tree.field(node.kindOfPart),
        node.isKindOfPartWritten && whole.kind != .raw
          || forbidsParts(whole, in: value, isWritten: isPresent || isZero)
      {
        return fail(.sharedValue, .kind, kindOfPart, at: path, isField: true)
      }
      if isPresent { return write(whole, of: value, at: path) }
      if isZero { return writeValue(whole, whole.kind, of: value, at: path) }
    }
    if node.hasWrittenParts {
      let isObject = kindOfWhole == DECANT_VALUE_OBJECT
      return writeChildren(
        of: number, tree, isArray: !isObject && tree.isArray(number), value, at: path)
    }
    if let kind = tree.field(node.kind), isWritten(kind, of: value) {
      return write(kind, of: value, at: path)
    }
    // Only for a record with nothing to write. If the kind of a member is stored, it must be an object's.
    let isNull = tree.field(node.whole).map { node.kindOfPart == 0 || !$0.kind.isObject } ?? false
    text.add(isNull ? "null" : "{}")
    return ok
  }

  /// Whether a value, which is written or left out, could not be read by a table with the kind of a part of it, because the
  /// value has no parts.
  private func forbidsParts(_ whole: FieldRef, in value: Memory, isWritten: Bool) -> Bool {
    isWritten && whole.kind != .raw && !whole.kind.hasParts
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
    of number: UInt32, _ tree: PathTree, isArray: Bool, _ value: Memory, at path: StepPath
  ) -> Status {
    var separator = isArray ? UInt8(ascii: "[") : UInt8(ascii: "{")
    // Elements that are absent, before one that is not.
    var gaps = 0
    let status = tree.forEachChild(of: number) { child in
      if !tree[child].isWritten {
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
        guard tree.token(of: child).write(to: &text) else {
          let field = tree.lead(of: child)
          return fail(.keyIsNotText, field.kind, field, at: path)
        }
        text.add(UInt8(ascii: ":"))
      }
      return write(child, of: tree, value, at: path)
    }
    if status != ok { return status }
    text.add(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    return ok
  }
}
