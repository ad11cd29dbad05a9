// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An encoder: the place of one value in the text. Everything is written directly to the end of one buffer, so
// what is written to has to be the last that is open. The open scopes are a stack; each knows what is above it.
//
//   {"id":1,"tags":["a"            root    the object; its child or a nested scope is above it
//                                  tags    the array: the top
//
// Writing to a scope that is not the top closes those above it. A scope that was closed so, and is written to
// once more (an interleaved nested container), continues in a part: a text of its own that is put in place when
// all is encoded. See EncodingSession.swift.
//
// Values of models get the child of the scope that they are in: a chain, one scope for each depth, which are
// used again for every value. When `encode(to:)` returns, the reference counts tell whether anybody has kept
// the encoder or a container. Such a scope leaves the chain with its path, and retains the session.
//
// Nested containers and super encoders get scopes of their own, which know their path and retain the session.

internal import CDecantIndex
internal import DecantCore

@safe
package final class Scope {
  enum Content {
    case nothing, value, array, object

    var inJSON: JSONKind { self == .array ? .array : .object }
  }

  // SAFETY: the session owns the states and the chain; who has left the chain retains the session.
  @exclusivity(unchecked) @safe private(set) var state: UnsafeMutablePointer<WritingState>
  private let sessionReference: Reference<EncodingSession>
  // SAFETY: the session's.
  private let facts: UnsafeMutablePointer<SessionFacts>
  // SAFETY: allocated in init. C writes members to its output, which is there while this is the last open scope.
  let members: UnsafeMutablePointer<decant_members>
  // SAFETY: allocated for a scope of the chain, which owns it. The encoder in it is the scope, which is not retained by
  // it: it is used while the scope is in use.
  private(set) var borrowed: UnsafeMutablePointer<BorrowedEncoder>?
  /// How many values this one is inside of.
  let level: Int

  // MARK: Where the value is

  /// The scope around this one, and under which key of its container or at which index.
  private var parent: Reference<Scope>?
  @exclusivity(unchecked) @safe private var container: Reference<KeyedPlace>?
  @exclusivity(unchecked) @safe private var index = Scope.noIndex
  @exclusivity(unchecked) @safe private var knownPath: [any CodingKey]?
  /// What a scope outside the chain retains.
  private var anchor: EncodingSession?

  static var noIndex: Int { -1 }

  // MARK: What is written of it

  @exclusivity(unchecked) @safe private(set) var content = Content.nothing
  @exclusivity(unchecked) @safe private var isClosed = false
  /// Whether the text is thrown away, because this scope or one around it could not be opened.
  @exclusivity(unchecked) @safe private var isRefused = false
  /// Whether the text goes on in a part, to which the opening bracket does not belong.
  @exclusivity(unchecked) @safe private var continues = false
  /// Whether the text is in a part of its own.
  @exclusivity(unchecked) @safe private var isPart = false
  /// Where the value begins, and where more of it would be inserted once it is closed.
  @exclusivity(unchecked) @safe private var start = 0
  @exclusivity(unchecked) @safe private var end = 0
  /// The containers that are open around and in this scope.
  @exclusivity(unchecked) @safe private var depth = 0
  /// The session's count of truncations when the scope was closed.
  @exclusivity(unchecked) @safe private var closing = 0
  @exclusivity(unchecked) @safe var count = 0
  @exclusivity(unchecked) @safe var names: MemberNames
  /// Where the object is that went on in a part, without its end, and the count of truncations then.
  // SAFETY: the state is there as long as the scope is written to.
  @exclusivity(unchecked) @safe private var earlier:
    (state: UnsafeMutablePointer<WritingState>, place: Range<Int>, since: Int)?
  /// Where the members begin, if they are put in order.
  @exclusivity(unchecked) @safe private var memberStarts: [Int] = []
  let sortsKeys: Bool

  // MARK: What is above it

  @exclusivity(unchecked) @safe private var child: Scope? {
    didSet { childReference = child.map { unsafe Reference($0) } }
  }
  // SAFETY: the same.
  @exclusivity(unchecked) @safe private var childReference: Reference<Scope>?
  @exclusivity(unchecked) @safe private var isChildOut = false
  @exclusivity(unchecked) @safe private var nested: Scope?
  /// The nested containers of an object, which may be asked for again.
  @exclusivity(unchecked) @safe private var nestedMembers: [(name: String, scope: Scope?)] = []
  /// Where the last one of each name is, once there are many.
  @exclusivity(unchecked) @safe private var nestedPlaces: [String: Int] = [:]
  private static var manyNestedMembers: Int { 8 }

  // MARK: Its containers

  @exclusivity(unchecked) @safe private var writers = IssuedContainers<ReusedWriter>()

  /// The root's parent, which is no value itself.
  init(_ session: EncodingSession, _ state: UnsafeMutablePointer<WritingState>) {
    unsafe sessionReference = Reference(session)
    unsafe facts = unsafe session.facts
    unsafe members = Scope.makeMembers()
    names = unsafe MemberNames(members)
    self.state = unsafe state
    parent = nil
    container = nil
    level = 0
    sortsKeys = session.sortsKeys
    isTop = true
  }

  deinit {
    unsafe members.deallocate()
    unsafe borrowed?.deallocate()
  }

  private static func makeMembers() -> UnsafeMutablePointer<decant_members> {
    let members = UnsafeMutablePointer<decant_members>.allocate(capacity: 1)
    unsafe members.initialize(to: decant_members())
    return unsafe members
  }

  /// A scope of the chain.
  private init(under parent: Scope) {
    sessionReference = parent.sessionReference
    unsafe facts = unsafe parent.facts
    unsafe members = Scope.makeMembers()
    names = unsafe MemberNames(members)
    state = parent.state
    unsafe self.parent = Reference(parent)
    container = nil
    level = parent.level + 1
    sortsKeys = parent.sortsKeys
    unsafe borrowed = BorrowedEncoder.make(self)
  }

  /// A scope for a nested container or a super encoder.
  @inline(never)
  private init(
    at path: [any CodingKey], of parent: Scope, _ state: UnsafeMutablePointer<WritingState>
  ) {
    sessionReference = parent.sessionReference
    unsafe facts = unsafe parent.facts
    unsafe members = Scope.makeMembers()
    names = unsafe MemberNames(members)
    self.state = unsafe state
    self.parent = nil
    container = nil
    level = parent.level + 1
    sortsKeys = parent.sortsKeys
    knownPath = path
    anchor = parent.session
    isTop = true
    start = unsafe state.pointee.buffer.count
    depth = unsafe state.pointee.depth
  }

  // SAFETY: see above.
  package var session: EncodingSession {
    @inline(__always) get { sessionReference.object }
  }

  /// Whether this is the last scope that is open.
  private(set) var isTop: Bool {
    @inline(__always) get { unsafe members.pointee.output != nil }
    @inline(__always)
    set {
      // SAFETY: the state lives as long as the scope is written to.
      unsafe members.pointee.output =
        newValue ? withUnsafeMutablePointer(to: &state.pointee.buffer.raw) { unsafe $0 } : nil
    }
  }

  /// Makes the root's parent ready for another call.
  @inline(__always)
  func reset() {
    if nested != nil { nested = nil }
    isTop = true
  }

  /// Whether this is no value, but the root's parent.
  var isBase: Bool { level == 0 }
}

