// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// After filling has stopped, reports all errors of a value, each with its path and place. It writes only to the report.
// Long strings with escapes, and objects with many members, need memory meanwhile.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct RecordReport: RecordVisitor {
  /// The path to a value, as steps in the frames of the walk.
  typealias Place = StepPath

  var report: Report
  /// Whether memory was exhausted, so that something may be wrong that was not seen.
  private(set) var isShort = false
  /// Values that are no objects although the table has members of them: each is an error once, however many pointers
  /// lead through it. The last ones alone are remembered.
  private var obstacles = SIMD8(repeating: DECANT_NODE_NONE)
  private var obstacleCount = 0

  /// The memory of the visited values, and its limit.
  private var measure = RecordMeasure(isEstimate: false)
  private let memory: (left: Int, limit: Int)
  private var isOverLimit = false
  /// Parts around the present one that are left out if they do not fit, and how many errors those had.
  private var parts = 0
  private var leftOutErrors = 0
  /// Whether only the errors of parts that were left out are reported, for a value that was filled.
  private let tellsLeftOut: Bool
  /// Whether members that no field names are errors of every table.
  private let rejectsUnknown: Bool

  /// - Parameter memory: how many bytes the value's block may have, and how many the document.
  init(
    _ report: Report, _ memory: (left: Int, limit: Int), rejectsUnknown: Bool,
    tellsLeftOut: Bool = false
  ) {
    self.tellsLeftOut = tellsLeftOut
    self.report = report
    self.memory = memory
    self.rejectsUnknown = rejectsUnknown
  }

  var rewinds: Bool { true }
  static var countsLeftOut: Bool { true }

  private var status: Status { report.isDone ? reportIsFull : ok }

  func absent(_ field: FieldRef, isNull: Bool, in record: Place) -> Status { ok }
  func finish(_ field: FieldRef, _ count: Int, in record: Place) {}

  // MARK: - Memory

  mutating func room(
    _ count: Int, of stride: Int, cleared: Bool, for json: JSON, at place: Place
  ) -> Place? {
    let isMeasured = measure.room(count, of: stride, cleared: cleared, for: json, at: ()) != nil
    checkMemory(isMeasured, json, at: place)
    return place
  }

  /// Reports the value with which the block has more bytes than it may, once.
  private mutating func checkMemory(_ isMeasured: Bool, _ json: JSON, at place: Place) {
    if isMeasured && measure.size <= memory.left || isOverLimit { return }
    isOverLimit = true
    _ = add(RecordError(Status(DECANT_TOO_LARGE), json, .memory(memory.limit)), json, at: place)
  }

  // MARK: - Steps

  static func step(_ step: WalkStep, from place: Place, _ body: (Place) -> Status) -> Status {
    switch step {
    case .field(let field): place.adding(.field(field), body)
    case .element(let index, _): place.adding(.index(index), body)
    case .member(let key, _, _):
      place.adding(.member(key.bytes, isEscaped: key.isEscaped), body)
    case .document(let outer, let node): place.adding(.document(outer, node), body)
    case .part: body(place)
    }
  }

  // MARK: - Absent

  mutating func missing(_ field: FieldRef, in json: JSON, _ record: Place) -> Status {
    if !field.key.isText {
      return record.adding(.field(field)) {
        add(
          RecordError(
            Status(DECANT_INVALID_RECORD), json, .words("the record's key is not UTF-8")),
          json, at: $0, hasMark: false)
      }
    }
    if !field.isPointer {
      return missing(.field(field), field, in: json, record) { field.key.scalars().write(to: &$0) }
    }
    let (parent, end) = json.reach(field.key)
    let reached = JSON(parent, within: json)
    let token = tokenOfPointer(field.key, at: end)
    let isElement = reached.kind == .array && JSONPointer.arrayIndex(token) != nil
    guard reached.kind == .object || isElement else {
      return record.adding(.pointer(field.key[0..<end])) { mismatch(.record, reached, at: $0) }
    }
    return missing(
      .pointer(field.key[0..<end + 1 + token.count]), field, in: reached, record,
      isElement ? DECANT_MISSING_ELEMENT : DECANT_MISSING_KEY
    ) { sink in
      withKey(ofToken: token) { $0.scalars().write(to: &sink) }
    }
  }

  private mutating func missing(
    _ step: PathStep.Step, _ field: FieldRef, in json: JSON, _ record: Place,
    _ code: Int = DECANT_MISSING_KEY, name: (inout ErrorSink) -> Void
  ) -> Status {
    let error = RecordError(
      Status(code), missing: name, of: field, in: json, isWritten: report.writesNext)
    return record.adding(step) {
      add(error, json, at: $0, note: code == DECANT_MISSING_KEY)
    }
  }

  // MARK: - Parts that do not fit

  mutating func beginPart() -> Int {
    parts += 1
    return leftOutErrors
  }

  mutating func isLeftOut(
    _ status: Status, since start: Int, at place: Place, _ stride: Int
  ) -> Bool {
    parts -= 1
    let isLeftOut = leftOutErrors != start
    // The part that contains this one may be valid.
    leftOutErrors = start
    return status == ok && isLeftOut
  }

  /// Whether an error is reported. One that only leaves its part out is not, unless those are. Exceeded limits, faults of the
  /// table, and members that no field names are errors all the same.
  private mutating func reports(_ code: DecodeError.Code) -> Bool {
    let isOfPart =
      parts > 0 && isLeavable(code.rawValue) && code.rawValue != DECANT_UNKNOWN_KEY
    if isOfPart { leftOutErrors += 1 }
    return isOfPart == tellsLeftOut
  }

  // MARK: - Members

  static var looksAtMembers: Bool { true }

  mutating func members(of record: RecordRef, _ json: JSON, at place: Place) -> Status {
    // A record that is a part of another one is checked with that.
    if place.last?.isItself == true || !record.rejectsUnknown(rejectsUnknown) { return ok }
    let status = record.forEachUnknownMember(of: json) { key, value, names in
      let error = RecordError(
        unknown: key, value, among: names, isWritten: report.writesNext)
      return place.adding(.member(key.bytes, isEscaped: key.isEscaped)) {
        add(error, value.isNative ? JSON(value.node - 1, within: json) : value, at: $0)
      }
    }
    if status == Status(DECANT_OUT_OF_MEMORY) { isShort = true }
    return self.status
  }

  // MARK: - Values

  mutating func key(_ key: Text, of value: JSON, _ field: FieldRef, in record: Place) -> Status {
    let isMeasured = measure.key(key, of: value, field, in: ()) == ok
    checkMemory(isMeasured, value, at: record)
    var isTooLong = false
    let status = withBytes(of: key, value.reference.allocator) {
      isTooLong = !field.canCount($0.count)
      return isTooLong || !field.counts(.key) && $0.hasNUL ? invalidValue : ok
    }
    if status == ok { return ok }
    guard status == invalidValue else {
      isShort = true
      return ok
    }
    let words: StaticString =
      isTooLong
      ? "the key is longer than its length can say"
      : "the key has a NUL byte, where a C string ends"
    return fail(
      status, value, .key, field, .words(words),
      accepted: isTooLong ? "a shorter key" : "a key without NUL bytes", at: record)
  }

  mutating func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Place, _ count: inout Int
  ) -> Status {
    if kind.needsBlock {
      let isMeasured = measure.leaf(value, kind, field, at: (), &count) == ok
      checkMemory(isMeasured, value, at: place)
    }
    switch kind {
    case .string, .text, .characters: return string(value, kind, field, at: place)
    case .flags: return flags(value, field, at: place)
    case .raw:
      return raw(value, field, at: place)
    case .base64:
      let status = withBytes(of: value) { Base64.count($0) == nil ? invalidValue : ok }
      return status == ok ? ok : complain(status, value, kind, field, at: place)
    case .fixedBase64:
      let status = storeFixedBase64(value, field, to: nil)
      return status == ok ? ok : complain(status, value, kind, field, at: place)
    case .converted: return converted(value, field, at: place)
    default:
      var room: (UInt64, UInt64) = (0, 0)
      let status = unsafe withUnsafeMutablePointer(to: &room) {
        unsafe store(value, kind, field, to: Memory(UnsafeMutableRawPointer($0)))
      }
      return status == ok ? ok : complain(status, value, kind, field, at: place)
    }
  }

  private mutating func string(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Place
  ) -> Status {
    var hasNUL = false
    let status = withBytes(of: value, field) { bytes in
      hasNUL = !field.counts(kind) && bytes.hasNUL
      return field.accepts(bytes: bytes.count, kind) && !hasNUL ? ok : invalidValue
    }
    if status == ok { return ok }
    guard status == invalidValue else { return complain(status, value, kind, field, at: place) }
    return fail(
      status, value, kind, field, hasNUL ? .nul : .lengths(kind: kind), at: place)
  }

  private mutating func converted(_ value: JSON, _ field: FieldRef, at place: Place) -> Status {
    withMemory(field.extentOfMember, onStack: 256, value.reference.allocator) { member in
      withConversionMessage { message in
        let status = storeConverted(value, field, to: member, message)
        if status == ok { return ok }
        if status == Status(DECANT_INVALID_UTF8) { return raw(value, field, at: place) }
        if status == typeMismatch { return mismatch(.string, value, at: place) }
        guard status == Status(DECANT_CUSTOM) else {
          return complain(status, value, .converted, field, at: place)
        }
        let text = message.conversionText
        let remark: RecordError.Remark = text.count > 0 ? .text(text) : .words("is not accepted")
        return add(
          RecordError(status, value, remark, accepted: "a value that its conversion accepts"),
          value,
          at: place)
      }
    }
  }

  private mutating func raw(_ value: JSON, _ field: FieldRef, at place: Place) -> Status {
    guard let text = value.rawText else { return failWithoutText(value, at: place) }
    if !value.isRawText {
      return add(
        RecordError(
          Status(DECANT_INVALID_UTF8), value, .words("a comment in the value is not UTF-8"),
          accepted: "comments in UTF-8"),
        value, at: place)
    }
    if !field.canCount(text.count) {
      return fail(
        invalidValue, value, .raw, field, .words("the value is longer than its length can say"),
        accepted: "a shorter value", at: place)
    }
    if field.counts(.raw) || !text.hasNUL { return ok }
    return add(
      RecordError(
        invalidValue, value,
        .words("a comment in the value has a NUL byte, where a C string ends"),
        accepted: "comments without NUL bytes"),
      value, at: place)
  }

  mutating func rest(
    _ json: JSON, _ field: FieldRef, of record: RecordRef, at place: Place, _ count: inout Int
  ) -> Status {
    checkMemory(measure.rest(json, field, of: record, at: (), &count) == ok, json, at: place)
    var length = 1
    let status = record.forEachOther(of: json) { key, value in
      guard let raw = value.rawText else { return failWithoutText(value, at: place) }
      length += key.bytes.count + raw.count + 4
      return place.adding(.member(key.bytes, isEscaped: key.isEscaped)) { place in
        if value.isRawText, field.counts(.raw) || !raw.hasNUL { return ok }
        return self.raw(value, field, at: place)
      }
    }
    if status == Status(DECANT_OUT_OF_MEMORY) { isShort = true }
    if length == 1 || field.canCount(length) { return self.status }
    return fail(
      invalidValue, json, .raw, field, .words("the members are longer than their length can say"),
      accepted: "shorter members", at: place)
  }

  private mutating func failWithoutText(_ value: JSON, at place: Place) -> Status {
    add(
      RecordError(Status(DECANT_UNSUPPORTED), value, .words("the engine does not keep raw text")),
      value, at: place)
  }

  private mutating func flags(_ value: JSON, _ field: FieldRef, at place: Place) -> Status {
    guard value.kind == .array else {
      return complain(typeMismatch, value, .flags, field, at: place)
    }
    var elements = value.elements
    var index = 0
    while !report.isDone, let element = elements.next() {
      var flag: Int64 = 0
      let status = DecantC.value(of: element, among: field.names, &flag)
      if status != ok {
        _ = Self.step(.element(index, stride: 0), from: place) { place in
          complain(status, element, .name, field, at: place)
        }
      }
      index += 1
    }
    return status
  }

  // MARK: - Saying it

  mutating func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, at place: Place
  ) -> Status {
    fail(status, value, kind, field, remark, accepted: nil, at: place)
  }

  private mutating func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, accepted: StaticString?, at place: Place
  ) -> Status {
    if status == typeMismatch { return mismatch(kind, value, field, at: place) }
    let error = RecordError(status, value, field: field, remark, accepted: accepted)
    return add(error, value, at: place)
  }

  private mutating func mismatch(
    _ kind: FieldKind, _ value: JSON, _ field: FieldRef? = nil, at place: Place
  ) -> Status {
    if kind.isObject {
      // Another engine has one node for every null: there, paths distinguish values.
      let obstacle = value.isNative ? value.node : place.digest(value.reference.allocator)
      guard let obstacle else {
        isShort = true
        return ok
      }
      if !isNewObstacle(obstacle &+ place.documentsDigest) { return status }
    }
    // A required value that is null counts as missing; elements are there, if only as null.
    let isMissing = value.isNull && place.isField
    let code = isMissing ? Status(DECANT_MISSING_KEY) : typeMismatch
    if !report.writesNext {
      if reports(DecodeError.Code(status: code)) { report.count(code) }
      return status
    }
    let expected = field?.expectation(kind) ?? kind.expectation
    return add(RecordError(code, value, expected: expected), value, at: place)
  }

  private mutating func isNewObstacle(_ node: UInt64) -> Bool {
    for place in 0..<8 where obstacles[place] == node { return false }
    obstacles[obstacleCount % 8] = node
    obstacleCount += 1
    return true
  }

  /// Whether a value is a number, or a string that spells one.
  private func isNumber(_ value: JSON) -> Bool {
    value.kind == .number || value.kind == .string && withNumber(in: value) { _ in ok } == ok
  }

  private mutating func complain(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Place
  ) -> Status {
    let error: RecordError
    switch status {
    case typeMismatch where field.has(DECANT_EPOCH): return mismatch(.int64, value, at: place)
    case typeMismatch: return mismatch(kind, value, field, at: place)
    case Status(DECANT_UNSUPPORTED): return failWithoutText(value, at: place)
    case invalidValue where isBeyondBounds(value, kind, field):
      error = RecordError(status, value, field: field, .range(kind: kind, isWhole: false))
    case invalidValue
    where kind == .time || kind == .date || kind == .uuid || kind == .base64 || kind == .fixedBase64:
      error = RecordError(status, value, expected: field.expectation(kind))
    case outOfRange where kind == .time && !field.has(DECANT_EPOCH):
      error = RecordError(
        status, value, .words("the time does not fit into 64 bits of its unit"),
        accepted: "a time that fits into 64 bits of its unit")
    case invalidValue where kind == .decimal && isNumber(value):
      error = RecordError(
        status, value, .words("the number has more digits behind the point than the decimal"),
        accepted: "fewer digits behind the point")
    case outOfRange where kind == .decimal:
      error = RecordError(
        status, value, .words("the number has more digits than the decimal"),
        accepted: "fewer digits")
    case notAnInteger: error = RecordError(status, value, expected: "an integer")
    case outOfRange:
      error = RecordError(status, value, field: field, .range(kind: kind, isWhole: true))
    case invalidValue where kind == .name:
      let hasNames = !ColumnNames(field).isEmpty
      error = RecordError(status, value, field: field, hasNames ? .names : nil)
    case invalidValue where value.kind == .string && !isNumber(value):
      error = RecordError(status, value, .notNumber)
    case invalidValue:
      error = RecordError(status, value, field: field, .range(kind: kind, isWhole: false))
    case Status(DECANT_INVALID_RECORD):
      error = RecordError(status, value, .words("the name's value does not fit into 32 bits"))
    default:
      isShort = true
      return ok
    }
    return add(error, value, at: place)
  }

  /// Whether a time, a date or a decimal is one, which the field's bounds exclude.
  private func isBeyondBounds(_ value: JSON, _ kind: FieldKind, _ field: FieldRef) -> Bool {
    guard kind.hasUnits, field.hasBounds else { return false }
    return withStackMemory(16) { memory in
      field.row.unbounded { store(value, kind, $0, to: memory) == ok }
    }
  }

  private mutating func add(
    _ error: RecordError, _ value: JSON, at place: Place, note: Bool = false, hasMark: Bool = true
  ) -> Status {
    let mark = value.isNative && hasMark ? value.token : nil
    if place.document != nil {
      return addInner(
        error, at: mark?.lowerBound, in: value.reference, place, note ? value.node : nil)
    }
    if !reports(error.code) { return status }
    report.add(error, at: mark, object: note ? value.node : nil) {
      value.reference.writePath(place, to: &$0)
    }
    return status
  }

  // MARK: - Inner documents

  mutating func leaveInner(_ inner: ContextRef) { report.leave(inner) }

  mutating func refuse(
    _ status: Status, _ value: JSON, inner: ContextRef?, at place: Place
  ) -> Status {
    guard let inner else {
      let code = value.isNull && place.isField ? Status(DECANT_MISSING_KEY) : status
      return add(RecordError(code, value, expected: "a string of JSON"), value, at: place)
    }
    if status == Status(DECANT_OUT_OF_MEMORY) {
      isShort = true
      return ok
    }
    return place.adding(.document(value.reference, value.node)) { place in
      // SAFETY: on failure another engine leaves a C string there (decant_engine.h), until the reader frees it.
      let words = unsafe inner.isNative ? nil : inner.pointer.pointee.engine_state
      let reason = unsafe words.map { unsafe Memory($0).cString }
      var facts = DocumentFacts(
        inner, DecodeError.Code(status: status), reason: reason?.scalars())
      let offset = facts.offset
      if status == Status(DECANT_DUPLICATE_KEY), let offset {
        var lines = LineCounter(inner, isKept: false)
        facts.otherLocation = lines.location(of: inner.otherErrorOffset)
        let isTold = unsafe withDuplicateKey(
          at: offset, in: inner.source, inner.rules, inner.pointer.pointee.allocator
        ) { root, node in
          facts.duplicate = JSON(node, within: root).scalars
          _ = addInner(facts, at: offset, in: inner, place, nil, (root.reference, node))
        }
        if isTold { return self.status }
      }
      return addInner(facts, at: offset, in: inner, place, nil)
    }
  }

  /// Adds an error of an inner document, as one about the string of the outermost one.
  private mutating func addInner(
    _ facts: some ErrorFacts, at offset: Int?, in inner: ContextRef, _ place: Place,
    _ object: UInt64?, _ duplicate: (ContextRef, UInt64)? = nil
  ) -> Status {
    if !reports(facts.code) { return status }
    var path = place
    var string: (outer: ContextRef, node: UInt64)?
    while let (outer, node, above) = path.document { (string, path) = ((outer, node), above) }
    guard let string else { return status }
    let error = InnerError(
      facts: facts, offset: offset, inner: inner, place: place, duplicate: duplicate,
      outer: string.outer, node: string.node)
    let value = string.outer.view(string.node)
    report.add(error, at: value.isNative ? value.token : nil, object: object, of: inner) {
      string.outer.writePath(path, to: &$0)
    }
    return status
  }
}

