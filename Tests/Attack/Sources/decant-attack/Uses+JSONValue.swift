// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Loops over values that own their document.

import Decant

/// A loop over the document's root.
private func over(
  _ name: String, _ text: Text, twin: String? = nil,
  _ body: @escaping @Sendable (JSONValue) -> Int
) -> Use {
  Use("JSONValue: " + name, text, twin: twin.map { "JSONValue: " + $0 }) {
    bytes, options in
    var options = options
    options.maximumDepth = .max
    return JSONValue.parse(bytes, options: options).value.map(body) ?? 0
  }
}

/// A loop over the elements of the document's array.
private func each(
  _ name: String, _ text: Text = .short, twin: String? = nil,
  _ body: @escaping @Sendable (JSONValue) -> Int
) -> Use {
  over(name, text, twin: twin) { value in
    (value.array ?? []).reduce(1) { $0 &+ body($1) }
  }
}

private func size(_ text: String) -> Int { text.utf8.count }

let usesOfValues: [Use] = usesOfLookUps + usesOfWholeValues

private let usesOfLookUps: [Use] = [
  each("a look-up") { $0["id"].int ?? 0 },
  each("a look-up that finds nothing", twin: "a look-up") { size($0["nick"].string ?? "-") },
  each("a look-up below nothing", twin: "a look-up") { $0["nick"]["name"][3].int ?? 1 },
  each("a value of another kind", twin: "a look-up") { $0["name"].int ?? 1 },
  each("decode") { (try? $0.decode("id", as: Int.self)) ?? 0 },
  each("decode that fails", twin: "decode") { (try? $0.decode("name", as: Int.self)) ?? 1 },
  each("decode of nothing", twin: "decode") { (try? $0.decode("nick", as: Int.self)) ?? 1 },
  each("decode, its error looked at", twin: "decode") {
    $0.outcome { $0.decode("name", as: Int.self) }.error?.code == .typeMismatch ? 1 : 2
  },
  each("decoded") { $0.decoded([String: JSONValue].self).value?.count ?? 0 },
  each("decoded that fails", twin: "decoded") { $0.decoded([Int].self).value?.count ?? 1 },
  each("an error's text, alone") { _ in size(failure(of: one)) },
  each("an error's text", twin: "an error's text, alone") { size(failure(of: $0)) },
  each("the text of what is missing, alone") { _ in size("\(one["nick"].error?.description ?? "")")
  },
  each("the text of what is missing", twin: "the text of what is missing, alone") {
    size("\($0["nick"].error?.description ?? "")")
  },
  each("an explanation, alone") { _ in size(one.explain([String: Int].self).description) },
  each("an explanation", twin: "an explanation, alone") {
    size($0.explain([String: Int].self).description)
  },
  over("explaining all", .short, twin: "an explanation, alone") {
    size($0.explain([[String: JSONValue]].self).description)
  },
  over("explaining nested objects", .nested(#"{"b":1,"a":"#, "}", "0")) {
    size($0.explain(JSONValue.self).description)
  },
  over("decoding all", .short) { $0.decoded([[String: JSONValue]].self).value?.count ?? 0 },
  over("errors kept, then their texts", .short, twin: "an error's text, alone") { value in
    let errors = (value.array ?? []).map { $0.decoded([Int].self).error }
    return errors.reduce(0) { $0 + size($1?.description ?? "") }
  },
  over("an index loop", .short, twin: "a look-up") { value in
    (0..<value.count).reduce(1) { $0 &+ (value[$1]["id"].int ?? 0) }
  },
  over("an index loop, backwards", .short, twin: "a look-up") { value in
    (0..<value.count).reversed().reduce(1) { $0 &+ (value[$1]["id"].int ?? 0) }
  },
  over("an index loop, in no order", .short, twin: "a look-up") { value in
    let count = value.count
    return (0..<count).reduce(1) { $0 &+ (value[$1 &* 2_654_435_761 % count]["id"].int ?? 0) }
  },
  over("an index loop that finds nothing", .short, twin: "a look-up") { value in
    (0..<value.count).reduce(1) { $0 &+ (value[$1]["nick"].int ?? 1) }
  },
  over("pointers", .short) { value in
    (0..<value.count).reduce(1) { $0 &+ (value[pointer: JSONPointer("/\($1)/id")].int ?? 0) }
  },
  over("pointers that find nothing", .short, twin: "pointers") { value in
    (0..<value.count).reduce(1) { $0 &+ (value[pointer: JSONPointer("/\($1)/nick")].int ?? 1) }
  },
  over("members", .object("1")) { value in
    (value.members ?? []).reduce(1) { $0 &+ size($1.key) &+ ($1.value.int ?? 0) }
  },
  over("members by their keys", .object("1")) { value in
    (value.members ?? []).reduce(1) { $0 &+ (value[$1.key].int ?? 0) }
  },
  over(
    "members by keys that are not there", .object("1"), twin: "members by their keys"
  ) { value in
    (value.members ?? []).reduce(1) { $0 &+ (value[$1.key + "?"].int ?? 1) }
  },
]

private let usesOfWholeValues: [Use] = [
  each("views") { $0.withView { $0["id"].int ?? 0 } },
  each("views that look nothing up", twin: "views") { $0.withView { $0["nick"].int ?? 1 } },
  each("content", .records) {
    if case .object(let members) = $0.content { members.count } else { 0 }
  },
  each("objects", .records, twin: "content") { $0.object?.count ?? 0 },
  over("neighbours, compared", .records, twin: "content") { value in
    let elements = value.array ?? []
    return zip(elements, elements.dropFirst()).reduce(1) { $0 + ($1.0 == $1.1 ? 1 : 0) }
  },
  over("elements, hashed", .records, twin: "content") { Set($0.array ?? []).count },
  over("values, made") { distinct($0).count },
  over("values, made and hashed", twin: "values, made") { Set(distinct($0)).count },
  over("strings that Swift takes for one, hashed", .spellings("1"), twin: "values, made") {
    Set(distinct($0)).count
  },
  each("texts", .records) { size($0.jsonText(deep)) },
  each("pretty texts", .records, twin: "texts") { size($0.jsonText(deepPretty)) },
  over("the whole, written", .records) { $0.jsonBytes(deep).count },
  over("the whole, pretty", .records, twin: "the whole, written") {
    $0.jsonBytes(deepPretty).count
  },
  over("the whole, sorted", .records, twin: "the whole, written") {
    $0.jsonBytes(deepSorted).count
  },
  over("nested arrays, written", .nested("[", "]")) { $0.jsonBytes(deep).count },
  over("nested arrays, pretty", .nested("[", "]"), twin: "nested arrays, written") {
    $0.jsonBytes(deepPretty).count
  },
  over("nested objects, written", .nested(#"{"b":1,"a":"#, "}", "0")) { $0.jsonBytes(deep).count },
  over(
    "nested objects, sorted", .nested(#"{"b":1,"a":"#, "}", "0"), twin: "nested objects, written"
  ) {
    $0.jsonBytes(deepSorted).count
  },
  over("nested arrays, stepped into", .nested("[", "]"), twin: "nested arrays, written") { value in
    var (inner, depth) = (value, 0)
    while inner.count > 0 { (inner, depth) = (inner[0], depth + 1) }
    return depth
  },
  over("a copy of its members") {
    JSONValue(members: ($0.members ?? []).map { ($0.key, $0.value) }).count
  },
  over("a copy with its members turned round, compared", twin: "a copy of its members") { value in
    let members = (value.members ?? []).reversed().map { ($0.key, $0.value) }
    return JSONValue(members: members) == value ? 2 : 1
  },
  over("a copy of its elements", .records, twin: "content") { value in
    JSONValue(value.array ?? []) == value ? 2 : 1
  },
]

private func over(
  _ name: String, twin: String? = nil,
  _ body: @escaping @Sendable (JSONValue) -> Int
) -> Use { over(name, .object(#"{"a":[1,2]}"#), twin: twin, body) }

/// As many values as there are members, no two of them equal.
private func distinct(_ value: JSONValue) -> [JSONValue] {
  (value.members ?? []).map { [$0.value, JSONValue($0.key)] }
}

/// The text of the error of a decode that fails.
private func failure(of value: JSONValue) -> String {
  value.decoded([Int].self).error?.description ?? ""
}

/// A document of one record.
private let deep = JSONWritingOptions(maximumDepth: .max)
private let deepPretty = JSONWritingOptions(isPretty: true, maximumDepth: .max)
private let deepSorted = JSONWritingOptions(
  isPretty: true, sortsKeys: true, maximumDepth: .max)
private let one: JSONValue = ["id": 1_234_567, "name": "Ann"]
