// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What all outputs of one call share: the buffer, the options, how deep the writing is, and the first
// failure. Writing goes on after a failure, with `null` in the value's place; who called decides whether the
// text counts.
//
// A failure's path is collected on the way back: each container that closes a member adds its key.
//
//   {"scores":[1,NaN]}      fails at depth 2      pathDepth 2    path
//     element 1 is closed at depth 2                       1      1
//     member "scores" is closed at depth 1                 0      1, scores

@usableFromInline
struct WritingState: ~Copyable {
  var buffer: TextBuffer
  let options: JSONWritingOptions
  /// Arrays and objects that are open.
  var depth = 0
  @usableFromInline var hasFailed = false
  private var code: JSONWritingError.Code?
  /// The failed value's path so far, from its end, and the depth of the container that adds to it next.
  private var path: [JSONPointer.Token] = []
  private var pathDepth = 0

  @unsafe
  init(startingIn memory: UnsafeMutableBufferPointer<UInt8>, options: JSONWritingOptions) {
    unsafe buffer = TextBuffer(startingIn: memory)
    self.options = options
  }

  /// The first failure, once everything is written.
  var failure: JSONWritingError? {
    code.map { JSONWritingError(code: $0, path: JSONPointer(path.reversed())) }
  }

  mutating func fail(_ failure: JSONWritingError.Code) {
    guard !hasFailed else { return }
    hasFailed = true
    code = failure
    pathDepth = depth
  }

  /// The member or element at `step` of the container at the present depth is written.
  mutating func addToPath(_ step: @autoclosure () -> JSONPointer.Token) {
    guard hasFailed, pathDepth == depth, depth > 0 else { return }
    path.append(step())
    pathDepth -= 1
  }

  // MARK: Containers

  /// Writes an opening bracket; false, and `null` instead, if that is too deep.
  mutating func open(_ bracket: UInt8) -> Bool {
    guard depth < options.maximumDepth else {
      fail(.tooDeep)
      buffer.append("null")
      return false
    }
    buffer.append(bracket)
    depth += 1
    return true
  }

  mutating func close(_ bracket: UInt8, after opening: UInt8) {
    depth -= 1
    if buffer.last != opening { breakLine() }
    buffer.append(bracket)
  }

  /// What comes before a member or element: a comma, unless it is the first.
  @inline(__always)
  mutating func separate(after opening: UInt8) {
    if buffer.last != opening { buffer.append(UInt8(ascii: ",")) }
    breakLine()
  }

  @inline(__always)
  private mutating func breakLine() {
    if options.isPretty { indent() }
  }

  private mutating func indent() {
    buffer.append(UInt8(ascii: "\n"))
    buffer.append(spaces: 2 * depth)
  }

  // MARK: Keys

  mutating func append(key: JSONKey) {
    switch key.storage {
    case .literal(let start, let count):
      // SAFETY: the bytes of a literal live as long as the program.
      unsafe buffer.append(
        quoting: UnsafeBufferPointer(start: start, count: count),
        escapesSlashes: options.escapesSlashes)
    case .name(let name): buffer.append(quoting: name, escapesSlashes: options.escapesSlashes)
    case .index(let index): buffer.append(quoting: "\(index)", escapesSlashes: false)
    case .path: preconditionFailure("a member's key is one key, not a path")
    }
    buffer.append(UInt8(ascii: ":"))
    if options.isPretty { buffer.append(UInt8(ascii: " ")) }
  }
}

// MARK: - Seldom needed

extension WritingState {
  /// What stands for a value that `write(to:)` did not write.
  mutating func writeMissingValue() {
    fail(.notOneValue)
    buffer.append("null")
    assertionFailure("write(to:) wrote no value")
  }

  /// Puts the members of an object that is about to be closed in the order of their keys' bytes.
  mutating func sort(_ members: [Range<Int>]) {
    let keys = members.map { member in
      // SAFETY: the members are inside the text.
      unsafe Self.key(buffer.text, member)
    }
    let order = members.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    for (one, next) in zip(order, order.dropFirst()) where keys[one] == keys[next] {
      fail(.duplicateKey)
      addToPath(.key(String(decoding: keys[one], as: UTF8.self)))
    }
    buffer.permute(order.map { members[$0] })
  }

  /// The bytes of a member's key, escapes undone, so that the order is that of the text.
  private static func key(_ text: UnsafeBufferPointer<UInt8>, _ member: Range<Int>) -> [UInt8] {
    var key: [UInt8] = []
    var place = member.lowerBound + 1
    // SAFETY: a member begins with a quoted key.
    while unsafe text[place] != UInt8(ascii: "\"") {
      if unsafe text[place] == UInt8(ascii: "\\") {
        place += 1
        key.append(unsafe unescaped(text, &place))
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
