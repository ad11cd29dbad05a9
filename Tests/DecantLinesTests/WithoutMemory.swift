// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Streams whose unfinished documents there is no memory for.

import CDecantIndex
import DecantCore
import Testing

@testable import DecantLines

@Suite("Streams without memory")
struct StreamsWithoutMemory {
  /// What becomes of each document of a stream in chunks.
  private func outcomes(_ chunks: [String], _ framing: DocumentFraming? = nil) -> [String] {
    let rules = LineRules(DecodingOptions(sourceName: "a.json"), 1, 0)
    unsafe rules.allocator.allocate = { _, _ in nil }
    unsafe rules.allocator.reallocate = { _, _, _, _ in nil }
    unsafe rules.allocator.deallocate = { _, _, _ in }
    let feed = LineFeed(rules, all: nil, framing: framing)
    let decoding = JSONLines<[Int]>.decoding(rules.options)()
    var outcomes: [String] = []
    func add(_ line: JSONLines<[Int]>.Line) {
      outcomes.append("\(line.number): \(line.result.error?.description ?? "decoded")")
    }
    for chunk in chunks {
      feed.take(Owned(Array(chunk.utf8)))
      while let line = feed.next(decoding) { add(line) }
    }
    if feed.decodeLast(decoding) == .line { add(decoding.take()) }
    return outcomes
  }

  @Test("a line that is in two chunks is an error, and the others are read")
  func lines() {
    #expect(
      outcomes(["[1]\n[", "2]\n[3]\n  ", " \n[4]\n[5", ",6]"]) == [
        "1: decoded", "2: a.json:2:1: out of memory", "3: decoded", "5: decoded",
        "6: a.json:6:1: out of memory",
      ])
  }

  @Test("a document that is in two chunks is an error, and the others are read")
  func documents() {
    #expect(
      outcomes(["[1]\n[", "2]\n[3]\n", "[4]\n[5", ",6]"], .documents) == [
        "1: decoded", "2: a.json:2:1: out of memory", "3: decoded", "4: decoded",
        "5: a.json:5:1: out of memory",
      ])
  }
}
