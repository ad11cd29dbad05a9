// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The options of DecantEncoder: the public types of the format and the strategies, and the conversion of keys to snake
// case.

internal import DecantCore

/// The options of an encoder, as its sessions use them.
package struct EncodingSettings: Sendable {
  package var format: DecantEncoder.OutputFormatting = []
  package var keys = DecantEncoder.KeyEncodingStrategy.useDefaultKeys
  package var floats = DecantEncoder.NonConformingFloatEncodingStrategy.throw
  package var userInfo = UserInfo()
  package var maximumDepth = 512
  /// Strategies for types that this module does not know: DecantFoundation's.
  package var dates: (any Sendable)?
  package var data: (any Sendable)?

  var options: JSONWritingOptions {
    var options = JSONWritingOptions(
      isPretty: format.contains(.prettyPrinted), sortsKeys: format.contains(.sortedKeys),
      escapesSlashes: !format.contains(.withoutEscapingSlashes), maximumDepth: maximumDepth)
    options.isSpacious = options.isPretty
    return options
  }
}

extension DecantEncoder {
  /// How the text is laid out.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The bits of the formats.
    public let rawValue: UInt

    /// The formats with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Each member and element on its own line, indented by two spaces, with spaces around colons.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Members in the order of their keys' UTF-8 bytes, instead of the order in which they are encoded.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    /// `/` unescaped, instead of `\/`.
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }

  /// How the keys of models become JSON keys. Keys of `[String: …]` are not converted.
  public enum KeyEncodingStrategy: Sendable {
    case useDefaultKeys
    /// `userName` becomes `user_name`, and `myURLProperty` becomes `my_url_property`.
    case convertToSnakeCase
    /// The key for the last one of a path.
    @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// How infinities and NaN are encoded.
  public enum NonConformingFloatEncodingStrategy: Sendable {
    case `throw`
    indirect case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
}

extension DecantEncoder.NonConformingFloatEncodingStrategy {
  var isThrow: Bool {
    if case .throw = self { return true }
    return false
  }

  /// The text for a number that is not finite, or nil if there is none.
  func text(for value: some BinaryFloatingPoint) -> String? {
    guard case .convertToString(let positive, let negative, let nan) = self else { return nil }
    return value.isNaN ? nan : value < 0 ? negative : positive
  }
}

extension DecantEncoder.KeyEncodingStrategy {
  /// `oneTwoThree` as `one_two_three`.
  ///
  /// A word begins at a capital. Of a run of capitals and what follows, up to a small letter, the last
  /// character begins the next word.
  ///
  ///     myURLProperty     my URL Property        my_url_property
  ///     a1B               a1 B                   a1_b
  static func snakeCased(_ key: String) -> String {
    let characters = Array(key)
    var snake = ""
    func add(_ word: Range<Int>) {
      if !snake.isEmpty { snake += "_" }
      snake += String(characters[word]).lowercased()
    }
    var start = 0
    var place = 1
    while let capital = characters.letter(from: place, isSmall: false) {
      add(start..<capital)
      start = capital
      guard let small = characters.letter(from: capital, isSmall: true) else { break }
      if small > capital + 1 {
        add(capital..<small - 1)
        start = small - 1
      }
      place = small + 1
    }
    add(start..<characters.count)
    return snake
  }
}

extension [Character] {
  /// The place of the first small letter, or of the first capital, from a place on.
  @inline(never)
  fileprivate func letter(from place: Int, isSmall: Bool) -> Int? {
    for place in Swift.min(place, count)..<count {
      var scalars = self[place].unicodeScalars.makeIterator()
      switch scalars.next()?.properties.generalCategory {
      case .uppercaseLetter, .titlecaseLetter: if !isSmall { return place }
      case .lowercaseLetter: if isSmall { return place }
      default: break
      }
    }
    return nil
  }
}
