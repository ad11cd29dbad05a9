// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What values take that models keep of a document that is only borrowed.

import Decant
import DecantCore
import DecantTestSupport
import Testing

/// A model that nests, and keeps itself as it came: before what is inside it, or behind.
private protocol Nesting: JSONDecodable, Decodable {
  var whole: JSONValue { get }
  var next: [Self] { get }
}

extension Nesting {
  var values: [JSONValue] { [whole] + next.flatMap(\.values) }
}

private enum Key: CodingKey { case next }

private struct Before: Nesting {
  let whole: JSONValue
  let next: [Before]

  init(_ whole: JSONValue, _ next: [Before]?) { (self.whole, self.next) = (whole, next ?? []) }

  static func decode(_ json: JSON) -> Decoded<Before> {
    build(Before.init, json.decoded(), json.decodeIfPresent("next"))
  }

  init(from decoder: any Decoder) throws {
    whole = try JSONValue(from: decoder)
    let container = try decoder.container(keyedBy: Key.self)
    next = try container.decodeIfPresent([Before].self, forKey: .next) ?? []
  }
}

private struct Behind: Nesting {
  let whole: JSONValue
  let next: [Behind]

  static func decode(_ json: JSON) -> Decoded<Behind> {
    DecodeError.catching { () throws(DecodeError) in
      let next = try json.getIfPresent("next", as: [Behind].self) ?? []
      return Behind(whole: try json.decoded(JSONValue.self).get(), next: next)
    }
  }

  private init(whole: JSONValue, next: [Behind]) { (self.whole, self.next) = (whole, next) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    next = try container.decodeIfPresent([Behind].self, forKey: .next) ?? []
    whole = try JSONValue(from: decoder)
  }
}

extension DecodeError {
  fileprivate static func catching<Model>(
    _ body: () throws(DecodeError) -> Model
  ) -> Decoded<Model> {
    do throws(DecodeError) { return .success(try body()) } catch { return .failure(error) }
  }
}

/// Keeps a part many times, and decodes it.
private struct Repeated: JSONDecodable {
  let parts: [JSONValue]

  static func decode(_ json: JSON) -> Decoded<Repeated> {
    DecodeError.catching { () throws(DecodeError) in
      var parts: [JSONValue] = []
      for _ in 0..<40 { parts.append(try json.get("part")) }
      _ = try parts[39].decode([Int].self)
      return Repeated(parts: parts)
    }
  }
}

@Suite("Values that models keep")
struct CopiedValueTests {
  private static func text(_ depth: Int) -> String {
    let pad = String(repeating: "x", count: 30)
    return (0..<depth).reversed().reduce("") { inner, level in
      #"{"level":\#(level),"pad":"\#(pad)","next":[\#(inner)]}"#
    }
  }

  /// The bytes of all the documents that values retain.
  private func retained(_ values: [JSONValue]) -> Int {
    var documents: [ObjectIdentifier: Int] = [:]
    for value in values {
      documents[ObjectIdentifier(value.document)] = value.document.reference.length
    }
    return documents.values.reduce(0, +)
  }

  private func check(_ model: some Nesting, _ text: String) throws {
    let values = model.values
    #expect(values.count == 60)
    // Alone they would be thirty times the document.
    #expect(retained(values) <= 6 * text.utf8.count)
    let expected = try JSONValue(parsing: text)
    var part = expected
    for (level, value) in values.enumerated() {
      #expect(value["level"].int == level)
      #expect(value == part)
      #expect(value.jsonText() == part.jsonText())
      part = part["next"][0]
    }
  }

  @Test("values that are inside one another are linear in the document", arguments: engines)
  func nested(engine: Engine) throws {
    let text = Self.text(60)
    let options = DecodingOptions(engine: engine)
    try check(Before(decoding: text, options: options), text)
    try check(Behind(decoding: text, options: options), text)
    let decoder = DecantDecoder()
    decoder.options = options
    try check(decoder.decode(Before.self, from: Array(text.utf8)), text)
    try check(decoder.decode(Behind.self, from: Array(text.utf8)), text)
    let models = try [CodableModel<Before>](decoding: "[\(text)]", options: options)
    try check(models[0].model, text)
  }

  @Test("a small value of a large document is small", arguments: engines)
  func small(engine: Engine) throws {
    let items = (0..<500).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let values = try [JSONValue](decoding: "[\(items)]", options: DecodingOptions(engine: engine))
    #expect(values.allSatisfy { $0.document.reference.length < 20 })
    #expect(values[499]["id"].int == 499)
  }

  @Test("errors of a value that shares a copy are told at the value")
  func errors() throws {
    let json = "{\n \"a\":[0],\"part\":[1,\"x\"]}"
    let error = try #require(Repeated.decode(from: json).error)
    #expect(error.path.text == "/part")
    #expect(error.location?.line == 2 && error.location?.column == 17)
    #expect(error.inner?.path.text == "/part/1")
    #expect(error.inner?.location?.column == 20)
    #expect(
      error.message
        == #"in the inner document, 2:20: /part/1: expected an integer, found the string "x""#)
  }

  @Test("a value that shares a copy is read as the document was")
  func rules() throws {
    let json = #"{"part":[1,1],"part":[2,2,]}"#
    let options = DecodingOptions(duplicateKeys: .last, relaxations: .trailingCommas)
    let parts = try Repeated(decoding: json, options: options).parts
    #expect(parts.allSatisfy { $0.array?.map(\.int) == [2, 2] })
    #expect(parts[0].document !== parts[38].document && parts[38].document === parts[39].document)
  }
}
