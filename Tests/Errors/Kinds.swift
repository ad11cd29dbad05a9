// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Every kind of value as errors name it, with its text and without, and as explanations show it.

import Decant
import DecantTestSupport
import Testing

private let kinds = [
  ("null", "null", "null"), ("true", "true", "a boolean"), ("false", "false", "a boolean"),
  ("1.5", "the number 1.5", "a number"), (#""x""#, #"the string "x""#, "a string"),
  ("[]", "an empty array", "an empty array"), ("[1]", "an array", "an array"),
  ("{}", "an empty object", "an empty object"), (#"{"a":1}"#, "an object", "an object"),
]

/// One field of every kind that a model asks for.
private struct Everything: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Everything> {
    build(
      { _, _, _, _, _ in Everything() },
      json.decode("flags", as: [Bool].self), json.decode("ratio", as: Double.self),
      json.decode("counts", as: [String: Int].self), json.decodeIfPresent("note", as: String.self),
      json.decode("kept", as: JSONValue.self))
  }
}

/// Nothing decodes into it.
private enum Never: String, JSONDecodable { case never }

@Suite("Kinds in errors")
struct KindTests {
  @Test("with the value and without", arguments: engines)
  func found(engine: Engine) throws {
    for (json, shown, redacted) in kinds {
      var options = DecodingOptions.on(engine)
      let wrong = json.hasPrefix("\"") ? "an integer" : "a string"
      func message() -> String? {
        json.hasPrefix("\"")
          ? Int.decode(from: json, options: options).error?.message
          : String.decode(from: json, options: options).error?.message
      }
      #expect(message() == "expected \(wrong), found \(shown)")
      options.redactsInput = true
      #expect(message() == "expected \(wrong), found \(redacted)")
    }
  }

  @Test("half a surrogate pair is a replacement character, and takes nothing with it")
  func loneSurrogates() {
    let options = DecodingOptions(relaxations: .loneSurrogates)
    let rows = [
      (#""\ud800abcdef""#, "\u{FFFD}abcdef"), (#""\ud800\u0041""#, "\u{FFFD}A"),
      (#""\ud800\n""#, "\u{FFFD}\\n"), (#""\udc00""#, "\u{FFFD}"), (#""\ud83d\ude00""#, "😀"),
      (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"),
    ]
    for (json, text) in rows {
      let error = Int.decode(from: json, options: options).error
      #expect(error?.message == "expected an integer, found the string \"\(text)\"")
    }
  }

  @Test("in explanations", arguments: engines)
  func explained(engine: Engine) throws {
    let value = try JSONValue(
      parsing: """
        {"flags":[true,false],"ratio":0.5,"counts":{"a":1,"b":2},"note":null,"kept":[{"x":[]}],
        "more":{"y":1},"none":null,"off":false,"one":[7],"two":{"a":1,"b":2},"":"\\u0007"}
        """, options: .on(engine))
    let explanation = value.explain(Everything.self)
    #expect(explanation.error == nil)
    let ignored = Dictionary(
      uniqueKeysWithValues: explanation.fields(.ignored).map { ($0.path.text, $0.detail) })
    #expect(
      ignored == [
        "/more": "1 member", "/none": "", "/off": "false", "/one": "1 element",
        "/two": "2 members", "/": "\"\\u0007\"",
      ])
    #expect(explanation.fields(.null).map(\.path) == ["/note"])
    #expect(
      Set(explanation.fields(.decoded).map(\.path.text)).isSuperset(of: [
        "/flags/0", "/flags/1", "/ratio", "/counts/a", "/counts/b",
      ]))
    let failed = try JSONValue(parsing: "5", options: .on(engine)).explain(Never.self)
    #expect(failed.fields(.failed).map(\.path.text) == [""])
    #expect(failed.description.contains("(root)"))
  }

  @Test(
    "in explanations of a path with a default, and of more fields than are told",
    arguments: engines)
  func explainedFar(engine: Engine) throws {
    struct Far: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Far> {
        build(
          { _, _ in Far() }, json.decode(["a", "b"], default: 1),
          json.decode(["c", "d"], default: 2))
      }
    }
    let far = try JSONValue(parsing: #"{"a":{"b":null}}"#, options: .on(engine)).explain(Far.self)
    #expect(far.fields(.defaulted).map(\.path.text) == ["/a/b", "/c"])

    let members = (0..<1_100).map { "\"k\($0)\":0" }.joined(separator: ",")
    let wide = try JSONValue(parsing: "{\(members)}", options: .on(engine)).explain(Far.self)
    #expect(wide.fields.count == 1_000)
    #expect(wide.omittedCount == 102)
    #expect(wide.description.hasSuffix("\n… and 102 more"))
  }

  @Test("a number without a code gives nil, and every code has the category of its hundreds")
  func unknownCodes() {
    #expect(DecodeError.Code(rawValue: 399) == nil)
    #expect(DecodeError.Code(rawValue: 0) == nil)
    for code in DecodeError.Code.allCases {
      #expect(code.category.rawValue == code.rawValue / 100)
    }
  }

  @Test("mistakes that are made often are named")
  func hints() {
    let rows = [
      ("[None]", "(null is lowercase)"), ("[NULL]", "(null is lowercase"),
      ("[Nil]", "'N' (null is lowercase)"), ("[FALSE]", "(true and false are lowercase)"),
      ("[NaN]", "(JSON has no NaN or Infinity)"), ("[inf]", "(JSON has no NaN or Infinity)"),
      ("[-nan]", "(JSON has no NaN or Infinity)"), ("[-Infinity", "(JSON has no NaN or Infinity)"),
      ("[nul\r]", "expected null"), ("[tru", "expected true"), ("[fals", "expected false"),
      ("[-", "expected a digit"), ("[\"\u{8}", "\\b"), ("[\"\u{C}", "\\f"), ("[\"\r\"", "\\r"),
    ]
    for (json, hint) in rows {
      let message = JSONValue.parse(json).error?.message ?? ""
      #expect(message.contains(hint), "\(json.debugDescription): \(message)")
    }
  }

  @Test("comments have a hint, where they are allowed and where not")
  func comments() {
    let rows = [
      ("[1, // one\n2]", "a value, found '/' (JSON has no comments)", nil),
      ("{} // end", "the end of the input, found '/' (JSON has no comments)", nil),
      ("{} # end", "found '#' (JSON has no comments)", "(comments begin with // or /*)"),
      ("# of a shell\n{}", "found '#' (JSON has no comments)", "(comments begin with // or /*)"),
      ("{ /* open", "found '/' (JSON has no comments)", "found '/' (the comment does not end)"),
      ("{} /* open", "found '/' (JSON has no comments)", "found '/' (the comment does not end)"),
      ("[1 / 2]", "found '/'", "found '/'"),
    ]
    for (json, end, relaxedEnd) in rows {
      let message = JSONValue.parse(json).error?.message ?? ""
      #expect(message.hasSuffix(end), "\(json): \(message)")
      let relaxed = JSONValue.parse(json, options: DecodingOptions(relaxations: .comments)).error
      #expect(
        relaxedEnd.map { relaxed?.message.hasSuffix($0) == true } ?? (relaxed == nil),
        "\(json): \(relaxed?.message ?? "")")
    }
  }

  @Test("a word that only begins like one of another language has no hint")
  func noHints() {
    let words = [
      "Nope", "Name", "Na", "Indigo", "In", "Infinityx", "Tuesday", "Figs", "-Nope", "-null",
    ]
    for word in words {
      let message = JSONValue.parse("[" + word).error?.message ?? ""
      let found = word.prefix { $0 == "-" }.count
      #expect(message.hasSuffix("found '\(Array(word)[found])'"), "\(word): \(message)")
    }
    for key in ["NaN", "Name", "None", "True"] {
      #expect(JSONValue.parse("{\(key):1}").error?.message.contains(" (") == false)
    }
  }

  @Test("where numbers may be infinite, a word that begins like one is measured by that")
  func literalsOfRelaxations() {
    let rows = [
      ("[Nope]", #"expected NaN, found "Nope""#), ("[Inf]", "expected Infinity, found ']'"),
      ("[-Inf]", "expected -Infinity, found ']'"), ("[-NaN]", "digit after '-', found 'N'"),
      ("[NaNs]", #"expected nothing more after NaN, found "NaNs""#),
      ("[-Inf", "early: expected -Infinity"),
    ]
    let options = DecodingOptions(relaxations: .nonFiniteNumbers)
    for (json, end) in rows {
      let message = JSONValue.parse(json, options: options).error?.message ?? ""
      #expect(message.hasSuffix(end), "\(json): \(message)")
    }
  }
}
