// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Loops of `Decodable` models, and of programs that decode value by value.

import Decant

private func over<Model: Decodable & SendableMetatype>(
  _ name: String, _ type: Model.Type, _ text: Text = .short, convertsKeys: Bool = false,
  twin: String? = nil, _ check: @escaping @Sendable (Model) -> Int
) -> Use {
  Use("Codable: " + name, text, twin: twin.map { "Codable: " + $0 }) {
    bytes, options in
    let decoder = DecantDecoder()
    decoder.options = options
    if convertsKeys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    return (try? decoder.decode(Model.self, from: bytes)).map(check) ?? 1
  }
}

/// A decoder's call for each element of a document that is kept.
private func each<Model: Decodable & SendableMetatype>(
  _ name: String, _ type: Model.Type, _ text: Text = .short, twin: String? = nil,
  _ failure: @escaping @Sendable (any Error) -> Int = { _ in 1 }
) -> Use {
  Use("Codable: " + name, text, twin: twin.map { "Codable: " + $0 }) { bytes, options in
    let decoder = DecantDecoder()
    guard let elements = JSONValue.parse(bytes, options: options).value?.array else { return 0 }
    var found = 1
    for element in elements {
      do {
        _ = try decoder.decode(Model.self, from: element)
        found += 1
      } catch { found += failure(error) }
    }
    return found
  }
}

/// A call of another decoder for each element of a document that is read.
private func list<Model: Decodable & SendableMetatype>(
  _ name: String, _ type: Model.Type, twin: String? = nil
) -> Use {
  Use("Codable: " + name, .short, twin: twin.map { "Codable: " + $0 }) { bytes, options in
    let list = try? LossyArray<CodableModel<Model>>(decoding: bytes, options: options)
    return list.map { $0.elements.count + $0.skippedCount } ?? 0
  }
}

private struct Person: Decodable {
  let id: Int
  let name: String
}

/// Its `name` is not what the documents have.
private struct Wrong: Decodable {
  let id: Int
  let name: Int
}

private struct Missing: Decodable {
  let id: Int
  let nick: String
}

private struct Optionals: Decodable {
  let nick: String?
  let mail: String?
}

/// A model, or nil where its decoding failed.
private struct Try<Model: Decodable>: Decodable {
  let model: Model?
  init(from decoder: any Decoder) throws { model = try? Model(from: decoder) }
}

/// The text of a failed decode's error.
private struct TryAndTell<Model: Decodable>: Decodable {
  let text: String
  init(from decoder: any Decoder) throws {
    do {
      _ = try Model(from: decoder)
      text = ""
    } catch { text = "\(error)" }
  }
}

private struct Either: Decodable {
  init(from decoder: any Decoder) throws {
    do { _ = try Wrong(from: decoder) } catch { _ = try Person(from: decoder) }
  }
}

private struct Containers: Decodable {
  enum Key: String, CodingKey { case id, name, at, tags, nick }
  let count: Int

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    let at = try members.nestedContainer(keyedBy: Key.self, forKey: .at)
    let tags = try members.nestedUnkeyedContainer(forKey: .tags)
    count = at.allKeys.count + (tags.count ?? 0) + decoder.codingPath.count
  }
}

private struct FailingContainers: Decodable {
  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Containers.Key.self)
    _ = try? members.nestedContainer(keyedBy: Containers.Key.self, forKey: .id)
    _ = try? members.nestedUnkeyedContainer(forKey: .nick)
    _ = try? members.superDecoder().singleValueContainer().decode(Int.self)
    _ = try? members.superDecoder(forKey: .nick).unkeyedContainer()
  }
}

/// Keeps the container that it was decoded from, and asks it later.
private struct Kept: Decodable {
  let members: KeyedDecodingContainer<Containers.Key>
  init(from decoder: any Decoder) throws {
    members = try decoder.container(keyedBy: Containers.Key.self)
  }
}

/// Tries each element as what it is not, then as what it is, without a type between.
private struct Tries: Decodable {
  let count: Int
  init(from decoder: any Decoder) throws {
    var elements = try decoder.unkeyedContainer()
    var count = 0
    while !elements.isAtEnd {
      if (try? elements.decode(Wrong.self)) == nil { _ = try elements.decode(Person.self) }
      count += 1
    }
    self.count = count
  }
}

/// The same in both halves of an array by turns.
private struct Turns: Decodable {
  let count: Int
  init(from decoder: any Decoder) throws {
    var halves = [try decoder.unkeyedContainer(), try decoder.unkeyedContainer()]
    count = (halves[0].count ?? 0) / 2 * 2
    for _ in 0..<count / 2 { _ = try halves[1].decode(Person.self) }
    for turn in 0..<count where (try? halves[turn % 2].decode(Wrong.self)) == nil {
      _ = try halves[turn % 2].decode(Person.self)
    }
  }
}

/// Asks an object for every one of its keys, and for as many that it has not.
private struct Names: Decodable {
  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
  let count: Int

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    count = try members.allKeys.reduce(0) {
      let other = Name(stringValue: $1.stringValue + "?")
      return try $0 + members.decode(Int.self, forKey: $1)
        + (members.contains(other) ? 1 : 0)
        + (members.decodeIfPresent(Int.self, forKey: other) ?? 0)
        + ((try? members.decode(Int.self, forKey: other)) ?? 1)
    }
  }
}

/// Remembers the path at which it was decoded.
private struct Paths: Decodable {
  let depth: Int
  init(from decoder: any Decoder) throws { depth = decoder.codingPath.count }
}

/// Writes into its nested container after another member, so that the container's text is put there in the end.
private struct Turned: Encodable {
  let person: Person
  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Containers.Key.self)
    var at = members.nestedContainer(keyedBy: Containers.Key.self, forKey: .at)
    try members.encode(person.id, forKey: .id)
    try at.encode(person.name, forKey: .name)
  }
}

