// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Streams of events into models, by JSONLines and by a loop around JSONDecoder: rows of Tests/Benchmarks/Lines/run.

import Corpora
import Decant
import DecantLines
import Foundation
import Synchronization

extension Main {
  /// `lines SIZE FILE SECONDS [CONTENDER]`: a row for each contender, or for one, with the most megabytes a second that a
  /// round had. All must see the same events: the same bytes of texts once, before anything is timed, and the same
  /// numbers and lengths in every round.
  static func lines(_ arguments: Arguments) throws {
    guard (4...5).contains(arguments.positional.count), let size = Int(arguments.positional[1]),
      let seconds = Double(arguments.positional[3])
    else { throw LinesError(description: "lines SIZE FILE SECONDS [CONTENDER]") }
    let only = arguments.positional.dropFirst(4).first
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: arguments.positional[2])))
    if size < 100 {
      try measure(SmallEvent.self, size, bytes, seconds, only)
    } else {
      try measure(LargeEvent.self, size, bytes, seconds, only)
    }
  }

  private static func measure<Event: BenchmarkEvent>(
    _ type: Event.Type, _ size: Int, _ bytes: [UInt8], _ seconds: Double, _ only: String?
  ) throws {
    let all: [(name: String, run: (_ readsTexts: Bool) throws -> UInt64)] = [
      ("JSONLines of JSONDecodable", { try sum(JSONLines<Event>(bytes), $0) }),
      (
        "JSONLines of Decodable", { try sum(JSONLines<Event>(bytes, decoder: DecantDecoder()), $0) }
      ),
      ("JSONLines, 2 threads", { try concurrentSum(JSONLines<Event>(bytes), $0) }),
      ("JSONLines, 64 KB chunks", { try chunkSum(type, bytes, $0) }),
      ("JSONDecoder line by line", { try lineByLine(type, bytes, $0) }),
    ]
    let contenders = all.filter { $0.name == only ?? $0.name }
    let texts = try all[0].run(true)
    for contender in contenders where try contender.run(true) != texts {
      throw LinesError(description: "\(contender.name): other texts")
    }
    let expected = try all[0].run(false)
    var best = [Double](repeating: 0, count: contenders.count)
    let start = now()
    var round = 0
    // The slowest takes most of the time: the others, too, need a few rounds.
    while round < 6 || now() - start < seconds * 1e9 {
      for (place, contender) in contenders.enumerated() {
        let before = now()
        let found = try contender.run(false)
        let speed = Double(bytes.count) / ((now() - before) / 1e9) / 1e6
        if found != expected { throw LinesError(description: "\(contender.name): other events") }
        best[place] = max(best[place], speed)
      }
      round += 1
    }
    for (contender, best) in zip(contenders, best) {
      print("\(size)\t\(contender.name)\t\(String(format: "%.1f", best))")
    }
  }

  // MARK: - Ways

  private static func sum<Event: BenchmarkEvent>(
    _ lines: JSONLines<Event>, _ readsTexts: Bool
  ) throws -> UInt64 {
    var sum: UInt64 = 0
    for line in lines { sum &+= try line.result.get().checksum(readsTexts) }
    return sum
  }

  private static func concurrentSum<Event: BenchmarkEvent>(
    _ lines: JSONLines<Event>, _ readsTexts: Bool
  ) throws -> UInt64 {
    let sums = Sums()
    try lines.forEachConcurrently(threads: 2) { line in
      sums.add(try line.result.get().checksum(readsTexts), at: line.offset)
    }
    return sums.total
  }

  private static func chunkSum<Event: BenchmarkEvent>(
    _ type: Event.Type, _ bytes: [UInt8], _ readsTexts: Bool
  ) throws -> UInt64 {
    let done = DispatchSemaphore(value: 0)
    let sum = Sum()
    let failed = Sum()
    Task.detached {
      do {
        var all: UInt64 = 0
        for try await line in JSONLines<Event>(Chunks(bytes: bytes)) {
          all &+= try line.result.get().checksum(readsTexts)
        }
        sum.add(all)
      } catch { failed.add(1) }
      done.signal()
    }
    done.wait()
    if failed.value > 0 { throw LinesError(description: "an event failed") }
    return sum.value
  }

  private static func lineByLine<Event: BenchmarkEvent>(
    _ type: Event.Type, _ bytes: [UInt8], _ readsTexts: Bool
  ) throws -> UInt64 {
    let decoder = JSONDecoder()
    var sum: UInt64 = 0
    // Lines are looked for by memchr: splitting a Data takes several times as long as decoding it.
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let feed = memchr(start, 0x0A, rest.count).map { UnsafeRawPointer($0) - start }
        let line = Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: feed ?? rest.count,
          deallocator: .none)
        sum &+= try decoder.decode(type, from: line).checksum(readsTexts)
        rest = rest.dropFirst((feed ?? rest.count) + 1)
      }
    }
    return sum
  }
}

private struct LinesError: Error, CustomStringConvertible { let description: String }

