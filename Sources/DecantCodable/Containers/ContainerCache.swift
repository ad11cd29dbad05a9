// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Keyed containers that a decoder or an encoder issues again and again: one for each key type, for every object. Making a
// container costs an allocation and several look-ups of generic metadata, which is more than decoding a small object.
//
// A container may be issued again once nobody has a copy of it any more. There are two kinds:
//
//   ReusedContainer    keeps the standard library's box. The box's reference count tells whether there are copies
//                      (ContainerBox.swift). Its container borrows its state: the box copies our container for
//                      each of its calls, and retaining the state each time would cost more than a look-up.
//   RenewedContainer   relies on no private layout. It keeps the state and makes a box for each object. The
//                      container in the box owns the state, whose reference count tells whether there is one.
//
// A container that is still in use when `init(from:)` or `encode(to:)` returns has escaped. What it needs has to live
// as long as it does. An escaped container of the second kind owns its state. One of the first kind owns nothing:
// it goes to `EscapedContainers`, which releases it when the box is not shared any more.

internal import CDecantIndex
internal import DecantCore

/// The state that a keyed container refers to.
class ContainerState {
  /// The decoder or encoder, where the container may outlive its turn.
  final var owner: AnyObject?
  /// The key of the member whose value is being decoded or encoded.
  var key: any CodingKey { PathKey.name("") }
}

/// A container that may be issued again, of a decoder or an encoder.
// SAFETY: `@unchecked Sendable` for `EscapedContainers`, which looks at the reference count only.
@safe
class IssuedContainer: @unchecked Sendable {
  /// The key type's identity.
  final let key: UInt
  // SAFETY: the subclass owns the state.
  final let state: Reference<ContainerState>
  // SAFETY: a reference that is unique unless the container is in use; the subclass owns it.
  private final let use: UnsafeMutablePointer<AnyObject>

  fileprivate init(_ key: UInt, _ state: ContainerState, _ use: UnsafeMutablePointer<AnyObject>) {
    self.key = key
    unsafe self.state = Reference(state)
    unsafe self.use = use
  }

  /// Whether nobody has a copy of the container.
  final var isUnused: Bool { unsafe ContainerBox.isUnique(use) }

  /// Makes the container, which is in use, outlive its owner's turn.
  func escape(from owner: AnyObject) { state.object.owner = owner }
}

/// The containers of a decoder or a scope: one for each key type, and more if one was in use when the next of its key type
/// was requested.
struct IssuedContainers {
  private var all: [IssuedContainer] = []
  /// The container that was issued last, and how many were issued since the owner began with its value.
  // SAFETY: of `all`.
  private var last: Reference<IssuedContainer>?
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
  mutating func unused(_ key: UInt) -> Reference<IssuedContainer>? {
    if let last, last.with({ $0.key == key && $0.isUnused }) {
      issuedCount += 1
      return last
    }
    return search(key)
  }

  @inline(never)
  private mutating func search(_ key: UInt) -> Reference<IssuedContainer>? {
    for container in all where container.key == key && container.isUnused {
      // From now on, `last` alone does not tell whether containers are in use.
      issuedCount += issuedCount == 0 ? 1 : 2
      unsafe last = Reference(container)
      return last
    }
    return nil
  }

  /// Drops one that is not in use, if there are many. False if many are in use.
  mutating func makeRoom() -> Bool {
    if all.count < Self.maximum { return true }
    guard let place = all.firstIndex(where: { $0.isUnused }) else { return false }
    all.remove(at: place)
    last = nil
    return true
  }

  /// Adds a container that is issued.
  mutating func add(_ container: IssuedContainer) {
    all.append(container)
    unsafe last = Reference(container)
    issuedCount += 2
  }

  /// Forgets all, and returns those that are in use.
  mutating func takeUsed() -> [IssuedContainer] {
    defer { self = IssuedContainers() }
    return all.filter { !$0.isUnused }
  }
}

/// With the container's type at hand: a function that is generic over `Key` would look the metadata of
/// `KeyedDecodingContainer<Key>` up each time.
class TypedContainer<Container>: IssuedContainer, @unchecked Sendable {
  /// The container, for an object that the state has moved to.
  func issue() -> Container { fatalError("every container is issued") }
}

// MARK: - One box for all objects

// SAFETY: for containers that are as ContainerBox draws them.
@safe
final class ReusedContainer<Container>: TypedContainer<Container>, @unchecked Sendable {
  private let ownedState: ContainerState
  // SAFETY: one container, allocated here.
  private let cell: UnsafeMutablePointer<Container>

  init(_ container: Container, _ state: ContainerState, _ key: UInt) {
    ownedState = state
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    unsafe super.init(key, state, ContainerBox.reference(in: cell))
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  @inline(never)
  override func issue() -> Container { unsafe cell.pointee }

  override func escape(from owner: AnyObject) {
    super.escape(from: owner)
    EscapedContainers.insert(self)
  }
}

/// Containers in use whose decoders or encoders have returned, with all that they need.
enum EscapedContainers {
  private struct Entries: Sendable {
    var containers: [IssuedContainer] = []
    var next = 0

    /// Takes out the unused ones among the next few.
    mutating func takeUnused(_ limit: Int) -> [IssuedContainer] {
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
      EscapedContainers.count.value = containers.count
      return unused
    }
  }

  private static let entries = Locked(Entries())
  private static let count = SharedWord(0)

  static func insert(_ container: IssuedContainer) {
    // Checks two for each that is added, so that unused ones stay a fraction of those in use.
    release(
      entries.withLock {
        $0.containers.append(container)
        return $0.takeUnused(2)
      })
  }

  /// Releases entries that are no longer in use. Call it often: each call checks a few entries, and costs one load if there
  /// are none.
  @inline(__always)
  static func collect() { if count.value != 0 { collectSome() } }

  @inline(never)
  private static func collectSome() {
    release(entries.withLockIfAvailable { $0.takeUnused(4) } ?? [])
  }

  /// Outside the lock, as this may release a document.
  private static func release(_ containers: consuming [IssuedContainer]) {
    if containers.isEmpty { return }
    // Another thread may have used the storage before it dropped the last copy. Its writes come first.
    decant_word_fence()
    withExtendedLifetime(containers) {}
  }
}

// MARK: - One state for all objects

@safe
class RenewedContainer<Container, Box>: TypedContainer<Box>, @unchecked Sendable {
  // SAFETY: one container that owns its state, allocated here.
  fileprivate final let cell: UnsafeMutablePointer<Container>

  /// - Parameter owner: where in the container the reference to its state is.
  init(_ container: Container, _ state: ContainerState, _ key: UInt, owner: Int?) {
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    // SAFETY: the place of a stored property; the container is initialised.
    let use = unsafe UnsafeMutableRawPointer(cell).advanced(by: owner ?? 0)
      .assumingMemoryBound(to: AnyObject.self)
    unsafe super.init(key, state, use)
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }
}

final class RenewedDecodingContainer<Container: KeyedDecodingContainerProtocol>:
  RenewedContainer<Container, KeyedDecodingContainer<Container.Key>>, @unchecked Sendable
{
  override func issue() -> KeyedDecodingContainer<Container.Key> {
    KeyedDecodingContainer(unsafe cell.pointee)
  }
}

final class RenewedEncodingContainer<Container: KeyedEncodingContainerProtocol>:
  RenewedContainer<Container, KeyedEncodingContainer<Container.Key>>, @unchecked Sendable
{
  override func issue() -> KeyedEncodingContainer<Container.Key> {
    KeyedEncodingContainer(unsafe cell.pointee)
  }
}
