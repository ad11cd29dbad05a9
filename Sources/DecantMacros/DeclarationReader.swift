// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Reads a declaration: its head, its stored properties or cases, and their attributes. It skips everything else: any other
// member ends where the next member begins, at a line that starts with a word or mark that only a declaration starts with.

/// Reads the declaration that a macro is attached to.
struct DeclarationReader {
  private let source: [UInt8]
  private let tokens: [Token]
  private var place = 0
  private var model = Model()

  /// - Throws: what the macro cannot read, and where it is.
  static func model(of source: String) throws(Diagnostic) -> Model {
    var reader = DeclarationReader(Array(source.utf8))
    return try reader.declaration()
  }

  /// The attribute of a macro, such as `@JSONModel(keys: .snakeCase)`.
  static func attribute(_ source: String) -> Attribute? {
    var reader = DeclarationReader(Array(source.utf8))
    return reader.attribute()
  }

  private init(_ source: [UInt8]) {
    self.source = source
    tokens = Lexer.tokens(of: source)
  }

  // MARK: - Tokens

  private var next: Token? { place < tokens.count ? tokens[place] : nil }
  private func isMark(_ mark: String) -> Bool { next?.isMark(mark) ?? false }
  private func isWord(_ word: String) -> Bool { next?.isWord(word) ?? false }
  private var offset: Int { next?.range.lowerBound ?? source.count }

  private func text(_ range: Range<Int>) -> String {
    guard !range.isEmpty else { return "" }
    let bytes = source[
      tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound]
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Moves from a bracket to the place after its closing one.
  private mutating func skipBrackets() {
    var depth = 0
    repeat {
      if next?.opens == true { depth += 1 } else if next?.closes == true { depth -= 1 }
      place += 1
    } while depth > 0 && place < tokens.count
  }

  /// Moves from `<` to the place after its `>`.
  private mutating func skipAngles() {
    var depth = 0
    repeat {
      guard let token = next else { return }
      if token.opens {
        skipBrackets()
        continue
      }
      if token.kind == .symbol, token.text != "->" {
        for character in token.text {
          if character == "<" { depth += 1 } else if character == ">" { depth -= 1 }
        }
      }
      place += 1
    } while depth > 0
  }

  /// The first paragraph of the comment that documents what begins at a token, in one line.
  private func comment(before place: Int) -> String {
    guard place < tokens.count else { return "" }
    let start = place > 0 ? tokens[place - 1].range.upperBound : 0
    let text = String(decoding: source[start..<tokens[place].range.lowerBound], as: UTF8.self)
    var words: [Substring] = []
    var isBlock = false
    var isDone = false
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      var line = line.drop { $0.isWhitespace }
      // A comment after a member on its line does not belong to the next member.
      if number == 0, place > 0 { continue }
      if !isBlock, line.hasPrefix("/**"), !line.hasPrefix("/**/") {
        isBlock = true
        (words, isDone) = ([], false)
        line = line.dropFirst(3)
      } else if isBlock, line.hasPrefix("*"), !line.hasPrefix("*/") {
        line = line.dropFirst()
      } else if !isBlock {
        guard line.hasPrefix("///"), !line.hasPrefix("////") else {
          if !line.isEmpty { (words, isDone) = ([], false) }
          continue
        }
        line = line.dropFirst(3)
      }
      let ends = isBlock ? line.firstRange(of: "*/")?.lowerBound : nil
      if let ends { line = line[..<ends] }
      let found = line.split { $0.isWhitespace }
      if found.isEmpty { isDone = isDone || !words.isEmpty } else if !isDone { words += found }
      if ends != nil { isBlock = false }
    }
    return words.joined(separator: " ")
  }

  // MARK: - Heads

