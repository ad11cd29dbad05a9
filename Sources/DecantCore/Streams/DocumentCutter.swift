// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Cuts a stream into documents that line feeds do not separate. Chunks may end at any byte:
//
//   RECORDS    <RS>{"id":1}⏎<RS>{⏎"id":2}⏎      RFC 7464: a record separator (1E) before each, white space behind
//   DOCUMENTS  {"id":1}{"id":2} 3 4"five"[6]     one after another: a document ends with its last bracket or quote,
//                                                other ones before white space, a bracket or a quote
//   elements   {"items":[{"id":1} , {"id":2}]}   of one array: see ArrayStream.swift
//
// A document within one chunk is returned in place. The bytes of any other are copied until the rest arrives. A document
// may have several lines, so places are counted over every byte.
//
// The caller decides what a lack of memory means: no byte has been passed then, so the caller may ask again, or give the
// document up.

internal import CDecantIndex

package struct DocumentCutter {
  package enum Next {
    /// A document, which begins at `start`.
    case document(Bytes)
    /// One that is not to be read, and why.
    case refusal(Bytes, code: Int, message: StaticString)
    /// The chunk is used up; or nothing is left.
    case nothing
    case noMemory
  }

  private let rules: StreamRules
  /// The place of the document that was returned last.
  package private(set) var start: StreamPlace
  /// The place of the first byte that was not handed out, but for those that are uncounted.
  private var place: StreamPlace
  /// The place behind the last byte that was passed.
  package private(set) var end: StreamPlace
  /// The same in the chunk; and where the document began that was returned last, if it is in the chunk.
  private var at = 0
  package private(set) var from = 0
  /// What was passed since the places were counted: bytes, elements, and line feeds.
  private var uncounted = (bytes: 0, elements: 0, lines: 0)
  private var unfinished = Unfinished()
  private var isHandedOut = false
  private var value = Value()
  /// Whether the document was handed out before its end, because it is too long.
  private var wasTooLong = false

  /// Behind an invalid document: what is passed over, how far a line is indented, and how far it may be.
  private var skipped = Skipped.nothing
  private var indentation = 0
  private var mostIndented = 0
  /// Of elements: what is before the present one on its line; how far it is indented if that is nothing, and how far the
  /// last one was that had no fault.
  private var line = Line.begun
  private var ownIndentation: Int?
  private var usualIndentation: Int?
  /// Whether the last document was neither an object nor an array, so that lines may begin with others.
  private var hasScalars = false

  /// Of records: whether a separator was there, and whether the last byte is white space.
  private var isRecord = false
  private var isTerminated = false

  /// What is around the elements of an array.
  package private(set) var array: ArrayStream?
  /// What links many of them at once.
  private var index: ElementIndex
  /// The context of the element that was returned last, if it is linked. Whoever reads it may read all of the chunk.
  package private(set) var linked: ContextRef?

  /// How many bytes of a byte order mark the stream has begun with; nil if none can follow.
  private var mark: Int?

  /// Of records, documents or elements: lines are found by others.
  package init(_ rules: StreamRules) {
    self.rules = rules
    array = rules.array.map { ArrayStream($0, rules) }
    index = ElementIndex(rules)
    // That of a document with elements is read with the document.
    mark = rules.allowsMark && rules.array == nil ? 0 : nil
    (start, place, end) = (rules.first, rules.first, rules.first)
  }

  /// The place of the first byte that was not handed out. After `count` its column is true, too.
  package var unfinishedPlace: StreamPlace {
    var place = place
    place.offset = place.offset.saturating(adding: uncounted.bytes)
    place.line = place.line.saturating(adding: uncounted.lines)
    return place
  }

  package mutating func release() {
    unfinished.release(rules)
    array?.release(rules)
    index.end()
  }

  /// One that goes on by itself, with memory of its own for what is kept.
  package func copy() -> DocumentCutter {
    var copy = self
    copy.unfinished = isHandedOut ? Unfinished() : unfinished.copy(rules)
    copy.isHandedOut = false
    copy.array = array?.copy(rules)
    copy.index = index.copy()
    copy.linked = nil
    return copy
  }

  /// The next document that ends in a chunk. The same chunk comes again until there is nothing left in it.
  package mutating func next(in chunk: Bytes) -> Next {
    if let element = nextLinked(chunk) { return .document(element) }
    return nextCut(chunk)
  }

  @inline(never)
  private mutating func nextCut(_ chunk: Bytes) -> Next {
    count(in: chunk)
    forgetLast()
    if let seen = mark, let next = passMark(chunk, seen) { return next }
    while at < chunk.count {
      if beginsIndex(chunk), let element = nextLinked(chunk) { return .document(element) }
      if let next = array != nil ? nextOfArray(chunk) : nextOfStream(chunk) { return next }
    }
    (at, from) = (0, 0)
    return .nothing
  }

  /// The document that nothing ended, when there are no more chunks.
  package mutating func finish() -> Next {
    linked = nil
    forgetLast()
    if let seen = mark, let next = takeBegunMark(seen) { return next }
    guard unfinished.length > 0 else { return .nothing }
    if isOfRecords { return record(unfinished.bytes) ?? .nothing }
    if wasTooLong {
      unfinished.clear(rules)
      return .nothing
    }
    defer { array?.passElement() }
    return document(unfinished.bytes)
  }

  /// Goes on without what there is no memory for: the unfinished document fails, or what is around an array.
  package mutating func giveUp() {
    if let array, array.part != .elements {
      self.array?.giveUp(rules)
    } else {
      unfinished.giveUp(rules)
    }
  }

  /// Passes a byte order mark, of which chunks before this one had some bytes. Nil if the chunk has other bytes.
  private mutating func passMark(_ chunk: Bytes, _ seen: Int) -> Next? {
    let whole = Bytes.markBytes
    var count = seen
    while count < whole.count, at < chunk.count, chunk[at] == whole[count] {
      count += 1
      at += 1
    }
    if count == whole.count {
      mark = nil
      from = at
      place.passMark()
      end.passMark()
      return nil
    }
    let isUsed = at == chunk.count
    at = 0
    if !isUsed { return takeBegunMark(seen) }
    mark = count
    return .nothing
  }

  /// Takes bytes that only began like a byte order mark. They end no document; without memory, none is passed.
  private mutating func takeBegunMark(_ count: Int) -> Next? {
    while at < count {
      if let next = nextOfStream(Bytes.markBytes[0..<count]) { return next }
    }
    (at, from, mark) = (0, 0, nil)
    return nil
  }

  private var isOfRecords: Bool { array == nil && rules.hasRecords }

  private mutating func forgetLast() {
    if isHandedOut { unfinished.clear(rules) }
    isHandedOut = false
  }

  private mutating func nextOfStream(_ chunk: Bytes) -> Next? {
    isOfRecords ? nextRecord(chunk) : nextDocument(chunk)
  }

  /// Hands out a document that begins at `place` and ends at `end`.
  @inline(never)
  private mutating func document(_ bytes: Bytes) -> Next {
    start = place
    place = end
    isHandedOut = true
    if unfinished.isShort {
      return .refusal(
        Bytes(), code: Int(DecodeError.Code.outOfMemory.rawValue), message: "out of memory")
    }
    return .document(bytes)
  }

  /// Passes over bytes of a document, with its last one if it `isWhole`, which is then handed out. A document that is too
  /// long is handed out as soon as that is known, and the rest of it is passed over.
  @inline(never)
  private mutating func take(_ part: Bytes, isWhole: Bool) -> Next? {
    let isInChunk = isWhole && unfinished.length == 0
    if !isInChunk, !unfinished.keep(part, rules) { return .noMemory }
    end.pass(part)
    from = at
    at += part.count
    if wasTooLong {
      if isWhole {
        unfinished.clear(rules)
        wasTooLong = false
      }
      place = end
      return nil
    }
    if !isWhole {
      if unfinished.length < rules.mostKept || isOfRecords { return nil }
      wasTooLong = true
      defer { isHandedOut = false }
      return document(unfinished.bytes)
    }
    if !isInChunk { from = at }
    let bytes = isInChunk ? part : unfinished.bytes
    return isOfRecords ? record(bytes) : document(bytes)
  }

  /// Passes over white space before a document, which begins at `place`.
  @inline(never)
  private mutating func passWhite(_ chunk: Bytes) {
    let (first, number) = (at, end.line)
    while at < chunk.count, decant_is_white(chunk[at]) { at += 1 }
    if at > first { end.pass(chunk[first..<at]) }
    if end.line != number { line = .blank }
    place = end
  }

  // MARK: - Records

  private mutating func nextRecord(_ chunk: Bytes) -> Next? {
    let rest = chunk[at..<chunk.count]
    let part = rest[0..<rest.recordLength]
    let isWhole = part.count < rest.count
    if part.count > 0 { isTerminated = decant_is_white(part[part.count - 1]) }
    let next = take(part, isWhole: isWhole)
    if case .noMemory = next { return next }
    if !isWhole { return nil }
    isRecord = true
    end.pass(chunk[at..<at + 1])
    place = end
    at += 1
    return next
  }

  /// The record so far; nil if it is blank.
  @inline(never)
  private mutating func record(_ bytes: Bytes) -> Next? {
    if unfinished.length > 0 ? unfinished.isBlank : bytes.isBlank {
      unfinished.clear(rules)
      place = end
      return nil
    }
    let next = document(bytes)
    guard case .document = next else { return next }
    if !isRecord {
      return .refusal(
        bytes, code: Int(DecodeError.Code.unexpectedByte.rawValue),
        message: "expected a record separator (1E) before the document")
    }
    if !isTerminated, bytes.mayBeCut {
      return .refusal(
        bytes, code: Int(DecodeError.Code.unexpectedEnd.rawValue),
        message:
          "the record may be cut short: expected white space after a number or a literal")
    }
    return next
  }

  // MARK: - Documents, one after another

  /// What is known of the document that is being passed.
  fileprivate struct Value {
    enum Kind {
      case none
      case container
      case string
      case run
    }
    /// Where a value ends that is known to be invalid: the stream goes on at a line.
    enum Fault {
      /// At a byte that is not the value's.
      case before
      /// With a byte of its own.
      case behind
      /// At a bracket that begins a line.
      case atLine
    }
    var kind = Kind.none
    /// Whether the bytes are words that are no JSON; and of a byte order mark, how many bytes there are.
    var isText = false
    var mark = 0
    /// Whether the last value was neither an object nor an array.
    var endedScalar = false
    var cut = decant_cut()
  }

  private mutating func nextDocument(_ chunk: Bytes) -> Next? {
    if !findsLine(chunk) { return nil }
    if value.kind == .none {
      passWhite(chunk)
      if at == chunk.count { return nil }
    }
    let before = value
    let (length, fault) = value.length(in: chunk[at..<chunk.count])
    let isWhole = value.kind == .none || fault != nil
    let next = take(chunk[at..<at + length], isWhole: isWhole)
    if case .noMemory = next {
      value = before
      return next
    }
    if isWhole {
      if fault == nil { hasScalars = value.endedScalar }
      value = Value()
      goOn(behind: fault)
    }
    return next
  }

  // MARK: - Behind an invalid document

  /// What of the stream belongs to no document any more.
  private enum Skipped {
    case nothing
    /// The rest of a line.
    case line
    /// Lines, of which the next one begins here, or white space on it; or a comma that is the first on its line.
    case lines, comma
  }

  /// What is before an element on its line.
  private enum Line {
    case begun, blank
    /// So many blanks, and perhaps a comma.
    case indented(Int)

    /// How far what begins at a place is indented; nil if it is not the first on its line.
    func indentation(of place: StreamPlace) -> Int? {
      switch self {
      case .begun: nil
      case .blank: place.column
      case .indented(let count): count
      }
    }
  }

  /// The stream goes on at the next line that begins with a bracket: at the one here, unless it is indented further than
  /// the element that failed.
  private mutating func goOn(behind fault: Value.Fault?) {
    guard let fault else { return }
    if fault != .atLine || !isIndented(line.indentation(of: end) ?? end.column) { skipped = .line }
  }

  /// Whether an element may begin a line that is indented so far: as far as the last one that did, or at most as far as the
  /// one that failed.
  private func isIndented(_ count: Int) -> Bool {
    array == nil || count == usualIndentation ?? min(count, mostIndented)
  }

  /// Passes over what belongs to no document; false if the chunk is used up before a line that may begin one.
  private mutating func findsLine(_ chunk: Bytes) -> Bool {
    if skipped == .nothing { return true }
    let first = at
    let isFound = passLines(chunk)
    end.pass(chunk[first..<at])
    place = end
    if isFound { (skipped, line) = (.nothing, .indented(indentation)) }
    return isFound
  }

  /// Moves `at` to the beginning of a document on a line; false if there is none.
  private mutating func passLines(_ chunk: Bytes) -> Bool {
    while at < chunk.count {
      if skipped == .line {
        at += chunk[at..<chunk.count].line(at: 0).count
        if at == chunk.count { return false }
        at += 1
        (skipped, indentation) = (.lines, 0)
        continue
      }
      let byte = chunk[at]
      if begins(byte) { return true }
      if byte.isBlank, skipped == .comma {
        at += 1
      } else if byte.isBlank, indentation < mostIndented {
        indentation += 1
        at += 1
      } else if byte == UInt8(ascii: ","), array != nil, skipped == .lines {
        skipped = .comma
        at += 1
      } else {
        skipped = .line
      }
    }
    return false
  }

  /// Whether a document, or the end of an array, may begin with a byte that is the first on its line.
  private func begins(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): isIndented(indentation)
    case UInt8(ascii: "]"): array?.part == .elements
    default: hasScalars && array == nil && (byte == UInt8(ascii: "\"") || byte.beginsScalar)
    }
  }

  // MARK: - Elements

  private mutating func nextOfArray(_ chunk: Bytes) -> Next? {
    switch array?.part {
    case .before: return passBefore(chunk)
    case .elements: return nextElement(chunk)
    default: return passBehind(chunk)
    }
  }

  /// Goes on in what is behind the array. A bracket may have ended it too early: a line that begins like an element then is
  /// one.
  private mutating func passBehind(_ chunk: Bytes) -> Next? {
    let (first, before) = (at, (skipped, indentation, array?.passed))
    let isElement = array?.isWronglyEnded == true ? passLines(chunk) : passComma(chunk)
    let rest = chunk[first..<at]
    if array?.keep(rest, rules) == false {
      (at, skipped, indentation) = (first, before.0, before.1)
      if let passed = before.2 { array?.passed = passed }
      return .noMemory
    }
    end.pass(rest)
    place = end
    if isElement {
      array?.resume()
      (skipped, line) = (.nothing, .indented(indentation))
    }
    return nil
  }

  /// Moves `at` to a line that begins like an element, where the bracket before shows to be one too many: by the line itself
  /// if a comma alone is between, by what cannot follow on the bracket's line, by punctuation that cannot follow, or by a
  /// string without a comma before it. False if there is none.
  private mutating func passComma(_ chunk: Bytes) -> Bool {
    while at < chunk.count, let passed = array?.passed, passed != .others {
      let byte = chunk[at]
      switch (byte, passed) {
      case (UInt8(ascii: "]"), .nothing): array?.passed = .bracket
      case (UInt8(ascii: ","), .bracket):
        array?.passed = .comma
        skipped = .nothing
      case (UInt8(ascii: "\n"), _): (skipped, indentation) = (.lines, 0)
      case _ where decant_is_white(byte): indentation += 1
      case (UInt8(ascii: "\""), .bracket): return passWrongEnd(chunk)
      case (UInt8(ascii: "{"), .comma), (UInt8(ascii: "["), .comma):
        if skipped == .lines, isIndented(indentation) { return true }
        if skipped == .nothing { return passWrongEnd(chunk) }
        array?.passed = .others
      case _ where (skipped == .nothing || byte.isPunctuation) && array?.isWrong(byte) == true:
        return passWrongEnd(chunk)
      case (UInt8(ascii: "}"), .bracket): array?.passed = .brace
      default: array?.passed = .others
      }
      at += 1
    }
    at = chunk.count
    return false
  }

  private mutating func passWrongEnd(_ chunk: Bytes) -> Bool {
    array?.wasEndedWrongly()
    skipped = .line
    return passLines(chunk)
  }

  /// Goes on in what is before the array, in steps, so that few of the elements' bytes are kept for a moment.
  private mutating func passBefore(_ chunk: Bytes) -> Next? {
    let part = chunk[at..<min(chunk.count, at + step)]
    guard let length = array?.pass(part, rules) else { return .noMemory }
    end.pass(part[0..<length])
    place = end
    at += length
    return nil
  }

  /// Begins an index where an element begins; false if there is none, or the element is to be cut by itself.
  private mutating func beginsIndex(_ chunk: Bytes) -> Bool {
    array?.part == .elements && skipped == .nothing && !wasTooLong && unfinished.length == 0
      && !unfinished.isShort && index.begin(in: chunk, at: at)
  }

  /// Passes over the next element, if the index has it: it is valid, and ends before a comma or the array's bracket.
  @inline(__always)
  private mutating func nextLinked(_ chunk: Bytes) -> Bytes? {
    guard let (first, end) = index.next(in: chunk) else {
      linked = nil
      return nil
    }
    linked = index.lines.context
    let element = chunk[first..<end]
    if case .begun = line, chunk[end] == UInt8(ascii: ","), !decant_is_white(chunk[end - 1]) {
      if !index.isOnLine { countLines(in: chunk, first, end) }
      uncounted.bytes += end + 1 - at
      uncounted.elements += 1
      (from, at) = (first, end + 1)
    } else {
      passLinked(chunk, upTo: end)
    }
    return element
  }

  @inline(never)
  private mutating func passLinked(_ chunk: Bytes, upTo end: Int) {
    count(in: chunk)
    _ = nextElement(chunk, upTo: end)
  }

  /// Counts the line feeds before an element that is next in a chunk, and those in it.
  @inline(never)
  private mutating func countLines(in chunk: Bytes, _ first: Int, _ end: Int) {
    var indentation: Int?
    for place in at..<first where chunk[place] == UInt8(ascii: "\n") {
      uncounted.lines += 1
      indentation = first - place - 1
    }
    if let indentation, chunk[first].isBracket { usualIndentation = indentation }
    start.line = place.line.saturating(adding: uncounted.lines)
    uncounted.lines += chunk[first..<end].lineFeeds
  }

  /// Counts the elements that were passed in a chunk, and the characters before them on their line. Until then, `start` has
  /// the line alone.
  package mutating func count(in chunk: Bytes) {
    if uncounted.elements == 0 { return }
    let isOnLine = index.isOnLine
    end.pass(chunk[at - uncounted.bytes..<from], isOnLine: isOnLine)
    start = end
    if isOnLine, index.isASCII {
      end.passASCII(at - from)
    } else {
      end.pass(chunk[from..<at], isOnLine: isOnLine)
    }
    place = end
    array?.passElements(uncounted.elements)
    uncounted = (0, 0, 0)
  }

  /// - Parameter known: where the element ends in the chunk, if that is known.
  private mutating func nextElement(_ chunk: Bytes, upTo known: Int? = nil) -> Next? {
    if !findsLine(chunk) { return nil }
    if unfinished.length == 0 {
      passWhite(chunk)
      if at == chunk.count { return nil }
      ownIndentation = chunk[at].isBracket ? line.indentation(of: place) : nil
      mostIndented = usualIndentation ?? place.column
    }
    let before = value
    let rest = chunk[at..<chunk.count]
    let (length, fault) = known.map { ($0 - at, nil) } ?? value.pass(rest, atCommas: true)
    if length == rest.count, fault == nil {
      let next = take(rest, isWhole: false)
      if case .noMemory = next { value = before } else if next != nil { array?.passElement() }
      return next
    }
    let isLast = fault == nil && rest[length] != UInt8(ascii: ",")
    var next: Next?
    if length > 0 || unfinished.length > 0 {
      next = take(rest[0..<length], isWhole: true)
      if case .noMemory = next {
        value = before
        return next
      }
    } else if !(isLast && allowsNoElement) {
      // A comma or a bracket where an element should be: what is wrong with it as a document.
      from = at
      next = document(rest[0..<1])
    }
    value = Value()
    line = .begun
    if case .document(let bytes) = next, let indentation = bytes.indentationOfLastLine {
      line = .indented(indentation)
    }
    if next != nil { array?.passElement() }
    if fault != nil {
      array?.hasComma = true
      goOn(behind: fault)
    } else if isLast {
      array?.end(at: end, isWrong: rest[length] != UInt8(ascii: "]"))
      // The bracket itself comes next.
      skipped = array?.isWronglyEnded == true ? .line : .nothing
    } else {
      usualIndentation = ownIndentation ?? usualIndentation
      array?.hasComma = true
      end.passASCII(1)
      place = end
      at += 1
    }
    return next
  }

  /// Whether the array may end where an element could be.
  private var allowsNoElement: Bool {
    array?.hasComma == false || rules.allowsTrailingCommas
  }
}

