// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Structs of models as JSON, by tables that are made of their layouts: decoded, written, and the same again.

import CDecant
import CDecantIndex
import DecantC
import DecantCore
import Testing

private enum Meal: String, CEnum, JSONDecodable {
  case breakfast
  case lateLunch = "late-lunch"

  static var cName: String { "meal" }
}

/// A case is called otherwise in C and in JSON.
private enum Level: Int, CEnum {
  case low, high

  static var cName: String { "level" }
  var cCase: String { "level_\(rawValue)" }
  var jsonName: String { self == .low ? "L" : "H" }
}

private enum Side: String, CFlag, JSONDecodable {
  case north, south, east

  static var cName: String { "side" }
}

private struct Point: CModel, JSONInitializable {
  let x: Double
  let y: Float

  init(json: JSON) throws(DecodeError) {
    x = try json.get("x")
    y = try json.get("why")
  }

  static func layout(_ c: inout CLayout<Point>) {
    c.structure("point", "", isPart: true)
    c.field("x", \.x)
    c.field("y", \.y, key: "why")
  }
}

private struct Node: CModel, JSONInitializable {
  let id: UInt8
  let isNew: Bool
  let age: Int16?
  let isKnown: Bool?
  let big: UInt64
  let name: String
  let note: String?
  let meal: Meal
  let next: Meal?
  let sides: Set<Side>
  let tags: [String]
  let numbers: [Int32]
  let meals: [Meal]
  let at: Point
  let from: Point?
  let path: [Point]
  let children: [Node]

  init(json: JSON) throws(DecodeError) {
    id = try json.get("id")
    isNew = try json.get("is_new")
    age = try json.getIfPresent("age")
    isKnown = try json.getIfPresent("is_known")
    big = try json.get("big")
    name = try json.get("name")
    note = try json.getIfPresent("note")
    meal = try json.get("meal")
    next = try json.getIfPresent("next")
    sides = try json.get("sides")
    tags = try json.get("tags")
    numbers = try json.get("numbers")
    meals = try json.get("meals")
    at = try json.get("at")
    from = try json.getIfPresent("from")
    path = try json.get("path")
    children = try json.get("children")
  }

  static func layout(_ c: inout CLayout<Node>) {
    c.structure("node", "", array: "nodes", encodes: true)
    c.field("id", \.id)
    c.field("is_new", \.isNew)
    c.field("age", \.age)
    c.field("is_known", \.isKnown, companion: "knows")
    c.field("big", \.big)
    c.field("name", \.name, companion: "bytes_of_name")
    c.field("note", \.note)
    c.field("meal", \.meal)
    c.field("next", \.next)
    c.field("sides", \.sides)
    c.field("tags", \.tags)
    c.field("numbers", \.numbers)
    c.field("meals", \.meals)
    c.field("at", \.at)
    c.field("from", \.from)
    c.field("path", \.path)
    c.field("children", \.children)
  }
}

/// A model that holds itself behind an optional.
private final class Chain: CModel, JSONInitializable {
  let id: Int64
  let next: Chain?

  init(json: JSON) throws(DecodeError) {
    id = try json.get("id")
    next = try json.getIfPresent("next")
  }

  static func layout(_ c: inout CLayout<Chain>) {
    c.structure("chain", "", encodes: true)
    c.field("id", \.id)
    c.field("next", \.next)
  }
}

/// Constants at the ends of an int32_t and of a uint32_t.
private enum Pole: String, CEnum, JSONDecodable {
  case least, less, most

  static var cName: String { "pole" }
  var cConstant: Int64 {
    switch self {
    case .least: Int64(Int32.min)
    case .less: -1
    case .most: Int64(Int32.max)
    }
  }
}

private enum Bit: String, CFlag, JSONDecodable {
  case first, last

  static var cName: String { "bit" }
  var cConstant: Int64 { self == .first ? 1 : 1 << 31 }
}

private struct Inner: CModel, JSONInitializable {
  let poles: [Pole]
  let bits: Set<Bit>
  let pole: Pole?

