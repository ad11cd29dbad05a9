// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a JSON value into a struct, field by field, in one walk. Strings, arrays and maps go into the value's
// block, each behind the last:
//
//   {"name":"Ann","tags":["a","b"]}
//
//   struct  { name ─┐          tags ─┐             tags_count 2 }
//   block           A n n \0 (pad)   [0]─┐ [1]─┐   a \0 b \0
//                                        └─────┼───┘
//                                              └────────┘
//
// The writer stops at the first thing that is wrong and says no more than that: what it was, and what else
// is wrong, RecordDiagnosis finds out. Whoever calls makes sure that the struct was zeroed and is thrown away
// after a failure.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Not a status of the interface: the block is too small.
let blockIsFull = Status(-1)

/// The key of a map's member.
@safe
struct MemberKey {
  let start: UnsafePointer<UInt8>?
  let count: Int
  let isEscaped: Bool
}

@safe
struct RecordWriter {
  // SAFETY: the bytes from `next` up to `limit` are free and the caller's.
  private var next: UnsafeMutableRawPointer
  private let limit: UnsafeMutableRawPointer
  var room: Int { unsafe limit - next }

  /// Whether objects were looked into before, so that their look-ups begin anew.
  private let rewinds: Bool
  private var depth = 0

  init(_ block: UnsafeMutableRawPointer?, room: Int, rewinds: Bool) {
    // SAFETY: without a block there is no room, and nothing is written at this address.
    unsafe next = unsafe block ?? UnsafeMutableRawPointer(bitPattern: 16)!
    unsafe limit = unsafe next + room
    self.rewinds = rewinds
  }

  // MARK: - Records

  /// Fills a struct of zeros.
  // SAFETY: the table was checked, and `out` has the record's size.
  mutating func write(
    _ record: Record, _ json: JSON, _ out: UnsafeMutableRawPointer,
    key: UnsafePointer<MemberKey>? = nil
  ) -> Status {
    guard var field = unsafe record.pointee.fields else { return ok }
    let end = unsafe field + record.pointee.field_count
    guard json.isNativeObject else {
      while unsafe field != end {
        let isKey = unsafe Int(field.pointee.kind) == DECANT_KEY
        let node = unsafe isKey ? DECANT_NODE_NONE : DecantC.node(of: field, in: json)
        let status = unsafe writeAny(field, node, json, out, key)
        if status != ok { return status }
        unsafe field += 1
      }
      return ok
    }
    // SAFETY: an object's slot, as decant_walk asks.
    var walk = unsafe decant_walk_begin(json.context, json.node, rewinds)
    while unsafe field != end {
      var node = DECANT_NODE_NONE
      let kind = Int(unsafe field.pointee.kind)
      if unsafe field.pointee.flags & UInt32(DECANT_POINTER) == 0, kind != DECANT_KEY {
        node = unsafe decant_walk_find(
          &walk, json.context, field.keyStart, Int(field.pointee.key_length))
      } else if kind != DECANT_KEY {
        node = unsafe DecantC.node(of: field, in: json)
      }
      let isWritten =
        unsafe node != DECANT_NODE_NONE && writePlain(field, kind, JSON(node, within: json), out)
      if !isWritten {
        let status = unsafe writeAny(field, node, json, out, key)
        if status != ok { return status }
      }
      unsafe field += 1
    }
    return ok
  }

