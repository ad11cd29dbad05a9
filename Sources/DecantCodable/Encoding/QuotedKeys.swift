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
// Places tell whether an object has a key already: one bit for each of the first 64. Where a key is known and new to
// its object, C writes the whole member in one step (decant_write.h).

internal import CDecantIndex
internal import DecantCore

@safe
final class QuotedKeys {
  // SAFETY: 256 keys by their bytes, allocated here, and their texts. A key without a text is not known yet.
  let list: UnsafeMutablePointer<decant_quoted_key>
  /// The places of known keys, by their bytes.
  private var places = [UInt8](repeating: 0, count: 256)
  private var names: [String] = []
  private let convert: (String) -> String
  private let options: JSONWritingOptions

  /// Nil if the keys are more than a byte.
  init?<Key: CodingKey>(
    _ type: Key.Type, _ options: JSONWritingOptions, _ convert: @escaping (String) -> String
  ) {
    guard MemoryLayout<Key>.size <= 1, _isPOD(type) else { return nil }
    unsafe list = .allocate(capacity: 256)
    unsafe list.initialize(repeating: decant_quoted_key(), count: 256)
    self.convert = convert
    self.options = options
  }

  deinit {
    for byte in 0..<256 { unsafe list[byte].start?.deallocate() }
    unsafe list.deallocate()
  }

  /// The key's text; `name` is asked the first time.
  func key(_ byte: UInt8, _ name: @autoclosure () -> String) -> UnsafePointer<decant_quoted_key> {
    let key = unsafe list + Int(truncatingIfNeeded: byte)
    if unsafe key.pointee.start == nil { add(byte, name()) }
    return unsafe UnsafePointer(key)
  }

  @inline(never)
  private func add(_ byte: UInt8, _ name: String) {
    let name = convert(name)
    var state = WritingState(capacity: 64, options: options)
    state.append(key: name)
    let text = unsafe state.buffer.text
    let size = max(text.count, Int(truncatingIfNeeded: DECANT_QUOTED_KEY_CAPACITY))
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    unsafe start.initialize(repeating: 0, count: size)
    // SAFETY: at least as many bytes as the text has, which is not empty.
    unsafe start.update(from: text.baseAddress!, count: text.count)
    // Two keys may be called the same.
    let place = names.firstIndex { areSame($0, name) } ?? names.count
    if place == names.count { names.append(name) }
    places[Int(truncatingIfNeeded: byte)] = UInt8(truncatingIfNeeded: place)
    let bit: UInt64 = place < 64 ? 1 &<< UInt64(truncatingIfNeeded: place) : 0
    unsafe list[Int(truncatingIfNeeded: byte)] = unsafe decant_quoted_key(
      start: start, count: text.count, bit: bit)
  }

  /// The name of a key that is known.
  func name(_ byte: UInt8) -> String {
    names[Int(truncatingIfNeeded: places[Int(truncatingIfNeeded: byte)])]
  }

  /// The names of the keys with these bits.
  func names(of bits: UInt64) -> [String] {
    var found: [String] = []
    for place in 0..<min(names.count, 64) where bits &>> UInt64(truncatingIfNeeded: place) & 1 != 0
    {
      found.append(names[place])
    }
    return found
  }
}

/// The keys that an object has: those of a list by their bits, or all by their names.
@safe
struct MemberNames {
  // SAFETY: the scope's, which owns these names.
  private let members: UnsafeMutablePointer<decant_members>
  // SAFETY: the session owns the keys, which outlive the object. Those that the bits are about.
  private var keys: Reference<QuotedKeys>?
  /// All names, once one was added that has no bit.
  private var others: [String: Int]?

  init(_ members: UnsafeMutablePointer<decant_members>) { unsafe self.members = members }

  @inline(__always)
  mutating func removeAll() {
    keys = nil
    if others != nil { others = nil }
    unsafe members.pointee.keys = nil
    unsafe members.pointee.seen = 0
  }

  /// Makes bits be about these keys, if they are about none.
  @inline(__always)
  mutating func expect(_ keys: Reference<QuotedKeys>) {
    guard self.keys == nil && others == nil else { return }
    self.keys = keys
    unsafe members.pointee.keys = unsafe keys.with {
      unsafe UnsafePointer($0.list)
    }
  }

  /// Adds a key that is known. False if the object has it already.
  mutating func insert(_ byte: UInt8, of keys: Reference<QuotedKeys>) -> Bool {
    expect(keys)
    let quotedKeys = keys.object
    let bit = unsafe quotedKeys.list[Int(truncatingIfNeeded: byte)].bit
    let isExpected = unsafe self.keys?.opaque == keys.opaque
    guard others == nil, isExpected, bit != 0 else { return insert(quotedKeys.name(byte)) }
    if unsafe members.pointee.seen & bit != 0 { return false }
    unsafe members.pointee.seen |= bit
    return true
  }

  /// Adds a name. False if the object has it already.
  mutating func insert(_ name: String) -> Bool {
    if others == nil {
      let seen = unsafe members.pointee.seen
      var others = [String: Int]()
      for name in keys?.object.names(of: seen) ?? [] { others[distinct(name)] = 0 }
      self.others = others
      unsafe members.pointee.keys = nil
    }
    return others?.updateValue(0, forKey: distinct(name)) == nil
  }

  /// Whether the object may have a name. Only where all keys have bits, of which there are few, the name is not looked for.
  func mayHave(_ name: String) -> Bool { others.map { $0[distinct(name)] != nil } ?? true }

  /// Whether the object has a key with a name. Where its keys are of another type, it may have it if it has any.
  func has(_ name: String, _ byte: UInt8, of keys: Reference<QuotedKeys>?) -> Bool {
    if let others { return others[distinct(name)] != nil }
    let seen = unsafe members.pointee.seen
    guard let keys, unsafe keys.opaque == self.keys?.opaque else { return seen != 0 }
    return unsafe seen & keys.object.list[Int(truncatingIfNeeded: byte)].bit != 0
  }

  /// Takes a key back, whose value could not be encoded.
  mutating func remove(_ name: String) {
    if others == nil { _ = insert(name) }
    others?[distinct(name)] = nil
  }
}

/// A text that is equal to no other's: strings are, where they are canonically equivalent. Each byte beyond ASCII becomes
/// a character, and none of these combines with others.
func distinct(_ name: String) -> String {
  if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
  var text = ""
  for byte in name.utf8 { text.unicodeScalars.append(Unicode.Scalar(byte)) }
  return text
}
