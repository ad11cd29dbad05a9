// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Decimals: whole numbers of 128 bits that count units of 10^-scale, as Arrow and SQL have them. A number's text is read
// digit by digit, so that nothing is rounded:
//
//   text     -120.50e1       scale 2
//   digits   1 2 0 5         without the zeros at both ends, × 10^0
//   stored   -120500

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// The most digits of a decimal.
let mostDecimalDigits = 38

extension FieldRef {
  /// For a DECANT_DECIMAL: the number of its digits, and of the digits after the point.
  var precision: Int { kind == .decimal && capacity != 0 ? capacity : mostDecimalDigits }
  var scale: Int { Int(row.scale) }
}

/// Stores a number as a decimal. A number with more digits after the point is an invalid value, one that is too large is
/// out of range.
func storeDecimal(_ json: JSON, _ field: FieldRef, to place: Memory) -> Status {
  if let text = json.isNativeNumber ? json.rawText : nil { return storeDecimal(text, field, place) }
  let kind = json.kind
  if kind == .string, field.has(DECANT_FROM_TEXT) {
    let status = withNumber(in: json) { _ in ok }
    return status == ok ? withBytes(of: json) { storeDecimal($0, field, place) } : status
  }
  guard kind == .number, let engine = unsafe json.foreign else { return typeMismatch }
  // Other engines' numbers are exact only if they are integers.
  var integer: Int64 = 0
  guard unsafe engine.pointee.integer(json.context, json.node, &integer) else {
    return Status(DECANT_UNSUPPORTED)
  }
  return withStackMemory(24) { memory in
    var text = BoundedText(memory, capacity: 24)
    text.add(integer)
    return storeDecimal(memory.bytes(text.count), field, place)
  }
}

private func storeDecimal(_ text: Bytes, _ field: FieldRef, _ place: Memory) -> Status {
  var number = Decimal128()
  // Zeros that matter only if another digit follows; the digits after the point; the digits so far.
  var (zeros, behind, digits) = (0, 0, 0)
  var isBehind = false
  var at = text[0] == UInt8(ascii: "-") ? 1 : 0
  scan: while at < text.count {
    switch text[at] {
    case UInt8(ascii: "."): isBehind = true
    case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
    case let byte where byte &- UInt8(ascii: "0") <= 9:
      if isBehind { behind += 1 }
      if byte == UInt8(ascii: "0") {
        if digits > 0 { zeros += 1 }
      } else {
        digits += zeros + 1
        if digits > mostDecimalDigits { return outOfRange }
        for _ in 0..<zeros { number.append(0) }
        number.append(UInt64(byte - UInt8(ascii: "0")))
        zeros = 0
      }
    // A number beyond RFC 8259, which has no digits.
    default: return outOfRange
    }
    at += 1
  }
  if digits == 0 {
    guard !field.hasBounds || field.accepts(0 as Int64) else { return invalidValue }
    number.store(to: place)
    return ok
  }
  let shift = exponent(text[at..<text.count]) + Int64(zeros - behind + field.scale)
  if shift < 0 { return invalidValue }
  if shift > Int64(field.precision - digits) { return outOfRange }
  for _ in 0..<shift { number.append(0) }
  if text[0] == UInt8(ascii: "-") { number.negate() }
  guard !field.hasBounds || field.accepts(number) else { return invalidValue }
  number.store(to: place)
  return ok
}

/// The exponent of a number, such as `e-7`, or 0 of no bytes. Where it is beyond the bytes of any document, some exponent
/// beyond them.
private func exponent(_ text: Bytes) -> Int64 {
  var (value, isNegative) = (Int64(0), false)
  for place in 0..<text.count {
    switch text[place] {
    case UInt8(ascii: "-"): isNegative = true
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if value < 1 << 48 { value = value * 10 + Int64(text[place] - UInt8(ascii: "0")) }
    default: break
    }
  }
  return isNegative ? -value : value
}

extension FieldRef {
  /// Whether a decimal is inside of the field's bounds, which have 64 bits.
  fileprivate func accepts(_ number: Decimal128) -> Bool {
    if let units = number.units { return accepts(units) }
    guard let (minimum, maximum) = integerBounds else { return true }
    return number.isNegative ? minimum == nil : maximum == nil
  }

