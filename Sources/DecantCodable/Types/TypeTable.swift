// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The objects that a context or a session has made for types, by the types' identity.
//
//   Meeting.self   0x7f…20   InitializerDecoder<Meeting>
//   [Int].self     0x7f…60   the decoder of arrays of integers

internal import DecantCore

/// Objects by the identity of a type: a hash table with open addressing, at most half full. It owns the objects.
@safe
struct TypeTable<Object: AnyObject>: ~Copyable {
  @safe
  private struct Slot {
    var key: UInt = 0
    // SAFETY: retained by the table.
    var object: Reference<Object>?
  }

  // SAFETY: a power of two of slots, allocated here.
  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private var count = 0

  init(capacity: Int = 16) {
    unsafe slots = .allocate(capacity: capacity)
    unsafe slots.initialize(repeating: Slot(), count: capacity)
    mask = capacity - 1
  }

  deinit {
    for place in 0...mask { unsafe slots[place].object?.release() }
    unsafe slots.deallocate()
  }

  static func key(_ type: Any.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }

  @inline(__always)
  private func slot(of key: UInt) -> UnsafeMutablePointer<Slot> {
    // The key is the address of metadata, which is aligned: its low bits are alike.
    var place = Int(truncatingIfNeeded: (key &>> 4) ^ (key &>> 12)) & mask
    while unsafe slots[place].key != key && slots[place].key != 0 { place = (place &+ 1) & mask }
    return unsafe slots + place
  }

  subscript(key: UInt) -> Reference<Object>? {
    @inline(__always) get { unsafe slot(of: key).pointee.object }
  }

  /// Adds an object for a type that has none.
  mutating func insert(_ object: Object, for key: UInt) -> Reference<Object> {
    if count * 2 > mask { grow() }
    count += 1
    // SAFETY: the table owns the object until `deinit`.
    let reference = unsafe Reference(retaining: object)
    unsafe slot(of: key).pointee = Slot(key: key, object: reference)
    return reference
  }

  private mutating func grow() {
    let (old, oldMask) = unsafe (slots, mask)
    mask = 2 * mask + 1
    unsafe slots = .allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: Slot(), count: mask + 1)
    for place in 0...oldMask where unsafe old[place].key != 0 {
      unsafe slot(of: old[place].key).pointee = unsafe old[place]
    }
    unsafe old.deallocate()
  }
}
