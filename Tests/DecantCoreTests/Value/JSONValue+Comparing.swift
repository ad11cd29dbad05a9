// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("JSONValue: literals, equality, writing")
struct JSONValueComparingTests {
  private func value(_ json: String, _ engine: Engine = .native) throws -> JSONValue {
    try JSONValue(parsing: json, options: .on(engine))
  }

  @Test("strings are compared code unit by code unit (RFC 8259 §8.3)", arguments: engines)
  func codeUnits(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    let composed = try JSONValue(parsing: #""\u00e9""#, options: options)
    let decomposed = try JSONValue(parsing: #""e\u0301""#, options: options)
    #expect(composed != decomposed)
    #expect(composed == "\u{E9}")
  }

  // Otherwise a document can have thousands of values that a set takes for one another.
  @Test("what is not equal has another hash, even if it is canonically equivalent")
  func hashesOfCodeUnits() throws {
    for (left, right) in [
      (#""\u00e9""#, #""e\u0301""#), (#"{"\u00e9":1}"#, #"{"e\u0301":1}"#),
      (#""a\u0327\u0301""#, #""a\u0301\u0327""#),
      // Where the key ends, and the kind of its value, are no part of either.
      (
        #"{"a\u0005\u0000\u0000\u0000b":"c"}"#, #"{"a":"b\u0005\u0000\u0000\u0000c"}"#
      ),
    ] {
      #expect(try value(left).hashValue != value(right).hashValue, "\(left) \(right)")
    }
  }

  @Test("literals say what JSON would")
  func literals() throws {
    let literal: JSONValue = [
      "id": 5, "pi": 3.5, "name": "T\"e\n\u{1}", "on": true, "none": nil,
      "list": [1, "two", [nil], [:]], "": -0.0,
    ]
    #expect(
      literal.text()
        == #"{"id":5,"pi":3.5,"name":"T\"e\n\u0001","on":true,"none":null,"list":[1,"two",[null],{}],"":-0}"#
    )
    #expect(JSONValue(UInt64.max).text() == "18446744073709551615")
    #expect(JSONValue(Double.nan).text() == "null")
    #expect(JSONValue(Double.infinity).isNull)
    #expect(JSONValue(1e300).double == 1e300)
    #expect(JSONValue(0x1p-1074).double == 0x1p-1074)
    #expect(JSONValue([literal["id"], literal["nobody"]]).text() == "[5,null]")
    #expect(JSONValue(members: [("a", 1), ("a", 2)]).text() == #"{"a":1,"a":2}"#)
    #expect(JSONValue(members: [("a", 1), ("a", 2)])["a"].int == 1)
    let object: JSONValue = ["b": 1, "a": 2]
    let more = JSONValue(members: (object.members ?? []) + [("c", 3)])
    #expect(more.text() == #"{"b":1,"a":2,"c":3}"#)
    #expect(JSONValue(members: object.object ?? [:]) == object)
    let pairs: [(String, JSONValue)] = [("a", 1)]
    #expect(JSONValue(members: pairs).text() == #"{"a":1}"#)
    let empty: JSONValue = []
    #expect(empty.kind == .array)
    #expect(JSONValue(true).bool == true)
    #expect(JSONValue(false).bool == false)
    #expect(JSONValue("é").text() == #""é""#)
  }

  @Test("equal values, however they are spelled")
  func equality() throws {
    let classes: [[String]] = [
      ["1", "1.0", "10e-1", "1e0", "0.1E1", "100e-2", "1.000"], ["0", "-0", "0.0", "-0e5", "0e-9"],
      ["100", "1e+2", "1E+02"],
      ["-1", "-1.0"], ["1e-400", "0.1e-399", "10e-401"],
      ["9007199254740993", "9007199254740993.0"],
      ["9007199254740992"],
      ["123456789012345678901234567890", "1.2345678901234567890123456789e29"],
      ["123456789012345678901234567891"], ["null"], ["true"], ["false"], [#""""#],
      [#""a""#, #""\u0061""#, " \"a\" "], [#""A""#], [#""1""#], ["[]", "[ ]"], ["[1]", "[1.0]"],
      ["[1,1]"], ["[[]]"], ["{}", "{ }"], ["[{}]"],
      [
        #"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#, #"{"\u0062":[2],"a":1}"#,
        #"{"a":1,"b":[2],"a":7}"#,
      ],
      [#"{"a":1,"b":[3]}"#], [#"{"a":1}"#, #"{"a":1,"a":2}"#], [#"{"a":2}"#], [#"{"b":1}"#],
      [#"{"a":{"b":1}}"#], [#"{"a":{"b":1},"b":1}"#], [#"{"a":null}"#],
    ]
    for (place, left) in classes.enumerated() {
      for (other, right) in classes.enumerated() {
        for a in left {
          for b in right {
            let (x, y) = (try value(a), try value(b))
            #expect((x == y) == (place == other), "\(a) \(b)")
            if place == other { #expect(x.hashValue == y.hashValue, "\(a) \(b)") }
          }
        }
      }
    }
  }

  @Test("a set of values, and values of two engines")
  func hashing() throws {
    let set = Set([
      try value("1"), try value("1.0"), try value("[1]"), 1, [1], nil, try value("null"),
    ])
    #expect(set.count == 3)
    for json in [#"{"a":[1,2.5,"x",null,true],"b":{"c":{}}}"#, "[]", "1.5", "-7", #""é\n""#] {
      let values = try engines.map { try value(json, $0) }
      for other in values {
        #expect(values[0] == other, "\(json)")
        #expect(values[0].hashValue == other.hashValue, "\(json)")
      }
    }
    #expect(try value("{}")["a"] == value("[]")["b"])
    #expect(try value("{}")["a"] != value("null"))
  }

  @Test("the rule for duplicates counts in equality", arguments: engines)
  func duplicateEquality(engine: Engine) throws {
    let last = DecodingOptions(engine: engine, duplicateKeys: .last)
    let value = try JSONValue(parsing: #"{"a":1,"a":2}"#, options: last)
    #expect(value == ["a": 2])
    #expect(value != ["a": 1])
    #expect(value.hashValue == (["a": 2] as JSONValue).hashValue)
  }

  @Test("keys are compared by their bytes, in linear time")
  func wideObjects() throws {
    let members = (0..<rounds(50_000)).map { #""k\#($0)":\#($0)"# }
    let value = try value("{" + members.joined(separator: ",") + "}")
    let other = try self.value("{" + members.reversed().joined(separator: ",") + "}")
    // Quadratic, these take minutes.
    #expect(value == other)
    #expect(value.hashValue == other.hashValue)
    let (composed, decomposed) = (#"{"\u00e9":1}"#, #"{"e\u0301":1}"#)
    #expect(try self.value(composed) != self.value(decomposed))
  }

  @Test("writing: verbatim, compact, pretty, each of which parses to an equal value")
  func writing() throws {
    let json = #" {"a" : [ 1.50, "x\/\u00e9" , {} , [ ] ],"b":{"c":true , "d":null}} "#
    let value = try value(json)
    #expect(value.text() == json.dropFirst().dropLast())
    #expect(value["a"].text() == #"[ 1.50, "x\/\u00e9" , {} , [ ] ]"#)
    #expect(value["b"].text() == #"{"c":true , "d":null}"#)
    #expect(value["a"][0].text() == "1.50")
    #expect(value["a"][1].text() == #""x\/\u00e9""#)
    #expect(value["a"][2].text() == "{}")
    #expect(value["a"][3].text() == "[ ]")
    #expect(value.jsonText() == #"{"a":[1.50,"x/é",{},[]],"b":{"c":true,"d":null}}"#)
    #expect(
      value.jsonText(.pretty) == """
        {
          "a": [
            1.50,
            "x/é",
            {},
            []
          ],
          "b": {
            "c": true,
            "d": null
          }
        }
        """)
    #expect("\(value["b"])" == #"{"c":true , "d":null}"#)
    #expect(value["nobody"].text() == "null")
    for text in [value.bytes(), value.jsonBytes(), value.jsonBytes(.pretty)] {
      #expect(try JSONValue(parsing: text) == value)
    }
  }

  @Test("writing escapes what RFC 8259 §7 requires, and no more", arguments: engines)
  func escaping(engine: Engine) throws {
    let all = String(String.UnicodeScalarView((0..<0x80).compactMap { UnicodeScalar($0) }))
    let text = JSONValue(all).text()
    #expect(try String(decoding: text, options: .on(engine)) == all)
    #expect(text.hasPrefix(#""\u0000\u0001"#))
    #expect(text.contains(#"\b\t\n\u000b\f\r\u000e"#))
    #expect(text.contains(##"\u001f !\"#$%&'()*+,-./0"##))
    #expect(text.contains(#"[\\]^_`a"#))
    #expect(text.hasSuffix("~\u{7F}\""))
    let value = try value(#"{"k\u0000\"é😀":"\u0000\u001f"}"#)
    #expect(value.jsonText() == #"{"k\u0000\"é😀":"\u0000\u001f"}"#)
  }

  @Test("random values survive writing and parsing in every style and on every engine")
  func randomRoundTrips() throws {
    var random = SeededRandom(printing: "round trips")
    for _ in 0..<rounds(400) {
      let json = RandomDocument.text(using: &random)
      let value = try value(json)
      for text in [value.bytes(), value.jsonBytes(), value.jsonBytes(.pretty)] {
        for engine in engines {
          let again = try JSONValue(parsing: text, options: .on(engine))
          #expect(again == value, "\(json)")
          #expect(again.hashValue == value.hashValue, "\(json)")
        }
      }
    }
  }

  @Test(
    "depth costs no stack: free, compare, hash, write, copy",
    arguments: [20_000, 100_000].map(rounds))
  func depth(levels: Int) throws {
    let options = DecodingOptions(maximumDepth: 200_000)
    let rows: [(open: String, close: String)] = [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")]
    for row in rows {
      let count = levels / (row.open.count > 5 ? 2 : 1)
      let text =
        String(repeating: row.open, count: count) + "1" + String(repeating: row.close, count: count)
      let value = try JSONValue(parsing: text, options: options)
      let other = try JSONValue(parsing: text, options: options)
      #expect(value == other)
      #expect(value.hashValue == other.hashValue)
      #expect(value.bytes().count == text.utf8.count)
      #expect(value.jsonBytes(JSONWritingOptions(maximumDepth: .max)).count == text.utf8.count)
      #expect(JSONValue([value]) == JSONValue([other]))
      let kept = try JSONValue.decode(from: text, options: options).get()
      #expect(kept == value)
    }
  }
}

/// Documents of every kind, at random.
private enum RandomDocument {
  static func text(using random: inout SeededRandom) -> String {
    var budget = Int.random(in: 1...60, using: &random)
    return value(&budget, 0, &random)
  }

  private static func value(
    _ budget: inout Int, _ depth: Int, _ random: inout SeededRandom
  ) -> String {
    budget -= 1
    let scalars = ["null", "true", "false", "0", "-7", "1.5", "2e3", "-0.125", "9007199254740993"]
    let strings = [#""""#, #""x""#, #""é""#, #""\u00e9\n""#, #""\ud83d\ude00""#, #""a\\\"b/""#]
    switch Int.random(in: 0..<(depth > 12 || budget < 1 ? 2 : 4), using: &random) {
    case 0: return scalars[Int.random(in: 0..<scalars.count, using: &random)]
    case 1: return strings[Int.random(in: 0..<strings.count, using: &random)]
    case 2:
      var elements: [String] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        elements.append(value(&budget, depth + 1, &random))
      }
      return "[" + elements.joined(separator: " ,") + "]"
    default:
      var members: [String] = []
      for place in 0..<Int.random(in: 0...5, using: &random) {
        members.append(#""k\#(place)": "# + value(&budget, depth + 1, &random))
      }
      return "{ " + members.joined(separator: ",\n") + "}"
    }
  }
}
