// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantTestSupport
import DecantVocabulary
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

  private static let large =
    "[" + String(repeating: "[\"text\",{\"a\":1}],", count: 500) + "\"last\"]"
  private static let indices = [0, 1, 250, 499, 500]
  private static let small = [
    "1", "[]", "[[]]", #"{"a":{"b":[1,"x",null]}}"#, #"["0123456789abcdef"]"#,
  ]

  /// Keeps the errors of a borrowed document, without telling it.
  private struct Leak: JSONDecodable {
    let errors: [DecodeError?]

    static func decode(_ json: JSON) -> Decoded<Leak> {
      pure(Leak(errors: indices.map { json[JSONKey($0)].decoded(Int.self).error }))
    }
  }

  @Test(
    "are told inside the document in which they are thrown, with the place in their own",
    arguments: engines)
  func kept(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    let value = try JSONValue(parsing: Self.large, options: options)
    for index in Self.indices {
      let error = value.withView { $0[JSONKey(index)].decoded(Int.self).error }
      let kept = try #require(error)
      Relay.$error.withValue(kept) {
        for small in Self.small {
          let relayed = Relayed.decode(from: small, options: options).error
          #expect(relayed?.path.text == "")
          #expect(relayed?.inner?.path.text == "/\(index)")
          #expect(relayed?.inner?.description == kept.description)
          let line = kept.description.prefix { $0 != "\n" }
          #expect(relayed?.message == "in the inner document, \(line)")
        }
      }
    }
  }

  /// Fails with an error of another document and one of its own.
  private struct Both: JSONDecodable {
    static func decode(_ json: JSON) -> Decoded<Both> {
      build({ (_: Relayed, _: Int) in Both() }, json.decode("a"), json.decode("b"))
    }
  }

  @Test("leave the other errors of a model their places", arguments: engines)
  func among(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    let value = try JSONValue(parsing: #"[0,1,2,3,{"n":"x"}]"#, options: options)
    let errors = [
      value.withView { $0[[4, "n"]].decoded(Int.self).error },
      value.outcome { $0.decode([4, "n"], as: Int.self) }.error,
      [[String: Int]].decode(from: #"[{},{},{},{},{"n":"x"}]"#, options: options).error,
    ]
    for error in errors {
      let other = try #require(error)
      for space in ["", String(repeating: " ", count: 70_000)] {
        let json = #"{"a":1,"b":"y"}"# + space
        try Relay.$error.withValue(other) {
          let found = try #require(Both.decode(from: json, options: options).error)
          #expect(found.underlying.map(\.path.text) == ["/a", "/b"])
          #expect(found.underlying[0].inner?.description == other.description)
          #expect(found.underlying[1].found == #"the string "y""#)
          #expect(found.underlying[1].location?.offset == (engine == .native ? 11 : nil))
        }
      }
    }
  }

  @Test(
    "have no place in a document that is not theirs, and read nothing there", arguments: engines)
  func relayed(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    for error in try Leak(decoding: Self.large, options: options).errors {
      let kept = try #require(error)
      Relay.$error.withValue(kept) {
        for small in Self.small {
          let relayed = Relayed.decode(from: small, options: options).error
          #expect(relayed?.code == .typeMismatch)
          #expect(relayed?.description.isEmpty == false)
          #expect((relayed?.location?.offset ?? 0) <= small.utf8.count)
        }
      }
    }
  }

  /// Keeps the error of a key that is missing in a borrowed document.
  private struct Missing: JSONDecodable {
    let error: DecodeError?

    static func decode(_ json: JSON) -> Decoded<Missing> {
      pure(Missing(error: json.decode("x", as: Int.self).error))
    }
  }

  @Test("have no keys of what is no object", arguments: engines)
  func keys(_ engine: Engine) throws {
    let options = DecodingOptions(engine: engine)
    Relay.$error.withValue(try Missing(decoding: "{}", options: options).error) {
      let error = Relayed.decode(from: "[1]", options: options).error
      #expect(error?.path.text == "/x")
      #expect(error?.description.contains("the object has") == false)
    }
  }
}