  private mutating func declaration() throws(Diagnostic) -> Model {
    var isFinal = false
    model.comment = comment(before: place)
    while let token = next {
      if isMark("@") {
        if let attribute = attribute() { model.attributes.append(attribute) }
        continue
      }
      place += 1
      switch token.text {
      case "public", "open": model.access = "public "
      case "package": model.access = "package "
      case "private", "fileprivate": model.isPrivate = true
      case "final": isFinal = true
      case "struct": return try body(.structure)
      case "enum": return try body(.enumeration)
      case "class":
        if isFinal { return try body(.finalClass) }
        let fix = (
          message: "insert 'final '", range: token.range.lowerBound..<token.range.lowerBound,
          text: "final "
        )
        throw Diagnostic(
          message:
            "a class has to be final: a subclass would have members that this model does not know",
          offset: token.range.lowerBound, fix: fix)
      case "actor", "protocol", "extension", "func", "var", "let", "typealias":
        throw Diagnostic(
          message: "only a struct, an enum or a final class can be a model",
          offset: token.range.lowerBound)
      default: break
      }
    }
    throw Diagnostic(message: "only a struct, an enum or a final class can be a model", offset: 0)
  }

  private mutating func body(_ kind: Model.Kind) throws(Diagnostic) -> Model {
    model.kind = kind
    if let token = next {
      model.name = token.text
      model.offset = token.range.lowerBound
    }
    place += 1
    if next?.kind == .symbol, next?.text.first == "<" {
      let start = place
      skipAngles()
      model.parameters = parameters(start..<place)
    }
    if isMark(":") {
      place += 1
      var start = place
      while let token = next, !token.isMark("{"), !token.isWord("where") {
        if token.isMark(",") {
          model.inherited.append(text(start..<place))
          start = place + 1
        }
        place += 1
      }
      model.inherited.append(text(start..<place))
    }
    while let token = next, !token.isMark("{") {
      _ = token
      place += 1
    }
    place += 1
    model.members = try members()
    return model
  }

  /// `<Key: Hashable, each Value>` has `Key` and `Value`.
  private func parameters(_ range: Range<Int>) -> [String] {
    var names: [String] = []
    var depth = 0
    var isName = false
    for token in tokens[range] {
      if token.kind == .symbol {
        for character in token.text {
          if character == "<" { depth += 1 } else if character == ">" { depth -= 1 }
        }
        if depth == 1, token.text == "<" { isName = true }
      } else if token.isMark(",") {
        isName = depth == 1
      } else if isName, token.kind == .word, token.text != "each", token.text != "let" {
        names.append(token.text)
        isName = false
      }
    }
    return names
  }

  // MARK: - Members

