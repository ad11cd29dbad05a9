// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One model by five spellings, over random documents that were spoiled: the values are the same, and so are the errors,
// with their places and paths. Spellings that stop tell the first of the errors that the others tell.

import Decant
import DecantTestSupport
import Testing

enum Kind: String, JSONDecodable { case a, b, long = "a longer name" }

private enum Declared {
  @JSONModel(writes: false) struct Place {
    let x: Int32
    let y: Double?
  }

  @JSONModel(writes: false) struct Part {
    let sku: String
    let count: UInt16
    let at: Place?
    let sizes: [Float]
  }

  @JSONModel(writes: false) struct Order {
    let id: Int
    let name: String?
    let kind: Kind
    let at: Place
    let parts: [Part]
    let level: Int8
    let flags: [Bool]?
    let tags: [String: Int]
    let last: UInt64?
  }
}

/// Members in other places, or with other rules.
extension Declared {
  @JSONModel(writes: false) struct Odd {
    @JSONField("new", "old") let renamed: Bool
    @JSONField(pointer: "/user/name") let name: String
    @JSONField(pointer: "/user/site") let site: String?
    @JSONField(in: 0...100) let score: Int
    @JSONField(nonEmpty: true) let words: [String]
    var retries: Int = 3
    @JSONField(flat: true) let at: Place
  }
}

private enum Built {
  struct Place: JSONDecodable {
    let x: Int32
    let y: Double?

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(Self.init, json.decode("x"), json.decodeIfPresent("y"))
    }
  }

  struct Part: JSONDecodable {
    let sku: String
    let count: UInt16
    let at: Place?
    let sizes: [Float]

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init, json.decode("sku"), json.decode("count"), json.decodeIfPresent("at"),
        json.decode("sizes"))
    }
  }

  struct Order: JSONDecodable {
    let id: Int
    let name: String?
    let kind: Kind
    let at: Place
    let parts: [Part]
    let level: Int8
    let flags: [Bool]?
    let tags: [String: Int]
    let last: UInt64?

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init, json.decode("id"), json.decodeIfPresent("name"), json.decode("kind"),
        json.decode("at"), json.decode("parts"), json.decode("level"),
        json.decodeIfPresent("flags"), json.decode("tags"), json.decodeIfPresent("last"))
    }
  }
}

extension Built {
  struct Odd: JSONDecodable {
    let renamed: Bool
    let name: String
    let site: String?
    let score: Int
    let words: [String]
    let retries: Int
    let at: Place

    static func decode(_ json: JSON) -> Decoded<Self> {
      build(
        Self.init, json.decodeFirst(of: ["new", "old"]), json.decode(pointer: "/user/name"),
        json.decodeIfPresent(pointer: "/user/site"),
        json.convert("score", using: .value.inRange(0...100)),
        json.convert("words", using: .value.nonEmpty), json.decode("retries", default: 3),
        json.decoded())
    }
  }
}

private enum Operated {
  struct Place: JSONDecodable {
    let x: Int32
    let y: Double?

    static func decode(_ json: JSON) -> Decoded<Self> {
      curry(Self.init) <^> json <| "x" <*> json <|? "y"
    }
  }

  struct Part: JSONDecodable {
    let sku: String
    let count: UInt16
    let at: Place?
    let sizes: [Float]

    static func decode(_ json: JSON) -> Decoded<Self> {
      curry(Self.init) <^> json <| "sku" <*> json <| "count" <*> json <|? "at" <*> json <|| "sizes"
    }
  }

  struct Order: JSONDecodable {
    let id: Int
    let name: String?
    let kind: Kind
    let at: Place
    let parts: [Part]
    let level: Int8
    let flags: [Bool]?
    let tags: [String: Int]
    let last: UInt64?

