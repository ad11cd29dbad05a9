// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The expansion of @JSONModel for an enum.
//
//   form          declaration                          JSON
//   raw values    enum Meal: String                    "lunch"
//   names         no values but an unknown's String    "lunch"
//   tag           tag: "type"                          {"type":"circle","radius":1}
//   content       tag: "t", content: "c"               {"t":"circle","c":{"radius":1}}
//   untagged      untagged: true                       {"radius":1}
//   key           values, and nothing said             {"circle":{"radius":1}}, as Codable's own
//
// A case with one unlabeled JSONValue, or with a String and a JSONValue, takes all values that no other case takes.

struct EnumExpansion {
  private enum Form { case raw, names, tag, content, untagged, key }

  private let model: Model
  private let settings: Settings
  private let typeName: String
  private let form: Form
  /// The case that takes what no other case takes.
  private var other: Case?
  /// The others, with their names in JSON, or their numbers.
  private var cases: [(tags: [String], item: Case)] = []
  /// Whether tags are numbers.
  private var isNumbered = false

  private static let rawTypes: Set<String> = [
    "String", "Substring", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt",
    "UInt8", "UInt16",
    "UInt32", "UInt64", "UInt128", "Double", "Float",
  ]

  init(_ model: Model, _ settings: Settings, _ typeName: String) throws(Diagnostic) {
    self.model = model
    self.settings = settings
    self.typeName = typeName
    // `other(String)` keeps an unknown name where names are all that there is.
    let withValues = model.cases.filter { !$0.values.isEmpty }
    let keepsNames = settings.tag == nil && !settings.isUntagged && withValues.count == 1
    if let raw = model.inherited.first, Self.rawTypes.contains(raw) {
      form = .raw
      return
    }
    for item in model.cases {
      if Self.isUnknown(item, keepsNames) {
        if other != nil {
          throw Diagnostic(message: "two cases take what no other case takes", offset: item.offset)
        }
        other = item
      } else {
        cases.append((try Self.tags(of: item, settings), item))
      }
    }
    let isSimple = cases.allSatisfy { $0.item.values.isEmpty }
    if settings.isUntagged {
      form = .untagged
    } else if settings.tag != nil {
      form = settings.content == nil ? .tag : .content
    } else if isSimple, other.map({ $0.values.map(\.type) == ["String"] }) ?? true {
      form = .names
    } else {
      form = .key
    }
    try checkNumbers()
    try check()
  }

  private static func isUnknown(_ item: Case, _ keepsNames: Bool) -> Bool {
    guard item.values.allSatisfy({ $0.label == nil }) else { return false }
    let types = item.values.map(\.type)
    return types == ["JSONValue"] || types == ["String", "JSONValue"]
      || types == ["Int", "JSONValue"] || (keepsNames && types == ["String"])
  }

  /// The names of a case. The first one is written.
  static func tags(of item: Case, _ settings: Settings) throws(Diagnostic) -> [String] {
    for attribute in item.attributes where attribute.name == "JSONField" {
      if attribute.unlabeled.contains(where: isNumber) { return attribute.unlabeled }
      let tags = attribute.unlabeled.compactMap(text(ofLiteral:))
      if tags.isEmpty || tags.count < attribute.unlabeled.count {
        throw Diagnostic(
          message: "a case's name in JSON has to be a plain string literal",
          offset: attribute.range.lowerBound)
      }
      return tags
    }
    return [settings.cases.key(for: item.plainName)]
  }

  /// Numbers are tags of all cases, or of none.
  private mutating func checkNumbers() throws(Diagnostic) {
    func numbers(_ item: Case) -> Bool {
      item.attributes.contains { $0.name == "JSONField" && $0.unlabeled.contains(where: isNumber) }
    }
    isNumbered = cases.contains { numbers($0.item) }
    guard isNumbered else { return }
    for (tags, item) in cases where !numbers(item) || !tags.allSatisfy(isNumber) {
      throw Diagnostic(
        message: "'\(item.plainName)' needs a number, as another case has one", offset: item.offset)
    }
    if settings.tag == nil {
      throw Diagnostic(
        message: "a number is a tag: say by which key, as in @JSONModel(tag: \"type\")",
        offset: cases[0].item.offset)
    }
    if let other, other.values.count == 2, other.values[0].type != "Int" {
      throw Diagnostic(message: "the tags are numbers: keep an Int", offset: other.offset)
    }
  }

