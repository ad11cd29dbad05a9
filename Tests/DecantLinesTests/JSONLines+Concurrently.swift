// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantLines
import DecantTestSupport
import Foundation
import Testing

/// A value behind a lock that ThreadSanitizer knows, as it does not know all of the standard library's mutex.
private final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value
  init(_ value: Value) { self.value = value }
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}

/// Outcomes that threads found, in the order of the lines.
private final class Found: Sendable {
  private let outcomes = Guarded<[Outcome]>([])
  func add(_ outcome: Outcome) { outcomes.withLock { $0.append(outcome) } }
  var sorted: [Outcome] { outcomes.withLock { $0.sorted { $0.number < $1.number } } }
}

extension JSONLinesReport {
  /// All that a report says.
  fileprivate var text: String {
    let failures = failures.map { failure in
      "\(failure.number) \(failure.offset) \(Outcome.text(of: failure.error, shift: 0))"
    }
    return "\(lineCount) \(failureCount) \(failures) \(isCancelled)"
  }
}

private func report(_ lines: JSONLines<Event>, keeping limit: Int = 64) -> JSONLinesReport {
  var report = JSONLinesReport(keeping: limit)
  for line in lines { report.add(line) }
  return report
}

@Suite("JSONLines on threads")
struct LinesOnThreads {
  private static let bytes =
    Streams.mixed + [0x0A] + Streams.events(max(1500, rounds(4000)), badEvery: 13)
  private static let outcomesOfBytes = outcomes(of: bytes)
  private let bytes = Self.bytes

  @Test("1 to 9 threads find what one finds", arguments: engines)
  func threads(_ engine: Engine) {
    let options = DecodingOptions.on(engine)
    let bytes = engine == .native ? self.bytes : Streams.mixed + [0x0A] + Streams.events(1500)
    let lines = JSONLines<Event>(bytes, options: options)
    let expected =
      engine == .native ? Self.outcomesOfBytes : outcomes(of: bytes, options: options)
    let single = report(lines)
    for threads in 1...9 {
      let found = Found()
      let report = lines.forEachConcurrently(threads: threads) { line in
        found.add(Outcome(line) { show($0) })
      }
      #expect(found.sorted == expected, "\(threads) threads")
      #expect(report.text == single.text)
    }
    #expect(single.failureCount > 64)
    #expect(single.failures.count == 64)
  }

  @Test("a report without a number of threads, as the documentation has it")
  func plain() {
    let report = JSONLines<Event>(bytes).forEachConcurrently { line in
      #expect(line.number > 0)
    }
    #expect(report.lineCount == Self.outcomesOfBytes.count)
  }

  @Test("in an asynchronous function, the synchronous form is meant")
  func plainInTask() async {
    let report = JSONLines<Event>(bytes).forEachConcurrently { line in
      #expect(line.offset >= 0)
    }
    #expect(report.lineCount == Self.outcomesOfBytes.count)
  }

  @Test("the limit of failures is the first ones'")
  func limits() {
    for limit in [0, 1, 3, 1000] {
      let lines = JSONLines<Event>(bytes)
      let found = lines.forEachConcurrently(threads: 4, keeping: limit) { _ in }
      #expect(found.text == report(lines, keeping: limit).text)
    }
  }

