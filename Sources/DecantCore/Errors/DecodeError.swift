// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One error type, in two states.
//
//   in flight   one reference: a code, the node it is about and what was expected there. Nothing is
//               formatted, so that failing costs little and succeeding nothing.
//   resolved    at the boundary, where the document is still there and the error leaves it: path,
//               place, what was found. From here on it is a value that never changes.
//
// `resolved(in:_:)` is the one way from the first to the second (DecodeError+Resolving.swift); the text is
// made by DecodeError+Description.swift.

internal import CDecantIndex

/// Why a document did not become a model: what, where, and on which path.
///
///     try User(decoding: #"{"id":"5","name":"Tester"}"#)
///     // 1:7: /id: expected an integer, found the string "5"
///
/// When several things are wrong, ``code`` is ``Code/multiple`` and ``underlying`` has them all, in the
/// order of the model and of the document.
public struct DecodeError: Error, @unchecked Sendable {
  // SAFETY: mutated only in flight, by the one frame that holds it, and never after it was resolved. What
  // a writer of decoders can keep is copied before it is first written to.
  let storage: Storage

  final class Storage {
    var code: Code
    var node: UInt64 = DECANT_NODE_NONE
    var step: JSONPointer.Token?
    var expected: StaticString?
    /// What several decoders expected, in place of `expected`.
    var expectation: String? {
      get { combinedExpectation ?? expected.map { "\($0)" } }
      set { combinedExpectation = newValue }
    }
    private var combinedExpectation: String?
    var message: String?

    /// Steps above `node`, innermost first, and the container where the outermost begins; kept only for
    /// engines whose nodes do not tell their place.
    var trail: [JSONPointer.Token] = []
    var base: UInt64 = DECANT_NODE_NONE

    var underlying: [DecodeError] = []
    var omitted = 0

    var isResolved = false
    var path = JSONPointer("")
    var location: Location?
    var otherLocation: Location?
    var found: String?
    var sourceName: String?

    init(_ code: Code) { self.code = code }

    func copy() -> Storage {
      let copy = Storage(code)
      copy.node = node
      copy.step = step
      copy.expected = expected
      copy.combinedExpectation = combinedExpectation
      copy.message = message
      copy.trail = trail
      copy.base = base
      copy.underlying = underlying
      copy.omitted = omitted
      return copy
    }
  }

  init(_ storage: Storage) { self.storage = storage }
}

// MARK: - For readers

extension DecodeError {
  /// What is wrong.
  public var code: Code { storage.code }

  /// The place in the document as an RFC 6901 pointer; for a missing key, where it should stand.
  /// The pointer of ``Code/multiple`` is the first underlying error's.
  public var path: JSONPointer { storage.underlying.first?.path ?? storage.path }

  /// Where in the bytes; nil if the engine does not know, as libjansson does not after parsing.
  public var location: Location? { storage.underlying.first?.location ?? storage.location }

  /// For a duplicate key, where the first one stands.
  public var otherLocation: Location? { storage.otherLocation }

  /// The single errors when there are several, flat and in order; empty otherwise.
  public var underlying: [DecodeError] { storage.underlying }

  /// How many further errors were counted and not kept (see ``DecodingOptions/maximumErrors``).
  public var omittedCount: Int { storage.omitted }

  /// What was expected, such as `an integer`.
  public var expected: String? { storage.expectation }

  /// What was found, such as `the string "thirty"`.
  public var found: String? { storage.found }

  /// A place in the bytes of a document.
  public struct Location: Hashable, Sendable {
    /// Bytes before it.
    public let offset: Int
    /// From 1; lines end with LF.
    public let line: Int
    /// In characters (Unicode scalars), from 1.
    public let column: Int
  }
}

// MARK: - For writers of decoders

extension DecodeError {
  /// An error of your own, with a message. Its path and place are those of the value being decoded.
  public static func custom(_ message: String) -> DecodeError {
    let storage = Storage(.custom)
    storage.message = message
    return DecodeError(storage)
  }

  /// The value is of another kind than the model expects, such as `an integer`.
  public static func typeMismatch(expected: StaticString, in json: JSON) -> DecodeError {
    json.failure(.typeMismatch, expected: expected)
  }

  /// The value is of the right kind and still not acceptable.
  public static func invalidValue(_ message: String, in json: JSON) -> DecodeError {
    let error = json.failure(.invalidValue, expected: nil)
    if error.storage.code == .invalidValue { error.storage.message = message }
    return error
  }

