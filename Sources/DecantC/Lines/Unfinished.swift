// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import CDecantIndex
internal import DecantCore

/// The document that is unfinished. Of one that is longer than `maximum_bytes` no more is kept than its error shows.
struct Unfinished {
  private var kept = GrowingBytes()
  private(set) var length = 0
  /// Whether there was no memory for it.
  private(set) var isShort = false
  /// Whether all of it is white space, also what was not kept.
  private(set) var isBlank = true

  var bytes: Bytes { kept.bytes }

  /// Keeps bytes. False if there is no memory, and then nothing has changed.
  mutating func keep(_ bytes: Bytes, _ settings: Settings) -> Bool {
    let most = Int(clamping: settings.rules.maximum_bytes).saturating(adding: excerptReach)
    let wanted = isShort ? 0 : min(bytes.count, most - kept.count)
    if wanted > 0, !kept.append(bytes[0..<wanted], settings) { return false }
    length = length.saturating(adding: bytes.count)
    isBlank = isBlank && bytes.isBlank
    return true
  }

  /// There is no memory: nothing of the document is kept any more.
  mutating func giveUp(_ settings: Settings) {
    isShort = true
    kept.release(settings)
  }

  /// Forgets the document; keeps its memory for the next, unless that is much.
  mutating func clear(_ settings: Settings) {
    (length, isShort, isBlank) = (0, false, true)
    kept.cut(to: 0)
    if kept.capacity > mostKept { kept.release(settings) }
  }

  mutating func release(_ settings: Settings) { kept.release(settings) }
}

/// How far the source line of an error reaches beyond its place.
private let excerptReach = 1024
