// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Scalars, as `JSONDecoder` reads them: like the rest of Decant, but integral numbers are integers in every
// notation (`1.0`, `2e3`), and strings can represent infinities and NaN.
//
// Every function returns nil for a value of another kind or range; the reason is found out later
// (ValueDecoder+Failures.swift).

internal import CDecantIndex
internal import DecantCore

@safe
struct ScalarDecoder {
  // SAFETY: the user of a scalar decoder holds the value decoder meanwhile.
  let document: ContextRef
  let decoder: Reference<ValueDecoder>

  init(document: ContextRef, decoder: Reference<ValueDecoder>) {
    self.document = document
    self.decoder = decoder
  }

  @inline(__always)
  init(_ decoder: ValueDecoder) {
    unsafe self.init(document: decoder.document, decoder: Reference(decoder))
  }

  @inline(__always) @_lifetime(immortal)
  func view(_ node: UInt64) -> JSON {
    let json = document.view(node)
    return json
  }

  func bool(_ node: UInt64) -> Bool? { view(node).bool }

  @inline(__always)
  func string(_ node: UInt64) -> String? { view(node).string }

  func int(_ node: UInt64) -> Int? { wideInteger(node) }

  /// The integer here, of the less common types of at most 64 bits.
  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ node: UInt64, _ type: Value.Type) -> Value? {
    let bits = integer(node, bits: Value.bitWidth, isSigned: Value.isSigned)
    return bits.map { Value(truncatingIfNeeded: $0) }
  }

  /// The bits of the integer here, if it is one of a type of so many, 64 at most.
  @inline(never)
  private func integer(_ node: UInt64, bits: Int, isSigned: Bool) -> UInt64? {
    if bits == 64, !isSigned { return wideInteger(node) }
    let wide: Int64? = wideInteger(node)
    guard let value = wide else { return nil }
    // Above a number's bits are copies of its sign, or zeros.
    let above = value &>> Int64(truncatingIfNeeded: isSigned ? bits - 1 : bits)
    return above == 0 || isSigned && above == -1 ? UInt64(truncatingIfNeeded: value) : nil
  }

  /// Initializes an integer of so many bits at a place. False if the value is not one.
  // SAFETY: the place is memory for an integer of this width.
  func store(
    _ node: UInt64, _ bits: Int, _ isSigned: Bool, _ place: UnsafeMutableRawPointer
  ) -> Bool {
    guard let integer = integer(node, bits: bits, isSigned: isSigned) else { return false }
    switch bits {
    case 8: unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: integer), as: UInt8.self)
    case 16: unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: integer), as: UInt16.self)
    case 32: unsafe place.storeBytes(of: UInt32(truncatingIfNeeded: integer), as: UInt32.self)
    default: unsafe place.storeBytes(of: integer, as: UInt64.self)
    }
    return true
  }

  /// The integer here, of a type that is known to the compiler.
  @inline(__always)
  func wideInteger<Value: FixedWidthInteger>(_ node: UInt64) -> Value? {
    let json = view(node)
    if json.isNativeNumber {
      let integer: Value? = json.numberToken.integer()
      if let integer { return integer }
    }
    return integralNumber(node)
  }

  /// Numbers with a fraction or an exponent, and those of other engines.
  @inline(never)
  private func integralNumber<Value: FixedWidthInteger>(_ node: UInt64) -> Value? {
    let json = view(node)
    guard json.kind == .number else { return nil }
    if !json.isNative, case .success(let value) = json.foreignInt64 { return Value(exactly: value) }
    return DecimalNumber(json.numberText)?.integer(as: Value.self)
  }

  @inline(__always)
  func double(_ node: UInt64) -> Double? {
    let json = view(node)
    if json.isNativeNumber { return json.numberToken.double() }
    return json.kind == .number ? json.foreignReal : doubleFromString(node)
  }

  /// `double(_:)` out of line, where arrays and single values come by.
  @inline(never)
  func uncommonDouble(_ node: UInt64) -> Double? { double(node) }

  func float(_ node: UInt64) -> Float? {
    let json = view(node)
    if json.isNativeNumber { return json.numberToken.float() }
    if json.kind != .number { return doubleFromString(node).map { Float($0) } }
    return json.foreignFloat.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The number that a string represents, if the decoder's strategy allows strings for numbers.
  @inline(never)
  private func doubleFromString(_ node: UInt64) -> Double? {
    guard let text = view(node).string else { return nil }
    guard
      case .convertFromString(let positive, let negative, let nan) =
        decoder.object.context.settings.floats
    else { return nil }
    if text == positive { return .infinity }
    if text == negative { return -.infinity }
    return text == nan ? .nan : nil
  }
}
