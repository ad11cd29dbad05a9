// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A decoder. Levels form the chain of a session, one for each depth, and are used again for every value
// that is decoded there: an array of 100,000 models has one decoder, one keyed container and one box.
//
// A level is handed to `init(from:)`, and looked at when that returns. If its reference count, and that
// of the box it lent, are what they were, it goes back into the chain. If not, somebody keeps it: it
// leaves the chain with its coding path frozen, and holds the session from then on.
//
// A level has another for the containers that are nested in its own; that is free again when nobody has a
// container of it. Other levels, of super decoders and of nested containers in use at the same time, are
// made for the purpose and hold the level they came from, which so stays out of the chain as long as they
// live.

internal import CDecantIndex
package import DecantCore
internal import Synchronization

@safe
package final class Level: Decoder {
  /// The value it decodes.
  @exclusivity(unchecked) @safe package var node: UInt64
  // SAFETY: the session owns the context and the chain; who left the chain holds the session.
  let context: UnsafeMutablePointer<decant_context>
  let convertsKeys: Bool
  private let sessionReference: Unmanaged<Session>

  /// Where the value stands: under a key of the container, or at an index, of the level above.
  var above: Unmanaged<Level>?
  @exclusivity(unchecked) @safe var container: Unmanaged<KeyedState>?
  @exclusivity(unchecked) @safe var index = Level.noIndex
  private var step: (any CodingKey)?
  /// The path, once it was asked for at this place, and how many steps too many it has. One array goes up
  /// and down the chain, so that a model which tries alternatives at every depth takes linear time.
  @exclusivity(unchecked) @safe private var knownPath: [any CodingKey]?
  @exclusivity(unchecked) @safe private var excess = 0
  /// Whether the path has to stay, because it cannot be found out again.
  @exclusivity(unchecked) @safe private var isPathFixed = false
  static var noIndex: Int { -1 }

  /// The decoder for the values inside this one, and whether a value is being decoded with it.
  @exclusivity(unchecked) @safe private var child: Level? {
    didSet { unsafe childReference = child.map { unsafe .passUnretained($0) } }
  }
  // SAFETY: to `child`, for those who do not need to hold it.
  private var childReference: Unmanaged<Level>?
  @exclusivity(unchecked) @safe private var isChildOut = false

  /// The level of a container that is nested in one of this level's, and whether one may be in use.
  @exclusivity(unchecked) @safe private var nested: Level? {
    didSet { unsafe nestedReference = nested.map { unsafe .passUnretained($0) } }
  }
  // SAFETY: to `nested`.
  private var nestedReference: Unmanaged<Level>?
  @exclusivity(unchecked) @safe private var isNestedOut = false

  /// The containers that were lent, one for each key type, and others that were still in use when the next
  /// of their type was asked for.
  @exclusivity(unchecked) @safe private var lenders: [Lender] = []
  /// The one that was lent last, and how many were since the level was handed out.
  @exclusivity(unchecked) @safe private var lastLender: Unmanaged<Lender>?
  @exclusivity(unchecked) @safe private var lentCount = 0
  private static var maximumLenders: Int { 8 }

  /// What a level outside the chain keeps alive.
  private var anchor: AnyObject?
  private var hasLeft = false

  /// A level of the chain.
  init(_ session: Session) {
    unsafe sessionReference = .passUnretained(session)
    convertsKeys = session.convertsKeys
    unsafe context = session.context
    unsafe above = nil
    container = nil
    node = DECANT_NODE_NONE
  }

  private init(under parent: Level) {
    unsafe sessionReference = unsafe parent.sessionReference
    convertsKeys = parent.convertsKeys
    unsafe context = parent.context
    unsafe above = .passUnretained(parent)
    container = nil
    node = DECANT_NODE_NONE
  }

  /// A level for a container or decoder that lives as long as its user wants.
  init(_ node: UInt64, under step: (any CodingKey)?, of parent: Level) {
    unsafe sessionReference = unsafe parent.sessionReference
    unsafe context = parent.context
    convertsKeys = parent.convertsKeys
    unsafe above = .passUnretained(parent)
    container = nil
    anchor = parent
    self.step = step
    self.node = node
  }

  deinit {
    if hasLeft { session.leavers.subtract(1, ordering: .relaxed) }
  }

  // SAFETY: see above.
  package var session: Session {
    @inline(__always) get { unsafe sessionReference.takeUnretainedValue() }
  }

  /// The view of the value.
  package var json: JSON {
    @_lifetime(borrow self)
    get {
      let json = unsafe JSON(context: context, node: node)
      return json
    }
  }
}

