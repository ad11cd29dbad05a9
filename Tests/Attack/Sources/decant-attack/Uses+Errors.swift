// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Documents of which every element is wrong, and whoever tells of it. What a document's errors take is bounded once, for
// the document, whatever containers they are in; and an error costs what its value costs, not what is above it:
//
//   {"kkkk…kkkk":[["x"],["x"],…]}     a key of half the document on the path of each error

import Decant
import DecantLines

private struct Strings: JSONDecodable {
  let tags: LossyArray<String>
  static func decode(_ json: JSON) -> Decoded<Strings> {
    json.decode("tags").map { Strings(tags: $0) }
  }
}

private struct Row: JSONDecodable {
  let a: [String], b: [String], c: [String], d: [String], e: [String], f: [String]
  let g: [String], h: [String], i: [String], j: [String], k: [String], l: [String]

  static func decode(_ json: JSON) -> Decoded<Row> {
    build(
      Row.init, json.decode("a"), json.decode("b"), json.decode("c"), json.decode("d"),
      json.decode("e"), json.decode("f"), json.decode("g"), json.decode("h"), json.decode("i"),
      json.decode("j"), json.decode("k"), json.decode("l"))
  }
}

private struct Keys: JSONDecodable {
  let a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int

  static func decode(_ json: JSON) -> Decoded<Keys> {
    build(
      Keys.init, json.decode("a"), json.decode("b"), json.decode("c"), json.decode("d"),
      json.decode("e"), json.decode("f"), json.decode("g"), json.decode("h"))
  }
}

private struct Codable: Decodable, Sendable { let id: Int }

/// An element of a list, whose failure is forgiven.
private struct Lenient<Model: Decodable & Sendable>: Decodable, Sendable {
  let model: Model?

  init(from decoder: any Decoder) throws {
    model = try? decoder.singleValueContainer().decode(Model.self)
  }
}

/// A model of both kinds, whose errors become Codable's.
private struct Both: Decodable, JSONDecodable, Sendable {
  let id: Int
  static func decode(_ json: JSON) -> Decoded<Both> { json.decode("id").map { Both(id: $0) } }
  init(id: Int) { self.id = id }
}

/// Unions that contain themselves, by the operator and as conversions.
private indirect enum Tree: JSONDecodable {
  case leaf(Int), list([Tree]), object([String: Tree])
  static func decode(_ json: JSON) -> Decoded<Tree> {
    Int.decode(json).map(Tree.leaf) <|> [Tree].decode(json).map(Tree.list)
      <|> [String: Tree].decode(json).map(Tree.object)
  }
}

private indirect enum ConvertedTree: JSONDecodable {
  case leaf(Int), list([ConvertedTree]), object([String: ConvertedTree])
  static func decode(_ json: JSON) -> Decoded<ConvertedTree> {
    let list = JSONConversion<ConvertedTree>.model(ConvertedTree.list)
    return json.converted(
      using: .model(ConvertedTree.leaf).or(list.or(.model(ConvertedTree.object))))
  }
}

/// A union of models and of lists, one inside the other.
private enum Union: JSONDecodable {
  case keys(Keys), row(Row), id(Codable), numbers([Int]), flags([Bool])
  static func decode(_ json: JSON) -> Decoded<Union> {
    let lists = [Int].decode(json).map(numbers) <|> [Bool].decode(json).map(flags)
    let models = Keys.decode(json).map(keys) <|> Row.decode(json).map(row)
    return lists <|> (models <|> CodableModel<Codable>.decode(json).map { id($0.model) })
  }
}

/// The use of a document of wrong elements, and its twin of right ones.
private func decoding<Model: JSONDecodable>(
  _ type: Model.Type, _ name: String, right: Text, wrong: Text,
  _ read: @escaping @Sendable (Decoded<Model>) -> Int
) -> [Use] {
  @Sendable func run(_ bytes: [UInt8], _ options: DecodingOptions) -> Int {
    read(Model.decode(from: bytes, options: options))
  }
  return [
    Use("errors: right " + name, right, run: run),
    Use("errors: wrong " + name, wrong, twin: "errors: right " + name, run: run),
  ]
}

/// Reads all that an error says but its path, which is as long as the key.
private func told(_ error: DecodeError?) -> Int {
  guard let error else { return 1 }
  return error.description.utf8.count + error.jsonText.utf8.count + error.message.utf8.count
    + (error.location?.column ?? 0) + (error.found?.utf8.count ?? 0) + error.count
}

private func below(
  _ name: String, _ record: String = "[\"x\"]",
  _ run: @escaping @Sendable ([UInt8], DecodingOptions) -> Int
) -> Use { Use("errors: below a long key, " + name, .belowKey(record), run: run) }

/// The values below the key, one by one.
private func values(
  _ bytes: [UInt8], _ options: DecodingOptions, _ body: (DecodeError) -> Int
) -> Int {
  let value = try? JSONValue(parsing: bytes, options: options)
  return value?.members?.first?.value.array?.reduce(1) { found, value in
    found &+ (value.outcome { Int.decode($0) }.error.map(body) ?? 0)
  } ?? 0
}

private func record(_ element: String, _ count: Int) -> String {
  "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
}

private func nested(_ depth: Int, _ inner: String) -> String {
  String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
}

private func row(_ list: String) -> String {
  "{" + "abcdefghijkl".map { "\"\($0)\":\(list)" }.joined(separator: ",") + "}"
}

