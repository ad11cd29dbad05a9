// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantJansson
import DecantTestSupport
import Testing

@Suite("Writing values")
struct WritingTests {
  /// A document of every kind of token and gap, and what it is in the two styles that are no copy.
  private static let compact =
    #"{"a":[],"b":{},"c":[1,[2,{"d":"\"\\/é"}],true],"":false,"n":null,"e":-0.50E+2}"#
  private static let spaced =
    " {\n\"a\" : [ ] , \"b\":{\t}, \"c\" : [ 1 ,[2, {\"d\":\"\\\"\\\\\\/\\u00e9\"} ] ,true ]"
    + ", \"\":false,\r\n\"n\":null ,\"e\":-0.50E+2 } "
  private static let pretty = """
    {
      "a": [],
      "b": {},
      "c": [
        1,
        [
          2,
          {
            "d": "\\"\\\\/é"
          }
        ],
        true
      ],
      "": false,
      "n": null,
      "e": -0.50E+2
    }
    """

  @Test("pretty text is linear in a value of any depth", arguments: DecantTestSupport.engines)
  func deep(engine: Engine) throws {
    // The other engine reads 2048 levels at most.
    let depth = engine == .native ? rounds(100_000) : 2_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let options = DecodingOptions(engine: engine, maximumDepth: depth)
    let pretty = try JSONValue(parsing: text, options: options)
      .jsonBytes(JSONWritingOptions(isPretty: true, maximumDepth: depth))
    let lines = pretty.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 2 * depth - 1)
    for (level, line) in lines.prefix(depth).enumerated() {
      guard line.count == 2 * min(level, 64) + (level == depth - 1 ? 2 : 1) else {
        Issue.record("level \(level): \(line.count) bytes")
        break
      }
    }
  }

  @Test("members are put in order however deep they are", arguments: DecantTestSupport.engines)
  func deepInOrder(engine: Engine) throws {
    for (depth, isPretty) in [(63, true), (64, true), (65, true), (500, true), (2_000, false)] {
      let open = #"{"b":1,"a":"#, close = "}"
      let text = repeated(open, depth) + "[{}]" + repeated(close, depth)
      let ordered = repeated(#"{"a":"#, depth) + "[{}]" + repeated(#","b":1}"#, depth)
      let options = DecodingOptions(engine: engine, maximumDepth: depth + 2)
      let style = JSONWritingOptions(isPretty: isPretty, maximumDepth: depth + 2)
      var sorted = style
      sorted.sortsKeys = true
      let expected = try JSONValue(parsing: ordered, options: options).checkedJSONBytes(style)
      let value = try JSONValue(parsing: text, options: options)
      #expect(try value.checkedJSONBytes(sorted) == expected)
      // Members that a model writes are sorted when they are written.
      if depth < 512 { #expect(try Tower(height: depth).checkedJSONBytes(sorted) == expected) }
    }
  }

  private struct Tower: JSONWritable {
    let height: Int
    func write(to json: inout JSONOutput) {
      if height == 0 { return json.array { $0.object { _ in } } }
      json.object {
        $0.field("b", 1)
        $0.field("a", Tower(height: height - 1))
      }
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test("equal keys of a document stay in their order, and are an error in sorted text")
  func equalKeys() throws {
    let value = try JSONValue(parsing: #"{"b":1,"a":{"y":1,"x":2,"y":3}}"#)
    let sorted = JSONWritingOptions(sortsKeys: true)
    #expect(value.jsonText(sorted) == #"{"a":{"x":2,"y":1,"y":3},"b":1}"#)
    let error = #expect(throws: JSONWritingError.self) { try value.checkedJSONBytes(sorted) }
    #expect(error?.description == "/a/y: duplicate key")
  }

  @Test("a value deeper than the options allow is null, and an error with its path")
  func tooDeep() throws {
    let value = try JSONValue(parsing: #"[0,{"z":[],"a":[[1],2],"b":2},3]"#)
    let options = JSONWritingOptions(maximumDepth: 3)
    #expect(value.jsonText(options) == #"[0,{"z":[],"a":[null,2],"b":2},3]"#)
    let error = #expect(throws: JSONWritingError.self) { try value.checkedJSONBytes(options) }
    #expect(error?.code == .tooDeep)
    #expect(error?.path == "/1/a/0")
  }

  @Test("compact and pretty, of the whole and of every part")
  func styles() throws {
    let value = try JSONValue(parsing: Self.spaced)
    #expect(value.jsonText() == Self.compact)
    #expect(value.jsonText(.pretty) == Self.pretty)
    #expect(value["c"].jsonText() == #"[1,[2,{"d":"\"\\/é"}],true]"#)
    #expect(value["c"][1].jsonText() == #"[2,{"d":"\"\\/é"}]"#)
    #expect(value["c"][1].text() == #"[2, {"d":"\"\\\/\u00e9"} ]"#)
    #expect(value["a"].jsonText(.pretty) == "[]")
    #expect(value["e"].jsonText(.pretty) == "-0.50E+2")
    #expect(value["nowhere"].jsonText() == "null")
  }

  @Test("a value of the other engine is written the same, but for its numbers' spelling")
  func engines() throws {
    let json = Self.spaced.replacing("-0.50E+2", with: "-0.5")
    let native = try JSONValue(parsing: json)
    let other = try JSONValue(parsing: json, options: .on(.jansson))
    for style in [JSONWritingOptions(), .pretty] {
      #expect(native.jsonText(style) == other.jsonText(style))
    }
    #expect(other.text() == other.jsonText())
    #expect(other["c"].jsonText() == native["c"].jsonText())
  }

  @Test("what a relaxation allowed is not written")
  func relaxations() throws {
    let all: DecodingOptions.Relaxations = [
      .comments, .trailingCommas, .nonFiniteNumbers, .loneSurrogates,
    ]
    let json = """
      // [
      [ 1 /* , */ , { "a" : NaN, // }
        "b":[-Infinity,],
      }, "\\ud800" , ] /* ] */
      """
    let value = try JSONValue(parsing: json, options: DecodingOptions(relaxations: all))
    #expect(value.jsonText() == #"[1,{"a":null,"b":[null]},"\#u{FFFD}"]"#)
    #expect(value[1].jsonText(.pretty) == "{\n  \"a\": null,\n  \"b\": [\n    null\n  ]\n}")
    let error = #expect(throws: JSONWritingError.self) { try value.checkedJSONBytes() }
    #expect(error?.description == "/1/a: JSON has no infinity and no NaN")
    #expect(value[1]["b"].text() == "[-Infinity,]")
    #expect(value[1]["b"][0].text() == "-Infinity")
  }

  @Test("a number and a string of any length")
  func lengths() throws {
    for count in [1, 254, 255, 256, 1_000, 100_000] {
      let digits = "0." + String(repeating: "7", count: count)
      let letters = "\"" + String(repeating: "a", count: count) + "\""
      let value = try JSONValue(parsing: "[ \(digits) , \(letters) ]")
      #expect(value.jsonText() == "[\(digits),\(letters)]")
      #expect(value[0].text() == digits)
      #expect(value[1].text() == letters)
    }
  }
}
