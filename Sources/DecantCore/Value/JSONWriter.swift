// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values back to bytes. A value of a native document that is written as it came is one copy of its text;
// in another style it is written along the text, whose brackets and commas say all that a stack could.
// Values of other engines are walked with a stack of their own.

internal import CDecantIndex

/// How a value is written.
public enum JSONStyle: Sendable {
  /// As it came: the bytes of the document, white space and number spellings included.
  case verbatim
  /// Without white space.
  case compact
  /// One member or element on each line, indented by two spaces for each level; from the 64th level on, the
  /// indentation stays the same, so that the text is linear in the value however deep it is.
  case pretty
}

struct JSONWriter: ~Copyable {
  private var buffer = TextBuffer(capacity: 64, flags: 0)
  private let isPretty: Bool

  init(isPretty: Bool) { self.isPretty = isPretty }

  /// The text so far.
  // SAFETY: the bytes are copied.
  var bytes: [UInt8] { unsafe [UInt8](buffer.text) }

  /// Levels below are indented like this one.
  private static var deepestIndentation: Int { 64 }

  private struct Frame {
    var children: ChildCursor
    var isFirst = true
  }

  /// Writes a value and all that is in it.
  mutating func write(_ json: JSON) {
    if json.isNative { writeNative(json) } else { writeForeign(json) }
  }

  // MARK: Along the text

  /// What the text says between two tokens, as far as it was not written yet.
  private struct Gap {
    var depth = 0
    /// Right after an opening bracket.
    var isFirst = false
    /// Behind a comma, which may be a trailing one.
    var isNext = false
    var isMember = false
  }

  private mutating func writeNative(_ root: JSON) {
    var gap = Gap()
    var place = root.offset
    var node = root.node
    let end = root.after
    // The text takes about as much as its source up to the next token.
    let length = unsafe root.context.pointee.length
    let isLast = unsafe end >= UInt64(root.context.pointee.slot_count)
    buffer.reserve((isLast ? length : JSON(end, within: root).offset) - place)
    while node < end {
      let json = JSON(node, within: root)
      close(&gap, from: place, before: json.offset, in: root)
      if gap.isNext { buffer.append(UInt8(ascii: ",")) }
      if gap.isMember {
        buffer.append(UInt8(ascii: ":"))
        if isPretty { buffer.append(UInt8(ascii: " ")) }
      } else if gap.depth > 0 {
        breakLine(gap.depth)
      }
      gap = Gap(depth: gap.depth)
      if json.isContainer {
        buffer.append(UInt8(ascii: json.isNativeObject ? "{" : "["))
        gap.depth += 1
        gap.isFirst = true
        place = json.offset + 1
      } else {
        writeScalar(json)
        place = json.scalarEnd
      }
      node = json.following
    }
    close(&gap, from: place, before: length, in: root)
  }

  /// Reads the text between two tokens, up to the bracket that closes the root, and writes what closes.
  private mutating func close(
    _ gap: inout Gap, from start: Int, before end: Int, in document: JSON
  ) {
    var place = start
    while gap.depth > 0, place < end {
      let byte = document.source[place]
      switch byte {
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        gap.depth -= 1
        if !gap.isFirst { breakLine(gap.depth) }
        buffer.append(byte)
        gap = Gap(depth: gap.depth)
      case UInt8(ascii: ","): gap.isNext = true
      case UInt8(ascii: ":"): gap.isMember = true
      case UInt8(ascii: "/"):
        place = document.afterComment(place)
        continue
      default: break  // white space
      }
      place += 1
    }
  }

  // MARK: With a stack

  private mutating func writeForeign(_ json: JSON) {
    var stack: [Frame] = []
    var json = json
    while true {
      if let frame = open(json) { stack.append(frame) }
      while true {
        guard var frame = stack.last else { return }
        let node = frame.children.next(in: json)
        if node == DECANT_NODE_NONE {
          stack.removeLast()
          if !frame.isFirst { breakLine(stack.count) }
          buffer.append(UInt8(ascii: frame.children.isObject ? "}" : "]"))
          continue
        }
        if !frame.isFirst { buffer.append(UInt8(ascii: ",")) }
        frame.isFirst = false
        stack[stack.count - 1] = frame
        breakLine(stack.count)
        if frame.children.isObject {
          write(frame.children.key(in: json))
          buffer.append(UInt8(ascii: ":"))
          if isPretty { buffer.append(UInt8(ascii: " ")) }
        }
        json = JSON(node, within: json)
        break
      }
    }
  }

  /// Writes a scalar, or a container's bracket and returns its frame.
  private mutating func open(_ json: JSON) -> Frame? {
    guard json.kind == .array || json.kind == .object else {
      writeScalar(json)
      return nil
    }
    let frame = Frame(children: ChildCursor(json))
    buffer.append(UInt8(ascii: frame.children.isObject ? "{" : "["))
    return frame
  }

  // MARK: Tokens

  private mutating func writeScalar(_ json: JSON) {
    switch json.kind {
    case .bool: buffer.append(json.isTrue ? "true" : "false")
    case .number where !json.isNonFinite: buffer.append(digits: json.numberText)
    case .string: write(json.string ?? "")
    case .number, .missing, .null, .array, .object: buffer.append("null")
    }
  }

  private mutating func breakLine(_ depth: Int) {
    guard isPretty else { return }
    buffer.append(UInt8(ascii: "\n"))
    buffer.append(spaces: 2 * min(depth, JSONWriter.deepestIndentation))
  }

  /// Writes a string with the escapes that RFC 8259 §7 requires, and no others.
  mutating func write(_ text: String) { buffer.append(quoting: text) }

  /// Writes a byte of the text's punctuation.
  mutating func append(_ byte: UInt8) { buffer.append(byte) }

  /// Writes text that is known to be JSON.
  mutating func append(_ text: [UInt8]) {
    // SAFETY: an array's elements do not overlap the buffer.
    unsafe text.withUnsafeBufferPointer { unsafe buffer.append($0) }
  }
}

extension JSON {
  /// The bytes of this value: as they came, in a native document; compact, in another.
  package func bytes(_ style: JSONStyle) -> [UInt8] {
    if style == .verbatim, isNative {
      // SAFETY: a value's first byte and the one after its last lie inside the text.
      return unsafe Array(
        UnsafeBufferPointer(start: context.pointee.text + offset, count: end - offset))
    }
    var writer = JSONWriter(isPretty: style == .pretty)
    writer.write(self)
    return writer.bytes
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as bytes.
  ///
  /// - Complexity: linear in the bytes written.
  public func bytes(_ style: JSONStyle = .verbatim) -> [UInt8] { looking { $0.bytes(style) } }

  /// The value as text.
  public func text(_ style: JSONStyle = .verbatim) -> String {
    String(decoding: bytes(style), as: UTF8.self)
  }

  /// The value as it came; `null` for a missing one.
  public var description: String { text() }
}
