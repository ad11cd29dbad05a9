// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Finds equal keys. A few keys are compared in pairs. More are looked up in an open-addressing table, whose slots have the
// place of a key, counted from 1, at its hash or after it:
//
//   keys    id name id
//   slots   · 1 · · · 2 · ·     the third finds the first
//
// The hash is seeded, so that no description of a table can prepare collisions.

internal import CDecantIndex
internal import DecantCore

enum RepeatedKeys {
  /// Keys that are compared in pairs.
  private static var few: Int { 12 }

  /// Two of `count` keys that are equal, the first such pair by its second key. Keys that are nil are equal to none. Time
  /// linear in the bytes of the keys.
  /// - Throws: `NoMemory`, only where there are more keys than the stack has space for.
  static func first(
    of count: Int, _ memory: decant_allocator, _ key: (Int) -> Bytes?
  ) throws(NoMemory) -> (first: Int, second: Int)? {
    if count <= few { return firstPair(of: count, key) }
    let slots = 1 << (Int.bitWidth - (2 * count - 1).leadingZeroBitCount)
    var pair: (first: Int, second: Int)?
    let status = withMemory(slots * 4, onStack: 1024, memory) { table in
      table.clear(slots * 4)
      pair = find(in: NumberTable(memory: table), slots - 1, count, key)
      return ok
    }
    if status != ok { throw NoMemory() }
    return pair
  }

  struct NoMemory: Error {}

  private static func firstPair(
    of count: Int, _ key: (Int) -> Bytes?
  ) -> (first: Int, second: Int)? {
    for second in 0..<count {
      guard let name = key(second) else { continue }
      for first in 0..<second where isKey(first, name, key) { return (first, second) }
    }
    return nil
  }

  private static func isKey(_ place: Int, _ name: Bytes, _ key: (Int) -> Bytes?) -> Bool {
    key(place).map { $0 == name } ?? false
  }

  private static func find(
    in table: NumberTable<UInt32>, _ last: Int, _ count: Int, _ key: (Int) -> Bytes?
  ) -> (first: Int, second: Int)? {
    withZeros(2, of: UInt64.self) { seed in
      // SAFETY: the seed is two words, and a key has as many bytes as it says.
      let words = unsafe seed.memory.start.assumingMemoryBound(to: UInt64.self)
      unsafe decant_draw_seed(words)
      for place in 0..<count {
        guard let name = key(place) else { continue }
        let hash = unsafe name.start.map { unsafe decant_hash_plain(words, $0, name.count) } ?? 0
        var slot = Int(truncatingIfNeeded: hash) & last
        while table[slot] != 0 {
          let other = Int(table[slot]) - 1
          if isKey(other, name, key) { return (other, place) }
          slot = (slot + 1) & last
        }
        table[slot] = UInt32(place) + 1
      }
      return nil
    }
  }
}
