// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Enums of services that will add cases: types whose unknown raw values are not errors.

/// An enum with a case for unknown raw values.
///
///     enum Meal: String, JSONUnknownCase { case lunch, dinner, other; static let unknownCase = Meal.other }
///
/// A raw value of a wrong kind is still an error: `5` is not a `Meal`.
public protocol JSONUnknownCase: JSONDecodable, RawRepresentable where RawValue: JSONDecodable {
  /// The case for unknown raw values.
  static var unknownCase: Self { get }
}

extension JSONUnknownCase {
  /// The case of the raw value, or ``unknownCase``.
  @_alwaysEmitIntoClient
  public static func decode(_ json: JSON) -> Decoded<Self> { decodeOpenly(json) }

  @_alwaysEmitIntoClient
  static func decodeOpenly(_ json: JSON) -> Decoded<Self> {
    RawValue.decode(json).map { Self(rawValue: $0) ?? unknownCase }
  }
}

extension JSONUnknownCase where Self: CaseIterable {
  /// The case of the raw value, or ``unknownCase``.
  @_alwaysEmitIntoClient
  public static func decode(_ json: JSON) -> Decoded<Self> { decodeOpenly(json) }
}

/// A known case, or the raw value of an unknown one.
///
///     let meal: OpenEnum<Meal> = try json.get("meal")
///     meal.known                     // Meal?
///     meal.rawValue                  // "brunch"
public enum OpenEnum<Known: RawRepresentable> {
  case known(Known)
  case unknown(Known.RawValue)

  /// The case, or nil if it is not known.
  @_alwaysEmitIntoClient
  public var known: Known? {
    if case .known(let known) = self { return known }
    return nil
  }

  /// The raw value, known or not.
  @_alwaysEmitIntoClient
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let known): known.rawValue
    case .unknown(let raw): raw
    }
  }
}

extension OpenEnum: JSONDecodable where Known.RawValue: JSONDecodable {
  /// The case of the raw value, or the raw value itself.
  @_alwaysEmitIntoClient
  public static func decode(_ json: JSON) -> Decoded<OpenEnum> {
    Known.RawValue.decode(json).map { raw in
      if let known = Known(rawValue: raw) { .known(known) } else { .unknown(raw) }
    }
  }
}

extension OpenEnum: Equatable where Known: Equatable, Known.RawValue: Equatable {}
extension OpenEnum: Hashable where Known: Hashable, Known.RawValue: Hashable {}
extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}
