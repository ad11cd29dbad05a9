// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A faster source of members for small documents: the text itself, without an index, as long as every member is the
// next field's.
//
//   table   id INT64 at 0   name STRING at 8, counted at 16   email STRING at 24   storage at 32
//   text    {"id":1,        "name":"Ann",                     "email":"a@b.c"}
//
// The table says what comes next: a quote, the key, a colon, a value of the field's kind, a comma. Each is read and
// checked, and the value is stored by RecordFill. At anything else the answer is false, and decoding begins anew with
// an index; so nothing here reports errors, and whatever is filled here is what the index would have given:
//
//   the text    every byte was checked by the grammar, strings are UTF-8, no number is out of its range
//   the table   every field was accepted by PlainFields, none has bounds, and no two have the same key
//
// The block is as large as the text, and that is enough: a string of n bytes takes n + 2 bytes of the text and at most
// n + 1 of the block, so the block never has less left than the text.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// A place in the text of an object.
@safe
private struct TextPlace {
  // SAFETY: a byte of the text, up to the closing brace that ends it. A byte that is something else than that brace is
  // followed by one that may be read.
  let pointer: UnsafePointer<UInt8>

  @unsafe
  init(_ pointer: UnsafePointer<UInt8>) { unsafe self.pointer = pointer }

  var byte: UInt8 { unsafe pointer.pointee }

  func advanced(by count: Int) -> TextPlace { unsafe TextPlace(pointer + count) }

  /// The next place that is not white space.
  func skippingWhite() -> TextPlace { unsafe TextPlace(decant_skip_white(pointer)) }

  static func - (end: TextPlace, start: TextPlace) -> Int { unsafe end.pointer - start.pointer }

  static func == (a: TextPlace, b: TextPlace) -> Bool { unsafe a.pointer == b.pointer }
}

/// The text of an object, from its brace to its last one.
@safe
struct ObjectText {
  // SAFETY: `last` is the closing brace, and not before `start`.
  private let startPointer: UnsafePointer<UInt8>
  private let lastPointer: UnsafePointer<UInt8>

  /// Nil if the bytes do not end with a brace.
  @inline(__always)
  init?(_ text: Bytes) {
    guard text.count > 1, let start = unsafe text.start else { return nil }
    unsafe startPointer = start
    var last = unsafe start + (text.count &- 1)
    while unsafe decant_is_white(last.pointee), unsafe last != start { unsafe last -= 1 }
    guard unsafe last.pointee == UInt8(ascii: "}") else { return nil }
    unsafe lastPointer = last
  }

  fileprivate var start: TextPlace { unsafe TextPlace(startPointer) }
  fileprivate var last: TextPlace { unsafe TextPlace(lastPointer) }
}

extension RecordFill {
  /// Fills a struct of zeros. False if it cannot be done without an index.
  @inline(never)
  mutating func fill(_ record: RecordRef, from text: ObjectText, at out: Memory) -> Bool {
    var at = text.start.skippingWhite()
    guard at.byte == UInt8(ascii: "{") else { return false }
    var plain = PlainFields(record.size)
    // A bit for each key, so that few have to be compared with those before them.
    var keys: UInt64 = 0
    for field in record.fields {
      // Values are stored without a look at bounds.
      guard plain.take(field), !field.hasBounds else { return false }
      let key = at.advanced(by: 1).skippingWhite()
      guard key.byte == UInt8(ascii: "\""),
        let quote = end(ofKey: field, at: key.advanced(by: 1), text)
      else { return false }
      let bit = keyBit(quote, quote - key)
      if _slowPath(keys & bit != 0), record.isKeyRepeated(before: field) { return false }
      keys |= bit
      guard let value = valueStart(quote), let stop = take(field, at: value, text, in: out)
      else { return false }
      at = stop.skippingWhite()
      if at.byte != UInt8(ascii: ",") {
        // The last member; it must be the last field's.
        return at == text.last && record.isLast(field) && record.isStorageApart(from: plain.end)
      }
    }
    return false
  }

