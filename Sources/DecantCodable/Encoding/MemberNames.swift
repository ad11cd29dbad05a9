// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Which keys an object has that is being written: of keys that are known (KeyTable.swift), a bit for each of the first 64
// names. Where a key is known and new to its object, C writes the whole member in one step (decant_write.h).

internal import CDecantIndex
internal import DecantCore

/// The keys that an object has: those of a list by their bits, or all by their names.
@safe
struct MemberNames {
  // SAFETY: the scope's, which owns these names.
  private let members: UnsafeMutablePointer<decant_members>
  // SAFETY: the session owns the keys, which outlive the object. Those that the bits are about.
  private var keys: Reference<KeyTable>?
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
  mutating func expect(_ keys: Reference<KeyTable>) {
    guard self.keys == nil && others == nil else { return }
    self.keys = keys
    unsafe members.pointee.keys = unsafe keys.with {
      unsafe UnsafePointer($0.list)
    }
  }

  /// Adds a key that is known. False if the object has it already.
  mutating func insert(_ byte: UInt8, of keys: Reference<KeyTable>) -> Bool {
    expect(keys)
    let table = keys.object
    let bit = unsafe table.list[Int(truncatingIfNeeded: byte)].bit
    let isExpected = unsafe self.keys?.opaque == keys.opaque
    guard others == nil, isExpected, bit != 0 else { return insert(table.name(byte)) }
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

  /// Whether the object has a key with a name. Where its keys are of another type, it may have it if it has any.
  func has(_ name: String, _ byte: UInt8, of keys: Reference<KeyTable>?) -> Bool {
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
