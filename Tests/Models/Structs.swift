// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models by @JSONModel: what is read, what is written, and what is told, on every engine.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@JSONModel struct Label: Equatable {
  let name: String
  let color: String?
}

@JSONModel enum IssueState: String, CaseIterable { case open, closed }

@JSONModel(keys: .snakeCase)
struct Issue: Equatable {
  let id: Int
  let title: String
  let body: String?
  var labels: [Label] = []
  let state: IssueState
  let createdAt: Date
  @JSONField("+1") let plusOne: Int
  @JSONField(pointer: "/user/name") let author: String
  @JSONField(pointer: "/user/site") let site: String?
  @JSONField(using: .epochSeconds) let closedAt: Date?
  @JSONField(in: 0...100) let score: Int
  @JSONField("new_key", "oldKey") let renamed: Bool
  @JSONIgnored var cache: [String: Int] = [:]
  @JSONRest var others: [String: JSONValue]
}

@JSONModel(closed: true) struct Retrying: Equatable {
  var retries = 3
  var timeout: Double = 1.5
}

@JSONModel struct Open: Equatable { var retries = 3 }

@JSONModel final class Tree {
  let value: Int
  let children: [Tree]
  var note: String? = nil
}

@JSONModel struct Page<Element> {
  let items: [Element]
  let next: String?
}

@JSONModel struct Address: Equatable { let city: String }

@JSONModel struct Person: Equatable {
  let name: String
  @JSONField(flat: true) let address: Address
  let nickname: JSONPresence<String>
}

@JSONModel struct Wrapped: Equatable {
  @JSONField(flat: true) let address: Address
}

// Parts of one object, each of which names some of its members.

@JSONModel struct Site: Equatable {
  let zip: String
  @JSONField(flat: true) let address: Address
}

@JSONModel(tag: "type") enum Stay: Equatable { case nights(count: Int), hours(from: Int, to: Int?) }

@JSONModel struct Visit: Equatable {
  let name: String
  @JSONField(flat: true) let site: Site
  @JSONField(flat: true) let stay: Stay?
  @JSONField(flat: true) var span: Span = Span(first: 0, last: 9)
}

@JSONModel(closed: true) struct ClosedVisit: Equatable {
  @JSONField(flat: true) let address: Address
  let inner: Address
}

@JSONModel(closed: true) struct ClosedPart: Equatable { var retries = 3 }

@JSONModel struct WithClosedPart: Equatable {
  let name: String
  @JSONField(flat: true) let part: ClosedPart
}

@JSONModel struct RestPart: Equatable {
  let zip: String
  @JSONRest var others: [String: JSONValue]
}

@JSONModel struct WithRestPart: Equatable {
  let name: String
  @JSONField(flat: true) let address: Address
  @JSONField(flat: true) let part: RestPart
}

@JSONModel struct FlatAndRest: Equatable {
  @JSONField(flat: true) let address: Address
  @JSONRest var others: [String: Int]
}

/// The names of locals in what the macro writes.
@JSONModel struct Locals: Equatable {
  let json: Int, errors: Int, known: Int, json_: Int, it: Int, `self`: Int
}

@JSONModel struct Span: Equatable {
  let first: Int
  let last: Int

  func validate() throws(DecodeError) {
    if first > last { throw .custom("the span ends before it begins") }
  }
}

@JSONModel struct Trimmed: Equatable {
  var name: String

  mutating func validate() throws(DecodeError) {
    name = name.lowercased()
    if name.isEmpty { throw .custom("a name is needed") }
  }
}

@JSONModel struct Spelled: Equatable {
  @JSONField(using: .fromString) let number: Int
  @JSONField(using: .zeroOrOne) var flag: Bool = false
  @JSONField(using: .numberOrString) var ratio: Double = 0.5
  @JSONField(using: .integral) var count: UInt8 = 1
  @JSONField(using: .embedded) var inside: [Int]? = nil
  @JSONField(nonEmpty: true) let name: String
  let type = "spelled"
}

