// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Codable models that a JSONDecodable list decodes one by one, each by a call of its own: what they share, and what is
// not to grow with their number.

import Decant
import DecantTestSupport
import Testing

@testable import DecantCodable

@Suite("Codable elements of a JSONDecodable list")
struct Elements {
  private static func text(_ count: Int) -> String {
    let keepers = (0..<count).map { #"{"id":\#($0),"name":"n"}"# }.joined(separator: ",\n")
    return "{\"keepers\":[\(keepers)],\"numbers\":[1]}"
  }

  @Test("tell their own places, though places are counted from those before")
  func places() throws {
    struct Wrong: Decodable { let name: Int }
    struct Wrongs: JSONDecodable {
      let all: LossyArray<CodableModel<Wrong>>
      static func decode(_ json: JSON) -> Decoded<Wrongs> { build(Wrongs.init, json <| "keepers") }
    }
    let count = 100
    let options = DecodingOptions(maximumErrors: count)
    let skipped = try Wrongs(decoding: Elements.text(count), options: options).all.skipped
    #expect(skipped.count == count)
    for (id, skip) in skipped.enumerated() {
      let column = (id == 0 ? 20 : 8) + "\(id),\"name\"".count
      #expect(skip.error.location?.line == id + 1)
      #expect(skip.error.location?.column == column)
      #expect(skip.error.message == #"expected an integer, found the string "n""#)
    }
  }

  /// Drops many errors before it fails by the last one.
  private struct Dropping: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      while let count = container.count, container.currentIndex < count - 1 {
        _ = try? container.decode(String.self)
        _ = try container.decode(Int.self)
      }
      let context = try #require(decoder as? ValueDecoder).context
      #expect(context.messages.count <= DecodeContext.maximumMessages)
      _ = try container.decode(String.self)
    }
  }

  @Test("remember few of the errors that they drop")
  func droppedErrors() throws {
    let text = "[" + String(repeating: "7,", count: 999) + "1]"
    let result = CodableModel<Dropping>.decode(from: text)
    #expect(
      failures(of: result) == [
        Failure(.typeMismatch, "1:2000", "/999", "expected a string, found the number 1")
      ])
  }
}
