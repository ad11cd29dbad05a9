// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Numbers that the grammar allows and no Double can hold. libjansson refuses their documents
// (Differences.swift); the native engine keeps their text.

import Decant
import Testing

@Suite("Numbers beyond a Double")
struct BeyondDoubleTests {
  private struct OnlyID: JSONInitializable {
    let id: Int
    init(json: JSON) throws(DecodeError) { id = try json.get("id") }
  }

  private static let numbers = [
    "1e400", "-1e400", "1.7976931348623159e308", "123456789e999999999999999999999",
    "1" + String(repeating: "0", count: 309), "-1" + String(repeating: "0", count: 400) + ".5",
  ]

  @Test("do not matter to a model that does not ask for them", arguments: numbers)
  func notAskedFor(number: String) throws {
    let document = #"{"big":\#(number),"id":1,"more":[\#(number)]}"#
    #expect(try OnlyID(decoding: document).id == 1)
    #expect(
      try OnlyID(decoding: document, options: DecodingOptions(relaxations: .comments)).id == 1)
  }

  @Test("keep their text", arguments: numbers)
  func text(number: String) throws {
    let value = try JSONValue(parsing: "[ \(number) ]")
    #expect(value[0].numberText == number)
    #expect(value[0].double == nil)
    #expect(value[0].int == nil)
    #expect(value.jsonText() == "[\(number)]")
    #expect(try value[0].decode(JSONNumber.self).text == number)
  }

  @Test("are out of range for floating-point fields", arguments: numbers)
  func outOfRange(number: String) throws {
    let document = #"{"a":[0,\#(number)]}"#
    let error = try #require([String: [Double]].decode(from: document).error)
    #expect(error.code == .numberOutOfRange)
    #expect(error.path.description == "/a/1")
    #expect(error.message.hasPrefix("out of range for Double: "))
    #expect([String: [Float]].decode(from: document).error?.code == .numberOutOfRange)
  }

  @Test("are equal if they are the same number")
  func equality() throws {
    let value = try JSONValue(parsing: "[1e400, 10e399, 1e401, 1e99999999999999, 1e99999999999998]")
    #expect(value[0] == value[1])
    #expect(value[0] != value[2])
    #expect(value[3] != value[4])
  }

  @Test("end where the grammar says")
  func grammar() {
    for text in ["[1e400.5]", "[1e+]", "[1e400e1]", "[1e400a]"] {
      #expect(JSONValue.parse(text).error?.code == .invalidNumber, "\(text)")
    }
  }
}
