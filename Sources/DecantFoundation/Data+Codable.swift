// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Data through DecantDecoder: the strategies.

public import DecantCodable
public import Foundation

extension DecantDecoder {
  /// How bytes are written.
  public enum DataDecodingStrategy: Sendable {
    /// As `Data` decodes itself: an array of integers.
    case deferredToData
    case base64
    @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
  }

  /// How bytes are written; base64 by default.
  public var dataDecodingStrategy: DataDecodingStrategy {
    get { state.setting { $0.data as? DataDecodingStrategy } ?? .base64 }
    set { state.set { $0.data = newValue } }
  }
}

extension Data: StrategyDecodable {
  package static func decode(by decoder: ValueDecoder) throws -> Data {
    // Null is never handed to a strategy.
    if decoder.decodeNil() { throw decoder.failure(Data.self, decoder.node, decoder.codingPath) }
    switch decoder.context.settings.data as? DecantDecoder.DataDecodingStrategy ?? .base64 {
    case .deferredToData: return Data(try [UInt8](from: decoder))
    case .base64:
      if let data = Data(base64Encoded: try decoder.decode(String.self)) { return data }
      throw decoder.corrupted("expected base64, found \(decoder.found)")
    case .custom(let decode): return try decode(decoder)
    }
  }
}

package func linkedByDataCodable() -> Linked { linked() }
