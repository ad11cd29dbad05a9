// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant.h for tables that are made at run time, and for the descriptions of tables.

package import CDecant
internal import CDecantIndex
internal import DecantCore

/// The contents of a decant_schema: a table, and the arena with it.
private struct Schema {
  var arena: SchemaArena
  let record: RecordRef
}

@c @implementation
package func decant_schema_parse(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ options: UnsafePointer<decant_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let (json, error) = unsafe (Bytes(json, length: length), ErrorOut(error))
  guard let json, let out = unsafe out else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "json or out is NULL, or length is too large")
  }
  return unsafe follow(options, error) { settings throws(Settings.Refusal) in
    if !settings.engine.isNative {
      throw Settings.Refusal("descriptions are read by the native engine", code: DECANT_UNSUPPORTED)
    }
    return withDocument(json, settings) { context, code in
      if code != ok { return error.refuse(context, code, settings) }
      var reader = SchemaReader(
        context, SchemaArena(settings.allocator, upTo: context.memoryLeft(by: settings.rules)),
        Report(error, context: context, source: settings.source))
      do throws(SchemaReader.Failure) {
        let record = try reader.read()
        let schema = Schema(arena: reader.arena, record: record)
        guard let schema = Handle(schema, settings.allocator) else { throw SchemaReader.Failure() }
        unsafe out.pointee = schema.opaque
        return ok
      } catch _ {
        var (arena, report) = (reader.arena, reader.report)
        arena.end()
        if report.count > 0 { return report.finish() }
        return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
      }
    }
  }
}

@c @implementation
package func decant_schema_record(_ schema: OpaquePointer!) -> UnsafePointer<decant_record>! {
  unsafe Handle<Schema>(schema)?.value.record.pointer
}

@c @implementation
package func decant_schema_free(_ schema: OpaquePointer!) {
  guard let schema = unsafe Handle<Schema>(schema) else { return }
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
  let (record, out) = unsafe (
    RecordRef(record), TextOut(buffer, capacity, length, ErrorOut(error))
  )
  do throws(TextOut.Refused) {
    let (text, table, _) = try out.check(record)
    var writer = SchemaWriter(text)
    writer.write(table)
    if let fault = writer.fault { return out.error.refuse(fault) }
    return out.finish(writer.text)
  } catch let refused { return refused.status }
}
