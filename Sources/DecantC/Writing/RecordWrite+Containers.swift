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
    if kind == .recordPointer, let record = field.record {
      return writePointers(field, to: record, from: first, count, at: path)
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
      if kind == .converted {
        let status = path.adding(.index(index)) { writeConverted(field, at: place, element: $0) }
        if status != ok { return status }
        continue
      }
      if let problem = writeLeaf(field, kind, place, nil) {
        return path.adding(.index(index)) { fail(problem, kind, field, at: $0) }
      }
    }
    text.add(UInt8(ascii: "]"))
    return ok
  }

  /// Writes an array of structs that an array of pointers leads to.
  private mutating func writePointers(
    _ field: FieldRef, to record: RecordRef, from first: Memory, _ count: Int, at path: StepPath
  ) -> Status {
    let status = path.forEachElement(count) { index, path in
      text.add(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      if let target = first.target(at: index &* pointerWidth) {
        return nested(record, target, at: path)
      }
      if !field.has(DECANT_NULL_ELEMENTS) { return fail(.missing, .recordPointer, field, at: path) }
      text.add("null")
      return ok
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
    var separator = UInt8(ascii: "{")
    let status = addMembers(of: field, from: first, count, &separator, at: path)
    if status == ok { text.add(UInt8(ascii: "}")) }
    return status
  }

  /// Writes the members of a map into an object that was begun.
  ///
  /// - Parameter names: Of members that are not the map's.
  private mutating func addMembers(
    of field: FieldRef, from first: Memory, _ count: Int, _ separator: inout UInt8,
    besides names: KnownNames? = nil, at path: StepPath
  ) -> Status {
    guard let entry = field.record, let key = entry.fields.first(where: { $0.kind == .key }) else {
      return fail(.mapWithoutKey, .map, field, at: path)
    }
    var members = MapMembers(record: entry, key: key, first: first)
    for index in 0..<count {
      if let name = members.name(at: index), name.count >= 0, names?.contains(name) == true {
        return path.adding(.member(name, isEscaped: false)) {
          fail(.sharedValue, .map, nil, at: $0)
        }
      }
      text.add(separator)
      separator = UInt8(ascii: ",")
      let status = writeMember(index, of: &members, at: path)
      if status != ok { return status }
    }
    return ok
  }

  /// Writes the members that a field has besides those of the other fields, into an object that was begun.
  @inline(never)
  mutating func addRest(
    _ field: FieldRef, _ kind: FieldKind, of record: RecordRef, _ value: Memory,
    _ separator: inout UInt8, at path: StepPath
  ) -> Status {
    let place = value.advanced(by: field.offset)
    let length = field.length(in: value)
    guard let first = place.target() else {
      return (length ?? 0) == 0
        ? ok : fail(.noTarget(count: length ?? 0), kind, field, at: path, isField: true)
    }
    if let length, length < 0 { return fail(.noLength, kind, field, at: path, isField: true) }
    let status = record.withNames(decant_allocator()) { names in
      if kind == .map {
        return addMembers(
          of: field, from: first, length ?? 0, &separator, besides: names, at: path)
      }
      let text = length.map { first.bytes($0) } ?? first.cString
      guard let members = text.membersOfObject else {
        return fail(.notObject, .raw, field, at: path, isField: true)
      }
      let clash = members.forEachKey(withEscapes: decant_allocator()) { names.contains($0) }
      if let clash { return fail(clash, .raw, field, at: path, isField: true) }
      if members.isBlank { return ok }
      self.text.add(separator)
      separator = UInt8(ascii: ",")
      self.text.add(members)
      return ok
    }
    return status == Status(DECANT_OUT_OF_MEMORY)
      ? fail(.noMemory, kind, field, at: path, isField: true) : status
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

// MARK: - Members as one text

extension Bytes {
  /// The text between the braces of an object; nil if the text is not a JSON object.
  fileprivate var membersOfObject: Bytes? {
    guard let start = unsafe start, unsafe decant_is_json(start, count) else { return nil }
    var (first, end) = (0, count)
    while self[first].isBlank { first += 1 }
    while self[end - 1].isBlank { end -= 1 }
    return self[first] == UInt8(ascii: "{") ? self[first + 1..<end - 1] : nil
  }

  fileprivate var isBlank: Bool { (0..<count).allSatisfy { self[$0].isBlank } }

  /// The end of the string of JSON text that begins with the quotation mark at a place.
  private func end(ofStringAt start: Int) -> Int {
    var place = start + 1
    while place < count, self[place] != UInt8(ascii: "\"") {
      place += self[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return Swift.min(place + 1, count)
  }

  /// Calls `isKnown` with the keys of members, as far as it returns false. Nil if it does so for all; else why not.
  fileprivate func forEachKey(
    withEscapes allocator: decant_allocator, isKnown: (Bytes) -> Bool
  ) -> StructError.Problem? {
    var (place, level) = (0, 0)
    var isKey = true
    while place < count {
      let byte = self[place]
      switch byte {
      case UInt8(ascii: "\""):
        let end = end(ofStringAt: place)
        if level == 0, isKey {
          let key = self[place + 1..<end - 1]
          let isEscaped = (0..<key.count).contains { key[$0] == UInt8(ascii: "\\") }
          let status = withBytes(of: (key, isEscaped), allocator) {
            isKnown($0) ? invalidValue : ok
          }
          if status != ok { return status == invalidValue ? .sharedValue : .noMemory }
          isKey = false
        }
        place = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): level += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
      case UInt8(ascii: ",") where level == 0: isKey = true
      default: break
      }
      place += 1
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self <= UInt8(ascii: " ") }
}
