// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantJansson
import DecantLines
import DecantTestSupport
import Testing

private struct Feature: JSONDecodable {
  let id: Int
  let name: String

  static func decode(_ json: JSON) -> Decoded<Feature> {
    build(Feature.init, json <| "id", json <| "name")
  }
}

private func text(_ item: JSONElements<Feature>.Item) -> String {
  let outcome =
    switch item.result {
    case .success(let feature): "\(feature.id) \(feature.name)"
    case .failure(let error): Outcome.text(of: error, shift: 0)
    }
  return "\(item.index) at \(item.offset): \(outcome)"
}

/// The code, place and path of an error.
private func place(_ error: DecodeError?) -> String {
  guard let error else { return "-" }
  let location = error.location.map { "\($0.offset)=\($0.line):\($0.column)" } ?? "-"
  return "\(error.code.rawValue) \(location) \(error.path)"
}

private func errors(_ document: String, at pointer: JSONPointer = "/a") -> [String] {
  JSONLines<Int>(document).elements(at: pointer).map { place($0.result.error) }
}

@Suite("JSONElements")
struct ElementsOfDocuments {
  private let document = #"""
    {"type": "é", "skip": [1, {"features": [0]}, "]"],
     "features": [
      {"id": 1, "name": "Ann"}, {"id": "2", "name": "[,]\"}"},
      {"id": 3, "name": "Cécile"}
      , {"id": 4, "name": "D\\"} ],
     "bbox": [1, 2]}
    """#

  @Test("has the elements, with their places in the document")
  func elements() {
    let items = Array(JSONLines<Feature>(document).elements(at: "/features"))
    #expect(items.map(\.index) == [0, 1, 2, 3])
    #expect(items.map(\.result.value?.id) == [1, nil, 3, 4])
    #expect(items.map(\.result.value?.name) == ["Ann", nil, "Cécile", "D\\"])
    #expect(place(items[1].result.error) == "201 102=3:36 /features/1/id")
    for item in items where item.result.error == nil {
      let bytes = Array(document.utf8).dropFirst(item.offset)
      #expect(bytes.starts(with: #"{"id": "#.utf8))
    }
  }

  @Test("every cut into chunks is as the whole")
  func everyCut() async throws {
    let broken = document.replacing("\"bbox\": [1, 2]", with: "\"bbox\": [1, 2")
    for document in [document, broken] {
      let bytes = Array(document.utf8)
      let expected = JSONLines<Feature>(bytes).elements(at: "/features").map(text)
      for size in 1...70 {
        var found: [String] = []
        let elements = JSONLines<Feature>(Cut(bytes, [size])).elements(at: "/features")
        for try await item in elements { found.append(text(item)) }
        #expect(found == expected, "chunks of \(size) bytes")
      }
    }
  }

  @Test("a bad element fails alone; what is around the array is checked, at its place")
  func failures() {
    #expect(errors(#"{"a":[1,2]}"#) == ["-", "-"])
    #expect(errors(#"{"a":[]}"#) == [])
    #expect(errors("[1,2]", at: "") == ["-", "-"])
    #expect(errors(#"{"b":{"c":[7]}}"#, at: "/b/c") == ["-"])
    #expect(errors(#"{"a":[1,x,3]}"#) == ["-", "101 8=1:9 ", "-"])
    #expect(errors("{\"a\":[1,\n\"2\",3]}") == ["-", "201 9=2:1 /a/1", "-"])
    #expect(errors(#"{"a":[1,]}"#) == ["-", "101 8=1:9 "])
    #expect(errors(#"{"a":[,1]}"#) == ["101 6=1:7 ", "-"])
    #expect(errors(#"{"a":[1,2"#) == ["-", "-", "102 9=1:10 "])
    #expect(errors(#"{"a":[1,2]"#) == ["-", "-", "102 10=1:11 "])
    #expect(errors(#"{"a":[1,2],}"#) == ["-", "-", "101 11=1:12 "])
    #expect(errors("{\"a\":[1,\n2]\n,é}") == ["-", "-", "101 13=3:2 "])
    #expect(errors(#"{"a":[1]} x"#) == ["-", "109 10=1:11 "])
    #expect(errors(#"{"b":[1]}"#) == ["202 0=1:1 /a"])
    #expect(errors(#"{"a":{"b":1}}"#) == ["201 5=1:6 /a"])
    #expect(errors("") == ["401 0=1:1 "])
    #expect(errors(#"{"a":[1]}"#, at: "a") == ["402 0=1:1 "])
    let long = String(repeating: "k", count: 256)
    #expect(errors("{\"\(long)\":[1]}", at: JSONPointer("/" + long)) == ["404 - "])
    #expect(errors("{\"\(long.dropLast())\":[1]}", at: JSONPointer("/" + long.dropLast())) == ["-"])
  }

  @Test("options that need the whole document are refused, as in C", arguments: engines)
  func refusals(_ engine: Engine) async throws {
    let document = #"{"a":[1],"a":[2]}"#
    for (options, reason) in [
      (
        DecodingOptions(engine: engine, relaxations: .comments),
        "comments are read in streams of lines only"
      ),
      (
        DecodingOptions(engine: engine, duplicateKeys: .last),
        "the last of several members is not known before a stream ends"
      ),
    ] {
      let whole = JSONLines<Int>(document, options: options).elements(at: "/a")
      #expect(whole.map { place($0.result.error) } == ["403 - "])
      #expect(Array(whole)[0].result.error?.description == reason)
      var found: [String] = []
      let cut = Cut(Array(document.utf8), [3])
      for try await item in JSONLines<Int>(cut, options: options).elements(at: "/a") {
        found.append(place(item.result.error))
      }
      #expect(found == ["403 - "])
    }
  }

  @Test("a byte order mark is the document's, by option")
  func mark() async throws {
    let document = "\u{FEFF}{\"b\":x,\"a\":[1,\"2\",\u{FEFF}3]}"
    #expect(errors(document) == ["110 0=1:1 "])
    let options = DecodingOptions(relaxations: .byteOrderMark)
    let expected = ["-", "201 17=1:16 /a/1", "110 21=1:20 ", "101 8=1:7 "]
    let whole = JSONLines<Int>(document, options: options).elements(at: "/a")
    #expect(whole.map { place($0.result.error) } == expected)
    let jansson = DecodingOptions(engine: .jansson, relaxations: .byteOrderMark)
    let other = JSONLines<Int>(document, options: jansson).elements(at: "/a")
    #expect(other.map { $0.result.error?.code } == whole.map { $0.result.error?.code })
    let piece = JSONLines<Int>(document, options: options, firstOffset: 5).elements(at: "/a")
    #expect(piece.map { place($0.result.error) } == ["110 5=1:1 "])
    for size in 1...5 {
      var found: [String] = []
      let cut = Cut(Array(document.utf8), [size])
      for try await item in JSONLines<Int>(cut, options: options).elements(at: "/a") {
        found.append(place(item.result.error))
      }
      #expect(found == expected, "chunks of \(size) bytes")
    }
  }

  @Test(
    "a bracket that is open behind the elements is at its place, and what came last in it is known",
    arguments: [
      (
        "{\"a\":[1,\n2],\"b\":{\"c\":1",
        "2:14: the input ends too early: expected ',' or '}'; the object begins at 2:8"
      ),
      (
        "{\"a\":[1,\n2",
        "2:2: the input ends too early: expected ',' or ']'; the array begins at 1:6"
      ),
      ("{\"a\":[1,\n", "2:1: the input ends too early: expected a value; the array begins at 1:6"),
      ("{\"a\":[1}", "1:8: expected ',' or ']', found '}'"),
    ])
  func openBracket(document: String, message: String) {
    for engine in engines {
      let items = Array(
        JSONLines<Int>(document, options: .on(engine)).elements(at: "/a"))
      #expect(items.last?.result.error?.description.hasPrefix(message) == true)
    }
  }

  @Test("a source line shows that elements were taken out of it", arguments: engines)
  func gap(engine: Engine) {
    let rows = [
      ("{\"a\":[1,2],\"b\":01}", "  {\"a\":[…],\"b\":01}\n                ^"),
      ("{\"b\":01,\"a\":[1,\n2]}", "  {\"b\":01,\"a\":[…]}\n        ^"),
      ("{\"a\":[],\"b\":01}", "  {\"a\":[],\"b\":01}\n               ^"),
    ]
    for (document, excerpt) in rows {
      let items = Array(JSONLines<Int>(document, options: .on(engine)).elements(at: "/a"))
      #expect(items.last?.result.error?.description.hasSuffix("\n" + excerpt) == true)
    }
  }

  @Test("what follows an element is not the end of the input")
  func betweenElements() {
    let items = Array(JSONLines<Int>("{\"a\":[1 2]}").elements(at: "/a"))
    let message = items.last?.result.error?.description
    #expect(message?.hasPrefix("1:9: expected ',' or ']', found '2'") == true)
  }

  @Test("what is around the array has its places whatever engine reads the elements")
  func around() {
    let document = "{\"b\":1e400,\n\"a\":[1,\n2\n],\n\"b\":}"
    let items = engines.map { engine in
      Array(JSONLines<Int>(document, options: .on(engine)).elements(at: "/a"))
    }
    for items in items {
      #expect(items.map { place($0.result.error) } == ["-", "-", "101 29=5:5 "])
      #expect(items.map(\.offset) == [17, 20, 29])
    }
    let missing = JSONLines<Int>("{}\n", options: .on(.jansson)).elements(at: "/a")
    #expect(missing.map { place($0.result.error) } == ["202 0=1:1 /a"])
  }

  @Test("both places of a duplicate key are the stream's, on either side of the elements")
  func duplicatesAround() {
    let options = DecodingOptions(duplicateKeys: .reject)
    func last(_ document: String) -> DecodeError? {
      let lines = JSONLines<Int>(document, options: options, firstOffset: 1000)
      return Array(lines.elements(at: "/a")).last?.result.error
    }
    let behind = last("{\"a\":[1,\n2],\"b\":1,\"b\":2}")
    #expect(behind?.location == .init(offset: 1018, line: 2, column: 10))
    #expect(behind?.otherLocation == .init(offset: 1012, line: 2, column: 4))
    let around = last("{\"b\":1,\"a\":[1,\n2],\"b\":2}")
    #expect(around?.location == .init(offset: 1018, line: 2, column: 4))
    #expect(around?.otherLocation == .init(offset: 1001, line: 1, column: 2))
  }

  @Test("elements of Decodable models, and values")
  func models() throws {
    struct Point: Decodable { let x: Int }
    let points = JSONLines<Point>(#"[{"x":1},{"x":"2"},{}]"#).elements(at: "")
    let items = Array(points)
    #expect(items[0].result.value?.x == 1)
    #expect(items.map { place($0.result.error) } == ["-", "201 14=1:15 /1/x", "202 19=1:20 /2/x"])
    let value = try #require(
      Array(JSONLines<JSONValue>(#"[[{"a":1}]]"#).elements(at: ""))[0].result.value)
    let error = #expect(throws: DecodeError.self) { try value[0]["a"].decode(String.self) }
    #expect(error?.location?.offset == 7)
    #expect(error?.path == "/0/0/a")
  }

  @Test("paths begin at the document's root, also of errors that outlive the element")
  func paths() async throws {
    struct Point: Decodable { let x: Int }
    struct Points: JSONDecodable {
      let points: LossyArray<Int>

      static func decode(_ json: JSON) -> Decoded<Points> {
        build(Points.init, json <| "points")
      }
    }
    let kept = JSONLines<Points>(#"{"a/b":[{"points":[1]},{"points":["1",true]}]}"#)
    let lossy = try Array(kept.elements(at: "/a~1b"))[1].result.get()
    #expect(lossy.points.skipped.map(\.error.path) == ["/a~1b/1/points/0", "/a~1b/1/points/1"])
    let unique = DecodingOptions(duplicateKeys: .reject)
    let double = JSONLines<JSONValue>(#"{"a":[{},{"b":{"c":1,"c":2}}]}"#, options: unique)
    let error = Array(double.elements(at: "/a"))[1].result.error
    #expect(error?.path == "/a/1/b/c")
    #expect(error?.description.hasPrefix("1:22: /a/1/b/c: duplicate key \"c\"") == true)
    var values: [JSONValue] = []
    for try await item in JSONLines<JSONValue>(Cut(Array(#"{"a":[[{"b":"c"}],[2]]}"#.utf8), [3]))
      .elements(at: "/a")
    {
      values.append(try item.result.get())
    }
    let late = #expect(throws: DecodeError.self) { try values[0][0]["b"].decode(Int.self) }
    #expect(late?.path == "/a/0/0/b")
    let element = #expect(throws: DecodeError.self) { try values[1].decode([String].self) }
    #expect(element?.path == "/a/1/0")
    let several = JSONLines<Point>(#"[{"x":1},{"x":[]}]"#, decoder: DecantDecoder())
    #expect(Array(several.elements(at: ""))[1].result.error?.path == "/1/x")
  }

  /// Elements of many kinds and lengths with what may be between them: some are of the wrong type, some invalid.
  private func manyElements(_ random: inout SeededRandom) -> [UInt8] {
    let values = [
      #"{"id":1,"name":"Ann"}"#, #"{"id": 2, "name": "Cécile 東京"}"#, #"{"id":3,"name":"\"],["}"#,
      "{\n  \"id\": 4,\n  \"name\": \"Bob\"\n}",
    ]
    let faults = [
      #"{"id":"5","name":"é"}"#, "{\"id\":\n6}", #"{"id":7,"name":tru}"#, "[7", "8]", "\"9",
    ]
    let gaps = [",", ",", ",", ", ", ",\n", ",\n    ", "\n  , "]
    var text = "{\"é\":0,\"a\":["
    let rarity = [8, 40, 400].randomElement(using: &random) ?? 8
    let isOnLine = Int.random(in: 0..<2, using: &random) == 0
    for place in 0..<600 {
      if place > 0 { text += gaps.prefix(isOnLine ? 4 : 7).randomElement(using: &random) ?? "," }
      let isFault = Int.random(in: 0..<rarity, using: &random) == 0
      let choices = isFault ? faults[...] : values.prefix(isOnLine ? 3 : 4)
      text += choices.randomElement(using: &random) ?? ""
      if place.isMultiple(of: 97) {
        text += String(repeating: " ", count: Int.random(in: 0..<2000, using: &random))
      }
    }
    return Array((text + "],\"b\":1}").utf8)
  }

  @Test("elements that are linked with one index of many are those that are cut one by one")
  func linked() async throws {
    struct Named: Decodable {
      let id: Int
      let name: String
    }
    var random = SeededRandom(seed: 45)
    for _ in 0..<60 {
      let bytes = manyElements(&random)
      var expected: [String] = []
      // In chunks of less than a kilobyte none are linked.
      for try await item in JSONLines<Feature>(Cut(bytes, [700])).elements(at: "/a") {
        expected.append(text(item))
      }
      #expect(JSONLines<Feature>(bytes).elements(at: "/a").map(text) == expected)
      for size in [3000, 20_000] {
        var found: [String] = []
        for try await item in JSONLines<Feature>(Cut(bytes, [size])).elements(at: "/a") {
          found.append(text(item))
        }
        #expect(found == expected, "chunks of \(size) bytes")
      }
      let named = JSONLines<Named>(bytes, decoder: DecantDecoder()).elements(at: "/a")
      let features = Array(JSONLines<Feature>(bytes).elements(at: "/a"))
      #expect(named.map(\.offset) == features.map(\.offset))
      #expect(named.map { $0.result.value?.id } == features.map { $0.result.value?.id })
      let values = JSONLines<JSONValue>(bytes).elements(at: "/a")
      #expect(values.map(\.offset) == features.map(\.offset))
    }
  }

  @Test("copies of an iterator over elements that are linked go on by themselves")
  func copiesOfLinked() {
    let text = "[" + (0..<2000).map { "[\($0)]" }.joined(separator: ",") + "]"
    let elements = JSONLines<[Int]>(text).elements(at: "")
    var one = elements.makeIterator()
    for _ in 0..<700 { _ = one.next() }
    var other = one
    for place in 700..<2000 {
      #expect(one.next()?.result.value == [place])
      if place.isMultiple(of: 3) { #expect(other.next()?.index == 700 + (place - 700) / 3) }
    }
    #expect(one.next() == nil)
    while let item = other.next() { #expect(item.result.value == [item.index]) }
  }

  @Test("copies of an iterator go on by themselves")
  func copies() async throws {
    var iterators = [JSONLines<Int>("[1,2,{},4] x").elements(at: "").makeIterator()]
    #expect(iterators[0].next()?.result.value == 1)
    iterators.append(iterators[0])
    var found: [[String]] = [[], []]
    for _ in 0..<5 {
      for place in iterators.indices {
        guard let item = iterators[place].next() else { continue }
        found[place].append(
          "\(item.result.value ?? 0) \(DecantLinesTests.place(item.result.error))")
      }
    }
    #expect(found[0] == ["2 -", "0 201 5=1:6 /2", "4 -", "0 109 11=1:12 "])
    #expect(found[1] == found[0])

    // They have the chunks in common.
    let cut = Cut(Array("[12,34,5".utf8) + Array("67]     ".utf8), [8])
    var arriving = JSONLines<Int>(cut).elements(at: "").makeAsyncIterator()
    #expect(try await arriving.next()?.result.value == 12)
    var copy = arriving
    #expect(try await copy.next()?.result.value == 34)
    #expect(try await copy.next()?.result.value == 567)
    #expect(try await copy.next() == nil)
    #expect(try await arriving.next()?.result.value == 34)
    #expect(try await arriving.next()?.result.value == 5)
    #expect(try await arriving.next()?.result.error?.code == .unexpectedEnd)
    #expect(try await arriving.next() == nil)
  }

  @Test("an element that is too long fails alone, and is not kept")
  func longest() async throws {
    let long = String(repeating: "1", count: 100_000)
    let bytes = Array("{\"a\":[1,\(long),3]}".utf8)
    let options = DecodingOptions(maximumBytes: 100)
    for size in [7, 1000, 1 << 20] {
      var codes: [DecodeError.Code?] = []
      let lines = JSONLines<Int>(Cut(bytes, [size]), options: options)
      for try await item in lines.elements(at: "/a") { codes.append(item.result.error?.code) }
      #expect(codes == [nil, .tooLarge, nil])
    }
  }
}
