// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Containers that are issued again and again, and what becomes of those that escape.

import CDecantTestSupport
import Decant
import DecantCodable
import DecantTestSupport
import Testing

private let released = CodingUserInfoKey(rawValue: "released")!

@Suite("Container cache")
struct ContainerCaches {
  private enum Key: String, CodingKey { case a, b }
  private enum Other: String, CodingKey { case a, c }

  @Test(
    "boxes are reused where the toolchain's are known, and not with DECANT_PUBLIC_LAYOUTS_ONLY=1")
  func canary() {
    #if os(Linux)
      #expect(ContainerBox.isKnown == !decant_tests_use_public_layouts_only())
    #endif
  }

  /// A model that keeps its container, and an object that tells when the model's decoder is gone.
  private struct Keeper: Decodable {
    let container: KeyedDecodingContainer<Key>
    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
  }

  private final class Witness: Sendable {}

  @Test("escaped containers work after their decoder, and are released once nobody has them")
  func escapes() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "witness"))
    weak var released: Witness?
    var keepers: [Keeper] = []
    do {
      let decoder = DecantDecoder()
      let witness = Witness()
      released = witness
      decoder.userInfo[key] = witness
      keepers = try decoder.decode([Keeper].self, from: #"[{"a":1,"b":"x"},{"a":2},{"a":3}]"#)
    }
    for (index, keeper) in keepers.enumerated() {
      #expect(try keeper.container.decode(Int.self, forKey: .a) == index + 1)
      #expect(keeper.container.codingPath.map(\.intValue) == [index])
    }
    // The containers own the document, and with it the options.
    #expect(released != nil)
    let last = keepers.removeLast()
    keepers = []
    for _ in 0..<20 { _ = try DecantDecoder().decode([Int].self, from: "[1]") }
    #expect(try last.container.decode(Int.self, forKey: .a) == 3)
    #expect(try last.container.decodeIfPresent(String.self, forKey: .b) == nil)
    #expect(released != nil)
    withExtendedLifetime(last) {}
  }

  @Test(
    "a value in userInfo may ask its coder for its options when it is released",
    .timeLimit(.minutes(1)))
  func asksWhenReleased() throws {
    final class Asking: Sendable {
      let decoder: DecantDecoder
      init(_ decoder: DecantDecoder) { self.decoder = decoder }
      deinit { decoder.userInfo[released] = decoder.userInfo.count }
    }
    let decoder = DecantDecoder()
    let asking = try #require(CodingUserInfoKey(rawValue: "asking"))
    decoder.userInfo[asking] = Asking(decoder)
    decoder.userInfo = [:]
    #expect(decoder.userInfo[released] as? Int == 0)
  }

  @Test("what escaped containers need is released by later decodes")
  func releases() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "witness"))
    weak var released: Witness?
    do {
      let decoder = DecantDecoder()
      let witness = Witness()
      released = witness
      decoder.userInfo[key] = witness
      let keepers = try decoder.decode([Keeper].self, from: #"[{"a":1},{"a":2},{"a":3}]"#)
      #expect(keepers.count == 3)
    }
    // Each decode looks at a few of all the process's containers; other tests keep some as well.
    var rounds = 0
    while released != nil, rounds < 100_000 {
      _ = try DecantDecoder().decode([Int].self, from: "[1]")
      rounds += 1
    }
    #expect(released == nil)
  }

  @Test(
    "containers of one decoder, of several key types and in use at once, stay apart",
    arguments: engines)
  func several(_ engine: Engine) throws {
    struct Model: Decodable, Equatable {
      var values: [Int?] = []
      init(from decoder: any Decoder) throws {
        let first = try decoder.container(keyedBy: Key.self)
        let second = try decoder.container(keyedBy: Other.self)
        let third = try decoder.container(keyedBy: Key.self)
        values.append(try first.decode(Int.self, forKey: .a))
        values.append(try second.decodeIfPresent(Int.self, forKey: .c))
        values.append(try third.decodeIfPresent(Int.self, forKey: .b))
        for _ in 0..<3 {
          values.append(try decoder.container(keyedBy: Other.self).decode(Int.self, forKey: .a))
          values.append(
            try decoder.container(keyedBy: Key.self).decodeIfPresent(Int.self, forKey: .b))
        }
      }
    }
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let models = try decoder.decode(
      [Model].self, from: #"[{"a":1,"b":2},{"a":3,"c":4},{"c":5,"a":6}]"#)
    #expect(
      models.map(\.values) == [
        [1, nil, 2, 1, 2, 1, 2, 1, 2], [3, 4, nil, 3, nil, 3, nil, 3, nil],
        [6, 5, nil, 6, nil, 6, nil, 6, nil],
      ])
  }

  /// Keys of as many types as are asked for.
  private struct TypedKey<Type>: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test("a nested container knows its path after its outer one is gone", arguments: engines)
  func outer(_ engine: Engine) throws {
    struct Model: Decodable {
      let path: [String]
      init(from decoder: any Decoder) throws {
        func ask<T>(_ type: T.Type) throws -> KeyedDecodingContainer<TypedKey<T>> {
          try decoder.container(keyedBy: TypedKey<T>.self)
        }
        let name = "a key that is longer than a small string"
        let nested = try ask(Int.self)
          .nestedContainer(keyedBy: Key.self, forKey: TypedKey(stringValue: name))
        // More than a decoder keeps, so that the outer one is given up.
        for _ in 0..<2 {
          _ = (try ask(Int8.self), try ask(Int16.self), try ask(Int32.self))
          _ = (try ask(Int64.self), try ask(UInt8.self), try ask(UInt16.self))
          _ = (try ask(UInt32.self), try ask(UInt64.self), try ask(UInt.self))
        }
        path = nested.codingPath.map(\.stringValue)
      }
    }
    let decoder = DecantDecoder()
    decoder.options.engine = engine
    let models = try decoder.decode(
      [Model].self, from: #"[{"a key that is longer than a small string":{}}]"#)
    #expect(models[0].path == ["Index 0", "a key that is longer than a small string"])
  }
}
