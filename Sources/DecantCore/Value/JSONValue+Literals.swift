// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// JSONValue by literals, and from values and members.

internal import CDecantIndex

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self.init(valid: Array("null".utf8)) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self.init(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self.init(value) }
  /// A number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// A string.
  public init(stringLiteral value: String) { self.init(value) }
  /// An array of the elements.
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
  /// An object with the members, in order.
  public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(list: members) }

  /// Any value that writes itself, such as a number, a string, an array of them, or a model. Values that JSON cannot
  /// express, and missing values, become `null`.
  public init(_ value: some JSONWritable) { self.init(valid: value.jsonBytes(.unlimited)) }

  /// An object, of members in this order, such as those of another value or of a dictionary. Missing values become
  /// `null`.
  @_alwaysEmitIntoClient
  public init(members: some Sequence<(key: String, value: JSONValue)>) {
    self.init(list: members.map { ($0.key, $0.value) })
  }

  /// The same, of pairs.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init(members: some Sequence<(String, JSONValue)>) { self.init(list: Array(members)) }

  @usableFromInline
  internal init(list members: [(String, JSONValue)]) {
    let bytes = Writing.bytes(.unlimited) { json in
      json.object { object in
        for (key, value) in members { object.field(JSONKey(key), value) }
      }
    }
    self.init(valid: bytes)
  }

  /// The value of text that we wrote.
  @inline(never)
  private init(valid bytes: [UInt8]) {
    do throws(DecodeError) { try self.init(parsing: bytes, options: .unlimited) } catch {
      // Only memory or 4 GiB can stop text that is JSON by construction.
      fatalError(error.description)
    }
  }
}

extension DecodingOptions {
  /// For text that was checked, or written, before.
  package static var unlimited: DecodingOptions { DecodingOptions(maximumDepth: .max) }
}
