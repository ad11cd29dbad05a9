// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What @JSONModel writes for a struct or a final class: an initializer that throws, and `write(to:)`.
//
//   init(json: Decant.JSON) throws(Decant.DecodeError) {
//     var read = 0
//     do throws(Decant.DecodeError) {
//       self.id = try json.get("id")
//       read = 1
//       self.email = try json.getIfPresent("email")
//     } catch {
//       var errors = Decant.DecodeErrors(error, in: json)
//       if read < 1 { errors.add(json.decodeIfPresent("email"), of: { (it: Self) in it.email }) }
//       throw errors.all
//     }
//   }
//
// The fields before the one that fails have been read, those behind it are asked for their errors. So each value is
// decoded once, whatever fails, and no model is slow because a model inside it fails. `read` is a constant at each place
// that can fail: succeeding does not pay for it. No type is named that the declaration names: an extension does not see
// the types around a nested one.

struct StructExpansion {
  /// A field or those of a condition of compilation, numbered in their order.
  private indirect enum Item {
    case field(Int, Field)
    case conditional([(directive: String, items: [Item])])
  }

  private let model: Model
  private let settings: Settings
  private var items: [Item] = []
  private var count = 0
  private var rest: Property?
  private var isFlat = false

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
          if case .flat = field.place { isFlat = true }
          items.append(.field(count, field))
          count += 1
        }
      case .conditional(let parts):
        var alternatives: [(directive: String, items: [Item])] = []
        for part in parts { alternatives.append((part.directive, try self.items(part.members))) }
        items.append(.conditional(alternatives))
      }
    }
    return items
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
      case .field(_, let field): try body(field, isConditional)
      case .conditional(let parts):
        for part in parts { try fields(part.items, body, true) }
      }
    }
  }

  /// A key that two properties have would be written twice. Alternatives of a condition may share keys.
  private func checkKeys() throws(Diagnostic) {
    // By bytes: two keys that Unicode holds to be equal are different keys.
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
    if isFlat, settings.isClosed || rest != nil {
      throw Diagnostic(
        message:
          "a flat model's members are not known here: it goes neither with closed: true nor with @JSONRest",
        offset: 0)
    }
  }

  // MARK: - Statements

  /// Writes what `body` says of each field, inside of the conditions that the declaration has.
  private func each(
    _ text: inout Text, _ items: [Item], _ body: (inout Text, Int, Field) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    for item in items {
      switch item {
      case .field(let number, let field): try body(&text, number, field)
      case .conditional(let parts):
        for part in parts {
          text.line(part.directive)
          try each(&text, part.items, body)
        }
        text.line("#endif")
      }
    }
  }

  /// The list of keys, for what asks for unknown ones.
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

  /// What reads a field, as an outcome: `json.decode("id")`.
  private static func outcome(_ field: Field) -> String {
    let key = key(field)
    switch (field.presence, field.conversion) {
    case (.required, nil): return "json.decode(\(key))"
    case (.optional, nil): return "json.decodeIfPresent(\(key))"
    case (.defaulted, nil): return "json.update(&\(field.value), from: \(key))"
    case (.presence, _): return "json.decodePresence(\(key))"
    case (.required, let conversion?): return "json.convert(\(key), using: \(conversion))"
    case (.optional, let conversion?):
      return "json.convertIfPresent(\(key), using: \(conversion))"
    case (.defaulted, let conversion?):
      return "json.update(&\(field.value), from: \(key), using: \(conversion))"
    }
  }

  /// The statement that adds the error of a field that has not been read.
  private static func adding(_ field: Field) -> String {
    let isTyped = field.presence == .defaulted
    return "errors.add(\(outcome(field))\(isTyped ? "" : of(field.property)))"
  }

  /// The argument by which the type of a property is inferred.
  private static func of(_ property: Property) -> String {
    ", of: { (it: Self) in it.\(property.name) }"
  }

  /// The statement that reads a field.
  private static func reading(_ field: Field) -> String {
    let key = key(field)
    return switch (field.presence, field.conversion) {
    case (.required, nil): "\(field.value) = try json.get(\(key))"
    case (.optional, nil): "\(field.value) = try json.getIfPresent(\(key))"
    case (.defaulted, _): "try \(outcome(field)).get()"
    default: "\(field.value) = try \(outcome(field)).get()"
    }
  }

  /// A body that throws all errors.
  func initializer(_ text: inout Text) throws(Diagnostic) {
    var checks: [(statement: String, error: String)] = []
    if let rest {
      checks.append(
        (
          "self.\(rest.name) = try json.members(except: \(knownKeys)).get()",
          "json.members(except: \(knownKeys))\(Self.of(rest))"
        ))
    } else if !isFlat {
      let check =
        "json.checkMembers(known: \(knownKeys)\(settings.isClosed ? ", closed: true" : ""))"
      checks.append(("try \(check).get()", check))
    }
    let isSingle = count + checks.count == 1
    try text.block("\(model.access)init(json: Decant.JSON) throws(Decant.DecodeError)") {
      text throws(Diagnostic) in
      if isSingle {
        try each(&text, items) { (text, _, field) throws(Diagnostic) in
          if field.isRead { text.line(Self.reading(field)) }
        }
        for check in checks { text.line(check.statement) }
      } else {
        text.line("var read = 0")
        try text.block("do throws(Decant.DecodeError)", opens: " catch {") {
          text throws(Diagnostic) in
          try each(&text, items) { (text, number, field) throws(Diagnostic) in
            guard field.isRead else { return }
            if number > 0 { text.line("read = \(number)") }
            text.line(Self.reading(field))
          }
          for (index, check) in checks.enumerated() {
            text.line("read = \(count + index)")
            text.line(check.statement)
          }
        }
        try text.indented { text throws(Diagnostic) in
          text.line("var errors = Decant.DecodeErrors(error, in: json)")
          try each(&text, items) { (text, number, field) throws(Diagnostic) in
            guard field.isRead, number > 0 else { return }
            text.line("if read < \(number) { \(Self.adding(field)) }")
          }
          for (index, check) in checks.enumerated() {
            text.line("if read < \(count + index) { errors.add(\(check.error)) }")
          }
          text.line("throw errors.all")
        }
        text.line("}")
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
        try each(&text, items) { (text, _, field) throws(Diagnostic) in
          guard case .path(let path) = field.place else {
            text.line(Self.writing(field, Self.writtenKey(field)))
            return
          }
          guard done.insert(path[0]).inserted else { return }
          try self.nested(&text, [path[0]])
        }
        if let rest { text.line("object.fields(self.\(rest.name))") }
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
      text.line(Self.writing(inside[0].field, literal(prefix[prefix.count - 1])))
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
    if case .flat = field.place { return "object.members(of: \(field.value))" }
    let verb = field.presence == .optional ? "fieldIfPresent" : "field"
    let conversion = field.altersForm ? ", using: \(field.conversion ?? ".value")" : ""
    return "object.\(verb)(\(key), \(field.value)\(conversion))"
  }
}
