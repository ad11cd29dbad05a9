// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The decoder of one value. The decoders of a decode form a chain, one for each depth, and each is used again for
// every value at its depth: an array of 100,000 models has one decoder, one keyed container and one box.
//
//   context ─► root ─► child ─► child …       a parent owns its child; references upwards are unowned
//                └─► nested                   for containers nested in the decoder's own
//
// A decoder is passed to `init(from:)` and inspected when that returns. If the decoder's reference count, and those
// of the containers that it issued, are what they were, the decoder goes back to the chain. Otherwise it has escaped:
// it leaves the chain with its coding path frozen, and owns the context from then on.
//
// Decoders that users ask for (super decoders, and those of nested containers that are in use at the same time) are
// detached: they own the decoder that they came from, which therefore counts as escaped as long as they live.

internal import CDecantIndex
package import DecantCore

/// The `Decoder` of models.
@safe
package final class ValueDecoder: Decoder {
  /// The value it decodes.
  @exclusivity(unchecked) @safe package private(set) var node: UInt64
  // SAFETY: the context owns the document and the chain; a decoder outside the chain owns the context.
  let document: ContextRef
  let contextReference: Reference<DecodeContext>
  /// Whether a strategy converts keys.
  let convertsKeys: Bool

  /// The parent of the value's place, which is a key of a container of the parent, or an index.
  // SAFETY: parents outlive their children in the chain; detached decoders own their parents.
  private var parent: Reference<ValueDecoder>?
  @exclusivity(unchecked) @safe private var container: Reference<KeyedStorage>?
  @exclusivity(unchecked) @safe private var index = ValueDecoder.noIndex
  private var step: (any CodingKey)?
  /// The path, after the first question here, and the number of its last components to drop. One array moves up and down the
  /// chain, so that a model which tries alternatives at every depth takes linear time.
  @exclusivity(unchecked) @safe private var knownPath: [any CodingKey]?
  @exclusivity(unchecked) @safe private var excess = 0
  /// Whether the path has to stay, because it cannot be found out again.
  @exclusivity(unchecked) @safe private var isPathFrozen = false
  static var noIndex: Int { -1 }

  /// The decoder for the values inside this one, and whether a value is being decoded with it.
  @exclusivity(unchecked) @safe private var child: ValueDecoder? {
    didSet { childReference = child.map { unsafe Reference($0) } }
  }
  // SAFETY: refers to `child`, for callers that need not retain it.
  private var childReference: Reference<ValueDecoder>?
  @exclusivity(unchecked) @safe private var isChildInUse = false

  /// The decoder for a container that is nested in one of this decoder's, and whether it may be in use.
  @exclusivity(unchecked) @safe private var nested: ValueDecoder? {
    didSet { nestedReference = nested.map { unsafe Reference($0) } }
  }
  // SAFETY: refers to `nested`.
  private var nestedReference: Reference<ValueDecoder>?
  @exclusivity(unchecked) @safe private var isNestedInUse = false
  /// How many decoders, one nested in the other, lead here. Whether they are in use is asked level by level.
  private let nestedLevels: UInt8
  private static var maximumNestedLevels: UInt8 { 8 }

  /// The container cache.
  @exclusivity(unchecked) @safe private var containers = IssuedContainers()

  /// The object that a decoder outside the chain owns: its parent if it is detached, the context if it has escaped.
  private var owned: AnyObject?
  private var hasEscaped = false

  /// A decoder of the chain.
  init(_ context: DecodeContext) {
    nestedLevels = 0
    unsafe contextReference = Reference(context)
    convertsKeys = context.convertsKeys
    document = context.reference
    parent = nil
    container = nil
    node = DECANT_NODE_NONE
  }

  private init(childOf parent: ValueDecoder, nestedLevels: UInt8 = 0) {
    self.nestedLevels = nestedLevels
    contextReference = parent.contextReference
    convertsKeys = parent.convertsKeys
    document = parent.document
    unsafe self.parent = Reference(parent)
    container = nil
    node = DECANT_NODE_NONE
  }

  /// A detached decoder, which lives as long as its user likes.
  convenience init(_ node: UInt64, under step: (any CodingKey)?, of parent: ValueDecoder) {
    self.init(childOf: parent)
    owned = parent
    self.step = step
    self.node = node
  }

  deinit {
    if hasEscaped { context.escapedCount.add(-1) }
    if child != nil || nested != nil || owned != nil { releaseOthers() }
  }

  /// Releases the decoders that this one owns, and those that they own, one after the other: chains are as long as
  /// documents are deep, and recursion would take stack for all of it.
  @inline(never)
  private func releaseOthers() {
    var others: [ValueDecoder] = []
    moveOthers(to: &others)
    while var decoder = others.popLast() {
      if isKnownUniquelyReferenced(&decoder) { decoder.moveOthers(to: &others) }
    }
  }

  private func moveOthers(to others: inout [ValueDecoder]) {
    if let child { others.append(child) }
    if let nested { others.append(nested) }
    if let parent = owned as? ValueDecoder {
      others.append(parent)
      owned = nil
    }
    child = nil
    nested = nil
  }

  // SAFETY: the context outlives its chain, and is owned from outside the chain.
  package var context: DecodeContext {
    @inline(__always) get { contextReference.object }
  }

  /// The view of the value.
  package var json: JSON {
    @_lifetime(borrow self)
    get {
      let json = document.view(node)
      return json
    }
  }
}

