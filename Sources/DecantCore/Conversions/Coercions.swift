// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Coercions, which decoding never does by itself: a number from a string, a boolean from 0 and 1, an integer from
// `5.0`. A field names the one it wants. All are exact: nothing is rounded or cut off.
//
//   conversion               accepts                     refuses
//   .fromString              "5"                         5, "5 ", "+5", "05", "five"
//   .numberOrString          5, "5"                      as above
//   .integral                5, 5.0, 5e0, 50e-1          5.5, "5"
//   .zeroOrOne               0, 1                        true, 2, "1"
//   .boolOrZeroOrOne         true, false, 0, 1           2, "true"

extension JSONConversion where Value: Numeric & JSONDecodable & SendableMetatype {
  /// A string that holds a JSON number, and nothing else (RFC 8259 §6).
  public static var fromString: JSONConversion { JSONConversion { numberInString($0) } }

  /// A number, or a string that holds one.
  public static var numberOrString: JSONConversion {
    JSONConversion { json in
      switch json.kind {
      case .string: numberInString(json)
      case .number: Value.decode(json)
      default: .failure(json.failure(.typeMismatch, expected: "a number, or one in a string"))
      }
    }
  }
}

extension JSONConversion where Value: FixedWidthInteger & JSONDecodable & SendableMetatype {
  /// An integer, however it is spelled: `5`, `5.0`, `5e0`, `50e-1`.
  public static var integral: JSONConversion {
    JSONConversion { json in
      let direct = Value.decode(json)
      guard direct.error?.code == .notAnInteger, let number = DecimalNumber(json.numberText) else {
        return direct
      }
      guard number.isIntegral else { return direct }
      guard let value = number.integer(as: Value.self) else {
        return .failure(json.outOfRange(Value.self))
      }
      json.noteHere(.coerced)
      return .success(value)
    }
  }
}

extension JSONConversion where Value == Bool {
  /// `0` or `1`.
  public static var zeroOrOne: JSONConversion {
    JSONConversion { json in
      guard let number = json.int, number == 0 || number == 1 else {
        let code: DecodeError.Code = json.kind == .number ? .invalidValue : .typeMismatch
        return .failure(json.failure(code, expected: "0 or 1"))
      }
      json.noteHere(.coerced)
      return .success(number == 1)
    }
  }

  /// `true`, `false`, `0` or `1`.
  public static var boolOrZeroOrOne: JSONConversion { .value.or(.zeroOrOne) }

  /// `"true"` or `"false"`.
  public static var fromString: JSONConversion {
    let words = JSONConversion.string(#""true" or "false""#) {
      $0 == "true" ? true : $0 == "false" ? false : nil
    }
    return JSONConversion { json in
      let result = words.convert(json)
      if case .success = result { json.noteHere(.coerced) }
      return result
    }
  }
}

/// The number inside a string. The text is read as a document of its own, so the same rules hold.
private func numberInString<Value: JSONDecodable>(_ json: JSON) -> Decoded<Value> {
  guard var text = json.seldomString else {
    return .failure(json.failure(.typeMismatch, expected: "a number in a string"))
  }
  // White space is allowed around a document, and not here.
  let isBare = text.withUTF8 {
    unsafe !$0.isEmpty && isNumberByte($0[0]) && isNumberByte($0[$0.count - 1])
  }
  guard isBare else {
    return .failure(json.failure(.invalidValue, expected: "a number in a string"))
  }
  switch Value.decode(from: text) {
  case .success(let value):
    json.noteHere(.coerced)
    return .success(value)
  case .failure(let error):
    let isNumber = error.code == .numberOutOfRange || error.code == .notAnInteger
    return .failure(
      json.failure(
        isNumber ? error.code : .invalidValue,
        expected: isNumber ? error.storage.expected : "a number in a string"))
  }
}
