// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import DecantCore

extension JSONValue: Encodable {
  /// Encodes the value: with a ``DecantEncoder``, numbers keep their spelling. Other encoders get an integer if the
  /// number is one of 64 bits, and a `Double` otherwise; a number beyond that is an error.
  public func encode(to encoder: any Encoder) throws {
    if let scope = encoder as? Scope {
      try scope.encode(self)
      return
    }
    var container = encoder.singleValueContainer()
    try encode(in: &container)
  }
  private func encode(in container: inout any SingleValueEncodingContainer) throws {
    if let elements = array {
      try container.encode(elements)
    } else if kind == .object {
      // As a value of the container: strategies for keys leave those of dictionaries alone.
      try container.encode(decode([String: JSONValue].self))
    } else if let value = bool {
      try container.encode(value)
    } else if let value = string {
      try container.encode(value)
    } else if let value = try? decode(Int64.self) {
      try container.encode(value)
    } else if let value = try? decode(UInt64.self) {
      try container.encode(value)
    } else if let value = double {
      try container.encode(value)
    } else if kind == .number {
      throw EncodingError.invalidValue(
        self,
        .init(codingPath: container.codingPath, debugDescription: "out of range for a Double"))
    } else {
      try container.encodeNil()
    }
  }
}
