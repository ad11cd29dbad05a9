// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One document in chunks, whose array a DocumentCutter hands out element by element; and what is wrong with the document
// around them, when it has ended.

internal import CDecantIndex
internal import DecantCore

@safe
final class ElementStream {
  private let pointer: JSONPointer
  private let rules: LineRules
  private var cutter: DocumentCutter
  private var isFinished = false

  /// The cutter refers to its bytes.
  private let path: PointerText
  // SAFETY: allocated in init and deallocated by deinit; it refers to `path`. Elements that are handed out refer to it
  // until the next one.
  private let above: UnsafeMutablePointer<decant_above>
  private let place = LinePlace()

  init(_ pointer: JSONPointer, _ rules: LineRules) {
    self.pointer = pointer
    self.rules = rules
    path = PointerText(pointer)
    unsafe above = path.above()
    var stream = rules.stream
    // A pointer that can lead nowhere is told when the document is checked.
    stream.isSearched = pointer.tokens?.allSatisfy { $0.utf8.count <= 255 } ?? false
    stream.allowsTrailingCommas = rules.options.relaxations.contains(.trailingCommas)
    stream.array = path.bytes
    cutter = DocumentCutter(stream)
  }

  private init(_ other: ElementStream) {
    (pointer, rules, path) = (other.pointer, other.rules, other.path)
    cutter = other.cutter.copy()
    isFinished = other.isFinished
    unsafe above = path.above()
  }

  /// A stream that goes on by itself: its elements are elsewhere than this one's, also while one of these is decoded.
  func copy() -> ElementStream { ElementStream(self) }

  /// Why elements cannot be found before the document has ended.
  static func refusal(of options: DecodingOptions) -> DecodeError? {
    if options.relaxations.contains(.comments) {
      return .invalidArgument("comments are read in streams of lines only", .unsupported)
    }
    guard options.duplicateKeys == .last else { return nil }
    return .invalidArgument(
      "the last of several members is not known before a stream ends", .unsupported)
  }

  deinit {
    cutter.release()
    unsafe above.deallocate()
  }

  /// The next element of a chunk; nil when the chunk is used up.
  // SAFETY: the caller passes the same chunk until nil.
  func next(in chunk: UnsafeRawBufferPointer) -> LineText? {
    unsafe element(cutter.next(in: Bytes(chunk)))
  }

  /// The element that nothing ended.
  func finish() -> LineText? { element(cutter.finish()) }

  private func element(_ next: DocumentCutter.Next) -> LineText? {
    switch next {
    case .nothing: return nil
    case .document(let bytes):
      let start = cutter.start.location(before: bytes.count)
      unsafe above.pointee.index = cutter.array?.element.index ?? 0
      return unsafe LineText(
        document: nil, bytes: bytes.buffer,
        start: place.keep(start, above: above))
    case .refusal, .noMemory: fatalError("out of memory")
    }
  }

  /// The place of the first byte that was not handed out.
  var unfinished: DecodeError.Location { cutter.place.location() }

  /// Checks the document around the elements, once: what is wrong with it, or that it has no such array.
  func check() -> DecodeError? {
    guard let array = cutter.array, !isFinished else { return nil }
    isFinished = true
    var options = rules.options
    if rules.allowsMark { options.relaxations.insert(.byteOrderMark) }
    let first = rules.first.location(before: array.text.count)
    var start = decant_start(first)
    // By this engine whatever reads the elements: another one's places do not know that bytes were taken out.
    // SAFETY: the cutter keeps the bytes.
    let found: Decoded<Void> = unsafe withUnsafePointer(to: &start) { start in
      unsafe reading(
        array.text.buffer, .native, options.rules, from: start, options.sourceName
      ) { json in
        if array.isFound { return .success(()) }
        // If the array is there, its elements were not looked for.
        return .failure(
          json.lackOfArray(at: pointer)
            ?? .invalidArgument("a key of the pointer is longer than 255 bytes"))
      }
    }
    // An error behind the elements is as far on as they are long.
    guard let error = found.error, let seam = array.seam(endingAt: cutter.end) else {
      return found.error
    }
    return error.moved(
      behind: seam, in: array.text, from: first, options.rules)
  }
}

/// A pointer's text where it stays.
@safe
private final class PointerText {
  // SAFETY: allocated in init and deallocated by deinit.
  private let text: UnsafeMutableBufferPointer<UInt8>

  init(_ pointer: JSONPointer) {
    let text = Array(pointer.text.utf8)
    unsafe self.text = .allocate(capacity: text.count)
    _ = unsafe self.text.initialize(fromContentsOf: text)
  }

  deinit { unsafe text.deallocate() }

  var bytes: Bytes { unsafe Bytes(UnsafePointer(text.baseAddress), text.count) }

  /// A place above elements, in memory that the caller deallocates.
  func above() -> UnsafeMutablePointer<decant_above> {
    let above = UnsafeMutablePointer<decant_above>.allocate(capacity: 1)
    unsafe above.initialize(
      to: decant_above(pointer: text.baseAddress, length: text.count, index: 0))
    return unsafe above
  }
}
