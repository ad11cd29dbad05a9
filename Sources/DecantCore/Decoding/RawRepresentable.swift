// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Enums with raw values, and the types that can be keys of an object.

extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
  /// The case with this raw value; the error for an unknown value names it.
  @_alwaysEmitIntoClient
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
  /// The case with this raw value; the error for an unknown value lists the known ones.
  @_alwaysEmitIntoClient
  public static func decode(_ json: JSON) -> Decoded<Self> {
    switch RawValue.decode(json) {
    case .success(let raw):
      guard let value = Self(rawValue: raw) else {
        return .failure(noCase(json))
      }
      return .success(value)
    case .failure(let error): return .failure(error)
    }
  }

  @usableFromInline @inline(never)
  static func noCase(_ json: JSON) -> DecodeError {
    .notOne(of: allCases.map { text(of: $0.rawValue) }, in: json)
  }
}

private func text<Raw>(of raw: Raw) -> String {
  if let text = raw as? String { return quoted(text) }
  return excerpt("\(raw)")
}

/// A type that can be the key of a decoded dictionary.
///
/// Strings, integers and string enums are such types. A type that is `LosslessStringConvertible`,
/// or raw representable by a key, conforms without code.
public protocol JSONObjectKey: Hashable {
  init?(jsonKey: String)

  /// The member's key from which this key is made, and as which it is written.
  var jsonKey: String { get }
}

extension JSONObjectKey where Self: LosslessStringConvertible {
  /// The value that the key spells, or nil.
  @_alwaysEmitIntoClient
  public init?(jsonKey: String) { self.init(jsonKey) }

  /// The key that spells this value.
  public var jsonKey: String { description }
}

extension JSONObjectKey where Self: FixedWidthInteger {
  /// The integer that the key spells in decimal digits, with an optional sign.
  public init?(jsonKey: String) {
    // One parser for all widths: the standard library's is compiled once for each.
    guard let value = decimal(jsonKey, Self.isSigned, Self.bitWidth) else { return nil }
    self.init(value)
  }
}

/// The integer that a text spells, if the type of so many bits has it; of wider types, if 128 bits do.
@usableFromInline @inline(never)
func decimal(
  _ text: String, _ isSigned: Bool, _ bits: Int
) -> (isNegative: Bool, magnitude: WideMagnitude)? {
  var digits = SeldomBytes(text)
  var next = digits.next()
  let isNegative = next == UInt8(ascii: "-")
  if isNegative || next == UInt8(ascii: "+") { next = digits.next() }
  if next == nil { return nil }
  var magnitude = WideMagnitude()
  while let digit = next {
    guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9"),
      magnitude.append(UInt64(digit &- UInt8(ascii: "0")), below: 10)
    else { return nil }
    next = digits.next()
  }
  return magnitude.fits(isNegative, isSigned: isSigned, bits: bits) ? (isNegative, magnitude) : nil
}

extension JSONObjectKey where Self: RawRepresentable, RawValue: JSONObjectKey {
  /// The value that the key spells, or nil.
  @_alwaysEmitIntoClient
  public init?(jsonKey: String) {
    guard let raw = RawValue(jsonKey: jsonKey) else { return nil }
    self.init(rawValue: raw)
  }

  /// The key that spells this value.
  public var jsonKey: String { rawValue.jsonKey }
}

extension String: JSONObjectKey {}
extension Character: JSONObjectKey {
  /// The one character of the key, or nil: the standard library's own conversion traps on several.
  public init?(jsonKey: String) {
    guard jsonKey.count == 1, let character = jsonKey.first else { return nil }
    self = character
  }
}
