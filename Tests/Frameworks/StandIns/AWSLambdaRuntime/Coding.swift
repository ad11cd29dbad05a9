// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for the Swift runtime of AWS Lambda: its protocols for events and results.

@_exported public import NIOCore

public protocol LambdaEventDecoder {
  func decode<Event: Decodable>(_ type: Event.Type, from buffer: ByteBuffer) throws -> Event
}

public protocol LambdaOutputEncoder {
  associatedtype Output

  func encode(_ value: Output, into buffer: inout ByteBuffer) throws
}