  /// The values that most structs are made of, when all is well: a number, a boolean or a string without
  /// escapes. False for any other, which `writeAny` does again from the beginning.
  @inline(__always)
  private mutating func writePlain(
    _ field: Field, _ kind: Int, _ value: JSON, _ out: UnsafeMutableRawPointer
  ) -> Bool {
    guard kind <= DECANT_TEXT, unsafe field.pointee.flags <= UInt32(DECANT_OPTIONAL),
      unsafe field.pointee.bounds == nil
    else { return false }
    let place = unsafe out + Int(field.pointee.offset)
    // SAFETY: a slot of the index. A string's bytes lie inside the text, and their count is `high`.
    let slot = unsafe value.context.pointee.slots[Int(truncatingIfNeeded: value.node)]
    let high = UInt32(truncatingIfNeeded: slot &>> 32)
    if kind >= DECANT_STRING {
      let length = Int(high)
      guard high < DECANT_STRING_LONG, length < room else { return false }
      let start = unsafe next
      let offset = Int(UInt32(truncatingIfNeeded: slot))
      unsafe decant_copy_bytes(start, value.context.pointee.text + (offset &+ 1), length)
      unsafe start.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
      unsafe place.storeBytes(of: start, as: UnsafeMutableRawPointer.self)
      unsafe next = unsafe start + (length &+ 1)
      if kind == DECANT_TEXT {
        unsafe place.storeBytes(of: length, toByteOffset: pointerWidth, as: Int.self)
      }
      let count = Int(unsafe field.pointee.length_offset)
      if count != 0 { unsafe out.storeBytes(of: length, toByteOffset: count, as: Int.self) }
    } else if kind == DECANT_INT64 {
      // SAFETY: `high` describes the number, if it is one.
      guard high & DECANT_SCALAR_MASK == DECANT_NUMBER,
        case .value(let integer) = value.numberToken.integer(Int64.self)
      else { return false }
      unsafe place.storeBytes(of: integer, as: Int64.self)
    } else if unsafe store(value, kind, field, to: place) != ok {
      return false
    }
    let presence = Int(unsafe field.pointee.presence_offset)
    if presence != 0 { unsafe out.storeBytes(of: 1, toByteOffset: presence, as: UInt8.self) }
    return true
  }

  @inline(never)
  private mutating func writeAny(
    _ field: Field, _ node: UInt64, _ json: JSON, _ out: UnsafeMutableRawPointer,
    _ key: UnsafePointer<MemberKey>?
  ) -> Status {
    let isKey = unsafe Int(field.pointee.kind) == DECANT_KEY
    var status = typeMismatch
    if node != DECANT_NODE_NONE {
      status = unsafe write(
        field, JSON(node, within: json), to: out + Int(field.pointee.offset), in: out)
    } else if isKey {
      status = unsafe write(key, field, in: out)
    }
    if status != ok { return unsafe leaveOut(field, node, json, out, status) }
    if let presence = unsafe field.pointee.presenceOffset {
      let value: UInt8 = unsafe field.pointee.has(DECANT_STATE) ? 2 : 1
      unsafe out.storeBytes(of: value, toByteOffset: presence, as: UInt8.self)
    }
    return ok
  }

  /// A field without a value: the struct's zeros, or the default, where the table allows that.
  @inline(never)
  private func leaveOut(
    _ field: Field, _ node: UInt64, _ json: JSON, _ out: UnsafeMutableRawPointer, _ status: Status
  ) -> Status {
    if unsafe Int(field.pointee.kind) == DECANT_KEY { return status }
    let isNull = node != DECANT_NODE_NONE && JSON(node, within: json).isNull
    guard status == typeMismatch, unsafe field.pointee.mayBeAbsent,
      isNull || node == DECANT_NODE_NONE
    else { return status }
    if !isNull, unsafe !isAbsent(field, in: json) { return status }
    if unsafe !isText(field.keyStart, field.keyLength) { return Status(DECANT_INVALID_RECORD) }
    if unsafe field.pointee.has(DECANT_STATE), let presence = unsafe field.pointee.presenceOffset {
      unsafe out.storeBytes(of: isNull ? 1 : 0, toByteOffset: presence, as: UInt8.self)
    }
    guard unsafe field.pointee.has(DECANT_DEFAULT) else { return ok }
    let value = unsafe field.pointee.default_value!
    let place = unsafe out + Int(field.pointee.offset)
    if unsafe Int(field.pointee.kind) == DECANT_STRING {
      unsafe place.storeBytes(of: value, as: UnsafeRawPointer.self)
      if let length = unsafe field.pointee.lengthOffset {
        let count = unsafe decant_c_string_length(value.assumingMemoryBound(to: CChar.self))
        unsafe out.storeBytes(of: count, toByteOffset: length, as: Int.self)
      }
    } else {
      // SAFETY: a value of the field's type, by the contract of default_value.
      unsafe place.copyMemory(from: value, byteCount: width(of: field) ?? 0)
    }
    return ok
  }

