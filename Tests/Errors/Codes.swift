// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Every code, with the smallest input that causes it.

import CDecant
import Decant
import DecantC
import DecantTestSupport
import DecantVocabulary
import Testing

@Suite("DecodeError.Code")
struct CodeTests {
  typealias Row = (
    code: DecodeError.Code, inC: Int, category: DecodeError.Category, model: String, input: [UInt8],
    options: [String]
  )

  private static func row(
    _ code: DecodeError.Code, _ inC: Int, _ category: DecodeError.Category, _ model: String,
    _ input: String, _ options: String...
  ) -> Row { (code, inC, category, model, Array(input.utf8), options) }

  /// `invalidArgument` and `outOfMemory` have no input: a null pointer and a full machine cause them.
  static let rows: [Row] =
    [
      row(.unexpectedByte, DECANT_UNEXPECTED_BYTE, .syntax, "Value", "]"),
      row(.unexpectedEnd, DECANT_UNEXPECTED_END, .syntax, "Value", "["),
      row(.invalidLiteral, DECANT_INVALID_LITERAL, .syntax, "Value", "no"),
      row(.invalidNumber, DECANT_INVALID_NUMBER, .syntax, "Value", "00"),
      row(.controlCharacter, DECANT_CONTROL_CHARACTER, .syntax, "Value", "\"\t"),
      row(.invalidEscape, DECANT_INVALID_ESCAPE, .syntax, "Value", #""\x"#),
      row(.loneSurrogate, DECANT_LONE_SURROGATE, .syntax, "Value", #""\ud800""#),
      (.invalidUTF8, DECANT_INVALID_UTF8, .syntax, "Value", [0x22, 0xFF], []),
      row(.trailingBytes, DECANT_TRAILING_BYTES, .syntax, "Value", "[]]"),
      (.byteOrderMark, DECANT_BYTE_ORDER_MARK, .syntax, "Value", [0xEF, 0xBB, 0xBF], []),
      row(.typeMismatch, DECANT_TYPE_MISMATCH, .data, "Int", "{}"),
      row(.missingKey, DECANT_MISSING_KEY, .data, "Profile", "{}"),
      row(.numberOutOfRange, DECANT_NUMBER_OUT_OF_RANGE, .data, "Int8", "300"),
      row(.notAnInteger, DECANT_NOT_AN_INTEGER, .data, "Int", "1.5"),
      row(.invalidValue, DECANT_INVALID_VALUE, .data, "Meal", #""""#),
      row(.custom, DECANT_CUSTOM, .data, "Ages", #"{"":-1}"#),
      row(.duplicateKey, DECANT_DUPLICATE_KEY, .data, "Value", #"{"":1,"":1}"#, "reject"),
      row(.missingElement, DECANT_MISSING_ELEMENT, .data, "Second", #"{"rows":[]}"#),
      row(.unknownKey, DECANT_UNKNOWN_KEY, .data, "Closed", #"{"":1}"#),
      row(.multiple, DECANT_MULTIPLE, .data, "Ints", "[{},{}]"),
      row(.tooDeep, DECANT_TOO_DEEP, .limit, "Value", "[[[[", "depth3"),
      row(.tooLarge, DECANT_TOO_LARGE, .limit, "Value", "123456789", "bytes8"),
      row(.emptyInput, DECANT_EMPTY_INPUT, .input, "Value", ""),
      row(.invalidPointer, DECANT_INVALID_POINTER, .input, "BadPointer", "1"),
    ] + unsupported

  /// Relaxations are the native engine's alone, and so are numbers beyond a double.
  static let unsupported = [
    row(.unsupported, DECANT_UNSUPPORTED, .input, "Value", "1", "jansson", "comments"),
    row(.numberOverflow, DECANT_NUMBER_OVERFLOW, .syntax, "Value", "1e999", "jansson"),
  ]

  @Test("each has a smallest input, a category, and its number in C")
  func smallest() throws {
    for row in Self.rows {
      var options = DecodingOptions()
      for word in row.options { _ = options.set(word) }
      let error = try #require(failure(of: row.model, row.input, options) ?? nil)
      #expect(error.code == row.code)
      #expect(Int(error.code.rawValue) == row.inC)
      #expect(error.code.category == row.category)
      #expect(error.code.rawValue / 100 == row.category.rawValue)
    }
    var inputless: Set<DecodeError.Code> = [
      .invalidArgument, .invalidRecord, .outOfMemory, .bufferTooSmall,
    ]
    if engines.count == 1 { inputless.insert(.unsupported) }
    #expect(Set(Self.rows.map(\.code)).union(inputless) == Set(DecodeError.Code.allCases))
  }

  @Test("names are those of decant_status_name")
  func names() {
    for code in DecodeError.Code.allCases {
      // SAFETY: a C string that lives as long as the program.
      #expect(unsafe String(cString: decant_status_name(code.rawValue)) == code.name)
    }
  }
}

@Suite("DecodeError as JSON")
struct ErrorJSONTests {
  @Test("one error: code, category, path, place, what was expected and found")
  func one() throws {
    let options = DecodingOptions(sourceName: "u.json")
    let error = try #require(
      User.decode(from: #"{"id":"5","name":"x"}"#, options: options).error)
    #expect(
      error.jsonText == #"""
        {"code":201,"name":"type mismatch","category":"data","source":"u.json","path":"/id",\#
        "location":{"offset":6,"line":1,"column":7},"expected":"an integer",\#
        "found":"the string \"5\"","message":"expected an integer, found the string \"5\""}
        """#)
    #expect(try JSONValue(parsing: error.jsonText)["location"]["column"].int == 7)
    #expect(error.sourceName == "u.json")
  }

  @Test("several errors are an array, and the rest a count")
  func several() throws {
    let options = DecodingOptions(maximumErrors: 2)
    let error = try #require([Int].decode(from: "[{},{},{}]", options: options).error)
    let json = try JSONValue(parsing: error.jsonText)
    #expect(json["code"].int == 299)
    #expect(json["errors"].count == 2)
    #expect(json["errors"][1]["path"].string == "/1")
    #expect(json["omitted"].int == 1)
    #expect(error.count == 3)
  }

  @Test("every golden error's is valid JSON, and says what the error says", arguments: engines)
  func valid(engine: Engine) throws {
    for item in GoldenCase.all {
      guard let error = try item.error(engine) else { continue }
      let json = try JSONValue(parsing: error.jsonText)
      #expect(json["code"].int == Int(error.code.rawValue))
      #expect(json["message"].string == error.message)
      #expect(json["errors"].count == error.underlying.count)
    }
  }

  @Test("redacted, nothing of the document's values is in it")
  func redacted() throws {
    let options = DecodingOptions(redactsInput: true)
    for json in [#"{"id":"secret","nome":"secret"}"#, #"{"id": secret}"#, #"["secret"]"#] {
      for engine in engines {
        var options = options
        options.engine = engine
        let error = try #require(User.decode(from: json, options: options).error)
        #expect(!error.jsonText.contains("secret"))
        #expect(!error.description.contains("secret"))
        #expect(!error.description.contains("nome"))
      }
    }
  }
}

/// A model of which every field can hold the secret of a document that fails.
private struct Secretive: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Secretive> {
    let all: [Decoded<Void>] = [
      json.decode("int", as: Int.self).map { _ in },
      json.decode("bool", as: Bool.self).map { _ in },
      json.decode("meal", as: Meal.self).map { _ in },
      json.decode("plan", as: [Meal: Int].self).map { _ in },
      json.decode("missing", as: Int.self).map { _ in },
      json.convert("text", using: JSONConversion<Int>.fromString).map { _ in },
      json.decode("date", as: JSONTimestamp.self).map { _ in },
      json.convert("variant", using: .boolOrZeroOrOne).map { _ in },
      json.decode("lossy", as: LossyArray<Int>.self).flatMap { list in
        list.skipped.first.map { .failure($0.error) } ?? pure(())
      },
      json.decode("lossyMap", as: LossyDictionary<Meal, Int>.self).flatMap { map in
        map.skipped.first.map { .failure($0.error) } ?? pure(())
      },
    ]
    return sequence(all).map { _ in Secretive() }
  }
}

@Suite("Redaction")
struct RedactionTests {
  static let documents = [
    #"""
    {"int":"secret","bool":"secret","meal":"secret","plan":{"secret":1,"lunch":"secret"},"text":"secret",
     "date":"secret","variant":"secret","lossy":["secret"],"lossyMap":{"secret":1,"lunch":"secret"},
     "misssing":"secret"}
    """#,
    #"{"int":7secret}"#, #"{"int":secret}"#, #"{"int":tsecret}"#, #"["secret\x"]"#, #"["secret"#,
    #"{"secret" 1}"#, #"{"secret":1,"secret":2}"#, #"["\ud800secret"]"#, "[\"secret\u{1}\"]",
    #""secret""#, #"["secret"] secret"#, #"{"int":1e999,"secret":[}"#,
  ]

  @Test("nothing of a document but paths is in any form of its errors", arguments: engines)
  func redacted(engine: Engine) throws {
    for document in Self.documents {
      for rule in [DecodingOptions.DuplicateKeys.last, .reject] {
        let options = DecodingOptions(engine: engine, duplicateKeys: rule, redactsInput: true)
        guard let error = Secretive.decode(from: document, options: options).error else {
          continue
        }
        for part in [error] + error.underlying {
          let forms = [
            part.message, part.found ?? "", part.expected ?? "", String(describing: part),
            part.jsonText,
          ]
          for form in forms {
            let withoutPaths = ([error] + error.underlying).reduce(form) { text, error in
              error.path.text.isEmpty ? text : text.replacing(error.path.text, with: "")
            }
            #expect(!withoutPaths.contains("secret"), "\(document): \(form)")
          }
        }
      }
    }
  }

  @Test("without the option, the same documents' errors have it")
  func open() throws {
    for document in Self.documents {
      let error = try #require(
        Secretive.decode(from: document, options: DecodingOptions(duplicateKeys: .reject)).error)
      #expect("\(error)".contains("secret"), "\(document)")
    }
  }
}

@Suite("Many errors")
struct ManyErrorTests {
  @Test("an error outlives its document, large or small, and says the same")
  func outlives() throws {
    for count in [10, 20_000] {
      let bad = "[" + (0..<count).map { $0 == 7 ? "true" : "\($0)" }.joined(separator: ",\n") + "]"
      let error = try #require([Int].decode(from: bad).error)
      #expect(error.path == "/7")
      #expect(error.description == "8:1: /7: expected an integer, found true\n  true,\n  ^~~~")
    }
  }

  // The larger documents have more than a megabyte, and are not kept; with fewer rounds, one of them.
  @Test(
    "of many bad elements, 64 are told and the rest counted, in order and place",
    arguments: [rounds(20_000), max(rounds(180_000), 60_000)])
  func bounded(count: Int) throws {
    for element in [#"{"id":"x","name":"n"}"#, "true", "[[],[],5]"] {
      let bad = "[" + Array(repeating: element, count: count).joined(separator: ",\n") + "]"
      let error = try #require([User].decode(from: bad).error)
      #expect(error.count == count)
      #expect(error.underlying.count == 64)
      for (place, part) in error.underlying.enumerated() {
        #expect(part.path.text.hasPrefix("/\(place)"))
        #expect(part.location?.line == place + 1)
      }
    }
  }

  @Test("what is allowed is known however deep the brackets are", arguments: [5, 5000])
  func deepBrackets(depth: Int) throws {
    let options = DecodingOptions(maximumDepth: 20_000)
    func message(_ bracket: String, _ inside: String) throws -> String {
      let text = String(repeating: bracket, count: depth) + inside
      return try #require(JSONValue.parse(text, options: options).error).description
    }
    let member = #"{"a":"#
    #expect(try message(member, "1 2").contains(": expected ',' or '}', found"))
    #expect(try message("[", "1 2").contains(": expected ',' or ']', found"))
    #expect(try message(member, #"{"b" 2"#).contains(": expected ':', found"))
    #expect(try message("[", #"["b" 2"#).contains(": expected ',' or ']', found"))
    #expect(
      try message("[" + member, "[1],").contains(": expected a quoted key; the object begins at"))
    #expect(try message(member + "[", "{},").contains(": expected a value; the array begins at"))
  }

  @Test("the mark is under the place, behind Hangul that is written in parts")
  func hangul() throws {
    let error = try #require([String].decode(from: "[\"\u{1112}\u{1161}\u{11AB}\",5]").error)
    #expect(error.description.hasSuffix("\n        ^"))
  }

  @Test("combining is flat, in order and associative")
  func associative() throws {
    let a = DecodeError.custom("a")
    let b = DecodeError.custom("b")
    let c = DecodeError.custom("c")
    let left = DecodeError.combining(.combining(a, b), c)
    let right = DecodeError.combining(a, .combining(b, c))
    #expect(left.underlying.map(\.message) == ["a", "b", "c"])
    #expect(right.underlying.map(\.message) == ["a", "b", "c"])
  }
}

@Suite("Explanations")
struct ExplanationTests {
  @Test("field by field", arguments: engines)
  func fields(engine: Engine) throws {
    let value = try JSONValue(
      parsing: #"{"screen_name":"ann","address":{"city":"Oslo","zip":1},"extra":[1,2]}"#,
      options: .on(engine))
    let explanation = value.explain(Profile.self)
    #expect(explanation.error == nil)
    #expect(
      explanation.description == """
        /screen_name   decoded    "ann"
        /address/city  decoded    "Oslo"
        /visits        defaulted
        /extra         ignored    2 elements
        /address/zip   ignored    1
        """)
  }

  @Test("what is wrong, absent and null", arguments: engines)
  func wrong(engine: Engine) throws {
    let value = try JSONValue(
      parsing: #"[{"id":"x","email":null},{"id":2,"name":"b\n"},5]"#, options: .on(engine))
    let explanation = value.explain([User].self)
    #expect(explanation.error?.count == 3)
    #expect(explanation.fields(.failed).map(\.path) == ["/0/id", "/0/name", "/2"])
    #expect(explanation.fields(.null).map(\.path) == ["/0/email"])
    #expect(explanation.fields(.absent).map(\.path) == ["/1/email"])
    #expect(explanation.fields(.decoded).map(\.path).contains("/1/name"))
  }

  private struct Exact: JSONInitializable {
    init(json: JSON) throws(DecodeError) {
      _ = try json.get("unsigned", as: UInt64.self)
      _ = try json.get("least", as: Int128.self)
      _ = try json.get("most", as: UInt128.self)
      _ = try json.convert("price", using: .number("1.50") { $0.text == "1.50" ? 1 : nil }).get()
      _ = try json.get("beyond", as: JSONNumber.self)
      _ = try json.get("last", as: Int.self)
    }
  }

  @Test("numbers by their text, as decoding reads them")
  func numbers() throws {
    let value = try JSONValue(
      parsing: """
        {"unsigned":18446744073709551615,"least":-170141183460469231731687303715884105728,
        "most":340282366920938463463374607431768211455,"price":1.50,"beyond":1e400,"last":1}
        """)
    let explanation = value.explain(Exact.self)
    #expect(explanation.error == nil)
    #expect(
      explanation.fields(.decoded).map(\.path.text) == value.members?.map { "/" + $0.key })
    let tooLarge = try JSONValue(parsing: #"{"unsigned":18446744073709551616,"last":1}"#)
    #expect(tooLarge.explain(Exact.self).fields(.failed).map(\.path) == ["/unsigned"])
  }

  @Test("what is coerced and what is skipped", arguments: engines)
  func forgiven(engine: Engine) throws {
    let value = try JSONValue(
      parsing: #"""
        {"age":"5","height":2.0,"isAdmin":1,"ok":true,"users":[{"id":1,"name":"a"},{"id":"x","y":2},3],
        "ages":{"a":1,"b":-1}}
        """#, options: .on(engine))
    let explanation = value.explain(Forgiving.self)
    #expect(explanation.error == nil)
    #expect(explanation.fields(.coerced).map(\.path) == ["/age", "/height", "/isAdmin"])
    #expect(explanation.fields(.skipped).map(\.path) == ["/users/1", "/users/2", "/ages/b"])
    #expect(explanation.fields(.decoded).map(\.path).contains("/ok"))
    #expect(explanation.fields(.defaulted).map(\.path) == ["/level"])
    #expect(explanation.fields(.ignored).isEmpty)
    #expect(!explanation.fields.contains { $0.path.text.hasPrefix("/users/1/") })
  }

  /// Two letters, each spelled as one scalar and as two: equal as Strings.
  private struct Letters: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Letters> {
      build(
        { (_: Int, _: Int, _: Int) in Letters() }, json.decode(JSONKey("\u{e9}" as String)),
        json.decode(JSONKey("e\u{301}" as String)), json.decode("\u{e9}!"))
    }
  }

  @Test("keys and paths are told apart by their bytes", arguments: engines)
  func equivalentKeys(engine: Engine) throws {
    let json = "{\"\u{e9}\":\"1\",\"e\u{301}\":2,\"e\u{302}\":3,\"\u{ea}\":4,\"e\u{301}!\":5}"
    let fields = try JSONValue(parsing: json, options: .on(engine)).explain(Letters.self).fields
    #expect(
      fields.map { "\($0.path.text.unicodeScalars.count) \($0.outcome)" } == [
        "2 failed", "3 decoded", "3 failed", "3 ignored", "2 ignored", "4 ignored",
      ])
    #expect(Set(fields.map(\.path)).count == 6)
    #expect(Letters.decode(from: "{}", options: .on(engine)).error?.count == 3)
    #expect(JSONPointer.Token.key("\u{e9}") != .key("e\u{301}"))
    #expect(Set([JSONPointer.Token.key("a"), .key("a"), .index(0)]).count == 2)
  }
}
