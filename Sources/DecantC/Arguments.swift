// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The arguments of the C functions as safe values. decant.h asks that a pointer that is not NULL points to what its
// type says, for the whole call; whoever makes one of these values passes that promise on, and nobody else has to.

internal import CDecant
internal import DecantCore

extension Bytes {
  /// The caller's text; nil if it is NULL and not empty, or if its length is that of no memory.
  @inline(__always)
  init?(_ text: UnsafePointer<CChar>?, length: Int) {
    guard unsafe text != nil || length == 0, length >= 0 else { return nil }
    unsafe self.init(UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self), length)
  }
}

extension RecordRef {
  /// The caller's table, or nil.
  @inline(__always)
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
    unsafe withUnsafePointer(
      to: decant_record(size: size, fields: $0, field_count: 1, storage_offset: storage)
    ) { unsafe body(RecordRef($0)) }
  }
}

extension decant_field {
  /// Calls `body` with this row as a table's.
  // SAFETY: the row is where it is during the call, and `body` returns without it.
  @inline(__always)
  func refer<Result>(_ body: (FieldRef) -> Result) -> Result {
    unsafe withUnsafePointer(to: self) { unsafe body(FieldRef($0)) }
  }
}

extension Memory {
  /// What the caller has, or nil.
  @inline(__always)
  init?(_ start: UnsafeMutableRawPointer?) {
    guard let start = unsafe start else { return nil }
    unsafe self.init(start)
  }

  /// What the caller has, to be read; or nil.
  init?(reading start: UnsafeRawPointer?) {
    unsafe self.init(UnsafeMutableRawPointer(mutating: start))
  }
}

/// Where a function writes what it returns, or nothing.
@safe
struct Out<Value> {
  // SAFETY: the caller's variable, or nil.
  private let place: UnsafeMutablePointer<Value>?

  @inline(__always)
  init(_ place: UnsafeMutablePointer<Value>?) { unsafe self.place = place }

  @inline(__always)
  func store(_ value: Value) { unsafe place?.pointee = value }
}

/// Where a function writes the handle that it makes, or nothing.
@safe
struct HandleOut {
  // SAFETY: the caller's variable, or nil.
  private let place: UnsafeMutablePointer<OpaquePointer?>?

  init(_ place: UnsafeMutablePointer<OpaquePointer?>?) { unsafe self.place = place }

  var isThere: Bool { unsafe place != nil }

  func store(_ handle: Handle<some Any>) { unsafe store(handle.opaque) }

  func store(_ handle: OpaquePointer) { unsafe place?.pointee = handle }
}

/// The caller's options, before they are checked.
@safe
struct Options {
  // SAFETY: options that begin with their size, or nil.
  private let options: UnsafePointer<decant_options>?

  @inline(__always)
  init(_ options: UnsafePointer<decant_options>?) { unsafe self.options = options }

  /// What the options ask for; throws why they cannot be followed.
  @inline(__always)
  func settings() throws(Settings.Refusal) -> Settings { try unsafe Settings(options) }

  /// Calls `body` with what the options ask for, or reports why they cannot be followed.
  @inline(__always)
  func follow(
    _ error: ErrorOut, _ body: (Settings) throws(Settings.Refusal) -> Status
  ) -> Status {
    do throws(Settings.Refusal) { return try body(settings()) } catch let refusal {
      return refusal.report(to: error)
    }
  }
}
