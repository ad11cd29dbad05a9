// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models by @CStruct, held against the same models by hand: their structs, tables, functions, columns and schemas.

import CDecant
import Decant
import DecantC
import DecantColumns
import Testing

@JSONModel enum Course: String, CEnum {
  case starter
  case mainDish = "main-dish"

  static var cName: String { "course" }
}

@JSONModel enum Wall: String, CFlag {
  case north, south, east

  static var cName: String { "wall" }
}

@CStruct("corner", isPart: true) @JSONModel struct Corner: Equatable {
  let x: Double
  @JSONField("why") let y: Float
}

@CStruct("room", array: "rooms") @JSONModel(keys: .snakeCase)
struct Room: Equatable {
  let id: UInt8
  let isNew: Bool
  let age: Int16?
  @CField(companion: "knows") let isKnown: Bool?
  let big: UInt64
  let name: String
  var note: String?
  let course: Course
  var next: Course? = nil
  let sides: Set<Wall>
  var tags: [String] = []
  let numbers: [Int32], courses: [Course]
  let at: Corner
  let from: Corner?
  let path: [Corner]
  let rooms: [Room]
  @JSONField(pointer: "/owner/a~1b") let owner: String?
  @JSONField("+1", in: 0...100) var plusOne: Int = 5
  @JSONField(in: 0.5..<2) let ratio: Double?
  @JSONField(in: 1...) let level: UInt64
  @JSONField(nonEmpty: true) let title: String
  var last: Course = .mainDish
  var walls: Set<Wall> = [.north, .east]
  var greeting = "hello", isOpen = true, weight: Float = 1.5
  @JSONField("number", using: .numberOrString) let amount: Int
  #if DEBUG || !DEBUG
    let present: Bool
  #else
    let absent: Bool
  #endif
  @CIgnored var extra: [String: Int] = [:]
  @JSONIgnored var cache: [Int: Int] = [:]
  @CField("sum") @JSONField("total", "sum") var total: Int? { age.map { Int($0) + Int(id) } }
  var isComputed: Bool { true }
  static let shared = 1
}

/// The same by hand.
private struct Hand: CModel, JSONInitializable {
  let room: Room

  init(json: JSON) throws(DecodeError) { room = try json.decoded().get() }

  static func layout(_ c: inout CLayout<Hand>) {
    c.structure("room", "", array: "rooms", lines: true, encodes: true)
    c.field("id", \.room.id)
    c.field("is_new", \.room.isNew)
    c.field("age", \.room.age)
    c.field("is_known", \.room.isKnown, companion: "knows")
    c.field("big", \.room.big)
    c.field("name", \.room.name)
    c.field("note", \.room.note)
    c.field("course", \.room.course)
    c.field("next", \.room.next)
    c.field("sides", \.room.sides)
    c.field("tags", \.room.tags, json: CRules().defaulting(to: []))
    c.field("numbers", \.room.numbers)
    c.field("courses", \.room.courses)
    c.field("at", \.room.at)
    c.field("from", \.room.from)
    c.field("path", \.room.path)
    c.field("rooms", \.room.rooms)
    c.field("owner", \.room.owner, json: .pointer("/owner/a~1b"))
    c.field("plus_one", \.room.plusOne, json: .key("+1").inRange(0...100).defaulting(to: 5))
    c.field("ratio", \.room.ratio, json: CRules().inRange(0.5..<2))
    c.field("level", \.room.level, json: CRules().inRange(1...))
    c.field("title", \.room.title, json: CRules().nonEmpty)
    c.field("last", \.room.last, json: CRules().defaulting(to: .mainDish))
    c.field("walls", \.room.walls, json: CRules().defaulting(to: [.north, .east]))
    c.field("greeting", \.room.greeting, json: CRules().defaulting(to: "hello"))
    c.field("is_open", \.room.isOpen, json: CRules().defaulting(to: true))
    c.field("weight", \.room.weight, json: CRules().defaulting(to: 1.5))
    c.field("amount", \.room.amount, key: "number", json: CRules().numberOrString)
    c.field("present", \.room.present)
    c.field("sum", { room in room.room.total }, key: "total", json: CRules().orKeys("sum"))
  }
}

/// Models of which nothing but the struct is by declaration.
@CStruct("shelf", prefix: "library", lines: false, encodes: false)
private struct Shelf: JSONDecodable {
  let maxURL: Int
  @JSONField(using: .fromString) let converted: Int

  static func decode(_ json: JSON) -> Decoded<Shelf> {
    build(Shelf.init, json.decode("max"), json.decode("converted"))
  }
}

@CStruct("renamed") @JSONModel struct Renamed: Equatable {
  @JSONField("new", "old", "older") let x: Int
}

