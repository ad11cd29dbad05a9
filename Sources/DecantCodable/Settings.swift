// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The options of DecantDecoder: the public types of the strategies, and the conversion of keys from snake case.

internal import CDecantIndex
package import DecantCore

/// The options of a decoder, as its contexts use them.
package struct Settings: Sendable {
  package var options = DecodingOptions()
  package var keys = DecantDecoder.KeyDecodingStrategy.useDefaultKeys
  package var floats = DecantDecoder.NonConformingFloatDecodingStrategy.throw
  package var userInfo = UserInfo()
  package var assumesObject = false
  /// Whether errors quote the document's values.
  package var showsValues = false

  /// Strategies for types that this module does not know: DecantFoundation's.
  package var dates: (any Sendable)?
  package var data: (any Sendable)?

  /// The limits as the engines read them, of a document that the decoder reads.
  var rules: decant_rules {
    var rules = options.rules
    if !showsValues { rules.redacts = 1 }
    return rules
  }
}

extension UserInfo {
  /// These values and those of a call, which count instead of those of the coder.
  func adding(_ values: Self) -> Self { merging(values) { _, value in value } }
}

extension DecantDecoder {
  /// How JSON keys become the keys that models ask for. Keys of `[String: …]` are not converted.
  public enum KeyDecodingStrategy: Sendable {
    /// Unchanged.
    case useDefaultKeys
    /// `user_name` becomes `userName`; underscores at both ends stay.
    case convertFromSnakeCase
    /// The function returns the key for the last component of a path.
    @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// The strings that represent infinities and NaN.
  public enum NonConformingFloatDecodingStrategy: Sendable {
    /// None: a string is an error.
    case `throw`
    /// These.
    indirect case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
}

extension DecantDecoder.KeyDecodingStrategy {
  var isDefault: Bool {
    if case .useDefaultKeys = self { return true }
    return false
  }

  /// The conversion of the keys of an object at a path.
  func conversion(below path: @autoclosure () -> [any CodingKey]) -> (String) -> String {
    guard case .custom(let custom) = self else { return Self.camelCased }
    let path = path()
    return { custom(path + [PathKey.name($0)]).stringValue }
  }

  /// `one_two_three` as `oneTwoThree`. Underscores before the first and after the last other character stay. A key
  /// with nothing to join is unchanged, whatever its case.
  static func camelCased(_ key: String) -> String {
    guard let first = key.firstIndex(where: { $0 != "_" }),
      let last = key.lastIndex(where: { $0 != "_" })
    else { return key }
    var joined = ""
    var word = ""
    var hasOneWord = true
    for character in key[first...last] {
      if character != "_" {
        word.append(character)
      } else if !word.isEmpty {
        joined += hasOneWord ? word.lowercased() : capitalized(word)
        word = ""
        hasOneWord = false
      }
    }
    if hasOneWord { return key }
    joined += capitalized(word)
    return String(key[..<first]) + joined + String(key[key.index(after: last)...])
  }

  /// Like Foundation's `capitalized`: the first letter of every run is a capital, the others are small. Apostrophes and
  /// combining marks do not end a run.
  private static func capitalized(_ word: String) -> String {
    var result = ""
    var isInside = false
    for scalar in word.unicodeScalars {
      let properties = scalar.properties
      var mapped = String(scalar)
      switch properties.generalCategory {
      case .uppercaseLetter, .titlecaseLetter:
        if isInside { mapped = properties.lowercaseMapping }
        isInside = true
      case .lowercaseLetter:
        if !isInside { mapped = properties.titlecaseMapping }
        isInside = true
      case .nonspacingMark, .enclosingMark, .format, .modifierLetter, .modifierSymbol: break
      default: if scalar != "'" && scalar != "\u{2019}" { isInside = false }
      }
      result += mapped
    }
    return result
  }
}
