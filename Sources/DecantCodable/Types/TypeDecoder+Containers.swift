// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How the standard library's types are decoded.

internal import CDecantIndex
internal import DecantCore

// MARK: - Arrays

final class ArrayDecoder<Element: Decodable>: TypeDecoder<[Element]> {
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

private final class SetDecoder<Element: Decodable & Hashable>: TypeDecoder<Set<Element>> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Set<Element> {
    Set(try decoder.decode([Element].self, node, container, index))
  }
}

/// Dictionaries by string, whose keys no strategy converts. Duplicates follow the document's rule. Under a key
/// strategy `JSONDecoder` also decodes the duplicates that do not count, and its paths have no numbers.
private final class DictionaryDecoder<Value: Decodable>: TypeDecoder<[String: Value]> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> [String: Value] {
    try decoder.withChild(node, in: container, at: index) { decoder in
      guard decoder.json.kind == .object else {
        throw decoder.notA("an object", [String: Any].self)
      }
      let storage = DictionaryStorage(decoder)
      let keepsLast = decoder.json.keepsLastDuplicate
      let valueDecoder = decoder.context.decoder(of: Value.self)
      var dictionary: [String: Value] = [:]
      dictionary.reserveCapacity(decoder.json.count)
      var cursor = ChildCursor(decoder.json)
      while let value = cursor.next(in: decoder.json) {
        storage.name = cursor.key(in: decoder.json)
        let counts =
          keepsLast
          ? decoder.json.member(storage.name) == value
          : dictionary.index(forKey: storage.name) == nil
        if !counts && (keepsLast || !decoder.convertsKeys) { continue }
        // SAFETY: the context files the decoder of a type under that type.
        let model = try valueDecoder.with {
          try unsafe unsafeDowncast($0, to: TypeDecoder<Value>.self)
            .decode(value, decoder, storage, ValueDecoder.noIndex)
        }
        if counts { dictionary.updateValue(model, forKey: storage.name) }
      }
      return dictionary
    }
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

// MARK: - What the pipeline decodes

/// Reads a value as `JSONDecoder` would, by a function that is compiled for the type and needs no decoder for the
/// value. What the function refuses is decoded in general, or fails with the general reason.
@safe
private final class DirectDecoder<Model: Decodable>: TypeDecoder<Model> {
  private let general: TypeDecoder<Model>
  // SAFETY: it is given memory for a model, which it initializes if it returns true. A model that is returned in an
  // optional would have the metadata of that type looked up, which takes longer than to read an integer.
  private let read: (ValueDecoder, UInt64, UnsafeMutablePointer<Model>) -> Bool
  // SAFETY: memory for a model, empty between two calls; `read` decodes nothing else by this decoder.
  private let room = UnsafeMutablePointer<Model>.allocate(capacity: 1)

  @inline(__always)
  init(_ general: TypeDecoder<Model>, _ read: @escaping (ScalarDecoder, UInt64) -> Model?) {
    self.general = general
    unsafe self.read = { decoder, node, place in
      guard let model = read(ScalarDecoder(decoder), node) else { return false }
      unsafe place.initialize(to: model)
      return true
    }
  }

  deinit { unsafe room.deallocate() }

  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    if unsafe read(decoder, node, room) { return unsafe room.move() }
    return try general.decode(node, decoder, container, index)
  }

  // SAFETY: the caller has memory for a model.
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, at index: Int,
    into buffer: UnsafeMutablePointer<Model>
  ) throws {
    if unsafe read(decoder, node, buffer) { return }
    unsafe buffer.initialize(to: try general.decode(node, decoder, nil, index))
  }
}

// The pipeline's loops, for what is native.
extension ScalarDecoder {
  @inline(__always)
  fileprivate func array<Element: JSONDecodable>(_ node: UInt64) -> [Element]? {
    let json = view(node)
    guard json.isNativeArray else { return nil }
    let count = json.elementCount
    return count == 0 ? [] : [Element].decodeSome(json, count).value
  }

  @inline(__always)
  fileprivate func dictionary<Value: JSONDecodable>(_ node: UInt64) -> [String: Value]? {
    let json = view(node)
    if decoder.with({ $0.convertsKeys }) || !json.isNativeObject { return nil }
    return [String: Value].decode(json).value
  }
}

// MARK: - The types

/// A type of the standard library.
protocol StandardDecodable: Decodable {
  static var typeDecoder: AnyTypeDecoder { get }
}

extension StandardDecodable {
  /// The decoder of scalars.
  @inline(__always)
  fileprivate static func direct(
    _ read: @escaping (ScalarDecoder, UInt64) -> Self?
  ) -> AnyTypeDecoder { DirectDecoder(InitializerDecoder(), read) }
}

extension Array: StandardDecodable where Element: Decodable {
  static var typeDecoder: AnyTypeDecoder {
    switch Element.self {
    case is Int.Type: DirectDecoder(ArrayDecoder<Int>()) { $0.array($1) }
    case is Double.Type: DirectDecoder(ArrayDecoder<Double>()) { $0.array($1) }
    case is Float.Type: DirectDecoder(ArrayDecoder<Float>()) { $0.array($1) }
    case is String.Type: DirectDecoder(ArrayDecoder<String>()) { $0.array($1) }
    case is Bool.Type: DirectDecoder(ArrayDecoder<Bool>()) { $0.array($1) }
    case is [Double].Type: DirectDecoder(ArrayDecoder<[Double]>()) { $0.array($1) }
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
    case is String.Type: DirectDecoder(DictionaryDecoder<String>()) { $0.dictionary($1) }
    case is Int.Type: DirectDecoder(DictionaryDecoder<Int>()) { $0.dictionary($1) }
    case is Double.Type: DirectDecoder(DictionaryDecoder<Double>()) { $0.dictionary($1) }
    default: DictionaryDecoder<Value>()
    }
  }
}

extension Set: StandardDecodable where Element: Decodable {
  static var typeDecoder: AnyTypeDecoder { SetDecoder<Element>() }
}

extension Bool: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { direct { $0.bool($1) } }
}
extension String: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { direct { $0.view($1).seldomString } }
}
extension Double: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { direct { $0.uncommonDouble($1) } }
}
extension Float: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { direct { $0.float($1) } }
}
extension Int: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { direct { $0.uncommonInt($1) } }
}
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

extension StandardDecodable where Self: FixedWidthInteger {
  @inline(__always)
  static var typeDecoder: AnyTypeDecoder {
    bitWidth > 64
      ? direct { $0.wideInteger($1, Self.self) } : direct { $0.integer($1, Self.self) }
  }
}