// MARK: - The chain

extension Scope {
  /// The scope for a value inside this one, which begins at the end of the text. `giveBack` has to follow.
  ///
  /// - Throws: `EncodingError` if values are nested too deeply.
  // SAFETY: the child is this scope's, or retained for `giveBack`.
  @inline(__always)
  func takeChild(_ container: Reference<KeyedPlace>?, _ index: Int) throws -> Reference<Scope> {
    guard let reference = childReference, !isChildOut else {
      return try anotherChild(container, index)
    }
    isChildOut = true
    isTop = false
    reference.with { unsafe $0.begin(in: state, container, index) }
    return reference
  }

  @inline(never)
  private func anotherChild(
    _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws -> Reference<Scope> {
    if level >= session.maximumLevel { throw tooDeep() }
    let another = Scope(under: self)
    unsafe another.begin(in: state, container, index)
    isTop = false
    if isChildOut {
      // The scope that is out is encoding, and writes to this one, which has closed it.
      nested = another
      return unsafe Reference(retaining: another)
    }
    child = another
    isChildOut = true
    return unsafe Reference(another)
  }

  @inline(__always)
  private func begin(
    in state: UnsafeMutablePointer<WritingState>, _ container: Reference<KeyedPlace>?, _ index: Int
  ) {
    self.state = unsafe state
    self.container = container
    self.index = index
    content = .nothing
    isTop = true
    isClosed = false
    start = unsafe state.pointee.length
    depth = unsafe state.pointee.depth
    writers.begin()
    if knownPath != nil { knownPath = nil }
  }

  /// Closes a value that was encoded.
  @inline(__always)
  func giveBack(_ scope: Reference<Scope>) {
    scope.with { if $0.continues == false { $0.close() } }
    release(scope)
  }

  /// Takes back a scope whose value could not be encoded, and whose text is about to be taken back.
  @inline(never)
  func dismiss(_ scope: Reference<Scope>) {
    scope.with { $0.abandon() }
    release(scope)
  }

  @inline(__always)
  private func release(_ scope: Reference<Scope>) {
    // SAFETY: `takeChild` has returned the scope.
    let isChild = unsafe childReference?.opaque == scope.opaque
    if isChild, isKnownUniquelyReferenced(&child),
      scope.with({ $0.isFree })
    {
      isChildOut = false
      // Nested scopes retain the session, which owns this one.
      scope.with { if !$0.nestedMembers.isEmpty { $0.forgetNestedMembers() } }
    } else {
      releaseKept(scope, isChild)
    }
    isTop = !isClosed && nested == nil && !isChildOut
  }

  /// A scope that is kept leaves the chain, and one that was an extra goes.
  @inline(never)
  private func releaseKept(_ reference: Reference<Scope>, _ isChild: Bool) {
    var scope =
      isChild ? reference.object : unsafe reference.take()
    if isChild {
      child = nil
      isChildOut = false
    } else if nested === scope {
      nested = nil
    }
    if !isKnownUniquelyReferenced(&scope) || !scope.isFree { scope.leave() }
  }

  /// Whether nobody has a container that this scope issued, and nothing is written to a part.
  @inline(__always)
  private var isFree: Bool { !isPart && writers.areUnused }

  /// Makes this scope last as long as its holders.
  @inline(never)
  private func leave() {
    knownPath = codingPath
    parent = nil
    container = nil
    anchor = session
    session.hasKeptScopes = true
    for writer in writers.takeUsed() { writer.escape(from: self) }
    child = nil
    isChildOut = false
  }
}

// MARK: - Open and closed

extension Scope {
  /// Makes this scope the one that is written to.
  ///
  /// - Throws: `EncodingError` once the encoder has returned.
  @inline(never)
  func comeToTop() throws {
    if session.isFinished { throw failure("the encoder has finished") }
    if isRefused { try session.throwFailureAgain() }
    if isClosed { reopen() } else { closeAbove() }
    isTop = true
  }

