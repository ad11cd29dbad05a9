// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The bytes of the document whose end has not arrived yet. If the document is longer than `maximum_bytes`, only the
// bytes that its error shows are kept; the others are counted.

/// The document that is unfinished. Its owner releases it.
package struct Unfinished {
  private var kept = GrowingBytes()
  package private(set) var length = 0
  /// Whether there was no memory for it.
  package private(set) var isShort = false
  /// Whether what was not kept is white space.
  package private(set) var isRestBlank = true

  package init() {}

  package var bytes: Bytes { kept.bytes }

  /// Whether all of it is white space.
  package var isBlank: Bool { isRestBlank && bytes.isBlank }

  /// Keeps bytes. False if there is no memory, and then nothing has changed.
  package mutating func keep(_ bytes: Bytes, _ rules: StreamRules) -> Bool {
    let wanted = isShort ? 0 : min(bytes.count, rules.mostKept - kept.count)
    if wanted > 0, !kept.append(bytes[0..<wanted], rules.allocator) { return false }
    length = length.saturating(adding: bytes.count)
    isRestBlank = isRestBlank && bytes[wanted..<bytes.count].isBlank
    return true
  }

  /// The same in memory of its own.
  package func copy(_ rules: StreamRules) -> Unfinished {
    var copy = self
    copy.kept = GrowingBytes()
    if !copy.kept.append(bytes, rules.allocator) {
      (copy.isShort, copy.isRestBlank) = (true, isBlank)
    }
    return copy
  }

  /// There is no memory: nothing of the document is kept any more.
  package mutating func giveUp(_ rules: StreamRules) {
    isShort = true
    isRestBlank = isBlank
    kept.release(rules.allocator)
  }

  /// Forgets the document; keeps its memory for the next, unless that is much.
  package mutating func clear(_ rules: StreamRules) {
    (length, isShort, isRestBlank) = (0, false, true)
    kept.cut(to: 0)
    if kept.capacity > mostKept { kept.release(rules.allocator) }
  }

  package mutating func release(_ rules: StreamRules) { kept.release(rules.allocator) }
}

/// The most memory that is kept for the next unfinished document.
private let mostKept = 1 << 20
