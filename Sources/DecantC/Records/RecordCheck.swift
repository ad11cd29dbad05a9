// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Whether a table makes sense, before anything is written by it: every byte that decoding will write lies
// inside the struct, no two fields share one, and what a kind needs is there.
//
// Fields in the order of their offsets are checked by one comparison each:
//
//   struct   id  name  name_length  email  email_length  storage
//   offset   0   8     16           24     32            40        each begins where the last ended, or later
//
// Others get a map of bytes. Records nest; one that is being checked already is not checked again, and is a
// fault if it would have to hold itself.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// What is wrong with a table.
@safe
struct RecordFault {
  let message: StaticString
  let record: Record?
  let field: Int
}

/// How deep records nest.
let deepestRecord = 32

/// How many records a document's values are walked as. Where two fields of a record refer to one value, and to
/// records that do so again, there are twice as many at every level; 32 levels of that would never end.
func mostRecords(in json: JSON) -> Int {
  json.isNative ? 4_096 &+ 32 &* (unsafe json.context.pointee.length) : 1 << 24
}

/// How many fields one call looks at, for tables that nest the same records again and again.
private let mostFields = 100_000

/// One look at a table.
struct RecordCheck {
  /// The first fault, after a look that did not succeed.
  private(set) var fault: RecordFault?
  /// Whether structs of the table need room elsewhere.
  private(set) var needsBlock = false
  private var fields = 0

  /// Whether decoding may use a table. A struct that nothing holds needs a place for its block.
  @inline(__always)
  mutating func accepts(_ record: Record?, needsStorage: Bool) -> Bool {
    guard let record = unsafe record else {
      fault = unsafe RecordFault(message: "record is NULL", record: nil, field: -1)
      return false
    }
    if unsafe !check(record, parent: nil, isByValue: false, isEntry: false) { return false }
    if needsStorage, needsBlock, unsafe record.pointee.storage_offset == 0 {
      return unsafe fail("it has strings, arrays or maps, and no storage_offset", record)
    }
    return true
  }

  @safe
  private struct Ancestor {
    let record: Record
    let parent: UnsafePointer<Ancestor>?
    let isByValue: Bool
    let depth: Int
  }

  private mutating func fail(_ message: StaticString, _ record: Record, _ field: Int = -1) -> Bool {
    fault = unsafe RecordFault(message: message, record: record, field: field)
    return false
  }

  // SAFETY of all that follows: the caller's promise that pointers of a table point to what they should.
  private mutating func check(
    _ record: Record, parent: UnsafePointer<Ancestor>?, isByValue: Bool, isEntry: Bool
  ) -> Bool {
    let count = unsafe record.pointee.field_count
    let size = unsafe record.pointee.size
    if count > 0, unsafe record.pointee.fields == nil {
      return unsafe fail("fields is NULL", record)
    }
    if count < 0 || count > mostFields - fields { return unsafe fail("too many fields", record) }
    if size <= 0 || size > Int(Int32.max) { return unsafe fail("its size makes no sense", record) }
    fields += count
    let storage = unsafe record.pointee.storage_offset
    if storage < 0 || storage > size - pointerWidth && storage != 0 {
      return unsafe fail("storage_offset is outside the struct", record)
    }
    // Where the last field ended, or a number that none begins after.
    var end = 0
    var isOrdered = true
    for index in 0..<count {
      let field = unsafe record.pointee.fields + index
      let kind = Int(unsafe field.pointee.kind)
      // SAFETY: kinds of known width take the short way.
      guard let width = unsafe width(ofKind: kind) ?? width(of: field), width > 0 else {
        return unsafe fail(explanation(of: field), record, index)
      }
      let begin = Int(unsafe field.pointee.offset)
      if begin > size - width {
        return unsafe fail("its offset is outside the struct", record, index)
      }
      if begin < end { isOrdered = false }
      end = begin &+ width
      if storage != 0, begin < storage + pointerWidth, storage < end {
        return unsafe fail("it overlaps the storage", record, index)
      }
      if let length = unsafe field.pointee.lengthOffset {
        if length > size - countWidth {
          return unsafe fail("its length_offset is outside the struct", record, index)
        }
        if storage != 0, length < storage + pointerWidth, storage < length + countWidth {
          return unsafe fail("it overlaps the storage", record, index)
        }
        if length < end { isOrdered = false }
        end = length &+ countWidth
      }
      if let presence = unsafe field.pointee.presenceOffset {
        if presence >= size {
          return unsafe fail("its presence_offset is outside the struct", record, index)
        }
        if storage != 0, presence >= storage, presence < storage + pointerWidth {
          return unsafe fail("it overlaps the storage", record, index)
        }
        if presence < end { isOrdered = false }
        end = presence &+ 1
      }
      if unsafe kind > DECANT_STRING || field.pointee.flags & ~Self.simpleFlags != 0 {
        if unsafe !check(
          special: field, index, kind, of: record, parent: parent, isByValue: isByValue,
          isEntry: isEntry)
        {
          return false
        }
      }
      if kind == DECANT_STRING { needsBlock = true }
      if unsafe field.pointee.key == nil, kind != DECANT_KEY {
        return unsafe fail("its key is NULL", record, index)
      }
    }
    return unsafe isOrdered || hasNoOverlap(record)
  }

  private static let simpleFlags = UInt32(DECANT_OPTIONAL)

