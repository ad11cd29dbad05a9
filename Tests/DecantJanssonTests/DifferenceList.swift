// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

#if Jansson

  import Decant
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
  }

#endif
