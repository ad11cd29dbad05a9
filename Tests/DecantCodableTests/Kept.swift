// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Decoders and containers that a model keeps after its `init(from:)` has returned, and after the decode.

import Decant
import DecantTestSupport
import Testing

@Suite("Kept decoders")
struct Kept {
  private enum Key: String, CodingKey { case a, b, c, items }

  /// Keeps all that can be kept.
  private struct Keeper: Decodable {
    let decoder: any Decoder
    let keyed: KeyedDecodingContainer<Key>
    let nested: KeyedDecodingContainer<Key>
    let base: any Decoder
    let items: any UnkeyedDecodingContainer
    let early: String

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      keyed = try decoder.container(keyedBy: Key.self)
      nested = try keyed.nestedContainer(keyedBy: Key.self, forKey: .c)
      base = try keyed.superDecoder()
      items = try keyed.nestedUnkeyedContainer(forKey: .items)
      early = try keyed.decode(String.self, forKey: .b)
    }

    func check() throws {
      var items = items
      #expect(early == "a string that is longer than 15 bytes")
      #expect(try keyed.decode(Int.self, forKey: .a) == 1)
      #expect(try keyed.decode(String.self, forKey: .b) == early)
      #expect(try nested.decode([Int].self, forKey: .a) == [1, 2])
      #expect(try nested.decode([String: User].self, forKey: .b)["x"]?.name == "n")
      #expect(try base.singleValueContainer().decode(String.self) == "base")
      #expect(try items.decode(String.self) == "first")
      #expect(try items.decode(User.self).id == 2)
      #expect(items.isAtEnd)
      #expect(try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .a) == 1)
      #expect(throws: DecodingError.self) { try nested.decode(Int.self, forKey: .b) }
    }

