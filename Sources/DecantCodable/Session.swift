// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What one decode works with. The session owns the context that the native index and the views need, the
// plans for the types it has met, and the chain of levels: one decoder a depth, used again for every
// value that stands there.
//
//   session ─► root level ─► child ─► child …       strong, downwards; everything upwards is unowned
//                │  box ─► keyed state              one box and state a level, used again
//
// A model may keep its decoder or a container. That shows in the reference counts when its `init(from:)`
// returns: the level that is still held by others leaves the chain, from then on holds the session, and
// so the session is shared when the decode ends. Then, and only then, text and index are copied.

package import CDecantIndex
internal import DecantCore
internal import Synchronization

@safe
package final class Session: @unchecked Sendable {
  // SAFETY: one call at a time has a session, from its decoder's `take` to `give`.
  // SAFETY: allocated in init, given back in deinit; what it points to is replaced by copies that the
  // session owns before the borrowed bytes go away.
  package let context: UnsafeMutablePointer<decant_context>
  package let settings: Settings
  private let engine: DecodingOptions.Engine
  private let rules: decant_rules
  /// How often the decoder's settings had been changed when the session was made.
  let version: Int
  /// Whether it is the decoder's own, and not one of its spares.
  let isOwn: Bool
  let convertsKeys: Bool

  /// How many levels have left the chain and live: while there is one, the session belongs to it. Atomic,
  /// because models with such levels may go on any thread.
  let leavers = Atomic<Int>(0)
  @exclusivity(unchecked) @safe private var root: Level? {
    didSet { unsafe rootReference = root.map { unsafe .passUnretained($0) } }
  }
  // SAFETY: to `root`, for those who do not need to hold it.
  private var rootReference: Unmanaged<Level>?
  @exclusivity(unchecked) @safe private var plans = PlanTable()
  @exclusivity(unchecked) @safe private var keyNames: [ObjectIdentifier: KeyNames] = [:]
  /// Where the model is made, if it is small.
  private var room: UnsafeMutableRawPointer?
  private var lines = LineCounter()
  private var document = unsafe OwnedDocument.none

  init(_ settings: Settings, version: Int, isOwn: Bool) {
    self.settings = settings
    self.version = version
    self.isOwn = isOwn
    engine = settings.options.engine
    rules = settings.options.rules
    convertsKeys = !settings.keys.isDefault
    unsafe context = .allocate(capacity: 1)
    unsafe prepare(context, settings.options.engine, settings.options.rules)
  }

  deinit {
    drop()
    unsafe room?.deallocate()
    plans.discard()
    unsafe context.deallocate()
  }

  /// Whether a model has kept a decoder or a container: the session is not used again.
  var isKept: Bool { leavers.load(ordering: .relaxed) != 0 }
}

// MARK: - Reading

extension Session {
  /// Memory for a model. A generic function that passed the model through a closure's `Result` would look
  /// up the metadata of that; this does not.
  // SAFETY: `finish` has to follow, for the same type.
  @inline(__always)
  func room<Model>(for type: Model.Type) -> UnsafeMutableRawPointer {
    if Session.fits(type) { return unsafe room.take() ?? Session.allocateRoom() }
    return .allocate(
      byteCount: MemoryLayout<Model>.size, alignment: MemoryLayout<Model>.alignment)
  }

  /// Takes the model out of its room, unless there is a failure.
  @inline(__always)
  func finish<Model>(
    _ type: Model.Type, in room: UnsafeMutableRawPointer, _ failure: (any Error)?
  ) throws -> Model {
    defer {
      if Session.fits(type) { unsafe self.room = unsafe room } else { unsafe room.deallocate() }
    }
    if let failure { throw failure }
    // SAFETY: where there is no failure, the model was written.
    return unsafe room.assumingMemoryBound(to: Model.self).move()
  }

  private static func fits<Model>(_ type: Model.Type) -> Bool {
    MemoryLayout<Model>.size <= roomSize && MemoryLayout<Model>.alignment <= 16
  }

  private static var roomSize: Int { 256 }

