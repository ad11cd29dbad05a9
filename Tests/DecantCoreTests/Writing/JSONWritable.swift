// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

private struct User: JSONWritable {
  var id: Int
  var name: String
  var email: String?

  func write(to json: inout JSONOutput) {
    json.object { user in
      user.field("id", id)
      user.field("name", name)
      user.fieldIfPresent("email", email)
    }
  }
}

private enum Meal: String, JSONWritable { case lunch, dinner }

/// Has a raw value, and a text of its own.
private enum Level: Int, JSONWritable {
  case low
  func write(to json: inout JSONOutput) { json.value("\(self)") }
}

private struct Scores: JSONWritable {
  var rows: [[Double]]
  func write(to json: inout JSONOutput) {
    json.object { $0.object("all") { $0.field("rows", rows) } }
  }
}

private final class Node: JSONWritable {
  var next: Node?
  func write(to json: inout JSONOutput) { json.object { $0.field("next", next) } }
}

@Suite("JSONWritable")
struct JSONWritableTests {
  @Test("a model writes its members in order, and leaves out what is nil")
  func models() {
    #expect(User(id: 5, name: "Tester", email: nil).jsonText() == #"{"id":5,"name":"Tester"}"#)
    let users = [User(id: 1, name: "A\"\n", email: "a@b.c"), User(id: -2, name: "", email: nil)]
    #expect(
      users.jsonText()
        == #"[{"id":1,"name":"A\"\n","email":"a@b.c"},{"id":-2,"name":""}]"#)
  }