  /// A tag as Swift spells it.
  private func spelled(_ tag: String) -> String { isNumbered ? tag : literal(tag) }

  private func check() throws(Diagnostic) {
    if let other, !isNumbered, other.values.first?.type == "Int" {
      throw Diagnostic(message: "the tags are names: keep a String", offset: other.offset)
    }
    var tags: Set<[UInt8]> = []
    for (names, item) in cases {
      for name in names where !tags.insert(Array(name.utf8)).inserted {
        throw Diagnostic(message: "two cases are called \(literal(name))", offset: item.offset)
      }
      if item.values.count > 24 {
        throw Diagnostic(message: "a case has at most 24 values", offset: item.offset)
      }
      let unlabeled = item.values.filter { $0.label == nil }
      if form != .key, !unlabeled.isEmpty, item.values.count > 1 {
        throw Diagnostic(
          message: "'\(item.plainName)' has several values: each needs a label, which is its key",
          offset: item.offset)
      }
      if form == .tag, let tag = settings.tag,
        item.values.contains(where: { key(of: $0, 0) == tag })
      {
        throw Diagnostic(
          message: "'\(item.plainName)' has a value with the tag's key", offset: item.offset)
      }
    }
    if form == .untagged, let other, other.values.count > 1 {
      throw Diagnostic(message: "there is no tag that this case could keep", offset: other.offset)
    }
  }

  /// The key of an associated value: Codable calls unlabeled ones by their numbers.
  private func key(of value: Case.Value, _ index: Int) -> String {
    guard let label = value.label else { return "_\(index)" }
    return settings.keys.key(for: label.filter { $0 != "`" })
  }

  // MARK: - Text

  func write(_ text: inout Text, _ conforms: (String) -> Bool) throws(Diagnostic) {
    let access = model.access
    if form == .raw {
      if conforms("JSONDecodable") { text.line("extension \(typeName): Decant.JSONDecodable {}") }
      if conforms("JSONWritable") { text.line("extension \(typeName): Decant.JSONWritable {}") }
      return
    }
    if conforms("JSONDecodable") {
      try text.block(
        "extension \(typeName): Decant.JSONDecodable\(constraint(model, "JSONDecodable"))"
      ) {
        text throws(Diagnostic) in
        try text.block("\(access)static func decode(_ json: Decant.JSON) -> Decant.Decoded<Self>") {
          text throws(Diagnostic) in
          try decoding(&text)
        }
      }
    }
    if conforms("JSONWritable") {
      try text.block(
        "extension \(typeName): Decant.JSONWritable\(constraint(model, "JSONWritable"))"
      ) {
        text throws(Diagnostic) in
        try text.block("\(access)func write(to json: inout Decant.JSONOutput)") {
          text throws(Diagnostic) in
          try writing(&text)
        }
      }
    }
  }

  // MARK: - Decoding

  private func decoding(_ text: inout Text) throws(Diagnostic) {
    switch form {
    case .raw: break
    case .names:
      try tagged(&text, by: "json.decoded(String.self)", at: "[]")
    case .tag, .content:
      let tag = literal(settings.tag ?? "")
      try tagged(
        &text, by: "json.decodeTag(\(tag)\(isNumbered ? ", as: Swift.Int.self" : ""))", at: tag)
    case .key:
      try tagged(&text, by: "json.decodeOnlyKey()", at: "[]")
    case .untagged:
      text.line("var errors = Decant.DecodeErrors()")
      for (number, (_, item)) in cases.enumerated() { alternative(&text, item, number + 1) }
      if let other {
        text.line("return Decant.JSONValue.decode(json).map { .\(other.name)($0) }")
      } else {
        text.line("return .failure(errors.all)")
      }
    }
  }

