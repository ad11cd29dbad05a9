// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT
//
// Streams of which documents are wrong, by C, columns and Swift. Each has a twin of right ones. And streams with a fault
// in the first document: it costs that one and at most one more, however many follow.
//
//   {"id":1⏎{"id":2}⏎{"id":3}⏎…       the first one is told at the second line
//
// A use that loses more ends the program.

import CUses
import Decant
import DecantColumns
import DecantLines

private typealias Run = @Sendable ([UInt8], DecodingOptions) -> (found: Int, good: Int)

private struct Person: JSONDecodable {
  let id: Int
  static func decode(_ json: JSON) -> Decoded<Person> { json.decode("id").map { Person(id: $0) } }
}

// MARK: - Verbs

private func inC(_ verb: Int, _ table: Int, chunk: Int = 0) -> Run {
  { bytes, options in
    let result = bytes.withUnsafeBytes {
      verb_in_c(
        CInt(verb), CInt(table), $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count,
        chunk, options.engine == .native ? 0 : 1)
    }
    return (result.found, result.good)
  }
}

private func sum(_ result: Decoded<Person>, _ sum: inout (found: Int, good: Int)) {
  switch result {
  case .success: sum = (sum.found + 1, sum.good + 1)
  case .failure(let error):
    // What the engine does not have finds nothing.
    if error.code != .unsupported { sum.found += error.description.utf8.count }
  }
}

private let elementsInSwift: Run = { bytes, options in
  JSONLines<Person>(bytes, options: options).elements(at: "").reduce(into: (0, 0)) {
    sum($1.result, &$0)
  }
}

private let documentsInSwift: Run = { bytes, options in
  JSONLines<Person>(bytes, options: options).documents.reduce(into: (0, 0)) {
    sum($1.result, &$0)
  }
}

private let elementsInChunks: Run = { bytes, options in
  nonisolated(unsafe) var result = (found: 0, good: 0)
  _ = awaited {
    let chunks = Chunks(rest: bytes[...], size: 100)
    for try await item in JSONLines<Person>(chunks, options: options).elements(at: "") {
      sum(item.result, &result)
    }
    return 1
  }
  return result
}

