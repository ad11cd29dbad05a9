// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for OpenCombine: its protocols for coders.

public protocol TopLevelDecoder {
  associatedtype Input

  func decode<T>(_ type: T.Type, from: Input) throws -> T where T: Decodable
}

public protocol TopLevelEncoder {
  associatedtype Output

  func encode<T>(_ value: T) throws -> Output where T: Encodable
}
