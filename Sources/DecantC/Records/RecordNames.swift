// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The names of the members that a record's fields read, and the members of an object that no field names.
//
//   table   id   name   "/at/x"   "" RECORD {city}      a record at the pointer "" is a part of this record
//   names   id   name   at        city
//   json    {"id":1,"nmae":"Ann","city":"Rome"}         nmae is unknown
//
// Members in the order of the table are compared with the next name. From the first one out of order, names are looked up
// by a hash: an object takes time linear in its members and the table's fields. The table's names are in the hash, and the
// document's are only looked up, so no document can make the hash slow.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The name of a member that a field reads.
struct MemberName: ErrorPhrase {
  /// The key, or the first token of a pointer.
  let bytes: Bytes
  let isToken: Bool
  /// Whether keys may differ from it in the case of ASCII letters.
  let ignoresCase: Bool

  /// Calls `body` with the name as keys have it.
  @inline(__always)
  fileprivate func withKey<Result>(_ body: (Bytes) -> Result) -> Result {
    isToken ? DecantC.withKey(ofToken: bytes, body) : body(bytes)
  }

  func write(to sink: inout ErrorSink) { withKey { $0.scalars().write(to: &sink) } }

  /// The first token of a pointer.
  fileprivate static func token(of pointer: Bytes) -> MemberName {
    MemberName(bytes: tokenOfPointer(pointer, at: 0), isToken: true, ignoresCase: false)
  }
}

extension RecordRef {
  /// Whether members that no field names are errors: in a closed table, or in every table of a call.
  func rejectsUnknown(_ rejectsAll: Bool) -> Bool { has(DECANT_CLOSED) || rejectsAll && !isOwn }

  /// Calls `body` with the name of each member that fields read. False if a field reads them all, whatever their names.
  private func forEachName(_ body: (MemberName) -> Void) -> Bool {
    withZeros(deepestRecord, of: UInt.self) { forEachName(0, $0, body) }
  }

  /// - Parameter holders: The addresses of the records that this one is a part of.
  private func forEachName(
    _ depth: Int, _ holders: NumberTable<UInt>, _ body: (MemberName) -> Void
  ) -> Bool {
    let address = unsafe UInt(bitPattern: pointer)
    // A record that is a part of itself has no other names.
    if depth == deepestRecord || (0..<depth).contains(where: { holders[$0] == address }) {
      return true
    }
    holders[depth] = address
    // As the fields themselves are looked up: by the flags of their own record.
    let ignoresCase = has(DECANT_ANY_CASE)
    for field in fields where field.kind != .key {
      if field.isRest { continue }
      if !field.isPointer {
        body(MemberName(bytes: field.key, isToken: false, ignoresCase: ignoresCase))
        _ = field.containsOtherKey {
          body(MemberName(bytes: $0, isToken: false, ignoresCase: ignoresCase))
          return false
        }
        if field.kind == .union, let names = field.names {
          // Members of all cases are known, whichever the tag names.
          for (place, _) in names.enumerated() {
            if let part = field.record(ofCase: place), !part.forEachName(depth + 1, holders, body) {
              return false
            }
          }
        }
      } else if !field.isItself {
        body(.token(of: field.key))
        _ = field.containsOtherKey {
          body(.token(of: $0))
          return false
        }
      } else if field.kind == .raw || field.kind == .map || field.kind == .converted {
        return false
      } else if field.kind == .record || field.kind == .recordPointer, let part = field.record,
        !part.forEachName(depth + 1, holders, body)
      {
        return false
      }
    }
    return true
  }

  /// Calls `body` with each member of an object that no field names, until it returns a failure.
  func forEachUnknownMember(
    of json: JSON, _ body: (Text, JSON, KnownNames) -> Status
  ) -> Status {
    if hasRest { return ok }
    var members = ChildCursor(json)
    guard var member = firstOutOfOrder(&members, of: json) else { return ok }
    let allocator = json.reference.allocator
    return withNames(allocator) { names in
      while true {
        if let key = members.keyText(in: json) {
          var isKnown = false
          var status = names.find(key, allocator, &isKnown)
          if status == ok, !isKnown { status = body(key, JSON(member, within: json), names) }
          if status != ok { return status }
        }
        guard let next = members.next(in: json) else { return ok }
        member = next
      }
    }
  }

