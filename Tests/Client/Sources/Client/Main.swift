// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The promised surface, compiled and run as a client: prints `N passed, N failed`.

import CJansson
import Decant
import DecantFoundation
import DecantJansson
import DecantVocabulary
import Foundation

@main
struct Client {
  static func main() throws {
    var check = Check()
    try decoding(&check)
    try unknownTypes(&check)
    try everyKindOfBytes(&check)
    try values(&check)
    try views(&check)
    try options(&check)
    hostTrees(&check)
    print("\(check.passed) passed, \(check.failed) failed")
    exit(check.failed == 0 ? 0 : 1)
  }

  static let json = #"{"id":5,"name":"Tester","email":"tester@test.com"}"#
  static let user = User(id: 5, name: "Tester", email: "tester@test.com")

  static func decoding(_ check: inout Check) throws {
    check.equal(try User(decoding: json), user)
    let result: Result<User, DecodeError> = User.decode(from: json)
    check.equal(try result.get(), user)
    check.equal(try BuiltUser(decoding: json).name, "Tester")
    check.equal(try ThrowingUser(decoding: json).email, "tester@test.com")
    check.equal(try User(decoding: #"{"id":5,"name":"Tester"}"#).email, nil)
    check.fails(
      "1:7: /id: expected an integer, found the string \"5\"\n1:1: /name: the key is missing"
    ) {
      try User(decoding: #"{"id":"5"}"#)
    }
    check.fails("1:1: /id: the key is missing\n1:1: /name: the key is missing") {
      try BuiltUser(decoding: "{}")
    }
    check.fails("1:1: /id: the key is missing") { try ThrowingUser(decoding: "{}") }
    let profile = try Profile(
      decoding: #"""
        {"id":18446744073709551615,"ratio":0.5,"initial":"Æ","tags":["a"],"meals":["lunch","lunch"],
         "scores":{"x":1},"address":{"city":"Oslo","zip":"0150"},"extra":{"any":[1.50]},
         "owner":{"id":1,"name":"O"}}
        """#)
    check.equal(profile.id, .max)
    check.equal(profile.initial, "Æ")
    check.equal(profile.notes, nil)
    check.equal(profile.meals, [.lunch])
    check.equal(profile.city + profile.zip, "Oslo0150")
    check.equal(profile.extra.text(), #"{"any":[1.50]}"#)
    check.equal(profile.owner?.name, "O")
    check.equal(try Age(decoding: #"{"years":7}"#).years, 7)
    check.fails("age: Out of range (-3)") { try Age(decoding: #"{"age":-3}"#) }
  }

  /// Elements whose type the compiler does not know: optimized, arrays and dictionaries of them have a way of their own.
  static func unknownTypes(_ check: inout Check) throws {
    let kinds: [(type: any JSONDecodable.Type, json: String, value: String)] = [
      (Int.self, "-7", "-7"), (UInt8.self, "7", "7"), (Double.self, "0.25", "0.25"),
      (Bool.self, "true", "true"), (String.self, #""a""#, "a"), ([Int].self, "[1,2]", "[1, 2]"),
    ]
    for engine in [DecodingOptions.Engine.native, .jansson] {
      let options = DecodingOptions(engine: engine)
      for (type, json, value) in kinds {
        for count in 0...17 {
          let texts = Array(repeating: json, count: count)
          let values = Array(repeating: value, count: count)
          check.equal(
            try array(of: type, "[" + texts.joined(separator: ",") + "]", options), values)
          let members = texts.enumerated().map { "\"\($0)\":\($1)" }.joined(separator: ",")
          check.equal(try dictionary(of: type, "{" + members + "}", options).count, count)
        }
        let last = DecodingOptions(engine: engine, duplicateKeys: .last)
        check.equal(
          try dictionary(of: type, #"{"a":{},"b":\#(json),"a":\#(json)}"#, last),
          ["a": value, "b": value])
      }
    }
    let integer = kinds[0].type
    check.equal(
      try dictionary(of: integer, #"{"a":1,"b":2,"a":3}"#),
      ["a": "1", "b": "2"])
    check.fails(
      "1:5: /1: expected an integer, found the string \"x\"\n1:13: /3: expected an integer, found null"
    ) {
      try array(of: integer, #"[1, "x", 2, null]"#)
    }
    check.fails(
      "1:6: /a: expected an integer, found an empty object\n1:21: /c: expected an integer, found true"
    ) {
      try dictionary(of: integer, #"{"a":{},"b":2,"c":  true,"a":3}"#)
    }
  }

  @inline(never)
  static func array<Element: JSONDecodable>(
    of type: Element.Type, _ json: String, _ options: DecodingOptions = DecodingOptions()
  ) throws -> [String] {
    try [Element](decoding: json, options: options).map { "\($0)" }
  }

  @inline(never)
  static func dictionary<Value: JSONDecodable>(
    of type: Value.Type, _ json: String, _ options: DecodingOptions = DecodingOptions()
  ) throws -> [String: String] {
    try [String: Value](decoding: json, options: options).mapValues { "\($0)" }
  }

  static func everyKindOfBytes(_ check: inout Check) throws {
    let bytes = Array(json.utf8)
    check.equal(try User(decoding: bytes), user)
    check.equal(try User(decoding: bytes[...]), user)
    check.equal(try User(decoding: Substring(json)), user)
    check.equal(try User(decoding: Data(bytes)), user)
    check.equal(try User(decoding: bytes.span), user)
    check.equal(try User(decoding: bytes.span.bytes), user)
    check.equal(try bytes.withUnsafeBytes { try User(decoding: $0) }, user)
    check.equal(try bytes.withUnsafeBufferPointer { try User(decoding: $0) }, user)
    let literal: StaticString = #"{"id":5,"name":"Tester","email":"tester@test.com"}"#
    check.equal(try User(decoding: literal), user)
  }

  static func values(_ check: inout Check) throws {
    let value = try JSONValue(parsing: #"{"user":\#(json),"ids":[7,8],"users":[\#(json)]}"#)
    check.equal(value["user"]["name"].string, "Tester")
    check.equal(value["ids"][0].int, 7)
    check.equal(value["nobody"]["name"].string, nil)
    check.equal(try value["user"].decode(User.self), user)
    check.equal(try value["user"].decode(User.self), user)
    var names: [String] = []
    for element in value["users"].array ?? [] { names.append(element["name"].string ?? "") }
    check.equal(names, ["Tester"])
    let literal: JSONValue = ["id": 5, "tags": ["a", 1, nil, true, 2.5]]
    check.equal(literal.text(), #"{"id":5,"tags":["a",1,null,true,2.5]}"#)
    check.equal(
      try JSONValue(parsing: literal.jsonBytes(JSONWritingOptions(isPretty: true))), literal)
    check.equal(Set([literal, literal]).count, 1)
    if case .string(let text) = value["user"]["name"].content { check.equal(text, "Tester") }
    check.fails("1:1: /nobody: the key is missing") { try value["nobody"].decode(User.self) }
  }

  static func views(_ check: inout Check) throws {
    let text = #"{"user":{"name":"T","on":true},"ids":[3,4],"flag":false}"#
    check.equal(
      try Summary(decoding: text).lines,
      [
        "T", "3", "element 3", "element 4", "each 3", "each 4", "name string", "on bool", "nothing",
        "off",
      ])
    let value = try JSONValue(parsing: text)
    let view = value.view
    check.equal(view["user"]["name"].string, "T")
    check.equal(try view.get(["ids", 1], as: Int.self), 4)
    check.equal(try view.getIfPresent("absent", as: Int.self), nil)
    check.equal(try view.from("user.on", as: Bool.self), true)
    check.equal(view.optionalFrom("user.off") ?? true, true)
    check.equal(
      try value.withView { (json) throws(DecodeError) in try json.get("flag", as: Bool.self) },
      false)
    let verified: Decoded<Bool> = view.decode("verified", default: true)
    check.equal(verified.value, true)
  }

  static func options(_ check: inout Check) throws {
    let options = DecodingOptions(engine: .jansson, maximumDepth: 64)
    check.equal(try [User](decoding: "[\(json)]", options: options), [user])
    check.fails("1:2: nested too deeply: the limit is 1 levels") {
      try JSONValue(parsing: "[[]]", options: DecodingOptions(maximumDepth: 1))
    }
    check.fails("1:4: the input is too large: the limit is 3 bytes") {
      try JSONValue(parsing: "[[]]", options: DecodingOptions(maximumBytes: 3))
    }
    let last = DecodingOptions(duplicateKeys: .last)
    check.equal(try [String: Int](decoding: #"{"a":1,"a":2}"#, options: last), ["a": 2])
    do throws(DecodeError) {
      _ = try User(
        decoding: #"{"id":1.5,"name":7}"#, options: DecodingOptions(sourceName: "u.json"))
    } catch {
      check.equal(error.code, .multiple)
      check.equal(error.path, "/id")
      check.equal(error.location?.offset, 6)
      check.equal(error.location?.line, 1)
      check.equal(error.location?.column, 7)
      check.equal(error.underlying.map(\.code), [.notAnInteger, .typeMismatch])
      check.that(error.description.hasPrefix("u.json:1:7: /id: "), error.description)
    }
  }

  static func hostTrees(_ check: inout Check) {
    let tree = json_loads(json, 0, nil)
    defer { json_decref(tree) }
    check.equal(User.decode(jansson: tree).value, user)
    check.equal(JSONValue(jansson: tree)?["name"].string, "Tester")
    check.equal(User.decode(jansson: nil).error?.code, .invalidArgument)
  }
}
