// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How the standard library's types are decoded.

internal import CDecantIndex
internal import DecantCore

// MARK: - Arrays

class ArrayDecoder<Element: Decodable>: TypeDecoder<[Element]> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> [Element] {
    try decoder.withChild(node, in: container, at: index) { decoder in
      guard decoder.json.kind == .array else { throw decoder.notA("an array", [Any].self) }
      let count = decoder.json.count
      if count == 0 { return [] }
      return unsafe try Array(unsafeUninitializedCapacity: count) { buffer, made in
        try unsafe decode(count, decoder, into: buffer.baseAddress!, &made)
      }
    }
  }

  // SAFETY: the caller has memory for `count` elements.
  private func decode(
    _ count: Int, _ decoder: ValueDecoder, into buffer: UnsafeMutablePointer<Element>,
    _ made: inout Int
  ) throws {
    let elementDecoder = decoder.context.decoder(of: Element.self)
    let isNative = decoder.json.isNative
    var next = isNative ? decoder.node &+ 2 : 0
    while made < count {
      let element = isNative ? next : decoder.json.element(made)
      // SAFETY: the context files the decoder of a type under that type.
      try elementDecoder.with {
        try unsafe unsafeDowncast($0, to: TypeDecoder<Element>.self)
          .decode(element, decoder, at: made, into: buffer + made)
      }
      made += 1
      // SAFETY: as in ValueDecoder.
      if isNative { next = decoder.document.view(next).after }
    }
  }
}

/// An array that the pipeline decodes as `JSONDecoder` would, by a loop that is compiled for the element. What the
/// loop refuses, such as `1.0` for an `Int`, is decoded in general, or fails with the general reason.
private final class PipelineArrayDecoder<Element: Decodable>: ArrayDecoder<Element> {
  private let pipeline: (JSON, Int) -> Decoded<[Element]>

  init(_ pipeline: @escaping (JSON, Int) -> Decoded<[Element]>) { self.pipeline = pipeline }

  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> [Element] {
    // SAFETY: as in ValueDecoder.
    let json = decoder.document.view(node)
    if json.isNativeArray {
      let count = json.elementCount
      if count == 0 { return [] }
      if case .success(let array) = pipeline(json, count) { return array }
    }
    return try super.decode(node, decoder, container, index)
  }
}

// MARK: - Optionals and dictionaries

private final class OptionalDecoder<Wrapped: Decodable>: TypeDecoder<Wrapped?> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Wrapped? {
    // SAFETY: as in ValueDecoder.
    let json = decoder.document.view(node)
    if json.isNull || !json.exists { return nil }
    return try decoder.decode(Wrapped.self, node, container, index)
  }
}

/// Dictionaries by string, whose keys no strategy converts. Duplicates follow the document's rule. Under a key
/// strategy `JSONDecoder` also decodes the duplicates that do not count, and its paths have no numbers.
private class DictionaryDecoder<Value: Decodable>: TypeDecoder<[String: Value]> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> [String: Value] {
    try decoder.withChild(node, in: container, at: index) { decoder in
      guard decoder.json.kind == .object else {
        throw decoder.notA("an object", [String: Any].self)
      }
      let storage = DictionaryStorage(decoder)
      let keepsLast = decoder.json.keepsLastDuplicate
      var dictionary: [String: Value] = [:]
      dictionary.reserveCapacity(decoder.json.count)
      var cursor = ChildCursor(decoder.json)
      while let value = cursor.next(in: decoder.json) {
        storage.name = cursor.key(in: decoder.json)
        let counts =
          keepsLast
          ? decoder.json.member(storage.name) == value : dictionary[storage.name] == nil
        if !counts && (keepsLast || !decoder.convertsKeys) { continue }
        let model = try decoder.decode(Value.self, value, storage, ValueDecoder.noIndex)
        if counts { dictionary[storage.name] = model }
      }
      return dictionary
    }
  }
}

/// A dictionary that the pipeline decodes as `JSONDecoder` would, as `PipelineArrayDecoder` does an array.
private final class PipelineDictionaryDecoder<Value: Decodable>: DictionaryDecoder<Value> {
  private let pipeline: (JSON) -> Decoded<[String: Value]>

  init(_ pipeline: @escaping (JSON) -> Decoded<[String: Value]>) { self.pipeline = pipeline }

  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> [String: Value] {
    // SAFETY: as in ValueDecoder.
    let json = decoder.document.view(node)
    if !decoder.convertsKeys, json.isNativeObject, case .success(let members) = pipeline(json) {
      return members
    }
    return try super.decode(node, decoder, container, index)
  }
}

/// The member that a dictionary's decoder is at.
private final class DictionaryStorage: KeyedStorage {
  var name = ""

  init(_ decoder: ValueDecoder) { super.init(decoder, convertsKeys: false) }

  override var key: any CodingKey {
    decoder.convertsKeys ? NameKey(name) : DictionaryKey(name)
  }
}

// MARK: - The types

/// A type of the standard library.
protocol StandardDecodable: Decodable {
  static var typeDecoder: AnyTypeDecoder { get }
}

extension StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { InitializerDecoder<Self>() }
}

extension Array: StandardDecodable where Element: Decodable {
  static var typeDecoder: AnyTypeDecoder {
    switch Element.self {
    case is Int.Type: PipelineArrayDecoder { [Int].decodeSome($0, $1) }
    case is Double.Type: PipelineArrayDecoder { [Double].decodeSome($0, $1) }
    case is Float.Type: PipelineArrayDecoder { [Float].decodeSome($0, $1) }
    case is String.Type: PipelineArrayDecoder { [String].decodeSome($0, $1) }
    case is Bool.Type: PipelineArrayDecoder { [Bool].decodeSome($0, $1) }
    case is [Double].Type: PipelineArrayDecoder { [[Double]].decodeSome($0, $1) }
    default: ArrayDecoder<Element>()
    }
  }
}

extension Optional: StandardDecodable where Wrapped: Decodable {
  static var typeDecoder: AnyTypeDecoder { OptionalDecoder<Wrapped>() }
}

extension Dictionary: StandardDecodable where Key: Decodable, Value: Decodable {
  static var typeDecoder: AnyTypeDecoder {
    guard Key.self == String.self else { return InitializerDecoder<[Key: Value]>() }
    return switch Value.self {
    case is String.Type: PipelineDictionaryDecoder { [String: String].decode($0) }
    case is Int.Type: PipelineDictionaryDecoder { [String: Int].decode($0) }
    case is Double.Type: PipelineDictionaryDecoder { [String: Double].decode($0) }
    default: DictionaryDecoder<Value>()
    }
  }
}

extension Set: StandardDecodable where Element: Decodable {}

extension Bool: StandardDecodable {}
extension String: StandardDecodable {}
extension Double: StandardDecodable {}
extension Float: StandardDecodable {}
extension Int: StandardDecodable {}
extension Int8: StandardDecodable {}
extension Int16: StandardDecodable {}
extension Int32: StandardDecodable {}
extension Int64: StandardDecodable {}
extension Int128: StandardDecodable {}
extension UInt: StandardDecodable {}
extension UInt8: StandardDecodable {}
extension UInt16: StandardDecodable {}
extension UInt32: StandardDecodable {}
extension UInt64: StandardDecodable {}
extension UInt128: StandardDecodable {}
