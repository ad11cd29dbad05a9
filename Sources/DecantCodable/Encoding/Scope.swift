// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An encoder: the place of one value in the text. Models that encode their members one after the other write directly
// to the end of one buffer.
//
//   {"id":1,"tags":["a"            root    the object
//                                  tags    its child: the top, which is written to
//
// A value of a model gets the child of its scope. Scopes form a chain, one for each depth, and are reused for every value.
// When `encode(to:)` returns, the reference counts tell whether the model has retained the encoder or a container. Such a
// scope leaves the chain with its path, and retains the session.
//
// A value that is not written at the end of the text is a segment, a separate text: see Scope+Segments.swift.

internal import CDecantIndex
internal import DecantCore

@safe
package final class Scope {
  enum Content {
    case nothing, value, array, object

    var inJSON: JSONKind { self == .array ? .array : .object }
  }

  // SAFETY: the session owns its text and the chain; a segment's text is `own`.
  @exclusivity(unchecked) @safe var state: UnsafeMutablePointer<WritingState>
  private let sessionReference: Reference<EncodingSession>
  // SAFETY: the session's.
  let isUnusual: UnsafeMutablePointer<Bool>
  // SAFETY: allocated in init. C writes members to its output, which is there while this scope is the top.
  let members: UnsafeMutablePointer<decant_members>
  // SAFETY: allocated for a scope of the chain, which owns it. The encoder in it is the scope, which is not retained by
  // it: it is used while the scope is in use.
  private(set) var borrowed: UnsafeMutablePointer<BorrowedEncoder>?
  /// How many values this one is inside of.
  var level: Int

  // MARK: Where the value is

  /// The enclosing scope, and the key of its container or the index there.
  var parent: Reference<Scope>?
  @exclusivity(unchecked) @safe var container: Reference<KeyedPlace>?
  @exclusivity(unchecked) @safe private var index = Scope.noIndex
  /// The key of a segment.
  var step: (any CodingKey)?
  @exclusivity(unchecked) @safe var knownPath: [any CodingKey]?
  /// The session that a scope outside the chain retains.
  var anchor: EncodingSession?

  static var noIndex: Int { -1 }

  // MARK: Its text

  @exclusivity(unchecked) @safe var content = Content.nothing
  /// The place where the value begins, and the open arrays and objects around it.
  @exclusivity(unchecked) @safe var start = 0
  @exclusivity(unchecked) @safe var depth = 0
  /// The place where the member or element begins whose value is being encoded.
  @exclusivity(unchecked) @safe private(set) var memberStart = 0
  @exclusivity(unchecked) @safe var count = 0
  @exclusivity(unchecked) @safe var names: MemberNames
  /// The places where the members begin, if they are sorted.
  @exclusivity(unchecked) @safe var memberStarts: [Int] = []
  let sortsKeys: Bool

  // MARK: Its parts

  @exclusivity(unchecked) @safe var child: Scope? {
    didSet { childReference = child.map { unsafe Reference($0) } }
  }
  // SAFETY: the same.
  @exclusivity(unchecked) @safe private var childReference: Reference<Scope>?
  @exclusivity(unchecked) @safe var isChildOut = false
  /// Whether segments were made for the value of this scope of the chain, and where the session's list has them.
  @exclusivity(unchecked) @safe var hasSegments = false
  @exclusivity(unchecked) @safe var firstSegment = 0
  @exclusivity(unchecked) @safe var segments = Segments()

  // MARK: Its containers

  @exclusivity(unchecked) @safe var writers = IssuedContainers()

  /// The root's parent, which is no value itself.
  init(_ session: EncodingSession, _ state: UnsafeMutablePointer<WritingState>) {
    unsafe sessionReference = Reference(session)
    unsafe isUnusual = unsafe session.isUnusual
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
    segments.free()
  }

  private static func makeMembers() -> UnsafeMutablePointer<decant_members> {
    let members = UnsafeMutablePointer<decant_members>.allocate(capacity: 1)
    unsafe members.initialize(to: decant_members())
    return unsafe members
  }

  /// A scope of the chain.
  private convenience init(under parent: Scope) {
    unsafe self.init(parent.session, parent.state)
    unsafe self.parent = Reference(parent)
    level = parent.level + 1
    unsafe borrowed = BorrowedEncoder.make(self)
  }

  // SAFETY: see above.
  package var session: EncodingSession {
    @inline(__always) get { sessionReference.object }
  }

  /// Whether the end of the text is the end of this value, so that it can be written to.
  var isTop: Bool {
    @inline(__always) get { unsafe members.pointee.output != nil }
    @inline(__always)
    set {
      // SAFETY: the state lives as long as the scope is written to.
      unsafe members.pointee.output =
        newValue ? withUnsafeMutablePointer(to: &state.pointee.buffer.raw) { unsafe $0 } : nil
    }
  }

  /// Whether this is no value, but the root's parent.
  var isBase: Bool { level == 0 }
}

