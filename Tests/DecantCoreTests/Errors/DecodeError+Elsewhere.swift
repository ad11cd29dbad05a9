// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import Testing

@Suite("Errors that leave their document in flight")
struct ErrorsElsewhereTests {
  /// Fails with an error that another document's view made.
  private enum Relay {
    @TaskLocal static var error: DecodeError?
  }

  private struct Relayed: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Relayed> {
      Relay.error.map { .failure($0) } ?? .failure(.custom("none"))
    }
  }

  @Test(
    "have no place in a document that is not theirs, and read nothing there", arguments: engines)
  func relayed(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    let large = "[" + String(repeating: "[\"text\",{\"a\":1}],", count: 500) + "\"last\"]"
    let value = try JSONValue(parsing: large, options: options)
    for index in [0, 1, 250, 499, 500] {
      let error = value.withView { $0[JSONKey(index)].decode(as: Int.self).error }
      let kept = try #require(error)
      Relay.$error.withValue(kept) {
        for small in ["1", "[]", "[[]]", #"{"a":{"b":[1,"x",null]}}"#, #"["0123456789abcdef"]"#] {
          let relayed = Relayed.decode(from: small, options: options).error
          #expect(relayed?.code == .typeMismatch)
          #expect(relayed?.description.isEmpty == false)
          #expect((relayed?.location?.offset ?? 0) <= small.utf8.count)
        }
      }
    }
  }
}
