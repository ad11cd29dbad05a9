// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What one encode works with: the text, the plans and keys of the types it has met, and the chain of scopes.
//
// Text is only ever added to its end, or taken back there. What belongs elsewhere is written to a part, and the
// parts are put in place when all is encoded:
//
//   text      {"a":{"x":1},"b":{"y":2}}
//   part      at 11, before the bracket of "a":    ,"z":3
//   result    {"a":{"x":1,"z":3},"b":{"y":2}}
//
// Two things need the text to be read again, once it is complete: a key that was encoded twice, of which the last
// value counts, and members that have to be put in order after parts were put in place.

internal import DecantCore

/// What scopes ask their session often.
struct SessionFacts {
  /// Whether a failure was noted, of a call that cannot throw, or a value was closed while it was encoded.
  var isUnusual = false
  /// How often texts were cut, as far as the session has noted it.
  var truncations = 0
}

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
  package static let released = IdleSessions<EncodingSession>()

  // SAFETY: allocated in init, as the other states in `addPart`.
  private let state: UnsafeMutablePointer<WritingState>
  // SAFETY: allocated in init.
  let facts: UnsafeMutablePointer<SessionFacts>
  // SAFETY: the root's parent, which is retained from init to deinit.
  @exclusivity(unchecked) @safe private var base: Reference<Scope>!
  @exclusivity(unchecked) @safe private var plans = TypeTable<AnyEncodingPlan>()
  @exclusivity(unchecked) @safe private var keys = TypeTable<QuotedKeys>()
  private var parts: [Part] = []
  // SAFETY: the states of parts that were used, to which kept scopes still point.
  private var retired: [UnsafeMutablePointer<WritingState>] = unsafe []

  /// Whether a scope may be written to after it was closed.
  @exclusivity(unchecked) @safe var hasKeptScopes = false
  /// Whether an object was given a key that it had.
  @exclusivity(unchecked) @safe var hasDuplicates = false
  /// A failure of a call that cannot throw.
  @exclusivity(unchecked) @safe private var failure: (any Error)? {
    didSet { if failure != nil { unsafe facts.pointee.isUnusual = true } }
  }
  @exclusivity(unchecked) @safe private(set) var isFinished = false
  /// Where texts were cut, as far as scopes may have been kept that began after that.
  @exclusivity(unchecked) @safe private var truncations = Truncations()

  /// More than this is given back to the allocator after a call.
  private static var keptCapacity: Int { 1 << 20 }

  package init(_ settings: EncodingSettings, version: Int) {
    self.settings = settings
    self.version = version
    userInfo = settings.userInfo
    options = settings.options
    sortsKeys = options.sortsKeys
    maximumLevel = 2 * min(max(settings.maximumDepth, 0), .max / 4) + 1024
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: WritingState(capacity: 1024, options: options))
    unsafe facts = .allocate(capacity: 1)
    unsafe facts.initialize(to: SessionFacts())
    unsafe base = Reference(retaining: Scope(self, state))
  }

  deinit {
    unsafe base.release()
    forgetParts()
    freeParts()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe facts.deallocate()
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
  func keys<Key: CodingKey>(of type: Key.Type) -> QuotedKeys? {
    if case .custom = settings.keys { return nil }
    let key = TypeTable<QuotedKeys>.key(type)
    if let known = keys[key] { return known.object }
    let snakes = if case .convertToSnakeCase = settings.keys { true } else { false }
    let made = QuotedKeys(type, options) {
      snakes ? DecantEncoder.KeyEncodingStrategy.snakeCased($0) : $0
    }
    return made.map { keys.insert($0, for: key).object }
  }

  /// What a key is called in JSON.
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
    isFinished = false
    if unsafe !retired.isEmpty { freeParts() }
    defer { finish() }
    // SAFETY: the session retains the base.
    try base.with { try $0.encode(value, nil, Scope.noIndex) }
    if unsafe facts.pointee.isUnusual { try throwFailure() }
    if parts.isEmpty && !hasDuplicates && !(sortsKeys && hasKeptScopes) {
      return try unsafe body(state.pointee.buffer.text)
    }
    return unsafe try completeText(base.object)
      .withUnsafeBufferPointer { unsafe try body($0) }
  }

  @inline(__always)
  private func finish() {
    isFinished = true
    if unsafe hasKeptScopes || hasDuplicates || facts.pointee.isUnusual { finishRest() }
    unsafe state.pointee.reset(keeping: EncodingSession.keptCapacity)
    base.with { $0.reset() }
  }

  @inline(never)
  private func finishRest() {
    // After a failure, some may be open.
    for part in parts { part.owner?.close() }
    forgetParts()
    truncations = Truncations()
    unsafe facts.pointee.truncations = 0
    failure = nil
    unsafe facts.pointee.isUnusual = false
    hasKeptScopes = false
    hasDuplicates = false
  }

  /// The text with its parts in place and its members in order.
  @inline(never)
  private func completeText(_ base: Scope) throws -> [UInt8] {
    for part in parts { part.owner?.close() }
    try throwFailure()
    let text = unsafe assembled(state, orderedParts, 0..<state.pointee.length)
    if !hasDuplicates && !options.sortsKeys && !(options.isPretty && !parts.isEmpty) { return text }
    do {
      return try JSONValue.rewritten(text, options)
    } catch {
      throw base.failure(of: text, "the text could not be put in order", [], error)
    }
  }
}

