// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The types that have a place in C structs. Every store is over zeros, inside the struct or the block that the
// same value was measured for; while measuring, `place` is nil. That is the proof of every `unsafe` here.

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
    @unsafe
    @inlinable
    public func _store(at place: UnsafeMutableRawPointer?, _ block: inout _CBlock) {
      unsafe place?.storeBytes(of: self, as: Self.self)
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

    /// A NULL pointer.
    @inlinable
    public static var _cAbsence: _CAbsence { .null }

    /// Copies the text into the block.
    @unsafe
    @inlinable
    public func _store(at place: UnsafeMutableRawPointer?, _ block: inout _CBlock) {
      let text = unsafe block.add(self)
      unsafe place?.storeCounted(text, utf8.count)
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
    @unsafe
    @inlinable
    public func _store(at place: UnsafeMutableRawPointer?, _ block: inout _CBlock) {
      unsafe place?.storeBytes(of: Int32(clamping: cConstant), as: Int32.self)
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
    @unsafe
    @inlinable
    public func _store(at place: UnsafeMutableRawPointer?, _ block: inout _CBlock) {
      let bits = reduce(0) { $0 | UInt32(truncatingIfNeeded: $1.cConstant) }
      unsafe place?.storeBytes(of: bits, as: UInt32.self)
    }
  }

  // MARK: - Models, arrays and optionals

  extension CModel {
    /// The struct.
    @inlinable
    public static var _cExtent: _CExtent { shape.extent }

    /// A NULL pointer instead of the struct.
    @inlinable
    public static var _cAbsence: _CAbsence { .pointer }

    /// Stores the members of the struct.
    @unsafe
    @inlinable
    public func _store(at place: UnsafeMutableRawPointer?, _ block: inout _CBlock) {
      unsafe walk(at: place, &block)
    }
  }

  extension Array: CValue where Element: CElement {
    /// A pointer and a count.
    @inlinable
    public static var _cExtent: _CExtent { .counted }

    /// Lays the elements out in the block.
    @unsafe
    @inlinable
    public func _store(at place: UnsafeMutableRawPointer?, _ block: inout _CBlock) {
      let array = unsafe block.add(self)
      unsafe place?.storeCounted(array, count)
    }
  }

  extension Optional: CValue where Wrapped: CElement {
    /// The value's own, a flag after it, or a pointer to it.
    @inlinable
    public static var _cExtent: _CExtent {
      switch Wrapped._cAbsence {
      case .flag: Wrapped._cExtent.withFlag
      case .null: Wrapped._cExtent
      case .pointer: .pointer
      }
    }

    /// Stores a value; nil is zeros.
    @unsafe
    @inlinable
    public func _store(at place: UnsafeMutableRawPointer?, _ block: inout _CBlock) {
      guard let value = self else { return }
      let extent = Wrapped._cExtent
      switch Wrapped._cAbsence {
      case .null: unsafe value._store(at: place, &block)
      case .flag:
        unsafe value._store(at: place, &block)
        unsafe place?.storeBytes(of: true, toByteOffset: extent.size, as: Bool.self)
      case .pointer:
        let memory = unsafe block.take(extent.size, alignment: extent.alignment)
        unsafe memory?.clear(extent.size)
        unsafe value._store(at: memory, &block)
        unsafe place?.storeBytes(of: memory, as: CPointer.self)
      }
    }
  }

  extension _CExtent {
    /// With a `bool` after it.
    @inlinable
    var withFlag: _CExtent { _CExtent(size: size + 1, alignment: alignment) }
  }

  extension UnsafeMutableRawPointer {
    @inlinable
    func storeCounted(_ start: UnsafeMutableRawPointer?, _ count: Int) {
      unsafe storeBytes(of: start, as: CPointer.self)
      unsafe storeBytes(of: count, toByteOffset: 8, as: Int.self)
    }
  }

#endif
