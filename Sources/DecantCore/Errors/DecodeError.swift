// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One error type, one word, in three states.
//
//   in flight   a code, the node it is about and what was expected there. Nothing is formatted, so that
//               failing costs little and succeeding nothing. What a value of a native document is not fits
//               into the word itself; other errors are a reference. Several are a chain, linked in place.
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
  var form: Form

  enum Form {
    case simple(Simple)
    // SAFETY: mutated only in flight, by the one frame that holds it, and never after it passed the
    // boundary. What a writer of decoders can keep is copied before it is first written to.
    case stored(Storage)
  }

  /// An error in flight about a native value: seven bytes, so that with the other form it fits into eight.
  struct Simple: Equatable {
    let node: UInt32
    var code: UInt16
    let expected: Expectation

    init(_ code: Code, _ node: UInt64, _ expected: Expectation) {
      self.node = UInt32(truncatingIfNeeded: node)
      self.code = UInt16(truncatingIfNeeded: code.rawValue)
      self.expected = expected
    }
  }

  /// One error, and the head of a chain of them.
  @safe
  final class Storage {
    // Properties are read and written whole, never changed in place: so the optimiser proves exclusive
    // access, which checked at run time would cost half of a failure.
    var code: Code
    /// The node that the error is about. Of a document that is none: the offset of the offending byte.
    var node: UInt64
    /// What was looked up at the node and not found, if the model spells it as a literal: bytes that live as
    /// long as the program. Other keys are extras.
    fileprivate(set) var soughtStart: UnsafePointer<UInt8>?
    fileprivate(set) var soughtCount = 0
    var expected: StaticString?
    /// The error is about the key of the member at `node`.
    var isAboutKey = false
    /// The error is about the document: `node` is an offset, and `base` that of the other place.
    var isAboutDocument = false
    /// The container where the trail begins, for engines whose nodes do not tell their place.
    var base: UInt64 = DECANT_NODE_NONE
    /// The root of the tree that `node` belongs to, if it is another engine's.
    var tree: UInt64 = 0

    /// The next of several errors; only a chain's head is ever an error's storage. Owned, and not counted
    /// where a chain is walked: who walks holds the head, and the head the rest.
    // SAFETY: retained once, by this link; taken or released by `takeFollowing` and `deinit` alone.
    fileprivate(set) var following: Unmanaged<Storage>?
    /// At a head: errors that are counted and not in the chain.
    var omitted = 0

    /// At a head, from the boundary on: the document of the whole chain.
    var origin: Origin?
    /// What most errors do not have.
    var extras: Extras?

    init(_ code: Code, node: UInt64 = DECANT_NODE_NONE, expected: StaticString? = nil) {
      self.code = code
      self.node = node
      self.expected = expected
    }

    convenience init(_ simple: Simple) {
      self.init(
        Code(rawValue: Int32(simple.code)), node: UInt64(simple.node),
        expected: simple.expected.name)
    }

    // A chain is freed link by link, not by recursion.
    deinit {
      var next = unsafe following
      while let link = unsafe next {
        unsafe link._withUnsafeGuaranteedRef {
          unsafe next = unsafe $0.following
          unsafe $0.following = nil
        }
        unsafe link.release()
      }
    }
  }

  final class Extras {
    var sought: JSONKey?
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

  init(_ storage: Storage) { form = .stored(storage) }

  init(_ simple: Simple) { form = .simple(simple) }

  /// Whether the error can leave its document.
  var isResolved: Bool {
    guard case .stored(let storage) = form else { return false }
    return storage.isResolved
  }

  /// The error's own storage, or one made from its simple form: to be read, not to be written to.
  var storage: Storage {
    switch form {
    case .simple(let simple): Storage(simple)
    case .stored(let storage): storage
    }
  }
}

extension DecodeError.Storage {
  /// Whether this is the head of several errors.
  var isList: Bool { unsafe following != nil || omitted > 0 || extras?.parts.isEmpty == false }

  /// Whether the error, or all of the chain, can leave its document.
  var isResolved: Bool {
    if origin != nil { return true }
    guard let extras else { return false }
    return unsafe !extras.parts.isEmpty || extras.resolution != nil && following == nil
  }

  /// Whether this link of a chain is resolved by itself.
  var isSettled: Bool { extras?.resolution != nil }

  /// What was looked up at the node and not found: the key as the model spells it.
  var sought: JSONKey? {
    get {
      guard let start = unsafe soughtStart else { return extras?.sought }
      return unsafe JSONKey(start, soughtCount)
    }
    set {
      if case .literal(let start, let count) = newValue?.storage {
        unsafe soughtStart = unsafe start
        soughtCount = count
      } else {
        unsafe soughtStart = nil
        if newValue != nil || extras != nil { writableExtras.sought = newValue }
      }
    }
  }

