// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import AWSLambdaRuntime
import DecantCodable

extension DecantDecoder: @retroactive LambdaEventDecoder {
  public func decode<Event: Decodable>(
    _ type: Event.Type, from buffer: ByteBuffer
  ) throws -> Event {
    try decode(type, from: buffer.readableBytesSpan)
  }
}

public struct DecantOutputEncoder<Output: Encodable>: LambdaOutputEncoder {
  private let encoder: DecantEncoder

  public init(_ encoder: DecantEncoder = DecantEncoder()) { self.encoder = encoder }

  public func encode(_ value: Output, into buffer: inout ByteBuffer) throws {
    let bytes: [UInt8] = try encoder.encode(value)
    buffer.writeBytes(bytes)
  }
}
