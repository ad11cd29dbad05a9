// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The expansion of @CStruct: a conformance to CModel with the layout and the table, and the C functions beside the type.
//
//   extension User: DecantC.CModel {
//     static func layout(_ c: inout DecantC.CLayout<User>) {
//       c.structure("user", "A user.", lines: true, encodes: true)
//       c.field("plus_one", \.plusOne, json: .key("+1"))
//     }
//     static let cTable = DecantC.CTable(User.self)
//   }
//   @c(decode_user) public func decode_User(…) -> Int32 { unsafe User._decode(…) }
//
// At file scope, a macro may declare names that are the type's name with a prefix or a suffix, but not decode_user, whose
// name is an argument. C finds the functions by the names in @c. The compiler allows @c at file scope only.

struct CStructExpansion {
  private let model: Model
  /// The settings of `@JSONModel`, if the declaration has it.
  private let settings: Settings
  private let isJSONModel: Bool
  private var name = ""
  private var prefix: String?
  private var array: String?
  private var isPart = false
  private var hasLines = true
  private var encodes = true
  private var members: [Item] = []
  /// The property with the members that no other has, and whether another is inside of a member.
  private var rest: Property?
  private var hasPointers = false
  private(set) var diagnostics: [Diagnostic] = []

  /// A member, or those of a condition of compilation.
  private indirect enum Item {
    case member(String, at: Int)
    case conditional([(directive: String, items: [Item])])
  }

  init(_ model: Model, _ attribute: Attribute, isNested: Bool) throws(Diagnostic) {
    self.model = model
    let json = model.attributes.first { $0.name == "JSONModel" }
    isJSONModel = json != nil
    // @JSONModel reports their errors.
    settings = json.flatMap { try? Settings($0) } ?? Settings()
    let place = model.attributes.first { $0.name == "CStruct" }?.range.lowerBound ?? model.offset
    guard model.kind != .enumeration || settings.tag != nil else {
      throw Diagnostic(
        message:
          "an enum is no struct in C: make it a CEnum, whose cases are constants, or tell its cases by a tag, "
          + "as in @JSONModel(tag: \"type\")",
        offset: model.offset)
    }
    guard model.parameters.isEmpty else {
      throw Diagnostic(
        message: "a generic type is no struct in C, which needs one layout", offset: model.offset)
    }
    try read(attribute, at: place)
    if isNested, !isPart {
      throw Diagnostic(
        message:
          "functions of C need a type at file scope: move '\(model.plainName)' there, or say isPart: true",
        offset: model.offset)
    }
    if let tag = settings.tag, model.kind == .enumeration {
      members = [.member(try union(tag), at: model.offset)]
      return
    }
    var names: Set<String> = []
    members = items(model.members, &names, isConditional: false)
    if let rest, hasPointers {
      diagnostics.append(
        refusal(
          of: rest, "beside members that are found by a pointer, members that no field names have"))
    }
    if names.isEmpty, diagnostics.isEmpty {
      throw Diagnostic(
        message: "'\(model.plainName)' has no property that a C struct could have",
        offset: model.offset)
    }
  }

  private mutating func read(_ attribute: Attribute, at offset: Int) throws(Diagnostic) {
    func fail(_ message: String) -> Diagnostic { Diagnostic(message: message, offset: offset) }
    func name(_ value: String) throws(Diagnostic) -> String {
      guard let text = text(ofLiteral: value) else {
        throw fail("\(value) has to be a plain string literal")
      }
      guard isName(text) else { throw fail("\(value) is not a name in C") }
      return text
    }
    func flag(_ label: String, _ value: String) throws(Diagnostic) -> Bool {
      if value == "true" || value == "false" { return value == "true" }
      throw fail("'\(label)' needs true or false")
    }
    for (label, value, _) in attribute.arguments {
      switch label {
      case nil: self.name = try name(value)
      case "prefix"?: prefix = try name(value)
      case "array"?: array = value == "nil" ? nil : try name(value)
      case "isPart"?: isPart = try flag("isPart", value)
      case "lines"?: hasLines = try flag("lines", value)
      case "encodes"?: encodes = try flag("encodes", value)
      default: break
      }
    }
  }

  // MARK: - Unions

