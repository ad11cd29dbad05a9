// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The end of a document whose array was decoded element by element.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension ArrayStream {
  /// Checks the document around the elements at the end of the stream. Reports its error, or that it has no such array.
  /// - Parameter nowhere: a place for a call that stores nothing.
  func check(
    endingAt end: StreamPlace, _ settings: Settings, _ nowhere: Memory, _ error: ErrorOut
  ) -> Status {
    let settings = settings.aroundElements
    if isShort {
      return error.refuse(
        DECANT_OUT_OF_MEMORY, "out of memory", at: end, source: settings.source)
    }
    // SAFETY: the pointer outlives the stream; the table is used during the call.
    var element = decant_field()
    unsafe element.key = pointer.memory?.textPointer
    element.kind = UInt16(CDecant.DECANT_ARRAY)
    element.element = UInt16(DECANT_KIND)
    element.flags = UInt32(DECANT_POINTER)
    return withTable(size: MemoryLayout<Int>.size, element) { record in
      let call = Call(
        record: record, check: nil, out: nowhere, settings: settings, error: error,
        seam: seam(endingAt: end))
      return withDocument(text, settings, at: settings.first, nil) { context, code in
        if code != ok { return call.refuse(context, code) }
        return isFound ? ok : call.diagnose(context, typeMismatch)
      }
    }
  }
}