  var hasSought: Bool { unsafe soughtStart != nil || extras?.sought != nil }

  var step: JSONPointer.Token? { hasSought ? sought?.step : nil }

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
    let copy = DecodeError.Storage(code, node: node, expected: expected)
    copy.sought = sought
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

  /// This link and all behind it.
  @inline(__always)
  func forEach(_ body: (DecodeError.Storage) -> Void) {
    body(self)
    var next = unsafe following
    while let link = unsafe next {
      unsafe link._withUnsafeGuaranteedRef {
        body($0)
        unsafe next = unsafe $0.following
      }
    }
  }

  /// How many errors the chain has.
  var linkCount: Int {
    var count = 0
    forEach { _ in count += 1 }
    return count
  }

  /// The last of at most `limit` links, and how many they are.
  func lastLink(within limit: Int) -> (link: DecodeError.Storage, count: Int) {
    var last = unsafe Unmanaged.passUnretained(self)
    var count = 1
    while count < limit, let next = unsafe last._withUnsafeGuaranteedRef({ unsafe $0.following }) {
      unsafe last = unsafe next
      count += 1
    }
    return unsafe (last.takeUnretainedValue(), count)
  }

  /// Links a chain behind this last link of another.
  @inline(__always)
  func follow(with chain: consuming DecodeError.Storage) {
    unsafe following = unsafe Unmanaged.passRetained(chain)
  }

  /// Cuts the chain behind this link, and hands out what followed.
  @inline(__always)
  func takeFollowing() -> DecodeError.Storage? {
    guard let taken = unsafe following else { return nil }
    unsafe following = nil
    return unsafe taken.takeRetainedValue()
  }
}

// MARK: - For readers

extension DecodeError {
  /// What is wrong.
  public var code: Code {
    switch form {
    case .simple(let simple): Code(rawValue: Int32(simple.code))
    case .stored(let storage): storage.isList ? .multiple : storage.code
    }
  }

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
    guard case .stored(let storage) = form else { return 1 }
    let parts = storage.extras?.parts.count ?? 0
    return (parts > 0 ? parts : storage.linkCount) + storage.omitted
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
    if case .simple(let one) = first.form, case .simple(let other) = second.form, one == other {
      return first
    }
    let head = first.chain()
    head.append(all: second.chain())
    return DecodeError(head)
  }

  /// The error's chain, to be linked to another: its own if nobody else has it, else a copy.
  consuming func chain() -> Storage {
    switch (consume self).form {
    case .simple(let simple): return Storage(simple)
    case .stored(var storage):
      if storage.isResolved { return storage.resolvedChain() }
      return isKnownUniquelyReferenced(&storage) ? storage : storage.copiedChain()
    }
  }

  /// Where spellings that know no options stop collecting.
  static var combiningLimit: Int { 1024 }
}

extension DecodeError.Storage {
  /// Puts the errors of a chain behind the last, but for those that say what one says already.
  @inline(__always)
  fileprivate func append(all chain: consuming DecodeError.Storage) {
    if chain.omitted > 0 {
      omitted = omitted + chain.omitted
      chain.omitted = 0
    }
    var next = chain.takeFollowing()
    append(chain)
    while let link = next {
      next = link.takeFollowing()
      append(link)
    }
  }

  /// Puts a single error behind the last, unless one says the same.
  fileprivate func append(_ error: consuming DecodeError.Storage) {
    var last = unsafe Unmanaged.passUnretained(self)
    var count = 1
    while true {
      let (repeats, next) = unsafe last._withUnsafeGuaranteedRef {
        unsafe (error.repeats($0), $0.following)
      }
      if repeats { return }
      guard let next = unsafe next else { break }
      unsafe last = unsafe next
      count += 1
    }
    if count < DecodeError.combiningLimit {
      let link = unsafe Unmanaged.passRetained(error)
      unsafe last._withUnsafeGuaranteedRef { unsafe $0.following = unsafe link }
    } else {
      omitted = omitted + 1
    }
  }

  /// Whether both say the same of the same value.
  private func repeats(_ other: DecodeError.Storage) -> Bool {
    guard node == other.node, node != DECANT_NODE_NONE, code == other.code, seeks(the: other) else {
      return false
    }
    if extras == nil, other.extras == nil, areSame(expected, other.expected) { return true }
    return message == other.message && trail == other.trail && expectation == other.expectation
      && !isSettled && !other.isSettled
  }

