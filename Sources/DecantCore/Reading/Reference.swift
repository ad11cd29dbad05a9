// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// References without reference counting, for parts of a session that refer to each other.

/// An uncounted reference to an object that something else keeps alive. The code that makes one proves that it is not used
/// after the object is gone; using it is safe.
@frozen @safe @usableFromInline
package struct Reference<Object: AnyObject> {
  // SAFETY: see above.
  @usableFromInline package let unmanaged: Unmanaged<Object>

  /// Refers to an object without owning it.
  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package init(_ object: Object) { unsafe unmanaged = unsafe .passUnretained(object) }

  /// Retains an object, until `take` or `release`.
  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package init(retaining object: consuming Object) {
    unsafe unmanaged = .passRetained(object)
  }

  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package init(opaque: UnsafeMutableRawPointer) { unsafe unmanaged = unsafe .fromOpaque(opaque) }

  @_alwaysEmitIntoClient @inline(__always)
  package var opaque: UnsafeMutableRawPointer { unsafe unmanaged.toOpaque() }

  /// The object, counted again.
  @_alwaysEmitIntoClient @inline(__always)
  package var object: Object { unsafe unmanaged.takeUnretainedValue() }

  #if !hasFeature(Embedded)
    /// Calls `body` with the object, which is not counted meanwhile. As a call it would look up the metadata of the
    /// generic type.
    @_alwaysEmitIntoClient @_transparent
    package func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
      try unsafe unmanaged._withUnsafeGuaranteedRef(body)
    }
  #endif

  /// The object that was owned. The reference is used no more.
  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package func take() -> Object { unsafe unmanaged.takeRetainedValue() }

  /// Gives up the ownership. The reference is used no more.
  @unsafe @_alwaysEmitIntoClient @inline(__always)
  package func release() { unsafe unmanaged.release() }
}
