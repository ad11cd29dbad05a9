// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one walk over a table and a value together. It finds each field's value, descends into records, arrays and maps, and
// checks that the JSON has the right kind for that. A visitor handles each value:
//
//   RecordFill      stores values into the struct and its block, and stops at the first that does not fit
//   RecordMeasure   adds up how large the block must be
//   RecordMembers   finds unknown members, if a table is closed
//   RecordReport    reports all errors, with paths and places
//
//   table   id INT64, tags ARRAY of STRING, at RECORD {x INT32}
//   json    {"id":1,"tags":["a","b"],"at":{"x":2}}
//
//   plain(1, id)   room(2, tags)  leaf("a") leaf("b")  finish(tags, 2)   plain(2, x)  finish(at)
//
// The walk is generic, so that each visitor gets a walk of its own in which the hooks are inlined.
//
// In streams and large documents, and if a program has prepared the table, the walk uses a prepared copy of it
// (RecordPlan). There, plain members (most members) are not visited one by one: a run in C stores them (decant_runs.h),
// also those of all structs of an array, and the walk continues at the member where the run stops.
//
// A null for an optional field counts as absent. Records nest at most 32 deep, also through the document. If fields refer
// to the same values again and again, the number of records is bounded by the document's length.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A status without its type, in registers.
typealias Status = Int32

let ok = Status(DECANT_OK)
let typeMismatch = Status(DECANT_TYPE_MISMATCH)
let outOfRange = Status(DECANT_NUMBER_OUT_OF_RANGE)
let notAnInteger = Status(DECANT_NOT_AN_INTEGER)
let invalidValue = Status(DECANT_INVALID_VALUE)

// Statuses of our own. Those of the interface are less, and what a function of the caller's returns is negative.
/// The block is too small.
let blockIsFull = Status(1001)
/// The report is complete.
let reportIsFull = Status(1002)
/// A column is full.
let columnIsFull = Status(1003)
/// A read function returned more bytes than its capacity.
let tooManyBytes = Status(1004)
/// A part is left out.
let partIsLeftOut = Status(1005)

/// The work of a walk at each value. A status other than `ok` ends the walk.
protocol RecordVisitor {
  /// The place of a struct, a field or an element: its memory, or its path.
  associatedtype Place

  /// Whether look-ups begin anew in objects that were looked into before.
  var rewinds: Bool { get }

  /// Whether values of a kind mean nothing to the visitor.
  func ignores(_ kind: FieldKind) -> Bool
  /// Whether a field without a value means something to the visitor.
  var looksAtAbsent: Bool { get }

