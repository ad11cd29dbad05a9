// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Dates and times by RFC 3339 §5.6, without Foundation and without a formatter:
//
//   2024-02-29T23:59:60.125+01:00
//   year-month-day T hour:minute:second [.fraction] (Z or ±hour:minute)
//
// Checked: every field's range, the length of the month, leap seconds (only as the last second of a month
// in UTC, §5.7). `t` and `z` may be small. A space for the `T` is refused.

/// An instant: seconds since 1970-01-01T00:00:00Z, leap seconds not counted, and nanoseconds.
public struct JSONTimestamp: Hashable, Sendable {
  /// Whole seconds since 1970, rounded down.
  public let seconds: Int64
  /// 0 to 999 999 999, after `seconds`.
  public let nanoseconds: Int32

  /// An instant. Traps if the nanoseconds are not 0 to 999 999 999.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    precondition((0..<1_000_000_000).contains(nanoseconds), "nanoseconds are 0 to 999999999")
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The instant of a date and time, or nil for any other text. Digits after the ninth of a fraction are
  /// dropped. A leap second is the second after it.
  @_alwaysEmitIntoClient
  public init?(rfc3339 text: some StringProtocol) { self.init(String(text)) }

  @usableFromInline
  init?(_ text: String) {
    var text = text
    // SAFETY: the reader is used while the text is there.
    let timestamp = text.withUTF8 {
      JSONTimestamp(DateReader(bytes: unsafe Bytes($0.baseAddress, $0.count)))
    }
    guard let timestamp else { return nil }
    self = timestamp
  }

  /// The same of bytes; or of a text without a zone, as if it were in UTC.
  package init?(rfc3339 text: Bytes, hasZone: Bool = true) {
    self.init(DateReader(bytes: text), hasZone: hasZone)
  }

  /// Days since 1970 of a date, such as `2024-02-29`; nil for any other text.
  package static func day(rfc3339 text: Bytes) -> Int64? {
    var reader = DateReader(bytes: text)
    guard let day = reader.day(), reader.isAtEnd else { return nil }
    return day
  }

  private init?(_ reader: consuming DateReader, hasZone: Bool = true) {
    guard let day = reader.day(), reader.take("T", "t"), let hour = reader.number(2),
      reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2), let fraction = reader.fraction(),
      let offset = hasZone ? reader.offset() : 0, reader.isAtEnd
    else { return nil }
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    let minutes = Int64(hour * 60 + minute - offset)
    let start = day * 86_400 + minutes * 60
    if second == 60 && !isLastMinuteOfMonth(start) { return nil }
    self.init(seconds: start + Int64(second), nanoseconds: fraction)
  }
}

extension JSONTimestamp {
  /// The instant in UTC, such as `2024-02-29T12:30:00.125Z`, with as many digits of a fraction as it needs. Nil for
  /// years beyond 0 to 9999, which RFC 3339 cannot express.
  public var rfc3339: String? {
    var isWritten = true
    let text = unsafe String(unsafeUninitializedCapacity: 30) { room in
      let count = unsafe write(to: room)
      isWritten = count != nil
      return count ?? 0
    }
    return isWritten ? text : nil
  }

  /// Writes the same into space for 30 bytes. Returns how many it takes; nil for years beyond 0 to 9999.
  package func write(to room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    let day = seconds.dividedDown(by: 86_400)
    // Other days are so far away that their seconds overflow.
    guard let (year, month, date) = calendarDate(day), year <= 9999 else { return nil }
    let second = Int(seconds - day * 86_400)
    var (fraction, count) = (Int(nanoseconds), 9)
    while count > 0, fraction.isMultiple(of: 10) { (fraction, count) = (fraction / 10, count - 1) }
    var text = unsafe DateWriter(room)
    text.add(year, 4, "-")
    text.add(month, 2, "-")
    text.add(date, 2, "T")
    text.add(second / 3600, 2, ":")
    text.add(second / 60 % 60, 2, ":")
    text.add(second % 60, 2, count > 0 ? "." : "Z")
    if count > 0 { text.add(fraction, count, "Z") }
    return text.count
  }

  /// Writes the date of a day since 1970 into space for 11 bytes. Returns how many it takes; nil for years beyond 0 to 9999.
  package static func write(day: Int64, to room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let (year, month, date) = calendarDate(day), year <= 9999 else { return nil }
    var text = unsafe DateWriter(room)
    text.add(year, 4, "-")
    text.add(month, 2, "-")
    text.add(date, 2, "Z")
    return text.count - 1
  }
}

