// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The kinds of fields in C, and the facts about each: its width in the struct, what it holds, whether it needs the
// block, and its name in errors. A new kind is a case here. The compiler names the `switch`es that lack it, and the
// suite FieldKindTests every table and every `default:` that treats it wrongly.

internal import CDecant
internal import DecantCore

/// The kinds of decant.h, in their order, from 1 on.
enum FieldKind: CaseIterable {
  case bool
  case int8, int16, int32, int64, uint8, uint16, uint32, uint64
  case float, double
  case string, text, characters
  case name, flags, raw, kind
  case record, recordPointer, array, fixedArray, map
  case key
  case time, date
  case union
  case decimal, uuid, base64, fixedBase64
  case converted

  /// The kind of a number of decant.h; nil for any other number.
  @inline(__always)
  init?(number: UInt16) {
    let tag = number &- UInt16(DECANT_BOOL)
    guard tag <= UInt16(DECANT_CONVERTED - DECANT_BOOL) else { return nil }
    self.init(ordinal: UInt8(truncatingIfNeeded: tag))
  }

  /// The kind of such a number, from 0 on.
  init(ordinal: UInt8) {
    // SAFETY: an enum of cases alone is a byte that counts them from 0 on.
    self = unsafe unsafeBitCast(ordinal, to: FieldKind.self)
  }
}

/// The widths of C on this platform.
let pointerWidth = unsafe MemoryLayout<UnsafeRawPointer>.size
let countWidth = MemoryLayout<Int>.size

extension FieldKind {
  /// The kind as a number, from 0 on.
  var ordinal: UInt8 { unsafe unsafeBitCast(self, to: UInt8.self) }

  /// A bit for each kind.
  var bit: UInt64 { 1 &<< UInt64(ordinal) }

  /// Bytes in a struct, or as an element of an array; 0 for kinds whose field tells.
  @inline(__always)
  var width: Int {
    // A table that is loaded from: a switch would be a jump.
    let widths = pointerWidth == 8 ? Self.widths64 : Self.widths32
    // SAFETY: a byte for each kind.
    return Int(unsafe widths.utf8Start[Int(ordinal)])
  }

  /// For the tests: both tables.
  static var widthTables: [StaticString] { [widths64, widths32] }

  /// The widths of the kinds in their order, a byte each.
  private static var widths64: StaticString {
    """
    \u{1}\u{1}\u{2}\u{4}\u{8}\u{1}\u{2}\u{4}\u{8}\u{4}\u{8}\
    \u{8}\u{10}\0\u{4}\u{4}\u{8}\u{4}\0\u{8}\u{8}\0\u{8}\u{8}\u{8}\u{4}\0\u{10}\u{10}\u{10}\0\0
    """
  }
  private static var widths32: StaticString {
    """
    \u{1}\u{1}\u{2}\u{4}\u{8}\u{1}\u{2}\u{4}\u{8}\u{4}\u{8}\
    \u{4}\u{8}\0\u{4}\u{4}\u{4}\u{4}\0\u{4}\u{4}\0\u{4}\u{4}\u{8}\u{4}\0\u{10}\u{10}\u{8}\0\0
    """
  }

  /// Whether a value is an integer or a real in the struct: the kinds from int8 to double.
  @inline(__always)
  var isNumber: Bool {
    ordinal &- FieldKind.int8.ordinal <= FieldKind.double.ordinal &- FieldKind.int8.ordinal
  }

  var isInteger: Bool { isNumber && !isReal }

  var isReal: Bool { self == .float || self == .double }

  /// Whether an integer of this kind has a sign.
  @inline(__always)
  private var isSigned: Bool { ordinal < FieldKind.uint8.ordinal }

  /// Whether an integer is in the range of this kind, which is an integer's.
  @inline(__always)
  func holds(_ value: Int64) -> Bool {
    let bits = 8 * width
    return isSigned ? value >> (bits - 1) == value >> 63 : value >= 0 && value >> bits == 0
  }

  /// The least integer of this kind; a time is one of 64 bits.
  var least: Int64 {
    isInteger && !isSigned ? 0 : isInteger ? -1 &<< Int64(8 * width - 1) : .min
  }