  private func tagged(_ text: inout Text, by tag: String, at place: String) throws(Diagnostic) {
    try text.block("switch \(tag)") { text throws(Diagnostic) in
      text.line("case .failure(let error): return .failure(error)")
      text.line("case .success(let tag):")
      try text.indented { text throws(Diagnostic) in
        try text.block("switch tag") { text throws(Diagnostic) in
          for (tags, item) in cases {
            text.line("case \(tags.map(spelled).joined(separator: ", ")):")
            try text.indented { text throws(Diagnostic) in one(&text, item) }
          }
          text.line("default:")
          text.indentedLine(unknown(place))
        }
      }
    }
  }

  private func unknown(_ place: String) -> String {
    guard let other else {
      return
        "return .failure(json.unknownCase(at: \(place), of: [\(cases.flatMap(\.tags).map(spelled).joined(separator: ", "))]))"
    }
    switch other.values.map(\.type) {
    case ["String"]: return "return .success(.\(other.name)(tag))"
    case ["JSONValue"]: return "return Decant.JSONValue.decode(json).map { .\(other.name)($0) }"
    default: return "return Decant.JSONValue.decode(json).map { .\(other.name)(tag, $0) }"
    }
  }

  /// The values of a case, or their errors.
  private func one(_ text: inout Text, _ item: Case) {
    if isPart(item) { text.line("var known = Decant.KnownKeys([\(literal(settings.tag ?? ""))])") }
    let made = item.values.isEmpty ? "Decant.Decoded<Self>.success(.\(item.name))" : built(item)
    text.line("return \(made)\(checks(item).map { ".and(\($0))" }.joined())", at: item.offset)
  }

  /// Whether a case's value is read from the object that has the tag.
  private func isPart(_ item: Case) -> Bool {
    form == .tag && item.values.count == 1 && item.values[0].label == nil
  }

  /// The checks for the members of a case's objects.
  private func checks(_ item: Case) -> [String] {
    let keys = item.values.enumerated().map { literal(key(of: $1, $0)) }
    let isAlone = item.values.count == 1 && item.values[0].label == nil
    let closed = settings.isClosed ? ", closed: true" : ""
    func check(_ place: String, _ known: [String]) -> String {
      "json.checkMembers(\(place)known: [\(known.joined(separator: ", "))]\(closed))"
    }
    let tag = literal(settings.tag ?? "")
    let content = literal(settings.content ?? "")
    switch form {
    case .raw, .names: return []
    case .tag where isAlone: return ["json.checkMembers(known: known\(closed))"]
    case .tag: return [check("", [tag] + keys)]
    case .content:
      return [check("", [tag, content])]
        + (isAlone || keys.isEmpty ? [] : [check("at: \(content), ", keys)])
    case .untagged: return isAlone || keys.isEmpty ? [] : [check("", keys)]
    case .key: return [check("at: Decant.JSONKey(tag), ", keys)]
    }
  }

  /// The same, where another case may be next.
  private func alternative(_ text: inout Text, _ item: Case, _ number: Int) {
    if item.values.isEmpty {
      text.line("if json.isNull { return .success(.\(item.name)) }")
      text.line("errors.add(alternative: .mismatch(expected: \"null\", in: json), in: json)")
      return
    }
    let outcome = "\(built(item))\(checks(item).map { ".and(\($0))" }.joined())"
    text.line("let outcome\(number) = \(outcome)", at: item.offset)
    text.line("switch outcome\(number) {")
    text.line("case .success(let value): return .success(value)")
    text.line("case .failure(let error): errors.add(alternative: error, in: json)")
    text.line("}")
  }

  /// `Decant.build(Self.circle(radius:), json.decode("radius"))`. Types are inferred: an extension does not see the types
  /// around a nested one.
  private func built(_ item: Case) -> String {
    let labels = item.values.map { ($0.label ?? "_") + ":" }.joined()
    let parts = item.values.enumerated().map { index, value in part(value, index, of: item) }
    return "Decant.build(Self.\(item.name)(\(labels)), \(parts.joined(separator: ", ")))"
  }

