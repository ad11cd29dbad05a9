// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lossy containers in Codable models. A DecantDecoder decodes each element as it decodes any other value, with the
// strategies, and its errors have path and place. Another decoder decodes attempts, which never fail; its errors have
// the path that it says.
//
//   [1,"x",3]     1, typeMismatch, 3     elements 1, 3; skipped 1: …

public import DecantCore

extension LossyArray: Decodable where Element: Decodable {
  /// An array, by any decoder; elements that fail are reported in ``skipped``.
  ///
  /// Errors of other decoders than ``DecantDecoder`` have their text and path but no place; the default of
  /// ``DecodingOptions/maximumErrors`` limits how many are kept.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try LossyArray.decode(by: decoder)
      return
    }
    var (elements, failures): ([Element], [(Int, DecodeError)]) = ([], [])
    let attempts = try decoder.singleValueContainer().decode([Attempt<Element>].self)
    elements.reserveCapacity(attempts.count)
    for (index, attempt) in attempts.enumerated() {
      switch attempt.result {
      case .success(let element): elements.append(element)
      case .failure(let error): failures.append((index, error))
      }
    }
    self.init(elements, failures)
  }
}

extension LossyArray: StrategyDecodable where Element: Decodable {
  package static func decode(by decoder: ValueDecoder) throws -> LossyArray {
    guard decoder.json.kind == .array else { throw decoder.notA("an array", [Any].self) }
    var index = 0
    let result = decode(decoder.json) { element in
      defer { index += 1 }
      return decoder.attempt(Element.self, element.node, nil, index)
    }
    switch result {
    case .success(let array): return array
    case .failure(let error): throw decoder.failure(error, of: LossyArray.self)
    }
  }
}

extension LossyArray: Encodable where Element: Encodable {
  /// The elements that were decoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension LossyDictionary: Decodable where Key: JSONObjectKey, Value: Decodable {
  /// An object, by any decoder; members that fail are reported in ``skipped``. With other decoders than
  /// ``DecantDecoder``, these are sorted by key. Key strategies do not apply.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try LossyDictionary.decode(by: decoder)
      return
    }
    var (elements, failures): ([Key: Value], [(String, DecodeError)]) = ([:], [])
    let attempts = try decoder.singleValueContainer().decode([String: Attempt<Value>].self)
    for (name, attempt) in attempts.sorted(by: { $0.key < $1.key }) {
      guard let key = Key(jsonKey: name) else {
        let path = JSONPointer(decoder.codingPath.map(\.token) + [.key(name)])
        let error = DecodeError.reported(
          .invalidValue, "the key is not an accepted key", at: path)
        failures.append((name, error))
        continue
      }
      switch attempt.result {
      case .success(let value): if elements[key] == nil { elements[key] = value }
      case .failure(let error): failures.append((name, error))
      }
    }
    self.init(elements, failures)
  }
}

extension LossyDictionary: StrategyDecodable where Key: JSONObjectKey, Value: Decodable {
  package static func decode(by decoder: ValueDecoder) throws -> LossyDictionary {
    guard decoder.json.kind == .object else {
      throw decoder.notA("an object", [String: Any].self)
    }
    let member = DictionaryStorage(decoder)
    let result = decode(decoder.json) { name, value in
      member.name = name
      return decoder.attempt(Value.self, value.node, member, ValueDecoder.noIndex)
    }
    switch result {
    case .success(let dictionary): return dictionary
    case .failure(let error): throw decoder.failure(error, of: LossyDictionary.self)
    }
  }
}

extension LossyDictionary: Encodable where Key: JSONObjectKey, Value: Encodable {
  /// The members that were decoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let members = elements.map { ($0.key.jsonKey, $0.value) }
    try container.encode(Dictionary(members) { first, _ in first })
  }
}

extension ValueDecoder {
  /// A value inside this one, or its error.
  fileprivate func attempt<Model: Decodable>(
    _ type: Model.Type, _ node: UInt64, _ container: KeyedStorage?, _ index: Int
  ) -> Decoded<Model> {
    // SAFETY: the context outlives the call; it files the decoder of a type under that type.
    context.decoder(of: type).with {
      unsafe unsafeDowncast($0, to: TypeDecoder<Model>.self).attempt(node, self, container, index)
    }
  }
}

// MARK: - Other decoders

/// A value that another decoder decodes, or its error.
private struct Attempt<Value: Decodable>: Decodable {
  let result: Result<Value, DecodeError>

  init(from decoder: any Decoder) throws {
    do { result = .success(try decoder.singleValueContainer().decode(Value.self)) } catch {
      result = .failure(DecodeError(reported: error, at: decoder.codingPath))
    }
  }
}

extension DecodeError {
  /// The error that another decoder threw for a value on a path.
  fileprivate init(reported error: any Error, at path: [any CodingKey]) {
    if let error = error as? DecodeError {
      self = error
      return
    }
    guard let known = error as? DecodingError, let (code, context) = known.parts else {
      self = .reported(.custom, String(describing: error), at: JSONPointer(path.map(\.token)))
      return
    }
    var steps = context.codingPath.map(\.token)
    if case .keyNotFound(let key, _) = known { steps.append(.key(key.stringValue)) }
    self = .reported(code, context.debugDescription, at: JSONPointer(steps))
  }
}

extension CodingKey {
  /// The step that the key is, by the name that decoders give an element.
  fileprivate var token: JSONPointer.Token {
    if let index = intValue, stringValue == "Index \(index)" { return .index(index) }
    return .key(stringValue)
  }
}