/// Chunks of 64 KB, as a socket or a file would give them.
private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let bytes: [UInt8]
  var position = 0

  func makeAsyncIterator() -> Chunks { self }

  mutating func next() async -> ArraySlice<UInt8>? {
    if position == bytes.count { return nil }
    let end = Swift.min(position + 64 << 10, bytes.count)
    defer { position = end }
    return bytes[position..<end]
  }
}

/// Sums that threads add to: one for each of a number of stripes of 256 KB, as much as a thread takes at once, in a cache
/// line of its own. So two threads seldom share one.
private final class Sums: @unchecked Sendable {
  private static let stripes = 64
  private static let stride = 128 / MemoryLayout<Atomic<UInt64>>.stride
  // Not objects: to count references to them would take as long as to add.
  private let sums: UnsafeMutablePointer<Atomic<UInt64>>

  init() {
    sums = .allocate(capacity: Sums.stripes * Sums.stride)
    for place in 0..<Sums.stripes * Sums.stride { (sums + place).initialize(to: Atomic(0)) }
  }

  deinit { sums.deallocate() }

  @inline(__always)
  func add(_ number: UInt64, at offset: Int) {
    let stripe = (offset >> 18) & (Sums.stripes - 1)
    sums[stripe * Sums.stride].wrappingAdd(number, ordering: .relaxed)
  }

  var total: UInt64 {
    (0..<Sums.stripes).reduce(0) { $0 &+ sums[$1 * Sums.stride].load(ordering: .relaxed) }
  }
}

/// A sum that threads add to.
private final class Sum: @unchecked Sendable {
  private let lock = NSLock()
  private var sum: UInt64 = 0
  func add(_ number: UInt64) { lock.withLock { sum &+= number } }
  var value: UInt64 { lock.withLock { sum } }
}

// MARK: - Events

/// The events of Lines/events.h.
protocol BenchmarkEvent: JSONDecodable, Decodable, Sendable {
  /// A number that depends on every field, of texts on their lengths.
  var checksum: UInt64 { get }
  /// A number that depends on every byte of the texts.
  var textSum: UInt64 { get }
}

extension BenchmarkEvent {
  @inline(__always)
  func checksum(_ readsTexts: Bool) -> UInt64 { readsTexts ? checksum &+ textSum : checksum }
}

struct SmallEvent: BenchmarkEvent, JSONInitializable {
  let i, t: Int
  let k: String
  let u: Int
  let s: String
  let v: Double
  let o: Bool
  let n: Int
  let p: String
  let q: Int

  var checksum: UInt64 {
    UInt64(i + 3 * t + 5 * u + 7 * n + 11 * q) &+ sum(k) &+ sum(s) &+ sum(p) &+ v.bitPattern
      &+ (o ? 1 : 0)
  }

  var textSum: UInt64 { bytes(bytes(bytes(0, k), s), p) }
}

extension SmallEvent {
  init(json: JSON) throws(DecodeError) {
    self.init(
      i: try json.get("i"), t: try json.get("t"), k: try json.get("k"), u: try json.get("u"),
      s: try json.get("s"), v: try json.get("v"), o: try json.get("o"), n: try json.get("n"),
      p: try json.get("p"), q: try json.get("q"))
  }
}

struct LargeEvent: BenchmarkEvent, JSONInitializable {
  struct User: JSONInitializable, Decodable, Sendable {
    let id: Int
    let name: String
  }

  let id: Int
  let time, kind: String
  let user: User
  let tags: [String]
  let values: [Double]
  let duration: Double
  let ok: Bool
  let path, message: String

  var checksum: UInt64 {
    var all = UInt64(id + 3 * user.id) &+ sum(time) &+ sum(kind) &+ sum(user.name) &+ sum(path)
    all &+= sum(message) &+ duration.bitPattern &+ (ok ? 1 : 0)
    for tag in tags { all &+= sum(tag) }
    for value in values { all &+= value.bitPattern }
    return all
  }

  var textSum: UInt64 { ([time, kind, user.name, path, message] + tags).reduce(0, bytes) }
}

extension LargeEvent {
  init(json: JSON) throws(DecodeError) {
    self.init(
      id: try json.get("id"), time: try json.get("time"), kind: try json.get("kind"),
      user: try json.get("user"), tags: try json.get("tags"), values: try json.get("values"),
      duration: try json.get("duration"), ok: try json.get("ok"), path: try json.get("path"),
      message: try json.get("message"))
  }
}

extension LargeEvent.User {
  init(json: JSON) throws(DecodeError) {
    self.init(id: try json.get("id"), name: try json.get("name"))
  }
}

private func bytes(_ sum: UInt64, _ text: String) -> UInt64 {
  text.utf8.reduce(sum) { $0 &* 33 &+ UInt64($1) }
}

/// As in events.c: to read a string's bytes, too, would take as long as to decode a field.
private func sum(_ text: String) -> UInt64 { UInt64(text.utf8.count) }