  init(json: JSON) throws(DecodeError) {
    poles = try json.get("poles")
    bits = try json.get("bits")
    pole = try json.getIfPresent("pole")
  }

  static func layout(_ c: inout CLayout<Inner>) {
    c.structure("inner", "", isPart: true)
    c.field("poles", \.poles)
    c.field("bits", \.bits)
    c.field("pole", \.pole)
  }
}

private struct Middle: CModel, JSONInitializable {
  let inners: [Inner]
  let one: Inner?

  init(json: JSON) throws(DecodeError) {
    inners = try json.get("inners")
    one = try json.getIfPresent("one")
  }

  static func layout(_ c: inout CLayout<Middle>) {
    c.structure("middle", "", isPart: true)
    c.field("inners", \.inners)
    c.field("one", \.one)
  }
}

private struct Outer: CModel, JSONInitializable {
  let middles: [Middle]

  init(json: JSON) throws(DecodeError) { middles = try json.get("middles") }

  static func layout(_ c: inout CLayout<Outer>) {
    c.structure("outer", "", encodes: true)
    c.field("middles", \.middles)
  }
}

private struct Levels: CModel, JSONInitializable {
  let level: Level

  init(json: JSON) throws(DecodeError) { level = try json.get("h") as Bool ? .high : .low }

  static func layout(_ c: inout CLayout<Levels>) {
    c.structure("levels", "", encodes: true)
    c.field("level", \.level)
  }
}

@Suite("Models for C, the way back")
struct CTableTests {
  private static let nodes = CTable(Node.self)

  /// Fills a struct, writes it, and returns the text; or what is wrong.
  private func written<Model: CModel & JSONDecodable>(
    _ model: Model.Type, by table: CTable, _ json: String,
    _ change: (UnsafeMutableRawPointer) -> Void = { _ in }
  ) -> String {
    var value = [UInt64](repeating: 0x55, count: 64)
    return value.withUnsafeMutableBytes { value in
      let json = json.utf8.map { CChar(bitPattern: $0) }
      var error = decant_error()
      error.size = MemoryLayout<decant_error>.size
      let status = json.withUnsafeBufferPointer {
        Model.decode($0.baseAddress, $0.count, into: value.baseAddress, error: &error)
      }
      if status != 0 { return messageText(of: error) }
      defer { Model.free(value.baseAddress) }
      change(value.baseAddress!)
      return text(&error) { buffer, capacity, length, error in
        table.encode(value.baseAddress, buffer, capacity, length, error: error)
      }
    }
  }

  private typealias Encode = (
    UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>, UnsafeMutablePointer<decant_error>
  ) -> decant_status

