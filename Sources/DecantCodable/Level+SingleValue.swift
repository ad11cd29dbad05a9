// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A level as the container of its one value.

internal import CDecantIndex
internal import DecantCore

extension Level: SingleValueDecodingContainer {
  /// A decoder of nothing, as a super decoder without its key has it, reads as null.
  package func decodeNil() -> Bool { json.isNull || !json.exists }

  private var reader: Reader { unsafe Reader(context: context, level: .passUnretained(self)) }

  package func decode(_ type: Bool.Type) throws -> Bool {
    if let value = reader.bool(node) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: String.Type) throws -> String {
    if let value = reader.string(node) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Double.Type) throws -> Double {
    if let value = reader.double(node) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Float.Type) throws -> Float {
    if let value = reader.float(node) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Int.Type) throws -> Int {
    if let value = reader.int(node) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Int8.Type) throws -> Int8 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Int16.Type) throws -> Int16 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Int32.Type) throws -> Int32 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Int64.Type) throws -> Int64 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: Int128.Type) throws -> Int128 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: UInt.Type) throws -> UInt {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: UInt8.Type) throws -> UInt8 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: UInt16.Type) throws -> UInt16 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: UInt32.Type) throws -> UInt32 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: UInt64.Type) throws -> UInt64 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }
  package func decode(_ type: UInt128.Type) throws -> UInt128 {
    if let value = reader.integer(node, type) { return value }
    throw failure(type, node, codingPath)
  }

  package func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
    try decode(type, node, nil, Level.noIndex)
  }
}