  /// Whether both looked for the same key.
  private func seeks(the other: DecodeError.Storage) -> Bool {
    guard let start = unsafe soughtStart, let otherStart = unsafe other.soughtStart else {
      return step == other.step
    }
    // SAFETY: as in JSONKey.
    return unsafe soughtCount == other.soughtCount
      && (start == otherStart || memcmp(start, otherStart, soughtCount) == 0)
  }

  func copiedChain() -> DecodeError.Storage {
    let head = copy()
    head.omitted = omitted
    var last = head
    var isHead = true
    forEach { link in
      if isHead { return isHead = false }
      let copy = link.copy()
      last.follow(with: copy)
      last = copy
    }
    return head
  }
}

extension JSON {
  /// An error about this value. A missing view's error says what is missing instead.
  @usableFromInline @inline(never)
  package func failure(_ code: DecodeError.Code, expected: StaticString?) -> DecodeError {
    if !exists { return absence }
    return DecodeError(stored(code, expected: expected))
  }

  /// An error about this value, which exists, to be written to.
  @inline(__always)
  private func stored(
    _ code: DecodeError.Code, expected: StaticString?
  ) -> DecodeError.Storage {
    guard let spare = takeSpareError() else {
      let storage = DecodeError.Storage(code, node: node, expected: expected)
      if !isNative { storage.tree = tree }
      return storage
    }
    spare.code = code
    spare.node = node
    spare.expected = expected
    spare.tree = tree
    return spare
  }

  /// An error about this value, in as little as it takes.
  @usableFromInline @inline(never)
  package func failure(_ code: DecodeError.Code, _ expected: Expectation) -> DecodeError {
    if isNative { return DecodeError(DecodeError.Simple(code, node, expected)) }
    return failure(code, expected: expected.name)
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
    case .null: return failure(.missingKey, container.name)
    default: return failure(.typeMismatch, container.name)
    }
    let storage = stored(code, expected: nil)
    storage.sought = key
    storage.base = node
    return DecodeError(storage)
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
        // A simple error's node tells its place.
        guard case .stored(let storage) = error.form else { return error }
        storage.trail = storage.trail + steps[..<place].reversed()
        if exists { storage.base = node }
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
  @inline(__always)
  fileprivate func takeSpareError() -> DecodeError.Storage? {
    guard let spare = unsafe spareErrors else { return nil }
    unsafe spare._withUnsafeGuaranteedRef {
      unsafe spareErrors = unsafe $0.following
      unsafe $0.following = nil
    }
    return unsafe spare.takeRetainedValue()
  }

  /// Keeps dropped errors to be used again, if nobody else has them.
  func keepSpare(_ error: consuming DecodeError) {
    // SAFETY: contexts with room for misses belong to one frame; those of documents, which threads share,
    // have none.
    guard case .stored(var storage) = (consume error).form, unsafe context.pointee.misses != nil,
      isKnownUniquelyReferenced(&storage), !storage.isResolved
    else { return }
    storage.forEach { link in
      link.blank()
      if unsafe link.following == nil {
        unsafe link.following = unsafe spareErrors
        unsafe spareErrors = nil
      }
    }
    unsafe spareErrors = unsafe Unmanaged.passRetained(storage)
  }

  /// Frees the spare errors, if there are any.
  func dropSpare() {
    if let spare = unsafe spareErrors {
      unsafe spareErrors = nil
      unsafe spare.release()
    }
  }

  /// The dropped errors: a chain, owned by the context's field.
  private var spareErrors: Unmanaged<DecodeError.Storage>? {
    // SAFETY: the context is this frame's own, and the field is written here only.
    get { unsafe context.pointee.spare_error.map { unsafe Unmanaged.fromOpaque($0) } }
    nonmutating set {
      unsafe UnsafeMutablePointer(mutating: context).pointee.spare_error = unsafe newValue?
        .toOpaque()
    }
  }
}

extension DecodeError.Storage {
  /// As new, but for what every error sets. Writes have their price; most errors have none of these.
  fileprivate func blank() {
    if unsafe soughtStart != nil { unsafe soughtStart = nil }
    if extras != nil { extras = nil }
    if isAboutKey { isAboutKey = false }
    if omitted != 0 { omitted = 0 }
  }
}

extension JSONKey {
  /// The kind of value that has such keys, and what it lacks where there is none.
  fileprivate var container: (kind: JSONKind, name: Expectation, absence: DecodeError.Code) {
    if case .index = storage { return (.array, .array, .missingElement) }
    return (.object, .object, .missingKey)
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
