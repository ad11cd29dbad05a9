// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Structs as text in a new block, or to a function (TextPipe.swift). A text in a block begins on the stack, and moves to
// memory that grows when it is longer than a kilobyte.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_encode_text(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeRawPointer!,
  _ options: UnsafePointer<decant_options>!,
  _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!,
  _ length: UnsafeMutablePointer<Int>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, value, out) = unsafe (
    RecordRef(record), Memory(reading: value), NewText(text, length, ErrorOut(error))
  )
  guard let value else { return out.refuse("value is NULL") }
  return unsafe follow(options, out.error) { settings in
    out.encode(record, settings) { writer, table in writer.write(table, value, at: StepPath()) }
  }
}

@c @implementation
package func decant_encode_array_text(
  _ record: UnsafePointer<decant_record>!, _ items: UnsafeRawPointer!, _ count: Int,
  _ options: UnsafePointer<decant_options>!,
  _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!,
  _ length: UnsafeMutablePointer<Int>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, first, out) = unsafe (
    RecordRef(record), Memory(reading: items), NewText(text, length, ErrorOut(error))
  )
  guard first != nil || count == 0, count >= 0 else {
    return out.refuse("items is NULL, or count is too large")
  }
  return unsafe follow(options, out.error) { settings in
    out.encode(record, settings) { $0.writeArray($1, from: first, count) }
  }
}

@c @implementation
package func decant_text_free(
  _ text: UnsafeMutablePointer<CChar>!, _ options: UnsafePointer<decant_options>!
) {
  guard let text = unsafe Memory(text), let settings = try? unsafe Settings(options) else { return }
  Block.release(startingAt: text, settings)
}

// MARK: - To a function

@c @implementation
package func decant_encode_to(
  _ record: UnsafePointer<decant_record>!, _ value: UnsafeRawPointer!,
  _ write: decant_write_function!, _ context: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, value, error) = unsafe (
    RecordRef(record), Memory(reading: value), ErrorOut(error)
  )
  guard let value, let write = unsafe write else {
    return error.refuse(DECANT_INVALID_ARGUMENT, "value or write is NULL")
  }
  return unsafe follow(options, error) { settings in
    unsafe encode(record, to: .function(write, context), settings, error) { writer, table in
      writer.write(table, value, at: StepPath())
    }
  }
}

@c @implementation
package func decant_encode_array_to(
  _ record: UnsafePointer<decant_record>!, _ items: UnsafeRawPointer!, _ count: Int,
  _ write: decant_write_function!, _ context: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (record, first, error) = unsafe (
    RecordRef(record), Memory(reading: items), ErrorOut(error)
  )
  guard first != nil || count == 0, count >= 0, let write = unsafe write else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "items or write is NULL, or count is too large")
  }
  return unsafe follow(options, error) { settings in
    unsafe encode(record, to: .function(write, context), settings, error) {
      $0.writeArray($1, from: first, count)
    }
  }
}

/// Writes a text by a table. `end` gets what was written.
private func encode(
  _ record: RecordRef?, to target: TextPipe.Target, _ settings: Settings, _ error: ErrorOut,
  _ write: (inout RecordWrite, RecordRef) -> Status, end: (inout TextPipe) -> Status = { _ in ok }
) -> Status {
  var check = RecordCheck(settings.allocator, forWriting: true)
  guard let table = check.accepted(record, needsStorage: false) else {
    return error.refuse(check.fault)
  }
  return withPipe(to: target, isPretty: settings.isPretty) { pipe in
    var writer = RecordWrite(pipe.text, error, check)
    var status = write(&writer, table)
    pipe.text = writer.text
    if status == ok { _ = pipe.flush() }
    if pipe.status != ok {
      status = pipe.refuse(error)
    } else if status == ok, writer.isTooLarge {
      status = writer.fail(.tooLarge, .record, nil, at: StepPath())
    }
    if status == ok { return end(&pipe) }
    pipe.release()
    return status
  }
}

/// The destination of a new text: the caller's pointer, its length and its error.
@safe
private struct NewText {
  // SAFETY: the caller's variables, or nil.
  private let text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  private let length: UnsafeMutablePointer<Int>?
  let error: ErrorOut

  init(
    _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ length: UnsafeMutablePointer<Int>?, _ error: ErrorOut
  ) { unsafe (self.text, self.length, self.error) = (text, length, error) }

  func refuse(_ words: StaticString) -> Status { error.refuse(DECANT_INVALID_ARGUMENT, words) }

  /// Writes a text by a table into a block, which the caller then owns.
  func encode(
    _ record: RecordRef?, _ settings: Settings,
    _ write: (inout RecordWrite, RecordRef) -> Status
  ) -> Status {
    guard let text = unsafe text else { return refuse("text is NULL") }
    return DecantC.encode(record, to: .memory(BlockSource(settings)), settings, error, write) {
      pipe in
      let count = pipe.result.count
      guard let block = pipe.takeBlock() else {
        return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
      }
      unsafe text.pointee = block.mutableText
      unsafe length?.pointee = count
      return ok
    }
  }
}