  /// The hot hook: a plain field's value of a common kind, when nothing is unusual; the field is the one at `index` of
  /// its record. False if the visitor did nothing.
  mutating func plain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, _ index: Int, in record: Place
  ) -> Bool
  /// Whether the visitor takes several fields at once.
  static var takesRuns: Bool { get }
  /// Whether it takes several records at once.
  static var takesRecords: Bool { get }
  /// The same for as many of a planned record's fields as can be visited at once, from `index` on, whose members are
  /// from `key` on and before `end`, in the order of the fields. Moves both.
  mutating func plainFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, at key: inout UInt64,
    before end: UInt64, in place: Place, _ nesting: inout decant_nesting
  )
  /// The same with members in any order.
  mutating func otherFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, _ members: inout decant_run_place,
    in place: Place, _ nesting: inout decant_nesting
  )
  /// The same for up to `count` elements of an array that are a planned record, from `node` on. Returns how many of them
  /// were visited, and moves `node`.
  mutating func plainRecords(
    _ count: Int, of record: RecordRef, _ json: JSON, at node: inout UInt64, from first: Place,
    _ nesting: inout decant_nesting
  ) -> Int
  /// The same for an array's first elements, without bounds. Returns how many of them were visited; the others are
  /// visited one by one.
  mutating func plainElements(
    _ count: Int, of array: JSON, _ kind: FieldKind, from first: Place
  ) -> Int

  /// A record's object begins, whose table has a struct that absent members are copied from.
  mutating func begin(_ record: RecordRef, from defaults: Memory, at place: Place)
  /// A field has a value, which replaces what `begin` has left.
  mutating func replace(_ field: FieldRef, in record: Place)

  /// A value that holds no others.
  mutating func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Place, _ count: inout Int
  ) -> Status
  /// The members of an object that no field of a record names, as one text, of so many bytes.
  mutating func rest(
    _ json: JSON, _ field: FieldRef, of record: RecordRef, at place: Place, _ count: inout Int
  ) -> Status
  /// The key of a map's member.
  mutating func key(_ key: Text, of value: JSON, _ field: FieldRef, in record: Place) -> Status
  /// A field without a value, or with null, where the table allows that.
  mutating func absent(_ field: FieldRef, isNull: Bool, in record: Place) -> Status
  /// A field without a value, where the table does not allow that.
  mutating func missing(_ field: FieldRef, in json: JSON, _ record: Place) -> Status
  /// A field whose value was visited; a string or a collection has `count` bytes, elements or members.
  mutating func finish(_ field: FieldRef, _ count: Int, in record: Place)

  /// Memory for the structs or elements behind a pointer at `place`; zeros if `cleared`, which only records need. Nil if
  /// memory is exhausted.
  mutating func room(
    _ count: Int, of stride: Int, cleared: Bool, for json: JSON, at place: Place
  ) -> Place?
  /// Bytes of the block so far.
  var size: Int { get }
  /// How many of an array's elements the visitor looks at; 0 if they mean nothing to it.
  func wanted(of count: Int, in array: JSON, _ field: FieldRef) -> Int
  /// An element that is null, where the table allows that.
  mutating func nullElement(_ index: Int, stride: Int, from first: Place) -> Status
  /// Whether the array in memory may end with a NULL, for which it needs space.
  static var hasTerminators: Bool { get }
  /// Whether an element's place is that in the array of the document, where others before it may be left out.
  static var countsLeftOut: Bool { get }
  /// Something begins that is left out if it does not fit; what tells `isLeftOut`.
  mutating func beginPart() -> Int
  /// Whether a part of so many bytes at a place, whose visit returned a status, is left out.
  mutating func isLeftOut(_ status: Status, since start: Int, at place: Place, _ stride: Int)
    -> Bool
  /// How many parts of a field's value were left out.
  mutating func leftOut(_ out: Int, of field: FieldRef, keeping count: Int, in record: Place)
  /// The elements from a node on, which the visitor did not want; `before` was the size before the first element.
  /// False if there cannot be so much memory.
  mutating func skipRest(of array: JSON, from node: UInt64, since before: Int) -> Bool

  /// A value that the table does not accept.
  mutating func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, at place: Place
  ) -> Status

  /// Whether the visitor looks at the members of objects that no field may name.
  static var looksAtMembers: Bool { get }
  /// A record's object, whose fields were visited.
  mutating func members(of record: RecordRef, _ json: JSON, at place: Place) -> Status
  /// A string that is not a document, or the document in it: see `RecordWalk.visitEmbedded`. A code of the index, or a type
  /// mismatch for a value that is not a string.
  mutating func refuse(
    _ status: Status, _ value: JSON, inner: ContextRef?, at place: Place
  ) -> Status
  /// The end of the text that may be read; nil if that is the document's.
  var limit: UnsafePointer<UInt8>? { get set }
  /// The document that was visited at a place ends.
  mutating func leaveInner(_ inner: ContextRef)

  /// Calls `body` with the place of a part of the value at a place.
  static func step(_ step: WalkStep, from place: Place, _ body: (Place) -> Status) -> Status
}

/// A step from a record to a field, or to an element or a member, with the bytes of each.
enum WalkStep {
  case field(FieldRef)
  case element(Int, stride: Int)
  case member(Text, Int, stride: Int)
  /// Into the document that the string at a node spells.
  case document(ContextRef, UInt64)
  /// Into a part of the struct that has no value of its own: its members are those of the object.
  case part(FieldRef)
}

