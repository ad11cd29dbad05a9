// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Swift's lexical structure, as far as a declaration needs it: where tokens begin and end, and which text is not code, but
// inside comments, strings and regular expressions.
//
//   var name: String = "a\("}")b" // {        word word : word = literal
//
// A literal is one token, together with its interpolations. Comments are not tokens.

/// A part of a source text.
struct Token {
  enum Kind {
    /// An identifier, a keyword or a number; also in backticks, and with a dollar sign.
    case word
    /// A string or a regular expression.
    case literal
    /// A run of operator characters, such as `->` and `=`.
    case symbol
    /// One of `( ) [ ] { } , ; : @ #`.
    case mark
  }

  let kind: Kind
  let text: String
  /// Bytes from the beginning of the source.
  let range: Range<Int>
  /// Whether the token is the first of its line.
  let beginsLine: Bool
  /// Whether white space or a comment precedes it, and follows it.
  let isAfterSpace: Bool
  var isBeforeSpace = false

  func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }
  func isWord(_ word: String) -> Bool { kind == .word && text == word }
  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
  var opens: Bool { isMark("(") || isMark("[") || isMark("{") }
  var closes: Bool { isMark(")") || isMark("]") || isMark("}") }
}

/// Takes a source text apart.
struct Lexer {
  private let source: [UInt8]
  private var place = 0
  private var tokens: [Token] = []

  static func tokens(of source: [UInt8]) -> [Token] {
    var lexer = Lexer(source: source)
    lexer.run()
    return lexer.tokens
  }