  // MARK: - Fields

  private mutating func write(
    _ field: Field, _ json: JSON, to place: UnsafeMutableRawPointer,
    in out: UnsafeMutableRawPointer
  ) -> Status {
    let kind = Int(unsafe field.pointee.kind)
    if kind == DECANT_STRING {
      var count = 0
      let status = unsafe copyString(json, field, to: place, &count)
      if status == ok { unsafe storeCount(count, field, in: out) }
      return status
    }
    if kind < DECANT_STRING { return unsafe store(json, kind, field, to: place) }
    if kind == CDecant.DECANT_ARRAY {
      var count = 0
      let status = unsafe writeArray(field, json, to: place, &count)
      if status == ok { unsafe storeCount(count, field, in: out) }
      return status
    }
    return unsafe writeRare(field, kind, json, to: place, in: out)
  }

  @inline(__always)
  private func storeCount(_ count: Int, _ field: Field, in out: UnsafeMutableRawPointer) {
    if let length = unsafe field.pointee.lengthOffset {
      unsafe out.storeBytes(of: count, toByteOffset: length, as: Int.self)
    }
  }

  @inline(never)
  private mutating func writeRare(
    _ field: Field, _ kind: Int, _ json: JSON, to place: UnsafeMutableRawPointer,
    in out: UnsafeMutableRawPointer
  ) -> Status {
    var count = 0
    let status: Status
    switch kind {
    case DECANT_RECORD:
      return nested { writer in
        unsafe writer.write(field.pointee.record, json, place)
      }
    case DECANT_RECORD_POINTER: return unsafe writePointer(field, json, to: place)
    case DECANT_FIXED_ARRAY: status = unsafe writeFixedArray(field, json, to: place, &count)
    case DECANT_MAP: status = unsafe writeMap(field, json, to: place, &count)
    case DECANT_CHARS:
      status = unsafe store(json, kind, field, to: place)
      if status == ok, unsafe field.pointee.lengthOffset != nil {
        _ = unsafe withBytes(of: json) { bytes in
          count = bytes.count
          return ok
        }
      }
    default: status = unsafe put(json, kind, field, to: place, &count)
    }
    if status == ok { unsafe storeCount(count, field, in: out) }
    return status
  }

  /// A value of any kind that can be an array's element, but records.
  @inline(__always)
  private mutating func put(
    _ json: JSON, _ kind: Int, _ field: Field, to place: UnsafeMutableRawPointer, _ count: inout Int
  ) -> Status {
    switch kind {
    case DECANT_STRING: return unsafe copyString(json, field, to: place, &count)
    case DECANT_TEXT:
      let status = unsafe copyString(json, field, to: place, &count)
      if status == ok {
        unsafe place.storeBytes(of: count, toByteOffset: pointerWidth, as: Int.self)
      }
      return status
    case DECANT_RAW: return unsafe copyRaw(json, field, to: place, &count)
    default: return unsafe store(json, kind, field, to: place)
    }
  }

  private mutating func nested(_ body: (inout RecordWriter) -> Status) -> Status {
    if depth >= deepestRecord { return Status(DECANT_TOO_DEEP) }
    depth += 1
    let status = body(&self)
    depth -= 1
    return status
  }

  private mutating func writePointer(
    _ field: Field, _ json: JSON, to place: UnsafeMutableRawPointer
  ) -> Status {
    if json.isNull { return typeMismatch }
    let record = unsafe field.pointee.record!
    let size = unsafe record.pointee.size
    guard let block = unsafe take(size, zeroed: true) else { return blockIsFull }
    unsafe place.storeBytes(of: block, as: UnsafeMutableRawPointer.self)
    return nested { writer in unsafe writer.write(record, json, block) }
  }