  private static func allocateRoom() -> UnsafeMutableRawPointer {
    .allocate(byteCount: roomSize, alignment: 16)
  }

  /// Reads a document and decodes its root into `room`.
  // SAFETY: the plan is that of the model for which there is room; nothing is written on failure.
  func read(
    _ bytes: UnsafeRawBufferPointer, by plan: Unmanaged<AnyPlan>, into room: UnsafeMutableRawPointer
  ) -> (any Error)? {
    lines = LineCounter()
    let bytes = settings.assumesObject ? unsafe braced(bytes) : unsafe bytes
    // SAFETY: bytes and scratch are in use until `settle`.
    return unsafe withUnsafeTemporaryAllocation(of: decant_scratch.self, capacity: 1) { scratch in
      let code = unsafe open(context, bytes, engine, rules, scratch.baseAddress)
      if code != 0 { return failure(code) }
      let error = unsafe decode(context.pointee.root, by: plan, into: room)
      settle()
      return error
    }
  }

  @inline(never)
  private func failure(_ code: Int32) -> DecodingError {
    let error = unsafe DecodeError(reading: context, code: code, settings.options.sourceName)
    drop()
    return .dataCorrupted(
      .init(codingPath: [], debugDescription: error.description, underlyingError: error))
  }

  /// Decodes a value of somebody else's document into `room`.
  func visit(
    _ json: JSON, by plan: Unmanaged<AnyPlan>, into room: UnsafeMutableRawPointer
  ) -> (any Error)? {
    // SAFETY: the view's document outlives the call.
    unsafe context.pointee = unsafe decant_context_copy(json.context, json.context.pointee.misses)
    unsafe context.pointee.root = json.node
    lines = LineCounter()
    let error = unsafe decode(json.node, by: plan, into: room)
    settleVisit()
    return error
  }

  private func decode(
    _ node: UInt64, by plan: Unmanaged<AnyPlan>, into room: UnsafeMutableRawPointer
  ) -> (any Error)? {
    // SAFETY: the root is the session's until it leaves, and nobody else decodes with this session.
    let level = unsafe rootReference ?? newRoot()
    return unsafe level._withUnsafeGuaranteedRef { level in
      level.begin(node)
      defer { if !isKnownUniquelyReferenced(&root) || !level.lentNothing { rootLeaves() } }
      do {
        try unsafe plan._withUnsafeGuaranteedRef { try unsafe $0.decode(into: room, level) }
        return nil
      } catch { return error }
    }
  }

  private func newRoot() -> Unmanaged<Level> {
    let level = Level(self)
    root = level
    return unsafe .passUnretained(level)
  }

  @inline(never)
  private func rootLeaves() {
    root?.leave()
    root = nil
  }

  /// The text with braces around it, unless it has them.
  private func braced(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let first = unsafe bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "{") { return unsafe bytes }
    let text = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 2, alignment: 1)
    unsafe text[0] = UInt8(ascii: "{")
    unsafe UnsafeMutableRawBufferPointer(rebasing: text[1...]).copyMemory(from: bytes)
    unsafe text[bytes.count + 1] = UInt8(ascii: "}")
    unsafe document = .text(text)
    return UnsafeRawBufferPointer(text)
  }
}

// MARK: - After the decode

/// What a session keeps of a document when somebody keeps a decoder.
@unsafe
private enum OwnedDocument {
  case none
  /// The text only; the index is the builder's.
  case text(UnsafeMutableRawBufferPointer)
  case copy(UnsafeMutableRawBufferPointer, UnsafeMutablePointer<UInt64>)
  /// An engine's tree, to be given back, and the text it may point into.
  case tree(UnsafeMutableRawBufferPointer)
  case owner(AnyObject)
}

// SAFETY: every buffer here is allocated once, kept in `document`, and given back by `drop`; the context
// points to borrowed memory only during a decode.
extension Session {
  /// Gives the document back, or keeps it for those who still look into it.
  private func settle() {
    if !isKept {
      unsafe close(context)
      return drop()
    }
    if unsafe context.pointee.engine != nil {
      let text = unsafe copiedText()
      drop()
      unsafe document = .tree(text)
    } else {
      keepCopy()
    }
  }