  /// The declaration of an enum's tag, and of the union of its cases.
  private func union(_ tag: String) throws(Diagnostic) -> String {
    func fail(_ item: Case, _ message: String) throws(Diagnostic) -> Never {
      throw Diagnostic(message: "'\(item.plainName)' \(message)", offset: item.offset)
    }
    if settings.content != nil {
      throw Diagnostic(
        message: "a union in C has its members beside the tag: say no content:",
        offset: model.offset)
    }
    var name = String(tag.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    if !isName(name) { name = "type" }
    var text = "c.union(\"of\", tag: \(literal(name)), key: \(literal(tag))"
    var hasMembers = false
    for item in model.cases {
      let isBare = item.values.count == 1 && item.values[0].label == nil
      if isBare ? item.values[0].type == "JSONValue" : !item.values.isEmpty {
        try fail(item, "has no struct in C: give it one value without a label, which is a CModel")
      }
      let keys = try EnumExpansion.tags(of: item, settings)
      if keys.contains(where: isNumber) {
        try fail(item, "has a number for a tag, which C has no unions of")
      }
      let cName = KeyStyle.snakeCase.key(for: item.plainName)
      if !isName(cName) { try fail(item, "is not a name in C") }
      text += ", DecantC.CCase(\(literal(cName)), \(keys.map(literal).joined(separator: ", "))) { "
      hasMembers = hasMembers || isBare
      if isBare {
        text +=
          "(model) -> \(item.values[0].type)? in "
          + "if case .\(item.name)(let part) = model { return part }; return nil }"
      } else {
        text +=
          "(model) -> DecantC.CNothing? in if case .\(item.name) = model { return .init() }; return nil }"
      }
    }
    if !hasMembers {
      throw Diagnostic(
        message: "an enum without values is no struct in C: make it a CEnum", offset: model.offset)
    }
    return text + ")"
  }

  // MARK: - Members

  private mutating func items(
    _ members: [Model.Member], _ names: inout Set<String>, isConditional: Bool
  ) -> [Item] {
    var items: [Item] = []
    for member in members {
      switch member {
      case .property(let property):
        do throws(Diagnostic) {
          guard let (name, text) = try self.member(property) else { continue }
          if !names.insert(name).inserted, !isConditional {
            throw Diagnostic(
              message: "two members of the C struct are called '\(name)'", offset: property.offset)
          }
          items.append(.member(text, at: property.offset))
        } catch {
          diagnostics.append(error)
        }
      case .conditional(let parts):
        var alternatives: [(directive: String, items: [Item])] = []
        for part in parts {
          alternatives.append(
            (part.directive, self.items(part.members, &names, isConditional: true)))
        }
        items.append(.conditional(alternatives))
      }
    }
    return items
  }

  /// The name of a property's member, and what declares it; nil if it has none.
  private mutating func member(
    _ property: Property
  ) throws(Diagnostic) -> (name: String, text: String)? {
    func has(_ name: String) -> Bool { property.attributes.contains { $0.name == name } }
    if has("CIgnored") || (has("JSONIgnored") && !has("CField")) { return nil }
    let isRest = has("JSONRest")
    let field: Field
    do throws(Diagnostic) {
      field = try Field(property, settings, mayBeWrapped: !isJSONModel)
    } catch {
      // @JSONModel says it, too.
      if isJSONModel, !property.isComputed { return nil }
      throw error
    }
    let view = property.type.flatMap { CView($0, of: field) }
    if view == nil, !isRest, let type = property.type, let what = CKind.refusal(of: type) {
      throw refusal(of: property, "\(what) has")
    }
    let attribute = property.attributes.first { $0.name == "CField" }
    var name = KeyStyle.snakeCase.key(for: property.plainName)
    if let given = attribute?.unlabeled.first, given != "nil" {
      guard let text = text(ofLiteral: given) else {
        throw Diagnostic(
          message: "\(given) has to be a plain string literal",
          offset: attribute?.range.lowerBound ?? property.offset)
      }
      name = text
    }
    guard isName(name) else {
      throw Diagnostic(
        message: "'\(name)' is not a name in C: give the member one, as in @CField(\"name\")",
        offset: property.offset)
    }
    var text = "c.\(isRest ? "rest" : "field")(\(literal(name)), "
    text += view?.closure(property.name) ?? "\\.\(property.name)"
    let comments = [property.comment, view?.remark ?? ""].filter { !$0.isEmpty }
    if !comments.isEmpty { text += ", \(literal(comments.joined(separator: "; ")))" }
    if let companion = attribute?.value("companion"), companion != "nil" {
      text += ", companion: \(companion)"
    }
    if isRest {
      rest = property
    } else if let rules = try rules(of: field, name, view) {
      text += ", json: \(rules)"
    }
    if case .path = field.place { hasPointers = true }
    return (name, text + ")")
  }

  private func refusal(of property: Property, _ subject: String) -> Diagnostic {
    Diagnostic(
      message:
        "'\(property.plainName)': \(subject) no place in a C struct; add @CIgnored, "
        + "or another view of it: a computed property with @CField",
      offset: property.offset,
      fix: ("insert '@CIgnored '", property.start..<property.start, "@CIgnored "))
  }

  /// The properties of a member in JSON for the table; nil if its name is enough.
  private func rules(
    of field: Field, _ name: String, _ view: CView?
  ) throws(Diagnostic) -> String? {
    let property = field.property
    if property.isComputed, encodes,
      !property.attributes.contains(where: { $0.name == "JSONField" })
    {
      throw Diagnostic(
        message:
          "'\(property.plainName)' is computed: name its key by @JSONField, or say encodes: false",
        offset: property.offset)
    }
    var place: String
    switch field.place {
    case .keys(let keys):
      place = ".key(\(literal(keys[0])))"
      if keys.count > 1 {
        place += ".orKeys(\(keys.dropFirst().map(literal).joined(separator: ", ")))"
      }
    case .path(let path):
      let tokens = path.map {
        $0.replacing("~", with: "~0").replacing("/", with: "~1")
      }
      place = ".pointer(\(literal("/" + tokens.joined(separator: "/"))))"
    case .flat: throw refusal(of: property, "members of the object around it have")
    }
    let isNamed = place == ".key(\(literal(name)))"
    var rules = ""
    if view != nil, field.bounds != nil || field.isNonEmpty {
      throw refusal(of: property, "a bound of this type has")
    }
    if let bounds = field.bounds {
      if let type = property.type, CKind.isText(Field.unwrapped(type) ?? type) {
        throw Diagnostic(
          message: "'\(property.plainName)': C has no bounds of text; add @CIgnored",
          offset: property.offset)
      }
      rules += ".inRange(\(bounds))"
    }
    if field.isNonEmpty { rules += ".nonEmpty" }
    switch field.using {
    case nil, ".value": break
    case _ where view != nil: break
    case ".numberOrString": rules += ".numberOrString"
    case ".integral": rules += ".integral"
    case let using? where encodes:
      throw Diagnostic(
        message:
          "'\(property.plainName)': C does not know \(using), and would write the member in another form; "
          + "add @CIgnored, or say encodes: false",
        offset: property.offset,
        fix: ("insert '@CIgnored '", property.start..<property.start, "@CIgnored "))
    default: break
    }
    if let value = property.value, value != "nil" {
      if let view {
        if let value = view.made(of: value) { rules += ".defaulting(to: \(value))" }
      } else {
        rules += ".defaulting(to: \(value))"
      }
    }
    return isNamed && rules.isEmpty ? nil : place + rules
  }

  // MARK: - Text

  /// The members of a private type name it, and so may not be seen from outside of the file.
  private var access: String { model.isPrivate ? "fileprivate " : model.access }

  /// The conformance.
  func conformance(_ text: inout Text, of type: String, declares: Bool) throws(Diagnostic) {
    try text.block("extension \(type)\(declares ? ": DecantC.CModel" : "")") {
      text throws(Diagnostic) in
      if declares {
        try text.block(
          "\(access)static func layout(_ c: inout DecantC.CLayout<\(type)>)"
        ) { text throws(Diagnostic) in
          text.line(structure)
          write(members, &text)
        }
      }
      text.line(
        "\(access)static let cTable = DecantC.CTable(\(type).self)", at: model.offset)
    }
  }

  private var structure: String {
    var line = "c.structure(\(literal(name)), \(literal(model.comment))"
    if let prefix { line += ", prefix: \(literal(prefix))" }
    if isPart { line += ", isPart: true" }
    if !isPart, let array { line += ", array: \(literal(array))" }
    if !isPart, hasLines { line += ", lines: true" }
    if !isPart, encodes { line += ", encodes: true" }
    if settings.isClosed { line += ", closed: true" }
    return line + ")"
  }

  private func write(_ items: [Item], _ text: inout Text) {
    for item in items {
      switch item {
      case .member(let line, let offset): text.line(line, at: offset)
      case .conditional(let parts):
        for part in parts {
          text.line(part.directive)
          write(part.items, &text)
        }
        text.line("#endif")
      }
    }
  }

  /// The functions, at file scope.
  func functions(_ text: inout Text) throws(Diagnostic) {
    if isPart { return }
    let type = model.name
    let called = model.plainName
    let input = "_ json: Swift.UnsafePointer<Swift.CChar>?, _ length: Swift.Int"
    let output = "_ error: Swift.UnsafeMutableRawPointer?) -> Swift.Int32"
    let buffer =
      "_ buffer: Swift.UnsafeMutablePointer<Swift.CChar>?, _ capacity: Swift.Int, "
      + "_ length: Swift.UnsafeMutablePointer<Swift.Int>?"
    let struct_ = "Swift.UnsafeMutableRawPointer?"
    func function(_ name: String, _ head: String, _ body: String) throws(Diagnostic) {
      text.line("@c(\(name))")
      try text.block("public func \(head)") { text throws(Diagnostic) in
        text.line("unsafe \(type).\(body)", at: model.offset)
      }
    }
    try function(
      "decode_\(name)", "decode_\(called)(\(input), _ out: \(struct_), \(output)",
      "_decode(json, length, out, error)")
    try function("\(name)_free", "\(called)_free(_ value: \(struct_))", "free(value)")
    if encodes {
      try function(
        "encode_\(name)",
        "encode_\(called)(_ value: Swift.UnsafeRawPointer?, \(buffer), \(output)",
        "cTable._encode(value, buffer, capacity, length, error)")
    }
    if let array {
      try function(
        "decode_\(array)", "decodeArray_\(called)(\(input), _ out: \(struct_), \(output)",
        "_decodeArray(json, length, out, error)")
      try function(
        "\(array)_free", "\(called)_freeArray(_ array: \(struct_))", "freeArray(array)")
      if encodes {
        try function(
          "encode_\(array)",
          "encodeArray_\(called)(_ array: Swift.UnsafeRawPointer?, \(buffer), \(output)",
          "cTable._encodeArray(array, buffer, capacity, length, error)")
      }
    }
    if hasLines {
      try function(
        "decode_\(name)_lines",
        "decodeLines_\(called)(\(input), _ function: Swift.OpaquePointer?, _ context: \(struct_), \(output)",
        "_decodeLines(json, length, function, context, error)")
    }
  }
}

/// Whether C accepts this as a name. The header's generator reports keywords.
private func isName(_ text: String) -> Bool {
  guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
  return text.utf8.allSatisfy {
    $0 == 95 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
  }
}

/// A type of Foundation that is something else in C, by the conversion that is named.
private struct CView {
  /// Returns the form in C of an expression.
  private let make: (String) -> String
  /// The type, which is not optional.
  private let type: String
  private let isOptional: Bool
  private let mayBeDefault: Bool
  /// The comment of the member in the header.
  let remark: String