/// What visitors of all elements, and of all fields, share. A visitor without words for a failure returns its status.
extension RecordVisitor {
  @inline(__always)
  func ignores(_ kind: FieldKind) -> Bool { false }
  var looksAtAbsent: Bool { true }
  static var takesRuns: Bool { false }
  static var takesRecords: Bool { false }
  @inline(__always)
  func plain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, _ index: Int, in record: Place
  ) -> Bool { false }
  @inline(__always)
  func plainFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, at key: inout UInt64,
    before end: UInt64, in place: Place, _ nesting: inout decant_nesting
  ) {}
  func otherFields(
    of record: RecordRef, _ json: JSON, from index: inout Int, _ members: inout decant_run_place,
    in place: Place, _ nesting: inout decant_nesting
  ) {}
  func plainRecords(
    _ count: Int, of record: RecordRef, _ json: JSON, at node: inout UInt64, from first: Place,
    _ nesting: inout decant_nesting
  ) -> Int { 0 }
  @inline(__always)
  func plainElements(
    _ count: Int, of array: JSON, _ kind: FieldKind, from first: Place
  ) -> Int { 0 }
  func begin(_ record: RecordRef, from defaults: Memory, at place: Place) {}
  func replace(_ field: FieldRef, in record: Place) {}
  func rest(
    _ json: JSON, _ field: FieldRef, of record: RecordRef, at place: Place, _ count: inout Int
  ) -> Status { ok }
  static var hasTerminators: Bool { true }
  static var countsLeftOut: Bool { false }
  func beginPart() -> Int { 0 }
  func isLeftOut(_ status: Status, since start: Int, at place: Place, _ stride: Int) -> Bool {
    false
  }
  func leftOut(_ out: Int, of field: FieldRef, keeping count: Int, in record: Place) {}
  func missing(_ field: FieldRef, in json: JSON, _ record: Place) -> Status { typeMismatch }
  func nullElement(_ index: Int, stride: Int, from first: Place) -> Status { ok }
  func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, at place: Place
  ) -> Status { status }
  static var looksAtMembers: Bool { false }
  func members(of record: RecordRef, _ json: JSON, at place: Place) -> Status { ok }
  var size: Int { 0 }
  func wanted(of count: Int, in array: JSON, _ field: FieldRef) -> Int { count }
  func skipRest(of array: JSON, from node: UInt64, since before: Int) -> Bool { true }
  func refuse(
    _ status: Status, _ value: JSON, inner: ContextRef?, at place: Place
  ) -> Status { status }
  var limit: UnsafePointer<UInt8>? {
    get { nil }
    set {}
  }
  func leaveInner(_ inner: ContextRef) {}
}

/// Whether a part with this status may be left out. Exceeded limits are errors.
func isLeavable(_ status: Status) -> Bool {
  status > ok && status < Status(DECANT_TOO_DEEP) || status == Status(DECANT_EMPTY_INPUT)
}

/// A walk that finds this many more records in disorder than in order does not try the order again.
private let mostDisorder = 16

struct RecordWalk<Visitor: RecordVisitor> {
  typealias Place = Visitor.Place

  var visitor: Visitor
  /// How many more records had half of their fields or fewer in the table's order than had more.
  private var disorder = 0
  private var nesting: decant_nesting
  /// The key of the map's member that is being visited.
  private var key: Text?
  /// How many parts of the array or map that was visited last were left out.
  private var leftOut = 0

  @inline(__always)
  init(_ visitor: Visitor, over json: JSON) {
    self.visitor = visitor
    // If two fields of a record refer to one value, and its records do the same, there are twice as many records at every
    // level; 32 levels of that would never end.
    nesting = decant_nesting(
      depth: 0, deepest: deepestRecord, records: 0,
      most_records: json.isNative ? 4_096 &+ 32 &* (unsafe json.context.pointee.length) : 1 << 24)
  }

  // MARK: - Records

  /// A record's value.
  @inline(__always)
  mutating func visit(_ record: RecordRef, _ json: JSON, at place: Place) -> Status {
    let status = visitFields(record, json, at: place)
    if !Visitor.looksAtMembers || status != ok || json.kind != .object { return status }
    return visitor.members(of: record, json, at: place)
  }

  @inline(__always)
  private mutating func visitFields(
    _ record: RecordRef, _ json: JSON, at place: Place
  ) -> Status {
    if let defaults = record.defaults { visitor.begin(record, from: defaults, at: place) }
    guard json.isNativeObject else { return visitOther(record, json, at: place) }
    if !Visitor.takesRuns || !record.isPrepared || disorder > mostDisorder || !json.isUnread {
      return visitMembers(record, json, at: place, from: 0)
    }
    var (field, key) = (0, json.firstChild)
    visitor.plainFields(
      of: record, json, from: &field, at: &key, before: json.after, in: place, &nesting)
    if field != record.fieldCount {
      let status = visitPlanned(record, json, at: place, &field, key)
      if status != ok { return status }
    }
    if 2 &* field >= record.fieldCount {
      disorder = max(disorder &- 1, 0)
      if field == record.fieldCount { return ok }
    } else {
      disorder &+= 1
    }
    return visitMembers(record, json, at: place, from: field)
  }

