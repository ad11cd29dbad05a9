// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A shape is a type that decodes, can write a document for itself, and tells what it decoded. Shapes are put
// together while the fuzzer runs: [String: Box<Dog?>] is three choices.

import Foundation

protocol Shaped: Decodable {
  /// A document that the type accepts, but for what the choices replace in it.
  static func document(_ choices: inout Choices) -> String
  /// What was decoded, completely.
  var told: String { get }
}

typealias AnyShape = any Shaped.Type

extension Shaped {
  /// A part of a document: the type's own, or about once in thirty times something else.
  static func part(_ choices: inout Choices) -> String {
    choices.once(in: 30) ? choices.one(of: others) : document(&choices)
  }
}

/// What a document has in place of the right value.
private let others = [
  "null", "true", "false", "0", "1", "-1", "1.0", "1.5", "2e2", "300", "70000", "-0", "1e19",
  "3.5e38",
  "9223372036854775808", "18446744073709551616", "0.1", #""""#, #""a""#, #""lunch""#, #""1""#,
  #""\u00e9\n""#,
  #""2026-03-01T12:00:00Z""#, "[]", "{}", "[1]", "[null]", #"["a"]"#, "[[]]", #"{"id":1}"#,
  #"{"id":1,"name":"n"}"#,
  #"{"name":null}"#, #"{"one":{"_0":1}}"#, #"{"none":{}}"#, #"{"none":{},"one":{}}"#, #""inf""#,
  #""nan""#,
  #""AQID""#, "123456789012345678901234567890",
]

// MARK: - Scalars

/// Makes scalars shapes that tell their description.
protocol Scalar: Shaped, CustomStringConvertible {
  static var documents: [String] { get }
}

extension Scalar {
  static func document(_ choices: inout Choices) -> String { choices.one(of: documents) }
  var told: String { description }
}

extension Int: Scalar {
  static var documents: [String] { ["1", "-20", "3.0", "4e1", "9223372036854775807"] }
}
extension Int8: Scalar { static var documents: [String] { ["1", "-128", "127"] } }
extension Int32: Scalar { static var documents: [String] { ["1", "-70000"] } }
extension UInt16: Scalar { static var documents: [String] { ["1", "65535"] } }
extension UInt64: Scalar { static var documents: [String] { ["1", "18446744073709551615"] } }
extension Bool: Scalar { static var documents: [String] { ["true", "false"] } }
extension Double: Scalar {
  static var documents: [String] { ["1.5", "-0.0", "1e300", "7", #""inf""#] }
}
extension Float: Scalar {
  static var documents: [String] { ["1.5", "0.1", "16777217", #""-inf""#] }
}

extension String: Scalar {
  static var documents: [String] {
    [#""a""#, #""""#, #""longer than fifteen bytes""#, #""\u00e9 \n\"""#, #""\ud83d\ude00""#]
  }
}

extension Date: Scalar {
  static var documents: [String] { ["1", "1.5e9", #""2026-03-01T12:00:00Z""#] }
  var told: String { "\(timeIntervalSinceReferenceDate)" }
}

extension Data: Scalar {
  static var documents: [String] { [#""AQID""#, "[1,2]", #""""#] }
  var told: String { "\(Array(self))" }
}

extension URL: Scalar {
  static var documents: [String] { [#""https://a.b/c?d""#, #""relative""#] }
}
extension Decimal: Scalar {
  static var documents: [String] { ["1", "1.10", "-12345678901234567890.5"] }
}
extension UUID: Scalar {
  static var documents: [String] { [#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#] }
}

// MARK: - Containers

extension Array: Shaped where Element: Shaped {
  static func document(_ choices: inout Choices) -> String {
    let elements = (0..<choices.next(4)).map { _ in Element.part(&choices) }
    return "[" + elements.joined(separator: ",") + "]"
  }
  var told: String { "[" + map(\.told).joined(separator: ",") + "]" }
}

extension Optional: Shaped where Wrapped: Shaped {
  static func document(_ choices: inout Choices) -> String {
    choices.once(in: 4) ? "null" : Wrapped.part(&choices)
  }
  var told: String { map { "some \($0.told)" } ?? "nil" }
}

extension Dictionary: Shaped where Key: Name, Value: Shaped {
  static func document(_ choices: inout Choices) -> String {
    object((0..<choices.next(3)).map { _ in (choices.one(of: Key.names), Value.part(&choices)) })
  }
  var told: String {
    "{" + map { "\($0.key.name):\($0.value.told)" }.sorted().joined(separator: ",") + "}"
  }
}

/// A dictionary's key.
protocol Name: Hashable, Decodable {
  static var names: [String] { get }
  var name: String { get }
}

extension String: Name {
  static var names: [String] { ["a", "user_name", "1", "", "\\u0061b", "userName"] }
  var name: String { self }
}

extension Int: Name {
  static var names: [String] { ["1", "-2", "30", "x"] }
  var name: String { description }
}

enum Meal: String, Name, CodingKeyRepresentable, Scalar {
  case lunch, lateDinner = "late_dinner"
  static var names: [String] { ["lunch", "late_dinner", "none"] }
  static var documents: [String] { [#""lunch""#, #""late_dinner""#, #""tea""#] }
  var name: String { rawValue }
  var description: String { rawValue }
}

/// The text of an object: now and then without a member, with one twice, or with one that nobody asks for.
func object(_ members: [(String, String)], _ choices: inout Choices) -> String {
  var members = members
  switch choices.next(40) {
  case 36 where !members.isEmpty: members.remove(at: choices.next(members.count))
  case 37 where !members.isEmpty:
    members.append((choices.one(of: members).0, choices.one(of: others)))
  case 38: members.insert(("other", choices.one(of: others)), at: choices.next(members.count + 1))
  case 39: members.reverse()
  default: break
  }
  return object(members)
}

private func object(_ members: [(String, String)]) -> String {
  "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ", ") + "}"
}