  @Test("Decodable models, and values")
  func models() {
    struct Named: Decodable { let id: Int, name: String }
    let lines = JSONLines<Named>(bytes)
    let (_, expected) = lines.lossy(keeping: 1000)
    let found = lines.forEachConcurrently(threads: 5, keeping: 1000) { _ in }
    #expect(found.text == expected.text)
    #expect(found.failureCount > 100)
    let values = JSONLines<JSONValue>(bytes)
    #expect(
      values.forEachConcurrently(threads: 5) { _ in }.text == values.lossy().report.text)
  }

  @Test("a body that throws: the error is the first line's, and the lines before it were handled")
  func throwing() throws {
    struct Stop: Error { let number: Int }
    let bytes = Streams.events(20_000)
    for first in [1, 700, 9999] {
      let seen = Guarded<Set<Int>>([])
      let error = #expect(throws: Stop.self) {
        try JSONLines<Event>(bytes).forEachConcurrently(threads: 4) { line in
          if line.number >= first { throw Stop(number: line.number) }
          seen.withLock { _ = $0.insert(line.number) }
        }
      }
      let expected = JSONLines<Event>(bytes).map { $0.number }
      #expect(error?.number == expected.first { $0 >= first })
      #expect(seen.withLock { $0 }.sorted() == expected.filter { $0 < first })
    }
  }

  @Test("a task that is cancelled leaves out the rest")
  func cancellation() async {
    let bytes = Streams.events(50_000)
    let report = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return JSONLines<Event>(bytes).forEachConcurrently(threads: 3) { _ in }
    }.value
    #expect(report.isCancelled)
    #expect(report.lineCount < 50_000)
  }

  @Test("streams that are empty or small", arguments: ["", "\n\n", "1", "1\n\n2\n"])
  func small(_ text: String) {
    let lines = JSONLines<Int>(text)
    let found = lines.forEachConcurrently(threads: 8) { _ in }
    #expect(found.lineCount == Array(lines).count)
  }
}

@Suite("JSONLines in tasks")
struct LinesInTasks {
  private let bytes = Streams.many

  @Test("ordered values are those of one task, of bytes and of chunks", arguments: [1, 2, 5])
  func ordered(_ tasks: Int) async throws {
    let expected = Streams.outcomesOfMany
    for lines in [
      JSONLines<Event>(bytes), JSONLines<Event>(Cut(bytes, [70_000])),
      JSONLines<Event>(Cut(bytes, [1, 977, 13, 40_000])),
    ] {
      var found: [Outcome] = []
      for try await outcome in lines.mapConcurrently(
        tasks: tasks, { line in Outcome(line) { show($0) } })
      { found.append(outcome) }
      #expect(found == expected)
    }
  }

  @Test("reports are those of one task")
  func reports() async throws {
    for lines in [JSONLines<Event>(bytes), JSONLines<Event>(Cut(bytes, [50_000, 3]))] {
      let found = Found()
      let all = try await lines.forEachConcurrently(tasks: 3) { line in
        found.add(Outcome(line) { show($0) })
      }
      #expect(found.sorted == Streams.outcomesOfMany)
      #expect(all.text == report(JSONLines(bytes)).text)
    }
  }

  @Test("several tasks share bytes in memory that are few")
  func few() async throws {
    let bytes = Streams.events(800)
    #expect(bytes.count < 200_000)
    enum First { case unseen, waits, isJoined, isAlone }
    /// The first line waits for another one, and the others for the first.
    @Sendable func meet(_ number: Int, _ first: Guarded<First>) async throws {
      let isFirst = number == 1
      if isFirst { first.withLock { $0 = .waits } }
      for _ in 0..<5000 where first.withLock({ $0 }) == (isFirst ? .waits : .unseen) {
        try await Task.sleep(for: .milliseconds(1))
      }
      first.withLock { if $0 == .waits { $0 = isFirst ? .isAlone : .isJoined } }
    }
    let lines = JSONLines<Event>(bytes)
    let ofBodies = Guarded(First.unseen)
    try await lines.forEachConcurrently(tasks: 2) { try await meet($0.number, ofBodies) }
    #expect(ofBodies.withLock { $0 } == .isJoined)
    let ofValues = Guarded(First.unseen)
    var numbers: [Int] = []
    let values = lines.mapConcurrently(tasks: 2) { line in
      try await meet(line.number, ofValues)
      return line.number
    }
    for try await number in values { numbers.append(number) }
    #expect(ofValues.withLock { $0 } == .isJoined)
    #expect(numbers == lines.map { $0.number })
  }

