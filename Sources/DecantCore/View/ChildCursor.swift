// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Iterates over the members or elements of a container, for both engines. Native children are slots from `place` to
// `end`; the children of another engine come from its table (decant_engine.h).

public import CDecantIndex

/// A place among the children of a container: nodes only, so that it can be kept where views cannot, as
/// on the stack of a walk over a whole document.
@safe @usableFromInline
package struct ChildCursor {
  @usableFromInline package let container: UInt64
  @usableFromInline package let isObject: Bool
  /// The key's node and the value's, of the child that `next` reached. For native nodes.
  @usableFromInline package var place: UInt64
  @usableFromInline package let end: UInt64
  /// The engine's own cursor. For foreign nodes.
  @usableFromInline package var foreign = decant_cursor()

  /// Before the first child of an array or object; other kinds have no children.
  @_alwaysEmitIntoClient @inline(__always)
  package init(_ json: JSON) {
    container = json.node
    let kind = json.kind
    isObject = kind == .object
    let isNative = json.isNative && (isObject || kind == .array)
    place = isNative ? json.firstChild : 0
    end = isNative ? json.after : 0
    if !isNative && !isObject && kind != .array { foreign.position = .max }
  }

  /// `init(_:)` out of line, for loops that need not be fast.
  @inline(never)
  init(seldom json: JSON) { self.init(json) }

  /// A cursor at the place of another over the same container; 0 is before the first child.
  @_alwaysEmitIntoClient @inline(__always)
  package init(_ json: JSON, from position: UInt64) {
    self.init(json)
    if position == 0 || foreign.position == .max { return }
    if json.isNative { place = position } else { foreign.position = position }
  }

  /// The place, for a cursor that continues here.
  @_alwaysEmitIntoClient @inline(__always)
  package var position: UInt64 { end > 0 ? place : foreign.position }

  /// The next child's value, or nil at the end. `document` is any view of the document.
  @_alwaysEmitIntoClient @inline(__always)
  package mutating func next(in document: JSON) -> UInt64? {
    if place < end {
      let value = isObject ? place + 1 : place
      place = JSON(value, within: document).after
      foreign.value = value
      return value
    }
    return nextOfEngine(in: document)
  }

  /// `next(in:)` out of line, for loops that need not be fast.
  @inline(never)
  mutating func seldomNext(in document: JSON) -> UInt64? { next(in: document) }

  /// The next member that look-ups find: of several with one key, the document's rule chooses.
  @inline(never)
  mutating func nextThatCounts(in object: JSON) -> UInt64? {
    while let value = next(in: object) {
      if object.member(key(in: object)) == value { return value }
    }
    return nil
  }

  @usableFromInline @inline(never)
  package mutating func nextOfEngine(in document: JSON) -> UInt64? {
    let json = JSON(container, within: document)
    guard foreign.position != .max, let engine = unsafe json.foreign,
      unsafe engine.pointee.advance(json.context, container, &foreign)
    else { return nil }
    return foreign.value
  }

  /// The key of the member that `next` reached; empty before the first one.
  @usableFromInline @inline(never)
  package func key(in document: JSON) -> String {
    let value = foreign.value
    if value == 0 { return "" }
    if value < DECANT_NODE_NATIVE_LIMIT { return JSON(value - 1, within: document).nativeString }
    // SAFETY: the engine keeps the key's bytes, which are valid UTF-8, as long as the document.
    return unsafe String(
      decoding: UnsafeBufferPointer(start: foreign.key, count: foreign.key_length), as: UTF8.self)
  }
}

extension ChildCursor {
  /// The key's bytes as another engine has them.
  package var foreignKey: Bytes { unsafe Bytes(foreign.key, foreign.key_length) }

  /// The characters of the key of the member that `next` reached.
  // SAFETY: the engine keeps the key's bytes as long as the document.
  @usableFromInline @inline(never)
  package func keyScalars(in document: JSON) -> ScalarReader {
    let value = foreign.value
    if value < DECANT_NODE_NATIVE_LIMIT { return JSON(value - 1, within: document).scalars }
    return foreignKey.scalars()
  }
}
