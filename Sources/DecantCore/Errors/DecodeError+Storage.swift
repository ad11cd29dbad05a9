// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The facts of an error that do not fit into its word, and several errors as one.

internal import CDecantIndex

extension DecodeError {
  /// One error.
  @safe
  final class Storage {
    // Properties are read and written whole, never changed in place: so the optimiser proves exclusive
    // access, which checked at run time would cost half of a failure.
    var code: Code
    /// The node that the error is about. For a syntax error, the offset of the offending byte.
    var node: UInt64
    /// The key that was not found at the node, if the model spells it as a literal: bytes that live as long as the program.
    /// Other keys are extras.
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

    /// From the boundary on: the source of the error.
    var origin: Origin?
    /// The document of the node, if it outlives the call: code that catches the error in flight can read it.
    var document: Document?
    /// Facts that most errors do not have.
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
  }

  final class Extras {
    var sought: JSONKey?
    var message: String?
    /// The words after the found value in the message, such as `is not one of "a", "b"`.
    var remark: (() -> String)?
    /// The expectation of several decoders, in place of `expected`.
    var expectation: String?
    /// The error of the document that was decoded inside the value.
    var inner: Inner?
    /// The errors of a union's alternatives.
    var alternatives: Alternatives?
    /// The names of the model for an unknown key.
    var known: KnownNames?
    /// Steps above the node, innermost first; kept only for engines whose nodes do not tell their place.
    var trail: [JSONPointer.Token] = []
    var resolution: Resolution?

    var refersToOthers: Bool { inner != nil || alternatives != nil }
  }

  /// The names of a model: one list for all unknown keys of an object.
  package final class KnownNames {
    let names: [String]
    package init(names: [String]) { self.names = names }
  }

  /// Several errors: the first ones, and how many more there were. Shared from the boundary on, and wherever an error
  /// has several holders; otherwise the one frame that holds it appends in place.
  final class List {
    // SAFETY: only `append` writes, which calls nothing that could read them.
    @safe @exclusivity(unchecked) fileprivate(set) var parts: [DecodeError]
    @safe @exclusivity(unchecked) fileprivate(set) var omitted: Int
    /// From the boundary on: the source of the errors, unless they are resolved.
    let origin: Origin?
    /// Whether the errors can leave their document.
    let isResolved: Bool

    init(
      _ parts: [DecodeError], omitted: Int = 0, from origin: Origin? = nil, isResolved: Bool = false
    ) {
      self.parts = parts
      self.omitted = omitted
      self.origin = origin
      self.isResolved = isResolved || origin != nil
    }

    /// A list that others are appended to.
    init(single error: DecodeError) {
      parts = []
      parts.reserveCapacity(8)
      parts.append(error)
      omitted = 0
      origin = nil
      isResolved = false
    }
  }

  /// The errors of a list, or this one alone.
  var parts: [DecodeError] {
    if case .list(let list) = form { return list.parts }
    return [self]
  }

  /// Whether one of the errors of a list is such, or this one alone. Makes no array.
  func hasPart(where isSuch: (DecodeError) -> Bool) -> Bool {
    if case .list(let list) = form { return list.parts.contains(where: isSuch) }
    return isSuch(self)
  }

  /// The same errors, each changed by `body`.
  func mapParts(_ body: (DecodeError) -> DecodeError) -> DecodeError {
    guard case .list(let list) = form else { return body(self) }
    return DecodeError(List(list.parts.map(body), omitted: list.omitted))
  }
}

extension DecodeError.Storage {
  /// Whether the error can leave its document.
  var isResolved: Bool { origin != nil || extras?.resolution != nil }

  /// The key that was not found at the node, as the model spells it.
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

  var inner: DecodeError.Inner? {
    get { extras?.inner }
    set { writableExtras.inner = newValue }
  }

  var alternatives: DecodeError.Alternatives? {
    get { extras?.alternatives }
    set { writableExtras.alternatives = newValue }
  }

  var trail: [JSONPointer.Token] {
    get { extras?.trail ?? [] }
    set { writableExtras.trail = newValue }
  }

