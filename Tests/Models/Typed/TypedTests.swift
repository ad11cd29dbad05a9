// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// One model by four spellings: they read and write the same, and say the same errors.

import Decant
import DecantFoundation
import DecantTestSupport
import Foundation
import Testing

@Suite("The issue list by four spellings")
struct TypedTests {
  static let user = #"{"login":"ann","id":1,"avatar_url":"https://a","site_admin":false}"#
  static let issue = #"""
    {"url":"u","repository_url":"r","labels_url":"l","comments_url":"c","events_url":"e","html_url":"h","id":1,\#
    "node_id":"n","number":17,"title":"Crash","user":\#(user),\#
    "labels":[{"id":2,"name":"bug","color":"red"}],"state":"open","locked":false,"assignees":[\#(user),\#(user)],\#
    "milestone":{"id":3,"title":"m","open_issues":4,"due_on":"2024-02-29T12:30:00Z"},"comments":5,\#
    "created_at":"2024-02-29T12:30:00Z","updated_at":"2024-02-29T12:30:00Z","author_association":"NONE","body":"text",\#
    "reactions":{"total_count":1,"+1":2,"-1":3,"laugh":4},\#
    "pull_request":{"url":"p","merged_at":"2024-02-29T12:30:00Z"}}
    """#

  @Test("read and write the same", arguments: engines)
  func same(engine: DecodingOptions.Engine) throws {
    let options = DecodingOptions(engine: engine)
    let text = Self.issue
    #expect(try ByDeclaration.Issue(decoding: text, options: options).jsonText() == text)
    #expect(try ByHand.Issue(decoding: text, options: options).jsonText() == text)
    #expect(try ByBuild.Issue(decoding: text, options: options).jsonText() == text)
    let decoder = DecantDecoder()
    decoder.options = options
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let encoder = DecantEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .withoutEscapingSlashes
    let model = try decoder.decode(ByCodable.Issue.self, from: Array(text.utf8))
    #expect(try JSONValue(parsing: encoder.encode(model) as [UInt8]) == JSONValue(parsing: text))
  }

  @Test("thirteen errors of thirteen are told, in their order", arguments: engines)
  func errors(engine: DecodingOptions.Engine) {
    let wrong = [
      (#""url":"u""#, #""url":1"#, "/url"), (#""events_url":"e","#, "", "/events_url"),
      (#""id":1,"node_id""#, #""id":"1","node_id""#, "/id"),
      (#""number":17"#, #""number":17.5"#, "/number"), (#""id":2"#, #""id":[]"#, "/labels/0/id"),
      (#""color":"red""#, #""color":null"#, "/labels/0/color"), ("open\"", "opn\"", "/state"),
      (#""open_issues":4"#, #""open_issues":"4""#, "/milestone/open_issues"),
      (#""due_on":"2024"#, #""due_on":"x2024"#, "/milestone/due_on"),
      (#""comments":5"#, #""comments":true"#, "/comments"),
      (#""created_at":"2024"#, #""created_at":"24"#, "/created_at"),
      (#""+1":2"#, #""+2":2"#, "/reactions/+1"), (#""url":"p""#, #""url":{}"#, "/pull_request/url"),
    ]
    var text = Self.issue
    for (right, wrong, _) in wrong { text = text.replacing(right, with: wrong, maxReplacements: 1) }
    let options = DecodingOptions(engine: engine)
    let declared = ByDeclaration.Issue.decode(from: text, options: options).error
    #expect(declared?.underlying.map(\.path.description) == wrong.map(\.2))
    let built = ByBuild.Issue.decode(from: text, options: options).error
    #expect(built.map { "\($0)" } == declared.map { "\($0)" })
    // Initializers of one's own end at the first.
    #expect(ByHand.Issue.decode(from: text, options: options).error?.underlying.isEmpty == true)
  }
}