// MARK: - The end of a document

extension DocumentCutter.Value {
  /// How many bytes of the document there are, which then has no kind any more; or all of them, and it goes on.
  fileprivate mutating func length(in bytes: Bytes) -> (Int, Fault?) {
    var at = 0
    if kind == .none {
      at = 1
      begin(bytes[0])
    }
    if kind == .run, let next = passRun(bytes, &at) {
      // A byte order mark is of the document behind it.
      guard mark == 3, next != .run else {
        let fault: Fault? = isText ? .before : nil
        end(isScalar: true)
        return (at, fault)
      }
      at += 1
      begin(bytes[at - 1])
    }
    switch kind {
    case .none, .run: return (at, nil)
    case .container:
      let (length, fault) = pass(bytes[at..<bytes.count], atCommas: false)
      at += length
      if fault != nil || at == bytes.count && cut.depth > 0 { return (at, fault) }
      end(isScalar: false)
      return (at, nil)
    case .string:
      while at < bytes.count {
        let byte = bytes[at]
        if byte == UInt8(ascii: "\n") { return (at, .before) }
        at += 1
        if byte == UInt8(ascii: "\""), !cut.escaped {
          end(isScalar: true)
          break
        }
        cut.escaped = byte == UInt8(ascii: "\\") && !cut.escaped
      }
      return (at, nil)
    }
  }