  /// Nil for other types, and for conversions whose texts C does not read.
  init?(_ property: String, of field: Field) {
    let wrapped = Field.unwrapped(property)
    type = wrapped ?? property
    isOptional = wrapped != nil
    let name = type.hasPrefix("Foundation.") ? String(type.dropFirst("Foundation.".count)) : type
    let seconds = { (value: String) in value + ".timeIntervalSince1970" }
    switch (name, field.using ?? ".value") {
    case ("Date", ".value"), ("Date", ".rfc3339"):
      (make, remark) = ({ "DecantC.CTime(" + seconds($0) + ")" }, "")
    case ("Date", ".epochSeconds"): (make, remark) = (seconds, "seconds since 1970")
    case ("Date", ".epochMilliseconds"):
      (make, remark) = ({ seconds($0) + " * 1000" }, "milliseconds since 1970")
    case ("UUID", ".value"): (make, remark) = ({ "DecantC.CUUID(" + $0 + ".uuid)" }, "")
    case ("Data", ".value"), ("Data", ".base64"):
      (make, remark) = ({ "DecantC.CBytes(" + $0 + ")" }, "")
    default: return nil
    }
    mayBeDefault = name != "Data"
  }

  /// The closure that returns the property's form in C.
  func closure(_ property: String) -> String {
    isOptional ? "{ $0.\(property).map { \(make("$0")) } }" : "{ \(make("$0.\(property)")) }"
  }

