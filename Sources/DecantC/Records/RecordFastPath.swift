// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The fast path: a small document that the direct path (RecordDirectPath.swift) left, into a struct of numbers,
// booleans and strings, in one walk that checks the table, looks the fields up and writes them.
//
//   struct   id  name  name_length  email  email_length  storage
//   offset   0   8     16           24     32            40        each begins where the last ended, or later
//   {"id":1,"name":"Ann", …        each key is expected where the last value ended, as decant_walk does
//
// Where anything is not as usual, what was written is undone and the answer is false: the long way
// (Decode.swift) begins from the beginning, with the same index, and finds out what it was. Nothing that is
// wrong with a table or a document gets past: every byte that is written was checked to lie inside the
// struct, and what is not known here is not usual.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The largest document whose block is allocated without being measured: the text's length is enough for its
/// strings, and not much more than they need.
let smallDocument = 512

/// The largest struct whose old bytes are kept on the stack of the fast path.
let smallStruct = 128

/// Fills a struct from a document that was read, with a block from malloc.
// SAFETY: the caller's promises: a table whose pointers point to what they should, room for the record's
// struct at `out`, and an index that is the text's.
@inline(__always)
func writeFast(
  _ context: UnsafePointer<decant_context>, _ record: Record, _ out: UnsafeMutableRawPointer
) -> Bool {
  let size = unsafe record.pointee.size
  let storage = unsafe record.pointee.storage_offset
  guard unsafe JSON(context: context, node: context.pointee.root).isNativeObject,
    size > 0, size <= smallStruct, storage == 0 || storage > 0 && storage <= size &- pointerWidth,
    unsafe record.pointee.field_count > 0 && record.pointee.field_count <= smallStruct,
    let fields = unsafe record.pointee.fields
  else { return false }
  return unsafe withUnsafeTemporaryAllocation(byteCount: smallStruct, alignment: 16) { room in
    let old = room.baseAddress!
    unsafe decant_copy_bytes(old, out, size)
    unsafe decant_clear_bytes(out, size)
    let length = unsafe context.pointee.length
    let block = unsafe storage == 0 ? nil : decant_block_allocate(nil, length)
    // Without a block, no string has room.
    let next = unsafe writeFields(
      context, record, fields, out, block ?? old, unsafe block == nil ? 0 : length)
    if let next = unsafe next, unsafe next != block ?? old {
      unsafe out.storeBytes(of: block, toByteOffset: storage, as: UnsafeMutableRawPointer?.self)
      return true
    }
    // No string: a struct owns nothing. A failure: it is as it was.
    unsafe decant_block_release(nil, block, length)
    if unsafe next == nil { unsafe decant_copy_bytes(out, old, size) }
    return unsafe next != nil
  }
}

