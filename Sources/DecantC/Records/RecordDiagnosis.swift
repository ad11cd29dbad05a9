// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// After the writer has stopped: the same walk once more, to the end, only to tell everything that is wrong,
// each with its path and place. Nothing is written but the report. Strings with escapes that are long, and
// objects with many members, need memory while they are looked at.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct RecordDiagnosis {
  var report: Report
  /// Whether memory was exhausted, so that something may be wrong that was not seen.
  private(set) var isShort = false
  private var depth = 0
  private var records = 0

  init(_ report: Report) { self.report = report }

  typealias Path = UnsafePointer<PathStep>?

  // SAFETY of all that follows: the table was checked, and the document is open.
  mutating func check(_ record: Record, _ json: JSON, _ path: Path, isElement: Bool = false) {
    if depth >= deepestRecord {
      return unsafe add(
        Status(DECANT_TOO_DEEP), json, path, .words("records nest more than 32 deep"))
    }
    records += 1
    if records > mostRecords(in: json) {
      if records > mostRecords(in: json) &+ 1 { return }
      return unsafe add(
        Status(DECANT_TOO_DEEP), json, path, .words("records refer to one value too often"))
    }
    depth += 1
    defer { depth -= 1 }
    let isObject = json.kind == .object
    var isTold = false
    for index in unsafe 0..<record.pointee.field_count {
      if report.isDone { return }
      let field = unsafe record.pointee.fields + index
      if unsafe Int(field.pointee.kind) == DECANT_KEY { continue }
      if !isObject, unsafe !field.pointee.has(DECANT_POINTER) {
        if !isTold { unsafe mismatch("an object", json, path, isElement: isElement) }
        isTold = true
        continue
      }
      let node = unsafe node(of: field, in: json)
      if node == DECANT_NODE_NONE {
        unsafe missing(field, json, path)
        continue
      }
      var step = unsafe PathStep(
        parent: path, start: field.keyStart, count: field.keyLength,
        form: field.pointee.has(DECANT_POINTER) ? .pointer : .key)
      let value = JSON(node, within: json)
      unsafe withUnsafePointer(to: &step) { step in
        unsafe check(field, Int(field.pointee.kind), value, step)
      }
    }
  }

  private mutating func add(_ error: RecordError, _ json: JSON, _ path: Path, note: Bool = false) {
    let path = unsafe FieldPath(path, in: json.context)
    var mark: Report.Mark?
    if json.isNative {
      let length = json.isContainer ? 1 : json.scalarEnd - json.offset
      mark = Report.Mark(offset: json.offset, length: length)
    }
    report.add(
      error, at: mark, path: path, hasPath: !path.isEmpty, object: note ? json.node : nil)
  }

  private mutating func add(
    _ code: Status, _ json: JSON, _ path: Path, field: Field? = nil, _ remark: RecordError.Remark
  ) {
    unsafe add(RecordError(code, json, field: field, remark), json, path)
  }

  // MARK: - Absent

  private mutating func missing(_ field: Field, _ json: JSON, _ path: Path) {
    if unsafe !isText(field.keyStart, field.keyLength) {
      var step = unsafe PathStep(
        parent: path, start: field.keyStart, count: field.keyLength, form: .key)
      return unsafe report.add(
        RecordError(
          Status(DECANT_INVALID_RECORD), json, .words("the record's key is not UTF-8")),
        at: nil, path: FieldPath(&step, in: json.context), hasPath: true)
    }
    if unsafe field.pointee.mayBeAbsent && isAbsent(field, in: json) { return }
    guard unsafe field.pointee.has(DECANT_POINTER) else {
      var step = unsafe PathStep(
        parent: path, start: field.keyStart, count: field.keyLength, form: .key)
      let name = unsafe ScalarReader(
        UnsafeBufferPointer(start: field.keyStart, count: field.keyLength), isEscaped: false)
      return unsafe add(
        RecordError(Status(DECANT_MISSING_KEY), missing: name, in: json), json, &step, note: true)
    }
    let (parent, place) = unsafe lastReached(field, in: json)
    let reached = JSON(parent, within: json)
    let token = unsafe tokenOfPointer(field, at: place)
    var above = unsafe PathStep(
      parent: path, start: field.keyStart, count: place, form: .pointer)
    var below = unsafe PathStep(
      parent: path, start: field.keyStart, count: place + 1 + token.count, form: .pointer)
    let name = unsafe TokenName(token.start, token.count)
    let isIndex = unsafe isArrayIndex(token.start, token.count)
    switch reached.kind {
    case .object:
      unsafe add(
        RecordError(Status(DECANT_MISSING_KEY), missing: name, in: reached), reached, &below,
        note: true)
    case .array where isIndex:
      unsafe add(
        RecordError(Status(DECANT_MISSING_ELEMENT), missing: name, in: reached), reached, &below)
    default: unsafe mismatch("an object", reached, &above, isElement: false)
    }
  }

  // MARK: - Values

  private mutating func check(
    _ field: Field, _ kind: Int, _ json: JSON, _ path: Path, isElement: Bool = false
  ) {
    if json.isNull, !isElement, unsafe field.pointee.mayBeAbsent, kind != DECANT_KIND { return }
    switch kind {
    case DECANT_STRING, DECANT_TEXT, DECANT_CHARS:
      unsafe checkString(field, kind, json, path, isElement: isElement)
    case DECANT_RAW:
      if !json.isNative {
        unsafe add(
          Status(DECANT_UNSUPPORTED), json, path, .words("the engine does not keep raw text"))
      }
    case DECANT_RECORD, DECANT_RECORD_POINTER:
      unsafe check(field.pointee.record, json, path, isElement: isElement)
      // A pointer stands for an object even if its record asks for nothing.
      if kind == DECANT_RECORD_POINTER, json.isNull, unsafe asksForNothing(field.pointee.record) {
        unsafe mismatch("an object", json, path, isElement: isElement)
      }
    case CDecant.DECANT_ARRAY, DECANT_FIXED_ARRAY, DECANT_FLAGS:
      unsafe checkArray(field, kind, json, path, isElement: isElement)
    case DECANT_MAP: unsafe checkMap(field, json, path)
    default:
      var room: UInt64 = 0
      let status = unsafe withUnsafeMutablePointer(to: &room) {
        unsafe store(json, kind, field, to: UnsafeMutableRawPointer($0))
      }
      if status != ok { unsafe complain(status, field, kind, json, path, isElement: isElement) }
    }
  }

  private func asksForNothing(_ record: Record) -> Bool {
    for index in unsafe 0..<record.pointee.field_count
    where unsafe !record.pointee.fields[index].has(DECANT_POINTER) { return false }
    return true
  }

  private mutating func checkString(
    _ field: Field, _ kind: Int, _ json: JSON, _ path: Path, isElement: Bool
  ) {
    let isArray = unsafe Int(field.pointee.kind) >= CDecant.DECANT_ARRAY
    var isEmpty = false
    let status = unsafe withBytes(of: json) { bytes in
      if kind == DECANT_CHARS, unsafe bytes.count >= Int(field.pointee.capacity) {
        return invalidValue
      }
      isEmpty = bytes.isEmpty
      return unsafe isArray || isInBounds(count: bytes.count, field) ? ok : invalidValue
    }
    if status == ok { return }
    guard status == invalidValue else {
      return unsafe complain(status, field, kind, json, path, isElement: isElement)
    }
    unsafe add(status, json, path, field: field, .lengths(kind: kind, isEmpty: isEmpty))
  }

  private mutating func checkArray(
    _ field: Field, _ kind: Int, _ json: JSON, _ path: Path, isElement: Bool
  ) {
    guard json.kind == .array else {
      return unsafe mismatch("an array", json, path, isElement: isElement)
    }
    let count = json.count
    if kind != DECANT_FLAGS {
      let isAccepted =
        unsafe kind == CDecant.DECANT_ARRAY ? isInBounds(count: count, field) : fits(count, field)
      if !isAccepted {
        unsafe add(invalidValue, json, path, field: field, .count(count, kind: kind))
      }
    }
    let element = Int(unsafe field.pointee.element)
    var elements = json.elements
    var index = 0
    while !report.isDone, let value = elements.next() {
      var step = unsafe PathStep.index(index, parent: path)
      unsafe withUnsafePointer(to: &step) { step in
        if kind == DECANT_FLAGS {
          var flags: UInt32 = 0
          let status = unsafe flag(value, field, &flags)
          if status != ok {
            unsafe complain(status, field, DECANT_ENUM, value, step, isElement: true)
          }
        } else {
          unsafe check(field, element, value, step, isElement: true)
        }
      }
      index += 1
    }
  }

  private mutating func checkMap(_ field: Field, _ json: JSON, _ path: Path) {
    guard json.kind == .object else {
      return unsafe mismatch("an object", json, path, isElement: false)
    }
    let members = json.count
    var count = 0
    let status = forEachMember(of: json, members) { key, value in
      count += 1
      var step = unsafe PathStep(
        parent: path, start: key.start, count: key.count, form: key.isEscaped ? .escapedKey : .key)
      unsafe withUnsafePointer(to: &step) { step in
        unsafe check(field.pointee.record, value, step, isElement: true)
      }
      return ok
    }
    if status != ok { return isShort = true }
    if unsafe !isInBounds(count: count, field) {
      unsafe add(invalidValue, json, path, field: field, .count(count, kind: DECANT_MAP))
    }
  }

  // MARK: - Saying it

  private mutating func mismatch(
    _ expected: StaticString, _ json: JSON, _ path: Path, isElement: Bool
  ) {
    // A required value that is null counts as missing; elements are there, if only as null.
    let isField = unsafe path.map { unsafe !$0.pointee.isItself } ?? false
    let isMissing = json.isNull && !isElement && isField
    let code = isMissing ? Status(DECANT_MISSING_KEY) : typeMismatch
    unsafe add(RecordError(code, json, expected: expected), json, path)
  }

  private mutating func complain(
    _ status: Status, _ field: Field, _ kind: Int, _ json: JSON, _ path: Path, isElement: Bool
  ) {
    switch status {
    case typeMismatch: unsafe mismatch(Self.expectation(kind), json, path, isElement: isElement)
    case notAnInteger: unsafe add(RecordError(status, json, expected: "an integer"), json, path)
    case outOfRange: unsafe add(RecordError(status, json, expected: Self.type(kind)), json, path)
    case invalidValue where kind == DECANT_ENUM:
      unsafe add(status, json, path, field: field, .names)
    case invalidValue where json.kind == .string: unsafe add(status, json, path, .notNumber)
    case invalidValue: unsafe add(status, json, path, field: field, .range(kind: kind))
    default: isShort = true
    }
  }

  private static func expectation(_ kind: Int) -> StaticString {
    switch kind {
    case DECANT_BOOL: "a boolean"
    case DECANT_FLOAT, DECANT_DOUBLE: "a number"
    case DECANT_STRING, DECANT_TEXT, DECANT_CHARS, DECANT_ENUM: "a string"
    case DECANT_FLAGS, CDecant.DECANT_ARRAY, DECANT_FIXED_ARRAY: "an array"
    case DECANT_RECORD, DECANT_RECORD_POINTER, DECANT_MAP: "an object"
    default: "an integer"
    }
  }

  private static func type(_ kind: Int) -> StaticString {
    switch kind {
    case DECANT_INT8: "an Int8"
    case DECANT_INT16: "an Int16"
    case DECANT_INT32: "an Int32"
    case DECANT_UINT8: "a UInt8"
    case DECANT_UINT16: "a UInt16"
    case DECANT_UINT32: "a UInt32"
    case DECANT_UINT64: "a UInt64"
    case DECANT_FLOAT: "a Float"
    case DECANT_DOUBLE: "a Double"
    default: "an Int64"
    }
  }
}
