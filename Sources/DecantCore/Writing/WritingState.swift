// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The state that all outputs of one call share: the buffer, the options, the depth, and the first failure. Writing continues
// after a failure, with `null` in the value's place; the caller decides whether to use the text.
//
// A failure's path is collected on the way back: each container that closes a member adds its key.
//
//   {"scores":[1,NaN]}      fails at depth 2      pathDepth 2    path
//     element 1 is closed at depth 2                       1      1
//     member "scores" is closed at depth 1                 0      1, scores

internal import CDecantIndex

@usableFromInline
package struct WritingState: ~Copyable {
  package var buffer: TextBuffer
  package let options: JSONWritingOptions
  /// Arrays and objects that are open.
  package var depth = 0
  /// The places where the members of the open objects begin, if members are sorted.
  var members: [Int] = []
  /// The beginning of the next object, if it gets no braces of its own; otherwise negative.
  private var joint = -1
  private var code: JSONWritingError.Code?
  /// The failed value's path so far, from its end, and the depth of the container that adds to it next.
  private var path: [JSONPointer.Token] = []
  private var pathDepth = 0

  @unsafe
  init(startingIn memory: UnsafeMutableBufferPointer<UInt8>, options: JSONWritingOptions) {
    unsafe buffer = TextBuffer(startingIn: memory, flags: options.flags)
    self.options = options
  }

  /// A state with a buffer of its own.
  package init(capacity: Int, options: JSONWritingOptions) {
    buffer = TextBuffer(capacity: capacity, flags: options.flags)
    self.options = options
  }

  /// Makes the state ready for another text.
  package mutating func reset(keeping capacity: Int) {
    buffer.reset(keeping: capacity)
    depth = 0
    clearFailure()
  }

  @usableFromInline
  package var hasFailed: Bool {
    @inline(__always) get { unsafe buffer.raw.flags & UInt32(DECANT_OUTPUT_FAILED) != 0 }
  }

  /// Whether there is white space, or members are put in order.
  var isLaidOut: Bool {
    @inline(__always) get { unsafe buffer.raw.flags & UInt32(DECANT_OUTPUT_LAID_OUT) != 0 }
  }

  /// The first failure, once everything is written.
  package var failure: JSONWritingError? {
    guard let code else { return nil }
    var steps: [JSONPointer.Token] = []
    steps.append(backwards: path, from: path.count)
    return JSONWritingError(code: code, path: JSONPointer(steps))
  }

  @inline(never)
  mutating func fail(_ failure: JSONWritingError.Code) {
    guard !hasFailed else { return }
    unsafe buffer.raw.flags |= UInt32(DECANT_OUTPUT_FAILED)
    code = failure
    pathDepth = depth
  }

  /// Forgets the failure, after which another may be noted.
  package mutating func clearFailure() {
    unsafe buffer.raw.flags &= ~UInt32(DECANT_OUTPUT_FAILED)
    code = nil
    path = []
  }

  /// The member or element at `step` of the container at the present depth is written.
  mutating func addToPath(_ step: @autoclosure () -> JSONPointer.Token) {
    guard hasFailed, pathDepth == depth, depth > 0 else { return }
    path.append(step())
    pathDepth -= 1
  }

  // MARK: Containers

  /// Whether another container may be open.
  var mayOpen: Bool {
    @inline(__always) get { depth < options.maximumDepth }
  }

  /// Writes an opening bracket; false, and `null` instead, if that is too deep.
  package mutating func open(_ bracket: UInt8) -> Bool {
    guard mayOpen else {
      fail(.tooDeep)
      buffer.append("null")
      return false
    }
    buffer.append(bracket)
    depth += 1
    return true
  }

  @inline(__always)
  package mutating func close(_ bracket: UInt8, after opening: UInt8) {
    depth -= 1
    if isLaidOut { layOutEnd(after: opening) }
    buffer.append(bracket)
  }

  @inline(never)
  private mutating func layOutEnd(after opening: UInt8) {
    if buffer.last != opening {
      breakLine()
    } else if options.isSpacious {
      buffer.append(UInt8(ascii: "\n"))
      breakLine()
    }
  }

  /// Writes the comma before a member or element, unless it is the first.
  @inline(__always)
  package mutating func separate(after opening: UInt8) {
    if buffer.last != opening { buffer.append(UInt8(ascii: ",")) }
    breakLine()
  }

  @inline(__always)
  private mutating func breakLine() {
    if options.isPretty { indent() }
  }

  /// Levels below are indented like this one, so that the text is linear in the value however deep it is.
  private var deepestIndentation: Int { 64 }

  private var indentation: Int {
    2 * (options.isSpacious ? depth : min(depth, deepestIndentation))
  }

  private mutating func indent() {
    buffer.append(UInt8(ascii: "\n"))
    buffer.append(spaces: indentation)
  }

  // MARK: Keys

  mutating func append(key: JSONKey) {
    switch key.storage {
    case .literal(let start, let count):
      // SAFETY: the bytes of a literal live as long as the program.
      unsafe buffer.append(
        quoting: UnsafeBufferPointer(start: start, count: count), flags: buffer.raw.flags)
    case .name(let name): buffer.append(quoting: name)
    case .index(let index): buffer.append(quoting: index.description)
    case .path: preconditionFailure("a member's key is one key, not a path")
    }
    appendColon()
  }

  package mutating func append(key: String) {
    buffer.append(quoting: key)
    appendColon()
  }

  @inline(__always)
  private mutating func appendColon() {
    if options.isSpacious { buffer.append(UInt8(ascii: " ")) }
    buffer.append(UInt8(ascii: ":"))
    if options.isPretty { buffer.append(UInt8(ascii: " ")) }
  }

  /// Writes a string as a value.
  @inline(never)
  package mutating func append(string: String) {
    buffer.append(quoting: string)
  }

  /// Begins a member with the text that ``append(key:)`` wrote for its key.
  @unsafe
  package mutating func beginMember(_ key: UnsafeBufferPointer<UInt8>) {
    separate(after: UInt8(ascii: "{"))
    unsafe buffer.append(key)
  }
}