  /// The value is of the right kind and still not what was expected, such as `a date`.
  public static func invalidValue(expected: StaticString, in json: JSON) -> DecodeError {
    json.failure(.invalidValue, expected: expected)
  }

  /// The number does not fit, such as `a Decimal`.
  public static func numberOutOfRange(expected: StaticString, in json: JSON) -> DecodeError {
    json.failure(.numberOutOfRange, expected: expected)
  }

  /// Several errors as one: flat, in order, a single one unwrapped. Associative. What all fields say of
  /// one value, such as a root that is no object, is kept once.
  public static func combining(_ first: DecodeError, _ second: DecodeError) -> DecodeError {
    var parts = first.parts
    var omitted = first.storage.omitted + second.storage.omitted
    for part in second.parts where !parts.contains(where: part.repeats) {
      if parts.count < combiningLimit { parts.append(part) } else { omitted += 1 }
    }
    if parts.count + omitted == 1 { return parts[0] }
    let combined = Storage(.multiple)
    combined.underlying = parts
    combined.omitted = omitted
    return DecodeError(combined)
  }

  private var parts: [DecodeError] { storage.underlying.isEmpty ? [self] : storage.underlying }

  /// Whether both say the same of the same value.
  private func repeats(_ other: DecodeError) -> Bool {
    let (a, b) = (storage, other.storage)
    return a.node != DECANT_NODE_NONE && a.node == b.node && a.code == b.code && a.step == b.step
      && a.message == b.message && a.trail == b.trail && expected == other.expected
      && !a.isResolved && !b.isResolved
  }

  /// Where spellings that know no options stop collecting.
  static var combiningLimit: Int { 1024 }
}

extension JSON {
  /// An error about this value. A missing view's error says what is missing instead.
  @usableFromInline @inline(never)
  package func failure(_ code: DecodeError.Code, expected: StaticString?) -> DecodeError {
    if !exists { return absence }
    let storage = DecodeError.Storage(code)
    storage.node = node
    storage.expected = expected
    return DecodeError(storage)
  }

  /// An error about this value in words of its own.
  package func failure(_ code: DecodeError.Code, message: String) -> DecodeError {
    let error = failure(code, expected: nil)
    if error.storage.code == code { error.storage.message = message }
    return error
  }

  /// Why this view is missing.
  var absence: DecodeError {
    guard let miss else { return DecodeError(DecodeError.Storage(.missingKey)) }
    return JSON(miss.parent, within: self).absence(of: miss.step)
  }

  /// Why a look-up of `step` in this value found nothing.
  func absence(of step: JSONPointer.Token) -> DecodeError {
    if !exists { return absence }
    let storage: DecodeError.Storage
    switch (step, kind) {
    case (.key, .object):
      storage = DecodeError.Storage(.missingKey)
      storage.step = step
    case (.index, .array):
      storage = DecodeError.Storage(.missingElement)
      storage.step = step
    case (_, .null): return failure(.missingKey, expected: step.container)
    default: return failure(.typeMismatch, expected: step.container)
    }
    storage.node = node
    storage.base = node
    return DecodeError(storage)
  }

  /// Why the look-up of a path found nothing: about its first step that leads nowhere.
  @usableFromInline @inline(never)
  package func absence(of key: JSONKey) -> DecodeError { absence(along: key.steps) }

  func absence(along steps: [JSONPointer.Token]) -> DecodeError {
    var view = self
    for (place, step) in steps.enumerated() {
      let next =
        switch step {
        case .key(let name): view.member(name)
        case .index(let index): view.element(index)
        }
      if next == DECANT_NODE_NONE {
        let error = view.absence(of: step)
        for step in steps[..<place].reversed() { error.storage.trail.append(step) }
        if exists { error.storage.base = node }
        return error
      }
      view = JSON(next, within: self)
    }
    return absence
  }
}

extension JSONPointer.Token {
  /// The kind of value that has such steps.
  var container: StaticString {
    switch self {
    case .key: "an object"
    case .index: "an array"
    }
  }
}

// MARK: - For callers of other languages

extension DecodeError {
  /// A call that cannot be answered.
  package static func invalidArgument(_ message: String) -> DecodeError {
    let storage = Storage(.invalidArgument)
    storage.message = message
    storage.isResolved = true
    return DecodeError(storage)
  }

  /// No memory for the result.
  package static var outOfMemory: DecodeError {
    let storage = Storage(.outOfMemory)
    storage.isResolved = true
    return DecodeError(storage)
  }
}
