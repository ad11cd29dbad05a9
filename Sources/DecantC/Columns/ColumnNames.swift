// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The names of an enum as an Arrow dictionary: each value once, by its first name. Columns have places in the dictionary;
// other names of the same value have the same place. If a name occurs twice, the first one counts.
//
//   names       {"red", 1}  {"green", 2}  {"rouge", 1}  {"red", 40}  {"blue", 40}
//   dictionary  red         green                                    blue
//   places      0           1             0             -1           2
//
// Two hash tables follow the places, for look-ups by name and by value: slots with the entry's number, counted from 1, at
// its hash or after it. The hash is seeded, so that no description can prepare collisions. A few names are compared one by
// one.

internal import CDecantIndex
internal import DecantCore

struct ColumnNames {
  private let list: NameList?

  init(_ field: FieldRef?) { list = field?.names }

  var isEmpty: Bool { list?.first { _ in true } == nil }

  /// Why there is no dictionary of the names; nil if there is one.
  var fault: StaticString? {
    guard var list else { return nil }
    for _ in 0...mostNames {
      guard let entry = list.next() else { return nil }
      if !entry.name.isText { return "a name is not UTF-8" }
      if !NameList.canHave(entry.value) { return "a name's value does not fit into 32 bits" }
    }
    return "more than 4096 names"
  }

  /// The entry of a name, counted from 0.
  func entry(named name: Bytes, _ places: Buffer) -> Int? {
    guard let list, places.isThere else { return nil }
    let slots = NameSlots(of: places)
    if slots.areFew { return list.enumerated().first { $1.name == name }?.offset }
    return slots.find(name, list).entry
  }

  /// The first entry of a value that counts.
  func entry(of value: Int32, _ places: Buffer) -> Int? {
    guard let list, places.isThere else { return nil }
    return NameSlots(of: places).find(value, list).entry
  }

  /// Calls `body` with each name of the dictionary.
  func forEach(_ places: Buffer, _ body: (Bytes) -> Void) {
    guard var list else { return }
    var (index, used) = (0, 0 as Int32)
    while let (name, _) = list.next() {
      if places.load(Int32.self, at: index * 4) == used {
        body(name)
        used += 1
      }
      index += 1
    }
  }

  /// How many names the dictionary has, and how many bytes they have.
  func size(_ places: Buffer) -> (count: Int, bytes: Int) {
    var size = (count: 0, bytes: 0)
    forEach(places) { size = (size.count + 1, size.bytes + $0.count) }
    return size
  }

  /// The place in the dictionary of each entry, -1 for one that does not count, and the tables after them; nil if memory is
  /// exhausted. There are at most ``mostNames``.
  func places(_ memory: decant_allocator) -> Buffer? {
    var places = Buffer()
    guard let list else { return places }
    let count = list.reduce(0) { count, _ in count + 1 }
    guard places.reserve(NameSlots.size(for: count), memory) else { return nil }
    let slots = NameSlots(in: places, for: count)
    var used: Int32 = 0
    for (index, entry) in list.enumerated() {
      let (named, slot) = slots.find(entry.name, list)
      var place: Int32 = -1
      if named == nil {
        slots.fill(slot, index)
        let (first, valueSlot) = slots.find(Int32(truncatingIfNeeded: entry.value), list)
        place = first.map { places.load(Int32.self, at: $0 * 4) } ?? used
        if first == nil {
          slots.fill(valueSlot, index)
          used += 1
        }
      }
      places.store(place, at: index * 4)
    }
    return places
  }
}

/// The two tables after the places of an enum's names.
@safe
private struct NameSlots {
  // The last bytes of the buffer.
  private let head: Memory
  private let buffer: Buffer
  /// A power of two, at least twice as many as there are names.
  private let count: Int
  private static let headSize = 24

  private static func slots(for names: Int) -> Int {
    1 << (Int.bitWidth - (2 * max(names, 1) - 1).leadingZeroBitCount)
  }

  /// The bytes of places and tables.
  static func size(for names: Int) -> Int {
    (names * 4 + 2 * slots(for: names) * 4 + 7) & ~7 + headSize
  }

  /// New tables, in a buffer of the size for so many names.
  init(in buffer: Buffer, for names: Int) {
    buffer.fill(0, from: 0, buffer.capacity)
    self.init(of: buffer, count: Self.slots(for: names))
    // SAFETY: the seed is the first 16 bytes of the head.
    unsafe decant_draw_seed(head.start.assumingMemoryBound(to: UInt64.self))
    head.store(count, at: 16)
  }

  /// The tables that a buffer has.
  init(of buffer: Buffer) {
    let head = buffer.memory(at: buffer.capacity - Self.headSize)
    self.init(of: buffer, count: head.load(Int.self, at: 16))
  }

  private init(of buffer: Buffer, count: Int) {
    head = buffer.memory(at: buffer.capacity - Self.headSize)
    (self.buffer, self.count) = (buffer, count)
  }

  /// Whether there are at most eight names.
  var areFew: Bool { count <= 16 }

  /// The entry of a name, and its slot, which is empty if there is no entry.
  func find(_ name: Bytes, _ list: NameList) -> (entry: Int?, slot: Int) {
    find(from: hashed(name), table: 0) { list[$0].name == name }
  }

  /// The same of a value.
  func find(_ value: Int32, _ list: NameList) -> (entry: Int?, slot: Int) {
    let hash = withZeros(1, of: Int32.self) { bytes in
      bytes[0] = value
      return hashed(bytes.memory.bytes(4))
    }
    return find(from: hash, table: 1) { Int32(truncatingIfNeeded: list[$0].value) == value }
  }

  func fill(_ slot: Int, _ entry: Int) { buffer.store(Int32(entry + 1), at: offset(of: slot)) }

  private func find(
    from hash: UInt64, table: Int, _ isWanted: (Int) -> Bool
  ) -> (entry: Int?, slot: Int) {
    var place = Int(truncatingIfNeeded: hash) & (count - 1)
    while true {
      let slot = table * count + place
      let entry = Int(buffer.load(Int32.self, at: offset(of: slot))) - 1
      if entry < 0 { return (nil, slot) }
      if isWanted(entry) { return (entry, slot) }
      place = (place + 1) & (count - 1)
    }
  }

  /// The slots end where the head begins.
  private func offset(of slot: Int) -> Int {
    buffer.capacity - Self.headSize - (2 * count - slot) * 4
  }

  private func hashed(_ bytes: Bytes) -> UInt64 {
    guard let start = unsafe bytes.start else { return 0 }
    // SAFETY: the seed of these tables, and bytes that are there.
    return unsafe decant_hash_plain(
      UnsafePointer(head.start.assumingMemoryBound(to: UInt64.self)), start, bytes.count)
  }
}
