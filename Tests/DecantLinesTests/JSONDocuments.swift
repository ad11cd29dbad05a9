// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import Decant
import DecantJansson
import DecantLines
import Testing

/// What became of each document: its line, its offset, and the value, or the error's code and place.
private func outcomes(of documents: some Sequence<JSONLines<JSONValue>.Line>) -> [String] {
  documents.map(outcome)
}

private func outcome(_ document: JSONLines<JSONValue>.Line) -> String {
  let what =
    switch document.result {
    case .success(let value): value.text()
    case .failure(let error):
      "\(error.code.rawValue) at \(error.location?.line ?? 0):\(error.location?.column ?? 0)"
    }
  return "\(document.number), \(document.offset): \(what)"
}

@Suite("JSONDocuments")
struct DocumentsOfStreams {
  private let mark = "\u{FEFF}"

  @Test("records are behind separators, with their places")
  func records() throws {
    let text = "\u{1E}{\"a\":\n1}\n\u{1E}\u{1E}[2,]\n\u{1E}true\u{1E}3\n\u{1E}12"
    #expect(
      outcomes(of: JSONLines<JSONValue>(text).records) == [
        "1, 1: {\"a\":\n1}", "3, 12: 101 at 3:6", "4, 18: 102 at 4:2", "4, 23: 3",
        "5, 26: 102 at 5:2",
      ])
    // What is before the first separator is no record.
    #expect(
      outcomes(of: JSONLines<JSONValue>("1\u{1E}2 ").records) == ["1, 0: 101 at 1:1", "1, 2: 2"])
    let cut = try #require(Array(JSONLines<Int>("\u{1E}12").records).first?.result.error)
    #expect(
      cut.description
        == "1:2: the record may be cut short: expected white space after a number or a literal")
    let named = JSONLines<Int>("\u{1E}12", options: DecodingOptions(sourceName: "a.json")).records
    #expect(named.map { $0.result.error?.description.hasPrefix("a.json:1:2: ") } == [true])
  }

  @Test("documents are one after another, and a bad one fails alone")
  func documents() {
    let text = "{\"a\":1}{\"a\":\n2} [3] \"four\"5 6\n{\"a\":\n[7}\n{\"a\":8}\n"
    #expect(
      outcomes(of: JSONLines<JSONValue>(text).documents) == [
        "1, 0: {\"a\":1}", "1, 7: {\"a\":\n2}", "2, 16: [3]", "2, 20: \"four\"", "2, 26: 5",
        "2, 28: 6", "3, 30: 101 at 4:3", "5, 40: {\"a\":8}",
      ])
    #expect(outcomes(of: JSONLines<JSONValue>(" \n").documents) == [])
    #expect(outcomes(of: JSONLines<JSONValue>("[1").documents) == ["1, 0: 102 at 1:3"])
  }

  @Test(
    "a byte order mark begins the stream if it is allowed, however the stream is cut",
    arguments: ["{\"a\":1} [2]", "[", "", "5"], [false, true])
  func mark(_ rest: String, _ hasRecords: Bool) async throws {
    let stream = (hasRecords ? "\u{1E}" : "") + rest + (hasRecords ? "\n" : "")
    func read(_ bytes: [UInt8], _ options: DecodingOptions, _ size: Int) async throws -> [String] {
      var found: [String] = []
      let lines = JSONLines<JSONValue>(Cut(bytes, [size]), options: options)
      for try await document in hasRecords ? lines.records : lines.documents {
        found.append(outcome(document))
      }
      return found
    }
    let allowing = DecodingOptions(relaxations: .byteOrderMark)
    for begun in [mark, "", String(mark.utf8.dropLast()) ?? "", mark + mark] {
      let bytes = Array((begun + stream).utf8)
      for options in [DecodingOptions(), allowing] {
        let lines = JSONLines<JSONValue>(bytes, options: options)
        let whole = outcomes(of: hasRecords ? lines.records : lines.documents)
        for size in 1...5 { #expect(try await read(bytes, options, size) == whole) }
        if begun.isEmpty || begun == mark, options.relaxations == .byteOrderMark {
          let plain = JSONLines<JSONValue>(stream, firstOffset: begun.utf8.count)
          let shifted = outcomes(of: hasRecords ? plain.records : plain.documents)
          let places = { (texts: [String]) in texts.map { $0.prefix { $0 != ":" } } }
          #expect(places(whole) == places(shifted))
        }
      }
    }
  }

  @Test("every cut into chunks is as the whole, and copies of an iterator go on by themselves")
  func everyCut() async throws {
    let texts = [
      "\u{1E}{\"é\":\n1}\n\u{1E}\u{1E}[2,]\n\u{1E}true\u{1E}3\n\u{1E}12",
      "{\"a\":1}{\"a\":\n2} [3] \"fo ur\"5 6\n{\"a\":\n[7}\n{\"a\":8}\n tru\n[9",
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      let whole = JSONLines<JSONValue>(bytes)
      let (records, documents) = (outcomes(of: whole.records), outcomes(of: whole.documents))
      for size in 1...bytes.count {
        let lines = JSONLines<JSONValue>(Cut(bytes, [size]))
        var found: [String] = []
        for try await record in lines.records { found.append(outcome(record)) }
        #expect(found == records, "chunks of \(size) bytes")
        found = []
        for try await document in lines.documents { found.append(outcome(document)) }
        #expect(found == documents, "chunks of \(size) bytes")
      }
      var first = whole.documents.makeIterator()
      _ = first.next()
      var second = first
      var both: [[String]] = [[], []]
      while let one = first.next(), let other = second.next() {
        both[0].append(outcome(one))
        both[1].append(outcome(other))
      }
      #expect(both == [Array(documents.dropFirst()), Array(documents.dropFirst())])
    }
  }

  @Test("limits, engines and options are those of lines")
  func options() {
    let text = "[1][[2]] {\"a\":1,\"a\":2} [\"long enough\"] [3]"
    for engine in [DecodingOptions.Engine.native, .jansson] {
      let options = DecodingOptions(
        engine: engine, maximumDepth: 1, maximumBytes: 13, duplicateKeys: .reject)
      let codes = JSONLines<JSONValue>(text, options: options).documents.map {
        $0.result.error?.code
      }
      #expect(codes == [nil, .tooDeep, .duplicateKey, .tooLarge, nil])
    }
    let comments = JSONLines<Int>(text, options: DecodingOptions(relaxations: .comments))
    for documents in [comments.records, comments.documents] {
      let all = Array(documents)
      #expect(all.map(\.result.error?.code) == [.unsupported])
      #expect(all.map(\.number) == [1])
    }
    let later = JSONLines<Int>("1 [", firstLine: 7, firstOffset: 100).documents
    #expect(later.map { "\($0.number) \($0.offset)" } == ["7 100", "7 102"])
  }
}
