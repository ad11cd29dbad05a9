// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one block of memory that a decoded struct owns. Everything is added twice, in the same order: once to
// measure the block, once to write it.

#if !hasFeature(Embedded)

  internal import CDecantIndex
  public import DecantCore

  extension _CMemory {
    /// Copies a string, with a NUL byte after it.
    @inlinable
    func copy(_ text: consuming String) {
      text.withUTF8 { bytes in
        if let source = bytes.baseAddress {
          unsafe start.copyMemory(from: source, byteCount: bytes.count)
        }
        store(UInt8(0), at: bytes.count)
      }
    }

    /// Copies bytes, with a NUL byte after them.
    @inlinable
    func copy(_ bytes: [UInt8]) {
      unsafe bytes.withUnsafeBytes { bytes in
        if let source = bytes.baseAddress {
          unsafe start.copyMemory(from: source, byteCount: bytes.count)
        }
      }
      store(UInt8(0), at: bytes.count)
    }

    /// Stores a pointer, and how much it points to.
    @inlinable
    func point(to target: _CMemory?, count: Int) {
      point(to: target)
      store(count, at: 8)
    }
  }

  /// The block of a decoded struct: its strings, arrays and structs behind pointers.
  public struct _CBlock {
    /// Whether the block is only measured: then pointers into it are nil.
    @usableFromInline
    let isMeasuring: Bool
    /// A block of the size that was measured; nil if nothing is added, and while it is measured.
    @usableFromInline
    let start: _CMemory?
    @usableFromInline
    let size: Int
    @usableFromInline
    var used = 0

    @inlinable
    static var measuring: _CBlock { _CBlock(measuring: true, nil, 0) }

    @inlinable
    init(measuring: Bool, _ start: _CMemory?, _ size: Int) {
      isMeasuring = measuring
      self.start = start
      self.size = size
    }

    /// Memory at the end of the block; nil while it is measured, and if more is added than was measured.
    @inlinable
    mutating func take(_ size: Int, alignment: Int) -> _CMemory? {
      used = aligned(used, to: alignment)
      defer { used += size }
      return used + size <= self.size ? start?.advanced(by: used) : nil
    }

    /// Copies a string, with a NUL byte after it.
    @inlinable
    mutating func add(_ text: String) -> _CMemory? {
      let place = take(text.utf8.count + 1, alignment: 1)
      place?.copy(text)
      return place
    }

    /// Copies bytes, with a NUL byte after them.
    @inlinable
    mutating func add(bytes: [UInt8]) -> _CMemory? {
      let place = take(bytes.count + 1, alignment: 1)
      place?.copy(bytes)
      return place
    }

    /// Lays values out as an array, what they point to after it. Of no values, the pointer is nil.
    @inlinable
    mutating func add<Element: CElement>(_ values: [Element]) -> _CMemory? {
      if values.isEmpty { return nil }
      let extent = Element._cExtent
      let size = extent.size
      let array = take(values.count * size, alignment: extent.alignment)
      array?.clear(values.count * size)
      for (place, value) in values.enumerated() {
        value._store(at: array?.advanced(by: place * size), &self)
      }
      return array
    }

    /// Measures and writes a block; nil if it is empty. Returns the error if there is none.
    @inlinable
    static func fill(
      _ owned: inout _CMemory?, _ add: (inout _CBlock) -> Void
    ) -> DecodeError? {
      var measure = measuring
      add(&measure)
      owned = measure.used > 0 ? allocate(measure.used) : nil
      if measure.used > 0, owned == nil { return .outOfMemory }
      var block = _CBlock(measuring: false, owned, measure.used)
      add(&block)
      if block.used <= measure.used { return nil }
      release(owned)
      owned = nil
      return isLonger
    }

    @usableFromInline
    static func allocate(_ size: Int) -> _CMemory? {
      unsafe Memory(decant_block_allocate(nil, size))
    }

    @usableFromInline
    static var isLonger: DecodeError {
      .invalidArgument(
        "a field of the layout is longer when it is written than when it was measured")
    }

    @usableFromInline
    static func release(_ block: _CMemory?) { unsafe decant_block_release(nil, block?.start, 0) }
  }

  /// The next multiple of an alignment, a power of two.
  @inlinable
  func aligned(_ offset: Int, to alignment: Int) -> Int {
    (offset + alignment - 1) & ~(alignment - 1)
  }

#endif