  /// Visits the fields of a record from the one at `index` on, whose key should be at `key`. Stops at the first whose member
  /// is not found, and sets `index` to it. No two of these fields have the same key.
  // SAFETY: a planned record has a step for each field; the places are those of an object's keys, which slots say.
  @inline(never)
  private mutating func visitPlanned(
    _ record: RecordRef, _ json: JSON, at place: Place, _ index: inout Int, _ key: UInt64
  ) -> Status {
    let count = record.fieldCount
    var members = decant_run_place(first: json.firstChild, key: key, end: json.after, passed: 0)
    visitor.otherFields(of: record, json, from: &index, &members, in: place, &nesting)
    var reached = index
    defer { index = reached }
    let steps = unsafe record.steps.pointee.steps.unsafelyUnwrapped
    while reached != count {
      let step = unsafe steps + reached
      let kind = unsafe FieldKind(ordinal: step.pointee.kind)
      let field = record[reached]
      let key = unsafe decant_run_find(json.context, step, &members)
      var status = ok
      if key != 0 {
        if !visitor.ignores(kind) { status = visitField(field, key &+ 1, json, at: place) }
      } else if unsafe step.pointee.is_member {
        if members.key == json.firstChild { return ok }
        unsafe decant_walk_leave(json.context, json.node, members.key)
        return ok
      } else {
        // A field that no member has to have is visited without one.
        status = visitSpecial(field, kind, of: record, json, at: place)
      }
      if status != ok { return status }
      reached &+= 1
      visitor.otherFields(of: record, json, from: &reached, &members, in: place, &nesting)
    }
    return ok
  }

  /// Visits the other fields of a record, wherever their members are.
  @inline(never)
  private mutating func visitMembers(
    _ record: RecordRef, _ json: JSON, at place: Place, from first: Int
  ) -> Status {
    // SAFETY: an object's slot, as decant_walk asks.
    var members = unsafe decant_walk_begin(json.context, json.node, visitor.rewinds)
    for field in record.fields.dropped(first) {
      let kind = field.kind
      if field.isPointer || kind == .key {
        let status = visitSpecial(field, kind, of: record, json, at: place)
        if status != ok { return status }
        continue
      }
      if visitor.ignores(kind) {
        // If keys are in the table's order, skipping this one saves a scan for the next one.
        _ = unsafe decant_walk_next(&members, json.context, field.keyStart, field.givenKeyLength)
        continue
      }
      var node = unsafe decant_walk_find(
        &members, json.context, field.keyStart, field.givenKeyLength)
      if node == DECANT_NODE_NONE, field.hasOtherKeys || record.has(DECANT_ANY_CASE) {
        node = otherNode(of: field, in: json, record)
      }
      if node != DECANT_NODE_NONE, field.isPlain,
        visitor.plain(JSON(node, within: json), kind, field, record.index(of: field), in: place)
      {
        continue
      }
      let status = visitField(field, node, json, at: place)
      if status != ok { return status }
    }
    return ok
  }

  /// A record's value that is another engine's object, or no object.
  @inline(never)
  private mutating func visitOther(
    _ record: RecordRef, _ json: JSON, at place: Place
  ) -> Status {
    let isObject = !json.isNative && json.kind == .object
    var isTold = isObject
    for field in record.fields {
      let kind = field.kind
      var status = ok
      if field.isPointer || kind == .key {
        status = visitSpecial(field, kind, of: record, json, at: place)
      } else if isObject, !visitor.ignores(kind) {
        status = visitField(field, node(of: field, in: json, record), json, at: place)
      } else if !isTold {
        isTold = true
        status = visitor.fail(typeMismatch, json, .record, nil, nil, at: place)
      }
      if status != ok { return status }
    }
    return ok
  }

  /// A field whose value is not a member of the record's object.
  @inline(never)
  private mutating func visitSpecial(
    _ field: FieldRef, _ kind: FieldKind, of record: RecordRef, _ json: JSON, at place: Place
  ) -> Status {
    if kind == .key {
      return key.map { visitor.key($0, of: json, field, in: place) } ?? typeMismatch
    }
    if visitor.ignores(kind) { return ok }
    if field.isRest { return visitRest(field, kind, of: record, json, at: place) }
    let node = field.isItself ? json.node : node(of: field, in: json, record)
    return visitField(field, node, json, at: place)
  }

