// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("Data")
struct DataTests {
  @Test("is decoded in place, whole or as a slice", arguments: engines)
  func data(engine: Engine) throws {
    let options = DecodingOptions.on(engine)
    let data = Data(#"x{"a":[1,2]}x"#.utf8)
    let slice = data[1..<data.count - 1]
    #expect(try [String: [Int]](decoding: slice, options: options) == ["a": [1, 2]])
    #expect(try [String: [Int]](decoding: Data(slice), options: options) == ["a": [1, 2]])
    #expect(try JSONValue(parsing: slice, options: options)["a"][1].int == 2)
    #expect([Int].decode(from: Data(), options: options).error?.code == .emptyInput)
    #expect([Int].decode(from: data, options: options).error?.code.category == .syntax)
  }

  @Test("of several pieces, too", arguments: engines)
  func pieces(engine: Engine) throws {
    var data = Data("[1,".utf8)
    data.append(Data(repeating: 0x20, count: 100_000))
    data.append(Data("2]".utf8))
    #expect(try [Int](decoding: data, options: .on(engine)) == [1, 2])
  }
}