    static func decode(_ json: JSON) -> Decoded<Self> {
      let first = curry(Self.init) <^> json <| "id" <*> json <|? "name" <*> json <| "kind"
      let second = first <*> json <| "at" <*> json <|| "parts" <*> json <| "level"
      return second <*> json <||? "flags" <*> json <| "tags" <*> json <|? "last"
    }
  }
}

private enum Thrown {
  struct Place: JSONInitializable {
    let x: Int32
    let y: Double?

    init(json: JSON) throws(DecodeError) {
      x = try json.get("x")
      y = try json.getIfPresent("y")
    }
  }

  struct Part: JSONInitializable {
    let sku: String
    let count: UInt16
    let at: Place?
    let sizes: [Float]

    init(json: JSON) throws(DecodeError) {
      sku = try json.get("sku")
      count = try json.get("count")
      at = try json.getIfPresent("at")
      sizes = try json.get("sizes")
    }
  }

  struct Order: JSONInitializable {
    let id: Int
    let name: String?
    let kind: Kind
    let at: Place
    let parts: [Part]
    let level: Int8
    let flags: [Bool]?
    let tags: [String: Int]
    let last: UInt64?

    init(json: JSON) throws(DecodeError) {
      id = try json.get("id")
      name = try json.getIfPresent("name")
      kind = try json.get("kind")
      at = try json.get("at")
      parts = try json.get("parts")
      level = try json.get("level")
      flags = try json.getIfPresent("flags")
      tags = try json.get("tags")
      last = try json.getIfPresent("last")
    }
  }
}

extension Thrown {
  struct Odd: JSONInitializable {
    let renamed: Bool
    let name: String
    let site: String?
    let score: Int
    let words: [String]
    let retries: Int
    let at: Place

    init(json: JSON) throws(DecodeError) {
      renamed = try json.decodeFirst(of: ["new", "old"]).get()
      name = try json.get(pointer: "/user/name")
      site = try json.decodeIfPresent(pointer: "/user/site").get()
      score = try json.convert("score", using: .value.inRange(0...100)).get()
      words = try json.convert("words", using: .value.nonEmpty).get()
      retries = try json.get("retries", default: 3)
      at = try Place(json: json)
    }
  }
}

private enum Coded {
  enum Kind: String, Decodable { case a, b, long = "a longer name" }

  struct Place: Decodable {
    let x: Int32
    let y: Double?
  }

  struct Part: Decodable {
    let sku: String
    let count: UInt16
    let at: Place?
    let sizes: [Float]
  }

  struct Order: Decodable {
    let id: Int
    let name: String?
    let kind: Kind
    let at: Place
    let parts: [Part]
    let level: Int8
    let flags: [Bool]?
    let tags: [String: Int]
    let last: UInt64?
  }
}

/// A value, or the errors: the place of each, and its text.
private enum Answer: Equatable {
  case value(String)
  case errors([(place: String, text: String)])

  init<Model>(_ decoded: Decoded<Model>) {
    switch decoded {
    case .success(let model):
      // The names of the spellings are left out.
      let names =
        /ModelTests\.|\(unknown context at \$[0-9a-f]+\)\.|(Declared|Built|Operated|Thrown|Coded)\./
      self = .value("\(model)".replacing(names, with: ""))
    case .failure(let error):
      let all = error.underlying.isEmpty ? [error] : error.underlying
      self = .errors(
        all.map {
          let place = $0.location.map { "\($0.line):\($0.column)" } ?? "?"
          return ("\(place) \($0.path)", "\($0.code) \($0)")
        })
    }
  }

  static func == (one: Answer, other: Answer) -> Bool {
    switch (one, other) {
    case (.value(let one), .value(let other)): one == other
    case (.errors(let one), .errors(let other)): one.elementsEqual(other, by: ==)
    default: false
    }
  }

  /// The first error alone.
  var first: Answer {
    if case .errors(let errors) = self { .errors([errors[0]]) } else { self }
  }

  /// Without texts of errors.
  var places: Answer {
    if case .errors(let errors) = self { .errors(errors.map { ($0.place, "") }) } else { self }
  }
}

