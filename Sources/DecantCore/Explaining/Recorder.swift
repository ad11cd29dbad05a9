// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// An engine that reads another document and records each question. Its nodes are the document's with the foreign bit set, so
// that every look-up goes through its table and none is inlined.

internal import CDecantIndex

@safe
final class Recorder {
  /// A look-up, or a note about it.
  private typealias Event = (
    parent: UInt64, step: JSONPointer.Token, node: UInt64, note: JSONExplanation.Outcome?
  )

  // SAFETY: the context outlives the recorder, which `explain` makes inside the view's scope.
  private let context: ContextRef
  private let root: UInt64
  private let isNative: Bool
  private var events: [Event] = []
  // All tables have pointers for keys, so that one is compiled; of nodes, pointers of one number.
  /// The last event that found a node.
  private var latest = [JSONPointer: Int]()
  private var parents: [UInt64] = []
  /// The places of `parents` in it.
  private var parentPlaces = [JSONPointer: Int]()
  /// The first event about each member or element.
  private var seen = [JSONPointer: Int]()
  /// Strings and keys, escapes undone, kept for as long as pointers into them may be.
  private var texts: [UnsafeMutableBufferPointer<UInt8>] = unsafe []

  // The explanation, when it is made.
  private var fields: [JSONExplanation.Field] = []
  private var total = 0
  private var failures: [DecodeError] = []
  private var paths = ErrorPaths(areUnique: true)
  /// The last failure at each path that has not been added; nil is the root.
  private var failed = [ObjectIdentifier?: Int]()
  private var skipped = Set<ObjectIdentifier?>()

  private static var limit: Int { 1_000 }

  init(_ json: JSON) {
    context = json.reference
    root = json.node
    isNative = json.isNative
  }

  deinit {
    unsafe texts.forEach { unsafe $0.deallocate() }
  }

  private func node(_ outer: UInt64) -> UInt64 {
    isNative ? outer & ~DECANT_NODE_FOREIGN : outer
  }

  private func outer(_ node: UInt64) -> UInt64 {
    node == DECANT_NODE_NONE ? node : node | DECANT_NODE_FOREIGN
  }

  /// The document's value at a node of the recorder's.
  @_lifetime(immortal)
  private func inner(_ outer: UInt64) -> JSON { context.view(node(outer)) }

  /// Calls `body` with the root as the recording engine shows it.
  func record(_ body: (JSON) -> Void) {
    var misses = decant_misses()
    var table = unsafe Recorder.table
    // SAFETY: all of it outlives the call, and the view cannot.
    unsafe withUnsafeMutablePointer(to: &table) { table in
      unsafe withUnsafeMutablePointer(to: &misses) { misses in
        unsafe withUnsafeTemporaryAllocation(of: decant_context.self, capacity: 1) { room in
          let inner = room.baseAddress!
          unsafe prepare(inner, .init(table: table), context.rules, misses: misses)
          unsafe inner.pointee.facts = UInt32(DECANT_FACT_UNREAD)
          unsafe inner.pointee.root = outer(root)
          unsafe inner.pointee.engine_state = Unmanaged.passUnretained(self).toOpaque()
          let document = unsafe ContextRef(inner)
          body(document.root)
        }
      }
    }
  }
}

// MARK: - Answering

extension Recorder {
  // SAFETY: `record` puts the recorder there, and keeps it for the call.
  fileprivate static func of(_ context: UnsafePointer<decant_context>?) -> Recorder {
    unsafe Unmanaged<Recorder>.fromOpaque(context!.pointee.engine_state!).takeUnretainedValue()
  }

  fileprivate static let name: StaticString = "explain"

  /// Whether a context is a recorder's, whose errors are not read.
  fileprivate static func isRecording(in context: UnsafePointer<decant_context>) -> Bool {
    // SAFETY: an engine's name lives as long as the program, and tells whose state the context has.
    guard let engine = unsafe context.pointee.engine else { return false }
    return unsafe UnsafeRawPointer(engine.pointee.name) == UnsafeRawPointer(name.utf8Start)
  }

  private static var table: decant_engine {
    unsafe decant_engine(
      name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
      build: { _ in Int32(DECANT_INDEX_OK) },
      discard: { _ in },
      kind: { unsafe Recorder.of($0).kind($1) },
      lookup: { unsafe Recorder.of($0).lookup($1, $2!, $3) },
      element: { unsafe Recorder.of($0).element($1, $2) },
      count: { unsafe Recorder.of($0).inner($1).count },
      advance: { unsafe Recorder.of($0).advance($1, &$2!.pointee) },
      integer: { unsafe Recorder.number(Int64.decode(Recorder.of($0).inner($1)), &$2!.pointee) },
      real: { unsafe Recorder.number(Double.decode(Recorder.of($0).inner($1)), &$2!.pointee) },
      string: { unsafe Recorder.of($0).string($1, $2!) },
      number: { unsafe Recorder.of($0).inner($1).spelling(&$2!.pointee) })
  }

