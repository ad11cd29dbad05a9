// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import DecantJansson
import DecantTestSupport
import Foundation
import Testing

@Suite("Errors of DecantDecoder")
struct RedactionTests {
  private static let secret = "hunter2"

  private enum Level: String, Decodable { case low }
  private struct Point: JSONDecodable, Decodable {
    let x: Int
    static func decode(_ json: JSON) -> Decoded<Point> { build(Point.init, json <| "x") }
    init(x: Int) { self.x = x }
    init(from decoder: any Decoder) throws { x = try .init(from: decoder) }
  }
  private struct Named: Decodable { let name: String }

  /// Documents that are refused for a value, with what decodes them.
  private static let cases:
    [(json: String, decode: @Sendable (DecantDecoder, String) throws -> Any)] =
      [
        (#"["hunter2"]"#, { try $0.decode([Int].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([UInt8].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([Bool].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([Double].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([Level].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([UUID].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([Decimal].self, from: $1) }),
        (#"["hunter2%"]"#, { try $0.decode([Data].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([Date].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([[Int]].self, from: $1) }),
        (#"["hunter2"]"#, { try $0.decode([[String: Int]].self, from: $1) }),
        (#"[{"x":"hunter2"}]"#, { try $0.decode([Point].self, from: $1) }),
        (#"[{"x":1.5,"hunter2":1}]"#, { try $0.decode([Point].self, from: $1) }),
        (#"{"hunter2":1,"nam":2}"#, { try $0.decode(Named.self, from: $1) }),
        (#"{"a":"hunter2",}"#, { try $0.decode([String: String].self, from: $1) }),
        (#"{"a":"hunter2" "b"}"#, { try $0.decode([String: String].self, from: $1) }),
        (#"[hunter2]"#, { try $0.decode([String].self, from: $1) }),
        (#"["hunter2"#, { try $0.decode([String].self, from: $1) }),
        (#"["hunter2\x"]"#, { try $0.decode([String].self, from: $1) }),
        ("[\"hunter2\u{1}\"]", { try $0.decode([String].self, from: $1) }),
        (#""hunter2""#, { try $0.decode(Int.self, from: JSONValue(parsing: $1)) }),
        (#"["hunter2"]"#, { try $0.decode([Level].self, from: JSONValue(parsing: $1)) }),
      ]

  @Test("quote no value of the document, unless the decoder shows them")
  func values() {
    let showing = showingDecoder()
    showing.dateDecodingStrategy = .iso8601
    let plain = DecantDecoder()
    plain.dateDecodingStrategy = .iso8601
    var shown = 0
    for (json, decode) in Self.cases {
      for engine in [DecodingOptions.Engine.native, .jansson] {
        plain.options = DecodingOptions(engine: engine)
        let error = #expect(throws: DecodingError.self) { try decode(plain, json) }
        let text = error.map { "\($0)" } ?? ""
        #expect(!text.contains(Self.secret), "\(json): \(text)")
        #expect(!text.isEmpty)
      }
      let error = #expect(throws: DecodingError.self) { try decode(showing, json) }
      if "\(error!)".contains(Self.secret) { shown += 1 }
    }
    #expect(shown >= Self.cases.count / 2)
  }

  @Test("say kind, path and place")
  func texts() {
    let decoder = DecantDecoder()
    func text(_ json: String, _ type: any Decodable.Type) -> String {
      do {
        _ = try decoder.decode(type, from: json)
        return "none"
      } catch let error as DecodingError { return context(of: error).debugDescription } catch {
        return "other"
      }
    }
    #expect(text(#"["hunter2"]"#, [Int].self) == "1:2: expected an integer, found a string")
    #expect(text(#"[300]"#, [Int8].self) == "1:2: a number is out of range: expected an Int8")
    #expect(text(#"["high"]"#, [Level].self) == "1:2: not one of the accepted values")
    #expect(text("[1", [Int].self) == "1:3: The given data was not valid JSON.")
    #expect(text("", [Int].self) == "1:1: The given data was not valid JSON.")
    #expect(text(#"[{"x":1.5}]"#, [Point].self) == "1:7: not an integer")
    for type in [
      [Int].self, [String].self, [[Int]].self, [[String: Int]].self, [Bool].self,
      [Date].self, [URL].self, [UUID].self, [Decimal].self, [Data].self, [Named].self,
    ] as [any Decodable.Type] {
      #expect(text("[null]", type).hasSuffix("found null value instead"), "\(type)")
    }
  }

  @Test("have each text once")
  func once() throws {
    for json in ["[1,", #"[{"x":1.5}]"#, "{}"] {
      let error = try #require(throws: DecodingError.self) {
        try DecantDecoder().decode([Point].self, from: json)
      }
      let why = context(of: error)
      if let underlying = why.underlyingError {
        #expect(underlying is DecodeError)
        #expect(!"\(underlying)".contains(why.debugDescription))
      }
    }
  }

  private func context(of error: DecodingError) -> DecodingError.Context {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: fatalError("a new case of DecodingError")
    }
  }
}
