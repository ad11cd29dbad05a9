// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The names of a key type's keys, and the members of an object by these names.
//
// Most coding keys are enums whose values have one byte or none, as the compiler generates them. Such a key is asked
// for its name once: `stringValue` is a call through a witness table, a switch, and a String to be taken apart, which
// costs more than comparing the name (benchmarks: tiny, users). A key's name therefore has to depend on the key alone.
//
//   enum CodingKeys: String, CodingKey { case id, name, screenName = "screen_name" }
//
//   byte     0       1        2
//   name     "id"    "name"   "screen_name"
//   place    0       1        2               in the order in which they were first asked for
//
// A look-up is one comparison as long as models ask in the order of the document (decant_lookup.h). Once an object
// turns out to lack a key, as where half the members are optional, its members are found all at once: one walk over
// its keys, each looked up in a hash table of the names. From then on a look-up is an array access (benchmark:
// profiles).
//
//   {"id":1,"screen_name":"a"}       nodes   3   0   5         0: missing, as "name" is

internal import CDecantIndex
internal import DecantCore

/// The name of a key.
@safe
struct KeyName {
  /// The bytes of names of at most 15 bytes: the first is the lowest, zeros follow the last.
  var low: UInt64 = 0
  var high: UInt64 = 0
  // SAFETY: `count` bytes that the table owns; nil if the name was not asked for.
  var start: UnsafeMutablePointer<UInt8>?
  var count: UInt32 = 0
  var place: UInt32 = 0

  var isSmall: Bool { @inline(__always) get { count <= 15 } }
}

@safe
final class KeyTable {
  // SAFETY: `capacity` names, indexed by the keys' bytes, allocated here. Adding a name may move them.
  @exclusivity(unchecked) @safe private var names: UnsafeMutablePointer<KeyName>
  @exclusivity(unchecked) @safe private var capacity = 16
  /// How many names were asked for.
  @exclusivity(unchecked) @safe private(set) var count = 0
  // SAFETY: `mask + 1` slots, allocated here. A slot is a key's byte plus one, at the hash of the name; 0 is empty.
  // Open addressing, at most a quarter full.
  @exclusivity(unchecked) @safe private var table: UnsafeMutablePointer<UInt16>
  @exclusivity(unchecked) @safe private var mask = 15
  /// Whether a key has a byte, or none.
  private let isByte: Bool

  /// Whether keys of this type are trivial and have one byte at most.
  static func holds<Key: CodingKey>(_ type: Key.Type) -> Bool {
    MemoryLayout<Key>.size <= 1 && _isPOD(Key.self)
  }

  /// The key that is this byte, or the only one.
  // SAFETY: a trivial key of one byte, which was taken of one, or of none.
  static func key<Key: CodingKey>(_ byte: UInt8) -> Key {
    MemoryLayout<Key>.size == 0
      ? unsafe unsafeBitCast((), to: Key.self) : unsafe unsafeBitCast(byte, to: Key.self)
  }

  /// Nil if the keys are not trivial, or have more than one byte.
  init?<Key: CodingKey>(_ type: Key.Type) {
    guard KeyTable.holds(type) else { return nil }
    isByte = MemoryLayout<Key>.size == 1
    names = .allocate(capacity: capacity)
    unsafe names.initialize(repeating: KeyName(), count: capacity)
    table = .allocate(capacity: mask + 1)
    unsafe table.initialize(repeating: 0, count: mask + 1)
  }

  deinit {
    for byte in 0..<capacity { unsafe names[byte].start?.deallocate() }
    unsafe names.deallocate()
    unsafe table.deallocate()
  }

  /// The byte of the key, or 0 if there is only one key.
  // SAFETY: the key is of the type that the table was made for.
  @inline(__always)
  func byte<Key: CodingKey>(of key: Key) -> UInt8 {
    isByte ? unsafe unsafeBitCast(key, to: UInt8.self) : 0
  }

  /// The name of the key.
  // SAFETY: the pointer is valid until the next call.
  @inline(__always)
  func name<Key: CodingKey>(of key: Key) -> UnsafePointer<KeyName> {
    let byte = Int(truncatingIfNeeded: byte(of: key))
    if byte < capacity, unsafe names[byte].start != nil {
      return unsafe UnsafePointer(names + byte)
    }
    return unsafe add(key.stringValue, byte)
  }