// MARK: - Parts

extension EncodingSession {
  /// A text that is put into another.
  @safe
  struct Part {
    let owner: Scope?
    // SAFETY: allocated for the part.
    let state: UnsafeMutablePointer<WritingState>
    /// The text it belongs to, nil for one that is thrown away.
    let host: UnsafeMutablePointer<WritingState>?
    let position: Int
    /// The bytes at that position that it replaces.
    let replaced: Int
    /// The session's count of truncations when it was made.
    let since: Int
  }

  /// How often texts were cut, and how far. Of the cuts of a text, one that a later one reached below is forgotten: each that
  /// is left reached the lowest of all since it, so one look-up says how far a text was cut since a moment.
  ///
  ///   cuts         0: at 40   1: at 70   2: at 50   3: at 90
  ///   remembered   0: at 40              2: at 50   3: at 90      since 1, the lowest is 50
  struct Truncations: ~Copyable {
    private final class Text { var cuts: [(number: Int, length: Int)] = [] }
    private var texts = TypeTable<Text>(capacity: 4)
    private(set) var count = 0

    mutating func add(_ state: UnsafeMutablePointer<WritingState>, at length: Int) {
      let key = UInt(bitPattern: state)
      let text = texts[key]?.object ?? texts.insert(Text(), for: key).object
      while let last = text.cuts.last, last.length >= length { _ = text.cuts.popLast() }
      text.cuts.append((count, length))
      count += 1
    }

    /// Whether a place in a text has been cut off since so many truncations.
    func hasCut(_ state: UnsafeMutablePointer<WritingState>, at place: Int, since known: Int)
      -> Bool
    {
      guard known < count, let cuts = texts[UInt(bitPattern: state)]?.object.cuts else {
        return false
      }
      var (low, high) = (0, cuts.count)
      while low < high {
        let middle = (low + high) / 2
        if cuts[middle].number < known { low = middle + 1 } else { high = middle }
      }
      return low < cuts.count && cuts[low].length <= place
    }
  }

  /// The state of a new part. A part without a host is thrown away.
  // SAFETY: the state lives until the call ends, or as long as the session if a scope is kept.
  @inline(never)
  func addPart(
    of owner: Scope?, in host: UnsafeMutablePointer<WritingState>?, at position: Int,
    replacing replaced: Int, depth: Int
  ) -> UnsafeMutablePointer<WritingState> {
    let part = UnsafeMutablePointer<WritingState>.allocate(capacity: 1)
    var options = options
    // Instead of a container that is too deep, one is opened that is thrown away.
    if unsafe host == nil { options.maximumDepth = .max }
    unsafe part.initialize(to: WritingState(capacity: 256, options: options))
    unsafe part.pointee.depth = depth
    unsafe parts.append(
      Part(
        owner: owner, state: part, host: host, position: position, replaced: replaced,
        since: truncations.count))
    hasKeptScopes = true
    return unsafe part
  }

