// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A decoder as the container of its single value.

internal import CDecantIndex
internal import DecantCore

extension ValueDecoder: SingleValueDecodingContainer {
  /// The decoder of a missing value, such as that of a superclass without its key, reads as null.
  package func decodeNil() -> Bool { json.isNull || !json.exists }

  @inline(__always)
  private func value<Value>(
    _ type: Value.Type, _ read: (ScalarDecoder, UInt64) -> Value?
  ) throws -> Value {
    if let value = read(ScalarDecoder(self), node) { return value }
    throw failure(type, node, codingPath)
  }

  package func decode(_ type: Bool.Type) throws -> Bool {
    try value(type) { $0.bool($1) }
  }
  package func decode(_ type: String.Type) throws -> String {
    try value(type) { $0.string($1) }
  }
  package func decode(_ type: Double.Type) throws -> Double {
    try value(type) { $0.uncommonDouble($1) }
  }
  package func decode(_ type: Float.Type) throws -> Float {
    try value(type) { $0.float($1) }
  }
  package func decode(_ type: Int.Type) throws -> Int {
    try value(type) { $0.int($1) }
  }
  /// Any integer that has no function of its own here.
  package func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try value(type) { $0.integer($1, type) }
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package func decode(_ type: Int128.Type) throws -> Int128 {
    try value(type) { $0.wideInteger($1) }
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package func decode(_ type: UInt128.Type) throws -> UInt128 {
    try value(type) { $0.wideInteger($1) }
  }

  package func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
    try decode(type, node, nil, ValueDecoder.noIndex)
  }
}
