// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for Vapor 4: its protocols for content.

@_exported public import NIOCore

public struct HTTPMediaType: Sendable, Equatable {
  public let text: String

  public static let json = HTTPMediaType(text: "application/json; charset=utf-8")
}

public struct HTTPHeaders: Sendable {
  public var contentType: HTTPMediaType?

  public init() {}
}

public protocol ContentEncoder: Sendable {
  func encode<E>(_ encodable: E, to body: inout ByteBuffer, headers: inout HTTPHeaders) throws
  where E: Encodable
  func encode<E>(
    _ encodable: E, to body: inout ByteBuffer, headers: inout HTTPHeaders,
    userInfo: [CodingUserInfoKey: Sendable]
  ) throws where E: Encodable
}

public protocol ContentDecoder: Sendable {
  func decode<D>(_ decodable: D.Type, from body: ByteBuffer, headers: HTTPHeaders) throws -> D
  where D: Decodable
  func decode<D>(
    _ decodable: D.Type, from body: ByteBuffer, headers: HTTPHeaders,
    userInfo: [CodingUserInfoKey: Sendable]
  ) throws -> D where D: Decodable
}
