// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents that are decoded inside another one: JSON in a string, and parts that were kept. Errors have the place of
// the outer document, and the inner place in their text.

import Decant
import DecantLines
import DecantTestSupport
import DecantVocabulary
import Testing

private struct Inner: JSONInitializable, Decodable {
  let a: Int
  init(json: JSON) throws(DecodeError) { a = try json.get("a") }
}

private func inner(_ json: JSON) throws(DecodeError) -> Inner {
  try Inner(decoding: try json.get("log", as: String.self))
}

private struct ByThrowing: JSONInitializable {
  init(json: JSON) throws(DecodeError) { _ = try inner(json) }
}

private struct ByFunction: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByFunction> {
    json.decode("log", as: String.self).flatMap { Inner.decode(from: $0) }.map { _ in ByFunction() }
  }
}

private struct ByBuild: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByBuild> {
    build(
      { (_: Int?, _: Inner) in ByBuild() }, json.decodeIfPresent("n"),
      json.decode("log", as: String.self).flatMap { Inner.decode(from: $0) })
  }
}

private struct ByOperators: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByOperators> {
    { (_: Inner) in ByOperators() }
      <^> (json <| "log" >>- { (text: String) in
        Inner.decode(from: text)
      })
  }
}

private struct ByConversion: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByConversion> {
    json.convert("log", using: JSONConversion<Inner>.embedded).map { _ in ByConversion() }
  }
}

private struct ByType: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByType> {
    json.decode("log", as: JSONEmbedded<Inner>.self).map { _ in ByType() }
  }
}

private struct ByValue: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    _ = try JSONValue(parsing: try json.get("log", as: String.self)).decode(Inner.self)
  }
}

private struct ByCodable: Decodable {
  private enum Key: CodingKey { case log }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    _ = try Inner(decoding: try container.decode(String.self, forKey: .log))
  }
}

private struct ByCodableModel: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByCodableModel> {
    CodableModel<ByCodable>.decode(json).map { _ in ByCodableModel() }
  }
}

/// Keeps a part of the outer document, and decodes it.
private struct ByPart: JSONInitializable {
  init(json: JSON) throws(DecodeError) {
    _ = try json.get("log", as: JSONValue.self).decode(Inner.self)
  }
}

private let texts: [any JSONDecodable.Type] = [
  ByThrowing.self, ByFunction.self, ByBuild.self, ByOperators.self, ByConversion.self, ByType.self,
  ByValue.self, ByCodableModel.self,
]

/// A field that is written as it is read, and another by an inverse inside.
private struct Written: JSONInitializable, JSONWritable {
  let values: [Int]

  init(values: [Int]) { self.values = values }

  init(json: JSON) throws(DecodeError) {
    values = try json.convert("a", using: JSONConversion<[Int]>.embedded).get()
    let others = try json.convert(
      "b", using: JSONConversion<[Int]>.embedded(.array(of: .fromString))
    ).get()
    if others != values { throw .custom("expected the values of a") }
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.field("a", values, using: .embedded)
      $0.field("b", values, using: .embedded(.array(of: .fromString)))
    }
  }
}

@Suite("Errors of inner documents")
struct InnerDocumentTests {
  private static let wrong =
    #"in the inner document, 1:6: /a: expected an integer, found the string "x""#
  private static let wrongJansson =
    #"in the inner document, /a: expected an integer, found the string "x""#

  /// `log` as JSON in a string, and as a part.
  private func document(_ isText: Bool) -> String {
    isText ? #"{"log":"{\"a\":\"x\"}"}"# : #"{"log":{"a":"x"}}"#
  }

  private func check<Model: JSONDecodable>(
    _ type: Model.Type, isText: Bool, _ engine: Engine
  ) throws {
    let text = document(isText)
    let options = DecodingOptions(engine: engine, sourceName: "outer.json")
    // Only a document that is read by libjansson knows no places; the programs' inner ones are native.
    let isPlaced = engine == .native || type != ByConversion.self && type != ByType.self
    let message = isPlaced ? Self.wrong : Self.wrongJansson
    func expect(_ error: DecodeError?, _ path: String, _ place: String) throws {
      let error = try #require(error, "\(type)")
      #expect(error.path.text == path, "\(type)")
      #expect(error.message == message, "\(type)")
      #expect(error.code == .invalidValue, "\(type)")
      #expect(error.inner?.path == "/a", "\(type)")
      #expect(error.inner?.code == .typeMismatch, "\(type)")
      if engine == .native {
        let location = try #require(error.location, "\(type)")
        #expect("\(location.line):\(location.column)" == place, "\(type)")
      }
    }
    try expect(Model.decode(from: text, options: options).error, "/log", "1:8")
    #expect(
      Model.decode(from: text, options: options).error?.description.hasPrefix(
        (engine == .native ? "outer.json:1:8: " : "outer.json: ") + "/log: " + message) == true,
      "\(type)")
    try expect([Model].decode(from: "[\n " + text + "]", options: options).error, "/0/log", "2:9")
    try expect(
      [String: [Model]].decode(from: #"{"k":["# + text + "]}", options: options).error,
      "/k/0/log", "1:14")
    // A part of a value that is kept is of its document.
    let value = try JSONValue(parsing: "[\(text)]", options: options)
    if isText { try expect(value[0].decoded(Model.self).error, "/0/log", "1:9") }
    let lines = Array(JSONLines<Model>(" 1\n" + text + "\n", options: options))
    try expect(lines[1].result.error, "/log", "2:8")
  }

