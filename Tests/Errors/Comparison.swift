// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Writes the page that shows what four libraries say to the same ten mistakes. The page has to be what this
// program writes: DECANT_GOLDEN=update writes it anew.

import CJansson
import Decant
import DecantTestSupport
import Foundation
import Testing

private struct Plain: Codable {
  let id: Int
  let name: String
  let email: String?
}

struct Comparison {
  static let mistakes: [(title: String, json: String)] = [
    ("A comma too many", "{\n  \"id\": 1,\n  \"name\": \"Ann\",\n}"),
    ("A comma missing", "{\n  \"id\": 1\n  \"name\": \"Ann\"\n}"),
    ("A comment", "{\n  \"id\": 1, // who it is\n  \"name\": \"Ann\"\n}"),
    ("The end missing", "{\"id\": 1, \"name\": \"Ann"),
    ("A tab in a string", "{\"id\": 1, \"name\": \"Ann\tLee\"}"),
    ("A string for an integer", "{\"id\": \"1\", \"name\": \"Ann\"}"),
    ("A key misspelt", "{\"id\": 1, \"nmae\": \"Ann\"}"),
    ("A fraction", "{\"id\": 1.5, \"name\": \"Ann\"}"),
    ("A number too large", "{\"id\": 99999999999999999999, \"name\": \"Ann\"}"),
    ("Three at once", "{\"id\": \"1\", \"email\": 7}"),
  ]

  static var page: String {
    var page = """
      # What four libraries say

      The same ten mistakes, reported by `JSONDecoder`, `JSONSerialization`, libjansson and Decant.

      ## Overview

      The model is `User`, with an `id` (an integer), a `name` (a string) and an `email` (a string that may be
      missing). libjansson unpacks it by `json_unpack_ex` and the format `{s:I, s:s, s?:s}`. Where an error
      is a value, its description is shown.

      Written by a program, `Tests/Errors/Comparison.swift`, with Swift 6.3 and libjansson 2.14 on Linux.

      """
    for mistake in mistakes {
      page += "\n## \(mistake.title)\n\n```json\n\(mistake.json)\n```\n\n"
      page += "`JSONDecoder`\n\n```\n\(ofDecoder(mistake.json))\n```\n\n"
      page += "`JSONSerialization`\n\n```\n\(ofSerialization(mistake.json))\n```\n\n"
      page += "libjansson\n\n```\n\(ofJansson(mistake.json))\n```\n\n"
      page += "Decant\n\n```\n\(ofDecant(mistake.json))\n```\n"
    }
    return page + """

      <!--
      Decant: JSON decoding for Swift and C.
      SPDX-License-Identifier: MIT
      -->

      """
  }

  static func ofDecoder(_ json: String) -> String {
    do {
      _ = try JSONDecoder().decode(Plain.self, from: Data(json.utf8))
      return "no error"
    } catch { return clean("\(error)") }
  }

  static func ofSerialization(_ json: String) -> String {
    do {
      let tree = try JSONSerialization.jsonObject(with: Data(json.utf8))
      guard let object = tree as? [String: Any] else { return "no error" }
      return object["id"] is Int && object["name"] is String
        ? "no error" : "no error; an `as?` in the program gives nil"
    } catch { return clean("\(error)") }
  }

  static func ofJansson(_ json: String) -> String {
    var error = json_error_t()
    // SAFETY: the text is a C string for the call; the tree is given back; what is unpacked is borrowed
    // from it and not read.
    return unsafe json.withCString { text in
      guard let root = unsafe json_loads(text, 0, &error) else { return unsafe said(&error) }
      defer { unsafe json_decref(root) }
      var id: Int64 = 0
      var name: UnsafePointer<CChar>?
      var email: UnsafePointer<CChar>?
      let status = unsafe withUnsafeMutablePointer(to: &id) { id in
        unsafe withUnsafeMutablePointer(to: &name) { name in
          unsafe withUnsafeMutablePointer(to: &email) { email in
            unsafe "id".withCString { idKey in
              unsafe "name".withCString { nameKey in
                unsafe "email".withCString { emailKey in
                  unsafe withVaList([idKey, id, nameKey, name, emailKey, email]) {
                    unsafe json_vunpack_ex(root, &error, 0, "{s:I, s:s, s?:s}", $0)
                  }
                }
              }
            }
          }
        }
      }
      return unsafe status == 0 ? "no error" : said(&error)
    }
  }

  private static func said(_ error: UnsafeMutablePointer<json_error_t>) -> String {
    // SAFETY: C strings inside the struct.
    let text = unsafe withUnsafeBytes(of: &error.pointee.text) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return unsafe "line \(error.pointee.line), column \(error.pointee.column): \(text)"
  }

  static func ofDecant(_ json: String) -> String {
    User.decode(from: json).error?.description ?? "no error"
  }

  /// Without addresses, which are others at every run.
  private static func clean(_ text: String) -> String {
    text.replacing(#/0x[0-9a-f]{6,}/#, with: "0x…")
  }
}

@Suite("The page that compares errors")
struct ComparisonTests {
  @Test("is what the program writes")
  func page() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/Decant/Decant.docc/ErrorComparison.md")
    let page = Comparison.page
    if ProcessInfo.processInfo.environment["DECANT_GOLDEN"] == "update" {
      try page.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(page == (try? String(contentsOf: file, encoding: .utf8)))
  }
}