  private mutating func begin(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      kind = .container
      cut = decant_cut()
      (cut.first, cut.last, cut.depth, cut.alike) = (byte, byte, 1, 1)
    case UInt8(ascii: "\""): kind = .string
    default:
      kind = .run
      mark = byte == 0xEF ? 1 : 0
      isText = mark == 0 && !byte.beginsScalar && !byte.isPunctuation
    }
  }

  /// Passes over a number, a literal, or what is no JSON. Returns what begins behind it, `.run` for white space; nil at the
  /// end of the bytes.
  private mutating func passRun(_ bytes: Bytes, _ at: inout Int) -> Kind? {
    while at < bytes.count {
      let byte = bytes[at]
      if decant_is_white(byte) { return .run }
      if byte == UInt8(ascii: "\"") { return .string }
      if byte.endsRun { return .container }
      if mark > 0 { mark = mark == 1 && byte == 0xBB ? 2 : mark == 2 && byte == 0xBF ? 3 : 0 }
      at += 1
    }
    return nil
  }

  private mutating func end(isScalar: Bool) {
    self = Self()
    endedScalar = isScalar
  }

  /// How many bytes of a value there are before what ends it; with it, at the bracket that does.
  fileprivate mutating func pass(_ bytes: Bytes, atCommas: Bool) -> (Int, Fault?) {
    guard let start = unsafe bytes.start else { return (0, nil) }
    // SAFETY: `count` bytes from `start`.
    let length = unsafe decant_cut_value(&cut, start, bytes.count, atCommas)
    if length == bytes.count { return (length, nil) }
    switch Int(cut.found) {
    case Int(DECANT_CUT_FEED.rawValue): return (length, .before)
    case Int(DECANT_CUT_LINE.rawValue): return (length, .atLine)
    case Int(DECANT_CUT_MISMATCH.rawValue): return (length + 1, .behind)
    default: return (atCommas ? length : length + 1, nil)
    }
  }
}

