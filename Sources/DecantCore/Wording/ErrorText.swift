// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How input appears in a text for people: shortened, escaped, and always valid UTF-8. It is written to a sink, in runs of
// plain bytes, and otherwise one scalar at a time. The sink's buffer grows, or has a fixed size: then the text is cut at a
// whole character. There is one sink for all purposes, so that this code is compiled once.
//
//   add("a\n")   in an excerpt    \n is \ and n; counted, and … after the last       ->  excerpted
//               a type's name    nothing up to the first space                       ->  withoutArticle
//               a JSON string    quotation marks, backslashes and controls escaped   ->  inString
//               the buffer       UTF-8                                               ->  write
//
// Numbers and escapes are those of every JSON text here (decant_write.h).

public import CDecantIndex

/// What becomes of a text before it is written.
@usableFromInline
struct Changes: OptionSet {
  @usableFromInline let rawValue: UInt8

  @_alwaysEmitIntoClient @inline(__always)
  init(rawValue: UInt8) { self.rawValue = rawValue }

  @_alwaysEmitIntoClient static var full: Changes { Changes(rawValue: 1) }
  static var excerpt: Changes { Changes(rawValue: 2) }
  static var article: Changes { Changes(rawValue: 4) }
  static var string: Changes { Changes(rawValue: 8) }

  @_alwaysEmitIntoClient @inline(__always)
  func has(_ change: Changes) -> Bool { rawValue & change.rawValue != 0 }

  @_alwaysEmitIntoClient @inline(__always)
  var isNone: Bool { rawValue == 0 }

  mutating func set(_ change: Changes, _ isSet: Bool) {
    self = isSet ? union(change) : subtracting(change)
  }
}

