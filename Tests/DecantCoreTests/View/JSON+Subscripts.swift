// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

private let document = #"""
  {"user":{"name":"Tester","ids":[7,8,9],"on":true,"off":false,"none":null,"pi":3.5},
   "list":[{"a":1},[2,[3]],"x"],"e\u0061s\"y":1}
  """#

@Suite("JSON, the view")
struct JSONViewTests {
  /// Hands the document's view to a body.
  private func looking(
    into json: String = document, on engine: Engine, _ body: (JSON) throws -> Void
  ) throws { try JSONValue(parsing: json, options: .on(engine)).withView(body) }

  @Test("subscripts by key, index, path and pointer", arguments: engines)
  func subscripts(engine: Engine) throws {
    try looking(on: engine) { json in
      #expect(json["user"]["name"].string == "Tester")
      #expect(json["user"]["ids"][1].int == 8)
      #expect(json["user"]["on"].bool == true)
      #expect(json["user"]["off"].bool == false)
      #expect(json["user"]["none"].isNull == true)
      #expect(json["user"]["pi"].double == 3.5)
      #expect(json["user"]["ids"][0].double == 7)
      #expect(json[["user", "ids", 2]].int == 9)
      #expect(json[pointer: "/list/1/1/0"].int == 3)
      #expect(json[pointer: ""].kind == .object)
      let name = "user"
      #expect(json[name]["name"].string == "Tester")
      #expect(json[JSONKey(name)].exists == true)
      #expect(json["eas\"y"].int == 1)
      #expect(json["list"][0]["a"].int == 1)
      #expect(json.contains("user") == true)
      #expect(json.contains(["user", "none"]) == true)
      #expect(json.contains(["user", "nobody"]) == false)
      #expect(json.contains("nobody") == false)
    }
  }

  @Test("accessors are exact: another kind is nil", arguments: engines)
  func exactAccessors(engine: Engine) throws {
    try looking(
      into: #"["5",5,5.5,true,null,[],{},9223372036854775807,"true",1]"#, on: engine
    ) { json in
      let rows: [(string: String?, int: Int?, double: Double?, bool: Bool?)] = [
        ("5", nil, nil, nil), (nil, 5, 5, nil), (nil, nil, 5.5, nil), (nil, nil, nil, true),
        (nil, nil, nil, nil), (nil, nil, nil, nil), (nil, nil, nil, nil),
        (nil, .max, 0x1p63, nil), ("true", nil, nil, nil), (nil, 1, 1, nil),
      ]
      for (index, row) in rows.enumerated() {
        let element = json[index]
        #expect(element.string == row.string, "\(index)")
        #expect(element.int == row.int, "\(index)")
        #expect(element.double == row.double, "\(index)")
        #expect(element.bool == row.bool, "\(index)")
        #expect(element.isNull == (index == 4), "\(index)")
      }
    }
  }

  @Test("kinds and counts", arguments: engines)
  func kinds(engine: Engine) throws {
    let rows: [(json: String, kind: JSONKind, count: Int)] = [
      ("null", .null, 0), ("true", .bool, 0), ("false", .bool, 0), ("0", .number, 0),
      ("-1.5e3", .number, 0), (#""""#, .string, 0), ("[]", .array, 0), ("{}", .object, 0),
      ("[1,[2,3],4]", .array, 3), (#"{"a":{"b":1,"c":2},"d":3}"#, .object, 2),
    ]
    for row in rows {
      try looking(into: row.json, on: engine) { json in
        #expect(json.kind == row.kind, "\(row.json)")
        #expect(json.count == row.count, "\(row.json)")
        #expect(json.exists == true, "\(row.json)")
      }
    }
  }

  @Test("a missing view has no value and no end", arguments: engines)
  func missingViews(engine: Engine) throws {
    try looking(on: engine) { json in
      let missing = json["user"]["x"]
      #expect(missing.kind == .missing)
      #expect(missing.exists == false)
      #expect(missing.isNull == false)
      #expect(missing.count == 0)
      #expect(missing.string == nil)
      #expect(missing.int == nil)
      #expect(missing.double == nil)
      #expect(missing.bool == nil)
      #expect(missing.keys == [])
      #expect(missing["a"][3]["b"].kind == .missing)
      #expect(missing.contains("a") == false)
      var elements = missing.elements
      if elements.next() != nil { Issue.record("a missing view has no elements") }
      var members = missing.members
      if members.next() != nil { Issue.record("a missing view has no members") }
    }
  }

  @Test("a missing view remembers what was missing, however deep it is asked", arguments: engines)
  func remembers(engine: Engine) throws {
    let rows: [Row<Int>] = [
      Row(document, fails: .missingKey, "1:1", "/nobody", "the key is missing"),
      Row(document, fails: .missingKey, "1:9", "/user/x", "the key is missing"),
      Row(document, fails: .missingElement, "1:32", "/user/ids/3", "the element is missing"),
      Row(
        document, fails: .typeMismatch, "1:17", "/user/name",
        #"expected an object, found the string "Tester""#),
      Row(document, fails: .typeMismatch, "1:9", "/user", "expected an array, found an object"),
      Row(document, fails: .missingKey, "1:69", "/user/none", "expected an object, found null"),
      Row(document, fails: .missingElement, "1:32", "/user/ids/-1", "the element is missing"),
    ]
    check([rows[0]], on: engine) { $0["nobody"].decoded() }
    check([rows[0]], on: engine) { $0["nobody"]["a"][1]["b"].decode("c") }
    check([rows[1]], on: engine) { $0["user"]["x"]["y"].decoded() }
    check([rows[1]], on: engine) { $0[["user", "x", "y"]].decode("z") }
    check([rows[1]], on: engine) { $0["user"]["x"] <| "y" }
    check([rows[2]], on: engine) { $0["user"]["ids"][3].decoded() }
    check([rows[2]], on: engine) { $0["user"]["ids"][3]["x"].decoded() }
    check([rows[3]], on: engine) { $0["user"]["name"]["first"].decoded() }
    check([rows[4]], on: engine) { $0["user"][0].decoded() }
    check([rows[5]], on: engine) { $0["user"]["none"]["x"].decoded() }
    check([rows[6]], on: engine) { $0["user"]["ids"][-1]["x"].decoded() }
    let array = try JSONValue(parsing: "[]", options: .on(engine))
    let smallest = array.outcome { $0[Int.min].decoded(Int.self) }
    #expect(smallest.error?.code == .missingElement)
    // Absent on the way is absent for an optional, too.
    check([Row(document, is: Int?.none)], on: engine) { $0["nobody"]["a"].decodeIfPresent("b") }
  }

  @Test("a missing view from a document that is read in place remembers, too", arguments: engines)
  func remembersInPlace(engine: Engine) throws {
    let result = Chained.decode(from: #"{"a":{"b":{}}}"#, options: .on(engine))
    #expect(failures(of: result).map(\.path) == ["/a/b/c"])
    #expect(failures(of: result).map(\.code) == [.missingKey])
  }

  @Test("elements and members in document order", arguments: engines)
  func iteration(engine: Engine) throws {
    try looking(into: #"[1,[2,3],{"x":4},"five"]"#, on: engine) { json in
      var kinds: [JSONKind] = []
      var elements = json.elements
      while let element = elements.next() { kinds.append(element.kind) }
      #expect(kinds == [.number, .array, .object, .string])
      var again: [JSONKind] = []
      json.forEach { again.append($0.kind) }
      #expect(again == kinds)
      #expect(json.keys == [])
      json.forEachMember { _, _ in Issue.record("an array has no members") }
    }
    try looking(into: #"{"z":1,"a":[2],"\u006d":{"b":3},"":4}"#, on: engine) { json in
      #expect(json.keys == ["z", "a", "m", ""])
      var kinds: [String: JSONKind] = [:]
      json.forEachMember { key, value in kinds[key] = value.kind }
      #expect(kinds == ["z": .number, "a": .array, "m": .object, "": .number])
      var order: [String] = []
      var members = json.members
      while let value = members.next() { order.append("\(members.key)=\(value.kind)") }
      #expect(order == ["z=number", "a=array", "m=object", "=number"])
      json.forEach { _ in Issue.record("an object has no elements") }
    }
  }

  @Test("no member's key before the first member", arguments: engines)
  func keyBeforeFirst(engine: Engine) throws {
    for text in [#"{"a":1}"#, "{}", "[1]", "1"] {
      try looking(into: text, on: engine) { json in
        var members = json.members
        #expect(members.key == "")
        while members.next() != nil {}
        #expect(members.key == (text == #"{"a":1}"# ? "a" : ""))
      }
    }
  }

  @Test("forEach passes on what its body throws", arguments: engines)
  func throwingIteration(engine: Engine) throws {
    struct Stop: Error {}
    try looking(into: "[1,2,3]", on: engine) { json in
      var count = 0
      #expect(throws: Stop.self) {
        try json.forEach { element in
          count += 1
          if element.int == 2 { throw Stop() }
        }
      }
      #expect(count == 2)
    }
  }

  @Test("keys are compared unescaped, by bytes", arguments: engines)
  func escapedKeys(engine: Engine) throws {
    let json =
      #"{"\u0061":1,"\ud83d\ude00":2,"a\/b":3,"\u00e9":4,"e\u0301":5,"ab":6,"\\":7,"\n":8}"#
    try looking(into: json, on: engine) { json in
      for _ in 0..<2 {
        #expect(json["a"].int == 1)
        #expect(json["😀"].int == 2)
        #expect(json["a/b"].int == 3)
        #expect(json["\u{E9}"].int == 4)
        #expect(json["e\u{301}"].int == 5)
        #expect(json["ab"].int == 6)
        #expect(json["\\"].int == 7)
        #expect(json["\n"].int == 8)
        #expect(json["A"].exists == false)
        #expect(json[#"\u0061"#].exists == false)
      }
    }
  }

  @Test("wide objects, in order, in reverse, at random, and missing keys", arguments: engines)
  func wideObjects(engine: Engine) throws {
    let count = 70_000
    let body = (0..<count).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    try looking(into: "{\(body)}", on: engine) { json in
      #expect(json.count == count)
      for place in stride(from: 0, to: 2_000, by: 1) { #expect(json["k\(place)"].int == place) }
      var random = SeededRandom(printing: "wide objects")
      for _ in 0..<100 {
        let place = Int.random(in: 0..<count, using: &random)
        #expect(json["k\(place)"].int == place)
        #expect(json["k\(place)x"].exists == false)
      }
      for place in stride(from: count - 1, to: count - 50, by: -1) {
        #expect(json["k\(place)"].int == place)
      }
    }
  }
}

private struct Chained: JSONDecodable {
  static func decode(_ json: JSON) -> Decoded<Chained> {
    json["a"]["b"]["c"]["d"].decode("e", as: Int.self).map { _ in Chained() }
  }
}
