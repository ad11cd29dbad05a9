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
// Levels of nested containers and super decoders are made for the purpose and hold the level they came
// from, which so stays out of the chain as long as they live.

internal import CDecantIndex
internal import DecantCore

@safe
package final class Level: Decoder {
  /// The value it decodes.
  package var node: UInt64
  // SAFETY: the session owns the context and the chain; who left the chain holds the session.
  let context: UnsafeMutablePointer<decant_context>
  private let convertsKeys: Bool
  private let sessionReference: Unmanaged<Session>

  /// Where the value stands: under a key of the container, or at an index, of the level above.
  var above: Unmanaged<Level>?
  var container: Unmanaged<KeyedState>?
  var index = Level.noIndex
  private var step: (any CodingKey)?
  private var frozenPath: [any CodingKey]?
  static var noIndex: Int { -1 }

  /// The decoder for the values inside this one.
  private var child: Level?

  /// The last keyed container that was lent, with its state, for the key type at this address.
  private var box: AnyObject?
  private var boxState: KeyedState?
  private var boxKey: UInt = 0
  /// Boxes that were still in use when the next one was asked for.
  private var olderBoxes: [(box: AnyObject, state: KeyedState)] = []

  /// What a level outside the chain keeps alive.
  private var anchor: AnyObject?
  private var hasLeft = false

  init(_ session: Session) {
    unsafe sessionReference = .passUnretained(session)
    convertsKeys = session.convertsKeys
    unsafe context = session.context
    unsafe above = nil
    unsafe container = nil
    node = DECANT_NODE_NONE
  }

  /// A level for a container or decoder that lives as long as its user wants.
  init(_ node: UInt64, under step: (any CodingKey)?, of parent: Level) {
    unsafe sessionReference = unsafe parent.sessionReference
    unsafe context = parent.context
    convertsKeys = parent.convertsKeys
    unsafe above = .passUnretained(parent)
    unsafe container = nil
    anchor = parent
    self.step = step
    self.node = node
  }

  deinit {
    if hasLeft { session.leavers -= 1 }
  }

  // SAFETY: see above.
  package var session: Session {
    @inline(__always) get { unsafe sessionReference.takeUnretainedValue() }
  }

  /// The view of the value.
  var json: JSON {
    @_lifetime(borrow self)
    get {
      let json = unsafe JSON(context: context, node: node)
      return json
    }
  }
}

// MARK: - The chain

extension Level {
  /// Calls `body` with the decoder for a value inside this one.
  @inline(__always)
  func withChild<Model>(
    _ node: UInt64, in container: KeyedState?, at index: Int, _ body: (Level) throws -> Model
  ) throws -> Model {
    // Taken out while in use: whoever decodes into this level meanwhile gets another.
    var child = self.child.take() ?? Level(session)
    child.node = node
    unsafe child.above = .passUnretained(self)
    unsafe child.container = container.map { unsafe .passUnretained($0) }
    child.index = index
    defer {
      let isFree = isKnownUniquelyReferenced(&child)
      if isFree && child.lentNothing { self.child = child } else { child.leave() }
    }
    return try body(child)
  }

  /// Whether nobody holds a container that this level lent.
  @inline(__always)
  var lentNothing: Bool {
    (box == nil || isKnownUniquelyReferenced(&box)) && olderBoxes.isEmpty
  }

  /// Makes this level last as long as its holders.
  @inline(never)
  func leave() {
    frozenPath = codingPath
    unsafe above = nil
    unsafe container = nil
    anchor = session
    hasLeft = true
    session.leavers += 1
    if let box, let boxState { olderBoxes.append((box, boxState)) }
    box = nil
    boxState = nil
    for place in olderBoxes.indices where !isKnownUniquelyReferenced(&olderBoxes[place].box) {
      olderBoxes[place].state.anchor = self
    }
    olderBoxes = []
    child = nil
  }
}

// MARK: - Decoder

extension Level {
  package var codingPath: [any CodingKey] {
    if let frozenPath { return frozenPath }
    var path: [any CodingKey] = []
    // SAFETY: levels above outlive those below, or these have left and have none above.
    var level = self
    while true {
      if let frozenPath = level.frozenPath {
        return frozenPath + path.reversed()
      }
      if let step = level.step {
        path.append(step)
      } else if let container = unsafe level.container {
        path.append(unsafe container.takeUnretainedValue().key)
      } else if level.index != Level.noIndex {
        path.append(PathKey(index: level.index))
      }
      guard let above = unsafe level.above else { break }
      level = unsafe above.takeUnretainedValue()
    }
    path.reverse()
    return path
  }

  package var userInfo: [CodingUserInfoKey: Any] { session.settings.userInfo }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws
    -> KeyedDecodingContainer<Key>
  {
    guard json.isNativeObject || json.kind == .object else {
      throw notA("an object", [String: Any].self)
    }
    let key = unsafe UInt(bitPattern: unsafeBitCast(type as Any.Type, to: Int.self))
    if boxKey == key, box != nil, isKnownUniquelyReferenced(&box), !convertsKeys {
      // SAFETY: a `KeyedDecodingContainer` is one reference, to the box that is kept here and that nobody
      // else uses; it was made for this key type.
      unsafe boxState.unsafelyUnwrapped.node = node
      return unsafe unsafeBitCast(box.unsafelyUnwrapped, to: KeyedDecodingContainer<Key>.self)
    }
    return makeContainer(key)
  }

  private func makeContainer<Key: CodingKey>(_ key: UInt) -> KeyedDecodingContainer<Key> {
    let state = TypedKeyedState<Key>(self)
    if convertsKeys { state.members = convertedMembers() }
    let container = KeyedDecodingContainer(Keyed(state: state))
    guard anchor == nil,
      MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size
    else {
      state.anchor = self
      return container
    }
    if let box, let boxState, !isKnownUniquelyReferenced(&self.box) {
      olderBoxes.append((box, boxState))
    }
    // SAFETY: as above; the sizes were compared.
    box = unsafe unsafeBitCast(container, to: AnyObject.self)
    boxState = state
    boxKey = key
    return container
  }

  /// The members by the keys that the strategy makes of theirs; of equal ones the first counts.
  private func convertedMembers() -> [String: UInt64] {
    var members: [String: UInt64] = [:]
    let path = codingPath
    json.forEachMember { name, value in
      let key: String
      switch session.settings.keys {
      case .useDefaultKeys: key = name
      case .convertFromSnakeCase: key = DecantDecoder.KeyDecodingStrategy.camelCased(name)
      case .custom(let convert): key = convert(path + [PathKey(name)]).stringValue
      }
      if members[key] == nil { members[key] = value.node }
    }
    return members
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard json.kind == .array else { throw notA("an array", [Any].self) }
    return Unkeyed(self)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
