// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// What the library's own decoders expect, as a number, so that it fits into an error in flight.

/// What was expected of a value.
@usableFromInline
package enum Expectation: UInt8 {
  case array, object, boolean, string, number, integer
  case int, int8, int16, int32, int64, int128, uint, uint8, uint16, uint32, uint64, uint128
  case float, double

  /// An integer of so many bits.
  package static func integer(_ isSigned: Bool, bits: Int) -> Expectation {
    switch bits {
    case 8: isSigned ? .int8 : .uint8
    case 16: isSigned ? .int16 : .uint16
    case 32: isSigned ? .int32 : .uint32
    case 64: isSigned ? .int64 : .uint64
    default: isSigned ? .int128 : .uint128
    }
  }

  /// As errors say it.
  package var name: StaticString {
    @inline(never) get {
      switch self {
      case .array: "an array"
      case .object: "an object"
      case .boolean: "a boolean"
      case .string: "a string"
      case .number: "a number"
      case .integer: "an integer"
      case .int: "an Int"
      case .int8: "an Int8"
      case .int16: "an Int16"
      case .int32: "an Int32"
      case .int64: "an Int64"
      case .int128: "an Int128"
      case .uint: "a UInt"
      case .uint8: "a UInt8"
      case .uint16: "a UInt16"
      case .uint32: "a UInt32"
      case .uint64: "a UInt64"
      case .uint128: "a UInt128"
      case .float: "a Float"
      case .double: "a Double"
      }
    }
  }
}
