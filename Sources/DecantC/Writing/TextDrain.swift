// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The destination of a text that does not fit into its buffer. The buffer is a window of the text:
//
//   text     {"id":12,"name":"Ann","tags":[…
//   window            [me":"Ann","tag]      what is before it was drained
//
// When the window is full, its bytes go to a function, or through a layout or the escapes of a string to another text, and
// the window moves. Or the buffer grows, and always has all of the text.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct TextDrain {
  @safe
  enum Target {
    /// Memory of an allocator, as blocks are allocated.
    case memory(BlockSource)
    // SAFETY: the program's function, with the context that it takes.
    case function(decant_write_function, UnsafeMutableRawPointer?)
    // SAFETY: a text that outlives this one.
    case layout(UnsafeMutablePointer<BoundedText>)
    case string(UnsafeMutablePointer<BoundedText>)
  }

  let target: Target
  /// The buffer, and how many bytes of the text were before it.
  private(set) var start: Memory
  private(set) var size: Int
  private(set) var drained = 0
  /// Why no more is taken.
  private(set) var status = ok
  private var layout = TextLayout()
  /// Whether the buffer is allocated: one that grows begins as the caller's window.
  private var isAllocated = false

  /// By way of a window of so many bytes.
  init(_ target: Target, by window: Memory, _ size: Int) {
    (self.target, start, self.size) = (target, window, size)
  }

  /// Makes space after the `count` bytes of the text so far. False if there is none; then there never will be.
  mutating func drain(_ count: Int) -> Bool {
    if status != ok { return false }
    let pending = start.bytes(count - drained)
    switch target {
    case .memory(let memory): grow(memory)
    case .function(let write, let context):
      // SAFETY: the function gets the number of readable bytes.
      if pending.count > 0 { status = unsafe write(context, start.textPointer, pending.count) }
      drained = count
    case .layout(let text):
      unsafe layout.add(pending, to: &text.pointee)
      unsafe pass(to: text.pointee, count)
    case .string(let text):
      unsafe text.pointee.add(escaping: pending)
      unsafe pass(to: text.pointee, count)
    }
    return status == ok
  }

  /// What was drained to a text that has failed is lost, and so is the rest.
  private mutating func pass(to text: BoundedText, _ count: Int) {
    drained = count
    if text.isLost { status = Status(DECANT_CUSTOM) }
  }

  private mutating func grow(_ memory: BlockSource) {
    let larger = size.multipliedSaturating(by: 2)
    guard let block = memory.allocate(larger) else {
      status = Status(DECANT_OUT_OF_MEMORY)
      return
    }
    block.copy(start, size)
    release()
    (start, size, isAllocated) = (block, larger, true)
  }

  /// A text of so many bytes in a block of about its size, which the caller then owns; nil if there is no memory.
  func block(of count: Int) -> Memory? {
    guard case .memory(let memory) = target else { return nil }
    if isAllocated { return memory.cut(start, size, to: count) }
    let block = memory.allocate(count)
    block?.copy(start, count)
    return block
  }

  /// Gives an allocated buffer back.
  func release() {
    if isAllocated, case .memory(let memory) = target { memory.release(start) }
  }
}

/// Lays JSON text out with a member or an element a line, indented by two spaces a level, in pieces that end anywhere.
struct TextLayout: BitwiseCopyable {
  private var level = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether the last byte began an object or an array, which may be empty.
  private var isOpen = false

  /// From this level on the indentation stays the same, so that the text is linear in the value at any depth.
  private static var deepestIndentation: Int { 64 }

  mutating func add(_ piece: Bytes, to text: inout BoundedText) {
    var place = 0
    while place < piece.count {
      let byte = piece[place]
      if isInString {
        let start = place
        skipString(piece, &place)
        text.add(piece[start..<place])
        continue
      }
      place += 1
      if byte <= UInt8(ascii: " ") { continue }
      let isEnd = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      if isEnd { level -= 1 }
      if isOpen != isEnd { breakLine(&text) }
      isOpen = false
      text.add(byte)
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        level += 1
        isOpen = true
      case UInt8(ascii: ","): breakLine(&text)
      case UInt8(ascii: ":"): text.add(UInt8(ascii: " "))
      default: break
      }
    }
  }

  /// Passes over the bytes of a string, up to its end or that of the piece.
  private mutating func skipString(_ piece: Bytes, _ place: inout Int) {
    while place < piece.count {
      let byte = piece[place]
      place += 1
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
        return
      }
    }
  }

  private func breakLine(_ text: inout BoundedText) {
    text.add(UInt8(ascii: "\n"))
    for _ in 0..<min(level, Self.deepestIndentation) { text.add("  ") }
  }
}
