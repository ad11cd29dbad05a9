// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Types of Foundation that `JSONDecoder` decodes in its own way instead of by `init(from:)`, and models that are decoded
// with a configuration.

public import DecantCodable
public import DecantCore
public import Foundation

extension URL: StrategyDecodable {
  package static func decode(by decoder: ValueDecoder) throws -> URL {
    if let url = URL(string: try decoder.text(for: URL.self)) { return url }
    throw decoder.corrupted("expected a URL, found \(decoder.found)")
  }
}

extension UUID: StrategyDecodable {
  package static func decode(by decoder: ValueDecoder) throws -> UUID {
    let text = try decoder.decode(String.self)
    // Foundation takes texts that are no UUID alone.
    if let uuid = UUID(digits: text) ?? UUID(uuidString: text) { return uuid }
    throw decoder.corrupted("expected a UUID, found \(decoder.found)")
  }
}

extension Decimal: StrategyDecodable {
  /// The number as it is written, not by way of a Double.
  package static func decode(by decoder: ValueDecoder) throws -> Decimal {
    guard decoder.json.kind == .number else {
      throw decoder.failure(Decimal.self, decoder.node, decoder.codingPath)
    }
    let text = decoder.json.numberText
    // NaN and the infinities, which JSON5 allows, are not a number to a Decimal.
    guard let parts = DecimalNumber(text) else { return .nan }
    if let decimal = Decimal(exactly: parts) ?? Decimal(string: text, locale: nil), !decimal.isNaN {
      return decimal
    }
    throw decoder.corrupted("\(decoder.found) is out of range: expected a Decimal")
  }
}

// MARK: - Configurations

extension DecantDecoder {
  /// Decodes a document with a configuration.
  public func decode<Model: DecodableWithConfiguration>(
    _ type: Model.Type, from bytes: borrowing some JSONBytes & ~Escapable,
    configuration: Model.DecodingConfiguration
  ) throws -> Model {
    try decode(from: bytes) { try type.init(from: $0, configuration: configuration) }
  }

  /// Decodes a document with the configuration that a type provides.
  public func decode<Model: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Model.Type, from bytes: borrowing some JSONBytes & ~Escapable,
    configuration: Provider.Type
  ) throws -> Model where Model.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: bytes, configuration: Provider.decodingConfiguration)
  }
}

package func linkedByFoundationCodable() -> Linked { linked() }
