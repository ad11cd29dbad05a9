// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Codable models that a JSONDecodable list decodes one by one, each by a call of its own: what they share, and what is
// not to grow with their number.

import CDecantIndex
import Decant
import DecantCore
import DecantTestSupport
import Testing

@testable import DecantCodable
import DecantJansson

@Suite("Codable elements of a JSONDecodable list")
struct Elements {
  private struct Keeper: Decodable {
    enum Key: String, CodingKey { case id, name }
    let decoder: any Decoder
    let members: KeyedDecodingContainer<Key>

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      members = try decoder.container(keyedBy: Key.self)
    }
  }

  /// A Codable model of a list that skips what fails.
  private struct Page: Decodable {
    let numbers: LossyArray<Int>
    enum Key: String, CodingKey { case numbers }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      numbers = try members.decode(CodableLossy.self, forKey: .numbers).numbers
    }
  }

  private struct CodableLossy: Decodable {
    let numbers: LossyArray<Int>

    init(from decoder: any Decoder) throws {
      let decoder = try #require(decoder as? ValueDecoder)
      numbers = try LossyArray<Int>.decode(decoder.json).get()
    }
  }

  @Test("errors that Codable elements keep are the document's", arguments: engines)
  func keptErrors(engine: DecodingOptions.Engine) throws {
    let options = DecodingOptions(engine: engine, maximumErrors: 3)
    let json = "[" + Array(repeating: #"{"numbers":["x",1,"y"]}"#, count: 4).joined(separator: ",")
    let pages = try [CodableModel<Page>](decoding: json + "]", options: options)
    #expect(pages.map(\.model.numbers.skipped.count) == [2, 1, 0, 0])
    #expect(pages[1].model.numbers.skipped.map(\.error.path.text) == ["/1/numbers/0"])
  }

  private struct Holder: JSONDecodable {
    let keepers: [CodableModel<Keeper>]
    let numbers: [Int]
    static func decode(_ json: JSON) -> Decoded<Holder> {
      build(Holder.init, json <| "keepers", json <| "numbers")
    }
  }

  private static func text(_ count: Int) -> String {
    let keepers = (0..<count).map { #"{"id":\#($0),"name":"n"}"# }.joined(separator: ",\n")
    return "{\"keepers\":[\(keepers)],\"numbers\":[1]}"
  }

  @Test("that keep their decoders share one copy of the document")
  func copies() throws {
    let count = 100
    var keepers = try Holder(decoding: Elements.text(count)).keepers.map(\.model)
    let texts = try keepers.map { keeper in
      let decoder = try #require(keeper.decoder as? ValueDecoder)
      return unsafe UInt(bitPattern: decoder.document.pointer.pointee.text)
    }
    #expect(Set(texts).count == 1)
    while let keeper = keepers.popLast() {
      let id = keepers.count
      #expect(try keeper.members.decode(Int.self, forKey: .id) == id)
      let error = #expect(throws: DecodingError.self) {
        try keeper.members.decode(Int.self, forKey: .name)
      }
      guard case .typeMismatch(_, let why) = error else { throw try #require(error) }
      let column = (id == 0 ? 20 : 8) + "\(id),\"name\"".count
      #expect(
        why.debugDescription == "\(id + 1):\(column): expected an integer, found the string \"n\"")
    }
  }

  @Test("that keep their decoders have copies of their own in small documents")
  func smallDocuments() throws {
    let holders = try (1...3).map { try Holder(decoding: Elements.text($0)) }
    for (place, holder) in holders.enumerated() {
      let ids = try holder.keepers.map { try $0.model.members.decode(Int.self, forKey: .id) }
      #expect(ids == Array(0...place))
    }
  }

  @Test("that keep their decoders find nothing in another engine's tree, which is gone")
  func trees() throws {
    let options = DecodingOptions(engine: .jansson)
    for keeper in try Holder(decoding: Elements.text(3), options: options).keepers.map(\.model) {
      #expect(throws: DecodingError.self) { try keeper.members.decode(Int.self, forKey: .id) }
      #expect(throws: DecodingError.self) { try keeper.decoder.unkeyedContainer() }
      #expect(keeper.members.allKeys.isEmpty)
    }
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
      _ = try container.decode(String.self)
    }
  }

  @Test("tell the place of the last error once, after many that they dropped")
  func droppedErrors() throws {
    let text = "[" + String(repeating: "7,", count: 999) + "1]"
    let result = CodableModel<Dropping>.decode(from: text)
    #expect(
      failures(of: result) == [
        Failure(.typeMismatch, "1:2000", "/999", "expected a string, found the number 1")
      ])
  }
}