private let schema = try? ColumnSchema(#"{"fields":[{"key":"id","kind":"int64"}]}"#)

private func columnsInSwift(_ rows: JSONColumns.Rows) -> Run {
  { bytes, options in
    guard options.engine == .native, let schema,
      let columns = try? JSONColumns(bytes, schema, rows: rows)
    else { return (0, 0) }
    let good = columns.reduce(0) { $0 + $1.count }
    return (good + columns.rejects().reduce(0) { $0 + $1.message.utf8.count }, good)
  }
}

// MARK: - Everything is wrong

private let tables = [
  (
    name: "eight fields", table: TABLE_FIELDS,
    right: #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}"#,
    wrong: #"{"a":"","b":"","c":"","d":"","e":"","f":"","g":"","h":""}"#
  ),
  (
    name: "missing fields", table: TABLE_FIELDS,
    right: #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}"#,
    wrong: #"{"A":1,"B":2,"C":3,"D":4,"E":5,"F":6,"G":7,"H":8}"#
  ),
  (
    name: "a list", table: TABLE_LIST, right: list("10"), wrong: list("\"\"")
  ),
]

private func list(_ element: String) -> String {
  "{\"tags\":[\(Array(repeating: element, count: 64).joined(separator: ","))]}"
}

/// Whose documents each have a text that tells what is wrong is held against as many calls for one document.
private let verbs = [
  (name: "an array in C", verb: VERB_ARRAY, isStream: false, hasTexts: false),
  (name: "lines in C", verb: VERB_LINES, isStream: true, hasTexts: true),
  (name: "documents in C", verb: VERB_DOCUMENTS, isStream: true, hasTexts: true),
  (name: "elements in C", verb: VERB_ELEMENTS, isStream: false, hasTexts: true),
  (name: "columns", verb: VERB_COLUMNS, isStream: true, hasTexts: false),
  (name: "columns of documents", verb: VERB_COLUMNS_OF_DOCUMENTS, isStream: true, hasTexts: false),
  (name: "columns of elements", verb: VERB_COLUMNS_OF_ELEMENTS, isStream: false, hasTexts: false),
]

private let everythingWrong: [Use] = tables.flatMap { table in
  let alone = "errors: \(table.name), alone in C"
  let runAlone = inC(VERB_ALONE, table.table)
  return [Use(alone, .lines(table.wrong)) { runAlone($0, $1).found }]
    + verbs.flatMap { verb in
      let run = inC(verb.verb, table.table)
      let name = "\(table.name) in \(verb.name)"
      func text(_ record: String) -> Text { verb.isStream ? .lines(record) : .array(record) }
      let right = Use("errors: right \(name)", text(table.right)) { run($0, $1).found }
      let wrong = Use(
        "errors: wrong \(name)", text(table.wrong), twin: verb.hasTexts ? alone : right.name
      ) { run($0, $1).found }
      return verb.hasTexts ? [wrong] : [right, wrong]
    }
}

// MARK: - Faults

/// A fault, as a document that is a line: alone in front, and in every other document.
private let faults = [
  (name: "a missing bracket", text: #"{"id":1"#),
  (name: "a stray quote", text: #"{"id":1,"na"me":"Ann"}"#),
  (name: "a bracket of the wrong kind", text: #"{"id":1]"#),
]

private let streams: [(name: String, isArray: Bool, run: Run)] = [
  ("documents in C", false, inC(VERB_DOCUMENTS, TABLE_ID)),
  ("documents in C, in chunks of 100 bytes", false, inC(VERB_DOCUMENTS, TABLE_ID, chunk: 100)),
  ("elements in C", true, inC(VERB_ELEMENTS, TABLE_ID)),
  ("elements in C, in chunks of 100 bytes", true, inC(VERB_ELEMENTS, TABLE_ID, chunk: 100)),
  ("columns of documents", false, inC(VERB_COLUMNS_OF_DOCUMENTS, TABLE_ID)),
  (
    "columns of documents, in chunks of 100 bytes", false,
    inC(VERB_COLUMNS_OF_DOCUMENTS, TABLE_ID, chunk: 100)
  ),
  ("columns of elements", true, inC(VERB_COLUMNS_OF_ELEMENTS, TABLE_ID)),
  ("documents", false, documentsInSwift),
  ("elements", true, elementsInSwift),
  ("elements, in chunks of 100 bytes", true, elementsInChunks),
  ("JSONColumns of documents", false, columnsInSwift(.documents)),
  ("JSONColumns of elements", true, columnsInSwift(.elements(at: ""))),
]

private let record = #"{"id":1234567,"name":"Ann"}"#

/// A line for each document. `first` is in front of the others.
private func text(_ isArray: Bool, _ first: String, _ record: String) -> Text {
  isArray
    ? .framed("[\n\(first),", "\n\(record),", last: "]")
    : .framed("\(first)\n", "\(record)\n", last: "\n")
}

private let streamsWithFaults: [Use] = streams.flatMap { stream in
  let run = stream.run
  return [
    Use("faults: none in \(stream.name)", text(stream.isArray, record, record)) { bytes, options in
      let result = run(bytes, options)
      if result.found == 0 { return 0 }
      precondition(result.good == bytes.count { $0 == 0x0A }, "a document is lost")
      return result.found
    }
  ]
    + faults.flatMap { fault in
      [
        Use(
          "faults: \(fault.name) in the first of \(stream.name)",
          text(stream.isArray, fault.text, record), twin: "faults: none in \(stream.name)"
        ) { bytes, options in
          let result = run(bytes, options)
          if result.found == 0 { return 0 }
          precondition(result.good >= bytes.count { $0 == 0x0A } - 2, "documents are lost")
          return result.found
        },
        Use(
          "faults: \(fault.name) in each other of \(stream.name)",
          text(stream.isArray, record, fault.text + (stream.isArray ? "," : "") + "\n" + record),
          twin: "faults: none in \(stream.name)"
        ) { run($0, $1).found },
      ]
    }
}

let usesOfFaults: [Use] = everythingWrong + streamsWithFaults
