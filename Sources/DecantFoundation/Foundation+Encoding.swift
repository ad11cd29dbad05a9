// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Types of Foundation that `JSONEncoder` encodes in its own way instead of by `encode(to:)`.

package import DecantCodable
public import Foundation

extension URL: StrategyEncodable {
  package func encode(by scope: Scope) throws { try scope.encode(absoluteString) }
}

extension UUID: StrategyEncodable {
  package func encode(by scope: Scope) throws { try scope.encode(digits) }
}

extension Decimal: StrategyEncodable {
  /// All digits, not by way of a Double.
  package func encode(by scope: Scope) throws {
    if isNaN { throw scope.failure(of: self, "JSON has no NaN") }
    try scope.encode(verbatim: description)
  }
}
