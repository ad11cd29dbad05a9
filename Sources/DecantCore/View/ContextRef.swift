// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

public import CDecantIndex

/// The context of a document. Whoever makes a reference proves that the context and its text outlive it, and nobody
/// else has to: reading the fields of a context and views of its nodes are safe.
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

  @_alwaysEmitIntoClient
  package var rules: decant_rules { unsafe pointer.pointee.rules }

  /// How many errors are told one by one.
  var errorLimit: Int { max(1, Int(rules.maximum_errors)) }

  /// Errors that models keep of the document so far, of as many as are told.
  var keptErrors: Int { unsafe Int(truncatingIfNeeded: pointer.pointee.kept_errors) }

  /// Whether they are counted: contexts that record misses belong to one frame; those of documents, which threads share,
  /// have none.
  var countsKeptErrors: Bool { unsafe pointer.pointee.misses != nil }

  // SAFETY: the context is this frame's own if it counts.
  func setKeptErrors(_ count: Int) {
    unsafe UnsafeMutablePointer(mutating: pointer).pointee.kept_errors = UInt64(count)
  }

  /// Counts what was kept of the document by another reader, whose context is a copy of this one.
  package func takeKeptErrors(of copy: ContextRef) {
    if countsKeptErrors { setKeptErrors(copy.keptErrors) }
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
