// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Writes a document's values again: numbers as they are spelled, strings with the escapes that are needed. The walk has a
// stack of its own, so that any depth can be written. Members are sorted before they are written: to sort the text
// afterwards would copy it once for each enclosing object.

internal import CDecantIndex

extension WritingState {
  private typealias Member = (key: String, value: UInt64)

  /// A container that is being written.
  private struct Frame {
    var children: ChildCursor
    /// How many members of other objects come before this one's, where members are put in order.
    let first: Int
    /// Whether members that look-ups do not find are left out.
    var isDistinct = false
    /// Children that were begun.
    var count = 0
    /// The members in order, if that is how they are written.
    var ordered: [Member] = []

    /// The key of the child that was begun last.
    func key(in root: JSON) -> String {
      ordered.isEmpty ? children.key(in: root) : ordered[count - 1].key
    }

    /// The number of the element that was begun last.
    func index(in root: JSON) -> Int {
      var elements = ChildCursor(seldom: JSON(children.container, within: root))
      var index = -1
      while elements.seldomNext(in: root) != nil {
        index += 1
        if elements.position == children.position { break }
      }
      return index
    }
  }

  /// The containers around the one that is being written. A native document may be nothing but brackets, with a depth
  /// of millions: of such a container, a word is kept, of its slot and the one where its next child is.
  private struct Outer {
    private var frames: [Frame] = []
    private var words: [UInt64] = []
    private let isInWords: Bool

    init(_ root: JSON, _ options: JSONWritingOptions) {
      isInWords = root.isNative && !options.sortsKeys
    }

    mutating func append(_ frame: Frame) {
      if !isInWords { return frames.append(frame) }
      words.append(frame.children.container << 32 | frame.children.position)
    }

    /// The innermost of them, in which `child` was written.
    mutating func popLast(behind child: Frame, in root: JSON, keepsLast: Bool) -> Frame? {
      guard isInWords, let word = words.popLast() else { return frames.popLast() }
      let json = JSON(word >> 32, within: root)
      var frame = Frame(
        children: ChildCursor(json, from: word & 0xFFFF_FFFF), first: child.first,
        isDistinct: keepsLast && json.kind == .object, count: 1)
      frame.children.foreign.value = child.children.container
      return frame
    }
  }

  /// Writes a value. With `keepsLast`, which the document must have been read with, the last of several
  /// members with equal keys is written alone.
  @inline(never)
  package mutating func write(_ root: JSON, keepsLast: Bool = false) {
    var outer = Outer(root, options)
    guard var frame = open(root, keepsLast) else { return }
    while true {
      endChild(of: frame, in: root)
      if let child = beginChild(of: &frame, in: root) {
        guard let opened = open(JSON(child, within: root), keepsLast) else { continue }
        outer.append(frame)
        frame = opened
      } else {
        close(frame)
        guard let around = outer.popLast(behind: frame, in: root, keepsLast: keepsLast) else {
          return
        }
        frame = around
      }
    }
  }

  /// Writes a scalar, or a container's bracket and returns its frame.
  private mutating func open(_ json: JSON, _ keepsLast: Bool) -> Frame? {
    switch json.kind {
    case .object:
      guard open(UInt8(ascii: "{")) else { return nil }
      var frame = Frame(
        children: ChildCursor(seldom: json), first: members.count, isDistinct: keepsLast)
      if options.sortsKeys { frame.ordered = orderedMembers(of: &frame, in: json) }
      return frame
    case .array:
      guard open(UInt8(ascii: "[")) else { return nil }
      return Frame(children: ChildCursor(seldom: json), first: members.count)
    case .string: append(string: json.string ?? "")
    case .bool: buffer.append(json.isTrue ? "true" : "false")
    case .number where !json.isNonFinite: buffer.append(digits: json.numberText)
    case .number:
      fail(.nonFiniteNumber)
      buffer.append("null")
    case .null, .missing: buffer.append("null")
    }
    return nil
  }

  private func orderedMembers(of frame: inout Frame, in root: JSON) -> [Member] {
    var members: [Member] = []
    while let value = nextChild(of: &frame, in: root) {
      members.append((frame.children.key(in: root), value))
    }
    let keys = members.map { [UInt8]($0.key.utf8) }
    return orderedPlaces(keys.count) { keys[$0].lexicographicallyPrecedes(keys[$1]) }
      .map { members[$0] }
  }

