// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Values of the kinds that need no block: numbers, booleans, characters, names, flags. Each function stores on
// success only, and returns a status.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// Stores a value of one of the kinds that need no block.
@inline(__always)
func store(_ json: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory) -> Status {
  if kind == .bool {
    guard let value = json.bool else { return typeMismatch }
    place.store(value ? 1 : 0 as UInt8)
    return ok
  }
  return kind.isNumber
    ? storeNumber(json, kind, field, to: place) : storeOther(json, kind, field, to: place)
}

@inline(never)
private func storeOther(
  _ json: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  switch kind {
  case .time where field.has(DECANT_EPOCH): return storeNumber(json, .int64, field, to: place)
  case .characters:
    var count = 0
    return storeCharacters(json, field, to: place, &count)
  case .name, .time, .date:
    var count = 0
    return withBytes(of: json) { storeText($0, kind, field, to: place, &count) }
  case .flags: return storeFlags(json, field, to: place)
  case .kind:
    place.store(json.kind.rawValue as Int32)
    return ok
  case .decimal: return storeDecimal(json, field, to: place)
  case .uuid: return storeUUID(json, to: place)
  case .fixedBase64: return storeFixedBase64(json, field, to: place)
  case .converted: return withConversionMessage { storeConverted(json, field, to: place, $0) }
  default: return Status(DECANT_INVALID_RECORD)
  }
}

// MARK: - Numbers

@inline(never)
private func storeNumber(
  _ json: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  json.isNativeNumber
    ? storeToken(json.numberToken, kind, field, to: place)
    : storeOtherNumber(json, kind, field, to: place)
}

/// A number of another engine, or in a string.
@inline(never)
private func storeOtherNumber(
  _ json: JSON, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  let found = json.kind
  if found == .string, field.has(DECANT_FROM_TEXT) {
    return withNumber(in: json) { storeNumber($0, kind, field, to: place) }
  }
  guard found == .number, let engine = unsafe json.foreign else { return typeMismatch }
  if kind.isReal {
    let real = kind == .double ? json.foreignReal : json.foreignFloat.map { Double($0) }
    guard let real else { return typeMismatch }
    return real.isFinite ? storeReal(real, kind, field, to: place) : outOfRange
  }
  var integer: Int64 = 0
  guard unsafe engine.pointee.integer(json.context, json.node, &integer) else {
    guard field.has(DECANT_INTEGRAL), let real = json.foreignReal, real.isIntegral else {
      return notAnInteger
    }
    if kind == .uint64, 0x1p63..<0x1p64 ~= real {
      let value = UInt64(real)
      guard field.accepts(value) else { return invalidValue }
      place.store(value)
      return ok
    }
    guard -0x1p63..<0x1p63 ~= real else { return outOfRange }
    return storeInteger(Int64(real), kind, field, to: place)
  }
  return storeInteger(integer, kind, field, to: place)
}

extension Double {
  /// Whether it is an integer. `rounded()` and `init(exactly:)` would need the math library, which other code does not
  /// link.
  fileprivate var isIntegral: Bool {
    magnitude < 0x1p53 ? Double(Int64(self)) == self : isFinite
  }
}

/// Stores a number; a field of another kind is a mismatch.
@inline(never)
func storeNumber(
  _ token: NumberToken, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  kind.isNumber ? storeToken(token, kind, field, to: place) : typeMismatch
}

@inline(__always)
private func storeToken(
  _ token: NumberToken, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  if kind.isReal {
    let value = kind == .double ? token.shortDouble() : token.float().map { Double($0) }
    return value.map { storeReal($0, kind, field, to: place) } ?? outOfRange
  }
  if kind == .uint64, let value: UInt64 = token.integer() {
    guard field.accepts(value) else { return invalidValue }
    place.store(value)
    return ok
  }
  if kind != .uint64, let value: Int64 = token.integer() {
    return storeInteger(value, kind, field, to: place)
  }
  if token.isReal, field.has(DECANT_INTEGRAL) {
    return storeIntegral(token, kind, field, to: place)
  }
  return token.isReal ? notAnInteger : outOfRange
}

/// An integer that is written with a point or an exponent: 1.0, 1.795732158e+15. Exact, whatever it is written like.
@inline(never)
private func storeIntegral(
  _ token: NumberToken, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  let text = unsafe Bytes(token.text + token.offset, token.length &- token.offset)
  var number = IntegralNumber()
  let status = number.read(text)
  if status != ok { return status }
  if kind == .uint64 {
    if number.isNegative, number.magnitude != 0 { return outOfRange }
    guard field.accepts(number.magnitude) else { return invalidValue }
    place.store(number.magnitude)
    return ok
  }
  guard let value = number.value else { return outOfRange }
  return storeInteger(value, kind, field, to: place)
}

