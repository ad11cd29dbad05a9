// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant.h for columns. A table is the schema, and the walk that fills structs fills columns:
//
//   table ──► ColumnPlan ──► columns ◄── ColumnFill ◄── RecordWalk ◄── line ◄── LineSource
//                               │
//                               └──► ArrowSchemas, ArrowArrays ──► ArrowStreams
//
// No library of Arrow is needed: its C interface is three structs. Nothing here touches the Swift heap.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_read_arrow(
  _ record: UnsafePointer<decant_record>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ options: UnsafePointer<decant_options>!, _ rows: UnsafeMutablePointer<ArrowArrayStream>!,
  _ rejects: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  guard let json = unsafe Bytes(json, length: length), unsafe rows != nil || rejects != nil else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "json, or both rows and rejects are NULL, or length is too large")
  }
  do throws(Settings.Refusal) {
    let settings = try unsafe Settings(options)
    let source = LineSource(json, nil, settings)
    return unsafe open(RecordRef(record), settings, source, rows, rejects, error)
  } catch let refusal { return refusal.report(to: error) }
}

@c @implementation
package func decant_read_arrow_from(
  _ record: UnsafePointer<decant_record>!, _ function: decant_read_function!,
  _ context: UnsafeMutableRawPointer!, _ options: UnsafePointer<decant_options>!,
  _ rows: UnsafeMutablePointer<ArrowArrayStream>!,
  _ rejects: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let error = unsafe ErrorOut(error)
  guard let function = unsafe function, unsafe rows != nil || rejects != nil else {
    return error.refuse(
      DECANT_INVALID_ARGUMENT, "function, or both rows and rejects are NULL")
  }
  do throws(Settings.Refusal) {
    let settings = try unsafe Settings(options)
    if settings.columns.has(DECANT_COLUMNS_BORROW) {
      throw Settings.Refusal("there is no text to borrow from a function that reads")
    }
    let input = unsafe LineSource.Input(function: function, context: context)
    let source = LineSource(Bytes(), input, settings)
    return unsafe open(RecordRef(record), settings, source, rows, rejects, error)
  } catch let refusal { return refusal.report(to: error) }
}

/// Opens the streams of a table's rows.
@unsafe
private func open(
  _ record: RecordRef?, _ settings: Settings, _ source: LineSource,
  _ rows: UnsafeMutablePointer<ArrowArrayStream>?,
  _ rejects: UnsafeMutablePointer<ArrowArrayStream>?, _ error: ErrorOut
) -> Status {
  var check = RecordCheck()
  // Columns need no place for a struct's block.
  guard check.accepts(record, needsStorage: false), let record else {
    return error.refuse(check.fault)
  }
  var fault: RecordFault?
  guard var reader = ColumnReader.open(record, settings, source, &fault) else {
    if let fault { return error.refuse(fault) }
    return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
  }
  if unsafe openStreams(reader, rows, rejects) == ok { return ok }
  reader.end()
  return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
}