  private func part(_ value: Case.Value, _ index: Int, of item: Case) -> String {
    let isAlone = value.label == nil && item.values.count == 1
    // As they are spelled.
    var path: [String] = []
    if form == .content { path.append(literal(settings.content ?? "")) }
    if form == .key {
      let tags = cases.first { $0.item.name == item.name }?.tags ?? []
      path.append(tags.count == 1 ? literal(tags[0]) : "Decant.JSONKey(tag)")
    }
    if !isAlone || form == .key { path.append(literal(key(of: value, index))) }
    let place = path.count == 1 ? path[0] : "[" + path.joined(separator: ", ") + "]"
    if isPart(item) { return "json.decodePart(&known)" }
    if path.isEmpty { return "json.decoded()" }
    if Field.unwrapped(value.type) != nil { return "json.decodeIfPresent(\(place))" }
    if let fallback = value.fallback { return "json.decode(\(place), default: \(fallback))" }
    return "json.decode(\(place))"
  }

  // MARK: - Writing

  private func writing(_ text: inout Text) throws(Diagnostic) {
    guard !model.cases.isEmpty else {
      text.line("switch self {}")
      return
    }
    try text.block("switch self") { text throws(Diagnostic) in
      for (tags, item) in cases {
        let bindings = item.values.indices.map { "let value\($0)" }.joined(separator: ", ")
        text.line("case .\(item.name)\(item.values.isEmpty ? "" : "(\(bindings))"):")
        try text.indented { text throws(Diagnostic) in try written(&text, tags[0], item) }
      }
      guard let other else { return }
      if other.values.count == 2 {
        text.line("case .\(other.name)(_, let value): json.value(value)")
      } else {
        text.line("case .\(other.name)(let value): json.value(value)")
      }
    }
  }

  private func written(_ text: inout Text, _ tag: String, _ item: Case) throws(Diagnostic) {
    let isAlone = item.values.count == 1 && item.values[0].label == nil
    switch form {
    case .raw: break
    case .names: text.line("json.value(\(literal(tag)))")
    case .tag:
      try text.block("json.object", " object in") { text throws(Diagnostic) in
        text.line("object.field(\(literal(settings.tag ?? "")), \(spelled(tag)))")
        if isAlone {
          text.line("object.members(of: value0)", at: item.offset)
        } else {
          members(&text, item)
        }
      }
    case .content:
      try text.block("json.object", " object in") { text throws(Diagnostic) in
        text.line("object.field(\(literal(settings.tag ?? "")), \(spelled(tag)))")
        if isAlone {
          text.line("object.field(\(literal(settings.content ?? "")), value0)", at: item.offset)
        } else if !item.values.isEmpty {
          try text.block("object.object(\(literal(settings.content ?? "")))", " object in") {
            text throws(Diagnostic) in
            members(&text, item)
          }
        }
      }
    case .untagged:
      if item.values.isEmpty {
        text.line("json.null()")
      } else if isAlone {
        text.line("json.value(value0)", at: item.offset)
      } else {
        try text.block("json.object", " object in") { text throws(Diagnostic) in
          members(&text, item)
        }
      }
    case .key:
      try text.block("json.object", " object in") { text throws(Diagnostic) in
        try text.block(
          "object.object(\(literal(tag)))", item.values.isEmpty ? " _ in" : " object in"
        ) {
          text throws(Diagnostic) in
          members(&text, item)
        }
      }
    }
  }

  private func members(_ text: inout Text, _ item: Case) {
    for (index, value) in item.values.enumerated() {
      let verb = Field.unwrapped(value.type) == nil ? "field" : "fieldIfPresent"
      text.line(
        "object.\(verb)(\(literal(key(of: value, index))), value\(index))", at: item.offset)
    }
  }
}

/// Whether an expression is an integer literal.
func isNumber(_ expression: String) -> Bool {
  Int(expression.filter { $0 != "_" }) != nil
}
