// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for Hummingbird 2: its protocols for requests and responses.

@_exported public import HTTPTypes
@_exported public import NIOCore

public protocol RequestContext: Sendable {
  var maxUploadSize: Int { get }
}

public struct RequestBody: Sendable {
  public let buffer: ByteBuffer

  public func collect(upTo maximum: Int) async throws -> ByteBuffer {
    guard buffer.readableBytes <= maximum else { throw TooLarge() }
    return buffer
  }
}
public struct TooLarge: Error {}

public struct Request: Sendable {
  public var body: RequestBody

  public init(body: ByteBuffer) { self.body = RequestBody(buffer: body) }
}

public struct ResponseBody: Sendable {
  public let buffer: ByteBuffer

  public init(byteBuffer: ByteBuffer) { buffer = byteBuffer }
}

public struct HTTPStatus: Sendable, Equatable {
  public let code: Int

  public static let ok = HTTPStatus(code: 200)
}

public struct Response: Sendable {
  public var status: HTTPStatus
  public var headers: HTTPFields
  public var body: ResponseBody

  public init(status: HTTPStatus, headers: HTTPFields, body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

public protocol RequestDecoder {
  func decode<T: Decodable>(
    _ type: T.Type, from request: Request, context: some RequestContext
  ) async throws -> T
}

public protocol ResponseEncoder {
  func encode(
    _ value: some Encodable, from request: Request, context: some RequestContext
  ) throws -> Response
}
