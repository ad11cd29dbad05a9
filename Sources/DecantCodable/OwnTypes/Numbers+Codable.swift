// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers with all their digits in Codable models. These coders read and write their text. Other coders know only Swift's
// types: a number is encoded as the first type below that holds its exact value; if none does, it is an error.
//
//   5, 5.0, 5e0                  Int64, and then UInt64, Int128, UInt128
//   0.1                          Double, whose shortest text is the number
//   0.12345678901234567890123    Decimal, in programs with DecantFoundation

public import DecantCore

/// How coders of Foundation read and write numbers that are neither integers nor Doubles: as a `Decimal`.
package protocol DecimalNumbers {
  /// The number of a container, with as many digits as a `Decimal` has; nil if the decoder has none.
  static func decimal(in container: any SingleValueDecodingContainer) -> String?
  /// Encodes a number if a `Decimal` has its exact value.
  static func encodeDecimal(
    _ text: String, to container: inout any SingleValueEncodingContainer
  ) throws -> Bool
}

extension JSONNumber: Codable {
  /// A number: with a ``DecantDecoder``, its text. Other decoders give only the value: at most 38 digits with
  /// DecantFoundation, and otherwise an integer of 128 bits or a `Double`.
  public init(from decoder: any Decoder) throws {
    if let number = try JSONNumber.view(at: decoder) {
      self = number
    } else {
      self = try JSONNumber(in: decoder.singleValueContainer())
    }
  }

  /// Encodes the number: with a ``DecantEncoder``, its text. Other encoders get the first of Swift's types that holds
  /// the exact value; if none does, the number is an error.
  public func encode(to encoder: any Encoder) throws {
    if let scope = encoder as? Scope { return try scope.encode(self) }
    var container = encoder.singleValueContainer()
    try encode(in: &container)
  }

  private static var decimals: (any DecimalNumbers.Type)? { self as? any DecimalNumbers.Type }

  fileprivate init(in container: any SingleValueDecodingContainer) throws {
    if let text = JSONNumber.decimals?.decimal(in: container) {
      self.init(text: text)
    } else if let value = try? container.decode(Int64.self) {
      self.init(text: "\(value)")
    } else if let value = try? container.decode(UInt64.self) {
      self.init(text: "\(value)")
    } else if let text = JSONNumber.wideInteger(in: container) {
      self.init(text: text)
    } else if let number = JSONNumber("\(try container.decode(Double.self))") {
      self = number
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a finite number")
    }
  }

  fileprivate func encode(in container: inout any SingleValueEncodingContainer) throws {
    guard let parts = DecimalNumber(text) else { return try container.encode(text) }
    if let value = parts.integer(as: Int64.self) { return try container.encode(value) }
    if let value = parts.integer(as: UInt64.self) { return try container.encode(value) }
    if JSONNumber.encodeWide(parts, in: &container) { return }
    if let value = Double(text), DecimalNumber("\(value)")?.equals(parts) == true {
      return try container.encode(value)
    }
    if try JSONNumber.decimals?.encodeDecimal(text, to: &container) == true { return }
    throw EncodingError.invalidValue(
      self,
      .init(
        codingPath: container.codingPath,
        debugDescription: "no type of the encoder has all digits of the number"))
  }

  private static func wideInteger(in container: any SingleValueDecodingContainer) -> String? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    if let value = try? container.decode(Int128.self) { return "\(value)" }
    return (try? container.decode(UInt128.self)).map { "\($0)" }
  }

  /// False if the encoder has no such integers: not every one has.
  private static func encodeWide(
    _ number: DecimalNumber, in container: inout any SingleValueEncodingContainer
  ) -> Bool {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return false }
    if let value = number.integer(as: Int128.self) { return (try? container.encode(value)) != nil }
    guard let value = number.integer(as: UInt128.self) else { return false }
    return (try? container.encode(value)) != nil
  }
}

extension JSONValue: Codable {
  /// The decoder's value. With a ``DecantDecoder``, numbers keep their spelling and members their order; other
  /// decoders lose both.
  public init(from decoder: any Decoder) throws {
    if let value = try JSONValue.view(at: decoder) {
      self = value
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = nil
    } else if let value = try? container.decode(Bool.self) {
      self.init(value)
    } else if let value = try? container.decode(String.self) {
      self.init(value)
    } else if let value = try? JSONNumber(in: container) {
      self.init(value)
    } else if let values = try? container.decode([JSONValue].self) {
      self.init(values)
    } else {
      self.init(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the value: with a ``DecantEncoder``, numbers keep their spelling. Other encoders get them as ``JSONNumber``
  /// encodes them: with their exact value, or as an error.
  public func encode(to encoder: any Encoder) throws {
    if let scope = encoder as? Scope { return try scope.encode(self) }
    var container = encoder.singleValueContainer()
    try encode(in: &container)
  }

  private func encode(in container: inout any SingleValueEncodingContainer) throws {
    if let elements = array {
      try container.encode(elements)
    } else if kind == .object {
      // As a value of the container, because strategies for keys do not apply to dictionaries.
      try container.encode(decode([String: JSONValue].self))
    } else if let value = bool {
      try container.encode(value)
    } else if let value = string {
      try container.encode(value)
    } else if let number = try? decode(JSONNumber.self) {
      try number.encode(in: &container)
    } else if let value = double {
      try container.encode(value)
    } else {
      try container.encodeNil()
    }
  }
}

extension JSONDecodable {
  /// The value at the decoder by its `decode(_:)`, if the decoder is a ``DecantDecoder``'s.
  fileprivate static func view(at decoder: any Decoder) throws -> Self? {
    guard let decoder = decoder as? ValueDecoder else { return nil }
    switch decode(decoder.json) {
    case .success(let value): return value
    case .failure(let error): throw decoder.failure(error, of: Self.self)
    }
  }
}
