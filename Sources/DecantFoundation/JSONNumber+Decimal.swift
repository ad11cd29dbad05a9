// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A JSONNumber by Foundation's coders: a Decimal, which has more digits than a Double.

internal import DecantCodable
package import DecantCore
internal import Foundation

extension JSONNumber: DecimalNumbers {
  package static func decimal(in container: any SingleValueDecodingContainer) -> String? {
    guard let decimal = try? container.decode(Decimal.self), !decimal.isNaN else { return nil }
    return decimal.description
  }

  package static func encodeDecimal(
    _ text: String, to container: inout any SingleValueEncodingContainer
  ) throws -> Bool {
    guard let parts = DecimalNumber(text), let decimal = Decimal(exactly: parts) else {
      return false
    }
    try container.encode(decimal)
    return true
  }
}
