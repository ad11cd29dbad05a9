// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How large a value's block is, before it is allocated: the same walk as the writer's, over the fields that
// need room. Strings count as they stand in the document, arrays with the most padding they could need, so
// that what is written is never more. An estimate looks at the first elements of long arrays only.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The elements of a long array that an estimate looks at, and how many more a long one has.
private let sample = 16
private let longArray = 4 * sample

struct RecordMeasure {
  private(set) var size = 0
  /// Whether what is written is never more.
  private(set) var isExact = true
  private let isEstimate: Bool
  private var depth = 0
  private var records = 0

  init(isEstimate: Bool) { self.isEstimate = isEstimate }

  private mutating func add(_ bytes: Int) -> Bool {
    let (sum, overflow) = size.addingReportingOverflow(bytes)
    size = sum
    return !overflow
  }

  private mutating func add(_ count: Int, of stride: Int) -> Bool {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: stride)
    return !overflow && add(bytes) && add(alignment(ofSize: stride) - 1)
  }

  /// Adds what a record's value needs. False if the value is surely no such record, or if no number can
  /// tell its size.
  // SAFETY: the table was checked.
  mutating func add(_ record: Record, _ json: JSON, keyLength: Int = 0) -> Bool {
    let fields = unsafe record.pointee.fields!
    // SAFETY: an object's slot, as decant_walk asks.
    let isObject = json.isNativeObject
    var walk = unsafe isObject ? decant_walk_begin(json.context, json.node, false) : decant_walk()
    for index in unsafe 0..<record.pointee.field_count {
      let field = unsafe fields + index
      let kind = Int(unsafe field.pointee.kind)
      if kind == DECANT_KEY {
        if !add(keyLength + 1) { return false }
        continue
      }
      let isMember = unsafe isObject && field.pointee.flags & UInt32(DECANT_POINTER) == 0
      // Kinds without a block, in the order of decant.h; fixed arrays may hold strings.
      if kind < DECANT_STRING || kind == DECANT_CHARS || kind == DECANT_ENUM || kind == DECANT_FLAGS
        || kind == DECANT_KIND
      {
        // Where keys come in the table's order, to step over this one spares the next one a scan.
        if isMember {
          _ = unsafe decant_walk_next(&walk, json.context, field.keyStart, field.keyLength)
        }
        continue
      }
      let node =
        unsafe isMember
        ? decant_walk_find(&walk, json.context, field.keyStart, field.keyLength)
        : node(of: field, in: json)
      if node == DECANT_NODE_NONE { continue }
      let value = JSON(node, within: json)
      if unsafe !add(field, kind, value) { return false }
    }
    return true
  }

  private mutating func add(_ field: Field, _ kind: Int, _ json: JSON) -> Bool {
    switch kind {
    case DECANT_RECORD: return unsafe nested(field.pointee.record, json)
    case DECANT_RECORD_POINTER:
      let record = unsafe field.pointee.record!
      if json.isNull { return true }
      return unsafe add(1, of: record.pointee.size) && nested(record, json)
    case CDecant.DECANT_ARRAY: return unsafe addArray(field, json)
    case DECANT_FIXED_ARRAY: return unsafe addElements(field, json)
    case DECANT_MAP: return unsafe addMap(field, json)
    default: return addString(kind, json)
    }
  }

  private mutating func nested(_ record: Record, _ json: JSON, keyLength: Int = 0) -> Bool {
    records += 1
    if depth >= deepestRecord || records > mostRecords(in: json) { return false }
    depth += 1
    let fits = unsafe add(record, json, keyLength: keyLength)
    depth -= 1
    return fits
  }

  private mutating func addString(_ kind: Int, _ json: JSON) -> Bool {
    if kind == DECANT_RAW { return unsafe add((json.rawBytes?.count ?? 0) + 1) }
    return add(stringLength(json) + 1)
  }

  /// Bytes of a string as it stands in the document; 0 for other kinds.
  private func stringLength(_ json: JSON) -> Int {
    if json.isNative {
      if json.high >= UInt32(DECANT_STRING_LIMIT) { return 0 }
      return unsafe decant_string_length(json.context, json.node)
    }
    var count = 0
    guard let engine = unsafe json.foreign,
      unsafe engine.pointee.string(json.context, json.node, &count) != nil
    else { return 0 }
    return count
  }

  private mutating func addArray(_ field: Field, _ json: JSON) -> Bool {
    guard json.isNativeArray || json.kind == .array else { return true }
    let stride = unsafe elementWidth(of: field) ?? 0
    return unsafe add(elementCount(of: json), of: stride) && addElements(field, json)
  }

  private mutating func addElements(_ field: Field, _ json: JSON) -> Bool {
    let kind = Int(unsafe field.pointee.element)
    let isString = kind == DECANT_STRING || kind == DECANT_TEXT || kind == DECANT_RAW
    guard isString || kind == DECANT_RECORD else { return true }
    if kind == DECANT_RECORD, unsafe !needsBlock(field.pointee.record) { return true }
    if json.isNativeArray {
      let count = elementCount(of: json)
      let end = json.after
      let isSample = isEstimate && count > longArray
      let before = size
      var node = json.firstChild
      for _ in 0..<(isSample ? sample : count) {
        let element = JSON(node, within: json)
        let fits =
          unsafe isString ? addString(kind, element) : nested(field.pointee.record, element)
        if !fits { return false }
        node = element.after
      }
      if !isSample { return true }
      // A byte of the others' text needs as much as one of theirs, and half as much more.
      isExact = false
      let share = Double(size - before) / Double(max(offset(at: node, json) - json.offset, 1))
      let others = share * Double(offset(at: end, json) - offset(at: node, json)) * 1.5
      return add(Int(min(others, Double(Int.max / 4))))
    }
    var elements = json.elements
    while let element = elements.next() {
      let fits =
        unsafe isString ? addString(kind, element) : nested(field.pointee.record, element)
      if !fits { return false }
    }
    return true
  }

  /// Where the value or key at a slot begins, or the text's end behind the last slot.
  private func offset(at node: UInt64, _ json: JSON) -> Int {
    unsafe node < UInt64(json.context.pointee.slot_count)
      ? JSON(node, within: json).offset : json.context.pointee.length
  }

  private mutating func addMap(_ field: Field, _ json: JSON) -> Bool {
    guard json.kind == .object else { return true }
    let record = unsafe field.pointee.record!
    guard unsafe add(json.count, of: record.pointee.size) else { return false }
    var cursor = unsafe decant_cursor()
    if !json.isNative {
      guard let engine = unsafe json.foreign else { return true }
      while unsafe engine.pointee.advance(json.context, json.node, &cursor) {
        let value = unsafe JSON(cursor.value, within: json)
        if unsafe !nested(record, value, keyLength: cursor.key_length) { return false }
      }
      return true
    }
    var key = json.firstChild
    let end = json.after
    while key < end {
      let value = JSON(key + 1, within: json)
      let length = unsafe decant_string_length(json.context, key)
      if unsafe !nested(record, value, keyLength: length) { return false }
      key = value.after
    }
    return true
  }
}

/// `json.count` of an array, without the call for native ones.
@inline(__always)
func elementCount(of json: JSON) -> Int {
  json.isNativeArray ? json.elementCount : json.count
}

/// Whether structs of this record, as they stand, need room elsewhere. Arrays of numbers do not have to be
/// walked to be measured.
func needsBlock(_ record: Record) -> Bool {
  for index in unsafe 0..<record.pointee.field_count {
    let field = unsafe record.pointee.fields + index
    switch Int(unsafe field.pointee.kind) {
    case DECANT_STRING, DECANT_TEXT, DECANT_RAW, DECANT_RECORD_POINTER, CDecant.DECANT_ARRAY,
      DECANT_MAP,
      DECANT_KEY:
      return true
    case DECANT_RECORD: if unsafe needsBlock(field.pointee.record) { return true }
    case DECANT_FIXED_ARRAY:
      switch Int(unsafe field.pointee.element) {
      case DECANT_STRING, DECANT_TEXT, DECANT_RAW: return true
      case DECANT_RECORD: if unsafe needsBlock(field.pointee.record) { return true }
      default: break
      }
    default: break
    }
  }
  return false
}
