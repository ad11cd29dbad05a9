// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

package import CDecantIndex

/// What cutting a stream has to know of the options.
package struct StreamRules {
  package var allocator = decant_allocator()
  /// Where the stream begins.
  package var first = StreamPlace()
  /// The longest document.
  package var maximumBytes = Int.max
  /// Whether the documents are records of RFC 7464.
  package var hasRecords = false
  /// The pointer of the array whose elements are the documents; its text outlives the stream.
  package var array: Bytes?
  /// Whether the array is looked for: its pointer was checked.
  package var isSearched = true
  package var allowsTrailingCommas = false
  /// Whether that array's document may begin with a byte order mark.
  package var allowsMark = false

  package init() {}

  /// How many bytes of an unfinished document are kept, at most: of a longer one, what its error shows.
  package var mostKept: Int { maximumBytes.saturating(adding: excerptReach) }
}

/// How far the source line of an error reaches beyond its place.
private let excerptReach = 1024

/// A place in a stream: that of a document's first byte. `column` characters are before it on its line.
@frozen @usableFromInline
package struct StreamPlace: BitwiseCopyable {
  @usableFromInline package var offset: Int
  @usableFromInline package var line: Int
  @usableFromInline package var column: Int

  @_alwaysEmitIntoClient @inline(__always)
  package init(offset: Int = 0, line: Int = 1, column: Int = 0) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// The place as errors tell it. What an Int cannot tell stays at the largest, also of the next `count` bytes.
  package func location(before count: Int = 0) -> DecodeError.Location {
    DecodeError.Location(
      offset: min(offset, .max - count), line: min(line, .max - count),
      column: min(column, .max - count - 1) + 1)
  }

  /// Moves behind bytes.
  mutating func pass(_ bytes: Bytes) {
    guard let start = unsafe bytes.start else { return }
    var place = decant_text_place(offset: offset, line: line, column: column)
    // SAFETY: `count` bytes from `start`.
    unsafe decant_text_pass(&place, start, bytes.count)
    (offset, line, column) = (place.offset, place.line, place.column)
  }

  /// Moves behind a byte order mark.
  package mutating func passMark() {
    offset = offset.saturating(adding: 3)
    column = column.saturating(adding: 1)
  }

  mutating func passComma() {
    offset = offset.saturating(adding: 1)
    column = column.saturating(adding: 1)
  }
}

extension Bytes {
  /// Whether the first bytes are a byte order mark.
  package var beginsWithMark: Bool {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
  }
}

extension Int {
  /// The sum, or the largest Int: places in streams that are longer than an Int can tell.
  @_alwaysEmitIntoClient @inline(__always)
  package func saturating(adding other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
