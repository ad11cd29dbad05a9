// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// From a field's key to the value it names. Pointers (RFC 6901) are walked token by token in their own bytes;
// a token with an escape is unescaped on the stack.
//
//   "/a~1b/0"    token "a/b", a key; token "0", a key in objects and a place in arrays

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The longest token of a pointer, unescaped.
private let longestToken = 255

extension UnsafePointer<decant_field> {
  /// The key's bytes.
  // SAFETY: a C string, or as many bytes as the field says.
  @inline(__always)
  var keyStart: UnsafePointer<UInt8> {
    unsafe UnsafeRawPointer(pointee.key!).assumingMemoryBound(to: UInt8.self)
  }

  @inline(__always)
  var keyLength: Int {
    let length = Int(unsafe pointee.key_length)
    return unsafe length != 0 ? length : decant_c_string_length(pointee.key)
  }
}

/// The node of a field's value in a record's value, or DECANT_NODE_NONE.
@inline(__always)
func node(of field: Field, in json: JSON) -> UInt64 {
  if unsafe field.pointee.flags & UInt32(DECANT_POINTER) == 0 {
    // SAFETY: an object's slot, as decant_lookup_key asks.
    if json.isNativeObject {
      return unsafe decant_lookup_key(json.context, json.node, field.keyStart, field.keyLength)
    }
    return unsafe json.member(field.keyStart, field.keyLength)
  }
  return unsafe json.node(atPointer: field.keyStart, field.keyLength).node
}

extension JSON {
  /// The node at a pointer that was checked, and how many bytes of the pointer led somewhere.
  @inline(never)
  func node(atPointer start: UnsafePointer<UInt8>, _ length: Int) -> (node: UInt64, used: Int) {
    var view = self
    var place = 0
    while place < length {
      var end = place + 1
      while end < length, unsafe start[end] != UInt8(ascii: "/") { end += 1 }
      let next = unsafe view.child(atToken: start + place + 1, end - place - 1)
      if next == DECANT_NODE_NONE { return (next, place) }
      view = JSON(next, within: self)
      place = end
    }
    return (view.node, length)
  }

  private func child(atToken start: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    if kind == .array {
      guard let index = unsafe arrayIndex(start, length) else { return DECANT_NODE_NONE }
      return element(index)
    }
    for place in 0..<length where unsafe start[place] == UInt8(ascii: "~") {
      // SAFETY: the pointer was checked: no token is longer, and every `~` has its digit.
      return unsafe withUnsafeTemporaryAllocation(byteCount: longestToken + 1, alignment: 1) {
        room in
        var written = 0
        var read = 0
        while read < length {
          var byte = unsafe start[read]
          if byte == UInt8(ascii: "~") {
            read += 1
            byte = unsafe start[read] == UInt8(ascii: "0") ? byte : UInt8(ascii: "/")
          }
          unsafe room[written] = byte
          written += 1
          read += 1
        }
        return unsafe member(
          UnsafePointer(room.baseAddress!.assumingMemoryBound(to: UInt8.self)), written)
      }
    }
    return unsafe member(start, length)
  }
}

/// The last value that a pointer reached, and the offset in the pointer of the step that led nowhere.
func lastReached(_ field: Field, in json: JSON) -> (node: UInt64, step: Int) {
  let (found, used) = unsafe json.node(atPointer: field.keyStart, field.keyLength)
  if found != DECANT_NODE_NONE { return (found, used) }
  return (unsafe json.node(atPointer: field.keyStart, used).node, used)
}

/// The token of a pointer that begins with the `/` at an offset, still escaped.
func tokenOfPointer(
  _ field: Field, at step: Int
) -> (start: UnsafePointer<UInt8>, count: Int) {
  let start = unsafe field.keyStart
  let length = unsafe field.keyLength
  var end = min(step + 1, length)
  while end < length, unsafe start[end] != UInt8(ascii: "/") { end += 1 }
  return unsafe (start + min(step + 1, length), max(0, end - step - 1))
}

func isArrayIndex(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
  unsafe arrayIndex(start, length) != nil
}

/// The place in an array that a token names: digits without a leading zero (RFC 6901 §4).
private func arrayIndex(_ start: UnsafePointer<UInt8>, _ length: Int) -> Int? {
  guard length > 0, length <= 18, unsafe length == 1 || start[0] != UInt8(ascii: "0") else {
    return nil
  }
  var index = 0
  for place in 0..<length {
    let digit = unsafe start[place] &- UInt8(ascii: "0")
    if digit > 9 { return nil }
    index = index * 10 + Int(digit)
  }
  return index
}

/// Whether a field's key is a pointer that `node(atPointer:)` can walk.
func isPointer(_ field: Field) -> Bool {
  let start = unsafe field.keyStart
  return unsafe isPointer(start, field.keyLength)
}

func isPointer(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
  if length == 0 { return true }
  if unsafe start[0] != UInt8(ascii: "/") { return false }
  var token = 0
  var place = 0
  while place < length {
    let byte = unsafe start[place]
    token = byte == UInt8(ascii: "/") ? 0 : token + 1
    if token > longestToken { return false }
    if byte == UInt8(ascii: "~") {
      place += 1
      guard place < length, unsafe start[place] | 1 == UInt8(ascii: "1") else { return false }
    }
    place += 1
  }
  return true
}
