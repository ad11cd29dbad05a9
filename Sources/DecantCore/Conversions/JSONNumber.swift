// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers that keep their digits. A Double cannot hold every number of a document; this type can.

/// A number as its text, which keeps every digit: `1.50`, `1e2`, `0.10000000000000000001`.
///
/// Two numbers are equal if their texts are equal; `1.5` and `1.50` are not. libjansson keeps no text. With libjansson,
/// the text is the shortest one for the value.
public struct JSONNumber: Hashable, Sendable {
  /// The number by RFC 8259 §6.
  public let text: String

  package init(text: String) { self.text = text }

  /// The number that a text spells, if it is one by RFC 8259 §6 and nothing else.
  ///
  ///     JSONNumber("1.50")         // 1.50
  ///     JSONNumber("01")           // nil, as "+1", ".5", "1.", " 1", "NaN" and ""
  ///
  /// - Complexity: linear in the text.
  public init?(_ text: String) {
    // White space around a number is no part of it.
    guard let number = try? JSONNumber(decoding: text), number.text == text else { return nil }
    self = number
  }
}

extension JSONNumber: JSONDecodable {
  /// A number, as the text of the document.
  public static func decode(_ json: JSON) -> Decoded<JSONNumber> {
    guard json.kind == .number else {
      return .failure(json.failure(.typeMismatch, .number))
    }
    if json.isNonFinite {
      return .failure(json.failure(.invalidValue, expected: "a finite number"))
    }
    return .success(JSONNumber(text: json.numberText))
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension JSONConversion {
  /// A number whose text `parse` understands.
  ///
  /// - Parameter expected: the expected value's name in errors, with its article.
  public static func number(
    _ expected: StaticString, _ parse: @escaping @Sendable (JSONNumber) -> Value?
  ) -> JSONConversion {
    JSONConversion { json in
      guard json.kind == .number else {
        return .failure(json.failure(.typeMismatch, expected: expected))
      }
      guard case .success(let number) = JSONNumber.decode(json), let value = parse(number) else {
        return .failure(json.failure(.invalidValue, expected: expected))
      }
      return .success(value)
    }
  }
}
