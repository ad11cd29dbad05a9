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

  @Test("are decoded as deep as the stack reaches", arguments: recursions, engines)
  private func shallow(recursion: Recursion, engine: Engine) {
    let text = recursion.document(60)
    #expect(onStack(of: 1 << 20) { recursion.decode(text, .on(engine)) == nil })
  }
}