// MARK: - The chain

extension ValueDecoder {
  /// The decoder for a value inside this one. If the child is in use, the result is a decoder of its own.
  /// `release` has to follow.
  // SAFETY: this decoder owns the child; any other is retained for `release`.
  @inline(__always)
  func acquireChild(
    _ node: UInt64, in container: KeyedStorage?, at index: Int
  ) -> Reference<ValueDecoder> {
    guard let child = childReference, !isChildInUse else {
      return makeChild(node, in: container, at: index)
    }
    isChildInUse = true
    child.with { $0.begin(node, in: container, at: index) }
    return child
  }

  @inline(never)
  private func makeChild(
    _ node: UInt64, in container: KeyedStorage?, at index: Int
  ) -> Reference<ValueDecoder> {
    let another = ValueDecoder(childOf: self)
    another.begin(node, in: container, at: index)
    if isChildInUse {
      // The container may advance to another key while this decoder is in use.
      another.freezePath()
      return unsafe Reference(retaining: another)
    }
    child = another
    isChildInUse = true
    return unsafe Reference(another)
  }

  @inline(__always)
  func release(_ decoder: Reference<ValueDecoder>) {
    // SAFETY: `acquireChild` returned the decoder.
    let isChild = unsafe decoder.opaque == childReference?.opaque
    if isChild, isKnownUniquelyReferenced(&child),
      decoder.with({ $0.areContainersUnused })
    {
      isChildInUse = false
      decoder.with { if $0.knownPath != nil { takeBackPath(of: $0) } }
    } else {
      dismiss(decoder, isChild)
    }
  }

  /// Releases a child that has escaped, or that was an extra one.
  @inline(never)
  private func dismiss(_ decoder: Reference<ValueDecoder>, _ isChild: Bool) {
    var decoder =
      isChild ? decoder.object : unsafe decoder.take()
    if isChild {
      child = nil
      isChildInUse = false
    }
    if !isKnownUniquelyReferenced(&decoder) || !decoder.areContainersUnused { decoder.escape() }
  }

  /// Calls `body` with the decoder for a value inside this one, unless the stack ends.
  @inline(__always)
  func withChild<Model>(
    _ node: UInt64, in container: KeyedStorage?, at index: Int,
    _ body: (ValueDecoder) throws -> Model
  ) throws -> Model {
    let child = acquireChild(node, in: container, at: index)
    defer { release(child) }
    return try child.with {
      if !decant_stack_has_room() { throw $0.stackIsFull() }
      return try body($0)
    }
  }