  private func settleVisit() {
    if !isKept { return }
    unsafe context.pointee.misses = nil
    if let owner = unsafe context.pointee.owner {
      unsafe document = .owner(Unmanaged<AnyObject>.fromOpaque(owner).takeUnretainedValue())
      return
    }
    unsafe context.pointee.original = nil
    if unsafe context.pointee.engine == nil {
      unsafe context.pointee.owned_slots = nil
      keepCopy()
    } else {
      // A tree that its host lends for the call: what looks into it later finds nothing.
      unsafe context.pointee.engine = nil
    }
  }

  private func keepCopy() {
    let count = Int(unsafe context.pointee.slot_count)
    let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: max(count, 1))
    unsafe slots.initialize(from: context.pointee.slots, count: count)
    unsafe decant_index_discard(context)
    let text = unsafe copiedText()
    drop()
    unsafe context.pointee.slots = unsafe slots
    unsafe document = .copy(text, slots)
  }

  private func copiedText() -> UnsafeMutableRawBufferPointer {
    let length = unsafe context.pointee.length
    let text = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
    unsafe text.copyMemory(
      from: UnsafeRawBufferPointer(start: context.pointee.text, count: length))
    unsafe context.pointee.text = unsafe UnsafePointer(
      text.baseAddress!.assumingMemoryBound(to: UInt8.self))
    unsafe context.pointee.misses = nil
    return unsafe text
  }

  private func drop() {
    switch unsafe document {
    case .none, .owner: break
    case .text(let text): unsafe text.deallocate()
    case .copy(let text, let slots):
      unsafe text.deallocate()
      unsafe slots.deallocate()
    case .tree(let text):
      unsafe close(context)
      unsafe text.deallocate()
    }
    unsafe document = .none
  }
}

// MARK: - Plans and places

extension Session {
  /// How values of this type are decoded. The session keeps the plan as long as it lives.
  ///
  /// The key is the static type, for which the plan is made. A class metatype may be that of a subclass, whose
  /// values the plan cannot make: see `Level.decodeSubclass`.
  @inline(__always)
  func plan<Model: Decodable>(_ type: Model.Type) -> Unmanaged<AnyPlan> {
    let key = UInt(bitPattern: ObjectIdentifier(Model.self))
    if let plan = unsafe plans[key] { return unsafe plan }
    return unsafe newPlan(Model.self, key)
  }

  @inline(never)
  private func newPlan<Model: Decodable>(_ type: Model.Type, _ key: UInt) -> Unmanaged<AnyPlan> {
    let plan = unsafe Unmanaged<AnyPlan>.passRetained(makePlan(Model.self))
    unsafe plans.insert(plan, for: key)
    return unsafe plan
  }

  /// The names of a type's keys, or nil if its keys are asked for theirs each time.
  func names<Key: CodingKey>(of type: Key.Type) -> KeyNames? {
    if let names = keyNames[ObjectIdentifier(Key.self)] { return names }
    let names = KeyNames(Key.self)
    keyNames[ObjectIdentifier(Key.self)] = names
    return names
  }

  /// The line and column of a value, or nil if the engine does not know.
  func place(of node: UInt64) -> (line: Int, column: Int)? {
    // SAFETY: the context is that of the decode, or the copy.
    let json = unsafe JSON(context: context, node: node)
    guard json.isNative else { return nil }
    return unsafe lines.place(
      of: json.offset,
      in: UnsafeRawBufferPointer(start: context.pointee.text, count: context.pointee.length))
  }
}

/// Lines and columns of places that are mostly asked for in order: what was counted once is not counted
/// again, so that models which try alternatives at every depth stay linear.
struct LineCounter {
  private var offset = 0
  private var line = 1
  private var column = 1

  // SAFETY: the caller vouches for the text.
  mutating func place(of target: Int, in text: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
    if target < offset { self = LineCounter() }
    while offset < min(target, text.count) {
      let byte = unsafe text[offset]
      offset += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }
}
