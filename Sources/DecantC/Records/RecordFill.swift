// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values into a struct and its block. Strings, arrays and maps go into the block, each behind the last:
//
//   {"name":"Ann","tags":["a","b"]}
//
//   struct  { name ─┐          tags ─┐             tags_count 2 }
//   block           A n n \0 (pad)   [0]─┐ [1]─┐   a \0 b \0
//                                        └─────┼───┘
//                                              └────────┘
//
// Filling stops at the first value that does not fit, without a reason; RecordReport then finds out what
// it was, and what else is wrong. The caller clears the struct before, and throws it away after a failure.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct RecordFill: RecordVisitor {
  typealias Place = Memory

  // SAFETY: the bytes from `next` up to `limit` are free and the caller's.
  private(set) var next: UnsafeMutableRawPointer
  private let limit: UnsafeMutableRawPointer
  /// Whether objects were looked into before.
  let rewinds: Bool

  /// Bytes of the block that are free.
  @inline(__always)
  var room: Int { unsafe limit - next }

  init(_ block: UnsafeMutableRawPointer?, room: Int, rewinds: Bool) {
    // SAFETY: without a block there is no room, and nothing is written at this address.
    unsafe next = block ?? UnsafeMutableRawPointer(bitPattern: 16)!
    unsafe limit = next + room
    self.rewinds = rewinds
  }

  // MARK: - Values

  @inline(__always)
  mutating func plain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, _ index: Int, in record: Memory
  ) -> Bool {
    let place = record.advanced(by: field.offset)
    if kind == .string || kind == .text {
      guard copyPlain(value, kind, field, to: place, in: record) else { return false }
    } else {
      guard storePlain(value, kind, field, to: place) else { return false }
    }
    let presence = field.plainPresenceOffset
    if presence != 0 { record.store(1 as UInt8, at: presence) }
    return true
  }

  @inline(__always)
  private func storePlain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory
  ) -> Bool {
    switch kind {
    case .int64:
      guard let number = value.nativeNumber, case .value(let integer) = number.integer(Int64.self)
      else { return false }
      place.store(integer)
      return true
    case .bool, .double, .int32, .int8, .int16, .uint8, .uint16, .uint32, .uint64, .float:
      return DecantC.store(value, kind, field, to: place) == ok
    default: return false
    }
  }

  /// Copies a string without escapes whose length the slot has.
  @inline(__always)
  private mutating func copyPlain(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory, in record: Memory
  ) -> Bool {
    guard let length = copyPlain(value) else { return false }
    end(length, kind, field, at: place, in: record)
    return true
  }

  /// Copies the bytes of a string without escapes to `next`, and returns how many there are; nil if that cannot be done
  /// here.
  @inline(__always)
  private func copyPlain(_ value: JSON) -> Int? {
    guard let length = value.plainLength else { return nil }
    let start = value.offset &+ 1
    let text = unsafe value.context.pointee.text + start
    // As many bytes at once as most strings have, where there are as many on both sides.
    if length <= 32, room > 32, unsafe start &+ 32 <= value.context.pointee.length {
      unsafe decant_copy_32(next, text)
      return length
    }
    guard length < room else { return nil }
    // SAFETY: a string's bytes are inside the text, after the quote.
    unsafe decant_copy_bytes(next, text, length)
    return length
  }

  /// Ends a plain field's string of `length` bytes at `next`.
  @inline(__always)
  mutating func end(
    _ length: Int, _ kind: FieldKind, _ field: FieldRef, at place: Memory, in record: Memory
  ) {
    end(length, at: place)
    if kind == .text { place.store(length, at: pointerWidth) }
    let count = field.plainLengthOffset
    if count != 0 { record.store(length, at: count) }
  }

  /// Ends a string of `length` bytes at `next`, and stores a pointer to it.
  @inline(__always)
  private mutating func end(_ length: Int, at place: Memory) {
    let start = unsafe next
    unsafe start.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    place.point(to: unsafe Memory(start))
    unsafe next = start + (length &+ 1)
  }

  @inline(__always)
  mutating func plainElements(
    _ count: Int, of array: JSON, _ kind: FieldKind, from first: Memory
  ) -> Int {
    guard kind == .string || kind == .text else {
      return storeNumbers(count, of: array, kind, to: first)
    }
    var place = first
    var element = JSON(array.firstChild, within: array)
    let stride = kind == .text ? 2 &* pointerWidth : pointerWidth
    for index in 0..<count {
      guard let length = copyPlain(element) else { return index }
      end(length, at: place)
      if kind == .text { place.store(length, at: pointerWidth) }
      place = place.advanced(by: stride)
      element = JSON(element.node &+ 1, within: array)
    }
    return count
  }

  @inline(__always)
  mutating func leaf(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, at place: Memory, _ count: inout Int
  ) -> Status {
    switch kind {
    case .string, .text, .raw: copy(value, kind, field, to: place, &count)
    case .characters: copyCharacters(value, field, to: place, &count)
    default: store(value, kind, field, to: place)
    }
  }

  @inline(never)
  private func copyCharacters(
    _ value: JSON, _ field: FieldRef, to place: Memory, _ count: inout Int
  ) -> Status {
    let status = store(value, .characters, field, to: place)
    if status == ok, field.lengthOffset != nil {
      _ = withBytes(of: value) { bytes in
        count = bytes.count
        return ok
      }
    }
    return status
  }

  // MARK: - Strings

  /// Copies a string, or a value's text.
  private mutating func copy(
    _ value: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory, _ count: inout Int
  ) -> Status {
    let text: Text
    if kind == .raw {
      guard let bytes = value.rawText else { return Status(DECANT_UNSUPPORTED) }
      text = Text(bytes: bytes, isEscaped: false)
    } else {
      guard let string = value.text else { return typeMismatch }
      text = string
    }
    guard let length = copy(text, to: place) else { return blockIsFull }
    count = length
    if kind == .text { place.store(length, at: pointerWidth) }
    // The bounds of a collection are about its elements, those of a raw value about nothing.
    let isAccepted = kind == .raw || field.kind.isCollection || field.accepts(count: length)
    return isAccepted ? ok : invalidValue
  }

  /// Copies a string without its escapes to the block, with a NUL byte behind it, and stores a pointer to it. Returns
  /// its length, or nil if the block is full.
  @inline(__always)
  private mutating func copy(_ text: Text, to place: Memory) -> Int? {
    var length = text.bytes.count
    // Escapes are never shorter than what they spell.
    guard length < room else { return nil }
    if text.isEscaped {
      length = unsafe decant_unescape(
        text.bytes.start, length, next.assumingMemoryBound(to: UInt8.self))
    } else {
      unsafe Memory(next).copy(text.bytes)
    }
    end(length, at: place)
    return length
  }

  mutating func key(_ key: Text, _ field: FieldRef, in record: Memory) -> Status {
    guard let length = copy(key, to: record.advanced(by: field.offset)) else { return blockIsFull }
    finish(field, length, in: record)
    return ok
  }

  // MARK: - What goes with a value

  @inline(__always)
  func finish(_ field: FieldRef, _ count: Int, in record: Memory) {
    if let length = field.lengthOffset { record.store(count, at: length) }
    if let presence = field.presenceOffset {
      record.store(field.has(DECANT_STATE) ? 2 : 1 as UInt8, at: presence)
    }
  }

  /// Leaves the struct's zeros, or stores the default.
  @inline(never)
  func absent(_ field: FieldRef, isNull: Bool, in record: Memory) -> Status {
    if field.has(DECANT_STATE), let presence = field.presenceOffset {
      record.store(isNull ? 1 : 0 as UInt8, at: presence)
    }
    guard field.has(DECANT_DEFAULT), let value = unsafe field.defaultValue else { return ok }
    let place = record.advanced(by: field.offset)
    if field.kind == .string {
      place.store(Int(bitPattern: value))
      if let length = field.lengthOffset {
        let text = unsafe CText(value.assumingMemoryBound(to: CChar.self))
        record.store(text.bytes.count, at: length)
      }
    } else {
      // SAFETY: a value of the field's type, by the contract of default_value.
      unsafe place.start.copyMemory(from: value, byteCount: field.width)
      if field.kind == .characters, let length = field.lengthOffset {
        record.store(place.cString(within: field.capacity).count, at: length)
      }
    }
    return ok
  }

  func missing(_ field: FieldRef, in json: JSON, _ record: Memory) -> Status { typeMismatch }

  func fail(
    _ status: Status, _ value: JSON, _ kind: FieldKind, _ field: FieldRef?,
    _ remark: RecordError.Remark?, at place: Memory
  ) -> Status { status }

  // MARK: - The block

  @inline(__always)
  mutating func room(_ count: Int, of stride: Int, cleared: Bool, at place: Memory) -> Memory? {
    let (size, overflow) = count.multipliedReportingOverflow(by: stride)
    let padding = unsafe (0 &- Int(bitPattern: next)) & (alignment(ofSize: stride) &- 1)
    guard !overflow, padding <= room, size <= room &- padding else { return nil }
    let memory = unsafe Memory(next + padding)
    if cleared { memory.clear(size) }
    place.point(to: memory)
    unsafe next = memory.start + size
    return memory
  }

  @inline(__always)
  static func inside(
    _ field: FieldRef, of record: Memory, _ body: (Memory) -> Status
  ) -> Status { body(record.advanced(by: field.offset)) }

  @inline(__always)
  static func element(
    _ index: Int, of array: Memory, _ stride: Int, _ body: (Memory) -> Status
  ) -> Status { body(array.advanced(by: index &* stride)) }

  @inline(__always)
  static func member(
    _ key: Text, _ index: Int, of map: Memory, _ stride: Int, _ body: (Memory) -> Status
  ) -> Status { body(map.advanced(by: index &* stride)) }
}
