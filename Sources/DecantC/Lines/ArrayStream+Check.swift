// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The end of a document whose array was handed out element by element.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

extension ArrayStream {
  /// Checks the document around the elements when the stream has ended at a place: reports what is wrong with it, or
  /// that it has no such array.
  /// - Parameter nowhere: a place for a call that stores nothing.
  func check(
    endingAt end: Report.Place, _ settings: Settings, _ nowhere: Memory, _ error: ErrorOut
  ) -> Status {
    if isShort { return error.refuse(DECANT_OUT_OF_MEMORY, "out of memory", at: end) }
    var element = decant_field()
    unsafe element.key = UnsafeRawPointer(pointer.start)?.assumingMemoryBound(to: CChar.self)
    element.kind = UInt16(CDecant.DECANT_ARRAY)
    element.element = UInt16(DECANT_KIND)
    element.flags = UInt32(DECANT_POINTER)
    return unsafe withUnsafePointer(to: element) { fields in
      var record = decant_record()
      record.size = MemoryLayout<Int>.size
      unsafe record.fields = fields
      record.field_count = 1
      return unsafe withUnsafePointer(to: record) { record in
        let seam =
          part == .elements
          ? Report.Seam(offset: around.count, place: end)
          : seam.map { Report.Seam(offset: $0.offset, place: $0.place) }
        let call = unsafe Call(
          RecordRef(record), needsBlock: false, nowhere, settings, error, Report.Place(), seam)
        return check(call, settings)
      }
    }
  }

  private func check(_ call: Call, _ settings: Settings) -> Status {
    unsafe withContext(around.bytes, at: settings.first, nil, settings) { context in
      let code = unsafe build(context)
      if code != ok { return unsafe call.refuse(ContextRef(context), code) }
      defer { unsafe close(context) }
      if part != .before { return ok }
      return unsafe call.diagnose(ContextRef(context), typeMismatch)
    }
  }
}
