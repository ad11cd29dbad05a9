// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The drop-in for Foundation's `JSONDecoder`. A decode is one `Session`; a decoder keeps its idle sessions
// between calls, so that a service that decodes small documents allocates nothing but its models. One
// session is the decoder's own, and taking it costs one atomic exchange; calls at the same time find
// others behind a lock.

public import DecantCore
internal import Synchronization

/// Decodes `Decodable` models from JSON: `JSONDecoder`'s options and results, from any bytes, several
/// times faster, with errors that tell the line and the column.
///
///     let user = try DecantDecoder().decode(User.self, from: bytes)
///
/// One decoder may be used by many tasks at once. Options that are set while others decode count for the
/// calls that begin later.
@safe
open class DecantDecoder: @unchecked Sendable {
  // SAFETY: the settings and the spare sessions stand behind mutexes; `own` belongs to the call that has
  // set `isTaken`.
  private let current = Guarded(Settings())
  /// How often the settings were changed; an idle session made before the last change is not used.
  private let version = Atomic<Int>(0)
  private let isTaken = Atomic<Bool>(false)
  @exclusivity(unchecked) @safe private var own: Session?
  private let spares = Guarded<[Session]>([])
  private static var maximumSpares: Int { 16 }

  /// Sessions of decoders that went, and whose options nobody had set: the next such decoder begins where
  /// they ended. So a decoder that is made for one document need not find out again how types decode.
  private static let left = Guarded<[Session]>([])

  public init() {}

  deinit {
    guard let own, own.version == 0, version.load(ordering: .relaxed) == 0 else { return }
    DecantDecoder.left.withLock {
      if $0.count < DecantDecoder.maximumSpares { $0.append(own) }
    }
  }

  /// Decodes a document.
  ///
  /// The bytes are borrowed for the call. Only if a model keeps its `Decoder` or a container of it, the
  /// text is copied at the end.
  ///
  /// - Throws: `DecodingError`, or whatever a model's `init(from:)` throws. Text that is not JSON is
  ///   `dataCorrupted` with a ``DecodeError`` as its underlying error.
  open func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from bytes: borrowing some JSONBytes & ~Escapable
  ) throws -> Model {
    if type != Model.self { return try decode(from: bytes) { try $0.decodeRoot(type) } }
    let session = unsafe take()
    defer { unsafe give(session) }
    // SAFETY: the session is there until it is given back; the buffer is used inside the closure only.
    let (plan, room) = unsafe session._withUnsafeGuaranteedRef {
      unsafe ($0.plan(type), $0.room(for: type))
    }
    let failure = unsafe bytes.withJSONBytes { bytes in
      unsafe session._withUnsafeGuaranteedRef { unsafe $0.read(bytes, by: plan, into: room) }
    }
    return try unsafe session._withUnsafeGuaranteedRef {
      try unsafe $0.finish(type, in: room, failure)
    }
  }

  /// Decodes the value at a view, in a document that is being read.
  public func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from json: JSON
  ) throws -> Model {
    let session = unsafe take()
    defer { unsafe give(session) }
    // SAFETY: as above.
    return try unsafe session._withUnsafeGuaranteedRef { session in
      let subclass = type == Model.self ? nil : FunctionPlan<Model> { try $0.decodeRoot(type) }
      defer { withExtendedLifetime(subclass) {} }
      let plan = unsafe subclass.map { unsafe .passUnretained($0) } ?? session.plan(type)
      let room = unsafe session.room(for: type)
      return try unsafe session.finish(
        type, in: room, session.visit(json, by: plan, into: room))
    }
  }

  /// Decodes a value that is kept.
  public func decode<Model: Decodable>(
    _ type: Model.Type = Model.self, from value: JSONValue
  ) throws -> Model {
    try value.withView { (json) throws(any Error) in try decode(type, from: json) }
  }
}

// MARK: - Other ways to decode

extension DecantDecoder {
  /// Decodes a document by a function of its root's decoder.
  package func decode<Model>(
    from bytes: borrowing some JSONBytes & ~Escapable, by body: @escaping (Level) throws -> Model
  ) throws -> Model {
    let session = unsafe take()
    defer { unsafe give(session) }
    // SAFETY: as above, and the plan lives until the end of the call.
    let function = FunctionPlan(body)
    defer { withExtendedLifetime(function) {} }
    let plan = unsafe Unmanaged<AnyPlan>.passUnretained(function)
    let room = unsafe session._withUnsafeGuaranteedRef { unsafe $0.room(for: Model.self) }
    let failure = unsafe bytes.withJSONBytes { bytes in
      unsafe session._withUnsafeGuaranteedRef { unsafe $0.read(bytes, by: plan, into: room) }
    }
    return try unsafe session._withUnsafeGuaranteedRef {
      try unsafe $0.finish(Model.self, in: room, failure)
    }
  }
}

