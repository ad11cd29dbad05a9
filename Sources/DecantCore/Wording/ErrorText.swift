// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How input appears in a text for people: cut, escaped, and valid UTF-8, whatever the bytes are. Written
// to a sink, one scalar at a time, so that it can be a fixed buffer in C or a String in Swift.

/// The destination of a text.
@usableFromInline
package protocol ErrorSink {
  mutating func add(_ scalar: Unicode.Scalar)
}

/// A part of a text: a string, or a value that can write itself.
@usableFromInline
package protocol ErrorPhrase {
  func write(to sink: inout some ErrorSink)
}

extension String: ErrorPhrase {
  @inlinable
  package func write(to sink: inout some ErrorSink) { sink.add(self) }
}

extension StaticString: ErrorPhrase {
  @inlinable
  package func write(to sink: inout some ErrorSink) { sink.add(self) }
}

extension ScalarReader: ErrorPhrase {
  @inlinable
  package func write(to sink: inout some ErrorSink) {
    var rest = self
    while let scalar = rest.next() { sink.add(scalar) }
  }
}

extension ErrorSink {
  @inlinable
  package mutating func add(_ text: StaticString) {
    if text.hasPointerRepresentation {
      // SAFETY: the bytes of a literal: valid UTF-8 that lives as long as the program.
      let bytes = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      var place = 0
      while place < bytes.count {
        let (scalar, length) = unsafe decodedScalar(at: place, in: UnsafeRawBufferPointer(bytes))
        if let scalar { add(scalar) }
        place += length
      }
    } else {
      add(text.unicodeScalar)
    }
  }

  @inlinable
  package mutating func add(_ text: String) {
    for scalar in text.unicodeScalars { add(scalar) }
  }

  @inlinable
  package mutating func add(_ phrase: some ErrorPhrase) { phrase.write(to: &self) }

  /// A character of input; escaped if it is unsafe to print.
  @inlinable
  package mutating func add(harmless scalar: Unicode.Scalar) {
    if scalar.isTreacherous { add(escaping: scalar) } else { add(scalar) }
  }

  @inlinable
  package mutating func add(_ number: Int) { add(Int64(number)) }

  @inlinable
  package mutating func add(_ number: Int64) {
    if number < 0 { add("-") }
    var power: UInt64 = 1
    while number.magnitude / power >= 10 { power *= 10 }
    while power > 0 {
      add(Unicode.Scalar(UInt8(UInt8(ascii: "0") + UInt8(number.magnitude / power % 10))))
      power /= 10
    }
  }

  /// A byte as errors show it: the character if it is printable ASCII, its number otherwise.
  @inlinable
  package mutating func add(byte: UInt8) {
    if byte > 0x20, byte < 0x7F {
      add("'")
      add(Unicode.Scalar(byte))
      add("'")
    } else {
      add("byte 0x")
      add(hexadecimal: UInt32(byte), digits: 2)
    }
  }