/// The destination of a text.
@safe @usableFromInline
package struct ErrorSink {
  // SAFETY: `capacity` bytes from `start` are the sink's, and one more for a NUL byte.
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  private var grows: Bool
  @usableFromInline
  package internal(set) var used = 0
  /// Bytes that did not fit.
  @usableFromInline var lost = 0
  /// Bytes that the whole text has, whether they fit or not.
  @_alwaysEmitIntoClient
  package var length: Int { used &+ lost }
  /// Whether some of the text did not fit.
  @_alwaysEmitIntoClient
  package var isFull: Bool { changes.has(.full) }

  /// What becomes of text before it is written; empty for text that is written as it is, while it fits.
  @usableFromInline var changes = Changes(rawValue: 0)
  /// Characters that the excerpt may still have; negative after its end, and 0 if there is none.
  @usableFromInline var excerptSpace = 0
  private var excerptRoom: Int? {
    get { changes.has(.excerpt) ? excerptSpace : nil }
    set {
      changes.set(.excerpt, newValue != nil)
      excerptSpace = newValue ?? 0
    }
  }
  /// Whether a text that is full is not measured any further.
  @usableFromInline
  package var stopsWhenFull = false
  /// Whether nothing of what is added is written anymore, so that nothing is read for it: texts of documents can be long.
  @_alwaysEmitIntoClient
  package var isDone: Bool { excerptSpace < 0 || stopsWhenFull && isFull }
  /// Whether a number's type is told by its range, because the reader does not know the types of Swift.
  @usableFromInline
  package var saysRanges = false
  private var isEscaped = false
  /// The errors of which a line was begun.
  private var errorCount = 0
  /// As many of them as leave space for a line behind them, and where the last one ends.
  private var whole = (count: 0, used: 0)
  private var skipsArticle: Bool {
    get { changes.has(.article) }
    set { changes.set(.article, newValue) }
  }
  private var isInString: Bool {
    get { changes.has(.string) }
    set { changes.set(.string, newValue) }
  }

  /// A sink of a fixed size. A NUL byte follows the text. Without space, the text is only measured.
  @unsafe @usableFromInline
  package init(_ memory: UnsafeMutableRawBufferPointer) {
    let bytes = unsafe memory.bindMemory(to: UInt8.self)
    unsafe start = bytes.baseAddress ?? UnsafeMutablePointer(bitPattern: 1)!
    capacity = memory.count - 1
    grows = false
    if capacity >= 0 { unsafe start[0] = 0 }
  }

  /// A sink that grows. Its maker must call `takeText`, once.
  @inline(never)
  fileprivate init() {
    // A line of source and its mark.
    capacity = 2 * SourceExcerpt.width + 8
    unsafe start = .allocate(capacity: capacity + 1)
    grows = true
  }

  @inline(never)
  fileprivate mutating func takeText() -> String {
    defer { unsafe start.deallocate() }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: used), as: UTF8.self)
  }

  /// What was added behind the first `start` bytes; nil if some of it did not fit. Valid until more is added.
  func text(from start: Int) -> Bytes? {
    // SAFETY: written bytes.
    isFull ? nil : unsafe Bytes(UnsafePointer(self.start) + start, used - start)
  }

  /// Takes back what was added behind the first `used` bytes. No more is added.
  package mutating func cut(to used: Int) {
    self.used = used
    if capacity >= used { unsafe start[used] = 0 }
  }

  // MARK: - A text of several errors

  /// The next error's line begins.
  package mutating func beginError() {
    if errorCount > 0 {
      noteWhole()
      add("\n")
    }
    errorCount += 1
  }

  /// The error's line ends. Of a first error that is too long with the lines below, its own line is left.
  package mutating func endErrorLine() {
    if errorCount == 1 { noteWhole() }
  }

  @inline(__always)
  private mutating func noteWhole() {
    if !isFull, used < capacity - Self.omission { whole = (errorCount, used) }
  }

  /// Bytes of the line that tells how many errors follow.
  private static var omission: Int { "\n… and 9223372036854775807 more errors".utf8.count }

  /// Ends a text of so many errors that does not have them all behind the last whole one, and tells how many follow.
  package mutating func endErrors(of count: Int) {
    if !isFull || whole.count == 0 { return }
    changes.set(.full, false)
    cut(to: whole.used)
    if count > whole.count { addOmitted(count - whole.count) }
  }

  /// Leaves space for a value, which `put` writes if it is there.
  mutating func leave(_ count: Int) {
    if isFull || count > capacity &- used { return changes.set(.full, true) }
    advance(by: count)
  }

  /// Writes a value to a place for which `leave` has left space.
  func put<Value: BitwiseCopyable>(_ value: Value, at place: Int) {
    precondition(place >= 0 && place + MemoryLayout<Value>.size <= used)
    // SAFETY: so many bytes of the text are there. They are aligned as a text is. Without optimisation, `storeBytes` stores
    // a struct as if they were aligned as that.
    unsafe withUnsafeBytes(of: value) {
      unsafe UnsafeMutableRawPointer(start + place)
        .copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
    }
  }

  /// Adds UTF-8.
  @_alwaysEmitIntoClient @inline(__always)
  package mutating func add(_ bytes: Bytes) {
    if !write(asItIs: bytes) { addChanged(bytes) }
  }

  @usableFromInline @inline(never)
  mutating func addChanged(_ bytes: Bytes) {
    if !addChangedRun(bytes) { bytes.scalars().write(to: &self) }
  }

  /// Adds printable ASCII.
  mutating func add(plain bytes: Bytes) {
    if addRun(bytes) { return }
    for place in 0..<bytes.count {
      if isDone { return }
      add(Unicode.Scalar(bytes[place]))
    }
  }

  /// Adds UTF-8 as a whole. False, and nothing is added, if its characters must be handled one by one.
  @inline(__always)
  fileprivate mutating func addRun(_ bytes: Bytes) -> Bool {
    write(asItIs: bytes) || addChangedRun(bytes)
  }

  @inline(never)
  private mutating func addChangedRun(_ bytes: Bytes) -> Bool {
    if skipsArticle { return false }
    if let room = excerptRoom { return addExcerpted(bytes, room) }
    if isInString { addInString(bytes) } else { write(bytes) }
    return true
  }

  private mutating func addExcerpted(_ bytes: Bytes, _ room: Int) -> Bool {
    if room < 0 { return true }
    let count = min(room, bytes.count)
    for place in 0..<count {
      let byte = bytes[place]
      if byte &- 0x20 >= 0x5F || isEscaped && !decant_is_plain(byte) { return false }
    }
    excerptRoom = nil
    defer { excerptRoom = count < bytes.count ? -1 : room - count }
    // Each of these takes printable ASCII.
    _ = addRun(bytes[0..<count])
    if count < bytes.count { addExcerpted("…") }
    return true
  }

  private mutating func addInString(_ bytes: Bytes) {
    // Each byte may become an escape of six.
    let most = 6 &* bytes.count &+ Int(DECANT_ESCAPE_CAPACITY)
    if most <= capacity &- used, !isFull, let text = unsafe bytes.start {
      // SAFETY: so many bytes are free, and a NUL byte fits after them.
      let end = unsafe self.start + used
      if unsafe decant_copy_plain(end, text, bytes.count) { return advance(by: bytes.count) }
      if bytes.count == 1, bytes[0] == UInt8(ascii: "\"") {
        unsafe (end[0], end[1]) = (UInt8(ascii: "\\"), bytes[0])
        return advance(by: 2)
      }
      var consumed = 0
      return advance(by: unsafe decant_write_escaped(end, most, text, bytes.count, &consumed, 0))
    }
    var start = 0
    for place in 0..<bytes.count {
      let byte = bytes[place]
      if byte >= 0x80 || decant_is_plain(byte) { continue }
      write(bytes[start..<place])
      addInString(Unicode.Scalar(byte))
      start = place + 1
    }
    write(bytes[start..<bytes.count])
  }

  /// Writes UTF-8, if need be up to the last character that fits wholly.
  private mutating func write(_ bytes: Bytes) {
    if isFull || bytes.count > capacity &- used { return writeFitting(bytes) }
    copy(bytes)
  }

  /// Writes UTF-8 if nothing is to be done with it, and it fits: then without a call.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func write(asItIs bytes: Bytes) -> Bool {
    if !changes.isNone || bytes.count > capacity &- used { return false }
    copy(bytes)
    return true
  }

  /// Writes bytes that fit.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func copy(_ bytes: Bytes) {
    guard let source = unsafe bytes.start else { return }
    // SAFETY: there is space for as many; an input is not a part of the text that tells of it.
    unsafe decant_copy_run(start + used, source, bytes.count)
    advance(by: bytes.count)
  }

  /// Bytes were written behind the text.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func advance(by count: Int) {
    used &+= count
    unsafe start[used] = 0
  }

  @inline(never)
  private mutating func writeFitting(_ bytes: Bytes) {
    if grows { grow(for: bytes.count) }
    var fitting = isFull ? 0 : max(0, min(bytes.count, capacity - used))
    if fitting < bytes.count {
      changes.set(.full, true)
      while fitting > 0, bytes[fitting] & 0xC0 == 0x80 { fitting -= 1 }
      lost += bytes.count - fitting
    }
    if fitting > 0 { copy(bytes[0..<fitting]) }
  }

  /// Adds a character.
  @_disfavoredOverload @usableFromInline @inline(never)
  package mutating func add(_ scalar: Unicode.Scalar) {
    guard let room = excerptRoom else { return addExcerpted(scalar) }
    if room > 0 {
      // All of an escape counts as one character.
      excerptRoom = nil
      if isEscaped { add(escaping: scalar) } else { addExcerpted(scalar) }
    } else if room == 0 {
      addExcerpted("…")
    }
    excerptRoom = room - 1
  }

  /// Adds a printable character of ASCII several times.
  mutating func add(_ character: UInt8, times count: Int) {
    if count <= 0 { return }
    if changes.isNone, count <= capacity &- used {
      // SAFETY: there is space for as many.
      unsafe (start + used).update(repeating: character, count: count)
      return advance(by: count)
    }
    // SAFETY: all bytes are initialized.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: SourceExcerpt.width) { run in
      unsafe run.initialize(repeating: character)
      var rest = count
      while rest > 0 {
        add(plain: unsafe Bytes(run.baseAddress, min(rest, SourceExcerpt.width)))
        rest -= SourceExcerpt.width
      }
    }
  }

  @inline(never)
  private mutating func addExcerpted(_ scalar: Unicode.Scalar) {
    if skipsArticle {
      if scalar == " " { skipsArticle = false }
      return
    }
    if isInString { addInString(scalar) } else { write(scalar) }
  }

  /// With the escapes that RFC 8259 §7 requires, and no others.
  @inline(never)
  private mutating func addInString(_ scalar: Unicode.Scalar) {
    guard scalar.isASCII else { return write(scalar) }
    var byte = UInt8(scalar.value)
    if decant_is_plain(byte) { return write(scalar) }
    // SAFETY: one byte is read, and its escape has space.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(DECANT_ESCAPE_CAPACITY)) {
      escape in
      var consumed = 0
      let count = unsafe decant_write_escaped(
        escape.baseAddress!, escape.count, &byte, 1, &consumed, 0)
      for place in 0..<count { write(Unicode.Scalar(unsafe escape[place])) }
    }
  }

  /// Writes a character, if it fits wholly.
  @inline(never)
  private mutating func write(_ scalar: Unicode.Scalar) {
    guard makeRoom(UTF8.width(scalar)) else { return }
    // SAFETY: there is space for as many bytes as the character has.
    advance(by: unsafe decant_write_utf8(scalar.value, start + used))
  }

  @inline(never)
  private mutating func makeRoom(_ count: Int) -> Bool {
    if grows { grow(for: count) }
    if count <= capacity - used, !isFull { return true }
    changes.set(.full, true)
    lost += count
    return false
  }

  private mutating func grow(for count: Int) {
    if count <= capacity - used { return }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity + count + 1)
    unsafe larger.moveInitialize(from: start, count: used)
    unsafe start.deallocate()
    unsafe start = larger
    capacity = 2 * capacity + count
  }
}