  /// The largest integer of this kind; that of uint64 is Int64's.
  var largest: Int64 {
    let bits = 8 * width - (isSigned ? 1 : 0)
    return bits > 63 ? .max : (1 &<< Int64(bits)) &- 1
  }

  /// Whether arrays can have elements of this kind.
  var canBeElement: Bool {
    switch self {
    case .characters, .fixedBase64, .array, .fixedArray, .map, .key, .union: false
    default: true
    }
  }

  /// Whether every value of this kind takes space in the block. Records and arrays of fixed size take as much as
  /// what they hold.
  @inline(__always)
  var needsBlock: Bool {
    switch self {
    case .string, .text, .raw, .base64, .recordPointer, .array, .map, .key: true
    default: false
    }
  }

  /// Whether a value of this kind can be filled from a text, without an index.
  @inline(__always)
  var isReadFromText: Bool {
    switch self {
    case .bool, .string, .text, .characters, .name, .record, .array, .time, .date: true
    default: isNumber
    }
  }

  /// Whether a field of this kind needs more than a key: a capacity, names, a record, an element or a length.
  @inline(__always)
  var hasContent: Bool { Self.withContent & bit != 0 }

  /// The bits of these kinds.
  static var withContent: UInt64 {
    FieldKind.characters.bit | FieldKind.fixedBase64.bit | FieldKind.decimal.bit
      | FieldKind.name.bit | FieldKind.flags.bit | FieldKind.record.bit
      | FieldKind.recordPointer.bit | FieldKind.array.bit | FieldKind.fixedArray.bit
      | FieldKind.map.bit | FieldKind.key.bit | FieldKind.union.bit | FieldKind.converted.bit
  }

  /// Whether values of this kind are strings, of any bytes.
  var isString: Bool { self == .string || self == .text || self == .characters }

  /// Whether `bounds` is about the number of elements or members.
  var isCollection: Bool { self == .array || self == .fixedArray || self == .map }

  /// Whether values of this kind are objects.
  var isObject: Bool { self == .record || self == .recordPointer || self == .map }

  /// Whether values of this kind have members or elements of their own.
  var hasParts: Bool { isCollection || isObject }

  /// Whether a value is a number of units: a time, a date or a decimal. The bounds of such fields are units, too.
  var hasUnits: Bool { self == .time || self == .date || self == .decimal }

  /// Whether a field of this kind can have DECANT_DEFAULT.
  var canHaveDefault: Bool {
    switch self {
    case .bool, .string, .characters, .name, .flags, .time, .date, .decimal, .uuid: true
    default: isNumber
    }
  }

  /// The expected JSON value, in the words of errors.
  var expectation: StaticString {
    switch self {
    case .bool: "a boolean"
    case .string, .text, .characters, .name, .union: "a string"
    case .flags, .array, .fixedArray: "an array"
    case .record, .recordPointer, .map: "an object"
    case .raw, .kind, .key, .converted: "a value"
    case .time: "a date and time by RFC 3339"
    case .date: "a date by RFC 3339"
    case .uuid: "a UUID"
    case .base64: "base64"
    case .fixedBase64: "base64 of as many bytes as the field has"
    case .float, .double, .decimal: "a number"
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: "an integer"
    }
  }

}

extension Memory {
  /// The integer here, of any kind but uint64.
  @inline(__always)
  func integer(_ kind: FieldKind) -> Int64 {
    switch kind {
    case .int8: Int64(load(Int8.self))
    case .int16: Int64(load(Int16.self))
    case .int32: Int64(load(Int32.self))
    case .uint8: Int64(load(UInt8.self))
    case .uint16: Int64(load(UInt16.self))
    case .uint32: Int64(load(UInt32.self))
    default: load(Int64.self)
    }
  }
}

/// The alignment of C structs of a size: no type is aligned to more than the largest power of two that divides
/// its size, nor to more than malloc promises.
func alignment(ofSize size: Int) -> Int { size == 0 ? 1 : min(size & (0 &- size), 16) }
