// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Elements and members in document order. Views cannot be collected, so iteration comes as an iterator
// (`while let element = elements.next()`) and as closures.

internal import CDecantIndex

extension JSON {
  /// The elements of an array, in order; none for other kinds.
  ///
  ///     var elements = json.elements
  ///     while let element = elements.next() { … }
  public var elements: Elements {
    @_lifetime(copy self)
    get { Elements(self) }
  }

  /// The members of an object, in document order, duplicates included; none for other kinds.
  public var members: Members {
    @_lifetime(copy self)
    get { Members(self) }
  }

  /// An iterator over an array.
  public struct Elements: ~Escapable {
    let array: JSON
    var cursor: ChildCursor

    @_lifetime(copy array)
    init(_ array: JSON) {
      self.array = array
      cursor = ChildCursor(array)
    }

    /// The next element, or nil at the end.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    public mutating func next() -> JSON? {
      guard !cursor.isObject, let node = cursor.next(in: array) else { return nil }
      return JSON(node, within: array)
    }
  }

  /// An iterator over an object.
  public struct Members: ~Escapable {
    let object: JSON
    var cursor: ChildCursor

    @_lifetime(copy object)
    init(_ object: JSON) {
      self.object = object
      cursor = ChildCursor(object)
    }

    /// The next member's value, or nil at the end; its key is in ``key``.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    public mutating func next() -> JSON? {
      guard cursor.isObject, let node = cursor.next(in: object) else { return nil }
      return JSON(node, within: object)
    }

    /// The key of the member that `next()` reached; empty before the first one.
    public var key: String { cursor.key(in: object) }
  }

  /// Calls `body` with every element of an array, in order.
  @_alwaysEmitIntoClient
  public func forEach<E>(_ body: (JSON) throws(E) -> Void) throws(E) {
    var elements = self.elements
    while let element = elements.next() { try body(element) }
  }

  /// Calls `body` with every key and value of an object, in document order.
  @_alwaysEmitIntoClient
  public func forEachMember<E>(_ body: (String, JSON) throws(E) -> Void) throws(E) {
    var members = self.members
    while let value = members.next() { try body(members.key, value) }
  }

  /// The keys of an object in document order, duplicates included; empty for other kinds.
  @_alwaysEmitIntoClient
  public var keys: [String] {
    var keys: [String] = []
    forEachMember { key, _ in keys.append(key) }
    return keys
  }
}