/// A part of a text: a string, or a value that can write itself.
@usableFromInline
package protocol ErrorPhrase {
  func write(to sink: inout ErrorSink)
}

extension String: ErrorPhrase {
  @usableFromInline
  package func write(to sink: inout ErrorSink) { sink.add(self) }
}

extension StaticString: ErrorPhrase {
  @usableFromInline
  package func write(to sink: inout ErrorSink) { sink.add(self) }
}

extension Bytes: ErrorPhrase {
  @usableFromInline
  package func write(to sink: inout ErrorSink) { sink.add(self) }
}

extension ScalarReader: ErrorPhrase {
  @usableFromInline
  package func write(to sink: inout ErrorSink) {
    var rest = self
    while !rest.isAtEnd, !sink.isDone {
      let run = rest.nextRun()
      if run.count > 0 {
        sink.add(plain: run)
      } else if let scalar = rest.next() {
        sink.add(scalar)
      } else {
        return
      }
    }
  }
}

extension ErrorSink {
  @_alwaysEmitIntoClient @inline(__always)
  package mutating func add(_ text: StaticString) {
    if text.hasPointerRepresentation, write(asItIs: text.bytes) { return }
    addChanged(text)
  }

  @usableFromInline @inline(never)
  mutating func addChanged(_ text: StaticString) {
    if text.hasPointerRepresentation { addChanged(text.bytes) } else { add(text.unicodeScalar) }
  }