  // MARK: - Strings

  /// Copies the string here, with a NUL byte after it, and stores where it is.
  @inline(__always)
  private mutating func copyString(
    _ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer, _ count: inout Int
  ) -> Status {
    // SAFETY: a string's slot: its bytes lie inside the text, and their count is `high`.
    guard json.isNative, json.high < UInt32(DECANT_STRING_LIMIT) else {
      return unsafe copyOtherString(json, field, to: place, &count)
    }
    let high = json.high
    guard high < DECANT_STRING_LONG, unsafe field.pointee.bounds == nil else {
      return unsafe copyOtherString(json, field, to: place, &count)
    }
    let length = Int(high)
    guard length < room else { return blockIsFull }
    unsafe decant_copy_bytes(next, json.context.pointee.text + (json.offset &+ 1), length)
    unsafe next.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    unsafe place.storeBytes(of: next, as: UnsafeMutableRawPointer.self)
    unsafe next = unsafe next + (length &+ 1)
    count = length
    return ok
  }

  /// Strings with escapes, long ones, those of other engines, and those whose length has bounds.
  @inline(never)
  private mutating func copyOtherString(
    _ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer, _ count: inout Int
  ) -> Status {
    let length: Int
    if json.isNative, json.high < UInt32(DECANT_STRING_LIMIT) {
      let start = unsafe json.context.pointee.text + (json.offset + 1)
      let raw = unsafe decant_string_length(json.context, json.node)
      // Escapes are never shorter than what they stand for.
      guard raw < room else { return blockIsFull }
      length = unsafe decant_unescape(start, raw, next.assumingMemoryBound(to: UInt8.self))
    } else {
      var bytes = 0
      guard let engine = unsafe json.foreign,
        let start = unsafe engine.pointee.string(json.context, json.node, &bytes)
      else { return typeMismatch }
      guard bytes < room else { return blockIsFull }
      unsafe next.copyMemory(from: start, byteCount: bytes)
      length = bytes
    }
    // The bounds of an array are about its elements' number.
    let isArray = unsafe Int(field.pointee.kind) >= CDecant.DECANT_ARRAY
    if !isArray, unsafe !isInBounds(count: length, field) { return invalidValue }
    unsafe finish(length, to: place)
    count = length
    return ok
  }

  /// Ends a string that was copied to `next`.
  private mutating func finish(_ length: Int, to place: UnsafeMutableRawPointer) {
    let start = unsafe next
    unsafe start.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    unsafe place.storeBytes(of: start, as: UnsafeMutableRawPointer.self)
    unsafe next = unsafe start + (length + 1)
  }

  private mutating func copyRaw(
    _ json: JSON, _ field: Field, to place: UnsafeMutableRawPointer, _ count: inout Int
  ) -> Status {
    if json.isNull, unsafe field.pointee.mayBeAbsent { return typeMismatch }
    guard let bytes = unsafe json.rawBytes else { return Status(DECANT_UNSUPPORTED) }
    guard bytes.count < room else { return blockIsFull }
    unsafe next.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    unsafe finish(bytes.count, to: place)
    count = bytes.count
    return ok
  }

  /// The key of a map's member.
  private mutating func write(
    _ key: UnsafePointer<MemberKey>?, _ field: Field, in out: UnsafeMutableRawPointer
  ) -> Status {
    guard let key = unsafe key?.pointee, let start = unsafe key.start else { return typeMismatch }
    guard key.count < room else { return blockIsFull }
    var length = key.count
    if key.isEscaped {
      length = unsafe decant_unescape(start, length, next.assumingMemoryBound(to: UInt8.self))
    } else {
      unsafe next.copyMemory(from: start, byteCount: length)
    }
    unsafe finish(length, to: out + Int(field.pointee.offset))
    unsafe storeCount(length, field, in: out)
    return ok
  }

  // MARK: - Arrays and maps

