// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A field: a stored property or an associated value, with all attributes about its JSON.

/// The arguments of `@JSONModel(…)`.
struct Settings {
  var keys = KeyStyle.camelCase
  var cases = KeyStyle.camelCase
  var isClosed = false
  var tag: String?
  var content: String?
  var isUntagged = false
  var reads = true
  var writes = true
  /// The conversion of all dates that name none.
  var dates: String?

  init() {}

  init(_ attribute: Attribute) throws(Diagnostic) {
    for (label, value, _) in attribute.arguments {
      func style() throws(Diagnostic) -> KeyStyle {
        guard value.first == ".", let style = KeyStyle(rawValue: String(value.dropFirst())) else {
          throw Diagnostic(
            message: "'\(label ?? "")' needs one of the styles by name, such as .snakeCase",
            offset: 0)
        }
        return style
      }
      func string() throws(Diagnostic) -> String {
        guard let text = text(ofLiteral: value) else {
          throw Diagnostic(message: "'\(label ?? "")' needs a plain string literal", offset: 0)
        }
        return text
      }
      func flag() throws(Diagnostic) -> Bool {
        guard value == "true" || value == "false" else {
          throw Diagnostic(message: "'\(label ?? "")' needs true or false", offset: 0)
        }
        return value == "true"
      }
      switch label {
      case "keys": keys = try style()
      case "cases": cases = try style()
      case "closed": isClosed = try flag()
      case "tag": tag = try string()
      case "content": content = try string()
      case "untagged": isUntagged = try flag()
      case "reads": reads = try flag()
      case "writes": writes = try flag()
      case "dates": dates = value
      default: break
      }
    }
  }
}

/// A member of an object, and the property that it becomes.
struct Field {
  enum Place {
    /// The keys that are tried. The first one is written.
    case keys([String])
    /// The tokens of a pointer.
    case path([String])
    /// The object itself: its members are among those of the model.
    case flat
  }

  enum Presence {
    case required
    /// The type is optional: absent and `null` are nil.
    case optional
    /// The property has a value, which stays where the member is absent or `null`.
    case defaulted
    /// The type is `JSONPresence`.
    case presence
  }

  var property: Property
  var place: Place
  var presence = Presence.required
  /// The conversion as it is spelled, with what bounds its values.
  var conversion: String?
  /// The conversion that is named, the bounds, and whether empty values are refused.
  private(set) var using: String?
  private(set) var bounds: String?
  private(set) var isNonEmpty = false
  /// Whether the conversion alters the value's form, so that writing needs it as well.
  var altersForm = false
  /// A constant with a value is written and not read.
  var isRead = true

  /// `self.name`
  var value: String { "self." + property.name }

  /// `Wrapped` of `Wrapped?`, `Wrapped!` and `Optional<Wrapped>`; nil for other types.
  static func unwrapped(_ type: String) -> String? {
    if type.last == "?" || type.last == "!" {
      let wrapped = String(type.dropLast())
      // `(any Value)?`, and not `() -> Int?`.
      return wrapped.contains("->") && !(wrapped.first == "(" && wrapped.last == ")")
        ? nil : wrapped
    }
    for prefix in ["Optional<", "Swift.Optional<"] where type.hasPrefix(prefix) && type.last == ">"
    {
      return String(type.dropFirst(prefix.count).dropLast())
    }
    return nil
  }

  init(
    _ property: Property, _ settings: Settings, mayBeWrapped: Bool = false
  ) throws(Diagnostic) {
    self.property = property
    place = .keys([settings.keys.key(for: property.plainName)])
    for attribute in property.attributes where attribute.name == "JSONField" {
      try take(attribute, settings)
    }
    if conversion == nil, let dates = settings.dates, let type = property.type,
      ["Date", "Foundation.Date"].contains(Field.unwrapped(type) ?? type)
    {
      conversion = dates
      using = dates
      altersForm = true
    }
    if let type = property.type {
      if type.hasPrefix("JSONPresence<") {
        presence = .presence
      } else if Field.unwrapped(type) != nil {
        presence = .optional
      } else if type.contains("->") || (type.first == "(" && type.contains(",")) {
        try fail("a \(type.contains("->") ? "function" : "tuple") has no JSON")
      }
    }
    if let value = property.value,
      presence == .required || (presence == .optional && value != "nil")
    {
      presence = .defaulted
    }
    if presence == .presence, conversion != nil { try fail("JSONPresence takes no conversion") }
    if property.isLet, property.hasValue { isRead = false }
    if !mayBeWrapped { try checkWrappers() }
  }

