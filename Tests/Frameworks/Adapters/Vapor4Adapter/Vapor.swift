// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCodable
import Vapor4

extension DecantDecoder: @retroactive ContentDecoder {
  public func decode<D: Decodable>(
    _ type: D.Type, from body: ByteBuffer, headers: HTTPHeaders
  ) throws -> D {
    try decode(type, from: body.readableBytesSpan)
  }

  public func decode<D: Decodable>(
    _ type: D.Type, from body: ByteBuffer, headers: HTTPHeaders,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> D {
    try decode(type, from: body.readableBytesSpan, userInfo: userInfo)
  }
}

extension DecantEncoder: @retroactive ContentEncoder {
  public func encode<E: Encodable>(
    _ value: E, to body: inout ByteBuffer, headers: inout HTTPHeaders
  ) throws {
    try encode(value, to: &body, headers: &headers, userInfo: [:])
  }

  public func encode<E: Encodable>(
    _ value: E, to body: inout ByteBuffer, headers: inout HTTPHeaders,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws {
    var bytes: [UInt8] = []
    try encode(value, to: &bytes, userInfo: userInfo)
    body.writeBytes(bytes)
    headers.contentType = .json
  }
}
