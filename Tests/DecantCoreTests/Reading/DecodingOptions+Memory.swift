// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

/// A model of four kilobytes, each of which is `{}` in JSON.
private struct Large: JSONDecodable, Decodable {
  var id: Int?
  private var pad = Pad()

  private struct Pad {
    typealias Part = SIMD64<UInt64>
    var parts: (Part?, Part?, Part?, Part?, Part?, Part?, Part?)
  }

  private enum CodingKeys: String, CodingKey { case id }

  static func decode(_ json: JSON) -> Decoded<Large> {
    json.decodeIfPresent("id").map {
      var model = Large()
      model.id = $0
      return model
    }
  }

  init() {}
  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .id)
  }
}

/// Arrays by a conversion.
private struct Converted: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Converted> {
    json.convert("items", using: JSONConversion.array(of: JSONConversion<Large>.value)).map { _ in
      Converted()
    }
  }
}

@Suite("DecodingOptions.maximumMemory")
struct MaximumMemoryTests {
  private static let message = "decoding takes too much memory: the limit is"

  private func objects(_ count: Int) -> String {
    "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]"
  }

  private func check<Model>(
    _ result: Decoded<Model>, _ limit: Int, path: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) {
    guard let error = result.error else {
      Issue.record("it is decoded", sourceLocation: location)
      return
    }
    #expect(error.code == .tooLarge, sourceLocation: location)
    #expect(error.message == "\(Self.message) \(limit) bytes", sourceLocation: location)
    #expect(error.path.text == path, sourceLocation: location)
  }

