// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The text of errors, byte for byte. A case is a document and a text for each engine:
//
//   Golden/TOPIC/NAME.MODEL[.OPTION…].json    the document; the model and options are those of Models.swift
//   Golden/TOPIC/NAME.native.txt              what the error says, and a line feed
//   Golden/TOPIC/NAME.jansson.txt             where libjansson's is not the same without places
//   Golden/TOPIC/NAME.c.txt                   where C has words of its own: the text, and the JSON
//   Golden/expected.txt                       what was expected where a document is not JSON, or passes a limit
//
// DECANT_GOLDEN=update in the environment writes the texts as they are now; `git diff` shows what changed.

import CDecant
import Decant
import DecantC
import DecantTestSupport
import Foundation
import Testing

struct GoldenCase: Sendable, CustomTestStringConvertible {
  let document: URL
  let name: String
  let model: String
  let words: [String]

  var testDescription: String {
    "\(document.deletingLastPathComponent().lastPathComponent)/\(name)"
  }

  init?(_ document: URL) {
    let parts = document.lastPathComponent.split(separator: ".").map { String($0) }
    guard parts.count >= 3, parts.last == "json" else { return nil }
    self.document = document
    name = parts[0]
    model = parts[1]
    words = parts[2..<(parts.count - 1)].map { String($0) }
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  static let all: [GoldenCase] = {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).sorted { $0.path < $1.path }.compactMap {
      GoldenCase($0)
    }
  }()

  func text(_ engine: Engine) -> URL {
    document.deletingLastPathComponent().appending(path: "\(name).\(engine.name).txt")
  }

  func error(_ engine: Engine) throws -> DecodeError? {
    var options = DecodingOptions.on(engine)
    for word in words {
      let isKnown = options.set(word)
      #expect(isKnown, "\(testDescription): what is \(word)?")
    }
    return try #require(
      failure(of: model, Array(try Data(contentsOf: document)), options),
      "\(testDescription): there is no model \(model)")
  }
}

@Suite("Texts of errors")
struct GoldenTests {
  private let updates = ProcessInfo.processInfo.environment["DECANT_GOLDEN"] == "update"

  @Test("are those of the golden folder", arguments: engines)
  func golden(engine: Engine) throws {
    #expect(GoldenCase.all.count >= 60)
    for item in GoldenCase.all {
      let error = try item.error(engine)
      let text = error.map { "\($0)\n" } ?? "no error\n"
      if updates { try text.write(to: item.text(engine), atomically: true, encoding: .utf8) }
      let expected = try? String(contentsOf: item.text(engine), encoding: .utf8)
      #expect(text == expected, "\(item.testDescription), \(engine.name)")
    }
  }

  @Test("say what was expected, also of documents that are not JSON, in Golden/expected.txt")
  func expected() throws {
    var lines = ""
    for item in GoldenCase.all {
      guard let error = try item.error(.native) else { continue }
      let isOfModel = error.code.category == .data || error.code == .invalidPointer
      if isOfModel { continue }
      let expected = try #require(error.expected, "\(item.testDescription)")
      #expect(try JSONValue(parsing: error.jsonText)["expected"].string == expected)
      lines += "\(item.testDescription): \(expected)\n"
    }
    let golden = GoldenCase.folder.appending(path: "expected.txt")
    if updates { try lines.write(to: golden, atomically: true, encoding: .utf8) }
    #expect(try lines == String(contentsOf: golden, encoding: .utf8))
  }

  @Test("have the same bytes in C, as far as there is room", arguments: engines)
  func sameInC(engine: Engine) throws {
    for item in GoldenCase.all {
      guard let error = try item.error(engine) else { continue }
      var inC = decant_error()
      inC.size = MemoryLayout<decant_error>.size
      // SAFETY: a struct of this frame, of the size that it says.
      let status = unsafe report(error, to: &inC)
      #expect(status == error.code.rawValue)
      let message = String(decoding: messageText(of: inC), as: UTF8.self)
      let description = error.description.inC
      // Whole errors, and how many follow.
      let whole = message.replacing(/\n… and [0-9]+ more errors?$/, with: "")
      #expect(description == message || description.hasPrefix(whole), "\(item.testDescription)")
      #expect(
        description == message || whole != message || message.utf8.count > 1_000,
        "\(item.testDescription)")
      #expect(Int(inC.error_count) == error.count)
      #expect(jsonText(of: inC) == error.jsonText.inC || error.jsonText.utf8.count > 2_000)
    }
  }

  @Test("are JSON in C too, which counts the errors that it had no room for")
  func jsonInC() throws {
    let options = DecodingOptions(maximumErrors: 64)
    let many = "[" + Array(repeating: "true", count: 100).joined(separator: ",") + "]"
    let error = try #require([Int].decode(from: many, options: options).error)
    var inC = decant_error()
    inC.size = MemoryLayout<decant_error>.size
    // SAFETY: a struct of this frame, of the size that it says.
    _ = unsafe report(error, to: &inC)
    let json = try JSONValue(parsing: jsonText(of: inC))
    #expect(json["errors"].count > 5)
    #expect(json["errors"].count + (json["omitted"].int ?? 0) == 100)
    #expect(try json["errors"][1] == JSONValue(parsing: error.jsonText)["errors"][1])
  }

  @Test(
    "are bounded, valid UTF-8 without control characters, whatever the document", arguments: engines
  )
  func bounded(engine: Engine) throws {
    for item in GoldenCase.all {
      guard let error = try item.error(engine) else { continue }
      for line in error.description.unicodeScalars.split(separator: "\n") {
        #expect(line.count <= 700, "\(item.testDescription)")
        #expect(
          line.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) },
          "\(item.testDescription)")
      }
    }
  }
}

extension String {
  /// An error's text in C's words, which names no types of Swift.
  fileprivate var inC: String {
    let ranges = [
      "Int8": "in -128 to 127", "UInt8": "in 0 to 255",
      "UInt64": "in 0 to 18446744073709551615",
      "Int": "in -9223372036854775808 to 9223372036854775807",
      "Float": "that a float can hold", "Double": "that a double can hold",
    ]
    let words = replacing(/out of range for ([A-Z][A-Za-z0-9]+)(: )?(the string)?/) {
      "expected a number \(ranges[String($0.1)] ?? "?"), found "
        + ($0.3 != nil ? "the string" : $0.2 == nil ? "a number" : "the number ")
    }
    return words.replacing(/"expected":"an? ([A-Z][A-Za-z0-9]+)"/) {
      "\"expected\":\"a number \(ranges[String($0.1)] ?? "?")\""
    }
  }
}

/// The bytes of an error's text, up to its NUL. An array of C is a tuple in Swift, and one of a thousand elements costs
/// the compiler seconds where it is a value; so it is read as bytes of the struct.
func messageText(of error: decant_error) -> [UInt8] {
  let offset = MemoryLayout<decant_error>.offset(of: \.message)!
  // SAFETY: bytes of the argument, which are read here alone.
  return unsafe withUnsafeBytes(of: error) { unsafe Array($0[offset...].prefix { $0 != 0 }) }
}

/// What decant_error_json() writes.
func jsonText(of error: decant_error) -> String {
  var error = error
  // SAFETY: a struct of this frame, and as many bytes as are asked for.
  return unsafe withUnsafeMutablePointer(to: &error) { error in
    let length = unsafe decant_error_json(error, nil, 0)
    return unsafe String(unsafeUninitializedCapacity: length + 1) { room in
      unsafe room.withMemoryRebound(to: CChar.self) { room in
        unsafe decant_error_json(error, room.baseAddress, length + 1)
      }
    }
  }
}
