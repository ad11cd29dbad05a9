// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Optional, Array, Set and Dictionary. The loop over an array runs until the first element that fails;
// from there a second, cold loop only collects the errors of the rest.

internal import CDecantIndex

extension Optional: JSONDecodable where Wrapped: JSONDecodable {
  /// `null` is nil; anything else must be a `Wrapped`.
  @inlinable @inline(__always)
  public static func decode(_ json: JSON) -> Decoded<Wrapped?> {
    if json.isNull { return .success(nil) }
    switch Wrapped.decode(json) {
    case .success(let value): return .success(value)
    case .failure(let error): return .failure(error)
    }
  }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  /// All the elements, or the errors of all that fail.
  ///
  /// - Complexity: one allocation of the exact size.
  @inlinable
  public static func decode(_ json: JSON) -> Decoded<[Element]> {
    guard json.isNativeArray else { return decodeForeign(json) }
    let count = Int(UInt32(truncatingIfNeeded: json.second))
    if count == 0 { return .success([]) }
    var failed: (node: UInt64, error: DecodeError)?
    // SAFETY: the index counted the elements: the loop writes `count` of them in order, and says how
    // many it wrote when it stops early.
    let array = unsafe [Element](unsafeUninitializedCapacity: count) { buffer, written in
      var next = buffer.baseAddress!
      var node = json.node &+ 2
      let end = json.after
      while node != end {
        let element = JSON(node, within: json)
        switch Element.decode(element) {
        case .success(let value):
          unsafe next.initialize(to: value)
          unsafe next += 1
        case .failure(let error):
          failed = (node, error)
          written = unsafe next - buffer.baseAddress!
          return
        }
        node = element.after
      }
      written = count
    }
    guard let failed else { return .success(array) }
    return .failure(errors(of: json, from: failed.node, at: array.count, failed.error))
  }

  @usableFromInline @inline(never)
  static func decodeForeign(_ json: JSON) -> Decoded<[Element]> {
    guard json.kind == .array else {
      return .failure(json.failure(.typeMismatch, expected: "an array"))
    }
    var array: [Element] = []
    array.reserveCapacity(json.count)
    var errors = ErrorList(in: json)
    var elements = json.elements
    var index = 0
    while let element = elements.next() {
      switch Element.decode(element) {
      case .success(let value): if errors.isEmpty { array.append(value) }
      case .failure(let error): errors.add(error, at: element, step: .index(index))
      }
      index += 1
    }
    return errors.failure.map { .failure($0) } ?? .success(array)
  }

  /// The errors of the elements from the first bad one on.
  @usableFromInline @inline(never)
  static func errors(
    of json: JSON, from first: UInt64, at index: Int, _ error: DecodeError
  ) -> DecodeError {
    var errors = ErrorList(in: json)
    var element = JSON(first, within: json)
    errors.add(error, at: element, step: .index(index))
    var index = index + 1
    let end = json.after
    while element.after != end {
      element = JSON(element.after, within: json)
      if case .failure(let error) = Element.decode(element) {
        errors.add(error, at: element, step: .index(index))
      }
      index += 1
    }
    return errors.failure ?? error
  }
}

extension Set: JSONDecodable where Element: JSONDecodable {
  /// The distinct elements of an array.
  @inlinable
  public static func decode(_ json: JSON) -> Decoded<Set<Element>> {
    [Element].decode(json).map { Set($0) }
  }
}

extension Dictionary: JSONDecodable where Key: JSONObjectKey, Value: JSONDecodable {
  /// All the members, or the errors of all whose key or value fails. Of members with one key the
  /// document's rule for duplicates chooses (``DecodingOptions/duplicateKeys``).
  public static func decode(_ json: JSON) -> Decoded<[Key: Value]> {
    guard json.kind == .object else {
      return .failure(json.failure(.typeMismatch, expected: "an object"))
    }
    var dictionary: [Key: Value] = [:]
    dictionary.reserveCapacity(json.count)
    let keepsLast = json.keepsLastDuplicate
    var errors = ErrorList(in: json)
    var members = json.members
    while let value = members.next() {
      guard let key = Key(jsonKey: members.key) else {
        let error = value.failure(.invalidValue, expected: nil)
        error.storage.message = "the key \(quoted(members.key)) is not an accepted one"
        errors.add(error, at: value, step: .key(members.key))
        continue
      }
      if !keepsLast && dictionary[key] != nil { continue }
      switch Value.decode(value) {
      case .success(let value): dictionary[key] = value
      case .failure(let error): errors.add(error, at: value, step: .key(members.key))
      }
    }
    return errors.failure.map { .failure($0) } ?? .success(dictionary)
  }
}

extension JSON {
  package var keepsLastDuplicate: Bool {
    unsafe context.pointee.rules.duplicates == UInt8(DECANT_DUPLICATES_LAST)
  }
}

/// The errors of a container's children, in document order: as many as the options allow, then a count.
@usableFromInline
package struct ErrorList: ~Escapable {
  let container: JSON
  let limit: Int
  var errors: [DecodeError] = []
  var omitted = 0

  @_lifetime(copy container)
  package init(in container: JSON) {
    self.container = container
    // SAFETY: the view's context outlives it.
    limit = max(1, Int(unsafe container.context.pointee.rules.maximum_errors))
  }

  package var isEmpty: Bool { errors.isEmpty }

  package mutating func add(_ error: DecodeError, at child: JSON, step: JSONPointer.Token) {
    container.placed(error, at: child.node, along: [step])
    if error.storage.code == .missingKey, error.storage.step == nil,
      error.storage.node == child.node
    {
      // Elements are there, if only as null.
      error.storage.code = .typeMismatch
    }
    let parts = error.storage.underlying.isEmpty ? [error] : error.storage.underlying
    let room = limit - errors.count
    errors += parts.prefix(room)
    omitted += error.storage.omitted + max(0, parts.count - room)
  }

  /// All of them as one error, or nil if there is none.
  package var failure: DecodeError? {
    if errors.count + omitted < 2 { return errors.first }
    let storage = DecodeError.Storage(.multiple)
    storage.underlying = errors
    storage.omitted = omitted
    return DecodeError(storage)
  }
}
