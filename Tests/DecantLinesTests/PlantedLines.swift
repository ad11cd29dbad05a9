// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Every document that must be refused, as a line among good ones: it is reported, with the place that it has in the
// stream, and its neighbors are as if it were not there.

import Decant
import DecantLines
import DecantTestSupport
import Foundation
import Testing

@Suite("Planted lines")
struct PlantedLines {
  /// What must be refused wherever JSONTestSuite is not.
  private static let own: [[UInt8]] =
    [
      #"{"a":2}TRAILER"#, "[1,]", "[\"\\x\"]", "{\"a\":1", "]", "nul", "\"\u{1}\"", "[01]", "1 2",
      "[\"é\",}", "{\"a\" 1}", "[1e]", String(repeating: "[", count: 3000), "\"unclosed",
    ].map { Array($0.utf8) } + [
      [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0], [0x5B, 0, 0x5D],
    ]

  /// The files of JSONTestSuite that must be refused; DECANT_CONFORMANCE_DIR names their folder.
  private static func suite() throws -> [[UInt8]] {
    guard let root = ProcessInfo.processInfo.environment["DECANT_CONFORMANCE_DIR"] else {
      print("skipped: JSONTestSuite among lines, as DECANT_CONFORMANCE_DIR is not set")
      return []
    }
    let folder = URL(filePath: root).appending(path: "JSONTestSuite/test_parsing")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("n_") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { Array(try Data(contentsOf: $0)) }
  }

  /// A byte order mark is no error of its own after the line feeds that `outcomes` puts before a line.
  private static func hasMark(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.starts(with: [0xFF, 0xFE])
  }

  @Test("each is reported at its place, and its neighbors are intact", arguments: engines)
  func planted(_ engine: Engine) async throws {
    let options = DecodingOptions.on(engine)
    var bytes: [UInt8] = []
    var good: [Int] = []
    let planted = try Self.own + Self.suite()
    for bad in planted where !Self.hasMark(bad) {
      for _ in 0..<3 {
        good.append(bytes.count)
        bytes += Array("[\(bytes.count)]\n".utf8)
      }
      bytes += bad + [0x0A]
    }
    good.append(bytes.count)
    bytes += Array("[\(bytes.count)]".utf8)
    let expected = outcomes([Int].self, of: bytes, options: options) { models, _ in "\(models)" }
    func check(_ found: [Outcome], _ way: String) {
      #expect(found == expected, "\(way)")
      // A good line is the array of its own offset.
      #expect(found.filter { $0.text == "[\($0.offset)]" }.map(\.offset) == good, "\(way)")
    }
    let lines = JSONLines<[Int]>(bytes, options: options)
    check(lines.map { Outcome($0) }, "bytes")
    for size in [oneRoundIn, 37, 1024, 65_536] {
      var found: [Outcome] = []
      for try await line in JSONLines<[Int]>(Cut(bytes, [size]), options: options) {
        found.append(Outcome(line))
      }
      check(found, "chunks of \(size)")
    }
    let numbers = lines.forEachConcurrently(threads: 4, keeping: .max) { _ in }
    #expect(numbers.failureCount == expected.count { !$0.text.hasPrefix("[") })
    #expect(numbers.failureCount >= Self.own.count)
    for number in numbers.failures.map(\.number) { #expect(number > 0) }
  }

  @Test("a byte order mark in the middle is that line's error", arguments: engines)
  func marks(_ engine: Engine) {
    let bytes = Array("[1]\n".utf8) + [0xEF, 0xBB, 0xBF] + Array("[2]\n[3]".utf8)
    let lines = Array(JSONLines<[Int]>(bytes, options: .on(engine)))
    #expect(lines.map(\.result.value) == [[1], nil, [3]])
    #expect(lines[1].result.error?.code == .byteOrderMark)
    #expect(lines[1].result.error?.location?.offset == 4)
  }

  @Test("a line of 100 MB is an error that costs no more than its limit")
  func large() async throws {
    struct Large: AsyncSequence, AsyncIteratorProtocol {
      var left = 100
      func makeAsyncIterator() -> Large { self }
      mutating func next() async -> [UInt8]? {
        if left == -1 { return nil }
        left -= 1
        return left >= 0 ? [UInt8](repeating: 0x31, count: 1 << 20) : Array("\n[7]".utf8)
      }
    }
    let options = DecodingOptions(maximumBytes: 1000)
    var found: [Outcome] = []
    for try await line in JSONLines<[Int]>(Large(), options: options) {
      found.append(Outcome(line))
    }
    #expect(found.map(\.number) == [1, 2])
    #expect(found.map(\.offset) == [0, (100 << 20) + 1])
    #expect(found[0].text.contains("the input is too large: the limit is 1000 bytes"))
    #expect(found[1].text == "[7]")
  }
}
