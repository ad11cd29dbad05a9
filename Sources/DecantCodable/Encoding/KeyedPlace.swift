// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What a keyed container refers to, and the containers that a scope lends again and again: making one costs an
// allocation and three look-ups of generic metadata. See ContainerCache.swift, which does the same for decoding.
//
//   scope ─► lender ─► box of KeyedWriter ─► place ┈► scope      unowned, until somebody keeps the box

internal import DecantCore

/// What a keyed container needs, whatever its keys.
@safe
class KeyedPlace {
  // SAFETY: the scope outlives its containers, or `anchor` retains it.
  @exclusivity(unchecked) @safe final fileprivate var scopeReference: Unmanaged<Scope>
  // SAFETY: the session owns the keys. Nil, if a key is not a byte or may be another each time.
  @exclusivity(unchecked) @safe final let keys: Unmanaged<QuotedKeys>?
  /// What a container outside the chain retains.
  final var anchor: Scope?

  init(_ scope: Scope, _ keys: QuotedKeys?, anchor: Scope?) {
    unsafe scopeReference = .passUnretained(scope)
    unsafe self.keys = keys.map { unsafe .passUnretained($0) }
    self.anchor = anchor
  }

  final var scope: Scope { @inline(__always) get { unsafe scopeReference.takeUnretainedValue() } }

  /// The key of the member whose value is being encoded.
  var key: any CodingKey { NameKey("") }
}

@safe
final class TypedKeyedPlace<Key: CodingKey>: KeyedPlace {
  /// The key that leads to the value being encoded: its byte, if the keys are known by bytes.
  @exclusivity(unchecked) @safe private var byte: UInt8 = 0
  @exclusivity(unchecked) @safe private var current: Key?

  init(_ scope: Scope, anchor: Scope?) {
    super.init(scope, scope.session.keys(of: Key.self), anchor: anchor)
  }

  override var key: any CodingKey {
    if unsafe keys == nil { return current ?? NameKey("") }
    // SAFETY: the byte of a trivial key that is a byte, or of one that takes none.
    return unsafe withUnsafeBytes(of: &byte) { unsafe $0.loadUnaligned(as: Key.self) }
  }

  /// The byte that the key is, or 0 where there is but one key.
  // SAFETY: asked only where keys are bytes.
  @inline(__always)
  private func byte(of key: Key) -> UInt8 {
    if MemoryLayout<Key>.size == 0 { return 0 }
    return unsafe withUnsafePointer(to: key) { unsafe UnsafeRawPointer($0).load(as: UInt8.self) }
  }

  /// Writes a key.
  @inline(__always)
  func begin(_ key: Key) throws {
    guard let keys else { return try beginNamed(key) }
    // SAFETY: the scope and the session's keys are there, see above.
    try unsafe scopeReference._withUnsafeGuaranteedRef { scope in
      if !scope.isTop { try scope.comeToTop() }
      byte = byte(of: key)
      unsafe keys._withUnsafeGuaranteedRef { quotedKeys in
        let quoted = unsafe quotedKeys.key(byte, key.stringValue)
        if unsafe !scope.names.insert(quoted, of: keys) { scope.session.hasDuplicates = true }
        unsafe scope.state.pointee.beginMember(quoted.pointee.text)
        if scope.sortsKeys { noteMember(quotedLength: unsafe quoted.pointee.count) }
      }
    }
  }

  @inline(never)
  private func beginNamed(_ key: Key) throws {
    let scope = self.scope
    if !scope.isTop { try scope.comeToTop() }
    current = key
    scope.begin(named: name(of: key))
  }

  @inline(never)
  private func noteMember(quotedLength: Int) {
    scope.members.append(scope.state.pointee.buffer.count - quotedLength)
  }

  /// What a key is called in JSON.
  func name(of key: Key) -> String { scope.session.name(of: key) { scope.codingPath } }

  /// Takes a member back whose value could not be encoded.
  @inline(never)
  func forget(_ key: Key, _ mark: Scope.Mark) {
    scope.returnTo(mark)
    if !scope.session.hasDuplicates { scope.names.remove(name(of: key)) }
  }
}

// MARK: - Lending

/// A container that was made once and is lent many times.
@safe
class PlaceLender {
  /// The address of the key type's metadata.
  final let key: UInt
  final let place: KeyedPlace
  // SAFETY: the subclass's cell: one reference, so that it can be asked for its count.
  private final let box: UnsafeMutablePointer<AnyObject>

  fileprivate init(_ key: UInt, _ place: KeyedPlace, _ box: UnsafeMutablePointer<AnyObject>) {
    self.key = key
    self.place = place
    unsafe self.box = unsafe box
  }

  /// Whether nobody has the container.
  @inline(__always)
  final var isFree: Bool { unsafe ContainerBox.isUnique(box) }
}

@safe
final class ContainerPlaceLender<Container>: PlaceLender {
  private let cell: UnsafeMutablePointer<Container>

  /// Nil if the standard library's containers are more than one reference.
  init?(_ container: Container, _ key: UInt, _ place: KeyedPlace) {
    guard ContainerBox.isKnown, ContainerBox.isOneReference(Container.self) else { return nil }
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    // SAFETY: a container is one reference.
    unsafe super.init(key, place, ContainerBox.reference(in: cell))
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  @inline(never)
  func lend() -> Container { unsafe cell.pointee }
}
