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

/// The text of an object, from its brace to its last one.
@safe
struct ObjectText {
  // SAFETY: `last` is the closing brace, and not before `start`. A byte that is something else is followed by one
  // that may be read.
  let start: UnsafePointer<UInt8>
  let last: UnsafePointer<UInt8>

  /// Nil if the bytes do not end with a brace.
  @unsafe
  @inline(__always)
  init?(_ text: UnsafePointer<UInt8>, _ length: Int) {
    guard length > 1 else { return nil }
    unsafe start = unsafe text
    var last = unsafe text + (length &- 1)
    while unsafe decant_is_white_space(last.pointee), unsafe last != text { unsafe last -= 1 }
    guard unsafe last.pointee == UInt8(ascii: "}") else { return nil }
    unsafe self.last = unsafe last
  }
}

extension RecordFill {
  /// Fills a struct of zeros. False if it cannot be done without an index.
  @inline(never)
  mutating func fill(_ record: RecordRef, from text: ObjectText, at out: Memory) -> Bool {
    var at = unsafe decant_skip_white(text.start)
    guard unsafe at.pointee == UInt8(ascii: "{") else { return false }
    var plain = PlainFields(record.size)
    // A bit for each key, so that few have to be compared with those before them.
    var keys: UInt64 = 0
    for field in record.fields {
      // Values are stored without a look at bounds.
      guard plain.take(field), !field.hasBounds else { return false }
      let key = unsafe decant_skip_white(at + 1)
      guard unsafe key.pointee == UInt8(ascii: "\""),
        let quote = unsafe end(ofKey: field, at: key + 1, text)
      else { return false }
      let bit = unsafe keyBit(quote, quote - key)
      if _slowPath(keys & bit != 0), isRepeated(field, in: record) { return false }
      keys |= bit
      guard let value = unsafe valueStart(quote),
        let stop = unsafe take(field, at: value, text, in: out)
      else { return false }
      unsafe at = unsafe decant_skip_white(stop)
      if unsafe at.pointee != UInt8(ascii: ",") {
        // The last member; it must be the last field's.
        return unsafe at == text.last && record.isLast(field)
          && record.isStorageApart(from: plain.end)
      }
    }
    return false
  }

  /// Where a field's key ends, if that is the key here.
  @unsafe
  @inline(__always)
  private func end(
    ofKey field: FieldRef, at key: UnsafePointer<UInt8>, _ text: ObjectText
  ) -> UnsafePointer<UInt8>? {
    let end = unsafe decant_key_end(key, text.last)
    let count = field.givenKeyLength
    guard unsafe end.pointee == UInt8(ascii: "\""),
      unsafe decant_is_key(key, end - key, field.keyStart, count)
    else { return nil }
    // The table's length is at hand sooner than what the text says.
    return unsafe _fastPath(count != 0) ? key + count : end
  }

  /// Where the value begins whose key ends at `quote`.
  @unsafe
  @inline(__always)
  private func valueStart(_ quote: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let colon = unsafe decant_skip_white(quote + 1)
    guard unsafe colon.pointee == UInt8(ascii: ":") else { return nil }
    // One space is most of the white space that occurs here.
    return unsafe decant_skip_white(colon + (colon[1] == UInt8(ascii: " ") ? 2 : 1))
  }

  /// One of 64 bits for a key of `count` bytes before `end`.
  @unsafe
  @inline(__always)
  private func keyBit(_ end: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: Int(unsafe end[-1]) &+ count &* 8)
  }

  /// Whether a field before this one has the same key.
  @inline(never)
  private func isRepeated(_ field: FieldRef, in record: RecordRef) -> Bool {
    record.fields.prefix(record.index(of: field)).contains { $0.key == field.key }
  }

  /// Reads a value and stores it. Returns where it ends, or nil.
  @unsafe
  @inline(__always)
  private mutating func take(
    _ field: FieldRef, at: UnsafePointer<UInt8>, _ text: ObjectText, in record: Memory
  ) -> UnsafePointer<UInt8>? {
    let place = record.advanced(by: field.offset)
    let kind = field.kind
    if kind == .string || kind == .text {
      guard unsafe at.pointee == UInt8(ascii: "\""), room > 0 else {
        return unsafe takeOther(field, at: at, text, to: place)
      }
      // SAFETY: the block has room for the rest of the text.
      let string = unsafe decant_copy_string(
        next.assumingMemoryBound(to: UInt8.self), at + 1, text.last)
      guard let quote = unsafe string.quote else { return nil }
      end(unsafe string.length, kind, field, at: place, in: record)
      return unsafe quote + 1
    }
    if kind == .int64 {
      let integer = unsafe decant_read_integer(at, text.last)
      if let stop = unsafe integer.end {
        place.store(unsafe integer.value)
        return unsafe stop
      }
    }
    return unsafe takeOther(field, at: at, text, to: place)
  }

  /// A boolean, null where that is allowed, or a number.
  @unsafe
  @inline(never)
  private func takeOther(
    _ field: FieldRef, at: UnsafePointer<UInt8>, _ text: ObjectText, to place: Memory
  ) -> UnsafePointer<UInt8>? {
    let last = unsafe text.last
    switch unsafe at.pointee {
    case UInt8(ascii: "n"):
      // The struct's zeros.
      guard field.mayBeAbsent, field.kind != .kind else { return nil }
      return unsafe decant_is_literal(at, last, "null") ? at + 4 : nil
    case UInt8(ascii: "t"):
      guard field.kind == .bool, unsafe decant_is_literal(at, last, "true") else { return nil }
      place.store(1 as UInt8)
      return unsafe at + 4
    case UInt8(ascii: "f"):
      return unsafe field.kind == .bool && decant_is_literal(at, last, "false") ? at + 5 : nil
    default:
      let stop = unsafe decant_number_end(at)
      let bytes = unsafe UnsafeBufferPointer(start: at, count: stop - at)
      // SAFETY: a number's shape describes it.
      guard let shape = unsafe NumberToken.shape(of: Span(_unsafeElements: bytes)),
        unsafe storeNumber(
          NumberToken(unchecked: at, length: last - at, offset: 0, high: shape), field.kind,
          field, to: place) == ok
      else { return nil }
      return unsafe stop
    }
  }
}
