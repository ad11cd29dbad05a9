// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The private layout that this module relies on: a `KeyedDecodingContainer<Key>` is one reference to a box that
// the standard library allocates, so the reference count tells whether anybody else has a copy of the container.
//
//   KeyedDecodingContainer<Key>   [reference] ──► [metadata][reference count][our container]
//
// Only `isKnownUniquelyReferenced` reads the box; nothing is written to it. If the layout differs, or private layouts are
// off, containers are made for every object: ContainerCache.swift.

internal import DecantCore

package enum ContainerBox {
  /// Whether containers are as drawn. The first call probes.
  package static let isKnown = PrivateLayout.areAllowed && isAsDrawn

  /// Compares the count with what it has to be: one for a container alone, more while there is a copy.
  private static var isAsDrawn: Bool {
    typealias Container = KeyedDecodingContainer<PathKey>
    guard isOneReference(Container.self) else { return false }
    let context = DecodeContext(Settings(), version: 0)
    let decoder = ValueDecoder(context)
    let storage = TypedKeyedStorage<PathKey>(decoder)
    let cell = UnsafeMutablePointer<Container>.allocate(capacity: 1)
    unsafe cell.initialize(to: KeyedDecodingContainer(BorrowingKeyedContainer(storage, owner: ())))
    defer {
      unsafe cell.deinitialize(count: 1)
      unsafe cell.deallocate()
      withExtendedLifetime((context, decoder, storage)) {}
    }
    guard unsafe isUnique(reference(in: cell)) else { return false }
    let copy = unsafe cell.pointee
    let isSharedUnique = unsafe isUnique(reference(in: cell))
    withExtendedLifetime(copy) {}
    return !isSharedUnique
  }

  /// Whether a type of containers has the size of a reference.
  static func isOneReference<Container>(_ type: Container.Type) -> Bool {
    MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size
      && MemoryLayout<Container>.alignment == MemoryLayout<AnyObject>.alignment
  }

  /// Whether the reference is the only one to its object.
  ///
  /// The class is a parameter: of a plain `AnyObject`, `isKnownUniquelyReferenced` would see a copy, because an
  /// argument that is an existential is opened.
  // SAFETY: an initialised reference.
  static func isUnique<Object: AnyObject>(_ reference: UnsafeMutablePointer<Object>) -> Bool {
    unsafe isKnownUniquelyReferenced(&reference.pointee)
  }

  /// The reference that a container is.
  // SAFETY: for containers that are as drawn only, whose size the caller has compared.
  static func reference<Container>(
    in cell: UnsafeMutablePointer<Container>
  ) -> UnsafeMutablePointer<AnyObject> {
    unsafe UnsafeMutableRawPointer(cell).assumingMemoryBound(to: AnyObject.self)
  }
}
