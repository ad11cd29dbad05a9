// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One error type, in three states.
//
//   in flight   one reference: a code, the node it is about and what was expected there. Nothing is
//               formatted, so that failing costs little and succeeding nothing. Several are a chain, linked
//               in place: to combine errors takes no memory.
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

  /// One error, and the head of a chain of them.
  final class Storage {
    // Properties are read and written whole, never changed in place: so the optimiser proves exclusive
    // access, which checked at run time would cost half of a failure.
    var code: Code
    /// The node that the error is about. Of a document that is none: the offset of the offending byte.
    var node: UInt64
    /// What was looked up at the node and not found: the key as the model spells it.
    var sought: JSONKey?
    var expected: StaticString?
    /// The error is about the key of the member at `node`.
    var isAboutKey = false
    /// The error is about the document: `node` is an offset, and `base` that of the other place.
    var isAboutDocument = false
    /// The container where the trail begins, for engines whose nodes do not tell their place.
    var base: UInt64 = DECANT_NODE_NONE
    /// The root of the tree that `node` belongs to, if it is another engine's.
    var tree: UInt64 = 0

    /// The next of several errors; only a chain's head is ever an error's storage.
    var following: Storage?
    /// At a head: errors that are counted and not in the chain.
    var omitted = 0

    /// At a head, from the boundary on: the document of the whole chain.
    var origin: Origin?
    /// What most errors do not have.
    var extras: Extras?

    init(
      _ code: Code, node: UInt64 = DECANT_NODE_NONE, sought: JSONKey? = nil,
      expected: StaticString? = nil
    ) {
      self.code = code
      self.node = node
      self.sought = sought
      self.expected = expected
    }

    // A chain is freed link by link, not by recursion.
    deinit {
      guard var next = following else { return }
      following = nil
      while isKnownUniquelyReferenced(&next), let after = next.following {
        next.following = nil
        next = after
      }
    }
  }

  final class Extras {
    var message: String?
    /// What stands in the message behind what was found, such as `is not one of "a", "b"`.
    var remark: (() -> String)?
    /// What several decoders expected, in place of `expected`.
    var expectation: String?
    /// Steps above the node, innermost first; kept only for engines whose nodes do not tell their place.
    var trail: [JSONPointer.Token] = []
    var resolution: Resolution?
    /// The single errors of several, when they are resolved.
    var parts: [DecodeError] = []
  }

  init(_ storage: Storage) { self.storage = storage }
}

extension DecodeError.Storage {
  /// Whether this is the head of several errors.
  var isList: Bool { following != nil || omitted > 0 || extras?.parts.isEmpty == false }

  /// Whether the error, or all of the chain, can leave its document.
  var isResolved: Bool {
    if origin != nil { return true }
    guard let extras else { return false }
    return !extras.parts.isEmpty || extras.resolution != nil && following == nil
  }

  /// Whether this link of a chain is resolved by itself.
  var isSettled: Bool { extras?.resolution != nil }

  var step: JSONPointer.Token? { sought?.step }

  var message: String? {
    get { extras?.message }
    set { writableExtras.message = newValue }
  }

  var remark: (() -> String)? {
    get { extras?.remark }
    set { writableExtras.remark = newValue }
  }

  var expectation: String? {
    get { extras?.expectation ?? expected.map { "\($0)" } }
    set { writableExtras.expectation = newValue }
  }

  var trail: [JSONPointer.Token] {
    get { extras?.trail ?? [] }
    set { writableExtras.trail = newValue }
  }

  var resolution: DecodeError.Resolution? {
    get { extras?.resolution }
    set { writableExtras.resolution = newValue }
  }

  private var writableExtras: DecodeError.Extras {
    if let extras { return extras }
    let extras = DecodeError.Extras()
    self.extras = extras
    return extras
  }

  /// This error by itself: without its chain and without a document.
  func copy() -> DecodeError.Storage {
    let copy = DecodeError.Storage(code, node: node, sought: sought, expected: expected)
    copy.isAboutKey = isAboutKey
    copy.isAboutDocument = isAboutDocument
    copy.base = base
    copy.tree = tree
    if let extras {
      let own = copy.writableExtras
      own.message = extras.message
      own.remark = extras.remark
      own.expectation = extras.expectation
      own.trail = extras.trail
      own.resolution = extras.resolution
    }
    return copy
  }