/// Checks and writes field by field. Answers with where the block's free part begins, or nil.
@inline(never)
private func writeFields(
  _ context: UnsafePointer<decant_context>, _ record: Record, _ fields: Field,
  _ out: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer, _ blockSize: Int
) -> UnsafeMutableRawPointer? {
  // SAFETY: an object's slot, as decant_walk asks.
  var walk = unsafe decant_walk_begin(context, context.pointee.root, false)
  // Where the last field ended in the struct, and where strings go on in the block.
  var end = 0
  var next = unsafe block
  let limit = unsafe block + blockSize
  var field = unsafe fields
  let last = unsafe field + record.pointee.field_count
  while true {
    // The table: numbers, booleans and strings, in the order of their offsets.
    let begin = Int(unsafe field.pointee.offset)
    guard begin >= end, unsafe field.pointee.presence_offset == 0,
      unsafe field.pointee.bounds == nil, let key = unsafe field.pointee.key
    else { return nil }
    let kind = unsafe shape(of: field)
    if kind == UInt64(DECANT_STRING) {
      end = begin &+ pointerWidth
    } else if kind == UInt64(DECANT_INT64) {
      end = begin &+ 8
    } else {
      guard kind != 0, kind <= UInt64(DECANT_TEXT) else { return nil }
      end = begin &+ fastWidth(ofKind: kind)
    }
    let counted = Int(unsafe field.pointee.length_offset)
    if counted != 0 {
      if counted < end { return nil }
      end = counted &+ countWidth
    }
    if unsafe end > record.pointee.size { return nil }

    // SAFETY: the key's bytes, as many as it says or up to a NUL byte.
    let start = unsafe UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self)
    let node = unsafe decant_walk_find(&walk, context, start, Int(field.pointee.key_length))
    if _slowPath(node == DECANT_NODE_NONE) { return nil }
    let slot = unsafe context.pointee.slots[Int(truncatingIfNeeded: node)]
    let high = UInt32(truncatingIfNeeded: slot &>> 32)
    if kind >= UInt64(DECANT_STRING) {
      if unsafe record.pointee.storage_offset == 0 { return nil }
      let length = Int(high)
      if high < DECANT_STRING_LONG {
        guard unsafe length < limit - next else { return nil }
        let offset = Int(UInt32(truncatingIfNeeded: slot))
        unsafe decant_copy_bytes(next, context.pointee.text + (offset &+ 1), length)
        unsafe next.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
        unsafe out.storeBytes(of: next, toByteOffset: begin, as: UnsafeMutableRawPointer.self)
        if counted != 0 { unsafe out.storeBytes(of: length, toByteOffset: counted, as: Int.self) }
        if kind == UInt64(DECANT_TEXT) {
          unsafe out.storeBytes(of: length, toByteOffset: begin &+ pointerWidth, as: Int.self)
        }
        unsafe next = unsafe next + (length &+ 1)
      } else if unsafe high != DECANT_NULL || field.pointee.flags == 0 {
        return nil
      }
    } else if kind == UInt64(DECANT_INT64), high & DECANT_SCALAR_MASK == DECANT_NUMBER,
      case .value(let integer) = unsafe numberToken(context, slot).integer(Int64.self)
    {
      unsafe out.storeBytes(of: integer, toByteOffset: begin, as: Int64.self)
    } else if unsafe storeFast(context, node, field, out) != ok {
      guard unsafe high == DECANT_NULL && field.pointee.flags != 0 else { return nil }
    }
    unsafe field += 1
    if unsafe field == last { break }
  }

  // The storage: before the fields or behind them.
  let storage = unsafe record.pointee.storage_offset
  let first = Int(unsafe fields.pointee.offset)
  let isApart = storage == 0 || storage >= end || storage &+ pointerWidth <= first
  return unsafe isApart ? next : nil
}

/// A field's kind, element and flags as one number: the kind, if the rest is nothing but DECANT_OPTIONAL.
@inline(__always)
func shape(of field: Field) -> UInt64 {
  let kind = UInt64(unsafe field.pointee.kind)
  let element = UInt64(unsafe field.pointee.element)
  let flags = UInt64(unsafe field.pointee.flags)
  return kind | element &<< 16 | (flags & ~UInt64(DECANT_OPTIONAL)) &<< 32
}

/// The number of a slot that is one.
@inline(__always)
private func numberToken(_ context: UnsafePointer<decant_context>, _ slot: UInt64) -> NumberToken {
  // SAFETY: a number's slot describes it.
  unsafe NumberToken(
    unchecked: context.pointee.text, length: context.pointee.length,
    offset: Int(UInt32(truncatingIfNeeded: slot)), high: UInt32(truncatingIfNeeded: slot &>> 32))
}

/// A number or a boolean.
@inline(never)
private func storeFast(
  _ context: UnsafePointer<decant_context>, _ node: UInt64, _ field: Field,
  _ out: UnsafeMutableRawPointer
) -> Status {
  let json = unsafe JSON(context: context, node: node)
  let kind = Int(unsafe field.pointee.kind)
  return unsafe store(json, kind, field, to: out + Int(field.pointee.offset))
}

/// Widths of the kinds up to DECANT_TEXT: powers of two, four bits each, so that none is loaded.
@inline(__always)
func fastWidth(ofKind kind: UInt64) -> Int {
  let logarithms: UInt64 = pointerWidth == 8 ? 0x43_3232_1032_1000 : 0x32_3232_1032_1000
  return 1 &<< Int(truncatingIfNeeded: logarithms &>> (4 &* kind) & 0xF)
}
