// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("Localized descriptions")
struct LocalizedTests {
  @Test("an error's localized description is its text", arguments: engines)
  func texts(engine: Engine) throws {
    for json in [#"{"id":"x"}"#, "[1,", #"{"id":1}"#] {
      let error = try #require(
        [String: [Int]].decode(from: json, options: .on(engine)).error)
      #expect(error.localizedDescription == error.description)
      let erased: any Error = error
      #expect(erased.localizedDescription == error.description)
      #expect(error.description.contains("expected"))
    }
  }

  @Test("so is that of a value that has no text")
  func writing() {
    let error = #expect(throws: JSONWritingError.self) { try [Decimal.nan].checkedJSONBytes() }
    #expect(error?.localizedDescription == "/0: the value has no text")
  }
}