/// The same, and a member that fails behind it, which the model does without.
private struct TurnedAndTried: Encodable {
  let person: Person
  struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(1)
      throw EncodingError.invalidValue(1, .init(codingPath: [], debugDescription: "on purpose"))
    }
  }
  func encode(to encoder: any Encoder) throws {
    try Turned(person: person).encode(to: encoder)
    var members = encoder.container(keyedBy: Containers.Key.self)
    try? members.encode(Failing(), forKey: .tags)
  }
}

private func encoded(_ models: some Encodable) -> Int {
  (try? DecantEncoder().encode(models) as [UInt8])?.count ?? 1
}

private struct Numbered: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ number: Int) { stringValue = "k\(number)" }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Two values for the container of every member, both at once or in two rounds.
private struct Rounds: Encodable {
  let count: Int
  let rounds: [[Int]]

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Numbered.self)
    for round in rounds {
      for number in 0..<count {
        var nested = members.nestedContainer(keyedBy: Numbered.self, forKey: Numbered(number))
        for value in round { try nested.encode(value, forKey: Numbered(value)) }
      }
    }
  }
}

private func encoding(_ name: String, _ rounds: [[Int]], twin: String? = nil) -> Use {
  Use("Codable: " + name, .short, twin: twin.map { "Codable: " + $0 }) { bytes, _ in
    encoded(Rounds(count: bytes.count / 28, rounds: rounds))
  }
}

let usesOfCodable: [Use] = [
  over("models", [Person].self) { $0.count },
  over("containers written to by turns", [Person].self) { encoded($0.map(Turned.init)) },
  over(
    "containers written to by turns, beside failures", [Person].self,
    twin: "containers written to by turns"
  ) { encoded($0.map(TurnedAndTried.init)) },
  encoding("containers of members, asked for once", [[0, 1]]),
  encoding(
    "containers of members, asked for again", [[0], [1]],
    twin: "containers of members, asked for once"),
  over("models, each one tried", [Try<Person>].self, twin: "models") { $0.count },
  over("models, each one tried and wrong", [Try<Wrong>].self, twin: "models") { $0.count },
  over("models, each one tried and missing", [Try<Missing>].self, twin: "models") { $0.count },
  over("absent members", [Optionals].self, twin: "models") { $0.count },
  over("a second try in a decoder", [Either].self, twin: "models") { $0.count },
  over("a second try in a container", Tries.self, twin: "models") { $0.count },
  over(
    "a second try in two places by turns", Turns.self, twin: "a second try in a container"
  ) { $0.count },
  over("an error's text, each", [TryAndTell<Wrong>].self, twin: "an error's text, alone") {
    $0.reduce(0) { $0 + $1.text.utf8.count }
  },
  Use("Codable: an error's text, alone", .short) { bytes, options in
    let decoder = DecantDecoder()
    return (JSONValue.parse(bytes, options: options).value?.array ?? []).reduce(1) { sum, _ in
      sum + ((try? decoder.decode(TryAndTell<Wrong>.self, from: one))?.text.utf8.count ?? 0)
    }
  },
  over("containers", [Containers].self, .records) { $0.count },
  over("containers that are not there", [FailingContainers].self, .records, twin: "containers") {
    $0.count
  },
  over("containers kept, asked later", [Kept].self, .records, twin: "containers") { kept in
    kept.reduce(1) { $0 &+ ((try? $1.members.decode(Int.self, forKey: .id)) ?? 0) }
  },
  over("containers kept, asked later in vain", [Kept].self, .records, twin: "containers") { kept in
    kept.reduce(1) { $0 &+ ((try? $1.members.decode(Int.self, forKey: .name)) ?? 1) }
  },
  over("paths", [Paths].self, .records, twin: "containers") { $0.count },
  over("a dictionary", [String: Int].self, .object("1")) { $0.count },
  over(
    "a dictionary of tries", [String: Try<String>].self, .object("1"), twin: "a dictionary"
  ) {
    $0.count
  },
  over("keys, one by one", Names.self, .object("1"), twin: "a dictionary") {
    $0.count
  },
  over(
    "keys that are equal as strings, one by one", Names.self, .spellings("1"),
    twin: "keys, one by one"
  ) { $0.count },
  over("converted keys", [Person].self, convertsKeys: true) { $0.count },
  over(
    "converted keys of two kinds of objects by turns", [Person].self,
    .array(#"{"id":1234567,"name":"Ann"},{"user_name":"","name":"Ann","id":1234567}"#),
    convertsKeys: true, twin: "converted keys"
  ) { $0.count },
  over("converted keys, one by one", Names.self, .object("1"), convertsKeys: true) { $0.count },
  over("converted keys, all of them different", [Names].self, .numbered("1"), convertsKeys: true) {
    $0.count
  },
  each("values, one by one", Person.self),
  each("values, one by one and wrong", Wrong.self, twin: "values, one by one"),
  each("values, one by one and missing", Missing.self, twin: "values, one by one"),
  list("models in a list of another decoder's", Person.self),
  list(
    "models in a list of another decoder's, all wrong", Wrong.self,
    twin: "models in a list of another decoder's"),
  list(
    "models in a list of another decoder's, their containers kept", Kept.self,
    twin: "models in a list of another decoder's"),
  each(
    "values, one by one, their containers kept", Kept.self, .records, twin: "values, one by one"),
  each("values, one by one, their errors' texts", Wrong.self, twin: "an error's text, alone") {
    "\($0)".utf8.count
  },
]

/// A document of one record.
private let one: JSONValue = ["id": 1_234_567, "name": "Ann"]