@CStruct("chain_link") @JSONModel final class ChainLink {
  let id: Int
  let next: ChainLink?
}

private enum Space {
  @CStruct("inner_space", isPart: true, encodes: false) @JSONModel struct Inner {
    let `default`: Int
  }
}

@Suite("@CStruct")
struct CStructTests {
  private static let small =
    #"{"id":1,"is_new":false,"big":0,"name":"","course":"starter","sides":[],"numbers":[],"courses":[],"#
    + #""at":{"x":0,"why":0},"path":[],"rooms":[],"level":1,"title":"t","number":"17","present":true,"extra":{}}"#

  private static let large =
    #"{"id":255,"is_new":true,"age":-3,"is_known":false,"big":18446744073709551615,"name":"A\u0000\"é","#
    + #""note":"","course":"main-dish","next":"starter","sides":["north"],"tags":["","\n"],"#
    + #""numbers":[-1,2],"courses":["main-dish"],"at":{"x":0.1,"why":0.1},"from":{"x":1,"why":-2},"#
    + #""path":[{"x":3,"why":4}],"rooms":[\#(small)],"owner":{"a/b":"o"},"+1":100,"ratio":1.5,"level":9,"#
    + #""title":"x","last":"starter","walls":[],"greeting":"","is_open":false,"weight":0,"number":5,"#
    + #""present":false,"extra":{"a":1}}"#

