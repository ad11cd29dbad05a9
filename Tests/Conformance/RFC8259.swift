// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Our own cases over the ground of JSONTestSuite, section by section, so that no run goes without.

import Decant
import DecantTestSupport
import Testing

@Suite("RFC 8259, section by section")
struct RFC8259Tests {
  private func accepts(_ json: String, _ engine: Engine) {
    let error = JSONValue.parse(json, options: .on(engine)).error
    #expect(error == nil, "\(json.debugDescription)")
  }

  private func rejects(_ json: String, _ code: DecodeError.Code, _ engine: Engine) {
    let expected = engine == .native ? code : Difference.janssonCode(code, json)
    let found = JSONValue.parse(json, options: .on(engine)).error?.code
    #expect(found == expected, "\(json.debugDescription): \(found?.rawValue ?? 0)")
  }

  @Test("§2: structural characters and white space", arguments: engines)
  func structure(engine: Engine) {
    for json in [
      "[]", "{}", " [ ] ", "\t{\r\n}\n", "[[]]", "[{}]", #"{"a":{}}"#, "[1\t,\n2 ]",
      #"{"a" :1 , "b": 2}"#,
    ] { accepts(json, engine) }
    for json in [
      "[1,,2]", "[,]", "[1,]", "[1:2]", "{,}", #"{"a",1}"#, #"{"a"::1}"#, #"{"a":1:2}"#, #"{"a":}"#,
      #"{"a":1,,"b":2}"#, #"{,"a":1}"#, "[}", "{]", "[1}", #"{"a":1]"#, "[\u{A0}]", "[\u{2028}]",
      "[\u{B}]", "[;1]", "(1)", #"{"a":1"b":2}"#, "[1 true]",
      "[\"a\" \"b\"]", "<null>", "*", "[/**/]", "[1 //\n]",
    ] { rejects(json, .unexpectedByte, engine) }
    for json in ["[", "{", "[[", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, "[1", "[1,", "[{"] {
      rejects(json, .unexpectedEnd, engine)
    }
    for json in [
      "[]]", "{}}", "[] []", "1,", "[]x", "{},", "1 1", "\"a\"\"b\"", "[][", "true false",
    ] {
      rejects(json, .trailingBytes, engine)
    }
  }

  @Test("§3: literals are lower case and whole", arguments: engines)
  func literals(engine: Engine) {
    for json in ["true", "false", "null", "[true,false,null]"] { accepts(json, engine) }
    for json in ["[tru]", "[nul]", "[fals]", "[truth]", "[nulls]", "[falsey]", "[tRUE]", "[nULL]"] {
      rejects(json, .invalidLiteral, engine)
    }
    for json in ["[True]", "[NULL]", "[undefined]", "[NaN]", "[Infinity]", "[yes]"] {
      rejects(json, .unexpectedByte, engine)
    }
  }