// MARK: - For outputs

extension WritingState {
  /// Writes an opening brace, and returns how many members of other objects there are. Nil, and `null` instead, if
  /// that is too deep.
  @usableFromInline @inline(never)
  mutating func openObject() -> Int? {
    if joint >= 0, joint == buffer.count {
      joint = -1
      return Self.joined
    }
    return openOnStack(UInt8(ascii: "{")) ? members.count : nil
  }

  /// The result of `openObject` for an object whose members belong to another.
  private static var joined: Int { -1 }

  /// The object that is written next has its members in the one that is open.
  @usableFromInline
  mutating func join() { joint = buffer.count }

  /// Whatever else was written has no place there, and is left out.
  @usableFromInline
  mutating func endJoining() {
    guard joint >= 0 else { return }
    buffer.truncate(to: joint)
    joint = -1
    fail(.invalidValue)
  }

  @usableFromInline @inline(never)
  mutating func openArray() -> Bool { openOnStack(UInt8(ascii: "[")) }

  /// Models write by recursion, as deep as they are nested: too deep for the stack is too deep, too.
  @inline(__always)
  private mutating func openOnStack(_ bracket: UInt8) -> Bool {
    if decant_stack_has_room() { return open(bracket) }
    fail(.tooDeep)
    buffer.append("null")
    return false
  }

  @usableFromInline
  mutating func closeObject(_ first: Int) {
    if first == Self.joined { return }
    if options.sortsKeys { sortMembers(from: first) }
    close(UInt8(ascii: "}"), after: UInt8(ascii: "{"))
  }

  @usableFromInline
  mutating func closeArray() { close(UInt8(ascii: "]"), after: UInt8(ascii: "[")) }

  /// Begins a member, whatever the key and the layout.
  @usableFromInline @inline(never)
  mutating func begin(_ key: JSONKey) {
    if case .name(let name) = key.storage, buffer.beginMember(name) { return }
    separate(after: UInt8(ascii: "{"))
    if options.sortsKeys { members.append(buffer.count) }
    append(key: key)
  }

  /// The work after a member, if something has failed.
  @usableFromInline @inline(never)
  mutating func end(_ key: JSONKey, _ isWritten: Bool) {
    if !isWritten { writeMissingValue() }
    addToPath(key.step)
  }

  @usableFromInline @inline(never)
  mutating func endElement(_ index: Int, _ isWritten: Bool) {
    if !isWritten { writeMissingValue() }
    addToPath(.index(index))
  }
}

// MARK: - Seldom needed

extension WritingState {
  /// Written in place of a value that `write(to:)` did not write.
  mutating func writeMissingValue() {
    fail(.notOneValue)
    buffer.append("null")
    assertionFailure("write(to:) wrote no value")
  }

  /// Puts the members of an object that is about to be closed in the order of their keys' bytes, those that began
  /// since there were `first`. Equal keys are a failure.
  mutating func sortMembers(from first: Int) {
    let starts = Array(members[first...])
    members.removeSubrange(first...)
    sort(startingAt: starts, isStrict: true)
  }

