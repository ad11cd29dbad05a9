// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One error type, in three states.
//
//   in flight   one reference: a code, the node it is about and what was expected there. Nothing is
//               formatted, so that failing costs little and succeeding nothing.
//   kept        at the boundary, of a small document: the same, and a copy of the document's bytes. Path,
//               place and text are worked out from it when somebody asks.
//   resolved    at the boundary, of a large document or another engine's: path, place and what was found,
//               worked out while the document was still there.
//
// From the boundary on an error is a value that never changes. `resolved(in:_:)` is the one way there
// (DecodeError+Resolving.swift); the text is made by DecodeError+Description.swift.

internal import CDecantIndex

/// Why a document did not become a model: what, where, and on which path.
///
///     try User(decoding: #"{"id":"5","name":"Tester"}"#)
///     // 1:7: /id: expected an integer, found the string "5"
///     //   {"id":"5","name":"Tester"}
///     //         ^~~
///
/// When several things are wrong, ``code`` is ``Code/multiple`` and ``underlying`` has them all, in the
/// order of the model and of the document.
public struct DecodeError: Error, @unchecked Sendable {
  // SAFETY: mutated only in flight, by the one frame that holds it, and never after it passed the boundary.
  // What a writer of decoders can keep is copied before it is first written to.
  var storage: Storage

  final class Storage {
    // Properties are read and written whole, never changed in place: so the optimiser proves exclusive
    // access, which checked at run time would cost half of a failure.
    var code: Code
    /// The node that the error is about. Of a document that is none: the offset of the offending byte.
    var node: UInt64
    var step: JSONPointer.Token?
    var expected: StaticString?
    /// What several decoders expected, in place of `expected`.
    var expectation: String? {
      get { combinedExpectation ?? expected.map { "\($0)" } }
      set { combinedExpectation = newValue }
    }
    fileprivate var combinedExpectation: String?
    var message: String?
    /// What stands in the message behind what was found, such as `is not one of "a", "b"`.
    var remark: (() -> String)?
    /// The error is about the key of the member at `node`.
    var isAboutKey = false
    /// The error is about the document: `node` is an offset, and `base` that of the other place.
    var isAboutDocument = false

    /// Steps above `node`, innermost first, and the container where the outermost begins; kept only for
    /// engines whose nodes do not tell their place.
    var trail: [JSONPointer.Token] = []
    var base: UInt64 = DECANT_NODE_NONE
    /// The root of the tree that `node` belongs to, if it is another engine's.
    var tree: UInt64 = 0

    var underlying: [DecodeError] = []
    var omitted = 0

    var origin: Origin?
    var resolution: Resolution?

    init(
      _ code: Code, node: UInt64 = DECANT_NODE_NONE, step: JSONPointer.Token? = nil,
      expected: StaticString? = nil
    ) {
      self.code = code
      self.node = node
      self.step = step
      self.expected = expected
    }

    var isResolved: Bool { resolution != nil || origin != nil }

