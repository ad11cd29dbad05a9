// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@JSONModel(tag: "type") enum Shape: Equatable {
  case circle(radius: Double)
  case square(side: Double, name: String?)
  case place(Address)
  @JSONField("none") case nothing
  case other(JSONValue)
}

@JSONModel(cases: .snakeCase, tag: "t", content: "c") enum Message: Equatable {
  case plainText(String), move(x: Int, y: Int), ping
  case unknown(String, JSONValue)
}

@JSONModel(untagged: true) enum Identifier: Equatable {
  case number(Int), name(String), pair(first: Int, second: Int)
}

@JSONModel enum Keyed: Equatable {
  case one(x: Int), two(Int, String?), three
}

@JSONModel enum Renamed: Equatable {
  @JSONField("big", "large") case big(Int)
  @JSONField("small", "little") case small
}

@JSONModel(closed: true, tag: "t") enum ClosedUnion: Equatable { case a(b: Int) }

@JSONModel(tag: "type") enum Numbered: Equatable {
  @JSONField(1, 3) case circle(radius: Double)
  @JSONField(2) case place(Address)
  case other(Int, JSONValue)
}

@JSONModel(tag: "n") enum Numbers: Equatable {
  @JSONField(-1) case minus
  @JSONField(1_000) case many
}

@JSONModel enum Word: Equatable { case yes, no, other(String) }

@Suite("@JSONModel on enums")
struct EnumTests {
  private func check<Model: JSONDecodable & JSONWritable & Equatable>(
    _ engine: DecodingOptions.Engine, _ text: String, _ model: Model, _ written: String? = nil
  ) throws {
    #expect(try Model(decoding: text, options: DecodingOptions(engine)) == model)
    #expect(model.jsonText() == written ?? text)
  }

  private func error<Model: JSONDecodable>(
    _ engine: DecodingOptions.Engine, _ text: String, _ type: Model.Type
  ) -> [String] {
    guard let error = Model.decode(from: text, options: DecodingOptions(engine)).error else {
      return []
    }
    return (error.underlying.isEmpty ? [error] : error.underlying).map {
      "\($0.path): \($0.message)"
    }
  }

