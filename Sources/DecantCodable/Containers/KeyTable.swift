// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The keys of a key type as text, and the members of an object by their names.
//
// Most coding keys are enums whose values have one byte or none, as the compiler generates them. The name of such a key is
// read once: `stringValue` is a call through a witness table, a switch and a String, which costs more than comparing the
// name (benchmarks: tiny, users). So a key's name must depend only on the key. Decoders have the names in their tables;
// encoders have the keys as they are written, converted and escaped.
//
//   enum CodingKeys: String, CodingKey { case id, name, homePage = "home/page" }
//
//   byte       0        1          2
//   decoding   id       name       home/page
//   encoding   "id":    "name":    "home\/page":
//   place      0        1          2                 in the order of their first look-ups
//
// A look-up is one comparison as long as models look up keys in the order of the document (decant_lookup.h). When an object
// lacks a key, as when half the members are optional, one walk over its keys finds all members at once, by a hash table of
// the names. From then on a look-up is an array access (benchmark: profiles).
//
//   {"id":1,"home/page":"a"}       nodes   3   0   5         0: missing, as "name" is

internal import CDecantIndex
internal import DecantCore

@safe
final class KeyTable {
  // SAFETY: 256 keys by their bytes, allocated here, and their texts. A key without a text was not looked up.
  let list: UnsafeMutablePointer<decant_key>
  /// The looked-up names, by their places.
  @exclusivity(unchecked) @safe private var names: [String] = []
  /// The name of a key and its text.
  private let write: (String) -> (name: String, text: [UInt8])
  // SAFETY: `mask + 1` slots, allocated here. A slot is a key's byte plus one, at the hash of the text; 0 is empty.
  // Open addressing, at most a quarter full.
  @exclusivity(unchecked) @safe private var slots: UnsafeMutablePointer<UInt16>?
  @exclusivity(unchecked) @safe private var mask = 0
  /// How many names are in the slots.
  @exclusivity(unchecked) @safe private var hashed = 0

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

  /// The byte of the key, or 0 if there is only one key.
  // SAFETY: asked only where `holds` is true.
  @inline(__always)
  static func byte<Key: CodingKey>(of key: Key) -> UInt8 {
    MemoryLayout<Key>.size == 0 ? 0 : unsafe unsafeBitCast(key, to: UInt8.self)
  }

  /// Nil if the keys are not trivial, or have more than one byte.
  init?<Key: CodingKey>(
    _ type: Key.Type, _ write: @escaping (String) -> (name: String, text: [UInt8])
  ) {
    guard KeyTable.holds(type) else { return nil }
    unsafe list = .allocate(capacity: 256)
    unsafe list.initialize(repeating: decant_key(), count: 256)
    self.write = write
  }

  deinit {
    for byte in 0..<256 { unsafe list[byte].start?.deallocate() }
    unsafe list.deallocate()
    unsafe slots?.deallocate()
  }

  /// The key with its text; `name` is asked the first time.
  @inline(__always)
  func key(_ byte: UInt8, _ name: @autoclosure () -> String) -> UnsafePointer<decant_key> {
    let key = unsafe list + Int(truncatingIfNeeded: byte)
    if unsafe key.pointee.start == nil { unsafe add(name(), key) }
    return unsafe UnsafePointer(key)
  }

  @inline(never)
  private func add(_ name: String, _ key: UnsafeMutablePointer<decant_key>) {
    let (name, text) = write(name)
    let size = max(text.count, Int(truncatingIfNeeded: DECANT_KEY_CAPACITY))
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    unsafe start.initialize(repeating: 0, count: size)
    unsafe start.update(from: text, count: text.count)
    // Two keys may have the same name.
    let place = names.firstIndex { areSame($0, name) } ?? names.count
    if place == names.count { names.append(name) }
    unsafe key.pointee = decant_key(
      start: start, count: UInt32(clamping: text.count), place: UInt32(truncatingIfNeeded: place),
      bit: place < 64 ? 1 &<< UInt64(truncatingIfNeeded: place) : 0)
  }

  /// The number of looked-up names.
  var count: Int { names.count }

  /// The name of a looked-up key.
  func name(_ byte: UInt8) -> String {
    unsafe names[Int(truncatingIfNeeded: list[Int(truncatingIfNeeded: byte)].place)]
  }

  /// The names of the keys with these bits.
  func names(of bits: UInt64) -> [String] {
    var found: [String] = []
    for place in names.indices.prefix(64)
    where bits &>> UInt64(truncatingIfNeeded: place) & 1 != 0 { found.append(names[place]) }
    return found
  }
}

// MARK: - Finding members

extension KeyTable {
  private func hashNames() {
    unsafe slots?.deallocate()
    mask = 15
    while mask < 4 * names.count { mask = 2 * mask + 1 }
    let slots = UnsafeMutablePointer<UInt16>.allocate(capacity: mask + 1)
    unsafe slots.initialize(repeating: 0, count: mask + 1)
    unsafe self.slots = slots
    hashed = names.count
    for byte in 0..<256 {
      let key = unsafe list[byte]
      guard let start = unsafe key.start else { continue }
      let count = unsafe Int(truncatingIfNeeded: key.count)
      if unsafe place(start, count, slots) != nil { continue }
      var slot = unsafe hash(start, count)
      while unsafe slots[slot] != 0 { slot = (slot + 1) & mask }
      unsafe slots[slot] = UInt16(truncatingIfNeeded: byte + 1)
    }
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
  private func place(
    _ start: UnsafePointer<UInt8>, _ count: Int, _ slots: UnsafeMutablePointer<UInt16>
  ) -> Int? {
    var slot = unsafe hash(start, count)
    while true {
      let byte = unsafe Int(truncatingIfNeeded: slots[slot]) - 1
      if byte < 0 { return nil }
      let key = unsafe list[byte]
      if unsafe key.count == count && decant_key_equal(start, key.start, count) {
        return unsafe Int(truncatingIfNeeded: key.place)
      }
      slot = (slot &+ 1) & mask
    }
  }

  /// Writes the node of each name's member to its place, and 0 for absent members. False if the object has escaped
  /// or long keys.
  // SAFETY: the slot of a native object, and a buffer of `count` nodes.
  func find(in object: JSON, _ nodes: UnsafeMutablePointer<UInt32>) -> Bool {
    if hashed < names.count { hashNames() }
    guard let slots else { return false }
    let keepsLast = object.keepsLastDuplicate
    unsafe nodes.update(repeating: 0, count: names.count)
    let text = unsafe object.context.pointee.text + 1
    let end = object.after
    var key = object.firstChild
    while key < end {
      let view = JSON(key, within: object)
      guard let length = view.plainLength else { return false }
      let value = JSON(key + 1, within: object)
      if let place = unsafe place(text + view.offset, length, slots),
        unsafe nodes[place] == 0 || keepsLast
      {
        unsafe nodes[place] = UInt32(truncatingIfNeeded: value.node)
      }
      key = value.after
    }
    return true
  }
}
