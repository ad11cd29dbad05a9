// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Optional, Array, Set and Dictionary. The loop over an array runs until the first element that fails;
// from there a second, cold loop only collects the errors of the rest.

public import CDecantIndex

extension Optional: JSONDecodable where Wrapped: JSONDecodable {
  /// `null` is nil; anything else must be a `Wrapped`.
  @_alwaysEmitIntoClient @inline(__always)
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
  @_alwaysEmitIntoClient @inline(__always)
  public static func decode(_ json: JSON) -> Decoded<[Element]> {
    guard json.isNativeArray else { return decodeForeign(json) }
    let count = json.elementCount
    return count == 0 ? .success([]) : decodeSome(json, count)
  }

  /// The elements of a native array of so many.
  @_alwaysEmitIntoClient
  package static func decodeSome(_ json: JSON, _ count: Int) -> Decoded<[Element]> {
    if !JSON.mayDescend(into: Element.self) { return .failure(json.stackIsFull()) }
    if !json.mayHold(count, of: Element.self) { return json.refusing { decode($0) } }
    if count == 2, JSON.isKnown(Element.self), JSON.plainRun(of: Element.self) != nil,
      let pair = pair(in: json)
    {
      return .success(pair)
    }
    // The standard library looks an array's class up, by type, at each allocation of a given capacity: 30 ns, which is
    // most of a small array's cost. `reserveCapacity` knows the class, and literals take 15 ns less than that.
    if count >= 16 || !JSON.isKnown(Element.self) { return decodeMany(json, count) }
    let isReal = Element.self == Double.self || Element.self == Float.self
    if count <= 5, !isReal, MemoryLayout<Element>.size <= 16 { return decodeFew(json, count) }
    if let run = JSON.plainRun(of: Element.self) { return decodePlain(json, count, run) }
    var array: [Element] = []
    array.reserveCapacity(count)
    var node = json.firstChild
    let end = json.after
    while node != end {
      let element = JSON(node, within: json)
      switch Element.decode(element) {
      case .success(let value): array.append(value)
      case .failure(let error):
        return .failure(errors(of: json, from: array.count, error))
      }
      node = element.after
    }
    return .success(array)
  }

  /// Points, ranges, sizes: arrays of two numbers. Nil if either element fails; the caller then decodes both again. Never
  /// used for nested elements, where that would be 2^n reads at depth n.
  @_alwaysEmitIntoClient @inline(__always)
  static func pair(in json: JSON) -> [Element]? {
    let first = JSON(json.firstChild, within: json)
    guard case .success(let a) = decodeLong(first),
      case .success(let b) = decodeLong(JSON(first.after, within: json))
    else { return nil }
    return [a, b]
  }

  /// `Element.decode(_:)`, where a number has many digits more often than not, as coordinates do.
  @_alwaysEmitIntoClient @inline(__always)
  static func decodeLong(_ json: JSON) -> Decoded<Element> {
    if Element.self == Double.self, json.isNativeNumber, let value = json.numberToken.double() {
      return .success(value as! Element)
    }
    return Element.decode(json)
  }