// MARK: - Sessions

extension DecantDecoder {
  /// A session for one call; `give` has to follow.
  // SAFETY: `own` holds its session until `give`, and any other is retained for it.
  @inline(__always)
  private func take() -> Unmanaged<Session> {
    if isTaken.exchange(true, ordering: .acquiring) { return unsafe takeSpare() }
    if let own, isCurrent(own) { return unsafe .passUnretained(own) }
    return unsafe renewOwn()
  }

  @inline(__always)
  private func give(_ session: Unmanaged<Session>) {
    // SAFETY: `take` has answered the session.
    let (isOwn, isKept) = unsafe session._withUnsafeGuaranteedRef { ($0.isOwn, $0.isKept) }
    if !isOwn { return unsafe giveSpare(session.takeRetainedValue()) }
    if isKept { own = nil }
    isTaken.store(false, ordering: .releasing)
  }

  @inline(never)
  private func renewOwn() -> Unmanaged<Session> {
    let isPlain = version.load(ordering: .acquiring) == 0
    let session = isPlain ? DecantDecoder.left.withLock { $0.popLast() } : nil
    let found = session ?? makeSession(isOwn: true)
    own = found
    return unsafe .passUnretained(found)
  }

  @inline(never)
  private func takeSpare() -> Unmanaged<Session> {
    if let session = spares.withLock({ $0.popLast() }), isCurrent(session) {
      return unsafe .passRetained(session)
    }
    return unsafe .passRetained(makeSession(isOwn: false))
  }

  @inline(never)
  private func giveSpare(_ session: Session) {
    if session.isKept { return }
    spares.withLock { if $0.count < DecantDecoder.maximumSpares { $0.append(session) } }
  }

  private func makeSession(isOwn: Bool) -> Session {
    current.withLock { Session($0, version: version.load(ordering: .relaxed), isOwn: isOwn) }
  }

  private func isCurrent(_ session: Session) -> Bool {
    session.version == version.load(ordering: .acquiring)
  }
}

// MARK: - Options

extension DecantDecoder {
  package func setting<Value>(_ body: (Settings) -> Value) -> Value {
    current.withLock { body($0) }
  }

  package func set(_ body: (inout Settings) -> Void) {
    current.withLock {
      body(&$0)
      version.add(1, ordering: .releasing)
    }
  }

  /// How a document is read: engine, depth, size, and which of several equal keys counts.
  public var options: DecodingOptions {
    get { setting { $0.options } }
    set { set { $0.options = newValue } }
  }

  /// How JSON keys become the keys that models ask for.
  public var keyDecodingStrategy: KeyDecodingStrategy {
    get { setting { $0.keys } }
    set { set { $0.keys = newValue } }
  }

  /// What becomes of strings that stand for infinities and NaN.
  public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    get { setting { $0.floats } }
    set { set { $0.floats = newValue } }
  }

  /// What models find in their decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { setting { $0.userInfo } }
    set { set { $0.userInfo = newValue } }
  }

  /// Whether documents are JSON5, as far as ``DecodingOptions/relaxations`` reach: with comments, trailing
  /// commas, `NaN`, `Infinity` and a byte order mark.
  ///
  /// What else JSON5 has stays refused: single quotes, keys without quotes, hexadecimal numbers, numbers
  /// that begin with `+` or `.` or end with `.`, `\x41` and line ends in strings, and white space that JSON
  /// does not have.
  public var allowsJSON5: Bool {
    get { options.relaxations.isSuperset(of: DecantDecoder.json5) }
    set {
      if newValue {
        options.relaxations.formUnion(DecantDecoder.json5)
      } else {
        options.relaxations.subtract(DecantDecoder.json5)
      }
    }
  }

  private static var json5: DecodingOptions.Relaxations {
    [.comments, .trailingCommas, .nonFiniteNumbers, .byteOrderMark]
  }

  /// Whether the document is the inside of an object, without its braces. A document that does have
  /// braces is read as it is.
  public var assumesTopLevelDictionary: Bool {
    get { setting { $0.assumesObject } }
    set { set { $0.assumesObject = newValue } }
  }
}