  private mutating func take(
    _ attribute: Attribute, _ settings: Settings
  ) throws(Diagnostic) {
    func fail(_ message: String) throws(Diagnostic) -> Never {
      throw Diagnostic(message: message, offset: attribute.range.lowerBound)
    }
    var keys: [String] = []
    for value in attribute.unlabeled {
      guard let key = text(ofLiteral: value) else {
        try fail("a key has to be a plain string literal")
      }
      if keys.contains(key) { try fail("the key \(value) is named twice") }
      keys.append(key)
    }
    if !keys.isEmpty { place = .keys(keys) }
    if let pointer = attribute.value("pointer") {
      guard let path = text(ofLiteral: pointer).flatMap(tokens(ofPointer:)), !path.isEmpty else {
        try fail("\(pointer) is not a JSON Pointer of a member (RFC 6901), such as \"/user/name\"")
      }
      if !keys.isEmpty { try fail("a field has keys or a pointer, not both") }
      place = .path(path)
    }
    if attribute.value("flat") == "true" { place = .flat }
    if let using = attribute.value("using") {
      let name = Field.shortened(using)
      if settings.writes, let problem = Field.lackOfInverse(of: name) {
        // `Rates.celsius` may well be `.celsius`.
        let member = name.split(separator: ".").last.map { ".\($0)" } ?? name
        let isName = name.first != "." && !name.contains("(") && !name.contains("{")
        throw Diagnostic(
          message: problem, offset: attribute.range.lowerBound,
          fix: isName ? attribute.range(of: using).map { ("write '\(member)'", $0, member) } : nil)
      }
      conversion = name
      self.using = name
      altersForm = true
    }
    if let range = attribute.value("in") {
      conversion = (conversion ?? ".value") + ".inRange(\(range))"
      bounds = range
    }
    if attribute.value("nonEmpty") == "true" {
      conversion = (conversion ?? ".value") + ".nonEmpty"
      isNonEmpty = true
    }
  }

  /// A conversion's name without the type that it is a member of: `.fromString` of `JSONConversion<Int>.fromString`. Its
  /// inverse has the same, as a member of another type.
  private static func shortened(_ conversion: String) -> String {
    for type in ["JSONConversion", "Decant.JSONConversion", "DecantCore.JSONConversion"]
    where conversion.hasPrefix(type) {
      var rest = conversion.dropFirst(type.count)
      if rest.first == "<" {
        var depth = 0
        while let character = rest.popFirst() {
          if character == "<" { depth += 1 } else if character == ">" { depth -= 1 }
          if depth == 0 { break }
        }
      }
      if rest.first == "." { return String(rest) }
    }
    return conversion
  }

  /// The message for a conversion that cannot have an inverse of its name, if its spelling tells.
  private static func lackOfInverse(of conversion: String) -> String? {
    let mend = "or say writes: false, for a model that is only read"
    if conversion.first != "." {
      let name = conversion.prefix { $0 != "{" && $0 != "(" && $0 != " " }
      return "\(name) has no inverse: name a conversion by a dot, "
        + "a member of JSONConversion, and its inverse by the same name, a member of JSONInverse; \(mend)"
    }
    for word in ["map", "flatMap", "string", "model", "variants", "throwing"]
    where Lexer.calls(word, in: conversion) {
      return
        "'.\(word)' has no inverse: name a conversion, and its inverse by the same name, \(mend)"
    }
    return nil
  }

  private func fail(_ message: String) throws(Diagnostic) {
    throw Diagnostic(
      message:
        "'\(property.plainName)': \(message); add @JSONIgnored and a default value, or @JSONField(using:)",
      offset: property.offset)
  }

  /// Attributes that are no property wrappers.
  private static let harmless: Set<String> = [
    "JSONField", "JSONIgnored", "JSONRest", "CField", "CIgnored", "available", "usableFromInline",
    "inlinable", "objc",
    "nonobjc", "MainActor",
    "GKInspectable", "IBOutlet", "IBInspectable", "NSManaged", "NSCopying", "backDeployed",
    "Sendable", "safe", "unsafe",
    "preconcurrency", "exclusivity", "_spi", "_documentation", "_hasStorage", "transient",
    "Attribute", "Relationship",
    "Guide", "ObservationTracked", "ObservationIgnored", "globalActor",
  ]

  private func checkWrappers() throws(Diagnostic) {
    for attribute in property.attributes where !Self.harmless.contains(attribute.name) {
      throw Diagnostic(
        message:
          "'@\(attribute.name)' may be a property wrapper, whose storage the macro does not see; "
          + "declare the property without it, or add @JSONIgnored",
        offset: attribute.range.lowerBound,
        fix: (
          "insert '@JSONIgnored '", attribute.range.lowerBound..<attribute.range.lowerBound,
          "@JSONIgnored "
        ))
    }
  }
}