/// A number's text as an integer: its digits without the point, and how many zeros follow them.
private struct IntegralNumber {
  private(set) var magnitude: UInt64 = 0
  private(set) var isNegative = false

  var value: Int64? {
    if !isNegative { return Int64(exactly: magnitude) }
    return magnitude <= 1 << 63 ? 0 &- Int64(truncatingIfNeeded: magnitude) : nil
  }

  /// Reads the number that a text begins with: `ok`, or why it is no integer of 64 bits.
  mutating func read(_ text: Bytes) -> Status {
    let mantissa = end(of: text)
    var (digits, shift) = (0, exponent(text[mantissa..<text.count]))
    var isFraction = false
    for place in 0..<mantissa {
      if text[place] == UInt8(ascii: ".") { isFraction = true }
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[place] else { continue }
      digits += 1
      if isFraction { shift -= 1 }
    }
    if digits == 0 { return notAnInteger }
    isNegative = text[0] == UInt8(ascii: "-")
    // Digits after the point must be zeros.
    var left = max(digits + min(shift, 0), 0)
    for place in 0..<mantissa {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[place] else { continue }
      let digit = UInt64(text[place] - UInt8(ascii: "0"))
      if left == 0 {
        if digit != 0 { return notAnInteger }
      } else {
        left -= 1
        if !append(digit) { return outOfRange }
      }
    }
    // 2^64 has 20 digits.
    if magnitude != 0 {
      for _ in 0..<min(max(shift, 0), 20) where !append(0) { return outOfRange }
    }
    return ok
  }

  private mutating func append(_ digit: UInt64) -> Bool {
    let (product, isLarge) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(digit)
    magnitude = sum
    return !isLarge && !carry
  }

  /// The end of the digits and the point.
  private func end(of text: Bytes) -> Int {
    var place = 0
    while place < text.count {
      let byte = text[place]
      guard
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
          || byte == UInt8(ascii: "-") && place == 0
      else { break }
      place += 1
    }
    return place
  }

  /// The exponent that a text begins with, or as many as no number of digits reaches.
  private func exponent(_ text: Bytes) -> Int {
    guard text.count > 1, text[0] | 0x20 == UInt8(ascii: "e") else { return 0 }
    var (place, size) = (1, 0)
    let isMinus = text[1] == UInt8(ascii: "-")
    if isMinus || text[1] == UInt8(ascii: "+") { place = 2 }
    while place < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[place] {
      size = min(size * 10 + Int(text[place] - UInt8(ascii: "0")), Int(Int32.max) / 16)
      place += 1
    }
    return isMinus ? -size : size
  }
}

/// One body for all widths, with and without sign.
@inline(__always)
private func storeInteger(
  _ value: Int64, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  guard kind.holds(value) else { return outOfRange }
  if field.hasBounds, !field.accepts(value) { return invalidValue }
  place.store(value, width: kind.width)
  return ok
}

@inline(__always)
private func storeReal(
  _ value: Double, _ kind: FieldKind, _ field: FieldRef, to place: Memory
) -> Status {
  if kind == .double {
    guard !field.hasBounds || field.accepts(value) else { return invalidValue }
    place.store(value)
  } else {
    let narrow = Float(value)
    guard !field.hasBounds || field.accepts(narrow) else { return invalidValue }
    place.store(narrow)
  }
  return ok
}

/// Calls `body` with the number that a string spells; any other string is an invalid value.
func withNumber(in json: JSON, _ body: (NumberToken) -> Status) -> Status {
  withBytes(of: json) { bytes in
    guard let start = unsafe bytes.start else { return invalidValue }
    // SAFETY: exactly one number, which is the whole text.
    let number = unsafe decant_read_number(start, start + bytes.count)
    guard unsafe number.end == start + bytes.count else { return invalidValue }
    return unsafe body(
      NumberToken(unchecked: start, length: bytes.count, offset: 0, shape: number.facts))
  }
}

// MARK: - Strings of fixed size, names

/// Stores a string of fixed size, and returns its length in `count`.
@inline(never)
func storeCharacters(
  _ json: JSON, _ field: FieldRef, to place: Memory, _ count: inout Int
) -> Status {
  withBytes(of: json, field) { storeText($0, .characters, field, to: place, &count) }
}