enum Space {
  @JSONModel(keys: .kebabCase)
  struct Inner: Equatable {
    /// A comment with "strings" and { braces }.
    let `default`: Int, maxURLLength: Double  // let other: Int
    var tags = [String]()
    var scores: [String: [Double]] = [:] { didSet { _ = oldValue } }
    static let zero = 0
    var shout: String { "}" }
    #if DEBUG || !DEBUG
      let present: Bool?
    #else
      let missing: Absent
    #endif

    init(default: Int) {
      self.default = `default`
      maxURLLength = 0
      present = nil
    }
  }
}

@JSONModel(keys: .snakeCase, dates: .epochSeconds) struct Dated: Equatable {
  let createdAt: Date
  let closedAt: Date?
  var at: Foundation.Date = Date(timeIntervalSince1970: 0)
  @JSONField(using: .rfc3339) let other: Date
  @JSONField(using: JSONConversion<Int>.fromString) let number: Int
}

extension JSONConversion<Int> {
  /// Has no inverse.
  static var length: JSONConversion { JSONConversion<String>.value.map(\.count) }
}

@JSONModel(writes: false) struct ReadAlone {
  @JSONField(using: .length) let name: Int
}

@JSONModel(reads: false) struct WrittenAlone {
  let name: String
}

typealias MaybeInt = Int?

@JSONModel struct Aliased { let number: MaybeInt }

@JSONModel struct Lenient {
  @JSONField(using: .value.or(.constant(0))) let number: Int
  @JSONField(using: .rfc3339.or(.epochSeconds)) let at: Date
}

/// Models beside one another, which no extension at the file's level sees by these names alone.
enum Nest {
  @JSONModel struct Leaf: Equatable { let size: Int }

  @JSONModel struct Twig: Equatable {
    let leaf: Leaf
    let others: [Leaf]?
    let last: JSONPresence<Leaf>
    var first: Leaf = Leaf(size: 0)
    let kind: Kind
    // Two keys, though Unicode holds them to be equal.
    @JSONField("\u{e9}") let composed: Int
    @JSONField("e\u{301}") let decomposed: Int
  }

  @JSONModel(tag: "kind") enum Kind: Equatable {
    case leaf(Leaf), two(first: Leaf, second: Leaf?), sized(size: Int = 3)
  }

  @JSONModel(untagged: true) indirect enum Either: Equatable { case leaf(Leaf), list([Either]) }
}

extension DecodingOptions {
  init(_ engine: Engine, rejecting: Bool = false, errors: Int = 64) {
    self.init(
      engine: engine, maximumErrors: errors, unknownMembers: rejecting ? .reject : .ignore)
  }
}

private func messages(_ error: DecodeError?) -> [String] {
  guard let error else { return [] }
  let errors = error.underlying.isEmpty ? [error] : error.underlying
  return errors.map { "\($0.path): \($0.message)" }
}

