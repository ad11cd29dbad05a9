// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How the tests of this folder make tokens. A conversion takes another way when its token stands at
// the beginning of a text or at its end, so every text is converted in several places:
//
//   alone                    -1.5
//   first, room behind it    -1.5,0000000000000000000000000000000
//   last, room before it     [9999999999999999999999999999999,-1.5
//   in the middle            [9999999999999999999999999999999,-1.5,0000…
//
// Digits surround the token, past the comma, so that a byte too many changes the result.

import CDecantIndex
import Testing

@testable import DecantCore

enum NumberPlacements {
  static let before = Array("[9999999999999999999999999999999,".utf8)
  static let behind = Array(",99999999999999999999999999999999]".utf8)

  /// The result of `convert` on `text` in every place, if all results are the same one.
  static func convert<Value: Equatable>(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ convert: (NumberToken) -> Value
  ) throws -> Value {
    let number = Array(text.utf8)
    let high = try #require(shape(text), "\(text) is a number", sourceLocation: sourceLocation)
    let middle = one(before + number + behind, before.count, high, convert)
    let places = [
      one(number, 0, high, convert), one(number + behind, 0, high, convert),
      one(before + number, before.count, high, convert),
    ]
    for (index, result) in places.enumerated() where result != middle {
      Issue.record(
        "\(text.prefix(60)): \(result) in place \(index), else \(middle)",
        sourceLocation: sourceLocation)
    }
    return middle
  }

  /// The shape of a text that is exactly one number.
  static func shape(_ text: String) -> UInt32? { shape(Array(text.utf8)) }

  static func shape(_ text: [UInt8]) -> UInt32? {
    unsafe text.withUnsafeBufferPointer { bytes in
      // SAFETY: the pointers are used inside the closure only.
      guard let start = bytes.baseAddress else { return nil }
      let number = unsafe decant_read_number(start, start + bytes.count)
      return unsafe number.end == start + bytes.count ? number.facts : nil
    }
  }

  /// The result of `convert` on the number at `offset`.
  static func one<Value>(
    _ text: [UInt8], _ offset: Int, _ high: UInt32, _ convert: (NumberToken) -> Value
  ) -> Value {
    unsafe text.withUnsafeBufferPointer { bytes in
      // SAFETY: `high` was made from the bytes at `offset`; the token is used inside the closure
      // only. A number has bytes, so there is a base address.
      guard let base = bytes.baseAddress else { fatalError("a number without bytes") }
      return convert(
        unsafe NumberToken(unchecked: base, length: bytes.count, offset: offset, shape: high))
    }
  }

  static func integer<Value: FixedWidthInteger>(
    _ text: String, as type: Value.Type = Value.self,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> IntegerConversion<Value> {
    try convert(text, sourceLocation: sourceLocation) { token in
      let value: Value? = token.integer(type)
      return value.map { .value($0) } ?? (token.isReal ? .notInteger : .outOfRange)
    }
  }

  /// The bits of the text's Double; nil when it is out of range.
  static func double(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> UInt64? {
    try convert(text, sourceLocation: sourceLocation) { $0.double()?.bitPattern }
  }

  /// The bits of the text's Float; nil when it is out of range.
  static func float(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> UInt32? {
    try convert(text, sourceLocation: sourceLocation) { $0.float()?.bitPattern }
  }
}

/// Repeatable random numbers (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014). The seed is printed, and taken from DECANT_SEED if that is set.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// What a number token is as an integer of some width.
enum IntegerConversion<Value: FixedWidthInteger>: Equatable {
  case value(Value)
  case notInteger
  case outOfRange
}
