// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant.h for streams of documents: of one buffer, of chunks, of pieces. One LineStream is behind
// the first two; a piece is a buffer whose places begin with its own.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_decode_lines(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ function: decant_line_function!, _ context: UnsafeMutableRawPointer!,
  _ options: UnsafePointer<decant_options>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  guard let function = unsafe function, let json = unsafe Bytes(json, length: length) else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "json or function is NULL, or length is too large")
  }
  return unsafe withStream(record, options, error) { stream in
    unsafe stream.take(
      json, isLast: true, to: LineReceiver(function: function, context: context))
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
  guard let out = unsafe out else { return error.refuse(DECANT_INVALID_ARGUMENT, "out is NULL") }
  return unsafe withStream(record, options, error) { stream in
    var allocator = stream.settings.allocator
    guard
      let room = unsafe decant_block_allocate(&allocator, MemoryLayout<LineStream>.size)
    else {
      stream.end()
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    let place = unsafe room.bindMemory(to: LineStream.self, capacity: 1)
    unsafe place.initialize(to: stream)
    unsafe out.pointee = OpaquePointer(place)
    return ok
  }
}

@c @implementation
package func decant_lines_feed(
  _ lines: OpaquePointer!, _ chunk: UnsafePointer<CChar>!, _ length: Int,
  _ function: decant_line_function!, _ context: UnsafeMutableRawPointer!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  guard let stream = unsafe stream(lines), let function = unsafe function,
    let chunk = unsafe Bytes(chunk, length: length)
  else {
    return unsafe ErrorOut(error).refuse(
      DECANT_INVALID_ARGUMENT, "lines, chunk or function is NULL, or length is too large")
  }
  unsafe stream.pointee.take(
    chunk, isLast: false, to: LineReceiver(function: function, context: context))
  return ok
}

@c @implementation
package func decant_lines_finish(
  _ lines: OpaquePointer!, _ function: decant_line_function!, _ context: UnsafeMutableRawPointer!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  guard let stream = unsafe stream(lines), let function = unsafe function else {
    return unsafe ErrorOut(error).refuse(DECANT_INVALID_ARGUMENT, "lines or function is NULL")
  }
  unsafe stream.pointee.finish(to: LineReceiver(function: function, context: context))
  return ok
}

@c @implementation
package func decant_lines_place(
  _ lines: OpaquePointer!, _ line: UnsafeMutablePointer<Int64>!,
  _ offset: UnsafeMutablePointer<Int64>!
) {
  let place = unsafe stream(lines)?.pointee.place
  if let line = unsafe line { unsafe line.pointee = Int64(place?.line ?? 0) }
  if let offset = unsafe offset { unsafe offset.pointee = Int64(place?.offset ?? -1) }
}

@c @implementation
package func decant_lines_close(_ lines: OpaquePointer!) {
  guard let stream = unsafe stream(lines) else { return }
  var allocator = unsafe stream.pointee.settings.allocator
  unsafe stream.pointee.end()
  unsafe decant_block_release(&allocator, stream, MemoryLayout<LineStream>.size)
}

@c @implementation
package func decant_split_lines(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ count: Int,
  _ pieces: UnsafeMutablePointer<decant_piece>!
) -> Int {
  guard let json = unsafe json, let pieces = unsafe pieces, length > 0, count > 0 else { return 0 }
  var made = 0
  var start = 0
  var line: Int64 = 1
  while start < length {
    // The bytes that are left, shared by the pieces that are left, and on to the end of the line.
    let share = (length - start) / (count - made)
    var end = length
    if made + 1 < count {
      let from = start + max(share, 1) - 1
      end = unsafe min(length, from + decant_line_end(json + from, length - from) + 1)
    }
    unsafe pieces[made] = decant_piece(
      json: json + start, length: end - start, first_line: line, first_offset: Int64(start))
    // Those of the last piece are nobody's first line.
    if end < length { line += Int64(unsafe decant_line_feeds(json + start, end - start)) }
    start = end
    made += 1
  }
  return made
}

// MARK: - Streams

/// Calls `body` with a stream of lines for a table and options, or reports why the stream cannot be opened.
@unsafe
private func withStream(
  _ record: UnsafePointer<decant_record>?, _ options: UnsafePointer<decant_options>?,
  _ error: ErrorOut, _ body: (inout LineStream) -> Status
) -> Status {
  do throws(Settings.Refusal) {
    let settings = try unsafe Settings(options)
    var check = RecordCheck()
    guard let record = check.accepted(unsafe RecordRef(record), settings) else {
      return error.refuse(check.fault)
    }
    guard var stream = LineStream(record, check, settings) else {
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    return body(&stream)
  } catch let refusal { return refusal.report(to: error) }
}

/// What decant_lines_open() made.
private func stream(_ lines: OpaquePointer?) -> UnsafeMutablePointer<LineStream>? {
  // SAFETY: the caller's promise: an open stream, or NULL.
  unsafe lines.map { unsafe UnsafeMutablePointer<LineStream>($0) }
}
