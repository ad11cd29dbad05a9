// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant_writer.h that build JSON without a struct. The writer knows which calls may come next, so the text
// is JSON whatever the calls are. The first call that may not come is its failure.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// A bit for each of 512 levels: whether it is an object. A vector of them would have to be aligned as no `decant_writer` is.
private struct Levels: BitwiseCopyable {
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )

  subscript(level: Int) -> Bool {
    mutating get { word(of: level) { $0 & Self.bit(of: level) != 0 } }
    set {
      word(of: level) { word in
        if newValue { word |= Self.bit(of: level) } else { word &= ~Self.bit(of: level) }
      }
    }
  }

  private static func bit(of level: Int) -> UInt64 { 1 &<< UInt64(level & 63) }

  private mutating func word<Result>(of level: Int, _ body: (inout UInt64) -> Result) -> Result {
    // SAFETY: the tuple is eight words, and there are no more than 512 levels.
    unsafe withUnsafeMutableBytes(of: &words) {
      unsafe body(&$0.bindMemory(to: UInt64.self)[level >> 6])
    }
  }
}

/// The contents of a `decant_writer`.
@safe
private struct TextWriter {
  /// The calls that may come next.
  enum Next {
    case value, member, keyOrEnd, elementOrEnd
    /// Nothing but the end of the text.
    case finish
  }

  var pipe = TextPipe()
  private(set) var next = Next.value
  /// Whether nothing is in the object or array yet.
  private var isEmpty = true
  private var depth = 0
  private var objects = Levels()
  private(set) var status = ok
  private var isFinished = false
  let error: ErrorOut
  let allocator: decant_allocator
  /// Whether the text goes to a buffer that is there.
  let hasBuffer: Bool
  let grows: Bool

  private static var deepest: Int { 512 }

  init(_ settings: Settings, _ error: ErrorOut, hasBuffer: Bool, grows: Bool) {
    (self.error, self.hasBuffer, self.grows) = (error, hasBuffer, grows)
    allocator = settings.allocator
  }

  // MARK: Failures

  mutating func fail(_ code: Int, _ message: StaticString) -> Status {
    _ = error.refuse(code, message)
    return fail(Status(truncatingIfNeeded: code))
  }

  /// The error is written, but for its place.
  private mutating func fail(_ code: Status) -> Status {
    status = code
    error.location = DecodeError.Location(
      offset: min(pipe.place, .max / 4), line: 0, column: 0)
    return status
  }

  private mutating func failUnexpected() -> Status {
    switch next {
    case .keyOrEnd: fail(DECANT_INVALID_ARGUMENT, "a key or the end of the object has to come next")
    case .elementOrEnd:
      fail(DECANT_INVALID_ARGUMENT, "an element or the end of the array has to come next")
    case .value, .member: fail(DECANT_INVALID_ARGUMENT, "a value has to come next")
    case .finish: fail(DECANT_INVALID_ARGUMENT, "the value is complete")
    }
  }

  /// The result of a call: ok, unless the destination has failed.
  private mutating func checked() -> Status {
    if pipe.status == ok { return ok }
    return fail(pipe.refuse(error))
  }

  // MARK: Containers

  mutating func begin(_ bracket: UInt8, isObject: Bool) -> Status {
    if !beginValue() { return failUnexpected() }
    if depth == Self.deepest { return fail(DECANT_TOO_DEEP, "more than 512 levels") }
    pipe.text.add(bracket)
    objects[depth] = isObject
    depth += 1
    isEmpty = true
    next = isObject ? .keyOrEnd : .elementOrEnd
    return checked()
  }

  mutating func end() -> Status {
    switch next {
    case .keyOrEnd: pipe.text.add(UInt8(ascii: "}"))
    case .elementOrEnd: pipe.text.add(UInt8(ascii: "]"))
    case .value: return fail(DECANT_INVALID_ARGUMENT, "nothing is to be ended")
    case .member, .finish: return failUnexpected()
    }
    depth -= 1
    return endValue()
  }

