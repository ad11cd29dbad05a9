// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Decimal as a value: exact, from the digits of a number.

public import DecantCore
public import Foundation

extension Decimal: JSONDecodable {
  /// A number, exactly: from its digits, never through a Double. A number that a Decimal cannot hold (digits of 128
  /// bits, exponents from -128 to 127) is an error. libjansson has already rounded its numbers to Doubles.
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
    let count = parts.digits.count
    guard (-128...127).contains(parts.exponent),
      count < 39 || (count == 39 && parts.digits.map { "\($0)" }.joined() <= largestSignificand)
    else { return nil }
    // Takes as many digits at a time as 64 bits hold, because a sum of Decimals takes half a microsecond.
    var significand = Decimal(0)
    for start in stride(from: 0, to: count, by: 19) {
      let some = parts.digits[start...].prefix(19)
      let number = Decimal(some.reduce(UInt64(0)) { $0 * 10 + UInt64($1) })
      significand =
        start == 0
        ? number : Decimal(sign: .plus, exponent: some.count, significand: significand) + number
    }
    self = Decimal(
      sign: parts.isNegative ? .minus : .plus, exponent: Int(parts.exponent),
      significand: significand)
    if isNaN { return nil }
  }
}

/// Of 128 bits.
private let largestSignificand = "340282366920938463463374607431768211455"

package func linkedByDecimalDecode() -> Linked { linked() }