@Suite("@JSONModel on structs and classes")
struct StructTests {
  static let issue = #"""
    {"id":1,"title":"t","labels":[{"name":"a","color":"red"}],"state":"open",\#
    "created_at":"2024-02-29T12:30:00Z","+1":4,"user":{"name":"u"},"closed_at":1709209800,"score":5,\#
    "new_key":true,"extra":[1,{"a":null}]}
    """#

  @Test("reads and writes every kind of field", arguments: engines)
  func fields(engine: DecodingOptions.Engine) throws {
    let issue = try Issue(decoding: Self.issue, options: DecodingOptions(engine))
    #expect(issue.labels == [Label(name: "a", color: "red")])
    #expect(issue.author == "u" && issue.site == nil && issue.body == nil && issue.plusOne == 4)
    #expect(issue.closedAt == Date(timeIntervalSince1970: 1_709_209_800))
    #expect(issue.others.keys.sorted() == ["extra"])
    #expect(issue.jsonText() == Self.issue)
    #expect(try Issue(decoding: issue.jsonText()) == issue)
  }

  @Test("the first key that has a value is read", arguments: engines)
  func keys(engine: DecodingOptions.Engine) throws {
    let old = Self.issue.replacing("new_key", with: "oldKey")
    #expect(try Issue(decoding: old, options: DecodingOptions(engine)).renamed)
    let wrong = Self.issue.replacing(#""new_key":true"#, with: #""new_key":1,"oldKey":true"#)
    #expect(Issue.decode(from: wrong, options: DecodingOptions(engine)).error?.path == "/new_key")
  }

  @Test("tells the errors of all fields, in their order", arguments: engines)
  func errors(engine: DecodingOptions.Engine) {
    let document = #"""
      {"id":"1","title":5,"body":7,"labels":[{"name":1}],"state":"opn","created_at":"2024","+1":"4",\#
      "user":{"name":1,"site":2},"closed_at":"x","score":500,"new_key":2}
      """#
    let error = Issue.decode(from: document, options: DecodingOptions(engine)).error
    let paths = error?.underlying.map(\.path.description)
    #expect(
      paths == [
        "/id", "/title", "/body", "/labels/0/name", "/state", "/created_at", "/+1", "/user/name",
        "/user/site", "/closed_at", "/score", "/new_key",
      ])
    #expect(error?.underlying[10].message == "expected a value in 0...100, found the number 500")
    let first = Issue.decode(from: document, options: DecodingOptions(engine, errors: 1)).error
    #expect(first?.path == "/id" && first?.underlying.isEmpty == true)
  }

  @Test("no error is told twice, whichever field fails first", arguments: engines)
  func eachOnce(engine: DecodingOptions.Engine) {
    let document = #"{"first":1,"last":"2"}"#
    let error = Span.decode(from: document, options: DecodingOptions(engine)).error
    #expect(messages(error) == [#"/last: expected an integer, found the string "2""#])
    let root = Span.decode(from: "[]", options: DecodingOptions(engine)).error
    #expect(messages(root) == [": expected an object, found an empty array"])
  }

  @Test("a value is decoded once, however deep it is and whatever fails")
  func once() {
    struct Counted: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Counted> {
        Count.shared.count += 1
        return .failure(.custom("wrong"))
      }
    }
    final class Count: @unchecked Sendable {
      static let shared = Count()
      var count = 0
    }
    let depth = 60
    let text =
      String(repeating: #"{"value":1,"children":["#, count: depth)
      + #"{"value":"x","children":[]}"# + String(repeating: "]}", count: depth)
    let error = Tree.decode(from: text).error
    #expect(error?.underlying.isEmpty == true)
    #expect(error?.path.tokens?.count == 2 * depth + 1)
    #expect(Page<Counted>.decode(from: #"{"items":[1,2,3],"next":5}"#).error?.count == 4)
    #expect(Count.shared.count == 3)
  }

  @Test("unknown members are errors where the model or the options say so", arguments: engines)
  func unknown(engine: DecodingOptions.Engine) throws {
    let options = DecodingOptions(engine)
    let error = Retrying.decode(from: #"{"retires":2,"Timeout":3,"x":1}"#, options: options).error
    #expect(
      messages(error) == [
        #"/retires: unknown key "retires"; did you mean "retries"?"#,
        #"/Timeout: unknown key "Timeout"; did you mean "timeout"?"#,
        #"/x: unknown key "x""#,
      ])
    #expect(error?.underlying.first?.code == .unknownKey)
    #expect(try Retrying(decoding: #"{"retries":2}"#, options: options).retries == 2)
    #expect(try Open(decoding: #"{"retires":2}"#, options: options).retries == 3)
    let reject = DecodingOptions(engine, rejecting: true)
    #expect(Open.decode(from: #"{"retires":2}"#, options: reject).error?.code == .unknownKey)
    #expect(try Open(decoding: #"{"retries":2}"#, options: reject).retries == 2)
    struct Repeated: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Repeated> {
        json.checkMembers(known: ["id", "id", ["a", "b"], ["a", "c"]], closed: true).map {
          Repeated()
        }
      }
    }
    for text in [#"{"id":1,"x":2}"#, #"{"a":{"b":1,"c":2},"x":1}"#] {
      #expect(Repeated.decode(from: text, options: options).error?.path == "/x")
    }
    let all = Retrying.decode(from: #"{"retries":"x","y":1}"#, options: options).error
    #expect(all?.underlying.map(\.path.description) == ["/retries", "/y"])
  }

  @Test(
    "unknown members cost what is read of them, and are not quoted where nothing is",
    arguments: engines)
  func unknownCheaply(engine: DecodingOptions.Engine) {
    let all = #"{"retires":1"# + (0..<200).map { #","retries\#($0)":1"# }.joined() + "}"
    var options = DecodingOptions(engine, errors: 3)
    let error = Retrying.decode(from: all, options: options).error
    #expect(error?.count == 201 && error?.underlying.count == 3)
    #expect(
      error?.underlying.last?.message == #"unknown key "retries1"; did you mean "retries"?"#)
    options.redactsInput = true
    let redacted = Retrying.decode(from: #"{"retires":1,"x":2}"#, options: options).error
    #expect(
      messages(redacted) == [
        #"/retires: unknown key; did you mean "retries"?"#, "/x: unknown key",
      ])
  }

  @Test("classes, generic, flat and nested models", arguments: engines)
  func shapes(engine: DecodingOptions.Engine) throws {
    let options = DecodingOptions(engine)
    let tree = #"{"value":1,"children":[{"value":2,"children":[],"note":"n"}]}"#
    #expect(try Tree(decoding: tree, options: options).jsonText() == tree)
    #expect(
      try Page<Int>(decoding: #"{"items":[1]}"#, options: options).jsonText() == #"{"items":[1]}"#)
    let person = #"{"name":"n","city":"c","nickname":null}"#
    let read = try Person(decoding: person, options: options)
    #expect(read.address.city == "c" && read.nickname == .null)
    #expect(read.jsonText() == person)
    #expect(read.jsonText(.init(sortsKeys: true)) == #"{"city":"c","name":"n","nickname":null}"#)
    let wrapped = try Wrapped(decoding: #"{"city":"c"}"#, options: options)
    #expect(wrapped.jsonText() == #"{"city":"c"}"#)
    #expect(messages(Wrapped.decode(from: "{}", options: options).error).count == 1)
    let inner =
      #"{"default":1,"max-url-length":2.5,"tags":["a"],"scores":{"b":[1]},"present":true}"#
    #expect(try Space.Inner(decoding: inner, options: options).jsonText() == inner)
    let spelled =
      #"{"number":"5","flag":1,"ratio":0.5,"count":1,"inside":"[1]","name":"n","type":"spelled"}"#
    #expect(try Spelled(decoding: spelled, options: options).jsonText() == spelled)
    let otherwise = spelled.replacing("0.5", with: #""0.5""#).replacing(":1,", with: ":1.0,")
    #expect(
      try Spelled(
        decoding: otherwise.replacing(#""flag":1.0"#, with: #""flag":1"#), options: options
      ).jsonText() == spelled)
    #expect(
      messages(Spelled.decode(from: #"{"number":5,"flag":2,"name":""}"#, options: options).error)
        == [
          "/number: expected a number in a string, found the number 5",
          "/flag: expected 0 or 1, found the number 2",
          #"/name: expected a non-empty value, found the string """#,
        ])
  }

  @Test("models beside one another in a type", arguments: engines)
  func nested(engine: DecodingOptions.Engine) throws {
    let twig = #"""
      {"leaf":{"size":1},"others":[{"size":2}],"first":{"size":3},"kind":{"kind":"two","first":{"size":4}},\#
      "\u{e9}":5,"e\u{301}":6}
      """#.replacing(#"\u{e9}"#, with: "\u{e9}").replacing(#"\u{301}"#, with: "\u{301}")
    let read = try Nest.Twig(decoding: twig, options: DecodingOptions(engine))
    #expect(read.kind == .two(first: Nest.Leaf(size: 4), second: nil))
    #expect(read.composed == 5 && read.decomposed == 6)
    #expect(read.jsonText() == twig)
    let wrong =
      #"{"leaf":1,"others":[{"size":"x"}],"last":2,"first":[],"kind":{"kind":"sized","size":"x"}}"#
    #expect(
      messages(Nest.Twig.decode(from: wrong, options: DecodingOptions(engine)).error) == [
        "/leaf: expected an object, found the number 1",
        #"/others/0/size: expected an integer, found the string "x""#,
        "/last: expected an object, found the number 2",
        "/first: expected an object, found an empty array",
        #"/kind/size: expected an integer, found the string "x""#,
        "/\u{e9}: the key is missing", "/e\u{301}: the key is missing",
      ])
    #expect(try Nest.Kind(decoding: #"{"kind":"sized"}"#) == .sized())
    let either = #"[{"size":1},[[]]]"#
    #expect(
      try Nest.Either(decoding: either, options: DecodingOptions(engine)).jsonText() == either)
  }

  @Test("a model that is only read, and one that is only written")
  func oneWay() throws {
    #expect(try ReadAlone(decoding: #"{"name":"abc"}"#).name == 3)
    #expect(ReadAlone.self as Any is any JSONWritable.Type == false)
    #expect(WrittenAlone(name: "abc").jsonText() == #"{"name":"abc"}"#)
    #expect(WrittenAlone.self as Any is any JSONDecodable.Type == false)
  }

  @Test("a wrong type may have a default, and one of two conversions writes", arguments: engines)
  func lenient(engine: DecodingOptions.Engine) throws {
    let read = try Lenient(
      decoding: #"{"number":"x","at":1709209800}"#, options: DecodingOptions(engine: engine))
    #expect(read.number == 0)
    #expect(read.jsonText() == #"{"number":0,"at":"2024-02-29T12:30:00Z"}"#)
  }

  @Test("an optional behind a typealias is told by no syntax: absent is an error, null is nil")
  func alias() throws {
    #expect(try Aliased(decoding: #"{"number":null}"#).number == nil)
    #expect(messages(Aliased.decode(from: "{}").error) == ["/number: the key is missing"])
    #expect(try Aliased(decoding: #"{"number":1}"#).jsonText() == #"{"number":1}"#)
  }

  @Test("a model validates itself when all fields are read", arguments: engines)
  func validates(engine: DecodingOptions.Engine) {
    let error = [Span].decode(
      from: #"[{"first":1,"last":2},{"first":3,"last":2}]"#, options: DecodingOptions(engine)
    ).error
    #expect(messages(error) == ["/1: the span ends before it begins"])
    #expect(Trimmed.decode(from: #"{"name":"ANN"}"#).value == Trimmed(name: "ann"))
    #expect(messages(Trimmed.decode(from: #"{"name":""}"#).error) == [": a name is needed"])
  }

  @Test("one conversion of all dates, and conversions by their full names", arguments: engines)
  func dates(engine: DecodingOptions.Engine) throws {
    let text =
      #"{"created_at":1709209800,"at":5,"other":"2024-02-29T12:30:00Z","number":"7"}"#
    let read = try Dated(decoding: text, options: DecodingOptions(engine))
    #expect(read.createdAt == read.other && read.closedAt == nil && read.number == 7)
    #expect(read.jsonText() == text)
  }

  @Test("locals of the expansion have names of their own", arguments: engines)
  func locals(engine: DecodingOptions.Engine) throws {
    let text = #"{"json":1,"errors":2,"known":3,"json_":4,"it":5,"self":6}"#
    let read = try Locals(decoding: text, options: DecodingOptions(engine))
    #expect(read.jsonText() == text)
  }
}

/// Models by hand that have a part.
private struct ByTry: JSONInitializable {
  let name: String
  let address: Address

  init(json: JSON) throws(DecodeError) {
    var known = KnownKeys(["name"])
    name = try json.get("name")
    address = try json.decodePart(&known).get()
    try json.checkMembers(known: known, closed: true).get()
  }
}

private struct ByParts: JSONInitializable {
  let name: String
  let address: Address

  init(json: JSON) throws(DecodeError) {
    var errors = DecodeErrors()
    var known = KnownKeys(["name"])
    let name = errors.part(json.decode("name", as: String.self))
    let address = errors.part(json.decodePart(&known, as: Address.self))
    errors.add(json.checkMembers(known: known, closed: true))
    guard let name, let address, errors.isEmpty else { throw errors.all }
    (self.name, self.address) = (name, address)
  }
}

private struct ByBuilding: JSONDecodable {
  let name: String
  let address: Address

  static func decode(_ json: JSON) -> Decoded<Self> {
    var known = KnownKeys(["name"])
    return build(Self.init, json.decode("name"), json.decodePart(&known))
      .and(json.checkMembers(known: known, closed: true))
  }
}

private struct ByOperators: JSONDecodable {
  let name: String
  let address: Address

  static func decode(_ json: JSON) -> Decoded<Self> {
    var known = KnownKeys(["name"])
    return (curry(Self.init) <^> json <| "name" <*> json.decodePart(&known))
      .and(json.checkMembers(known: known, closed: true))
  }
}

/// A part that does not say what it names.
private struct Silent: JSONDecodable {
  let city: String
  static func decode(_ json: JSON) -> Decoded<Self> { build(Self.init, json.decode("city")) }
}

private enum Variant: JSONDecodable {
  case address(Address), closed(ClosedPart), rest(RestPart)

  static let variants = JSONConversion<Variant>.variants(
    by: "type",
    [
      "address": .model(Variant.address), "closed": .model(Variant.closed),
      "rest": .model(Variant.rest),
    ])
  static func decode(_ json: JSON) -> Decoded<Self> { json.converted(using: variants) }
}

@Suite("Models of several parts in one object")
struct PartTests {
  private func told<Model: JSONDecodable>(
    _ type: Model.Type, _ text: String, _ options: DecodingOptions
  ) -> [String] { messages(Model.decode(from: text, options: options).error) }

  @Test("an object's members are checked once, with the names of all its parts", arguments: engines)
  func rejects(engine: DecodingOptions.Engine) throws {
    let options = DecodingOptions(engine, rejecting: true)
    let visit =
      #"{"name":"n","zip":"z","city":"c","type":"hours","from":2,"first":1,"last":2}"#
    let read = try Visit(decoding: visit, options: options)
    #expect(read.stay == .hours(from: 2, to: nil) && read.site.address.city == "c")
    #expect(read.jsonText() == visit)
    #expect(
      told(Visit.self, visit.replacing("}", with: #","Zip":1,"nam":2}"#), options) == [
        #"/Zip: unknown key "Zip"; did you mean "zip"?"#,
        #"/nam: unknown key "nam"; did you mean "name"?"#,
      ])
    // What fails is told, too, and its names are known all the same.
    #expect(
      told(Visit.self, #"{"name":1,"zip":2,"city":3,"x":4}"#, options) == [
        "/name: expected a string, found the number 1",
        "/zip: expected a string, found the number 2",
        "/city: expected a string, found the number 3", #"/x: unknown key "x""#,
      ])
    #expect(told(Visit.self, #"{"x":1}"#, DecodingOptions(engine)).count == 3)
    #expect(
      told(Visit.self, #"{"name":"n","zip":"z","city":"c","type":"weeks","x":1}"#, options) == [
        #"/type: the string "weeks" is not one of "nights", "hours""#
      ])
    #expect(told(Visit.self, "[]", options) == [": expected an object, found an empty array"])
  }

  @Test("a part is absent where all its members are", arguments: engines)
  func absent(engine: DecodingOptions.Engine) throws {
    for options in [DecodingOptions(engine, rejecting: true), DecodingOptions(engine)] {
      let text = #"{"name":"n","zip":"z","city":"c"}"#
      let read = try Visit(decoding: text, options: options)
      #expect(read.stay == nil && read.span == Span(first: 0, last: 9))
      #expect(
        read.jsonText() == #"{"name":"n","zip":"z","city":"c","first":0,"last":9}"#)
      #expect(
        told(Visit.self, text.replacing("}", with: #","last":5}"#), options) == [
          "/first: the key is missing"
        ])
      #expect(
        told(Visit.self, text.replacing("}", with: #","type":null,"first":null}"#), options)
          == [])
    }
  }

  @Test("closed models and closed parts", arguments: engines)
  func closed(engine: DecodingOptions.Engine) throws {
    let options = DecodingOptions(engine)
    let text = #"{"city":"c","inner":{"city":"d"}}"#
    #expect(try ClosedVisit(decoding: text, options: options).jsonText() == text)
    #expect(
      told(ClosedVisit.self, #"{"city":"c","x":1,"inner":{"city":"d","y":2}}"#, options) == [
        #"/x: unknown key "x""#
      ])
    let part = #"{"name":"n","retries":5}"#
    #expect(try WithClosedPart(decoding: part, options: options).jsonText() == part)
    #expect(
      told(WithClosedPart.self, #"{"name":"n","retires":5}"#, options) == [
        #"/retires: unknown key "retires"; did you mean "retries"?"#
      ])
  }

  @Test("a part takes what neither the model nor another part names", arguments: engines)
  func rest(engine: DecodingOptions.Engine) throws {
    for options in [DecodingOptions(engine, rejecting: true), DecodingOptions(engine)] {
      let text = #"{"name":"n","city":"c","zip":"z","x":1}"#
      let read = try WithRestPart(decoding: text, options: options)
      #expect(read.part.others.keys.sorted() == ["x"])
      #expect(read.jsonText() == text)
      let flat = #"{"city":"c","a":1}"#
      #expect(try FlatAndRest(decoding: flat, options: options).jsonText() == flat)
    }
  }

  @Test("the same by hand, in every spelling", arguments: engines)
  func byHand(engine: DecodingOptions.Engine) {
    func check<Model: JSONDecodable>(_ type: Model.Type, collects: Bool = true) {
      for rejecting in [false, true] {
        let options = DecodingOptions(engine, rejecting: rejecting)
        #expect(told(type, #"{"name":"n","city":"c"}"#, options) == [])
        #expect(
          told(type, #"{"name":"n","city":"c","cit":1}"#, options)
            == [#"/cit: unknown key "cit"; did you mean "city"?"#])
        let all = told(type, #"{"name":1,"city":"c","x":1}"#, options)
        #expect(all.count == (collects ? 2 : 1))
      }
    }
    check(ByTry.self, collects: false)
    check(ByParts.self)
    check(ByBuilding.self)
    check(ByOperators.self)
  }

  @Test("a part that checks no members may take any", arguments: engines)
  func silent(engine: DecodingOptions.Engine) {
    struct Model: JSONDecodable {
      static func decode(_ json: JSON) -> Decoded<Model> {
        var known = KnownKeys(["name"])
        return build(
          { (_: String, _: Silent) in Model() }, json.decode("name"), json.decodePart(&known)
        )
        .and(json.checkMembers(known: known))
      }
    }
    let options = DecodingOptions(engine, rejecting: true)
    #expect(told(Model.self, #"{"name":"n","city":"c","x":1}"#, options) == [])
  }

  @Test("the tag of a union is a member of its models' object", arguments: engines)
  func variants(engine: DecodingOptions.Engine) throws {
    for options in [DecodingOptions(engine, rejecting: true), DecodingOptions(engine)] {
      #expect(told(Variant.self, #"{"type":"address","city":"c"}"#, options) == [])
      #expect(told(Variant.self, #"{"type":"closed","retries":1}"#, options) == [])
      #expect(
        told(Variant.self, #"{"type":"closed","typ":1}"#, options) == [
          #"/typ: unknown key "typ"; did you mean "type"?"#
        ])
      guard
        case .rest(let part) = try Variant(
          decoding: #"{"type":"rest","zip":"z","x":1}"#, options: options)
      else {
        Testing.Issue.record("another case")
        return
      }
      #expect(part.others.keys.sorted() == ["x"])
    }
  }

  @Test("what parts keep of a document is counted with the document", arguments: engines)
  func budgets(engine: DecodingOptions.Engine) throws {
    struct Part: JSONDecodable {
      let list: LossyArray<Int>
      static func decode(_ json: JSON) -> Decoded<Part> { build(Part.init, json.decode("list")) }
    }
    struct Whole: JSONDecodable {
      let part: Part
      let more: LossyArray<Int>
      static func decode(_ json: JSON) -> Decoded<Whole> {
        var known = KnownKeys([])
        return build(Whole.init, json.decodePart(&known), json.decode("more"))
      }
    }
    let whole = try Whole(
      decoding: #"{"list":["a","b","c"],"more":["d","e"]}"#,
      options: DecodingOptions(engine, errors: 3))
    #expect(whole.part.list.skipped.count == 3)
    #expect(whole.more.skipped.isEmpty)
  }
}
