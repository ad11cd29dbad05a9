// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A faster source of members for small documents: the text itself, without an index.
//
//   table   id INT64 at 0   name STRING at 8, counted at 16   at RECORD {x INT32} at 24   storage at 32
//   text    {"id":1,        "nick":["A","B"],                 "at":{"x":2},               "name":"Ann"}
//            stored         checked                           the same again              stored
//
// Each member's key is compared with that of the next field, which most often is right, and else with those of all.
// The values of unknown ones are checked. At anything else the answer is false, and decoding begins anew with an index;
// so nothing here reports errors, and whatever is filled here is what the index would have given:
//
//   the text    every byte was checked by the grammar, strings are UTF-8, no number is out of its range
//   the table   it was checked, and has none but fields that RecordCheck.readsText is about
//
// If the block is full, this road gives up: an array of structs may be larger than its text.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The longest document that is filled from its text, and how deep its records nest.
let mostText = 1024
private let deepestText = deepestUnasked
/// The same of a table that was prepared, by which an index is read faster.
let mostPreparedText = 256

/// How many members of an object may be others than that of the next field: each is compared with all fields.
private let mostCompared = 64

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
}

/// The fields of a record that have met their members.
private struct MetMembers {
  /// A bit for each.
  var fields: UInt64 = 0
  /// A bit for each of their keys, so that few have to be compared.
  private var keys: UInt64 = 0

  /// Adds the key of a field, of `count` bytes. False if another field has the same: both have its member.
  ///
  /// - Parameter isInOrder: Whether the fields before this one were added, and no others.
  @inline(__always)
  mutating func add(
    _ field: FieldRef, of record: RecordRef, from key: TextPlace, _ count: Int, isInOrder: Bool
  ) -> Bool {
    let bit = keyBit(key.byte, key.advanced(by: count &- 1).byte, count)
    if _slowPath(keys & bit != 0),
      isInOrder ? record.isKeyRepeated(before: field) : record.isKeyRepeated(of: field)
    {
      return false
    }
    keys |= bit
    return true
  }

  /// Whether those without a bit may lack their members.
  @inline(never)
  func mayLackOthers(of record: RecordRef) -> Bool {
    var bit: UInt64 = 1
    for field in record.fields {
      if fields & bit == 0 {
        if !field.mayBeAbsent { return false }
        let key = field.key
        if !key.isText { return false }
        let quote = UInt8(ascii: "\"")
        let (first, last) = key.count > 0 ? (key[0], key[key.count &- 1]) : (quote, quote)
        let mark = keyBit(first, last, key.count)
        if keys & mark != 0, record.isKeyRepeated(of: field) { return false }
      }
      bit &<<= 1
    }
    return true
  }
}

/// One of 64 bits for a key of `count` bytes; an empty one has its quotes for its first and its last. The keys of an object
/// differ by their first bytes most often, and least by their lengths.
@inline(__always)
private func keyBit(_ first: UInt8, _ last: UInt8, _ count: Int) -> UInt64 {
  1 &<< UInt64(truncatingIfNeeded: Int(first) &* 9 &+ Int(last) &+ count)
}

extension FieldRef {
  /// Whether the key is the one up to a quote.
  @inline(__always)
  fileprivate func hasKey(from key: TextPlace, to quote: TextPlace) -> Bool {
    unsafe decant_is_key(key.pointer, quote - key, keyStart, givenKeyLength)
  }
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
  /// Fills a struct of zeros, by a table that was checked. False if it cannot be done without an index.
  ///
  /// - Parameter isUsual: Whether the record is one of `PlainFields`: less is asked of each field.
  @inline(__always)
  mutating func fill(
    _ record: RecordRef, from text: ObjectText, at out: Memory, isUsual: Bool
  ) -> Bool {
    let start = text.start.skippingWhite()
    // A string takes fewer bytes of the block than of the text, so a block of the text's size is large enough.
    let end =
      isUsual && (room == 0 || room >= text.last - start)
      ? takeUsual(record, at: start, text, in: out) : take(record, at: start, text, in: out, 0)
    return end.map { $0 - text.last } == 1
  }

  /// Fills a struct of zeros from the object at a place. Returns where the object ends, or nil.
  @inline(never)
  private mutating func take(
    _ record: RecordRef, at: TextPlace, _ text: ObjectText, in out: Memory, _ depth: Int
  ) -> TextPlace? {
    takeInOrder(record, at: at, text, in: out, depth, isUsual: false)
  }

  /// The same for a usual record, with a block as large as the text, or without a block.
  @inline(never)
  private mutating func takeUsual(
    _ record: RecordRef, at: TextPlace, _ text: ObjectText, in out: Memory
  ) -> TextPlace? {
    takeInOrder(record, at: at, text, in: out, 0, isUsual: true)
  }