  func forEach(_ body: (DecodeError.Storage) -> Void) {
    body(self)
    var next = following
    while let link = next {
      body(link)
      next = link.following
    }
  }
}

// MARK: - For readers

extension DecodeError {
  /// What is wrong.
  public var code: Code { storage.isList ? .multiple : storage.code }

  /// The place in the document as an RFC 6901 pointer; for a missing key, where it should stand.
  /// The pointer of ``Code/multiple`` is the first underlying error's.
  public var path: JSONPointer { first.resolution.path }

  /// Where in the bytes; nil if the engine does not know, as libjansson does not after parsing.
  public var location: Location? { first.resolution.location }

  /// For a duplicate key, where the first one stands.
  public var otherLocation: Location? { storage.isList ? nil : resolution.otherLocation }

  /// The single errors when there are several, flat and in order; empty otherwise.
  public var underlying: [DecodeError] {
    guard storage.isList else { return [] }
    if let parts = storage.extras?.parts, !parts.isEmpty { return parts }
    return resolvedParts()
  }

  /// How many further errors were counted and not kept (see ``DecodingOptions/maximumErrors``).
  public var omittedCount: Int { storage.omitted }

  /// How many errors this is: 1, or all that it stands for, those that were not kept included.
  public var count: Int {
    var count = storage.extras?.parts.count ?? 0
    if count == 0 {
      count = 1
      var next = storage.following
      while let link = next {
        count += 1
        next = link.following
      }
    }
    return count + storage.omitted
  }

  /// What was expected, such as `an integer`.
  public var expected: String? { storage.isList ? nil : storage.expectation }

  /// What was found, such as `the string "thirty"`; with ``DecodingOptions/redactsInput``, its kind.
  public var found: String? { storage.isList ? nil : resolution.found }

  /// What the document was called: ``DecodingOptions/sourceName``.
  public var sourceName: String? { first.resolution.sourceName }

  private var first: DecodeError { storage.extras?.parts.first ?? self }

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
  public static func combining(
    _ first: consuming DecodeError, _ second: consuming DecodeError
  ) -> DecodeError {
    let head = first.chain()
    let rest = second.chain()
    head.omitted = head.omitted + rest.omitted
    if rest.following == nil {
      head.append(rest)
    } else {
      var next: Storage? = rest
      while let link = next {
        next = link.following
        link.following = nil
        head.append(link)
      }
    }
    return DecodeError(head)
  }

  /// The error's chain, to be linked to another: its own if nobody else has it, else a copy.
  consuming func chain() -> Storage {
    var error = self
    if isKnownUniquelyReferenced(&error.storage), !error.storage.isResolved { return error.storage }
    return error.storage.isResolved ? error.resolvedChain() : error.storage.copiedChain()
  }

  /// Where spellings that know no options stop collecting.
  static var combiningLimit: Int { 1024 }
}

extension DecodeError.Storage {
  /// Puts a single error behind the last, unless one says the same.
  fileprivate func append(_ error: DecodeError.Storage) {
    var last = self
    var count = 1
    while true {
      if error.repeats(last) { return }
      guard let next = last.following else { break }
      last = next
      count += 1
    }
    error.omitted = 0
    if count < DecodeError.combiningLimit { last.following = error } else { omitted = omitted + 1 }
  }

  /// Whether both say the same of the same value.
  private func repeats(_ other: DecodeError.Storage) -> Bool {
    guard node == other.node, node != DECANT_NODE_NONE, code == other.code,
      JSONKey.areSame(sought, other.sought)
    else { return false }
    if extras == nil, other.extras == nil, areSame(expected, other.expected) { return true }
    return message == other.message && trail == other.trail && expectation == other.expectation
      && !isSettled && !other.isSettled
  }

  func copiedChain() -> DecodeError.Storage {
    let head = copy()
    head.omitted = omitted
    var last = head
    var next = following
    while let link = next {
      let copy = link.copy()
      last.following = copy
      last = copy
      next = link.following
    }
    return head
  }
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
  func absence(of step: JSONPointer.Token) -> DecodeError { absence(ofOne: JSONKey(step)) }

