// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The names of a key type's keys, and where an object has them.
//
// Coding keys are mostly enums of which a value is one byte, or none: so the compiler writes them. What such
// a key is called is asked once; `stringValue` is a call through a witness table, a switch, and a String to
// be taken apart, more than comparing the name costs (benchmarks: tiny, users).
//
//   enum CodingKeys: String, CodingKey { case id, name, screenName = "screen_name" }
//
//   byte     0       1        2
//   name     "id"    "name"   "screen_name"
//   place    0       1        2               in the order in which they were first asked for
//
// Looking a key up is one comparison as long as models ask in the order of the document (decant_lookup.h).
// Once an object turns out to lack a key, as where half the members are optional, its members are found
// all at once: one walk over its keys, each looked up in a hash table of the names, and from then on a
// look-up is an array access (benchmark: profiles).
//
//   {"id":1,"screen_name":"a"}       nodes   3   0   5         0 is none; "name" is not there

internal import CDecantIndex
internal import DecantCore

/// What a key is called.
@safe
struct KeyName {
  /// Names of at most 15 bytes: the first one lowest, zeros behind the last.
  var low: UInt64 = 0
  var high: UInt64 = 0
  // SAFETY: `count` bytes that the names own; nil, if the name was not asked for.
  var start: UnsafeMutablePointer<UInt8>?
  var count: UInt32 = 0
  var place: UInt32 = 0

  var isSmall: Bool { @inline(__always) get { count <= 15 } }
}

@safe
final class KeyNames {
  // SAFETY: `capacity` names by the keys' bytes, allocated here; it may move when a name is added.
  @exclusivity(unchecked) @safe private var names: UnsafeMutablePointer<KeyName>
  @exclusivity(unchecked) @safe private var capacity = 16
  /// How many names were asked for.
  @exclusivity(unchecked) @safe private(set) var count = 0
  // SAFETY: `mask + 1` slots, allocated here: the bytes of the names, one more each, by the hash of the
  // name; 0 is none. Open addressing, at most a quarter full.
  @exclusivity(unchecked) @safe private var table: UnsafeMutablePointer<UInt16>
  @exclusivity(unchecked) @safe private var mask = 15
  /// Whether a key is a byte, or nothing.
  private let isByte: Bool

  /// Whether a key of this type is all in one byte, or in none.
  static func areKnown<Key: CodingKey>(for type: Key.Type) -> Bool {
    MemoryLayout<Key>.size <= 1 && _isPOD(Key.self)
  }

  /// Nil if the keys are more than a byte.
  init?<Key: CodingKey>(_ type: Key.Type) {
    guard KeyNames.areKnown(for: type) else { return nil }
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

  /// The byte that the key is, or 0 where there is but one key.
  // SAFETY: the key is of the type that the names were made for.
  @inline(__always)
  func byte<Key: CodingKey>(of key: Key) -> UInt8 {
    isByte ? unsafe unsafeBitCast(key, to: UInt8.self) : 0
  }

  /// What the key is called.
  // SAFETY: the pointer is good until the next call.
  @inline(__always)
  func name<Key: CodingKey>(of key: Key) -> UnsafePointer<KeyName> {
    let byte = Int(byte(of: key))
    if byte < capacity, unsafe names[byte].start != nil {
      return unsafe UnsafePointer(names + byte)
    }
    return unsafe add(key.stringValue, byte)
  }

  @inline(never)
  private func add(_ name: String, _ byte: Int) -> UnsafePointer<KeyName> {
    if byte >= capacity { grow(to: 256) }
    let utf8 = Array(name.utf8)
    let room = max(utf8.count, 16)
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    unsafe start.initialize(repeating: 0, count: room)
    unsafe start.update(from: utf8, count: utf8.count)
    // Two keys may be called the same.
    let known = unsafe place(start, utf8.count)
    unsafe start.withMemoryRebound(to: UInt64.self, capacity: 2) { words in
      names[byte] = unsafe KeyName(
        low: UInt64(littleEndian: words[0]), high: UInt64(littleEndian: words[1]), start: start,
        count: UInt32(clamping: utf8.count), place: UInt32(known ?? count))
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

extension KeyNames {
  private func rehash() {
    unsafe table.deallocate()
    mask = mask * 4 + 3
    table = .allocate(capacity: mask + 1)
    unsafe table.initialize(repeating: 0, count: mask + 1)
    for byte in 0..<capacity {
      if let start = unsafe names[byte].start, unsafe place(start, Int(names[byte].count)) == nil {
        enter(byte)
      }
    }
  }

  private func enter(_ byte: Int) {
    // SAFETY: the name is known.
    var slot = unsafe hash(names[byte].start!, Int(names[byte].count))
    while table[slot] != 0 { slot = (slot + 1) & mask }
    table[slot] = UInt16(byte + 1)
  }

  /// By the length and the ends, which are at hand; names that are alike in that stand next to each other.
  @inline(__always)
  private func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    if count == 0 { return 0 }
    let ends = unsafe UInt32(start[0]) | UInt32(start[count - 1]) << 8
    let hash = (ends | UInt32(truncatingIfNeeded: count) << 16) &* 0x9E37_79B1
    return Int(hash >> 16) & mask
  }

  /// The place of a name, or nil if no key is called so.
  // SAFETY: the caller has `count` bytes.
  @inline(__always)
  private func place(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    var slot = unsafe hash(start, count)
    while true {
      let byte = Int(table[slot]) - 1
      if byte < 0 { return nil }
      let name = names[byte]
      if name.count == count, unsafe decant_key_equal(start, name.start, count) {
        return Int(name.place)
      }
      slot = (slot &+ 1) & mask
    }
  }

  /// Writes the node of each name's member to its place, 0 where there is none. False if the object has
  /// keys that need more than a comparison.
  // SAFETY: the slot of a native object, and room for `count` nodes.
  func find(in object: JSON, _ nodes: UnsafeMutablePointer<UInt32>) -> Bool {
    let keepsLast = object.keepsLastDuplicate
    unsafe nodes.update(repeating: 0, count: count)
    let text = unsafe object.context.pointee.text + 1
    let end = object.after
    var key = object.node + 2
    while key < end {
      let view = JSON(key, within: object)
      let length = view.high
      if length >= DECANT_STRING_LONG { return false }  // escaped, or long
      let value = JSON(key + 1, within: object)
      if let place = unsafe place(text + view.offset, Int(length)),
        unsafe nodes[place] == 0 || keepsLast
      {
        unsafe nodes[place] = UInt32(truncatingIfNeeded: value.node)
      }
      key = value.after
    }
    return true
  }
}
