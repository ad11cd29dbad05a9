// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// How the standard library's types are decoded.
//
// The generic classes are not private: a program would have 32 bytes more or 44 for each.

internal import CDecantIndex
internal import DecantCore

// MARK: - Arrays

final class ArrayDecoder<Model: DecodableArray>: TypeDecoder<Model> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    try decoder.withChild(node, in: container, at: index) { decoder in
      guard decoder.json.kind == .array else { throw decoder.notA("an array", [Any].self) }
      var model = Model()
      let count = decoder.json.count
      if count > 0 { try model.append(count, by: decoder) }
      return model
    }
  }
}

/// An array, with its type at hand: a function that is generic over `Element` would look the metadata of `[Element]` up
/// each time.
protocol DecodableArray {
  init()

  /// Appends the elements of the decoder's value, of which there are `count`.
  mutating func append(_ count: Int, by decoder: ValueDecoder) throws
}

extension Array: DecodableArray where Element: Decodable {
  mutating func append(_ count: Int, by decoder: ValueDecoder) throws {
    try decoder.checkMemory(count, of: Element.self)
    try append(addingCapacity: count) { elements in
      try unsafe elements.withUnsafeMutableBufferPointer { buffer, made in
        try unsafe Self.decode(count, decoder, into: buffer.baseAddress!, &made)
      }
    }
  }

  // SAFETY: the caller has memory for `count` elements.
  private static func decode(
    _ count: Int, _ decoder: ValueDecoder, into buffer: UnsafeMutablePointer<Element>,
    _ made: inout Int
  ) throws {
    let elementDecoder = decoder.contextReference.with { $0.decoder(of: Element.self) }
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

final class OptionalDecoder<Wrapped: Decodable>: TypeDecoder<Wrapped?> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Wrapped? {
    // SAFETY: as in ValueDecoder.
    let json = decoder.document.view(node)
    if json.isNull || !json.exists { return nil }
    return try decoder.decode(Wrapped.self, node, container, index)
  }
}

final class SetDecoder<Element: Decodable & Hashable>: TypeDecoder<Set<Element>> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Set<Element> {
    Set(try decoder.decode([Element].self, node, container, index))
  }
}

/// Dictionaries by string, whose keys no strategy converts. Duplicates follow the document's rule. Under a key
/// strategy `JSONDecoder` also decodes the duplicates that do not count, and its paths have no numbers.
final class DictionaryDecoder<Value: Decodable>: TypeDecoder<[String: Value]> {
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> [String: Value] {
    try decoder.withChild(node, in: container, at: index) { decoder in
      guard decoder.json.kind == .object else {
        throw decoder.notA("an object", [String: Any].self)
      }
      try decoder.checkMemory(decoder.json.count, of: (String, Value).self)
      let storage = DictionaryStorage(decoder)
      let keepsLast = decoder.json.keepsLastDuplicate
      let valueDecoder = decoder.context.decoder(of: Value.self)
      var dictionary = [String: Value]()
      dictionary.reserveCapacity(decoder.json.count)
      _ = try forEachMember(of: decoder.json) { name, value in
        storage.name = name
        let counts =
          keepsLast ? decoder.json.member(name) == value : dictionary.index(forKey: name) == nil
        if !counts && (keepsLast || !decoder.convertsKeys) { return true }
        // SAFETY: the context files the decoder of a type under that type.
        let model = try valueDecoder.with {
          try unsafe unsafeDowncast($0, to: TypeDecoder<Value>.self)
            .decode(value, decoder, storage, ValueDecoder.noIndex)
        }
        if counts { dictionary.updateValue(model, forKey: name) }
        return true
      }
      return dictionary
    }
  }
}

/// The member that a dictionary's decoder is at.
final class DictionaryStorage: KeyedStorage {
  var name = ""

  init(_ decoder: ValueDecoder) { super.init(decoder, convertsKeys: false) }

  override var key: any CodingKey {
    decoder.convertsKeys ? PathKey.name(name) : PathKey.member(name)
  }
}

// MARK: - Loops that are compiled for a type

/// Reads a value as `JSONDecoder` would, by a function that needs no decoder for the value. If the function refuses it, the
/// general path decodes it, or fails with its reason.
@safe
final class DirectDecoder<Model: Decodable>: TypeDecoder<Model> {
  // SAFETY: it is given memory for a model, which it initializes if it returns true. A model that is returned in an
  // optional would have the metadata of that type looked up, which takes longer than to read an integer.
  typealias Read = (ScalarDecoder, UInt64, UnsafeMutableRawPointer) -> Bool

  private let general: TypeDecoder<Model>
  private let read: Read
  // SAFETY: memory for a model, empty between two calls; `read` decodes nothing else by this decoder.
  private let room = UnsafeMutablePointer<Model>.allocate(capacity: 1)