// MARK: - The chain

extension Level {
  /// The decoder for a value inside this one. Whoever decodes into this level while it is in use gets
  /// another; `giveBack` has to follow.
  // SAFETY: the child is this level's, or retained for `giveBack`.
  @inline(__always)
  func takeChild(
    _ node: UInt64, in container: KeyedState?, at index: Int
  ) -> Unmanaged<Level> {
    guard let child = unsafe childReference, !isChildOut else {
      return unsafe anotherChild(node, in: container, at: index)
    }
    isChildOut = true
    unsafe child._withUnsafeGuaranteedRef { $0.begin(node, in: container, at: index) }
    return unsafe child
  }

  @inline(never)
  private func anotherChild(
    _ node: UInt64, in container: KeyedState?, at index: Int
  ) -> Unmanaged<Level> {
    let another = Level(under: self)
    another.begin(node, in: container, at: index)
    if isChildOut {
      // The container may move on to another key while this one is out.
      another.fixPath()
      return unsafe Unmanaged.passRetained(another)
    }
    child = another
    isChildOut = true
    return unsafe Unmanaged.passUnretained(another)
  }

  @inline(__always)
  func giveBack(_ level: Unmanaged<Level>) {
    // SAFETY: `takeChild` has answered the level.
    let isChild = unsafe level.toOpaque() == childReference?.toOpaque()
    if isChild, isKnownUniquelyReferenced(&child),
      unsafe level._withUnsafeGuaranteedRef({ $0.lentNothing })
    {
      isChildOut = false
      unsafe level._withUnsafeGuaranteedRef { if $0.knownPath != nil { takeBackPath(of: $0) } }
    } else {
      unsafe dismiss(level, isChild)
    }
  }

  /// A child that is kept leaves the chain, and one that was an extra goes.
  @inline(never)
  private func dismiss(_ level: Unmanaged<Level>, _ isChild: Bool) {
    var level = isChild ? unsafe level.takeUnretainedValue() : unsafe level.takeRetainedValue()
    if isChild {
      child = nil
      isChildOut = false
    }
    if !isKnownUniquelyReferenced(&level) || !level.lentNothing { level.leave() }
  }

  /// Decodes a value inside this one by the plan of its type.
  @inline(__always)
  func decode<Model: Decodable>(
    _ type: Model.Type, _ node: UInt64, _ container: KeyedState?, _ index: Int
  ) throws -> Model {
    if type != Model.self { return try decodeSubclass(type, node, container, index) }
    // SAFETY: the session outlives the call, or this level holds it; the table holds the plan of a type
    // under the address of that type.
    let plan = unsafe sessionReference._withUnsafeGuaranteedRef { unsafe $0.plan(type) }
    return try unsafe plan._withUnsafeGuaranteedRef {
      try unsafe unsafeDowncast($0, to: Plan<Model>.self).decode(node, self, container, index)
    }
  }

  /// Decodes a subclass that is known by its metatype only, as in
  /// `decode(Employee.self as Person.Type, forKey: .person)`.
  @inline(never)
  private func decodeSubclass<Model: Decodable>(
    _ type: Model.Type, _ node: UInt64, _ container: KeyedState?, _ index: Int
  ) throws -> Model {
    try withChild(node, in: container, at: index) { try $0.decodeRoot(type) }
  }