// MARK: - The chain

extension Scope {
  /// The scope for a value inside this one, which begins at the end of the text, until `endChild` or `failure(of:)`.
  ///
  /// - Throws: `EncodingError` if values are nested too deeply.
  // SAFETY: the child is this scope's, or retained for `giveBack`.
  @inline(__always)
  func beginChild(_ container: Reference<KeyedPlace>?, _ index: Int) throws -> Reference<Scope> {
    if !decant_stack_has_room() { throw stackIsFull() }
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
    // The child that is out is encoding, and writes to this scope.
    if isChildOut { return unsafe Reference(retaining: another) }
    child = another
    isChildOut = true
    return unsafe Reference(another)
  }

  @inline(__always)
  func begin(
    in state: UnsafeMutablePointer<WritingState>, _ container: Reference<KeyedPlace>?, _ index: Int
  ) {
    self.state = unsafe state
    self.container = container
    self.index = index
    content = .nothing
    isTop = true
    start = unsafe state.pointee.length
    depth = unsafe state.pointee.depth
    writers.begin()
    if knownPath != nil { knownPath = nil }
  }

  /// Completes a value that was encoded.
  @inline(__always)
  func giveBack(_ scope: Reference<Scope>) {
    // SAFETY: `beginChild` has returned the scope.
    let isChild = unsafe childReference?.opaque == scope.opaque
    if isChild, isKnownUniquelyReferenced(&child), scope.with({ $0.writers.areUnused }) {
      isChildOut = false
      scope.with {
        if $0.hasSegments { $0.joinSegments() }
        $0.close()
      }
    } else {
      giveBackKept(scope, isChild, hasFailed: false)
    }
    isTop = true
  }

  /// Takes back a scope whose value could not be encoded, and whose text is about to be taken back.
  @inline(never)
  func dismiss(_ scope: Reference<Scope>) {
    let isChild = unsafe childReference?.opaque == scope.opaque
    giveBackKept(scope, isChild, hasFailed: true)
    isTop = true
  }

  /// A scope that is kept leaves the chain, and one that was an extra goes.
  @inline(never)
  private func giveBackKept(_ reference: Reference<Scope>, _ isChild: Bool, hasFailed: Bool) {
    var scope = isChild ? reference.object : unsafe reference.take()
    if isChild {
      child = nil
      isChildOut = false
    }
    if scope.hasSegments { hasFailed ? scope.dropSegments() : scope.joinSegments() }
    if !hasFailed { scope.close() }
    if !isKnownUniquelyReferenced(&scope) || !scope.writers.areUnused {
      scope.keep()
    } else if isChild {
      child = scope
    }
  }

  /// Completes the value.
  @inline(__always)
  func close() {
    switch content {
    case .nothing: writeEmptyObject()
    case .value: break
    case .array: closeBracket("]", after: "[")
    case .object:
      if sortsKeys { sortMembers() }
      closeBracket("}", after: "{")
    }
  }

  @inline(never)
  private func sortMembers() {
    if !session.mustRewrite { state.pointee.sort(startingAt: memberStarts) }
    memberStarts.removeAll(keepingCapacity: true)
  }

  @inline(never)
  private func writeEmptyObject() {
    guard state.pointee.open(UInt8(ascii: "{")) else {
      state.pointee.clearFailure()
      return session.note(tooDeep())
    }
    closeBracket("}", after: "{")
  }

  @inline(__always)
  private func closeBracket(_ bracket: Unicode.Scalar, after opening: Unicode.Scalar) {
    state.pointee.close(UInt8(ascii: bracket), after: UInt8(ascii: opening))
  }
}

// MARK: - Values

extension Scope {
  /// The state of the text before a value, to which it returns if the value cannot be encoded.
  @safe
  struct Mark {
    // SAFETY: compared, and used while the scope is written to.
    let state: UnsafeMutablePointer<WritingState>
    let count: Int
    let depth: Int
  }

  var mark: Mark {
    @inline(__always)
    get {
      unsafe Mark(
        state: state, count: state.pointee.length, depth: state.pointee.depth)
    }
  }

  /// The mark before a member or an element, whose value may be interrupted.
  @inline(__always)
  func markMember() throws -> Mark {
    if !isTop { try comeToTop() }
    let mark = mark
    memberStart = mark.count
    return mark
  }

  /// Notes where a member begins, if members are put in order.
  @inline(never)
  func members(beginAt place: Int) { memberStarts.append(place) }