  private func kind(_ node: UInt64) -> Int32 {
    let json = inner(node)
    return switch json.kind {
    case .bool: Int32(json.isTrue ? DECANT_KIND_TRUE : DECANT_KIND_FALSE)
    case let kind: kind.rawValue
    }
  }

  private static func number<Number>(
    _ decoded: Result<Number, DecodeError>, _ value: inout Number
  ) -> Bool {
    guard case .success(let number) = decoded else { return false }
    value = number
    return true
  }

  private func lookup(_ parent: UInt64, _ key: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    let found = unsafe inner(parent).member(key, length)
    // SAFETY: the key's bytes are the caller's, `length` of them.
    let name = unsafe String(decoding: Bytes(key, length).buffer, as: UTF8.self)
    note(node(parent), .key(name), found)
    return outer(found)
  }

  private func element(_ parent: UInt64, _ index: Int) -> UInt64 {
    let found = inner(parent).element(index)
    note(node(parent), .index(index), found)
    return outer(found)
  }

  private func advance(_ parent: UInt64, _ cursor: inout decant_cursor) -> Bool {
    let json = inner(parent)
    var children = ChildCursor(json, from: cursor.position)
    guard let value = children.seldomNext(in: json) else { return false }
    cursor.position = children.position
    cursor.value = outer(value)
    guard children.isObject else { return true }
    note(node(parent), .key(children.key(in: json)), value)
    if isNative {
      unsafe cursor.key = text(JSON(value - 1, within: json), &cursor.key_length)
    } else {
      unsafe (cursor.key, cursor.key_length) = (children.foreign.key, children.foreign.key_length)
    }
    return true
  }

  private func string(
    _ node: UInt64, _ length: UnsafeMutablePointer<Int>
  ) -> UnsafePointer<UInt8>? {
    let json = inner(node)
    guard json.kind == .string else { return nil }
    if isNative { return unsafe text(json, &length.pointee) }
    // SAFETY: the document's own engine.
    return unsafe context.pointer.pointee.engine?.pointee.string(
      context.pointer, json.node, length)
  }

  /// The bytes of a native string, escapes undone, for the recorder's life.
  private func text(_ json: JSON, _ length: inout Int) -> UnsafePointer<UInt8> {
    unsafe json.withNativeStringBytes { bytes in
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
      _ = unsafe copy.initialize(from: bytes.buffer)
      unsafe texts.append(copy)
      length = bytes.count
      return unsafe UnsafePointer(copy.baseAddress!)
    }
  }
}

// MARK: - Notes

extension Recorder {
  /// The name of a member or element of a container.
  private func question(_ parent: UInt64, _ step: JSONPointer.Token) -> JSONPointer {
    switch step {
    case .key(let key): JSONPointer(parent.description + "/" + key)
    case .index(let index): JSONPointer(parent.description + "#" + index.description)
    }
  }

  /// The name of a node.
  private func name(_ node: UInt64) -> JSONPointer { JSONPointer(node.description) }
  private func note(_ parent: UInt64, _ step: JSONPointer.Token, _ found: UInt64) {
    let question = question(parent, step)
    if seen[question] != nil { return }
    if parentPlaces[name(parent)] == nil {
      let kind = context.view(parent).kind
      // A look-up in another kind of value is that value's error.
      guard kind == .object || kind == .array else { return }
      parentPlaces[name(parent)] = parents.count
      parents.append(parent)
    }
    seen[question] = events.count
    latest[name(found)] = events.count
    events.append((parent, step, found, nil))
  }

  fileprivate func mark(
    _ parent: UInt64, _ step: JSONPointer.Token, _ outcome: JSONExplanation.Outcome
  ) {
    if let place = seen[question(node(parent), step)] { events[place].note = outcome }
  }

  /// Records the outcome of a child, however it was reached.
  fileprivate func mark(
    _ parent: UInt64, _ step: JSONPointer.Token, at child: UInt64,
    _ outcome: JSONExplanation.Outcome
  ) {
    note(node(parent), step, node(child))
    mark(parent, step, outcome)
  }

  /// Records the outcome of a value at its last look-up.
  fileprivate func mark(_ value: UInt64, _ outcome: JSONExplanation.Outcome) {
    if let place = latest[name(node(value))] { events[place].note = outcome }
  }
}

// MARK: - The explanation

extension Recorder {
  func explanation(_ error: DecodeError?) -> JSONExplanation {
    failures = error.map { $0.list == nil ? [$0] : $0.underlying } ?? []
    let places = failures.map { path(of: $0) }
    for (place, path) in places.enumerated() { failed[id(path)] = place }
    for event in events where event.note == .skipped { skipped.insert(id(path(of: event))) }
    for event in events { add(event) }
    // The failures of values that were never looked up by their path.
    for (failure, path) in zip(failures, places) where failed[id(path)] != nil {
      add(path, .failed, failure.message)
    }
    for parent in parents { addIgnored(in: parent) }
    return JSONExplanation(fields: fields, omittedCount: total - fields.count, error: error)
  }