  @Test("small elements of a large type are refused by default", arguments: engines)
  func byDefault(engine: Engine) {
    let options = DecodingOptions(engine: engine)
    let json = objects(100_000)
    check([Large].decode(from: json, options: options), 64 << 20)
    check([[Large]].decode(from: "[\(json)]", options: options), 64 << 20, path: "/0")
    check(LossyArray<Large>.decode(from: json, options: options), 64 << 20)
    check(
      Converted.decode(from: #"{"items":\#(json)}"#, options: options), 64 << 20, path: "/items")
    let members = (0..<30_000).map { "\"\($0)\":{}" }.joined(separator: ",")
    check([String: Large].decode(from: "{\(members)}", options: options), 64 << 20)
    check(LossyDictionary<String, Large>.decode(from: "{\(members)}", options: options), 64 << 20)
  }

  @Test("what all collections of a document take is counted together", arguments: engines)
  func together(engine: Engine) {
    let stride = MemoryLayout<Large>.stride
    // The index takes some, too.
    let options = DecodingOptions(engine: engine, maximumMemory: 10 * stride + 2000)
    let five = objects(5)
    #expect([[Large]].decode(from: "[\(five),\(five)]", options: options).value?.count == 2)
    check(
      [[Large]].decode(from: "[\(five),\(objects(6))]", options: options), 10 * stride + 2000,
      path: "/1")
    #expect([Large].decode(from: objects(10), options: options).value?.count == 10)
    check([Large].decode(from: objects(11), options: options), 10 * stride + 2000)
    // So it is where a value is looked into, also if threads share it.
    for (text, isAllowed) in [("[\(five),\(five)]", true), ("[\(five),\(objects(6))]", false)] {
      guard let value = JSONValue.parse(text, options: options).value else {
        Issue.record("it is parsed")
        continue
      }
      let expected: DecodeError.Code? = isAllowed ? nil : .tooLarge
      let ofView = [[Large]].decode(value.view).error?.code
      let ofModels = [[CodableModel<Large>]].decode(value.view).error?.code
      #expect(ofView == expected && ofModels == expected)
      #expect(value.decoded([[Large]].self).error?.code == expected)
    }
  }

  @Test("where a limit is given, small elements count", arguments: engines)
  func small(engine: Engine) {
    let json = "[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]"
    for (limit, isAllowed) in [(20_000, true), (7_000, false)] {
      let options = DecodingOptions(engine: engine, maximumMemory: limit)
      let result = [Int].decode(from: json, options: options)
      #expect(result.value?.count == (isAllowed ? 1_000 : nil))
      if !isAllowed { check(result, limit) }
    }
  }

  @Test("an index that takes too much is the document's error")
  func index() throws {
    let json = "[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]"
    let error = try #require(
      JSONValue.parse(json, options: DecodingOptions(maximumMemory: 4_096)).error)
    #expect(error.code == .tooLarge)
    #expect(error.message == "\(Self.message) 4096 bytes")
    #expect(error.location?.line == 1)
  }

  @Test("a limit that is given is the limit", arguments: engines)
  func given(engine: Engine) {
    let options = DecodingOptions(engine: engine, maximumMemory: .max)
    #expect([Large].decode(from: objects(20_000), options: options).value?.count == 20_000)
  }

  @Test("coders follow it", arguments: engines)
  func coders(engine: Engine) throws {
    for options in [
      DecodingOptions(engine: engine), DecodingOptions(engine: engine, maximumMemory: 1 << 20),
    ] {
      let decoder = DecantDecoder()
      decoder.options = options
      let failure = #expect(throws: DecodingError.self) {
        try decoder.decode([Large].self, from: Array(objects(100_000).utf8))
      }
      guard case .dataCorrupted(let context)? = failure else {
        Issue.record("another error")
        continue
      }
      #expect((context.underlyingError as? DecodeError)?.code == .tooLarge)
      let members = (0..<30_000).map { "\"\($0)\":{}" }.joined(separator: ",")
      #expect(throws: DecodingError.self) {
        try decoder.decode([String: Large].self, from: Array("{\(members)}".utf8))
      }
    }
    let tight = DecantDecoder()
    tight.options = DecodingOptions(engine: engine, maximumMemory: 1_000)
    let numbers = "[" + Array(repeating: "1.5", count: 500).joined(separator: ",") + "]"
    #expect(throws: DecodingError.self) {
      try tight.decode([Double].self, from: Array(numbers.utf8))
    }
    #expect(throws: DecodingError.self) { try tight.decode([Int?].self, from: Array(numbers.utf8)) }
  }

  /// Elements that a model collects one by one.
  private struct Collected: Decodable {
    var elements: [Large] = []
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      while !container.isAtEnd { elements.append(try container.decode(Large.self)) }
    }
  }

  /// Members that a model collects one by one, by all the keys of their object, or by keys that it knows.
  private struct CollectedMembers: Decodable {
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var members: [String: Large] = [:]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(Large.self, forKey: key)
      }
    }
  }

  /// The same of members that may be null.
  private struct CollectedOptionals: Decodable {
    var members: [Large] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CollectedMembers.Key.self)
      for key in container.allKeys {
        if let member = try container.decodeIfPresent(Large.self, forKey: key) {
          members.append(member)
        }
      }
    }
  }

  /// Fields, which are a part of the model that has them.
  private struct Fields: Decodable {
    let a: Large
    let b: Large?
  }

  @Test("members that a model collects by all keys are counted, fields are not", arguments: engines)
  func collectedMembers(engine: Engine) throws {
    let members = (0..<30_000).map { "\"\($0)\":{}" }.joined(separator: ",")
    let few = (0..<10).map { "\"\($0)\":{}" }.joined(separator: ",")
    for limit in [nil, 1 << 20] {
      #expect(try !reads(CollectedMembers.self, "{\(members)}", engine, limit))
      #expect(try !reads(CollectedOptionals.self, "{\(members)}", engine, limit))
      #expect(try reads(CollectedMembers.self, "{\(few)}", engine, limit))
      #expect(try reads(CollectedOptionals.self, "{\(few)}", engine, limit))
    }
    // What was listed of one object says nothing of another one.
    #expect(try !reads([CollectedMembers].self, "[{\(few)},{\(few)}]", engine, 60_000))
    #expect(try reads(Fields.self, #"{"a":{},"b":{}}"#, engine, 1_000))
  }

  private struct Number: Codable, Hashable { let id: Int }

  /// Whether a decoder reads a text within a limit.
  private func reads<Model: Decodable>(
    _ type: Model.Type, _ text: String, _ engine: Engine, _ limit: Int?
  ) throws -> Bool {
    let decoder = DecantDecoder()
    decoder.options = DecodingOptions(engine: engine, maximumMemory: limit)
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    do { _ = try decoder.decode(type, from: Array(text.utf8)) } catch DecodingError.dataCorrupted(
      let context)
    {
      #expect((context.underlyingError as? DecodeError)?.code == .tooLarge)
      return false
    }
    return true
  }

  @Test("coders count what collections inside collections take", arguments: engines)
  func nestedByCoders(engine: Engine) throws {
    func list(_ element: String) -> String {
      "[" + Array(repeating: element, count: 100).joined(separator: ",") + "]"
    }
    // 100 times 8 for the outer array, 1600 or more for the inner ones; 8 a value for the index.
    func check<Model: Decodable>(
      _ type: Model.Type, _ element: String, _ taken: Int, values: Int,
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      let index = engine == .native ? 8 * (2 + values * 100) : 0
      let text = list(element)
      #expect(try reads(type, text, engine, index + taken), sourceLocation: location)
      #expect(try !reads(type, text, engine, index + taken - 1), sourceLocation: location)
    }
    try check([[Double]].self, "[1,2]", 2400, values: 4)
    try check([[Double]].self, "[1,2,3]", 3200, values: 5)
    // What is decoded in another way is not counted twice.
    try check([[Double]].self, #"[1,"+"]"#, 2400, values: 4)
    try check([[Double]].self, #"[1,"+",3]"#, 3200, values: 5)
    try check([[Int]].self, "[1,2]", 2400, values: 4)
    try check([[Int?]].self, "[1,null]", 4000, values: 4)
    try check([[String]].self, #"["a","b"]"#, 4000, values: 4)
    try check([[Bool]].self, "[true,false]", 1000, values: 4)
    try check([[String: Double]].self, #"{"a":1}"#, 3200, values: 4)
    try check([[String: Double]].self, #"{"a":"+"}"#, 3200, values: 4)
    // A member that does not count leaves the object to the general decoder. libjansson refuses such a document.
    if engine == .native {
      try check([[String: Double]].self, #"{"a":1,"a":2}"#, 5600, values: 6)
    }
    try check([[Int: Double]].self, #"{"1":1}"#, 2400, values: 4)
    try check([[Number: Double]].self, #"[{"id":1},2]"#, 2400, values: 7)
    try check([ContiguousArray<Double>].self, "[1,2]", 2400, values: 4)
    try check([Set<Double>].self, "[1,2]", 2400, values: 4)
  }

  @Test("coders count large elements of every collection", arguments: engines)
  func largeByCoders(engine: Engine) throws {
    let json = objects(30_000)
    let members = "{" + (0..<30_000).map { "\"\($0)\":{}" }.joined(separator: ",") + "}"
    let pairs = "[" + (0..<30_000).map { "{\"id\":\($0)},{}" }.joined(separator: ",") + "]"
    #expect(try !reads([Large].self, json, engine, nil))
    #expect(try !reads(ContiguousArray<Large>.self, json, engine, nil))
    #expect(try !reads(Collected.self, json, engine, nil))
    #expect(try !reads([String: Large].self, members, engine, nil))
    #expect(try !reads([Int: Large].self, members, engine, nil))
    #expect(try !reads([Number: Large].self, pairs, engine, nil))
    #expect(try reads(Collected.self, objects(10_000), engine, nil))
  }

  @Test("a value that is kept is decoded by the same limit")
  func kept() throws {
    let value = try JSONValue(parsing: objects(100_000))
    #expect(value.decoded([Large].self).error?.code == .tooLarge)
  }
}
