// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The memory of a document. A few bytes of JSON can be a large element: `{}` is one of a struct of kilobytes whose fields
// may all be absent. So every verb that makes a collection counts what its elements take before it allocates, once for
// the collection, and fails with `tooLarge` where the document would have more than it may
// (DecodingOptions.maximumMemory).
//
//   [{},{},{}]      elements of 4096 bytes     10 bytes of text, 12,288 of memory
//
// By default nothing is counted of small elements: an element takes two bytes of text, and the document may have 64 for
// each. The context counts, for all collections of a document together; one that threads share has nobody to count for,
// and there each collection is compared with the limit alone.

public import CDecantIndex

extension JSON {
  /// Whether a collection of so many elements of a type may be made of this value.
  @_alwaysEmitIntoClient @inline(__always)
  package func mayHold<Element>(_ count: Int, of type: Element.Type) -> Bool {
    // SAFETY: the view's context outlives it.
    if MemoryLayout<Element>.stride <= 128, unsafe context.pointee.rules.maximum_memory == 0 {
      return true
    }
    return takeMemory(count, MemoryLayout<Element>.stride)
  }

  /// Counts the memory of elements; false if the document may not have so much.
  // SAFETY: the context is this frame's own if it counts.
  @usableFromInline @inline(never)
  package func takeMemory(_ count: Int, _ stride: Int) -> Bool {
    let taken = unsafe Int(clamping: context.pointee.taken_memory)
    let (bytes, overflow) = count.multipliedReportingOverflow(by: stride)
    if overflow || bytes > reference.memoryLeft(by: reference.rules) - taken { return false }
    if reference.countsKeptErrors {
      unsafe UnsafeMutablePointer(mutating: context).pointee.taken_memory += UInt64(bytes)
    }
    return true
  }

  /// The error of a value whose elements take more memory than the document may have.
  @usableFromInline @inline(never)
  package func memoryIsFull() -> DecodeError {
    let limit = reference.memoryLimit(by: reference.rules)
    return failure(
      .tooLarge, message: written { $0.add(limit: limit, isOfMemory: true) })
  }
}
