// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The memory of a document's models. A few bytes of JSON can make a large element: `{}` can be a struct of kilobytes whose
// fields are all optional. So every verb that makes a collection counts the memory of its elements before it allocates,
// once for the collection, and fails with `tooLarge` if the document exceeds its limit
// (DecodingOptions.maximumMemory).
//
//   [{},{},{}]      elements of 4096 bytes     10 bytes of text, 12,288 of memory
//
// By default small elements are not counted: an element takes at least two bytes of text, and the limit is 64 bytes for
// each byte of text. The context counts, for all collections of a document together. That of a document that threads share cannot
// (`JSONValue.view`): the outermost collection is decoded by a copy of the context, which counts for all that is inside.
// Other documents pay nothing for this: a shared document always has a limit, and for a reader that cannot count, the
// limit is 0.

public import CDecantIndex

extension JSON {
  /// Whether a collection of so many elements of a type may be made of this value.
  @_alwaysEmitIntoClient @inline(__always)
  package func mayHold<Element>(_ count: Int, of type: Element.Type) -> Bool {
    // SAFETY: the view's context outlives it.
    if !JSON.isLarge(type), unsafe context.pointee.rules.maximum_memory == 0 {
      return true
    }
    return takeMemory(count, MemoryLayout<Element>.stride)
  }

  /// Whether an element of a type can take more memory than the least text of one has by default.
  @_alwaysEmitIntoClient @inline(__always)
  package static func isLarge<Element>(_ type: Element.Type) -> Bool {
    MemoryLayout<Element>.stride > 128
  }

  /// The memory that was counted so far.
  @_alwaysEmitIntoClient @inline(__always)
  package var takenMemory: UInt64 { unsafe context.pointee.taken_memory }

  /// Counts the memory of elements; false if the document may not have so much.
  // SAFETY: the context is this frame's own if it counts.
  @usableFromInline @inline(never)
  package func takeMemory(_ count: Int, _ stride: Int) -> Bool {
    if reference.isShared { return false }
    let taken = unsafe Int(clamping: context.pointee.taken_memory)
    let (bytes, overflow) = count.multipliedReportingOverflow(by: stride)
    if overflow || bytes > reference.memoryLeft(by: reference.rules) - taken { return false }
    unsafe UnsafeMutablePointer(mutating: context).pointee.taken_memory += UInt64(bytes)
    return true
  }

  /// Returns the count to an earlier one, for a collection that is decoded again in another way.
  // SAFETY: as above.
  package func returnMemory(to taken: UInt64) {
    if !reference.isShared {
      unsafe UnsafeMutablePointer(mutating: context).pointee.taken_memory = taken
    }
  }

  /// The result for a collection beyond the limit: an error, or the result of `body` if memory is not counted.
  @usableFromInline @inline(never)
  package func refusing<Model>(_ body: (JSON) -> Decoded<Model>) -> Decoded<Model> {
    guard reference.isShared, let document = Document.owner(of: reference) else {
      return .failure(memoryIsFull())
    }
    // SAFETY: context and misses outlive the call, and the view cannot.
    var misses = decant_misses()
    return unsafe withUnsafeMutablePointer(to: &misses) { misses in
      var copy = unsafe document.counting(misses)
      return unsafe withUnsafePointer(to: &copy) { unsafe body(JSON(context: $0, node: node)) }
    }
  }

  /// The error of a value whose elements take more memory than the document may have.
  @usableFromInline @inline(never)
  package func memoryIsFull() -> DecodeError {
    let limit = reference.memoryLimit(by: reference.rules)
    return failure(
      .tooLarge, message: written { $0.add(limit: limit, isOfMemory: true) },
      expected: written { $0.add(accepted: limit, isOfMemory: true) })
  }
}
