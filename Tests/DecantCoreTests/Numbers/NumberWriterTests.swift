// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Testing

@testable import DecantCore

@Suite("Number writer")
struct NumberWriterTests {
  @Test("integers, to the edges of their widths")
  func integers() {
    var bytes: [UInt8] = []
    for value in [0, 7, -7, 10, -100, Int.max, Int.min] {
      NumberWriter.append(value, to: &bytes)
      bytes.append(UInt8(ascii: " "))
    }
    NumberWriter.append(Int8.min, to: &bytes)
    bytes.append(UInt8(ascii: " "))
    NumberWriter.append(UInt128.max, to: &bytes)
    let text =
      "0 7 -7 10 -100 9223372036854775807 -9223372036854775808 -128 "
      + "340282366920938463463374607431768211455"
    #expect(bytes == Array(text.utf8))
  }

  @Test("reals in their shortest form, all of them JSON numbers")
  func reals() {
    let doubles: [(Double, String)] = [
      (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (100, "100.0"), (0.1, "0.1"), (1.5, "1.5"),
      (1e20, "1e+20"), (.leastNonzeroMagnitude, "5e-324"), (1e-5, "1e-05"),
      (-65.613616999999977, "-65.61361699999998"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    ]
    for (value, text) in doubles {
      var bytes: [UInt8] = []
      #expect(NumberWriter.append(value, to: &bytes))
      #expect(String(decoding: bytes, as: UTF8.self) == text)
      #expect(NumberPlacements.shape(text) != nil, "\(text)")
    }
    var bytes: [UInt8] = []
    #expect(NumberWriter.append(Float(0.1), to: &bytes))
    #expect(bytes == Array("0.1".utf8))
  }

  @Test("infinities and NaN are refused and leave no bytes")
  func notNumbers() {
    var bytes: [UInt8] = []
    for value in [Double.infinity, -.infinity, .nan, -.nan, .signalingNaN] {
      #expect(!NumberWriter.append(value, to: &bytes))
      #expect(!NumberWriter.append(Float(value), to: &bytes))
    }
    #expect(bytes.isEmpty)
  }
}