private let recordSeparator: UInt8 = 0x1E

/// The bytes that are looked at together before the array is found.
private let step = 4096

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Whether an object or an array may begin so.
  fileprivate var isBracket: Bool { self == UInt8(ascii: "{") || self == UInt8(ascii: "[") }

  /// Whether a number or a literal may begin so.
  fileprivate var beginsScalar: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "t"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "I"):
      true
    default: false
    }
  }

  /// Whether it stands between values, and so may be one too many between documents.
  fileprivate var isPunctuation: Bool {
    self == UInt8(ascii: "}") || self == UInt8(ascii: "]") || self == UInt8(ascii: ",")
      || self == UInt8(ascii: ":")
  }

  fileprivate var endsRun: Bool {
    decant_is_white(self) || self == UInt8(ascii: "{") || self == UInt8(ascii: "[")
      || self == UInt8(ascii: "\"")
  }
}

extension Bytes {
  /// How many blanks are behind the last line feed, up to a comma if there is one; nil where there is something else.
  fileprivate var indentationOfLastLine: Int? {
    var (length, indentation) = (count, 0)
    while length > 0, self[length - 1].isBlank || self[length - 1] == UInt8(ascii: ",") {
      length -= 1
      indentation = self[length].isBlank ? indentation + 1 : 0
    }
    return length > 0 && self[length - 1] == UInt8(ascii: "\n") ? indentation : nil
  }

  /// How many bytes there are before a record separator.
  fileprivate var recordLength: Int {
    unsafe UnsafeRawPointer(start).map {
      unsafe decant_byte_end($0.assumingMemoryBound(to: CChar.self), count, recordSeparator)
    } ?? 0
  }

  /// Whether a document that ends here may have had more bytes that nobody would miss: RFC 7464 §2.4.
  fileprivate var mayBeCut: Bool {
    for at in 0..<count where !decant_is_white(self[at]) {
      return self[at] != UInt8(ascii: "{") && self[at] != UInt8(ascii: "[")
        && self[at] != UInt8(ascii: "\"")
    }
    return false
  }
}
