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
    let scalars = unsafe ScalarDecoder(document: document, decoder: Reference(self))
    if let value = read(scalars, node) { return value }
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
    try value(type) { $0.uncommonInt($1) }
  }
  package func decode(_ type: Int8.Type) throws -> Int8 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: Int16.Type) throws -> Int16 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: Int32.Type) throws -> Int32 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: Int64.Type) throws -> Int64 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: Int128.Type) throws -> Int128 {
    try value(type) { $0.wideInteger($1, type) }
  }
  package func decode(_ type: UInt.Type) throws -> UInt {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: UInt8.Type) throws -> UInt8 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: UInt16.Type) throws -> UInt16 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: UInt32.Type) throws -> UInt32 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: UInt64.Type) throws -> UInt64 {
    try value(type) { $0.integer($1, type) }
  }
  package func decode(_ type: UInt128.Type) throws -> UInt128 {
    try value(type) { $0.wideInteger($1, type) }
  }

  package func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
    try decode(type, node, nil, ValueDecoder.noIndex)
  }
}