  /// The scope above this one that may be open.
  private var next: Scope? { isChildOut && child?.isClosed == false ? child : nested }

  /// Calls `body` with the scopes above this one, from the last one on, if there are several: containers that are nested
  /// in a loop are as deep as the limit allows, which recursion is not.
  private func forEachAbove(_ body: (Scope) -> Void) {
    guard var last = next, last.next != nil else { return }
    var scopes = [last]
    while let next = last.next {
      scopes.append(next)
      last = next
    }
    while let scope = scopes.popLast() { body(scope) }
  }

  @inline(never)
  private func closeAbove() {
    forEachAbove { $0.close() }
    if isChildOut {
      // What is being encoded goes on in parts, to which members must not move.
      session.hasKeptScopes = true
      unsafe facts.pointee.isUnusual = true
      child?.close()
    }
    nested?.close()
    nested = nil
  }

  /// Writes what is missing of the value.
  func close() {
    if isClosed { return }
    if !isTop { closeAbove() }
    isTop = false
    isClosed = true
    closing = unsafe facts.pointee.truncations
    end = state.pointee.length
    switch content {
    case .nothing: writeEmptyObject()
    case .value: break
    case .array: if !continues { closeBracket("]", after: "[") }
    case .object:
      if sortsKeys && !session.hasKeptScopes && !continues {
        state.pointee.sort(startingAt: memberStarts)
      }
      if !continues { closeBracket("}", after: "{") }
    }
    if content == .object { forgetMembers() }
  }

