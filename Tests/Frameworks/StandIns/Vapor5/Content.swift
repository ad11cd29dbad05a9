// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for Vapor 5: its protocols for content.

public import Foundation
@_exported public import HTTPTypes

public protocol ContentEncoder: Sendable {
  func encode(
    _ encodable: some Encodable, to body: inout Data, headers: inout HTTPFields,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws
}

public protocol ContentDecoder: Sendable {
  func decode<D>(
    _ decodable: D.Type, from body: Data, headers: HTTPFields,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> D where D: Decodable
}
