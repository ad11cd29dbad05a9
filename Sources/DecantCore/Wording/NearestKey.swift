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
    var near: ScalarReader?
    withNearestKey(to: write) { nearest in
      var cursor = ChildCursor(self)
      for _ in 0..<Self.mostKeysShown {
        if nearest.isSame || cursor.next(in: self) == nil { return }
        let key = cursor.keyScalars(in: self)
        if nearest.isNearer(key) { near = key }
      }
    }
    return near
  }
}

/// The nearest of a model's names.
func nearestName(to write: (inout ErrorSink) -> Void, among names: [String]) -> String? {
  var near: String?
  withNearestKey(to: write) { nearest in
    for name in names where !nearest.isSame {
      if nearest.isNearer(name) { near = name }
    }
  }
  return near
}

/// Calls `body` with a comparison with the key that `write` spells; not if that is too long, or empty.
@inline(never)
package func withNearestKey(
  to write: (inout ErrorSink) -> Void, _ body: (inout NearestKey) -> Void
) {
  let size = 2 * ShortKey.size + EditRows.size
  unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
    // SAFETY: the keys and the rows have parts of the memory of their own, and are used during this call only.
    let (first, rest) = unsafe (memory[..<ShortKey.size], memory[ShortKey.size...])
    let wanted = unsafe ShortKey(in: UnsafeMutableRawBufferPointer(rebasing: first), write)
    guard let wanted, wanted.length > 0 else { return }
    var nearest = unsafe NearestKey(
      wanted, in: UnsafeMutableRawBufferPointer(rebasing: rest.prefix(ShortKey.size)),
      EditRows(in: UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(ShortKey.size))))
    body(&nearest)
  }
}

/// A key, and the least distance of those that were compared with it.
@safe
package struct NearestKey {
  private let wanted: ShortKey
  // SAFETY: `ShortKey.size` bytes.
  private let memory: UnsafeMutableRawBufferPointer
  private let rows: EditRows
  private var distance = Int.max

  /// Whether a key with the same letters was found, so that no other one is nearer.
  package var isSame: Bool { distance == 0 }

  @unsafe
  fileprivate init(
    _ wanted: ShortKey, in memory: UnsafeMutableRawBufferPointer, _ rows: EditRows
  ) {
    self.wanted = wanted
    unsafe self.memory = memory
    self.rows = rows
  }

  /// Whether a key is near, and nearer than those before it.
  package mutating func isNearer(_ key: ScalarReader) -> Bool {
    guard let text = key.unescaped else { return isNearer(phrase: key) }
    if text.count > ShortKey.room { return false }
    if !allows(length: text.count) {
      // Most keys differ in their first letters.
      return wanted.hasLetters(of: text) && isNearer(distance: 0)
    }
    return unsafe isNearer(ShortKey(in: memory, plain: text))
  }

  package mutating func isNearer(_ key: String) -> Bool { isNearer(phrase: key) }

  /// The same for a key that is not at hand as bytes.
  @inline(never)
  package mutating func isNearer(phrase key: some ErrorPhrase) -> Bool {
    unsafe ShortKey(in: memory) { key.write(to: &$0) }.map { isNearer($0) } ?? false
  }

  private mutating func isNearer(_ key: ShortKey) -> Bool {
    if key.count > 0, key.hasLetters(of: wanted) { return isNearer(distance: 0) }
    guard allows(length: key.length) else { return false }
    let most = mostEdits(length: key.length)
    return key.leastEdits(from: wanted) <= most
      && isNearer(distance: rows.edits(from: wanted, to: key), most)
  }

  private mutating func isNearer(distance: Int, _ most: Int = 0) -> Bool {
    if distance > most { return false }
    self.distance = distance
    return true
  }

  /// The edits that a key of a length may be away.
  private func mostEdits(length: Int) -> Int {
    min(distance == .max ? .max : distance - 1, max(wanted.length, length) / 3)
  }

  /// Whether a key of a length can be near if its letters are not the same.
  private func allows(length: Int) -> Bool {
    let most = mostEdits(length: length)
    return most > 0 && abs(length - wanted.length) <= most
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
  private(set) var count = 0
  /// Bytes of the whole key.
  let length: Int
  /// Bit n: there is a byte of which the low six bits are n.
  private var set: UInt64 = 0

  /// A key in `size` bytes of memory; nil if it is longer.
  @inline(never)
  init?(in memory: UnsafeMutableRawBufferPointer, _ write: (inout ErrorSink) -> Void) {
    var sink = unsafe ErrorSink(memory)
    // Of a longer key no more is read.
    sink.stopsWhenFull = true
    write(&sink)
    if sink.isFull { return nil }
    let text = unsafe Bytes(UnsafeRawBufferPointer(rebasing: memory[..<sink.used]))
    unsafe self.init(in: memory, plain: text)
  }

  /// A key of at most `room` bytes in `size` bytes of memory, which may be the key's own.
  init(in memory: UnsafeMutableRawBufferPointer, plain text: Bytes) {
    unsafe letters = memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    length = text.count
    for place in 0..<length {
      guard let letter = Self.letter(text[place]) else { continue }
      unsafe letters[count] = letter
      count += 1
      set |= 1 << UInt64(letter & 63)
    }
  }

  /// A byte as it is compared; nil if it is passed over.
  @inline(__always)
  private static func letter(_ byte: UInt8) -> UInt8? {
    if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") { return nil }
    return byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  subscript(place: Int) -> UInt8 { unsafe letters[place] }

  func hasLetters(of other: ShortKey) -> Bool {
    count == other.count && (0..<count).allSatisfy { self[$0] == other[$0] }
  }

  /// Whether a text has these letters, and any.
  func hasLetters(of text: Bytes) -> Bool {
    var place = 0
    for at in 0..<text.count {
      guard let letter = Self.letter(text[at]) else { continue }
      if place == count || self[place] != letter { return false }
      place += 1
    }
    return place == count && count > 0
  }

  /// A bound of the edits: each takes at most one byte out of a key's set, and puts at most one into it.
  func leastEdits(from other: ShortKey) -> Int {
    max((set & ~other.set).nonzeroBitCount, (other.set & ~set).nonzeroBitCount)
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

  @unsafe
  init(in memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

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
