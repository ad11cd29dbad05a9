// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Keyed containers that a decoder issues again and again: one for each key type, for every object of a document
// that the decoder reads. Making a container costs an allocation and several look-ups of generic metadata, which
// is more than decoding a small object.
//
// A container may be issued again once nobody has a copy of it any more. There are two kinds:
//
//   ReusedContainer    keeps the standard library's box. The box's reference count tells whether there are copies
//                      (ContainerBox.swift). Its container borrows the storage: the box copies our container for
//                      each of its calls, and retaining the storage each time would cost more than a look-up.
//   RenewedContainer   relies on no private layout. It keeps the storage and makes a box for each object. The
//                      container in the box owns the storage, whose reference count tells whether there is one.
//
// A container that is still in use when its decoder's `init(from:)` returns has escaped. What it needs has to live
// as long as it does. An escaped container of the second kind owns its storage. One of the first kind owns nothing:
// its cache entry goes to `EscapedContainers`, which releases it when the box is not shared any more.

internal import CDecantIndex
internal import DecantCore

/// A container that may be issued again, of a decoder or an encoder.
// SAFETY: `@unchecked Sendable` for `EscapedContainers`, which looks at the reference count only.
@safe
class IssuedContainer: @unchecked Sendable {
  /// The key type's identity.
  final let key: UInt
  // SAFETY: a reference that is unique unless the container is in use; the subclass owns it.
  private final let use: UnsafeMutablePointer<AnyObject>

  init(_ key: UInt, _ use: UnsafeMutablePointer<AnyObject>) {
    self.key = key
    unsafe self.use = use
  }

  /// Whether nobody has a copy of the container.
  final var isUnused: Bool { unsafe ContainerBox.isUnique(use) }
}

/// What a decoder or a scope has issued: one container for each key type, and others for containers that were in use when
/// the next one of their key type was asked for.
struct IssuedContainers<Container: IssuedContainer> {
  private var all: [Container] = []
  /// The container that was issued last, and how many were issued since the owner began with its value.
  // SAFETY: of `all`.
  private var last: Reference<Container>?
  private var issuedCount = 0
  private static var maximum: Int { 8 }

  /// The owner begins with another value.
  mutating func begin() { issuedCount = 0 }

  /// Whether no container that was issued since then is in use.
  @inline(__always)
  var areUnused: Bool {
    if issuedCount == 0 { return true }
    if issuedCount == 1, let last { return last.with { $0.isUnused } }
    return areAllUnused
  }

  @inline(never)
  private var areAllUnused: Bool { all.allSatisfy { $0.isUnused } }

  /// The container of a key type, if there is one and it is not in use.
  // SAFETY: `all` owns the result.
  @inline(__always)
  mutating func unused(_ key: UInt) -> Reference<Container>? {
    if let last, last.with({ $0.key == key && $0.isUnused }) {
      issuedCount += 1
      return last
    }
    return search(key)
  }

  @inline(never)
  private mutating func search(_ key: UInt) -> Reference<Container>? {
    for container in all where container.key == key && container.isUnused {
      // From now on, looking at `last` alone does not tell whether containers are in use.
      issuedCount += issuedCount == 0 ? 1 : 2
      unsafe last = Reference(container)
      return last
    }
    return nil
  }

  /// Gives up one that is not in use, if there are many. False if all of many are in use.
  mutating func makeRoom() -> Bool {
    if all.count < Self.maximum { return true }
    guard let place = all.firstIndex(where: { $0.isUnused }) else { return false }
    all.remove(at: place)
    last = nil
    return true
  }

  /// Adds a container that is issued.
  mutating func add(_ container: Container) {
    all.append(container)
    unsafe last = Reference(container)
    issuedCount += 2
  }

  /// Forgets all, and returns those that are in use.
  mutating func takeUsed() -> [Container] {
    defer { self = IssuedContainers() }
    return all.filter { !$0.isUnused }
  }
}

/// A container of one decoder and key type.
@safe
class CachedContainer: IssuedContainer, @unchecked Sendable {
  // SAFETY: the subclass owns the storage.
  private final let storageReference: Reference<KeyedStorage>

  fileprivate init(_ key: UInt, _ storage: KeyedStorage, _ use: UnsafeMutablePointer<AnyObject>) {
    unsafe storageReference = Reference(storage)
    unsafe super.init(key, use)
  }

  final var storage: KeyedStorage { storageReference.object }

  /// Points the container to another object.
  final func move(to node: UInt64) {
    storageReference.with { $0.move(to: node) }
  }

  /// Makes the container, which is in use, outlive its decoder's turn.
  func escape(from decoder: ValueDecoder) { storage.owner = decoder }
}