  @safe
  init(_ general: TypeDecoder<Model>, _ read: @escaping Read) {
    self.general = general
    unsafe self.read = unsafe read
  }

  deinit { unsafe room.deallocate() }

  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    if unsafe read(ScalarDecoder(decoder), node, room) { return unsafe room.move() }
    return try general.decode(node, decoder, container, index)
  }

  // SAFETY: the caller has memory for a model.
  override func decode(
    _ node: UInt64, _ decoder: ValueDecoder, at index: Int,
    into buffer: UnsafeMutablePointer<Model>
  ) throws {
    if unsafe read(ScalarDecoder(decoder), node, buffer) { return }
    unsafe buffer.initialize(to: try general.decode(node, decoder, nil, index))
  }
}

// For native values. The general decoders handle invalid values, and find the reason.
extension ScalarDecoder {
  /// The array of what `read` returns for the elements.
  /// - Parameter run: what C takes elements of this type for, if it can store them (decant_runs.h).
  @inline(__always)
  fileprivate func array<Element>(
    _ node: UInt64, run: Int? = nil, _ read: (ScalarDecoder, UInt64) -> Element?
  ) -> [Element]? {
    let json = view(node)
    guard json.isNativeArray else { return nil }
    let count = json.elementCount
    if count == 0 { return [] }
    // The general decoder finds that, too, and reports it.
    let taken = json.takenMemory
    if !json.mayHold(count, of: Element.self) { return nil }
    var array: [Element] = []
    if count < 16 {
      // Other ways to allocate a small array take longer than filling it.
      array.reserveCapacity(count)
      var next = json.firstChild
      while array.count < count, let element = read(self, next) {
        array.append(element)
        next = view(next).after
      }
    } else {
      // SAFETY: there is space for `count` elements, and the function says how many it has initialized.
      array = unsafe [Element](unsafeUninitializedCapacity: count) { buffer, made in
        let first = buffer.baseAddress!
        if let run { made = unsafe json.storeElements(run, count, first) }
        // Each value that C has stored has one slot.
        var next = json.firstChild &+ UInt64(truncatingIfNeeded: made)
        while made < count, let element = read(self, next) {
          unsafe (first + made).initialize(to: element)
          made += 1
          next = view(next).after
        }
      }
    }
    if array.count == count { return array }
    json.returnMemory(to: taken)
    return nil
  }

  /// Points are most of the arrays of numbers that there are many of.
  @inline(never)
  fileprivate func numbers(_ node: UInt64) -> [Double]? {
    let json = view(node)
    if json.isNativeArray, json.elementCount == 2 {
      let taken = json.takenMemory
      if !json.mayHold(2, of: Double.self) { return nil }
      let first = view(json.firstChild)
      if let a = double(first.node), let b = double(first.after) { return [a, b] }
      json.returnMemory(to: taken)
      return nil
    }
    return array(node, run: DECANT_RUN_DOUBLE) { $0.uncommonDouble($1) }
  }

  /// The dictionary of what `read` returns for the members; nil also if a member does not count, as another has its key.
  @inline(__always)
  fileprivate func dictionary<Value>(
    _ node: UInt64, _ read: (ScalarDecoder, UInt64) -> Value?
  ) -> [String: Value]? {
    let json = view(node)
    if decoder.with({ $0.convertsKeys }) || !json.isNativeObject { return nil }
    let taken = json.takenMemory
    if !json.mayHold(json.count, of: (String, Value).self) { return nil }
    let keepsLast = json.keepsLastDuplicate
    var dictionary = [String: Value]()
    dictionary.reserveCapacity(json.count)
    let isWhole = forEachMember(of: json) { key, node in
      guard let value = read(self, node) else { return false }
      return dictionary.updateValue(value, forKey: key) == nil || keepsLast
    }
    if isWhole { return dictionary }
    json.returnMemory(to: taken)
    return nil
  }
}

/// Calls `body` with the members of an object until it returns false. Returns whether it did not.
@inline(never)
private func forEachMember(
  of object: JSON, _ body: (_ key: String, _ node: UInt64) throws -> Bool
) rethrows -> Bool {
  var members = ChildCursor(object)
  while let member = members.next(in: object) {
    if !(try body(members.key(in: object), member)) { return false }
  }
  return true
}

// MARK: - The types

/// A type of the standard library.
protocol StandardDecodable: Decodable {
  static var typeDecoder: AnyTypeDecoder { get }
}

extension UnsafeMutableRawPointer {
  /// Initializes the place with a value, if there is one.
  @inline(__always)
  fileprivate func put<Value>(_ value: Value?) -> Bool {
    guard let value else { return false }
    unsafe initializeMemory(as: Value.self, to: value)
    return true
  }
}

// SAFETY: in all that follows, a place is memory for a value of the decoder's type.