  @inline(__always)
  func begin(
    _ node: UInt64, in container: KeyedStorage? = nil, at index: Int = ValueDecoder.noIndex
  ) {
    self.node = node
    self.container = container.map { unsafe Reference($0) }
    self.index = index
    containers.begin()
    isNestedInUse = false
    if knownPath != nil { forgetPath() }
  }

  /// Whether no container that was issued since the decoder was acquired is in use.
  @inline(never)
  var areContainersUnused: Bool {
    if isNestedInUse && !isNestedUnused { return false }
    return containers.areUnused
  }

  /// Takes this decoder out of the chain, together with the containers that are in use.
  @inline(never)
  func escape() {
    freezePath()
    parent = nil
    container = nil
    owned = context
    hasEscaped = true
    context.escapedCount.add(1)
    if !isNestedUnused { nested?.escape() }
    nested = nil
    isNestedInUse = false
    for container in containers.takeUsed() { container.escape(from: self) }
    child = nil
    isChildInUse = false
  }
}

// MARK: - Decoding values inside this one

extension ValueDecoder {
  /// Decodes a value inside this one.
  @inline(__always)
  func decode<Model: Decodable>(
    _ type: Model.Type, _ node: UInt64, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    if type != Model.self { return try decodeSubclass(type, node, container, index) }
    // SAFETY: the context outlives the call; it files the decoder of a type under that type.
    let typeDecoder = contextReference.with {
      $0.decoder(of: type)
    }
    return try typeDecoder.with {
      try unsafe unsafeDowncast($0, to: TypeDecoder<Model>.self).decode(
        node, self, container, index)
    }
  }

  /// Decodes a subclass that only the metatype names, as in `decode(Employee.self as Person.Type)`.
  @inline(never)
  private func decodeSubclass<Model: Decodable>(
    _ type: Model.Type, _ node: UInt64, _ container: KeyedStorage?, _ index: Int
  ) throws -> Model {
    try withChild(node, in: container, at: index) { try $0.decodeSubclass(type) }
  }

  /// Decodes this decoder's value by the type's `init(from:)`.
  @inline(__always)
  func model<Model: Decodable>(_ type: Model.Type = Model.self) throws -> Model {
    do { return try type.init(from: self) } catch { throw placed(error, of: type) }
  }

  /// Decodes this decoder's value as `type`, a subclass of `Model`.
  func decodeSubclass<Model: Decodable>(_ type: Model.Type) throws -> Model {
    guard let viewType = type as? any JSONDecodable.Type else { return try checkedModel(type) }
    func decodeView<T: JSONDecodable>(_ type: T.Type) throws -> Any {
      switch T.decode(json) {
      case .success(let model): return model
      case .failure(let error): throw failure(error, of: T.self)
      }
    }
    guard let model = try decodeView(viewType) as? Model else { return try checkedModel(type) }
    return model
  }

  /// Has to be called before a container of this decoder advances to another key: a child in use is at the old one.
  func willAdvance() {
    if isChildInUse { child?.freezePath() }
    if isNestedInUse { nestedWillAdvance() }
  }

  @inline(never)
  private func nestedWillAdvance() {
    if isNestedUnused { isNestedInUse = false } else { nested?.freezePath() }
  }

  @inline(never)
  private var isNestedUnused: Bool {
    guard let nested = nestedReference else { return true }
    return isKnownUniquelyReferenced(&self.nested)
      && nested.with { $0.areContainersUnused }
  }

  /// The decoder for a container nested in one of this decoder's, at the key that the container is at. Nil if that
  /// decoder is in use, or if this one is outside the chain.
  // SAFETY: this decoder owns the result.
  func acquireNested(_ node: UInt64, in container: KeyedStorage) -> Reference<ValueDecoder>? {
    guard !isNestedInUse, owned == nil, nestedLevels < Self.maximumNestedLevels else {
      return nil
    }
    if nested == nil { nested = ValueDecoder(childOf: self, nestedLevels: nestedLevels + 1) }
    isNestedInUse = true
    nestedReference?.with { $0.begin(node, in: container) }
    return nestedReference
  }
}

