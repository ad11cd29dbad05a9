// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant.h for tables that are made at run time, and for the descriptions of tables.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// What a decant_schema is: a table, and the arena that it is in.
private struct Schema {
  var arena: SchemaArena
  let record: RecordRef
}

@c @implementation
package func decant_schema_parse(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ options: UnsafePointer<decant_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  unsafe parse(Bytes(json, length: length), Options(options), HandleOut(out), ErrorOut(error))
}

private func parse(
  _ json: Bytes?, _ options: Options, _ out: HandleOut, _ error: ErrorOut
) -> Status {
  guard let json, out.isThere else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "json or out is NULL, or length is too large")
  }
  return options.follow(error) { settings throws(Settings.Refusal) in
    if !settings.engine.isNative {
      throw Settings.Refusal("descriptions are read by the native engine", code: DECANT_UNSUPPORTED)
    }
    return withDocument(json, settings) { context, code in
      if code != ok { return error.refuse(context, code, settings) }
      return parse(context, settings, out, error)
    }
  }
}

private func parse(
  _ context: ContextRef, _ settings: Settings, _ out: HandleOut, _ error: ErrorOut
) -> Status {
  var reader = SchemaReader(
    context, SchemaArena(settings.allocator),
    Report(error, context: context, source: settings.source))
  let record = reader.read()
  var arena = reader.arena
  guard let record, let schema = Handle(Schema(arena: arena, record: record), settings.allocator)
  else {
    arena.end()
    if record == nil, reader.status != noMemory { return reader.status }
    return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
  }
  out.store(schema)
  return ok
}

@c @implementation
package func decant_schema_record(_ schema: OpaquePointer!) -> UnsafePointer<decant_record>! {
  unsafe Handle<Schema>(schema)?.value.record.pointer
}

@c @implementation
package func decant_schema_free(_ schema: OpaquePointer!) { unsafe free(Handle(schema)) }

private func free(_ schema: Handle<Schema>?) {
  guard let schema else { return }
  var arena = schema.value.arena
  schema.release(arena.memory)
  arena.end()
}

@c @implementation
package func decant_record_describe(
  _ record: UnsafePointer<decant_record>!, _ buffer: UnsafeMutablePointer<CChar>!,
  _ capacity: Int, _ length: UnsafeMutablePointer<Int>!,
  _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  unsafe describe(
    RecordRef(record), to: TextOut(buffer, capacity, Out(length), ErrorOut(error)))
}

private func describe(_ record: RecordRef?, to out: TextOut) -> Status {
  do throws(TextOut.Refused) {
    let (text, table) = try out.check(record)
    var writer = SchemaWriter(text)
    writer.write(table)
    if let fault = writer.fault { return out.error.refuse(fault) }
    if out.finish(writer.text) { return ok }
    return out.error.refuse(DECANT_OUT_OF_MEMORY, "the buffer is too small")
  } catch let refused { return refused.status }
}
