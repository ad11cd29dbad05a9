// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Booleans, numbers and strings. Exact: no kind reads as another, nothing is rounded into an integer.
// Witnesses return their `Result` and never throw, so that they are devirtualised across modules.

internal import CDecantIndex

// MARK: - Bool

extension JSON {

  /// The boolean here, or nil for other kinds.
  @_alwaysEmitIntoClient
  public var bool: Bool? {
    if isNative { return nativeBool }
    return kind == .bool ? isTrue : nil
  }
}

extension Bool: JSONDecodable {
  /// `true` or `false`; a number is not a boolean.
  @_alwaysEmitIntoClient @inline(__always)
  public static func decode(_ json: JSON) -> Decoded<Bool> {
    if let value = json.bool { return .success(value) }
    return .failure(json.failure(.typeMismatch, .boolean))
  }
}

// MARK: - Integers

extension JSON {
  // Everything that the witnesses below call is inlinable or not generic: one generic call without a body,
  // and the compiler does not devirtualise them.
  @_alwaysEmitIntoClient @inline(__always)
  package func integer<Value: FixedWidthInteger>() -> Decoded<Value> {
    if Value.bitWidth <= 32, Value.self != Int.self, Value.self != UInt.self {
      switch narrowInteger(Value.isSigned, Value.bitWidth) {
      case .success(let value): return .success(Value(truncatingIfNeeded: value))
      case .failure(let error): return .failure(error)
      }
    }
    if isNativeNumber {
      let token = numberToken
      if let value: Value = token.integer() { return .success(value) }
      if token.isReal { return .failure(failure(.notAnInteger, .integer)) }
      return .failure(outOfRange(Value.self))
    }
    return foreignInteger()
  }

  /// An integer of at most 32 bits. All types share one body; each compiles to a call.
  @usableFromInline @inline(never)
  package func narrowInteger(_ isSigned: Bool, _ bits: Int) -> Decoded<Int64> {
    let decoded: Decoded<Int64>
    if isNativeNumber {
      let token = numberToken
      guard let value: Int64 = token.integer() else {
        if token.isReal { return .failure(failure(.notAnInteger, .integer)) }
        return .failure(outOfRange(isSigned, bits))
      }
      decoded = .success(value)
    } else {
      decoded = foreignInteger()
    }
    guard case .success(let value) = decoded else { return decoded }
    let smallest = isSigned ? Int64(-1) &<< Int64(bits &- 1) : 0
    let range = UInt64(1) &<< UInt64(bits)
    if UInt64(bitPattern: value &- smallest) < range { return decoded }
    return .failure(outOfRange(isSigned, bits))
  }

  @_alwaysEmitIntoClient @inline(never)
  package func foreignInteger<Value: FixedWidthInteger>() -> Decoded<Value> {
    if isNative { return .failure(failure(.typeMismatch, .integer)) }
    switch foreignInt64 {
    case .success(let value):
      guard let exact = Value(exactly: value) else {
        return .failure(outOfRange(Value.self))
      }
      return .success(exact)
    case .failure(let error):
      // Of more bits, if the engine keeps the text.
      guard let wide = decimal(numberText, Value.isSigned, Value.bitWidth) else {
        return .failure(error)
      }
      return .success(Value(wide))
    }
  }

  @usableFromInline
  package var foreignInt64: Decoded<Int64> {
    var value: Int64 = 0
    if let engine = unsafe foreign, unsafe engine.pointee.integer(context, node, &value) {
      return .success(value)
    }
    let code: DecodeError.Code = kind == .number ? .notAnInteger : .typeMismatch
    return .failure(failure(code, .integer))
  }

  @_alwaysEmitIntoClient
  package func outOfRange<Value: FixedWidthInteger>(_ type: Value.Type) -> DecodeError {
    if type == Int.self { return failure(.numberOutOfRange, .int) }
    if type == UInt.self { return failure(.numberOutOfRange, .uint) }
    return outOfRange(Value.isSigned, Value.bitWidth)
  }