  // A literal is a StaticString: a String would be retained.
  @_disfavoredOverload @usableFromInline @inline(never)
  package mutating func add(_ text: String) {
    let isWritten = unsafe text.utf8.withContiguousStorageIfAvailable {
      addRun(unsafe Bytes($0.baseAddress, $0.count))
    }
    if isWritten == true { return }
    for scalar in text.unicodeScalars {
      if isDone { return }
      add(scalar)
    }
  }

  /// A character of input; escaped if it is unsafe to print.
  @usableFromInline
  package mutating func add(harmless scalar: Unicode.Scalar) {
    if scalar.isTreacherous { add(escaping: scalar) } else { add(scalar) }
  }

  @usableFromInline
  package mutating func add(_ number: Int) { add(Int64(number)) }

  @usableFromInline @inline(never)
  package mutating func add(_ number: Int64) {
    unsafe addNumber { unsafe decant_write_int64($0, number) }
  }

  package mutating func add(_ number: UInt64) {
    unsafe addNumber { unsafe decant_write_uint64($0, number) }
  }

  package mutating func add(_ number: Double) {
    unsafe addNumber { unsafe decant_write_double($0, number) }
  }

  @inline(__always)
  private mutating func addNumber(_ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if changes.isNone, Int(DECANT_NUMBER_CAPACITY) <= capacity &- used {
      // SAFETY: there is space for any number.
      return advance(by: unsafe write(start + used))
    }
    unsafe addChangedNumber(write)
  }

