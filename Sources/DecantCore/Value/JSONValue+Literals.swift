// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

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
  public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members: members) }

  /// A boolean.
  public init(_ value: Bool) { self.init(valid: Array((value ? "true" : "false").utf8)) }

  /// An integer of any size.
  public init(_ value: some BinaryInteger) {
    self.init(valid: Writing.bytes(JSONWritingOptions()) { $0.integer(value) })
  }

  /// A number, in the shortest form that reads back as the same Double; `null` for NaN and infinities,
  /// which JSON does not have.
  public init(_ value: Double) { self.init(valid: value.jsonBytes()) }

  /// A string.
  public init(_ value: String) {
    var writer = JSONWriter(isPretty: false)
    writer.write(value)
    self.init(valid: writer.bytes)
  }

  /// An array. Missing values become `null`.
  public init(_ elements: some Sequence<JSONValue>) { self.init(list: Array(elements)) }

  private init(list elements: [JSONValue]) {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for element in elements {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += element.bytes()
    }
    bytes.append(UInt8(ascii: "]"))
    self.init(valid: bytes)
  }

  /// An object, of members in this order. Missing values become `null`.
  public init(members: some Sequence<(String, JSONValue)>) { self.init(list: Array(members)) }

  private init(list members: [(String, JSONValue)]) {
    var writer = JSONWriter(isPretty: false)
    var isFirst = true
    writer.append(UInt8(ascii: "{"))
    for (key, value) in members {
      if !isFirst { writer.append(UInt8(ascii: ",")) }
      isFirst = false
      writer.write(key)
      writer.append(UInt8(ascii: ":"))
      writer.append(value.bytes())
    }
    writer.append(UInt8(ascii: "}"))
    self.init(valid: writer.bytes)
  }

  /// A copy of a view, in a document of its own.
  init(writing json: JSON) throws(DecodeError) {
    try self.init(parsing: json.bytes(.verbatim), options: .unlimited)
  }

  /// The value of text that we wrote.
  @inline(never)
  private init(valid bytes: [UInt8]) {
    do throws(DecodeError) { try self.init(parsing: bytes, options: .unlimited) } catch {
      // Only memory or 4 GiB can stop text that is JSON by construction.
      fatalError("\(error)")
    }
  }
}

extension DecodingOptions {
  /// For text that was checked, or written, before.
  static var unlimited: DecodingOptions { DecodingOptions(maximumDepth: .max) }
}
