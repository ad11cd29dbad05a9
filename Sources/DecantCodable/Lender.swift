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
// keeps the box, the lender makes of it the box of a container that holds the state. Both are one word, the
// state's address; what to do with that word when the box goes is told by the box's metadata.
//
//   box of Keyed<Key>   [metadata][reference count][state]
//   box of Kept<Key>    [metadata][reference count][state]      and the state is retained
//
// The layout is not promised to us: it is tried out once, and where it is another, nothing is lent.
//
// Even copying a `KeyedDecodingContainer<Key>` needs its metadata, which a function that is generic over
// `Key` looks up each time. A class that is generic over the container has it at hand.

/// A container that was made once and is lent many times.
@safe
class Lender {
  /// The address of the key type's metadata.
  final let key: UInt
  final let state: KeyedState
  // SAFETY: the subclass's cell: one reference, so that it can be asked for its count.
  private final let box: UnsafeMutablePointer<AnyObject>

  fileprivate init(_ key: UInt, _ state: KeyedState, _ box: UnsafeMutablePointer<AnyObject>) {
    self.key = key
    self.state = state
    unsafe self.box = unsafe box
  }

  /// Whether nobody has the container.
  @inline(__always)
  final var isFree: Bool { unsafe isKnownUniquelyReferenced(&box.pointee) }

  /// Lets the container, which somebody has, hold its state, and that the level.
  final func keep(_ level: Level) {
    state.anchor = level
    state.forgetNames()
    BoxLayout.keep(unsafe box.pointee, state)
  }
}

@safe
final class ContainerLender<Container>: Lender {
  private let cell: UnsafeMutablePointer<Container>

  /// The container is a `KeyedDecodingContainer` of a `Keyed` of the state. Nil if the standard
  /// library's containers are not what they were.
  init?(_ container: Container, _ key: UInt, _ state: KeyedState) {
    guard BoxLayout.isKnown else { return nil }
    unsafe cell = .allocate(capacity: 1)
    unsafe cell.initialize(to: container)
    // SAFETY: a container is one reference.
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

// MARK: - The standard library's box

enum BoxLayout {
  /// Whether boxes are as they are drawn above: one of each kind is made, and the one that holds nothing
  /// turned into one that gives the state back when it goes.
  static let isKnown: Bool = {
    let session = Session(Settings(), version: 0, isOwn: true)
    let level = Level(session)
    return withExtendedLifetime((session, level)) {
      var state = TypedKeyedState<NameKey>(level)
      let turns = turn(box(KeyedDecodingContainer(Keyed(state))), state)
      return turns && isKnownUniquelyReferenced(&state)
    }
  }()

  /// Lets a lent container's box hold its state.
  static func keep(_ box: AnyObject, _ state: KeyedState) { _ = turn(box, state) }

  /// The box that is all of a container.
  static func box<Container>(_ container: Container) -> AnyObject? {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    // SAFETY: one word, which is a reference: a container is no enum and has nothing else.
    return unsafe unsafeBitCast(container, to: AnyObject.self)
  }

  // SAFETY: objects begin with their metadata and their reference count, and have at least a word of
  // their own if they hold a container. Nothing is written unless that word is the state's address.
  private static func turn(_ box: AnyObject?, _ state: KeyedState) -> Bool {
    guard let box, let kept = state.kept else { return false }
    let lentWords = unsafe words(of: box)
    let keptWords = unsafe words(of: kept)
    let reference = unsafe UInt(bitPattern: Unmanaged.passUnretained(state).toOpaque())
    guard unsafe lentWords[2] == reference && keptWords[2] == reference else { return false }
    _ = unsafe Unmanaged.passRetained(state)
    unsafe lentWords[0] = unsafe keptWords[0]
    return true
  }

  private static func words(of object: AnyObject) -> UnsafeMutablePointer<UInt> {
    unsafe UnsafeMutablePointer(OpaquePointer(Unmanaged.passUnretained(object).toOpaque()))
  }
}