extension StandardDecodable {
  /// The decoder of scalars.
  @safe
  fileprivate static func scalar(_ read: @escaping DirectDecoder<Self>.Read) -> AnyTypeDecoder {
    DirectDecoder(InitializerDecoder<Self>(), read)
  }
}

extension Array: StandardDecodable where Element: Decodable {
  static var typeDecoder: AnyTypeDecoder {
    let general = ArrayDecoder<[Element]>()
    @safe func direct(_ read: @escaping DirectDecoder<[Element]>.Read) -> AnyTypeDecoder {
      DirectDecoder(general, read)
    }
    switch Element.self {
    case is Int.Type:
      let run = Int.bitWidth == 64 ? DECANT_RUN_INT64 : DECANT_RUN_INT32
      return direct { unsafe $2.put($0.array($1, run: run) { $0.int($1) }) }
    case is String.Type: return direct { unsafe $2.put($0.array($1) { $0.string($1) }) }
    case is Double.Type: return direct { unsafe $2.put($0.numbers($1)) }
    case is [Double].Type: return direct { unsafe $2.put($0.array($1) { $0.numbers($1) }) }
    case is Bool.Type:
      return direct { unsafe $2.put($0.array($1, run: DECANT_RUN_BOOL) { $0.bool($1) }) }
    default: return general
    }
  }
}

extension ContiguousArray: StandardDecodable where Element: Decodable {
  static var typeDecoder: AnyTypeDecoder {
    FunctionDecoder { decoder in
      ContiguousArray(try decoder.decode([Element].self, decoder.node, nil, ValueDecoder.noIndex))
    }
  }
}

extension Optional: StandardDecodable where Wrapped: Decodable {
  static var typeDecoder: AnyTypeDecoder { OptionalDecoder<Wrapped>() }
}

extension Dictionary: StandardDecodable where Key: Decodable, Value: Decodable {
  static var typeDecoder: AnyTypeDecoder {
    guard Key.self == String.self else { return pairsDecoder }
    let general = DictionaryDecoder<Value>()
    @safe func direct(_ read: @escaping DirectDecoder<[String: Value]>.Read) -> AnyTypeDecoder {
      DirectDecoder(general, read)
    }
    switch Value.self {
    case is String.Type: return direct { unsafe $2.put($0.dictionary($1) { $0.string($1) }) }
    case is Int.Type: return direct { unsafe $2.put($0.dictionary($1) { $0.int($1) }) }
    case is Double.Type:
      return direct { unsafe $2.put($0.dictionary($1) { $0.uncommonDouble($1) }) }
    default: return general
    }
  }
}

extension Dictionary where Key: Decodable, Value: Decodable {
  /// For keys that are not strings: members, or pairs in an array. The container counts large pairs.
  fileprivate static var pairsDecoder: AnyTypeDecoder {
    FunctionDecoder<[Key: Value]> { decoder in
      let json = decoder.json
      if json.kind == .object {
        try decoder.checkMemory(json.count, of: (Key, Value).self)
      } else if !JSON.isLarge(Key.self), !JSON.isLarge(Value.self) {
        try decoder.checkMemory(json.count / 2, of: (Key, Value).self)
      }
      return try decoder.model()
    }
  }
}

extension Set: StandardDecodable where Element: Decodable {
  static var typeDecoder: AnyTypeDecoder { SetDecoder<Element>() }
}

extension Bool: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { scalar { unsafe $2.put($0.bool($1)) } }
}
extension String: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { scalar { unsafe $2.put($0.view($1).seldomString) } }
}
extension Double: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { scalar { unsafe $2.put($0.uncommonDouble($1)) } }
}
extension Float: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { scalar { unsafe $2.put($0.float($1)) } }
}
extension Int: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { scalar { unsafe $2.put($0.int($1)) } }
}
extension Int8: StandardDecodable {}
extension Int16: StandardDecodable {}
extension Int32: StandardDecodable {}
extension Int64: StandardDecodable {}
extension UInt: StandardDecodable {}
extension UInt8: StandardDecodable {}
extension UInt16: StandardDecodable {}
extension UInt32: StandardDecodable {}
extension UInt64: StandardDecodable {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder { scalar { unsafe $2.put($0.wideInteger($1) as Int128?) } }
}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: StandardDecodable {
  static var typeDecoder: AnyTypeDecoder {
    scalar { unsafe $2.put($0.wideInteger($1) as UInt128?) }
  }
}

extension StandardDecodable where Self: FixedWidthInteger {
  /// The decoder of integers of at most 64 bits: one for all types, which compares widths and signs.
  static var typeDecoder: AnyTypeDecoder {
    let (bits, isSigned) = (bitWidth, isSigned)
    // SAFETY: memory for an integer of this type.
    return DirectDecoder(InitializerDecoder<Self>()) { scalars, node, place in
      unsafe scalars.store(node, bits, isSigned, place)
    }
  }
}