  /// Whether an expression such as `.value.map { … }` calls a member of this name, outside of all brackets.
  static func calls(_ member: String, in expression: String) -> Bool {
    let tokens = tokens(of: Array(expression.utf8))
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if depth == 0, token.isWord(member), index > 0, tokens[index - 1].isSymbol("."),
        index + 1 < tokens.count, tokens[index + 1].isMark("(") || tokens[index + 1].isMark("{")
      {
        return true
      }
      if token.opens { depth += 1 } else if token.closes { depth -= 1 }
    }
    return false
  }

  private init(source: [UInt8]) { self.source = source }

  private func byte(_ offset: Int = 0) -> UInt8 {
    place + offset < source.count ? source[place + offset] : 0
  }

  private func has(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      place + text.count <= source.count && source[place...].starts(with: text)
    }
  }

  private mutating func run() {
    var beginsLine = true
    var isAfterSpace = true
    while place < source.count {
      let start = place
      switch byte() {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        beginsLine = true
        isAfterSpace = true
        place += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C, 0:
        isAfterSpace = true
        place += 1
      case UInt8(ascii: "/") where has("//"):
        while place < source.count, byte() != UInt8(ascii: "\n"), byte() != UInt8(ascii: "\r") {
          place += 1
        }
        isAfterSpace = true
      case UInt8(ascii: "/") where has("/*"):
        skipComment()
        isAfterSpace = true
      default:
        let kind = takeToken(isAfterSpace)
        if let last = tokens.indices.last { tokens[last].isBeforeSpace = isAfterSpace }
        tokens.append(
          Token(
            kind: kind, text: String(decoding: source[start..<place], as: UTF8.self),
            range: start..<place,
            beginsLine: beginsLine, isAfterSpace: isAfterSpace))
        beginsLine = false
        isAfterSpace = false
      }
    }
    if let last = tokens.indices.last { tokens[last].isBeforeSpace = true }
  }

  /// Comments nest.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if has("/*") {
        depth += 1
        place += 2
      } else if has("*/") {
        depth -= 1
        place += 2
      } else {
        place += 1
      }
    } while depth > 0 && place < source.count
  }

  private mutating func takeToken(_ isAfterSpace: Bool) -> Token.Kind {
    switch byte() {
    case UInt8(ascii: "\""):
      skipString(hashes: 0)
      return .literal
    case UInt8(ascii: "#"):
      var hashes = 0
      while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
      if byte(hashes) == UInt8(ascii: "\"") {
        place += hashes
        skipString(hashes: hashes)
        return .literal
      }
      if byte(hashes) == UInt8(ascii: "/") {
        place += hashes
        skipRegex(hashes: hashes)
        return .literal
      }
      place += 1
      return .mark
    case UInt8(ascii: "/") where beginsRegex(isAfterSpace):
      skipRegex(hashes: 0)
      return .literal
    case UInt8(ascii: "`"):
      place += 1
      while place < source.count, byte() != UInt8(ascii: "`") { place += 1 }
      place += 1
      return .word
    case let byte where isPartOfWord(byte):
      while place < source.count, isPartOfWord(self.byte()) { place += 1 }
      return .word
    case let byte where isOperator(byte):
      while place < source.count, isOperator(self.byte()), !has("//"), !has("/*") { place += 1 }
      return .symbol
    default:
      place += 1
      return .mark
    }
  }

  private func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private func isOperator(_ byte: UInt8) -> Bool {
    "/=-+!*%<>&|^~?.\\".utf8.contains(byte)
  }

  /// Moves after a string, from its quote after `hashes` number signs.
  private mutating func skipString(hashes: Int) {
    let isMultiline = has("\"\"\"")
    let quotes = isMultiline ? 3 : 1
    place += quotes
    while place < source.count {
      if byte() == UInt8(ascii: "\\"), isRepeated(UInt8(ascii: "#"), hashes, from: 1) {
        place += 1 + hashes
        if byte() == UInt8(ascii: "(") { skipInterpolation() } else { place += 1 }
      } else if isRepeated(UInt8(ascii: "\""), quotes, from: 0),
        isRepeated(UInt8(ascii: "#"), hashes, from: quotes)
      {
        place += quotes + hashes
        return
      } else if !isMultiline, byte() == UInt8(ascii: "\n") {
        return
      } else {
        place += 1
      }
    }
  }

  private func isRepeated(_ byte: UInt8, _ count: Int, from offset: Int) -> Bool {
    (0..<count).allSatisfy { self.byte(offset + $0) == byte }
  }

  /// Moves from the parenthesis to its closing one, with the literals in between.
  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      switch byte() {
      case UInt8(ascii: "("):
        depth += 1
        place += 1
      case UInt8(ascii: ")"):
        depth -= 1
        place += 1
      case UInt8(ascii: "/") where has("/*"): skipComment()
      case UInt8(ascii: "\""): skipString(hashes: 0)
      case UInt8(ascii: "#"): _ = takeToken(true)
      default: place += 1
      }
    } while depth > 0 && place < source.count
  }

  /// Whether a slash begins a regular expression (SE-0354): in a prefix position, not before white space, and with an
  /// end on its line.
  private func beginsRegex(_ isAfterSpace: Bool) -> Bool {
    let isPrefix =
      switch tokens.last {
      case nil: true
      case let last?:
        last.opens || last.isMark(",") || last.isMark(":") || last.isMark(";")
          || last.kind == .symbol
      }
    let next = byte(1)
    guard isPrefix, next != UInt8(ascii: " "), next != UInt8(ascii: "\t"),
      next != UInt8(ascii: "\n"), next != 0
    else { return false }
    var offset = 1
    while place + offset < source.count, byte(offset) != UInt8(ascii: "\n") {
      if byte(offset) == UInt8(ascii: "/") { return true }
      offset += byte(offset) == UInt8(ascii: "\\") ? 2 : 1
    }
    return false
  }

  /// Moves after a regular expression, from its slash after `hashes` number signs. With a number sign, it may have lines.
  private mutating func skipRegex(hashes: Int) {
    place += 1
    while place < source.count {
      if byte() == UInt8(ascii: "\\") {
        place += 2
      } else if byte() == UInt8(ascii: "/"), isRepeated(UInt8(ascii: "#"), hashes, from: 1) {
        place += 1 + hashes
        return
      } else {
        place += 1
      }
    }
  }
}
