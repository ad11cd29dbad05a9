// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The safe reference to a document's context (decant_engine.h): what a view shares with all other views of its
// document.

public import CDecantIndex

/// The context of a document. The code that makes a reference proves that the context and its text outlive it. Other code
/// proves nothing: reading the fields of a context and views of its nodes are safe.
@frozen @safe @usableFromInline
package struct ContextRef {
  // SAFETY: see above.
  @usableFromInline package let pointer: UnsafePointer<decant_context>

  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package init(_ pointer: UnsafePointer<decant_context>) { unsafe self.pointer = unsafe pointer }

  /// The text of the document; none for a tree that another engine has.
  @_alwaysEmitIntoClient @inline(__always)
  package var source: Bytes { unsafe Bytes(pointer.pointee.text, pointer.pointee.length) }

  @_alwaysEmitIntoClient
  package var length: Int { unsafe pointer.pointee.length }

  /// The options. The part that the context has is its own.
  @_alwaysEmitIntoClient
  package var rules: decant_rules {
    var rules = unsafe pointer.pointee.rules
    rules.in_part = 0
    return rules
  }

  /// The number of errors that are reported one by one.
  var errorLimit: Int { max(1, Int(rules.maximum_errors)) }

  /// The number of errors that models have kept of the document so far, up to the number that is reported.
  var keptErrors: Int { unsafe Int(truncatingIfNeeded: pointer.pointee.kept_errors) }

  // SAFETY: the context is this frame's own if it counts.
  func setKeptErrors(_ count: Int) {
    unsafe UnsafeMutablePointer(mutating: pointer).pointee.kept_errors = UInt32(count)
  }

  /// Counts what another reader has counted, whose context began as a copy of this one.
  // SAFETY: the context is this frame's own if it counts.
  package func takeCounts(of copy: ContextRef) {
    if isShared { return }
    setKeptErrors(copy.keptErrors)
    unsafe UnsafeMutablePointer(mutating: pointer).pointee.taken_memory =
      copy.pointer.pointee.taken_memory
  }

  /// Whether values that were copied from the document have several times as many bytes as the document, so that parts of it
  /// overlap. The size of another engine's tree is unknown if it was not parsed here.
  var hasCopiedMuch: Bool {
    let least = length == 0 ? 65_536 : length
    return unsafe Int(truncatingIfNeeded: pointer.pointee.copied_bytes) / 4 >= min(least, 1 << 29)
  }

  /// Counts the bytes of such a value.
  // SAFETY: a document that is only borrowed is read by one thread.
  func addCopied(_ count: Int) {
    let copied = unsafe Int(truncatingIfNeeded: pointer.pointee.copied_bytes) + count
    unsafe UnsafeMutablePointer(mutating: pointer).pointee.copied_bytes = UInt32(clamping: copied)
  }

  /// Whether errors tell nothing of the document.
  @_alwaysEmitIntoClient
  package var redacts: Bool { unsafe pointer.pointee.rules.redacts != 0 }

  package var slotCount: UInt64 { unsafe UInt64(pointer.pointee.slot_count) }

  /// The context that this one is a copy of, or this one.
  // SAFETY: the document that a context is a copy of outlives the copy.
  package var whole: ContextRef { unsafe ContextRef(pointer.pointee.original ?? pointer) }

  /// Whether the native engine reads the document.
  package var isNative: Bool { unsafe pointer.pointee.engine == nil }

  /// Whether something keeps the text and the index alive beyond the call.
  package var isOwned: Bool { unsafe pointer.pointee.owner != nil }

  /// After a failure: the first offending byte.
  package var errorOffset: Int { unsafe pointer.pointee.error_offset }

  /// After a failure about a duplicate key: where the first one is.
  package var otherErrorOffset: Int { unsafe pointer.pointee.error_other }

  package func has(_ fact: Int) -> Bool { unsafe pointer.pointee.facts & UInt32(fact) != 0 }

  /// The root of the document.
  @_alwaysEmitIntoClient
  package var root: JSON {
    @_lifetime(immortal)
    get { unsafe JSON(context: pointer, node: pointer.pointee.root) }
  }

  /// The value at a node of the document.
  @_alwaysEmitIntoClient @_lifetime(immortal)
  package func view(_ node: UInt64) -> JSON { unsafe JSON(context: pointer, node: node) }
}

extension JSON {
  /// The context of the document that the view looks into.
  @_alwaysEmitIntoClient @inline(__always)
  package var reference: ContextRef { unsafe ContextRef(context) }
}