  @inlinable
  package mutating func add(hexadecimal value: UInt32, digits: Int) {
    for place in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: value >> UInt32(4 * place) & 15)
      add(Unicode.Scalar(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)))
    }
  }

  /// A character inside quotes: quotes and backslashes escaped, and what is unsafe to print.
  @inlinable
  package mutating func add(escaping scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": add("\\\"")
    case "\\": add("\\\\")
    case "\n": add("\\n")
    case "\r": add("\\r")
    case "\t": add("\\t")
    default:
      if scalar.isTreacherous {
        add("\\u")
        add(hexadecimal: scalar.value, digits: scalar.value > 0xFFFF ? 5 : 4)
      } else {
        add(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// C0, DEL, C1, and the marks that reorder, hide or break text.
  @usableFromInline
  package var isTreacherous: Bool {
    if (0x20..<0x7F).contains(value) { return false }
    return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD || value == 0x61C
      || (0x200B...0x200F).contains(value) || (0x2028...0x202E).contains(value)
      || (0x2060...0x206F).contains(value) || value == 0xFEFF || (0xFFF9...0xFFFB).contains(value)
      || (0xE0000...0xE007F).contains(value)
  }

  /// Columns in a terminal, near enough for a caret: 2 for East Asian wide characters and emoji, 0 for
  /// combining marks.
  var columns: Int {
    if value < 0x300 { return 1 }
    return switch value {
    case 0x300...0x36F, 0x20D0...0x20FF, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}

/// The scalar at a place, or nil if the bytes there are not UTF-8 (Unicode, table 3-7), and how many bytes
/// it takes: 1 if they are not.
// SAFETY: `place` is inside the text, and nothing past its end is read.
@unsafe @usableFromInline
package func decodedScalar(
  at place: Int, in text: UnsafeRawBufferPointer
) -> (scalar: Unicode.Scalar?, length: Int) {
  let lead = unsafe text[place]
  if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
  let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
  guard length > 0, place + length <= text.count else { return (nil, 1) }
  var value = UInt32(lead) & (0x7F >> UInt32(length))
  for step in 1..<length {
    let byte = unsafe text[place + step]
    if byte & 0xC0 != 0x80 { return (nil, 1) }
    value = value << 6 | UInt32(byte & 0x3F)
  }
  let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
  guard value >= smallest, let scalar = Unicode.Scalar(value) else { return (nil, 1) }
  return (scalar, length)
}

// MARK: - Excerpts

extension ErrorSink {
  /// A text, cut to `limit` characters.
  @inlinable
  package mutating func add(excerpt text: some ErrorPhrase, limit: Int = 40) {
    add(text, limit: limit, isEscaped: false)
  }

  /// A text in quotes, cut to 40 characters, with everything escaped that is unsafe to print.
  @inlinable
  package mutating func add(quoted text: some ErrorPhrase) {
    add("\"")
    add(text, limit: 40, isEscaped: true)
    add("\"")
  }

  /// A JSON Pointer, cut and escaped.
  @inlinable
  package mutating func add(path: some ErrorPhrase) { add(path, limit: 200, isEscaped: true) }

  @inlinable
  mutating func add(_ text: some ErrorPhrase, limit: Int, isEscaped: Bool) {
    // SAFETY: the pointer is used during the call only.
    unsafe withUnsafeMutablePointer(to: &self) { sink in
      var excerpt = unsafe Excerpt(sink: sink, isEscaped: isEscaped, room: limit)
      text.write(to: &excerpt)
    }
  }
}

@safe @usableFromInline
struct Excerpt<Sink: ErrorSink>: ErrorSink {
  // SAFETY: points to the sink of the function that makes the excerpt, and outlives it.
  @usableFromInline let sink: UnsafeMutablePointer<Sink>
  @usableFromInline let isEscaped: Bool
  @usableFromInline var room: Int

  @unsafe @inlinable
  init(sink: UnsafeMutablePointer<Sink>, isEscaped: Bool, room: Int) {
    unsafe self.sink = unsafe sink
    self.isEscaped = isEscaped
    self.room = room
  }

  @inlinable
  mutating func add(_ scalar: Unicode.Scalar) {
    if room > 0 {
      if isEscaped {
        unsafe sink.pointee.add(escaping: scalar)
      } else {
        unsafe sink.pointee.add(scalar)
      }
    } else if room == 0 {
      unsafe sink.pointee.add("…")
    }
    room -= 1
  }
}

// MARK: - As strings

/// The UTF-8 bytes of a string that is being written. Appending to a String takes ten times as long.
struct WrittenText: ErrorSink {
  fileprivate var bytes: [UInt8] = []

  /// Reserves capacity for a line of source and its mark.
  fileprivate init() { bytes.reserveCapacity(2 * SourceExcerpt.width + 8) }

  mutating func add(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      bytes.append(contentsOf: scalar.utf8)
    }
  }
}

/// What `body` writes.
func written(_ body: (inout WrittenText) -> Void) -> String {
  var text = WrittenText()
  body(&text)
  return String(decoding: text.bytes, as: UTF8.self)
}

func written(_ phrase: some ErrorPhrase) -> String { written { phrase.write(to: &$0) } }

/// A byte as errors show it.
func byteDescription(_ byte: UInt8) -> String { written { $0.add(byte: byte) } }

/// Text cut to `limit` characters.
func excerpt(_ text: String, limit: Int = 40) -> String {
  written { $0.add(excerpt: text, limit: limit) }
}

/// Text in quotes, cut to 40 characters, with everything escaped that is unsafe to print.
package func quoted(_ text: String) -> String { written { $0.add(quoted: text) } }

func quotedPath(_ text: String) -> String { written { $0.add(path: text) } }

func hexadecimal(_ value: UInt32, digits: Int) -> String {
  written { $0.add(hexadecimal: value, digits: digits) }
}
