// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

/// SplitMix64 (Steele, Lea & Flood, 2014).
public struct Random {
  public private(set) var state: UInt64

  public init(state: UInt64) { self.state = state }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  public mutating func fill(_ bytes: inout [UInt8]) {
    for place in stride(from: 0, to: bytes.count, by: 8) {
      withUnsafeBytes(of: next()) { word in
        for byte in 0..<8 { bytes[place + byte] = word[byte] }
      }
    }
  }
}
