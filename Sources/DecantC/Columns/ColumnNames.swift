// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The names of an enum as a dictionary of Arrow has them: each value once, by its first name. Columns have places in
// the dictionary; other names of the same value have the same place.
//
//   names       {"red", 1}  {"green", 2}  {"rouge", 1}  {"blue", 40}
//   dictionary  red         green                       blue
//   places      0           1             0             2

internal import CDecantIndex
internal import DecantCore

struct ColumnNames {
  private let list: NameList?

  init(_ field: FieldRef?) { list = field?.names }

  var isEmpty: Bool { entry { _ in true } == nil }

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
  func entry(named name: Bytes) -> Int? { entry { $0.name == name } }

  /// The first entry of a value.
  func entry(of value: Int32) -> Int? { entry { $0.value == value } }

  private func entry(_ isWanted: ((name: Bytes, value: Int32)) -> Bool) -> Int? {
    guard var list else { return nil }
    var index = 0
    while let (name, value) = list.next() {
      if isWanted((name, Int32(truncatingIfNeeded: value))) { return index }
      index += 1
    }
    return nil
  }

  /// The entry that the dictionary has for an entry: the first of its value, or of its name.
  private func first(for other: (name: Bytes, value: Int64)) -> Int? {
    let value = Int32(truncatingIfNeeded: other.value)
    return entry { $0.value == value || $0.name == other.name }
  }

  /// Calls `body` with each name of the dictionary.
  func forEach(_ body: (Bytes) -> Void) {
    guard var list else { return }
    var index = 0
    while let entry = list.next() {
      if first(for: entry) == index { body(entry.name) }
      index += 1
    }
  }

  /// How many names the dictionary has, and how many bytes they have.
  var size: (count: Int, bytes: Int) {
    var size = (count: 0, bytes: 0)
    forEach { size = (size.count + 1, size.bytes + $0.count) }
    return size
  }

  /// The place in the dictionary of each entry; nil if there is no memory.
  func places(_ memory: decant_allocator) -> Buffer? {
    var places = Buffer()
    guard var list else { return places }
    var (index, used) = (0, 0 as Int32)
    while let entry = list.next() {
      guard places.reserve(max((index + 1) * 4, min(2 * places.capacity, 1 << 20)), memory) else {
        places.release(memory)
        return nil
      }
      let first = first(for: entry) ?? 0
      places.store(first < index ? places.load(Int32.self, at: first * 4) : used, at: index * 4)
      if first == index { used += 1 }
      index += 1
    }
    return places
  }
}
