// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What an error refers to that does not fit into its word: one of several, linked in place.

internal import CDecantIndex

extension DecodeError {
  /// One error, and the head of a chain of them.
  @safe
  final class Storage {
    // Properties are read and written whole, never changed in place: so the optimiser proves exclusive
    // access, which checked at run time would cost half of a failure.
    var code: Code
    /// The node that the error is about. For a syntax error, the offset of the offending byte.
    var node: UInt64
    /// What was looked up at the node and not found, if the model spells it as a literal: bytes that live as
    /// long as the program. Other keys are extras.
    fileprivate(set) var soughtLiteral: Bytes?
    var expected: StaticString?
    /// The error is about the key of the member at `node`.
    var isAboutKey = false
    /// The error is about the document: `node` is an offset, and `base` that of the other place.
    var isAboutDocument = false
    /// The container that the path components in `trail` start from, for engines whose nodes do not tell their place.
    var base: UInt64 = DECANT_NODE_NONE
    /// The root of the tree that `node` belongs to, if it is another engine's.
    var tree: UInt64 = 0

    /// The next of several errors; only a chain's head is ever an error's storage.
    fileprivate(set) var following: Link?
    /// At a head: errors that are counted and not in the chain.
    var omitted = 0
    /// At a head: the chain is as long as one can be, and what follows may be another head's too. Further errors are
    /// counted by a head of their own, so that a fold over many of them does not copy the chain for each.
    fileprivate(set) var isFull = false

    /// At a head, from the boundary on: the document of the whole chain.
    var origin: Origin?
    /// The document that the node belongs to, if it outlives the call: whoever catches the error in flight can
    /// read it.
    var document: Document?
    /// What most errors do not have.
    var extras: Extras?

    init(_ code: Code, node: UInt64 = DECANT_NODE_NONE, expected: StaticString? = nil) {
      self.code = code
      self.node = node
      self.expected = expected
    }

    convenience init(_ simple: Simple) {
      self.init(
        Code(status: Int32(simple.code)), node: UInt64(simple.node),
        expected: simple.expected.name)
    }

    // A chain is freed link by link, not by recursion; up to where another head has it, too.
    deinit {
      var next = following
      while let link = next {
        var storage = unsafe link.take()
        if !isKnownUniquelyReferenced(&storage) { return }
        next = storage.following
        storage.following = nil
      }
    }
  }

  /// A reference from one error of a chain to the next. It owns its error and counts nothing while a chain is walked:
  /// the head is held by whoever walks, and the rest by the head. Every link is the `following` of one error or the
  /// spare of a context, and is removed from there before it is released.
  typealias Link = Reference<Storage>

  final class Extras {
    var sought: JSONKey?
    var message: String?
    /// What follows the found value in the message, such as `is not one of "a", "b"`.
    var remark: (() -> String)?
    /// What several decoders expected, in place of `expected`.
    var expectation: String?
    /// Steps above the node, innermost first; kept only for engines whose nodes do not tell their place.
    var trail: [JSONPointer.Token] = []
    var resolution: Resolution?
    /// The single errors of several, when they are resolved.
    var parts: [DecodeError] = []
  }
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

  /// What was looked up at the node and not found: the key as the model spells it.
  var sought: JSONKey? {
    get {
      guard let literal = soughtLiteral, let start = unsafe literal.start else {
        return extras?.sought
      }
      return unsafe JSONKey(start, literal.count)
    }
    set {
      if case .literal(let start, let count) = newValue?.storage {
        soughtLiteral = unsafe Bytes(start, count)
      } else {
        soughtLiteral = nil
        if newValue != nil || extras != nil { writableExtras.sought = newValue }
      }
    }
  }

  var hasSought: Bool { soughtLiteral != nil || extras?.sought != nil }

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
    get { extras?.expectation ?? expected?.description }
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
    copy.document = document
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

  /// Calls `body` for this link and all that follow it.
  func forEach(_ body: (DecodeError.Storage) -> Void) {
    var next: DecodeError.Link? = unsafe DecodeError.Link(self)
    while let link = next {
      next = link.with {
        body($0)
        return $0.following
      }
    }
  }

  /// How many errors the chain has.
  var linkCount: Int {
    @inline(never) get { lastLink(within: .max).count }
  }

  /// The last of at most `limit` links, and how many they are.
  func lastLink(within limit: Int) -> (link: DecodeError.Storage, count: Int) {
    var last = unsafe DecodeError.Link(self)
    var count = 1
    while count < limit, let next = last.with({ $0.following }) {
      last = next
      count += 1
    }
    return (last.object, count)
  }