  /// What a field that is not just a number needs.
  private mutating func check(
    special field: Field, _ index: Int, _ kind: Int, of record: Record,
    parent: UnsafePointer<Ancestor>?, isByValue: Bool, isEntry: Bool
  ) -> Bool {
    let element = Int(unsafe field.pointee.element)
    let isArray = kind == CDecant.DECANT_ARRAY || kind == DECANT_FIXED_ARRAY
    let content = isArray ? element : kind
    if unsafe field.pointee.flags >= UInt32(DECANT_STATE) * 2 {
      return unsafe fail("it has unknown flags", record, index)
    }
    if unsafe field.pointee.has(DECANT_DEFAULT), unsafe field.pointee.default_value == nil {
      return unsafe fail("it has DECANT_DEFAULT, and default_value is NULL", record, index)
    }
    if unsafe field.pointee.has(DECANT_DEFAULT), kind == DECANT_TEXT || kind > DECANT_FLAGS {
      return unsafe fail("fields of its kind have no default", record, index)
    }
    if unsafe field.pointee.has(DECANT_POINTER), kind != DECANT_KEY,
      unsafe field.pointee.key != nil, unsafe !isPointer(field)
    {
      return unsafe fail("its key is not a JSON Pointer (RFC 6901)", record, index)
    }
    if content == DECANT_ENUM || content == DECANT_FLAGS, unsafe field.pointee.names == nil {
      return unsafe fail("it has no names", record, index)
    }
    if isArray, content != DECANT_RECORD, unsafe elementWidth(of: field) == nil {
      return unsafe fail("its element makes no sense", record, index)
    }
    switch content {
    case DECANT_STRING, DECANT_TEXT, DECANT_RAW: needsBlock = true
    case DECANT_KEY:
      needsBlock = true
      if !isEntry {
        return unsafe fail("a DECANT_KEY stands in the record of a map", record, index)
      }
    default: break
    }
    if kind == CDecant.DECANT_ARRAY || kind == DECANT_MAP || kind == DECANT_RECORD_POINTER {
      needsBlock = true
    }
    if kind == CDecant.DECANT_ARRAY || kind == DECANT_MAP, unsafe field.pointee.lengthOffset == nil
    {
      return unsafe fail("it has no length_offset", record, index)
    }
    guard content == DECANT_RECORD || kind == DECANT_RECORD_POINTER || kind == DECANT_MAP else {
      return true
    }
    guard let nested = unsafe field.pointee.record else {
      return unsafe fail("it has no record", record, index)
    }
    let holdsByValue = kind == DECANT_RECORD || kind == DECANT_FIXED_ARRAY
    var here = unsafe Ancestor(
      record: record, parent: parent, isByValue: isByValue, depth: (parent?.pointee.depth ?? 0) + 1)
    return unsafe withUnsafePointer(to: &here) { here in
      var ancestor: UnsafePointer<Ancestor>? = unsafe here
      var isInside = holdsByValue
      while let place = unsafe ancestor {
        if unsafe place.pointee.record == nested {
          return isInside ? unsafe fail("the record holds itself", record, index) : true
        }
        isInside = unsafe isInside && place.pointee.isByValue
        unsafe ancestor = unsafe place.pointee.parent
      }
      if unsafe here.pointee.depth >= deepestRecord {
        return unsafe fail("records nest too deeply", record, index)
      }
      return unsafe check(
        nested, parent: here, isByValue: holdsByValue, isEntry: kind == DECANT_MAP)
    }
  }

  /// Why a field has no width.
  private func explanation(of field: Field) -> StaticString {
    switch Int(unsafe field.pointee.kind) {
    case DECANT_CHARS: "its capacity is 0"
    case DECANT_RECORD: "it has no record"
    case DECANT_FIXED_ARRAY, CDecant.DECANT_ARRAY:
      unsafe field.pointee.capacity == 0 ? "its capacity is 0" : "its element makes no sense"
    default: "its kind is unknown"
    }
  }

  /// The check of overlaps for fields in any order.
  private mutating func hasNoOverlap(_ record: Record) -> Bool {
    let size = unsafe record.pointee.size
    guard size <= 8192 else { return unsafe hasNoOverlapInPairs(record) }
    // SAFETY: a bit a byte of the struct, all ranges inside it as checked before.
    let overlapping = unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) {
      taken -> Int? in
      unsafe taken.initializeMemory(as: UInt8.self, repeating: 0)
      for index in unsafe 0..<record.pointee.field_count {
        for part in 0..<3 {
          guard let range = unsafe range(part, of: record.pointee.fields + index) else { continue }
          for byte in range {
            if unsafe taken[byte >> 3] & (1 << UInt8(byte & 7)) != 0 { return index }
            unsafe taken[byte >> 3] |= 1 << UInt8(byte & 7)
          }
        }
      }
      return nil
    }
    guard let overlapping else { return true }
    return unsafe fail("it overlaps another field", record, overlapping)
  }

  private mutating func hasNoOverlapInPairs(_ record: Record) -> Bool {
    let count = unsafe record.pointee.field_count * 3
    for later in 0..<count {
      guard let b = unsafe range(later % 3, of: record.pointee.fields + later / 3) else { continue }
      for earlier in 0..<later {
        guard let a = unsafe range(earlier % 3, of: record.pointee.fields + earlier / 3) else {
          continue
        }
        if a.overlaps(b) { return unsafe fail("it overlaps another field", record, later / 3) }
      }
    }
    return true
  }

  /// The bytes that a field writes: itself, its length, its presence.
  private func range(_ part: Int, of field: Field) -> Range<Int>? {
    switch part {
    case 0:
      let begin = Int(unsafe field.pointee.offset)
      return begin..<begin + (unsafe width(of: field) ?? 0)
    case 1: return unsafe field.pointee.lengthOffset.map { $0..<$0 + countWidth }
    default: return unsafe field.pointee.presenceOffset.map { $0..<$0 + 1 }
    }
  }
}
