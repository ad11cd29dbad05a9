// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Cuts a stream into lines, wherever its chunks were cut:
//
//   chunk   {"id":1}⏎{"id"      :2}⏎⏎{"id":3      }
//   line    1 ───────┘└───────── 2 ┘ └──────────── 4, by finish
//                     kept                kept
//
// A line that is whole in a chunk is decoded where it is; of others the bytes are kept until the rest comes. Of a line
// that is longer than `maximum_bytes` no more is kept than its error shows, whatever follows before the line feed.

internal import CDecant
internal import CDecantIndex
internal import DecantCore

@safe
struct LineStream {
  let settings: Settings
  private var decoder: LineDecoder
  /// The place of the first byte that was not decoded yet.
  private(set) var place: Report.Place
  private var isEnded = false

  // The unfinished line: `kept` of its `length` bytes are in `pending`.
  // SAFETY: `capacity` bytes, of which `kept` are initialized.
  private var pending: UnsafeMutableRawPointer?
  private var capacity = 0
  private var kept = 0
  private var length = 0
  /// Whether there was no memory for it.
  private var isShort = false
  /// Whether all of it is white space, also what was not kept.
  private var isBlank = true

  /// Nil if there is no memory.
  init?(_ record: RecordRef, _ check: RecordCheck, _ settings: Settings) {
    guard let decoder = LineDecoder(record, check, settings) else { return nil }
    self.decoder = decoder
    self.settings = settings
    place = settings.first
    unsafe pending = nil
  }

  mutating func end() {
    decoder.end()
    releasePending()
  }

  /// Takes the next bytes; `isLast` if no others follow, so that what is left is a line.
  mutating func take(_ chunk: Bytes, isLast: Bool, to receiver: LineReceiver) {
    let count = chunk.count
    var start = 0
    if length > 0, !isEnded {
      let rest = chunk.line(at: 0)
      keep(rest)
      if rest.count < count || isLast { takePending(to: receiver) }
      start = min(count, rest.count + 1)
    }
    let end = isLast ? count : start + chunk[start..<count].lastLineEnd
    take(lines: chunk[start..<end], to: receiver)
    if end < count, !isEnded { keep(chunk[end..<count]) }
  }

  /// Takes the line that no line feed ended.
  mutating func finish(to receiver: LineReceiver) {
    if length > 0, !isEnded { takePending(to: receiver) }
  }

  // MARK: - Lines

  /// Takes whole lines, as many at a time as an index of lines can tell.
  private mutating func take(lines: Bytes, to receiver: LineReceiver) {
    var start = 0
    while start < lines.count, !isEnded {
      var part = lines[start..<lines.count]
      if part.count > mostIndexed {
        let whole = part[0..<mostIndexed].lastLineEnd
        part = whole > 0 ? part[0..<whole] : part[0..<min(part.count, part.line(at: 0).count + 1)]
      }
      start += part.count
      if part.count <= mostIndexed, decoder.canIndex(part) {
        isEnded = !decoder.decode(indexed: part, from: &place, to: receiver)
      } else {
        take(oneByOne: part, to: receiver)
      }
    }
  }

  private mutating func take(oneByOne lines: Bytes, to receiver: LineReceiver) {
    var at = 0
    while at < lines.count, !isEnded {
      let line = lines.line(at: at)
      isEnded = !line.isBlank && !decoder.decode(line, at: place, to: receiver)
      place.pass(line.count)
      at += line.count + 1
    }
  }

  private mutating func takePending(to receiver: LineReceiver) {
    if isShort {
      isEnded = !decoder.refuseWithoutMemory(at: place, to: receiver)
    } else if !isBlank, let pending = unsafe pending {
      let line = unsafe Bytes(pending.assumingMemoryBound(to: UInt8.self), kept)
      isEnded = !decoder.decode(line, at: place, to: receiver)
    }
    place.pass(length)
    (kept, length, isShort, isBlank) = (0, 0, false, true)
    if capacity > mostKept { releasePending() }
  }

  // MARK: - The unfinished line

  private mutating func keep(_ bytes: Bytes) {
    length = length.saturating(adding: bytes.count)
    isBlank = isBlank && bytes.isBlank
    let most = Int(clamping: settings.rules.maximum_bytes).saturating(adding: excerptReach)
    let wanted = min(bytes.count, most - kept)
    guard !isShort, wanted > 0 else { return }
    guard reserve(kept + wanted), let pending = unsafe pending else {
      isShort = true
      return releasePending()
    }
    unsafe Memory(pending + kept).copy(bytes[0..<wanted])
    kept += wanted
  }

  /// Room for `size` bytes of the line; false if there is no memory.
  private mutating func reserve(_ size: Int) -> Bool {
    if size <= capacity { return true }
    let room = max(size, leastKept, capacity.saturating(adding: capacity))
    var allocator = settings.allocator
    guard let larger = unsafe decant_block_allocate(&allocator, room) else { return false }
    if let pending = unsafe pending { unsafe decant_copy_bytes(larger, pending, kept) }
    let before = kept
    releasePending()
    unsafe pending = larger
    (capacity, kept) = (room, before)
    return true
  }

  private mutating func releasePending() {
    var allocator = settings.allocator
    unsafe decant_block_release(&allocator, pending, capacity)
    unsafe pending = nil
    (capacity, kept) = (0, 0)
  }
}

/// The most bytes that an index of lines tells apart.
private let mostIndexed = 1 << 30

/// How far the source line of an error reaches beyond its place.
private let excerptReach = 1024
private let leastKept = 4096

extension Bytes {
  /// The bytes from `start` on, up to a line feed or the end.
  @inline(__always)
  fileprivate func line(at start: Int) -> Bytes {
    let rest = self[start..<count]
    let length = unsafe UnsafeRawPointer(rest.start).map {
      unsafe decant_line_end($0.assumingMemoryBound(to: CChar.self), rest.count)
    }
    return rest[0..<(length ?? 0)]
  }

  /// How many bytes there are up to and with the last line feed.
  fileprivate var lastLineEnd: Int {
    unsafe UnsafeRawPointer(start).map {
      unsafe decant_last_line_end($0.assumingMemoryBound(to: CChar.self), count)
    } ?? 0
  }

  /// Whether a line has white space alone.
  @inline(__always)
  fileprivate var isBlank: Bool {
    for at in 0..<count where !decant_is_white(self[at]) { return false }
    return true
  }
}

/// Calls `body` with each line that is not blank, until it returns false.
func forEachLine(_ json: Bytes, _ body: (Bytes, Report.Place) -> Bool) {
  var place = Report.Place()
  while place.offset < json.count {
    let line = json.line(at: place.offset)
    if !line.isBlank && !body(line, place) { return }
    place.pass(line.count)
  }
}

extension Report.Place {
  /// Moves behind a line of `count` bytes and its line feed. Offsets that an Int cannot tell stay at the largest.
  @inline(__always)
  mutating func pass(_ count: Int) {
    offset = offset.saturating(adding: count).saturating(adding: 1)
    line = line.saturating(adding: 1)
  }

  /// The place `count` bytes and `lines` lines behind this one.
  @inline(__always)
  func advanced(by count: Int, lines: Int) -> Report.Place {
    Report.Place(
      offset: offset.saturating(adding: count), line: line.saturating(adding: lines))
  }
}
