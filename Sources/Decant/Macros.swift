// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models by declaration. The macros are expanded by DecantMacros, the compiler's plugin.

/// Makes a struct, an enum or a final class a model: read from JSON and written as JSON, described once.
///
///     @JSONModel(keys: .snakeCase)
///     struct Issue {
///       let id: Int
///       let body: String?                         // absent or null: nil
///       var labels: [Label] = []                  // absent or null: the default
///       let createdAt: Date                       // "created_at"
///       @JSONField("+1") let plusOne: Int
///       @JSONIgnored var isSelected = false
///     }
///
///     let issue = try Issue(decoding: bytes)      // throws all errors, each with its place
///     issue.jsonText()
///
/// Enums with values need a form: see ``JSONModel(keys:cases:closed:tag:content:reads:writes:)`` and
/// ``JSONModel(keys:cases:closed:untagged:reads:writes:)``.
///
/// - Parameters:
///   - keys: How keys are spelled that no ``JSONField(_:)-8p3yd`` names.
///   - cases: How an enum's cases are spelled.
///   - closed: Whether members that no field names are errors; else ``DecodingOptions/unknownMembers`` decides.
///   - reads: Whether the model is read; with `false` it is only written.
///   - writes: Whether the model is written; with `false` its conversions need no inverse.
@attached(
  extension, conformances: JSONDecodable, JSONInitializable, JSONWritable,
  names: named(init(json:)), named(decode(_:)), named(write(to:)))
@attached(member, names: named(init(json:)))
public macro JSONModel(
  keys: JSONKeyStyle = .camelCase, cases: JSONKeyStyle = .camelCase, closed: Bool = false,
  reads: Bool = true, writes: Bool = true
) = #externalMacro(module: "DecantMacros", type: "JSONModel")

/// The same, with one conversion of all dates: of the properties whose type is spelled `Date` or `Date?`.
///
///     @JSONModel(keys: .snakeCase, dates: .epochSeconds)
///     struct Event {
///       let createdAt: Date                                  // "created_at":1709209800
///       @JSONField(using: .rfc3339) let closedAt: Date?      // "closed_at":"2024-02-29T12:30:00Z"
///     }
@attached(
  extension, conformances: JSONDecodable, JSONInitializable, JSONWritable,
  names: named(init(json:)), named(decode(_:)), named(write(to:)))
@attached(member, names: named(init(json:)))
public macro JSONModel<Dates>(
  keys: JSONKeyStyle = .camelCase, closed: Bool = false, dates: JSONConversion<Dates>,
  reads: Bool = true, writes: Bool = true
) = #externalMacro(module: "DecantMacros", type: "JSONModel")

/// Makes an enum a model whose cases are selected by a tag.
///
///     @JSONModel(tag: "type") enum Shape { case circle(radius: Double), other(JSONValue) }
///     // {"type":"circle","radius":1}
///     @JSONModel(tag: "t", content: "c") enum Message { case text(String), ping }
///     // {"t":"text","c":"hello"}, {"t":"ping"}
///
/// A case with one unlabeled `JSONValue`, or with a `String` and a `JSONValue`, takes the values with any other tag. Tags are
/// numbers if each case has one, as in `@JSONField(1) case circle(radius: Double)`.
@attached(
  extension, conformances: JSONDecodable, JSONWritable, names: named(decode(_:)), named(write(to:)))
public macro JSONModel(
  keys: JSONKeyStyle = .camelCase, cases: JSONKeyStyle = .camelCase, closed: Bool = false,
  tag: String, content: String? = nil, reads: Bool = true, writes: Bool = true
) = #externalMacro(module: "DecantMacros", type: "JSONModel")

/// Makes an enum a model without a tag: the first case that decodes the value, in their order.
///
///     @JSONModel(untagged: true) enum ID { case number(Int), name(String) }
@attached(
  extension, conformances: JSONDecodable, JSONWritable, names: named(decode(_:)), named(write(to:)))
public macro JSONModel(
  keys: JSONKeyStyle = .camelCase, cases: JSONKeyStyle = .camelCase, closed: Bool = false,
  untagged: Bool, reads: Bool = true, writes: Bool = true
) = #externalMacro(module: "DecantMacros", type: "JSONModel")

/// How keys are spelled that are derived from names.
public enum JSONKeyStyle: Sendable {
  /// `avatarURL`: as the name is.
  case camelCase
  /// `avatar_url`, as JSONEncoder's `convertToSnakeCase` makes it.
  case snakeCase
  /// `avatar-url`
  case kebabCase
  /// `AvatarURL`
  case pascalCase
  /// `AVATAR_URL`
  case screamingSnakeCase
}

/// Names the key of a property, or the names of an enum's case. With several keys, the first that has a value is
/// read, and the first is written. With several names, each is read, and the first is written.
@attached(peer)
public macro JSONField(_ keys: String...) =
  #externalMacro(module: "DecantMacros", type: "JSONField")

/// Gives an enum's case its tag, a number, or several tags: each is read, and the first is written.
@attached(peer)
public macro JSONField(_ tags: Int...) =
  #externalMacro(module: "DecantMacros", type: "JSONField")

/// Names the place of a property by a JSON Pointer (RFC 6901), such as `"/user/name"`.
@attached(peer)
public macro JSONField(pointer: String) = #externalMacro(module: "DecantMacros", type: "JSONField")

/// Names the conversion of a property, and its keys.
///
/// It is written by the ``JSONInverse`` of the same name.
@attached(peer)
public macro JSONField<Value>(_ keys: String..., using: JSONConversion<Value>) =
  #externalMacro(module: "DecantMacros", type: "JSONField")

/// The same. It gives a conversion of several types, such as `.numberOrString`, one type, whatever the property's
/// type is.
@_documentation(visibility: internal)
@attached(peer)
public macro JSONField(_ keys: String..., using: JSONConversion<Int>) =
  #externalMacro(module: "DecantMacros", type: "JSONField")

/// Bounds the values of a property, and names its keys.
@attached(peer)
public macro JSONField<Bounds: RangeExpression>(_ keys: String..., in: Bounds) =
  #externalMacro(module: "DecantMacros", type: "JSONField")

/// Rejects empty strings, arrays and dictionaries.
@attached(peer)
public macro JSONField(_ keys: String..., nonEmpty: Bool) =
  #externalMacro(module: "DecantMacros", type: "JSONField")

/// Reads the members of a property's model from the enclosing object, and writes them there.
@attached(peer)
public macro JSONField(flat: Bool) = #externalMacro(module: "DecantMacros", type: "JSONField")

/// Neither reads nor writes a property, which needs a default value.
@attached(peer)
public macro JSONIgnored() = #externalMacro(module: "DecantMacros", type: "JSONIgnored")

/// Keeps the members that no field names, and writes them: a property of the type `[String: JSONValue]`.
@attached(peer)
public macro JSONRest() = #externalMacro(module: "DecantMacros", type: "JSONRest")
