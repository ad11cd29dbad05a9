// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The one block of memory that a decoded struct owns. Everything is added twice, in the same order: once to
// measure the block, once to write it.

#if !hasFeature(Embedded)

  internal import CDecantIndex

  @usableFromInline
  typealias CPointer = UnsafeMutableRawPointer?

  /// The place of a value, in a struct or in its block; nowhere, while the block is measured.
  @frozen @safe
  public struct _CPlace {
    // SAFETY: in the caller's struct, or in the block that the same value was measured for; or nil. Every value writes
    // as many bytes as its extent says, which is what the struct was laid out by.
    @usableFromInline
    let start: UnsafeMutableRawPointer?

    @inlinable
    init(_ start: UnsafeMutableRawPointer?) { unsafe self.start = start }

    @inlinable
    static var nowhere: _CPlace { unsafe _CPlace(nil) }

    @inlinable
    var isThere: Bool { unsafe start != nil }

    /// The place that a pointer here points to, which was stored by this library.
    @inlinable
    var target: _CPlace { unsafe _CPlace(start?.load(as: CPointer.self)) }

    @inlinable
    func advanced(by offset: Int) -> _CPlace { unsafe _CPlace(start.map { unsafe $0 + offset }) }

    @inlinable
    func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int = 0) {
      unsafe start?.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }

    /// Stores a pointer to another place.
    @inlinable
    func point(to target: _CPlace) { unsafe start?.storeBytes(of: target.start, as: CPointer.self) }

    /// Stores a pointer, and how much it points to.
    @inlinable
    func point(to target: _CPlace, count: Int) {
      point(to: target)
      store(count, at: 8)
    }

    @inlinable
    func clear(_ size: Int) {
      unsafe start?.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    /// Copies a string, with a NUL byte after it.
    @inlinable
    func copy(_ text: consuming String) {
      guard let start = unsafe start else { return }
      text.withUTF8 { bytes in
        if let source = bytes.baseAddress {
          unsafe start.copyMemory(from: source, byteCount: bytes.count)
        }
        store(UInt8(0), at: bytes.count)
      }
    }
  }

  /// The block of a decoded struct: its strings, arrays and structs behind pointers.
  public struct _CBlock {
    /// Whether the block is only measured: then pointers into it are nil.
    @usableFromInline
    let isMeasuring: Bool
    /// A block of the size that was measured, or nowhere.
    @usableFromInline
    let start: _CPlace
    @usableFromInline
    var used = 0

    @inlinable
    static var measuring: _CBlock { _CBlock(measuring: true, .nowhere) }

    @inlinable
    init(measuring: Bool, _ start: _CPlace) {
      isMeasuring = measuring
      self.start = start
    }

    /// Memory at the end of the block.
    @inlinable
    mutating func take(_ size: Int, alignment: Int) -> _CPlace {
      used = aligned(used, to: alignment)
      defer { used += size }
      return start.advanced(by: used)
    }

    /// Copies a string, with a NUL byte after it.
    @inlinable
    mutating func add(_ text: String) -> _CPlace {
      let place = take(text.utf8.count + 1, alignment: 1)
      place.copy(text)
      return place
    }

    /// Lays values out as an array, what they point to after it. Of no values, the pointer is nil.
    @inlinable
    mutating func add<Element: CElement>(_ values: [Element]) -> _CPlace {
      if values.isEmpty { return .nowhere }
      let extent = Element._cExtent
      let size = extent.size
      let array = take(values.count * size, alignment: extent.alignment)
      array.clear(values.count * size)
      for (place, value) in values.enumerated() {
        value._store(at: array.advanced(by: place * size), &self)
      }
      return array
    }

    /// Measures and writes a block, nowhere if nothing is added. False if there is no memory for it.
    @inlinable
    static func fill(_ owned: inout _CPlace, _ add: (inout _CBlock) -> Void) -> Bool {
      var measure = measuring
      add(&measure)
      owned = measure.used > 0 ? allocate(measure.used) : .nowhere
      if measure.used > 0, !owned.isThere { return false }
      var block = _CBlock(measuring: false, owned)
      add(&block)
      return true
    }

    @usableFromInline
    static func allocate(_ size: Int) -> _CPlace {
      unsafe _CPlace(decant_block_allocate(nil, size))
    }
  }

  /// The next multiple of an alignment, a power of two.
  @inlinable
  func aligned(_ offset: Int, to alignment: Int) -> Int {
    (offset + alignment - 1) & ~(alignment - 1)
  }

#endif