  @inline(never)
  private func add(_ name: String, _ byte: Int) -> UnsafePointer<KeyName> {
    if byte >= capacity { grow(to: 256) }
    let utf8 = Array(name.utf8)
    let size = max(utf8.count, 16)
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    unsafe start.initialize(repeating: 0, count: size)
    unsafe start.update(from: utf8, count: utf8.count)
    // Two keys may have the same name.
    let known = unsafe place(start, utf8.count)
    unsafe start.withMemoryRebound(to: UInt64.self, capacity: 2) { words in
      names[byte] = unsafe KeyName(
        low: UInt64(littleEndian: words[0]), high: UInt64(littleEndian: words[1]), start: start,
        count: UInt32(clamping: utf8.count), place: UInt32(truncatingIfNeeded: known ?? count))
    }
    if known == nil {
      count += 1
      if count * 4 > mask { rehash() } else { enter(byte) }
    }
    return unsafe UnsafePointer(names + byte)
  }

  private func grow(to larger: Int) {
    let moved = UnsafeMutablePointer<KeyName>.allocate(capacity: larger)
    unsafe moved.moveInitialize(from: names, count: capacity)
    unsafe (moved + capacity).initialize(repeating: KeyName(), count: larger - capacity)
    unsafe names.deallocate()
    names = unsafe moved
    capacity = larger
  }
}

// MARK: - Finding members

extension KeyTable {
  private func rehash() {
    unsafe table.deallocate()
    mask = mask * 4 + 3
    table = .allocate(capacity: mask + 1)
    unsafe table.initialize(repeating: 0, count: mask + 1)
    for byte in 0..<capacity {
      if let start = unsafe names[byte].start,
        unsafe place(start, Int(truncatingIfNeeded: names[byte].count)) == nil
      {
        enter(byte)
      }
    }
  }

  private func enter(_ byte: Int) {
    // SAFETY: the name is known.
    var slot = unsafe hash(names[byte].start!, Int(truncatingIfNeeded: names[byte].count))
    while table[slot] != 0 { slot = (slot + 1) & mask }
    table[slot] = UInt16(truncatingIfNeeded: byte + 1)
  }

  /// A hash of the length and of both ends. Names that are alike in these are neighbours.
  @inline(__always)
  private func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    if count == 0 { return 0 }
    let ends =
      unsafe UInt32(truncatingIfNeeded: start[0]) | UInt32(truncatingIfNeeded: start[count - 1])
      &<< 8
    let hash = (ends | UInt32(truncatingIfNeeded: count) &<< 16) &* 0x9E37_79B1
    return Int(truncatingIfNeeded: hash &>> 16) & mask
  }

  /// The place of a name, or nil if no key has it.
  // SAFETY: the caller has `count` bytes.
  @inline(__always)
  private func place(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    var slot = unsafe hash(start, count)
    while true {
      let byte = Int(truncatingIfNeeded: table[slot]) - 1
      if byte < 0 { return nil }
      let name = names[byte]
      if name.count == count, unsafe decant_key_equal(start, name.start, count) {
        return Int(truncatingIfNeeded: name.place)
      }
      slot = (slot &+ 1) & mask
    }
  }

  /// Writes the node of each name's member to its place, and 0 for absent members. False if the object has escaped
  /// or long keys.
  // SAFETY: the slot of a native object, and a buffer of `count` nodes.
  func find(in object: JSON, _ nodes: UnsafeMutablePointer<UInt32>) -> Bool {
    let keepsLast = object.keepsLastDuplicate
    unsafe nodes.update(repeating: 0, count: count)
    let text = unsafe object.context.pointee.text + 1
    let end = object.after
    var key = object.firstChild
    while key < end {
      let view = JSON(key, within: object)
      guard let length = view.plainLength else { return false }
      let value = JSON(key + 1, within: object)
      if let place = unsafe place(text + view.offset, length),
        unsafe nodes[place] == 0 || keepsLast
      {
        unsafe nodes[place] = UInt32(truncatingIfNeeded: value.node)
      }
      key = value.after
    }
    return true
  }
}
