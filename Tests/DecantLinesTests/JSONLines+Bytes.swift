// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import DecantLines
import DecantTestSupport
import DecantVocabulary
import Foundation
import Testing

@Suite("JSONLines over bytes")
struct LinesOverBytes {
  @Test("has the models, numbers, offsets and errors of the documents", arguments: engines)
  func matchesDocuments(_ engine: Engine) {
    let options = DecodingOptions.on(engine)
    let lines = JSONLines<Event>(Streams.mixed, options: options)
    let expected = outcomes(of: Streams.mixed, options: options)
    #expect(lines.map { Outcome($0) { show($0) } } == expected)
    #expect(expected.count == 14)
    // Enough for an index of many lines.
    let many = Array(repeatElement(Streams.mixed + [0x0A], count: 9).joined())
    let manyLines = JSONLines<Event>(many, options: options)
    #expect(
      manyLines.map { Outcome($0) { show($0) } } == outcomes(of: many, options: options))
  }

  @Test("numbers lines and places from the stream's beginning")
  func places() throws {
    var found: [String] = []
    for line in JSONLines<[Int]>("[1]\r\n\n[2,\"3\"]\n[4") {
      switch line.result {
      case .success(let value): found.append("\(line.number) \(line.offset) \(value)")
      case .failure(let error):
        let place = try #require(error.location)
        found.append("\(line.number) \(line.offset) \(place.offset) \(error)")
      }
    }
    #expect(
      found == [
        "1 0 [1]",
        "3 6 9 3:4: /1: expected an integer, found the string \"3\"\n  [2,\"3\"]\n     ^~~",
        "4 14 16 4:3: the input ends too early: expected ',' or ']'; the array begins at 4:1\n  [4\n    ^",
      ])
  }

  @Test("an error without a place of its own has that of its line")
  func customErrors() throws {
    let text = "[1,2]\n [2,1]\n[3,0]"
    let errors = JSONLines<Ordered>(text).compactMap { $0.result.error }
    #expect(
      errors.map { "\($0)" } == [
        "2:2: not in order\n   [2,1]\n   ^", "3:1: not in order\n  [3,0]\n  ^",
      ])
    #expect(errors.map { $0.location?.offset } == [7, 13])
    #expect(errors.map { $0.path } == ["", ""])
    let elements = JSONLines<Ordered>(#"{"a": [[1,2],[2,1]]}"#).elements(at: "/a")
    let error = try #require(elements.map { $0.result }.last?.error)
    #expect(error.path == "/a/1" && error.location?.column == 14)
    // Of a document by itself the place says nothing.
    #expect(Ordered.decode(from: "[2,1]").error?.description == "not in order")
  }

  private struct Ordered: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Ordered> {
      json.decode(0, as: Int.self) >>- { first in
        json.decode(1, as: Int.self) >>- {
          first < $0 ? pure(Ordered()) : .customError("not in order")
        }
      }
    }
  }

  @Test("a line that ends inside a string says so, whatever ends it")
  func cutStrings() {
    for end in ["\n", "\r\n"] {
      let lines = JSONLines<JSONValue>(["1", #"{"a":"b"#, "2"].joined(separator: end))
      #expect(
        lines.compactMap { $0.result.error?.message } == [
          "the input ends inside a string; the string begins at 2:6"
        ])
    }
  }

  @Test("models of any alignment and size are where their lines say", arguments: engines)
  func alignments(_ engine: Engine) throws {
    let bytes = "[1,2]\n[3,\"x\"]\n\n[5,6]"
    let options = DecodingOptions.on(engine)
    var found: [String] = []
    for line in JSONLines<Aligned>(bytes, options: options) {
      found.append("\(line.number) \(line.offset) \(line.result.map(\.text).value ?? "-")")
    }
    #expect(found == ["1 0 1.0 2.0", "2 6 -", "4 15 5.0 6.0"])
    found = JSONLines<Empty>(bytes, options: options).map {
      "\($0.number) \($0.offset) \($0.result.error == nil)"
    }
    #expect(found == ["1 0 true", "2 6 true", "4 15 true"])
  }

  @Test("errors that models keep have places in the stream", arguments: engines)
  func keptErrors(_ engine: Engine) throws {
    let bytes = "{}\n[1,\"x\"]\n"
    let lines = Array(JSONLines<LossyArray<Int>>(bytes, options: .on(engine)))
    let skipped = try #require(try lines[1].result.get().skipped.first)
    #expect(skipped.error.path.text == "/1")
    if engine == .native {
      #expect(skipped.error.location?.offset == 6)
      #expect(skipped.error.location?.line == 2)
      #expect(skipped.error.location?.column == 4)
    }
    #expect(lines[0].result.error?.code == .typeMismatch)
  }

  @Test("every line counts the errors that models keep for itself", arguments: engines)
  func keptErrorsOfEachLine(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine, maximumErrors: 2)
    let bytes = String(repeating: "[\"x\",\"y\",\"z\"]\n", count: 3)
    let lines = try JSONLines<LossyArray<Int>>(bytes, options: options).map { try $0.result.get() }
    #expect(lines.map(\.skipped.count) == [2, 2, 2])
    #expect(lines.map(\.skippedCount) == [3, 3, 3])
  }

  @Test("a JSONValue keeps its place in the stream", arguments: engines)
  func values(_ engine: Engine) throws {
    let lines = Array(JSONLines<JSONValue>("1\n{\"a\":\"b\"}\n[", options: .on(engine)))
    #expect(lines.map(\.number) == [1, 2, 3])
    let value = try lines[1].result.get()
    #expect(value["a"].string == "b")
    let error = #expect(throws: DecodeError.self) { try value["a"].decode(Int.self) }
    #expect(error?.path.text == "/a")
    if engine == .native {
      #expect(error?.location?.offset == 7)
      #expect(error?.location?.line == 2)
      #expect(lines[2].result.error?.location?.line == 3)
    }
    #expect(lines[2].result.error?.code == .unexpectedEnd)
  }

  @Test("every type of bytes has the same lines")
  func bytes() throws {
    let text = String(decoding: Streams.events(20), as: UTF8.self)
    let bytes = Array(text.utf8)
    let expected = outcomes(of: bytes)
    func check(_ lines: JSONLines<Event>, _ source: SourceLocation = #_sourceLocation) {
      #expect(lines.map { Outcome($0) { show($0) } } == expected, sourceLocation: source)
    }
    check(JSONLines(bytes))
    check(JSONLines(bytes[...]))
    check(JSONLines(ContiguousArray(bytes)))
    check(JSONLines(text))
    check(JSONLines(text[...]))
    check(JSONLines(Data(bytes)))
    unsafe bytes.withUnsafeBytes { check(unsafe JSONLines($0)) }
    unsafe bytes.withUnsafeBufferPointer { check(unsafe JSONLines($0)) }
    var found: [Outcome] = []
    JSONLines<Event>.forEach(in: bytes.span) { found.append(Outcome($0) { show($0) }) }
    #expect(found == expected)
    found = []
    unsafe JSONLines<Event>.forEach(in: bytes.span.bytes) { found.append(Outcome($0) { show($0) }) }
    #expect(found == expected)
  }

  @Test("a body that throws ends the lines of a span")
  func throwingBody() {
    struct Stop: Error {}
    var count = 0
    #expect(throws: Stop.self) {
      try JSONLines<Int>.forEach(in: [UInt8]("1\n2\n3\n".utf8).span) { _ in
        count += 1
        if count == 2 { throw Stop() }
      }
    }
    #expect(count == 2)
  }

  @Test(
    "streams without documents have no lines",
    arguments: ["", "\n", "\r\n", " \n\t\n\n", "  "])
  func empty(_ text: String) {
    #expect(JSONLines<Int>(text).map(\.number).isEmpty)
  }

  @Test("each iteration begins anew, and ends once")
  func iterations() {
    let lines = JSONLines<Int>("1\n2")
    #expect(lines.map(\.number) == [1, 2])
    var iterator = lines.makeIterator()
    #expect(iterator.next()?.number == 1)
    var copy = iterator
    #expect(iterator.next()?.number == 2)
    #expect(copy.next()?.number == 2)
    #expect(iterator.next() == nil)
    #expect(iterator.next() == nil)
  }

  @Test("copies of an iterator go on by themselves")
  func copies() {
    let lines = JSONLines<Event>(Streams.events(400))
    let expected = lines.map { $0.number }
    var iterators = [lines.makeIterator()]
    var found: [[Int]] = [[]]
    for turn in 0..<expected.count {
      if turn % 50 == 7 {
        iterators.append(iterators[0])
        found.append(found[0])
      }
      for place in iterators.indices {
        if let line = iterators[place].next() { found[place].append(line.number) }
      }
    }
    for numbers in found { #expect(numbers == expected) }
  }

  /// Asks a copy of the iterator that makes it for the next lines, before it has read all of its own.
  struct Ahead: Decodable {
    nonisolated(unsafe) static var copy: JSONLines<Ahead>.Iterator?
    let first: [Int]
    let second: [String]
    let next: Int?

    enum CodingKeys: CodingKey { case first, second }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      first = try container.decode([Int].self, forKey: .first)
      var copy = unsafe Ahead.copy.take()
      _ = copy?.next()
      next = copy?.next()?.number
      second = try container.decode([String].self, forKey: .second)
    }
  }

  @Test("a model can ask a copy of its iterator for lines")
  func copiesInModels() {
    let rows = (0..<200).map { row in
      (Array(repeating: row, count: row % 7), Array(repeating: "\(row)", count: row % 5))
    }
    let text = rows.map { "{\"first\":\($0),\"second\":\($1)}\n" }.joined()
    var lines = JSONLines<Ahead>(text).makeIterator()
    for (place, row) in rows.enumerated() {
      unsafe Ahead.copy = lines
      let line = lines.next()
      #expect(line?.number == place + 1)
      let model = line?.result.value
      #expect(model?.first == row.0)
      #expect(model?.second == row.1)
      #expect(model?.next == (place + 1 < rows.count ? place + 2 : nil))
    }
  }

  @Test("lines, elements and reports say what they are")
  func descriptions() {
    let lines = JSONLines<Int>("[1,2]\n")
    let line = Array(JSONLines<[Int]>("\n[1,2]"))[0]
    #expect("\(line)" == "line 2: [1, 2]")
    let elements = Array(JSONLines<Int>("[1,true]").elements(at: ""))
    #expect("\(elements[0])" == "element 0: 1")
    #expect("\(elements[1])".hasPrefix("element 1: 1:4: /1: expected an integer"))
    var report = JSONLinesReport()
    #expect("\(report)" == "lines: 0, failed: 0")
    for line in lines { report.add(line) }
    #expect("\(report)".hasPrefix("lines: 1, failed: 1\nline 1: 1:1: expected an integer"))
  }

  @Test("a part of a stream keeps the stream's places")
  func parts() throws {
    let lines = Array(JSONLines<Int>("1\n\"2\"", firstLine: 41, firstOffset: 1000))
    #expect(lines.map(\.number) == [41, 42])
    #expect(lines.map(\.offset) == [1000, 1002])
    let place = try #require(lines[1].result.error?.location)
    #expect((place.offset, place.line, place.column) == (1002, 42, 1))
    let last = Array(JSONLines<Int>("x", firstLine: .max, firstOffset: .max))
    #expect(last[0].result.error?.code == .unexpectedByte)
    let negative = Array(JSONLines<Int>("x", firstLine: -1, firstOffset: -1))
    #expect((negative[0].number, negative[0].offset) == (1, 0))
  }

  @Test("a byte order mark is the stream's, by option")
  func mark() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("1\n".utf8) + [0xEF, 0xBB, 0xBF, 0x32]
    let strict = Array(JSONLines<Int>(bytes))
    #expect(strict.map(\.result.error?.code) == [.byteOrderMark, .byteOrderMark])
    for engine in engines {
      let options = DecodingOptions(engine: engine, relaxations: .byteOrderMark)
      let lines = Array(JSONLines<Int>(bytes, options: options))
      #expect(lines.map(\.offset) == [3, 5])
      #expect(lines[0].result.value == 1)
      #expect(lines[1].result.error?.code == .byteOrderMark)
    }
    let blank = [0xEF, 0xBB, 0xBF] + Array("\n[]".utf8)
    let options = DecodingOptions(relaxations: .byteOrderMark)
    #expect(JSONLines<[Int]>(blank, options: options).map(\.number) == [2])
    let piece = Array(JSONLines<Int>(bytes, options: options, firstLine: 9, firstOffset: 90))
    #expect(piece.map(\.result.error?.code) == [.byteOrderMark, .byteOrderMark])
  }

  @Test("a line that is too long fails alone", arguments: engines)
  func longest(_ engine: Engine) {
    let long = "[" + String(repeating: "1,", count: 5000) + "1]"
    let options = DecodingOptions(engine: engine, maximumBytes: 100)
    let lines = Array(JSONLines<[Int]>("[1]\n\(long)\n[2]\n", options: options))
    #expect(lines.map(\.number) == [1, 2, 3])
    #expect(lines[0].result.value == [1])
    #expect(lines[1].result.error?.code == .tooLarge)
    #expect(lines[1].result.error?.location?.line == 2)
    #expect(lines[2].result.value == [2])
  }

  @Test("a line that takes too much memory fails alone", arguments: engines)
  func memory(_ engine: Engine) {
    let many = "[" + String(repeating: "1,", count: 5000) + "1]"
    let options = DecodingOptions(engine: engine, maximumMemory: 4_096)
    let lines = Array(JSONLines<[Int]>("[1]\n\(many)\n[2]\n", options: options))
    #expect(lines.map(\.result.error?.code) == [nil, .tooLarge, nil])
    #expect(lines[1].result.error?.location?.line == (engine == .native ? 2 : nil))
  }

  @Test("the options count: names, redaction, relaxations")
  func options() {
    let options = DecodingOptions(
      sourceName: "events.ndjson", relaxations: .trailingCommas, redactsInput: true)
    let lines = Array(JSONLines<[Int]>("[1,]\n[\"secret\"]", options: options))
    #expect(lines[0].result.value == [1])
    #expect(
      lines[1].result.error?.description
        == "events.ndjson:2:2: /0: expected an integer, found a string")
  }
}

/// A model of a larger alignment than a line's number has.
private struct Aligned: JSONInitializable {
  let point: SIMD2<Double>
  var text: String { "\(point.x) \(point.y)" }

  init(json: JSON) throws(DecodeError) {
    point = SIMD2(try json.get(0), try json.get(1))
  }
}

/// A model of no bytes.
private struct Empty: JSONInitializable {
  init(json: JSON) throws(DecodeError) {}
}
