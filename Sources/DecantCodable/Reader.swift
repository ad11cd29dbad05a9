// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Scalars, as `JSONDecoder` reads them: like the rest of Decant, but integral numbers are integers however
// they are written (`1.0`, `2e3`), and strings can stand for infinities and NaN.
//
// Every function answers nil for "no"; why not is found out later (Level+Failures.swift).

internal import CDecantIndex
internal import DecantCore

@safe
struct Reader {
  // SAFETY: whoever makes a reader holds the level while using it.
  let context: UnsafeMutablePointer<decant_context>
  let level: Unmanaged<Level>

  @inline(__always) @_lifetime(immortal)
  private func view(_ node: UInt64) -> JSON {
    let json = unsafe JSON(context: context, node: node)
    return json
  }

  @inline(__always)
  func bool(_ node: UInt64) -> Bool? { view(node).bool }

  @inline(__always)
  func string(_ node: UInt64) -> String? { view(node).string }

  @inline(__always)
  func int(_ node: UInt64) -> Int? {
    let json = view(node)
    if json.isNativeNumber {
      let conversion: IntegerConversion<Int> = json.numberToken.integer()
      if case .value(let value) = conversion { return value }
    }
    return integerSlowly(node)
  }

  /// The integer here, of the less common types.
  @inline(never)
  func integer<Value: FixedWidthInteger>(_ node: UInt64, _ type: Value.Type) -> Value? {
    let json = view(node)
    if json.isNativeNumber {
      let conversion: IntegerConversion<Value> = json.numberToken.integer()
      if case .value(let value) = conversion { return value }
    }
    return integerSlowly(node)
  }

  @inline(never)
  private func integerSlowly<Value: FixedWidthInteger>(_ node: UInt64) -> Value? {
    let json = view(node)
    guard json.kind == .number else { return nil }
    if !json.isNative, case .success(let value) = json.foreignInt64 { return Value(exactly: value) }
    return Value(integral: json.numberText)
  }

  @inline(__always)
  func double(_ node: UInt64) -> Double? {
    let json = view(node)
    if json.isNativeNumber { return json.numberToken.double() }
    return json.kind == .number ? json.foreignReal : doubleFromString(node)
  }

  func float(_ node: UInt64) -> Float? {
    let json = view(node)
    if json.isNativeNumber { return json.numberToken.float() }
    if json.kind != .number { return doubleFromString(node).map { Float($0) } }
    guard let real = json.foreignReal else { return nil }
    return Float(real).isFinite ? Float(real) : nil
  }

  /// What a string stands for, if strings can stand for numbers.
  @inline(never)
  private func doubleFromString(_ node: UInt64) -> Double? {
    guard let text = view(node).string else { return nil }
    guard
      case .convertFromString(let positive, let negative, let nan) =
        unsafe level.takeUnretainedValue().session.settings.floats
    else { return nil }
    if text == positive { return .infinity }
    if text == negative { return -.infinity }
    return text == nan ? .nan : nil
  }
}

extension FixedWidthInteger {
  /// The value of a number in JSON's grammar if it is integral, however it is written.
  init?(integral text: String) {
    var digits: [UInt8] = []
    var scale = 0
    var bytes = text.utf8[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes.removeFirst() }
    var isFraction = false
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        if bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        let isSmall = bytes.first == UInt8(ascii: "-")
        // An exponent beyond Int is beyond every integer, unless all the digits are 0.
        let exponent = Int(Substring(bytes)) ?? (isSmall ? Int.min / 2 : Int.max / 2)
        scale = Swift.min(Swift.max(exponent, Int.min / 2), Int.max / 2) + scale
        bytes = bytes[bytes.endIndex...]
      default:
        digits.append(byte - UInt8(ascii: "0"))
        if isFraction { scale -= 1 }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      scale += 1
    }
    guard let first = digits.firstIndex(where: { $0 != 0 }) else {
      self = 0
      return
    }
    // 39 digits are more than any integer type has.
    guard scale >= 0, scale + (digits.count - first) <= 39 else { return nil }
    var value: Self = 0
    for digit in digits[first...] + Array(repeating: 0, count: scale) {
      let (tens, overflows) = value.multipliedReportingOverflow(by: 10)
      let (next, carries) =
        isNegative
        ? tens.subtractingReportingOverflow(Self(digit))
        : tens.addingReportingOverflow(Self(digit))
      if overflows || carries { return nil }
      value = next
    }
    self = value
  }
}
