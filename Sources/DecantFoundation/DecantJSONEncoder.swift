// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A JSONEncoder for other packages, the counterpart of DecantJSONDecoder.

internal import DecantCodable
public import Foundation

/// Foundation's `JSONEncoder`, encoding by Decant: for functions that take a `JSONEncoder`, and for code that overrides
/// its members.
///
/// Strategies, `userInfo` and `outputFormatting` work as in `JSONEncoder`. Foundation encodes if a strategy or a
/// format is unknown to Decant. Members are in the order of encoding, unless keys are sorted.
open class DecantJSONEncoder: JSONEncoder, @unchecked Sendable {
  // SAFETY: all state is behind locks, this class's and the superclass's.
  /// An encoder with all settings; nil after one has changed.
  private let current = Locked<DecantEncoder?>(nil)

  /// An encoder with the default settings.
  public override init() { super.init() }

  override open var outputFormatting: OutputFormatting { didSet { change() } }
  override open var dateEncodingStrategy: DateEncodingStrategy { didSet { change() } }
  override open var dataEncodingStrategy: DataEncodingStrategy { didSet { change() } }
  override open var keyEncodingStrategy: KeyEncodingStrategy { didSet { change() } }
  override open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
    didSet { change() }
  }

  /// Encodes a value as UTF-8.
  ///
  /// - Throws: As `DecantEncoder.encode(_:)`.
  override open func encode<T: Encodable>(_ value: T) throws -> Data {
    guard let encoder else { return try super.encode(value) }
    let userInfo = userInfo
    if userInfo.isEmpty { return try encoder.encode(value) }
    var data = Data()
    try encoder.encode(value, to: &data, userInfo: userInfo)
    return data
  }

  /// Encodes a value with a configuration.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  override open func encode<T: EncodableWithConfiguration>(
    _ value: T, configuration: T.EncodingConfiguration
  ) throws -> Data {
    guard let encoder else { return try super.encode(value, configuration: configuration) }
    return try encoder.encode(value, configuration: configuration, userInfo: userInfo)
  }

  /// Encodes a value with the configuration that a type provides.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  override open func encode<T: EncodableWithConfiguration, C: EncodingConfigurationProviding>(
    _ value: T, configuration: C.Type
  ) throws -> Data where T.EncodingConfiguration == C.EncodingConfiguration {
    try encode(value, configuration: C.encodingConfiguration)
  }

  // MARK: - The settings

  private func change() {
    // The last one is released outside the lock: what its strategies retain may use this encoder then.
    _ = current.withLock { $0.take() }
  }

  /// An encoder with these settings; nil if Decant does not know one of them.
  ///
  /// The superclass's own properties count, whatever a subclass overrides them with: `JSONEncoder` has it so.
  private var encoder: DecantEncoder? {
    current.withLock { current in
      if let current { return current }
      let encoder = DecantEncoder()
      let known: OutputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard super.outputFormatting.isSubset(of: known) else { return nil }
      for (format, own) in zip(
        [OutputFormatting.prettyPrinted, .sortedKeys, .withoutEscapingSlashes],
        [DecantEncoder.OutputFormatting.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      where super.outputFormatting.contains(format) { encoder.outputFormatting.insert(own) }
      switch super.dateEncodingStrategy {
      case .deferredToDate: break
      case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
      case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
      case .iso8601: encoder.dateEncodingStrategy = .iso8601
      #if canImport(Darwin)
        case .formatted(let formatter): encoder.dateEncodingStrategy = .formatted(formatter)
      #endif
      case .custom(let encode): encoder.dateEncodingStrategy = .custom(encode)
      @unknown default: return nil
      }
      switch super.dataEncodingStrategy {
      case .base64: break
      case .deferredToData: encoder.dataEncodingStrategy = .deferredToData
      case .custom(let encode): encoder.dataEncodingStrategy = .custom(encode)
      @unknown default: return nil
      }
      switch super.keyEncodingStrategy {
      case .useDefaultKeys: break
      case .convertToSnakeCase: encoder.keyEncodingStrategy = .convertToSnakeCase
      case .custom(let key): encoder.keyEncodingStrategy = .custom(key)
      @unknown default: return nil
      }
      switch super.nonConformingFloatEncodingStrategy {
      case .throw: break
      case .convertToString(let positive, let negative, let nan):
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
          positiveInfinity: positive, negativeInfinity: negative, nan: nan)
      @unknown default: return nil
      }
      current = encoder
      return encoder
    }
  }
}

package func linkedByEncoder() -> Linked { linked() }