  /// Decodes this level's value as `type`, which may be a subclass of `Model`.
  func decodeRoot<Model: Decodable>(_ type: Model.Type) throws -> Model {
    guard let viewType = type as? any JSONDecodable.Type else { return try type.init(from: self) }
    func decodeView<T: JSONDecodable>(_ type: T.Type) throws -> Any {
      switch T.decode(json) {
      case .success(let model): return model
      case .failure(let error): throw failure(error, of: T.self)
      }
    }
    guard let model = try decodeView(viewType) as? Model else { return try type.init(from: self) }
    return model
  }

  /// Has to be called before a container of this level moves on to another key: a child that is at work is
  /// under the old one.
  @inline(__always)
  func willMoveOn() {
    if isChildOut { child?.fixPath() }
    if isNestedOut { nestedWillMoveOn() }
  }

  @inline(never)
  private func nestedWillMoveOn() {
    if isNestedFree { isNestedOut = false } else { nested?.fixPath() }
  }

  private var isNestedFree: Bool {
    guard let nested = unsafe nestedReference else { return true }
    return unsafe isKnownUniquelyReferenced(&self.nested)
      && nested._withUnsafeGuaranteedRef { $0.lentNothing }
  }

  /// The level for a container nested in one of this level's, under the key that this is at; nil if it is
  /// in use, or if this level is out of the chain.
  // SAFETY: the level is this one's, and free.
  func takeNested(_ node: UInt64, in container: KeyedState) -> Unmanaged<Level>? {
    guard !isNestedOut, anchor == nil else { return nil }
    if nested == nil { nested = Level(under: self) }
    isNestedOut = true
    unsafe nestedReference?._withUnsafeGuaranteedRef { $0.begin(node, in: container) }
    return unsafe nestedReference
  }

  /// Calls `body` with the decoder for a value inside this one.
  @inline(__always)
  func withChild<Model>(
    _ node: UInt64, in container: KeyedState?, at index: Int, _ body: (Level) throws -> Model
  ) throws -> Model {
    let child = unsafe takeChild(node, in: container, at: index)
    defer { unsafe giveBack(child) }
    return try unsafe child._withUnsafeGuaranteedRef { try body($0) }
  }

  @inline(__always)
  func begin(_ node: UInt64, in container: KeyedState? = nil, at index: Int = Level.noIndex) {
    self.node = node
    unsafe self.container = container.map { unsafe .passUnretained($0) }
    self.index = index
    lentCount = 0
    isNestedOut = false
    if knownPath != nil { forgetPath() }
  }

  /// Whether nobody holds a container that this level has lent since it was handed out.
  @inline(__always)
  var lentNothing: Bool {
    if isNestedOut && !isNestedFree { return false }
    if lentCount == 0 { return true }
    if lentCount == 1, let lastLender {
      return unsafe lastLender._withUnsafeGuaranteedRef { $0.isFree }
    }
    return lenders.allSatisfy(\.isFree)
  }

  /// Makes this level last as long as its holders.
  @inline(never)
  func leave() {
    fixPath()
    unsafe above = nil
    container = nil
    anchor = session
    hasLeft = true
    session.leavers.add(1, ordering: .relaxed)
    if !isNestedFree { nested?.leave() }
    nested = nil
    isNestedOut = false
    for lender in lenders where !lender.isFree { lender.keep(self) }
    lenders = []
    lastLender = nil
    child = nil
    isChildOut = false
  }
}

// MARK: - Decoder

