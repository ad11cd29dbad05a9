// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Loops of models over views.

import Decant

/// A model that is a number: what the loop in `body` found.
private struct Loop: JSONDecodable {
  nonisolated(unsafe) static var body: (JSON) -> Int = { _ in 0 }
  let found: Int

  static func decode(_ json: JSON) -> Decoded<Loop> { .success(Loop(found: body(json))) }
}

/// A loop over the document's root.
private func over(
  _ name: String, _ text: Text, twin: String? = nil,
  _ body: @escaping @Sendable (JSON) -> Int
) -> Use {
  Use("JSON: " + name, text, twin: twin.map { "JSON: " + $0 }) { bytes, options in
    Loop.body = body
    return Loop.decode(from: bytes, options: options).value?.found ?? 0
  }
}

/// A loop over the elements of the document's array.
private func each(
  _ name: String, _ text: Text = .short, twin: String? = nil,
  _ body: @escaping @Sendable (JSON) -> Int
) -> Use {
  over(name, text, twin: twin) { json in
    var found = 1
    json.forEach { found &+= body($0) }
    return found
  }
}

private struct Person: JSONDecodable {
  let id: Int
  let name: String
  static func decode(_ json: JSON) -> Decoded<Person> {
    build(Person.init, json.decode("id"), json.decode("name"))
  }
}

/// Its `name` is not what the documents have.
private struct Wrong: JSONDecodable {
  let id: Int
  let name: Int
  static func decode(_ json: JSON) -> Decoded<Wrong> {
    build(Wrong.init, json.decode("id"), json.decode("name"))
  }
}

private func sum(_ sum: Int, _ model: Wrong) -> Int { sum &+ model.id }

/// A document of one record.
private let one: JSONValue = ["id": 1_234_567, "name": "Ann"]

let usesOfViews: [Use] = [
  each("a look-up") { $0["id"].int ?? 0 },
  each("a look-up that finds nothing", twin: "a look-up") { $0["nick"].int ?? 1 },
  each("a look-up below nothing", twin: "a look-up") { $0["nick"]["name"][3].int ?? 1 },
  each("a value of another kind", twin: "a look-up") { $0["name"].int ?? 1 },
  each("get") { (try? $0.get("id", as: Int.self)) ?? 0 },
  each("get that fails", twin: "get") { (try? $0.get("name", as: Int.self)) ?? 1 },
  each("get of nothing", twin: "get") { (try? $0.get("nick", as: Int.self)) ?? 1 },
  each("decode") { $0.decode("id", as: Int.self).value ?? 0 },
  each("decode that fails", twin: "decode") { $0.decode("name", as: Int.self).value ?? 1 },
  each("a model") { Person.decode($0).value?.id ?? 0 },
  each("a model that fails", twin: "a model") { Wrong.decode($0).value?.id ?? 1 },
  each("an alternative") { $0.decode("id", as: Int.self).or(.success(1)).value ?? 0 },
  each("an alternative after a failure", twin: "an alternative") {
    $0.decode("name", as: Int.self).or($0.decode("id", as: Int.self)).value ?? 0
  },
  // A text takes longer than a number; the twin makes as many, of errors in documents of one record.
  each("an error's text, alone") { _ in
    one.decoded(Wrong.self).error?.description.utf8.count ?? 0
  },
  each("an error's text", twin: "an error's text, alone") {
    Wrong.decode($0).error?.description.utf8.count ?? 0
  },
  over("decoding all", .short) { [Person].decode($0).value?.count ?? 0 },
  over("decoding all, each one wrong", .short, twin: "decoding all") {
    [Wrong].decode($0).error?.description.utf8.count ?? 0
  },
  over("decoding all, leniently", .short) {
    LossyArray<Person>.decode($0).value?.elements.count ?? 0
  },
  over("decoding all, leniently, each one wrong", .short, twin: "decoding all, leniently") {
    LossyArray<Wrong>.decode($0).value?.skipped.map(\.error.description.utf8.count).reduce(0, +)
      ?? 0
  },
  over("a fold of errors by combining", .short, twin: "an error's text, alone") { json in
    var all: DecodeError?
    json.forEach { element in
      guard let error = Wrong.decode(element).error else { return }
      all = all.map { .combining($0, error) } ?? error
    }
    return all?.description.utf8.count ?? 0
  },
  over("a fold of errors by <*>", .short, twin: "an error's text, alone") { json in
    var all = Decoded.success(0)
    json.forEach { all = curry(sum) <^> all <*> Wrong.decode($0) }
    return all.error?.description.utf8.count ?? 0
  },
  over("an index loop", .short, twin: "a look-up") { json in
    (0..<json.count).reduce(1) { $0 &+ (json[JSONKey($1)]["id"].int ?? 0) }
  },
  over("an index loop, backwards", .short, twin: "a look-up") { json in
    (0..<json.count).reversed().reduce(1) { $0 &+ (json[JSONKey($1)]["id"].int ?? 0) }
  },
  over("an index loop, in no order", .short, twin: "a look-up") { json in
    let count = json.count
    return (0..<count).reduce(1) {
      $0 &+ (json[JSONKey($1 &* 2_654_435_761 % count)]["id"].int ?? 0)
    }
  },
  over("an index loop that fails", .short, twin: "a look-up") { json in
    (0..<json.count).reduce(1) { $0 &+ ((try? json[JSONKey($1)].get("name", as: Int.self)) ?? 1) }
  },
  over("pointers", .short) { json in
    (0..<json.count).reduce(1) {
      $0 &+ (json.decode(pointer: JSONPointer("/\($1)/id"), as: Int.self).value ?? 0)
    }
  },
  over("pointers that find nothing", .short, twin: "pointers") { json in
    (0..<json.count).reduce(1) {
      $0 &+ (json.decode(pointer: JSONPointer("/\($1)/nick"), as: Int.self).value ?? 1)
    }
  },
  over("members", .object("1")) { json in
    var found = 1
    json.forEachMember { found &+= $0.utf8.count &+ ($1.int ?? 0) }
    return found
  },
  over("members by their keys", .object("1")) { json in
    json.keys.reduce(1) { $0 &+ (json[$1].int ?? 0) }
  },
  over(
    "members by keys that are not there", .object("1"), twin: "members by their keys"
  ) { json in
    json.keys.reduce(1) { $0 &+ (json[$1 + "?"].int ?? 1) }
  },
  over(
    "decodes by keys that are not there", .object("1"), twin: "members by their keys"
  ) { json in
    json.keys.reduce(1) { $0 &+ ((try? json.get(JSONKey($1 + "?"), as: Int.self)) ?? 1) }
  },
]
