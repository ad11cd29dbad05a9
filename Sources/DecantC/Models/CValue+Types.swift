// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The types that have a place in C structs. Every store is over zeros.

#if !hasFeature(Embedded)

  // MARK: - Numbers and booleans

  /// A type with the same bytes in C.
  public protocol CScalar: CElement, BitwiseCopyable {}

  extension CScalar {
    /// The type's own size and alignment.
    @inlinable
    public static var _cExtent: _CExtent {
      _CExtent(size: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment)
    }

    /// Stores the bytes.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      place?.store(self)
    }
  }

  extension Bool: CScalar {}
  extension Int: CScalar {}
  extension Int8: CScalar {}
  extension Int16: CScalar {}
  extension Int32: CScalar {}
  extension Int64: CScalar {}
  extension UInt: CScalar {}
  extension UInt8: CScalar {}
  extension UInt16: CScalar {}
  extension UInt32: CScalar {}
  extension UInt64: CScalar {}
  extension Float: CScalar {}
  extension Double: CScalar {}

  // MARK: - Strings and enums

  extension String: CElement {
    /// A pointer and a length.
    @inlinable
    public static var _cExtent: _CExtent { .counted }

    /// NULL.
    @inlinable
    public static var _cAbsence: _CAbsence { .null }

    /// Copies the text into the block.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      // Added also where there is no place yet.
      let text = block.add(self)
      place?.point(to: text, count: utf8.count)
    }
  }

  extension CEnum {
    /// The place of the case.
    @inlinable
    public var cConstant: Int64 { Int64(place) }

    /// An `int32_t`.
    @inlinable
    public static var _cExtent: _CExtent { Int32._cExtent }

    /// Stores the constant.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      place?.store(Int32(clamping: cConstant))
    }
  }

  extension CFlag {
    /// The bit of the case.
    @inlinable
    public var cConstant: Int64 { 1 << Int64(place) }
  }

  extension Set: CValue where Element: CFlag {
    /// A `uint32_t`.
    @inlinable
    public static var _cExtent: _CExtent { UInt32._cExtent }

    /// Stores the bits.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      let bits = reduce(0) { $0 | UInt32(truncatingIfNeeded: $1.cConstant) }
      place?.store(bits)
    }
  }

  // MARK: - Models, arrays and optionals

  extension CModel {
    /// The struct.
    @inlinable
    public static var _cExtent: _CExtent { shape.extent }

    /// A pointer that is NULL.
    @inlinable
    public static var _cAbsence: _CAbsence { .pointer }

    /// Stores the members of the struct.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      unsafe withUnsafePointer(to: self) { model in
        var walk = unsafe CLayout(of: model, at: place, block)
        Self.layout(&walk)
        block = walk.block
      }
    }
  }

  extension Array: CValue where Element: CElement {
    /// A pointer and a count.
    @inlinable
    public static var _cExtent: _CExtent { .counted }

    /// Lays the elements out in the block.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      let elements = block.add(self)
      place?.point(to: elements, count: count)
    }
  }

  extension Optional: CValue where Wrapped: CNullable {
    /// The value's own, a flag after it, or a pointer to it.
    @inlinable
    public static var _cExtent: _CExtent {
      switch Wrapped._cAbsence {
      case .flag: _CExtent(size: Wrapped._cExtent.size + 1, alignment: Wrapped._cExtent.alignment)
      case .null: Wrapped._cExtent
      case .pointer: .pointer
      }
    }

    /// Stores a value; nil is zeros.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      guard let value = self else { return }
      switch Wrapped._cAbsence {
      case .null: value._store(at: place, &block)
      case .flag:
        value._store(at: place, &block)
        place?.store(true, at: Wrapped._cExtent.size)
      case .pointer:
        let extent = Wrapped._cExtent
        let memory = block.take(extent.size, alignment: extent.alignment)
        memory?.clear(extent.size)
        value._store(at: memory, &block)
        place?.point(to: memory)
      }
    }
  }

#endif
