// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What an input decides: each byte is a choice among a few. When the bytes are used up, every choice is the
// first one, so that every input ends.

struct Choices {
  // The caller's, for the call.
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// One of `count` numbers.
  mutating func next(_ count: Int) -> Int {
    if place == bytes.count { return 0 }
    place += 1
    return Int(bytes[place - 1]) % count
  }

  /// True about once in `count` times, and never at the end.
  mutating func once(in count: Int) -> Bool { next(count) == count - 1 && count > 1 }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[next(elements.count)] }
}
