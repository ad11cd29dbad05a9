// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The arguments of the C functions as safe values. decant.h requires that a pointer that is not NULL is valid for
// its type during the whole call. The code that makes one of these values relies on that, and no other code has to.

internal import CDecant
internal import DecantCore

extension Bytes {
  /// The caller's text; nil if it is NULL and not empty, or if its length is that of no memory.
  init?(_ text: UnsafePointer<CChar>?, length: Int) {
    guard unsafe text != nil || length == 0, length >= 0 else { return nil }
    unsafe self.init(UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self), length)
  }

  /// A C string as it is; nil for NULL.
  init?(cString start: UnsafePointer<CChar>?) {
    guard let start = unsafe start else { return nil }
    self = unsafe Memory(reading: start).cString
  }
}

extension RecordRef {
  /// The caller's table, or nil.
  init?(_ record: UnsafePointer<decant_record>?) {
    guard let record = unsafe record else { return nil }
    unsafe self.init(record)
  }
}

/// Calls `body` with a table of this library's own, of a struct with one field.
// SAFETY: the table is where it is during the call, and `body` returns without it.
@inline(__always)
func withTable(
  size: Int, storage: Int = 0, _ field: decant_field, _ body: (RecordRef) -> Status
) -> Status {
  unsafe withUnsafePointer(to: field) {
    var record = decant_record()
    record.size = size
    unsafe record.fields = $0
    record.field_count = 1
    record.storage_offset = storage
    record.flags = decant_record.own
    return unsafe withUnsafePointer(to: record) { unsafe body(RecordRef($0)) }
  }
}

extension decant_record {
  /// The flag of a table that was made for one call, around the caller's.
  static var own: UInt32 { 1 << 31 }
  /// The flag of a record of a copy (RecordPlan).
  static var prepared: UInt32 { 1 << 30 }
}

extension decant_field {
  /// Calls `body` with this row as a table's.
  // SAFETY: the row is where it is during the call, and `body` returns without it.
  @inline(__always)
  func refer<Result>(_ body: (FieldRef) -> Result) -> Result {
    unsafe withUnsafePointer(to: self) { unsafe body(FieldRef($0)) }
  }

  /// The same with a row that accepts whatever its kind does.
  func unbounded<Result>(_ body: (FieldRef) -> Result) -> Result {
    var row = self
    unsafe row.bounds = nil
    return row.refer(body)
  }
}

extension Memory {
  /// The caller's memory, or nil for NULL.
  init?(_ start: UnsafeMutableRawPointer?) {
    guard let start = unsafe start else { return nil }
    unsafe self.init(start)
  }

  /// The caller's memory, for reading only; nil for NULL.
  init?(reading start: UnsafeRawPointer?) {
    unsafe self.init(UnsafeMutableRawPointer(mutating: start))
  }
}

/// Calls `body` with what the caller's options ask for, or reports why they cannot be followed.
@inline(__always)
func follow(
  _ options: UnsafePointer<decant_options>?, _ error: ErrorOut,
  _ body: (Settings) throws(Settings.Refusal) -> Status
) -> Status {
  do throws(Settings.Refusal) { return try body(unsafe Settings(options)) } catch let refusal {
    return error.refuse(refusal.code, refusal.message)
  }
}