  private func writeEmptyObject() {
    guard state.pointee.open(UInt8(ascii: "{")) else {
      state.pointee.clearFailure()
      return session.note(tooDeep())
    }
    closeBracket("}", after: "{")
  }

  private func closeBracket(_ bracket: Unicode.Scalar, after opening: Unicode.Scalar) {
    state.pointee.close(UInt8(ascii: bracket), after: UInt8(ascii: opening))
  }

  private func forgetMembers() {
    if sortsKeys { memberStarts.removeAll(keepingCapacity: true) }
  }

  /// Marks this scope and those above it as closed, without writing anything.
  private func abandon() {
    if isClosed { return }
    forEachAbove { $0.abandon() }
    if isChildOut { child?.abandon() }
    nested?.abandon()
    nested = nil
    isTop = false
    isClosed = true
    closing = unsafe facts.pointee.truncations
    if isPart { clearPart() }
    end = start
    forgetMembers()
  }

  /// Takes back what was written to the part. What was closed by others may stay in the text around it, where nothing may
  /// be left open.
  private func clearPart() {
    start = continues ? 1 : 0
    state.pointee.buffer.truncate(to: start)
    unsafe session.noteTruncation(state, at: start)
    if continues { return }
    state.pointee.depth = depth
    writeEmptyObject()
  }

  /// Goes on in a part.
  private func reopen() {
    let isGone = unsafe session.isTruncated(state, at: start, since: closing)
    let hasOpening = content != .nothing
    let isEmpty = unsafe hasOpening && (isGone || state.pointee.buffer.text[end - 1] == opening)
    if unsafe content == .object && !isGone && earlier == nil {
      earlier = (state, place(to: end), closing)
    }
    unsafe state = session.addPart(
      of: self, in: isGone ? nil : state, at: end, replacing: hasOpening ? 0 : emptyLength,
      depth: hasOpening ? depth + 1 : depth)
    // What is written next finds out by the last byte whether a comma is due.
    if hasOpening { state.pointee.buffer.append(isEmpty ? opening : UInt8(ascii: " ")) }
    isPart = true
    continues = hasOpening
    isClosed = false
  }

  /// The length of the empty object that a scope without a value was closed with.
  private var emptyLength: Int { session.options.isPretty ? 4 + 2 * depth : 2 }

  private var opening: UInt8 { content == .array ? UInt8(ascii: "[") : UInt8(ascii: "{") }
}

// MARK: - Values

extension Scope {
  /// What was written before a value, to which the text returns if the value cannot be encoded.
  @safe
  struct Mark {
    // SAFETY: compared only.
    fileprivate let state: UnsafeMutablePointer<WritingState>
    fileprivate let count: Int
    fileprivate let depth: Int
  }

  var mark: Mark {
    @inline(__always)
    get {
      unsafe Mark(
        state: state, count: state.pointee.length, depth: state.pointee.depth)
    }
  }

  /// Notes where a member begins, if members are put in order.
  @inline(never)
  func members(beginAt place: Int) { memberStarts.append(place) }

  /// Takes back what was written since. False if it has to stay, because others were written to meanwhile, which closed
  /// this scope.
  @inline(never) @discardableResult
  func returnTo(_ mark: Mark) -> Bool {
    guard unsafe !isClosed && mark.state == state else { return false }
    if isChildOut { child?.abandon() }
    nested?.abandon()
    nested = nil
    state.pointee.buffer.truncate(to: mark.count)
    state.pointee.depth = mark.depth
    state.pointee.clearFailure()
    while let member = memberStarts.last, member >= mark.count { memberStarts.removeLast() }
    unsafe session.noteTruncation(state, at: mark.count)
    isTop = true
    return true
  }