  /// Members in the order of the fields; the others are left to `takeOthers`.
  @inline(__always)
  private mutating func takeInOrder(
    _ record: RecordRef, at start: TextPlace, _ text: ObjectText, in out: Memory, _ depth: Int,
    isUsual: Bool
  ) -> TextPlace? {
    guard start.byte == UInt8(ascii: "{"), record.fieldCount > 0 else { return nil }
    var (members, at) = (MetMembers(), start)
    var (field, end) = (record[0], record[record.fieldCount])
    while field != end {
      let key = at.advanced(by: 1).skippingWhite().advanced(by: 1)
      guard key.advanced(by: -1).byte == UInt8(ascii: "\"") else { break }
      let quote = unsafe TextPlace(decant_key_end(key.pointer, text.last.pointer))
      guard quote.byte == UInt8(ascii: "\""), field.hasKey(from: key, to: quote) else { break }
      // The table's length is at hand sooner than what the text says.
      var count = field.givenKeyLength
      if _slowPath(count == 0) { count = quote - key }
      guard members.add(field, of: record, from: key, count, isInOrder: true),
        let value = valueStart(key.advanced(by: count)),
        let stop = isUsual
          ? takeUsual(field, at: value, text, in: out)
          : take(field, at: value, text, in: out, depth)
      else { return nil }
      field = field.next
      at = stop.skippingWhite()
      if at.byte == UInt8(ascii: ",") { continue }
      guard at.byte == UInt8(ascii: "}") else { return nil }
      if field != end { break }
      // The last brace of the text closes nothing inside.
      return depth == 0 || text.last - at > 0 ? at.advanced(by: 1) : nil
    }
    return takeOthers(record, from: field, after: at, members, text, in: out, depth)
  }

