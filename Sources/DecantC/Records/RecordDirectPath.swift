// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The direct path: a small document into a struct of numbers, booleans and strings, in one walk over text and
// table together, without an index.
//
//   table   id INT64 at 0   name STRING at 8, counted at 16   email STRING at 24   storage at 32
//   text    {"id":1,        "name":"Ann",                     "email":"a@b.c"}
//
// At every step the table says what comes next: the quote, the key, the colon, a value of the field's kind,
// a comma. What comes is read, checked and written at once. At the first key that is not the next field's,
// and where members are missing, the rest of the table is checked, and then the rest of the members may come
// in any order, some may be missing, and values that no field asks for are passed over.
//
// Where anything else is not as usual, what was written is undone and the answer is false: the long way
// (Decode.swift) begins from the beginning, with an index. So nothing here tells what is wrong; but a true
// answer is the long way's answer, byte for byte. That needs three things:
//
//   the text    every byte was checked by the grammar, strings are UTF-8, no number is too large for a double
//   the table   every field was checked to lie inside the struct, apart from the others
//   the keys    no two fields have the same key, and no field has two members: no rule about duplicates applies
//
// The block is as large as the text, and that is enough: a string of n bytes takes n + 2 in the text and at
// most n + 1 in the block, so that what is free in the block is never less than what is left of the text.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The largest document for this path, and the largest one whose block is allocated without being measured: the
/// text's length is enough for its strings, and not much more than they need.
let smallDocument = 512

/// The largest struct, of which the old bytes are kept on the stack.
private let smallStruct = 128

/// The most fields of which some may be missing.
private let mostMissing = 64

/// Fills a struct from a text of at most `smallDocument` bytes; or leaves it as it was.
// SAFETY: the caller's promises: `length` bytes from `json`, a table whose pointers point to what they
// should, room for the record's struct at `out`.
@inline(__always)
func writeDirectly(
  _ record: Record, _ json: UnsafePointer<CChar>, _ length: Int, _ out: UnsafeMutableRawPointer
) -> Bool {
  let size = unsafe record.pointee.size
  let storage = unsafe record.pointee.storage_offset
  guard size > 0, size <= smallStruct,
    storage == 0 || storage > 0 && storage <= size &- pointerWidth,
    unsafe record.pointee.field_count > 0 && record.pointee.field_count <= smallStruct,
    let fields = unsafe record.pointee.fields, length > 1
  else { return false }
  // SAFETY: at least two bytes. `last` is never before the first one.
  let text = unsafe UnsafeRawPointer(json).assumingMemoryBound(to: UInt8.self)
  var last = unsafe text + (length &- 1)
  while unsafe decant_is_white_space(last.pointee), unsafe last != text { unsafe last -= 1 }
  guard unsafe last.pointee == UInt8(ascii: "}") else { return false }
  return unsafe withUnsafeTemporaryAllocation(byteCount: smallStruct, alignment: 16) { room in
    let old = room.baseAddress!
    unsafe decant_copy_bytes(old, out, size)
    unsafe decant_clear_bytes(out, size)
    // Without a place for a block, the table has no strings.
    let block = unsafe storage == 0 ? old : decant_block_allocate(nil, length)
    guard let block = unsafe block else {
      unsafe decant_copy_bytes(out, old, size)
      return false
    }
    let start = unsafe block.assumingMemoryBound(to: UInt8.self)
    let next = unsafe writeMembers(text, last, record, fields, out, start)
    if let next = unsafe next, unsafe next != start {
      unsafe out.storeBytes(of: block, toByteOffset: storage, as: UnsafeMutableRawPointer.self)
      return true
    }
    // No string: a struct owns nothing. A failure: it is as it was.
    if storage != 0 { unsafe decant_block_release(nil, block, length) }
    if unsafe next == nil { unsafe decant_copy_bytes(out, old, size) }
    return unsafe next != nil
  }
}

// MARK: - Members