/// Stores what a string spells, of one of the kinds that need no block: without escapes.
@inline(never)
func storeText(
  _ bytes: Bytes, _ kind: FieldKind, _ field: FieldRef, to place: Memory, _ count: inout Int
) -> Status {
  switch kind {
  case .characters:
    guard field.accepts(bytes: bytes.count, .characters),
      field.counts(.characters) || !bytes.hasNUL
    else { return invalidValue }
    count = bytes.count
    place.copy(bytes)
    place.store(0 as UInt8, at: bytes.count)
  case .name:
    var result: Int64 = 0
    let status = value(of: bytes, among: field.names, &result)
    if status != ok { return status }
    place.store(Int32(truncatingIfNeeded: result))
  case .time: return storeTime(bytes, field, to: place)
  case .date:
    guard let day = JSONTimestamp.day(rfc3339: bytes), !field.hasBounds || field.accepts(day)
    else { return invalidValue }
    place.store(Int32(day))
  default: return typeMismatch
  }
  return ok
}

/// The value of the name here.
func value(of json: JSON, among names: NameList?, _ value: inout Int64) -> Status {
  var result: Int64 = 0
  let status = withBytes(of: json) { DecantC.value(of: $0, among: names, &result) }
  value = result
  return status
}

private func value(of name: Bytes, among names: NameList?, _ value: inout Int64) -> Status {
  guard let entry = names?.first(where: { $0.name == name }) else { return invalidValue }
  value = entry.value
  return NameList.canHave(value) ? ok : Status(DECANT_INVALID_RECORD)
}

/// A date and time as units since 1970.
private func storeTime(_ text: Bytes, _ field: FieldRef, to place: Memory) -> Status {
  guard let time = JSONTimestamp(rfc3339: text, hasZone: !field.has(DECANT_ZONELESS)) else {
    return invalidValue
  }
  var fraction = Int64(time.nanoseconds) / (1_000_000_000 / field.unitsOfSecond)
  var seconds = time.seconds
  // Equal signs: the whole seconds of the least time, rounded down, do not fit into 64 bits.
  if seconds < 0, fraction > 0 {
    (seconds, fraction) = (seconds + 1, fraction - field.unitsOfSecond)
  }
  let (whole, overflow) = seconds.multipliedReportingOverflow(by: field.unitsOfSecond)
  let (units, carry) = whole.addingReportingOverflow(fraction)
  if overflow || carry { return outOfRange }
  guard !field.hasBounds || field.accepts(units) else { return invalidValue }
  place.store(units)
  return ok
}

private func storeFlags(_ json: JSON, _ field: FieldRef, to place: Memory) -> Status {
  if json.kind != .array { return typeMismatch }
  var flags: UInt32 = 0
  var elements = json.elements
  while let element = elements.next() {
    var flag: Int64 = 0
    let status = value(of: element, among: field.names, &flag)
    if status != ok { return status }
    flags |= UInt32(truncatingIfNeeded: flag)
  }
  place.store(flags)
  return ok
}

// MARK: - Conversions of the program's

/// Bytes of the message of a conversion, as decant.h says.
private let conversionMessage = 256

/// Calls `body` with memory of zeros for the message of a conversion.
func withConversionMessage<Result>(_ body: (Memory) -> Result) -> Result {
  withStackMemory(conversionMessage) { message in
    message.clear(conversionMessage)
    return body(message)
  }
}

extension Memory {
  /// The message that a conversion has left here.
  var conversionText: Bytes { cString(within: conversionMessage) }

  /// The same for a function of C.
  var mutableText: UnsafeMutablePointer<CChar> {
    unsafe start.assumingMemoryBound(to: CChar.self)
  }
}

/// Calls the program's function for a value; DECANT_CUSTOM if that refuses it.
@inline(never)
func storeConverted(
  _ json: JSON, _ field: FieldRef, to place: Memory, _ message: Memory
) -> Status {
  guard let conversion = field.conversion else { return Status(DECANT_INVALID_RECORD) }
  if conversion.takes_text != 0 {
    return withBytes(of: json) { conversion.decode($0, field, to: place, message) }
  }
  return json.withRawText { conversion.decode($0, field, to: place, message) }
}

extension decant_conversion {
  fileprivate func decode(
    _ text: Bytes, _ field: FieldRef, to place: Memory, _ message: Memory
  ) -> Status {
    place.clear(field.extentOfMember)
    // SAFETY: the program's function gets the number of readable bytes. An empty text may be anywhere.
    let start = unsafe (text.memory ?? place).textPointer
    let isAccepted = unsafe decode?(context, start, text.count, place.start, message.mutableText)
    return isAccepted == true ? ok : Status(DECANT_CUSTOM)
  }
}
