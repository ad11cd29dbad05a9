// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions that frameworks require of a JSON coder: over `Data`, with the names of `JSONDecoder`.

public import DecantCodable
public import Foundation

extension DecantDecoder {
  /// Decodes a document, by the `decode(_:from:)` for any bytes.
  ///
  /// Protocols that describe `JSONDecoder` require this function:
  ///
  ///     extension DecantDecoder: @retroactive DataDecoder {}
  public func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
    try unsafe data.withUnsafeBytes { try unsafe decode(type, from: $0) }
  }
}

#if canImport(Combine)
  public import Combine

  extension DecantDecoder: TopLevelDecoder {
    /// Combine's input.
    public typealias Input = Data
  }

  extension DecantEncoder: TopLevelEncoder {
    /// Combine's output.
    public typealias Output = Data
  }
#endif

package func linkedByFrameworks() -> Linked { linked() }
