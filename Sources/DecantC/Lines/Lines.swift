// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant.h for streams of documents: one buffer, chunks, pieces. The first two use a LineStream; a piece
// is a buffer with a place of its own in the stream.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_decode_lines(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ function: decant_line_function!, _ context: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (json, receiver, error) = unsafe (
    Bytes(json, length: length), LineReceiver(function, context), ErrorOut(error)
  )
  guard let receiver, let json else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "json or function is NULL, or length is too large")
  }
  return unsafe withStream(record, options, error) { stream in
    stream.take(json, isLast: true, to: receiver)
    stream.end()
    return ok
  }
}

@c @implementation
package func decant_lines_open(
  _ record: UnsafePointer<decant_record>!, _ options: UnsafePointer<decant_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  guard let out = unsafe out else {
    return error.refuse(DECANT_INVALID_ARGUMENT, "out is NULL")
  }
  return unsafe withStream(record, options, error) { stream in
    guard let lines = Handle(stream, stream.settings.allocator) else {
      stream.end()
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    unsafe out.pointee = lines.opaque
    return ok
  }
}

@c @implementation
package func decant_lines_feed(
  _ lines: OpaquePointer!, _ chunk: UnsafePointer<CChar>!, _ length: Int,
  _ function: decant_line_function!, _ context: UnsafeMutableRawPointer!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (lines, chunk, receiver, error) = unsafe (
    Handle<LineStream>(lines), Bytes(chunk, length: length), LineReceiver(function, context),
    ErrorOut(error)
  )
  guard let lines, let receiver, let chunk else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "lines, chunk or function is NULL, or length is too large")
  }
  if lines.value.isFinished, chunk.count > 0 {
    return error.refuse(DECANT_INVALID_ARGUMENT, "the stream is finished")
  }
  lines.value.take(chunk, isLast: false, to: receiver)
  return ok
}

@c @implementation
package func decant_lines_finish(
  _ lines: OpaquePointer!, _ function: decant_line_function!, _ context: UnsafeMutableRawPointer!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (lines, receiver, error) = unsafe (
    Handle<LineStream>(lines), LineReceiver(function, context), ErrorOut(error)
  )
  guard let lines, let receiver else {
    return error.refuse(DECANT_INVALID_ARGUMENT, "lines or function is NULL")
  }
  lines.value.finish(to: receiver)
  return ok
}

@c @implementation
package func decant_lines_place(
  _ lines: OpaquePointer!, _ line: UnsafeMutablePointer<Int64>!,
  _ offset: UnsafeMutablePointer<Int64>!
) {
  let place = unsafe Handle<LineStream>(lines)?.value.place
  unsafe line?.pointee = Int64(place?.line ?? 0)
  unsafe offset?.pointee = Int64(place?.offset ?? -1)
}

@c @implementation
package func decant_lines_close(_ lines: OpaquePointer!) {
  guard let lines = unsafe Handle<LineStream>(lines) else { return }
  let allocator = lines.value.settings.allocator
  lines.value.end()
  lines.release(allocator)
}

/// Splits lines into at most `count` pieces; returns how many there are.
@c @implementation
package func decant_split_lines(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ count: Int,
  _ pieces: UnsafeMutablePointer<decant_piece>!
) -> Int {
  guard unsafe json != nil, let json = unsafe Bytes(json, length: length),
    let pieces = unsafe pieces
  else { return 0 }
  let length = json.count
  // A count above half the address space, which Swift has as a negative one, is more than there are lines.
  let count = count < 0 ? Int.max : count
  var made = 0
  var start = 0
  var line: Int64 = 1
  while start < length, made < count {
    // The bytes that are left, shared by the pieces that are left, and on to the end of the line.
    let share = (length - start) / (count - made)
    var end = length
    if made + 1 < count {
      let from = start + max(share, 1) - 1
      end = min(length, from + json.line(at: from).count + 1)
    }
    let part = json[start..<end]
    // SAFETY: the caller has space for `count` pieces, and keeps the text.
    unsafe pieces[made] = decant_piece(
      json: part.memory?.textPointer, length: part.count, first_line: line,
      first_offset: Int64(start))
    // No piece follows the last one, so its lines need not be counted.
    if end < length { line += Int64(part.lineFeeds) }
    start = end
    made += 1
  }
  return made
}

// MARK: - Streams

/// Calls `body` with a stream of lines for a table and options, or reports why the stream cannot be opened.
private func withStream(
  _ record: UnsafePointer<decant_record>?, _ options: UnsafePointer<decant_options>?,
  _ error: ErrorOut, _ body: (inout LineStream) -> Status
) -> Status {
  unsafe follow(options, error) { settings in
    var check = RecordCheck(settings.allocator)
    guard let record = check.accepted(unsafe RecordRef(record), needsStorage: settings.needsStorage)
    else { return error.refuse(check.fault) }
    guard var stream = LineStream(record, check, settings) else {
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    return body(&stream)
  }
}