  @Test("lines that are too long are cut across blocks, too")
  func longest() async throws {
    let long = "[" + String(repeating: "1,", count: 400_000) + "1]\n"
    let blank = String(repeating: " ", count: 600_000)
    let text =
      "{\"id\":1,\"name\":\"a\"}\n\(long){\"id\":3,\"name\":\"b\"}\n\(blank)\n\(blank)1\n\(long)"
      + "{\"id\":7,\"name\":\"c\"}\n\(blank)x"
    let bytes = Array(text.utf8)
    let options = DecodingOptions(maximumBytes: 1000)
    let expected = JSONLines<Event>(bytes, options: options).map { Outcome($0) { show($0) } }
    #expect(expected.map(\.number) == [1, 2, 3, 5, 6, 7, 8])
    for size in [1000, 65_536, 1 << 20] {
      let lines = JSONLines<Event>(Cut(bytes, [size]), options: options)
      var found: [Outcome] = []
      for try await outcome in lines.mapConcurrently(
        tasks: 3, { line in Outcome(line) { show($0) } })
      { found.append(outcome) }
      #expect(found == expected)
    }
  }

  @Test("a reader that fails: what was complete was delivered, the error is the reader's")
  func brokenReader() async throws {
    let bytes = Streams.events(20_000)
    let cut = Array(bytes.dropLast(5))
    var numbers: [Int] = []
    await #expect(throws: Cut.Broken.self) {
      let lines = JSONLines<Event>(Cut(cut, [30_000], isBroken: true))
      for try await number in lines.mapConcurrently(tasks: 3, { $0.number }) {
        numbers.append(number)
      }
    }
    #expect(numbers == JSONLines<Event>(bytes).map { $0.number }.dropLast())
  }

  @Test("no body runs any longer when the error is thrown", arguments: [false, true])
  func bodiesThatEnd(isCancelled: Bool) async {
    struct Stop: Error {}
    let running = Guarded(0)
    let bytes = Streams.events(40_000)
    let task = Task {
      try await JSONLines<Event>(bytes).forEachConcurrently(tasks: 2) { line in
        if line.number < 5 {
          while running.withLock({ $0 }) == 0 { await Task.yield() }
          if !isCancelled { throw Stop() }
        } else {
          running.withLock { $0 += 1 }
          while !Task.isCancelled { await Task.yield() }
          for _ in 0..<1000 { await Task.yield() }
          running.withLock { $0 -= 1 }
        }
      }
    }
    if isCancelled {
      while running.withLock({ $0 }) == 0 { await Task.yield() }
      task.cancel()
    }
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(running.withLock { $0 } == 0)
  }

  @Test("a transform that throws ends the values at its line")
  func throwing() async {
    struct Stop: Error {}
    var numbers: [Int] = []
    await #expect(throws: Stop.self) {
      let lines = JSONLines<Event>(Streams.events(30_000))
      for try await number in lines.mapConcurrently(
        tasks: 3,
        { line in
          if line.number > 20_000 { throw Stop() }
          return line.number
        })
      { numbers.append(number) }
    }
    #expect(
      numbers == JSONLines<Event>(Streams.events(30_000)).map { $0.number }.filter { $0 <= 20_000 })
  }

  @Test("cancellation in the middle ends values, and chunks are not read any further")
  func cancellation() async {
    let bytes = Streams.events(60_000)
    let outcome = await Task {
      var count = 0
      do {
        let lines = JSONLines<Event>(Cut(bytes, [40_000]))
        for try await _ in lines.mapConcurrently(tasks: 2, { $0.number }) {
          count += 1
          if count == 100 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
        return "ended"
      } catch is CancellationError { return count < 60_000 ? "cancelled" : "late" } catch {
        return "\(error)"
      }
    }.value
    #expect(outcome == "cancelled")
  }

  /// Chunks of a line each. Each comes after a while, and when the one before it was seen, or when that takes too long.
  private struct Patient: AsyncSequence, AsyncIteratorProtocol {
    let count: Int
    let seen: Guarded<Int>
    let asked: Guarded<Int>
    private var sent = 0

    init(_ count: Int, seen: Guarded<Int>, asked: Guarded<Int>) {
      (self.count, self.seen, self.asked) = (count, seen, asked)
    }

    func makeAsyncIterator() -> Patient { self }

    mutating func next() async -> [UInt8]? {
      asked.withLock { $0 += 1 }
      try? await Task.sleep(for: .milliseconds(2))
      for _ in 0..<10_000 where seen.withLock({ $0 }) < sent { await Task.yield() }
      if sent == count { return nil }
      sent += 1
      return Array("\(sent)\n".utf8)
    }
  }

  @Test("a line of a slow sequence is handled before the next chunk is there", arguments: [1, 3])
  func slow(_ tasks: Int) async throws {
    let (seen, asked) = (Guarded(0), Guarded(0))
    let lines = JSONLines<Int>(Patient(20, seen: seen, asked: asked))
    let behind = Guarded<[Int]>([])
    try await lines.forEachConcurrently(tasks: tasks) { line in
      behind.withLock { $0.append(asked.withLock { $0 } - line.number) }
      seen.withLock { $0 += 1 }
    }
    #expect(behind.withLock { $0 }.count == 20)
    #expect(behind.withLock { $0 }.allSatisfy { $0 <= 1 })
  }

  /// Chunks of a line each, in rounds of several at once. A round comes when all lines before it were seen; the end, at
  /// once, if that takes too long.
  private struct Dialogue: AsyncSequence, AsyncIteratorProtocol {
    let rounds: [Int]
    let seen: Guarded<Int>
    private var sent = 0
    private var left = 0
    private var round = 0

    init(_ rounds: [Int], seen: Guarded<Int>) { (self.rounds, self.seen) = (rounds, seen) }

    func makeAsyncIterator() -> Dialogue { self }

    mutating func next() async -> [UInt8]? {
      if left == 0 {
        var waits = 0
        while seen.withLock({ $0 }) < sent {
          waits += 1
          if waits > 5_000 { return nil }
          try? await Task.sleep(for: .milliseconds(1))
        }
        if round == rounds.count { return nil }
        left = rounds[round]
        round += 1
      }
      left -= 1
      sent += 1
      return Array("\(sent)\n".utf8)
    }
  }

  private static let rounds = [1, 2, 1, 1, 3, 1, 9, 1, 1, 200, 1, 1, 1, 2]

  @Test("a sequence that waits for its lines to be handled gets on", arguments: [1, 2, 3])
  func dialogue(_ tasks: Int) async throws {
    let seen = Guarded(0)
    let lines = JSONLines<Int>(Dialogue(Self.rounds, seen: seen))
    let report = try await lines.forEachConcurrently(tasks: tasks) { line in
      if line.number % 3 == 0 { try await Task.sleep(for: .milliseconds(2)) }
      seen.withLock { $0 += 1 }
    }
    #expect(report.lineCount == Self.rounds.reduce(0, +))
  }

  @Test("a sequence that waits for its values to be received gets on", arguments: [1, 2, 3])
  func dialogueOfValues(_ tasks: Int) async throws {
    let seen = Guarded(0)
    let lines = JSONLines<Int>(Dialogue(Self.rounds, seen: seen))
    let values = lines.mapConcurrently(tasks: tasks) { line in
      if line.number % 3 == 0 { try await Task.sleep(for: .milliseconds(2)) }
      return line.number
    }
    var received: [Int] = []
    for try await number in values {
      received.append(number)
      seen.withLock { $0 += 1 }
    }
    let count = Self.rounds.reduce(0, +)
    #expect(received.count == count)
    #expect(received.elementsEqual(1...count))
  }

  @Test("no body sees a line that was cut because the task was cancelled")
  func cutByCancellation() async {
    struct Chunks: AsyncSequence, AsyncIteratorProtocol {
      var isBegun = false
      func makeAsyncIterator() -> Chunks { self }
      mutating func next() async -> [UInt8]? {
        if isBegun {
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          return nil
        }
        isBegun = true
        return Array("[".utf8)
      }
    }
    let seen = Guarded(0)
    for _ in 0..<200 {
      await Task {
        await #expect(throws: CancellationError.self) {
          try await JSONLines<Int>(Chunks()).forEachConcurrently(tasks: 1) { _ in
            seen.withLock { $0 += 1 }
          }
        }
        await #expect(throws: CancellationError.self) {
          for try await _ in JSONLines<Int>(Chunks()).mapConcurrently(
            tasks: 1, { _ in seen.withLock { $0 += 1 } })
          {}
        }
      }.value
    }
    #expect(seen.withLock { $0 } == 0)
  }

  @Test("an iteration that ends early leaves nothing running")
  func early() async throws {
    let running = Guarded(0)
    for try await number in JSONLines<Event>(Streams.events(40_000)).mapConcurrently(
      tasks: 3,
      { line in
        running.withLock { $0 += 1 }
        defer { running.withLock { $0 -= 1 } }
        return line.number
      })
    {
      if number > 10 { break }
    }
    while running.withLock({ $0 }) > 0 { await Task.yield() }
    let once = running.withLock { $0 }
    #expect(once == 0)
  }
}