  mutating func key(_ key: Bytes?) -> Status {
    guard case .keyOrEnd = next else { return failUnexpected() }
    guard let key else { return fail(DECANT_INVALID_ARGUMENT, "key is NULL") }
    if !isEmpty { pipe.text.add(UInt8(ascii: ",")) }
    guard pipe.text.add(quoting: key) else {
      return fail(DECANT_INVALID_UTF8, "the key is not UTF-8")
    }
    pipe.text.add(UInt8(ascii: ":"))
    isEmpty = false
    next = .member
    return checked()
  }

  // MARK: Values

  /// Whether a value may come; then it is begun.
  private mutating func beginValue() -> Bool {
    switch next {
    case .value, .member: return true
    case .elementOrEnd:
      if !isEmpty { pipe.text.add(UInt8(ascii: ",")) }
      isEmpty = false
      return true
    case .keyOrEnd, .finish: return false
    }
  }

  private mutating func endValue() -> Status {
    isEmpty = false
    if depth == 0 {
      next = .finish
    } else {
      next = objects[depth - 1] ? .keyOrEnd : .elementOrEnd
    }
    return checked()
  }

  mutating func add(_ write: (inout BoundedText) -> Void) -> Status {
    if !beginValue() { return failUnexpected() }
    write(&pipe.text)
    return endValue()
  }

  mutating func add(quoting text: Bytes?) -> Status {
    guard let text else { return add { $0.add("null") } }
    if !beginValue() { return failUnexpected() }
    guard pipe.text.add(quoting: text) else {
      return fail(DECANT_INVALID_UTF8, "the string is not UTF-8")
    }
    return endValue()
  }

  mutating func add(json text: Bytes?) -> Status {
    guard let text, unsafe text.start.map({ unsafe decant_is_json($0, text.count) }) == true else {
      return fail(
        DECANT_INVALID_VALUE, "the raw text is not one JSON value, or has more than 512 levels")
    }
    return add { $0.add(text) }
  }

  mutating func add(_ record: RecordRef?, _ value: Memory?) -> Status {
    guard let value else { return fail(DECANT_INVALID_ARGUMENT, "value is NULL") }
    var check = RecordCheck(allocator, forWriting: true)
    guard let record = check.accepted(record, needsStorage: false) else {
      status = error.refuse(check.fault)
      return status
    }
    if !beginValue() { return failUnexpected() }
    var writer = RecordWrite(pipe.text, error, check)
    let written = writer.write(record, value, at: StepPath())
    pipe.text = writer.text
    if pipe.status != ok { return checked() }
    if written == ok, !writer.isTooLarge { return endValue() }
    status = written == ok ? writer.fail(.tooLarge, .record, nil, at: StepPath()) : written
    return status
  }

  // MARK: The end

  mutating func finish(_ text: Memory?, _ length: Memory?) -> Status {
    // The text is the program's, or released.
    if isFinished { return status }
    isFinished = true
    if status == ok, next != .finish {
      _ = fail(DECANT_INVALID_ARGUMENT, "the value is not complete")
    }
    if status == ok, pipe.flush() != ok { _ = checked() }
    let count = pipe.result.count
    var block: Memory?
    if grows, status == ok, text != nil {
      block = pipe.takeBlock()
      if block == nil { _ = fail(DECANT_OUT_OF_MEMORY, "out of memory") }
    } else if grows {
      pipe.release()
    }
    if status == ok, hasBuffer, !pipe.result.fits { status = error.refuse(bufferFor: count) }
    if status == ok || status == Status(DECANT_BUFFER_TOO_SMALL) { length?.store(count) }
    if !grows { pipe.result.terminate() }
    if let block { text?.point(to: block) }
    let end = status
    // Calls after the end are in the wrong order.
    if end == ok { status = Status(DECANT_INVALID_ARGUMENT) }
    return end
  }
}

// MARK: - Entry points

