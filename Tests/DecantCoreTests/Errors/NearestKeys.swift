// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantCore
import DecantTestSupport
import Testing

@Suite("Nearest keys")
struct NearestKeyTests {
  @Test("the nearest key is the one that all comparisons together find")
  func comparisons() throws {
    var random = SeededRandom(printing: "nearest keys")
    var found = 0
    for _ in 0..<rounds(5_000) {
      let wanted = key(&random)
      var keys: [String] = []
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let other = key(&random)
        if !keys.contains(other) { keys.append(other) }
      }
      let members = keys.map { "\(spelled($0, &random)):0" }.joined(separator: ",")
      let value = try JSONValue(parsing: "{\(members)}")
      let near = value.view.nearestKey { $0.add(wanted) }.map { near in
        written { near.write(to: &$0) }
      }
      let expected = nearest(to: wanted, among: keys)
      // An expectation costs more than what it expects.
      guard near == expected else {
        Issue.record("\(wanted) among \(keys): \(near ?? "none"), \(expected ?? "none")")
        return
      }
      if expected != nil { found += 1 }
    }
    #expect(found > rounds(200))
  }

  private func key(_ random: inout SeededRandom) -> String {
    let letters = ["a", "b", "c", "A", "B", "_", "-", "é", "ab", "abc", "'"]
    let isLong = Int.random(in: 0..<20, using: &random) == 0
    let count = Int.random(in: isLong ? 30...52 : 0...8, using: &random)
    return (0..<count).map { _ in letters.randomElement(using: &random) ?? "a" }.joined()
  }

  /// A key as JSON, sometimes with an escape.
  private func spelled(_ key: String, _ random: inout SeededRandom) -> String {
    let isEscaped = Int.random(in: 0..<8, using: &random) == 0
    return "\"\(isEscaped ? key.replacing("a", with: "\\u0061") : key)\""
  }

  /// The definition, with a whole table of edits for each key.
  private func nearest(to wanted: String, among keys: [String]) -> String? {
    let most = 48
    let letters = self.letters(of: wanted)
    if wanted.utf8.count > most || wanted.isEmpty { return nil }
    let others = keys.filter { $0.utf8.count <= most }
    let same = others.first { !letters.isEmpty && self.letters(of: $0) == letters }
    if let same { return same }
    var best: (key: String, edits: Int)?
    for key in others {
      let edits = edits(from: letters, to: self.letters(of: key))
      let allowed = max(wanted.utf8.count, key.utf8.count) / 3
      let difference = abs(wanted.utf8.count - key.utf8.count)
      if allowed == 0 || edits > allowed || difference > allowed { continue }
      if let best, best.edits <= max(edits, difference) { continue }
      best = (key, edits)
    }
    return best?.key
  }

  private func letters(of key: String) -> [UInt8] {
    key.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
      .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  private func edits(from one: [UInt8], to other: [UInt8]) -> Int {
    var rows = [Array(0...other.count)]
    for i in 0..<one.count {
      var row = [i + 1]
      for j in 0..<other.count {
        var least = min(rows[i][j + 1], row[j]) + 1
        least = min(least, rows[i][j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}
