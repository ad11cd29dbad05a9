// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import DecantLines
import DecantTestSupport
import Foundation
import Testing

/// Bytes cut into chunks, which may end in an error.
struct Cut: AsyncSequence, AsyncIteratorProtocol {
  struct Broken: Error, Equatable {}

  var rest: ArraySlice<UInt8>
  let sizes: [Int]
  var isBroken = false
  private var turn = 0

  init(_ bytes: [UInt8], _ sizes: [Int], isBroken: Bool = false) {
    rest = bytes[...]
    self.sizes = sizes
    self.isBroken = isBroken
  }

  func makeAsyncIterator() -> Cut { self }

  mutating func next() async throws -> ArraySlice<UInt8>? {
    if rest.isEmpty {
      if isBroken { throw Broken() }
      return nil
    }
    defer {
      rest = rest.dropFirst(sizes[turn % sizes.count])
      turn += 1
    }
    return rest.prefix(sizes[turn % sizes.count])
  }
}

func found(_ lines: JSONLines<Event>) async throws -> [Outcome] {
  var found: [Outcome] = []
  for try await line in lines { found.append(Outcome(line) { show($0) }) }
  return found
}

@Suite("JSONLines over chunks")
struct LinesOverChunks {
  @Test("every cut into chunks of 1 to 70 bytes is as the whole", arguments: engines)
  func everyCut(_ engine: Engine) async throws {
    let options = DecodingOptions.on(engine)
    let expected = outcomes(of: Streams.mixed, options: options)
    for size in 1...70 {
      let lines = JSONLines<Event>(Cut(Streams.mixed, [size]), options: options)
      #expect(try await found(lines) == expected, "chunks of \(size) bytes")
    }
  }

  @Test("random cuts are as the whole")
  func randomCuts() async throws {
    var random = SeededRandom(printing: "random cuts")
    let bytes = Streams.mixed + [0x0A] + Streams.events(300)
    let expected = outcomes(of: bytes)
    for _ in 0..<rounds(50) {
      let sizes = (0..<40).map { _ in
        Int.random(in: 1...(Bool.random(using: &random) ? 5 : 900), using: &random)
      }
      #expect(try await found(JSONLines(Cut(bytes, sizes))) == expected, "\(sizes)")
    }
  }

  @Test("chunks may be of any type of bytes")
  func types() async throws {
    let bytes = Streams.events(10)
    let expected = outcomes(of: bytes)
    func stream<Chunk: Sendable>(_ chunks: [Chunk]) -> AsyncStream<Chunk> {
      AsyncStream {
        for chunk in chunks { $0.yield(chunk) }; $0.finish()
      }
    }
    let halves = [bytes.prefix(101), bytes.dropFirst(101)]
    #expect(try await found(JSONLines(stream(halves.map { Array($0) }))) == expected)
    #expect(try await found(JSONLines(stream(halves.map { Data($0) }))) == expected)
    let texts = halves.map { String(decoding: $0, as: UTF8.self) }
    #expect(try await found(JSONLines(stream(texts))) == expected)
    #expect(try await found(JSONLines(stream([""]))).isEmpty)
    #expect(try await found(JSONLines(stream([[UInt8]]()))).isEmpty)
  }

  @Test("bytes in memory can be awaited too")
  func memory() async throws {
    #expect(try await found(JSONLines(Streams.mixed)) == outcomes(of: Streams.mixed))
  }

