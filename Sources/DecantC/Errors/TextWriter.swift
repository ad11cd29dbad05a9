// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Text for people without a Swift heap: into a C array of char, cut at a whole character, with a NUL byte
// after it. The words, the quoting and the cutting are those of DecodeError's description.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct TextWriter: ErrorSink {
  // SAFETY: `capacity` bytes from `start` are the caller's, and one more for the NUL byte.
  private let start: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private(set) var used = 0
  /// Bytes that the whole text has, whether they fit or not.
  private(set) var length = 0
  private(set) var isFull = false

  /// Without room, the text is only measured.
  @unsafe
  init(_ room: UnsafeMutableRawBufferPointer) {
    let bytes = unsafe room.bindMemory(to: UInt8.self)
    unsafe start = unsafe bytes.baseAddress ?? UnsafeMutablePointer(bitPattern: 1)!
    capacity = room.count - 1
    if capacity >= 0 { unsafe start[0] = 0 }
  }

  /// A character, if it fits wholly.
  mutating func add(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    let count = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x1_0000 ? 3 : 4
    length += count
    if isFull || count > capacity - used {
      isFull = true
      return
    }
    if count == 1 {
      unsafe start[used] = UInt8(value)
    } else {
      let lead: [3 of UInt32] = [0xC0, 0xE0, 0xF0]
      unsafe start[used] = UInt8(lead[count - 2] | value >> UInt32(6 * (count - 1)))
      for place in 1..<count {
        unsafe start[used + place] = UInt8(0x80 | value >> UInt32(6 * (count - 1 - place)) & 0x3F)
      }
    }
    used += count
    unsafe start[used] = 0
  }

  /// Text in quotes, cut after `limit` characters.
  // SAFETY: `bytes` are readable.
  mutating func addQuoted(
    _ bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool, limit: Int = 40
  ) {
    add("\"")
    addExcerpt(unsafe Scalars(bytes, isEscaped: isEscaped), limit: limit)
    add("\"")
  }

  mutating func addExcerpt(_ scalars: Scalars, limit: Int) {
    var scalars = scalars
    var count = 0
    while let scalar = scalars.next() {
      if count == limit { return add("…") }
      add(escaping: scalar)
      count += 1
    }
  }
}

/// The characters of UTF-8 text, or of a JSON string between its quotes, escapes undone. Bytes that are not
/// UTF-8, which only a table can have, are replacement characters.
@safe
struct Scalars {
  // SAFETY: the bytes outlive the walk over them.
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isEscaped: Bool
  private var place = 0

  @unsafe
  init(_ bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool) {
    unsafe self.bytes = unsafe bytes
    self.isEscaped = isEscaped
  }

  private func byte(_ offset: Int) -> UInt8 {
    unsafe place + offset < bytes.count ? unsafe bytes[place + offset] : 0
  }

  mutating func next() -> Unicode.Scalar? {
    if unsafe place >= bytes.count { return nil }
    let lead = byte(0)
    if isEscaped, lead == UInt8(ascii: "\\") { return escape() }
    if lead < 0x80 {
      place += 1
      return Unicode.Scalar(lead)
    }
    let count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    var value = UInt32(lead) & (0x7F >> UInt32(count))
    for offset in 1..<count {
      let next = byte(offset)
      if lead < 0xC2 || lead > 0xF4 || next & 0xC0 != 0x80 {
        place += 1
        return "\u{FFFD}"
      }
      value = value << 6 | UInt32(next & 0x3F)
    }
    let least: UInt32 = count == 4 ? 0x1_0000 : count == 3 ? 0x800 : 0x80
    guard value >= least, let scalar = Unicode.Scalar(value) else {
      place += 1
      return "\u{FFFD}"
    }
    place += count
    return scalar
  }

  /// Bytes of all the characters that are left.
  var utf8Count: Int {
    var scalars = self
    var count = 0
    while let scalar = scalars.next() {
      let value = scalar.value
      count += value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x1_0000 ? 3 : 4
    }
    return count
  }

  private mutating func escape() -> Unicode.Scalar {
    let letter = byte(1)
    place += 2
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return Unicode.Scalar(letter)
    }
    var value = unit()
    if value & 0xFC00 == 0xD800 {
      place += 2
      value = 0x1_0000 + (value & 0x3FF) << 10 + unit() & 0x3FF
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func unit() -> UInt32 {
    var value: UInt32 = 0
    for offset in 0..<4 {
      let digit = UInt32(byte(offset))
      value = value << 4 | (digit < 0x40 ? digit & 0xF : (digit & 0x7) + 9)
    }
    place += 4
    return value
  }
}

/// Whether bytes are UTF-8.
func isText(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
  var scalars = unsafe Scalars(UnsafeBufferPointer(start: start, count: length), isEscaped: false)
  var position = 0
  while let scalar = scalars.next() {
    if scalar == "\u{FFFD}" {
      // Written out, it is EF BF BD.
      guard position + 2 < length, unsafe start[position] == 0xEF,
        unsafe start[position + 1] == 0xBF, unsafe start[position + 2] == 0xBD
      else { return false }
    }
    let value = scalar.value
    position += value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x1_0000 ? 3 : 4
  }
  return true
}
