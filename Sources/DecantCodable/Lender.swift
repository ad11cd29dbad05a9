// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A keyed container that a level lends again and again.
//
// `KeyedDecodingContainer<Key>` is a reference to a box that the standard library allocates. Making one
// costs an allocation and three look-ups of generic metadata, 100 ns, for every object of a document. But
// the box holds no more than a reference to our state, so the same box does for the next object when the
// state points there, if nobody holds it any more; and its reference count tells.
//
// Even copying a `KeyedDecodingContainer<Key>` needs its metadata, which a function that is generic over
// `Key` looks up each time. A class that is generic over the container has it at hand.

/// A container that was made once and is lent many times.
@safe
class Lender {
  /// The address of the key type's metadata.
  final let key: UInt
  final let state: KeyedState
  // SAFETY: the subclass's cell. The container in it is one reference, as `init?` of the subclass checks,
  // so that it can be asked for its count.
  private final let box: UnsafeMutablePointer<AnyObject>

  fileprivate init(_ key: UInt, _ state: KeyedState, _ box: UnsafeMutablePointer<AnyObject>) {
    self.key = key
    self.state = state
    unsafe self.box = unsafe box
  }

  /// Whether nobody has the container.
  @inline(__always)
  final var isFree: Bool { unsafe isKnownUniquelyReferenced(&box.pointee) }
}

@safe
final class ContainerLender<Container>: Lender {
  private let cell: UnsafeMutablePointer<Container>

  /// Nil if the standard library's containers are not what they were.
  init?(_ container: Container, _ key: UInt, _ state: KeyedState) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    unsafe super.init(
      key, state, UnsafeMutableRawPointer(cell).assumingMemoryBound(to: AnyObject.self))
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  @inline(never)
  func lend() -> Container { unsafe cell.pointee }
}
