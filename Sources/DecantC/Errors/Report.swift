// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Errors into the caller's struct while they are found, without a Swift heap: the first one's code, path and
// place, a line of text for each until the room is used up, and how many there were.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// One step of the path to a value, in the frame of the walk that took it.
@safe
struct PathStep {
  enum Form {
    case key, escapedKey, pointer, index
  }

  // SAFETY: the frames of the walk above, and bytes of the document or the table: all outlive the step.
  let parent: UnsafePointer<PathStep>?
  let start: UnsafePointer<UInt8>?
  let count: Int
  let form: Form

  static func index(_ index: Int, parent: UnsafePointer<PathStep>?) -> PathStep {
    unsafe PathStep(parent: parent, start: nil, count: index, form: .index)
  }

  /// Hands the path's characters out, from the root on: an RFC 6901 pointer.
  func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    unsafe parent?.pointee.forEachScalar(body)
    guard let start = unsafe start else {
      body("/")
      var digits: [20 of UInt8] = .init(repeating: 0)
      var length = 0
      var rest = count
      repeat {
        digits[length] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
        length += 1
      } while rest > 0
      while length > 0 {
        length -= 1
        body(Unicode.Scalar(digits[length]))
      }
      return
    }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    var scalars = unsafe ScalarReader(bytes, isEscaped: form == .escapedKey)
    if form != .pointer { body("/") }
    while let scalar = scalars.next() {
      switch scalar {
      case "~" where form != .pointer:
        body("~")
        body("0")
      case "/" where form != .pointer:
        body("~")
        body("1")
      default: body(scalar)
      }
    }
  }
}

@safe
struct Report {
  // SAFETY: the caller's struct, of at least our size, or nil.
  private let error: UnsafeMutablePointer<decant_error>?
  private var text: TextWriter?
  private let limit: Int
  private let sourceName: UnsafePointer<CChar>?
  private let context: UnsafePointer<decant_context>?
  private let base: Place

  private(set) var count = 0
  private var firstCode = ok
  private var last = Place()

  /// A place that a document's first byte has in a stream of them.
  struct Place {
    var offset = 0
    var line = 1
    var lineStart = 0
  }

  /// About no document.
  init(_ error: UnsafeMutablePointer<decant_error>?) {
    unsafe self.init(error, context: nil, limit: 1, sourceName: nil)
  }

  init(
    _ error: UnsafeMutablePointer<decant_error>?, context: UnsafePointer<decant_context>?,
    limit: Int, sourceName: UnsafePointer<CChar>?, base: Place = Place()
  ) {
    // SAFETY: the caller's promise: a decant_error of the size that it begins with.
    let isKnown =
      unsafe error.map { unsafe $0.pointee.size >= MemoryLayout<decant_error>.size } ?? false
    unsafe self.error = unsafe isKnown ? error : nil
    unsafe self.context = unsafe context
    unsafe self.sourceName = unsafe sourceName
    self.limit = max(limit, 1)
    self.base = base
    guard let error = unsafe self.error else { return }
    unsafe error.pointee.code = ok
    unsafe error.pointee.error_count = 0
    unsafe error.pointee.offset = -1
    unsafe error.pointee.line = 0
    unsafe error.pointee.column = 0
    unsafe error.pointee.path.0 = 0
    unsafe error.pointee.details.0 = 0
    text = unsafe TextWriter(messageRoom(of: error))
  }

  /// One error. `offset` is nil where the engine does not know it.
  mutating func add(
    _ code: Status, offset: Int?, path: UnsafePointer<PathStep>?,
    _ message: (inout TextWriter) -> Void
  ) {
    count += 1
    if count == 1 { firstCode = code }
    guard let error = unsafe error, count <= limit, var text = text, !text.isFull else { return }
    // The text goes back when the line is written: there is one writer.
    let place = offset.map { location($0) }
    if count == 1 {
      if let place {
        unsafe error.pointee.offset = Int64(place.offset)
        unsafe error.pointee.line = Int64(place.line)
        unsafe error.pointee.column = Int64(place.column)
      }
      var writer = unsafe TextWriter(pathRoom(of: error))
      unsafe path?.pointee.forEachScalar { writer.add($0) }
    } else {
      text.add("\n")
    }
    if let name = unsafe sourceName {
      let bytes = unsafe UnsafeBufferPointer(
        start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self),
        count: decant_c_string_length(name))
      var scalars = unsafe ScalarReader(bytes, isEscaped: false)
      while let scalar = scalars.next() { text.add(scalar) }
      text.add(":")
    }
    if let place {
      text.add(place.line)
      text.add(":")
      text.add(place.column)
      text.add(":")
    }
    if unsafe sourceName != nil || place != nil { text.add(" ") }
    var length = 0
    unsafe path?.pointee.forEachScalar { scalar in
      if length < 200 { text.add(escaping: scalar) }
      if length == 200 { text.add("…") }
      length += 1
    }
    if length > 0 { text.add(": ") }
    message(&text)
    self.text = text
  }

  /// The status of the call, when all is told.
  mutating func finish() -> Status {
    let code = count > 1 ? Status(DECANT_MULTIPLE) : firstCode
    guard let error = unsafe error else { return code }
    unsafe error.pointee.code = code
    unsafe error.pointee.error_count = Int32(clamping: count)
    if count > limit {
      text?.add("\n")
      text?.add("…")
      text?.add(" and ")
      text?.add(count - limit)
      text?.add(count - limit == 1 ? " more error" : " more errors")
    }
    return code
  }

  /// Line and column of a byte of the document.
  mutating func place(of offset: Int) -> (line: Int, column: Int) {
    let place = location(offset)
    return (place.line, place.column)
  }

  /// Where a byte stands, counted on from the place before it: errors come in document order, or nearly.
  private mutating func location(_ offset: Int) -> (offset: Int, line: Int, column: Int) {
    guard let context = unsafe context, unsafe context.pointee.length > 0 else {
      return (base.offset + offset, base.line, 1)
    }
    let text = unsafe context.pointee.text
    if offset < last.offset { last = Place() }
    let end = min(offset, unsafe context.pointee.length)
    while last.offset < end {
      if unsafe text[last.offset] == UInt8(ascii: "\n") {
        last.line += 1
        last.lineStart = last.offset + 1
      }
      last.offset += 1
    }
    var column = 1
    for place in last.lineStart..<end where unsafe text[place] & 0xC0 != 0x80 { column += 1 }
    return (base.offset + offset, base.line + last.line - 1, column)
  }
}

/// decant.h: the struct ends with `char path[256]; char message[1024]; char details[2048];`.
let detailsOffset = MemoryLayout<decant_error>.size - 2048
let messageOffset = detailsOffset - 1024
let pathOffset = messageOffset - 256

// SAFETY: offsets and sizes of the members are those of decant.h; a test asks C for them.
private func pathRoom(
  of error: UnsafeMutablePointer<decant_error>
) -> UnsafeMutableRawBufferPointer {
  unsafe UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(error) + pathOffset, count: 256)
}

private func messageRoom(
  of error: UnsafeMutablePointer<decant_error>
) -> UnsafeMutableRawBufferPointer {
  unsafe UnsafeMutableRawBufferPointer(
    start: UnsafeMutableRawPointer(error) + messageOffset, count: 1024)
}