  /// A field with the value at a node, or with none.
  @inline(never)
  private mutating func visitField(
    _ field: FieldRef, _ node: UInt64, _ json: JSON, at place: Place
  ) -> Status {
    if node == DECANT_NODE_NONE {
      if !visitor.looksAtAbsent { return ok }
      if field.mayBeAbsent, field.key.isText, isAbsent(field, in: json) {
        return visitor.absent(field, isNull: false, in: place)
      }
      return visitor.missing(field, in: json, place)
    }
    let kind = field.kind
    var value = JSON(node, within: json)
    if field.hasOtherKeys, value.isNull {
      value = JSON(valueNode(of: field, insteadOf: node, in: json), within: json)
    }
    if field.mayBeAbsent, kind != .kind, value.isNull || field.isNullText(value) {
      return visitor.absent(field, isNull: true, in: place)
    }
    visitor.replace(field, in: place)
    if kind == .union { return visitUnion(field, value, json, at: place) }
    var count = 0
    let status = Visitor.step(.field(field), from: place) {
      field.has(DECANT_EMBEDDED)
        ? visitEmbedded(value, kind, field, at: $0, &count)
        : visitValue(value, kind, field, at: $0, &count)
    }
    if status == ok { visitor.finish(field, count, in: place) }
    if field.has(DECANT_LEAVE_OUT) {
      visitor.leftOut(leftOut, of: field, keeping: count, in: place)
    }
    return status
  }

  /// The members that no field of a record names: as one text, or as a map.
  @inline(never)
  private mutating func visitRest(
    _ field: FieldRef, _ kind: FieldKind, of record: RecordRef, _ json: JSON, at place: Place
  ) -> Status {
    guard json.kind == .object else {
      return visitor.fail(typeMismatch, json, .record, nil, nil, at: place)
    }
    visitor.replace(field, in: place)
    var count = 0
    let status = Visitor.step(.field(field), from: place) { place in
      if kind != .map { return visitor.rest(json, field, of: record, at: place, &count) }
      return record.withNames(json.reference.allocator) { names in
        visitMap(field, json, at: place, &count, besides: names)
      }
    }
    if status == ok { visitor.finish(field, count, in: place) }
    if field.has(DECANT_LEAVE_OUT) {
      visitor.leftOut(leftOut, of: field, keeping: count, in: place)
    }
    return status
  }

  /// The case that a tag names, with its members in the same object.
  @inline(never)
  private mutating func visitUnion(
    _ field: FieldRef, _ tag: JSON, _ json: JSON, at place: Place
  ) -> Status {
    var (index, value) = (0, 0)
    let status = withBytes(of: tag) { name in
      guard let entry = field.names?.enumerated().first(where: { $0.element.name == name }) else {
        return invalidValue
      }
      (index, value) = (entry.offset, Int(truncatingIfNeeded: entry.element.value))
      return ok
    }
    if status == Status(DECANT_OUT_OF_MEMORY) { return status }
    if status != ok {
      return Visitor.step(.field(field), from: place) {
        visitor.fail(status, tag, .union, field, .names, at: $0)
      }
    }
    visitor.finish(field, value, in: place)
    guard let record = field.record(ofCase: index) else { return ok }
    if isFull { return refuseNested(json, at: place) }
    nesting.records &+= 1
    nesting.depth &+= 1
    defer { nesting.depth &-= 1 }
    return Visitor.step(.part(field), from: place) { visitFields(record, json, at: $0) }
  }

  /// Whether no record may nest here.
  @inline(__always)
  private var isFull: Bool {
    nesting.depth >= nesting.deepest || nesting.records > nesting.most_records
      || nesting.depth >= deepestUnasked && !decant_stack_has_room()
  }

  private mutating func nested(
    _ record: RecordRef, _ json: JSON, at place: Place
  ) -> Status {
    if isFull { return refuseNested(json, at: place) }
    nesting.records &+= 1
    nesting.depth &+= 1
    let status = visit(record, json, at: place)
    nesting.depth &-= 1
    return status
  }