  private mutating func writeArray(
    _ field: Field, _ json: JSON, to place: UnsafeMutableRawPointer, _ count: inout Int
  ) -> Status {
    guard json.isNativeArray || json.kind == .array else { return typeMismatch }
    let elements = elementCount(of: json)
    if unsafe field.pointee.bounds != nil && !isInBounds(count: elements, field) {
      return invalidValue
    }
    if elements == 0 { return ok }
    let stride = unsafe elementWidth(of: field) ?? 0
    guard let start = unsafe take(elements, of: stride) else { return blockIsFull }
    unsafe place.storeBytes(of: start, as: UnsafeMutableRawPointer.self)
    count = elements
    return unsafe writeElements(field, json, to: start, stride)
  }

  private mutating func writeFixedArray(
    _ field: Field, _ json: JSON, to place: UnsafeMutableRawPointer, _ count: inout Int
  ) -> Status {
    guard json.kind == .array else { return typeMismatch }
    let elements = json.count
    guard unsafe fits(elements, field) else { return invalidValue }
    count = elements
    return unsafe writeElements(field, json, to: place, elementWidth(of: field) ?? 0)
  }

  private mutating func writeElements(
    _ field: Field, _ json: JSON, to start: UnsafeMutableRawPointer, _ stride: Int
  ) -> Status {
    let kind = Int(unsafe field.pointee.element)
    var place = unsafe start
    if json.isNative {
      var node = json.firstChild
      let end = json.after
      while node != end {
        let element = JSON(node, within: json)
        let status = unsafe writeElement(field, kind, element, to: place)
        if status != ok { return status }
        unsafe place += stride
        node = element.after
      }
      return ok
    }
    for index in 0..<json.count {
      let element = JSON(json.element(index), within: json)
      let status = unsafe writeElement(field, kind, element, to: place)
      if status != ok { return status }
      unsafe place += stride
    }
    return ok
  }

  @inline(__always)
  private mutating func writeElement(
    _ field: Field, _ kind: Int, _ element: JSON, to place: UnsafeMutableRawPointer
  ) -> Status {
    if kind == DECANT_RECORD {
      if depth >= deepestRecord { return Status(DECANT_TOO_DEEP) }
      depth += 1
      let status = unsafe write(field.pointee.record, element, place)
      depth -= 1
      return status
    }
    var count = 0
    return unsafe put(element, kind, field, to: place, &count)
  }

  private mutating func writeMap(
    _ field: Field, _ json: JSON, to place: UnsafeMutableRawPointer, _ count: inout Int
  ) -> Status {
    guard json.kind == .object else { return typeMismatch }
    let members = json.count
    if members == 0 { return unsafe isInBounds(count: 0, field) ? ok : invalidValue }
    let record = unsafe field.pointee.record!
    let stride = unsafe record.pointee.size
    guard let start = unsafe take(members, of: stride) else { return blockIsFull }
    unsafe place.storeBytes(of: start, as: UnsafeMutableRawPointer.self)
    var written = 0
    let status = forEachMember(of: json, members) { key, value in
      unsafe withUnsafePointer(to: key) { key in
        nested { writer in
          defer { written += 1 }
          return unsafe writer.write(record, value, start + written * stride, key: key)
        }
      }
    }
    if status != ok { return status }
    if unsafe !isInBounds(count: written, field) { return invalidValue }
    count = written
    return ok
  }

  // MARK: - The block

  /// Room for structs or scalars in the block.
  private mutating func take(_ count: Int, of stride: Int) -> UnsafeMutableRawPointer? {
    let (size, overflow) = count.multipliedReportingOverflow(by: stride)
    return overflow ? nil : unsafe take(size, alignment: alignment(ofSize: stride), zeroed: true)
  }

  private mutating func take(_ size: Int, zeroed: Bool) -> UnsafeMutableRawPointer? {
    unsafe take(size, alignment: alignment(ofSize: size), zeroed: zeroed)
  }