/// The members of an object, as long as each is the next field's. Answers with where the block's free part
/// begins, or nil.
@inline(never)
private func writeMembers(
  _ text: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>, _ record: Record, _ fields: Field,
  _ out: UnsafeMutableRawPointer, _ block: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8>? {
  // SAFETY: `at` is never behind `last`, the closing bracket; so what is something else is followed by a byte
  // that may be read.
  var at = unsafe decant_skip_white(text)
  guard unsafe at.pointee == UInt8(ascii: "{") else { return nil }
  unsafe at = unsafe decant_skip_white(at + 1)
  var next = unsafe block
  // Where the last field ended in the struct, and a bit for every key.
  var end = 0
  var keys: UInt64 = 0
  var field = unsafe fields
  let behind = unsafe field + record.pointee.field_count
  while unsafe at.pointee == UInt8(ascii: "\"") && field != behind {
    end = unsafe endInStruct(of: field, after: end, record)
    if unsafe end > record.pointee.size { return nil }
    let key = unsafe at + 1
    let keyEnd = unsafe decant_key_end(key, last)
    let count = Int(unsafe field.pointee.key_length)
    guard unsafe keyEnd.pointee == UInt8(ascii: "\""),
      unsafe decant_is_key(key, keyEnd - key, field.keyStart, count)
    else { break }
    // The table's length is at hand sooner than what the text says.
    let quote = unsafe _fastPath(count != 0) ? key + count : keyEnd
    let bit = unsafe keyBit(quote, quote - key)
    if _slowPath(keys & bit != 0), unsafe isRepeated(field, fields) { return nil }
    keys |= bit
    guard let value = unsafe valueStart(quote),
      let stop = unsafe writeValue(value, last, field, out, &next)
    else { return nil }
    unsafe field += 1
    unsafe at = unsafe decant_skip_white(stop)
    if unsafe at.pointee != UInt8(ascii: ",") {
      if unsafe at != last { return nil }
      break
    }
    unsafe at = unsafe decant_skip_white(at + 1)
    if unsafe at.pointee != UInt8(ascii: "\"") { return nil }
  }
  if unsafe field == behind {
    guard unsafe isStorageApart(record, fields, end) else { return nil }
    if unsafe at == last { return unsafe next }
  }
  return unsafe writeRest(at, last, record, fields, field, out, next)
}

/// The members from `start` on, in any order. The fields before `first` have theirs.
@inline(never)
private func writeRest(
  _ start: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>, _ record: Record, _ fields: Field,
  _ first: Field, _ out: UnsafeMutableRawPointer, _ block: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8>? {
  let count = unsafe record.pointee.field_count
  guard count <= mostMissing, unsafe first == fields + count || isPlain(record, fields) else {
    return nil
  }
  var at = unsafe start
  var next = unsafe block
  var index = unsafe first - fields
  // A bit for every field without a member.
  var missing = ~UInt64(0) &<< UInt64(index) & ~UInt64(0) &>> UInt64(mostMissing &- count)
  if index == mostMissing { missing = 0 }
  while unsafe at.pointee == UInt8(ascii: "\"") {
    let key = unsafe at + 1
    let quote = unsafe decant_key_end(key, last)
    guard unsafe quote.pointee == UInt8(ascii: "\""),
      let value = unsafe valueStart(quote)
    else { return nil }
    if let found = unsafe indexOfField(key, quote - key, fields, count, from: index) {
      guard missing & 1 &<< UInt64(found) != 0,
        let stop = unsafe writeValue(value, last, fields + found, out, &next)
      else { return nil }
      missing &= ~(1 &<< UInt64(found))
      index = found &+ 1
      unsafe at = unsafe decant_skip_white(stop)
    } else {
      guard let stop = unsafe decant_pass_over(value, last) else { return nil }
      unsafe at = unsafe decant_skip_white(stop)
    }
    if unsafe at.pointee != UInt8(ascii: ",") { break }
    unsafe at = unsafe decant_skip_white(at + 1)
    guard unsafe at.pointee == UInt8(ascii: "\"") else { return nil }
  }
  guard unsafe at == last else { return nil }
  while missing != 0 {
    let field = unsafe fields + missing.trailingZeroBitCount
    // What is told of a key that is no text, the long way knows.
    guard unsafe field.pointee.flags != 0, unsafe isText(field.keyStart, field.keyLength) else {
      return nil
    }
    missing &= missing &- 1
  }
  return unsafe next
}

/// The field of a key, looked for from an index on, and then from the first one on.
@inline(__always)
private func indexOfField(
  _ key: UnsafePointer<UInt8>, _ length: Int, _ fields: Field, _ count: Int, from first: Int
) -> Int? {
  var index = first
  for _ in 0..<count {
    if index >= count { index = 0 }
    let field = unsafe fields + index
    if unsafe decant_is_key(key, length, field.keyStart, Int(field.pointee.key_length)) {
      return index
    }
    index &+= 1
  }
  return nil
}

// MARK: - The table

/// Whether a table is one for this path, and no two of its fields have the same key.
@inline(never)
private func isPlain(_ record: Record, _ fields: Field) -> Bool {
  var end = 0
  var keys: UInt64 = 0
  for index in unsafe 0..<record.pointee.field_count {
    let field = unsafe fields + index
    end = unsafe endInStruct(of: field, after: end, record)
    if unsafe end > record.pointee.size { return false }
    let count = unsafe field.keyLength
    let bit = unsafe keyBit(field.keyStart + count, count)
    if keys & bit != 0, unsafe isRepeated(field, fields) { return false }
    keys |= bit
  }
  return unsafe isStorageApart(record, fields, end)
}

/// Where a field ends in its struct, if it is a number, a boolean or a string that has a block, begins behind
/// the last one, and has nothing else about it than that it may be absent. Else behind every struct.
@inline(__always)
private func endInStruct(of field: Field, after last: Int, _ record: Record) -> Int {
  let begin = Int(unsafe field.pointee.offset)
  let kind = unsafe shape(of: field)
  guard begin >= last, unsafe field.pointee.presence_offset == 0,
    unsafe field.pointee.bounds == nil, unsafe field.pointee.key != nil
  else { return Int.max }
  var end: Int
  if kind == UInt64(DECANT_STRING) {
    if unsafe record.pointee.storage_offset == 0 { return Int.max }
    end = begin &+ pointerWidth
  } else if kind == UInt64(DECANT_INT64) {
    end = begin &+ 8
  } else {
    guard kind != 0, kind <= UInt64(DECANT_TEXT),
      unsafe kind < UInt64(DECANT_STRING) || record.pointee.storage_offset != 0
    else { return Int.max }
    end = begin &+ fastWidth(ofKind: kind)
  }
  let counted = Int(unsafe field.pointee.length_offset)
  if counted != 0 {
    if counted < end { return Int.max }
    end = counted &+ countWidth
  }
  return end
}

/// A field's kind, element and flags as one number: the kind, if the rest is nothing but DECANT_OPTIONAL.
@inline(__always)
private func shape(of field: Field) -> UInt64 {
  let kind = UInt64(unsafe field.pointee.kind)
  let element = UInt64(unsafe field.pointee.element)
  let flags = UInt64(unsafe field.pointee.flags)
  return kind | element &<< 16 | (flags & ~UInt64(DECANT_OPTIONAL)) &<< 32
}

/// Widths of the kinds up to DECANT_TEXT: powers of two, four bits each, so that none is loaded.
@inline(__always)
private func fastWidth(ofKind kind: UInt64) -> Int {
  let logarithms: UInt64 = pointerWidth == 8 ? 0x43_3232_1032_1000 : 0x32_3232_1032_1000
  return 1 &<< Int(truncatingIfNeeded: logarithms &>> (4 &* kind) & 0xF)
}

/// Whether the storage lies before the fields or behind them.
@inline(__always)
private func isStorageApart(_ record: Record, _ fields: Field, _ end: Int) -> Bool {
  let storage = unsafe record.pointee.storage_offset
  let first = Int(unsafe fields.pointee.offset)
  return storage == 0 || storage >= end || storage &+ pointerWidth <= first
}

/// One of 64 bits for a key of `count` bytes before `end`.
@inline(__always)
private func keyBit(_ end: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
  let last = unsafe count == 0 ? UInt8(ascii: "\"") : end[-1]
  return 1 &<< UInt64(truncatingIfNeeded: Int(last) &+ count &* 8)
}

/// Whether a field before this one has the same key.
@inline(never)
private func isRepeated(_ field: Field, _ fields: Field) -> Bool {
  let key = unsafe field.keyStart
  let count = unsafe field.keyLength
  var other = unsafe fields
  while unsafe other != field {
    if unsafe decant_is_key(key, count, other.keyStart, Int(other.pointee.key_length)) {
      return true
    }
    unsafe other += 1
  }
  return false
}

// MARK: - Values

/// Where the value begins whose key ends at `quote`.
@inline(__always)
private func valueStart(_ quote: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
  let colon = unsafe decant_skip_white(quote + 1)
  guard unsafe colon.pointee == UInt8(ascii: ":") else { return nil }
  // One space is most of the white space that stands here.
  return unsafe decant_skip_white(colon + (colon[1] == UInt8(ascii: " ") ? 2 : 1))
}

/// Reads a field's value and writes it. Answers with where it ends, or nil.
@inline(__always)
private func writeValue(
  _ at: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>, _ field: Field,
  _ out: UnsafeMutableRawPointer, _ next: inout UnsafeMutablePointer<UInt8>
) -> UnsafePointer<UInt8>? {
  let place = unsafe out + Int(field.pointee.offset)
  let kind = Int(unsafe field.pointee.kind)
  if kind >= DECANT_STRING, unsafe at.pointee == UInt8(ascii: "\"") {
    // SAFETY: a table with strings has a block, which has room for the rest of the text.
    let string = unsafe decant_copy_string(next, at + 1, last)
    guard let quote = unsafe string.quote else { return nil }
    unsafe next[string.length] = 0
    unsafe place.storeBytes(of: next, as: UnsafeMutablePointer<UInt8>.self)
    let counted = Int(unsafe field.pointee.length_offset)
    if counted != 0 {
      unsafe out.storeBytes(of: string.length, toByteOffset: counted, as: Int.self)
    }
    if kind == DECANT_TEXT {
      unsafe place.storeBytes(of: string.length, toByteOffset: pointerWidth, as: Int.self)
    }
    unsafe next = unsafe next + (string.length &+ 1)
    return unsafe quote + 1
  }
  if kind == DECANT_INT64 {
    let integer = unsafe decant_read_integer(at, last)
    if let stop = unsafe integer.end {
      unsafe place.storeBytes(of: integer.value, as: Int64.self)
      return unsafe stop
    }
  }
  return unsafe writeOther(at, last, field, to: place)
}

/// A boolean, null where that is allowed, or a number.
@inline(never)
private func writeOther(
  _ at: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>, _ field: Field,
  to place: UnsafeMutableRawPointer
) -> UnsafePointer<UInt8>? {
  let kind = Int(unsafe field.pointee.kind)
  switch unsafe at.pointee {
  case UInt8(ascii: "n"):
    // The struct's zeros.
    return unsafe field.pointee.flags != 0 && decant_is_literal(at, last, "null") ? at + 4 : nil
  case UInt8(ascii: "t"):
    guard kind == DECANT_BOOL, unsafe decant_is_literal(at, last, "true") else { return nil }
    unsafe place.storeBytes(of: 1, as: UInt8.self)
    return unsafe at + 4
  case UInt8(ascii: "f"):
    return unsafe kind == DECANT_BOOL && decant_is_literal(at, last, "false") ? at + 5 : nil
  default:
    let stop = unsafe decant_number_end(at)
    // SAFETY: a number's shape describes it.
    guard let shape = unsafe numberShape(at, stop),
      unsafe storeNumber(
        NumberToken(unchecked: at, length: last - at, offset: 0, high: shape), kind, field,
        to: place) == ok
    else { return nil }
    return unsafe stop
  }
}

private func numberShape(_ at: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>) -> UInt32? {
  // SAFETY: the bytes from `at` up to `stop`.
  unsafe NumberToken.shape(
    of: Span(_unsafeElements: UnsafeBufferPointer(start: at, count: stop - at)))
}