  @inline(never)
  private mutating func refuseNested(_ json: JSON, at place: Place) -> Status {
    let isDeep = nesting.depth >= nesting.deepest
    // One error for all the records that are too many.
    if !isDeep, nesting.records > nesting.most_records {
      nesting.records &+= 1
      if nesting.records > nesting.most_records &+ 2 { return ok }
    }
    let words: StaticString =
      isDeep
      ? "records nest more than 32 deep"
      : nesting.records > nesting.most_records
        ? "records refer to one value too often" : stackIsFull
    return visitor.fail(
      Status(DECANT_TOO_DEEP), json, .record, nil, .words(words), at: place)
  }

  // MARK: - Values

  /// A field's value in the document that a string spells. Its bytes count as records do: fields can refer to one text
  /// again and again, and each of them reads it.
  @inline(never)
  private mutating func visitEmbedded(
    _ json: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Place, _ count: inout Int
  ) -> Status {
    if isFull { return refuseNested(json, at: place) }
    guard json.kind == .string, let text = json.text else {
      return visitor.refuse(typeMismatch, json, inner: nil, at: place)
    }
    nesting.records &+= 1 &+ text.bytes.count >> 3
    nesting.depth &+= 1
    defer { nesting.depth &-= 1 }
    return withInner(of: text, in: json.reference) { inner, code in
      if code != ok { return visitor.refuse(code, json, inner: inner, at: place) }
      let limit = unsafe visitor.limit
      defer {
        unsafe visitor.limit = limit
        visitor.leaveInner(inner)
      }
      let source = inner.source
      unsafe visitor.limit = source.start.map { unsafe $0 + source.count }
      return Visitor.step(.document(json.reference, json.node), from: place) {
        visitValue(inner.root, kind, field, at: $0, &count)
      }
    }
  }

  @inline(__always)
  private mutating func visitValue(
    _ json: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Place, _ count: inout Int
  ) -> Status {
    switch kind {
    case .record:
      guard let record = field.record else { return ok }
      return nested(record, json, at: place)
    case .recordPointer: return visitPointer(field, json, at: place)
    case .array, .fixedArray: return visitArray(field, kind, json, at: place, &count)
    case .map: return visitMap(field, json, at: place, &count)
    default: return visitor.leaf(json, kind, field, at: place, &count)
    }
  }

  private mutating func visitPointer(
    _ field: FieldRef, _ json: JSON, at place: Place
  ) -> Status {
    guard let record = field.record else { return ok }
    // A pointer needs an object, even if its record has no fields. A field for the value itself decides what it accepts.
    if json.isNull, !record.fields.contains(where: { $0.isItself }) {
      return visitor.fail(typeMismatch, json, .recordPointer, field, nil, at: place)
    }
    guard let target = visitor.room(1, of: record.size, cleared: true, for: json, at: place)
    else { return blockIsFull }
    return nested(record, json, at: target)
  }

  // MARK: - Arrays and maps

  private mutating func visitArray(
    _ field: FieldRef, _ kind: FieldKind, _ json: JSON, at place: Place, _ count: inout Int
  ) -> Status {
    guard json.isNativeArray || json.kind == .array else {
      return visitor.fail(typeMismatch, json, kind, field, nil, at: place)
    }
    let elements = json.isNativeArray ? json.elementCount : json.count
    if field.has(DECANT_NULL_TERMINATED | DECANT_LEAVE_OUT) {
      return visitList(field, kind, json, elements, at: place, &count)
    }
    if !field.acceptsElements(elements) {
      let status = visitor.fail(
        invalidValue, json, kind, field, .count(elements, kind: kind), at: place)
      if status != ok { return status }
    }
    count = elements
    if elements == 0 { return ok }
    let element = field.element
    let stride = element == .double ? 8 : field.elementWidth
    var first: Place? = place
    if kind == .array {
      first = visitor.room(
        elements, of: stride, cleared: element == .record, for: json, at: place)
    }
    guard let first else { return blockIsFull }
    let wanted = visitor.wanted(of: elements, in: json, field)
    return wanted == 0
      ? ok : visitElements(of: json, field, element, from: first, stride, elements, wanted)
  }