@Suite("One model by five spellings")
struct SpellingTests {
  private static func any<Element>(_ values: [Element], _ random: inout SeededRandom) -> Element {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private static func order(_ random: inout SeededRandom) -> String {
    func list(_ most: Int, _ element: (inout SeededRandom) -> String) -> String {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in element(&random) }.joined(
        separator: ",")
    }
    func place(_ random: inout SeededRandom) -> String {
      #"{"x":\#(any([1, -7, 2_147_483_647], &random)),"y":\#(any(["1.5", "null", "2e3", "0"], &random))}"#
    }
    let part = { (random: inout SeededRandom) -> String in
      let sizes = (0..<Int.random(in: 0...3, using: &random)).map { "\($0).25" }
      return
        #"{"sku":"s\u00e9","count":\#(Int.random(in: 0...300, using: &random)),"unknown":[{}],"#
        + (Bool.random(using: &random) ? #""at":\#(place(&random)),"# : "")
        + #""sizes":[\#(sizes.joined(separator: ","))]}"#
    }
    let parts = list(Bool.random(using: &random) ? 2 : 20, part)
    let members = [
      #""id":\#(any([1, -20, 123_456_789_012], &random))"#,
      #""name":\#(any(["null", #""Ann""#, #""with \"escapes\" \u00e9""#], &random))"#,
      #""kind":\#(any([#""a""#, #""b""#, #""a longer name""#], &random))"#,
      #""at":\#(place(&random))"#,
      #""parts":[\#(parts)]"#, #""level":\#(any([5, -128, 127], &random))"#,
      #""flags":\#(any(["null", "[]", "[true,false]"], &random))"#,
      #""tags":\#(any(["{}", #"{"a":1}"#, #"{"b c":2}"#], &random))"#,
      #""last":\#(any(["1", "18446744073709551615", "null"], &random))"#,
    ]
    let isShuffled = Int.random(in: 0..<4, using: &random) == 0
    let shown = isShuffled ? members.shuffled(using: &random) : members
    return "{" + shown.joined(separator: any([",", ", ", ",\n  "], &random)) + "}"
  }

  private static func odd(_ random: inout SeededRandom) -> String {
    let members = [
      any(
        [#""new":true"#, #""old":false"#, #""new":null,"old":true"#, #""old":1,"new":true"#],
        &random),
      #""user":{\#(any(["", #""site":"s","#, #""site":null,"#], &random))"name":"Ann"}"#,
      #""score":\#(any([0, 50, 100, 101], &random))"#,
      #""words":\#(any([#"["a"]"#, #"["a","b"]"#, "[]"], &random))"#,
      any([#""retries":5"#, #""retries":null"#, #""other":{}"#], &random), #""x":1"#, #""y":2.5"#,
    ]
    let shown = Bool.random(using: &random) ? members.shuffled(using: &random) : members
    return "{" + shown.joined(separator: ", ") + "}"
  }

  /// Replaces a value or a key, or changes a byte.
  private static func spoil(_ text: inout [UInt8], _ random: inout SeededRandom) {
    let tokens = [
      "null", "true", "-1", "1.5", "1e400", #""""#, "[]", "{}", "[1]", #""x""#, "99999999999", "-0",
      "[[]]", #"{"x":1}"#,
    ]
    var begin = Int.random(in: 0..<text.count, using: &random)
    if Int.random(in: 0..<10, using: &random) == 0 {
      text[begin] = Self.any(Array("{}[],:\"tn-5e. \\".utf8), &random)
      return
    }
    guard let mark = text[begin...].firstIndex(where: { ":,[{".utf8.contains($0) }) else { return }
    begin = mark + 1
    while begin < text.count, text[begin] <= UInt8(ascii: " ") { begin += 1 }
    guard begin < text.count else { return }
    var end = begin + 1
    if text[begin] == UInt8(ascii: "\"") {
      while end < text.count, text[end] != UInt8(ascii: "\"") {
        end += text[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      end = min(end + 1, text.count)
    } else {
      while end < text.count, !",]}".utf8.contains(text[end]) { end += 1 }
    }
    text.replaceSubrange(begin..<end, with: Self.any(tokens, &random).utf8)
  }

  /// Each element of an array tells its first error.
  private func expectFirst(_ thrown: Answer, of declared: Answer, _ shown: Comment) {
    #expect(thrown.first == declared.first, shown)
    if case .errors(let some) = thrown, case .errors(let all) = declared {
      #expect(some.allSatisfy { one in all.contains { $0 == one } }, shown)
    }
  }

  private func check<A, B, C, D, E>(
    _ text: [UInt8], on engine: Engine, _: A.Type, _: B.Type, _: C.Type, _: D.Type, _: E.Type
  ) where A: JSONDecodable, B: JSONDecodable, C: JSONDecodable, D: JSONDecodable, E: JSONDecodable {
    let options = DecodingOptions.on(engine)
    let declared = Answer(A.decode(from: text, options: options))
    let shown = Comment(rawValue: String(decoding: text.prefix(1500), as: UTF8.self))
    #expect(Answer(B.decode(from: text, options: options)) == declared, shown)
    #expect(Answer(C.decode(from: text, options: options)) == declared, shown)
    expectFirst(Answer(D.decode(from: text, options: options)), of: declared, shown)
    // Codable's errors are kept as they are: they name the types.
    let coded = Answer(E.decode(from: text, options: options))
    #expect(coded.first.places == declared.first.places, shown)
  }

  @Test("say the same of random documents, right and wrong", arguments: engines)
  func same(engine: Engine) {
    var random = SeededRandom(printing: "spellings")
    for round in 0..<rounds(200) {
      let isMany = round % 4 == 0
      let count = Self.any([1, 3, 70], &random)
      let one = Self.order(&random)
      var text =
        isMany
        ? "[" + (0..<count).map { _ in Self.order(&random) }.joined(separator: ",") + "]" : one
      if engine == .native, round % 9 == 0 { text += String(repeating: " ", count: 5000) }
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) { Self.spoil(&bytes, &random) }
      if isMany {
        check(
          bytes, on: engine, [Declared.Order].self, [Built.Order].self, [Operated.Order].self,
          [Thrown.Order].self, CodableModel<[Coded.Order]>.self)
      } else {
        check(
          bytes, on: engine, Declared.Order.self, Built.Order.self, Operated.Order.self,
          Thrown.Order.self, CodableModel<Coded.Order>.self)
      }
    }
  }

  @Test("say the same of members in other places, and with rules", arguments: engines)
  func rules(engine: Engine) {
    var random = SeededRandom(printing: "spellings with rules")
    let options = DecodingOptions.on(engine)
    for _ in 0..<rounds(200) {
      let count = Self.any([0, 1, 3, 40], &random)
      let all = (0..<max(count, 1)).map { _ in Self.odd(&random) }.joined(separator: ",")
      var text = Array((count == 0 ? all : "[\(all)]").utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) { Self.spoil(&text, &random) }
      let shown = Comment(rawValue: String(decoding: text.prefix(1500), as: UTF8.self))
      if count == 0 {
        let declared = Answer(Declared.Odd.decode(from: text, options: options))
        #expect(Answer(Built.Odd.decode(from: text, options: options)) == declared, shown)
        expectFirst(Answer(Thrown.Odd.decode(from: text, options: options)), of: declared, shown)
      } else {
        let declared = Answer([Declared.Odd].decode(from: text, options: options))
        #expect(Answer([Built.Odd].decode(from: text, options: options)) == declared, shown)
        expectFirst(Answer([Thrown.Odd].decode(from: text, options: options)), of: declared, shown)
      }
    }
  }
}
