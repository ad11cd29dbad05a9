// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One document in chunks, whose array is cut into its elements (decant_cut.h):
//
//   stream    {"type":"x","items":[{"id":1} , {"id":2}],"n":2}
//   elements                       {"id":1}   {"id":2}           each a document, with its place in the stream
//   around    {"type":"x","items":[                   ],"n":2}   kept until the end, then checked as a document
//
// What is around the array is kept, up to the longest document; of the array, the unfinished element alone.

internal import CDecantIndex
internal import DecantCore

@safe
final class ElementStream {
  private enum Part { case before, elements, behind }

  private let pointer: JSONPointer
  private let rules: LineRules
  private let options: DecodingOptions
  private var part = Part.before
  /// The place of the next byte.
  private var end: decant_text_place
  /// In the chunk.
  private var position = 0
  private var isFinished = false

  // SAFETY: a copy of the pointer's text, allocated in init and deallocated by deinit; `seek` refers to it.
  private let path: UnsafeMutableBufferPointer<UInt8>
  private var seek = decant_seek()
  private var cut = decant_cut()
  private var hasComma = false
  private let pending = PendingLine()
  /// Where the unfinished element begins.
  private var start: decant_start
  // SAFETY: allocated in init and deallocated by deinit; it refers to `path`. Elements that are handed out refer to it
  // until the next one.
  private let above: UnsafeMutablePointer<decant_above>
  private var count = 0

  private var around: [UInt8] = []
  /// Where the elements were in `around`, and where the document goes on behind them.
  private var seam: (offset: Int, place: decant_text_place)?

  init(_ pointer: JSONPointer, _ rules: LineRules) {
    self.pointer = pointer
    self.rules = rules
    options = rules.options
    start = rules.first
    end = decant_text_place(offset: start.offset, line: start.line, column: start.column - 1)
    let text = Array(pointer.text.utf8)
    unsafe path = .allocate(capacity: max(text.count, 1))
    _ = unsafe path.initialize(from: text)
    unsafe decant_seek_begin(&seek, path.baseAddress!, text.count)
    unsafe above = .allocate(capacity: 1)
    unsafe above.initialize(
      to: decant_above(pointer: path.baseAddress, length: text.count, index: 0))
  }

  deinit {
    unsafe above.deallocate()
    unsafe path.deallocate()
  }

  /// Whether the pointer can lead anywhere: what cannot is told when the document is checked.
  private var isSearched: Bool { pointer.tokens?.allSatisfy { $0.utf8.count <= 255 } ?? false }

  /// The next element of a chunk; nil when the chunk is used up.
  // SAFETY: the caller passes the same chunk until nil.
  func next(in chunk: UnsafeRawBufferPointer) -> LineText? {
    while position < chunk.count {
      let rest = unsafe chunk.bytes(from: position)
      switch part {
      case .before: unsafe takeBefore(rest)
      case .elements: if let element = unsafe takeElement(rest) { return element }
      case .behind:
        unsafe keep(rest)
        unsafe pass(rest.count, of: rest)
      }
    }
    position = 0
    return nil
  }

  /// The element that nothing ended.
  func finish() -> LineText? {
    guard !pending.isEmpty else { return nil }
    return takePending()
  }