  /// Has to be called when the text is cut.
  func noteTruncation(_ state: UnsafeMutablePointer<WritingState>, at count: Int) {
    if !hasKeptScopes { return }
    unsafe truncations.add(state, at: count)
    unsafe facts.pointee.truncations = truncations.count
  }

  /// Whether text that began at `start` has been cut off since so many truncations.
  func isTruncated(
    _ state: UnsafeMutablePointer<WritingState>, at start: Int, since known: Int
  ) -> Bool {
    unsafe truncations.hasCut(state, at: start, since: known)
  }

  /// The parts by the texts they belong to, and their positions there; without those that were cut off.
  private var orderedParts: [Part] {
    let places = orderedPlaces(parts.count) { one, other in
      let (one, other) = (parts[one], parts[other])
      return unsafe (UInt(bitPattern: one.host), one.position)
        < (UInt(bitPattern: other.host), other.position)
    }
    var ordered: [Part] = []
    for place in places {
      let part = parts[place]
      guard let host = unsafe part.host,
        unsafe !truncations.hasCut(host, at: part.position, since: part.since)
      else { continue }
      ordered.append(part)
    }
    return ordered
  }

  /// The text at a place, with its parts, of which nothing is open then but `scope`.
  func completeText(
    _ state: UnsafeMutablePointer<WritingState>, _ place: Range<Int>, for scope: Scope
  ) -> [UInt8] {
    unsafe closeParts(of: state, place, but: scope)
    return unsafe assembled(state, orderedParts, place)
  }

  private func closeParts(
    of host: UnsafeMutablePointer<WritingState>, _ place: Range<Int>, but scope: Scope
  ) {
    for part in parts
    where unsafe part.host == host && part.position >= place.lowerBound
      && part.position <= place.upperBound
    {
      if part.owner !== scope { part.owner?.close() }
      unsafe closeParts(of: part.state, 0..<part.state.pointee.length, but: scope)
    }
  }

  /// The text of a state at a place, with its parts, which are among those in order.
  private func assembled(
    _ state: UnsafeMutablePointer<WritingState>, _ parts: [Part], _ range: Range<Int>
  ) -> [UInt8] {
    let text = unsafe state.pointee.buffer.text
    // What a part begins with says whether a comma is due.
    var result: [UInt8] = []
    var place = range.lowerBound
    var next = unsafe first(of: state, in: parts)
    while next < parts.count, unsafe parts[next].host == state {
      let part = parts[next]
      if !(range.lowerBound...range.upperBound).contains(part.position) {
        next += 1
        continue
      }
      unsafe result.append(text, place, part.position)
      let inner = unsafe assembled(part.state, parts, 0..<part.state.pointee.length)
      unsafe inner.withUnsafeBufferPointer {
        unsafe result.append($0, part.replaced == 0 ? 1 : 0, inner.count)
      }
      place = part.position + part.replaced
      next += 1
    }
    unsafe result.append(text, place, range.upperBound)
    return result
  }

  /// Where the parts of a text begin, by halving.
  private func first(of host: UnsafeMutablePointer<WritingState>, in parts: [Part]) -> Int {
    var (first, end) = (0, parts.count)
    while first < end {
      let middle = (first + end) / 2
      if unsafe UInt(bitPattern: parts[middle].host) < UInt(bitPattern: host) {
        first = middle + 1
      } else {
        end = middle
      }
    }
    return first
  }

  private func forgetParts() {
    if parts.isEmpty { return }
    unsafe retired += parts.map { unsafe $0.state }
    parts = []
  }

  /// Frees the states of parts. Has to be called only when no scope is kept.
  private func freeParts() {
    while let state = unsafe retired.popLast() {
      unsafe state.deinitialize(count: 1)
      unsafe state.deallocate()
    }
  }
}

extension [UInt8] {
  /// Appends the bytes from `start` to `end`. Slices of three kinds are more to compile.
  // SAFETY: both are in the buffer, or it is empty.
  fileprivate mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    guard start < end, let first = bytes.baseAddress else { return }
    unsafe append(contentsOf: UnsafeBufferPointer(start: first + start, count: end - start))
  }
}
