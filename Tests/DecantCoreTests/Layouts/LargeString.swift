// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantCore
import Testing

@Suite("Large strings")
struct LargeStrings {
  /// ASCII, and text whose last character is not.
  private func texts(_ lengths: some Sequence<Int>) -> [String] {
    lengths.flatMap { length in
      let letters = String(repeating: "abcdefghijklmnopqrstuvwxyz", count: length / 26 + 1)
      return [String(letters.prefix(length)), letters.prefix(length - 2) + "é"]
    }
  }
  private let lengths = Array(16...260) + [511, 512, 1000, 4095, 4096, 70_000]

  /// The object that keeps a string's bytes, as words, but for its class and its references.
  private func object(of text: String) -> [UInt64] {
    // SAFETY: a string of this length is a word and an object, which has these two words behind its header.
    withExtendedLifetime(text) {
      let (first, second) = unsafe unsafeBitCast(text, to: (UInt64, UInt64).self)
      let object = unsafe UnsafeRawPointer(bitPattern: UInt(second))!
      return unsafe [
        first, object.load(fromByteOffset: 16, as: UInt64.self),
        object.load(fromByteOffset: 24, as: UInt64.self),
        UInt64(object.load(fromByteOffset: 32 + text.utf8.count, as: UInt8.self)),
      ]
    }
  }

  /// A copy that the standard library makes.
  private func library(_ text: String, isASCII: Bool) -> String {
    let bytes = Array(text.utf8)
    // SAFETY: the bytes of a string are valid UTF-8.
    return unsafe bytes.withUnsafeBufferPointer {
      unsafe String(
        copying: UTF8Span(unchecked: Span(_unsafeElements: $0), isKnownASCII: isASCII))
    }
  }

  @Test("are, to the bit, what the standard library makes of the same bytes", arguments: 16...86)
  func sameObject(length: Int) throws {
    for text in texts([length]) {
      let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
      let decoded = try String(decoding: "\"\(text)\"")
      #expect(object(of: decoded) == object(of: library(text, isASCII: isASCII)))
    }
  }

  @Test("of every length are equal to the text, to every view of it and for every comparison")
  func sameText() throws {
    for text in texts(lengths) {
      let decoded = try String(decoding: "\"\(text)\"")
      #expect(decoded == text && decoded.hashValue == text.hashValue)
      #expect(decoded.count == text.count && decoded < text + "a" && !(decoded < text))
      #expect(decoded.utf8.elementsEqual(text.utf8))
      // Offsets in UTF-16 are what breadcrumbs are for.
      let last = decoded.utf16.count - 1
      #expect(
        decoded.utf16[decoded.utf16.index(decoded.startIndex, offsetBy: last)] == text.utf16.last)
      #expect(String(decoded.reversed()) == String(text.reversed()))
      let copy = unsafe decoded.withCString { unsafe String(cString: $0) }
      #expect(copy == text)
    }
  }

  @Test("can be changed like any other, within their room and beyond")
  func mutation() throws {
    for text in texts(lengths) {
      var decoded = try String(decoding: "\"\(text)\"")
      let copy = decoded
      var expected = text
      for _ in 0..<40 {
        decoded.append("+")
        expected.append("+")
        #expect(decoded == expected)
      }
      decoded.append(contentsOf: text)
      decoded.replaceSubrange(
        decoded.startIndex..<decoded.index(decoded.startIndex, offsetBy: 3), with: "é")
      #expect(decoded == "é" + (expected + text).dropFirst(3))
      decoded.removeAll(keepingCapacity: true)
      #expect(decoded.isEmpty && copy == text)
    }
  }

  @Test("are freed once, whoever held them")
  func sharing() throws {
    let text = String(repeating: "shared by many ", count: 9)
    let decoded = try String(decoding: "\"\(text)\"")
    var copies = Array(repeating: decoded, count: 1000)
    copies[500] += "!"
    copies.removeSubrange(0..<500)
    #expect(copies.removeFirst() == text + "!")
    #expect(copies.allSatisfy { $0 == text })
  }
}
