// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Enums with raw values, and the types that can be an object's keys.

extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
  /// The case with the raw value that stands here; an unknown one is an error that names it.
  public static func decode(_ json: JSON) -> Decoded<Self> {
    switch RawValue.decode(json) {
    case .success(let raw):
      guard let value = Self(rawValue: raw) else {
        return .failure(json.failure(.invalidValue, expected: nil))
      }
      return .success(value)
    case .failure(let error): return .failure(error)
    }
  }
}

extension JSONDecodable where Self: RawRepresentable & CaseIterable, RawValue: JSONDecodable {
  /// The case with the raw value that stands here; the error for an unknown one lists the known ones.
  public static func decode(_ json: JSON) -> Decoded<Self> {
    switch RawValue.decode(json) {
    case .success(let raw):
      guard let value = Self(rawValue: raw) else {
        return .failure(.notOne(of: allCases.map { text(of: $0.rawValue) }, in: json))
      }
      return .success(value)
    case .failure(let error): return .failure(error)
    }
  }
}

private func text<Raw>(of raw: Raw) -> String {
  if let text = raw as? String { return quoted(text) }
  return excerpt("\(raw)")
}

/// A type that can be the key of a decoded dictionary: made from a member's key, or not.
///
/// Strings, integers and string enums are. A type that is `LosslessStringConvertible`, or raw
/// representable by a key, conforms without code.
public protocol JSONObjectKey: Hashable {
  init?(jsonKey: String)

  /// The member's key that makes this key: what is written.
  var jsonKey: String { get }
}

extension JSONObjectKey where Self: LosslessStringConvertible {
  public init?(jsonKey: String) { self.init(jsonKey) }

  public var jsonKey: String { description }
}

extension JSONObjectKey where Self: RawRepresentable, RawValue: JSONObjectKey {
  public init?(jsonKey: String) {
    guard let raw = RawValue(jsonKey: jsonKey) else { return nil }
    self.init(rawValue: raw)
  }

  public var jsonKey: String { rawValue.jsonKey }
}

extension String: JSONObjectKey {
  public init?(jsonKey: String) { self = jsonKey }

  public var jsonKey: String { self }
}
extension Character: JSONObjectKey {
  public init?(jsonKey: String) {
    guard jsonKey.count == 1, let character = jsonKey.first else { return nil }
    self = character
  }
}
extension Int: JSONObjectKey {}
extension Int8: JSONObjectKey {}
extension Int16: JSONObjectKey {}
extension Int32: JSONObjectKey {}
extension Int64: JSONObjectKey {}
extension Int128: JSONObjectKey {}
extension UInt: JSONObjectKey {}
extension UInt8: JSONObjectKey {}
extension UInt16: JSONObjectKey {}
extension UInt32: JSONObjectKey {}
extension UInt64: JSONObjectKey {}
extension UInt128: JSONObjectKey {}
