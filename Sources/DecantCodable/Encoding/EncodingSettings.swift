// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

internal import DecantCore

/// What an encoder was told, as its sessions see it.
@safe
package final class EncodingSettings: CoderSettings, @unchecked Sendable {
  // SAFETY: changed only before another thread has the object.
  @exclusivity(unchecked) @safe package var format: DecantEncoder.OutputFormatting = []
  @exclusivity(unchecked) @safe package var keys = DecantEncoder.KeyEncodingStrategy.useDefaultKeys
  @exclusivity(unchecked) @safe package var floats = DecantEncoder
    .NonConformingFloatEncodingStrategy.throw
  @exclusivity(unchecked) @safe package var userInfo = UserInfo()
  @exclusivity(unchecked) @safe package var maximumDepth = 512
  /// Strategies for types that this module does not know: DecantFoundation's.
  @exclusivity(unchecked) @safe package var dates: (any Sendable)?
  @exclusivity(unchecked) @safe package var data: (any Sendable)?

  init() {}

  @inline(never)
  package func copy() -> EncodingSettings {
    let copy = EncodingSettings()
    copy.format = format
    copy.keys = keys
    copy.floats = floats
    copy.userInfo = userInfo
    copy.maximumDepth = maximumDepth
    copy.dates = dates
    copy.data = data
    return copy
  }

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

    /// A member or element a line, indented by two spaces, with spaces around colons.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Members in the order of their keys' UTF-8 bytes, instead of the order in which they are encoded.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    /// `/` as it is, instead of `\/`.
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }

  /// How the keys of models become JSON keys. Keys of `[String: …]` are left alone.
  public enum KeyEncodingStrategy: Sendable {
    case useDefaultKeys
    /// `userName` becomes `user_name`, and `myURLProperty` becomes `my_url_property`.
    case convertToSnakeCase
    /// The key for the last one of a path.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }

  /// What becomes of infinities and NaN.
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

  /// What stands for a number that is not finite, or nil if nothing does.
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
  @_optimize(none)
  static func snakeCased(_ key: String) -> String {
    let characters = Array(key)
    var words: [Range<Int>] = []
    var start = 0
    var place = 1
    while let capital = characters.first(from: place, { $0.isUppercaseLetter }) {
      words.append(start..<capital)
      start = capital
      guard let small = characters.first(from: capital, { $0.isLowercaseLetter }) else { break }
      if small > capital + 1 {
        words.append(capital..<small - 1)
        start = small - 1
      }
      place = small + 1
    }
    if words.isEmpty { return key.lowercased() }
    words.append(start..<characters.count)
    return words.map { String(characters[$0]).lowercased() }.joined(separator: "_")
  }
}

extension [Character] {
  @_optimize(none)
  fileprivate func first(from place: Int, _ isWanted: (Character) -> Bool) -> Int? {
    place < count ? self[place...].firstIndex(where: isWanted) : nil
  }
}

extension Character {
  fileprivate var isUppercaseLetter: Bool { isIn(.uppercaseLetter) || isIn(.titlecaseLetter) }

  fileprivate var isLowercaseLetter: Bool { isIn(.lowercaseLetter) }

  @_optimize(none)
  private func isIn(_ category: Unicode.GeneralCategory) -> Bool {
    unicodeScalars.first?.properties.generalCategory == category
  }
}
