// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The state of an encode: the text, the plans and keys of the types that occurred, the chain of scopes, and the segments that
// are not in place yet (Scope+Segments.swift).
//
// In two cases the complete text is read again: if a key was encoded twice, because the last value counts; and if members
// must be sorted, and the places of some are not known.

internal import DecantCore

@safe
package final class EncodingSession: CoderSession, @unchecked Sendable {
  // SAFETY: one call at a time has a session, from `acquire` to `release` of its encoder's state.
  package let settings: EncodingSettings
  let options: JSONWritingOptions
  let sortsKeys: Bool
  /// How many values may be inside one another. Wrappers and enums are levels, too, and may be around every container.
  let maximumLevel: Int
  package let version: Int
  @exclusivity(unchecked) @safe package var userInfo: UserInfo
  package var ownUserInfo: UserInfo { settings.userInfo }
  package static let released = IdleSessions<EncodingSession>()

  // SAFETY: allocated in init.
  private let state: UnsafeMutablePointer<WritingState>
  // SAFETY: allocated in init. Whether a failure was noted of a call that cannot throw, or a value has interrupted another.
  let isUnusual: UnsafeMutablePointer<Bool>
  // SAFETY: the root's parent, which is retained from init to deinit.
  @exclusivity(unchecked) @safe private var base: Reference<Scope>!
  @exclusivity(unchecked) @safe private var plans = TypeTable<AnyEncodingPlan>()
  @exclusivity(unchecked) @safe private var keys = TypeTable<KeyTable>()
  /// The segments of values that are being encoded, outer ones first, and scopes for more.
  @exclusivity(unchecked) @safe private var segments: [Scope] = []
  private var spares: [Scope] = []

  /// Whether members may be out of order, or the layout not as it should be, when the text is complete.
  @exclusivity(unchecked) @safe var mustRewrite = false
  /// Whether an object was given a key that it had.
  @exclusivity(unchecked) @safe var hasDuplicates = false
  /// A failure of a call that cannot throw.
  @exclusivity(unchecked) @safe private var failure: (any Error)? {
    didSet { if failure != nil { unsafe isUnusual.pointee = true } }
  }

  /// Memory beyond this is returned to the allocator after a call.
  private static var keptCapacity: Int { 1 << 20 }
  static var keptSegmentCapacity: Int { 1 << 12 }
  private static var maximumSpares: Int { 16 }

  package init(_ settings: EncodingSettings, version: Int) {
    self.settings = settings
    self.version = version
    userInfo = settings.userInfo
    options = settings.options
    sortsKeys = options.sortsKeys
    maximumLevel = 2 * min(max(settings.maximumDepth, 0), .max / 4) + 1024
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: WritingState(capacity: 1024, options: options))
    unsafe isUnusual = .allocate(capacity: 1)
    unsafe isUnusual.initialize(to: false)
    unsafe base = Reference(retaining: Scope(self, state))
  }

  deinit {
    unsafe base.release()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe isUnusual.deallocate()
  }
}

// MARK: - Types

extension EncodingSession {
  /// The plan of a type.
  @inline(__always)
  func plan<Value: Encodable>(_ type: Value.Type) -> Reference<AnyEncodingPlan> {
    let key = TypeTable<AnyEncodingPlan>.key(type)
    return plans[key] ?? addPlan(type, key)
  }

  @inline(never)
  private func addPlan<Value: Encodable>(
    _ type: Value.Type, _ key: UInt
  ) -> Reference<AnyEncodingPlan> {
    plans.insert(makeEncodingPlan(type, settings), for: key)
  }

  /// The keys of a key type as they are written; nil if they are more than a byte, or depend on the path.
  func keys<Key: CodingKey>(of type: Key.Type) -> KeyTable? {
    if case .custom = settings.keys { return nil }
    let key = TypeTable<KeyTable>.key(type)
    if let known = keys[key] { return known.object }
    let snakes = if case .convertToSnakeCase = settings.keys { true } else { false }
    let made = KeyTable(type) { [options] name in
      let name = snakes ? DecantEncoder.KeyEncodingStrategy.snakeCased(name) : name
      return (name, EncodingSession.quoted(name, options))
    }
    return made.map { keys.insert($0, for: key).object }
  }

  /// The name of a key in JSON.
  func name(of key: some CodingKey, at path: () -> [any CodingKey]) -> String {
    switch settings.keys {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: DecantEncoder.KeyEncodingStrategy.snakeCased(key.stringValue)
    case .custom(let convert): convert(path() + [key]).stringValue
    }
  }
}

// MARK: - Failures

extension EncodingSession {
  /// Notes the failure of a call that cannot throw.
  func note(_ error: any Error) { failure = failure ?? error }

  @inline(never)
  func throwFailure() throws { if let error = takeFailure() { throw error } }