  /// An array that ends with NULL, or whose elements are left out if they do not fit.
  @inline(never)
  private mutating func visitList(
    _ field: FieldRef, _ kind: FieldKind, _ json: JSON, _ elements: Int, at place: Place,
    _ count: inout Int
  ) -> Status {
    let leavesOut = field.has(DECANT_LEAVE_OUT)
    leftOut = 0
    let isKnown = !leavesOut || elements == 0
    if kind == .fixedArray && elements > field.capacity
      || isKnown && !field.accepts(count: elements)
    {
      let status = visitor.fail(
        invalidValue, json, kind, field, .count(elements, kind: kind), at: place)
      if status != ok || kind == .fixedArray { return status }
    }
    let isTerminated = Visitor.hasTerminators && field.has(DECANT_NULL_TERMINATED)
    let (element, stride) = (field.element, field.elementWidth)
    let space = elements + (isTerminated ? 1 : 0)
    var first: Place? = place
    if kind == .array, space > 0 {
      first = visitor.room(
        space, of: stride, cleared: isTerminated || element == .record, for: json, at: place)
    }
    guard let first else { return blockIsFull }
    count = elements
    if elements == 0 || visitor.wanted(of: elements, in: json, field) == 0 { return ok }
    if !leavesOut {
      return visitElements(of: json, field, element, from: first, stride, elements, elements)
    }
    var status = visitThoseThatFit(of: json, field, element, from: first, stride, elements, &count)
    leftOut = elements - count
    if status == ok, !field.accepts(count: count) {
      status = visitor.fail(
        invalidValue, json, kind, field, .count(count, kind: kind), at: place)
    }
    return status
  }

  /// Visits the elements of an array, and leaves out those that fail.
  private mutating func visitThoseThatFit(
    of json: JSON, _ field: FieldRef, _ kind: FieldKind, from first: Place, _ stride: Int,
    _ elements: Int, _ count: inout Int
  ) -> Status {
    count = 0
    var node = json.isNative ? json.firstChild : DECANT_NODE_NONE
    let mayBeNull = field.has(DECANT_NULL_ELEMENTS) && kind != .kind
    for index in 0..<elements {
      let element = JSON(json.isNative ? node : json.element(index), within: json)
      if json.isNative { node = element.after }
      if mayBeNull, element.isNull || field.isNullText(element) {
        let status = visitor.nullElement(count, stride: stride, from: first)
        if status != ok { return status }
        count += 1
        continue
      }
      var isLeftOut = false
      let place = Visitor.countsLeftOut ? index : count
      let status = Visitor.step(.element(place, stride: stride), from: first) { place in
        let start = visitor.beginPart()
        let status = visitElement(element, field, kind, at: place)
        isLeftOut = visitor.isLeftOut(status, since: start, at: place, stride)
        return isLeftOut ? partIsLeftOut : status
      }
      if isLeftOut { continue }
      if status != ok { return status }
      count += 1
    }
    return ok
  }

  @inline(__always)
  private mutating func visitElement(
    _ json: JSON, _ field: FieldRef, _ kind: FieldKind, at place: Place
  ) -> Status {
    if kind == .record, let record = field.record { return nested(record, json, at: place) }
    if kind == .recordPointer { return visitPointer(field, json, at: place) }
    var length = 0
    return visitor.leaf(json, kind, field, at: place, &length)
  }

  @inline(__always)
  private mutating func visitElements(
    of json: JSON, _ field: FieldRef, _ kind: FieldKind, from first: Place, _ stride: Int,
    _ count: Int, _ wanted: Int
  ) -> Status {
    let before = visitor.size
    var node = json.isNative ? json.firstChild : DECANT_NODE_NONE
    var begin = 0
    if json.isNative, wanted == count, !field.hasBounds, !field.has(DECANT_NULL_TEXTS) {
      // Those that were visited are scalars, a node each.
      begin = visitor.plainElements(count, of: json, kind, from: first)
      node &+= UInt64(truncatingIfNeeded: begin)
    }
    if Visitor.takesRecords, kind == .record, wanted == count, json.isNative,
      !field.has(DECANT_NULL_ELEMENTS), let record = field.record, record.isPrepared,
      record.defaults == nil
    {
      return visitRecords(of: json, record, from: first, stride, count)
    }
    // A value that may be anything is null itself.
    let mayBeNull = field.has(DECANT_NULL_ELEMENTS) && kind != .kind
    for index in begin..<wanted {
      let element = JSON(
        json.isNative ? node : json.element(index), within: json)
      if mayBeNull, element.isNull || field.isNullText(element) {
        let status = visitor.nullElement(index, stride: stride, from: first)
        if status != ok { return status }
        if json.isNative { node = element.after }
        continue
      }
      let status = Visitor.step(.element(index, stride: stride), from: first) { place in
        visitElement(element, field, kind, at: place)
      }
      if status != ok { return status }
      if json.isNative { node = element.after }
    }
    if wanted == count { return ok }
    return visitor.skipRest(of: json, from: node, since: before) ? ok : blockIsFull
  }

