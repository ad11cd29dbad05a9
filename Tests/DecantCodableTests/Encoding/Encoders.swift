// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a DecantEncoder does beyond what `JSONEncoder` does, or instead: bytes, order, errors, misuse, many tasks.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

private enum Key: String, CodingKey { case a, b, c }

private func text(_ value: some Encodable, _ format: DecantEncoder.OutputFormatting = []) throws
  -> String
{
  let encoder = DecantEncoder()
  encoder.outputFormatting = format
  return String(decoding: try encoder.encode(value) as [UInt8], as: UTF8.self)
}

/// Encodes by a function.
private struct Model: Encodable, @unchecked Sendable {
  let body: (any Encoder) throws -> Void
  init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// Keeps a container of a value that failed.
private final class Late {
  var container: KeyedEncodingContainer<Key>?
}

private final class Link: Encodable {
  var next: Link?
  private enum CodingKeys: String, CodingKey { case next }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(next, forKey: .next)
  }
}

/// Goes on after values that throw.
private struct Trying: Encodable, Sendable {
  private struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      var nested = container.nestedUnkeyedContainer(forKey: .b)
      try nested.encode(Trying.Stop())
    }
  }
  private struct Stop: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode("text")
      throw CocoaError(.coderInvalidValue)
    }
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try? container.encode(Failing(), forKey: .a)
    try? container.encode(Double.nan, forKey: .b)
    try container.encode(1, forKey: .c)
    var list = container.nestedUnkeyedContainer(forKey: .b)
    try? list.encode(Failing())
    try? list.encode([1, .infinity])
    try? list.encode(Float.nan)
    try list.encode(list.count)
  }
}

@Suite("DecantEncoder")
struct Encoders {
  @Test("bytes where bytes are asked for, and Data where nothing decides")
  func results() throws {
    let bytes: [UInt8] = try DecantEncoder().encode([1])
    let data = try DecantEncoder().encode([1])
    #expect(type(of: data) == Data.self)
    #expect(bytes == Array("[1]".utf8) && Array(data) == bytes)
    var buffer: ContiguousArray<UInt8> = [0]
    try DecantEncoder().encode(["a"], to: &buffer)
    #expect(Array(buffer) == [0] + Array(#"["a"]"#.utf8))
    #expect(throws: EncodingError.self) { try DecantEncoder().encode([Double.nan], to: &buffer) }
    #expect(buffer.count == 6)
  }

