// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

package import DecantCore

/// What a decoder was told, as its sessions see it.
package struct Settings: Sendable {
  package var options = DecodingOptions()
  package var keys = DecantDecoder.KeyDecodingStrategy.useDefaultKeys
  package var floats = DecantDecoder.NonConformingFloatDecodingStrategy.throw
  package var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  package var assumesObject = false

  /// Strategies for types that this module does not know, by the type of the strategy: DecantFoundation's
  /// for dates and data.
  package var others: [ObjectIdentifier: any Sendable] = [:]
}

extension DecantDecoder {
  /// How JSON keys become the keys that models ask for. Keys of `[String: …]` are left alone.
  public enum KeyDecodingStrategy: Sendable {
    case useDefaultKeys
    /// `user_name` becomes `userName`; underscores at the ends stay.
    case convertFromSnakeCase
    /// The key for the last one of a path.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// What becomes of strings that stand for infinities and NaN.
  public enum NonConformingFloatDecodingStrategy: Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
}

extension DecantDecoder.KeyDecodingStrategy {
  var isDefault: Bool {
    if case .useDefaultKeys = self { return true }
    return false
  }

  /// `one_two_three` as `oneTwoThree`. Underscores before the first and after the last other character
  /// stay; a key with nothing to join is left alone, whatever its case.
  static func camelCased(_ key: String) -> String {
    guard let first = key.firstIndex(where: { $0 != "_" }),
      let last = key.lastIndex(where: { $0 != "_" })
    else { return key }
    let words = key[first...last].split(separator: "_")
    if words.count == 1 { return key }
    let joined = words[0].lowercased() + words[1...].map(capitalized).joined()
    return key[..<first] + joined + key[key.index(after: last)...]
  }

  /// As Foundation's `capitalized`: every run of letters begins with a capital.
  private static func capitalized(_ word: Substring) -> String {
    var result = ""
    var begins = true
    for character in word {
      result += begins ? character.uppercased() : character.lowercased()
      begins = !(character.isLetter || character.isNumber || character == "'")
    }
    return result
  }
}
