// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Writes the description of a table. Reading it makes a table that accepts the same documents, with a struct of its own.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

struct SchemaWriter {
  var text: BoundedText
  /// A part of the table that descriptions cannot express; nil if there is none.
  private(set) var fault: RecordFault?
  private var depth = 0

  init(_ text: BoundedText) { self.text = text }

  mutating func write(_ record: RecordRef) {
    text.add("{")
    if record.has(DECANT_CLOSED) { text.add("\"closed\":true,") }
    if record.has(DECANT_ANY_CASE) { text.add("\"any_case\":true,") }
    text.add("\"fields\":")
    writeFields(record, from: nil, of: nil)
    text.add("}")
  }

  /// The fields of a record, which a field of `holder` holds.
  private mutating func writeFields(
    _ record: RecordRef, from field: FieldRef?, of holder: RecordRef?
  ) {
    // A record that holds itself is deeper than any other.
    if depth > deepestRecord {
      fault = RecordFault(
        message: "a record that holds itself has no description", record: holder, field: field)
      return
    }
    depth += 1
    defer { depth -= 1 }
    var separator: StaticString = "["
    for field in record.fields {
      text.add(separator)
      separator = ","
      write(field, of: record)
      if fault != nil { return }
    }
    if record.fieldCount == 0 { text.add("[") }
    text.add("]")
  }

  private mutating func write(_ field: FieldRef, of record: RecordRef) {
    let kind = field.kind
    if kind == .union {
      fault = RecordFault(
        message: "a DECANT_UNION has no description", record: record, field: field)
      return
    }
    if field.content == .converted {
      fault = RecordFault(
        message: "a DECANT_CONVERTED has no description", record: record, field: field)
      return
    }
    text.add("{")
    if kind != .key {
      if field.hasKey {
        text.add(field.isPointer && !field.isRest ? "\"pointer\":" : "\"key\":")
        if !text.add(quoting: field.key) {
          fault = RecordFault(message: "key is not UTF-8", record: record, field: field)
          return
        }
        text.add(",")
      }
      if let column = field.column {
        text.add("\"column\":")
        if !text.add(quoting: column) {
          fault = RecordFault(message: "column is not UTF-8", record: record, field: field)
          return
        }
        text.add(",")
      }
    }
    text.add("\"kind\":\"")
    text.add(kind.word)
    text.add("\"")
    if kind == .array || kind == .fixedArray {
      add(.element)
      text.add("\"")
      // Where a record is in memory is about the struct alone.
      text.add(field.element == .recordPointer ? FieldKind.record.word : field.element.word)
      text.add("\"")
    }
    if field.has(DECANT_OPTIONAL), isKnown(.optional, to: field) { addTrue(.optional) }
    if field.has(DECANT_FROM_TEXT), isKnown(.fromText, to: field) { addTrue(.fromText) }
    if field.has(DECANT_NULL_ELEMENTS) { addTrue(.nullElements) }
    if field.has(DECANT_EMBEDDED) { addTrue(.embedded) }
    if field.has(DECANT_INTEGRAL) { addTrue(.integral) }
    if field.has(DECANT_LEAVE_OUT) { addTrue(.leaveOut) }
    if field.isRest { addTrue(.rest) }
    if field.hasOtherKeys, !writeOtherKeys(field) {
      fault = RecordFault(message: "one of other_keys is not UTF-8", record: record, field: field)
      return
    }
    if field.content == .time {
      switch field.unitsOfSecond {
      case 1: add(.unit, word: "s")
      case 1000: add(.unit, word: "ms")
      case 1_000_000: break
      default: add(.unit, word: "ns")
      }
      if field.has(DECANT_EPOCH) { addTrue(.epoch) }
      if field.has(DECANT_ZONELESS) { addTrue(.zoneless) }
      if let zone = field.zone {
        add(.zone)
        if !text.add(quoting: zone) {
          fault = RecordFault(message: "zone is not UTF-8", record: record, field: field)
        }
      }
    }
    if field.has(DECANT_AS_TEXT) { addTrue(.asText) }
    if field.has(DECANT_NULL_TEXTS) { writeNullTexts(field, of: record) }
    if kind == .decimal { add(.precision, Int64(field.precision)) }
    if field.content == .decimal, field.scale != 0 { add(.scale, Int64(field.scale)) }
    if kind == .characters || kind == .fixedArray || kind == .fixedBase64 {
      add(.capacity, Int64(field.capacity))
    }
    if kind == .fixedArray, field.lengthOffset != nil { addTrue(.counted) }
    if field.content == .name || field.content == .flags { writeNames(field, of: record) }
    if !writeBounds(field) {
      fault = RecordFault(message: "its bounds have no JSON", record: record, field: field)
      return
    }
    if field.has(DECANT_DEFAULT) { writeDefault(field, of: record) }
    if let nested = field.heldRecord {
      if nested.has(DECANT_CLOSED) { addTrue(.closed) }
      if nested.has(DECANT_ANY_CASE) { addTrue(.anyCase) }
      add(.fields)
      writeFields(nested, from: field, of: record)
    }
    text.add("}")
  }