  /// The same of the decimal at a place.
  func accepts(decimalAt place: Memory) -> Bool { accepts(Decimal128(at: place)) }
}

extension Memory {
  /// The units of a time, a date or a decimal; nil for a decimal that does not fit.
  func units(_ kind: FieldKind) -> Int64? {
    switch kind {
    case .decimal: Decimal128(at: self).units
    case .date: Int64(load(Int32.self))
    default: load(Int64.self)
    }
  }

  /// Stores units as the value of a kind.
  func store(units: Int64, _ kind: FieldKind) {
    switch kind {
    case .decimal: Decimal128(units).store(to: self)
    case .date: store(Int32(clamping: units))
    default: store(units)
    }
  }
}

extension BoundedText {
  /// Adds units as the JSON of a time, a date or a decimal. False if there is none.
  mutating func add(units: Int64, of kind: FieldKind, _ field: FieldRef) -> Bool {
    let text = self
    let (isWritten, longer) = withStackMemory(16) { memory in
      memory.store(units: units, kind)
      var writer = RecordWrite(text, .none)
      let isWritten = field.row.unbounded { writer.writeLeaf($0, kind, memory, nil) == nil }
      return (isWritten, writer.text)
    }
    self = longer
    return isWritten
  }
}

/// A number of 128 bits, which platforms have no type of.
private struct Decimal128 {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init() {}

  init(_ units: Int64) {
    low = UInt64(bitPattern: units)
    high = units < 0 ? .max : 0
  }

  /// The number, if it fits.
  var units: Int64? {
    let value = Int64(bitPattern: low)
    return high == (value < 0 ? .max : 0) ? value : nil
  }

  init(at place: Memory) {
    low = place.load(UInt64.self, at: Decimal128.lowPlace)
    high = place.load(UInt64.self, at: 8 - Decimal128.lowPlace)
  }

  /// The place of the lower half, by the platform's byte order.
  private static var lowPlace: Int { 1.littleEndian == 1 ? 0 : 8 }

  func store(to place: Memory) {
    place.store(low, at: Decimal128.lowPlace)
    place.store(high, at: 8 - Decimal128.lowPlace)
  }

  var isNegative: Bool { high >> 63 != 0 }

  /// Ten times the number, and a digit. There is space for 38 digits.
  mutating func append(_ digit: UInt64) {
    let (carry, product) = low.multipliedFullWidth(by: 10)
    let (sum, overflow) = product.addingReportingOverflow(digit)
    high = high &* 10 &+ carry &+ (overflow ? 1 : 0)
    low = sum
  }

  mutating func negate() {
    low = ~low &+ 1
    high = ~high &+ (low == 0 ? 1 : 0)
  }

  /// The last digit, which is taken away.
  mutating func removeLast() -> UInt8 {
    let (upper, rest) = high.quotientAndRemainder(dividingBy: 10)
    let (lower, digit) = (10 as UInt64).dividingFullWidth((rest, low))
    (high, low) = (upper, lower)
    return UInt8(digit)
  }

  var isZero: Bool { high == 0 && low == 0 }
}

extension BoundedText {
  /// Adds the decimal at a place, with `scale` digits after the point. False if it has more digits than the field.
  mutating func add(decimal place: Memory, _ field: FieldRef) -> Bool {
    var number = Decimal128(at: place)
    let isNegative = number.isNegative
    if isNegative { number.negate() }
    let scale = field.scale
    return withStackMemory(48) { digits in
      // From the last one on.
      var count = 0
      while !number.isZero || count <= scale, count <= mostDecimalDigits + 1 {
        digits.store(UInt8(ascii: "0") + number.removeLast(), at: count)
        count += 1
      }
      // The zero before the point is not a digit of a number below 1.
      let least = digits.load(UInt8.self, at: count - 1) == UInt8(ascii: "0") ? count - 1 : count
      if !number.isZero || least > field.precision { return false }
      if isNegative { add(UInt8(ascii: "-")) }
      for place in (0..<count).reversed() {
        add(digits.load(UInt8.self, at: place))
        if place == scale, scale > 0 { add(UInt8(ascii: ".")) }
      }
      return true
    }
  }
}
