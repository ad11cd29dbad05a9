// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Writes all errors of a document into the caller's buffer: the document is read again, and no struct is filled.

package import CDecant
internal import CDecantIndex
internal import DecantCore

@c @implementation
package func decant_error_text(
  _ record: UnsafePointer<decant_record>!, _ pointer: UnsafePointer<CChar>!,
  _ json: UnsafePointer<CChar>!, _ length: Int, _ options: UnsafePointer<decant_options>!,
  _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int
) -> Int {
  // SAFETY: the caller's promise: `capacity` bytes from `buffer`.
  let room = unsafe UnsafeMutableRawBufferPointer(
    start: buffer, count: buffer == nil ? 0 : Int(clamping: UInt(bitPattern: capacity)))
  var list = unsafe ErrorList(room: room)
  // SAFETY: the list is this frame's; table, pointer, bytes and options are the caller's, during the call.
  return unsafe withUnsafeMutablePointer(to: &list) { list in
    let error = unsafe ErrorOut(list: list)
    // A call without an error leaves a text of no bytes.
    _ = error.writer(.message)
    guard let json = unsafe Bytes(json, length: length) else {
      _ = error.refuse(DECANT_INVALID_ARGUMENT, "json is NULL, or length is too large")
      return unsafe list.pointee.length
    }
    _ = unsafe follow(options, error) { settings in
      guard let pointer = unsafe Bytes(cString: pointer) else {
        return unsafe report(RecordRef(record), json, settings, error, Memory(list))
      }
      if !isPointer(pointer) { return error.refuseArrayPointer() }
      return unsafe withTable(ofArrayAt: pointer, of: record) {
        unsafe report($0, json, settings, error, Memory(list))
      }
    }
    return unsafe list.pointee.length
  }
}

/// Reports the errors of a document.
/// - Parameter out: Any memory: nothing is filled.
private func report(
  _ record: RecordRef?, _ json: Bytes, _ settings: Settings, _ error: ErrorOut, _ out: Memory
) -> Status {
  var check = RecordCheck(settings.allocator)
  guard let record = check.accepted(record, needsStorage: settings.needsStorage) else {
    return error.refuse(check.fault)
  }
  return withDocument(json, settings) { context, code in
    if code != ok { return error.refuse(context, code, settings) }
    let call = Call(record: record, check: check, out: out, settings: settings, error: error)
    return call.diagnose(context)
  }
}

/// The destination of a text of all errors.
@safe
struct ErrorList {
  // SAFETY: the caller's buffer, during the call.
  let room: UnsafeMutableRawBufferPointer
  /// Bytes of the text, whether they fit or not.
  var length = 0

  @unsafe init(room: UnsafeMutableRawBufferPointer) { unsafe self.room = room }
}
