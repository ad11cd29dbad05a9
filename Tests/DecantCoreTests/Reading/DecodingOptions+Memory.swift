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

  @Test("a value that is kept is decoded by the same limit")
  func kept() throws {
    let value = try JSONValue(parsing: objects(100_000))
    #expect(value.decoded([Large].self).error?.code == .tooLarge)
  }
}
