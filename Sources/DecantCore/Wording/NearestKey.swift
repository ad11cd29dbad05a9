// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Finds the nearest key: among an object's keys for a missing key, among a model's for an unknown one. Keys that
// differ in case, `_` and `-` alone are nearest; then those within a third of the length in edits, where swapping two
// neighbours is one edit (optimal string alignment). It does not allocate: keys that are too long for its stack memory are not compared.

internal import CDecantIndex

extension JSON {
  /// The number of an object's keys that are compared.
  static var mostKeysShown: Int { 64 }

  /// The nearest of an object's keys to the one that `write` spells, or nil if none is near.
  @inline(never)
  package func nearestKey(to write: (inout ErrorSink) -> Void) -> ScalarReader? {
    guard kind == .object else { return nil }
    var cursor = ChildCursor(seldom: self)
    let near = DecantCore.nearestKey(to: write) { place, sink in
      if place == Self.mostKeysShown || cursor.seldomNext(in: self) == nil { return false }
      cursor.keyScalars(in: self).write(to: &sink)
      return true
    }
    guard let near else { return nil }
    cursor = ChildCursor(seldom: self)
    for _ in 0...near { _ = cursor.seldomNext(in: self) }
    return cursor.keyScalars(in: self)
  }
}

/// The nearest of a model's names.
func nearestName(to write: (inout ErrorSink) -> Void, among names: [String]) -> String? {
  nearestKey(to: write) { place, sink in
    if place < names.count { sink.add(names[place]) }
    return place < names.count
  }.map { names[$0] }
}

/// The place of the nearest of some keys, or nil if none is near.
/// - Parameter spell: Writes the key at a place, for one place after another; false if there is none.
@inline(never)
package func nearestKey(
  to write: (inout ErrorSink) -> Void, among spell: (Int, inout ErrorSink) -> Bool
) -> Int? {
  let size = 2 * ShortKey.size + EditRows.size
  return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
    // SAFETY: the keys and the rows have parts of the memory of their own, and are used during this call only.
    let (first, rest) = unsafe (memory[..<ShortKey.size], memory[ShortKey.size...])
    let second = unsafe rest.prefix(ShortKey.size)
    let rows = unsafe EditRows(in: rest.dropFirst(ShortKey.size))
    let wanted = unsafe ShortKey(in: first, write)
    if wanted.isTooLong || wanted.length == 0 { return nil }
    var best: Int?
    var bestDistance = Int.max
    var place = 0
    while true {
      var isThere = false
      let key = unsafe ShortKey(in: second) { isThere = spell(place, &$0) }
      if !isThere { return best }
      defer { place += 1 }
      if key.isTooLong { continue }
      if key.hasLetters(of: wanted), key.count > 0 { return place }
      let allowed = min(
        bestDistance == .max ? .max : bestDistance - 1, max(wanted.length, key.length) / 3)
      guard abs(key.length - wanted.length) <= allowed, allowed > 0 else { continue }
      let distance = rows.edits(from: wanted, to: key)
      if distance <= allowed { (best, bestDistance) = (place, distance) }
    }
  }
}

/// A key's bytes without `_` and `-`, ASCII letters small.
@safe
private struct ShortKey {
  static var room: Int { 48 }
  /// Bytes of memory that a key needs: a NUL byte follows a text.
  static var size: Int { room + 1 }

  // SAFETY: `count` bytes of the memory that the key was made in.
  private let letters: UnsafeMutablePointer<UInt8>
  let count: Int
  /// Bytes of the whole key.
  let length: Int

  /// A key in `size` bytes of memory.
  @inline(never)
  init(in memory: UnsafeMutableRawBufferPointer.SubSequence, _ write: (inout ErrorSink) -> Void) {
    let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: memory)
    var sink = unsafe ErrorSink(memory)
    // Of a longer key no more is read.
    sink.stopsWhenFull = true
    write(&sink)
    unsafe letters = memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    length = sink.length
    var count = 0
    for place in 0..<sink.used {
      let byte = unsafe letters[place]
      if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { continue }
      unsafe letters[count] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      count += 1
    }
    self.count = count
  }

  var isTooLong: Bool { length > Self.room }

  subscript(place: Int) -> UInt8 { unsafe letters[place] }

  func hasLetters(of other: ShortKey) -> Bool {
    count == other.count && (0..<count).allSatisfy { self[$0] == other[$0] }
  }
}

/// The last three rows of the table of edits between the beginnings of two keys.
@safe
private struct EditRows {
  private static var width: Int { ShortKey.room + 1 }
  /// Bytes of memory that the rows need.
  static var size: Int { 3 * width }

  // SAFETY: `size` bytes; a row is one of three, and a place in it at most the length of a key.
  private let memory: UnsafeMutableRawBufferPointer

  init(in memory: UnsafeMutableRawBufferPointer.SubSequence) {
    unsafe self.memory = UnsafeMutableRawBufferPointer(rebasing: memory)
  }

  private subscript(row: Int, place: Int) -> Int {
    get { unsafe Int(memory[row % 3 * Self.width + place]) }
    nonmutating set { unsafe memory[row % 3 * Self.width + place] = UInt8(newValue) }
  }

  /// The edits that make one key of another.
  func edits(from one: ShortKey, to other: ShortKey) -> Int {
    if one.count == 0 || other.count == 0 { return max(one.count, other.count) }
    for place in 0...other.count { self[0, place] = place }
    for i in 1...one.count {
      self[i, 0] = i
      for j in 1...other.count {
        let isSame = one[i - 1] == other[j - 1]
        var edits = min(
          self[i - 1, j] + 1, self[i, j - 1] + 1, self[i - 1, j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
          edits = min(edits, self[i - 2, j - 2] + 1)
        }
        self[i, j] = edits
      }
    }
    return self[one.count, other.count]
  }
}
