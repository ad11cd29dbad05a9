// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The expansion of @JSONModel for a struct or a final class: a throwing initializer, and `write(to:)`.
//
//   init(json: Decant.JSON) throws(Decant.DecodeError) {
//     var errors = Decant.DecodeErrors()
//     let id = errors.part(json.decode("id"), of: { (it: Self) in it.id })
//     let email = errors.part(json.decodeIfPresent("email"), of: { (it: Self) in it.email })
//     errors.add(json.checkMembers(known: ["id", "email"]))
//     guard let id, let email, errors.isEmpty else { throw errors.all }
//     self.init(id: id, email: email)
//   }
//
// Each value is decoded once, whatever fails. The memberwise initializer makes the model in one piece; properties that are
// set one by one would be copied at the end. Without a memberwise initializer, they are set one by one. The expansion does
// not repeat the types of the declaration, because an extension does not see the types around a nested one. The property
// itself determines the type that is decoded.

struct StructExpansion {
  /// A field or those of a condition of compilation.
  private indirect enum Item {
    case field(Field)
    case conditional([(directive: String, items: [Item])])
  }

  private let model: Model
  private let settings: Settings
  private var items: [Item] = []
  private var count = 0
  private var rest: Property?
  private var isFlat = false
  private var isConditional = false
  /// The names of all properties, which no local of the expansion may have.
  private var names: Set<String> = []

  init(_ model: Model, _ settings: Settings) throws(Diagnostic) {
    self.model = model
    self.settings = settings
    items = try self.items(model.members)
    try checkKeys()
  }

  private mutating func items(_ members: [Model.Member]) throws(Diagnostic) -> [Item] {
    var items: [Item] = []
    for member in members {
      switch member {
      case .property(let property) where property.isComputed: continue
      case .property(let property):
        names.insert(property.plainName)
        if property.attributes.contains(where: { $0.name == "JSONIgnored" }) {
          try checkIgnored(property)
        } else if property.attributes.contains(where: { $0.name == "JSONRest" }) {
          if rest != nil {
            throw Diagnostic(message: "a model has one @JSONRest at most", offset: property.offset)
          }
          guard property.type?.first == "[", property.type?.hasSuffix("]") == true else {
            throw Diagnostic(
              message: "@JSONRest needs a property of the type [String: JSONValue]",
              offset: property.offset)
          }
          rest = property
        } else {
          let field = try Field(property, settings)
          if case .flat = field.place { try takeFlat(field) }
          items.append(.field(field))
          count += 1
        }
      case .conditional(let parts):
        isConditional = true
        var alternatives: [(directive: String, items: [Item])] = []
        for part in parts { alternatives.append((part.directive, try self.items(part.members))) }
        items.append(.conditional(alternatives))
      }
    }
    return items
  }

  private mutating func takeFlat(_ field: Field) throws(Diagnostic) {
    isFlat = true
    guard let type = field.property.type, type.first == "[" else { return }
    let attribute = field.property.attributes.first { $0.name == "JSONField" }?.range ?? 0..<0
    throw Diagnostic(
      message: "a dictionary takes the members that no field names by @JSONRest",
      offset: field.property.offset, fix: ("write '@JSONRest'", attribute, "@JSONRest"))
  }

  private func checkIgnored(_ property: Property) throws(Diagnostic) {
    let isVariableOptional =
      !property.isLet && (property.type.map { Field.unwrapped($0) != nil } ?? false)
    guard !property.hasValue, !isVariableOptional else { return }
    throw Diagnostic(
      message: "'\(property.plainName)' is ignored and needs a default value",
      offset: property.offset)
  }

  // MARK: - Keys

  private static func fields(
    _ items: [Item], _ body: (Field, Bool) throws(Diagnostic) -> Void, _ isConditional: Bool = false
  )
    throws(Diagnostic)
  {
    for item in items {
      switch item {
      case .field(let field): try body(field, isConditional)
      case .conditional(let parts):
        for part in parts { try fields(part.items, body, true) }
      }
    }
  }

