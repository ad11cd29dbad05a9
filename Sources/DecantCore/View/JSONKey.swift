// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one key type of operators, named verbs and subscripts: written as a string literal, an integer
// literal or an array literal of both, so that each operator has one overload.

/// A key, an index, or a path of them.
///
///     json <| "id"
///     json <| ["user", "name"]
///     json <| ["users", 0, "name"]
///     json <| JSONKey(name)          // a key known at run time
///
/// A string is always one key: dots and slashes mean nothing here. For RFC 6901 use
/// ``JSONPointer``, for dotted paths `JSON.from(_:as:)`.
@frozen @safe
public struct JSONKey: Sendable {
  @usableFromInline @frozen @safe
  enum Storage: @unchecked Sendable {
    // SAFETY: the bytes of a StaticString live as long as the program.
    case literal(UnsafePointer<UInt8>, Int)
    case name(String)
    case index(Int)
    case path([JSONKey])
  }

  @usableFromInline let storage: Storage

  /// The key of a member. Dots and slashes mean nothing.
  @_alwaysEmitIntoClient
  public init(_ name: String) { storage = .name(name) }

  /// An element's place, from 0. Negative places are never found.
  @_alwaysEmitIntoClient
  public init(_ index: Int) { storage = .index(index) }

  /// A path of keys and indices.
  @_alwaysEmitIntoClient
  public init(path: [JSONKey]) { storage = .path(path) }
}

extension JSONKey: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByIntegerLiteral
{
  /// A key; its bytes are those of the literal.
  @_alwaysEmitIntoClient @inline(__always)
  public init(stringLiteral literal: StaticString) {
    storage = unsafe .literal(literal.utf8Start, literal.utf8CodeUnitCount)
  }

  /// An index.
  @_alwaysEmitIntoClient
  public init(integerLiteral index: Int) { storage = .index(index) }

  /// A path.
  @_alwaysEmitIntoClient
  public init(arrayLiteral keys: JSONKey...) { storage = .path(keys) }
}

extension JSONKey {
  /// The key's steps, as a pointer's tokens.
  package var steps: [JSONPointer.Token] {
    if case .path(let keys) = storage { return keys.flatMap { $0.steps } }
    return [step]
  }

  /// A literal's bytes, which live as long as the program.
  @unsafe
  init(_ start: UnsafePointer<UInt8>, _ count: Int) { storage = unsafe .literal(start, count) }

  init(_ step: JSONPointer.Token) {
    switch step {
    case .key(let name): self.init(name)
    case .index(let index): self.init(index)
    }
  }

  /// The component of a key that has only one.
  var step: JSONPointer.Token {
    switch storage {
    case .literal(let start, let count):
      // SAFETY: as in Storage.
      .key(unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case .name(let name): .key(name)
    case .index(let index): .index(index)
    case .path: preconditionFailure("a path has several steps")
    }
  }
}
