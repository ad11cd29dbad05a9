// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
import Synchronization
import Testing

@Suite("DecodingOptions")
struct DecodingOptionsTests {
  private func nested(_ levels: Int, _ open: String = "[", _ close: String = "]") -> String {
    String(repeating: open, count: levels) + String(repeating: close, count: levels)
  }

  @Test("the defaults")
  func defaults() {
    let options = DecodingOptions()
    #expect(options.engine == .native)
    #expect(options.maximumDepth == 512)
    #expect(options.maximumBytes == 4_294_967_294)
    #expect(options.maximumMemory == nil)
    #expect(options.duplicateKeys == .first)
    #expect(options.maximumErrors == 64)
    #expect(options.sourceName == nil)
    #expect(options.engine.name == "native")
  }

  @Test("maximumDepth: at the limit, one below, one above", arguments: engines)
  func depth(engine: Engine) throws {
    for limit in [1, 2, 10, 511, 512, 2_000] {
      let options = DecodingOptions(engine: engine, maximumDepth: limit)
      for text in [
        nested(limit), nested(limit - 1, #"{"a":"#, "}").replacing(#":}"#, with: ":[]}"),
      ] {
        #expect(JSONValue.parse(limit == 1 ? nested(1) : text, options: options).error == nil)
      }
      if limit > 1 { #expect(JSONValue.parse(nested(limit - 1), options: options).error == nil) }
      let error = try #require(JSONValue.parse(nested(limit + 1), options: options).error)
      #expect(error.code == .tooDeep)
      #expect(error.code.category == .limit)
      #expect(error.location?.offset == limit)
      #expect(error.message == "nested too deeply: the limit is \(limit) levels")
    }
    let scalars = DecodingOptions(engine: engine, maximumDepth: 0)
    #expect(try Int(decoding: "5", options: scalars) == 5)
    #expect(JSONValue.parse("[]", options: scalars).error?.code == .tooDeep)
  }

  @Test("siblings and brackets in strings are no depth", arguments: engines)
  func breadth(engine: Engine) {
    let options = DecodingOptions(engine: engine, maximumDepth: 2)
    let json = #"[[],{},[1],{"[[[":"]]]{{{"},["\"[[["],"\\",[]]"#
    #expect(JSONValue.parse(json, options: options).error == nil)
  }

  @Test("maximumBytes: at the limit, one below, one above", arguments: engines)
  func size(engine: Engine) throws {
    let json = "[1,2,3]"
    for (limit, isAllowed) in [(8, true), (7, true), (6, false), (0, false)] {
      let options = DecodingOptions(engine: engine, maximumBytes: limit)
      let result = [Int].decode(from: json, options: options)
      #expect(result.value == (isAllowed ? [1, 2, 3] : nil))
      #expect(result.error?.code == (isAllowed ? nil : .tooLarge))
      #expect(
        result.error?.message
          == (isAllowed ? nil : "the input is too large: the limit is \(limit) bytes"))
      #expect(result.error?.location?.offset == (isAllowed ? nil : limit))
      #expect(
        JSONValue.parse(json, options: options).error?.location?.offset
          == result.error?.location?.offset)
    }
  }

  @Test("sourceName precedes every line", arguments: engines)
  func sourceName(engine: Engine) throws {
    let options = DecodingOptions(engine: engine, sourceName: "users.json")
    let error = try #require([Int].decode(from: "[1,true,\nnull]", options: options).error)
    #expect(
      error.description
        == (engine == .native
          ? """
          users.json:1:4: /1: expected an integer, found true
            [1,true,
               ^~~~
          users.json:2:1: /2: expected an integer, found null
            null]
            ^~~~
          """
          : """
          users.json: /1: expected an integer, found true
          users.json: /2: expected an integer, found null
          """))
    let syntax = try #require([Int].decode(from: "[1,", options: options).error)
    #expect(
      syntax.description
        == (engine == .native
          ? """
          users.json:1:4: the input ends too early: expected a value; the array begins at 1:1
            [1,
               ^
          """
          : "users.json: libjansson, line 1: ']' expected near end of file"))
  }

  @Test("maximumErrors: the rest is counted, wherever the errors come from", arguments: engines)
  func maximumErrors(engine: Engine) throws {
    let json = "[" + Array(repeating: "true", count: 10).joined(separator: ",") + "]"
    for (limit, kept) in [(2, 2), (3, 3), (9, 9), (10, 10), (11, 10)] {
      let options = DecodingOptions(engine: engine, maximumErrors: limit)
      let error = try #require([Int].decode(from: json, options: options).error)
      #expect(error.underlying.count == kept, "\(limit)")
      #expect(error.omittedCount == 10 - kept, "\(limit)")
      #expect(error.message == "10 errors", "\(limit)")
      #expect(error.path.text == "/0")
      let model = try #require(TenFields.decode(from: "{}", options: options).error)
      #expect(model.underlying.count == kept, "\(limit)")
      #expect(model.omittedCount == 10 - kept, "\(limit)")
      let dictionary = #"{"a":[true,true],"b":[true,true],"c":true}"#
      let both = try #require([String: [Int]].decode(from: dictionary, options: options).error)
      #expect(both.underlying.count + both.omittedCount == 5, "\(limit)")
    }
  }

  // One after the other, because the elements that are decoded are counted in one place.
  @Test(
    "maximumErrors of 1: the first error alone, nothing read behind it", .serialized,
    arguments: engines)
  func failFast(engine: Engine) throws {
    for limit in [1, 0, -5] {
      let options = DecodingOptions(engine: engine, maximumErrors: limit)
      Counting.decodes.withLock { $0 = 0 }
      let json = #"[1, 2, true, 4, "5", 6]"#
      let element = try #require([Counting].decode(from: json, options: options).error)
      #expect(element.code == .typeMismatch)
      #expect(element.path == "/2")
      #expect(element.count == 1)
      #expect(element.underlying.isEmpty)
      #expect(Counting.decodes.withLock { $0 } == 3)
      let field = try #require(TenFields.decode(from: "{}", options: options).error)
      #expect(field.code == .missingKey)
      #expect(field.count == 1)
      let members = #"{"a":[1,true,true],"b":[true,true],"c":true}"#
      let member = try #require([String: [Int]].decode(from: members, options: options).error)
      #expect(member.path == "/a/1")
      #expect(member.count == 1)
    }
  }

  @Test("maximumErrors has a limit of its own")
  func manyErrors() throws {
    #expect(DecodingOptions(maximumErrors: 65_535).maximumErrors == 65_535)
    #expect(DecodingOptions(maximumErrors: 65_536).maximumErrors == 65_535)
  }

  @Test("what was set can be read")
  func reading() {
    let options = DecodingOptions(
      duplicateKeys: .reject, relaxations: [.comments, .trailingCommas])
    #expect(options.relaxations == [.comments, .trailingCommas])
    #expect(options.duplicateKeys == .reject)
    #expect(DecodingOptions().relaxations == [])
  }

  @Test("engines by name")
  func engineNames() {
    #expect(engines.map(\.name) == (engines.count == 2 ? ["native", "jansson"] : ["native"]))
  }
}

private struct Counting: JSONDecodable {
  static let decodes = Mutex(0)

  static func decode(_ json: JSON) -> Decoded<Counting> {
    decodes.withLock { $0 += 1 }
    return Int.decode(json).map { _ in Counting() }
  }
}

private struct TenFields: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<TenFields> {
    sequence((0..<10).map { json.decode(JSONKey("k\($0)"), as: Int.self) }).map { _ in TenFields() }
  }
}
