// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The options for cutting a stream into lines, records, documents or elements; and the byte order mark before its first
// line.

package import CDecantIndex

/// The options for cutting a stream.
package struct StreamRules {
  package var allocator = decant_allocator()
  /// The place where the stream begins.
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
  /// Whether the stream may begin with a byte order mark.
  package var allowsMark = false
  /// How elements are read, if many can be with one index.
  package var indexed: decant_rules?

  package init() {}

  /// How many bytes of an unfinished document are kept, at most: of a longer one, what its error shows.
  package var mostKept: Int { maximumBytes.saturating(adding: excerptReach) }
}

/// How far the source line of an error reaches beyond its place.
private let excerptReach = 1024

extension Bytes {
  /// A byte order mark in UTF-8.
  static var markBytes: Bytes { ("\u{FEFF}" as StaticString).bytes }

  /// Whether the first bytes are a byte order mark.
  package var beginsWithMark: Bool {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
  }

  /// The bytes of the first line of a stream after its byte order mark, and the place moves after it, too.
  package func withoutMark(_ place: inout StreamPlace) -> Bytes {
    guard beginsWithMark else { return self }
    place.passMark()
    return self[3..<count]
  }
}
