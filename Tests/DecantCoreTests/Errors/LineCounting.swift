// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Lines and columns: a counter that goes forwards and backwards says what one says that begins anew.

import DecantCore
import DecantTestSupport
import Testing

@Suite("Line counting")
struct LineCounting {
  /// Short lines and long ones, empty ones, and characters of one to four bytes.
  private static func text(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    var text = ""
    for _ in 0..<40 {
      let length = Int.random(in: 0...60, using: &random) * (Bool.random(using: &random) ? 1 : 30)
      for _ in 0..<length { text += ["a", "é", "€", "😀"].randomElement(using: &random) ?? "a" }
      text += "\n"
    }
    return Array(text.utf8)
  }

  @Test("places in any order are those that are counted from the beginning")
  func anyOrder() {
    var random = SeededRandom(printing: "line counting")
    for _ in 0..<rounds(10) {
      let text = Self.text(&random)
      unsafe text.withUnsafeBytes { bytes in
        var counter = unsafe LineCounter(Bytes(bytes))
        var place = 0
        for _ in 0..<200 {
          // Steps as errors make them: mostly near, to either side.
          let reach = Bool.random(using: &random) ? 40 : text.count
          place = min(max(place + Int.random(in: -reach...reach, using: &random), 0), text.count)
          var other = unsafe LineCounter(Bytes(bytes))
          let expected = other.location(of: place)
          let found = counter.location(of: place)
          // An expectation costs more than what it expects.
          guard found == expected, counter.lineStart == other.lineStart else {
            Issue.record("\(place): \(found), \(expected)")
            return
          }
        }
      }
    }
  }

  @Test("the mark is at its place behind characters of two columns, as glibc counts them")
  func wideCharacters() {
    for (character, columns) in [
      ("é", 1), ("日", 2), ("ꥠ", 2), ("⌚", 2), ("⭐", 2), ("☀", 1), ("✔", 1), ("➿", 2), ("⬜", 2),
      ("🀄", 2), ("🀅", 1), ("🆎", 2), ("🆏", 1), ("🈁", 2), ("🙂", 2), ("🙐", 1), ("🟥", 2), ("🥐", 2),
    ] {
      let error = [String: Int].decode(from: "{\"\(character)\":true}").error
      let mark = error?.description.split(separator: "\n").last?.prefix { $0 == " " }
      // Two columns before each line; a brace, two quotation marks and a colon.
      #expect(mark?.count == 2 + 4 + columns, "\(character)")
    }
  }
}
