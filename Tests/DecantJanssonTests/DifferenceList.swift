// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantJansson
import DecantTestSupport
import Testing

@Suite("The closed list of differences between the engines")
struct DifferenceTests {
  @Test("every row is as it says, on both engines")
  func rows() {
    for row in Difference.all {
      var options = row.options
      options.engine = .native
      #expect(row.outcome(row.input, options) == row.native, "\(row.what)")
      options.engine = .jansson
      #expect(row.outcome(row.input, options) == row.jansson, "\(row.what)")
      #expect(row.native != row.jansson, "\(row.what)")
      #expect(!row.reason.isEmpty)
    }
  }

  @Test("integers are rounded once to Floats on both", arguments: [Engine.native, .jansson])
  func floats(engine: Engine) throws {
    // As a Double it is a tie of two Floats.
    let text = "9007199791611905"
    #expect(Float(Double(text) ?? 0) != Float(text))
    let options = DecodingOptions(engine: engine)
    #expect(try Float.decode(from: text, options: options).get() == Float(text))
    let decoder = DecantDecoder()
    decoder.options = options
    #expect(try decoder.decode(Float.self, from: text) == Float(text))
    #expect(try decoder.decode([Float].self, from: "[\(text)]") == [Float(text)])
  }
}