  /// Links a chain after this link, which is the last of another.
  func follow(with chain: consuming DecodeError.Storage) {
    following = unsafe DecodeError.Link(retaining: chain)
  }

  /// Cuts the chain after this link, and returns what followed.
  @inline(__always)
  func takeFollowing() -> DecodeError.Storage? {
    guard let taken = following else { return nil }
    following = nil
    return unsafe taken.take()
  }
}

// MARK: - Combining

extension DecodeError.Storage {
  /// Appends the errors of a chain, except those that repeat one.
  @inline(__always)
  func append(all chain: consuming DecodeError.Storage) {
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

  /// Appends a single error, unless it repeats one.
  fileprivate func append(_ error: consuming DecodeError.Storage) {
    var last = unsafe DecodeError.Link(self)
    var count = 1
    while true {
      let (repeats, next) = last.with { (error.repeats($0), $0.following) }
      if repeats { return }
      guard let next else { break }
      last = next
      count += 1
    }
    if count < DecodeError.combiningLimit {
      let link = unsafe DecodeError.Link(retaining: error)
      last.with { $0.following = link }
    } else {
      omitted = omitted + 1
      isFull = true
    }
  }

  /// Another head of a full chain, which counts more errors.
  func counting(_ more: Int) -> DecodeError.Storage {
    let head = copy()
    head.omitted = omitted + more
    head.isFull = true
    head.following = following.map { unsafe DecodeError.Link(retaining: $0.object) }
    return head
  }

  /// Whether both report the same about the same value.
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
    guard let literal = soughtLiteral, let otherLiteral = other.soughtLiteral else {
      return step == other.step
    }
    return literal == otherLiteral
  }

  @inline(never)
  func copiedChain() -> DecodeError.Storage {
    let head = copy()
    head.omitted = omitted
    var last = head
    following?.object.forEach { link in
      let copy = link.copy()
      last.follow(with: copy)
      last = copy
    }
    return head
  }
}

/// Whether both are the same literal.
private func areSame(_ one: StaticString?, _ other: StaticString?) -> Bool {
  guard let one, let other else { return one == nil && other == nil }
  guard one.hasPointerRepresentation, other.hasPointerRepresentation else { return false }
  return unsafe one.utf8Start == other.utf8Start
}

// MARK: - Errors that are only counted

// Past the limit the errors of a container are counted and dropped, one after the other. Making and freeing
// each would cost ten times as much as reading the element, so those that were dropped are used again.
extension JSON {
  /// A dropped error to use again, blank; nil if no error was dropped.
  @inline(__always)
  func takeSpareError() -> DecodeError.Storage? {
    guard let spare = spareErrors else { return nil }
    spareErrors = spare.with { $0.following }
    spare.with { $0.following = nil }
    return unsafe spare.take()
  }

  /// Keeps dropped errors to be used again, if nobody else has them.
  func keepSpare(_ error: consuming DecodeError) {
    // SAFETY: contexts that record misses belong to one frame; those of documents, which threads share,
    // have none.
    guard case .stored(var storage) = (consume error).form, unsafe context.pointee.misses != nil,
      isKnownUniquelyReferenced(&storage), !storage.isResolved, !storage.isFull
    else { return }
    storage.forEach { link in
      link.blank()
      if link.following == nil {
        link.following = spareErrors
        spareErrors = nil
      }
    }
    spareErrors = unsafe DecodeError.Link(retaining: storage)
  }

  /// Frees the spare errors, if there are any.
  func dropSpare() {
    if let spare = spareErrors {
      spareErrors = nil
      unsafe spare.release()
    }
  }

  /// The dropped errors: a chain, owned by the context's field.
  private var spareErrors: DecodeError.Link? {
    // SAFETY: the context is this frame's own, and the field is written here only.
    get { unsafe context.pointee.spare_error.map { unsafe DecodeError.Link(opaque: $0) } }
    nonmutating set {
      unsafe UnsafeMutablePointer(mutating: context).pointee.spare_error = newValue?.opaque
    }
  }
}

extension DecodeError.Storage {
  /// As new, but for what every error sets. Writes have their price; most errors have none of these.
  fileprivate func blank() {
    if soughtLiteral != nil { soughtLiteral = nil }
    if extras != nil { extras = nil }
    if isAboutKey { isAboutKey = false }
    if omitted != 0 { omitted = 0 }
  }
}