  /// A table may have what says nothing about a field's kind; a description may not.
  private func isKnown(_ key: SchemaKey, to field: FieldRef) -> Bool {
    key.isKnown(to: field.kind, of: field.content)
  }

  private mutating func add(_ key: SchemaKey) {
    text.add(",\"")
    text.add(key.name)
    text.add("\":")
  }

  private mutating func add(_ key: SchemaKey, _ number: Int64) {
    add(key)
    text.add(number)
  }

  private mutating func add(_ key: SchemaKey, word: StaticString) {
    add(key)
    text.add("\"")
    text.add(word)
    text.add("\"")
  }

  private mutating func addTrue(_ key: SchemaKey) {
    add(key)
    text.add("true")
  }

  private mutating func writeOtherKeys(_ field: FieldRef) -> Bool {
    add(.otherKeys)
    var separator: StaticString = "["
    let isBroken = field.containsOtherKey {
      text.add(separator)
      separator = ","
      return !text.add(quoting: $0)
    }
    if separator.utf8CodeUnitCount == 1, unsafe separator.utf8Start[0] == UInt8(ascii: "[") {
      text.add("[")
    }
    text.add("]")
    return !isBroken
  }

  private mutating func writeNames(_ field: FieldRef, of record: RecordRef) {
    guard let names = field.names else { return }
    add(.names)
    var separator: StaticString = "{"
    var isEmpty = true
    for entry in names {
      text.add(separator)
      separator = ","
      isEmpty = false
      if !text.add(quoting: entry.name) {
        fault = RecordFault(message: "a name is not UTF-8", record: record, field: field)
      }
      text.add(":")
      text.add(entry.value)
    }
    if isEmpty { text.add("{") }
    text.add("}")
  }

  private mutating func writeNullTexts(_ field: FieldRef, of record: RecordRef) {
    add(.nullTexts)
    var separator: StaticString = "["
    var isEmpty = true
    field.forEachNullText { null in
      text.add(separator)
      (separator, isEmpty) = (",", false)
      if !text.add(quoting: null) {
        fault = RecordFault(message: "a null text is not UTF-8", record: record, field: field)
      }
    }
    if isEmpty { text.add("[") }
    text.add("]")
  }

  /// Writes what values are accepted; a bound that excludes nothing is left out. False if JSON has no such number.
  private mutating func writeBounds(_ field: FieldRef) -> Bool {
    guard field.hasBounds || field.hasOddLength else { return true }
    if !isKnown(.minimum, to: field) {
      // Bounds of numbers say nothing here.
    } else if field.content.isReal {
      if let (least, most) = field.realBounds {
        if let least, !add(.minimum, least) { return false }
        if let most, !add(.maximum, most) { return false }
      }
    } else if let (minimum, maximum) = field.integerBounds {
      if let minimum, !add(.minimum, minimum, of: field) { return false }
      if let maximum, !add(.maximum, maximum, of: field) { return false }
    }
    if isKnown(.longest, to: field), let (shortest, longest) = field.lengths {
      add(.shortest, Int64(shortest))
      add(.longest, Int64(clamping: longest))
    }
    return true
  }

  private mutating func add(_ key: SchemaKey, _ number: Int64, of field: FieldRef) -> Bool {
    if !field.content.hasUnits {
      add(key, number)
      return true
    }
    add(key)
    return text.add(units: number, of: field.content, field)
  }

  private mutating func add(_ key: SchemaKey, _ number: Double) -> Bool {
    add(key)
    if number.isFinite { text.add(number) }
    return number.isFinite
  }

  private mutating func writeDefault(_ field: FieldRef, of record: RecordRef) {
    guard let value = field.standard else { return }
    add(.byDefault)
    let isWritten: Bool
    if let string = field.standardText {
      isWritten = text.add(quoting: string)
    } else {
      var writer = RecordWrite(text, .none)
      // A table may have a default outside of its bounds, such as -1.
      isWritten = field.row.unbounded { writer.writeLeaf($0, $0.kind, value, nil) == nil }
      text = writer.text
    }
    if !isWritten {
      fault = RecordFault(message: "its default has no JSON", record: record, field: field)
    }
  }
}