/// A text of numbers with leading zeros, each followed by a character.
@safe
private struct DateWriter {
  // SAFETY: the caller's buffer has space for everything that is added.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  @unsafe
  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { unsafe self.bytes = bytes }

  mutating func add(_ number: Int, _ digits: Int, _ next: Unicode.Scalar) {
    var rest = number
    for place in (count..<count + digits).reversed() {
      unsafe bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    unsafe bytes[count + digits] = UInt8(ascii: next)
    count += digits + 1
  }
}

extension Int64 {
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension JSONTimestamp: Comparable {
  /// Whether the left instant is earlier.
  public static func < (left: JSONTimestamp, right: JSONTimestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension JSONTimestamp: JSONDecodable {
  /// A string by RFC 3339.
  public static func decode(_ json: JSON) -> Decoded<JSONTimestamp> {
    json.parsed("a date and time by RFC 3339") { JSONTimestamp(rfc3339: $0) }
  }
}

// MARK: - Reading

/// Owns the place in the text. Every verb moves on only if it succeeds.
private struct DateReader {
  let bytes: Bytes
  private var place = 0

  init(bytes: Bytes) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  private var next: UInt8? { isAtEnd ? nil : bytes[place] }

  private mutating func digit() -> Int? {
    guard let byte = next, byte &- UInt8(ascii: "0") < 10 else { return nil }
    place += 1
    return Int(byte - UInt8(ascii: "0"))
  }

  /// A number of exactly so many digits.
  mutating func number(_ count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// A date, as days since 1970.
  mutating func day() -> Int64? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1...12).contains(month), (1...daysIn(month, year)).contains(day)
    else { return nil }
    return daysSince1970(year, month, day)
  }

  /// One of two characters.
  mutating func take(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
    guard let byte = next, byte == UInt8(ascii: one) || byte == UInt8(ascii: other) else {
      return false
    }
    place += 1
    return true
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool { take(character, character) }

  /// Nanoseconds; 0 if there is no fraction, nil if it has no digits.
  mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    guard let first = digit() else { return nil }
    var nanoseconds = Int32(first)
    var count = 1
    while let digit = digit() {
      if count < 9 {
        nanoseconds = nanoseconds * 10 + Int32(digit)
        count += 1
      }
    }
    while count < 9 {
      nanoseconds *= 10
      count += 1
    }
    return nanoseconds
  }

  /// Minutes east of UTC.
  mutating func offset() -> Int? {
    if take("Z", "z") { return 0 }
    let isWest = next == UInt8(ascii: "-")
    guard take("+", "-"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
      minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}

// MARK: - The calendar

private func isLeap(_ year: Int) -> Bool {
  year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
}

private func daysIn(_ month: Int, _ year: Int) -> Int {
  switch month {
  case 2: isLeap(year) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

/// Days of the proleptic Gregorian calendar. Years begin in March, so that leap days end them, and 400 of
/// them have 146 097 days.
private func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
  // 400 years ahead, so that nothing is negative.
  let shifted = year + 400 - (month <= 2 ? 1 : 0)
  let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
  let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear
  return Int64(days - 719_468 - 146_097)
}

/// The date of a day since 1970, or nil before the year 0 and after the first day of the year 10 000.
private func calendarDate(_ day: Int64) -> (year: Int, month: Int, day: Int)? {
  guard (daysSince1970(0, 1, 1)...daysSince1970(10_000, 1, 1)).contains(day) else { return nil }
  // The year by its mean length is at most one off.
  var year = 1970 + Int((day * 400).dividedDown(by: 146_097))
  while daysSince1970(year, 1, 1) > day { year -= 1 }
  while daysSince1970(year + 1, 1, 1) <= day { year += 1 }
  var month = 12
  while daysSince1970(year, month, 1) > day { month -= 1 }
  return (year, month, Int(day - daysSince1970(year, month, 1)) + 1)
}

/// Whether a minute, by its first second, is 23:59 on the last day of a month in UTC.
private func isLastMinuteOfMonth(_ start: Int64) -> Bool {
  let next = start + 60
  return next % 86_400 == 0 && calendarDate(next / 86_400)?.day == 1
}
