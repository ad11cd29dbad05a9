// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
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
    ])
  func scalars(text: String, expected: String) { #expect(text == expected) }

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
          for key in ["b", "a\"", "a", "é", "\u{1f}", "a\n", ""] {
            keys.object(JSONKey(key)) {
              $0.field("z", 1); $0.field("y", [2])
            }
          }
        }
      }
    }
    let inner = #"{"y":[2],"z":1}"#
    let keys = ["", #"\u001f"#, "a", #"a\n"#, #"a\""#, "b", "é"]
    let expected = "{" + keys.map { "\"\($0)\":\(inner)" }.joined(separator: ",") + "}"
    #expect(Keys().jsonText(JSONWritingOptions(sortsKeys: true)) == expected)
  }

  @Test("slashes are escaped where the options say so")
  func slashes() {
    let options = JSONWritingOptions(escapesSlashes: true)
    #expect(["</script>/": "/"].jsonText(options) == #"{"<\/script>\/":"\/"}"#)
  }

  @Test("what JSON cannot express is null, or an error with its path")
  func failures() throws {
    let scores = Scores(rows: [[1], [2, .nan, .infinity]])
    #expect(scores.jsonText() == #"{"all":{"rows":[[1],[2,null,null]]}}"#)
    let error = #expect(throws: JSONWritingError.self) { try scores.checkedJSONBytes() }
    #expect(error?.code == .nonFiniteNumber)
    #expect(error?.description == "/all/rows/1/1: JSON has no infinity and no NaN")

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
    }
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
    for round in 0..<20_000 {
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
