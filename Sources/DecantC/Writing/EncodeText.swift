// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Structs as text in a new block, or to a function. A text of up to a kilobyte is written once, on the stack, and copied.
// Writing a longer text measures it; it is then written again into a block of its size. Pretty text is laid out from the
// compact text.

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

/// Writes a text by a table to a function.
private func encode(
  _ record: RecordRef?, to target: TextPipe.Target, _ settings: Settings, _ error: ErrorOut,
  _ write: (inout RecordWrite, RecordRef) -> Status
) -> Status {
  var check = RecordCheck(settings.allocator)
  guard let table = check.accepted(record, needsStorage: false) else {
    return error.refuse(check.fault)
  }
  return withPipe(to: target, isPretty: settings.isPretty) { pipe in
    var writer = RecordWrite(pipe.text, error)
    let status = write(&writer, table)
    pipe.text = writer.text
    let end = status == ok ? pipe.flush() : pipe.status
    if end != ok {
      _ = error.refuse(Int(end), functionHasEnded)
      return end
    }
    if status == ok, writer.isTooLarge {
      return writer.fail(.tooLarge, .record, nil, at: StepPath())
    }
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
    guard unsafe text != nil else { return refuse("text is NULL") }
    var check = RecordCheck(settings.allocator)
    guard let table = check.accepted(record, needsStorage: false) else {
      return error.refuse(check.fault)
    }
    return withStackMemory(Self.shortText) { memory in
      var writer = RecordWrite(BoundedText(memory, capacity: Self.shortText), error)
      let status = write(&writer, table)
      if status != ok { return status }
      if writer.isTooLarge { return writer.fail(.tooLarge, .record, nil, at: StepPath()) }
      if writer.text.fits { return take(memory.bytes(writer.text.count), settings) }
      let capacity = writer.text.count
      guard let block = Block.allocate(capacity + 1, settings) else { return refuseMemory() }
      writer = RecordWrite(BoundedText(block.start, capacity: capacity), error)
      let again = write(&writer, table)
      // A conversion of the program's may write another value than before.
      if again != ok || !writer.text.fits {
        block.release(settings)
        return again != ok
          ? again : writer.fail(.custom(RecordWrite.hasGrown.bytes), .record, nil, at: StepPath())
      }
      let count = writer.text.count
      if !settings.isPretty {
        block.start.store(0 as UInt8, at: count)
        return finish(block, count)
      }
      defer { block.release(settings) }
      return take(block.start.bytes(count), settings)
    }
  }

  private static var shortText: Int { 1024 }

  /// Copies a text into a block of its own; laid out, if the options say so.
  private func take(_ compact: Bytes, _ settings: Settings) -> Status {
    let count =
      settings.isPretty ? BoundedText.size { lay(compact, outTo: &$0) } : compact.count
    guard let block = Block.allocate(count + 1, settings) else { return refuseMemory() }
    if settings.isPretty {
      var pretty = BoundedText(block.start, capacity: count)
      lay(compact, outTo: &pretty)
    } else {
      block.start.copy(compact)
    }
    block.start.store(0 as UInt8, at: count)
    return finish(block, count)
  }

  private func lay(_ compact: Bytes, outTo text: inout BoundedText) {
    var layout = TextLayout()
    layout.add(compact, to: &text)
  }

  private func finish(_ block: Block, _ count: Int) -> Status {
    unsafe text?.pointee = block.start.start.assumingMemoryBound(to: CChar.self)
    unsafe length?.pointee = count
    return ok
  }

  private func refuseMemory() -> Status { error.refuse(DECANT_OUT_OF_MEMORY, "out of memory") }
}