  /// The same with members in any order, from an opening brace or a comma on, or with the closing brace. The fields before
  /// `first` have met their members.
  @inline(never)
  private mutating func takeOthers(
    _ record: RecordRef, from first: FieldRef, after start: TextPlace, _ before: MetMembers,
    _ text: ObjectText, in out: Memory, _ depth: Int
  ) -> TextPlace? {
    let count = record.fieldCount
    guard count <= 63 else { return nil }
    var members = before
    // A bit for each field whose member was found; the bit of the next field, and of the place after the last.
    let end: UInt64 = 1 &<< UInt64(truncatingIfNeeded: count)
    var bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: record.index(of: first))
    members.fields = bit &- 1
    var next = first
    var patience = mostCompared
    var at = start
    while at.byte != UInt8(ascii: "}") {
      let key = at.advanced(by: 1).skippingWhite().advanced(by: 1)
      if key.advanced(by: -1).byte != UInt8(ascii: "\"") {
        // An empty object ends after its brace.
        let brace = key.advanced(by: -1)
        guard at.byte == UInt8(ascii: "{"), brace.byte == UInt8(ascii: "}") else { return nil }
        at = brace
        break
      }
      let quote = unsafe TextPlace(decant_key_end(key.pointer, text.last.pointer))
      guard quote.byte == UInt8(ascii: "\""), let value = valueStart(quote) else { return nil }
      if bit == end || !next.hasKey(from: key, to: quote) {
        bit = find(&next, in: record, from: key, to: quote)
        patience &-= 1
        if patience < 0 { return nil }
      }
      let stop: TextPlace?
      if bit != end, bit & members.fields == 0 {
        let field = next
        guard members.add(field, of: record, from: key, quote - key, isInOrder: false)
        else { return nil }
        members.fields |= bit
        bit &<<= 1
        next = next.next
        stop = take(field, at: value, text, in: out, depth)
      } else {
        // An unknown member, or one with a key that was met before: the first one counts.
        stop = unsafe decant_skip_value(value.pointer, text.last.pointer)
          .map { unsafe TextPlace($0) }
      }
      guard let stop else { return nil }
      at = stop.skippingWhite()
      if at.byte != UInt8(ascii: ","), at.byte != UInt8(ascii: "}") { return nil }
    }
    guard members.fields == end &- 1 || members.mayLackOthers(of: record),
      depth == 0 || text.last - at > 0
    else { return nil }
    return at.advanced(by: 1)
  }

  /// Moves a field to the first one with a key, and returns its bit. If there is none, the field stays, and the bit after
  /// the last is returned.
  @inline(never)
  private func find(
    _ field: inout FieldRef, in record: RecordRef, from key: TextPlace, to quote: TextPlace
  ) -> UInt64 {
    let (count, first) = (quote - key, key.byte)
    var bit: UInt64 = 1
    for other in record.fields {
      // Most others have another length, or another first byte.
      let length = other.givenKeyLength
      if length != 0 ? length == count : unsafe count == 0 || other.keyStart.pointee == first,
        other.hasKey(from: key, to: quote)
      {
        field = other
        return bit
      }
      bit &<<= 1
    }
    return bit
  }

  /// The beginning of the value whose key ends at `quote`.
  @inline(__always)
  private func valueStart(_ quote: TextPlace) -> TextPlace? {
    let colon = quote.advanced(by: 1).skippingWhite()
    guard colon.byte == UInt8(ascii: ":") else { return nil }
    // One space is most of the white space that occurs here.
    let next = colon.advanced(by: 1)
    return (next.byte == UInt8(ascii: " ") ? next.advanced(by: 1) : next).skippingWhite()
  }

  /// Reads the value of a usual field and stores it. Returns where it ends, or nil.
  @inline(__always)
  private mutating func takeUsual(
    _ field: FieldRef, at: TextPlace, _ text: ObjectText, in record: Memory
  ) -> TextPlace? {
    let place = record.advanced(by: field.offset)
    let kind = field.checkedKind
    if kind == .string || kind == .text {
      var length = 0
      guard at.byte == UInt8(ascii: "\""), room > 0,
        let stop = copyText(kind, at: at, text, to: place, &length)
      else { return takeOther(field, kind, at: at, text, in: record, 0) }
      let count = field.plainLengthOffset
      if count != 0 { record.store(length, at: count) }
      return stop
    }
    if kind == .int64 {
      let integer = unsafe decant_read_integer(at.pointer, text.last.pointer)
      if let end = unsafe integer.end {
        place.store(integer.value)
        return unsafe TextPlace(end)
      }
    }
    return takeOther(field, kind, at: at, text, in: record, 0)
  }

  /// Reads a value and stores it. Returns where it ends, or nil.
  @inline(__always)
  private mutating func take(
    _ field: FieldRef, at: TextPlace, _ text: ObjectText, in record: Memory, _ depth: Int
  ) -> TextPlace? {
    let place = record.advanced(by: field.offset)
    let kind = field.kind
    var stop: TextPlace?
    if !field.isPlain {
      // Bounds, or a length that is no size_t.
    } else if kind == .string || kind == .text {
      var length = 0
      stop = takeText(kind, at: at, text, to: place, &length)
      let count = field.plainLengthOffset
      if stop != nil, count != 0 { record.store(length, at: count) }
    } else if kind == .int64 {
      let integer = unsafe decant_read_integer(at.pointer, text.last.pointer)
      // A point or an exponent makes it a real; neither can follow a value.
      if let end = unsafe integer.end {
        place.store(integer.value)
        unsafe stop = TextPlace(end)
      }
    }
    guard let stop else { return takeOther(field, kind, at: at, text, in: record, depth) }
    let presence = field.plainPresenceOffset
    if presence != 0 { record.store(1 as UInt8, at: presence) }
    return stop
  }

  /// The same for values other than strings and short integers.
  @inline(never)
  private mutating func takeOther(
    _ field: FieldRef, _ kind: FieldKind, at: TextPlace, _ text: ObjectText, in record: Memory,
    _ depth: Int
  ) -> TextPlace? {
    if at.byte == UInt8(ascii: "n"), field.mayBeAbsent {
      // The struct's zeros.
      return isLiteral(at, text, "null") ? at.advanced(by: 4) : nil
    }
    let place = record.advanced(by: field.offset)
    var count = 0
    let stop: TextPlace?
    switch kind {
    case .record:
      guard depth < deepestText, let inner = field.record else { return nil }
      stop = take(inner, at: at, text, in: place, depth &+ 1)
    case .array: stop = takeArray(field, at: at, text, in: place, depth, &count)
    default: stop = takeScalar(field, kind, at: at, text, to: place, &count)
    }
    if stop != nil { finish(field, count, in: record) }
    return stop
  }

  /// An array. Its elements are adjacent. When their space is full, they move to twice as much space, after the texts that
  /// were stored meanwhile.
  private mutating func takeArray(
    _ field: FieldRef, at: TextPlace, _ text: ObjectText, in place: Memory, _ depth: Int,
    _ count: inout Int
  ) -> TextPlace? {
    guard at.byte == UInt8(ascii: "["), depth < deepestText else { return nil }
    let first = at.advanced(by: 1).skippingWhite()
    var end: TextPlace?
    if first.byte == UInt8(ascii: "]") {
      end = first
    } else if field.element != .record {
      let (kind, stride) = (field.element, field.element.width)
      end = takeElements(of: stride, from: first, in: place, &count) { fill, element, place in
        var length = 0
        return fill.takeScalar(field, kind, at: element, text, to: place, &length)
      }
    } else if let record = field.record {
      end = takeElements(of: record.size, from: first, in: place, &count) { fill, element, place in
        place.clear(record.size)
        return fill.take(record, at: element, text, in: place, depth &+ 1)
      }
    }
    guard let end, end.byte == UInt8(ascii: "]"), field.acceptsElements(count) else { return nil }
    return end.advanced(by: 1)
  }

  /// Reads elements with `body`, which returns the end of an element, or nil. Returns the place after the last element,
  /// which no comma follows.
  @inline(__always)
  private mutating func takeElements(
    of stride: Int, from first: TextPlace, in place: Memory, _ count: inout Int,
    _ body: (inout RecordFill, TextPlace, Memory) -> TextPlace?
  ) -> TextPlace? {
    var (at, space) = (first, 4)
    guard var elements = room(space, of: stride, cleared: false, at: place) else { return nil }
    while true {
      if count == space {
        let old = elements
        space &*= 2
        guard let new = room(space, of: stride, cleared: false, at: place) else { return nil }
        new.copy(old, count &* stride)
        elements = new
      }
      guard let stop = body(&self, at, elements.advanced(by: count &* stride)) else { return nil }
      count &+= 1
      let next = stop.skippingWhite()
      if next.byte != UInt8(ascii: ",") { return next }
      at = next.advanced(by: 1).skippingWhite()
    }
  }

  /// Reads a value that holds no others, and stores it. Returns where it ends, or nil.
  private mutating func takeScalar(
    _ field: FieldRef, _ kind: FieldKind, at: TextPlace, _ text: ObjectText, to place: Memory,
    _ count: inout Int
  ) -> TextPlace? {
    switch kind {
    case .string, .text:
      let stop = takeText(kind, at: at, text, to: place, &count)
      return field.accepts(bytes: count, kind) ? stop : nil
    case .characters, .name, .time, .date:
      guard let (bytes, stop) = plainString(at: at, text),
        storeText(bytes, kind, field, to: place, &count) == ok
      else { return nil }
      return stop
    case .bool:
      let isTrue = at.byte == UInt8(ascii: "t")
      guard isLiteral(at, text, isTrue ? "true" : "false") else { return nil }
      place.store(isTrue ? 1 : 0 as UInt8)
      return at.advanced(by: isTrue ? 4 : 5)
    default:
      // SAFETY: the number's facts describe it.
      let number = unsafe decant_read_number(at.pointer, text.last.pointer)
      guard let stop = unsafe number.end else { return nil }
      let token = unsafe NumberToken(
        unchecked: at.pointer, length: text.last - at, offset: 0, shape: number.facts)
      guard storeNumber(token, kind, field, to: place) == ok else { return nil }
      return unsafe TextPlace(stop)
    }
  }

  @inline(__always)
  private mutating func takeText(
    _ kind: FieldKind, at: TextPlace, _ text: ObjectText, to place: Memory, _ count: inout Int
  ) -> TextPlace? {
    guard at.byte == UInt8(ascii: "\""), room >= text.last - at else { return nil }
    return copyText(kind, at: at, text, to: place, &count)
  }

  /// Copies a string to the block, which has space for the rest of the text.
  @inline(__always)
  private mutating func copyText(
    _ kind: FieldKind, at: TextPlace, _ text: ObjectText, to place: Memory, _ count: inout Int
  ) -> TextPlace? {
    // SAFETY: the block has space for the rest of the text.
    let string = unsafe decant_copy_string(
      next.assumingMemoryBound(to: UInt8.self), at.pointer + 1, text.last.pointer)
    guard let quote = unsafe string.quote else { return nil }
    count = string.length
    end(count, at: place)
    if kind == .text { place.store(count, at: pointerWidth) }
    return unsafe TextPlace(quote + 1)
  }

  /// The bytes of a string without escapes, and where it ends.
  private func plainString(at: TextPlace, _ text: ObjectText) -> (bytes: Bytes, end: TextPlace)? {
    guard at.byte == UInt8(ascii: "\"") else { return nil }
    let start = at.advanced(by: 1)
    let quote = unsafe TextPlace(decant_key_end(start.pointer, text.last.pointer))
    guard quote.byte == UInt8(ascii: "\"") else { return nil }
    return unsafe (Bytes(start.pointer, quote - start), quote.advanced(by: 1))
  }

  @inline(__always)
  private func isLiteral(_ at: TextPlace, _ text: ObjectText, _ literal: StaticString) -> Bool {
    unsafe decant_is_literal(
      at.pointer, text.last.pointer,
      UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self))
  }
}