// MARK: - Coding paths

extension ValueDecoder {
  /// The path from the root.
  package var codingPath: [any CodingKey] {
    dropExcess()
    if let knownPath { return knownPath }
    // SAFETY: parents outlive their children; a decoder outside the chain knows its path.
    var steps: [any CodingKey] = []
    var decoder = self
    while decoder.knownPath == nil {
      if let step = decoder.step {
        steps.append(step)
      } else if let container = decoder.container {
        steps.append(container.object.key)
      } else if decoder.index != ValueDecoder.noIndex {
        steps.append(PathKey.index(decoder.index))
      }
      guard let parent = decoder.parent else { break }
      decoder = parent.object
    }
    if decoder.knownPath == nil {
      knownPath = []
    } else if decoder.isPathFrozen {
      knownPath = decoder.codingPath
    } else {
      takePath(of: decoder)
      dropExcess()
    }
    while let step = steps.popLast() { knownPath?.append(step) }
    return knownPath ?? []
  }

  @inline(never)
  private func dropExcess() {
    if excess > 0 { knownPath?.removeLast(excess) }
    excess = 0
  }

  private var hasStep: Bool {
    step != nil || container != nil || index != ValueDecoder.noIndex
  }

  /// Finds the path and keeps it.
  private func freezePath() {
    _ = codingPath
    isPathFrozen = true
  }

  private func forgetPath() {
    knownPath = nil
    excess = 0
    isPathFrozen = false
  }

  private func takePath(of decoder: ValueDecoder) {
    knownPath = decoder.knownPath
    excess = decoder.excess
    decoder.forgetPath()
  }

  @inline(never)
  private func takeBackPath(of child: ValueDecoder) {
    if knownPath != nil { return child.forgetPath() }
    takePath(of: child)
    if child.hasStep { excess += 1 }
  }
}

// MARK: - Decoder

extension ValueDecoder {
  package var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws
    -> KeyedDecodingContainer<Key>
  {
    guard json.isNativeObject || json.kind == .object else {
      throw notA("an object", [String: Any].self)
    }
    let key = UInt(bitPattern: ObjectIdentifier(Key.self))
    if let cached = containers.unused(key) {
      // SAFETY: containers are filed under their key type, and a decoder's states are storages.
      return cached.with {
        unsafe Reference<KeyedStorage>(opaque: $0.state.opaque).with { $0.move(to: node) }
        return unsafe unsafeDowncast(
          $0, to: TypedContainer<KeyedDecodingContainer<Key>>.self
        ).issue()
      }
    }
    return makeContainer(key)
  }

  @inline(never)
  private func makeContainer<Key: CodingKey>(_ key: UInt) -> KeyedDecodingContainer<Key> {
    // A storage may be given up that leads to a nested container.
    willAdvance()
    let storage = TypedKeyedStorage<Key>(self)
    // A decoder outside the chain is not inspected: its containers own what they need.
    if owned != nil {
      storage.owner = self
      return KeyedDecodingContainer(OwningKeyedContainer(storage, owner: storage))
    }
    let issued = issuedContainer(storage, key)
    _ = containers.makeRoom()
    containers.add(issued)
    return issued.issue()
  }

  // A function of its own, because detached decoders need no metadata of these types.
  @inline(never)
  private func issuedContainer<Key: CodingKey>(
    _ storage: TypedKeyedStorage<Key>, _ key: UInt
  ) -> TypedContainer<KeyedDecodingContainer<Key>> {
    if ContainerBox.isKnown {
      let container = BorrowingKeyedContainer(storage, owner: ())
      return ReusedContainer(KeyedDecodingContainer(container), storage, key)
    }
    let container = OwningKeyedContainer<Key>(storage, owner: storage)
    let owner = MemoryLayout<OwningKeyedContainer<Key>>.offset(of: \.owner)
    return RenewedDecodingContainer(container, storage, key, owner: owner)
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard json.kind == .array else { throw notA("an array", [Any].self) }
    return UnkeyedContainer(self)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