  /// Up to five small elements.
  @_alwaysEmitIntoClient @inline(__always)
  static func decodeFew(_ json: JSON, _ count: Int) -> Decoded<[Element]> {
    // SAFETY: after a failure, the elements that were initialized are deinitialized.
    unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: 5) { room in
      let first = room.baseAddress!
      var failure: DecodeError?
      let stored = unsafe store(json, from: 0, at: first, &failure)
      if let failure {
        unsafe first.deinitialize(count: stored)
        return .failure(errors(of: json, from: stored, failure))
      }
      let a = unsafe first.move()
      if count == 1 { return .success([a]) }
      let b = unsafe (first + 1).move()
      if count == 2 { return .success([a, b]) }
      let c = unsafe (first + 2).move()
      if count == 3 { return .success([a, b, c]) }
      let d = unsafe (first + 3).move()
      if count == 4 { return .success([a, b, c, d]) }
      return unsafe .success([a, b, c, d, (first + 4).move()])
    }
  }

  /// Up to fifteen numbers or booleans.
  @_alwaysEmitIntoClient @inline(__always)
  static func decodePlain(_ json: JSON, _ count: Int, _ run: Int) -> Decoded<[Element]> {
    // SAFETY: there is space for `count` elements, which need no deinitialization.
    unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: 15) { room in
      let first = room.baseAddress!
      var stored = unsafe json.storeElements(run, count, UnsafeMutableRawPointer(first))
      if stored < count {
        var failure: DecodeError?
        stored = unsafe store(json, from: stored, at: first, &failure)
        if let failure { return .failure(errors(of: json, from: stored, failure)) }
      }
      return unsafe .success(Array(UnsafeBufferPointer(start: first, count: stored)))
    }
  }

  /// Writes the elements to where they stay.
  @_alwaysEmitIntoClient
  static func decodeMany(_ json: JSON, _ count: Int) -> Decoded<[Element]> {
    var failure: DecodeError?
    // SAFETY: there is space for `count` elements, and the closure says how many it initialized.
    let array = unsafe [Element](unsafeUninitializedCapacity: count) { buffer, stored in
      let first = buffer.baseAddress!
      if let run = JSON.plainRun(of: Element.self) {
        stored = unsafe json.storeElements(run, count, UnsafeMutableRawPointer(first))
      }
      if stored < count { stored = unsafe store(json, from: stored, at: first, &failure) }
    }
    guard let failure else { return .success(array) }
    return .failure(errors(of: json, from: array.count, failure))
  }

  /// Decodes the elements from an index on, before which all have a slot each, until one fails. Returns how many are
  /// initialized then.
  // SAFETY: the index counted the elements, and there is space for all of them at `first`.
  @_alwaysEmitIntoClient @inline(never)
  static func store(
    _ json: JSON, from index: Int, at first: UnsafeMutablePointer<Element>,
    _ failure: inout DecodeError?
  ) -> Int {
    var next = unsafe first + index
    var node = json.firstChild &+ UInt64(truncatingIfNeeded: index)
    let end = json.after
    while node != end {
      let element = JSON(node, within: json)
      switch Element.decode(element) {
      case .success(let value):
        unsafe next.initialize(to: value)
        unsafe next += 1
      case .failure(let error):
        failure = error
        return unsafe next - first
      }
      node = element.after
    }
    return unsafe next - first
  }

  @_alwaysEmitIntoClient @inline(never)
  static func decodeForeign(_ json: JSON) -> Decoded<[Element]> {
    guard json.kind == .array else {
      return .failure(json.failure(.typeMismatch, .array))
    }
    if !JSON.mayDescend(into: Element.self) { return .failure(json.stackIsFull()) }
    let count = json.count
    if !json.mayHold(count, of: Element.self) { return json.refusing { decode($0) } }
    var array: [Element] = []
    array.reserveCapacity(count)
    for index in 0..<count {
      switch decodeElement(JSON(json.element(index), within: json)) {
      case .success(let value): array.append(value)
      case .failure(let error): return .failure(errors(of: json, from: index, error))
      }
    }
    return .success(array)
  }

  /// The errors of the elements from the first bad one on, whose error is known.
  @_alwaysEmitIntoClient @inline(never)
  static func errors(of json: JSON, from first: Int, _ error: DecodeError) -> DecodeError {
    json.errors(from: first, error) { decodeElement($0).error }
  }

  /// `Element.decode(_:)`, once for all loops that need not be fast.
  @_alwaysEmitIntoClient @inline(never)
  static func decodeElement(_ json: JSON) -> Decoded<Element> { Element.decode(json) }
}

// MARK: - Runs

extension JSON {
  /// Whether the compiler knows a type. For unknown types, one slow path replaces the fast ones. Without optimization the
  /// compiler knows none; there tests take the fast paths, too.
  @_alwaysEmitIntoClient @inline(__always)
  static func isKnown<Model>(_ type: Model.Type) -> Bool {
    _isConcrete(type) || _isDebugAssertConfiguration()
  }

  /// The kind in runs (decant_runs.h) of elements of a type: numbers and booleans, which Swift stores like C. Nil for others.
  /// A constant if the type is known.
  @_alwaysEmitIntoClient @inline(__always)
  static func plainRun<Element>(of type: Element.Type) -> Int? {
    if type == Double.self { return DECANT_RUN_DOUBLE }
    if type == Float.self { return DECANT_RUN_FLOAT }
    if type == Int.self { return Int.bitWidth == 64 ? DECANT_RUN_INT64 : DECANT_RUN_INT32 }
    if type == Int64.self { return DECANT_RUN_INT64 }
    if type == Int32.self { return DECANT_RUN_INT32 }
    if type == Bool.self { return DECANT_RUN_BOOL }
    return nil
  }

  /// Stores the first elements of a native array of so many, as far as they are plain. Returns how many.
  @usableFromInline @inline(never)
  package func storeElements(_ run: Int, _ count: Int, _ place: UnsafeMutableRawPointer) -> Int {
    // SAFETY: there is space for all elements at the place; numbers and booleans need no block.
    var none: UInt8 = 0
    return unsafe withUnsafeMutablePointer(to: &none) { none in
      var block = unsafe decant_block_run(next: none, end: none, limit: nil)
      return unsafe decant_run_elements(&block, context, node, count, UInt8(run), place)
    }
  }

  /// The errors of this array's elements from the first bad one on, whose error is known. Compiled once, and not for
  /// each type of element.
  @usableFromInline @inline(never)
  func errors(
    from first: Int, _ error: DecodeError, _ errorOf: (JSON) -> DecodeError?
  ) -> DecodeError {
    var errors = ErrorList(in: self)
    var elements = ChildCursor(seldom: self)
    var index = 0
    while !errors.isDone, let node = elements.seldomNext(in: self) {
      if index == first {
        errors.add(error, at: node, index: index)
      } else if index > first, let error = errorOf(JSON(node, within: self)) {
        errors.add(error, at: node, index: index)
      }
      index += 1
    }
    return errors.failure ?? error
  }
}

