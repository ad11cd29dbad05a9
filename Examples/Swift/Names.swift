// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Names of properties and types for the keys of a document.

/// Names that are taken, each once.
struct Names {
  private var taken: Set<String> = []

  init(taken: Set<String> = []) { self.taken = taken }

  /// The first of some names that is not taken yet; else the last one with a number.
  mutating func take(_ names: String...) -> String {
    for name in names where taken.insert(name).inserted { return name }
    var number = 2
    while !taken.insert("\(names[names.count - 1])\(number)").inserted { number += 1 }
    return "\(names[names.count - 1])\(number)"
  }
}

/// The words of a key: `in_reply_to`, `in-reply-to`, `In reply to` and `inReplyTo` are `inReplyTo` for a property.
struct KeyWords {
  private let words: [String]

  init(_ key: String) {
    var key = key
    // `+1` and `-1` of a list of reactions.
    for (sign, word) in [("+", "plus"), ("-", "minus")] where key.hasPrefix(sign) {
      key = word + key.dropFirst()
    }
    words = key.unicodeScalars.split { !$0.isPartOfName }.map {
      String(String.UnicodeScalarView($0))
    }
  }

  /// `inReplyTo`
  var property: String {
    guard let first = words.first else { return "unnamed" }
    return begun(KeyWords.lowered(first) + words.dropFirst().map(KeyWords.raised).joined(), "_")
  }

  /// `InReplyTo`
  var type: String {
    guard !words.isEmpty else { return "Unnamed" }
    let name = begun(words.map(KeyWords.raised).joined(), "Type")
    // In scripts without capital letters a property would have the same name.
    return name.first?.isUppercase == true ? name : name + "Type"
  }

  /// A digit begins no name.
  private func begun(_ name: String, _ beginning: String) -> String {
    name.first?.isASCII == true && name.first?.isNumber == true ? beginning + name : name
  }

  private static func raised(_ word: String) -> String {
    let word = word.contains { $0.isLowercase } ? word : word.lowercased()
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  /// `URLString` is `urlString`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }.count
    if capitals == word.count { return word.lowercased() }
    let count = capitals > 1 ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
  }

  /// One of several: `statuses` are each a `status`.
  static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    for (plural, singular) in [
      ("ies", "y"), ("sses", "ss"), ("uses", "us"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"),
    ]
    where lower.hasSuffix(plural) && lower.count > plural.count + 1 && lower != "series"
      && lower != "movies"
    {
      return word.dropLast(plural.count) + singular
    }
    let isPlural =
      lower.hasSuffix("s")
      && !["ss", "us", "is", "news", "series"].contains { lower.hasSuffix($0) }
    return isPlural && word.count > 2 ? String(word.dropLast()) : word
  }
}

extension Unicode.Scalar {
  /// Letters and digits that an identifier of Swift may have, and a few less.
  fileprivate var isPartOfName: Bool {
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0xC0...0x2FF, 0x370...0x167F, 0x1E00...0x1FFF, 0x3040...0xD7FF:
      properties.isAlphabetic && !properties.isDiacritic && properties.numericType == nil
    default: false
    }
  }
}

// MARK: - Keys

/// How `@JSONModel(keys:)` spells keys.
enum KeyStyle: String, CaseIterable {
  case camelCase, snakeCase, kebabCase, pascalCase, screamingSnakeCase

  /// Whether a property has this key, byte by byte.
  func makes(_ key: String, of name: String) -> Bool {
    self.key(for: name).utf8.elementsEqual(key.utf8)
  }

  private func key(for name: String) -> String {
    switch self {
    case .camelCase: name
    case .pascalCase: name.prefix(1).uppercased() + name.dropFirst()
    case .snakeCase: KeyStyle.words(of: name).joined(separator: "_")
    case .kebabCase: KeyStyle.words(of: name).joined(separator: "-")
    case .screamingSnakeCase: KeyStyle.words(of: name).joined(separator: "_").uppercased()
    }
  }

  /// A capital letter begins a word; of several the last one does, if a small letter follows.
  private static func words(of name: String) -> [String] {
    let letters = Array(name)
    var words = [""]
    for (index, letter) in letters.enumerated() {
      let followsCapital = index > 0 && letters[index - 1].isUppercase
      let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
      let followsWord = index > 0 && letters[index - 1] != "_"
      if letter.isUppercase, followsWord, !followsCapital || isBeforeSmall { words.append("") }
      words[words.count - 1] += letter.lowercased()
    }
    return words
  }
}

/// A name as it is declared: words of the language in backticks.
func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

private let keywords: Set<String> = [
  "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
  "deinit", "do", "else",
  "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
  "import", "in", "init",
  "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
  "public", "repeat",
  "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
  "throws", "true", "try",
  "typealias", "var", "where", "while",
]

/// A string literal of Swift; what a reader could not see is escaped.
func literal(_ text: String) -> String {
  var literal = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": literal += "\\\(scalar)"
    case "\n": literal += "\\n"
    case "\r": literal += "\\r"
    case "\t": literal += "\\t"
    case " ": literal += " "
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned,
        .privateUse:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
  }
  return literal + "\""
}