  var known: DecodeError.KnownNames? {
    get { extras?.known }
    set { writableExtras.known = newValue }
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

  /// The same error, to be written to.
  func copy() -> DecodeError.Storage {
    let copy = DecodeError.Storage(code, node: node, expected: expected)
    copy.soughtLiteral = soughtLiteral
    copy.isAboutKey = isAboutKey
    copy.isAboutDocument = isAboutDocument
    copy.base = base
    copy.tree = tree
    copy.origin = origin
    copy.document = document
    if let extras {
      let own = copy.writableExtras
      own.sought = extras.sought
      own.message = extras.message
      own.remark = extras.remark
      own.expectation = extras.expectation
      own.inner = extras.inner
      own.alternatives = extras.alternatives
      own.known = extras.known
      own.trail = extras.trail
      own.resolution = extras.resolution
    }
    return copy
  }
}

// MARK: - Combining

extension DecodeError {
  /// How many errors a list in flight has.
  fileprivate static var mostInFlight: Int { 1024 }

  /// The number of last errors with which another is compared: fields whose paths lead through the same value are near one
  /// another. A key that is looked up twice is missing twice in a row.
  fileprivate var mostCompared: Int {
    if case .stored(let storage) = form, storage.hasSought { return 1 }
    return 8
  }

  /// The list to append to: the error's own if it is not shared, otherwise a new one.
  @inline(never)
  consuming func growing() -> List {
    switch (consume self).form {
    case .list(var list):
      if list.isResolved { return List(DecodeError(list).underlying, omitted: list.omitted) }
      return isKnownUniquelyReferenced(&list) ? list : List(list.parts, omitted: list.omitted)
    case .simple(let simple): return List(single: DecodeError(simple))
    case .stored(let storage): return List(single: DecodeError(storage))
    }
  }

  /// Whether both report the same about the same value.
  fileprivate func repeats(_ other: DecodeError) -> Bool {
    switch (form, other.form) {
    case (.simple(let one), .simple(let other)): one == other
    case (.stored(let one), .stored(let other)): one.repeats(other)
    case (.stored(let one), .simple(let other)), (.simple(let other), .stored(let one)):
      one.node == UInt64(other.node) && one.repeats(Storage(other))
    default: false
    }
  }
}

extension DecodeError.List {
  /// Appends the errors of another, except those that repeat one of the last.
  func append(_ error: consuming DecodeError) {
    guard case .list(let other) = error.form else { return append(single: error) }
    omitted += other.omitted
    for part in other.isResolved ? DecodeError(other).underlying : other.parts {
      append(single: part)
    }
  }

  private func append(single error: DecodeError) {
    var place = parts.count
    let end = max(0, place - error.mostCompared)
    while place > end {
      place -= 1
      if error.repeats(parts[place]) { return }
    }
    if parts.count < DecodeError.mostInFlight { parts.append(error) } else { omitted += 1 }
  }

  /// The errors as one.
  var error: DecodeError {
    parts.count == 1 && omitted == 0 ? parts[0] : DecodeError(self)
  }
}

extension DecodeError.Storage {
  fileprivate func repeats(_ other: DecodeError.Storage) -> Bool {
    guard node == other.node, node != DECANT_NODE_NONE, code == other.code, seeks(the: other),
      !isResolved, !other.isResolved
    else { return false }
    // Each is about a document or a union of its own.
    if extras?.refersToOthers == true || other.extras?.refersToOthers == true { return false }
    if extras == nil, other.extras == nil, areSame(expected, other.expected) { return true }
    return message == other.message && trail == other.trail && expectation == other.expectation
  }

  /// Whether both looked for the same key.
  private func seeks(the other: DecodeError.Storage) -> Bool {
    guard let literal = soughtLiteral, let otherLiteral = other.soughtLiteral else {
      return step == other.step
    }
    return literal == otherLiteral
  }
}

/// Whether both are the same literal.
private func areSame(_ one: StaticString?, _ other: StaticString?) -> Bool {
  guard let one, let other else { return one == nil && other == nil }
  guard one.hasPointerRepresentation, other.hasPointerRepresentation else { return false }
  return unsafe one.utf8Start == other.utf8Start
}