  /// A key that two properties have would be written twice. Alternatives of a condition may share keys.
  private func checkKeys() throws(Diagnostic) {
    // By bytes: two keys that are canonically equivalent are different keys.
    var keys: Set<[UInt8]> = []
    var parents: Set<String> = []
    try Self.fields(items) { (field, isConditional) throws(Diagnostic) in
      let names: [String]
      switch field.place {
      case .keys(let all): names = all
      case .path(let path):
        if path.contains(where: isIndex) {
          throw Diagnostic(
            message:
              "a pointer through an array cannot be written: read the array, or write this model by hand",
            offset: field.property.offset)
        }
        for count in 1..<path.count { parents.insert(path[..<count].joined(separator: "/")) }
        names = [path.joined(separator: "/")]
      case .flat: names = []
      }
      for name in names where !keys.insert(Array(name.utf8)).inserted && !isConditional {
        throw Diagnostic(
          message: "two properties have the key \(literal(name))", offset: field.property.offset)
      }
    }
    try Self.fields(items) { (field, _) throws(Diagnostic) in
      if case .keys(let all) = field.place, let key = all.first(where: parents.contains) {
        throw Diagnostic(
          message:
            "the key \(literal(key)) is a property's and in another's pointer: one member cannot be both",
          offset: field.property.offset)
      }
    }
  }

  // MARK: - Statements

  /// Writes what `body` says of each field, inside of the conditions that the declaration has.
  private func each(
    _ text: inout Text, _ items: [Item], isConditional: Bool = false,
    _ body: (inout Text, Field, Bool) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    for item in items {
      switch item {
      case .field(let field): try body(&text, field, isConditional)
      case .conditional(let parts):
        for part in parts {
          text.line(part.directive)
          try each(&text, part.items, isConditional: true, body)
        }
        text.line("#endif")
      }
    }
  }

  /// The list of keys, for the check for unknown ones.
  private var knownKeys: String {
    var keys: [String] = []
    try? Self.fields(items) { (field, _) throws(Diagnostic) in
      switch field.place {
      case .keys(let all): keys += all
      case .path(let path): keys.append(path[0])
      case .flat: break
      }
    }
    var seen: Set<[UInt8]> = []
    return "["
      + keys.filter { seen.insert(Array($0.utf8)).inserted }.map(literal).joined(separator: ", ")
      + "]"
  }

  private static func key(_ field: Field) -> String {
    switch field.place {
    case .keys(let keys) where keys.count == 1: literal(keys[0])
    case .keys(let keys): "json.firstKey(of: [\(keys.map(literal).joined(separator: ", "))])"
    case .path(let path):
      "[" + path.map { isIndex($0) ? $0 : literal($0) }.joined(separator: ", ") + "]"
    case .flat: "[]"
    }
  }

  /// The expression that reads a field, as a `Decoded`: `json.decode("id")`.
  private static func outcome(_ field: Field) -> String {
    let key = key(field)
    if case .flat = field.place {
      let isRequired = field.presence == .required
      return "json.decodePart\(isRequired ? "" : "IfPresent")(&known)"
    }
    return switch (field.presence, field.conversion) {
    case (.required, nil): "json.decode(\(key))"
    case (.optional, nil): "json.decodeIfPresent(\(key))"
    case (.defaulted, nil): "json.decodeReplacement(\(key))"
    case (.presence, _): "json.decodePresence(\(key))"
    case (.required, let conversion?): "json.convert(\(key), using: \(conversion))"
    case (.optional, let conversion?): "json.convertIfPresent(\(key), using: \(conversion))"
    case (.defaulted, let conversion?): "json.convertReplacement(\(key), using: \(conversion))"
    }
  }

  /// Words that begin an expression, and are names elsewhere.
  private static let operators: Set = [
    "any", "await", "consume", "copy", "discard", "each", "some", "unsafe", "yield",
  ]

  /// The local that has a property's value: its name, unless the expansion needs that.
  private func local(_ property: Property) -> String {
    var name = property.plainName
    if Self.operators.contains(name) { return "`\(name)`" }
    guard ["json", "errors", "known", "self"].contains(name) else { return property.name }
    repeat { name += "_" } while names.contains(name)
    return name
  }

  /// The statement that reads a property.
  private func reading(_ property: Property, _ outcome: String, replaces: Bool = false) -> String {
    "let \(local(property)) = errors.part(\(outcome), \(replaces ? "replacing" : "of"): { (it: Self) in it.\(property.name) })"
  }

  /// Sets a property, or replaces its default.
  private func setting(_ property: Property, replaces: Bool) -> String {
    let local = local(property)
    return replaces
      ? "if let \(local) { self.\(property.name) = \(local) }" : "self.\(property.name) = \(local)"
  }

  /// Whether the compiler makes an initializer of all properties.
  private var hasMemberwise: Bool {
    model.kind == .structure && model.hasMemberwise && !isConditional
  }

