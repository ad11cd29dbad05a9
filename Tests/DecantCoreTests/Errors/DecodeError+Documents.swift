// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
import Testing

@Suite("Errors of values that own their document")
struct DocumentErrorTests {
  private enum Suit: String, JSONDecodable { case spades }

  /// What is wrong with `/hands/0/suit`.
  private static let text = #"{"hands":[{"suit":"hearts"}],"name":null}"#

  private static func value(_ engine: Engine) throws -> JSONValue {
    try JSONValue(parsing: text, options: DecodingOptions(engine: engine))
  }

  private func check(_ error: DecodeError?, _ engine: Engine) {
    #expect(error?.path == "/hands/0/suit")
    #expect(error?.code == .invalidValue)
    #expect(error?.message == #"the string "hearts" is not an accepted value"#)
    #expect(error?.location?.offset == (engine == .native ? 18 : nil))
  }

  private func error(_ body: () throws -> Void) -> DecodeError? {
    do {
      try body()
      return nil
    } catch { return error as? DecodeError }
  }

  /// A model with a document in a string.
  private struct Envelope: JSONDecodable {
    struct User: JSONDecodable {
      let id: Int
      static func decode(_ json: JSON) -> Decoded<User> { build(User.init, json.decode("id")) }
    }
    let id: Int
    let user: User

    static func decode(_ json: JSON) -> Decoded<Envelope> {
      build(
        Envelope.init, json.decode("id"),
        json.decode("user", as: String.self).flatMap { User.decode(from: $0) })
    }
  }