let usesOfErrors: [Use] =
  decoding(
    [Strings].self, "lists in lossy lists",
    right: .array("{\"tags\":\(record("\"\"", 64))}"),
    wrong: .array("{\"tags\":\(record("10", 64))}")
  ) { ($0.value?.count ?? 0) + 1 }
  + decoding(
    LossyArray<[Int]>.self, "lists that are skipped", right: .array(record("1", 64)),
    wrong: .array(record("[]", 32))
  ) { ($0.value?.skippedCount ?? 0) + 1 }
  + decoding(
    LossyDictionary<String, LossyArray<[Int]>>.self, "lists in lossy lists of an object",
    right: .object("[[1,2],[3,4]]"), wrong: .object("[[[],{}],[{}]]")
  ) { ($0.value?.elements.count ?? 0) + 1 }
  + decoding(
    [Row].self, "lists of twelve fields", right: .array(row(record("\"\"", 64))),
    wrong: .array(row(record("10", 64)))
  ) { told($0.error) }
  + decoding(
    LossyArray<Keys>.self, "objects that lack all keys",
    right: .array(#"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1}"#),
    wrong: .array(#"{"A":1,"B":1,"C":1,"D":1,"E":1,"F":1,"G":1,"H":1}"#)
  ) { ($0.value?.skippedCount ?? 0) + 1 }
  + decoding(
    LossyArray<CodableModel<Codable>>.self, "Codable models",
    right: .array(#"{"id":1234567}"#), wrong: .array(#"{"id":"12345"}"#)
  ) { ($0.value?.skippedCount ?? 0) + 1 }
  + [8, 100].flatMap { depth in
    decoding(
      [Tree].self, "unions, \(depth) levels of operators", right: .array(nested(depth, "123")),
      wrong: .array(nested(depth, "\"x\""))
    ) { told($0.error) }
      + decoding(
        LossyArray<ConvertedTree>.self, "unions, \(depth) levels of conversions",
        right: .array(nested(depth, "123")), wrong: .array(nested(depth, "\"x\""))
      ) { ($0.value?.skipped.reduce(0) { $0 &+ told($1.error) } ?? 0) + 1 }
  }
  + decoding(
    LossyArray<Tree>.self, "unions of lists", right: .array(record(record("1", 8), 8)),
    wrong: .array(record(record("\"\"", 8), 8))
  ) { ($0.value?.skipped.reduce(0) { $0 &+ told($1.error) } ?? 0) + 1 }
  + decoding(
    LossyArray<Union>.self, "unions of models and lists", right: .array(record("true", 64)),
    wrong: .array(record("\"no\"", 64))
  ) { ($0.value?.skipped.reduce(0) { $0 &+ told($1.error) } ?? 0) + 1 }
  + decoding(
    // Right by the last of five alternatives.
    [Union].self, "unions of models",
    right: .array(#"{"id":1,"B":1,"C":1,"D":1,"E":1,"F":1,"G":1,"H":1}"#),
    wrong: .array(#"{"ID":1,"B":1,"C":1,"D":1,"E":1,"F":1,"G":1,"H":1}"#)
  ) { told($0.error) }
  + [
    below("decode") { bytes, options in
      told([String: [Int]].decode(from: bytes, options: options).error)
    },
    below("skipped, and read") { bytes, options in
      let lists = [String: LossyArray<Int>].decode(from: bytes, options: options).value
      return lists?.first?.value.skipped.reduce(1) { $0 &+ told($1.error) } ?? 0
    },
    below("skipped by many") { bytes, options in
      let lists = [String: [LossyArray<Int>]].decode(from: bytes, options: options).value
      return lists?.first?.value.reduce(1) {
        $0 &+ $1.skippedCount &+ $1.skipped.reduce(0) { $0 &+ told($1.error) }
      } ?? 0
    },
    below("places of values") { values($0, $1) { $0.location?.column ?? 1 } },
    below("texts of values") { values($0, $1) { told($0) } },
    below("explained") { bytes, options in
      let value = try? JSONValue(parsing: bytes, options: options)
      return value?.explain([String: [[Int]]].self).description.utf8.count ?? 0
    },
    below("explained, skipped") { bytes, options in
      let value = try? JSONValue(parsing: bytes, options: options)
      return value?.explain([String: [LossyArray<Int>]].self).fields.count ?? 0
    },
    below("lines") { bytes, options in
      JSONLines<[String: [Int]]>(bytes, options: options).reduce(1) { $0 &+ told($1.result.error) }
    },
    below("Codable, forgiven", "{}") { bytes, options in
      let decoder = DecantDecoder()
      decoder.options = options
      let lists = try? decoder.decode([String: [Lenient<Codable>]].self, from: bytes)
      return lists?.first?.value.count ?? 0
    },
    below("JSONDecodable in Codable, forgiven", #"{"id":"x"}"#) { bytes, options in
      let decoder = DecantDecoder()
      decoder.options = options
      let lists = try? decoder.decode([String: [Lenient<Both>]].self, from: bytes)
      return lists?.first?.value.count ?? 0
    },
    below("Codable, skipped", "{}") { bytes, options in
      let lists = [String: LossyArray<CodableModel<Codable>>].decode(from: bytes, options: options)
      return lists.value?.first?.value.skippedCount ?? 0
    },
  ]
