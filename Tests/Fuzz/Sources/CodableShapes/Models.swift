// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Models around a shape: what the compiler writes, and what people write.

// MARK: - What the compiler writes

struct Box<Value: Shaped>: Shaped {
  let value: Value
  static func document(_ choices: inout Choices) -> String {
    object([("value", Value.part(&choices))], &choices)
  }
  var told: String { "Box(\(value.told))" }
}

struct Pair<Value: Shaped>: Shaped {
  let first: Value
  let userName: Value?
  let id: Int

  static func document(_ choices: inout Choices) -> String {
    let key = choices.one(of: ["userName", "user_name", "user_name_"])
    return object(
      [("first", Value.part(&choices)), (key, Value?.part(&choices)), ("id", "1")], &choices)
  }
  var told: String { "Pair(\(first.told), \(userName.told), \(id))" }
}

enum Choice<Value: Shaped>: Shaped {
  case one(Value)
  case both(first: Value, second: Int?)
  case none

  static func document(_ choices: inout Choices) -> String {
    switch choices.next(3) {
    case 0: object([("one", object([("_0", Value.part(&choices))], &choices))], &choices)
    case 1:
      object(
        [
          (
            "both",
            object([("first", Value.part(&choices)), ("second", Int?.part(&choices))], &choices)
          )
        ],
        &choices)
    default: object([("none", "{}")], &choices)
    }
  }
  var told: String {
    switch self {
    case .one(let value): "one(\(value.told))"
    case .both(let first, let second): "both(\(first.told), \(second.told))"
    case .none: "none"
    }
  }
}

indirect enum Tree: Shaped {
  case leaf(Int)
  case node(left: Tree, right: Tree?)

  static func document(_ choices: inout Choices) -> String {
    choices.next(3) == 1
      ? object(
        [("node", object([("left", part(&choices)), ("right", Tree?.part(&choices))], &choices))],
        &choices)
      : object([("leaf", object([("_0", Int.part(&choices))], &choices))], &choices)
  }
  var told: String {
    switch self {
    case .leaf(let number): "\(number)"
    case .node(let left, let right): "(\(left.told) \(right.told))"
    }
  }
}

// MARK: - What people write

/// Its value's document is its own.
struct Transparent<Value: Shaped>: Shaped {
  let value: Value
  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
  static func document(_ choices: inout Choices) -> String { Value.part(&choices) }
  var told: String { "Transparent(\(value.told))" }
}

/// Its value, or the error.
struct Try<Value: Shaped>: Shaped {
  let outcome: Result<Value, any Error>
  init(from decoder: any Decoder) throws { outcome = Result { try Value(from: decoder) } }
  static func document(_ choices: inout Choices) -> String { Value.part(&choices) }
  var told: String { tell(outcome) }
}

/// Tries a member as two types, and an absent one.
struct Tries<Value: Shaped>: Shaped {
  enum Key: String, CodingKey { case value, userName }
  var told: String

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    told = tell(Result { try members.decode(Bool.self, forKey: .value) })
    told += tell(Result { try members.decode(Value.self, forKey: .value) })
    told += tell(Result { try members.decodeIfPresent(Value.self, forKey: .userName) })
    told += tell(Result { try members.decode(Value.self, forKey: .userName) })
    told +=
      "\(members.contains(.userName)) \((try? members.decodeNil(forKey: .value)).map { "\($0)" } ?? "no value")"
    told += members.allKeys.map(\.rawValue).sorted().joined()
  }
  static func document(_ choices: inout Choices) -> String {
    object([("value", Value.part(&choices)), ("user_name", Value.part(&choices))], &choices)
  }
}

/// Walks an array by hand, beyond its end.
struct Walk<Value: Shaped>: Shaped {
  var told = ""

