// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantLines
import DecantTestSupport
import Testing

/// What became of a document: its line, and its text or the code of its error.
private struct Told: Equatable {
  let line: Int
  let offset: Int
  let text: String
}

/// Documents or elements, a number in each, and a fault in one of them.
private struct Faulty {
  static let count = 8
  static let shapes = [
    #"{"id":0,"name":"A\"n{n","scores":[1,2.5],"done":true}"#,
    #"{"id":0,"other":{"a":[{},{"b":[[1]]}]},"é":"]},{"}"#,
    "{\n    \"id\":0,\n    \"scores\":[\n      1,\n      2\n    ]\n  }",
  ]

  var bytes: [UInt8] = []
  /// Where the documents begin, and their texts; of the faulty one what it was.
  var places: [(line: Int, text: String)] = []
  let faulty: Int

  init(hasElements: Bool, _ random: inout SeededRandom) {
    let shape = Faulty.shapes.randomElement(using: &random) ?? ""
    let indentation = hasElements ? Int.random(in: 0...2, using: &random) : 0
    faulty = Int.random(in: 0..<Faulty.count, using: &random)
    if hasElements { bytes += Array("{\"items\":[\n".utf8) }
    for id in 0..<Faulty.count {
      let text = shape.replacing("\"id\":0", with: "\"id\":\(id)")
      bytes += [UInt8](repeating: 0x20, count: indentation)
      places.append((bytes.count { $0 == 0x0A } + 1, text))
      var document = Array(text.utf8)
      if id == faulty { Faulty.damage(&document, isElement: hasElements, &random) }
      bytes += document
      if hasElements, id + 1 < Faulty.count { bytes.append(UInt8(ascii: ",")) }
      bytes.append(0x0A)
    }
    if hasElements { bytes += Array("]}\n".utf8) }
  }

  /// A byte is another one, or there is one more, or one is missing; or the rest of a document is. Left out is what makes
  /// something else of the elements behind it: an array that is opened, and a brace for the bracket of one.
  private static func damage(
    _ document: inout [UInt8], isElement: Bool, _ random: inout SeededRandom
  ) {
    let bytes = Array((isElement ? "}]\"" : "{}[]\"").utf8)
    while true {
      let place = Int.random(in: 0..<document.count, using: &random)
      let byte = bytes.randomElement(using: &random) ?? 0
      if document[place] == 0x20 || document[place] == 0x0A { continue }
      if isElement, document[place] == UInt8(ascii: "[") { continue }
      switch Int.random(in: 0..<(isElement ? 3 : 4), using: &random) {
      case 0: document[place] = byte
      case 1: document.insert(byte, at: place)
      case 2: document.remove(at: place)
      default: document.removeSubrange(place...)
      }
      return
    }
  }
}

@Suite("A stream with a fault")
struct StreamsWithFaults {
  @Test(
    "loses the document that has it and at most one more, wherever it is cut",
    arguments: [false, true])
  func recovery(hasElements: Bool) async throws {
    var random = SeededRandom(printing: "A stream with a fault")
    for _ in 0..<rounds(1500) {
      let stream = Faulty(hasElements: hasElements, &random)
      let text = String(decoding: stream.bytes, as: UTF8.self)
      let whole = events(of: stream.bytes, hasElements)
      var lost = 0
      for (id, place) in stream.places.enumerated() where id != stream.faulty {
        let found = whole.filter { $0.text == place.text }
        #expect(found.count <= 1 && found.allSatisfy { $0.line == place.line }, "\(id) of \(text)")
        lost += found.isEmpty ? 1 : 0
      }
      #expect(lost <= 1, "\(lost) beside \(stream.faulty) of \(text)")
      let sizes = (0..<5).map { _ in Int.random(in: 1...60, using: &random) }
      let cut = try await events(of: Cut(stream.bytes, sizes), hasElements)
      #expect(cut == whole, "chunks of \(sizes) bytes of \(text)")
    }
  }

  private func events(of bytes: [UInt8], _ hasElements: Bool) -> [Told] {
    let lines = JSONLines<JSONValue>(bytes)
    return hasElements
      ? lines.elements(at: "/items").map { event(0, $0.offset, $0.result, bytes) }
      : lines.documents.map { event($0.number, $0.offset, $0.result, bytes) }
  }

  private func events(of chunks: Cut, _ hasElements: Bool) async throws -> [Told] {
    let bytes = Array(chunks.rest)
    let lines = JSONLines<JSONValue>(chunks)
    var events: [Told] = []
    if hasElements {
      for try await item in lines.elements(at: "/items") {
        events.append(event(0, item.offset, item.result, bytes))
      }
    } else {
      for try await document in lines.documents {
        events.append(event(document.number, document.offset, document.result, bytes))
      }
    }
    return events
  }

  private func event(
    _ line: Int, _ offset: Int, _ result: Decoded<JSONValue>, _ bytes: [UInt8]
  ) -> Told {
    let counted = bytes[0..<offset].count { $0 == 0x0A } + 1
    #expect(line == 0 || line == counted, "the line of byte \(offset)")
    let text =
      switch result {
      case .success(let value): value.text()
      case .failure(let error): "\(error.code) at \(error.location?.offset ?? -1)"
      }
    return Told(line: counted, offset: offset, text: text)
  }
}
