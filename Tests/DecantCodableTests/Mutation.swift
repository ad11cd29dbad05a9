// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import Foundation

/// Documents made from a good one by replacing, leaving out and doubling parts.
enum Mutation {
  private static let replacements = [
    "null", "true", "false", "0", "1", "-1", "2", "1.0", "1.5", "2e2", "100e-2", "300", "70000",
    "-0", "-0.0",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
    "18446744073709551616", "1e19", "123456789012345678901234567890", "3.5e38", "1e300", "0.1",
    #""""#, #""a""#, #""lunch""#, #""1""#, #""\u00e9\n""#, #""2026-03-01T12:00:00Z""#,
    #""http://x y""#, "[]", "{}", "[1]",
    "[null]", #"["a"]"#, "[[]]", #"{"id":1}"#, #"{"id":1,"name":"n"}"#, #"{"id":null,"name":"n"}"#,
    #"{"circle":{"radius":1},"empty":{}}"#, #"{"empty":{}}"#, #"{"empty":1}"#, #"{"unknown":{}}"#,
    #"{"a":1}"#,
  ]

  static func mutated(_ value: JSONValue, _ random: inout some RandomNumberGenerator) -> String {
    // About one change a document, wherever it falls.
    var text = ""
    let count = max(1, size(value))
    write(value, &text, 1 / Double(count), &random)
    return text
  }

  private static func size(_ value: JSONValue) -> Int {
    if let elements = value.array { return elements.reduce(1) { $0 + size($1) } }
    if let members = value.members { return members.reduce(1) { $0 + size($1.value) } }
    return 1
  }

  private static func write(
    _ value: JSONValue, _ text: inout String, _ chance: Double,
    _ random: inout some RandomNumberGenerator
  ) {
    if Double.random(in: 0..<1, using: &random) < chance {
      text += replacements.randomElement(using: &random) ?? "null"
    } else if let elements = value.array {
      text += "["
      var isFirst = true
      for element in elements {
        if Double.random(in: 0..<1, using: &random) < chance / 4 { continue }
        for _ in 0..<(Double.random(in: 0..<1, using: &random) < chance / 4 ? 2 : 1) {
          if !isFirst { text += "," }
          isFirst = false
          write(element, &text, chance, &random)
        }
      }
      text += "]"
    } else if let members = value.members {
      text += "{"
      var isFirst = true
      for (key, value) in members {
        if Double.random(in: 0..<1, using: &random) < chance / 2 { continue }
        for _ in 0..<(Double.random(in: 0..<1, using: &random) < chance / 4 ? 2 : 1) {
          if !isFirst { text += "," }
          isFirst = false
          text += JSONValue(key).description + ":"
          write(value, &text, chance, &random)
        }
      }
      text += "}"
    } else {
      text += value.description
    }
  }
}