    func copy() -> Storage {
      let copy = Storage(code, node: node, step: step, expected: expected)
      copy.combinedExpectation = combinedExpectation
      copy.message = message
      copy.remark = remark
      copy.isAboutKey = isAboutKey
      copy.isAboutDocument = isAboutDocument
      copy.trail = trail
      copy.base = base
      copy.tree = tree
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
  public var path: JSONPointer { first.resolution.path }

  /// Where in the bytes; nil if the engine does not know, as libjansson does not after parsing.
  public var location: Location? { first.resolution.location }

  /// For a duplicate key, where the first one stands.
  public var otherLocation: Location? { resolution.otherLocation }

  /// The single errors when there are several, flat and in order; empty otherwise.
  public var underlying: [DecodeError] {
    if storage.underlying.isEmpty || storage.resolution != nil { return storage.underlying }
    return resolvedParts()
  }

  /// How many further errors were counted and not kept (see ``DecodingOptions/maximumErrors``).
  public var omittedCount: Int { storage.omitted }

  /// How many errors this is: 1, or all that it stands for, those that were not kept included.
  public var count: Int { max(1, storage.underlying.count + storage.omitted) }

  /// What was expected, such as `an integer`.
  public var expected: String? { storage.expectation }

  /// What was found, such as `the string "thirty"`; with ``DecodingOptions/redactsInput``, its kind.
  public var found: String? { resolution.found }

  /// What the document was called: ``DecodingOptions/sourceName``.
  public var sourceName: String? { first.resolution.sourceName }

  private var first: DecodeError { storage.underlying.first ?? self }

  /// A place in the bytes of a document.
  public struct Location: Hashable, Sendable {
    /// Bytes before it.
    public let offset: Int
    /// From 1; lines end with LF.
    public let line: Int
    /// In characters (Unicode scalars), from 1.
    public let column: Int

    package init(offset: Int, line: Int, column: Int) {
      self.offset = offset
      self.line = line
      self.column = column
    }
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
    if first.storage.underlying.isEmpty, second.storage.underlying.isEmpty,
      first.storage.omitted + second.storage.omitted == 0
    {
      if second.repeats(first) { return first }
      let combined = Storage(.multiple)
      combined.underlying = [first, second]
      return DecodeError(combined)
    }
    if second.storage.underlying.isEmpty, second.storage.omitted == 0,
      first.parts.contains(where: second.repeats)
    {
      return first
    }
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

  var parts: [DecodeError] { storage.underlying.isEmpty ? [self] : storage.underlying }

  /// Whether both say the same of the same value.
  private func repeats(_ other: DecodeError) -> Bool {
    let (a, b) = (storage, other.storage)
    return a.node == b.node && a.node != DECANT_NODE_NONE && a.code == b.code && a.step == b.step
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
    if let spare = takeSpareError() {
      spare.code = code
      spare.node = node
      spare.expected = expected
      spare.tree = tree
      return DecodeError(spare)
    }
    let storage = DecodeError.Storage(code, node: node, expected: expected)
    if !isNative { storage.tree = tree }
    return DecodeError(storage)
  }

  /// The root, which tells one engine's tree from another; 0 for native documents, which need no telling.
  // SAFETY: the view's context outlives it.
  var tree: UInt64 { isNative ? 0 : unsafe context.pointee.root }

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
    let code: DecodeError.Code
    switch (step, kind) {
    case (.key, .object): code = .missingKey
    case (.index, .array): code = .missingElement
    case (_, .null): return failure(.missingKey, expected: step.container)
    default: return failure(.typeMismatch, expected: step.container)
    }
    let error = failure(code, expected: nil)
    error.storage.step = step
    error.storage.base = node
    return error
  }

  /// Why the look-up of a path found nothing: about its first step that leads nowhere.
  @usableFromInline @inline(never)
  package func absence(of key: JSONKey) -> DecodeError {
    if case .path = key.storage { return absence(along: key.steps) }
    return absence(of: key.step)
  }

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
        error.storage.trail = error.storage.trail + steps[..<place].reversed()
        if exists { error.storage.base = node }
        return error
      }
      view = JSON(next, within: self)
    }
    return absence
  }
}

// MARK: - Errors that are only counted

// Past the limit the errors of a container are counted and dropped, one after the other. Making and freeing
// each would cost ten times as much as reading the element, so the last one dropped is used again.
extension JSON {
  /// The error that was dropped last, blank, or nil if there is none.
  fileprivate func takeSpareError() -> DecodeError.Storage? {
    guard let spare = unsafe context.pointee.spare_error else { return nil }
    // SAFETY: put there by `keepSpare`, in a context that one frame has for itself.
    unsafe UnsafeMutablePointer(mutating: context).pointee.spare_error = nil
    return unsafe Unmanaged<DecodeError.Storage>.fromOpaque(spare).takeRetainedValue()
  }

  /// Keeps a dropped error to be used again, if nobody else has it.
  func keepSpare(_ error: consuming DecodeError) {
    // SAFETY: contexts with room for misses belong to one frame; those of documents, which threads share,
    // have none.
    guard unsafe context.pointee.misses != nil, unsafe context.pointee.spare_error == nil,
      isKnownUniquelyReferenced(&error.storage), error.storage.underlying.isEmpty,
      !error.storage.isResolved
    else { return }
    let storage = error.storage
    // Each write to a class has its price; most errors have none of these.
    if storage.step != nil { storage.step = nil }
    if storage.message != nil { storage.message = nil }
    if storage.combinedExpectation != nil { storage.combinedExpectation = nil }
    if storage.remark != nil { storage.remark = nil }
    if storage.isAboutKey { storage.isAboutKey = false }
    if !storage.trail.isEmpty { storage.trail = [] }
    unsafe UnsafeMutablePointer(mutating: context).pointee.spare_error =
      Unmanaged.passRetained(storage).toOpaque()
  }

  /// Frees the spare error, if there is one.
  func dropSpare() { _ = takeSpareError() }
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
    storage.resolution = Resolution()
    return DecodeError(storage)
  }

  /// No memory for the result.
  package static var outOfMemory: DecodeError {
    let storage = Storage(.outOfMemory)
    storage.resolution = Resolution()
    return DecodeError(storage)
  }
}