@Suite("JSONLines, collected")
struct CollectedLines {
  @Test("values are all models, or the first error")
  func values() async throws {
    #expect(try JSONLines<Int>("1\n\n2").values.array() == [1, 2])
    let error = #expect(throws: DecodeError.self) {
      try JSONLines<Int>("1\n\"2\"\nx").values.array()
    }
    #expect(error?.location?.line == 2)
    var found: [Int] = []
    do {
      for try await value in JSONLines<Int>(Cut(Array("1\n2\nx\n3".utf8), [1])).values {
        found.append(value)
      }
      Issue.record("did not throw")
    } catch let error as DecodeError { #expect(error.location?.line == 3) }
    #expect(found == [1, 2])
  }

  @Test("what sequences and asynchronous sequences both have is a sequence's, unless it is awaited")
  func bothSequences() async throws {
    let lines = JSONLines<Int>("1\nx\n3")
    let numbers = lines.map(\.number)
    let models = lines.compactMap(\.result.value)
    let first = lines.prefix(2)
    let rest = lines.dropFirst()
    #expect(numbers == [1, 2, 3])
    #expect(models == [1, 3])
    #expect(Array(first).count == 2)
    #expect(rest.map { $0.offset } == [2, 4])
    let elements = JSONLines<Int>("[7,x]").elements(at: "")
    let indices = elements.map(\.index)
    let good = elements.compactMap(\.result.value)
    let one = elements.prefix(1)
    let other = elements.dropFirst()
    #expect(indices == [0, 1])
    #expect(good == [7])
    #expect(Array(one).count == 1)
    #expect(Array(other).count == 1)
    let chunks = JSONLines<Int>(Cut(Array("1\nx\n3".utf8), [1]))
    var found: [Int] = []
    for try await number in chunks.map(\.number) { found.append(number) }
    for try await number in chunks.prefix(2).map({ $0.number }) { found.append(number) }
    for try await line in chunks.dropFirst() { found.append(line.number) }
    for try await number in chunks.map({ line async in line.number }) { found.append(number) }
    for try await model in chunks.compactMap(\.result.value) { found.append(model) }
    #expect(found == [1, 2, 3, 1, 2, 2, 3, 1, 2, 3, 1, 3])
  }

  @Test("lossy has the good ones, and a report of the others")
  func lossy() {
    let (models, report) = JSONLines<Int>("1\nx\n\n3\n\"4\"\n{}\n7").lossy(keeping: 2)
    #expect(models == [1, 3, 7])
    #expect((report.lineCount, report.failureCount) == (6, 3))
    #expect(report.failures.map(\.number) == [2, 5])
    #expect(report.failures.map(\.offset) == [2, 7])
    #expect(report.failures.map(\.error.code) == [.unexpectedByte, .typeMismatch])
  }
}