    static func text(_ index: Int) -> String {
      #"{"a":1,"b":"a string that is longer than 15 bytes","c":{"a":[1,2],"b":{"x":{"id":\#(index),"name":"n"}}},"#
        + #""super":"base","items":["first",{"id":2,"name":"second"}]}"#
    }
  }

  /// Keeps its container and nothing else, if its value is odd.
  private struct OddKeeper: Decodable {
    let kept: KeyedDecodingContainer<Key>?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      kept = try container.decode(Int.self, forKey: .a) % 2 == 1 ? container : nil
    }
  }

  @Test("a container alone that a later element keeps", arguments: engines)
  func containersAlone(_ engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    // Every other one, or the last one alone: nothing that follows finds its container in use.
    for numbers in [[0, 1, 2, 3, 4, 5], [0, 2, 4, 1], [0, 3]] {
      let text = "[" + numbers.map { #"{"a":\#($0)}"# }.joined(separator: ",") + "]"
      let elements = try decoder.decode([OddKeeper].self, from: text)
      // Another document, in the memory of that one if it was not kept.
      #expect(try decoder.decode([OddKeeper].self, from: #"[{"a":8},{"a":6}]"#).count == 2)
      for (index, element) in elements.enumerated() {
        let number = numbers[index] % 2 == 1 ? numbers[index] : nil
        #expect(try element.kept?.decode(Int.self, forKey: .a) == number)
        #expect(element.kept.map { $0.codingPath.map(\.intValue) } == number.map { _ in [index] })
      }
    }
  }

  @Test(
    "values that fail one by one take linear time", .timeLimit(.minutes(1)), arguments: engines)
  func failingValues(_ engine: Engine) throws {
    let count = 20_000
    let text = "[" + String(repeating: #"{"id":12345678},"#, count: count - 1) + #"{"id":1}]"#
    let value = try JSONValue(parsing: text, options: DecodingOptions(engine: engine))
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    for (index, element) in try #require(value.array).enumerated() {
      // Expectations cost more than the decode: only what fails becomes one.
      do {
        let numbers = try decoder.decode([Int].self, from: element)
        Issue.record("\(index): \(numbers)")
      } catch DecodingError.typeMismatch(_, let context) {
        guard engine == .native else { continue }
        let place = "1:\(2 + index * 16): "
        if !context.debugDescription.hasPrefix(place) { Issue.record("\(place)\(context)") }
      }
    }
  }

  @Test("containers work after the decode, over both engines", arguments: engines)
  func afterwards(_ engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    var keepers: [Keeper] = []
    for index in 0..<20 {
      keepers.append(try decoder.decode(Keeper.self, from: Keeper.text(index)))
      // Another document through the same decoder, whose session must not be the kept one's.
      #expect(try decoder.decode(User.self, from: User.sample).id == 1)
    }
    for keeper in keepers { try keeper.check() }
    let last = keepers.removeLast()
    keepers = []
    try last.check()
  }

  @Test("elements of one array keep their own values and paths", arguments: engines)
  func elements(_ engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let text = "[" + (0..<10).map { Keeper.text($0) }.joined(separator: ",") + "]"
    let keepers = try decoder.decode([Keeper].self, from: text)
    for (index, keeper) in keepers.enumerated() {
      try keeper.check()
      #expect(keeper.decoder.codingPath.map(\.intValue) == [index])
      #expect(keeper.nested.codingPath.map(\.stringValue) == ["Index \(index)", "c"])
      #expect(keeper.base.codingPath.map(\.stringValue) == ["Index \(index)", "super"])
      let user = try keeper.nested.decode([String: User].self, forKey: .b)["x"]
      #expect(user?.id == index)
    }
  }

  /// Keeps its decoder, and nothing else of it.
  private struct DecoderKeeper: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      _ = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .a)
    }
  }

  @Test("decoders alone keep their own values and paths", arguments: engines)
  func decoders(_ engine: Engine) throws {
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let text = "[" + (0..<10).map { #"{"a":\#($0)}"# }.joined(separator: ",") + "]"
    let keepers = try decoder.decode([DecoderKeeper].self, from: text)
    for (index, keeper) in keepers.enumerated() {
      #expect(try keeper.decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .a) == index)
      #expect(keeper.decoder.codingPath.map(\.intValue) == [index])
    }
  }

  @Test("a container of a view's document works after the view is gone")
  func view() throws {
    struct Holder: JSONDecodable {
      let keeper: CodableModel<Keeper>
      static func decode(_ json: JSON) -> Decoded<Holder> { build(Holder.init, json <| "keeper") }
    }
    let holder = try Holder(decoding: "{\"keeper\":\(Keeper.text(7))}")
    try holder.keeper.model.check()
    let value = try JSONValue(parsing: Keeper.text(8))
    let keeper = try DecantDecoder().decode(Keeper.self, from: value)
    try keeper.check()
  }

  @Test("a model may decode into its parent's container while the parent is at work")
  func reentrant() throws {
    final class Box: @unchecked Sendable { var container: KeyedDecodingContainer<Key>? }
    let boxKey = try #require(CodingUserInfoKey(rawValue: "box"))
    struct Inner: Decodable {
      let id: Int
      init(from decoder: any Decoder) throws {
        id = try decoder.singleValueContainer().decode(Int.self)
        guard let key = CodingUserInfoKey(rawValue: "box"),
          let box = decoder.userInfo[key] as? Box, id < 3
        else { return }
        #expect(try box.container?.decode([Inner].self, forKey: .items).map(\.id) == [7, 8])
        #expect(decoder.codingPath.last?.stringValue == "a")
      }
    }
    struct Outer: Decodable {
      let a: Inner
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let key = CodingUserInfoKey(rawValue: "box") {
          (decoder.userInfo[key] as? Box)?.container = container
        }
        a = try container.decode(Inner.self, forKey: .a)
      }
    }
    let decoder = DecantDecoder()
    let box = Box()
    decoder.userInfo[boxKey] = box
    #expect(try decoder.decode(Outer.self, from: #"{"a":1,"items":[7,8]}"#).a.id == 1)
    #expect(try box.container?.decode(Int.self, forKey: .a) == 1)
    #expect(try decoder.decode(Outer.self, from: #"{"a":2,"items":[7,8]}"#).a.id == 2)
  }
}