  @inline(never)
  private mutating func addChangedNumber(_ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    // SAFETY: the writers need DECANT_NUMBER_CAPACITY bytes.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(DECANT_NUMBER_CAPACITY)) {
      digits in
      let count = unsafe write(digits.baseAddress!)
      if addRun(unsafe Bytes(digits.baseAddress, count)) { return }
      for place in 0..<count { add(Unicode.Scalar(unsafe digits[place])) }
    }
  }

  /// A byte as errors show it: the character if it is printable ASCII, its number otherwise.
  @inline(never)
  private mutating func add(byte: UInt8) {
    if byte > 0x20, byte < 0x7F {
      add("'")
      add(Unicode.Scalar(byte))
      add("'")
    } else {
      add("byte 0x")
      add(hexadecimal: UInt32(byte), digits: 2)
    }
  }

  @usableFromInline @inline(never)
  package mutating func add(hexadecimal value: UInt32, digits: Int) {
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: value &>> UInt32(4 * place) & 15)
      add(Unicode.Scalar(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)))
    }
  }

  /// A character inside quotes. Quotes, backslashes and characters that are unsafe to print are escaped.
  @usableFromInline @inline(never)
  package mutating func add(escaping scalar: Unicode.Scalar) {
    if let letter = escapeLetter(of: scalar) {
      add("\\")
      add(letter)
    } else if scalar.isTreacherous {
      add(numberOf: scalar)
    } else {
      add(scalar)
    }
  }

  /// The number of a character, as `\u200b`.
  @inline(never)
  mutating func add(numberOf scalar: Unicode.Scalar) {
    add("\\u")
    add(hexadecimal: scalar.value, digits: scalar.value > 0xFFFF ? 5 : 4)
  }

  /// A character or byte that JSON does not allow at its place. A space that JSON does not have, and a mark that would
  /// combine with the quotation mark, are shown by their numbers.
  @inline(never)
  mutating func add(foundAt place: Int, in text: Bytes) {
    let (scalar, length) = decodedScalar(at: place, in: text)
    guard let scalar, length > 1 else { return add(byte: text[place]) }
    add("'")
    if scalar.isTreacherous || scalar.isSpace || scalar.columns == 0 {
      add(numberOf: scalar)
    } else {
      add(scalar)
    }
    add("'")
  }
}

/// The letter after the backslash in the short escape of a character; nil if it has none.
@inline(never)
private func escapeLetter(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
  switch scalar {
  case "\"", "\\": scalar
  case "\n": "n"
  case "\r": "r"
  case "\t": "t"
  default: nil
  }
}

extension Unicode.Scalar {
  /// C0, DEL, C1, the marks that reorder, hide or break text, and letters that cannot be seen.
  @usableFromInline @inline(never)
  package var isTreacherous: Bool {
    if (0x20..<0x7F).contains(value) { return false }
    return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD || value == 0x61C
      || value == 0x115F || value == 0x1160 || value == 0x180E
      || (0x200B...0x200F).contains(value) || (0x2028...0x202E).contains(value)
      || (0x2060...0x206F).contains(value) || value == 0x3164 || value == 0xFEFF
      || value == 0xFFA0 || (0xFFF9...0xFFFB).contains(value)
      || (0xE0000...0xE0FFF).contains(value)
  }

  /// A space beyond ASCII.
  fileprivate var isSpace: Bool {
    value == 0xA0 || value == 0x1680 || (0x2000...0x200A).contains(value) || value == 0x202F
      || value == 0x205F || value == 0x3000
  }

  /// Columns in a terminal, near enough for a caret: 2 for East Asian wide characters and emoji, 0 for
  /// combining marks, and for the vowels and finals of Hangul that is written in parts.
  @inline(never)
  var columns: Int {
    if value < 0x300 { return 1 }
    if isMark { return 0 }
    return switch value {
    case 0x300...0x36F, 0x1160...0x11FF, 0x20D0...0x20FF, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x1B2FF, 0x1F191...0x1F19A, 0x1F200...0x1F265, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F7E0...0x1F7FF, 0x1F90C...0x1F9FF, 0x1FA70...0x1FAFF,
      0x20000...0x3FFFD:
      2
    case 0x231A...0x2B55, 0x1F004...0x1F18E: isWideSymbol ? 2 : 1
    default: 1
    }
  }

  /// Whether the character is a mark of Hebrew, Arabic, India's scripts, Thai or Japanese.
  private var isMark: Bool {
    if value < 0x900 {
      // Among the points of Hebrew are its hyphen and a stroke.
      if value == 0x5BE || value == 0x5C0 { return false }
      return (0x591...0x5C2).contains(value) || (0x64B...0x65F).contains(value)
        || (0x6D6...0x6ED).contains(value)
    }
    if value < 0xD80 {
      // Blocks of 128 have their marks in one order. Devanagari's, Gurmukhi's and Gujarati's vowels are narrowest.
      let isNorthern = value < 0x980 || (0xA00..<0xB00).contains(value)
      let place = value & 0x7F
      return place < (isNorthern ? 3 : 2) || place == 0x3C || place == 0x4D
        || (0x41...0x48).contains(place) && (isNorthern || place < 0x45 && value < 0xB80)
    }
    return value == 0xE31 || (0xE34...0xE3A).contains(value) || (0xE47...0xE4E).contains(value)
      || (0x3099...0x309A).contains(value)
  }

