// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The expectations of the library's own decoders, as numbers, so that they fit into an error in flight.

/// The expected value.
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

  /// Its name in errors.
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

  /// The same for readers who do not know Swift's types; nil if it is not a type of numbers.
  package var range: StaticString? {
    @inline(never) get {
      switch self {
      case .array, .object, .boolean, .string, .number, .integer: nil
      case .int8: "a number in -128 to 127"
      case .int16: "a number in -32768 to 32767"
      case .int32: "a number in -2147483648 to 2147483647"
      case .int64: "a number in -9223372036854775808 to 9223372036854775807"
      case .int: Expectation.integer(true, bits: Int.bitWidth).range
      case .int128:
        """
        a number in -170141183460469231731687303715884105728 to \
        170141183460469231731687303715884105727
        """
      case .uint8: "a number in 0 to 255"
      case .uint16: "a number in 0 to 65535"
      case .uint32: "a number in 0 to 4294967295"
      case .uint64: "a number in 0 to 18446744073709551615"
      case .uint: Expectation.integer(false, bits: UInt.bitWidth).range
      case .uint128: "a number in 0 to 340282366920938463463374607431768211455"
      case .float: "a number that a float can hold"
      case .double: "a number that a double can hold"
      }
    }
  }

  #if !hasFeature(Embedded)
    /// The ``range`` of a type by its name; nil if no type of numbers has the name.
    static func range(ofType name: String) -> StaticString? {
      for number in int.rawValue...double.rawValue {
        guard let type = Expectation(rawValue: number), "\(type.name)" == name else { continue }
        return type.range
      }
      return nil
    }
  #endif
}