  /// The default of the member; nil if a table has none.
  func made(of value: String) -> String? { mayBeDefault ? make("(\(value) as \(type))") : nil }
}

/// What the spelling of a type tells about it.
enum CKind {
  private static let placeless: Set<String> = [
    "Any", "AnyObject", "Character", "Data", "Date", "Decimal", "Duration", "Float16", "Float80",
    "Int128",
    "JSONNumber", "StaticString", "Substring", "UInt128", "URL", "UUID", "Void",
  ]

  private static let unflagged: Set<String> = [
    "Bool", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String", "UInt", "UInt8",
    "UInt16",
    "UInt32", "UInt64",
  ]

  static func isText(_ type: String) -> Bool { plain(type) == "String" }

  /// The description of a type that a C struct cannot have, such as "a dictionary"; nil if it may have it.
  static func refusal(of type: String) -> String? {
    let type = plain(type)
    if let wrapped = Field.unwrapped(type).map(plain) {
      if Field.unwrapped(wrapped) != nil { return "an optional of an optional" }
      if element(of: wrapped) != nil { return "an optional array" }
      if wrapped.hasPrefix("Set<") { return "an optional set" }
      return refusalOfOne(wrapped)
    }
    if let element = element(of: type).map(plain) {
      if Field.unwrapped(element) != nil { return "an array of optionals" }
      if self.element(of: element) != nil { return "an array of arrays" }
      if element.hasPrefix("Set<") { return "an array of sets" }
      if element == "JSONValue" { return "an array of JSONValue" }
      return refusalOfOne(element).map { "an array of what is \($0)" }
    }
    return refusalOfOne(type)
  }