  /// The first member that does not belong to the next field or a later one; nil if there is none.
  private func firstOutOfOrder(_ members: inout ChildCursor, of json: JSON) -> UInt64? {
    var fields = fields
    next: while let member = members.next(in: json) {
      if let key = members.keyText(in: json), !key.isEscaped {
        while let field = fields.next() {
          if !field.isPointer, field.kind != .key, field.key == key.bytes { continue next }
        }
      }
      return member
    }
    return nil
  }

  /// Calls `body` with each member of an object that only the field for the rest takes, in the order of the document,
  /// without shadowed duplicates.
  func forEachOther(of json: JSON, _ body: (Text, JSON) -> Status) -> Status {
    let allocator = json.reference.allocator
    return withNames(allocator) { names in
      forEachMember(of: json, json.count) { key, value in
        var isKnown = false
        let status = names.find(key, allocator, &isKnown)
        return status != ok || isKnown ? status : body(key, value)
      }
    }
  }

  /// Calls `body` with the names; not if fields read members whatever their names.
  func withNames(
    _ allocator: decant_allocator, _ body: (KnownNames) -> Status
  ) -> Status {
    var count = 0
    if !forEachName({ _ in count += 1 }) { return ok }
    return withMemory(KnownNames.size(of: count), onStack: 1024, allocator) { memory in
      var names = KnownNames(in: memory, for: count)
      _ = forEachName { names.add($0) }
      return body(names)
    }
  }
}

extension ChildCursor {
  /// The key of the member that was reached.
  func keyText(in json: JSON) -> Text? {
    json.isNative ? JSON(foreign.value &- 1, within: json).text : (foreignKey, false)
  }
}

/// The names of a record, with a hash table of them.
@safe
struct KnownNames {
  // SAFETY: the first `count` entries are names of the caller's table: where they begin, and four times the length, plus 1
  // of tokens, and 2 of names that ignore case.
  private let entries: NumberTable<UInt>
  /// Places in `entries`, from 1 on, at the hash of the name; 0 is empty. Open addressing, at most half full.
  private let slots: NumberTable<UInt32>
  private let mask: Int
  private var ignoresCase = false
  private(set) var count = 0

  private static var entrySize: Int { 2 * MemoryLayout<UInt>.size }

  private static func slotCount(of count: Int) -> Int {
    var slots = 4
    while slots < 2 * count { slots *= 2 }
    return slots
  }

  static func size(of count: Int) -> Int { count * entrySize + 4 * slotCount(of: count) }

  init(in memory: Memory, for count: Int) {
    let slotCount = Self.slotCount(of: count)
    entries = NumberTable(memory: memory)
    slots = NumberTable(memory: memory.advanced(by: count * Self.entrySize))
    mask = slotCount - 1
    slots.memory.clear(4 * slotCount)
  }

  subscript(place: Int) -> MemberName {
    let length = entries[2 * place + 1]
    let start = unsafe UnsafePointer<UInt8>(bitPattern: entries[2 * place])
    return unsafe MemberName(
      bytes: Bytes(start, Int(truncatingIfNeeded: length >> 2)), isToken: length & 1 != 0,
      ignoresCase: length & 2 != 0)
  }

  mutating func add(_ name: MemberName) {
    entries[2 * count] = unsafe UInt(bitPattern: name.bytes.start)
    entries[2 * count + 1] =
      UInt(bitPattern: name.bytes.count) << 2 | (name.isToken ? 1 : 0) | (name.ignoresCase ? 2 : 0)
    if name.ignoresCase { ignoresCase = true }
    count += 1
    let (slot, place) = name.withKey { find($0) }
    if place == nil { slots[slot] = UInt32(truncatingIfNeeded: count) }
  }

  /// Tells whether a key is one of the names. Without memory to know, a failure.
  func find(_ key: Text, _ allocator: decant_allocator, _ isKnown: inout Bool) -> Status {
    withBytes(of: key, allocator) {
      isKnown = contains($0)
      return ok
    }
  }