extension Level {
  /// The steps from the root.
  package var codingPath: [any CodingKey] {
    if excess > 0 {
      knownPath?.removeLast(excess)
      excess = 0
    }
    if let knownPath { return knownPath }
    // SAFETY: levels above outlive those below; who has left the chain knows its path.
    var steps: [any CodingKey] = []
    var level = self
    while level.knownPath == nil {
      if let step = level.step {
        steps.append(step)
      } else if let container = level.container {
        steps.append(unsafe container.takeUnretainedValue().key)
      } else if level.index != Level.noIndex {
        steps.append(IndexKey(level.index))
      }
      guard let above = unsafe level.above else { break }
      level = unsafe above.takeUnretainedValue()
    }
    if level.knownPath == nil {
      knownPath = []
    } else if level.isPathFixed {
      knownPath = level.codingPath
    } else {
      takePath(of: level)
      knownPath?.removeLast(excess)
      excess = 0
    }
    knownPath?.append(contentsOf: steps.reversed())
    return knownPath ?? []
  }

  private var hasStep: Bool {
    unsafe step != nil || container != nil || index != Level.noIndex
  }

  /// Finds the path out and keeps it.
  private func fixPath() {
    _ = codingPath
    isPathFixed = true
  }

  private func forgetPath() {
    knownPath = nil
    excess = 0
    isPathFixed = false
  }

  private func takePath(of level: Level) {
    knownPath = level.knownPath
    excess = level.excess
    level.forgetPath()
  }

  @inline(never)
  private func takeBackPath(of child: Level) {
    if knownPath != nil { return child.forgetPath() }
    takePath(of: child)
    if child.hasStep { excess += 1 }
  }

  package var userInfo: [CodingUserInfoKey: Any] { session.settings.userInfo }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws
    -> KeyedDecodingContainer<Key>
  {
    guard json.isNativeObject || json.kind == .object else {
      throw notA("an object", [String: Any].self)
    }
    let key = UInt(bitPattern: ObjectIdentifier(Key.self))
    if let lender = unsafe freeLender(key) {
      // SAFETY: lenders stand under the address of their key type.
      return unsafe lender._withUnsafeGuaranteedRef {
        $0.state.move(to: node)
        return unsafe unsafeDowncast($0, to: ContainerLender<KeyedDecodingContainer<Key>>.self)
          .lend()
      }
    }
    return makeContainer(key)
  }

  /// Whether containers are lent: a level outside the chain has no one who looks whether they come back.
  var isLender: Bool { anchor == nil }

  /// The lender of a key type if there is one and its container is not in use.
  // SAFETY: `lenders` keeps what this answers.
  @inline(__always)
  private func freeLender(_ key: UInt) -> Unmanaged<Lender>? {
    if let lastLender = lastLender,
      unsafe lastLender._withUnsafeGuaranteedRef({ $0.key == key && $0.isFree })
    {
      lentCount += 1
      return unsafe lastLender
    }
    return unsafe otherLender(key)
  }

  @inline(never)
  private func otherLender(_ key: UInt) -> Unmanaged<Lender>? {
    for place in lenders.indices {
      let lender = unsafe Unmanaged.passUnretained(lenders[place])
      if unsafe lender._withUnsafeGuaranteedRef({ $0.key == key && $0.isFree }) {
        // What was lent before is not looked at alone any more.
        lentCount += lentCount == 0 ? 1 : 2
        lastLender = unsafe lender
        return unsafe lender
      }
    }
    return nil
  }

  @inline(never)
  private func makeContainer<Key: CodingKey>(_ key: UInt) -> KeyedDecodingContainer<Key> {
    let state = TypedKeyedState<Key>(self)
    if convertsKeys { state.convertKeys() }
    let container = KeyedDecodingContainer(Keyed(state))
    guard isLender, let lender = ContainerLender(container, key, state) else {
      state.anchor = self
      state.forgetNames()
      return KeyedDecodingContainer(Kept(state: state))
    }
    if lenders.count >= Level.maximumLenders, let place = lenders.firstIndex(where: \.isFree) {
      lenders.remove(at: place)
      lastLender = nil
    }
    lenders.append(lender)
    unsafe lastLender = .passUnretained(lender)
    lentCount += 2
    return container
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard json.kind == .array else { throw notA("an array", [Any].self) }
    return Unkeyed(self)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
