// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Errors that are only counted")
struct ErrorCountingTests {
  private enum Letter: String, JSONDecodable, JSONObjectKey { case a, b }

  /// Fails in many ways: several errors an element, keys that are none, keys that are absent.
  private struct Element: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Element> {
      build(
        { _, _, _, _ in Element() },
        json.decode("letters", as: [Letter: Int].self), json.decode("numbers", as: [Int8].self),
        json.decode("absent", as: Int.self), json.decode(["far", "away"], as: Bool.self))
    }
  }

  private struct Page: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Page> {
      build(
        { _, _ in Page() },
        json.decode("elements", as: [Element].self), json.decode("last", as: String.self))
    }
  }

  private static let document: String = {
    let elements = (0..<40).map { number in
      switch number % 4 {
      case 0: #"{"letters":{"a":1,"c":2},"numbers":[300,"x"],"absent":1,"far":{"away":7}}"#
      case 1: #"{"letters":{},"numbers":[],"far":{}}"#
      case 2: "\(number)"
      default: #"{"letters":7,"numbers":{},"absent":null,"far":{"away":true}}"#
      }
    }
    return #"{"elements":[\#(elements.joined(separator: ",\n"))],"last":\#(7)}"#
  }()

  @Test("are counted, and those up to it are the ones of a higher limit", arguments: engines)
  func counted(engine: Engine) throws {
    func error(_ limit: Int) throws -> DecodeError {
      let options = DecodingOptions(engine: engine, maximumErrors: limit)
      return try #require(Page.decode(from: Self.document, options: options).error)
    }
    let all = try error(1_000)
    #expect(all.count == all.underlying.count)
    #expect(all.otherLocation == nil)
    for limit in [2, 3, 5, 8, 13, 50] {
      let some = try error(limit)
      #expect(some.count == all.count, "\(limit)")
      #expect(
        some.underlying.map(\.description) == all.underlying.prefix(limit).map(\.description),
        "\(limit)")
    }
  }

  @Test("what is said twice of one value counts once", arguments: engines)
  func repeated(engine: Engine) throws {
    struct Twice: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Twice> {
        let (id, name): (JSONKey, JSONKey) = ("id", "name")
        let errors: [Decoded<Int>] = [
          json.decode(id), json.decode(id), json.decode(name), json.decode(JSONKey("na" + "me")),
          json.decode("tag"), json.decode("tag"), json.decode("tag").mapError { $0 },
        ]
        return errors.dropFirst().reduce(errors[0]) { left, right in
          build({ _, _ in 0 }, left, right)
        }.map { _ in Twice() }
      }
    }
    let options = DecodingOptions(engine: engine)
    let error = try #require(Twice.decode(from: #"{"tag":"x"}"#, options: options).error)
    #expect(error.underlying.map(\.path.text) == ["/id", "/name", "/tag"])
    #expect(error.count == 3)
  }

  @Test("what is in a path's way and fails by itself counts once", arguments: engines)
  func repeatedObstacle(engine: Engine) throws {
    struct Both: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Both> {
        build(
          { _, _ in Both() },
          json.decode([0, "a"], as: String.self), json.decode(JSONKey(0), as: [String: Int].self))
      }
    }
    let options = DecodingOptions(engine: engine)
    let value = try JSONValue(parsing: "[0]", options: options)
    for result in [Both.decode(from: "[0]", options: options), value.decoded()] {
      let error = try #require(result.error)
      #expect(error.count == 1)
      #expect(error.path.text == "/0")
      #expect(error.code == .typeMismatch)
    }
  }

  @Test("of one category each, which have names")
  func categories() {
    let categories: [DecodeError.Category] = [.syntax, .data, .limit, .input, .memory]
    #expect(categories.map(\.name) == ["syntax", "data", "limit", "input", "memory"])
  }

  @Test("an error that has left its document keeps its parts in another", arguments: engines)
  func kept(engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    let inner = try #require([Int].decode(from: "[true,false]", options: options).error)
    struct Outer: JSONDecodable {
      @TaskLocal static var failure: DecodeError?
      static func decode(_ json: JSON) -> Decoded<Outer> {
        build(
          { _, _ in Outer() }, Decoded<Int>.failure(failure ?? .custom("none")),
          json.decode("a", as: Int.self))
      }
    }
    try Outer.$failure.withValue(inner) {
      let outer = try #require(Outer.decode(from: #"{"a":"x"}"#, options: options).error)
      #expect(outer.underlying.map(\.path.text) == ["", "", "/a"])
      let parts = outer.underlying.prefix(2)
      #expect(parts.map(\.inner?.path.text) == ["/0", "/1"])
      #expect(parts.map(\.inner?.message) == inner.underlying.map(\.message))
    }
  }
}