  private static var documents: [String] {
    [small, large]
      + [
        (#""sides":[]"#, #""sides":["east","north"]"#), (#""id":1,"#, #""id":256,"#),
        (#""id":1,"#, ""), (#""level":1"#, #""level":0"#),
        (#""title":"t""#, #""title":"""#), (#""extra""#, #""+1":101,"extra""#),
        (#""extra""#, #""ratio":2,"extra""#), (#""extra""#, #""ratio":0.5,"extra""#),
        (#""extra""#, #""last":"dessert","extra""#),
        (#""extra""#, #""tags":null,"last":null,"extra""#),
        (#""number":"17""#, #""number":"x""#), (#""extra":{}"#, #""extra":0"#), ("{}}", "{}"),
      ].map { small.replacing($0, with: $1) }
  }

  // MARK: - Functions

  private func newError() -> decant_error {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    return error
  }

  private typealias Decode = (
    UnsafePointer<CChar>?, Int, UnsafeMutableRawPointer?, UnsafeMutablePointer<decant_error>
  ) -> Int32
  private typealias Encode = (
    UnsafeRawPointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?,
    UnsafeMutablePointer<decant_error>
  ) -> Int32

  /// What is decoded, written again, or what is wrong.
  private func written(
    _ json: String, _ decode: Decode, _ encode: Encode, free: (UnsafeMutableRawPointer?) -> Void
  ) -> String {
    var value = [UInt64](repeating: 0x55, count: 80)
    var error = newError()
    let json = json.utf8.map { CChar(bitPattern: $0) }
    return value.withUnsafeMutableBytes { value in
      if decode(json, json.count, value.baseAddress, &error) != 0 { return messageText(of: error) }
      defer { free(value.baseAddress) }
      var length = 0
      if encode(value.baseAddress, nil, 0, &length, &error) != 0 { return messageText(of: error) }
      var buffer = [CChar](repeating: 0, count: length)
      #expect(encode(value.baseAddress, &buffer, length, &length, &error) == 0)
      return String(decoding: buffer.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  @Test("decodes, encodes and frees as by hand")
  func functions() throws {
    let table = CTable(Hand.self)
    for json in Self.documents {
      let byHand = written(
        json, { Hand.decode($0, $1, into: $2, error: $3) },
        { table.encode($0, $1, $2, $3, error: $4) }, free: Hand.free)
      let declared = written(
        json, { decode_Room($0, $1, $2, $3) }, { encode_Room($0, $1, $2, $3, $4) },
        free: Room_free)
      #expect(declared == byHand)
      let array = written(
        "[\(json),\(json)]", { decodeArray_Room($0, $1, $2, $3) },
        { encodeArray_Room($0, $1, $2, $3, $4) }, free: Room_freeArray)
      let arrayByHand = written(
        "[\(json),\(json)]", { Hand.decodeArray($0, $1, into: $2, error: $3) },
        { table.encodeArray($0, $1, $2, $3, error: $4) }, free: Hand.freeArray)
      #expect(array == arrayByHand)
    }
    let text = written(
      Self.large, { decode_Room($0, $1, $2, $3) }, { encode_Room($0, $1, $2, $3, $4) },
      free: Room_free)
    var room = try Room(decoding: Self.large)
    room.extra = [:]
    #expect(try Room(decoding: text) == room)
    #expect(text.contains(#""total":252"#))
  }

  @Test("other keys are read where the first is absent or null, and the first is written")
  func otherKeys() throws {
    func written(_ json: String) -> String {
      self.written(
        json, { decode_Renamed($0, $1, $2, $3) }, { encode_Renamed($0, $1, $2, $3, $4) },
        free: Renamed_free)
    }
    for json in [
      #"{"new":1}"#, #"{"old":1}"#, #"{"older":1}"#, #"{"older":2,"old":1}"#,
      #"{"new":null,"old":1}"#, #"{"old":null,"older":1,"new":null}"#, #"{"older":1,"old":null}"#,
    ] {
      #expect(try Renamed(decoding: json).x == 1)
      #expect(written(json) == #"{"new":1}"#)
    }
    for json in [
      "{}", #"{"old":"x"}"#, #"{"new":1.5,"old":1}"#, #"{"new":null,"older":null}"#,
      #"{"old":null}"#,
    ] {
      #expect(written(json) == Renamed.decode(from: json).error.map { "\($0)" })
    }
    #expect(try Renamed.cTable.schemaText().contains(#""other_keys":["old","older"]"#))
  }

  @Test("hands lines over as by hand")
  func lines() {
    final class Calls { var calls: [String] = [] }
    func calls(
      _ run: (decant_line_function, UnsafeMutableRawPointer) -> Int32
    ) -> [String] {
      let calls = Calls()
      let status = run(
        { context, line, value, error in
          let calls = Unmanaged<Calls>.fromOpaque(context!).takeUnretainedValue()
          let id = value.map { "\($0.load(as: UInt8.self))" }
          calls.calls.append("\(line): \(id ?? messageText(of: error!.pointee))")
          return 0
        }, Unmanaged.passUnretained(calls).toOpaque())
      #expect(status == 0)
      return calls.calls
    }
    let text = Self.documents.joined(separator: "\n").utf8.map { CChar(bitPattern: $0) }
    let byHand = calls { Hand.decodeLines(text, text.count, to: $0, $1, error: nil) }
    let declared = calls {
      decodeLines_Room(text, text.count, unsafeBitCast($0, to: OpaquePointer.self), $1, nil)
    }
    #expect(declared == byHand && declared.count == Self.documents.count)
  }

  // MARK: - Tables

  @Test("has the members of the struct by hand, at the same offsets")
  func members() {
    let (declared, byHand) = (Room.description, Hand.description)
    #expect(declared.members.map(\.name) == byHand.members.map(\.name))
    #expect(declared.members.map(\.offset) == byHand.members.map(\.offset))
    #expect(declared.extent.size == byHand.extent.size && declared.typeName == byHand.typeName)
    #expect(declared.isEncoded && declared.hasLines && declared.plural == "rooms")
    #expect(!Space.Inner.description.members.contains { $0.name == "storage" })
    #expect(Space.Inner.description.members.map(\.name) == ["default"])
    #expect(Shelf.description.typeName == "struct library_shelf")
    #expect(Shelf.description.members.map(\.name) == ["max_url", "converted", "storage"])
  }

  @Test("one table for Swift and C: what is absent, where it is, what is accepted")
  func schema() throws {
    let text = try Slot.cTable.schemaText()
    #expect(
      text
        == #"{"fields":[{"key":"id","kind":"int64"},{"key":"max_url","kind":"int32","default":7},"#
        + #"{"key":"note","kind":"string","optional":true},{"pointer":"/owner/a~1b","kind":"string"},"#
        + #"{"key":"+1","kind":"int64","minimum":0,"maximum":100,"default":5},"#
        + #"{"key":"ratio","kind":"double","optional":true,"minimum":0.5,"maximum":1.9999999999999998},"#
        + #"{"key":"title","kind":"string","shortest":1,"longest":9223372036854775807},"#
        + #"{"key":"tags","kind":"array","element":"text","optional":true},"#
        + #"{"key":"last","kind":"enum","names":{"starter":0,"main-dish":1},"default":"main-dish"},"#
        + #"{"key":"greeting","kind":"string","default":"hello"},"#
        + #"{"key":"number","kind":"int64","from_text":true},"#
        + #"{"key":"at","kind":"record","fields":[{"key":"x","kind":"double"},{"key":"why","kind":"float"}]}]}"#
    )
  }

  @Test("accepts what the model accepts, as columns and on both engines")
  func columns() throws {
    let lines = [
      #"{"id":1,"owner":{"a/b":"o"},"title":"t","number":"17","at":{"x":1,"why":2}}"#,
      #"{"id":1,"max_url":9,"note":"n","owner":{"a/b":"o"},"+1":100,"ratio":1.5,"title":"t","tags":["a"],"#
        + #""last":"starter","greeting":"","number":5,"at":{"x":1,"why":2}}"#,
      #"{"id":1,"owner":{"a/b":"o"},"+1":101,"title":"t","number":5,"at":{"x":1,"why":2}}"#,
      #"{"id":1,"owner":{"a/b":"o"},"ratio":2,"title":"t","number":5,"at":{"x":1,"why":2}}"#,
      #"{"id":1,"owner":{"a/b":"o"},"title":"","number":5,"at":{"x":1,"why":2}}"#,
      #"{"id":1,"owner":{},"title":"t","number":5,"at":{"x":1,"why":2}}"#,
      #"{"id":1,"owner":{"a/b":"o"},"title":"t","number":"x","at":{"x":1,"why":2}}"#,
    ]
    let columns = try JSONColumns(
      Array(lines.joined(separator: "\n").utf8), ColumnSchema(Slot.self))
    let iterator = columns.makeIterator()
    let next = iterator.next()
    let batch = try #require(next)
    #expect(Array(batch["max_url", as: Int32.self]) == [7, 9])
    #expect(Array(batch["+1", as: Int.self]) == [5, 100])
    #expect(Array(batch["last", as: String.self]) == ["main-dish", "starter"])
    #expect(Array(batch["greeting", as: String.self]) == ["hello", ""])
    #expect(Array(batch["number", as: Int.self]) == [17, 5])
    let rejects = columns.rejects().map(\.path)
    #expect(rejects == ["/+1", "/ratio", "/title", "/owner/a~1b", "/number"])
    for (line, path) in zip(lines, ["", ""] + rejects) {
      let error = Slot.decode(from: line).error
      #expect((error?.path.text ?? "") == path)
      for engine in [DECANT_NATIVE, DECANT_JANSSON] {
        #expect(tablePath(line, engine) == path, "\(engine): \(line)")
      }
    }
  }

  /// The path of what the table does not accept, or nothing.
  private func tablePath(_ json: String, _ engine: Int) -> String {
    let schema = Array(try! Slot.cTable.schemaText().utf8CString)
    let text = Array(json.utf8CString)
    var made: OpaquePointer?
    var error = newError()
    guard decant_schema_parse(schema, schema.count - 1, nil, &made, &error) == 0 else {
      return messageText(of: error)
    }
    defer { decant_schema_free(made) }
    let record = decant_schema_record(made)!
    var options = decant_options()
    options.size = MemoryLayout<decant_options>.size
    options.engine = Int32(engine)
    let value = UnsafeMutableRawPointer.allocate(byteCount: record.pointee.size, alignment: 8)
    defer { value.deallocate() }
    if decant_decode_with(record, text, text.count - 1, value, &options, &error) != 0 {
      return error.code == Int32(DECANT_UNSUPPORTED) ? "" : pathText(of: error)
    }
    decant_free(record, value)
    return ""
  }

  @Test("a closed model is a closed table")
  func closed() throws {
    let text = try Sealed.cTable.schemaText()
    #expect(text == #"{"closed":true,"fields":[{"key":"retries","kind":"int64","default":3}]}"#)
    let lines = #"{"retries":1}"# + "\n" + #"{"retires":1}"#
    let columns = try JSONColumns(Array(lines.utf8), ColumnSchema(Sealed.self))
    #expect(columns.flatMap { Array($0["retries", as: Int.self]) } == [1])
    let reject = try #require(columns.rejects().first)
    let error = try #require(Sealed.decode(from: #"{"retires":1}"#).error)
    #expect(reject.path == "/retires" && reject.code == error.code)
    #expect(reject.message.contains(#"did you mean "retries"?"#))
  }

  @Test("a model may hold itself, and reads what it writes")
  func chain() {
    let json = #"{"id":1,"next":{"id":2,"next":{"id":3}}}"#
    let text = written(
      json, { decode_ChainLink($0, $1, $2, $3) }, { encode_ChainLink($0, $1, $2, $3, $4) },
      free: ChainLink_free)
    #expect(text == json)
    #expect(throws: DecodeError.self) { try ChainLink.cTable.schemaText() }
  }
}

@CStruct("sealed", isPart: true) @JSONModel(closed: true) struct Sealed {
  var retries = 3
}

@CStruct("slot", lines: false) @JSONModel(keys: .snakeCase) struct Slot {
  let id: Int
  var maxURL: Int32 = 7
  let note: String?
  @JSONField(pointer: "/owner/a~1b") let owner: String
  @JSONField("+1", in: 0...100) var plusOne: Int = 5
  @JSONField(in: 0.5..<2) let ratio: Double?
  @JSONField(nonEmpty: true) let title: String
  var tags: [String] = []
  var last: Course = .mainDish
  var greeting = "hello"
  @JSONField("number", using: .numberOrString) let amount: Int
  let at: Corner
}
