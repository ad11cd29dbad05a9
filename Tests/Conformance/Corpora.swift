// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// The documents of $DECANT_CORPORA_DIR, value by value through both engines: *.json, and *.ndjson by the line.

import Decant
import DecantTestSupport
import Foundation
import Testing

@Suite("Larger documents")
struct CorporaTests {
  private static let folder = ProcessInfo.processInfo.environment["DECANT_CORPORA_DIR"]

  private static var documents: [(name: String, text: [UInt8])] {
    get throws {
      let folder = URL(filePath: try #require(folder))
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      return try files.sorted { $0.path < $1.path }.flatMap { file in
        let text = Array(try Data(contentsOf: file))
        switch file.pathExtension {
        case "json": return [(file.lastPathComponent, text)]
        case "ndjson":
          return text.split(separator: UInt8(ascii: "\n")).enumerated().map { line, text in
            ("\(file.lastPathComponent):\(line + 1)", Array(text))
          }
        default: return []
        }
      }
    }
  }

  /// Where the two differ, as a pointer; nil if nowhere. Numbers count as doubles, which is what libjansson
  /// keeps of those that are no integers.
  private func difference(_ one: JSONValue, _ other: JSONValue) -> String? {
    guard one.kind == other.kind, one.count == other.count else { return "" }
    switch one.kind {
    case .missing, .null: return nil
    case .bool: return one.bool == other.bool ? nil : ""
    case .string:
      let (one, other) = (one.string ?? "", other.string ?? "")
      return one.utf8.elementsEqual(other.utf8) ? nil : ""
    case .number:
      let isSame = one.int == other.int && one.double?.bitPattern == other.double?.bitPattern
      return isSame ? nil : ""
    case .array, .object:
      for (mine, theirs) in zip(children(one), children(other)) {
        guard mine.key == theirs.key else { return "/\(mine.key)" }
        if let found = difference(mine.value, theirs.value) { return "/\(mine.key)\(found)" }
      }
      return nil
    }
  }

  private func children(_ value: JSONValue) -> [(key: String, value: JSONValue)] {
    value.members ?? (value.array ?? []).enumerated().map { ("\($0)", $1) }
  }

  @Test(
    "are the same on every engine",
    .enabled(if: CorporaTests.folder != nil, "DECANT_CORPORA_DIR is not set"))
  func same() throws {
    let documents = try Self.documents
    for document in documents {
      let native = try JSONValue(parsing: document.text)
      for engine in engines where engine != .native {
        let other = try JSONValue(parsing: document.text, options: .on(engine))
        #expect(difference(native, other) == nil, "\(document.name), \(engine.name)")
      }
    }
    print("larger documents: \(documents.count), the same on \(engines.count) engines")
  }
}