  init(from decoder: any Decoder) throws {
    var elements = try decoder.unkeyedContainer()
    told = "\(elements.count ?? -1)"
    for _ in 0..<4 {
      told += " \(elements.currentIndex)\(elements.isAtEnd)"
      told += tell(Result { try elements.decodeNil() })
      if tells(Result { try elements.decode(Value.self) }) { continue }
      if tells(Result { try elements.decodeIfPresent(String.self) }) { continue }
      if tells(Result { try elements.nestedUnkeyedContainer().count ?? -1 }) { continue }
      if tells(
        Result { try elements.nestedContainer(keyedBy: Tries<Value>.Key.self).allKeys.count })
      {
        continue
      }
      _ = tells(Result { try String(from: elements.superDecoder()) })
    }
  }

  /// Tells an outcome, and whether there was a value.
  private mutating func tells<Success: Shaped>(_ result: Result<Success, any Error>) -> Bool {
    told += tell(result)
    return (try? result.get()) != nil
  }
  static func document(_ choices: inout Choices) -> String { [Value].document(&choices) }
}

/// Containers within containers, with decoders for a superclass.
struct Nested<Value: Shaped>: Shaped {
  enum Key: String, CodingKey { case outer, list, inner, base = "super" }
  let told: String

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    let outer = try members.nestedContainer(keyedBy: Key.self, forKey: .outer)
    var list = try outer.nestedUnkeyedContainer(forKey: .list)
    let inner = Result { try list.decode(Value.self) }
    let base = Result { try Value(from: members.superDecoder()) }
    let named = Result { try Value?(from: outer.superDecoder(forKey: .inner)) }
    told = tell(inner) + tell(base) + tell(named) + path(outer.codingPath) + path(list.codingPath)
  }
  static func document(_ choices: inout Choices) -> String {
    let outer = object(
      [("list", "[" + Value.part(&choices) + "]"), ("inner", Value?.part(&choices))], &choices)
    return object([("outer", outer), ("super", Value.part(&choices))], &choices)
  }
}

/// Keeps the containers that it was decoded from, and decodes after `init(from:)` has returned. Not the decoder
/// itself: `JSONDecoder`'s is then at whatever value it decodes at that time.
struct Kept<Value: Shaped>: Shaped {
  let members: KeyedDecodingContainer<Tries<Value>.Key>
  let base: any Decoder

  init(from decoder: any Decoder) throws {
    members = try decoder.container(keyedBy: Tries<Value>.Key.self)
    base = try members.superDecoder(forKey: .userName)
  }
  static func document(_ choices: inout Choices) -> String { Tries<Value>.document(&choices) }
  var told: String {
    tell(Result { try members.decode(Value.self, forKey: .value) })
      + tell(Result { try Value(from: base) })
      + tell(Result { try members.decodeIfPresent(Value.self, forKey: .value) })
      + path(base.codingPath)
  }
}

// MARK: - Outcomes

func tell<Success: Shaped>(_ result: Result<Success, any Error>) -> String {
  switch result {
  case .success(let value): value.told
  case .failure(let error): tell(error)
  }
}

/// An error's case, what it is about, and its path.
func tell(_ error: any Error) -> String {
  switch error {
  case DecodingError.typeMismatch(let type, let context):
    "«mismatch \(type) \(path(context.codingPath))»"
  case DecodingError.valueNotFound(let type, let context):
    "«no value \(type) \(path(context.codingPath))»"
  case DecodingError.keyNotFound(let key, let context):
    "«no key \(key.stringValue) \(path(context.codingPath))»"
  // Numbers that no type holds and strings that are no date have a path here only.
  case DecodingError.dataCorrupted: "«corrupted»"
  // So does JSONDecoder's own error for a number, which it lets out of a nested decoder as it is.
  case _ where "\(error)".hasPrefix("numberIsNotRepresentableInSwift"): "«corrupted»"
  default: "«\(error)»"
  }
}

func path(_ keys: [any CodingKey]) -> String {
  keys.map { "/\($0.stringValue)#\($0.intValue.map(String.init) ?? "")" }.joined()
}
