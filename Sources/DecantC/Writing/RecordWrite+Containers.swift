// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Arrays and maps: elements and members one after another in memory, as many as the struct says.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension RecordWrite {
  /// Writes an array of at least one element.
  mutating func writeElements(
    _ field: FieldRef, from first: Memory, _ count: Int, at path: StepPath
  ) -> Status {
    let kind = field.element
    if kind == .record, let record = field.record {
      return writeRecords(record, from: first, count, at: path)
    }
    if !field.hasBounds, kind == .int64 {
      for index in 0..<count {
        text.add(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
        text.add(first.load(Int64.self, at: index &* 8))
      }
      text.add(UInt8(ascii: "]"))
      return ok
    }
    let isReal = kind == .double && !field.hasBounds
    let stride = isReal ? 8 : field.elementWidth
    for index in 0..<count {
      let place = first.advanced(by: index &* stride)
      text.add(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      if isReal {
        let number = place.load(Double.self)
        if number.isFinite {
          text.add(number)
          continue
        }
      }
      if field.has(DECANT_NULL_ELEMENTS), kind.needsBlock, place.target(at: 0) == nil {
        text.add("null")
        continue
      }
      if let problem = writeLeaf(field, kind, place, nil) {
        return path.adding(.index(index)) { fail(problem, kind, field, at: $0) }
      }
    }
    text.add(UInt8(ascii: "]"))
    return ok
  }

  /// Writes an array of structs.
  mutating func writeRecords(
    _ record: RecordRef, from first: Memory, _ count: Int, at path: StepPath
  ) -> Status {
    let stride = record.size
    if count == 0 { text.add(UInt8(ascii: "[")) }
    let status = path.forEachElement(count) { index, path in
      text.add(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      return nested(record, first.advanced(by: index &* stride), at: path)
    }
    if status == ok { text.add(UInt8(ascii: "]")) }
    return status
  }

  /// Writes an array or a map, whose pointer is what it should be.
  mutating func writeCollection(
    _ field: FieldRef, _ kind: FieldKind, from first: Memory?, _ count: Int, at path: StepPath
  ) -> Status {
    guard let first, count > 0 else {
      text.add(kind == .map ? "{}" : "[]")
      return ok
    }
    return path.adding(.field(field)) {
      kind == .map
        ? writeMap(field, from: first, count, at: $0)
        : writeElements(field, from: first, count, at: $0)
    }
  }

  private mutating func writeMap(
    _ field: FieldRef, from first: Memory, _ count: Int, at path: StepPath
  ) -> Status {
    guard let entry = field.record, let key = entry.fields.first(where: { $0.kind == .key }) else {
      return fail(.mapWithoutKey, .map, field, at: path)
    }
    var members = MapMembers(record: entry, key: key, first: first)
    for index in 0..<count {
      text.add(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      let status = writeMember(index, of: &members, at: path)
      if status != ok { return status }
    }
    text.add(UInt8(ascii: "}"))
    return ok
  }

  /// Writes a member of a map.
  private mutating func writeMember(
    _ index: Int, of members: inout MapMembers, at path: StepPath
  ) -> Status {
    guard let name = members.name(at: index), name.count >= 0, text.add(quoting: name) else {
      let count = members.name(at: index)?.count
      return path.adding(.index(index)) {
        fail(count.map { $0 < 0 ? .noLength : .notText } ?? .missing, .string, nil, at: $0)
      }
    }
    let isRepeated = members.isRepeated(name, at: index)
    text.add(UInt8(ascii: ":"))
    return path.adding(.member(name, isEscaped: false)) { path in
      if isRepeated { return fail(.repeatedKey, .map, nil, at: path) }
      return nested(members.record, members[index], at: path)
    }
  }
}

/// The members of a map, and which of their keys were met.
private struct MapMembers {
  let record: RecordRef
  let key: FieldRef
  let first: Memory
  /// A bit for each key, so that few have to be compared with those before them.
  private var seen = SIMD32<UInt64>()

  /// Keys of so many members are compared: looking for equal keys of more would take time that grows faster than the
  /// map, or memory.
  private static var compared: Int { 256 }

  init(record: RecordRef, key: FieldRef, first: Memory) {
    self.record = record
    self.key = key
    self.first = first
  }

  subscript(index: Int) -> Memory { first.advanced(by: index &* record.size) }

  /// The key of a member; nil for NULL.
  func name(at index: Int) -> Bytes? {
    let member = self[index]
    guard let target = member.target(at: key.offset) else { return nil }
    return key.length(in: member).map { target.bytes($0) } ?? target.cString
  }

  /// Whether one of the members before has this member's key.
  mutating func isRepeated(_ name: Bytes, at index: Int) -> Bool {
    if index >= MapMembers.compared { return false }
    let place = Int(name.hash >> 21)
    let bit: UInt64 = 1 << UInt64(place & 63)
    defer { seen[place >> 6] |= bit }
    return seen[place >> 6] & bit != 0
      && (0..<index).contains { self.name(at: $0).map { $0 == name } ?? false }
  }
}

extension Bytes {
  /// A number that is the same for equal bytes, whose upper bits differ well.
  fileprivate var hash: UInt32 {
    var hash = UInt32(truncatingIfNeeded: count)
    for place in 0..<count { hash = (hash ^ UInt32(self[place])) &* 0x0100_0193 }
    return hash
  }
}
