// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one type for bytes that others own. Code outside of this folder reads bytes through it, and needs no `unsafe`.

public import CDecantIndex

/// Bytes that outlive their use: of a document, of a table, or of the caller. The code that makes a value proves that the
/// bytes are readable. Every access is checked, so other code proves nothing.
@frozen @safe @usableFromInline
package struct Bytes {
  // SAFETY: `count` bytes from `start`, which is nil only if there are none.
  @usableFromInline package let start: UnsafePointer<UInt8>?
  @usableFromInline package let count: Int

  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// No bytes.
  @_alwaysEmitIntoClient @inline(__always)
  package init() {
    unsafe start = nil
    count = 0
  }

  @unsafe @_alwaysEmitIntoClient
  package init(_ bytes: UnsafeRawBufferPointer) {
    unsafe start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    count = bytes.count
  }

  @_alwaysEmitIntoClient @inline(__always)
  package subscript(place: Int) -> UInt8 {
    precondition(place >= 0 && place < count)
    return unsafe start.unsafelyUnwrapped[place]
  }

  @_alwaysEmitIntoClient
  package subscript(range: Range<Int>) -> Bytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe Bytes(start.map { unsafe $0 + range.lowerBound }, range.count)
  }

  /// The characters; of an escaped string, as they are spelled out.
  @_alwaysEmitIntoClient
  package func scalars(isEscaped: Bool = false) -> ScalarReader {
    ScalarReader(self, isEscaped: isEscaped)
  }

  /// Whether the bytes are white space alone.
  @_alwaysEmitIntoClient @inline(__always)
  package var isBlank: Bool {
    for at in 0..<count where !decant_is_white(self[at]) { return false }
    return true
  }

  /// How many bytes at the beginning are printable ASCII.
  var printableCount: Int { unsafe start.map { unsafe decant_printable($0, count) } ?? 0 }

  /// The bytes for a function of C that takes text.
  @_alwaysEmitIntoClient @inline(__always)
  package var text: UnsafePointer<CChar>? {
    unsafe UnsafeRawPointer(start)?.assumingMemoryBound(to: CChar.self)
  }

  /// The bytes from `place` on, up to a line feed or the end.
  @_alwaysEmitIntoClient @inline(__always)
  package func line(at place: Int) -> Bytes {
    let rest = self[place..<count]
    let length = unsafe rest.text.map { unsafe decant_line_end($0, rest.count) }
    return rest[0..<(length ?? 0)]
  }

  /// How many bytes there are up to and with the last line feed.
  package var lastLineEnd: Int { unsafe text.map { unsafe decant_last_line_end($0, count) } ?? 0 }

  /// How many line feeds there are.
  package var lineFeeds: Int { unsafe text.map { unsafe decant_line_feeds($0, count) } ?? 0 }

  /// The bytes for a call that takes a buffer.
  @unsafe @_alwaysEmitIntoClient
  package var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Whether the bytes are UTF-8.
  package var isText: Bool { unsafe start.map { unsafe decant_is_utf8($0, count) } ?? true }

  package static func == (a: Bytes, b: Bytes) -> Bool {
    unsafe a.count == b.count && (a.count == 0 || decant_bytes_equal(a.start, b.start, a.count))
  }
}

extension Bytes {
  /// The end of a comment; beyond `end` if that cuts it. The end of the input ends a `//` comment.
  package func end(ofCommentAt start: Int, before end: Int) -> Int {
    guard let bytes = unsafe self[0..<end].start else { return .max }
    // SAFETY: `end` bytes; `start` is less than `end`.
    let after = unsafe decant_comment_end(bytes, end, start)
    return after > start ? after : .max
  }
}

/// A string's bytes, for loops that need not be fast: the standard library's are ten times as much to compile.
struct SeldomBytes: Sequence, IteratorProtocol {
  private var bytes: String.UTF8View.Iterator

  init(_ text: String) { bytes = text.utf8.makeIterator() }

  @inline(never)
  mutating func next() -> UInt8? { bytes.next() }
}

/// Whether two strings have the same bytes: `==` also holds for canonically equivalent strings.
@inline(never)
package func areSame(_ left: String, _ right: String) -> Bool {
  if left.utf8.count != right.utf8.count { return false }
  var (left, right) = (left, right)
  return left.withUTF8 { left in
    right.withUTF8 { right in
      unsafe Bytes(left.baseAddress, left.count) == Bytes(right.baseAddress, right.count)
    }
  }
}

/// Hashes a string's bytes, and an end that no string has. Its own hash is one for all that is canonically equivalent, of
/// which a document may have many.
func hashBytes(of text: String, into hasher: inout Hasher) {
  var text = text
  text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  hasher.combine(UInt8.max)
}

extension StaticString {
  /// The bytes of a literal.
  @_alwaysEmitIntoClient
  package var bytes: Bytes {
    // SAFETY: valid UTF-8 that lives as long as the program.
    unsafe Bytes(utf8Start, utf8CodeUnitCount)
  }
}