  /// Encodes a value in this scope, whose key or separator is written.
  @inline(__always)
  func encode<Value: Encodable>(
    _ value: Value, _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws {
    // SAFETY: the session outlives the call; the table holds the plan of a type under that type.
    let plan = sessionReference.with { $0.plan(Value.self) }
    try plan.with {
      try unsafe unsafeDowncast($0, to: EncodingPlan<Value>.self)
        .encode(value, self, container, index)
    }
  }

  /// Calls `body` with the scope of a value inside this one.
  @inline(never)
  func withChild(
    _ container: Reference<KeyedPlace>?, _ index: Int, _ body: (Scope) throws -> Void
  ) throws {
    let child = try beginChild(container, index)
    do {
      try child.with { try body($0) }
    } catch {
      throw failure(of: child, error)
    }
    try endChild(child)
  }

  /// The scope of a value inside this one, until `endChild` or `fail`.
  @inline(__always)
  func beginChild(
    _ container: Reference<KeyedPlace>?, _ index: Int
  ) throws -> Reference<Scope> {
    if !decant_stack_has_room() { throw stackIsFull() }
    return try takeChild(container, index)
  }

  @inline(__always)
  func endChild(_ child: Reference<Scope>) throws {
    giveBack(child)
    if unsafe facts.pointee.isUnusual { try goOn() }
  }

  /// Throws what was noted. Lets an array or a dictionary go on that one of its values has closed: what encodes its
  /// other values writes to it without a look.
  @inline(never)
  private func goOn() throws {
    try session.throwFailure()
    if isClosed { try comeToTop() }
  }

  /// Takes back a value that could not be encoded, and returns why.
  @inline(never)
  func failure(of child: Reference<Scope>, _ error: any Error) -> any Error {
    dismiss(child)
    // What failed first explains the rest.
    return session.takeFailure() ?? error
  }

  /// Begins the only value of this scope.
  @inline(__always)
  func beginValue() throws {
    if content != .nothing { throw failure("a second value was encoded by one encoder") }
    if !isTop { try comeToTop() }
    content = .value
  }

  /// Takes back that there is a value.
  func endFailedValue(_ mark: Mark) {
    if returnTo(mark) { content = .nothing }
  }

  /// Writes the bracket of an array. False if that is too deep.
  func openArray() -> Bool {
    count = 0
    return open("[", as: .array)
  }

  func openObject() -> Bool {
    names.removeAll()
    forgetMembers()
    return open("{", as: .object)
  }

  @inline(__always)
  private func open(_ bracket: Unicode.Scalar, as kind: Content) -> Bool {
    depth = state.pointee.depth
    guard state.pointee.open(UInt8(ascii: bracket)) else {
      state.pointee.clearFailure()
      content = .value
      return false
    }
    content = kind
    return true
  }
}

// MARK: - Encoder

extension Scope: Encoder {
  /// The steps from the root.
  package var codingPath: [any CodingKey] {
    // SAFETY: scopes below outlive those above; who has left the chain knows its path.
    var steps: [any CodingKey] = []
    var scope = self
    while scope.knownPath == nil {
      if let container = scope.container {
        steps.append(container.object.key)
      } else if scope.index != Scope.noIndex {
        steps.append(PathKey.index(scope.index))
      }
      guard let parent = scope.parent else { break }
      scope = parent.object
    }
    var path = scope.knownPath ?? []
    while let step = steps.popLast() { path.append(step) }
    return path
  }

  package var userInfo: [CodingUserInfoKey: Any] { session.userInfo.asAny }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if content != .object, let other = open(as: .object) { return other.container(keyedBy: type) }
    if anchor != nil { return ownContainer() }
    let key = unsafe UInt(bitPattern: unsafeBitCast(type as Any.Type, to: Int.self))
    guard let writer = writers.unused(key) else { return makeContainer(key) }
    // SAFETY: writers are found by the address of their key type.
    return writer.with {
      if let keys = $0.keys { names.expect(keys) }
      return unsafe unsafeDowncast(
        $0, to: ReusedKeyedWriter<KeyedEncodingContainer<Key>>.self
      ).issue()
    }
  }

  @inline(never)
  private func makeContainer<Key: CodingKey>(_ key: UInt) -> KeyedEncodingContainer<Key> {
    if !writers.makeRoom() { return ownContainer() }
    let place = TypedKeyedPlace<Key>(self, anchor: nil)
    let container = KeyedEncodingContainer(KeyedWriter(place, owner: ()))
    guard let writer = ReusedKeyedWriter(container, key, place) else { return ownContainer() }
    writers.add(writer)
    return container
  }