  /// Where a field's key ends, if that is the key here.
  @inline(__always)
  private func end(ofKey field: FieldRef, at key: TextPlace, _ text: ObjectText) -> TextPlace? {
    let end = unsafe TextPlace(decant_key_end(key.pointer, text.last.pointer))
    let count = field.givenKeyLength
    guard end.byte == UInt8(ascii: "\""),
      unsafe decant_is_key(key.pointer, end - key, field.keyStart, count)
    else { return nil }
    // The table's length is at hand sooner than what the text says.
    return _fastPath(count != 0) ? key.advanced(by: count) : end
  }

  /// Where the value begins whose key ends at `quote`.
  @inline(__always)
  private func valueStart(_ quote: TextPlace) -> TextPlace? {
    let colon = quote.advanced(by: 1).skippingWhite()
    guard colon.byte == UInt8(ascii: ":") else { return nil }
    // One space is most of the white space that occurs here.
    let next = colon.advanced(by: 1)
    return (next.byte == UInt8(ascii: " ") ? next.advanced(by: 1) : next).skippingWhite()
  }

  /// One of 64 bits for a key of `count` bytes before `end`.
  private func keyBit(_ end: TextPlace, _ count: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: Int(end.advanced(by: -1).byte) &+ count &* 8)
  }

  /// Reads a value and stores it. Returns where it ends, or nil.
  @inline(__always)
  private mutating func take(
    _ field: FieldRef, at: TextPlace, _ text: ObjectText, in record: Memory
  ) -> TextPlace? {
    let place = record.advanced(by: field.offset)
    let kind = field.kind
    if kind == .string || kind == .text {
      guard at.byte == UInt8(ascii: "\""), room > 0 else {
        return takeOther(field, at: at, text, to: place)
      }
      // SAFETY: the block has room for the rest of the text.
      let string = unsafe decant_copy_string(
        next.assumingMemoryBound(to: UInt8.self), at.pointer + 1, text.last.pointer)
      guard let quote = unsafe string.quote else { return nil }
      end(string.length, kind, field, at: place, in: record)
      return unsafe TextPlace(quote + 1)
    }
    if kind == .int64 {
      let integer = unsafe decant_read_integer(at.pointer, text.last.pointer)
      if let stop = unsafe integer.end {
        place.store(integer.value)
        return unsafe TextPlace(stop)
      }
    }
    return takeOther(field, at: at, text, to: place)
  }

  /// A boolean, null where that is allowed, or a number.
  @inline(never)
  private func takeOther(
    _ field: FieldRef, at: TextPlace, _ text: ObjectText, to place: Memory
  ) -> TextPlace? {
    switch at.byte {
    case UInt8(ascii: "n"):
      // The struct's zeros.
      guard field.mayBeAbsent, field.kind != .kind else { return nil }
      return isLiteral(at, text, "null") ? at.advanced(by: 4) : nil
    case UInt8(ascii: "t"):
      guard field.kind == .bool, isLiteral(at, text, "true") else { return nil }
      place.store(1 as UInt8)
      return at.advanced(by: 4)
    case UInt8(ascii: "f"):
      return field.kind == .bool && isLiteral(at, text, "false") ? at.advanced(by: 5) : nil
    default:
      // SAFETY: the number's facts describe it.
      let number = unsafe decant_read_number(at.pointer, text.last.pointer)
      guard let stop = unsafe number.end else { return nil }
      let token = unsafe NumberToken(
        unchecked: at.pointer, length: text.last - at, offset: 0, shape: number.facts)
      guard storeNumber(token, field.kind, field, to: place) == ok else { return nil }
      return unsafe TextPlace(stop)
    }
  }

  @inline(__always)
  private func isLiteral(_ at: TextPlace, _ text: ObjectText, _ literal: StaticString) -> Bool {
    unsafe decant_is_literal(
      at.pointer, text.last.pointer,
      UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self))
  }
}
