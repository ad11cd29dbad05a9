// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The fast path: a small document into a struct of numbers, booleans and strings, in one walk that checks
// the table, looks the fields up and writes them, with its state in registers.
//
//   struct   id  name  name_length  email  email_length  storage
//   offset   0   8     16           24     32            40        each begins where the last ended, or later
//   {"id":1,"name":"Ann", …        each key is expected where the last value ended, as decant_lookup does
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
private let smallStruct = 128

/// Fills a struct from a document that was read, with a block from malloc.
// SAFETY: the caller's promises: a table whose pointers point to what they should, room for the record's
// struct at `out`, and an index that is the text's.
@inline(__always)
func writeFast(
  _ context: UnsafePointer<decant_context>, _ record: Record, _ out: UnsafeMutableRawPointer
) -> Bool {
  let size = unsafe record.pointee.size
  let storage = unsafe record.pointee.storage_offset
  guard size > 0, size <= smallStruct,
    storage == 0 || storage > 0 && storage <= size &- pointerWidth,
    unsafe record.pointee.field_count > 0 && record.pointee.field_count <= smallStruct,
    unsafe record.pointee.fields != nil,
    unsafe JSON(context: context, node: context.pointee.root).isNativeObject
  else { return false }
  return unsafe withUnsafeTemporaryAllocation(byteCount: smallStruct, alignment: 16) { room in
    let old = room.baseAddress!
    unsafe decant_copy_bytes(old, out, size)
    unsafe decant_clear_bytes(out, size)
    let length = unsafe context.pointee.length
    let block = unsafe storage == 0 ? nil : decant_block_allocate(nil, length)
    let rest = unsafe writeFields(context, record, out, block, unsafe block == nil ? 0 : length)
    if rest >= 0, rest < length, unsafe block != nil {
      unsafe out.storeBytes(of: block, toByteOffset: storage, as: UnsafeMutableRawPointer?.self)
      return true
    }
    // No string: a struct owns nothing. A failure: it is as it was.
    unsafe decant_block_release(nil, block, length)
    if rest < 0 { unsafe decant_copy_bytes(out, old, size) }
    return rest >= 0
  }
}

/// Checks and writes field by field. Answers with how much of the block is left, or a negative number.
@inline(never)
private func writeFields(
  _ context: UnsafePointer<decant_context>, _ record: Record, _ out: UnsafeMutableRawPointer,
  _ block: UnsafeMutableRawPointer?, _ blockSize: Int
) -> Int {
  // SAFETY: an object's slot, as decant_walk asks.
  var walk = unsafe decant_walk_begin(context, context.pointee.root, false)
  // Where the last field ended in the struct, and where strings go on in the block.
  var end = 0
  var next = unsafe block
  var room = blockSize
  var field = unsafe record.pointee.fields!
  let last = unsafe field + record.pointee.field_count
  repeat {
    // The table: numbers, booleans and strings, in the order of their offsets.
    let kind = Int(unsafe field.pointee.kind)
    let begin = Int(unsafe field.pointee.offset)
    guard kind > 0, kind <= DECANT_TEXT, unsafe field.pointee.flags <= UInt32(DECANT_OPTIONAL),
      begin >= end, unsafe field.pointee.key != nil, unsafe field.pointee.bounds == nil,
      unsafe field.pointee.presence_offset == 0
    else { return -1 }
    end = begin &+ fastWidth(ofKind: kind)
    let counted = Int(unsafe field.pointee.length_offset)
    if counted != 0 {
      if counted < end { return -1 }
      end = counted &+ countWidth
    }
    if unsafe end > record.pointee.size { return -1 }

    let node = unsafe decant_walk_find(&walk, context, field.keyStart, field.keyLength)
    if node == DECANT_NODE_NONE { return -1 }
    let slot = unsafe context.pointee.slots[Int(truncatingIfNeeded: node)]
    let high = UInt32(truncatingIfNeeded: slot &>> 32)
    if kind >= DECANT_STRING, high < DECANT_STRING_LONG {
      let length = Int(high)
      guard length < room, let start = unsafe next else { return -1 }
      unsafe decant_copy_bytes(
        start, context.pointee.text + (Int(UInt32(truncatingIfNeeded: slot)) &+ 1), length)
      unsafe start.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
      unsafe out.storeBytes(of: start, toByteOffset: begin, as: UnsafeMutableRawPointer.self)
      if counted != 0 { unsafe out.storeBytes(of: length, toByteOffset: counted, as: Int.self) }
      if kind == DECANT_TEXT {
        unsafe out.storeBytes(of: length, toByteOffset: begin &+ pointerWidth, as: Int.self)
      }
      unsafe next = unsafe start + (length &+ 1)
      room &-= length &+ 1
    } else if kind == DECANT_INT64, let integer = unsafe fastInteger(context, node) {
      unsafe out.storeBytes(of: integer, toByteOffset: begin, as: Int64.self)
    } else if unsafe high != DECANT_NULL || field.pointee.flags == 0 {
      guard kind < DECANT_STRING, unsafe storeFast(context, node, field, out) == ok else {
        return -1
      }
    }
    unsafe field += 1
  } while unsafe field != last

  // The storage: before the fields or behind them.
  let storage = unsafe record.pointee.storage_offset
  let first = Int(unsafe record.pointee.fields.pointee.offset)
  return storage == 0 || storage >= end || storage &+ pointerWidth <= first ? room : -1
}

/// An integer of at most eight digits, or nil.
@inline(__always)
private func fastInteger(_ context: UnsafePointer<decant_context>, _ node: UInt64) -> Int64? {
  let json = unsafe JSON(context: context, node: node)
  guard json.isNativeNumber else { return nil }
  let token = json.numberToken
  guard case .value(let integer) = token.integer(Int64.self) else { return nil }
  return integer
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
private func fastWidth(ofKind kind: Int) -> Int {
  let logarithms: UInt64 = pointerWidth == 8 ? 0x43_3232_1032_1000 : 0x32_3232_1032_1000
  return 1 &<< Int(truncatingIfNeeded: logarithms &>> UInt64(4 &* kind) & 0xF)
}