  /// Measures, then writes into exactly as much.
  private func text(_ error: inout decant_error, _ encode: Encode) -> String {
    var length = 0
    if encode(nil, 0, &length, &error) != 0 { return messageText(of: error) }
    var buffer = [CChar](repeating: 0x55, count: length)
    var other = 0
    #expect(encode(&buffer, length - 1, &other, &error) == decant_status(DECANT_BUFFER_TOO_SMALL))
    #expect(encode(&buffer, length, &other, &error) == 0 && other == length)
    return String(decoding: buffer.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private let small =
    #"{"id":1,"is_new":false,"big":0,"name":"","meal":"breakfast","sides":[],"tags":[],"numbers":[],"#
    + #""meals":[],"at":{"x":0,"why":0},"path":[],"children":[]}"#

  @Test("a model may hold itself behind a pointer")
  func chain() {
    let table = CTable(Chain.self)
    #expect(Chain.description.members.map(\.offset) == [0, 8, 16])
    for json in [#"{"id":1}"#, #"{"id":1,"next":{"id":2,"next":{"id":3}}}"#] {
      #expect(written(Chain.self, by: table, json) == json)
    }
  }

  @Test("every kind of property is written as it was read")
  func everyKind() {
    let large =
      #"{"id":255,"is_new":true,"age":-3,"is_known":false,"big":18446744073709551615,"name":"A\u0000\"é","#
      + #""note":"","meal":"late-lunch","next":"breakfast","sides":["north","east"],"tags":["","\n"],"#
      + #""numbers":[-1,2],"meals":["late-lunch"],"at":{"x":0.1,"why":0.1},"from":{"x":1,"why":-2},"#
      + #""path":[{"x":3,"why":4}],"children":[\#(small)]}"#
    for json in [small, large] {
      #expect(written(Node.self, by: Self.nodes, json) == json)
    }
    // null is absent.
    let null = small.replacing(#""meal""#, with: #""age":null,"note":null,"next":null,"meal""#)
    #expect(written(Node.self, by: Self.nodes, null) == small)
  }

  @Test("constants have 32 bits, in arrays inside arrays")
  func constants() {
    let json =
      #"{"middles":[{"inners":[{"poles":["least","less","most"],"bits":["first","last"],"pole":"less"},"#
      + #"{"poles":[],"bits":[]}],"one":{"poles":["most"],"bits":["last"]}},{"inners":[]}]}"#
    #expect(written(Outer.self, by: CTable(Outer.self), json) == json)
  }

  @Test("cases have names of their own in JSON")
  func names() {
    let table = CTable(Levels.self)
    #expect(written(Levels.self, by: table, #"{"h":true}"#) == #"{"level":"H"}"#)
    #expect(written(Levels.self, by: table, #"{"h":false}"#) == #"{"level":"L"}"#)
    let wrong = written(Levels.self, by: table, #"{"h":true}"#) {
      $0.storeBytes(of: 7, as: Int32.self)
    }
    #expect(wrong == #"/level: no name has the value 7; the names are "L", "H""#)
  }

  @Test("what cannot be written is an error with its path")
  func failure() {
    let json = small.replacing(#""path":[]"#, with: #""path":[{"x":1,"why":2}]"#)
    let place = Node.description.members.first { $0.name == "path" }?.offset ?? 0
    let wrong = written(Node.self, by: Self.nodes, json) {
      $0.load(fromByteOffset: place, as: UnsafeMutablePointer<Double>.self)[0] = .nan
    }
    #expect(wrong == "/path/0/x: JSON has no infinity and no NaN")
  }

  /// Blocks that may still be allocated, and that are not released.
  private struct Memory {
    var left: Int
    var live = 0
  }

  @Test("a table that there is no memory for is an error, and owns nothing")
  func noMemory() {
    var allocations = 0
    var isMade = false
    while !isMade, allocations < 1000 {
      var memory = Memory(left: allocations)
      withUnsafeMutablePointer(to: &memory) { memory in
        var allocator = decant_allocator()
        allocator.state = UnsafeMutableRawPointer(memory)
        allocator.allocate = { state, size in
          let memory = state!.assumingMemoryBound(to: Memory.self)
          if memory.pointee.left == 0 { return nil }
          memory.pointee.left -= 1
          memory.pointee.live += 1
          return UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        }
        allocator.deallocate = { state, block, _ in
          state!.assumingMemoryBound(to: Memory.self).pointee.live -= 1
          block?.deallocate()
        }
        let table = CTable(Node.self, allocator)
        let text = written(Node.self, by: table, small)
        isMade = text == small
        if !isMade {
          #expect(text == "out of memory")
          #expect((try? table.schemaText()) == nil)
        }
      }
      #expect(memory.live == 0)
      allocations += 1
    }
    #expect(isMade && allocations > 20)
  }

  @Test("an array form is written as an array")
  func array() {
    let json = "[\(small),\(small)]"
    let bytes = json.utf8.map { CChar(bitPattern: $0) }
    var array = decant_array()
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    let status = bytes.withUnsafeBufferPointer {
      Node.decodeArray($0.baseAddress, $0.count, into: &array, error: &error)
    }
    #expect(status == 0)
    defer { Node.freeArray(&array) }
    let text = text(&error) { buffer, capacity, length, error in
      Self.nodes.encodeArray(&array, buffer, capacity, length, error: error)
    }
    #expect(text == json)
    var length = 7
    let none = Self.nodes.encodeArray(nil, nil, 0, &length, error: &error)
    #expect(none == decant_status(DECANT_INVALID_ARGUMENT) && length == 0)
  }
}