/// Calls `body` with what a writer holds, unless it has failed.
@inline(__always)
private func write(
  _ writer: UnsafeMutablePointer<decant_writer>?, _ body: (inout TextWriter) -> Status
) -> Status {
  guard let writer = unsafe writer else { return Status(DECANT_INVALID_ARGUMENT) }
  // SAFETY: one of the functions decant_writer_to_… has made it there: so asks decant_writer.h.
  let state = unsafe UnsafeMutableRawPointer(writer).assumingMemoryBound(to: TextWriter.self)
  if unsafe state.pointee.status != ok { return unsafe state.pointee.status }
  return unsafe body(&state.pointee)
}

/// Begins a writer, at whose end the windows are.
private func begin(
  _ writer: UnsafeMutablePointer<decant_writer>?, _ options: UnsafePointer<decant_options>?,
  _ error: UnsafeMutablePointer<decant_error>?, hasBuffer: Bool = false, grows: Bool = false,
  fault: StaticString?, _ target: (Settings) -> TextPipe.Target
) -> Status {
  let out = unsafe ErrorOut(error)
  guard let writer = unsafe writer else {
    return out.refuse(DECANT_INVALID_ARGUMENT, "writer is NULL")
  }
  let size = MemoryLayout<decant_writer>.size
  let windowSize = TextPipe.memory(isPretty: true)
  precondition(
    MemoryLayout<TextWriter>.size + windowSize <= size
      && MemoryLayout<TextWriter>.alignment <= MemoryLayout<decant_writer>.alignment)
  let memory = unsafe Memory(UnsafeMutableRawPointer(writer))
  let state = unsafe memory.start.bindMemory(to: TextWriter.self, capacity: 1)
  var (settings, refusal) = (Settings(), Settings.Refusal?.none)
  do throws(Settings.Refusal) { settings = try unsafe Settings(options) } catch let reason {
    refusal = reason
  }
  let windows = memory.advanced(by: size - windowSize)
  let isUsable = refusal == nil && fault == nil
  unsafe state.initialize(
    to: TextWriter(settings, out, hasBuffer: hasBuffer, grows: grows && isUsable))
  if let refusal { return unsafe state.pointee.fail(refusal.code, refusal.message) }
  if let fault { return unsafe state.pointee.fail(DECANT_INVALID_ARGUMENT, fault) }
  // SAFETY: the writer's own memory, which stays where it is.
  unsafe withUnsafeMutablePointer(to: &state.pointee.pipe) {
    unsafe TextPipe.make(at: $0, windows, to: target(settings), isPretty: settings.isPretty)
  }
  return ok
}

@c @implementation
package func decant_writer_to_buffer(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ buffer: UnsafeMutablePointer<CChar>!,
  _ capacity: Int, _ options: UnsafePointer<decant_options>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let hasBuffer = unsafe buffer != nil
  let isThere = (hasBuffer || capacity == 0) && capacity >= 0
  return unsafe begin(
    writer, options, error, hasBuffer: hasBuffer,
    fault: isThere ? nil : "buffer is NULL, or capacity is too large"
  ) { _ in unsafe .buffer(BoundedText(buffer, capacity: capacity)) }
}

@c @implementation
package func decant_writer_to_text(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ options: UnsafePointer<decant_options>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  unsafe begin(writer, options, error, grows: true, fault: nil) { .memory(BlockSource($0)) }
}

@c @implementation
package func decant_writer_to_function(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ write: decant_write_function!,
  _ context: UnsafeMutableRawPointer!, _ options: UnsafePointer<decant_options>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  guard let write = unsafe write else {
    return unsafe begin(writer, options, error, fault: "write is NULL") { .memory(BlockSource($0)) }
  }
  return unsafe begin(writer, options, error, fault: nil) { _ in unsafe .function(write, context) }
}

@c @implementation
package func decant_writer_object(_ writer: UnsafeMutablePointer<decant_writer>!) -> decant_status {
  unsafe write(writer) { $0.begin(UInt8(ascii: "{"), isObject: true) }
}