  /// Removes the text that was written since, but not interruptions.
  @inline(never)
  func returnTo(_ mark: Mark) {
    let interruption = unsafe mark.state == state ? nil : segments.interruptions.popLast()
    state = unsafe mark.state
    state.pointee.buffer.truncate(to: mark.count)
    state.pointee.depth = mark.depth
    state.pointee.clearFailure()
    while let member = memberStarts.last, member >= mark.count { memberStarts.removeLast() }
    if let interruption { append(interruption) }
    isTop = true
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

  @inline(__always)
  func endChild(_ child: Reference<Scope>) throws {
    if unsafe isUnusual.pointee { return try endUnusualChild(child) }
    giveBack(child)
    if unsafe isUnusual.pointee { try session.throwFailure() }
  }

  /// The same if a failure was noted, or others have written to this scope meanwhile.
  @inline(never)
  private func endUnusualChild(_ child: Reference<Scope>) throws {
    if let error = session.takeFailure() {
      dismiss(child)
      throw error
    }
    let host = unsafe child.with { $0.state }
    giveBack(child)
    if unsafe host != state { unsafe goOn(after: host) }
    try session.throwFailure()
  }

  /// Takes back a value that could not be encoded, and returns why.
  @inline(never)
  func failure(of child: Reference<Scope>, _ error: any Error) -> any Error {
    dismiss(child)
    // The first failure explains the others.
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
    returnTo(mark)
    content = .nothing
  }

  /// Writes the bracket of an array. False if that is too deep.
  func openArray() -> Bool {
    count = 0
    return open("[", as: .array)
  }

  func openObject() -> Bool {
    names.removeAll()
    if sortsKeys { memberStarts.removeAll(keepingCapacity: true) }
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
    // SAFETY: parents outlive their children; a scope outside the chain knows its path.
    var steps: [any CodingKey] = []
    var scope = self
    while scope.knownPath == nil {
      if let step = scope.step {
        steps.append(step)
      } else if let container = scope.container {
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

  package var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if content != .object, let other = open(as: .object) { return other.container(keyedBy: type) }
    if anchor != nil { return ownContainer() }
    let key = unsafe UInt(bitPattern: unsafeBitCast(type as Any.Type, to: Int.self))
    guard let writer = writers.unused(key) else { return makeContainer(key) }
    // SAFETY: writers are found by the address of their key type, and a scope's states are places.
    return writer.with {
      if let keys = unsafe Reference<KeyedPlace>(opaque: $0.state.opaque).with({ $0.keys }) {
        names.expect(keys)
      }
      return unsafe unsafeDowncast(
        $0, to: TypedContainer<KeyedEncodingContainer<Key>>.self
      ).issue()
    }
  }

  @inline(never)
  private func makeContainer<Key: CodingKey>(_ key: UInt) -> KeyedEncodingContainer<Key> {
    if !writers.makeRoom() { return ownContainer() }
    let place = TypedKeyedPlace<Key>(self)
    typealias Owning = OwningKeyedWriter<Key>
    let isReused =
      ContainerBox.isKnown && ContainerBox.isOneReference(KeyedEncodingContainer<Key>.self)
    let writer: TypedContainer<KeyedEncodingContainer<Key>> =
      isReused
      ? ReusedContainer(KeyedEncodingContainer(KeyedWriter(place, owner: ())), place, key)
      : RenewedEncodingContainer(
        Owning(place, owner: place), place, key, owner: MemoryLayout<Owning>.offset(of: \.owner))
    writers.add(writer)
    return writer.issue()
  }

  /// A container that owns what it needs.
  @inline(never)
  private func ownContainer<Key: CodingKey>() -> KeyedEncodingContainer<Key> {
    let place = TypedKeyedPlace<Key>(self)
    place.owner = self
    return KeyedEncodingContainer(OwningKeyedWriter(place, owner: place))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if content != .array, let other = open(as: .array) { return other.unkeyedContainer() }
    return UnkeyedWriter(self)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Opens this scope's container. If that fails, the failure is noted, which the call that encodes this value
  /// throws, and the scope to be used instead is returned, which cannot be written to.
  @inline(never)
  private func open(as kind: Content) -> Scope? {
    if segments.isDiscarded {
      content = kind
      return nil
    }
    do {
      if content == .value, isTop, let value = takeValue(kind) {
        goOn(in: value, as: kind)
        return nil
      }
      if content != .nothing { throw failure("another kind of value was encoded by this encoder") }
      if !isTop { try comeToTop() }
      if kind == .array ? openArray() : openObject() { return nil }
      throw tooDeep()
    } catch {
      if anchor == nil { session.note(error) }
      let other = Scope(insteadOf: self)
      other.content = kind
      return other
    }
  }
}

extension Scope {
  /// Notes that the object has a key already, whose last value counts.
  @inline(never)
  func noteRepeated() { session.hasDuplicates = true }
}
