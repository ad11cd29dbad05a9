// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The place of a document in its stream (decant_start), copied for documents that outlive the stream.

package import CDecantIndex

extension UnsafePointer<decant_start> {
  /// A copy with all that it refers to, in one block: for documents that outlive their stream.
  // SAFETY: the block begins with the place; the element and its array's pointer follow, each where it is aligned.
  package func copied() -> UnsafeMutablePointer<decant_start> {
    let above = unsafe pointee.above
    let length = unsafe above?.pointee.length ?? 0
    let (place, element) = (MemoryLayout<decant_start>.stride, MemoryLayout<decant_above>.stride)
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: place + element + length, alignment: MemoryLayout<decant_start>.alignment)
    let copy = unsafe block.initializeMemory(as: decant_start.self, to: pointee)
    guard let above = unsafe above else { return unsafe copy }
    let text = unsafe block + place + element
    if let pointer = unsafe above.pointee.pointer {
      unsafe text.copyMemory(from: pointer, byteCount: length)
    }
    let copied = unsafe (block + place).initializeMemory(as: decant_above.self, to: above.pointee)
    unsafe copied.pointee.pointer = UnsafePointer<UInt8>(
      text.assumingMemoryBound(to: UInt8.self))
    unsafe copy.pointee.above = UnsafePointer<decant_above>(copied)
    return unsafe copy
  }
}
