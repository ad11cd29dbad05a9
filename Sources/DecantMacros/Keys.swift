// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Keys: how a property's name is spelled in JSON, and literals of Swift.

/// The values of `keys:`: the spelling of keys that no `@JSONField` names.
enum KeyStyle: String {
  case camelCase, snakeCase, kebabCase, pascalCase, screamingSnakeCase

  /// The key of a property.
  ///
  ///     avatarURL     snakeCase avatar_url     kebabCase avatar-url     pascalCase AvatarURL
  func key(for name: String) -> String {
    switch self {
    case .camelCase: name
    case .pascalCase: name.prefix(1).uppercased() + name.dropFirst()
    case .snakeCase: words(of: name).joined(separator: "_")
    case .kebabCase: words(of: name).joined(separator: "-")
    case .screamingSnakeCase: words(of: name).joined(separator: "_").uppercased()
    }
  }

  /// The words of a name in small letters, as JSONEncoder's `convertToSnakeCase` finds them: a capital letter begins a
  /// word, and of several the last one does if a small letter follows.
  private func words(of name: String) -> [String] {
    let letters = Array(name)
    var words: [String] = []
    var word = ""
    for (index, letter) in letters.enumerated() {
      let isCapital = letter.isUppercase
      let followsSmall = index > 0 && !letters[index - 1].isUppercase && letters[index - 1] != "_"
      let beforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
      let followsCapital = index > 0 && letters[index - 1].isUppercase
      if isCapital, !word.isEmpty, followsSmall || (followsCapital && beforeSmall) {
        words.append(word)
        word = ""
      }
      word += letter.lowercased()
    }
    return words + [word]
  }
}

/// The text of a string literal without interpolations and number signs, or nil for anything else.
func text(ofLiteral literal: String) -> String? {
  guard literal.count >= 2, literal.first == "\"", literal.last == "\"",
    !literal.hasPrefix("\"\"\"")
  else {
    return nil
  }
  var text = ""
  var characters = literal.dropFirst().dropLast()[...]
  while let character = characters.popFirst() {
    guard character == "\\" else {
      text.append(character)
      continue
    }
    switch characters.popFirst() {
    case "n": text.append("\n")
    case "t": text.append("\t")
    case "r": text.append("\r")
    case "0": text.append("\0")
    case "u":
      guard characters.popFirst() == "{", let end = characters.firstIndex(of: "}"),
        let number = UInt32(characters[..<end], radix: 16), let scalar = Unicode.Scalar(number)
      else { return nil }
      text.unicodeScalars.append(scalar)
      characters = characters[characters.index(after: end)...]
    case let other? where other == "\\" || other == "\"" || other == "'": text.append(other)
    default: return nil
    }
  }
  return text
}

/// A string literal of Swift with this text.
func literal(_ text: String) -> String {
  var literal = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": literal += "\\\(scalar)"
    case "\n": literal += "\\n"
    case "\r": literal += "\\r"
    case "\t": literal += "\\t"
    case let scalar where scalar.value < 0x20 || scalar.value == 0x7F:
      literal += "\\u{\(String(scalar.value, radix: 16))}"
    default: literal.unicodeScalars.append(scalar)
    }
  }
  return literal + "\""
}

/// The tokens of an RFC 6901 pointer, or nil if this is none.
func tokens(ofPointer pointer: String) -> [String]? {
  if pointer.isEmpty { return [] }
  guard pointer.first == "/" else { return nil }
  var tokens: [String] = []
  for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
    var token = ""
    var rest = part[...]
    while let character = rest.popFirst() {
      guard character == "~" else {
        token.append(character)
        continue
      }
      switch rest.popFirst() {
      case "0": token.append("~")
      case "1": token.append("/")
      default: return nil
      }
    }
    tokens.append(token)
  }
  return tokens
}

/// Whether a token of a pointer is an index of an array (RFC 6901 §4).
func isIndex(_ token: String) -> Bool {
  token == "0"
    || (!token.isEmpty && token.first != "0" && token.utf8.allSatisfy { (48...57).contains($0) })
}