  private static func refusalOfOne(_ type: String) -> String? {
    if type.contains("->") { return "a function" }
    if type.first == "(" { return "a tuple" }
    if type.first == "[" || type.hasPrefix("Dictionary<") { return "a dictionary" }
    if type.hasPrefix("any ") || type.hasPrefix("some ") || type.contains("&") {
      return "a protocol"
    }
    if type.hasPrefix("Set<") {
      let element = plain(String(type.dropFirst("Set<".count).dropLast()))
      return unflagged.contains(element) ? "a set of what is no CFlag" : nil
    }
    let name = type.prefix { $0 != "<" }
    let isGeneric = ["JSONPresence", "Range", "ClosedRange", "Result", "ContiguousArray"].contains(
      String(name))
    if placeless.contains(type) || isGeneric {
      return
        "\("AEIOU".contains(name.first ?? " ") && name != "UUID" && name != "URL" ? "an" : "a") \(name)"
    }
    return nil
  }

  /// `Element` of `[Element]` and `Array<Element>`.
  private static func element(of type: String) -> String? {
    if type.hasPrefix("Array<"), type.last == ">" {
      return String(type.dropFirst("Array<".count).dropLast())
    }
    guard type.first == "[", type.last == "]" else { return nil }
    var depth = 0
    for character in type.dropFirst().dropLast() {
      if "[(<".contains(character) { depth += 1 }
      if "])>".contains(character) { depth -= 1 }
      if depth < 0 || (depth == 0 && character == ":") { return nil }
    }
    return String(type.dropFirst().dropLast())
  }

  /// Without spaces at the ends, parentheses around all of it, and the modules of well-known types.
  private static func plain(_ type: String) -> String {
    var type = Substring(type)
    while type.first?.isWhitespace == true { type.removeFirst() }
    while type.last?.isWhitespace == true { type.removeLast() }
    for module in ["Swift.", "Foundation.", "Decant.", "DecantCore."] where type.hasPrefix(module) {
      type.removeFirst(module.count)
    }
    guard type.first == "(", type.last == ")", !type.contains(",") else { return String(type) }
    let inside = type.dropFirst().dropLast()
    var depth = 0
    for character in inside {
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      if depth < 0 { return String(type) }
    }
    return inside.isEmpty ? "Void" : plain(String(inside))
  }
}