  @Test("a tag beside the values", arguments: engines)
  func tag(engine: DecodingOptions.Engine) throws {
    try check(engine, #"{"type":"circle","radius":2.5}"#, Shape.circle(radius: 2.5))
    try check(engine, #"{"type":"square","side":2}"#, Shape.square(side: 2, name: nil))
    try check(engine, #"{"type":"place","city":"c"}"#, Shape.place(Address(city: "c")))
    try check(engine, #"{"type":"none"}"#, Shape.nothing)
    let unknown = #"{"type":"star","points":5}"#
    try check(engine, unknown, Shape.other(JSONValue(parsing: unknown)))
    #expect(
      error(engine, #"{"type":"square","side":"2","name":3}"#, Shape.self) == [
        #"/side: expected a number, found the string "2""#,
        "/name: expected a string, found the number 3",
      ])
    #expect(error(engine, #"{"side":2}"#, Shape.self) == ["/type: the key is missing"])
  }

  @Test("a tag and a content", arguments: engines)
  func content(engine: DecodingOptions.Engine) throws {
    try check(engine, #"{"t":"plain_text","c":"hello"}"#, Message.plainText("hello"))
    try check(engine, #"{"t":"move","c":{"x":1,"y":2}}"#, Message.move(x: 1, y: 2))
    try check(engine, #"{"t":"ping"}"#, Message.ping)
    #expect(
      error(engine, #"{"t":"move","c":{"x":1,"y":"2"}}"#, Message.self)
        == [#"/c/y: expected an integer, found the string "2""#])
    guard case .unknown("pong", let value) = try Message(decoding: #"{"t":"pong","c":[1]}"#) else {
      Testing.Issue.record("not the unknown case")
      return
    }
    #expect(value["c"][0].int == 1)
  }

  @Test("no tag: the first that decodes", arguments: engines)
  func untagged(engine: DecodingOptions.Engine) throws {
    try check(engine, "5", Identifier.number(5))
    try check(engine, #""n""#, Identifier.name("n"))
    try check(engine, #"{"first":1,"second":2}"#, Identifier.pair(first: 1, second: 2))
    #expect(!error(engine, "true", Identifier.self).isEmpty)
  }

  @Test("a key for the case, as Codable writes it", arguments: engines)
  func keyed(engine: DecodingOptions.Engine) throws {
    try check(engine, #"{"one":{"x":1}}"#, Keyed.one(x: 1))
    try check(engine, #"{"two":{"_0":1}}"#, Keyed.two(1, nil))
    try check(engine, #"{"three":{}}"#, Keyed.three)
    try check(engine, #""three""#, Keyed.three, #"{"three":{}}"#)
    #expect(
      error(engine, #"{"four":{}}"#, Keyed.self) == [
        #": the key "four" is not one of "one", "two", "three""#
      ])
  }

  @Test("several names of a case: each is read, the first is written", arguments: engines)
  func renamed(engine: DecodingOptions.Engine) throws {
    try check(engine, #"{"large":{"_0":1}}"#, Renamed.big(1), #"{"big":{"_0":1}}"#)
    try check(engine, #"{"big":{"_0":1}}"#, Renamed.big(1))
    try check(engine, #""little""#, Renamed.small, #"{"small":{}}"#)
    #expect(
      error(engine, #"{"large":{"_0":"x"}}"#, Renamed.self) == [
        #"/large/_0: expected an integer, found the string "x""#
      ])
  }

  @Test("names, and the text of an unknown one", arguments: engines)
  func names(engine: DecodingOptions.Engine) throws {
    try check(engine, #""yes""#, Word.yes)
    try check(engine, #""maybe""#, Word.other("maybe"))
    #expect(error(engine, "1", Word.self) == [": expected a string, found the number 1"])
  }

  @Test("unknown members of a union's objects", arguments: engines)
  func unknown(engine: DecodingOptions.Engine) throws {
    func told<Model: JSONDecodable>(_ text: String, _ type: Model.Type) -> [String] {
      let options = DecodingOptions(engine, rejecting: true)
      let error = Model.decode(from: text, options: options).error
      guard let error else { return [] }
      return (error.underlying.isEmpty ? [error] : error.underlying).map {
        "\($0.path): \($0.message)"
      }
    }
    #expect(told(#"{"type":"circle","radius":2.5}"#, Shape.self) == [])
    #expect(
      told(#"{"type":"circle","radius":2.5,"radus":1}"#, Shape.self) == [
        #"/radus: unknown key "radus"; did you mean "radius"?"#
      ])
    #expect(told(#"{"type":"place","city":"c"}"#, Shape.self) == [])
    #expect(told(#"{"type":"place","city":"c","x":1}"#, Shape.self) == [#"/x: unknown key "x""#])
    #expect(told(#"{"type":"none","x":1}"#, Shape.self) == [#"/x: unknown key "x""#])
    #expect(told(#"{"type":"star","points":5}"#, Shape.self) == [])
    #expect(
      told(#"{"t":"move","c":{"x":1,"y":2,"z":3},"d":4}"#, Message.self) == [
        #"/d: unknown key "d""#, #"/c/z: unknown key "z""#,
      ])
    #expect(told(#"{"t":"ping"}"#, Message.self) == [])
    #expect(told(#"{"first":1,"second":2,"third":3}"#, Identifier.self).count == 1)
    #expect(told(#"{"one":{"x":1,"y":2}}"#, Keyed.self) == [#"/one/y: unknown key "y""#])
    #expect(told(#""three""#, Keyed.self) == [])
    #expect(
      error(engine, #"{"t":"a","b":1,"x":1}"#, ClosedUnion.self) == [#"/x: unknown key "x""#])
  }

  @Test("tags that are numbers", arguments: engines)
  func numbers(engine: DecodingOptions.Engine) throws {
    try check(engine, #"{"type":1,"radius":2.5}"#, Numbered.circle(radius: 2.5))
    try check(
      engine, #"{"type":3,"radius":2}"#, Numbered.circle(radius: 2), #"{"type":1,"radius":2}"#)
    try check(engine, #"{"type":2,"city":"c"}"#, Numbered.place(Address(city: "c")))
    guard case .other(7, let value) = try Numbered(decoding: #"{"type":7,"x":1}"#) else {
      Testing.Issue.record("not the unknown case")
      return
    }
    #expect(value.jsonText() == #"{"type":7,"x":1}"#)
    try check(engine, #"{"n":-1}"#, Numbers.minus)
    try check(engine, #"{"n":1000}"#, Numbers.many)
    #expect(
      error(engine, #"{"n":2}"#, Numbers.self) == ["/n: the number 2 is not one of -1, 1000"])
    #expect(
      error(engine, #"{"n":"1"}"#, Numbers.self) == [
        #"/n: expected an integer, found the string "1""#
      ])
  }
}
