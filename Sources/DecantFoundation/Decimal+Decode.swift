// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import DecantCore
public import Foundation

extension Decimal: JSONDecodable {
  /// A number, exactly: from its digits, never through a Double. One that a Decimal cannot hold (38 digits,
  /// exponents from -128 to 127) is an error. libjansson's numbers have been Doubles before.
  public static func decode(_ json: JSON) -> Decoded<Decimal> {
    switch JSONNumber.decode(json) {
    case .failure(let error): return .failure(error)
    case .success(let number):
      guard let decimal = Decimal(exactly: number) else {
        return .failure(.mismatch(.numberOutOfRange, expected: "a Decimal", in: json))
      }
      return .success(decimal)
    }
  }

  /// The number, or nil if a Decimal cannot hold it exactly.
  public init?(exactly number: JSONNumber) {
    guard let parts = DecimalNumber(number.text) else { return nil }
    if parts.digits.isEmpty {
      self = 0
      return
    }
    guard parts.digits.count <= 38, (-128...127).contains(parts.exponent) else { return nil }
    var significand = Decimal(0)
    for digit in parts.digits { significand = significand * 10 + Decimal(Int(digit)) }
    self = Decimal(
      sign: parts.isNegative ? .minus : .plus, exponent: Int(parts.exponent),
      significand: significand)
    if isNaN { return nil }
  }
}
