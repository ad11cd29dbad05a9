// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The keys that are looked up. Who asks has them already, in the order of asking, so that it waits for the
// document and not for itself. They are made once, before anything is measured, and kept: memory that they
// gave back could not be told from a contender's.

/// What is looked up, in this order.
nonisolated(unsafe) var wantedKeys: [String] = []

/// Where they begin in the document.
nonisolated(unsafe) private var starts: [Int] = []

/// Wants a thousand keys or all of an object that has no other strings, in an order without a pattern.
func wantKeys(of bytes: [UInt8], for question: Question) {
  guard question == .lookUp || question == .lookUpEvery else { return }
  let quote = UInt8(ascii: "\"")
  let keys = bytes.reduce(0) { $0 + ($1 == quote ? 1 : 0) } / 2
  let step = question == .lookUp ? max(keys / 1000, 1) : 1
  starts.reserveCapacity(keys / step + 1)
  var quotes = 0
  for place in bytes.indices where bytes[place] == quote {
    if quotes % (2 * step) == 0 { starts.append(place + 1) }
    quotes += 1
  }
  var generator = Generator()
  starts.shuffle(using: &generator)
  wantedKeys.reserveCapacity(starts.count)
  for start in starts {
    var end = start
    while bytes[end] != quote { end += 1 }
    wantedKeys.append(String(decoding: bytes[start..<end], as: UTF8.self))
  }
}

/// SplitMix64 (Steele, Lea & Flood, 2014), the same numbers every time.
private struct Generator: RandomNumberGenerator {
  private var state: UInt64 = 0

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