  /// A container that owns what it needs.
  @inline(never)
  private func ownContainer<Key: CodingKey>() -> KeyedEncodingContainer<Key> {
    let place = TypedKeyedPlace<Key>(self, anchor: self)
    return KeyedEncodingContainer(KeyedWriter(place, owner: place))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if content != .array, let other = open(as: .array) { return other.unkeyedContainer() }
    return UnkeyedWriter(self)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Opens this scope's container. If that fails, the failure is noted, which the call that encodes this value
  /// throws, and the scope to be used instead is returned, whose container is open and whose text is thrown away.
  private func open(as kind: Content) -> Scope? {
    do {
      if content == .value, isTop, let value = takeValue(kind) {
        goOn(in: value, as: kind)
        return nil
      }
      if content != .nothing { throw failure("another kind of value was encoded by this encoder") }
      if !isTop, !isRefused { try comeToTop() }
      if kind == .array ? openArray() : openObject() { return nil }
      throw tooDeep()
    } catch {
      session.note(error)
      let place = unsafe session.addPart(of: nil, in: nil, at: 0, replacing: 0, depth: 0)
      let other = unsafe Scope(at: codingPath + [PathKey.name("")], of: self, place)
      _ = kind == .array ? other.openArray() : other.openObject()
      // What is written to it throws, so that a cycle which makes encoders and encodes nothing to them ends.
      other.isRefused = true
      other.isTop = false
      return other
    }
  }
}

extension Scope {
  /// Where what was written is, without its end, and the count of truncations then.
  // SAFETY: the state is there as long as the scope is written to.
  var written: (state: UnsafeMutablePointer<WritingState>, place: Range<Int>, since: Int) {
    unsafe earlier ?? (state, place(to: state.pointee.length), facts.pointee.truncations)
  }

  /// Where the value is in the present text, unless it began in another.
  func place(to end: Int) -> Range<Int> { (isPart ? 0 : start)..<end }
}

// MARK: - Nested scopes

extension Scope {
  /// Once the encoder has finished, no scope is written to: who tries to make this one the top finds out.
  private func failIfFinished() { if session.isFinished { isTop = false } }

  /// A scope above this one, for a nested container or a super encoder, whose key or separator is written.
  func nest(_ step: any CodingKey) -> Scope {
    session.hasKeptScopes = true
    // So deep are only those that are thrown away: nobody asks where they are, nor waits for their end.
    let isThrownAway = level - session.maximumLevel > session.maximumLevel
    let path = isThrownAway ? knownPath ?? [] : codingPath + [step]
    let scope = unsafe Scope(at: path, of: self, state)
    scope.isRefused = isRefused
    if isRefused { scope.isTop = false }
    scope.failIfFinished()
    if !isThrownAway { nested = scope }
    isTop = false
    return scope
  }

  /// The container of a member that was asked for already, if the last one of that name is of this kind.
  func nestedMember(_ name: String, _ kind: Content) -> Scope? {
    if !names.mayHave(name) { return nil }
    let place =
      nestedPlaces.isEmpty
      ? nestedMembers.lastIndex { areSame($0.name, name) } : nestedPlaces[distinct(name)]
    guard let place, nestedMembers[place].scope?.content == kind else { return nil }
    return nestedMembers[place].scope
  }

  @inline(never)
  func noteRepeated(_ byte: UInt8, of keys: Reference<QuotedKeys>) {
    noteRepeated(keys.object.name(byte))
  }

  /// Notes that the object has a key already. A nested container that the key has is not asked for again.
  @inline(never)
  func noteRepeated(_ name: String) {
    session.hasDuplicates = true
    if !nestedMembers.isEmpty { addNestedMember(name, nil) }
  }

  func addNestedMember(_ name: String, _ scope: Scope?) {
    nestedMembers.append((name, scope))
    guard nestedMembers.count > Scope.manyNestedMembers else { return }
    for place in (nestedPlaces.isEmpty ? 0 : nestedMembers.count - 1)..<nestedMembers.count {
      nestedPlaces[distinct(nestedMembers[place].name)] = place
    }
  }

  private func forgetNestedMembers() {
    nestedMembers = []
    nestedPlaces = [:]
  }
}
