// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant.h for tables that are made at run time, and for the descriptions of tables.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// What a decant_schema is: a table, and the arena that it is in.
@safe
private struct Schema {
  var arena: SchemaArena
  let record: RecordRef
}

@c @implementation
package func decant_schema_parse(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ options: UnsafePointer<decant_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  guard let json = unsafe Bytes(json, length: length), let out = unsafe out else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "json or out is NULL, or length is too large")
  }
  do throws(Settings.Refusal) {
    let settings = try unsafe Settings(options)
    if !settings.engine.isNative {
      throw Settings.Refusal("descriptions are read by the native engine", code: DECANT_UNSUPPORTED)
    }
    return unsafe withContext(json, settings) { context in
      let code = unsafe build(context)
      if code != ok { return unsafe error.refuse(ContextRef(context), code, settings) }
      defer { unsafe close(context) }
      return unsafe parse(ContextRef(context), settings, out, error)
    }
  } catch let refusal { return refusal.report(to: error) }
}

@unsafe
private func parse(
  _ context: ContextRef, _ settings: Settings, _ out: UnsafeMutablePointer<OpaquePointer?>,
  _ error: ErrorOut
) -> Status {
  let memory = ColumnMemory(allocator: settings.allocator)
  var reader = SchemaReader(
    context, SchemaArena(memory), Report(error, context: context, source: settings.source))
  let record = reader.read()
  var arena = reader.arena
  guard let record, let block = unsafe memory.allocate(MemoryLayout<Schema>.size) else {
    arena.end()
    if record == nil, reader.status != noMemory { return reader.status }
    return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
  }
  let schema = unsafe block.bindMemory(to: Schema.self, capacity: 1)
  unsafe schema.initialize(to: Schema(arena: arena, record: record))
  unsafe out.pointee = OpaquePointer(schema)
  return ok
}

@c @implementation
package func decant_schema_record(_ schema: OpaquePointer!) -> UnsafePointer<decant_record>! {
  unsafe pointer(schema)?.pointee.record.pointer
}

@c @implementation
package func decant_schema_free(_ schema: OpaquePointer!) {
  guard let schema = unsafe pointer(schema) else { return }
  var arena = unsafe schema.pointee.arena
  unsafe arena.memory.release(schema, MemoryLayout<Schema>.size)
  arena.end()
}

/// What decant_schema_parse() made.
private func pointer(_ schema: OpaquePointer?) -> UnsafeMutablePointer<Schema>? {
  // SAFETY: the caller's promise: a schema that was not freed, or NULL.
  unsafe schema.map { unsafe UnsafeMutablePointer<Schema>($0) }
}

@c @implementation
package func decant_record_describe(
  _ record: UnsafePointer<decant_record>!, _ buffer: UnsafeMutablePointer<CChar>!,
  _ capacity: Int, _ length: UnsafeMutablePointer<Int>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  unsafe length?.pointee = 0
  let error = unsafe ErrorOut(error)
  guard unsafe buffer != nil || capacity == 0, capacity >= 0 else {
    return error.refuse(DECANT_INVALID_ARGUMENT, "buffer is NULL, or capacity is too large")
  }
  var check = RecordCheck()
  let table = unsafe RecordRef(record)
  guard check.accepts(table, needsStorage: false), let table else {
    return error.refuse(check.fault)
  }
  var writer = unsafe SchemaWriter(BoundedText(buffer, capacity: capacity))
  writer.write(table)
  if let fault = writer.fault { return error.refuse(fault) }
  unsafe length?.pointee = writer.text.count
  writer.text.terminate()
  if unsafe writer.text.fits || buffer == nil { return ok }
  return error.refuse(DECANT_OUT_OF_MEMORY, "the buffer is too small")
}
