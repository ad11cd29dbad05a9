// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The destination of an error in C: the caller's decant_error, the text of decant_error_text(), or nothing.
// Report.swift finds out what is wrong; this file knows the layout of the struct, and how much of it a caller has.
//
//   decant_error   size | code, count, place | texts of a fixed size, each with its NUL byte
//
// A struct that is smaller than ours is not written. A struct of zeros has the size of the first version's.

internal import CDecant
internal import DecantCore

/// The caller's error struct, or none.
@safe
struct ErrorOut {
  // SAFETY: of at least our size, or nil.
  private let error: UnsafeMutablePointer<decant_error>?
  /// Whether the message has the error only, without the place and the source line, and there are no details.
  let isBrief: Bool
  // SAFETY: of the frame that made this value, which outlives it.
  private let list: UnsafeMutablePointer<ErrorList>?

  init(_ error: UnsafeMutablePointer<decant_error>?, isBrief: Bool = false) {
    self.isBrief = isBrief
    unsafe list = nil
    let isKnown =
      unsafe error.map { error in
        let size = unsafe error.pointee.size
        return size == 0 || size >= MemoryLayout<decant_error>.size
      } ?? false
    unsafe self.error = isKnown ? error : nil
  }

  /// A text with a line for each error, instead of a struct.
  @unsafe
  init(list: UnsafeMutablePointer<ErrorList>) {
    isBrief = false
    unsafe error = nil
    unsafe self.list = list
  }

  /// Whether each error is a line, and all are written.
  var isList: Bool { unsafe list != nil }

  /// The length of the text, if it is one of lines.
  func setLength(_ length: Int) { unsafe list?.pointee.length = length }

  /// No struct.
  static var none: ErrorOut { unsafe ErrorOut(nil) }

  var isThere: Bool { unsafe error != nil }

  var code: Status { unsafe error?.pointee.code ?? ok }
  var count: Int { unsafe Int(error?.pointee.error_count ?? 0) }

  /// The place, if there is one.
  var location: DecodeError.Location? {
    get {
      guard let error = unsafe error?.pointee, error.offset >= 0 else { return nil }
      return DecodeError.Location(
        offset: Int(clamping: error.offset), line: Int(clamping: error.line),
        column: Int(clamping: error.column))
    }
    nonmutating set {
      unsafe error?.pointee.offset = Int64(newValue?.offset ?? -1)
      unsafe error?.pointee.line = Int64(newValue?.line ?? 0)
      unsafe error?.pointee.column = Int64(newValue?.column ?? 0)
    }
  }

  func set(_ code: Status, count: Int) {
    if unsafe error?.pointee.size == 0 {
      unsafe error?.pointee.size = MemoryLayout<decant_error>.size
    }
    unsafe error?.pointee.code = code
    unsafe error?.pointee.error_count = Int32(clamping: count)
  }

  /// One of the texts at the end of the struct.
  struct Field {
    fileprivate let offset: Int
    fileprivate let capacity: Int
    fileprivate var isMessage: Bool { offset == Field.message.offset }

    // decant.h: the struct ends with `char path[256]; char message[1024]; char details[2048];`. A test asks C.
    static let details = Field(offset: MemoryLayout<decant_error>.size - 2048, capacity: 2048)
    static let message = Field(offset: details.offset - 1024, capacity: 1024)
    static let path = Field(offset: message.offset - 256, capacity: 256)
  }

  /// Writes to a text, from its beginning. Without a struct, the text is only measured.
  func writer(_ field: Field) -> ErrorSink {
    if field.isMessage, let list = unsafe list { return unsafe ErrorSink(list.pointee.room) }
    // SAFETY: the field is inside the struct.
    return unsafe ErrorSink(
      UnsafeMutableRawBufferPointer(
        start: error.map { unsafe UnsafeMutableRawPointer($0) + field.offset },
        count: isThere ? field.capacity : 0))
  }

  /// The facts of the errors (PackedFacts.swift); empty without a struct.
  var details: Bytes {
    // SAFETY: the field is inside the struct.
    unsafe error.map {
      unsafe Memory($0).advanced(by: Field.details.offset).bytes(Field.details.capacity)
    } ?? Bytes()
  }

  /// A text; empty without a struct. The caller may have written over its NUL byte.
  func text(_ field: Field) -> Bytes {
    // SAFETY: as above.
    unsafe error.map {
      unsafe Memory($0).advanced(by: field.offset).cString(within: field.capacity)
    } ?? Bytes()
  }
}

// MARK: - Errors of our own

extension decant_error {
  /// An error with nothing in it.
  static var empty: decant_error {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    return error
  }

  /// Calls `body` with this error as the caller's.
  mutating func take<Result>(isBrief: Bool = false, _ body: (ErrorOut) -> Result) -> Result {
    // SAFETY: the error is where it is during the call, and `body` returns without it.
    unsafe withUnsafeMutablePointer(to: &self) { unsafe body(ErrorOut($0, isBrief: isBrief)) }
  }

  /// The same for who writes nothing.
  borrowing func read<Result>(_ body: (ErrorOut) -> Result) -> Result {
    // SAFETY: as above; nothing is written.
    unsafe withUnsafePointer(to: self) {
      unsafe body(ErrorOut(UnsafeMutablePointer(mutating: $0)))
    }
  }
}

// MARK: - Calls that are refused

extension ErrorOut {
  /// - Parameters:
  ///   - place: Where a document of a stream begins that is refused.
  ///   - source: What the stream is called.
  @inline(never)
  func refuse(
    _ code: Int, _ message: StaticString, at place: StreamPlace? = nil, source: Bytes? = nil
  ) -> Status {
    var report = Report(self, source: source)
    report.add(Status(code), message, at: place)
    return report.finish()
  }

  /// The caller's buffer is smaller than this.
  @inline(never)
  func refuse(bufferFor count: Int) -> Status {
    var report = Report(self)
    report.add(StructError(problem: .tooSmall(count), kind: .record, field: nil))
    return report.finish()
  }

  @inline(never)
  func refuse(_ fault: RecordFault?) -> Status {
    if fault?.isMemory == true { return refuse(DECANT_OUT_OF_MEMORY, "out of memory") }
    var report = Report(self)
    if let fault { report.add(fault) }
    return report.finish()
  }
}
