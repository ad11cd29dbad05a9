// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one block of memory that a decoded struct owns. Everything is added twice, in the same order: once to
// measure the block, once to write it.

#if !hasFeature(Embedded)

  internal import CDecantIndex

  @usableFromInline
  typealias CPointer = UnsafeMutableRawPointer?

  /// The block of a decoded struct: its strings, arrays and structs behind pointers.
  @safe
  public struct _CBlock {
    /// Whether the block is only measured: then pointers into it are nil.
    @usableFromInline
    let isMeasuring: Bool
    // SAFETY: a block of the size measured, or nil.
    @usableFromInline
    let start: UnsafeMutableRawPointer?
    @usableFromInline
    var used = 0

    @inlinable
    static var measuring: _CBlock { unsafe _CBlock(measuring: true, nil) }

    @inlinable
    init(measuring: Bool, _ start: UnsafeMutableRawPointer?) {
      isMeasuring = measuring
      unsafe self.start = start
    }

    /// Memory at the end of the block; while measuring, nil.
    @inlinable
    mutating func take(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer? {
      used = aligned(used, to: alignment)
      defer { used += size }
      return unsafe start.map { unsafe $0 + used }
    }

    /// Copies a string, with a NUL byte after it.
    @inlinable
    mutating func add(_ text: String) -> UnsafeMutableRawPointer? {
      var text = text
      guard let place = unsafe take(text.utf8.count + 1, alignment: 1) else { return nil }
      // SAFETY: the same string was measured.
      text.withUTF8 { bytes in
        if let start = bytes.baseAddress {
          unsafe place.copyMemory(from: start, byteCount: bytes.count)
        }
        unsafe place.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
      }
      return unsafe place
    }

    /// Lays values out as an array, what they point to after it. Of no values, the pointer is nil.
    @inlinable
    mutating func add<Element: CElement>(_ values: [Element]) -> UnsafeMutableRawPointer? {
      if values.isEmpty { return nil }
      let extent = Element._cExtent
      let size = extent.size
      let array = unsafe take(values.count * size, alignment: extent.alignment)
      unsafe array?.clear(values.count * size)
      for (place, value) in values.enumerated() {
        // SAFETY: inside the memory just taken.
        unsafe value._store(at: array.map { unsafe $0 + place * size }, &self)
      }
      return unsafe array
    }

    /// Measures and writes a block, nil if nothing is added. False if there is no memory for it.
    @inlinable
    static func fill(_ owned: inout CPointer, _ add: (inout _CBlock) -> Void) -> Bool {
      var measure = measuring
      add(&measure)
      unsafe owned = nil
      if measure.used > 0 {
        unsafe owned = allocate(measure.used)
        if unsafe owned == nil { return false }
      }
      var block = unsafe _CBlock(measuring: false, owned)
      add(&block)
      return true
    }

    @usableFromInline
    static func allocate(_ size: Int) -> CPointer { unsafe decant_block_allocate(nil, size) }
  }

  /// The next multiple of an alignment, a power of two.
  @inlinable
  func aligned(_ offset: Int, to alignment: Int) -> Int {
    (offset + alignment - 1) & ~(alignment - 1)
  }

#endif