  /// Throws what was noted, which stays.
  @inline(never)
  func throwFailureAgain() throws { if let failure { throw failure } }

  func takeFailure() -> (any Error)? {
    let error = failure
    if error != nil { failure = nil }
    return error
  }
}

// MARK: - One call

extension EncodingSession {
  /// Encodes a value and hands its text to `body`.
  func encode<Value: Encodable, Result>(
    _ value: Value, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result {
    defer { finish() }
    // SAFETY: the session retains the base.
    try base.with { try $0.encode(value, nil, Scope.noIndex) }
    if unsafe isUnusual.pointee { try throwFailure() }
    if !hasDuplicates && !(mustRewrite && (sortsKeys || options.isPretty)) {
      return try unsafe body(state.pointee.buffer.text)
    }
    return unsafe try rewritten().withUnsafeBufferPointer { unsafe try body($0) }
  }

  private func finish() {
    unsafe state.pointee.reset(keeping: EncodingSession.keptCapacity)
    base.with { $0.isTop = true }
    if unsafe !(hasDuplicates || mustRewrite || isUnusual.pointee) { return }
    failure = nil
    unsafe isUnusual.pointee = false
    mustRewrite = false
    hasDuplicates = false
  }

  /// The text with the last value of each key, and its members in order.
  @inline(never)
  private func rewritten() throws -> [UInt8] {
    let text = unsafe Array(state.pointee.buffer.text)
    do {
      return try JSONValue.rewritten(text, options)
    } catch {
      throw base.object.failure(of: text, "the text could not be put in order", [], error)
    }
  }
}

// MARK: - Segments

extension EncodingSession {
  // SAFETY: the caller owns the state.
  func makeText() -> UnsafeMutablePointer<WritingState> {
    let text = UnsafeMutablePointer<WritingState>.allocate(capacity: 1)
    unsafe text.initialize(to: WritingState(capacity: 256, options: options))
    return unsafe text
  }

  /// A key as it is written.
  static func quoted(_ name: String, _ options: JSONWritingOptions) -> [UInt8] {
    var state = WritingState(capacity: 64, options: options)
    state.append(key: name)
    return unsafe Array(state.buffer.text)
  }

  /// A segment in the text of a scope, for the value of another one, or the same, of the chain.
  func addSegment(_ step: (any CodingKey)?, of parent: Scope, _ home: Scope) -> Scope {
    home.firstSegment =
      home.hasSegments ? min(home.firstSegment, segments.count) : segments.count
    home.hasSegments = true
    let scope = spares.popLast() ?? Scope(segmentOf: self)
    scope.beginSegment(step, of: parent, home)
    segments.append(scope)
    return scope
  }

  /// Takes a segment out of the list if it is the last one, complete, and unused.
  func takeLastSegment(
    if last: Reference<Scope>, in host: UnsafeMutablePointer<WritingState>
  ) -> Scope? {
    guard let place = segments.indices.last,
      unsafe Reference(segments[place]).opaque == last.opaque, isFree(&segments[place])
    else { return nil }
    let segment = segments[place]
    guard unsafe segment.segments.host == host, segment.segments.replaced == 1,
      segment.segments.inside.isEmpty, !segment.isChildOut
    else { return nil }
    return segments.popLast()
  }

  /// Uses a segment again, unless somebody has it.
  func recycle(_ segment: consuming Scope) {
    if !isFree(&segment) {
      segment.keep()
    } else if spares.count < Self.maximumSpares {
      spares.append(segment)
    }
  }

  /// Whether only the caller has the scope and its containers.
  private func isFree(_ scope: inout Scope) -> Bool {
    isKnownUniquelyReferenced(&scope) && scope.writers.areUnused
  }

  /// Takes the segments of a value out of the list, which are from a place on. Others among them are of values around it.
  private func takeSegments(of home: Scope, from first: Int) -> [Scope] {
    var (own, others): ([Scope], [Scope]) = ([], [])
    let first = min(first, segments.count)
    for scope in segments[first...] {
      if unsafe scope.segments.home?.opaque == Reference(home).opaque {
        own.append(scope)
      } else {
        others.append(scope)
        scope.home.firstSegment = min(scope.home.firstSegment, first)
      }
    }
    segments.removeSubrange(first...)
    segments += others
    return own
  }

  /// Puts the segments of a value in place.
  func joinSegments(of home: Scope, from first: Int) {
    var own = takeSegments(of: home, from: first)
    // Those that are nested in others come last.
    for scope in own.reversed() { scope.completeSegment() }
    home.insertSegments()
    while let scope = own.popLast() { recycle(scope) }
  }

  /// Forgets the segments of a value that could not be encoded.
  func dropSegments(of home: Scope, from first: Int) {
    var own = takeSegments(of: home, from: first)
    while let scope = own.popLast() {
      scope.segments.host = nil
      scope.forgetSegments()
      recycle(scope)
    }
  }
}
