// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCore
import Testing

@Suite("Small strings")
struct SmallStrings {
  /// The words of which the standard library makes a string of its own.
  private func words(_ text: String) -> (UInt64, UInt64) {
    // SAFETY: a String is two words on the platforms that this is about.
    unsafe unsafeBitCast(text, to: (UInt64, UInt64).self)
  }

  @Test("of every length are, to the bit, what the standard library makes of the same bytes")
  func sameWords() throws {
    let texts =
      (0...15).map { String("abcdefghijklmno".prefix($0)) }
      + ["é", "aé", "日本語", "éééééé!", "日本語日本", "\u{1F600}abc", "a\u{301}", "\u{7F}x"]
    for text in texts {
      #expect(text.utf8.count <= 15)
      // The second element keeps 16 bytes behind the first one's start, as the fast path needs.
      let document = "[\"\(text)\",\"0123456789abcdef\"]"
      let decoded = try [String](decoding: document)[0]
      #expect(decoded == text)
      #expect(decoded.hashValue == text.hashValue)
      #expect(Array(decoded.utf8) == Array(text.utf8))
      var copy = String(decoding: Array(text.utf8), as: UTF8.self)
      copy.makeContiguousUTF8()
      let (first, second) = words(decoded)
      let (libraryFirst, librarySecond) = words(copy)
      #expect(first == libraryFirst && second == librarySecond, "\(text.debugDescription)")
    }
  }

  @Test(
    "have their bytes at hand in two words, and longer strings do not",
    .enabled(if: PrivateLayout.smallStringsAreUsed))
  func smallBytes() throws {
    for text in ["", "a", "seven b", "8 bytes!", "nine byte", "fifteen bytes !", "é日本語"] {
      // A literal may be kept elsewhere; a string made from so few bytes is not.
      let made = String(decoding: Array(text.utf8), as: UTF8.self)
      let (low, high, count) = try #require(made.smallBytes)
      let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) >> ($0 % 8 * 8)) }
      #expect(count == text.utf8.count)
      #expect(bytes.elementsEqual(Array(text.utf8) + Array(repeating: 0, count: 16 - count)))
    }
    for text in ["sixteen bytes  !", "日本語日本語", String(repeating: "a", count: 100)] {
      #expect(text.smallBytes == nil)
      #expect(String(decoding: Array(text.utf8), as: UTF8.self).smallBytes == nil)
    }
  }

  @Test("are right where the text ends too soon for the fast path")
  func atTheEnd() throws {
    for count in 0...15 {
      let text = String("abcdefghijklmno".prefix(count))
      #expect(try String(decoding: "\"\(text)\"") == text)
      #expect(try [String](decoding: "[\"\(text)\"]") == [text])
    }
  }

  @Test("can be changed like any other")
  func mutation() throws {
    var text = try [String](decoding: #"["small","0123456789abcdef"]"#)[0]
    text += " and longer than fifteen bytes"
    #expect(text == "small and longer than fifteen bytes")
    text.removeLast(30)
    #expect(text == "small")
    #expect(Set([text, "small"]).count == 1)
  }
}
