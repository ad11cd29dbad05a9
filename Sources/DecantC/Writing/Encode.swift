// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The encoding functions of decant.h: check the table, write the text, say how long it is.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_encode(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeRawPointer!,
  _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int, _ length: UnsafeMutablePointer<Int>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, value, out) = unsafe (
    RecordRef(record), Memory(reading: value),
    TextOut(buffer, capacity, length, ErrorOut(error))
  )
  guard let value else { return out.refuse("value is NULL") }
  return encode(record, to: out) { writer, table in
    writer.write(table, value, at: StepPath())
  }
}

@c @implementation
package func decant_encode_array(
  _ record: UnsafePointer<decant_record>!, _ items: UnsafeRawPointer!, _ count: Int,
  _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int, _ length: UnsafeMutablePointer<Int>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, first, out) = unsafe (
    RecordRef(record), Memory(reading: items),
    TextOut(buffer, capacity, length, ErrorOut(error))
  )
  guard first != nil || count == 0, count >= 0 else {
    return out.refuse("items is NULL, or count is too large")
  }
  return encode(record, to: out) { $0.writeArray($1, from: first, count) }
}

extension RecordWrite {
  /// Writes structs, one after another, as an array.
  mutating func writeArray(_ record: RecordRef, from first: Memory?, _ count: Int) -> Status {
    guard let first, count > 0 else {
      text.add("[]")
      return ok
    }
    return writeRecords(record, from: first, count, at: StepPath())
  }
}

/// The destination of a text: the caller's buffer, its length and its error.
@safe
struct TextOut {
  /// Nil for no buffer; then the text is only measured.
  private let buffer: Memory?
  /// Negative if there is no such buffer.
  private let capacity: Int
  let error: ErrorOut
  // SAFETY: the caller's variable, or nil.
  private let length: UnsafeMutablePointer<Int>?

  // SAFETY: the caller's promise: `capacity` bytes from `buffer`.
  @inline(__always)
  init(
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ length: UnsafeMutablePointer<Int>?,
    _ error: ErrorOut
  ) {
    self.buffer = unsafe Memory(UnsafeMutableRawPointer(buffer))
    self.capacity = unsafe buffer == nil && capacity != 0 ? -1 : capacity
    unsafe (self.length, self.error) = (length, error)
    unsafe length?.pointee = 0
  }

  /// Whether there is a buffer; without one, the text is only measured.
  var hasBuffer: Bool { buffer != nil }

  func refuse(_ words: StaticString) -> Status { error.refuse(DECANT_INVALID_ARGUMENT, words) }

  /// The buffer and a table that makes sense, with its check; or why there are not both.
  @inline(__always)
  func check(_ record: RecordRef?) throws(Refused) -> (BoundedText, RecordRef, RecordCheck) {
    if capacity < 0 {
      throw Refused(status: refuse("buffer is NULL, or capacity is too large"))
    }
    var check = RecordCheck(forWriting: true)
    guard let record = check.accepted(record, needsStorage: false) else {
      throw Refused(status: error.refuse(check.fault))
    }
    // Its parts are passed as they came: a copy of a text in memory would wait for what was written last.
    let text =
      unsafe buffer.map { BoundedText($0, capacity: capacity) }
      ?? BoundedText(nil, capacity: 0)
    return (text, record, check)
  }

  struct Refused: Error { let status: Status }

  /// Says how long a text is, and ends it; or that it does not fit.
  @inline(__always)
  func finish(_ text: BoundedText) -> Status {
    unsafe length?.pointee = text.count
    text.terminate()
    return text.fits || !hasBuffer ? ok : error.refuse(bufferFor: text.count)
  }
}

/// Writes a text by a table, and says how long it is. Nothing writes to the struct.
@inline(__always)
private func encode(
  _ record: RecordRef?, to out: TextOut, _ write: (inout RecordWrite, RecordRef) -> Status
) -> Status {
  if !out.hasBuffer { return measure(record, for: out, write) }
  do throws(TextOut.Refused) {
    let (text, table, check) = try out.check(record)
    var writer = RecordWrite(text, out.error, check)
    let status = write(&writer, table)
    return finish(status, writer, out)
  } catch let refused { return refused.status }
}

/// Writes a text through a window to nowhere, and says how long it is.
@inline(never)
private func measure(
  _ record: RecordRef?, for out: TextOut, _ write: (inout RecordWrite, RecordRef) -> Status
) -> Status {
  do throws(TextOut.Refused) {
    let (_, table, check) = try out.check(record)
    return unsafe withPipe(to: .function({ _, _, _ in 0 }, nil), isPretty: false) { pipe in
      var writer = RecordWrite(pipe.text, out.error, check)
      let status = write(&writer, table)
      return finish(status, writer, out)
    }
  } catch let refused { return refused.status }
}

@inline(__always)
private func finish(_ status: Status, _ writer: RecordWrite, _ out: TextOut) -> Status {
  if status != ok { return status }
  if writer.isTooLarge { return writer.fail(.tooLarge, .record, nil, at: StepPath()) }
  return out.finish(writer.text)
}