  /// The next child to write; nil at the end.
  @inline(never)
  private func nextChild(of frame: inout Frame, in root: JSON) -> UInt64? {
    if !frame.ordered.isEmpty {
      return frame.count < frame.ordered.count ? frame.ordered[frame.count].value : nil
    }
    if !frame.isDistinct { return frame.children.next(in: root) }
    return frame.children.nextThatCounts(in: JSON(frame.children.container, within: root))
  }

  /// Writes what comes before the next child, which is returned; nil at the end.
  private mutating func beginChild(of frame: inout Frame, in root: JSON) -> UInt64? {
    guard let node = nextChild(of: &frame, in: root) else { return nil }
    frame.count += 1
    if frame.children.isObject {
      begin(JSONKey(frame.key(in: root)))
    } else {
      separate(after: UInt8(ascii: "["))
    }
    return node
  }

  private mutating func endChild(of frame: Frame, in root: JSON) {
    guard hasFailed, frame.count > 0 else { return }
    addToPath(frame.children.isObject ? .key(frame.key(in: root)) : .index(frame.index(in: root)))
  }

  private mutating func close(_ frame: Frame) {
    if frame.children.isObject { closeObject(frame.first) } else { closeArray() }
  }
}

extension JSON {
  /// The bytes of this value: unchanged from a native document; compact from another.
  package var bytes: [UInt8] {
    if isNative {
      // SAFETY: a value's first byte and the one after its last lie inside the text.
      return unsafe Array(
        UnsafeBufferPointer(start: context.pointee.text + offset, count: end - offset))
    }
    return written(64, .unlimited)
  }

  /// The bytes of this value in a style, which are about `count`.
  @inline(never)
  fileprivate func written(
    _ count: Int, _ options: JSONWritingOptions, keepsLast: Bool = false
  ) -> [UInt8] {
    var state = WritingState(capacity: count, options: options)
    state.write(self, keepsLast: keepsLast)
    // SAFETY: the bytes are copied.
    return unsafe [UInt8](state.buffer.text)
  }
}

extension JSONWritingOptions {
  /// For values that have no levels of their own making.
  static var unlimited: JSONWritingOptions { JSONWritingOptions(maximumDepth: .max) }
}

extension JSONValue: JSONWritable {
  /// The value, in the style of the enclosing text; `null` for a missing one. Numbers keep their spelling.
  public func write(to json: inout JSONOutput) {
    guard json.begin() else { return }
    looking { json.state.pointee.write($0) }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The unchanged bytes, with white space and number spellings; from other engines than the native one, compact
  /// text. ``JSONWritable/jsonBytes(_:)`` writes the value anew.
  ///
  /// - Complexity: linear in the bytes.
  public func bytes() -> [UInt8] { looking { $0.bytes } }

  /// ``bytes()`` as text. ``JSONWritable/jsonText(_:)`` writes the value anew, compact or pretty.
  public func text() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// The unchanged text; `null` for a missing value.
  public var description: String { text() }
}

extension JSONValue {
  /// A document in another style, without all but the last of equal keys.
  package static func rewritten(
    _ text: [UInt8], _ options: JSONWritingOptions
  ) throws(DecodeError) -> [UInt8] {
    let reading = DecodingOptions(
      maximumDepth: options.maximumDepth, maximumBytes: text.count, duplicateKeys: .last)
    return try JSONValue(parsing: text, options: reading).withView {
      $0.written(text.count + 64, options, keepsLast: true)
    }
  }
}

extension JSONOutput {
  /// Writes a number whose text is known.
  package mutating func number(spelled text: consuming String) {
    text.withUTF8 { unsafe verbatim($0) }
  }
}

extension JSONObjectOutput {
  @usableFromInline
  mutating func field(_ key: JSONKey, _ body: (inout JSONOutput) -> Void) {
    begin(key)
    // SAFETY: as for the state of every output.
    var output = unsafe JSONOutput(state)
    body(&output)
    end(key, output.isWritten)
  }
}
