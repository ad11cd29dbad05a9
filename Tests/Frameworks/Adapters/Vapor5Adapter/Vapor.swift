// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCodable
import DecantFoundation
import Foundation
import Vapor5

extension DecantDecoder: @retroactive ContentDecoder {
  public func decode<D: Decodable>(
    _ type: D.Type, from body: Data, headers: HTTPFields,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> D {
    try decode(type, from: body, userInfo: userInfo)
  }
}

extension DecantEncoder: @retroactive ContentEncoder {
  public func encode(
    _ value: some Encodable, to body: inout Data, headers: inout HTTPFields,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws {
    try encode(value, to: &body, userInfo: userInfo)
    headers[.contentType] = "application/json; charset=utf-8"
  }
}
