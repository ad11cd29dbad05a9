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
  var part = Part.before
  /// The document without the elements of its array, as far as it came.
  var around = GrowingBytes()
  var isShort = false
  /// Whether the array has had a comma.
  var hasComma = false
  /// Where the elements were, and where the document goes on behind them.
  var seam: Report.Seam?
  let start: Report.Place
  let pointer: Bytes
  var seek = decant_seek()

  init(_ pointer: Bytes, _ start: Report.Place) {
    self.pointer = pointer
    self.start = start
    // SAFETY: the caller's pointer, which outlives the stream.
    unsafe decant_seek_begin(&seek, pointer.start, pointer.count)
  }

  /// Keeps bytes that are around the elements, as many as a document may have, and one more.
  mutating func keep(_ bytes: Bytes, _ settings: Settings) {
    let most = Int(clamping: settings.rules.maximum_bytes).saturating(adding: 1)
    let wanted = min(bytes.count, most - around.count)
    guard !isShort, wanted > 0 else { return }
    isShort = !around.append(bytes[0..<wanted], settings)
  }

  /// Looks for the array in what was kept; false if it is not there yet.
  mutating func findsArray() -> Bool {
    guard let text = unsafe around.bytes.start else { return false }
    // SAFETY: the bytes that were kept.
    return unsafe decant_seek_array(&seek, text, around.count) == DECANT_SEEK_FOUND
  }
}

extension LineStream {
  mutating func takeElements(_ chunk: Bytes, to receiver: LineReceiver) {
    var at = 0
    while at < chunk.count, !isEnded {
      switch array?.part {
      case .before: at = takeBefore(chunk, at)
      case .elements: at = takeElement(chunk, at, to: receiver)
      default:
        array?.keep(chunk[at..<chunk.count], settings)
        value.end.pass(chunk[at..<chunk.count])
        place = value.end
        return
      }
    }
  }

  /// Goes on in what is before the array; returns where its elements begin, or where to go on.
  private mutating func takeBefore(_ chunk: Bytes, _ start: Int) -> Int {
    guard var array else { return chunk.count }
    // In steps, so that few of the elements' bytes are kept for a moment.
    var end = min(chunk.count, start + step)
    let before = array.around.count
    array.keep(chunk[start..<end], settings)
    if array.findsArray() {
      end = start + (array.seek.at - before)
      array.around.cut(to: array.seek.at)
      array.part = .elements
    }
    self.array = array
    value.end.pass(chunk[start..<end])
    place = value.end
    return end
  }

  /// Goes on in the array; returns where the next element begins, or where to go on.
  private mutating func takeElement(_ chunk: Bytes, _ start: Int, to receiver: LineReceiver) -> Int
  {
    var at = start
    if unfinished.length == 0 {
      at = passWhite(chunk, at)
      if at == chunk.count { return at }
    }
    let end = at + cut(chunk[at..<chunk.count], atCommas: true)
    guard end < chunk.count else {
      takeValue(chunk[at..<end], isWhole: false, to: receiver)
      return end
    }
    let isLast = chunk[end] != UInt8(ascii: ",")
    if end > at || unfinished.length > 0 {
      takeValue(chunk[at..<end], isWhole: true, to: receiver)
    } else if !(isLast && allowsNoElement) {
      // A comma or a bracket where an element should be: what is wrong with it as a document.
      isEnded = !decoder.decode(chunk[end..<end + 1], at: place, to: receiver)
    }
    if isLast {
      let kept = array?.around.count ?? 0
      array?.seam = Report.Seam(offset: kept, place: value.end)
      array?.part = .behind
      return end
    }
    array?.hasComma = true
    value.end.passComma()
    place = value.end
    return end + 1
  }

  /// Whether the array may end where an element could be.
  private var allowsNoElement: Bool {
    array?.hasComma == false || Int(settings.rules.relaxations) & DECANT_ALLOW_TRAILING_COMMAS != 0
  }

  // MARK: - The end

  /// Takes the unfinished element, and checks what is around all of them.
  mutating func finishElements(to receiver: LineReceiver) {
    if unfinished.length > 0 { takeUnfinished(to: receiver) }
    guard !isEnded, let array else { return }
    if array.isShort {
      isEnded = !decoder.refuse(DECANT_OUT_OF_MEMORY, "out of memory", at: place, to: receiver)
    } else {
      let seam =
        array.part == .elements
        ? Report.Seam(offset: array.around.count, place: value.end) : array.seam
      isEnded = !decoder.check(array, seam, to: receiver)
    }
  }
}

extension LineDecoder {
  /// Checks the document around an array; hands an error out if it is wrong, or if it has no array there.
  func check(_ array: ArrayStream, _ seam: Report.Seam?, to receiver: LineReceiver) -> Bool {
    var error = decant_error()
    error.size = MemoryLayout<decant_error>.size
    var element = decant_field()
    unsafe element.key = UnsafeRawPointer(array.pointer.start)?.assumingMemoryBound(to: CChar.self)
    element.kind = UInt16(CDecant.DECANT_ARRAY)
    element.element = UInt16(DECANT_KIND)
    element.flags = UInt32(DECANT_POINTER)
    let status = unsafe withUnsafePointer(to: element) { fields in
      var record = decant_record()
      record.size = MemoryLayout<Int>.size
      unsafe record.fields = fields
      record.field_count = 1
      return unsafe withUnsafePointer(to: record) { record in
        unsafe withUnsafeMutablePointer(to: &error) { error in
          unsafe check(RecordRef(record), array, seam, ErrorOut(error))
        }
      }
    }
    return status == ok || receiver.take(error, line: max(1, Int(clamping: error.line)))
  }

  private func check(
    _ record: RecordRef, _ array: ArrayStream, _ seam: Report.Seam?, _ error: ErrorOut
  ) -> Status {
    let call = Call(
      record, needsBlock: false, nowhere, settings, error, Report.Place(), seam)
    return unsafe withContext(array.around.bytes, at: array.start, settings) { context in
      let code = unsafe build(context)
      if code != ok { return unsafe call.refuse(ContextRef(context), code) }
      defer { unsafe close(context) }
      if array.part != .before { return ok }
      return unsafe call.diagnose(ContextRef(context), typeMismatch)
    }
  }
}

/// The bytes that are looked at together before the array is found.
private let step = 4096
