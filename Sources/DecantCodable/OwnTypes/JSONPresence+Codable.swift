// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// JSONPresence in Codable models, by these coders as by Foundation's. The compiler writes a model's `init(from:)` with the
// overloads below, which see whether the key is there: a property of the model needs no code.

public import DecantCore

extension JSONPresence: Decodable where Value: Decodable {
  /// Decodes a value that is present: `null` or another.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
  }
}

extension JSONPresence: Encodable where Value: Encodable {
  /// Encodes the value, or `null` for the other two cases: only a member can be left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a member that may be absent, `null` or present.
  @_alwaysEmitIntoClient
  public func decode<Value: Decodable>(
    _ type: JSONPresence<Value>.Type, forKey key: Key
  ) throws -> JSONPresence<Value> {
    if !contains(key) { return .absent }
    return try decodeNil(forKey: key) ? .null : .value(decode(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Encodes a member, and leaves it out if it is absent.
  @_alwaysEmitIntoClient
  public mutating func encode<Value: Encodable>(
    _ presence: JSONPresence<Value>, forKey key: Key
  ) throws {
    switch presence {
    case .absent: break
    case .null: try encodeNil(forKey: key)
    case .value(let value): try encode(value, forKey: key)
    }
  }
}
