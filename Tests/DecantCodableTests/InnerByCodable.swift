// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// A model that decodes a string and then, by a decoder of its own, the document that the string spells. The error that it
// lets out is the inner document's: it is told at the string's place, and the inner place is in its text.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("Documents that Codable models decode inside others")
struct InnerByCodable {
  private struct Entry: Decodable {
    let count: Int
    let user: User?
    struct User: Decodable { let name: String }
  }

  private enum Key: CodingKey { case log }

  private struct Line: Decodable {
    let entry: Entry
    init(from decoder: any Decoder) throws {
      let text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .log)
      entry = try DecantDecoder().decode(Entry.self, from: text)
    }
  }

  private struct Tree: Decodable {
    let entry: Entry
    init(from decoder: any Decoder) throws {
      let value = try decoder.container(keyedBy: Key.self).decode(JSONValue.self, forKey: .log)
      entry = try DecantDecoder().decode(Entry.self, from: value)
    }
  }

  private struct Twice: Decodable {
    let line: Line
    init(from decoder: any Decoder) throws {
      let text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .log)
      line = try DecantDecoder().decode(Line.self, from: text)
    }
  }

  /// The inner document, and what is told of it.
  private static let rows: [(inner: String, told: String)] = [
    (#"{"count":"x"}"#, "1:10: /count: expected an integer, found a string"),
    (#"{"count":null}"#, "1:10: /count: expected an integer, found null value instead"),
    (#"{"count":1.5}"#, "1:10: /count: expected an integer, found a number"),
    ("{}", "1:1: /count: the key is missing"),
    ("[]", "1:1: expected an object, found an empty array"),
    ("{\"count\":1,\n \"user\":{}}", "2:9: /user/name: the key is missing"),
    (#"{"count":1,"user":{"name":5}}"#, "1:27: /user/name: expected a string, found a number"),
  ]

  private func quoted(_ text: String) -> String { JSONValue(text).jsonText() }

  /// The error of the outer document, which is about the field.
  private func told(
    _ json: String, _ place: String, at path: [String] = ["Index 0", "log"],
    _ sourceLocation: SourceLocation = #_sourceLocation,
    _ decode: (String) throws -> Void
  ) throws -> String {
    do { try decode(json) } catch DecodingError.dataCorrupted(let context) {
      #expect(context.codingPath.map(\.stringValue) == path, sourceLocation: sourceLocation)
      #expect(context.debugDescription == "\(place): invalid value", sourceLocation: sourceLocation)
      let error = try #require(context.underlyingError as? DecodeError)
      #expect(error.inner != nil, sourceLocation: sourceLocation)
      return "\(error)"
    }
    return "no error of the kind"
  }

  @Test("errors are told at the string, with the inner place", arguments: rows)
  private func strings(inner: String, message: String) throws {
    let json = "[\n {\"log\":\(quoted(inner))}]"
    let found = try told(json, "2:9") { _ = try DecantDecoder().decode([Line].self, from: $0) }
    #expect(found == "2:9: /0/log: in the inner document, \(message)")
    // The same in a document inside a document.
    let outer = "[{\"log\":\(quoted("{\"log\":\(quoted(inner))}"))}]"
    let twice = try told(outer, "1:9") { _ = try DecantDecoder().decode([Twice].self, from: $0) }
    #expect(
      twice == "1:9: /0/log: in the inner document, 1:8: /log: in the inner document, \(message)")
  }

  @Test("errors of a JSONValue are told at the value", arguments: rows)
  private func values(inner: String, message: String) throws {
    let json = "[\n {\"log\":\(inner)}]"
    let found = try told(json, "2:9") { _ = try DecantDecoder().decode([Tree].self, from: $0) }
    #expect(found == "2:9: /0/log: in the inner document, \(message)")
  }

  @Test("errors in a model by view are told in its document", arguments: rows)
  private func views(inner: String, message: String) {
    let json = "[\n {\"log\":\(quoted(inner))}]"
    let error = [CodableModel<Line>].decode(from: json).error
    let first = "\(error?.message ?? "")".replacing(" value instead", with: "")
    #expect(error?.path.text == "/0/log" && error?.location?.line == 2)
    #expect(first.hasPrefix("in the inner document, "), "\(first)")
    #expect(first.hasSuffix(message.replacing(" value instead", with: "")), "\(first)")
  }

  @Test("an inner error that a model catches leaves the outer document's errors alone")
  func caught() throws {
    struct Careful: Decodable {
      let entry: Entry?
      let count: Int
      private enum Key: CodingKey { case log, count }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let text = try container.decode(String.self, forKey: .log)
        do { entry = try DecantDecoder().decode(Entry.self, from: text) } catch { entry = nil }
        count = try container.decode(Int.self, forKey: .count)
      }
    }
    let json = #"{"log":"{\"count\":\"x\"}","count":"y"}"#
    let error = try #require(throws: DecodingError.self) {
      try DecantDecoder().decode(Careful.self, from: json)
    }
    guard case .typeMismatch(_, let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["count"])
    #expect(context.debugDescription == "1:36: expected an integer, found a string")
    #expect(context.underlyingError == nil)
    // Nor is an error of a document that is inside no other one changed.
    let alone = try #require(throws: DecodingError.self) {
      try DecantDecoder().decode(Entry.self, from: #"{"count":"x"}"#)
    }
    guard case .typeMismatch(_, let why) = alone else { throw alone }
    #expect(why.underlyingError == nil)
  }
}