  /// Elements that are a planned record: runs of them, and those in between, one by one.
  @inline(never)
  private mutating func visitRecords(
    of json: JSON, _ record: RecordRef, from first: Place, _ stride: Int, _ count: Int
  ) -> Status {
    var (index, node) = (0, json.firstChild)
    while index < count {
      if disorder <= mostDisorder {
        var visited = 0
        let status = Visitor.step(.element(index, stride: stride), from: first) { place in
          visited = visitor.plainRecords(
            count &- index, of: record, json, at: &node, from: place, &nesting)
          return ok
        }
        if status != ok { return status }
        index &+= visited
        if index == count { return ok }
        disorder = max(disorder &- visited, 0)
      }
      let element = JSON(node, within: json)
      // Runs leave objects that were looked into.
      if !element.isNativeObject || element.isUnread { disorder &+= 1 }
      let status = Visitor.step(.element(index, stride: stride), from: first) { place in
        nested(record, element, at: place)
      }
      if status != ok { return status }
      node = element.after
      index &+= 1
    }
    return ok
  }

  /// - Parameter names: Of members that are not the map's.
  private mutating func visitMap(
    _ field: FieldRef, _ json: JSON, at place: Place, _ count: inout Int,
    besides names: KnownNames? = nil
  ) -> Status {
    guard json.kind == .object else {
      return visitor.fail(typeMismatch, json, .map, field, nil, at: place)
    }
    guard let record = field.record else { return ok }
    let members = json.count
    let others = names.map { $0.countOthers(among: json, members) } ?? members
    guard let others else { return Status(DECANT_OUT_OF_MEMORY) }
    var first: Place? = place
    if others > 0 {
      first = visitor.room(others, of: record.size, cleared: true, for: json, at: place)
    }
    guard let first else { return blockIsFull }
    let outer = key
    let leavesOut = field.has(DECANT_LEAVE_OUT)
    var out = 0
    let status = forEachMember(of: json, members) { name, value in
      if let names {
        var isKnown = false
        let status = names.find(name, json.reference.allocator, &isKnown)
        if status != ok || isKnown { return status }
      }
      key = name
      var isLeftOut = false
      let status = Visitor.step(.member(name, count, stride: record.size), from: first) { place in
        if !leavesOut { return nested(record, value, at: place) }
        let start = visitor.beginPart()
        let status = nested(record, value, at: place)
        isLeftOut = visitor.isLeftOut(status, since: start, at: place, record.size)
        return isLeftOut ? partIsLeftOut : status
      }
      if isLeftOut { out += 1 } else { count += 1 }
      return isLeftOut ? ok : status
    }
    key = outer
    leftOut = out
    if status != ok { return status }
    if field.accepts(count: count) { return ok }
    return visitor.fail(invalidValue, json, .map, field, .count(count, kind: .map), at: place)
  }
}

// MARK: - The members of a map

/// Calls `body` with every member that counts, in document order, until it returns a failure.
func forEachMember(
  of json: JSON, _ count: Int, _ body: (Text, JSON) -> Status
) -> Status {
  // A bit for each member. Small objects keep theirs on the stack. Other engines have no duplicates.
  let bytes = json.isNative ? (count + 7) / 8 : 0
  return withMemory(bytes, onStack: 128, json.reference.allocator) { shadowed in
    shadowed.clear(bytes)
    let code =
      json.isNative
      ? unsafe decant_shadowed_members(json.context, json.node, shadowed.bytePointer) : ok
    if code != ok { return code }
    var members = ChildCursor(json)
    var index = 0
    while let node = members.next(in: json) {
      let isShadowed =
        json.isNative && shadowed.load(UInt8.self, at: index >> 3) & (1 << UInt8(index & 7)) != 0
      index += 1
      if isShadowed { continue }
      let name =
        json.isNative
        ? JSON(node - 1, within: json).text
        : (members.foreignKey, false)
      guard let name else { continue }
      let status = body(name, JSON(node, within: json))
      if status != ok { return status }
    }
    return ok
  }
}
