// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Stands in for Alamofire: its protocols for bodies.

public import Foundation

public protocol DataDecoder: Sendable {
  func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}
