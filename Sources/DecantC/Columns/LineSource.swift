// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Where lines come from: a buffer of the caller's.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct LineSource {
  enum Next {
    case line(Bytes)
    case end
    case noMemory
    case failed(Status)
  }

  private let bytes: Bytes
  /// Where the next line begins, in the bytes and in the stream.
  private var at = 0
  private(set) var place: Report.Place
  private var length = 0
  var isAtEnd = false

  init(_ bytes: Bytes, at place: Report.Place) {
    self.bytes = bytes
    self.place = place
  }

  mutating func end(_ memory: ColumnMemory) {}

  /// The bytes from the next line on.
  var rest: Bytes { bytes[at..<bytes.count] }

  /// The next line, without its line feed. It stays the next one until `pass()`.
  mutating func next(_ memory: ColumnMemory) -> Next {
    if at >= bytes.count { return .end }
    length = bytes.lineLength(at: at)
    return .line(bytes[at..<at + length])
  }

  mutating func pass() {
    at = min(at + length + 1, bytes.count)
    place.pass(length)
  }
}

extension Bytes {
  /// Whether a line has white space alone.
  @inline(__always)
  var isBlankLine: Bool {
    for at in 0..<count where !decant_is_white(self[at]) { return false }
    return true
  }

  /// How many bytes the line has that begins at a place.
  @inline(__always)
  fileprivate func lineLength(at start: Int) -> Int {
    let rest = self[start..<count]
    return unsafe UnsafeRawPointer(rest.start).map {
      unsafe decant_line_end($0.assumingMemoryBound(to: CChar.self), rest.count)
    } ?? 0
  }
}
