// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// "did you mean": the key that is nearest to a missing one. Keys that differ in case, `_` and `-` alone are
// nearest; then those within a third of the length in edits, where swapping two neighbours is one edit
// (optimal string alignment). Without memory of its own: longer keys than fit are not compared.

internal import CDecantIndex

package struct NearestKey {
  /// So many of an object's keys are looked at.
  static var limit: Int { 64 }

  private let wanted: ShortKey

  /// The nearest to the key that `write` spells.
  package init(_ write: (inout ErrorSink) -> Void) { wanted = ShortKey(write) }

  /// The nearest of an object's keys, or nil if none is near.
  package func among(_ object: JSON) -> ScalarReader? {
    guard !wanted.isTooLong, wanted.length > 0, object.kind == .object else { return nil }
    var best: ScalarReader?
    var bestDistance = Int.max
    var cursor = ChildCursor(seldom: object)
    var count = 0
    while count < Self.limit, cursor.seldomNext(in: object) != nil {
      count += 1
      let text = cursor.keyScalars(in: object)
      let key = ShortKey { text.write(to: &$0) }
      if key.isTooLong { continue }
      if key.hasLetters(of: wanted), key.count > 0 { return text }
      let allowed = min(
        bestDistance == .max ? .max : bestDistance - 1, max(wanted.length, key.length) / 3)
      guard abs(key.length - wanted.length) <= allowed, allowed > 0 else { continue }
      let distance = wanted.edits(to: key)
      if distance <= allowed { (best, bestDistance) = (text, distance) }
    }
    return best
  }
}

/// A key's bytes without `_` and `-`, ASCII letters small.
private struct ShortKey {
  static var room: Int { 48 }

  private(set) var letters: [48 of UInt8] = .init(repeating: 0)
  private(set) var count = 0
  /// Bytes of the whole key.
  private(set) var length = 0

  @inline(never)
  init(_ write: (inout ErrorSink) -> Void) {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.room + 1, alignment: 1) { memory in
      // SAFETY: the sink writes into the memory during this call only.
      var sink = unsafe ErrorSink(memory)
      write(&sink)
      length = sink.length
      if isTooLong { return }
      for place in 0..<sink.used {
        let byte = unsafe memory[place]
        if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { continue }
        letters[count] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
        count += 1
      }
    }
  }

  var isTooLong: Bool { length > Self.room }

  func hasLetters(of other: ShortKey) -> Bool {
    guard count == other.count else { return false }
    for place in 0..<count where letters[place] != other.letters[place] { return false }
    return true
  }

  func edits(to other: ShortKey) -> Int {
    if count == 0 || other.count == 0 { return max(count, other.count) }
    var beforeLast: [49 of Int] = .init(repeating: 0)
    var last = beforeLast
    for place in 0...other.count { last[place] = place }
    for i in 1...count {
      var row = last
      row[0] = i
      for j in 1...other.count {
        let isSame = letters[i - 1] == other.letters[j - 1]
        row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, letters[i - 1] == other.letters[j - 2],
          letters[i - 2] == other.letters[j - 1]
        {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[other.count]
  }
}