  /// A body that throws all errors.
  func initializer(_ text: inout Text) throws(Diagnostic) {
    let check =
      "json.checkMembers(known: \(isFlat ? "known" : knownKeys)\(settings.isClosed ? ", closed: true" : ""))"
    try text.block("\(model.access)init(json: Decant.JSON) throws(Decant.DecodeError)") {
      text throws(Diagnostic) in
      text.line("var errors = Decant.DecodeErrors()")
      if isFlat { text.line("var known = Decant.KnownKeys(\(knownKeys))") }
      var needed: [String] = []
      var set: [Property] = []
      var replaced: [Property] = []
      try each(&text, items) { (text, field, isConditional) throws(Diagnostic) in
        guard field.isRead else { return }
        let replaces = field.presence == .defaulted
        text.line(
          reading(field.property, Self.outcome(field), replaces: replaces),
          at: field.property.offset)
        if isConditional { return }
        needed.append(local(field.property))
        if replaces { replaced.append(field.property) } else { set.append(field.property) }
      }
      if let rest {
        text.line(
          reading(rest, "json.members(except: \(isFlat ? "known" : knownKeys))"), at: rest.offset)
        needed.append(local(rest))
        set.append(rest)
      } else {
        text.line("errors.add(\(check))")
      }
      let conditions = needed.map { "let \($0)" } + ["errors.isEmpty"]
      text.list("guard ", conditions, " else { throw errors.all }")
      if hasMemberwise {
        // The parameters are in the order of the declaration.
        let arguments = set.sorted { $0.offset < $1.offset }
        text.list("self.init(", arguments.map { "\($0.label): \(local($0))" }, ")")
        for property in replaced { text.line(setting(property, replaces: true)) }
      } else {
        for property in set { text.line(setting(property, replaces: false)) }
        for property in replaced { text.line(setting(property, replaces: true)) }
        try each(&text, items) { (text, field, isConditional) throws(Diagnostic) in
          guard isConditional, field.isRead else { return }
          text.line("guard let \(local(field.property)) else { throw errors.all }")
          text.line(setting(field.property, replaces: field.presence == .defaulted))
        }
      }
      if model.validates { text.line("try self.validate()") }
    }
  }

  // MARK: - Writing

  func writer(_ text: inout Text) throws(Diagnostic) {
    try text.block("\(model.access)func write(to json: inout Decant.JSONOutput)") {
      text throws(Diagnostic) in
      guard count > 0 || rest != nil else {
        text.line("json.object { _ in }")
        return
      }
      try text.block("json.object", " object in") { text throws(Diagnostic) in
        var done: Set<String> = []
        try each(&text, items) { (text, field, _) throws(Diagnostic) in
          guard case .path(let path) = field.place else {
            text.line(Self.writing(field, Self.writtenKey(field)), at: field.property.offset)
            return
          }
          guard done.insert(path[0]).inserted else { return }
          try self.nested(&text, [path[0]])
        }
        if let rest { text.line("object.fields(self.\(rest.name))", at: rest.offset) }
      }
    }
  }

  /// The object at a path with all fields whose pointers lead into it.
  private func nested(_ text: inout Text, _ prefix: [String]) throws(Diagnostic) {
    var inside: [(path: [String], field: Field)] = []
    try Self.fields(items) { (field, _) throws(Diagnostic) in
      if case .path(let path) = field.place, path.starts(with: prefix) {
        inside.append((path, field))
      }
    }
    if inside.count == 1, inside[0].path == prefix {
      text.line(
        Self.writing(inside[0].field, literal(prefix[prefix.count - 1])),
        at: inside[0].field.property.offset)
      return
    }
    let isOptional = inside.allSatisfy { $0.field.presence == .optional }
    let condition = inside.map { $0.field.value + " != nil" }.joined(separator: " || ")
    if isOptional { text.line("if \(condition) {") }
    try text.block("object.object(\(literal(prefix[prefix.count - 1])))", " object in") {
      text throws(Diagnostic) in
      var done: Set<String> = []
      for (path, _) in inside where done.insert(path[prefix.count]).inserted {
        try nested(&text, prefix + [path[prefix.count]])
      }
    }
    if isOptional { text.line("}") }
  }

  private static func writtenKey(_ field: Field) -> String {
    if case .keys(let keys) = field.place { return literal(keys[0]) }
    return ""
  }

  private static func writing(_ field: Field, _ key: String) -> String {
    if case .flat = field.place {
      return field.presence == .optional
        ? "if let part = \(field.value) { object.members(of: part) }"
        : "object.members(of: \(field.value))"
    }
    let verb = field.presence == .optional ? "fieldIfPresent" : "field"
    let conversion = field.altersForm ? ", using: \(field.conversion ?? ".value")" : ""
    return "object.\(verb)(\(key), \(field.value)\(conversion))"
  }
}
