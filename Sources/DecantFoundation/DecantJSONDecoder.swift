// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A JSONDecoder for other packages: code that takes Foundation's class takes this one. The settings are
// Foundation's own and are carried over to a DecantDecoder, which is kept until one of them changes.

internal import DecantCodable
public import DecantCore
public import Foundation

/// Foundation's `JSONDecoder`, decoding by Decant: for functions that take a `JSONDecoder`, and for code that overrides
/// its members.
///
///     let client = APIClient(decoder: DecantJSONDecoder())     // a package's: init(decoder: JSONDecoder)
///
/// Strategies, `userInfo` and `assumesTopLevelDictionary` work as in `JSONDecoder`. Foundation decodes if a strategy
/// is unknown to Decant, if JSON5 goes beyond `DecantDecoder.allowsJSON5`, and if the text is UTF-16 or UTF-32.
open class DecantJSONDecoder: JSONDecoder, @unchecked Sendable {
  // SAFETY: all state is behind locks, this class's and the superclass's.
  private let state = Locked(State())

  private struct State: Sendable {
    var options = DecodingOptions(relaxations: .jsonDecoder)
    var showsValuesInErrors = false
    /// A decoder with all settings; nil after one has changed.
    var decoder: DecantDecoder?
  }

  /// A decoder with the default settings.
  public override init() { super.init() }

  /// How a document is read. By default, as `JSONDecoder` reads it: `DecodingOptions.Relaxations.jsonDecoder`.
  public final var options: DecodingOptions {
    get { state.withLock { $0.options } }
    set { change { $0.options = newValue } }
  }

  /// As `DecantDecoder.showsValuesInErrors`.
  public final var showsValuesInErrors: Bool {
    get { state.withLock { $0.showsValuesInErrors } }
    set { change { $0.showsValuesInErrors = newValue } }
  }

  override open var dateDecodingStrategy: DateDecodingStrategy { didSet { change() } }
  override open var dataDecodingStrategy: DataDecodingStrategy { didSet { change() } }
  override open var keyDecodingStrategy: KeyDecodingStrategy { didSet { change() } }
  override open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    didSet { change() }
  }
  override open var allowsJSON5: Bool { didSet { change() } }
  override open var assumesTopLevelDictionary: Bool { didSet { change() } }

  /// Decodes a document.
  ///
  /// - Throws: As `DecantDecoder.decode(_:from:)`.
  override open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    guard let decoder else { return try super.decode(type, from: data) }
    do {
      let userInfo = userInfo
      if userInfo.isEmpty { return try decoder.decode(type, from: data) }
      return try decoder.decode(type, from: data, userInfo: userInfo)
    } catch  where isFoundations(data, error) { return try super.decode(type, from: data) }
  }

  /// Decodes a document with a configuration.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  override open func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
  ) throws -> T {
    guard let decoder else {
      return try super.decode(type, from: data, configuration: configuration)
    }
    do {
      return try decoder.decode(from: data, userInfo: userInfo) {
        try type.init(from: $0, configuration: configuration)
      }
    } catch  where isFoundations(data, error) {
      return try super.decode(type, from: data, configuration: configuration)
    }
  }

  /// Decodes a document with the configuration that a type provides.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  override open func decode<T: DecodableWithConfiguration, C: DecodingConfigurationProviding>(
    _ type: T.Type, from data: Data, configuration: C.Type
  ) throws -> T where T.DecodingConfiguration == C.DecodingConfiguration {
    try decode(type, from: data, configuration: C.decodingConfiguration)
  }

  // MARK: - The settings

  private func change(_ body: (inout State) -> Void = { _ in }) {
    // The last one is released outside the lock: what its strategies retain may use this decoder then.
    _ = state.withLock { state in
      body(&state)
      return state.decoder.take()
    }
  }

  /// A decoder with these settings; nil if Decant does not know one of them.
  ///
  /// The superclass's own properties count, whatever a subclass overrides them with: `JSONDecoder` has it so.
  private var decoder: DecantDecoder? {
    state.withLock { state in
      if let decoder = state.decoder { return decoder }
      let decoder = DecantDecoder()
      decoder.options = state.options
      decoder.showsValuesInErrors = state.showsValuesInErrors
      switch super.dateDecodingStrategy {
      case .deferredToDate: break
      case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
      case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
      case .iso8601: decoder.dateDecodingStrategy = .iso8601
      #if canImport(Darwin)
        case .formatted(let formatter): decoder.dateDecodingStrategy = .formatted(formatter)
      #endif
      case .custom(let decode): decoder.dateDecodingStrategy = .custom(decode)
      @unknown default: return nil
      }
      switch super.dataDecodingStrategy {
      case .base64: break
      case .deferredToData: decoder.dataDecodingStrategy = .deferredToData
      case .custom(let decode): decoder.dataDecodingStrategy = .custom(decode)
      @unknown default: return nil
      }
      switch super.keyDecodingStrategy {
      case .useDefaultKeys: break
      case .convertFromSnakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
      case .custom(let key): decoder.keyDecodingStrategy = .custom(key)
      @unknown default: return nil
      }
      switch super.nonConformingFloatDecodingStrategy {
      case .throw: break
      case .convertFromString(let positive, let negative, let nan):
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: positive, negativeInfinity: negative, nan: nan)
      @unknown default: return nil
      }
      if super.allowsJSON5 { decoder.allowsJSON5 = true }
      decoder.assumesTopLevelDictionary = super.assumesTopLevelDictionary
      state.decoder = decoder
      return decoder
    }
  }

  /// Whether a document that Decant refused may be one that Foundation reads.
  private func isFoundations(_ data: Data, _ error: any Error) -> Bool {
    guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError,
      context.codingPath.isEmpty,
      (context.underlyingError as? DecodeError)?.code.category == .syntax
    else { return false }
    // The first characters of JSON are ASCII.
    let isUTF8 = !data.prefix(4).contains { $0 == 0 || $0 == 0xFE || $0 == 0xFF }
    return !isUTF8 || super.allowsJSON5
  }
}

package func linkedByDecoder() -> Linked { linked() }