@c @implementation
package func decant_writer_array(_ writer: UnsafeMutablePointer<decant_writer>!) -> decant_status {
  unsafe write(writer) { $0.begin(UInt8(ascii: "["), isObject: false) }
}

@c @implementation
package func decant_writer_end(_ writer: UnsafeMutablePointer<decant_writer>!) -> decant_status {
  unsafe write(writer) { $0.end() }
}

@c @implementation
package func decant_writer_key(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ key: UnsafePointer<CChar>!
) -> decant_status { unsafe write(writer) { unsafe $0.key(Bytes(cString: key)) } }

@c @implementation
package func decant_writer_key_counted(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ key: UnsafePointer<CChar>!, _ length: Int
) -> decant_status { unsafe write(writer) { unsafe $0.key(Bytes(key, length: length)) } }

@c @implementation
package func decant_writer_null(_ writer: UnsafeMutablePointer<decant_writer>!) -> decant_status {
  unsafe write(writer) { $0.add { $0.add("null") } }
}

@c @implementation
package func decant_writer_bool(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ value: Bool
) -> decant_status { unsafe write(writer) { $0.add { $0.add(value ? "true" : "false") } } }

@c @implementation
package func decant_writer_int64(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ value: Int64
) -> decant_status { unsafe write(writer) { $0.add { $0.add(value) } } }

@c @implementation
package func decant_writer_uint64(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ value: UInt64
) -> decant_status { unsafe write(writer) { $0.add { $0.add(value) } } }

@c @implementation
package func decant_writer_double(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ value: Double
) -> decant_status {
  unsafe write(writer) {
    value.isFinite
      ? $0.add { $0.add(value) }
      : $0.fail(DECANT_INVALID_VALUE, "JSON has no infinity and no NaN")
  }
}

@c @implementation
package func decant_writer_string(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ text: UnsafePointer<CChar>!
) -> decant_status { unsafe write(writer) { unsafe $0.add(quoting: Bytes(cString: text)) } }

@c @implementation
package func decant_writer_string_counted(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ text: UnsafePointer<CChar>!, _ length: Int
) -> decant_status {
  unsafe write(writer) {
    guard let bytes = unsafe Bytes(text, length: length) else {
      return $0.fail(DECANT_INVALID_ARGUMENT, "text is NULL, or length is too large")
    }
    return unsafe $0.add(quoting: text == nil ? nil : bytes)
  }
}

@c @implementation
package func decant_writer_raw(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ json: UnsafePointer<CChar>!, _ length: Int
) -> decant_status { unsafe write(writer) { unsafe $0.add(json: Bytes(json, length: length)) } }

@c @implementation
package func decant_writer_struct(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ record: UnsafePointer<decant_record>!,
  _ value: UnsafeRawPointer!
) -> decant_status {
  unsafe write(writer) { unsafe $0.add(RecordRef(record), Memory(reading: value)) }
}

@c @implementation
package func decant_writer_value(
  _ writer: UnsafeMutablePointer<decant_writer>!, _ value: decant_value
) -> decant_status {
  unsafe write(writer) {
    guard let json = value.view else {
      return $0.fail(DECANT_INVALID_ARGUMENT, "the value is missing")
    }
    guard let text = json.rawText else {
      return $0.fail(DECANT_UNSUPPORTED, "the engine does not keep raw text")
    }
    return $0.add(json: text)
  }
}

@c @implementation
package func decant_writer_finish(
  _ writer: UnsafeMutablePointer<decant_writer>!,
  _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!,
  _ length: UnsafeMutablePointer<Int>!
) -> decant_status {
  guard let writer = unsafe writer else { return Status(DECANT_INVALID_ARGUMENT) }
  // SAFETY: as above.
  let state = unsafe UnsafeMutableRawPointer(writer).assumingMemoryBound(to: TextWriter.self)
  return unsafe state.pointee.finish(Memory(text), Memory(length))
}
