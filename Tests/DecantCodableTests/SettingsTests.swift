// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Options are copied one by one before one of them changes, so that a new option has to be copied, too.

import DecantCore
import Testing

@testable import DecantCodable

@Suite struct SettingsTests {
  @Test("A copy of a decoder's options has each of them")
  func decoder() {
    let settings = Settings()
    settings.options = DecodingOptions(maximumDepth: 3)
    settings.keys = .convertFromSnakeCase
    settings.floats = .convertFromString(positiveInfinity: "p", negativeInfinity: "n", nan: "x")
    settings.userInfo = [CodingUserInfoKey(rawValue: "key")!: 1]
    settings.assumesObject = true
    settings.dates = 1
    settings.data = 2
    expectEach(of: settings, in: settings.copy(), differsFrom: Settings())
  }

  @Test("A copy of an encoder's options has each of them")
  func encoder() {
    let settings = EncodingSettings()
    settings.format = .prettyPrinted
    settings.keys = .convertToSnakeCase
    settings.floats = .convertToString(positiveInfinity: "p", negativeInfinity: "n", nan: "x")
    settings.userInfo = [CodingUserInfoKey(rawValue: "key")!: 1]
    settings.maximumDepth = 3
    settings.dates = 1
    settings.data = 2
    expectEach(of: settings, in: settings.copy(), differsFrom: EncodingSettings())
  }

  /// Expects that each option was set to something else than its default, and copied.
  private func expectEach(of set: Any, in copy: Any, differsFrom fresh: Any) {
    let options = [set, copy, fresh].map {
      Mirror(reflecting: $0).children.map { ($0.label ?? "", "\($0.value)") }
    }
    #expect(!options[0].isEmpty)
    for (place, option) in options[0].enumerated() {
      #expect(option == options[1][place], "the copy has another value")
      #expect(option != options[2][place], "the test does not set this option")
    }
  }
}
