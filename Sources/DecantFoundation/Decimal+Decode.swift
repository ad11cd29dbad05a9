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
    self.init(exactly: parts)
  }

  init?(exactly parts: DecimalNumber) {
    if parts.digits.isEmpty {
      self = 0
      return
    }
    guard parts.digits.count <= 38, (-128...127).contains(parts.exponent) else { return nil }
    // As many digits at a time as 64 bits hold: a product of Decimals takes a hundred nanoseconds.
    var significand = Decimal(0)
    for start in stride(from: 0, to: parts.digits.count, by: 19) {
      let some = parts.digits[start...].prefix(19)
      if start > 0 { significand *= Decimal(sign: .plus, exponent: some.count, significand: 1) }
      significand += Decimal(some.reduce(UInt64(0)) { $0 * 10 + UInt64($1) })
    }
    self = Decimal(
      sign: parts.isNegative ? .minus : .plus, exponent: Int(parts.exponent),
      significand: significand)
    if isNaN { return nil }
  }
}