  @Test(
    "scalars",
    arguments: [
      (true.jsonText(), "true"), (Int.min.jsonText(), "-9223372036854775808"),
      (UInt64.max.jsonText(), "18446744073709551615"), (Int8(-7).jsonText(), "-7"),
      (Int128.max.jsonText(), "170141183460469231731687303715884105727"),
      ((0.1).jsonText(), "0.1"), ((1e22).jsonText(), "1e+22"), (Float(0.1).jsonText(), "0.1"),
      ((-0.0).jsonText(), "-0"), ("é\u{1}\\/".jsonText(), #""é\u0001\\/""#),
      (Character("x").jsonText(), #""x""#), (Meal.dinner.jsonText(), #""dinner""#),
      (String?.none.jsonText(), "null"), ([Int]().jsonText(), "[]"),
      ([[1], []].jsonText(), "[[1],[]]"),
      ([String: Int]().jsonText(), "{}"), ([7: true].jsonText(), #"{"7":true}"#),
      (OpenEnum<Meal>.unknown("brunch").jsonText(), #""brunch""#),
      (UInt.max.jsonText(), "18446744073709551615"), (UInt8.max.jsonText(), "255"),
      (UInt128.max.jsonText(), "340282366920938463463374607431768211455"),
      (Int64.min.jsonText(), "-9223372036854775808"), (Substring("a").jsonText(), #""a""#),
      ([1, 2, 3][1...].jsonText(), "[2,3]"), (Set([1]).jsonText(), "[1]"),
      ([Meal.lunch].jsonText(), #"["lunch"]"#), ([Meal?.none].jsonText(), "[null]"),
      (["a": Meal.lunch].jsonText(), #"{"a":"lunch"}"#), ([Level.low].jsonText(), #"["low"]"#),
      (["a": Level?.some(.low)].jsonText(), #"{"a":"low"}"#),
      (
        JSONTimestamp(seconds: 1_709_209_800, nanoseconds: 125_000_000).jsonText(),
        #""2024-02-29T12:30:00.125Z""#
      ),
      (JSONValue(0.1).jsonText(), "0.1"), (JSONValue(1e16).text(), "1e+16"),
      (JSONValue(Double.nan).text(), "null"),
    ])
  func scalars(text: String, expected: String) { #expect(text == expected) }

  @Test("members of every kind: at once, and by the general path where text is laid out")
  func members() throws {
    struct All: JSONWritable {
      let text: String
      let key: JSONKey
      func write(to json: inout JSONOutput) {
        json.object {
          $0.field(key, text)
          $0.field("b", true); $0.field("i", -7); $0.field("u", UInt.max); $0.field("d", 0.5)
          $0.field("f", Float(0.1)); $0.field("w", Int128.min); $0.field("n", Int?.none)
          $0.field("o", Int?.some(1)); $0.field("m", Meal.lunch); $0.field("s", Substring("x"))
          $0.field("e", [String: Int]()); $0.field("a", [[0.5], []]); $0.field("t", [text])
          $0.fieldIfPresent("p", String?.none); $0.fieldIfPresent("q", "x" as String?)
          $0.object("k") {
            $0.array("l") {
              $0.element(1); $0.object { _ in }; $0.array { _ in }
            }
          }
        }
      }
    }
    for length in [0, 1, 3, 4, 7, 8, 14, 15, 16, 17, 33, 64, 65, 300] {
      for text in ["a", "\"", "é", "\n"].map({ String(repeating: $0, count: length) }) {
        for key in ["key", JSONKey(text + "!"), "a\"b"] as [JSONKey] {
          let all = All(text: text, key: key)
          let compact = try JSONValue(parsing: all.jsonBytes())
          for options in [
            JSONWritingOptions(isPretty: true), JSONWritingOptions(sortsKeys: true),
            JSONWritingOptions(escapesSlashes: true),
          ] {
            #expect(try JSONValue(parsing: all.jsonBytes(options)) == compact)
          }
          #expect(compact["t"][0].string == text && compact["u"].text() == "\(UInt.max)")
          #expect(compact.count == 16 && compact["k"].text() == #"{"l":[1,{},[]]}"#)
        }
      }
    }
  }

  @Test("a timestamp reads back, from the year 0 to 9999")
  func timestamps() throws {
    for text in [
      "0000-01-01T00:00:00Z", "0000-02-29T23:59:59Z", "1582-10-15T00:00:00Z",
      "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z", "2000-02-29T12:00:00.5Z",
      "2100-02-28T23:59:59Z", "9999-12-31T23:59:59Z",
    ] {
      #expect(JSONTimestamp(rfc3339: text)?.rfc3339 == text)
    }
    for seconds in stride(from: -62_167_219_200 as Int64, to: 253_402_300_800, by: 86_399 * 997) {
      let text = try #require(JSONTimestamp(seconds: seconds).rfc3339)
      #expect(JSONTimestamp(rfc3339: text)?.seconds == seconds)
    }
    for seconds in [-62_167_219_201, 253_402_300_800, .min, .max] as [Int64] {
      let timestamp = JSONTimestamp(seconds: seconds)
      #expect(timestamp.rfc3339 == nil && timestamp.jsonText() == "null")
      let error = #expect(throws: JSONWritingError.self) { try [timestamp].checkedJSONBytes() }
      #expect(error?.description == "/0: the value has no text")
    }
  }

  @Test("what was decoded with something left out is written without that")
  func lossy() throws {
    let list = try LossyArray<Int>(decoding: #"[1,"2",3]"#)
    #expect(list.jsonText() == "[1,3]")
    let table = try LossyDictionary<String, Int>(decoding: #"{"a":1,"b":"2"}"#)
    #expect(table.jsonText() == #"{"a":1}"#)
  }

  @Test("into a span: if it fits")
  func spans() throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    for capacity in [0, 4, 5, 6] {
      var length = 0
      let bytes = try [UInt8](capacity: capacity) { span in
        length = try [1, 2].appendJSON(to: &span)
      }
      #expect(length == 5 && bytes == (capacity < 5 ? [] : Array("[1,2]".utf8)))
    }
  }

  @Test("absent, null and a value")
  func presence() {
    struct Patch: JSONWritable {
      var name: JSONPresence<String>
      func write(to json: inout JSONOutput) { json.object { $0.field("name", name) } }
    }
    #expect(Patch(name: .absent).jsonText() == "{}")
    #expect(Patch(name: .null).jsonText() == #"{"name":null}"#)
    #expect(Patch(name: .value("A")).jsonText() == #"{"name":"A"}"#)
  }

  @Test("pretty: a member a line, and empty containers in two bytes")
  func pretty() {
    let text = ["a": [1, 2], "b": []].jsonText(JSONWritingOptions(isPretty: true, sortsKeys: true))
    #expect(text == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": []\n}")
  }

  @Test("sorted: by the bytes of the keys, escapes undone, at every level")
  func sorted() {
    struct Keys: JSONWritable {
      func write(to json: inout JSONOutput) {
        json.object { keys in
          for key in ["b", "a\"", "a", "é", "\u{1f}", "a\n", "", "\u{10}", "ab", "\t"] {
            keys.object(JSONKey(key)) {
              $0.field("z", 1); $0.field("y", [2])
            }
          }
        }
      }
    }
    let inner = #"{"y":[2],"z":1}"#
    let keys = ["", #"\t"#, #"\u0010"#, #"\u001f"#, "a", #"a\n"#, #"a\""#, "ab", "b", "é"]
    let expected = "{" + keys.map { "\"\($0)\":\(inner)" }.joined(separator: ",") + "}"
    #expect(Keys().jsonText(JSONWritingOptions(sortsKeys: true)) == expected)
  }

  @Test("slashes are escaped where the options say so")
  func slashes() {
    let options = JSONWritingOptions(escapesSlashes: true)
    #expect(["</script>/": "/"].jsonText(options) == #"{"<\/script>\/":"\/"}"#)
  }

  @Test("a failure behind containers of a document has its path", arguments: [false, true])
  func pathBehindContainers(sortsKeys: Bool) throws {
    for (text, path) in [
      (#"[[1],{"a":[[[]],{"b":{"c":1}},NaN,[0]],"d":[NaN]}]"#, "/1/a/2"),
      (#"{"a":{"b":{},"c":[NaN]}}"#, "/a/c/0"),
      ("[" + String(repeating: "[[],{}],", count: 50) + "[[[NaN]]]]", "/50/0/0/0"),
    ] {
      let options = DecodingOptions(relaxations: .nonFiniteNumbers)
      let value = try JSONValue(parsing: text, options: options)
      let error = #expect(throws: JSONWritingError.self) {
        try value.checkedJSONBytes(JSONWritingOptions(sortsKeys: sortsKeys))
      }
      #expect(error?.path.text == path)
    }
  }

  @Test("containers behind containers of a document", arguments: engines)
  func containersBehindContainers(engine: Engine) throws {
    var text = "1"
    for level in 0..<40 { text = #"[{},[],{"a":\#(text),"b":[[],{"c":[]}]},\#(level)]"# }
    let value = try JSONValue(parsing: text, options: DecodingOptions(engine: engine))
    #expect(value.jsonText() == text)
    #expect(value.jsonText(JSONWritingOptions(sortsKeys: true)) == text)
  }

  @Test("what JSON cannot express is null, or an error with its path")
  func failures() throws {
    let scores = Scores(rows: [[1], [2, .nan, .infinity]])
    #expect(scores.jsonText() == #"{"all":{"rows":[[1],[2,null,null]]}}"#)
    let error = #expect(throws: JSONWritingError.self) { try scores.checkedJSONBytes() }
    #expect(error?.code == .nonFiniteNumber)
    #expect(error?.description == "/all/rows/1/1: JSON has no infinity and no NaN")
    let named = #expect(throws: JSONWritingError.self) {
      try ["\u{1B}[2J": Double.nan].checkedJSONBytes()
    }
    #expect(named?.description == #"/\u001b[2J: JSON has no infinity and no NaN"#)

    var buffer: [UInt8] = [1]
    #expect(throws: JSONWritingError.self) { try scores.appendJSON(to: &buffer) }
    #expect(buffer == [1])
    try [true].appendJSON(to: &buffer)
    #expect(buffer == [1] + Array("[true]".utf8))
  }

  @Test("a cycle ends at the deepest level that is allowed")
  func cycles() {
    let node = Node()
    node.next = node
    defer { node.next = nil }
    let error = #expect(throws: JSONWritingError.self) {
      try node.checkedJSONBytes(JSONWritingOptions(maximumDepth: 3))
    }
    #expect(error?.description == "/next/next/next: too many nested arrays and objects")
    #expect(
      node.jsonText(JSONWritingOptions(maximumDepth: 2)) == #"{"next":{"next":null}}"#)
  }

  @Test("a duplicate key is an error where keys are sorted")
  func duplicates() {
    struct Twice: JSONWritable {
      func write(to json: inout JSONOutput) {
        json.object {
          $0.object("o") {
            $0.field("k", 1); $0.field("k", 2)
          }
        }
      }
    }
    let error = #expect(throws: JSONWritingError.self) {
      try Twice().checkedJSONBytes(JSONWritingOptions(sortsKeys: true))
    }
    #expect(error?.description == "/o/k: duplicate key")
  }

  @Test("texts of any length, across every growth of the buffer")
  func growth() throws {
    for length in [0, 1, 15, 16, 17, 900, 1000, 1023, 1024, 1025, 5000, 70_000] {
      for text in [
        String(repeating: "a", count: length), String(repeating: "\u{1}\"é", count: length),
      ] {
        let model = [text, "end"]
        let back = try [String](decoding: model.jsonBytes())
        #expect(back == model)
      }
      let numbers = Array(0..<length)
      #expect(try [Int](decoding: numbers.jsonBytes()) == numbers)
      let halves = numbers.map { Double($0) / 2 }
      #expect(try [Double](decoding: halves.jsonBytes()) == halves)
    }
  }

  @Test("arrays of arrays of numbers are those that are written number by number, in every layout")
  func arraysOfArrays() {
    /// Writes a number by the general path.
    struct Slow<Number: JSONWritable>: JSONWritable {
      let number: Number
      func write(to json: inout JSONOutput) { number.write(to: &json) }
    }
    func compare<Number: JSONWritable>(_ numbers: [[Number]]) {
      for options in [
        JSONWritingOptions(), JSONWritingOptions(isPretty: true),
        JSONWritingOptions(maximumDepth: 1),
      ] {
        let expected = numbers.map { $0.map { Slow(number: $0) } }.jsonText(options)
        #expect(numbers.jsonText(options) == expected)
      }
    }
    var random = SeededRandom(seed: 7)
    for count in [0, 1, 2, 3, 40, 700] {
      let lengths = (0..<count).map { _ in Int.random(in: 0...4, using: &random) }
      compare(lengths.map { (0..<$0).map { _ in Double.random(in: -180...180, using: &random) } })
      compare(lengths.map { (0..<$0).map { _ in Int.random(in: .min ... .max, using: &random) } })
      compare(lengths.map { (0..<$0).map { _ in Float.random(in: 0...1, using: &random) } })
      compare(lengths.map { [String](repeating: "a\"", count: $0) })
    }
    let long = (0..<3).map { _ in (0..<5000).map { _ in Double.random(in: 0...1, using: &random) } }
    compare(long)
    compare([[1.5, .nan, 2.5], [], [3.5]])
    let error = #expect(throws: JSONWritingError.self) {
      try [[[1.5], [2.5, .infinity], [.nan]]].checkedJSONBytes()
    }
    #expect(error?.description == "/0/1/1: JSON has no infinity and no NaN")
  }

  @Test("doubles and floats: as the standard library's descriptions, but for whole numbers' point")
  func numbers() {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    var state = seed
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
    func trimmed(_ text: String) -> String {
      text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    var wrong: [String] = []
    for round in 0..<rounds(20_000) {
      let double =
        round % 2 == 0
        ? Double(bitPattern: next()) : Double(Int64(bitPattern: next() >> 20)) / 1024
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: next()))
      if double.isFinite, double.jsonText() != trimmed("\(double)") { wrong.append("\(double)") }
      if float.isFinite, float.jsonText() != trimmed("\(float)") { wrong.append("\(float)") }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }
}
