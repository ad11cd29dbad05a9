// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantFoundation
import Foundation
import DecantTestSupport
import Testing

@Suite("JSONPresence in Codable models")
struct CodablePresenceTests {
  private struct Patch: Codable, Equatable {
    var name: JSONPresence<String> = .absent
    var age: JSONPresence<Int> = .absent
    var bornAt: JSONPresence<Date> = .absent
    var tags: JSONPresence<[JSONPresence<Int>]> = .absent
  }

  private static let rows: [(String, Patch)] = [
    ("{}", Patch()),
    (#"{"name":null}"#, Patch(name: .null)),
    (#"{"age":5,"name":"Ann"}"#, Patch(name: .value("Ann"), age: .value(5))),
    (#"{"born_at":0}"#, Patch(bornAt: .value(Date(timeIntervalSince1970: 0)))),
    (#"{"tags":[1,null]}"#, Patch(tags: .value([.value(1), .null]))),
  ]

  @Test("absent, null and a value are three things, here and with Foundation", arguments: rows)
  private func presence(json: String, patch: Patch) throws {
    let decoder = showingDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .secondsSince1970
    #expect(try decoder.decode(Patch.self, from: json) == patch)
    let theirs = JSONDecoder()
    theirs.keyDecodingStrategy = .convertFromSnakeCase
    theirs.dateDecodingStrategy = .secondsSince1970
    #expect(try theirs.decode(Patch.self, from: Data(json.utf8)) == patch)

    let encoder = DecantEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(patch) as [UInt8], as: UTF8.self) == json)
    let ours = JSONEncoder()
    ours.keyEncodingStrategy = .convertToSnakeCase
    ours.dateEncodingStrategy = .secondsSince1970
    ours.outputFormatting = .sortedKeys
    #expect(String(decoding: try ours.encode(patch), as: UTF8.self) == json)
  }

  @Test("what is there must be right")
  func mismatch() {
    #expect {
      try showingDecoder().decode(Patch.self, from: #"{"age":"5"}"#)
    } throws: { error in
      guard case DecodingError.typeMismatch(_, let context) = error else { return false }
      return context.codingPath.map(\.stringValue) == ["age"]
        && context.debugDescription == #"1:8: expected an integer, found the string "5""#
    }
  }
}
