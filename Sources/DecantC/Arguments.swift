// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The arguments of the C functions as safe values. decant.h asks that a pointer that is not NULL points to what its
// type says, for the whole call; whoever makes one of these values passes that promise on, and nobody else has to.

internal import CDecant
internal import DecantCore

extension Bytes {
  /// The caller's text; nil if it is NULL and not empty, or if its length is that of no memory.
  @unsafe
  @inline(__always)
  init?(_ text: UnsafePointer<CChar>?, length: Int) {
    guard unsafe text != nil || length == 0, length >= 0 else { return nil }
    unsafe self.init(UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self), length)
  }
}

extension RecordRef {
  /// The caller's table, or nil.
  @unsafe
  @inline(__always)
  init?(_ record: UnsafePointer<decant_record>?) {
    guard let record = unsafe record else { return nil }
    unsafe self.init(record)
  }
}

extension Memory {
  /// The caller's struct, or nil.
  @unsafe
  @inline(__always)
  init?(_ start: UnsafeMutableRawPointer?) {
    guard let start = unsafe start else { return nil }
    unsafe self.init(start)
  }
}
