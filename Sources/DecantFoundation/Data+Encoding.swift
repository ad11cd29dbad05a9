// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Data through DecantEncoder: encoding to Data, and the strategies.

public import DecantCodable
public import Foundation

extension DecantEncoder {
  /// Encodes a value as UTF-8; in a subclass, by its `encode(_:)` to bytes.
  ///
  /// - Throws: As `encode(_:)` to bytes.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    if type(of: self) != DecantEncoder.self { return Data(try encode(value) as [UInt8]) }
    return try unsafe withText(of: value) { unsafe Data($0) }
  }

  /// Encodes a value with a configuration.
  public func encode<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration
  ) throws -> Data {
    try encode(value, configuration: configuration, userInfo: [:])
  }

  func encode<Value: EncodableWithConfiguration>(
    _ value: Value, configuration: Value.EncodingConfiguration,
    userInfo: [CodingUserInfoKey: any Sendable]
  ) throws -> Data {
    try unsafe withText(
      of: value, userInfo: userInfo,
      by: { try value.encode(to: $0, configuration: configuration) }, { unsafe Data($0) })
  }

  /// Encodes a value with the configuration that a type provides.
  public func encode<Value: EncodableWithConfiguration, Provider: EncodingConfigurationProviding>(
    _ value: Value, configuration: Provider.Type
  ) throws -> Data where Value.EncodingConfiguration == Provider.EncodingConfiguration {
    try encode(value, configuration: Provider.encodingConfiguration)
  }

  /// How bytes are written.
  public enum DataEncodingStrategy: Sendable {
    /// As `Data` encodes itself: an array of integers.
    case deferredToData
    case base64
    @preconcurrency case custom(@Sendable (_ data: Data, _ encoder: any Encoder) throws -> Void)
  }

  /// How bytes are written; base64 by default.
  public var dataEncodingStrategy: DataEncodingStrategy {
    get { state.setting { $0.data as? DataEncodingStrategy } ?? .base64 }
    set { state.set { $0.data = newValue } }
  }
}

extension Data: StrategyEncodable {
  package func encode(by scope: Scope) throws {
    switch scope.session.settings.data as? DecantEncoder.DataEncodingStrategy ?? .base64 {
    case .deferredToData: try encode(to: scope)
    case .base64: try scope.encode(base64EncodedString())
    case .custom(let encode): try encode(self, scope)
    }
  }
}

package func linkedByDataEncoding() -> Linked { linked() }