  @Test("of two documents at one place have each its own source line")
  func twoDocuments() {
    let error = Envelope.decode(from: #"{"id":"x","user":"{\"id\":false}"}"#).error
    #expect(
      error?.description == #"""
        1:7: /id: expected an integer, found the string "x"
          {"id":"x","user":"{\"id\":false}"}
                ^~~
        1:18: /user: in the inner document, 1:7: /id: expected an integer, found false
          {"id":"x","user":"{\"id\":false}"}
                           ^~~~~~~~~~~~~~~~
        """#)
    let both: Decoded<[Envelope.User]> = build(
      { [$0, $1] }, Envelope.User.decode(from: #"{"id":"x"}"#),
      Envelope.User.decode(from: #"{"id":"y"}"#))
    #expect(
      both.error?.description == #"""
        1:7: /id: expected an integer, found the string "x"
          {"id":"x"}
                ^~~
        1:7: /id: expected an integer, found the string "y"
          {"id":"y"}
                ^~~
        """#)
  }

  // MARK: - Doors

  @Test("have a path and a text whichever way they leave the value", arguments: engines)
  func doors(_ engine: Engine) throws {
    let value = try Self.value(engine)
    let hand = value["hands"][0]
    check(error { _ = try hand["suit"].decode(Suit.self) }, engine)
    check(hand.outcome { $0.decode("suit", as: Suit.self) }.error, engine)
    let typed = { (json: JSON) throws(DecodeError) in try json.get("suit", as: Suit.self) }
    check(error { _ = try hand.withView(typed) }, engine)
    check(error { _ = try hand.withView { try $0.get("suit", as: Suit.self) } }, engine)
    check(hand.withView { $0.decode("suit", as: Suit.self) }.error, engine)
    let view = hand.view
    check(view.decode("suit", as: Suit.self).error, engine)
    check(error { _ = try view.get("suit", as: Suit.self) }, engine)
  }

  @Test("have a path and a text when a body keeps them", arguments: engines)
  func kept(_ engine: Engine) throws {
    let value = try Self.value(engine)
    var kept: [DecodeError] = []
    value["hands"].withView { hands in
      hands.forEach { hand in
        kept += [hand.decode("suit", as: Suit.self).error].compactMap { $0 }
      }
    }
    #expect(kept.count == 1)
    check(kept.first, engine)
  }

  @Test("have a path and a text in another task", arguments: engines)
  func sent(_ engine: Engine) async throws {
    let value = try Self.value(engine)
    let task = Task { value["hands"][0].withView { $0.decode("suit", as: Suit.self) } }
    check(await task.value.error, engine)
  }

  @Test("have a path and a text when they were caught in flight", arguments: engines)
  func caught(_ engine: Engine) throws {
    struct Hand: JSONDecodable {
      let error: DecodeError?

      static func decode(_ json: JSON) -> Decoded<Hand> {
        let hand = json["hands"][0]
        return pure(Hand(error: hand.decode("suit", as: Suit.self).error?.resolved(in: json)))
      }
    }
    let options = DecodingOptions(engine: engine)
    check(try Hand(decoding: Self.text, options: options).error, engine)
    check(try Self.value(engine).decode(Hand.self).error, engine)
  }

  @Test("of a message of one's own are about the value", arguments: engines)
  func custom(_ engine: Engine) throws {
    let name = try Self.value(engine)["name"]
    let thrown = error { try name.withView { (_) throws(DecodeError) in throw .custom("no") } }
    #expect(thrown?.path == "/name")
    #expect(name.outcome { _ in Decoded<Int>.customError("no") }.error?.path == "/name")
  }

  @Test("several keep their paths in flight", arguments: engines)
  func several(_ engine: Engine) throws {
    let hand = try Self.value(engine)["hands"][0]
    let error = hand.view.decoded([String: Suit].self).error
    check(error, engine)
    let both = build(
      { (_: Suit, _: Int) in 0 }, hand.view.decode("suit"), hand.view.decode("rank"))
    #expect(both.error?.underlying.map(\.path) == ["/hands/0/suit", "/hands/0/rank"])
  }

  // MARK: - Loops

  /// Elements that lack a key and have another of the wrong kind: 1.4 MB.
  private static func many(_ engine: Engine, count: Int = rounds(80_000)) throws -> JSONValue {
    let text = "[" + String(repeating: #"{"id":12345678},"#, count: count - 1) + #"{"id":1}]"#
    return try JSONValue(parsing: text, options: DecodingOptions(engine: engine))
  }

  @Test(
    "look-ups and decodes that fail one by one take linear time", .timeLimit(.minutes(1)),
    arguments: engines)
  func failingLoops(_ engine: Engine) throws {
    let elements = try #require(Self.many(engine).array)
    var failures = 0
    for element in elements {
      if element["nick"].string == nil { failures += 1 }
      if (try? element["id"].decode(String.self)) == nil { failures += 1 }
      if element.withView({ $0["id"].string }) == nil { failures += 1 }
    }
    #expect(failures == 3 * elements.count)
  }

  @Test(
    "errors printed one by one take linear time, in either order", .timeLimit(.minutes(1)),
    arguments: engines)
  func printedLoops(_ engine: Engine) throws {
    let count = rounds(20_000)
    let elements = try #require(Self.many(engine, count: count).array)
    func check(_ index: Int) {
      let error = elements[index].decoded([String].self).error
      #expect(error?.path.text == "/\(index)")
      #expect(error?.message == "expected an array, found an object")
      guard engine == .native else { return }
      #expect(error?.location?.column == 2 + index * 16)
    }
    for index in stride(from: 0, to: count, by: 2) { check(index) }
    for index in stride(from: count - 1, to: 0, by: -2) { check(index) }
  }

  @Test(
    "lists of a model that skips what fails take linear time", .timeLimit(.minutes(1)),
    arguments: engines)
  func lossyLists(_ engine: Engine) throws {
    let count = rounds(20_000)
    let text = "[" + String(repeating: #"["a"],"#, count: count - 1) + #"["a"]]"#
    let options = DecodingOptions(engine: engine, maximumErrors: count)
    let lists = try [LossyArray<Int>](decoding: text, options: options)
    #expect(lists.count == count)
    #expect(lists.last?.skipped.first?.error.path.text == "/\(count - 1)/0")
  }

  @Test("explaining takes linear time", .timeLimit(.minutes(1)), arguments: engines)
  func explained(_ engine: Engine) throws {
    let value = try Self.many(engine, count: 4_000)
    let explanation = value.explain([[String: LossyArray<Int>]].self)
    #expect(explanation.error?.count == 4_000)
    #expect(explanation.fields.count == 1_000)
  }

  // MARK: - Places

  /// Wide and deep containers, lines of many lengths, characters of several bytes.
  private static let landscape: String = {
    var random = SeededRandom(seed: 71)
    func text(_ depth: Int) -> String {
      let count = Int(random.next() % (depth < 2 ? 200 : 4))
      let space = ["", "\n", " ", "\n\n  "][Int(random.next() % 4)]
      switch random.next() % (depth < 4 ? 4 : 2) {
      case 0: return #"\#(space)"ä𝄞\#(count)""#
      case 1: return "\(space)\(count)"
      case 2:
        return "[" + (0..<count).map { _ in text(depth + 1) }.joined(separator: ",") + "]"
      default:
        let members = (0..<count).map { #"\#(space)"k€\#($0)":"# + text(depth + 1) }
        return "{" + members.joined(separator: ",") + "}"
      }
    }
    return "[" + (0..<12).map { _ in text(0) }.joined(separator: ",") + "]"
  }()

  @Test("are the same whether one or many are asked for", arguments: engines)
  func places(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    let kept = try JSONValue(parsing: Self.landscape, options: options)
    var values: [JSONValue] = []
    var open = [kept]
    while let value = open.popLast() {
      values.append(value)
      open += value.array ?? value.members.map { $0.map(\.value) } ?? []
    }
    #expect(values.count > 2_000)
    var random = SeededRandom(seed: 5)
    for _ in 0..<rounds(40) {
      let value = values[Int(random.next() % UInt64(values.count))]
      let one = try #require(value.decoded(Bool.self).error)
      let fresh = try JSONValue(parsing: Self.landscape, options: options)
      let same = try #require(fresh[pointer: one.path].decoded(Bool.self).error)
      #expect(one.description == same.description)
      #expect(one.location == same.location)
    }
  }

  @Test("errors are read on some threads while others look up", arguments: engines)
  func threads(_ engine: Engine) async throws {
    let text = #"{"pad":"\#(String(repeating: "x", count: 70_000))","a":{"b":1,"c":2,"d":3}}"#
    let value = try JSONValue(parsing: text, options: DecodingOptions(engine: engine))
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<4 {
        group.addTask {
          var found = 0
          for _ in 0..<500 {
            if number % 2 == 0 {
              found += value["a"]["missing"].error?.path == "/a/missing" ? 1 : 0
              found += value["a"].decoded(Int.self).error?.path == "/a" ? 1 : 0
            } else {
              found += value.withView { ($0["a"]["c"].int ?? 0) - ($0["a"]["b"].int ?? 0) }
              found += value["a"]["d"].int == 3 ? 1 : 0
            }
          }
          return found
        }
      }
      for await found in group { #expect(found == 1_000) }
    }
  }
}
