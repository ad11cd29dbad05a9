// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a DecantDecoder does beyond what `JSONDecoder` does: engines, bytes, bridges, texts, many tasks,
// depth.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("DecantDecoder")
struct Decoders {
  // MARK: - Errors

  struct ErrorRow: Sendable, CustomTestStringConvertible {
    let json: String
    let path: [String]
    let text: String
    var testDescription: String { json }
  }

  static let errorRows: [ErrorRow] = [
    ErrorRow(
      json: "{\n  \"id\": \"5\"}", path: ["id"],
      text: #"2:9: expected an integer, found the string "5""#),
    ErrorRow(json: #"{"id":1}"#, path: [], text: #"1:1: the key "name" is missing"#),
    ErrorRow(
      json: #"{"id":1.5,"name":"n"}"#, path: ["id"],
      text: "1:7: expected an integer, found the number 1.5"),
    ErrorRow(
      json: #"{"id":9223372036854775808,"name":"n"}"#, path: ["id"],
      text: "1:7: the number 9223372036854775808 is out of range: expected an integer"),
    ErrorRow(
      json: #"{"id":1,"name":null}"#, path: ["name"],
      text: "1:16: expected a string, found null value instead"),
    ErrorRow(json: "[]", path: [], text: "1:1: expected an object, found an empty array"),
    ErrorRow(json: "null", path: [], text: "1:1: expected an object, found null value instead"),
  ]

  @Test("errors tell line, column, and what was expected and found", arguments: errorRows)
  func errors(_ row: ErrorRow) throws {
    let error = try #require(throws: DecodingError.self) {
      try showingDecoder().decode(User.self, from: row.json)
    }
    #expect(context(of: error).debugDescription == row.text)
    #expect(context(of: error).codingPath.map(\.stringValue) == row.path)
  }

  @Test("text that is not JSON has the engine's error underneath", arguments: engines)
  func syntax(_ engine: Engine) throws {
    let decoder = showingDecoder()
    decoder.options = DecodingOptions(engine: engine, sourceName: "users.json")
    let error = try #require(throws: DecodingError.self) {
      try decoder.decode(User.self, from: "{\"id\":1,\n}")
    }
    let found = try #require(context(of: error).underlyingError as? DecodeError)
    #expect(found.code.category == .syntax)
    let place = engine == .native ? "users.json:2:1: " : "users.json: "
    #expect(
      context(of: error).debugDescription == place + "The given data was not valid JSON.")
    if engine == .native {
      #expect(
        found.description == """
          users.json:2:1: expected a quoted key, found '}' (extra comma; the option 'relaxations' can allow it)
            }
            ^
          """)
    }
  }

  private func context(of error: DecodingError) -> DecodingError.Context {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: fatalError("a new case of DecodingError")
    }
  }

  // MARK: - Engines and bytes

  @Test("models decode over every engine", arguments: engines)
  func models(_ engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    func same<Model: Sampled>(_ type: Model.Type) throws {
      let expected = try JSONDecoder().decode(type, from: Data(Model.sample.utf8))
      #expect(try decoder.decode(type, from: Model.sample) == expected)
    }
    try same(Scalars.self)
    try same(Optionals.self)
    try same(Group.self)
    try same(Branch.self)
    try same(Drawing.self)
    try same(Dog.self)
    try same(Cat.self)
    try same(Bird.self)
    try same(Flat.self)
    try same(Mixed.self)
    try same(Keys.self)
    try same(Any3.self)
    try same(Dictionaries.self)
    try same(Collections.self)
    try same(FoundationTypes.self)
    try same(Defaults.self)
  }

  @Test("every kind of bytes is read")
  func bytes() throws {
    let decoder = DecantDecoder()
    let text = User.sample
    let array = Array(text.utf8)
    #expect(try decoder.decode(User.self, from: text).id == 1)
    #expect(try decoder.decode(User.self, from: array).id == 1)
    #expect(try decoder.decode(User.self, from: array[...]).id == 1)
    #expect(try decoder.decode(User.self, from: Data(array)).id == 1)
    #expect(try decoder.decode(User.self, from: array.span).id == 1)
    #expect(try decoder.decode(User.self, from: try JSONValue(parsing: text)).id == 1)
    let inferred: User = try decoder.decode(from: text)
    #expect(inferred.id == 1)
  }

  // MARK: - Options

  @Test("redacted, no value of the document is in an error")
  func redacted() {
    func check<Model: Decodable>(_ type: Model.Type, _ json: String) {
      let decoder = showingDecoder()
      for redacts in [false, true] {
        decoder.options.redactsInput = redacts
        do {
          _ = try decoder.decode(type, from: json)
          Issue.record("\(json) is no \(type)")
        } catch { #expect("\(error)".contains("5317") != redacts, "\(error)") }
      }
    }
    check([Int].self, #"["5317"]"#)
    check([String].self, "[5317]")
    check([Int8].self, "[5317]")
    check([Int].self, "[5317.5]")
    check([Float].self, "[5317e99]")
    check([URL].self, #"["http://[5317"]"#)
    check([UUID].self, #"["5317"]"#)
    check([Date].self, #"["5317"]"#)
    check([Data].self, #"["5317?"]"#)
    check([Ranged].self, "[5317]")
    check(Answer.self, #""5317""#)
    check([Answer].self, #"["5317"]"#)
    check([String: Answer].self, #"{"a":"5317"}"#)
    check([Digit].self, "[5317]")
    check(Reply.self, #"{"word":"5317"}"#)
  }

  @Test("the errors of enums have a place, which the standard library and the compiler do not tell")
  func enumPlaces() {
    func check<Model: Decodable>(_ type: Model.Type, _ json: String, _ text: String) {
      #expect {
        try showingDecoder().decode(type, from: json)
      } throws: { error in
        switch error as? DecodingError {
        case .dataCorrupted(let context)?, .typeMismatch(_, let context)?:
          #expect(context.codingPath.count == 1)
          return context.debugDescription == text
        default: return false
        }
      }
    }
    let unknown = "Cannot initialize Answer from invalid String value no"
    check([Answer].self, "[\n\"no\"]", "2:1: " + unknown)
    check([String: Answer].self, #"{"a":"no"}"#, "1:6: " + unknown)
    check(Form.self, #"{"answer":"no"}"#, "1:11: " + unknown)
    check(
      [Digit].self, "[1, 2]", "1:5: Cannot initialize Digit from invalid Int value 2")
    let keys = "Invalid number of keys found, expected one."
    check([Command].self, #"[{"stop":{}},{"wait":{}}]"#, "1:14: " + keys)
  }

  @Test(
    "the errors of dictionaries and ranges have a place, and no values where they are redacted",
    arguments: [false, true])
  func containerPlaces(_ redacts: Bool) {
    let decoder = showingDecoder()
    decoder.options.redactsInput = redacts
    func check<Model: Decodable>(
      _ type: Model.Type, _ json: String, _ text: String, _ path: [String]
    ) {
      #expect {
        try decoder.decode([Model].self, from: json)
      } throws: { error in
        switch error as? DecodingError {
        case .dataCorrupted(let context)?, .typeMismatch(_, let context)?:
          return context.debugDescription == text && context.codingPath.map(\.stringValue) == path
        default: return false
        }
      }
    }
    check(
      [Digit: Int].self, "[\n[1]]",
      "2:1: Expected collection of key-value pairs; encountered odd-length array instead.",
      ["Index 0"])
    check(
      [Int: Int].self, #"[{"1":1, "a":2}]"#,
      "1:14: Expected Int key but found String key instead.", ["Index 0", "a"])
    check(
      [Meal: Int].self, #"[{"lunch":1, "a":2}]"#, "1:18: Could not convert key to type Meal",
      ["Index 0", "a"])
    let range = "the lower bound is greater than the upper bound"
    for type in [Range<Int>.self, ClosedRange<Int>.self] as [any Decodable.Type] {
      let theirs = "Cannot initialize \(type) with a lowerBound (3) greater than upperBound (1)"
      check(type, "[[3,1]]", "1:2: " + (redacts ? range : theirs), ["Index 0"])
    }
  }

  private struct Form: Decodable { let answer: Answer }
  private enum Command: Decodable { case stop, load(key: String) }
  private enum Answer: String, Decodable { case yes }
  private enum Digit: Int, Decodable { case one = 1 }
  private struct Reply: Decodable, JSONDecodable {
    let word: Answer
    static func decode(_ json: JSON) -> Decoded<Reply> {
      json.convert("word", using: .codable(Answer.self)).map(Reply.init(word:))
    }
  }

  private struct Ranged: JSONDecodable, Decodable {
    let value: Int
    static func decode(_ json: JSON) -> Decoded<Ranged> {
      JSONConversion<Int>.value.inRange(0...9).convert(json).map { Ranged(value: $0) }
    }
  }

  @Test("of equal keys the first counts, or the last, or none")
  func duplicates() throws {
    let text = #"{"id":1,"name":"a","id":2,"\u006eame":"b"}"#
    let decoder = showingDecoder()
    #expect(try decoder.decode(User.self, from: text) == User(id: 1, name: "a", email: nil))
    #expect(try decoder.decode([String: JSONValue].self, from: text)["id"]?.int == 1)
    decoder.options.duplicateKeys = .last
    #expect(try decoder.decode(User.self, from: text) == User(id: 2, name: "b", email: nil))
    #expect(try decoder.decode([String: JSONValue].self, from: text)["id"]?.int == 2)
    // What does not count is not decoded.
    for key in [#""a""#, #""\u0061""#] {
      let text = #"{"a":"x","b":2,\#(key):1}"#
      #expect(try decoder.decode([String: Int].self, from: text) == ["a": 1, "b": 2])
      #expect(try decoder.decode([String: Int?].self, from: text) == ["a": 1, "b": 2])
    }
    decoder.options.duplicateKeys = .reject
    #expect(throws: DecodingError.self) { try decoder.decode(User.self, from: text) }
  }

  @Test("the inside of an object is read where a top-level dictionary is assumed")
  func topLevel() throws {
    let decoder = showingDecoder()
    decoder.assumesTopLevelDictionary = true
    #expect(try decoder.decode(User.self, from: #""id":1,"name":"n""#).id == 1)
    #expect(try decoder.decode(User.self, from: User.sample).id == 1)
    #expect(try decoder.decode([String: Int].self, from: "") == [:])
  }

  @Test(
    "places in the inside of an object are those of the text, and its braces are no bytes of it",
    arguments: [false, true])
  func insidePlaces(allowsJSON5: Bool) throws {
    let decoder = showingDecoder()
    decoder.assumesTopLevelDictionary = true
    decoder.allowsJSON5 = allowsJSON5
    for (text, place) in [
      (#""id":"x""#, "1:6"), ("\n\"id\": \"x\"", "2:7"), (#""id":1,]"#, "1:8"),
      ("\"id\":1,\n\"id\":?", "2:6"), ("[", "1:1"),
    ] {
      decoder.options.maximumBytes = text.utf8.count
      let error = try #require(throws: DecodingError.self) {
        try decoder.decode([String: Int].self, from: text)
      }
      #expect(context(of: error).debugDescription.contains("\(place): "), "\(text)")
    }
    let whole = try #require(throws: DecodingError.self) { try decoder.decode(Int.self, from: "") }
    #expect(context(of: whole).debugDescription.contains("1:1: "))
    decoder.options.maximumBytes = 5
    let long = try #require(throws: DecodingError.self) {
      try decoder.decode([String: Int].self, from: #""id":1"#)
    }
    #expect((context(of: long).underlyingError as? DecodeError)?.code == .tooLarge)
  }

  @Test(
    "the inside of an object may have comments and a mark, by option",
    arguments: [
      #"{"id":1}"#, #""id":1"#, "{\"id\":1}\n// end", "\"id\":1 // end", "// {\n\"id\":1 /* } */",
      "// \"\r{\"id\":1}", "/* a */ /**/\n/***/ {\"id\":1}", "/*/ { */\"id\":1",
      "\u{FEFF}{\"id\":1}",
      "\u{FEFF}\"id\":1,", "\u{FEFF}// {\n\"id\":1",
    ])
  func relaxedTopLevel(_ text: String) throws {
    let decoder = DecantDecoder()
    decoder.assumesTopLevelDictionary = true
    decoder.allowsJSON5 = true
    #expect(try decoder.decode([String: Int].self, from: text) == ["id": 1])
    for bad in ["/", "/*", "/* {", "{//", "/**", "/*{}*/x", "//\n["] {
      #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: bad) }
    }
  }

  @Test("options changed between calls count")
  func changes() throws {
    struct Name: Decodable { let userName: String? }
    let decoder = DecantDecoder()
    let text = #"{"user_name":"n"}"#
    #expect(try decoder.decode(Name.self, from: text).userName == nil)
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Name.self, from: text).userName == "n")
    decoder.keyDecodingStrategy = .custom { path in
      path[path.count - 1].stringValue == "user_name" ? Word("userName") : path[path.count - 1]
    }
    #expect(try decoder.decode(Name.self, from: text).userName == "n")
    decoder.keyDecodingStrategy = .useDefaultKeys
    #expect(try decoder.decode(Name.self, from: text).userName == nil)
  }

  @Test("a decoder has its own options, whatever those before it had")
  func manyDecoders() throws {
    struct Name: Decodable { let userName: String? }
    let text = #"{"user_name":"n"}"#
    for _ in 0..<3 {
      #expect(try DecantDecoder().decode(Name.self, from: text).userName == nil)
      let other = DecantDecoder()
      #expect(try other.decode(Name.self, from: text).userName == nil)
      other.keyDecodingStrategy = .convertFromSnakeCase
      #expect(try other.decode(Name.self, from: text).userName == "n")
      let limited = DecantDecoder()
      limited.options.maximumDepth = 1
      #expect(throws: DecodingError.self) { try limited.decode([[Int]].self, from: "[[1]]") }
    }
    #expect(try DecantDecoder().decode([[Int]].self, from: "[[1]]") == [[1]])
  }

  @Test("all keys are as the document spells them, whatever the decoder has read before")
  func spellings() throws {
    struct Spelled: Decodable {
      let keys: [[UInt8]]
      init(from decoder: any Decoder) throws {
        keys = try decoder.container(keyedBy: Word.self).allKeys.map { Array($0.stringValue.utf8) }
      }
    }
    let (one, two) = (Array("\u{E9}".utf8), Array("e\u{301}".utf8))
    let decoder = DecantDecoder()
    let both = #"[{"é":1},{"e\u0301":1},{"é":1,"e\u0301":2,"\u00e9":3}]"#
    #expect(
      try decoder.decode([Spelled].self, from: both).map(\.keys) == [[one], [two], [one, two]])
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let each = #"[{"é":1},{"e\u0301":1}]"#
    #expect(try decoder.decode([Spelled].self, from: each).map(\.keys) == [[one], [two]])
  }

  private struct Word: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test("strategies give JSONDecoder's values and kinds of error")
  func strategies() throws {
    struct When: Sampled {
      let date: Date?
      let data: Data?
      let number: Double?
      static let sample = "{}"
    }
    let dates = [
      "0", "1.5", "-62135596800", "1e9", "null", "true", "[]", #""2026-03-01T12:30:00Z""#,
      #""1999-12-31T23:59:59Z""#, #""2000-02-29T00:00:00Z""#, #""1900-02-29T00:00:00Z""#,
      #""1583-01-01T00:00:00Z""#, #""1582-12-31T23:59:59Z""#, #""1500-01-01T00:00:00Z""#,
      #""2026-13-01T12:30:00Z""#,
      #""2026-03-01T12:30:00+01:00""#, #""2026-03-01T12:30:00.5Z""#, #""2026-03-01""#, #""""#,
      #""2026-03-01T24:00:00Z""#, #""2026-03-01T12:30:60Z""#, #""9999-12-31T23:59:59Z""#,
    ]
    let data = [#""""#, #""AQID""#, #""AQI""#, #""A\u0051ID""#, "[1,2,255]", "[256]", "1", "null"]
    let numbers = ["1", #""inf""#, #""-inf""#, #""NaN!""#, #""x""#, "null", "true"]
    let documents =
      dates.map { "{\"date\":\($0)}" } + data.map { "{\"data\":\($0)}" }
      + numbers.filter { $0 != #""NaN!""# }.map { "{\"number\":\($0)}" }
    typealias Change = @Sendable (JSONDecoder, DecantDecoder) -> Void
    let changes: [Change] = [
      { _, _ in },
      {
        $0.dateDecodingStrategy = .secondsSince1970; $1.dateDecodingStrategy = .secondsSince1970
      },
      {
        $0.dateDecodingStrategy = .millisecondsSince1970
        $1.dateDecodingStrategy = .millisecondsSince1970
      },
      {
        $0.dateDecodingStrategy = .iso8601; $1.dateDecodingStrategy = .iso8601
      },
      {
        $0.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: 5) }
        $1.dateDecodingStrategy = .custom { _ in Date(timeIntervalSince1970: 5) }
      },
      {
        $0.dataDecodingStrategy = .deferredToData; $1.dataDecodingStrategy = .deferredToData
      },
      {
        $0.dataDecodingStrategy = .custom { _ in Data([1]) }
        $1.dataDecodingStrategy = .custom { _ in Data([1]) }
      },
      {
        $0.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "NaN!")
        $1.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "NaN!")
      },
    ]
    for change in changes {
      let contest = Contest(
        When.self,
        {
          let decoder = JSONDecoder()
          change(decoder, DecantDecoder())
          return decoder
        },
        {
          let decoder = DecantDecoder()
          change(JSONDecoder(), decoder)
          return decoder
        })
      for document in documents {
        let difference = contest.difference(document)
        #expect(difference == nil, "\(document)\n\(difference ?? "")")
      }
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "dd.MM.yyyy"
    let decoder = DecantDecoder()
    decoder.dateDecodingStrategy = .formatted(formatter)
    let when = try decoder.decode(When.self, from: #"{"date":"02.01.1970"}"#)
    #expect(when.date == Date(timeIntervalSince1970: 86_400))
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "NaN!")
    #expect(try decoder.decode([Double].self, from: #"["NaN!",1]"#)[0].isNaN)
    #expect(try decoder.decode([Float].self, from: #"["inf",1]"#) == [.infinity, 1])
  }

  // MARK: - Bridges

  @Test("a JSONDecodable model inside a Codable one decodes by its own rules")
  func inside() throws {
    struct Fast: JSONDecodable, Decodable, Equatable {
      let x: Int
      init(_ x: Int) { self.x = x }
      init(from decoder: any Decoder) throws { x = -1 }
      static func decode(_ json: JSON) -> Decoded<Fast> { build(Fast.init, json <| "y") }
    }
    struct Outer: Decodable {
      let fast: Fast
      let list: [Fast]
      let table: [String: Fast]
      let kept: JSONValue
    }
    let outer = try DecantDecoder().decode(
      Outer.self,
      from: #"{"fast":{"y":1},"list":[{"y":2}],"table":{"a":{"y":3}},"kept":[1, {"a":null}]}"#)
    #expect(outer.fast.x == 1)
    #expect(outer.list.map(\.x) == [2])
    #expect(outer.table["a"]?.x == 3)
    #expect(outer.kept.description == #"[1, {"a":null}]"#)
    let error = try #require(throws: DecodingError.self) {
      try showingDecoder().decode(
        Outer.self, from: #"{"fast":{"y":1},"list":[{"y":2},{"y":"2"}],"table":{},"kept":1}"#)
    }
    #expect(context(of: error).codingPath.map(\.stringValue) == ["list", "Index 1", "y"])
    #expect(context(of: error).debugDescription == "1:38: type mismatch")
    let underlying = try #require(context(of: error).underlyingError as? DecodeError)
    #expect(
      underlying.description.hasPrefix(
        #"1:38: /list/1/y: expected an integer, found the string "2""# + "\n"))
  }

  @Test("a Codable model inside a JSONDecodable one", arguments: engines)
  func outside(_ engine: Engine) throws {
    struct Event: JSONDecodable {
      let id: Int
      let when: CodableModel<Date>
      let user: User
      static func decode(_ json: JSON) -> Decoded<Event> {
        let user: Decoded<User> = json.convert("user", using: .codable())
        return build(Event.init, json <| "id", json <| "when", user)
      }
    }
    let options = DecodingOptions.on(engine)
    let event = try Event(
      decoding: #"{"id":1,"when":5,"user":{"id":2,"name":"n"}}"#, options: options)
    #expect(event.when.model == Date(timeIntervalSinceReferenceDate: 5))
    #expect(event.user.name == "n")
    let result = Event.decode(
      from: #"{"id":1,"when":"x","user":{"id":2}}"#, options: options)
    let places = engine == .native ? ["1:16", "1:27"] : ["", ""]
    #expect(
      failures(of: result) == [
        Failure(.typeMismatch, places[0], "/when", #"expected a number, found the string "x""#),
        Failure(.missingKey, places[1], "/user/name", "the key is missing"),
      ])
  }

  /// A model whose `decode(_:)` is its `init(from:)`, and one that contains it.
  private struct Both: JSONDecodable, Decodable, Equatable {
    let x: Int
    static func decode(_ json: JSON) -> Decoded<Both> { json.converted(using: .codable()) }
  }

  @Test("an error of a document inside a document has the path of the string", arguments: engines)
  func innerDocuments(_ engine: Engine) throws {
    struct Inner: JSONDecodable, Decodable {
      let id: Int
      static func decode(_ json: JSON) -> Decoded<Inner> {
        json.string.map { Inner.decode(inside: $0) } ?? json.decode("id").map(Inner.init)
      }
      static func decode(inside text: String) -> Decoded<Inner> {
        JSONValue.parse(text).flatMap { value in
          value["payload"].decoded([Int].self).map { Inner(id: $0.count) }
        }
      }
    }
    let decoder = showingDecoder()
    decoder.options.engine = engine
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([Inner].self, from: #"["{\"payload\":[1,\"x\"]}"]"#)
    }
    guard case .dataCorrupted(let why) = error else { throw try #require(error) }
    #expect(why.codingPath.map(\.intValue) == [0])
    let underlying = try #require(why.underlyingError as? DecodeError)
    #expect(underlying.description.contains("expected an integer, found the string \"x\""))
  }

  @Test("a Codable model's decode(_:) by its own init(from:)", arguments: engines)
  func itself(_ engine: Engine) throws {
    struct Outer: Decodable { let both: Both }
    let options = DecodingOptions.on(engine)
    let decoder = showingDecoder()
    decoder.options = options
    let text = #"{"both":{"x":1}}"#
    #expect(try [String: Both](decoding: text, options: options) == ["both": Both(x: 1)])
    #expect(try decoder.decode(Outer.self, from: text).both.x == 1)
    let value = try JSONValue(parsing: text, options: options)
    #expect(try decoder.decode(Outer.self, from: value).both.x == 1)
    #expect(try decoder.decode(Both.self, from: value["both"]).x == 1)
    #expect(
      failures(of: [Both].decode(from: #"[{"x":"1"}]"#, options: options)) == [
        Failure(
          .typeMismatch, engine == .native ? "1:7" : "", "/0/x",
          #"expected an integer, found the string "1""#)
      ])
  }

  // MARK: - Tasks and depth

  @Test("one decoder serves many tasks while its options change")
  func tasks() async throws {
    let decoder = DecantDecoder()
    let text = Group.sample
    let expected = try decoder.decode(Group.self, from: text)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<8 {
        group.addTask {
          var isRight = true
          for round in 0..<300 {
            if index == 0 && round % 10 == 0 { decoder.options.maximumDepth = 100 + round }
            isRight = try decoder.decode(Group.self, from: text) == expected && isRight
          }
          return isRight
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("alternatives tried first at every depth decode every level once", arguments: [1, 64, 512])
  func depth(_ depth: Int) throws {
    let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    let counter = DecodeCounter()
    try DecodeCounter.$current.withValue(counter) {
      _ = try DecantDecoder().decode(Any3.self, from: text)
    }
    #expect(counter.count == depth + 1)
  }
}