  /// The same for members by where they begin, in their order. Equal keys stay in theirs, unless they are a failure.
  package mutating func sort(startingAt starts: [Int], isStrict: Bool = false) {
    let separator = 1 + (options.isPretty ? 1 + indentation : 0)
    var keys: [MemberKey] = []
    for (place, start) in starts.enumerated() {
      let end = place + 1 < starts.count ? starts[place + 1] - separator : buffer.count
      // SAFETY: the members are inside the text.
      unsafe keys.append(MemberKey(start..<end, in: buffer.text))
    }
    let order = orderedPlaces(keys.count) { compare(keys[$0], keys[$1]) < 0 }
    var isOrdered = true
    for place in order.indices.dropFirst() {
      let key = keys[order[place]]
      if order[place] < order[place - 1] { isOrdered = false }
      if isStrict, compare(keys[order[place - 1]], key) == 0 {
        fail(.duplicateKey)
        let name = String(decoding: bytes(key), as: UTF8.self)
        addToPath(.key(name))
      }
    }
    if !isOrdered { permute(keys, to: order, separator) }
  }

  /// Puts members that follow one another, with separators of one length between them, into another order.
  private mutating func permute(_ keys: [MemberKey], to order: [Int], _ separator: Int) {
    let start = keys[0].member.lowerBound
    let end = keys[0].member.upperBound - start
    // SAFETY: the members are inside the text, of which this is a copy.
    let copy = unsafe [UInt8](
      UnsafeBufferPointer(start: buffer.bytes + start, count: buffer.count - start))
    buffer.truncate(to: start)
    unsafe copy.withUnsafeBufferPointer { copy in
      for (place, number) in order.enumerated() {
        let (from, to) = (keys[number].member.lowerBound, keys[number].member.upperBound)
        if place > 0 {
          unsafe buffer.append(UnsafeBufferPointer(rebasing: copy[end..<end + separator]))
        }
        unsafe buffer.append(UnsafeBufferPointer(rebasing: copy[from - start..<to - start]))
      }
    }
  }

  /// Negative if the first key precedes the second, 0 if they are equal.
  private func compare(_ one: MemberKey, _ next: MemberKey) -> Int {
    if one.hasEscapes || next.hasEscapes {
      let (left, right) = (bytes(one), bytes(next))
      return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
    let shared = min(one.text.count, next.text.count)
    // SAFETY: the keys are inside the text.
    let order = unsafe memcmp(
      buffer.bytes + one.text.lowerBound, buffer.bytes + next.text.lowerBound, shared)
    return order == 0 ? one.text.count - next.text.count : Int(order)
  }

  private func bytes(_ key: MemberKey) -> [UInt8] {
    // SAFETY: the key is inside the text.
    unsafe key.unescaped(in: buffer.text)
  }
}

/// The key of a member that is written.
private struct MemberKey {
  let member: Range<Int>
  /// Between the quotation marks.
  private(set) var text: Range<Int>
  private(set) var hasEscapes = false

  // SAFETY: a member is inside the text and begins with a quoted key.
  @unsafe
  init(_ member: Range<Int>, in text: UnsafeBufferPointer<UInt8>) {
    self.member = member
    var end = member.lowerBound + 1
    while unsafe text[end] != UInt8(ascii: "\"") {
      if unsafe text[end] == UInt8(ascii: "\\") {
        hasEscapes = true
        end += 1
      }
      end += 1
    }
    self.text = (member.lowerBound + 1)..<end
  }

  /// The key's bytes, escapes undone, so that the order is that of the text.
  @unsafe
  func unescaped(in text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    var place = self.text.lowerBound
    while place < self.text.upperBound {
      if unsafe text[place] == UInt8(ascii: "\\") {
        place += 1
        key.append(unsafe Self.unescaped(text, &place))
      } else {
        key.append(unsafe text[place])
      }
      place += 1
    }
    return key
  }

  /// The byte of the escape whose letter is at `place`, which moves to the escape's end.
  private static func unescaped(
    _ text: UnsafeBufferPointer<UInt8>, _ place: inout Int
  ) -> UInt8 {
    switch unsafe text[place] {
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "u"):
      // This library writes \u0000 to \u001f, with small letters.
      place += 4
      let low = unsafe text[place]
      let high = unsafe text[place - 1] & 1
      return high << 4 | (low >= UInt8(ascii: "a") ? low - UInt8(ascii: "a") + 10 : low & 15)
    case let byte: return byte
    }
  }
}