  private func pass(_ count: Int, of bytes: UnsafeRawBufferPointer) {
    unsafe decant_text_pass(
      &end, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), count)
    position += count
  }

  // MARK: - Around the elements

  private func keep(_ bytes: UnsafeRawBufferPointer) {
    let (most, overflow) = rules.maximumBytes.addingReportingOverflow(1)
    let wanted = min(bytes.count, (overflow ? .max : most) - around.count)
    if wanted > 0 { unsafe around.append(contentsOf: bytes.bytes(upTo: wanted)) }
  }

  /// Goes on in what is before the array, in steps, so that few of the elements' bytes are kept for a moment.
  private func takeBefore(_ rest: UnsafeRawBufferPointer) {
    let bytes = unsafe rest.bytes(upTo: 4096)
    let before = around.count
    unsafe keep(bytes)
    // SAFETY: the bytes that were kept.
    let found = unsafe around.withUnsafeBufferPointer {
      unsafe decant_seek_array(&seek, $0.baseAddress!, isSearched ? $0.count : 0)
    }
    let isFound = isSearched && found == Int32(DECANT_SEEK_FOUND)
    if isFound {
      around.removeLast(around.count - seek.at)
      part = .elements
    }
    unsafe pass(isFound ? seek.at - before : bytes.count, of: bytes)
  }

  /// Checks the document around the elements, once: what is wrong with it, or that it has no such array.
  func check() -> DecodeError? {
    if isFinished { return nil }
    isFinished = true
    if part == .elements { seam = (around.count, end) }
    var start = rules.first
    let found: Decoded<Void> = unsafe around.withUnsafeBytes { text in
      unsafe withUnsafePointer(to: &start) { start in
        unsafe reading(text, options.engine, options.rules, from: start, options.sourceName) {
          json in
          if part != .before { return .success(()) }
          if let error = json.decode(pointer: pointer, as: [JSONValue].self).error {
            return .failure(error)
          }
          // The array is there, but its elements were not looked for.
          return .failure(.invalidArgument("a key of the pointer is longer than 255 bytes"))
        }
      }
    }
    guard let error = found.error else { return nil }
    return behindSeam(error)
  }

  /// An error behind the elements is as far on as they are long.
  private func behindSeam(_ error: DecodeError) -> DecodeError {
    guard let seam, let location = error.location,
      location.offset - rules.first.offset >= seam.offset
    else { return error }
    let distance = location.offset - rules.first.offset - seam.offset
    let start = DecodeError.Location(seam.place)
    return unsafe around.withUnsafeBufferPointer { text in
      let text = unsafe Bytes(text.baseAddress, text.count)
      var lines = LineCounter(text[seam.offset..<text.count], from: start)
      return error.moved(
        to: lines.location(of: distance), behind: TextSeam(offset: seam.offset, start: start),
        in: text, from: DecodeError.Location(rules.first), options)
    }
  }

  // MARK: - Elements

  private func takeElement(_ rest: UnsafeRawBufferPointer) -> LineText? {
    if pending.isEmpty {
      var white = 0
      while white < rest.count, unsafe decant_is_white(rest[white]) { white += 1 }
      if white > 0 {
        unsafe pass(white, of: rest)
        return nil
      }
      start = unsafe decant_start(
        offset: end.offset, line: end.line, column: end.column + 1, above: above)
    }
    let length = unsafe decant_cut_value(
      &cut, rest.baseAddress!.assumingMemoryBound(to: UInt8.self), rest.count, true)
    let bytes = unsafe rest.bytes(upTo: length)
    if length == rest.count {
      unsafe pending.append(bytes, atMost: rules.mostKept)
      unsafe pass(length, of: rest)
      return nil
    }
    let isLast = unsafe rest[length] != UInt8(ascii: ",")
    var element: LineText?
    if !pending.isEmpty {
      unsafe pending.append(bytes, atMost: rules.mostKept)
      element = takePending()
    } else if length > 0 {
      element = unsafe this(bytes)
    } else if !isLast || hasComma && !options.relaxations.contains(.trailingCommas) {
      // A comma or a bracket where an element should be: what is wrong with it as a document.
      element = unsafe this(rest.bytes(upTo: 1))
    }
    unsafe pass(length, of: rest)
    if isLast {
      seam = (around.count, end)
      part = .behind
    } else {
      hasComma = true
      unsafe pass(1, of: rest.bytes(from: length))
    }
    return element
  }

  private func takePending() -> LineText {
    defer { pending.clear() }
    return unsafe this(pending.bytes)
  }

  /// The next element.
  private func this(_ bytes: UnsafeRawBufferPointer) -> LineText {
    unsafe above.pointee.index = count
    count += 1
    return unsafe LineText(document: nil, bytes: bytes, start: start)
  }
}

extension DecodeError.Location {
  fileprivate init(_ place: decant_text_place) {
    self.init(offset: place.offset, line: place.line, column: place.column + 1)
  }
}