/// With the container's type at hand: a function that is generic over `Key` would look the metadata of
/// `KeyedDecodingContainer<Key>` up each time.
class TypedCachedContainer<Container>: CachedContainer, @unchecked Sendable {
  /// The container, for an object that the storage has moved to.
  func issue() -> Container { fatalError("every cached container is issued") }
}

/// The cache entry for a storage's containers.
func cache<Key: CodingKey>(
  _ storage: TypedKeyedStorage<Key>, _ key: UInt
) -> TypedCachedContainer<KeyedDecodingContainer<Key>> {
  guard ContainerBox.isKnown else { return renewedContainer(storage, key) }
  let container = BorrowingKeyedContainer(storage, owner: ())
  return ReusedContainer(KeyedDecodingContainer(container), storage, key)
}

// MARK: - One box for all objects

@safe
private final class ReusedContainer<Container>: TypedCachedContainer<Container>,
  @unchecked Sendable
{
  private let ownedStorage: KeyedStorage
  // SAFETY: one container, allocated here.
  private let cell: UnsafeMutablePointer<Container>

  init(_ container: Container, _ storage: KeyedStorage, _ key: UInt) {
    ownedStorage = storage
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    // SAFETY: the container is a `KeyedDecodingContainer`, whose layout is known.
    unsafe super.init(key, storage, ContainerBox.reference(in: cell))
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  @inline(never)
  override func issue() -> Container { unsafe cell.pointee }

  override func escape(from decoder: ValueDecoder) {
    super.escape(from: decoder)
    EscapedContainers.insert(self)
  }
}

/// Containers in use whose decoders or encoders have returned, with all that they need.
enum EscapedContainers {
  private struct Entries: Sendable {
    var containers: [IssuedContainer] = []
    var next = 0

    /// Takes out the unused ones among the next few.
    mutating func removeUnused(_ limit: Int) -> [IssuedContainer] {
      var unused: [IssuedContainer] = []
      for _ in 0..<min(limit, containers.count) {
        if next >= containers.count { next = 0 }
        if containers[next].isUnused {
          containers.swapAt(next, containers.count - 1)
          unused.append(containers.removeLast())
        } else {
          next += 1
        }
      }
      return unused
    }
  }

  private static let entries = Locked(Entries())
  private static let count = SharedWord(0)

  static func insert(_ container: IssuedContainer) {
    // Two are looked at for each that comes: what is unused stays a fraction of what is in use.
    let unused = entries.withLock {
      $0.containers.append(container)
      let unused = $0.removeUnused(2)
      count.value = $0.containers.count
      return unused
    }
    release(unused)
  }

  /// Releases what has gone out of use. To be called often: each call looks at a few entries, and costs one load
  /// where there are none.
  @inline(__always)
  static func collect() { if count.value != 0 { collectSome() } }

  @inline(never)
  private static func collectSome() {
    let unused = entries.withLockIfAvailable {
      let unused = $0.removeUnused(4)
      count.value = $0.containers.count
      return unused
    }
    release(unused ?? [])
  }

  /// Outside the lock, as this may release a document.
  private static func release(_ containers: consuming [IssuedContainer]) {
    if containers.isEmpty { return }
    // Another thread may have used the storage before it dropped the last copy. Its writes come first.
    decant_word_fence()
    withExtendedLifetime(containers) {}
  }
}

// MARK: - One storage for all objects

@safe
private final class RenewedContainer<Container: KeyedDecodingContainerProtocol>:
  TypedCachedContainer<KeyedDecodingContainer<Container.Key>>, @unchecked Sendable
{
  // SAFETY: one container that owns its storage, allocated by `renewedContainer`.
  private let cell: UnsafeMutablePointer<Container>

  init(
    _ cell: UnsafeMutablePointer<Container>, _ use: UnsafeMutablePointer<AnyObject>,
    _ storage: KeyedStorage, _ key: UInt
  ) {
    unsafe self.cell = cell
    unsafe super.init(key, storage, use)
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  override func issue() -> KeyedDecodingContainer<Container.Key> {
    KeyedDecodingContainer(unsafe cell.pointee)
  }
}

private func renewedContainer<Key: CodingKey>(
  _ storage: TypedKeyedStorage<Key>, _ key: UInt
) -> TypedCachedContainer<KeyedDecodingContainer<Key>> {
  typealias Container = OwningKeyedContainer<Key>
  let cell = UnsafeMutablePointer<Container>.allocate(capacity: 1)
  unsafe cell.initialize(to: KeyedContainer(storage, owner: storage))
  // SAFETY: the place of a stored property; the container is initialised.
  let use = unsafe UnsafeMutableRawPointer(cell)
    .advanced(by: MemoryLayout<Container>.offset(of: \.owner) ?? 0)
    .assumingMemoryBound(to: AnyObject.self)
  return unsafe RenewedContainer<Container>(cell, use, storage, key)
}