  private static let declarators: Set<String> = [
    "let", "var", "func", "init", "deinit", "subscript", "struct", "enum", "class", "actor",
    "protocol", "extension",
    "typealias", "associatedtype", "case", "import", "operator", "precedencegroup", "macro",
  ]

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "static", "final", "lazy",
    "weak", "unowned",
    "nonisolated", "mutating", "nonmutating", "override", "required", "convenience", "indirect",
    "dynamic", "optional",
    "prefix", "postfix", "infix", "borrowing", "consuming", "distributed", "isolated", "sending",
  ]

  /// Whether a member begins here. After an expression that could continue, it does not.
  private func beginsMember(at place: Int) -> Bool {
    guard place < tokens.count else { return true }
    let token = tokens[place]
    if token.closes { return true }
    guard token.beginsLine || (place > 0 && tokens[place - 1].isMark(";")) else { return false }
    if token.isMark("@") || (token.isMark("#") && isDirective(at: place)) { return true }
    if token.kind != .word || token.text.hasPrefix("`") { return false }
    if Self.declarators.contains(token.text) { return true }
    guard Self.modifiers.contains(token.text), place + 1 < tokens.count else { return false }
    // Another word follows a modifier, or a parenthesis as in `private(set) var`.
    let next = tokens[place + 1]
    return (next.kind == .word && !next.beginsLine) || next.isMark("(") || next.isMark("@")
      || (next.kind == .word && Self.declarators.contains(next.text))
  }

  private func isDirective(at place: Int) -> Bool {
    guard place + 1 < tokens.count, !tokens[place + 1].isAfterSpace else { return false }
    return ["if", "elseif", "else", "endif", "sourceLocation", "warning", "error"].contains(
      tokens[place + 1].text)
  }

  /// The members up to the brace that closes the body, or a directive that ends this part of it.
  private mutating func members() throws(Diagnostic) -> [Model.Member] {
    var members: [Model.Member] = []
    while let token = next, !token.isMark("}") {
      if token.isMark("#"), isDirective(at: place) {
        switch tokens[place + 1].text {
        case "if": members.append(try conditional())
        case "elseif", "else", "endif": return members
        default: skipLine()
        }
        continue
      }
      members += try member().map { .property($0) }
    }
    return members
  }

  /// The tokens up to the next line.
  private mutating func skipLine() {
    place += 1
    while let token = next, !token.beginsLine { _ = token; place += 1 }
  }

  private mutating func conditional() throws(Diagnostic) -> Model.Member {
    var parts: [(directive: String, members: [Model.Member])] = []
    while isMark("#"), isDirective(at: place) {
      let start = place
      let word = tokens[place + 1].text
      skipLine()
      if word == "endif" { break }
      let directive = text(start..<place)
      parts.append((directive, try self.members()))
    }
    return .conditional(parts)
  }

  /// One member: the stored properties it declares, or none.
  private mutating func member() throws(Diagnostic) -> [Property] {
    let start = place
    var attributes: [Attribute] = []
    var isStored = true
    while let token = next {
      if token.isMark("@") {
        if let attribute = attribute() { attributes.append(attribute) }
        continue
      }
      if token.isMark(";") {
        place += 1
        return []
      }
      guard token.kind == .word else { break }
      switch token.text {
      case "let", "var":
        place += 1
        if isWord("class") || isWord("func") { continue }
        return try bindings(isLet: token.text == "let", isStored, attributes).map {
          var property = $0
          property.start = tokens[start].range.lowerBound
          property.comment = comment(before: start)
          return property
        }
      case "case" where model.kind == .enumeration:
        place += 1
        try cases(attributes)
        return []
      case "static", "lazy": isStored = false
      case "class":
        // `class var` and `class func` are members of the type; else it is a class.
        if let behind = place + 1 < tokens.count ? tokens[place + 1] : nil,
          behind.isWord("var") || behind.isWord("func") || behind.isWord("subscript")
        {
          isStored = false
        } else {
          skipMember()
          return []
        }
      case "func":
        if place + 1 < tokens.count, tokens[place + 1].isWord("validate"), isStored,
          place + 3 < tokens.count, tokens[place + 2].isMark("("), tokens[place + 3].isMark(")")
        {
          model.validates = true
        }
        skipMember()
        return []
      case "init":
        model.hasMemberwise = false
        skipMember()
        return []
      case let word where Self.modifiers.contains(word): break
      default:
        skipMember()
        return []
      }
      place += 1
      if isMark("("), !(next?.beginsLine ?? true) { skipBrackets() }
    }
    skipMember()
    return []
  }

  /// Moves to the beginning of the next member.
  private mutating func skipMember() {
    repeat {
      if next?.opens == true { skipBrackets() } else { place += 1 }
    } while place < tokens.count && !isMark("}") && !isMark(";") && !beginsMember(at: place)
  }

  /// Reads the bindings after `let` or `var`.
  private mutating func bindings(
    isLet: Bool, _ isStored: Bool, _ attributes: [Attribute]
  ) throws(Diagnostic) -> [Property] {
    var properties: [Property] = []
    while let token = next {
      if token.isMark("(") {
        properties += try tuple(isLet: isLet, isStored, attributes)
      } else {
        var property = Property(
          name: token.text, isLet: isLet, attributes: attributes, offset: token.range.lowerBound)
        place += 1
        property.type = type()
        property.isComputed = value(&property.value)
        if !property.isComputed || attributes.contains(where: { $0.name == "CField" }) {
          properties.append(property)
        }
      }
      guard isMark(",") else { break }
      place += 1
    }
    // `let a, b: Int`: the type is that of all before it that have none.
    var type: String?
    for index in properties.indices.reversed() {
      if let own = properties[index].type {
        type = own
      } else if !properties[index].hasValue {
        properties[index].type = type
      } else {
        type = nil
      }
    }
    if isMark(";") { place += 1 }
    return isStored ? properties : []
  }

  /// `var (x, y) = (1, 2)`: names without types.
  private mutating func tuple(
    isLet: Bool, _ isStored: Bool, _ attributes: [Attribute]
  ) throws(Diagnostic) -> [Property] {
    let start = place
    skipBrackets()
    let names = tokens[start..<place].filter { $0.kind == .word && $0.text != "_" }
    var value: String?
    let isTyped = type() != nil
    _ = self.value(&value)
    if isStored { model.hasMemberwise = false }
    if isStored, isTyped || isLet || value == nil,
      !attributes.contains(where: { $0.name == "JSONIgnored" })
    {
      throw Diagnostic(
        message: "properties of one pattern have no types of their own: declare them one by one",
        offset: tokens[start].range.lowerBound)
    }
    return names.map {
      Property(
        name: $0.text, value: value, isLet: isLet, attributes: attributes,
        offset: $0.range.lowerBound)
    }
  }

  /// `: Type`, or nil.
  private mutating func type() -> String? {
    guard isMark(":") else { return nil }
    place += 1
    let start = place
    while let token = next {
      if token.isMark("{") || token.isMark(",") || token.isMark(";") || token.closes
        || token.isSymbol("=")
      {
        break
      }
      if place > start, beginsMember(at: place) {
        // An attribute of the type, such as `@Sendable`, may have its own line only after a colon.
        break
      }
      if token.kind == .symbol, token.text.first == "<" {
        skipAngles()
        // `[Int]>=`: the lexer keeps operators together, so an equal sign may follow an angle bracket.
        if place > 0, tokens[place - 1].text.hasSuffix("=") { break }
      } else if token.opens {
        skipBrackets()
      } else {
        place += 1
      }
    }
    var text = text(start..<place)
    if text.hasSuffix("=") { text.removeLast() }
    return text.isEmpty ? nil : trimmed(text)
  }

  private func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// `= value` and `{ accessors }`. Returns whether the property is computed.
  private mutating func value(_ value: inout String?) -> Bool {
    let isEqual =
      place > 0 && tokens[place - 1].kind == .symbol && tokens[place - 1].text.hasSuffix(">=")
    if next?.isSymbol("=") == true || isEqual {
      if !isEqual { place += 1 }
      let start = place
      while let token = next {
        if token.isMark(",") || token.isMark(";") || token.closes { break }
        if place > start, beginsMember(at: place), !goesOn(at: place) { break }
        if token.isMark("{"), place > start, beginsAccessors { break }
        if token.opens {
          skipBrackets()
        } else if token.kind == .symbol, token.text == "<", !token.isAfterSpace {
          // `[String: Int]()` needs nothing; `Box<Int, Int>()` has a comma of its own.
          let before = place
          skipAngles()
          if place >= tokens.count { place = before + 1 }
        } else {
          place += 1
        }
      }
      value = text(start..<place)
    }
    guard isMark("{") else { return false }
    let isObserved = beginsAccessors
    skipBrackets()
    return !isObserved
  }

  /// Whether the expression continues at a line that could begin a member: the line before ends with an operator.
  private func goesOn(at place: Int) -> Bool {
    guard place > 0 else { return false }
    let last = tokens[place - 1]
    return last.kind == .symbol && (last.text == "=" || (last.isAfterSpace && last.isBeforeSpace))
  }

  /// Whether the braces here are observers: `willSet` and `didSet` make no property computed.
  private var beginsAccessors: Bool {
    var place = place + 1
    while place < tokens.count, tokens[place].isMark("@") { place += 2 }
    return place < tokens.count
      && (tokens[place].isWord("didSet") || tokens[place].isWord("willSet"))
  }

  // MARK: - Cases

  /// Reads the cases after `case`.
  private mutating func cases(_ attributes: [Attribute]) throws(Diagnostic) {
    while let token = next, token.kind == .word {
      var found = Case(name: token.text, attributes: attributes, offset: token.range.lowerBound)
      place += 1
      if isMark("("), !(next?.beginsLine ?? true) {
        let start = place
        skipBrackets()
        for part in parts(start + 1..<place - 1) {
          guard let equal = tokens[part.range].firstIndex(where: { $0.isSymbol("=") }) else {
            found.values.append(Case.Value(label: part.label, type: text(part.range)))
            continue
          }
          found.values.append(
            Case.Value(
              label: part.label, type: text(part.range.lowerBound..<equal),
              fallback: text(equal + 1..<part.range.upperBound)))
        }
      }
      if next?.isSymbol("=") == true {
        place += 2
        // A negative number is two tokens.
        if place > 0, tokens[place - 1].kind == .symbol { place += 1 }
      }
      model.cases.append(found)
      guard isMark(",") else { break }
      place += 1
    }
  }

  // MARK: - Attributes

  /// `@Name(…)`, or nil if this is none.
  private mutating func attribute() -> Attribute? {
    guard isMark("@") else { return nil }
    let start = place
    place += 1
    var name = ""
    while let token = next, token.kind == .word || token.isSymbol(".") {
      if token.beginsLine, place > start + 1 { break }
      if token.kind == .word, let last = name.last, last != "." { break }
      name += token.text
      place += 1
    }
    // `@Module.Name` is `Name`.
    var attribute = Attribute(
      name: String(name.split(separator: ".").last ?? ""),
      range: tokens[start].range.lowerBound..<offset)
    if next?.kind == .symbol, next?.text.first == "<", next?.isAfterSpace == false { skipAngles() }
    if isMark("("), next?.isAfterSpace == false {
      let open = place
      skipBrackets()
      attribute.arguments = parts(open + 1..<place - 1).map {
        let bytes =
          tokens[$0.range.lowerBound].range
          .lowerBound..<tokens[$0.range.upperBound - 1].range.upperBound
        return ($0.label, text($0.range), bytes)
      }
    }
    let end = place > start ? tokens[place - 1].range.upperBound : offset
    attribute.range = tokens[start].range.lowerBound..<end
    return attribute
  }

  /// The parts between commas, with their labels.
  private func parts(_ range: Range<Int>) -> [(label: String?, range: Range<Int>)] {
    var parts: [(String?, Range<Int>)] = []
    var start = range.lowerBound
    var depth = 0
    func add(_ end: Int) {
      guard start < end else { return }
      // `label: value`, and `first second: Type` of a case.
      if let colon = (start..<min(end, start + 3)).first(where: { tokens[$0].isMark(":") }),
        colon > start,
        tokens[start..<colon].allSatisfy({ $0.kind == .word })
      {
        let label = tokens[start].text
        parts.append((label == "_" ? nil : label, colon + 1..<end))
      } else {
        parts.append((nil, start..<end))
      }
    }
    for index in range {
      let token = tokens[index]
      if token.opens { depth += 1 } else if token.closes { depth -= 1 }
      if token.kind == .symbol, token.text != "->", !token.isAfterSpace || !token.isBeforeSpace {
        for character in token.text {
          if character == "<" { depth += 1 } else if character == ">" { depth = max(0, depth - 1) }
        }
      }
      if depth == 0, token.isMark(",") {
        add(index)
        start = index + 1
      }
    }
    add(range.upperBound)
    return parts
  }
}