/// An error of a document that a string spells, about that string:
/// `in the inner document, 1:6: /a: expected an integer, found the string "x"`.
private struct InnerError<Facts: ErrorFacts>: ErrorFacts {
  let facts: Facts
  /// The place in the inner document, and the document.
  let offset: Int?
  let inner: ContextRef
  /// The path there, through every document.
  let place: StepPath
  /// A duplicate key, which the path leads to.
  let duplicate: (ContextRef, UInt64)?
  /// The string of the outermost document.
  let outer: ContextRef
  let node: UInt64

  /// The value is of the right kind, and its text is not acceptable; limits and memory are what they are everywhere.
  var code: DecodeError.Code {
    switch facts.code.category {
    case .limit, .memory: facts.code
    case .syntax, .data, .input: .invalidValue
    }
  }

  var redacts: Bool { outer.redacts }

  func has(_ part: ErrorPart) -> Bool {
    switch part {
    case .message, .found, .bareFound, .accepted: true
    case .expected, .remark, .key, .nearKey: false
    }
  }

  func write(_ part: ErrorPart, to sink: inout ErrorSink) {
    if part == .accepted { return sink.add("a string of JSON that the field accepts") }
    if part != .message {
      outer.view(node).writeFound(to: &sink, redacts: redacts, isBare: part == .bareFound)
      return
    }
    tell(place, offset, in: inner, to: &sink) { facts.writeMessage(to: &$0) }
  }

