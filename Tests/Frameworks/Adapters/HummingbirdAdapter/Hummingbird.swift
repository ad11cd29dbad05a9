// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCodable
import Hummingbird

extension DecantDecoder: @retroactive RequestDecoder {
  public func decode<T: Decodable>(
    _ type: T.Type, from request: Request, context: some RequestContext
  ) async throws -> T {
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    return try decode(type, from: body.readableBytesSpan)
  }
}

extension DecantEncoder: @retroactive ResponseEncoder {
  public func encode(
    _ value: some Encodable, from request: Request, context: some RequestContext
  ) throws -> Response {
    let bytes: [UInt8] = try encode(value)
    return Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
