// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

private final class Node: Decodable {
  let name: String?
  let next: Node?
}

private struct Team: Decodable { let teams: [Team] }

private struct Shelf: Decodable { let shelves: [String: Shelf] }

/// By hand, through a container in a container.
private final class Nested: Decodable {
  let next: Nested?
  enum CodingKeys: String, CodingKey { case inner, next }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
      .nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
    next = try container.decodeIfPresent(Nested.self, forKey: .next)
  }
}

private enum Step: String, CodingKey { case inner, next }

/// By its own initialiser, from the decoder of a member.
private final class Apart: Decodable {
  let next: Apart?
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Step.self)
    next = container.contains(.next) ? try Apart(from: container.superDecoder(forKey: .next)) : nil
  }
}

/// By its own initialiser, from the decoders of elements.
private final class Apiece: Decodable {
  let next: Apiece?
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    next = container.isAtEnd ? nil : try Apiece(from: container.superDecoder())
  }
}

/// Through the metatype of its superclass.
private class Base: Decodable {
  init() {}
  required init(from decoder: any Decoder) throws {}
}
private final class Derived: Base {
  private let next: Base?
  required init(from decoder: any Decoder) throws {
    let type: Base.Type = Derived.self
    var container = try decoder.unkeyedContainer()
    next = container.isAtEnd ? nil : try container.decode(type)
    super.init()
  }
}

/// By a function that walks down.
private struct Descent: Decodable {
  let depth: Int
  init(from decoder: any Decoder) throws {
    func depth(_ container: KeyedDecodingContainer<Step>) throws -> Int {
      guard container.contains(.next) else { return 0 }
      return 1 + (try depth(container.nestedContainer(keyedBy: Step.self, forKey: .next)))
    }
    self.depth = try depth(decoder.container(keyedBy: Step.self))
  }
}

private struct Recursion: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let document: @Sendable (Int) -> String
  let decode: @Sendable (String, DecodingOptions) -> (any Error)?

  init<Model: Decodable & SendableMetatype>(
    _ type: Model.Type, _ open: String, _ leaf: String, _ close: String
  ) {
    testDescription = "\(type)"
    document = {
      String(repeating: open, count: $0) + leaf + String(repeating: close, count: $0)
    }
    decode = { text, options in
      let decoder = DecantDecoder()
      decoder.options = options
      do { _ = try decoder.decode(Model.self, from: text) } catch { return error }
      return nil
    }
  }
}

private let recursions = [
  Recursion(Node.self, #"{"name":"n","next":"#, "{}", "}"),
  Recursion(Team.self, #"{"teams":["#, #"{"teams":[]}"#, "]}"),
  Recursion(Shelf.self, #"{"shelves":{"f":"#, #"{"shelves":{}}"#, "}}"),
  Recursion(Nested.self, #"{"inner":{"next":"#, #"{"inner":{}}"#, "}}"),
  Recursion(Apart.self, #"{"next":"#, "{}", "}"),
  Recursion(Apiece.self, "[", "[]", "]"),
  Recursion(Derived.self, "[", "[]", "]"),
  Recursion(Descent.self, #"{"next":"#, "{}", "}"),
]

@Suite("Recursive Codable models")
struct RecursiveCodableModels {
  /// The code of the error beneath, and the length of the coding path.
  private static func facts(_ error: (any Error)?) -> (DecodeError.Code?, Int) {
    guard case .dataCorrupted(let context)? = error as? DecodingError else { return (nil, 0) }
    return ((context.underlyingError as? DecodeError)?.code, context.codingPath.count)
  }

  @Test("fail with an error where the stack ends", arguments: recursions, [256, 512, 1024])
  private func deep(recursion: Recursion, kilobytes: Int) {
    let text = recursion.document(20_000)
    let (code, depth) = onStack(of: kilobytes << 10) {
      Self.facts(recursion.decode(text, DecodingOptions(maximumDepth: 60_000)))
    }
    #expect(code == .tooDeep)
    #expect(depth > 5 && depth < 40_000)
  }

  /// Walks down without recursion, into members or elements.
  private struct Walk: Decodable {
    let depth: Int
    init(from decoder: any Decoder) throws {
      var depth = 0
      if decoder.userInfo.isEmpty {
        var container = try decoder.container(keyedBy: Step.self)
        while container.contains(.next) {
          container = try container.nestedContainer(keyedBy: Step.self, forKey: .next)
          depth += 1
        }
      } else {
        var container = try decoder.container(keyedBy: Step.self)
        while container.contains(.next) {
          container = try container.superDecoder(forKey: .next).container(keyedBy: Step.self)
          depth += 1
        }
      }
      self.depth = depth
    }
  }

  @Test("walks that do not recurse take no stack for their depth", arguments: [false, true])
  func walks(bySuperDecoders: Bool) throws {
    let key = try #require(CodingUserInfoKey(rawValue: "by super decoders"))
    let text = recursions[0].document(20_000)
    let depth = onStack(of: 256 << 10) {
      let decoder = DecantDecoder()
      decoder.options.maximumDepth = 60_000
      if bySuperDecoders { decoder.userInfo[key] = true }
      return try? decoder.decode(Walk.self, from: text).depth
    }
    #expect(depth == 20_000)
  }

  @Test("decoders that are used on a large stack are released on a small one")
  func released() throws {
    let text = recursions[3].document(2_000)
    let decoder = onStack(of: 64 << 20) {
      let decoder = DecantDecoder()
      decoder.options.maximumDepth = 60_000
      #expect(throws: Never.self) { try decoder.decode(Nested.self, from: text) }
      return Once(decoder)
    }
    onStack(of: 128 << 10) { decoder.drop() }
    #expect(decoder.isEmpty)
  }

  private final class Once: @unchecked Sendable {
    private var decoder: DecantDecoder?
    init(_ decoder: DecantDecoder) { self.decoder = decoder }
    func drop() { decoder = nil }
    var isEmpty: Bool { decoder == nil }
  }

  /// A list whose end is decoded by its `decode(_:)`, which fails.
  private final class List: Decodable {
    let next: List?
    let end: End?
  }
  private struct End: JSONDecodable, Decodable {
    static func decode(_ json: JSON) -> Decoded<End> {
      json.decode("count", as: Int.self).map { _ in End() }
    }
  }

  @Test("tell what failed just before the stack ends")
  func failing() {
    let codes = onStack(of: 256 << 10) {
      var codes: Set<DecodeError.Code> = []
      let decoder = DecantDecoder()
      decoder.options.maximumDepth = 60_000
      for depth in stride(from: 20, to: 2_000, by: 3) where !codes.contains(.tooDeep) {
        let text =
          String(repeating: #"{"next":"#, count: depth) + #"{"end":{"count":true}}"#
          + String(repeating: "}", count: depth)
        do { _ = try decoder.decode(List.self, from: text) } catch {
          let context: DecodingError.Context? =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .dataCorrupted(let context): context
            default: nil
            }
          if let error = context?.underlyingError as? DecodeError { codes.insert(error.code) }
        }
      }
      return codes
    }
    #expect(codes == [.typeMismatch, .tooDeep])
  }

  @Test("are decoded as deep as the stack reaches", arguments: recursions, engines)
  private func shallow(recursion: Recursion, engine: Engine) {
    let text = recursion.document(60)
    #expect(onStack(of: 1 << 20) { recursion.decode(text, .on(engine)) == nil })
  }
}
