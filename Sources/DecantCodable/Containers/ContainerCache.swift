// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Keyed containers that a decoder or an encoder issues again and again: one for each key type, for every object that it
// reads or writes at its depth. Making a container costs an allocation and several look-ups of generic metadata, which is
// more than decoding a small object.
//
// A container may be issued again once nobody has a copy of it any more, which its box's reference count tells
// (ContainerBox.swift). Such a container borrows its storage: the box copies our container for each of its calls, and
// retaining the storage each time would cost more than a look-up. Where boxes are not known, each object gets a container
// that owns the storage, whose reference count tells whether there is one. Where many containers are in use, each has a
// storage of its own, which owns the decoder or the encoder.
//
// A container that is still in use when its model's `init(from:)` or `encode(to:)` returns has escaped. What it needs has
// to live as long as it does, and it owns no more than its storage: its entry goes to `EscapedContainers`, which releases
// it when the container is gone.

internal import CDecantIndex
internal import DecantCore

/// A container that may be issued again, of a decoder or an encoder.
// SAFETY: `@unchecked Sendable` for `EscapedContainers`, which looks at the reference count only.
@safe
class IssuedContainer: @unchecked Sendable {
  /// The key type's identity.
  final let key: UInt
  // SAFETY: what the container refers to, retained by `cell`.
  private final let storage: Reference<AnyObject>
  // SAFETY: a place with the storage, allocated here.
  private final let cell: UnsafeMutablePointer<AnyObject>
  // SAFETY: a reference that is unique unless the container is in use: that of `cell`, or one that the subclass owns.
  private final let use: UnsafeMutablePointer<AnyObject>

  fileprivate init(_ key: UInt, _ storage: AnyObject, _ use: UnsafeMutablePointer<AnyObject>?) {
    self.key = key
    unsafe self.storage = Reference(storage)
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: storage)
    unsafe self.use = use ?? cell
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  /// Whether nobody has a copy of the container.
  @inline(__always)
  final var isUnused: Bool { unsafe ContainerBox.isUnique(use) }

  /// What the container refers to.
  // SAFETY: the storage is of this type, and is used while this exists.
  @unsafe @inline(__always)
  final func storage<Storage: AnyObject>(as type: Storage.Type) -> Reference<Storage> {
    unsafe Reference(opaque: storage.opaque)
  }
}

/// With the container's type at hand: a function that is generic over a key type would look the metadata of its container
/// up each time.
@safe
final class ReusedContainer<Container>: IssuedContainer, @unchecked Sendable {
  // SAFETY: one container, allocated here, where boxes are known.
  private let box: UnsafeMutablePointer<Container>?
  /// Makes a container that owns its storage, where they are not.
  private let make: (() -> Container)?

  // SAFETY: boxes are known, and the container is the standard library's.
  @unsafe
  init(_ key: UInt, _ storage: AnyObject, borrowing container: Container) {
    let box = UnsafeMutablePointer<Container>.allocate(capacity: 1)
    unsafe box.initialize(to: container)
    unsafe self.box = box
    make = nil
    unsafe super.init(key, storage, ContainerBox.reference(in: box))
  }

  /// - Parameter make: does not own the storage itself.
  init(_ key: UInt, _ storage: AnyObject, renewing make: @escaping () -> Container) {
    unsafe box = nil
    self.make = make
    unsafe super.init(key, storage, nil)
  }

  deinit {
    unsafe box?.deinitialize(count: 1)
    unsafe box?.deallocate()
  }

  @inline(never)
  func issue() -> Container {
    if let box = unsafe box { return unsafe box.pointee }
    return renew()
  }

  @inline(never)
  private func renew() -> Container { make!() }
}

/// What a decoder or a scope has issued: one container for each key type, and others for containers that were in use when
/// the next one of their key type was asked for.
struct IssuedContainers {
  private var all: [IssuedContainer] = []
  /// The container that was issued last, and how many were issued since the owner began with its value.
  // SAFETY: of `all`.
  private var last: Reference<IssuedContainer>?
  private var issuedCount = 0
  private static var maximum: Int { 8 }

  /// The owner begins with another value.
  @inline(__always)
  mutating func begin() { issuedCount = 0 }

  /// Whether no container that was issued since then is in use.
  @inline(__always)
  var areUnused: Bool {
    if issuedCount == 0 { return true }
    if issuedCount == 1, let last { return last.with { $0.isUnused } }
    return all.allSatisfy { $0.isUnused }
  }

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
