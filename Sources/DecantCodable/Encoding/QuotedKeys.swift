// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The keys of a key type as they are written.
//
// Coding keys are mostly enums of which a value is one byte, or none: so the compiler writes them. The text of
// such a key, converted and escaped, is made once; writing it again is one copy.
//
//   enum CodingKeys: String, CodingKey { case id, name, homePage = "home/page" }
//
//   byte     0        1          2
//   text     "id":    "name":    "home\/page":
//   place    0        1          2                in the order in which they were first asked for
//
// Places tell whether an object has a key already: one bit for each of the first 64.

internal import DecantCore

/// A key as it is written, with its quotes and its colon.
@safe
struct QuotedKey {
  // SAFETY: `count` bytes that the keys own; nil, if the key was not asked for.
  var start: UnsafeMutablePointer<UInt8>?
  var count = 0
  var place = 0

  @unsafe
  var text: UnsafeBufferPointer<UInt8> {
    @inline(__always) get { unsafe UnsafeBufferPointer(start: start, count: count) }
  }

  /// Its bit, or 0 for those after the first 64.
  var bit: UInt64 { @inline(__always) get { place < 64 ? 1 &<< UInt64(place) : 0 } }
}

@safe
final class QuotedKeys {
  // SAFETY: 256 keys by their bytes, allocated here.
  @exclusivity(unchecked) @safe private let keys: UnsafeMutablePointer<QuotedKey>
  private(set) var names: [String] = []
  private let convert: (String) -> String
  private let options: JSONWritingOptions

  /// Nil if the keys are more than a byte.
  init?<Key: CodingKey>(
    _ type: Key.Type, _ options: JSONWritingOptions, _ convert: @escaping (String) -> String
  ) {
    guard MemoryLayout<Key>.size <= 1, _isPOD(type) else { return nil }
    keys = .allocate(capacity: 256)
    unsafe keys.initialize(repeating: QuotedKey(), count: 256)
    self.convert = convert
    self.options = options
  }

  deinit {
    for byte in 0..<256 { unsafe keys[byte].start?.deallocate() }
    unsafe keys.deallocate()
  }

  /// The key's text; `name` is asked the first time.
  @inline(__always)
  func key(_ byte: UInt8, _ name: @autoclosure () -> String) -> UnsafePointer<QuotedKey> {
    let key = unsafe keys + Int(byte)
    if unsafe key.pointee.start == nil { add(byte, name()) }
    return unsafe UnsafePointer(key)
  }

  @inline(never)
  private func add(_ byte: UInt8, _ name: String) {
    let name = convert(name)
    var state = WritingState(capacity: 64, options: options)
    state.append(key: name)
    let text = unsafe state.buffer.text
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
    // SAFETY: as many bytes as the text has, which is not empty.
    unsafe start.initialize(from: text.baseAddress!, count: text.count)
    // Two keys may be called the same.
    let place = names.firstIndex { $0.utf8.elementsEqual(name.utf8) } ?? names.count
    if place == names.count { names.append(name) }
    keys[Int(byte)] = unsafe QuotedKey(start: start, count: text.count, place: place)
  }

  /// The names of the keys with these bits.
  func names(of bits: UInt64) -> [String] {
    names.prefix(64).enumerated().filter { bits & 1 << UInt64($0.offset) != 0 }.map(\.element)
  }
}

/// The keys that an object has.
@safe
struct MemberNames {
  // SAFETY: the session owns the keys, which outlive the object.
  private var keys: Unmanaged<QuotedKeys>?
  private var bits: UInt64 = 0
  /// All names, once one was added that is not among the first 64 of `keys`.
  private var others: Set<[UInt8]>?

  /// Adds a key. False if the object has it already.
  @inline(__always)
  mutating func insert(_ key: UnsafePointer<QuotedKey>, of keys: Unmanaged<QuotedKeys>) -> Bool {
    let bit = unsafe key.pointee.bit
    guard unsafe isKnown(by: keys), bit != 0 else { return unsafe insertOther(key, of: keys) }
    if bits & bit != 0 { return false }
    bits |= bit
    return true
  }

  @inline(__always)
  private func isKnown(by keys: Unmanaged<QuotedKeys>) -> Bool {
    unsafe others == nil && self.keys?.toOpaque() == keys.toOpaque()
  }

  @inline(never)
  private mutating func insertOther(
    _ key: UnsafePointer<QuotedKey>, of keys: Unmanaged<QuotedKeys>
  ) -> Bool {
    let bit = unsafe key.pointee.bit
    if unsafe self.keys == nil && others == nil && bit != 0 {
      unsafe self.keys = unsafe keys
      bits = bit
      return true
    }
    return insert(unsafe keys.takeUnretainedValue().names[key.pointee.place])
  }

  /// Adds a name. False if the object has it already.
  mutating func insert(_ name: String) -> Bool {
    if others == nil {
      let names = unsafe keys?.takeUnretainedValue().names(of: bits) ?? []
      others = Set(names.map { Array($0.utf8) })
    }
    return others?.insert(Array(name.utf8)).inserted ?? true
  }

  /// Takes a key back, whose value could not be encoded.
  mutating func remove(_ name: String) {
    if others == nil { _ = insert(name) }
    others?.remove(Array(name.utf8))
  }
}