  private func absence(ofOne key: JSONKey) -> DecodeError {
    if !exists { return absence }
    let container = key.container
    let code: DecodeError.Code
    switch kind {
    case container.kind: code = container.absence
    case .null: return failure(.missingKey, expected: container.name)
    default: return failure(.typeMismatch, expected: container.name)
    }
    let error = failure(code, expected: nil)
    error.storage.sought = key
    error.storage.base = node
    return error
  }

  /// Why the look-up of a path found nothing: about its first step that leads nowhere.
  @usableFromInline @inline(never)
  package func absence(of key: JSONKey) -> DecodeError {
    if case .path = key.storage { return absence(along: key.steps) }
    return absence(ofOne: key)
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
// each would cost ten times as much as reading the element, so those that were dropped are used again.
extension JSON {
  /// One of the errors that were dropped, blank, or nil if there is none.
  fileprivate func takeSpareError() -> DecodeError.Storage? {
    if unsafe context.pointee.spare_error == nil { return nil }
    return withSpareErrors { spare in
      guard let taken = spare.take() else { return nil }
      if let following = taken.following {
        taken.following = nil
        spare = following
      }
      return taken
    }
  }

  /// Keeps dropped errors to be used again, if nobody else has them.
  func keepSpare(_ error: consuming DecodeError) {
    // SAFETY: contexts with room for misses belong to one frame; those of documents, which threads share,
    // have none.
    guard unsafe context.pointee.misses != nil, isKnownUniquelyReferenced(&error.storage),
      !error.storage.isResolved
    else { return }
    let head = error.storage
    withSpareErrors { spare in
      head.blank()
      if head.following != nil {
        var last = head
        while let next = last.following {
          next.blank()
          last = next
        }
        last.following = spare.take()
      } else if spare != nil {
        head.following = spare.take()
      }
      spare = head
    }
  }

  /// Frees the spare errors, if there are any.
  func dropSpare() {
    if unsafe context.pointee.spare_error != nil { withSpareErrors { $0 = nil } }
  }

  /// The context's field as the reference that it is, to be moved out and in, so that nothing is counted.
  private func withSpareErrors<Result>(
    _ body: (inout DecodeError.Storage?) -> Result
  ) -> Result {
    // SAFETY: the context is this frame's own. The field is the reader's, and NULL is nil.
    unsafe withUnsafeMutablePointer(
      to: &UnsafeMutablePointer(mutating: context).pointee.spare_error
    ) {
      unsafe $0.withMemoryRebound(to: DecodeError.Storage?.self, capacity: 1) {
        unsafe body(&$0.pointee)
      }
    }
  }
}

extension DecodeError.Storage {
  /// As new, but for what every error sets. Writes have their price; most errors have none of these.
  fileprivate func blank() {
    if sought != nil { sought = nil }
    if extras != nil { extras = nil }
    if isAboutKey { isAboutKey = false }
    if omitted != 0 { omitted = 0 }
  }
}

extension JSONKey {
  /// The kind of value that has such keys, and what it lacks where there is none.
  fileprivate var container: (kind: JSONKind, name: StaticString, absence: DecodeError.Code) {
    if case .index = storage { return (.array, "an array", .missingElement) }
    return (.object, "an object", .missingKey)
  }

  /// Whether both are the same step.
  fileprivate static func areSame(_ one: JSONKey?, _ other: JSONKey?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    if case .literal(let start, let count) = one.storage,
      case .literal(let otherStart, let otherCount) = other.storage
    {
      // SAFETY: as in Storage.
      guard count == otherCount else { return false }
      if unsafe start == otherStart { return true }
      return unsafe UnsafeBufferPointer(start: start, count: count).elementsEqual(
        UnsafeBufferPointer(start: otherStart, count: count))
    }
    return one.step == other.step
  }
}

/// Whether both are the same literal.
private func areSame(_ one: StaticString?, _ other: StaticString?) -> Bool {
  guard let one, let other else { return one == nil && other == nil }
  guard one.hasPointerRepresentation, other.hasPointerRepresentation else { return false }
  return unsafe one.utf8Start == other.utf8Start
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
