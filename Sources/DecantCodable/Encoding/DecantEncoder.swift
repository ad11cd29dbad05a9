// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The drop-in for Foundation's `JSONEncoder`. An encode is one `EncodingSession`; an encoder keeps its idle
// sessions between calls, as `DecantDecoder` does.

internal import DecantCore

/// Encodes `Encodable` models as JSON: `JSONEncoder`'s options and results, several times faster.
///
///     let bytes = try DecantEncoder().encode(user)     // {"id":5,"name":"Tester"}
///
/// Members are in the order in which a model encodes them, or sorted by ``OutputFormatting/sortedKeys``.
///
/// One encoder may be used by many tasks at once. Options that are set while others encode count for the
/// calls that begin later.
@safe
open class DecantEncoder: @unchecked Sendable {
  // SAFETY: the settings and the spare sessions are behind mutexes; `own` belongs to the call that has
  // set `isTaken`.
  private let current = Locked(EncodingSettings())
  /// How often the settings were changed; an idle session made before the last change is not used.
  private let version = SharedWord(0)
  private let isTaken = SharedWord(0)
  @exclusivity(unchecked) @safe private var own: EncodingSession?
  private let spares = Locked<[EncodingSession]>([])
  private static var maximumSpares: Int { 16 }

  /// Sessions of encoders without options that are gone: the next such encoder begins where they ended.
  private static let left = Locked<[EncodingSession]>([])

  /// An encoder with the default settings.
  public init() {}

  deinit {
    guard let own, own.version == 0, version.value == 0 else { return }
    DecantEncoder.left.add(own, DecantEncoder.maximumSpares)
  }

  /// Encodes a value as UTF-8.
  ///
  /// - Throws: `EncodingError.invalidValue` with the coding path: infinities and NaN, values that encode nothing
  ///   or more than once, and more nesting than ``maximumDepth``. Or whatever a model's `encode(to:)` throws.
  /// - Complexity: linear in the text. Where a key is encoded twice, or a container that was closed by
  ///   another is written to again, the text is copied once more.
  @_disfavoredOverload
  open func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    try unsafe withText(of: value) { unsafe [UInt8]($0) }
  }

  /// Appends the text of a value to a buffer, such as the one that a server sends.
  ///
  /// - Parameter userInfo: What this call adds to the encoder's `userInfo`; it comes first where both have a key.
  /// - Throws: As ``encode(_:)``; then nothing is appended.
  public func encode<Value: Encodable, Buffer: RangeReplaceableCollection<UInt8>>(
    _ value: Value, to buffer: inout Buffer, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws {
    try withSession(userInfo.isEmpty ? nil : userInfo) { session in
      try unsafe session.encode(value) { unsafe buffer.append(contentsOf: $0) }
    }
  }

  /// Encodes a value and hands its text to `body`, which must not keep it.
  package func withText<Value: Encodable, Result>(
    of value: Value, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result {
    try withSession { try unsafe $0.encode(value, body) }
  }

  /// Encodes by a function of the root's encoder.
  package func withText<Result>(
    by encode: (Scope) throws -> Void, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result {
    try withSession {
      try unsafe $0.encode(
        { try $0.withChild(nil, Scope.noIndex) { try encode($0) } }, body)
    }
  }
}

// MARK: - Sessions

extension DecantEncoder {
  private typealias UserInfo = [CodingUserInfoKey: any Sendable]

  /// Calls `body` with a session of this call's, and more `userInfo` for this call.
  @inline(__always)
  private func withSession<Result>(
    _ userInfo: UserInfo? = nil, _ body: (EncodingSession) throws -> Result
  ) throws -> Result {
    EscapedContainers.collect()
    if isTaken.exchange(1) != 0 { return try withSpare(userInfo, body) }
    defer { isTaken.value = 0 }
    if own == nil || !isCurrent(own!) { renewOwn() }
    defer { if !isFree(&own, userInfo) { own = nil } }
    // SAFETY: `own` is this call's until `isTaken` is 0.
    return try unsafe Reference(own!).with {
      if let userInfo { $0.userInfo.add(userInfo) }
      return try body($0)
    }
  }

  @inline(never)
  private func withSpare<Result>(
    _ userInfo: UserInfo?, _ body: (EncodingSession) throws -> Result
  ) throws -> Result {
    var session: EncodingSession? = takeSpare()
    defer { if isFree(&session, userInfo), let session { giveSpare(session) } }
    if let userInfo { session?.userInfo.add(userInfo) }
    return try body(session!)
  }

  /// Whether no model has kept the session of a call; then it is ready for the next one. Scopes that are kept have the
  /// `userInfo` of their call.
  @inline(__always)
  private func isFree(_ session: inout EncodingSession?, _ userInfo: UserInfo?) -> Bool {
    guard isKnownUniquelyReferenced(&session) else { return false }
    if userInfo != nil, let session { session.userInfo = session.settings.userInfo }
    return true
  }

  @inline(never)
  private func renewOwn() {
    let isPlain = version.value == 0
    own = (isPlain ? DecantEncoder.left.take() : nil) ?? makeSession()
  }

  @inline(never)
  private func takeSpare() -> EncodingSession {
    if let session = spares.take(), isCurrent(session) { return session }
    return makeSession()
  }

  @inline(never)
  private func giveSpare(_ session: EncodingSession) {
    spares.add(session, DecantEncoder.maximumSpares)
  }

  private func makeSession() -> EncodingSession {
    current.withLock { EncodingSession($0, version: version.value) }
  }

  private func isCurrent(_ session: EncodingSession) -> Bool {
    session.version == version.value
  }
}

// MARK: - Options

extension DecantEncoder {
  package func setting<Value>(_ body: (EncodingSettings) -> Value) -> Value {
    current.withLock { body($0) }
  }

  package func set(_ body: (inout EncodingSettings) -> Void) {
    current.withLock {
      body(&$0)
      version.add(1)
    }
  }

  /// How the text is laid out: without white space, in the order of encoding, and with `/` as `\/`, if nothing
  /// else is said.
  public var outputFormatting: OutputFormatting {
    get { setting { $0.format } }
    set { set { $0.format = newValue } }
  }

  /// How the keys of models become JSON keys.
  public var keyEncodingStrategy: KeyEncodingStrategy {
    get { setting { $0.keys } }
    set { set { $0.keys = newValue } }
  }

  /// What becomes of infinities and NaN.
  public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
    get { setting { $0.floats } }
    set { set { $0.floats = newValue } }
  }

  /// What models find in their encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] {
    get { setting { $0.userInfo } }
    set { set { $0.userInfo = newValue } }
  }

  /// How many arrays and objects may be inside one another: 512 if nothing else is said. A class whose values
  /// are in a cycle reaches any limit.
  public var maximumDepth: Int {
    get { setting { $0.maximumDepth } }
    set { set { $0.maximumDepth = newValue } }
  }
}
