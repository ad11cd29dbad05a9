// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions that frameworks require of a JSON coder: over `Data`, with the names of `JSONDecoder`.

public import DecantCodable
public import Foundation

extension DecantDecoder {
  /// Decodes a document, as `decode(_:from:)` does any bytes, and by that function.
  ///
  /// Protocols that describe `JSONDecoder` ask for this function:
  ///
  ///     extension DecantDecoder: @retroactive DataDecoder {}
  public func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
    try unsafe data.withUnsafeBytes { try unsafe decode(type, from: $0) }
  }
}

#if canImport(Combine)
  public import Combine

  extension DecantDecoder: TopLevelDecoder {
    /// What Combine decodes.
    public typealias Input = Data
  }

  extension DecantEncoder: TopLevelEncoder {
    /// What Combine gets.
    public typealias Output = Data
  }
#endif

package func linkedByFrameworks() -> Linked { linked() }
