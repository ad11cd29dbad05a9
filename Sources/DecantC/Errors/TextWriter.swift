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
    let count = UTF8.width(scalar)
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

  /// Takes back what was added behind the first `used` bytes. No more is added.
  mutating func cut(to used: Int) {
    self.used = used
    if capacity >= used { unsafe start[used] = 0 }
  }
}

/// A C string as it is.
@safe
struct CText: ErrorPhrase {
  // SAFETY: the string, which ends with a NUL byte, outlives the text.
  let bytes: Bytes

  @unsafe
  init(_ start: UnsafePointer<CChar>) {
    bytes = unsafe Bytes(
      UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), decant_c_string_length(start))
  }

  var scalars: ScalarReader { bytes.scalars() }

  func write(to sink: inout some ErrorSink) { scalars.write(to: &sink) }
}
