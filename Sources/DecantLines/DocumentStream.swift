// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A stream in chunks whose documents are not lines: records, documents one after another, or the elements of an array. A
// DocumentCutter finds them. At the end, the document around the elements is checked.

internal import CDecantIndex
public import DecantCore

/// What tells the documents of a stream apart, if they are no lines.
@usableFromInline
enum DocumentFraming {
  case records, documents
  case elements(at: JSONPointer)
}

@safe
final class DocumentStream {
  private let pointer: JSONPointer?
  private let rules: LineRules
  @exclusivity(unchecked) @safe private var cutter: DocumentCutter
  @exclusivity(unchecked) @safe private var isFinished = false
  /// Why the document that was handed out last is not to be read, if it is not.
  @exclusivity(unchecked) @safe private(set) var refusal: DecodeError?

  /// The cutter refers to its bytes.
  private let path: PointerText?
  // SAFETY: allocated in init and deallocated by deinit; it refers to `path`. Elements that are handed out refer to it
  // until the next one.
  private let above: UnsafeMutablePointer<decant_above>?
  private let place = LinePlace()

  init(_ framing: DocumentFraming, _ rules: LineRules) {
    self.rules = rules
    var stream = rules.stream
    switch framing {
    case .elements(let pointer):
      self.pointer = pointer
      let path = PointerText(pointer)
      self.path = path
      unsafe above = path.above()
      // A pointer that can lead nowhere is told when the document is checked.
      stream.isSearched = pointer.tokens?.allSatisfy { $0.utf8.count <= 255 } ?? false
      stream.allowsTrailingCommas = rules.options.relaxations.contains(.trailingCommas)
      stream.array = path.bytes
      stream.indexed = rules.indexed
    case .records, .documents:
      (pointer, path) = (nil, nil)
      unsafe above = nil
      if case .records = framing { stream.hasRecords = true }
    }
    cutter = DocumentCutter(stream)
  }

  private init(_ other: DocumentStream) {
    (pointer, rules, path) = (other.pointer, other.rules, other.path)
    cutter = other.cutter.copy()
    isFinished = other.isFinished
    unsafe above = path?.above()
  }

  /// A stream that goes on by itself: its documents are elsewhere than this one's, also while one of these is decoded.
  func copy() -> DocumentStream { DocumentStream(self) }

  /// Why documents cannot be found before the stream has ended.
  static func refusal(
    of options: DecodingOptions, _ framing: DocumentFraming
  ) -> DecodeError? {
    if options.relaxations.contains(.comments) {
      return .invalidArgument("comments are read in streams of lines only", .unsupported)
    }
    guard case .elements = framing, options.duplicateKeys == .last else { return nil }
    return .invalidArgument(
      "the last of several members is not known before a stream ends", .unsupported)
  }

  deinit {
    cutter.release()
    unsafe above?.deallocate()
  }

  /// The next document of a chunk; nil when the chunk is used up.
  // SAFETY: the caller passes the same chunk until nil.
  func next(in chunk: UnsafeRawBufferPointer) -> LineText? {
    document {
      let next = unsafe $0.next(in: Bytes(chunk))
      unsafe $0.count(in: Bytes(chunk))
      return next
    }
  }

  /// The document that nothing ended.
  func finish() -> LineText? { document { $0.finish() } }

  private func document(_ next: (inout DocumentCutter) -> DocumentCutter.Next) -> LineText? {
    refusal = nil
    while true {
      switch next(&cutter) {
      case .nothing: return nil
      case .document(let bytes): return text(bytes)
      case .refusal(let bytes, let code, let message):
        let text = text(bytes)
        refusal = .unreadable(
          "\(message)", at: cutter.start.location(before: bytes.count),
          DecodeError.Code(status: Int32(code)), rules.options.sourceName)
        return text
      // The document that there is no memory for is one that is refused.
      case .noMemory: cutter.giveUp()
      }
    }
  }

  private func text(_ bytes: Bytes) -> LineText {
    unsafe above?.pointee.index = cutter.array?.element.index ?? 0
    let start = unsafe place.keep(cutter.start.location(before: bytes.count), above: above)
    let document = unsafe cutter.linked.map { unsafe UnsafeMutablePointer(mutating: $0.pointer) }
    unsafe document?.pointee.start = start
    return unsafe LineText(document: document, bytes: bytes.buffer, start: start)
  }

  // MARK: - Around elements

  /// The place of the first byte that was not handed out.
  var unfinished: DecodeError.Location { cutter.unfinishedPlace.location() }

  /// Checks the document around the elements, once: what is wrong with it, or that it has no such array.
  func check() -> DecodeError? {
    guard let array = cutter.array, let pointer, !isFinished else { return nil }
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