  @Test("nested containers and super encoders keep nothing once their encoder is gone")
  func gone() throws {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let held = Token()
      token = held
      let encoder = DecantEncoder()
      encoder.userInfo = [CodingUserInfoKey(rawValue: "token")!: held]
      let model = Model { encoder in
        var outer = encoder.container(keyedBy: Key.self)
        var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
        try inner.encode(1, forKey: .b)
        var list = outer.nestedUnkeyedContainer(forKey: .b)
        try list.encode(2)
        try 3.encode(to: outer.superEncoder(forKey: .c))
      }
      for _ in 0..<2 {
        let bytes: [UInt8] = try encoder.encode([model])
        #expect(bytes == Array(#"[{"a":{"b":1},"b":[2],"c":3}]"#.utf8))
      }
    }
    #expect(token == nil)
  }

  @Test("containers of a value that failed cannot be written to, and nothing else is gone")
  func cuts() throws {
    let model = Model { encoder in
      let late = Late()
      let failing = Model { encoder in
        var container = encoder.container(keyedBy: Key.self)
        var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        try container.encode("cut", forKey: .b)
        try inner.encode("cut", forKey: .c)
        late.container = inner
        throw CocoaError(.coderInvalidValue)
      }
      var outer = encoder.container(keyedBy: Key.self)
      var first = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
      for round in 0..<3 {
        try outer.encode(round, forKey: round == 1 ? .c : .b)
        try first.encode(round, forKey: [.a, .b, .c][round])
        try? outer.encode(failing, forKey: .c)
        #expect(throws: EncodingError.self) { try late.container?.encode("cut", forKey: .b) }
        try? outer.encode([failing, failing], forKey: .c)
        #expect(throws: EncodingError.self) { try late.container?.encode("cut", forKey: .b) }
      }
    }
    let bytes: [UInt8] = try DecantEncoder().encode([model, model])
    let one = #"{"a":{"a":0,"b":1,"c":2},"c":1,"b":2}"#
    #expect(String(decoding: bytes, as: UTF8.self) == "[\(one),\(one)]")
  }

  struct Entangled: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// With members in order.
    let text: String
    /// Encodes into the root's container, by values that write to that container.
    fileprivate let encode: @Sendable (KeyedEncodingContainer<Key>) throws -> Void

    fileprivate init(
      _ testDescription: String, _ text: String,
      _ encode: @escaping @Sendable (KeyedEncodingContainer<Key>) throws -> Void
    ) {
      (self.testDescription, self.text, self.encode) = (testDescription, text, encode)
    }
  }

  /// Writes a member of another container, and then a value.
  private static func writing(
    _ value: some Encodable, and key: Key, in container: KeyedEncodingContainer<Key>
  ) -> Model {
    Model {
      var container = container
      try container.encode(true, forKey: key)
      try value.encode(to: $0)
    }
  }

  static let entangled: [Entangled] = [
    Entangled("a value, inside a value that does so, too", #"{"a":{},"b":[1,3],"c":2}"#) {
      var root = $0
      let inner = Model { [root] in
        var (root, list) = (root, $0.unkeyedContainer())
        try list.encode(1)
        try root.encode(2, forKey: .c)
        try list.encode(3)
      }
      let outer = Model { [root] _ in
        var root = root
        try root.encode(inner, forKey: .b)
      }
      try root.encode(outer, forKey: .a)
    },
    Entangled("an element of an array", #"{"a":[2,[3],4],"b":true}"#) {
      var root = $0
      let array = [
        writing(2, and: .b, in: root), writing([3], and: .b, in: root),
        Model { try 4.encode(to: $0) },
      ]
      try root.encode(array, forKey: .a)
    },
    Entangled("a value of a dictionary", #"{"a":{"k":[2],"l":[2]},"b":true}"#) {
      var root = $0
      let value = [writing(2, and: .b, in: root)]
      try root.encode(["k": value, "l": value], forKey: .a)
    },
    Entangled("a value among members out of order", #"{"a":{"a":[2,2],"c":"text"},"b":true}"#) {
      var root = $0
      let value = writing(2, and: .b, in: root)
      let object = Model {
        var container = $0.container(keyedBy: Key.self)
        try container.encode("text", forKey: .c)
        try container.encode([value, value], forKey: .a)
      }
      try root.encode(object, forKey: .a)
    },
    Entangled("a value that fails then, and another in its place", #"{"a":{"a":"b"},"c":true}"#) {
      var root = $0
      let list = Model {
        var container = $0.unkeyedContainer()
        try container.encode(1)
        throw CocoaError(.coderInvalidValue)
      }
      let failing = writing(list, and: .c, in: root)
      let object = Model {
        var container = $0.container(keyedBy: Key.self)
        try? container.encode(failing, forKey: .a)
        try container.encode("b", forKey: .a)
      }
      try root.encode(object, forKey: .a)
    },
    Entangled("a value that fails then, and a single value instead", #"{"a":"instead","b":true}"#) {
      var root = $0
      let failing = writing(
        Model { _ in throw CocoaError(.coderInvalidValue) }, and: .b, in: root)
      let object = Model {
        var container = $0.singleValueContainer()
        try? container.encode(failing)
        try container.encode("instead")
      }
      try root.encode(object, forKey: .a)
    },
    Entangled("a member that the value itself becomes", #"{"a":"value"}"#) {
      var root = $0
      try root.encode(writing("value", and: .a, in: root), forKey: .a)
    },
    Entangled("an element before one that fails", #"{"a":{"a":4,"b":3},"c":true}"#) {
      var root = $0
      let failing = Model {
        var list = $0.unkeyedContainer()
        try list.encode(2)
        throw CocoaError(.coderInvalidValue)
      }
      let array = [writing(1, and: .c, in: root), failing]
      let object = Model {
        var container = $0.container(keyedBy: Key.self)
        try? container.encode(array, forKey: .a)
        try container.encode(3, forKey: .b)
        try container.encode(4, forKey: .a)
      }
      try root.encode(object, forKey: .a)
    },
  ]

  @Test("values write to the container that they are in", arguments: entangled)
  func entangledValues(_ row: Entangled) throws {
    let model = Model { try row.encode($0.container(keyedBy: Key.self)) }
    for format in [[], .prettyPrinted, .sortedKeys] as [DecantEncoder.OutputFormatting] {
      let value = try JSONValue(
        parsing: try text([model, model], format), options: DecodingOptions(duplicateKeys: .reject))
      #expect(value.jsonText(JSONWritingOptions(sortsKeys: true)) == "[\(row.text),\(row.text)]")
    }
  }

  @Test("containers of a value that failed are kept, and were longer than what is left")
  func longCuts() throws {
    let model = Model { encoder in
      let late = Late()
      let failing = Model { encoder in
        var container = encoder.container(keyedBy: Key.self)
        var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        try inner.encode(String(repeating: "cut", count: 1000), forKey: .c)
        try container.encode("cut", forKey: .b)
        late.container = inner
        throw CocoaError(.coderInvalidValue)
      }
      var outer = encoder.container(keyedBy: Key.self)
      try? outer.encode(failing, forKey: .c)
      #expect(throws: EncodingError.self) { try late.container?.encode("cut", forKey: .b) }
      try outer.encode(1, forKey: .a)
    }
    #expect(try text(model) == #"{"a":1}"#)
  }

  @Test("members are in the order of encoding")
  func order() throws {
    let model = Model { encoder in
      var container = encoder.container(keyedBy: Key.self)
      for key in [Key.c, .a, .b] { try container.encode(key.rawValue, forKey: key) }
    }
    #expect(try text(model) == #"{"c":"c","a":"a","b":"b"}"#)
    #expect(try text(model, .sortedKeys) == #"{"a":"a","b":"b","c":"c"}"#)
  }

  @Test("the last of several values of a key counts, in every layout")
  func duplicates() throws {
    let model = Model { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode([1, 2], forKey: .a)
      try container.encode("b/", forKey: .b)
      try container.encode(1.50, forKey: .a)
      var other = encoder.container(keyedBy: AnyKey.self)
      try other.encode("new", forKey: AnyKey("b"))
    }
    #expect(try text(model) == #"{"a":1.5,"b":"new"}"#)
    #expect(
      try text([model], .prettyPrinted) == "[\n  {\n    \"a\" : 1.5,\n    \"b\" : \"new\"\n  }\n]")
  }

  @Test("nested containers go on in what was encoded for their keys, and others in single values")
  func containersOfValues() throws {
    struct Point: Encodable { let x = 1, y = 2 }
    let models = [
      Model {
        var outer = $0.container(keyedBy: AnyKey.self)
        for (number, key) in ["a", "b", "c"].enumerated() {
          try outer.encode([Point()], forKey: AnyKey(key))
          var list = outer.nestedUnkeyedContainer(forKey: AnyKey(key))
          if number > 0 { try list.encode(list.count) }
          try outer.encode(Point(), forKey: AnyKey("o" + key))
          var object = outer.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("o" + key))
          if number > 1 { try object.encode(number, forKey: AnyKey("y")) }
        }
      },
      Model {
        var outer = $0.container(keyedBy: Key.self)
        var first = outer.nestedContainer(keyedBy: AnyKey.self, forKey: .a)
        try first.encode("gone", forKey: AnyKey("gone"))
        try outer.encode(Point(), forKey: .a)
        var second = outer.nestedContainer(keyedBy: AnyKey.self, forKey: .a)
        try first.encode("gone", forKey: AnyKey("z"))
        try second.encode(3, forKey: AnyKey("z"))
        second = outer.nestedContainer(keyedBy: AnyKey.self, forKey: .a)
        try second.encode(4, forKey: AnyKey("x"))
        try Point().encode(to: outer.superEncoder(forKey: .b))
        var third = outer.nestedContainer(keyedBy: AnyKey.self, forKey: .b)
        try third.encode(5, forKey: AnyKey("z"))
      },
      Model {
        var single = $0.singleValueContainer()
        try single.encode(["x": Point()])
        var object = $0.container(keyedBy: AnyKey.self)
        var inner = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("x"))
        try inner.encode(6, forKey: AnyKey("z"))
      },
      Model {
        var single = $0.singleValueContainer()
        try single.encode([Point]())
        var list = $0.unkeyedContainer()
        try list.encode(list.count)
      },
    ]
    #expect(difference(models) == nil, "\(difference(models) ?? "")")
    #expect(try text(models[2]) == #"{"x":{"x":1,"y":2,"z":6}}"#)
  }

  @Test("a nested container of another kind takes the place of what was encoded for its key")
  func containersOfOtherKinds() throws {
    let model = Model {
      var outer = $0.container(keyedBy: Key.self)
      try outer.encode([1], forKey: .a)
      try outer.encode(["x": 1], forKey: .b)
      try outer.encode("[]", forKey: .c)
      var object = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
      try object.encode(2, forKey: .a)
      for key in [Key.b, .c] {
        var list = outer.nestedUnkeyedContainer(forKey: key)
        try list.encode(2)
      }
    }
    #expect(try text([model], .sortedKeys) == #"[{"a":{"a":2},"b":[2],"c":[2]}]"#)
  }

  @Test("a value with a configuration that encodes nothing is an error, as in JSONEncoder")
  func configurations() throws {
    struct Repeated: EncodableWithConfiguration {
      func encode(to encoder: any Encoder, configuration count: Int) throws {
        if count == 0 { return }
        var list = encoder.unkeyedContainer()
        for _ in 0..<count { try list.encode("x") }
      }
    }
    for count in 0...2 {
      let expected = try? JSONEncoder().encode(Repeated(), configuration: count)
      #expect((try? DecantEncoder().encode(Repeated(), configuration: count)) == expected)
    }
    let error = try #require(throws: EncodingError.self) {
      try DecantEncoder().encode(Repeated(), configuration: 0)
    }
    guard case .invalidValue(let value, let context) = error else { return }
    #expect(value is Repeated && context.codingPath.isEmpty)
  }

  @Test("many keys of one type, and of several")
  func manyKeys() throws {
    let model = Model { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      for number in 0..<200 { try container.encode(number, forKey: AnyKey("k\(number)")) }
      var other = encoder.container(keyedBy: Key.self)
      try other.encode(1, forKey: .a)
      try container.encode(-1, forKey: AnyKey("k100"))
    }
    let value = try JSONValue(parsing: try text(model))
    #expect(value.count == 201)
    #expect(value["k100"].int == -1 && value["k199"].int == 199 && value["a"].int == 1)
  }

  @Test("values that throw leave nothing, and the text goes on (JSONEncoder stops the program)")
  func attempts() throws {
    #expect(try text(["k": [Trying(), Trying()]]) == #"{"k":[{"c":1,"b":[0]},{"c":1,"b":[0]}]}"#)
    #expect(try text([Trying()], .sortedKeys) == #"[{"b":[0],"c":1}]"#)
  }

  // MARK: - Errors

  struct ErrorRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: [String]
    let text: String
    fileprivate let model: any Encodable & Sendable
  }

  static let errorRows: [ErrorRow] = [
    ErrorRow(
      testDescription: "NaN in nested containers", path: ["k", "a", "Index 1"],
      text: "JSON has no infinity and no NaN",
      model: [
        "k": Model {
          var container = $0.container(keyedBy: Key.self)
          var nested = container.nestedUnkeyedContainer(forKey: .a)
          try nested.encode(1)
          try nested.encode(Double.nan)
        }
      ]),
    ErrorRow(
      testDescription: "a value that encodes nothing", path: [], text: "the value encoded nothing",
      model: Model { _ in }),
    ErrorRow(
      testDescription: "two values", path: ["Index 0"],
      text: "a second value was encoded by one encoder",
      model: [
        Model {
          var container = $0.singleValueContainer()
          try container.encode(1)
          try container.encode(2)
        }
      ]),
    ErrorRow(
      testDescription: "an array that becomes an object", path: ["Index 0"],
      text: "another kind of value was encoded by this encoder",
      model: [
        Model {
          var array = $0.unkeyedContainer()
          try array.encode(1)
          var object = $0.container(keyedBy: Key.self)
          try object.encode(1, forKey: .a)
        }
      ]),
    ErrorRow(
      testDescription: "a Decimal that is NaN", path: ["Index 0"], text: "JSON has no NaN",
      model: [Decimal.nan]),
    ErrorRow(
      testDescription: "a model that only encodes itself", path: [],
      text: "more than 512 nested arrays and objects", model: Endless()),
  ]

  private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }

  @Test("errors tell the path and what is wrong", arguments: errorRows)
  func errors(_ row: ErrorRow) throws {
    for format in [[], .prettyPrinted, .sortedKeys] as [DecantEncoder.OutputFormatting] {
      let error = try #require(throws: EncodingError.self) { try text(row.model, format) }
      guard case .invalidValue(_, let context) = error else { return }
      #expect(context.codingPath.map(\.stringValue) == row.path)
      #expect(context.debugDescription == row.text)
    }
    var buffer: [UInt8] = [7]
    #expect(throws: EncodingError.self) { try DecantEncoder().encode(row.model, to: &buffer) }
    #expect(buffer == [7])
  }

  @Test("an infinite date in seconds is a string where infinities are, as JSONDecoder reads it")
  func infiniteDates() throws {
    let (encoder, decoder) = (DecantEncoder(), JSONDecoder())
    encoder.dateEncodingStrategy = .secondsSince1970
    decoder.dateDecodingStrategy = .secondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "")
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "")
    let dates = [Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: -.infinity)]
    let text = try encoder.encode(dates) as Data
    #expect(text == Data(#"["+","-"]"#.utf8))
    #expect(try decoder.decode([Date].self, from: text) == dates)
  }

  @Test("containers that are asked for and stay empty are written empty")
  func emptyContainers() throws {
    let models = [
      Model { _ = $0.container(keyedBy: Key.self) }, Model { _ = $0.unkeyedContainer() },
      Model { encoder in
        var container = encoder.container(keyedBy: Key.self)
        _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        _ = container.nestedUnkeyedContainer(forKey: .b)
        _ = container.superEncoder(forKey: .c)
      },
    ]
    #expect(try text(models) == #"[{},[],{"a":{},"b":[],"c":{}}]"#)
    let empty = Model { _ = $0.singleValueContainer() }
    #expect(throws: EncodingError.self) { try text(empty) }
    #expect(try text([empty]) == "[{}]")
    #expect(try text(["k": empty]) == #"{"k":{}}"#)
  }

  @Test("a cycle of classes is an error, and so is more nesting than the limit")
  func depth() throws {
    let cycle = Link()
    cycle.next = Link()
    cycle.next?.next = cycle
    let error = try #require(throws: EncodingError.self) { try text(cycle) }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.codingPath.count == 512)
    cycle.next = nil

    let encoder = DecantEncoder()
    encoder.maximumDepth = 3
    #expect(try Array(encoder.encode([[[1]]]) as Data) == Array("[[[1]]]".utf8))
    #expect(throws: EncodingError.self) { try encoder.encode([[[[1]]]]) as Data }
    #expect(throws: EncodingError.self) { try encoder.encode([[[["a": 1]]]]) as Data }
    #expect(throws: EncodingError.self) { try encoder.encode([[[[true]]]]) as Data }
  }

  @Test("any limit of nesting is one", arguments: [.min, -1, 0, 1, .max / 2, .max])
  func limits(_ limit: Int) {
    let encoder = DecantEncoder()
    encoder.maximumDepth = limit
    #expect((try? encoder.encode(1) as Data) != nil)
    #expect(((try? encoder.encode([1.5]) as Data) != nil) == (limit > 0))
    #expect(((try? encoder.encode([[1]]) as Data) != nil) == (limit > 1))
    let array = Model { _ = $0.unkeyedContainer() }
    #expect(((try? encoder.encode(array) as Data) != nil) == (limit > 0))
    let object = Model { _ = $0.container(keyedBy: Key.self) }
    #expect(((try? encoder.encode(object) as Data) != nil) == (limit > 0))
    let nothing = Model { _ in }
    #expect(((try? encoder.encode([nothing]) as Data) != nil) == (limit > 1))
  }

  @Test("wrappers are no nesting")
  func wrappers() throws {
    struct Wrapper<Value: Encodable>: Encodable {
      let value: Value
      init(_ value: Value) { self.value = value }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    struct Wrapped: Encodable { let a: Wrapper<Wrapper<Wrapper<Wrapper<Meal>>>> }
    let encoder = DecantEncoder()
    encoder.maximumDepth = 1
    let wrapped = Wrapped(a: Wrapper(Wrapper(Wrapper(Wrapper(.lunch)))))
    #expect(try encoder.encode(wrapped) == Data(#"{"a":"lunch"}"#.utf8))
  }

  @Test("a cycle fails on a small stack too, whatever the limit")
  func smallStack() {
    let message = onStack(of: 256 << 10) {
      let encoder = DecantEncoder()
      encoder.maximumDepth = 1_000_000
      let cycle = Link()
      cycle.next = cycle
      defer { cycle.next = nil }
      do { return "\(try encoder.encode(cycle) as [UInt8])" } catch EncodingError.invalidValue(
        _, let context)
      {
        return context.debugDescription
      } catch { return "\(error)" }
    }
    #expect(message == "nested too deeply for the stack of this thread")
  }

  /// Encodes itself by the encoders that its containers make.
  private final class Ring: Encodable {
    private enum Key: String, CodingKey { case id, next }
    let isKeyed: Bool
    init(isKeyed: Bool) { self.isKeyed = isKeyed }
    func encode(to encoder: any Encoder) throws {
      if isKeyed {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .id)
        try encode(to: container.superEncoder(forKey: .next))
      } else {
        var container = encoder.unkeyedContainer()
        try container.encode(1)
        try encode(to: container.superEncoder())
      }
    }
  }

  @Test("a cycle by super encoders is an error", arguments: [true, false])
  func ring(isKeyed: Bool) throws {
    let error = try #require(throws: EncodingError.self) { try text(Ring(isKeyed: isKeyed)) }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.debugDescription == "more than 512 nested arrays and objects")
  }

  @Test("containers nested in a loop need no stack", arguments: [false, true])
  func nestedInLoop(_ fails: Bool) {
    let message = onStack(of: 256 << 10) {
      let encoder = DecantEncoder()
      encoder.maximumDepth = 1_000_000
      let model = Model {
        var container = $0.unkeyedContainer()
        for _ in 1..<3000 { container = container.nestedUnkeyedContainer() }
        if fails { throw CocoaError(.coderInvalidValue) }
      }
      return (try? encoder.encode([model]) as [UInt8])?.count.description ?? "failed"
    }
    #expect(message == (fails ? "failed" : "6002"))
  }

  @Test("an encoder that is kept fails when it is written to later, and nothing else does")
  func kept() throws {
    final class Keeper: @unchecked Sendable {
      var encoders: [any Encoder] = []
      var containers: [KeyedEncodingContainer<Key>] = []
      var arrays: [any UnkeyedEncodingContainer] = []
    }
    let keeper = Keeper()
    let model = Model { encoder in
      keeper.encoders.append(encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      keeper.arrays.append(container.nestedUnkeyedContainer(forKey: .b))
      keeper.encoders.append(container.superEncoder(forKey: .c))
      keeper.containers.append(container)
    }
    let encoder = DecantEncoder()
    for _ in 0..<3 {
      let bytes: [UInt8] = try encoder.encode([model, model])
      #expect(
        String(decoding: bytes, as: UTF8.self) == #"[{"a":1,"b":[],"c":{}},{"a":1,"b":[],"c":{}}]"#)
    }
    for var container in keeper.containers {
      #expect(container.codingPath.count == 1)
      #expect(throws: EncodingError.self) { try container.encode(2, forKey: .b) }
    }
    for var array in keeper.arrays {
      #expect(array.codingPath.map(\.stringValue).last == "b")
      #expect(throws: EncodingError.self) { try array.encode(2) }
    }
    // Containers that are asked for later fail, too, as soon as they are written to.
    for encoder in keeper.encoders {
      var array = encoder.unkeyedContainer()
      #expect(throws: EncodingError.self) { try array.encode(2) }
      var inner = array.superEncoder().singleValueContainer()
      #expect(throws: EncodingError.self) { try inner.encode(2) }
      var object = encoder.container(keyedBy: Key.self)
      #expect(throws: EncodingError.self) { try object.encode(2, forKey: .b) }
      var nested = object.nestedContainer(keyedBy: Key.self, forKey: .b)
      #expect(throws: EncodingError.self) { try nested.encode([2], forKey: .b) }
    }
    #expect(try Array(encoder.encode([1]) as Data) == Array("[1]".utf8))
  }

  @Test("a container that is kept of an encoding that failed fails, too")
  func keptOfFailed() {
    final class Keeper: @unchecked Sendable { var container: KeyedEncodingContainer<Key>? }
    let keeper = Keeper()
    let model = Model { encoder in
      var outer = encoder.container(keyedBy: Key.self)
      var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
      try outer.encode(1, forKey: .b)
      try inner.encode(1, forKey: .a)
      keeper.container = inner
      throw CocoaError(.coderInvalidValue)
    }
    #expect(throws: CocoaError.self) { try text(model) }
    #expect(throws: EncodingError.self) { try keeper.container?.encode(2, forKey: .b) }
  }

  @Test("a container that is kept fails while its array goes on, too: its text is complete")
  func keptWithin() throws {
    final class Keeper: @unchecked Sendable {
      var container: KeyedEncodingContainer<Key>?
      var failures = 0
    }
    let keeper = Keeper()
    let model = Model { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      do { try keeper.container?.encode([2], forKey: .b) } catch is EncodingError {
        keeper.failures += 1
      }
      var nested = keeper.container?.nestedUnkeyedContainer(forKey: .b)
      do { try nested?.encode(2) } catch is EncodingError { keeper.failures += 1 }
      keeper.container = container
    }
    for format in [[], .sortedKeys] as [DecantEncoder.OutputFormatting] {
      #expect(try text([model, model, model], format) == #"[{"a":1},{"a":1},{"a":1}]"#)
    }
    #expect(keeper.failures == 2 * 2 + 2 * 3)
  }

  // MARK: - Reuse

  @Test("an encoder encodes itself inside its models, and in many tasks")
  func reentrant() async throws {
    let encoder = DecantEncoder()
    encoder.outputFormatting = .sortedKeys
    let model = Model { outer in
      var container = outer.container(keyedBy: Key.self)
      try container.encode(String(decoding: encoder.encode([1]) as Data, as: UTF8.self), forKey: .a)
    }
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<64 { group.addTask { try encoder.encode([model]) } }
      for try await data in group { #expect(Array(data) == Array(#"[{"a":"[1]"}]"#.utf8)) }
    }
  }

  @Test("options that are changed count from the next call on")
  func options() throws {
    let encoder = DecantEncoder()
    #expect(try Array(encoder.encode(["/"]) as Data) == Array(#"["\/"]"#.utf8))
    encoder.outputFormatting = .withoutEscapingSlashes
    #expect(try Array(encoder.encode(["/"]) as Data) == Array(#"["/"]"#.utf8))
    encoder.userInfo = [CodingUserInfoKey(rawValue: "k")!: 7]
    let model = Model { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(encoder.userInfo.values.first as? Int ?? 0)
    }
    #expect(try Array(encoder.encode(model) as Data) == Array("7".utf8))
    var buffer: [UInt8] = []
    try encoder.encode(model, to: &buffer, userInfo: [CodingUserInfoKey(rawValue: "k")!: 8])
    try encoder.encode(model, to: &buffer)
    #expect(buffer == Array("87".utf8))
  }

  @Test("containers of keys that look alike are two")
  func keysThatLookAlike() throws {
    let model = Model { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      for key in ["\u{e9}", "e\u{301}", "\u{e9}"] {
        var inner = container.nestedUnkeyedContainer(forKey: AnyKey(key))
        try inner.encode(1)
      }
    }
    #expect(try text(model).utf8.elementsEqual("{\"\u{e9}\":[1,1],\"e\u{301}\":[1]}".utf8))
  }

  @Test("the container that a key has is the last one, among few and many", arguments: [0, 7, 30])
  func lastContainers(_ others: Int) throws {
    let model = Model { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      for turn in 0..<2 {
        for number in 0..<others {
          var other = container.nestedUnkeyedContainer(forKey: AnyKey("\(number)"))
          try other.encode(turn)
        }
      }
      var one = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
      try one.encode(1, forKey: AnyKey("x"))
      _ = container.nestedUnkeyedContainer(forKey: AnyKey("a"))
      for key in ["y", "z"] {
        one = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
        try one.encode(2, forKey: AnyKey(key))
      }
    }
    let before = (0..<others).map { "\"\($0)\":[0,1]," }.joined()
    #expect(try text(model) == "{\(before)\"a\":{\"y\":2,\"z\":2}}")
  }

  enum Containers: CaseIterable {
    case interleaved, ofManyKeys, askedAgain, inUse, tooDeep

    func encode(_ count: Int, _ encoder: any Encoder) throws {
      switch self {
      case .interleaved:
        var container = encoder.unkeyedContainer()
        var one = container.nestedUnkeyedContainer()
        var other = container.nestedUnkeyedContainer()
        for number in 0..<count {
          try one.encode(number)
          try other.encode(number)
        }
      case .ofManyKeys:
        var container = encoder.container(keyedBy: AnyKey.self)
        for number in 0..<count {
          _ = container.nestedUnkeyedContainer(forKey: AnyKey("\(number)"))
        }
      case .askedAgain:
        var container = encoder.container(keyedBy: AnyKey.self)
        for number in 0..<2 * count {
          let key = AnyKey("\(number % count)")
          var list = container.nestedUnkeyedContainer(forKey: key)
          try list.encode(number)
        }
      case .inUse:
        var containers: [KeyedEncodingContainer<AnyKey>] = []
        for number in 0..<count {
          containers.append(encoder.container(keyedBy: AnyKey.self))
          try containers[number].encode(number, forKey: AnyKey("\(number)"))
        }
      case .tooDeep:
        var container = encoder.unkeyedContainer()
        for _ in 0..<count { container = container.nestedUnkeyedContainer() }
      }
    }
  }

  @Test("many containers take linear time", arguments: Containers.allCases)
  func timeOfContainers(_ containers: Containers) throws {
    func encode(_ count: Int) throws -> Duration {
      let model = Model { try containers.encode(count, $0) }
      let times = try (0..<3).map { _ in
        try ContinuousClock().measure {
          if containers == .tooDeep {
            #expect(throws: EncodingError.self) { try text(model) }
          } else {
            _ = try text(model)
          }
        }
      }
      return times.min() ?? .zero
    }
    _ = try encode(1_000)
    let count = containers == .interleaved ? 20_000 : containers == .tooDeep ? 4_000 : 2_000
    let small = try encode(count), large = try encode(8 * count)
    #expect(large < small * 40)
  }
}