  private mutating func take(
    _ size: Int, alignment: Int, zeroed: Bool
  ) -> UnsafeMutableRawPointer? {
    let padding = unsafe -Int(bitPattern: next) & (alignment - 1)
    guard padding <= room, size <= room - padding else { return nil }
    let start = unsafe next + padding
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe next = unsafe start + size
    return unsafe start
  }
}

// MARK: - What the walks share

/// Whether so many elements go into an array of fixed size.
func fits(_ count: Int, _ field: Field) -> Bool {
  let capacity = Int(unsafe field.pointee.capacity)
  if unsafe field.pointee.lengthOffset == nil { return count == capacity }
  return unsafe count <= capacity && isInBounds(count: count, field)
}

/// Calls `body` with every member that counts, in document order, until it answers with a failure.
func forEachMember(
  of json: JSON, _ count: Int, _ body: (MemberKey, JSON) -> Status
) -> Status {
  if !json.isNative { return forEachForeignMember(of: json, body) }
  // SAFETY: a bit a member. Small objects keep theirs on the stack.
  let bytes = (count + 7) / 8
  if bytes <= 128 {
    return unsafe withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { losers in
      unsafe losers.initializeMemory(as: UInt8.self, repeating: 0)
      return unsafe forEachMember(of: json, losers.baseAddress!, body)
    }
  }
  let allocator = unsafe json.context.pointee.allocator
  guard let losers = unsafe decant_block_allocate(allocator, bytes) else {
    return Status(DECANT_OUT_OF_MEMORY)
  }
  unsafe losers.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
  let status = unsafe forEachMember(of: json, losers, body)
  unsafe decant_block_release(allocator, losers, bytes)
  return status
}

private func forEachMember(
  of json: JSON, _ bits: UnsafeMutableRawPointer, _ body: (MemberKey, JSON) -> Status
) -> Status {
  let losers = unsafe bits.assumingMemoryBound(to: UInt8.self)
  let code = unsafe decant_losing_members(json.context, json.node, losers)
  if code != ok { return code }
  var place = json.firstChild
  let end = json.after
  var index = 0
  while place < end {
    let key = JSON(place, within: json)
    let value = JSON(place + 1, within: json)
    if unsafe losers[index >> 3] & (1 << UInt8(index & 7)) == 0 {
      let name = unsafe MemberKey(
        start: json.context.pointee.text + (key.offset + 1),
        count: decant_string_length(json.context, place),
        isEscaped: key.high & UInt32(DECANT_STRING_ESCAPE) != 0)
      let status = body(name, value)
      if status != ok { return status }
    }
    place = value.after
    index += 1
  }
  return ok
}

private func forEachForeignMember(
  of json: JSON, _ body: (MemberKey, JSON) -> Status
) -> Status {
  guard let engine = unsafe json.foreign else { return ok }
  var cursor = unsafe decant_cursor()
  while unsafe engine.pointee.advance(json.context, json.node, &cursor) {
    let key = unsafe MemberKey(start: cursor.key, count: cursor.key_length, isEscaped: false)
    let status = unsafe body(key, JSON(cursor.value, within: json))
    if status != ok { return status }
  }
  return ok
}

/// Whether a field's value is simply not there: its object has no such member. Something else than an object
/// in the way is another thing.
func isAbsent(_ field: Field, in json: JSON) -> Bool {
  if unsafe field.pointee.flags & UInt32(DECANT_POINTER) == 0 { return json.kind == .object }
  let (parent, step) = unsafe lastReached(field, in: json)
  let reached = JSON(parent, within: json)
  switch reached.kind {
  case .object, .null: return true
  case .array:
    let token = unsafe tokenOfPointer(field, at: step)
    return unsafe isArrayIndex(token.start, token.count)
  default: return false
  }
}

extension JSON {
  /// The bytes of a native value as they stand in the document; nil for other engines.
  var rawBytes: UnsafeRawBufferPointer? {
    if !isNative { return nil }
    return unsafe UnsafeRawBufferPointer(start: context.pointee.text + offset, count: end - offset)
  }
}