  /// Writes what `body` tells of a place in a document, and before it, in which documents that is.
  private func tell(
    _ place: StepPath, _ offset: Int?, in context: ContextRef, to sink: inout ErrorSink,
    _ body: (inout ErrorSink) -> Void
  ) {
    guard let (outer, node, above) = place.document else { return body(&sink) }
    let string = outer.view(node)
    tell(above, string.isNative ? string.token.lowerBound : nil, in: outer, to: &sink) { sink in
      sink.add("in the inner document")
      var lines = LineCounter(context, isKept: false)
      let location = offset.map { lines.location(of: $0) }
      func writePath(_ sink: inout ErrorSink) {
        place.write(to: &sink)
        if let duplicate, context.isSame(as: inner) {
          duplicate.0.root.writePath(downTo: duplicate.1 + 1, to: &sink)
        }
      }
      var ruler = unsafe ErrorSink(UnsafeMutableRawBufferPointer(start: nil, count: 0))
      writePath(&ruler)
      sink.add(location == nil && ruler.length == 0 ? ": " : ", ")
      sink.addPlace(source: nil as ScalarReader?, location: location, path: writePath)
      body(&sink)
    }
  }
}

extension ContextRef {
  fileprivate func isSame(as other: ContextRef) -> Bool { unsafe pointer == other.pointer }
}

extension StepPath {
  /// A digest of the strings whose documents the path leads through; 0 if there are none.
  fileprivate var documentsDigest: UInt64 {
    guard let (_, node, above) = document else { return 0 }
    return (above.documentsDigest &+ node &+ 1) &* 0x9E37_79B9_7F4A_7C15
  }
}
