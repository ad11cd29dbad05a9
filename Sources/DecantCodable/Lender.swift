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
// The box copies our container for each of its calls. A container that held its state would pay for that
// with two atomic operations a member, so a lent one holds nothing, and its lender the state. When somebody
// keeps the box, the lender makes the container in it hold the state: it knows where in the box that is.
//
//   box   [metadata][reference count][state][nothing, or what keeps the state]
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
  // SAFETY: inside the box, as `init?` of the subclass checks.
  private final let keeper: UnsafeMutablePointer<AnyObject?>

  fileprivate init(
    _ key: UInt, _ state: KeyedState, _ box: UnsafeMutablePointer<AnyObject>,
    _ keeper: UnsafeMutablePointer<AnyObject?>
  ) {
    self.key = key
    self.state = state
    unsafe self.box = unsafe box
    unsafe self.keeper = unsafe keeper
  }

  /// Whether nobody has the container.
  @inline(__always)
  final var isFree: Bool { unsafe isKnownUniquelyReferenced(&box.pointee) }

  /// Lets the container, which somebody has, hold its state, and that the level.
  final func keep(_ level: Level) {
    state.anchor = level
    unsafe keeper.pointee = state
  }
}

@safe
final class ContainerLender<Container>: Lender {
  private let cell: UnsafeMutablePointer<Container>

  /// Nil if the standard library's containers are not what they were.
  init?(_ container: Container, _ key: UInt, _ state: KeyedState) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    // SAFETY: a container that is one reference refers to its box, an object with two words of its own
    // and ours in it.
    let box = unsafe UnsafeMutableRawPointer(cell).assumingMemoryBound(to: AnyObject.self)
    let words = unsafe UnsafeMutablePointer<UInt>(
      OpaquePointer(Unmanaged.passUnretained(box.pointee).toOpaque()))
    let reference = unsafe UInt(bitPattern: Unmanaged.passUnretained(state).toOpaque())
    guard unsafe words[2] == reference && words[3] == 0 else {
      unsafe cell.deinitialize(count: 1)
      unsafe cell.deallocate()
      return nil
    }
    unsafe super.init(
      key, state, box, UnsafeMutableRawPointer(words + 3).assumingMemoryBound(to: AnyObject?.self))
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  @inline(never)
  func lend() -> Container { unsafe cell.pointee }
}