  @Test("a reader that fails: what was complete was delivered, the error is the reader's")
  func brokenReader() async throws {
    for size in [1, 3, 7, 1000] {
      var numbers: [Int] = []
      let lines = JSONLines<Int>(Cut(Array("1\n2\n\n3".utf8), [size], isBroken: true))
      var iterator = lines.makeAsyncIterator()
      await #expect(throws: Cut.Broken.self) {
        while let line = try await iterator.next() { numbers.append(line.number) }
      }
      #expect(numbers == [1, 2])
      #expect(try await iterator.next() == nil)
    }
  }

  @Test("of a line that is too long little is kept, and the stream goes on", arguments: engines)
  func longest(_ engine: Engine) async throws {
    let options = DecodingOptions(engine: engine, maximumBytes: 100)
    let text =
      "{\"id\":1,\"name\":\"a\"}\n[" + String(repeating: "1,", count: 50_000) + "1]\n"
      + String(repeating: " ", count: 9000) + "\n" + String(repeating: " ", count: 9000)
      + "1\n{\"id\":5,\"name\":\"b\"}"
    let bytes = Array(text.utf8)
    let expected = JSONLines<Event>(bytes, options: options).map { Outcome($0) { show($0) } }
    #expect(expected.map(\.number) == [1, 2, 4, 5])
    for size in [oneRoundIn, 64, 1024, 65_536] {
      let lines = JSONLines<Event>(Cut(bytes, [size]), options: options)
      #expect(try await found(lines) == expected, "chunks of \(size) bytes")
    }
  }

  @Test("a sequence that ends because its task is cancelled leaves no line that is cut")
  func cancelledSequence() async {
    struct Chunks: AsyncSequence, AsyncIteratorProtocol {
      var isBegun = false
      func makeAsyncIterator() -> Chunks { self }
      mutating func next() async throws -> [UInt8]? {
        if isBegun {
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          return nil
        }
        isBegun = true
        return Array("1\n2\n[".utf8)
      }
    }
    await Task {
      var numbers: [Int] = []
      await #expect(throws: CancellationError.self) {
        for try await line in JSONLines<Int>(Chunks()) { numbers.append(line.number) }
      }
      #expect(numbers == [1, 2])
    }.value
  }

  @Test("places that are too large stay at the largest, however a stream is read")
  func largestPlaces() async throws {
    let bytes = Array("1\n\n\"2\"\nx\n".utf8) + Streams.events(40) + Array("[".utf8)
    let expected = JSONLines<Int>(bytes).map { $0.result.error?.code }
    for near in [0, 8, 2000, 1 << 20] {
      let first = Int.max - near
      var read: [[JSONLines<Int>.Line]] = []
      let whole = JSONLines<Int>(bytes, firstLine: first, firstOffset: first)
      read.append(Array(whole))
      var handled = 0
      let report = whole.forEachConcurrently(threads: 2) { _ in }
      #expect(report.lineCount == expected.count)
      for size in [1, 7, 64, 2000, 1 << 20] {
        let lines = JSONLines<Int>(Cut(bytes, [size]), firstLine: first, firstOffset: first)
        var found: [JSONLines<Int>.Line] = []
        for try await line in lines { found.append(line) }
        read.append(found)
        handled += try await lines.forEachConcurrently(tasks: 2) { _ in }.lineCount
      }
      #expect(handled == 5 * expected.count)
      for lines in read {
        #expect(lines.map { $0.result.error?.code } == expected)
        let places = lines.compactMap { $0.result.error?.location }
        let offsets = lines.map(\.offset) + places.map(\.offset)
        let numbers = lines.map(\.number) + places.map(\.line)
        #expect(offsets.allSatisfy { $0 >= first - bytes.count - 1 })
        #expect(numbers.allSatisfy { $0 >= first - bytes.count - 1 })
      }
    }
    let few = Array(JSONLines<Int>("1\n 2 3", firstLine: .max - 9, firstOffset: .max - 9))
    #expect(few.map(\.number) == [.max - 9, .max - 8])
    #expect(few.map(\.offset) == [.max - 9, .max - 7])
    #expect(few[1].result.error?.location == .init(offset: .max - 4, line: .max - 8, column: 4))
    for near in [0, 1, 3, 8, 12, 100] {
      let lines = JSONLines<Int>(
        "{\"a\":[1,\n x\n],\n}", firstLine: .max - near, firstOffset: .max - near)
      let errors = lines.elements(at: "/a").map(\.result.error)
      #expect(errors.map { $0?.code } == [nil, .unexpectedByte, .unexpectedByte])
      #expect(errors.compactMap { $0?.location?.line }.allSatisfy { $0 > .max - near - 30 })
    }
  }

  @Test("a byte order mark may be cut")
  func mark() async throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("{\"id\":1,\"name\":2}\n5".utf8)
    let options = DecodingOptions(relaxations: .byteOrderMark)
    let expected = JSONLines<Event>(bytes, options: options).map { Outcome($0) { show($0) } }
    #expect(expected.map(\.offset) == [3, 21])
    #expect(expected[0].text.hasPrefix("1:17: /name: expected a string, found the number 2"))
    for size in 1...5 {
      #expect(try await found(JSONLines(Cut(bytes, [size]), options: options)) == expected)
    }
  }

  @Test("a byte order mark before a blank line does not count, however long the line is")
  func markOfBlank() async throws {
    let options = DecodingOptions(maximumBytes: 10, relaxations: .byteOrderMark)
    for blank in [5, 8, 11, 5000] {
      let bytes: [UInt8] =
        [0xEF, 0xBB, 0xBF] + Array((String(repeating: " ", count: blank) + "\n{\"id\":1").utf8)
      for text in [bytes, bytes.dropLast(8), bytes.dropLast(9)] {
        let expected = JSONLines<Event>(text, options: options).map { Outcome($0) { show($0) } }
        #expect(expected.map(\.number) == (text.count == bytes.count ? [2] : []))
        for size in [1, 2, 7, 1024] {
          #expect(try await found(JSONLines(Cut(text, [size]), options: options)) == expected)
        }
      }
    }
  }

  @Test("a Decodable model is as from memory")
  func decodable() async throws {
    struct Point: Decodable { let x: Int, y: Int }
    func show(_ line: JSONLines<Point>.Line) -> Outcome { Outcome(line) { "\($0.x) \($0.y)" } }
    let bytes = Array("{\"x\":1,\"y\":2}\n{\"x\":1}\n{\"x\":1,\"y\":true}\n{".utf8)
    let expected = JSONLines<Point>(bytes).map(show)
    for size in 1...20 {
      var found: [Outcome] = []
      for try await line in JSONLines<Point>(Cut(bytes, [size])) { found.append(show(line)) }
      #expect(found == expected)
    }
  }

  @Test("cancellation ends the lines")
  func cancellation() async {
    let count = await Task {
      var count = 0
      do {
        for try await _ in JSONLines<Event>(Streams.events(100)) {
          count += 1
          if count == 10 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
        return -1
      } catch { return error is CancellationError ? count : -2 }
    }.value
    #expect(count == 10)
  }

  @Test("whoever does not await chunks that arrive asynchronously gets one line that says so")
  func synchronousIteration() async throws {
    let lines = JSONLines<[Int]>(Cut(Array("[1]\n[2]\n".utf8), [4, 4]))
    let elements = lines.elements(at: "/a")
    for failures in [
      lines.map(\.result), elements.map(\.result),
      lines.lossy().report.failures.map { .failure($0.error) },
      lines.forEachConcurrently { _ in }.failures.map { .failure($0.error) },
    ] {
      #expect(failures.count == 1)
      #expect("\(failures)".contains("these chunks arrive asynchronously, and are to be awaited"))
    }
    #expect(throws: DecodeError.self) { try lines.values.array() }
    #expect(try await lines.values.reduce(into: []) { $0 += $1 } == [1, 2])
  }
}
