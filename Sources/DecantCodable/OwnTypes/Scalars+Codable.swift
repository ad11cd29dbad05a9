// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Instants and open enums in Codable models. With these coders they read and write themselves; other coders
// decode and encode the string or the raw value.

public import DecantCore

extension JSONTimestamp: Codable {
  /// A string by RFC 3339, by any decoder. Its strategy for dates does not reach it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let timestamp = JSONTimestamp(rfc3339: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a date and time by RFC 3339")
    }
    self = timestamp
  }

  /// Its text by RFC 3339. Years beyond 0 to 9999 are an error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let text = rfc3339 else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: container.codingPath,
          debugDescription: "RFC 3339 has the years 0 to 9999 alone"))
    }
    try container.encode(text)
  }
}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
  /// The case of the raw value, or the raw value itself, by any decoder.
  public init(from decoder: any Decoder) throws {
    let raw = try decoder.singleValueContainer().decode(Known.RawValue.self)
    self = Known(rawValue: raw).map { .known($0) } ?? .unknown(raw)
  }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
  /// The raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