extension Set: JSONDecodable where Element: JSONDecodable {
  /// The distinct elements of an array.
  @_alwaysEmitIntoClient
  public static func decode(_ json: JSON) -> Decoded<Set<Element>> {
    [Element].decode(json).map { Set($0) }
  }
}

extension Dictionary: JSONDecodable where Key: JSONObjectKey, Value: JSONDecodable {
  /// All members, or the errors of all members whose key or value fails. The document's rule
  /// chooses among members with the same key (``DecodingOptions/duplicateKeys``).
  @_alwaysEmitIntoClient
  public static func decode(_ json: JSON) -> Decoded<[Key: Value]> {
    guard json.kind == .object else {
      return .failure(json.failure(.typeMismatch, .object))
    }
    if !JSON.mayDescend(into: Value.self) { return .failure(json.stackIsFull()) }
    if !json.mayHold(json.count, of: (Key, Value).self) { return json.refusing { decode($0) } }
    if !JSON.isKnown(Value.self) { return decodeRest(of: json, from: ChildCursor(json), [:], nil) }
    let keepsLast = json.keepsLastDuplicate
    var dictionary = [Key: Value]()
    dictionary.reserveCapacity(json.count)
    var members = ChildCursor(json)
    while let node = members.next(in: json) {
      guard let key = Key(jsonKey: members.key(in: json)) else {
        return decodeRest(of: json, from: members, dictionary, nil)
      }
      let error = store(JSON(node, within: json), in: &dictionary[key], keepsLast)
      if let error { return decodeRest(of: json, from: members, dictionary, error) }
    }
    return .success(dictionary)
  }

  /// Decodes a member into its place, where a key's first value stays unless its last one counts. The key is looked up
  /// once.
  @_alwaysEmitIntoClient @inline(__always)
  static func store(_ json: JSON, in place: inout Value?, _ keepsLast: Bool) -> DecodeError? {
    if place != nil, !keepsLast { return nil }
    switch Value.decode(json) {
    case .success(let value):
      place = value
      return nil
    case .failure(let error):
      place = nil
      return error
    }
  }

  /// Decodes the members from the first bad one on, whose error is known, unless its key is bad. Compiled once, and not
  /// for each type.
  @usableFromInline @inline(never)
  static func decodeRest(
    of json: JSON, from bad: ChildCursor, _ decoded: [Key: Value], _ error: DecodeError?
  ) -> Decoded<[Key: Value]> {
    var dictionary = decoded
    var errors = ErrorList(in: json)
    dictionary.decodeMembers(of: json, from: bad, error, by: { Value.decode($1) }) {
      name, child, error, _ in
      errors.add(error, at: child, step: .key(name))
      return !errors.isDone
    }
    return errors.failure.map { .failure($0) } ?? .success(dictionary)
  }
}

extension Dictionary where Key: JSONObjectKey {
  /// Decodes the members that count, from the one that a cursor has reached on, or all. The error of that member is known,
  /// unless its key is bad. `fail` gets each failure, and returns whether to continue.
  @inline(never)
  mutating func decodeMembers(
    of json: JSON, from first: ChildCursor, _ error: DecodeError?,
    by decode: (_ name: String, _ child: JSON) -> Decoded<Value>,
    _ fail: (_ name: String, _ child: JSON, _ error: DecodeError, _ keptBefore: Int) -> Bool
  ) {
    // Keys that are spelled in several ways may be one key: "5" and "05" are one Int.
    let keepsLast = json.keepsLastDuplicate
    let last = keepsLast ? Self.lastMembers(of: json) : [Key: UInt64]()
    var failed = Set<Key>()
    reserveCapacity(json.count)
    var known = error
    var members = first
    var next = members.foreign.value == 0 ? members.seldomNext(in: json) : members.foreign.value
    while let node = next {
      defer { next = members.seldomNext(in: json) }
      let name = members.key(in: json)
      let child = JSON(node, within: json)
      let failure: DecodeError
      let keptBefore = json.reference.keptErrors
      if let key = Key(jsonKey: name) {
        let error = known.take()
        if keepsLast ? last[key] != node : !failed.isEmpty && failed.contains(key) { continue }
        if let error {
          failure = error
        } else if !keepsLast, index(forKey: key) != nil {
          continue
        } else {
          switch decode(name, child) {
          case .success(let value):
            self[key] = value
            continue
          case .failure(let error): failure = error
          }
        }
        failed.insert(key)
      } else {
        failure = child.failure(.invalidValue, expected: nil)
        failure.storage.isAboutKey = true
      }
      if !fail(name, child, failure, keptBefore) { return }
    }
  }

  /// The last of the members with each key.
  private static func lastMembers(of json: JSON) -> [Key: UInt64] {
    var last = [Key: UInt64]()
    var members = ChildCursor(seldom: json)
    while let node = members.seldomNext(in: json) {
      if let key = Key(jsonKey: members.key(in: json)) { last[key] = node }
    }
    return last
  }
}