  private func add(_ event: Event) {
    // A path is as long as its value is deep, so that it is made only where it counts.
    if !failed.isEmpty || !skipped.isEmpty {
      let path = path(of: event)
      if isSkipped(path) || addFailure(at: path) { return }
    }
    if event.node == DECANT_NODE_NONE {
      return add(path(of: event), event.note ?? .absent, "")
    }
    let isParent = parentPlaces[name(event.node)] != nil
    let value = context.view(event.node)
    if value.isNull {
      add(path(of: event), event.note ?? .null, "")
    } else if value.kind != .object || !isParent || event.note != nil {
      add(path(of: event), event.note ?? .decoded, detail(value))
    }
  }

  /// Adds the members that were never looked up.
  private func addIgnored(in parent: UInt64) {
    var members = context.view(parent).members
    while let value = members.next() {
      let step = JSONPointer.Token.key(members.key)
      if seen[question(parent, step)] != nil { continue }
      if isSkipped(path(step, in: parent)) { continue }
      add(path(step, in: parent), .ignored, detail(value))
    }
  }

  @inline(never)
  private func add(
    _ path: @autoclosure () -> ErrorPath?, _ outcome: JSONExplanation.Outcome,
    _ detail: @autoclosure () -> String
  ) {
    total += 1
    if fields.count < Recorder.limit {
      fields.append(
        JSONExplanation.Field(
          place: FieldPlace(path: path()), outcome: outcome, detail: detail()))
    }
  }

  /// Adds the failure at a path, if there is one.
  private func addFailure(at path: ErrorPath?) -> Bool {
    guard let place = failed.removeValue(forKey: id(path)) else { return false }
    add(path, .failed, failures[place].message)
    return true
  }

  /// A value inside one that was skipped was skipped with it.
  @inline(never)
  private func isSkipped(_ path: @autoclosure () -> ErrorPath?) -> Bool {
    if skipped.isEmpty { return false }
    var next = path()?.above
    while let path = next {
      if skipped.contains(id(path)) { return true }
      next = path.above
    }
    return false
  }

  private func id(_ path: ErrorPath?) -> ObjectIdentifier? { path.map { ObjectIdentifier($0) } }

  private func path(of event: Event) -> ErrorPath { path(event.step, in: event.parent) }

  private func path(_ step: JSONPointer.Token, in parent: UInt64) -> ErrorPath {
    paths.path(step, below: paths.path(from: context.root, to: parent).path)
  }

  /// The path of an error.
  private func path(of failure: DecodeError) -> ErrorPath? {
    let storage = failure.storage
    if isNative, storage.node < context.slotCount, !storage.isAboutDocument,
      storage.document != nil, storage.document === Document.owner(of: context)
    {
      let path = paths.path(from: context.root, to: storage.node).path
      return storage.step.map { paths.path($0, below: path) } ?? path
    }
    var path: ErrorPath?
    for token in failure.path.tokens ?? [] { path = paths.path(.key(token), below: path) }
    return path
  }

  private func detail(_ json: JSON) -> String {
    switch json.kind {
    case .string: quoted(json.string ?? "")
    case .number: excerpt(json.numberText)
    case .bool: json.isTrue ? "true" : "false"
    case .array: json.count.description + (json.count == 1 ? " element" : " elements")
    case .object: json.count.description + (json.count == 1 ? " member" : " members")
    case .null, .missing: ""
    }
  }
}

extension JSON {
  /// Records the outcome of a field, if an explanation is being made: a default, a coercion, a skipped element. Costs a test
  /// of the node.
  @_alwaysEmitIntoClient @inline(__always)
  package func note(_ key: JSONKey, _ outcome: JSONExplanation.Outcome) {
    if !isNative { noteSlowly(key, outcome) }
  }

  /// The same of this value, for conversions, which do not know its key.
  package func noteHere(_ outcome: JSONExplanation.Outcome) {
    if !isNative { recorder?.mark(node, outcome) }
  }

  /// The same of a child.
  func noteChild(_ step: JSONPointer.Token, at child: JSON, _ outcome: JSONExplanation.Outcome) {
    if !isNative { recorder?.mark(node, step, at: child.node, outcome) }
  }

  private var recorder: Recorder? {
    // SAFETY: the engine's name tells whose state it is.
    guard unsafe foreign != nil, unsafe Recorder.isRecording(in: context) else { return nil }
    return unsafe Recorder.of(context)
  }

  @usableFromInline @inline(never)
  package func noteSlowly(_ key: JSONKey, _ outcome: JSONExplanation.Outcome) {
    guard let recorder else { return }
    // About the last step, or the first that leads nowhere.
    var parent = self
    let steps = key.steps
    for (place, step) in steps.enumerated() {
      let next = place + 1 < steps.count ? parent.node(at: JSONKey(step)) : DECANT_NODE_NONE
      if next == DECANT_NODE_NONE { return recorder.mark(parent.node, step, outcome) }
      parent = JSON(next, within: self)
    }
  }
}
