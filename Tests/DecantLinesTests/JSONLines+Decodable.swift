// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantLines
import DecantTestSupport
import Testing

@Suite("JSONLines of Decodable models")
struct LinesOfDecodable {
  struct Meeting: Codable, Equatable {
    let meetingId: Int
    let title: String
    let guests: [String]?
  }

  @Test("has models, places and paths", arguments: engines)
  func models(_ engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options = DecodingOptions(engine: engine, sourceName: "meetings")
    let text = """
      {"meetingId":1,"title":"Review"}

      {"meetingId":"2","title":"Plan"}
      {"title":"Retro"}
      {"meetingId":4,"title":"Talk","guests":["Ann",5]}
      {"meetingId":5
      {"meetingId":6,"title":"End"}
      """
    let lines = Array(JSONLines<Meeting>(text, decoder: decoder))
    #expect(lines.map(\.number) == [1, 3, 4, 5, 6, 7])
    #expect(lines[0].result.value == Meeting(meetingId: 1, title: "Review", guests: nil))
    #expect(lines[5].result.value == Meeting(meetingId: 6, title: "End", guests: nil))
    let errors = lines.compactMap(\.result.error)
    #expect(errors.map(\.code) == [.typeMismatch, .missingKey, .typeMismatch, .unexpectedEnd])
    #expect(errors.dropLast().map(\.path.text) == ["/meetingId", "/meetingId", "/guests/1"])
    if engine == .native {
      #expect(errors.map(\.location?.line) == [3, 4, 5, 6])
      #expect(errors.map(\.location?.column) == [14, 1, 47, 15])
      #expect(errors.map(\.location?.offset) == [47, 67, 131, 149])
      #expect(
        errors[0].description.hasPrefix(
          "meetings:3:14: /meetingId: expected an integer, found the string \"2\""))
    }
  }

  @Test("null is the same error for all: missing as a field, else a mismatch", arguments: engines)
  func null(_ engine: Engine) {
    struct Coded: Decodable { let id: Int }
    struct Built: JSONDecodable {
      let id: Int
      static func decode(_ json: JSON) -> Decoded<Built> { build(Built.init, json <| "id") }
    }
    let decoder = DecantDecoder()
    decoder.options = DecodingOptions(engine: engine)
    func codes<Model: JSONDecodable>(of type: Model.Type) -> [DecodeError.Code?] {
      [
        Model.decode(from: "null", options: .on(engine)).error?.code,
        [Model].decode(from: "[null]", options: .on(engine)).error?.code,
        JSONValue.parse(#"{"a":null}"#, options: .on(engine)).flatMap {
          $0.outcome { $0.decode("a", as: Model.self) }
        }.error?.code,
      ]
    }
    func code<Model: Decodable>(of type: Model.Type, _ text: String) -> DecodeError.Code? {
      Array(JSONLines<Model>(text, decoder: decoder))[0].result.error?.code
    }
    struct Field<Model: Decodable>: Decodable { let a: Model }
    func decodableCodes<Model: Decodable>(of type: Model.Type) -> [DecodeError.Code?] {
      [
        code(of: Model.self, "null"), code(of: [Model].self, "[null]"),
        code(of: Field<Model>.self, #"{"a":null}"#),
      ]
    }
    let expected: [DecodeError.Code?] = [.typeMismatch, .typeMismatch, .missingKey]
    #expect(codes(of: Built.self) == expected)
    #expect(codes(of: [String: Int].self) == expected)
    #expect(codes(of: LossyDictionary<String, Int>.self) == expected)
    #expect(codes(of: Int.self) == expected)
    #expect(decodableCodes(of: Coded.self) == expected)
    #expect(decodableCodes(of: [String: Int].self) == expected)
    #expect(decodableCodes(of: Int.self) == expected)
    #expect(decodableCodes(of: Bool.self) == expected)
  }

  @Test("generic code needs no more than Decodable")
  func generic() {
    func models<Model: Decodable>(_ type: Model.Type, _ text: String) -> [Model] {
      JSONLines<Model>(text).compactMap { $0.result.value }
    }
    #expect(models(Meeting.self, #"{"meetingId":1,"title":"Review"}"#).count == 1)
    #expect(models([Int].self, "[1]\n[2]") == [[1], [2]])
  }

  @Test("the decoder's strategies count")
  func strategies() {
    let decoder = DecantDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let lines = Array(
      JSONLines<Meeting>(#"{"meeting_id":1,"title":"Review"}"#, decoder: decoder))
    #expect(lines[0].result.value?.meetingId == 1)
  }

  /// A model that keeps its decoder, so that the next one gets another.
  private struct Padded: Decodable, Sendable {
    let id: Int
    private let decoder: Kept
    private struct Kept: @unchecked Sendable { let decoder: any Decoder }

    init(from decoder: any Decoder) throws {
      id = try decoder.container(keyedBy: NameKey.self).decode(Int.self, forKey: NameKey("id"))
      self.decoder = Kept(decoder: decoder)
    }
  }

  private struct NameKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  @Test(
    "the decoder's options count that it has when the iteration begins, for all lines",
    arguments: [5, 600])
  func changedOptions(_ count: Int) async throws {
    // Few lines are read one by one, and many at once or in several blocks.
    let pad = String(repeating: "x", count: 1000)
    let text = String(repeating: "{\"id\":1,\"id\":2,\"pad\":\"\(pad)\"}\n", count: count)
    let decoder = DecantDecoder()
    let lines = JSONLines<Padded>(text, decoder: decoder)
    decoder.options.duplicateKeys = .reject
    #expect(lines.lossy().report.failureCount == count)
    #expect(lines.forEachConcurrently { _ in }.failureCount == count)

    let late: @Sendable ([any CodingKey]) -> any CodingKey = { _ in NameKey("late") }
    decoder.options.duplicateKeys = .last
    var ids: [Int?] = []
    for line in lines {
      ids.append(line.result.value?.id)
      decoder.options.duplicateKeys = .first
      decoder.keyDecodingStrategy = .custom(late)
    }
    #expect(ids == Array(repeating: 2, count: count))

    decoder.options.duplicateKeys = .last
    decoder.keyDecodingStrategy = .useDefaultKeys
    ids = []
    for try await id in lines.mapConcurrently(
      tasks: 2,
      { line in
        decoder.options.duplicateKeys = .first
        decoder.keyDecodingStrategy = .custom(late)
        return line.result.value?.id
      })
    {
      ids.append(id)
    }
    #expect(ids == Array(repeating: 2, count: count))
  }

  @Test("errors have the document's keys, whatever the strategy makes of them", arguments: engines)
  func convertedKeys(_ engine: Engine) {
    let strategies: [DecantDecoder.KeyDecodingStrategy] = [
      .convertFromSnakeCase,
      .custom { path in
        path.count == 2 && path[1].stringValue == "meeting_id"
          ? Key("meetingId") : path[path.count - 1]
      },
    ]
    for strategy in strategies {
      let decoder = DecantDecoder()
      decoder.options.engine = engine
      decoder.keyDecodingStrategy = strategy
      let text = """
        {"a_b":{"title":"x","meeting_id":1}}
        {"a_b":{"title":"x","meeting_id":"2"}}
        """
      let errors = JSONLines<[String: Meeting]>(text, decoder: decoder).map { $0.result.error }
      #expect(errors[0] == nil)
      #expect(errors[1]?.code == .typeMismatch)
      #expect(errors[1]?.path.text == "/a_b/meeting_id")
      #expect(errors[1]?.location?.line == (engine == .native ? 2 : nil))
      #expect(errors[1]?.location?.column == (engine == .native ? 34 : nil))
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  @Test("an error on a path that leads nowhere is at the last value that is there")
  func wrongPaths() {
    struct Lost: Decodable {
      init(from decoder: any Decoder) throws {
        let path = [Key("list"), Key("nowhere"), Key("further")]
        throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "odd"))
      }
    }
    let error = JSONLines<Lost>("\n{\"list\":{\"a\":1}}").map { $0.result.error }[0]
    #expect(error?.description.hasPrefix("2:9: /list: odd\n") == true)
  }

  @Test("paths are complete, whatever else is null, true or false", arguments: engines)
  func pathsOfLiterals(_ engine: Engine) {
    struct Inner: Decodable { let idNumber: Int }
    struct Outer: Decodable { let a: Int, b: [Inner?] }
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let lines = """
      {"a":1,"b":[null,{"id_number":true}],"c":true}
      {"a":1,"b":[null,true],"c":true}
      {"a":null,"b":null}
      {"c":true,"a":1,"b":true}
      """
    let errors = JSONLines<Outer>(lines, decoder: decoder).map { $0.result.error }
    #expect(errors.map { $0?.path.text } == ["/b/1/id_number", "/b/1", "/a", "/b"])
    #expect(
      errors.map { $0?.code } == [.typeMismatch, .typeMismatch, .missingKey, .typeMismatch])
  }

  @Test("a model that is both decodes as JSONDecodable, by a decoder, too")
  func both() {
    struct Both: Codable, JSONDecodable {
      let id: Int
      static func decode(_ json: JSON) -> Decoded<Both> { json.decode("ID").map(Both.init) }
    }
    let line = #"{"ID":1}"#
    #expect(JSONLines<Both>(line).map { $0.result.value?.id } == [1])
    #expect(JSONLines<Both>(line, decoder: DecantDecoder()).map { $0.result.value?.id } == [1])
    #expect(JSONLines<[Int]>("[1]").map(\.result.value) == [[1]])
    #expect(JSONLines<[Int]>("[1]", decoder: DecantDecoder()).map(\.result.value) == [[1]])
    #expect(JSONLines<JSONValue>("[1]").map { $0.result.value?[0].int } == [1])
  }

  @Test("a JSONDecodable model inside a Decodable one has its path and place")
  func inside() throws {
    struct Outer: Decodable { let id: JSONValue, list: [Int] }
    let lines = Array(
      JSONLines<Outer>("{\"id\":1,\"list\":[]}\n{\"id\":{\"a\":[1]},\"list\":[1,true]}"))
    #expect(lines[0].result.value?.id.int == 1)
    let error = try #require(lines[1].result.error)
    #expect(error.path.text == "/list/1")
    #expect(error.location?.line == 2)
    #expect(error.location?.offset == 45)
  }

  /// Keeps its decoder, which outlives the line.
  struct Keeper: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }

  @Test("decoders that models keep have places in the stream")
  func keptDecoders() throws {
    let keepers = JSONLines<Keeper>("[1]\n\n{\"a\":\"b\"}\n").compactMap { $0.result.value }
    #expect(keepers.count == 2)
    #expect(try [Int](from: keepers[0].decoder) == [1])
    let error = #expect(throws: DecodingError.self) {
      try [String: Int](from: keepers[1].decoder)
    }
    guard case .typeMismatch(_, let why) = error else { throw try #require(error) }
    #expect(why.debugDescription == "3:6: expected an integer, found the string \"b\"")
  }

  @Test("decoders that models keep have their own line, of many that are read at a time")
  func keptDecodersOfMany() throws {
    struct Holder: JSONDecodable {
      let keeper: CodableModel<Keeper>
      static func decode(_ json: JSON) -> Decoded<Holder> { json.decoded().map(Holder.init) }
    }
    // Lines of different shapes, so that each has an index of its own.
    let rows = (0..<rounds(400)).map { Array(repeating: "\($0)", count: $0 % 40) }
    let text = rows.map { $0.description + "\n" }.joined()
    let keepers = JSONLines<Keeper>(text).lossy().models
    let held = JSONLines<Holder>(text).lossy().models.map(\.keeper.model)
    for kept in [keepers, held] {
      #expect(kept.count == rows.count)
      for (keeper, row) in zip(kept, rows) { #expect(try [String](from: keeper.decoder) == row) }
    }
  }

  @Test(
    "models that keep their decoders are decoded from one that was kept", arguments: engines)
  func keptTwice(_ engine: Engine) throws {
    struct Again: JSONDecodable, Decodable {
      init() {}
      init(from decoder: any Decoder) throws {}
      static func decode(_ json: JSON) -> Decoded<Again> {
        CodableModel<Keeper>.decode(json).map { _ in Again() }
      }
    }
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    // So long that its memory is nobody's afterwards.
    var line: [UInt8]? = Array("5".utf8) + Array(repeating: UInt8(ascii: " "), count: 40 << 20)
    let keepers = JSONLines<Keeper>(line ?? [], decoder: decoder).lossy().models
    line = nil
    let keeper = try #require(keepers.first)
    _ = try keeper.decoder.singleValueContainer().decode(Again.self)
  }

  @Test("a decoder that an error had tells nothing of its line to the next document")
  func decodersOfErrors() throws {
    struct Refusal: Error { nonisolated(unsafe) let decoder: any Decoder }
    struct Refused: Decodable {
      init(from decoder: any Decoder) throws { throw Refusal(decoder: decoder) }
    }
    struct Line: JSONDecodable {
      static let decoder = DecantDecoder()
      static func decode(_ json: JSON) -> Decoded<Line> {
        json.converted(using: .codable(Refused.self, by: decoder)).map { _ in Line() }
      }
    }
    #expect(JSONLines<Line>("1\n2\n3\n").lossy().models.isEmpty)
    let error = #expect(throws: DecodingError.self) {
      try Line.decoder.decode(Int.self, from: "true")
    }
    guard case .typeMismatch(_, let why) = error else { throw try #require(error) }
    #expect(why.debugDescription == "1:1: expected an integer, found a boolean")
  }

  @Test("an error that a model throws is at its line")
  func ownErrors() {
    struct Odd: Error {}
    struct Even: Decodable {
      init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decode(Int.self) % 2 != 0 { throw Odd() }
      }
    }
    let errors = JSONLines<Even>("2\n3\n4").map { $0.result.error }
    #expect(errors.map { $0?.code } == [nil, .custom, nil])
    #expect(errors[1]?.location?.line == 2)
  }

  @Test(
    "the text of an error is the model's own, or ours without its place", arguments: engines,
    [nil, "a.json", "10"])
  func texts(_ engine: Engine, _ sourceName: String?) {
    struct Saying: Decodable {
      let count: Int
      private enum Key: CodingKey { case says, count }
      init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        count = try members.decodeIfPresent(Int.self, forKey: .count) ?? 0
        let text = try members.decode(String.self, forKey: .says)
        throw DecodingError.dataCorruptedError(
          forKey: .says, in: members, debugDescription: text)
      }
    }
    let texts = [
      "10:30: no such time", "a.json:1:2: odd", "24: not an hour", ": odd", "12:", "5",
      "b.json:1:2: odd", " odd", "",
    ]
    let lines = texts.map { JSONValue(["says": $0]).text() } + [#"{"count":"x"}"#]
    let decoder = DecantDecoder()
    decoder.options = DecodingOptions(engine: engine, sourceName: sourceName)
    let messages = JSONLines<Saying>(lines.joined(separator: "\n"), decoder: decoder).map {
      $0.result.error?.message
    }
    #expect(messages == texts + [#"expected an integer, found the string "x""#])
  }

  @Test(
    "an error that a model keeps while it tries something else is without its place",
    arguments: engines)
  func keptErrors(_ engine: Engine) {
    struct Either: Decodable {
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        do { _ = try value.decode(Int.self) } catch let first {
          do { _ = try value.decode(Bool.self) } catch { throw first }
        }
      }
    }
    let decoder = DecantDecoder()
    decoder.options = DecodingOptions(engine: engine)
    let expected = #"expected an integer, found the string "x""#
    let lines = JSONLines<Either>("true\n\"x\"", decoder: decoder).map { $0.result.error?.message }
    #expect(lines == [nil, expected])
    let conversion = JSONConversion.codable(Either.self, by: decoder)
    let inModel = JSONValue.parse(#"{"a":"x"}"#, options: .on(engine)).flatMap { value in
      value.outcome { $0.convert("a", using: conversion) }
    }
    #expect(inModel.error?.message == expected)
  }
}