  @usableFromInline @inline(never)
  package func outOfRange(_ isSigned: Bool, _ bits: Int) -> DecodeError {
    failure(.numberOutOfRange, .integer(isSigned, bits: bits))
  }

  /// The integer here, exactly, or nil: for other kinds, fractions, exponents, and beyond Int's range.
  @_alwaysEmitIntoClient
  public var int: Int? { Int.decode(self).value }

  /// The number here, correctly rounded, or nil for other kinds.
  @_alwaysEmitIntoClient
  public var double: Double? { Double.decode(self).value }
}

extension JSONDecodable where Self: FixedWidthInteger {
  /// A number that is exactly an integer of this width.
  @_alwaysEmitIntoClient @inline(__always)
  public static func decode(_ json: JSON) -> Decoded<Self> { json.integer() }
}

// Also as the keys of objects (RawRepresentable.swift).
extension Int: JSONDecodable, JSONObjectKey {}
extension Int8: JSONDecodable, JSONObjectKey {}
extension Int16: JSONDecodable, JSONObjectKey {}
extension Int32: JSONDecodable, JSONObjectKey {}
extension Int64: JSONDecodable, JSONObjectKey {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: JSONDecodable, JSONObjectKey {}
extension UInt: JSONDecodable, JSONObjectKey {}
extension UInt8: JSONDecodable, JSONObjectKey {}
extension UInt16: JSONDecodable, JSONObjectKey {}
extension UInt32: JSONDecodable, JSONObjectKey {}
extension UInt64: JSONDecodable, JSONObjectKey {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: JSONDecodable, JSONObjectKey {}

// MARK: - Floating point

extension JSON {
  /// The real of a foreign number.
  @usableFromInline @inline(never)
  package var foreignReal: Double? {
    var value = 0.0
    guard let engine = unsafe foreign, unsafe engine.pointee.real(context, node, &value) else {
      return nil
    }
    return value
  }

  /// The same as a Float: an integer is rounded once.
  @usableFromInline @inline(never)
  package var foreignFloat: Float? {
    var integer: Int64 = 0
    if let engine = unsafe foreign, unsafe engine.pointee.integer(context, node, &integer) {
      return Float(integer)
    }
    return foreignReal.map { Float($0) }
  }
}

extension Double: JSONDecodable {
  /// A number, correctly rounded; one beyond the range of a double is an error.
  @_alwaysEmitIntoClient @inline(__always)
  public static func decode(_ json: JSON) -> Decoded<Double> {
    if json.isNativeNumber {
      if let value = json.numberToken.shortDouble() { return .success(value) }
      return .failure(json.failure(.numberOutOfRange, .double))
    }
    if let value = json.foreignReal { return .success(value) }
    return .failure(json.failure(.typeMismatch, .number))
  }
}

extension Float: JSONDecodable {
  /// A number, rounded once; one beyond the range of a float is an error.
  @_alwaysEmitIntoClient
  public static func decode(_ json: JSON) -> Decoded<Float> {
    if json.isNativeNumber {
      if let value = json.numberToken.float() { return .success(value) }
      return .failure(json.failure(.numberOutOfRange, .float))
    }
    if let value = json.foreignFloat {
      if value.isFinite { return .success(value) }
      return .failure(json.failure(.numberOutOfRange, .float))
    }
    return .failure(json.failure(.typeMismatch, .number))
  }
}

// MARK: - Text

extension String: JSONDecodable {
  /// A string, unescaped.
  @_alwaysEmitIntoClient @inline(__always)
  public static func decode(_ json: JSON) -> Decoded<String> {
    if let value = json.string { return .success(value) }
    return .failure(json.failure(.typeMismatch, .string))
  }
}

extension Character: JSONDecodable {
  /// A string of exactly one character (extended grapheme cluster).
  public static func decode(_ json: JSON) -> Decoded<Character> {
    guard let text = json.seldomString else {
      return .failure(json.failure(.typeMismatch, expected: "a string of one character"))
    }
    guard let character = text.first, text.index(after: text.startIndex) == text.endIndex else {
      return .failure(json.failure(.typeMismatch, expected: "a string of one character"))
    }
    return .success(character)
  }
}
