// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// After the writer has stopped: the same walk once more, to the end, only to tell everything that is wrong,
// each with its path and place. Nothing is written but the report, and nothing allocated.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct RecordDiagnosis {
  var report: Report
  private var depth = 0

  init(_ report: Report) { self.report = report }

  typealias Path = UnsafePointer<PathStep>?

  // SAFETY of all that follows: the table was checked, and the document is open.
  mutating func check(_ record: Record, _ json: JSON, _ path: Path, isElement: Bool = false) {
    if depth >= deepestRecord {
      return unsafe report.add(Status(DECANT_TOO_DEEP), offset: offset(json), path: path) {
        $0.add("records nest more than 32 deep")
      }
    }
    depth += 1
    defer { depth -= 1 }
    let isObject = json.kind == .object
    var isTold = false
    for index in unsafe 0..<record.pointee.field_count {
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

  private func offset(_ json: JSON) -> Int? { json.isNative ? json.offset : nil }

  // MARK: - Absent

  private mutating func missing(_ field: Field, _ json: JSON, _ path: Path) {
    if unsafe !isText(field.keyStart, field.keyLength) {
      var step = unsafe PathStep(
        parent: path, start: field.keyStart, count: field.keyLength, form: .key)
      return unsafe report.add(Status(DECANT_INVALID_RECORD), offset: nil, path: &step) {
        $0.add("the record's key is not UTF-8")
      }
    }
    if unsafe field.pointee.mayBeAbsent && isAbsent(field, in: json) { return }
    guard unsafe field.pointee.has(DECANT_POINTER) else {
      var step = unsafe PathStep(
        parent: path, start: field.keyStart, count: field.keyLength, form: .key)
      return unsafe report.add(Status(DECANT_MISSING_KEY), offset: offset(json), path: &step) {
        $0.add("the key is missing")
      }
    }
    let (parent, place) = unsafe lastReached(field, in: json)
    let reached = JSON(parent, within: json)
    let token = unsafe tokenOfPointer(field, at: place)
    var above = unsafe PathStep(
      parent: path, start: field.keyStart, count: place, form: .pointer)
    var below = unsafe PathStep(
      parent: path, start: field.keyStart, count: place + 1 + token.count, form: .pointer)
    let isIndex = unsafe isArrayIndex(token.start, token.count)
    switch reached.kind {
    case .object:
      unsafe report.add(Status(DECANT_MISSING_KEY), offset: offset(reached), path: &below) {
        $0.add("the key is missing")
      }
    case .array where isIndex:
      unsafe report.add(Status(DECANT_MISSING_ELEMENT), offset: offset(reached), path: &below) {
        $0.add("the element is missing")
      }
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
        unsafe report.add(Status(DECANT_UNSUPPORTED), offset: nil, path: path) {
          $0.add("the engine does not keep raw text")
        }
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
    unsafe report.add(status, offset: offset(json), path: path) { text in
      writeFound(json, to: &text)
      text.add(isEmpty ? " is too short" : " is of a length that is not accepted")
      unsafe Self.writeLengths(of: field, kind, "bytes", to: &text)
    }
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
        unsafe report.add(invalidValue, offset: offset(json), path: path) { text in
          text.add("an array of ")
          text.add(count)
          text.add(count == 1 ? " element is not accepted" : " elements is not accepted")
          unsafe Self.writeLengths(of: field, kind, "elements", to: &text)
        }
      }
    }
    let element = Int(unsafe field.pointee.element)
    var elements = json.elements
    var index = 0
    while let value = elements.next() {
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
    if status != ok {
      return unsafe report.add(status, offset: nil, path: nil) { $0.add("out of memory") }
    }
    if unsafe !isInBounds(count: count, field) {
      unsafe report.add(invalidValue, offset: offset(json), path: path) { text in
        text.add("an object of ")
        text.add(count)
        text.add(count == 1 ? " member is not accepted" : " members is not accepted")
        unsafe Self.writeLengths(of: field, DECANT_MAP, "members", to: &text)
      }
    }
  }

  // MARK: - Saying it

  private mutating func mismatch(
    _ expected: StaticString, _ json: JSON, _ path: Path, isElement: Bool
  ) {
    // A required value that is null counts as missing; elements are there, if only as null.
    let isMissing = unsafe json.isNull && !isElement && path != nil
    let code = isMissing ? Status(DECANT_MISSING_KEY) : typeMismatch
    unsafe report.add(code, offset: offset(json), path: path) { text in
      text.add("expected ")
      text.add(expected)
      text.add(", found ")
      writeFound(json, to: &text)
    }
  }

  private mutating func complain(
    _ status: Status, _ field: Field, _ kind: Int, _ json: JSON, _ path: Path, isElement: Bool
  ) {
    switch status {
    case typeMismatch: unsafe mismatch(Self.expectation(kind), json, path, isElement: isElement)
    case notAnInteger:
      unsafe report.add(status, offset: offset(json), path: path) { text in
        text.add("expected an integer, found ")
        writeFound(json, to: &text)
      }
    case outOfRange:
      unsafe report.add(status, offset: offset(json), path: path) { text in
        writeFound(json, to: &text)
        text.add(" is out of range: ")
        text.add(Self.range(kind))
      }
    case invalidValue:
      unsafe report.add(status, offset: offset(json), path: path) { text in
        writeFound(json, to: &text)
        if kind == DECANT_ENUM {
          unsafe Self.writeNames(field.pointee.names, to: &text)
        } else if json.kind == .string {
          text.add(" is not a number")
        } else {
          text.add(" is not an accepted value")
          unsafe Self.writeRange(field, kind, to: &text)
        }
      }
    default:
      unsafe report.add(status, offset: offset(json), path: path) { $0.add("out of memory") }
    }
  }

  private static func writeNames(_ names: UnsafePointer<decant_name>, to text: inout TextWriter) {
    text.add(" is not one of ")
    var count = 0
    while let name = unsafe names[count].name {
      if count > 0 { text.add(", ") }
      if count == 20 { return text.add("…") }
      let bytes = unsafe UnsafeBufferPointer(
        start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self),
        count: decant_c_string_length(name))
      unsafe text.addQuoted(bytes, isEscaped: false)
      count += 1
    }
  }

  private static func writeLengths(
    of field: Field, _ kind: Int, _ unit: StaticString, to text: inout TextWriter
  ) {
    var least = 0
    var most: Int?
    if let bounds = unsafe field.pointee.bounds?.pointee,
      bounds.shortest != 0 || bounds.longest != 0
    {
      least = bounds.shortest
      most = bounds.longest
    }
    let capacity = Int(unsafe field.pointee.capacity)
    if kind == DECANT_CHARS { most = min(most ?? .max, capacity - 1) }
    if kind == DECANT_FIXED_ARRAY {
      most = min(most ?? .max, capacity)
      if unsafe field.pointee.lengthOffset == nil { least = capacity }
    }
    text.add(": ")
    text.add(least)
    text.add(" to ")
    text.add(most ?? 0)
    text.add(" ")
    text.add(unit)
  }

  private static func writeRange(_ field: Field, _ kind: Int, to text: inout TextWriter) {
    guard let bounds = unsafe field.pointee.bounds?.pointee,
      kind != DECANT_FLOAT && kind != DECANT_DOUBLE
    else { return }
    text.add(": ")
    text.add(Int(bounds.minimum))
    text.add(" to ")
    text.add(Int(bounds.maximum))
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

  private static func range(_ kind: Int) -> StaticString {
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

/// What stands somewhere: the kind, with the value if it is short enough to help.
func writeFound(_ json: JSON, to text: inout TextWriter) {
  switch json.kind {
  case .missing: text.add("nothing")
  case .null: text.add("null")
  case .bool: text.add(json.isTrue ? "true" : "false")
  case .array: text.add(json.count == 0 ? "an empty array" : "an array")
  case .object: text.add(json.count == 0 ? "an empty object" : "an object")
  case .number:
    text.add("the number ")
    writeNumber(json, to: &text)
  case .string:
    text.add("the string ")
    if json.isNative {
      let bytes = unsafe UnsafeBufferPointer(
        start: json.context.pointee.text + (json.offset + 1),
        count: decant_string_length(json.context, json.node))
      unsafe text.addQuoted(
        bytes, isEscaped: json.high & UInt32(DECANT_STRING_ESCAPE) != 0)
    } else {
      _ = unsafe withBytes(of: json) { bytes in
        unsafe text.addQuoted(bytes, isEscaped: false)
        return ok
      }
    }
  }
}

private func writeNumber(_ json: JSON, to text: inout TextWriter) {
  if let bytes = unsafe json.rawBytes {
    let characters = unsafe bytes.assumingMemoryBound(to: UInt8.self)
    return text.addExcerpt(unsafe ScalarReader(characters, isEscaped: false), limit: 40)
  }
  guard let engine = unsafe json.foreign else { return }
  var integer: Int64 = 0
  if unsafe engine.pointee.integer(json.context, json.node, &integer) {
    return text.add(Int(integer))
  }
  #if !hasFeature(Embedded)
    for scalar in (json.foreignReal ?? 0).description.unicodeScalars { text.add(scalar) }
  #endif
}
