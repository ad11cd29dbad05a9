// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The view of a JSON value: a pointer to the document's context and a node in it, 16 trivial bytes. The
// compiler keeps a view inside the scope of its document (`~Escapable`), so it needs no reference
// counting and cannot dangle.
//
//   node < 2^32              a slot of the native index (decant_index.h), read inline
//   bit 63 set               a node of another engine, read through its table (decant_engine.h)
//   bit 62 set               nothing: a look-up that failed, and which one

public import CDecantIndex

/// A JSON value in a document, without ownership.
///
/// A view lives as long as the document it looks into. It can be a parameter, a local, an optional, a subscript's
/// result and a closure's argument; it cannot be stored. To keep a value, decode it, or keep it in a ``JSONValue``.
///
///     json["user"]["name"].string     // String?
///     json.decode("id", as: Int.self) // Decoded<Int>
///     try json.get("id") as Int       // or throws DecodeError
@frozen @safe
public struct JSON: ~Escapable, BitwiseCopyable {
  @usableFromInline package let context: UnsafePointer<decant_context>
  @usableFromInline package let node: UInt64

  /// The root, or any node, of a context that outlives the view.
  // SAFETY: callers hand the view to a closure or a frame inside which the context lives.
  @unsafe @_alwaysEmitIntoClient @inline(__always) @_lifetime(immortal)
  package init(context: UnsafePointer<decant_context>, node: UInt64) {
    unsafe self.context = context
    self.node = node
  }

  /// Another node of the same document.
  @_alwaysEmitIntoClient @inline(__always) @_lifetime(copy parent)
  package init(_ node: UInt64, within parent: JSON) {
    unsafe self.context = parent.context
    self.node = node
  }
}

// MARK: - The native node

// SAFETY: everything here reads the index of the view's own context, which outlives the view, at a node
// that the index or the view returned; slots hold offsets of bytes inside the text.
extension JSON {
  @_alwaysEmitIntoClient @inline(__always)
  package var isNative: Bool { node < DECANT_NODE_NATIVE_LIMIT }

  /// The slot's tag: what the index knows of the token.
  @_alwaysEmitIntoClient @inline(__always)
  package var tag: UInt32 {
    unsafe decant_slot_high_at(context.pointee.slots, node)
  }

  /// The offset in the text of the token's first byte.
  @_alwaysEmitIntoClient @inline(__always)
  package var offset: Int {
    unsafe Int(UInt32(truncatingIfNeeded: context.pointee.slots[Int(truncatingIfNeeded: node)]))
  }

  /// The text of the document.
  @_alwaysEmitIntoClient @inline(__always)
  package var source: Bytes { reference.source }

  /// The number of elements of a native array.
  // The slot is loaded by decant_second_slot alone: readers on other threads may be writing it.
  @_alwaysEmitIntoClient @inline(__always)
  package var elementCount: Int {
    Int(UInt32(truncatingIfNeeded: unsafe decant_second_slot(context, node)))
  }

  /// Whether no look-up has used a native object yet, in which the first of duplicate keys counts.
  @_alwaysEmitIntoClient @inline(__always)
  package var isUnread: Bool { unsafe decant_second_slot(context, node) == 0 }

  /// The node of a native container's first element or key; ``after`` if it has none.
  @_alwaysEmitIntoClient @inline(__always)
  package var firstChild: UInt64 { node &+ 2 }

  /// The node after this value: its next sibling, its parent's next, or the end of the index.
  @_alwaysEmitIntoClient @inline(__always)
  package var after: UInt64 {
    let tag = self.tag
    return tag & DECANT_CONTAINER != 0 ? UInt64(tag & DECANT_NEXT) : node &+ 1
  }

  /// The next slot in document order: of the first child, or of what comes after.
  @_alwaysEmitIntoClient @inline(__always)
  package var following: UInt64 { isContainer ? firstChild : node &+ 1 }

  /// Whether a native value is an array or an object.
  @_alwaysEmitIntoClient @inline(__always)
  package var isContainer: Bool { tag & DECANT_CONTAINER != 0 }

  /// The boolean at a native slot; nil for other kinds.
  @_alwaysEmitIntoClient @inline(__always)
  package var nativeBool: Bool? {
    let tag = self.tag
    if tag == DECANT_TRUE { return true }
    return tag == DECANT_FALSE ? false : nil
  }

  /// The number at a native slot; nil for other kinds.
  @_alwaysEmitIntoClient @inline(__always)
  package var nativeNumber: NumberToken? {
    tag & DECANT_SCALAR_MASK == DECANT_NUMBER ? numberToken : nil
  }

  /// The number token at this native slot.
  // SAFETY: a number's slot, whose tag the index made; the text outlives the token.
  @_alwaysEmitIntoClient @inline(__always)
  package var numberToken: NumberToken {
    unsafe NumberToken(
      unchecked: context.pointee.text, length: context.pointee.length, offset: offset, shape: tag)
  }

  @_alwaysEmitIntoClient @inline(__always)
  package var isNativeArray: Bool { isNative && tag &>> 30 == DECANT_ARRAY &>> 30 }

  @_alwaysEmitIntoClient @inline(__always)
  package var isNativeObject: Bool { isNative && tag >= DECANT_OBJECT }

  @_alwaysEmitIntoClient @inline(__always)
  package var isNativeNumber: Bool {
    isNative && tag & DECANT_SCALAR_MASK == DECANT_NUMBER
  }
}

// MARK: - The foreign node

extension JSON {
  /// The table of this node's engine; nil for native and missing nodes.
  package var foreign: UnsafePointer<decant_engine>? {
    unsafe node & DECANT_NODE_FOREIGN != 0 ? context.pointee.engine : nil
  }
}

// MARK: - Kind

extension JSON {
  /// The kind of the value here. Constant time.
  public var kind: JSONKind {
    if isNative { return JSONKind(tag: tag) }
    guard let engine = unsafe foreign else { return .missing }
    return JSONKind(code: unsafe engine.pointee.kind(context, node))
  }

  /// False for the result of a look-up that found nothing.
  public var exists: Bool { node & DECANT_NODE_MISSING == 0 || node & DECANT_NODE_FOREIGN != 0 }

  /// True for `null`; false for every other value, and for a missing one.
  @_alwaysEmitIntoClient
  public var isNull: Bool { isNative ? tag == DECANT_NULL : kind == .null }

  /// At a boolean: whether it is `true`.
  @usableFromInline
  package var isTrue: Bool {
    if isNative { return tag == DECANT_TRUE }
    guard let engine = unsafe foreign else { return false }
    return unsafe engine.pointee.kind(context, node) == Int32(DECANT_KIND_TRUE)
  }

  /// Whether the last of several members with one key counts, by the document's rules.
  @usableFromInline
  package var keepsLastDuplicate: Bool {
    reference.rules.duplicates == UInt8(DECANT_DUPLICATES_LAST)
  }

  /// Whether an array or object has no elements or members. Constant time.
  package var isEmpty: Bool { isNative ? after == firstChild : count == 0 }

  /// The number of elements or members; 0 for other kinds.
  ///
  /// - Complexity: constant for arrays; linear in the members for native objects.
  public var count: Int {
    if isNativeArray { return elementCount }
    if isNativeObject {
      var count = 0
      var member = firstChild
      while member < after {
        member = JSON(member + 1, within: self).after
        count += 1
      }
      return count
    }
    guard let engine = unsafe foreign else { return 0 }
    return unsafe engine.pointee.count(context, node)
  }
}
