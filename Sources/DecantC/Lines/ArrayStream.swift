// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One document whose array is handed out element by element:
//
//   stream    {"type":"x","items":[{"id":1} , {"id":2}],"n":2}
//   elements                       {"id":1}   {"id":2}           each a document, with its place in the stream
//   around    {"type":"x","items":[                   ],"n":2}   kept until the end, then checked as a document
//
// What is around the array is kept whole, up to `maximum_bytes`; of the array, the unfinished element alone.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

/// What is known of the document around the elements.
struct ArrayStream {
  enum Part {
    case before
    case elements
    case behind
  }
  private(set) var part = Part.before
  /// The document without the elements of its array, as far as it came.
  var around = GrowingBytes()
  /// Whether there was no memory for it.
  private(set) var isShort = false
  /// Whether the array has had a comma.
  var hasComma = false
  /// How many elements were passed.
  private(set) var count = 0
  /// Where the elements were, and where the document goes on behind them.
  private var seam: Report.Seam?
  private let start: Report.Place
  private let pointer: Bytes
  private var seek = decant_seek()

  init(_ pointer: Bytes, _ start: Report.Place) {
    self.pointer = pointer
    self.start = start
    // SAFETY: the caller's pointer, which outlives the stream.
    unsafe decant_seek_begin(&seek, pointer.start, pointer.count)
  }

  /// The element that was passed last.
  var element: Element { Element(array: pointer, index: count - 1) }

  /// An element's place in the document.
  struct Element {
    let array: Bytes
    let index: Int
  }

  /// Keeps bytes that are around the elements, as many as a document may have, and one more. False if there is no memory,
  /// and then nothing has changed.
  mutating func keep(_ bytes: Bytes, _ settings: Settings) -> Bool {
    let most = Int(clamping: settings.rules.maximum_bytes).saturating(adding: 1)
    let wanted = isShort ? 0 : min(bytes.count, most - around.count)
    return wanted <= 0 || around.append(bytes[0..<wanted], settings)
  }

  mutating func giveUp(_ settings: Settings) {
    isShort = true
    around.release(settings)
  }

  /// Passes over bytes before the elements; returns how many there are, or nil if there is no memory.
  mutating func pass(_ bytes: Bytes, _ settings: Settings) -> Int? {
    let before = around.count
    if !keep(bytes, settings) { return nil }
    // SAFETY: the bytes that were kept.
    guard let text = unsafe around.bytes.start,
      unsafe decant_seek_array(&seek, text, around.count) == DECANT_SEEK_FOUND
    else { return bytes.count }
    around.cut(to: seek.at)
    part = .elements
    return seek.at - before
  }

  mutating func passElement() { count = count.saturating(adding: 1) }

  /// The array ends, and the document goes on at a place.
  mutating func end(at place: Report.Place) {
    seam = Report.Seam(offset: around.count, place: place)
    part = .behind
  }
}

// MARK: - The end

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
          part == .elements ? Report.Seam(offset: around.count, place: end) : seam
        let call = unsafe Call(
          RecordRef(record), needsBlock: false, nowhere, settings, error, Report.Place(), seam)
        return check(call, settings)
      }
    }
  }

  private func check(_ call: Call, _ settings: Settings) -> Status {
    unsafe withContext(around.bytes, at: start, nil, settings) { context in
      let code = unsafe build(context)
      if code != ok { return unsafe call.refuse(ContextRef(context), code) }
      defer { unsafe close(context) }
      if part != .before { return ok }
      return unsafe call.diagnose(ContextRef(context), typeMismatch)
    }
  }
}
