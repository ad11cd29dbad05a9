// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

private struct Item: JSONDecodable, Equatable, Sendable {
  let id: Int
  let name: String

  static func decode(_ json: JSON) -> Decoded<Item> {
    build(Item.init, json <| "id", json <| "name")
  }
}

@Suite("Lossy containers")
struct LossyTests {
  @Test("an array keeps what decodes and reports the rest", arguments: engines)
  func array(engine: Engine) throws {
    let json = #"{"items":[{"id":1,"name":"a"},{"id":"2"},null,{"id":4,"name":"d"}]}"#
    let value = try JSONValue(parsing: json, options: .on(engine))
    let items: LossyArray<Item> = try value["items"].decode()
    #expect(items.elements == [Item(id: 1, name: "a"), Item(id: 4, name: "d")])
    #expect(items.skipped.map(\.index) == [1, 2])
    #expect(items.skippedCount == 2)
    var first = [
      Failure(.typeMismatch, "1:37", "/items/1/id", #"expected an integer, found the string "2""#),
      Failure(.missingKey, "1:31", "/items/1/name", "the key is missing"),
    ]
    var second = Failure(
      .typeMismatch, "1:42", "/items/2", "expected an object, found null")
    if engine != .native {
      first = first.map(\.withoutPlace)
      second = second.withoutPlace
    }
    #expect(failures(of: items.skipped[0].error) == first)
    #expect(failures(of: items.skipped[1].error) == [second])
  }

  @Test("a dictionary keeps what decodes and reports the rest", arguments: engines)
  func dictionary(engine: Engine) throws {
    let json = #"{"a":1,"b":"2","c":3}"#
    let numbers = try LossyDictionary<String, Int>(decoding: json, options: .on(engine))
    #expect(numbers.elements == ["a": 1, "c": 3])
    #expect(numbers.skipped.map(\.key) == ["b"])
    #expect(numbers.skipped[0].error.path == "/b")
    #expect(numbers.skipped[0].error.message == #"expected an integer, found the string "2""#)
    let keyed = try LossyDictionary<Int, Int>(decoding: #"{"1":1,"x":2}"#, options: .on(engine))
    #expect(keyed.elements == [1: 1])
    #expect(keyed.skipped[0].error.message == #"the key "x" is not an accepted key"#)
  }

  @Test("of equal keys one is asked, the one that counts")
  func duplicates() throws {
    let json = #"{"a":"x","a":2}"#
    let first = try LossyDictionary<String, Int>(decoding: json)
    #expect(first.elements == [:])
    #expect(first.skippedCount == 1)
    let last = try LossyDictionary<String, Int>(
      decoding: json, options: DecodingOptions(duplicateKeys: .last))
    #expect(last.elements == ["a": 2])
    #expect(last.skippedCount == 0)
  }

  @Test("keys that are one key when they are read are equal, as in a dictionary")
  func equalWhenRead() throws {
    for (json, first, last) in [
      (#"{"5":1,"05":2,"+5":3}"#, "[5: 1] []", "[5: 3] []"),
      (#"{"5":1,"05":"x"}"#, "[5: 1] []", "[:] [05]"),
      (#"{"5":"x","05":1}"#, "[:] [5]", "[5: 1] []"),
      (#"{"5":"x","05":"y","5":"z","6":6}"#, "[6: 6] [5]", "[6: 6] [5]"),
    ] {
      for (rule, expected) in [(DecodingOptions.DuplicateKeys.first, first), (.last, last)] {
        let options = DecodingOptions(duplicateKeys: rule)
        let lossy = try LossyDictionary<Int, Int>(decoding: json, options: options)
        let skipped = lossy.skipped.map(\.key).joined(separator: ",")
        let members = lossy.elements.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let text = members.isEmpty ? ":" : members.joined(separator: ", ")
        #expect("[\(text)] [\(skipped)]" == expected)
        let strict = [Int: Int].decode(from: json, options: options)
        #expect(skipped.isEmpty ? strict.value == lossy.elements : strict.error != nil)
      }
    }
  }

  @Test("a value other than a container is still an error", arguments: engines)
  func kinds(engine: Engine) {
    #expect(
      LossyArray<Int>.decode(from: "{}", options: .on(engine)).error?.message
        == "expected an array, found an empty object")
    #expect(
      LossyDictionary<String, Int>.decode(from: "[]", options: .on(engine)).error?.message
        == "expected an object, found an empty array")
    let missing = JSONValue.parse("{}", options: .on(engine)).flatMap {
      $0.outcome { $0.decode("a", as: LossyArray<Int>.self) }
    }
    #expect(missing.error?.code == .missingKey)
  }

  @Test("the report is bounded, the count is not", arguments: engines)
  func bounds(engine: Engine) throws {
    let json = "[" + Array(repeating: #""x""#, count: 1000).joined(separator: ",") + "]"
    let options = DecodingOptions(engine: engine, maximumErrors: 3)
    let numbers = try LossyArray<Int>(decoding: json, options: options)
    #expect(numbers.elements.isEmpty)
    #expect(numbers.skipped.map(\.error.path.text) == ["/0", "/1", "/2"])
    #expect(numbers.skippedCount == 1000)
  }

  /// A skipped list, which is dropped with what it has skipped.
  private struct Inner: JSONDecodable {
    let numbers: LossyArray<Int>
    static func decode(_ json: JSON) -> Decoded<Inner> {
      build({ (numbers, _: Int) in Inner(numbers: numbers) }, json.decode("n"), json.decode("id"))
    }
  }

  @Test("the errors of a document are counted together", arguments: engines)
  func budget(engine: Engine) throws {
    let json = #"[["x",1,"y"],{"n":["z"]},["a","b","c"],{"n":["d","e"]},["f"]]"#
    typealias Lists = [LossyArray<Int>]
    let options = DecodingOptions(engine: engine, maximumErrors: 4)
    let lists = try #require(
      LossyArray<LossyArray<Int>>.decode(from: json, options: options).value)
    let kept = lists.elements.map { $0.skipped.map(\.error.path.text) }
    #expect(kept == [["/0/0", "/0/2"], ["/2/0"], []])
    #expect(lists.elements.map(\.skippedCount) == [2, 3, 1])
    #expect(lists.skipped.map(\.error.path.text) == ["/1"])
    #expect(lists.skippedCount == 2)
    // The next document has its own, and so has every decode of a value.
    let value = try JSONValue(parsing: "[[true],[true],[true]]", options: options)
    for _ in 0..<3 {
      #expect(try value.decode(Lists.self).map(\.skipped.count) == [1, 1, 1])
    }
  }

  @Test("the errors of a value's view are counted together", arguments: engines)
  func budgetOfView(engine: Engine) throws {
    let options = DecodingOptions(engine: engine, maximumErrors: 4)
    let value = try JSONValue(parsing: #"[["x"],["y","y"],["a","b","c"],[]]"#, options: options)
    let array = JSONConversion.array(of: JSONConversion<LossyArray<Int>>.value)
    for _ in 0..<2 {
      let lists = try [LossyArray<Int>].decode(value.view).get()
      #expect(lists.map(\.skipped.count) == [1, 2, 1, 0])
      #expect(lists.map(\.skippedCount) == [1, 2, 3, 0])
      #expect(lists[2].skipped[0].error.path.text == "/2/0")
      let lossy = try LossyArray<LossyArray<Int>>.decode(value.view).get()
      #expect(lossy.elements.map(\.skipped.count) == [1, 2, 1, 0])
      let converted = try array.convert(value.view).get()
      #expect(converted.map(\.skipped.count) == [1, 2, 1, 0])
    }
    let object = try JSONValue(parsing: #"{"a":["x","x","x"],"b":["x","x"]}"#, options: options)
    let members = try [String: LossyArray<Int>].decode(object.view).get()
    #expect(members.mapValues(\.skipped.count) == ["a": 3, "b": 1])
    let lossy = try LossyDictionary<String, LossyArray<Int>>.decode(object.view).get()
    #expect(lossy.elements.mapValues(\.skipped.count) == ["a": 3, "b": 1])
    // What is missing inside is told, too.
    let empty = try JSONValue(parsing: "[{}]", options: options)
    let missing = [Inner].decode(empty.view).error
    #expect(missing?.underlying.map(\.code) == [.missingKey, .missingKey])
  }

  @Test("what a skipped element had skipped does not count", arguments: engines)
  func refunds(engine: Engine) throws {
    let row = #"{"n":["x","y","z"],"id":"#
    let json = "[" + row + "true}," + row + "1}," + row + "true}," + row + "2}]"
    let options = DecodingOptions(engine: engine, maximumErrors: 5)
    let rows = try #require(LossyArray<Inner>.decode(from: json, options: options).value)
    #expect(rows.skipped.map(\.error.path.text) == ["/0/id", "/2/id"])
    #expect(rows.elements.map(\.numbers.skipped.count) == [3, 0])
    #expect(rows.elements.map(\.numbers.skippedCount) == [3, 3])
  }

  @Test("skipped lists of errors count as many", arguments: engines)
  func lists(engine: Engine) throws {
    let options = DecodingOptions(engine: engine, maximumErrors: 3)
    let rows = try #require(
      LossyArray<[Int]>.decode(from: "[[true],[true,1,true,true],[true]]", options: options).value)
    #expect(rows.skippedCount == 3)
    #expect(rows.skipped.map(\.error.count) == [1, 3])
    #expect(rows.skipped.map(\.error.underlying.count) == [0, 2])
    #expect(rows.skipped[1].error.description.contains("\n… and 1 more error"))
    #expect(rows.skipped[1].error.underlying.map(\.path.text) == ["/1/0", "/1/2"])
  }

  @Test("errors of large documents are read after it is gone", arguments: engines)
  func large(engine: Engine) throws {
    let key = String(repeating: "k", count: 1_100_000)
    let json = #"{"\#(key)":[[1,"x"],["y",2,"z"]]}"#
    let lists = try [String: [LossyArray<Int>]](decoding: json, options: .on(engine))
    let errors = lists[key]?.flatMap { $0.skipped.map(\.error) } ?? []
    #expect(errors.map(\.path.text) == ["/\(key)/0/1", "/\(key)/1/0", "/\(key)/1/2"])
    #expect(errors.map(\.found) == ["x", "y", "z"].map { #"the string "\#($0)""# })
    #expect(errors.allSatisfy { $0.description.utf8.count < 500 && $0.jsonText.utf8.count < 500 })
    if engine == .native { #expect(errors.last?.location?.offset == key.utf8.count + 20) }
  }

  @Test("elements by a conversion", arguments: engines)
  func conversions(engine: Engine) throws {
    let value = try JSONValue(parsing: #"["1","x","3"]"#, options: .on(engine))
    let numbers = try value.converted(using: .lossyArray(of: JSONConversion<Int>.fromString)).get()
    #expect(numbers.elements == [1, 3])
    #expect(
      numbers.skipped.map(\.error.message) == [
        #"expected a number in a string, found the string "x""#
      ])
  }
}
