// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The names of an enum as a dictionary of Arrow has them: each value once, by its first name. Columns have places in
// the dictionary; other names of the same value have the same place. Of equal names, the first counts.
//
//   names       {"red", 1}  {"green", 2}  {"rouge", 1}  {"red", 40}  {"blue", 40}
//   dictionary  red         green                                    blue
//   places      0           1             0             -1           2

internal import CDecantIndex
internal import DecantCore

struct ColumnNames {
  private let list: NameList?

  init(_ field: FieldRef?) { list = field?.names }

  var isEmpty: Bool { entry { _, _ in true } == nil }

  /// Why there is no dictionary of the names; nil if there is one. To make it, each name is compared with those before
  /// it.
  var fault: StaticString? {
    guard var list else { return nil }
    for _ in 0...4_096 {
      guard let entry = list.next() else { return nil }
      if !entry.name.isText { return "a name is not UTF-8" }
      if !NameList.canHave(entry.value) { return "a name's value does not fit into 32 bits" }
    }
    return "more than 4096 names"
  }

  /// The entry of a name, counted from 0.
  func entry(named name: Bytes) -> Int? { entry { $1.name == name } }

  /// The first entry of a value that counts; or `own`, whose place is not known yet, if that is the first.
  func entry(of value: Int32, _ places: Buffer, or own: Int? = nil) -> Int? {
    entry { index, entry in
      Int32(truncatingIfNeeded: entry.value) == value
        && (index == own || places.load(Int32.self, at: index * 4) >= 0)
    }
  }

  private func entry(_ isWanted: (Int, (name: Bytes, value: Int64)) -> Bool) -> Int? {
    guard var list else { return nil }
    var index = 0
    while let entry = list.next() {
      if isWanted(index, entry) { return index }
      index += 1
    }
    return nil
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

  /// The place in the dictionary of each entry, and -1 of one that does not count; nil if there is no memory.
  func places(_ memory: decant_allocator) -> Buffer? {
    var places = Buffer()
    guard var list else { return places }
    var (index, used) = (0, 0 as Int32)
    while let (name, value) = list.next() {
      guard places.reserve(max((index + 1) * 4, min(2 * places.capacity, 1 << 20)), memory) else {
        places.release(memory)
        return nil
      }
      var place: Int32 = -1
      if entry(named: name) == index {
        let first = entry(of: Int32(truncatingIfNeeded: value), places, or: index) ?? 0
        place = first < index ? places.load(Int32.self, at: first * 4) : used
        if first == index { used += 1 }
      }
      places.store(place, at: index * 4)
      index += 1
    }
    return places
  }
}