  /// Whether the character is one of the emoji among the symbols, which are narrow.
  private var isWideSymbol: Bool {
    let wide: StaticString = """
      ⌚⌛〈〉⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕🀄🃏🆎
      """
    var symbols = wide.bytes.scalars()
    while let symbol = symbols.next() { if symbol == self { return true } }
    return false
  }
}

// MARK: - Excerpts

extension ErrorSink {
  /// A text, cut to 40 characters.
  mutating func add(excerpt text: some ErrorPhrase) {
    addExcerpt(40, isEscaped: false) { text.write(to: &$0) }
  }

  /// A text in quotes, cut to 40 characters, with everything escaped that is unsafe to print.
  @_alwaysEmitIntoClient
  package mutating func add(quoted text: some ErrorPhrase) {
    add("\"")
    addExcerpt(40, isEscaped: true) { text.write(to: &$0) }
    add("\"")
  }

  /// A JSON Pointer, cut and escaped.
  @usableFromInline
  package mutating func add(path: (inout ErrorSink) -> Void) {
    addExcerpt(Self.shownPath, isEscaped: true, path)
  }

  /// A JSON Pointer, cut.
  @usableFromInline
  package mutating func addBeginning(ofPath path: (inout ErrorSink) -> Void) {
    addExcerpt(Self.shownPath, isEscaped: false, path)
  }

  /// As much of a JSON Pointer as tells whether it is to be cut. Returns whether it is all, and shown as it is.
  @usableFromInline @discardableResult
  mutating func add(beginningOfPath path: (inout ErrorSink) -> Void) -> Bool {
    let start = used
    return addExcerpt(Self.shownPath + 1, isEscaped: false, path) && used - start <= Self.shownPath
  }

  private static var shownPath: Int { 200 }

  /// A component of a path.
  mutating func add(_ step: JSONPointer.Token) {
    add("/")
    switch step {
    case .index(let index): add(index)
    case .key(var key):
      key.withUTF8 { add(token: unsafe Bytes($0.baseAddress, $0.count).scalars()) }
    }
  }

  /// What `body` adds, cut to `limit` characters. `body` may be called twice, and adds the same both times. Returns
  /// whether it was short, and needs no escapes.
  @usableFromInline @discardableResult
  mutating func addExcerpt(
    _ limit: Int, isEscaped: Bool, _ body: (inout ErrorSink) -> Void
  ) -> Bool {
    if addShort(limit, body) { return true }
    excerptRoom = limit
    self.isEscaped = isEscaped
    body(&self)
    excerptRoom = nil
    return false
  }

  /// Adds what `body` adds if that is short and needs no escapes: most texts. It is looked at when it is written. False,
  /// and nothing is added, for others.
  @inline(__always)
  private mutating func addShort(_ limit: Int, _ body: (inout ErrorSink) -> Void) -> Bool {
    guard changes.isNone, limit <= capacity &- used else { return false }
    let before = (used, capacity, grows, stopsWhenFull)
    (capacity, grows, stopsWhenFull) = (used &+ limit, false, true)
    body(&self)
    // SAFETY: the bytes that were written.
    let isShort =
      unsafe changes.isNone && decant_is_quotable(start + before.0, used &- before.0)
    (_, capacity, grows, stopsWhenFull) = before
    if isShort { return true }
    changes.set(.full, false)
    lost = 0
    cut(to: before.0)
    return false
  }

  /// Adds the text of `body` as the inside of a JSON string, without the quotation marks.
  @usableFromInline
  mutating func addString(_ body: (inout ErrorSink) -> Void) {
    isInString = true
    body(&self)
    isInString = false
  }

  /// Adds the text of `body` without everything up to the first space.
  @usableFromInline
  mutating func addWithoutArticle(_ body: (inout ErrorSink) -> Void) {
    skipsArticle = true
    body(&self)
    skipsArticle = false
  }
}

// MARK: - As strings

/// The text that `body` writes.
@inline(never)
package func written(_ body: (inout ErrorSink) -> Void) -> String {
  var sink = ErrorSink()
  body(&sink)
  return sink.takeText()
}

/// Text cut to 40 characters.
func excerpt(_ text: String) -> String { written { $0.add(excerpt: text) } }

/// Text in quotes, cut to 40 characters, with everything escaped that is unsafe to print.
package func quoted(_ text: String) -> String { written { $0.add(quoted: text) } }

func quotedPath(_ text: String) -> String { written { $0.add(path: { $0.add(text) }) } }
