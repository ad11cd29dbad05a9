// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The functions of decant.h for columns. A table is the schema, and the walk that fills structs fills columns:
//
//   table ──► ColumnPlan ──► columns ◄── ColumnFill ◄── RecordWalk ◄── line ◄── LineSource
//                               │         ▲
//                               │         └── lines as the table says, without a walk: columns_lines.c
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
  unsafe open(
    RecordRef(record), Bytes(json, length: length), nil, StreamPlaces(rows, rejects),
    options, ErrorOut(error),
    "json, or both rows and rejects are NULL, or length is too large")
}

@c @implementation
package func decant_read_arrow_from(
  _ record: UnsafePointer<decant_record>!, _ function: decant_read_function!,
  _ context: UnsafeMutableRawPointer!, _ options: UnsafePointer<decant_options>!,
  _ rows: UnsafeMutablePointer<ArrowArrayStream>!,
  _ rejects: UnsafeMutablePointer<ArrowArrayStream>!, _ error: UnsafeMutablePointer<decant_error>!
) -> decant_status {
  let input = unsafe LineSource.Input(function, context)
  return unsafe open(
    RecordRef(record), input.map { _ in Bytes() }, input, StreamPlaces(rows, rejects),
    options, ErrorOut(error), "function, or both rows and rejects are NULL")
}

/// Opens the streams of a table's rows; `words` say what is missing if `json` or `places` is.
private func open(
  _ record: RecordRef?, _ json: Bytes?, _ input: LineSource.Input?, _ places: StreamPlaces?,
  _ options: UnsafePointer<decant_options>?, _ error: ErrorOut, _ words: StaticString
) -> Status {
  guard let json, let places else { return error.refuse(DECANT_INVALID_ARGUMENT, words) }
  if places.areOne {
    return error.refuse(DECANT_INVALID_ARGUMENT, "rows and rejects are one struct")
  }
  return unsafe follow(options, error) { settings throws(Settings.Refusal) in
    if input != nil, settings.hasColumns(DECANT_COLUMNS_BORROW) {
      throw Settings.Refusal("there is no text to borrow from a function that reads")
    }
    var check = RecordCheck(settings.allocator)
    // Columns need no place for a struct's block.
    guard let record = check.accepted(record, needsStorage: false) else {
      return error.refuse(check.fault)
    }
    var fault: RecordFault?
    let settings = settings.ofDocuments
    let source = LineSource(json, input, settings)
    guard var reader = ColumnReader.open(record, check, settings, source, &fault) else {
      if let fault { return error.refuse(fault) }
      return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
    }
    if places.open(reader, settings.owner) == ok { return ok }
    reader.end()
    return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory")
  }
}
