// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Synchronization
import Testing

private enum Grade: Character, JSONObjectKey { case a = "a" }
private enum Meal: String, JSONDecodable, CaseIterable, JSONObjectKey {
  case breakfast, lunch, dinner
}
private enum Level: Int, JSONDecodable { case low = 1, high = 10 }
private struct Tag: RawRepresentable, JSONDecodable, Equatable { let rawValue: String }
private enum Wide: Int, JSONDecodable, CaseIterable {
  case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u
}

/// A number that counts how often one is decoded.
private struct Counted: JSONDecodable, Hashable {
  let number: Int
  private static let decodes = Mutex(0)

  static func decode(_ json: JSON) -> Decoded<Counted> {
    decodes.withLock { $0 += 1 }
    return Int.decode(json).map(Counted.init)
  }

  /// How often one is decoded for a document.
  static func decodes<Model: JSONDecodable>(
    for type: Model.Type, _ text: String, _ engine: Engine
  ) -> Int {
    decodes.withLock { $0 = 0 }
    _ = Model.decode(from: text, options: .on(engine))
    return decodes.withLock { $0 }
  }
}

@Suite("Containers from documents")
struct ContainerDecodeTests {
  @Test("Optional: null is nil, a wrong type fails", arguments: engines)
  func optionals(engine: Engine) {
    check(
      [
        Row("null", is: Int?.none), Row("5", is: Int?.some(5)),
        Row<Int?>(
          #""5""#, fails: .typeMismatch, "1:1", "", #"expected an integer, found the string "5""#),
      ], on: engine)
    check([Row("[1,null,3]", is: [Int?]([1, nil, 3]))], on: engine)
  }

  @Test("Array: all elements, or every element that fails", arguments: engines)
  func arrays(engine: Engine) {
    check(
      [
        Row("[]", is: [Int]()), Row("[1]", is: [1]), Row(" [ 1 , 2 ] ", is: [1, 2]),
        Row<[Int]>(
          "5", fails: .typeMismatch, "1:1", "", "expected an array, found the number 5"),
        Row<[Int]>(
          "{}", fails: .typeMismatch, "1:1", "", "expected an array, found an empty object"),
        Row<[Int]>("null", fails: .typeMismatch, "1:1", "", "expected an array, found null"),
        Row<[Int]>(
          "[1,null]", fails: .typeMismatch, "1:4", "/1", "expected an integer, found null"),
        Row<[Int]>(
          #"["x",2,"y",4,{"z":5}]"#,
          failsWith: [
            Failure(.typeMismatch, "1:2", "/0", #"expected an integer, found the string "x""#),
            Failure(.typeMismatch, "1:8", "/2", #"expected an integer, found the string "y""#),
            Failure(.typeMismatch, "1:14", "/4", "expected an integer, found an object"),
          ]),
      ], on: engine)
    check(
      [
        Row<[String]>(
          #"["hi", 1]"#, fails: .typeMismatch, "1:8", "/1",
          "expected a string, found the number 1")
      ], on: engine)
  }

  @Test("arrays of any length are what their elements are one by one", arguments: engines)
  func lengths(engine: Engine) throws {
    let reals = [
      "1", "-0", "0.5", "-12.25", "1e2", "0.1234567890123456789", "12345678.125", "16777217",
      "null",
    ]
    let integers = [
      "7", "-7", "0", "-0", "2147483648", "-9223372036854775808", "9223372036854775807", "1.0",
      "1e2", "{}",
    ]
    let texts = [
      #""""#, #""a text of more bytes than are kept inline""#, #""\u00e9\n""#, "1", "null",
    ]
    for count in [1, 2, 3, 4, 5, 6, 15, 16, 17, 19] {
      try compare(
        String.self, [#""short""#, #""another text that has an object of its own""#], texts, count,
        engine)
      try compare(Optional<Int>.self, ["12", "null"], integers, count, engine)
      try compare([Int].self, ["[]", "[1,2,3]"], ["[1,null]", "[4]"], count, engine)
      try compare(Double.self, ["1.5", "-3"], reals, count, engine)
      try compare(Float.self, ["1.5", "-3"], reals, count, engine)
      try compare(Int.self, ["12", "-3"], integers, count, engine)
      try compare(Int64.self, ["12", "-3"], integers, count, engine)
      try compare(Int32.self, ["12", "-3"], integers, count, engine)
      try compare(UInt8.self, ["12", "3"], integers, count, engine)
      try compare(Bool.self, ["true", "false"], ["0", "null", #""true""#], count, engine)
    }
  }

  /// Arrays of `plain` with one of the `others` at each place.
  private func compare<Element: JSONDecodable & Equatable>(
    _ type: Element.Type, _ plain: [String], _ others: [String], _ count: Int, _ engine: Engine
  ) throws {
    let options = DecodingOptions.on(engine)
    let alone = try plain.map { try Element.decode(from: $0, options: options).get() }
    for other in others {
      let single = Element.decode(from: other, options: options)
      for place in 0..<count {
        var elements = (0..<count).map { plain[$0 % plain.count] }
        elements[place] = other
        let array = [Element].decode(
          from: "[" + elements.joined(separator: ",") + "]", options: options)
        switch single {
        case .success(let value):
          var expected = (0..<count).map { alone[$0 % alone.count] }
          expected[place] = value
          #expect(try array.get() == expected, "\(type): \(other) at \(place) of \(count)")
        case .failure(let error):
          #expect(array.error?.code == error.code)
          let path = "/\(place)\(error.path)"
          #expect(array.error?.path.description == path, "\(type): \(other), \(count)")
        }
      }
    }
  }

  // Twice at each level of a document is 2^n times at the nth.
  @Test("whatever fails, elements and members are decoded once")
  func decodedOnce() {
    for engine in engines {
      for count in [1, 2, 3, 5, 6, 15, 16, 17] {
        for bad in 0..<count {
          let values = (0..<count).map { $0 == bad ? #""x""# : "\($0)" }
          let array = "[" + values.joined(separator: ",") + "]"
          let members = values.enumerated().map { #""\#($0)":\#($1)"# }
          let object = "{" + members.joined(separator: ",") + "}"
          #expect(Counted.decodes(for: [Counted].self, array, engine) == count)
          #expect(Counted.decodes(for: Set<Counted>.self, array, engine) == count)
          #expect(Counted.decodes(for: LossyArray<Counted>.self, array, engine) == count)
          #expect(Counted.decodes(for: [String: Counted].self, object, engine) == count)
          #expect(
            Counted.decodes(for: LossyDictionary<String, Counted>.self, object, engine) == count)
        }
      }
    }
  }

  @Test("Array of arrays: paths have every level", arguments: engines)
  func nestedArrays(engine: Engine) {
    check(
      [
        Row("[[[1],[]],[],[[2,3]]]", is: [[[1], []], [], [[2, 3]]]),
        Row<[[[Int]]]>(
          "[[[1],[true]],[],\n [[2,3],4]]",
          failsWith: [
            Failure(.typeMismatch, "1:8", "/0/1/0", "expected an integer, found true"),
            Failure(.typeMismatch, "2:9", "/2/1", "expected an array, found the number 4"),
          ]),
      ], on: engine)
    check(
      [
        Row("[[1.5,2],[3,4e0]]", is: [[1.5, 2.0], [3, 4]]),
        Row<[[Double]]>(
          "[[1.5,2],[3,null]]", fails: .typeMismatch, "1:13", "/1/1",
          "expected a number, found null"),
      ], on: engine)
  }

  @Test("arrays of objects among scalars keep their order", arguments: engines)
  func mixedArrays(engine: Engine) throws {
    let json = #"[{"a":[1,{"b":2}]},[3],4,"five",null,[],{}]"#
    let value = try JSONValue(parsing: json, options: .on(engine))
    let kinds = try #require(value.array).map(\.kind)
    #expect(kinds == [.object, .array, .number, .string, .null, .array, .object])
    #expect(value.count == 7)
    #expect(value[2].int == 4)
    #expect(value[6].kind == .object)
    #expect(value[7].kind == .missing)
  }

  @Test("Set: the distinct elements", arguments: engines)
  func sets(engine: Engine) {
    check(
      [
        Row("[]", is: Set<Int>()), Row("[1,2,1]", is: Set([1, 2])),
        Row<Set<Int>>(
          "[1,\"2\"]", fails: .typeMismatch, "1:4", "/1",
          #"expected an integer, found the string "2""#),
        Row<Set<Int>>(
          "1", fails: .typeMismatch, "1:1", "", "expected an array, found the number 1"),
      ], on: engine)
    check(
      [
        Row(
          #"["breakfast","lunch","dinner","lunch"]"#,
          is: Set<Meal>([.breakfast, .lunch, .dinner]))
      ], on: engine)
  }

  @Test("Dictionary with String keys", arguments: engines)
  func dictionaries(engine: Engine) {
    check(
      [
        Row("{}", is: [String: Int]()), Row(#"{"a":1,"b":2}"#, is: ["a": 1, "b": 2]),
        Row(#"{"":1,"a\"b":2,"\u00e9":3}"#, is: ["": 1, "a\"b": 2, "é": 3]),
        Row<[String: Int]>(
          "[]", fails: .typeMismatch, "1:1", "", "expected an object, found an empty array"),
        Row<[String: Int]>(
          "null", fails: .typeMismatch, "1:1", "", "expected an object, found null"),
        Row<[String: Int]>(
          #"{"a":null}"#, fails: .typeMismatch, "1:6", "/a", "expected an integer, found null"),
        Row<[String: Int]>(
          #"{"a":"x","b":2,"c~/":[]}"#,
          failsWith: [
            Failure(.typeMismatch, "1:6", "/a", #"expected an integer, found the string "x""#),
            Failure(.typeMismatch, "1:22", "/c~0~1", "expected an integer, found an empty array"),
          ]),
      ], on: engine)
    check(
      [
        Row(#"{"x":{"y":[1]}}"#, is: ["x": ["y": [1]]]),
        Row<[String: [String: [Int]]]>(
          #"{"x":{"y":[1,"2"]}}"#, fails: .typeMismatch, "1:14", "/x/y/1",
          #"expected an integer, found the string "2""#),
      ], on: engine)
  }

  @Test("Dictionary with integer and enum keys", arguments: engines)
  func otherKeys(engine: Engine) {
    check(
      [
        Row(#"{"1":"a","-2":"b"}"#, is: [1: "a", -2: "b"]),
        Row<[Int: String]>(
          #"{"1":"a","two":"b","3.0":"c"}"#,
          failsWith: [
            Failure(.invalidValue, "1:10", "/two", #"the key "two" is not an accepted key"#),
            Failure(.invalidValue, "1:20", "/3.0", #"the key "3.0" is not an accepted key"#),
          ]),
      ], on: engine)
    check(
      [
        Row<[[Int: String]]>(
          #"[{},{"two":"b"}]"#, fails: .invalidValue, "1:6", "/1/two",
          #"the key "two" is not an accepted key"#)
      ], on: engine)
    check(
      [
        Row(#"{"lunch":2,"dinner":1}"#, is: [Meal.lunch: 2, .dinner: 1]),
        Row<[Meal: Int]>(
          #"{"brunch":2}"#, fails: .invalidValue, "1:2", "/brunch",
          #"the key "brunch" is not an accepted key"#),
      ], on: engine)
  }

  @Test("keys of every integer type are those that its initialiser reads")
  func integerKeys() {
    let texts =
      ["", "+", "-", "0", "-0", "+7", "007", "+-5", "--5", "1.0", " 1", "1 ", "٣", "0x10", "1e2"]
      + [7, 8, 15, 16, 31, 32, 63, 64, 127].flatMap { bits in
        let limit = UInt128(1) << bits
        return ["\(limit - 1)", "\(limit)", "-\(limit)", "-\(limit + 1)"]
      } + ["\(UInt128.max)", "\(UInt128.max)0", "340282366920938463463374607431768211456"]
    func compare<Key: FixedWidthInteger & JSONObjectKey>(_: Key.Type) {
      for text in texts { #expect(Key(jsonKey: text) == Key(text), "\(Key.self) \(text)") }
    }
    compare(Int.self)
    compare(Int8.self)
    compare(Int16.self)
    compare(Int32.self)
    compare(Int64.self)
    compare(Int128.self)
    compare(UInt.self)
    compare(UInt8.self)
    compare(UInt16.self)
    compare(UInt32.self)
    compare(UInt64.self)
    compare(UInt128.self)
  }

  @Test(
    "enums: the case with the raw value, or an error that names the known ones", arguments: engines)
  func enums(engine: Engine) {
    check(
      [
        Row(#""lunch""#, is: Meal.lunch),
        Row<Meal>(
          #""brunch""#, fails: .invalidValue, "1:1", "",
          #"the string "brunch" is not one of "breakfast", "lunch", "dinner""#),
        Row<Meal>("1", fails: .typeMismatch, "1:1", "", "expected a string, found the number 1"),
      ], on: engine)
    check(
      [
        Row<[Meal]>(
          #"["lunch","brunch"]"#, fails: .invalidValue, "1:10", "/1",
          #"the string "brunch" is not one of "breakfast", "lunch", "dinner""#)
      ], on: engine)
    check(
      [
        Row("10", is: Level.high),
        Row<Level>("2", fails: .invalidValue, "1:1", "", "the number 2 is not an accepted value"),
        Row<Level>(
          "1.5", fails: .notAnInteger, "1:1", "", "not an integer: 1.5"),
      ], on: engine)
    check([Row(#""anything""#, is: Tag(rawValue: "anything"))], on: engine)
    check(
      [
        Row<Wide>(
          "99", fails: .invalidValue, "1:1", "",
          "the number 99 is not one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, "
            + "18, 19, …")
      ], on: engine)
  }

  @Test("keys of dictionaries: characters, integers, enums of both", arguments: engines)
  func keys(engine: Engine) {
    check([Row(#"{"a":1,"é":2}"#, is: [Character("a"): 1, "é": 2])], on: engine)
    check([Row(#"{"a":1}"#, is: [Grade.a: 1])], on: engine)
    for json in [#"{"ab":1}"#, #"{"":1}"#] {
      let options = DecodingOptions.on(engine)
      #expect([Character: Int].decode(from: json, options: options).error?.code == .invalidValue)
      #expect([Grade: Int].decode(from: json, options: options).error?.code == .invalidValue)
    }
    #expect([Grade: Int].decode(from: #"{"b":1}"#, options: .on(engine)).error != nil)
  }

  @Test("duplicate keys in a Dictionary go by the one rule")
  func duplicates() throws {
    typealias Row = (json: String, first: [String: Int]?, last: [String: Int]?)
    let rows: [Row] = [
      (#"{"a":1,"a":2}"#, ["a": 1], ["a": 2]),
      (#"{"a":1,"b":3,"\u0061":2}"#, ["a": 1, "b": 3], ["a": 2, "b": 3]),
      (#"{"a":1,"a":"x"}"#, ["a": 1], nil), (#"{"a":"x","a":1}"#, nil, ["a": 1]),
    ]
    for row in rows {
      let first = DecodingOptions(duplicateKeys: .first)
      let last = DecodingOptions(duplicateKeys: .last)
      let reject = DecodingOptions(duplicateKeys: .reject)
      #expect(
        [String: Int].decode(from: row.json, options: first).value == row.first, "\(row.json)")
      #expect([String: Int].decode(from: row.json, options: last).value == row.last, "\(row.json)")
      #expect([String: Int].decode(from: row.json, options: reject).error?.code == .duplicateKey)
    }
  }

  private enum Letter: String, JSONObjectKey { case a, b, c }

  @Test("a Dictionary has the members that count, or the errors of those that fail")
  func members() {
    var random = SeededRandom(seed: 17)
    for _ in 0..<rounds(2000) {
      let members = (0..<Int.random(in: 0...7, using: &random)).map { place in
        let isGood = Int.random(in: 0..<4, using: &random) > 0
        return (
          key: ["a", "b", "c", "x"].randomElement(using: &random)!,
          number: isGood ? place : nil, text: isGood ? "\(place)" : "\"text \(place)\""
        )
      }
      let json = "{" + members.map { "\"\($0.key)\":\($0.text)" }.joined(separator: ",") + "}"
      for rule in [DecodingOptions.DuplicateKeys.first, .last] {
        var good: [Letter: Int] = [:]
        var bad: [String] = []
        for (place, member) in members.enumerated() {
          let others = rule == .first ? members[..<place] : members[(place + 1)...]
          if Letter(rawValue: member.key) == nil {
            bad.append("/x")
          } else if !others.contains(where: { $0.key == member.key }) {
            good[Letter(rawValue: member.key)!] = member.number
            if member.number == nil { bad.append("/\(member.key) the string \(member.text)") }
          }
        }
        for most in [1, 2, 100] {
          let options = DecodingOptions(duplicateKeys: rule, maximumErrors: most)
          switch [Letter: Int].decode(from: json, options: options) {
          case .success(let found): #expect(found == good && bad.isEmpty, "\(json) \(rule)")
          case .failure(let error):
            let errors: [DecodeError] = error.underlying.isEmpty ? [error] : error.underlying
            let found = errors.map { error in
              let path = error.path.text
              return path == "/x" ? path : path + " " + (error.found ?? "")
            }
            #expect(found == Array(bad.prefix(most)), "\(json) \(rule) \(most)")
          }
        }
      }
    }
  }
}
