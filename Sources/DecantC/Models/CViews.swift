// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values whose form in C differs from their form in Swift:
//
//   JSONTimestamp, CTime   int64_t, microseconds since 1970                            DECANT_TIME
//   CUUID                  uint8_t[16]                                                 DECANT_UUID
//   CBytes                 decant_text, of base64                                      DECANT_BASE64
//   JSONValue              const char *, JSON text with a length                       DECANT_RAW
//   LossyArray             a pointer, a length, and how many elements were left out    DECANT_LEAVE_OUT
//
// Types of Foundation have views, which @CStruct writes: `CTime(date.timeIntervalSince1970)`.

#if !hasFeature(Embedded)

  internal import CDecant
  public import DecantCore

  /// A type of C whose name does not determine its form in JSON.
  package struct CSpecial: Equatable, Sendable {
    package let spelling: StaticString
    /// The text after the member's name.
    package let suffix: StaticString
    /// The comment of a member in the header.
    package let remark: StaticString
    let extent: _CExtent
    let kind: Int

    package static func == (left: CSpecial, right: CSpecial) -> Bool { left.kind == right.kind }

    static let time = CSpecial(
      spelling: "int64_t", suffix: "", remark: "microseconds since 1970", extent: Int64._cExtent,
      kind: DECANT_TIME)
    static let uuid = CSpecial(
      spelling: "uint8_t", suffix: "[16]", remark: "",
      extent: _CExtent(size: 16, alignment: 1), kind: DECANT_UUID)
    static let bytes = CSpecial(
      spelling: "decant_text", suffix: "", remark: "bytes", extent: .counted, kind: DECANT_BASE64)
  }

  // MARK: - Times

  /// A time as C has it: microseconds since 1970-01-01T00:00:00Z, and in JSON a text by RFC 3339.
  ///
  ///     c.field("created_at", { CTime($0.createdAt.timeIntervalSince1970) })
  public struct CTime: CElement, BitwiseCopyable, Sendable {
    @usableFromInline
    let microseconds: Int64

    /// The nearest microsecond. A time that 64 bits cannot hold becomes the nearest one that they can.
    @inlinable
    public init(_ secondsSince1970: Double) {
      // `rounded()` and `init(exactly:)` would need the math library, which a program need not link.
      let number = secondsSince1970 * 1e6
      guard number >= -0x1p63, number < 0x1p63 else {
        microseconds = number.isNaN ? 0 : number < 0 ? .min : .max
        return
      }
      let whole = Int64(number)
      let rest = number - Double(whole)
      microseconds = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
    }

    @inlinable
    init(_ timestamp: JSONTimestamp) {
      let (product, overflow) = timestamp.seconds.multipliedReportingOverflow(by: 1_000_000)
      microseconds =
        overflow
        ? (timestamp.seconds < 0 ? .min : .max) : product &+ Int64(timestamp.nanoseconds / 1000)
    }

    /// An `int64_t`.
    @inlinable
    public static var _cExtent: _CExtent { Int64._cExtent }

    /// Stores the microseconds.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) { place?.store(microseconds) }
  }

  extension JSONTimestamp: CElement {
    /// An `int64_t`.
    @inlinable
    public static var _cExtent: _CExtent { Int64._cExtent }

    /// Stores the microseconds since 1970.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      CTime(self)._store(at: place, &block)
    }
  }

  // MARK: - Bytes

  /// A UUID as C has it: sixteen bytes, in the order of its text.
  ///
  ///     c.field("id", { CUUID($0.id.uuid) })
  public struct CUUID: CElement, BitwiseCopyable, Sendable {
    @usableFromInline
    let high: UInt64
    @usableFromInline
    let low: UInt64

    /// The UUID of the bytes that `UUID.uuid` is.
    @inlinable
    public init(
      _ bytes: (
        UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
        UInt8, UInt8, UInt8
      )
    ) {
      // SAFETY: both are sixteen bytes, of any value.
      (high, low) = unsafe unsafeBitCast(bytes, to: (UInt64, UInt64).self)
    }

    /// A `uint8_t[16]`.
    @inlinable
    public static var _cExtent: _CExtent { _CExtent(size: 16, alignment: 1) }

    /// Stores the bytes.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      place?.store(high)
      place?.store(low, at: 8)
    }
  }

  /// Bytes as C has them: a pointer and a length, and in JSON a text of base64.
  ///
  ///     c.field("key", { CBytes($0.key) })
  public struct CBytes: CElement, Sendable {
    @usableFromInline
    let bytes: [UInt8]

    /// A copy of bytes, such as those of `Data`.
    @inlinable
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// A `decant_text`.
    @inlinable
    public static var _cExtent: _CExtent { .counted }

    /// NULL.
    @inlinable
    public static var _cAbsence: _CAbsence { .null }

    /// Copies the bytes into the block.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      let copy = block.add(bytes: bytes)
      place?.point(to: copy, count: bytes.count)
    }
  }

  // MARK: - Raw values

  extension JSONValue: CNullable {
    /// A pointer and a length.
    @inlinable
    public static var _cExtent: _CExtent { .counted }

    /// NULL.
    @inlinable
    public static var _cAbsence: _CAbsence { .null }

    /// Copies the value's text into the block.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      jsonText()._store(at: place, &block)
    }
  }

  // MARK: - Elements that were left out

  extension LossyArray: CValue where Element: CElement {
    /// A pointer, a count, and the number of those that were left out.
    @inlinable
    public static var _cExtent: _CExtent { _CExtent(size: 20, alignment: 8) }

    /// Lays the elements out in the block.
    @inlinable
    public func _store(at place: _CMemory?, _ block: inout _CBlock) {
      elements._store(at: place, &block)
      place?.store(UInt32(clamping: skippedCount), at: 16)
    }
  }

#endif