  @Test("§4, §5: keys are strings, of any content, in any number", arguments: engines)
  func objects(engine: Engine) {
    for json in [#"{"":0}"#, #"{"a":1,"A":2}"#, #"{"\n":1}"#, #"{"é":1,"e\u0301":2}"#] {
      accepts(json, engine)
    }
    for json in ["{1:1}", "{null:1}", "{a:1}", "{'a':1}", "{[]:1}", #"{"a":1,b:2}"#, #"{"a":1,2}"#]
    {
      rejects(json, .unexpectedByte, engine)
    }
  }

  @Test("§6: numbers", arguments: engines)
  func numbers(engine: Engine) {
    for number in [
      "0", "-0", "1", "-1", "10", "1.0", "-0.5", "1e1", "1E1", "1e+1", "1e-1", "0e0", "0.0e-0",
      "1e-400",
      "123456789.123456789", "1e308", "-1e-308", "0.00000000000000000000000000000001",
    ] {
      accepts(number, engine)
      accepts("[\(number)]", engine)
      accepts(#"{"a":\#(number)}"#, engine)
    }
    for number in [
      "01", "-01", "00", "1.", "-", "-x", "1e", "1e+", "1E-", "1.e1", "1.5.5", "1e1.5", "1ee1",
      "0x1", "1a",
      "1_000", "1;2", "1//\n", "--1", "-.5", "0e", "2.e-3", "1+2", "-Infinity",
    ] { rejects("[\(number)]", .invalidNumber, engine) }
    for number in ["+1", ".5", "e1", "١", "１"] { rejects("[\(number)]", .unexpectedByte, engine) }
    // Beyond a double: the native engine keeps their text, libjansson's tree cannot.
    for number in ["1e400", "-1e400", "1e99999999999999999999", "1.7976931348623159e308"] {
      if engine == .native {
        accepts("[\(number)]", engine)
      } else {
        rejects("[\(number)]", .numberOverflow, engine)
      }
    }
  }

  @Test("§7: strings", arguments: engines)
  func strings(engine: Engine) {
    for string in [
      "", "a", #"\"\\\/\b\f\n\r\t"#, #"\u0041"#, #"\u0000"#, #"\uD834\uDD1E"#, #"\uFFFF"#, "\u{7F}",
      "é€😀",
      "\u{2028}\u{2029}", #"\\u0041"#, "// no comment", "[{,:}]",
    ] { accepts("[\"\(string)\"]", engine) }
    for string in [
      #"\a"#, #"\x41"#, #"\'"#, #"\u"#, #"\u00"#, #"\u00g0"#, #"\u-123"#, #"\ "#, #"\U0041"#,
      #"\é"#,
    ] {
      rejects("[\"\(string)\"]", .invalidEscape, engine)
    }
    for string in ["\n", "\t", "\r", "\0", "\u{1F}", "a\u{1}b"] {
      rejects("[\"\(string)\"]", .controlCharacter, engine)
    }
    for string in [
      #"\uD800"#, #"\uDFFF"#, #"\uD800\n"#, #"\uD800\u0041"#, #"\uD834\uD834"#, #"\uDD1E\uD834"#,
      #"\uD800a"#,
    ] { rejects("[\"\(string)\"]", .loneSurrogate, engine) }
    for json in ["\"", "\"a", #""\"#, #""\u12"#, #""\""#, #"["a"#] {
      rejects(json, .unexpectedEnd, engine)
    }
  }

  @Test("§8.1: UTF-8, and no byte order mark", arguments: engines)
  func encoding(engine: Engine) {
    typealias Row = (bytes: [UInt8], code: DecodeError.Code)
    let invalid: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xF0, 0x9F, 0x98],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ]
    var rows: [Row] = invalid.map { ([0x5B, 0x22, 0x61] + $0 + [0x62, 0x22, 0x5D], .invalidUTF8) }
    rows += invalid.map { ([0x7B, 0x22] + $0 + [0x22, 0x3A, 0x31, 0x7D], .invalidUTF8) }
    rows += [
      ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .byteOrderMark), ([0xEF, 0xBB, 0xBF], .byteOrderMark),
      ([0xFF, 0xFE, 0x5B, 0x5D], .byteOrderMark), ([0xFE, 0xFF, 0x5B, 0x5D], .byteOrderMark),
      ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x31], .byteOrderMark), ([0, 0, 0xFE], .unexpectedByte),
    ]
    for row in rows {
      let code = JSONValue.parse(row.bytes, options: .on(engine)).error?.code
      #expect(code == row.code, "\(row.bytes)")
    }
    let edges: [UInt32] = [
      0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF,
    ]
    for scalar in edges.compactMap({ UnicodeScalar($0) }) {
      accepts("[\"\(Character(scalar))\"]", engine)
    }
  }

  @Test(
    "every prefix of a document is refused, but for those that end in white space",
    arguments: engines)
  func prefixes(engine: Engine) {
    let json = Array(#" {"a\u00e9😀":[1.5e3,-0,"x\n",true,false,null,{}],"b":{"c":[]}} "#.utf8)
    for count in 0...json.count {
      let isWhole = count >= json.count - 1
      #expect(
        (JSONValue.parse(json[..<count], options: .on(engine)).error == nil) == isWhole, "\(count)")
    }
  }
}