  @Test("of JSON in a string have the place of the string", arguments: engines)
  func texts(_ engine: Engine) throws {
    for type in DecantLinesTests.texts { try check(type, isText: true, engine) }
  }

  @Test("of a part that was kept have the place of the part", arguments: engines)
  func parts(_ engine: Engine) throws { try check(ByPart.self, isText: false, engine) }

  @Test(
    "have the place of the string, whichever of many members it is and however long",
    arguments: engines)
  func large(_ engine: Engine) throws {
    let pad = String(repeating: "\u{e9}", count: 70_000)
    let members = (0..<300).map { #""k\#($0)":"{\"a\":\"y\"}""# }.joined(separator: ",")
    func check<Model: JSONDecodable>(_ type: Model.Type) {
      for (inner, path) in [
        (#"{"a":"x","pad":"\#(pad)"}"#, "/a"), (#"{"a":1x,"pad":"\#(pad)"}"#, ""),
        (#"[{"a":"x"}]"#, ""),
      ] {
        let string = JSONValue(inner).jsonText()
        let text = #"{\#(members),"log":\#(string),"last":"\#(pad)"}"#
        let error = Model.decode(from: text, options: DecodingOptions(engine: engine)).error
        #expect(error?.path.text == "/log", "\(type)")
        #expect(error?.inner?.path.text == path, "\(type)")
      }
    }
    for type in DecantLinesTests.texts { check(type) }
  }

  /// Several errors in a document that is in one of many members.
  private struct Several: JSONInitializable {
    init(json: JSON) throws(DecodeError) {
      let options = DecodingOptions(maximumErrors: 60_000)
      _ = try [Int](decoding: try json.get("log", as: String.self), options: options)
    }
  }

  @Test("are told at one string, for which is looked once", .timeLimit(.minutes(1)))
  func several() throws {
    let count = rounds(5_000)
    let members = (0..<count).map { #""k\#($0)":[[],[],{}]"# }.joined(separator: ",")
    let text = #"{\#(members),"log":"[\#(String(repeating: "[],", count: count))[]]"}"#
    let options = DecodingOptions(maximumErrors: 60_000)
    let error = try #require(Several.decode(from: text, options: options).error)
    #expect(error.underlying.count == count + 1)
    #expect(error.underlying.allSatisfy { $0.path.text == "/log" })
  }

  @Test("are shown with the outer line")
  func shown() {
    #expect(
      ByThrowing.decode(from: document(true)).error?.description == #"""
        1:8: /log: in the inner document, 1:6: /a: expected an integer, found the string "x"
          {"log":"{\"a\":\"x\"}"}
                 ^~~~~~~~~~~~~~~
        """#)
    #expect(
      ByConversion.decode(from: #"{"log":"{\"a\":"}"#).error?.message
        == "in the inner document, 1:6: the input ends too early: expected a value; the object begins at 1:1"
    )
  }

  @Test("are about the object where two of its strings spell the document")
  func ambiguous() {
    let error = ByThrowing.decode(from: #"{"log":"{}","log2":"{}"}"#).error
    #expect(error?.path == "")
    #expect(error?.location?.column == 1)
  }

  @Test("of a document that tells no values tell none")
  func redacted() {
    for type in DecantLinesTests.texts {
      func message<Model: JSONDecodable>(_ type: Model.Type) -> String? {
        type.decode(from: document(true), options: DecodingOptions(redactsInput: true))
          .error?.description
      }
      #expect(message(type)?.contains(#""x""#) == false, "\(type)")
    }
  }

  @Test("options reach the document in a string")
  func options() {
    let nested = #"{"log":"[[[[1]]]]"}"#
    struct Deep: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Deep> {
        json.convert("log", using: JSONConversion<JSONValue>.embedded).map { _ in Deep() }
      }
    }
    #expect(Deep.decode(from: nested).error == nil)
    let error = Deep.decode(from: nested, options: DecodingOptions(maximumDepth: 3)).error
    #expect(error?.code == .tooDeep)
    #expect(error?.path == "/log")
  }

  @Test("of Codable models have the path of the string")
  func codable() throws {
    for (decoder, shows) in [(showingDecoder(), true), (DecantDecoder(), false)] {
      do {
        _ = try decoder.decode([ByCodable].self, from: "[\(document(true))]")
        Issue.record("decoded")
      } catch let error as DecodeError {
        #expect(error.path == "/0/log")
        #expect((error.message == Self.wrong) == shows)
        #expect(error.description.contains(#""x""#) == shows)
      }
    }
  }

  @Test("JSON in a string is written as it is read")
  func written() throws {
    let value = JSONEmbedded([["a": 1]])
    #expect(value.jsonText() == #""[{\"a\":1}]""#)
    #expect(try JSONEmbedded<[[String: Int]]>(decoding: value.jsonText()) == value)
    let twice = JSONEmbedded(value)
    #expect(try JSONEmbedded<JSONEmbedded<[[String: Int]]>>(decoding: twice.jsonText()) == twice)
    #expect(Written(values: [1, 2]).jsonText() == #"{"a":"[1,2]","b":"[\"1\",\"2\"]"}"#)
    #expect(try Written(decoding: Written(values: [1, 2]).jsonText()).values == [1, 2])
    #expect(throws: JSONWritingError.self) { try JSONEmbedded([Double.nan]).checkedJSONBytes() }
  }
}

private struct PA: JSONInitializable {
  init(json: JSON) throws(DecodeError) { _ = try json.get("x", as: Int.self) }
}
private struct PB: JSONInitializable {
  init(json: JSON) throws(DecodeError) { _ = try json.get("y", as: [String].self) }
}

private struct ByOr: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByOr> {
    json.converted(
      using: JSONConversion<ByOr>.model { (_: PA) in ByOr() }.or(.model { (_: PB) in ByOr() }))
  }
}
private struct ByBar: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<ByBar> {
    PA.decode(json).map { _ in ByBar() } <|> PB.decode(json).map { _ in ByBar() }
  }
}
/// A union that is nested in its first alternative.
private struct Nested: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Nested> {
    json.decode("n", as: Nested.self) <|> PB.decode(json).map { _ in Nested() }
  }
}

@Suite("Errors of unions of models")
struct UnionTests {
  private static let message =
    #"none of 2 alternatives: /x: expected an integer, found the string "1"; /y: the key is missing"#

  @Test("tell what is wrong with each", arguments: engines)
  func each(_ engine: Engine) {
    func check<Model: JSONDecodable>(_ type: Model.Type) {
      let options = DecodingOptions(engine: engine)
      let error = [Model].decode(from: #"[{"x":"1"}]"#, options: options).error
      #expect(error?.message == Self.message, "\(type)")
      #expect(error?.path == "/0", "\(type)")
      #expect(error?.code == .invalidValue, "\(type)")
      #expect(error?.location?.column == (engine == .native ? 2 : nil))
      let other = [Model].decode(from: "[5]", options: options).error
      #expect(other?.message == "expected an object, found the number 5", "\(type)")
    }
    check(ByOr.self)
    check(ByBar.self)
  }

  @Test("of many alternatives tell eight")
  func many() {
    let json = #"{"a":0}"#
    func union(_ count: Int) -> String? {
      let value = JSONValue.parse(json).value
      let conversion = (0..<count).reduce(JSONConversion<Int>.model(at: "k") { (n: Int) in n }) {
        union, place in union.or(JSONConversion { $0.decode(JSONKey("k\(place)")) })
      }
      return value?.converted(using: conversion).error?.message
    }
    #expect(union(2)?.hasPrefix("none of 3 alternatives: /k: the key is missing; /k0: ") == true)
    #expect(union(2_000)?.hasPrefix("none of 2001 alternatives: ") == true)
    #expect(union(2_000)?.hasSuffix("; …") == true)
  }

  @Test("that are nested are told three deep, in linear time", .timeLimit(.minutes(1)))
  func nested() {
    for depth in [1, 2, 10, 400] {
      let text =
        String(repeating: #"{"n":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
      let error = Nested.decode(from: text).error
      #expect((error?.description.utf8.count ?? .max) < 2_000)
      #expect(
        error?.message.hasPrefix("none of 2 alternatives: /n: none of 2 alternatives") == true)
    }
  }
}