  /// How many members of an object, which has `members`, have none of the names; nil if there is no memory to know.
  func countOthers(among json: JSON, _ members: Int) -> Int? {
    var others = 0
    let status = forEachMember(of: json, members) { key, _ in
      var isKnown = false
      let status = find(key, json.reference.allocator, &isKnown)
      if !isKnown { others += 1 }
      return status
    }
    return status == ok ? others : nil
  }

  func contains(_ key: Bytes) -> Bool {
    find(key).place != nil || ignoresCase && containsInAnyCase(key)
  }

  /// The same without regard to the case of ASCII letters, of names that ignore it.
  private func containsInAnyCase(_ key: Bytes) -> Bool {
    (0..<count).contains { self[$0].ignoresCase && self[$0].bytes.isEqualInAnyCase(key) }
  }

  /// The slot of a key, and the place of its name if there is one.
  private func find(_ key: Bytes) -> (slot: Int, place: Int?) {
    // FNV-1a
    var hash: UInt32 = 0x811C_9DC5
    for at in 0..<key.count { hash = (hash ^ UInt32(key[at])) &* 0x0100_0193 }
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let place = Int(truncatingIfNeeded: slots[slot]) - 1
      if self[place].withKey({ $0 == key }) { return (slot, place) }
      slot = (slot + 1) & mask
    }
    return (slot, nil)
  }

  /// The name that is nearest to a key, as far as texts look.
  func nearest(to key: Text) -> MemberName? {
    var near: MemberName?
    withNearestKey(to: { key.bytes.scalars(isEscaped: key.isEscaped).write(to: &$0) }) { nearest in
      for place in 0..<min(count, Self.mostCompared) where !nearest.isSame {
        let name = self[place]
        let isNearer =
          name.isToken ? nearest.isNearer(phrase: name) : nearest.isNearer(name.bytes.scalars())
        if isNearer { near = name }
      }
    }
    return near
  }

  private static var mostCompared: Int { 1024 }
}

/// Checks that fields name all members of a value's objects. Filling finds all other errors.
struct RecordMembers: RecordVisitor {
  /// Whether the record here is a part of the one around it, at the pointer "".
  typealias Place = Bool

  /// Whether tables that are not closed are checked, too.
  let rejectsAll: Bool

  static var looksAtMembers: Bool { true }
  var rewinds: Bool { false }
  var looksAtAbsent: Bool { false }
  func ignores(_ kind: FieldKind) -> Bool { !kind.hasParts && kind != .union }

  func members(of record: RecordRef, _ json: JSON, at isPart: Bool) -> Status {
    if isPart || !record.rejectsUnknown(rejectsAll) { return ok }
    return record.forEachUnknownMember(of: json) { _, _, _ in Status(DECANT_UNKNOWN_KEY) }
  }

  func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at isPart: Bool, _ count: inout Int
  ) -> Status { ok }
  func key(_ key: Text, of value: JSON, _ field: FieldRef, in record: Bool) -> Status { ok }
  func absent(_ field: FieldRef, isNull: Bool, in record: Bool) -> Status { ok }
  func finish(_ field: FieldRef, _ count: Int, in record: Bool) {}
  func room(
    _ count: Int, of stride: Int, cleared: Bool, for json: JSON, at isPart: Bool
  ) -> Bool? { isPart }
  func wanted(of count: Int, in array: JSON, _ field: FieldRef) -> Int {
    field.element.isObject ? count : 0
  }
  func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, at isPart: Bool
  ) -> Status { status == Status(DECANT_TOO_DEEP) ? status : ok }
  func refuse(
    _ status: Status, _ value: JSON, inner: ContextRef?, at isPart: Bool
  ) -> Status { isLeavable(status) ? ok : status }

  static func step(_ step: WalkStep, from isPart: Bool, _ body: (Bool) -> Status) -> Status {
    if case .field(let field) = step { body(field.isItself) } else { body(false) }
  }
}

extension RecordRef {
  /// Why members of a value's objects are unknown: `ok`, DECANT_UNKNOWN_KEY, or what ends a walk.
  @inline(never)
  func checkMembers(_ json: JSON, _ settings: Settings) -> Status {
    var walk = RecordWalk(RecordMembers(rejectsAll: settings.rejectsUnknown), over: json)
    return walk.visit(self, json, at: false)
  }
}
