// Decant: JSON decoding for Swift and C.
// SPDX-License-Identifier: MIT

import DecantC
import DecantColumns
import DecantCore
import Testing

/// Columns in Swift: what the batches of a stream have.
@Suite("JSONColumns")
struct JSONColumnsTests {
  private let schema: ColumnSchema

  init() throws {
    schema = try ColumnSchema(
      """
      {"fields":[
        {"key":"id","kind":"int64"},
        {"key":"score","kind":"double","optional":true},
        {"key":"name","kind":"string"},
        {"key":"kind","kind":"enum","names":["view","purchase"],"optional":true},
        {"key":"ok","kind":"bool"},
        {"key":"tags","kind":"array","element":"string"},
        {"key":"pair","kind":"fixed_array","element":"int32","capacity":2},
        {"key":"at","kind":"record","optional":true,"fields":[{"key":"x","kind":"uint8"}]}]}
      """)
  }

  private func line(_ id: Int, _ name: String) -> String {
    let score = id % 2 == 0 ? "null" : "\(Double(id) / 4)"
    let tags = (0..<id % 3).map { "\"a tag of more than twelve bytes \($0)\"" }
    return
      "{\"id\":\(id),\"score\":\(score),\"name\":\"\(name)\",\"ok\":\(id % 4 == 0),"
      + "\"kind\":\"purchase\",\"tags\":[\(tags.joined(separator: ","))],\"pair\":[\(id),7],"
      + "\"at\":\(id == 3 ? "null" : "{\"x\":\(id % 200)}")}"
  }

  @Test("has a value for each row, of each type, in batches")
  func values() throws {
    let lines = (0..<10).map {
      line($0, $0 % 2 == 0 ? "Ann" : "a name of more than twelve \\u00e9")
    }
    let columns = try JSONColumns(Array(lines.joined(separator: "\n").utf8), schema, batchRows: 4)
    var ids: [Int] = []
    for batch in columns {
      let first = ids.count
      #expect(batch.names == ["id", "score", "name", "kind", "ok", "tags", "pair", "at"])
      for (row, id) in batch["id", as: Int.self].enumerated() {
        #expect(id == first + row)
        #expect(batch["score", as: Double?.self][row] == (id % 2 == 0 ? nil : Double(id) / 4))
        #expect(
          batch["name", as: String.self][row]
            == (id % 2 == 0 ? "Ann" : "a name of more than twelve é"))
        #expect(batch["kind", as: String?.self][row] == "purchase")
        #expect(batch["ok", as: Bool.self][row] == (id % 4 == 0))
        #expect(
          batch["tags", as: [String].self][row]
            == (0..<id % 3).map { "a tag of more than twelve bytes \($0)" })
        #expect(batch["pair", as: [Int32].self][row] == [Int32(id), 7])
        #expect(
          batch.record("at")?["x", as: UInt8.self][row] == (id == 3 ? 0 : UInt8(id % 200)))
        ids.append(id)
      }
    }
    #expect(ids == Array(0..<10))
    #expect(columns.rejects().isEmpty)
    #expect(columns.failure == nil)
  }

  @Test("knows names and types before a value is asked for")
  func types() throws {
    let columns = try JSONColumns(Array(line(1, "Ann").utf8), schema)
    let iterator = columns.makeIterator()
    let first = iterator.next()
    let batch = try #require(first)
    #expect(batch.values("id", as: Int64.self) != nil)
    #expect(batch.values("id", as: Int32.self) == nil)
    #expect(batch.values("score", as: Double.self) == nil)
    #expect(batch.values("score", as: Double?.self) != nil)
    #expect(batch.values("tags", as: [Int].self) == nil)
    #expect(batch.values("none", as: Int.self) == nil)
    #expect(batch.record("id") == nil)
    #expect(iterator.next() == nil)
    #expect(batch["id", as: Int.self].first == 1)
  }

  @Test("says which lines failed, where and why")
  func rejects() throws {
    let text = line(1, "Ann") + "\n{\"id\":\"2\"}\n" + line(3, "Eve") + "\n{]\n"
    let columns = try JSONColumns(Array(text.utf8), schema)
    #expect(columns.map { $0.count } == [2])
    let rejects = columns.rejects()
    #expect(rejects.map(\.line) == [2, 4])
    #expect(rejects.map(\.path) == ["/id", ""])
    #expect(rejects.map(\.code) == [.typeMismatch, .unexpectedByte])
    #expect(rejects[0].message == "expected an integer, found the string \"2\"")
    #expect(rejects[0].offset == rejects[0].lineOffset.map { $0 + 6 })
    #expect(rejects.map(\.count) == [1, 1])
  }

  @Test(
    "has the elements of an array, records and documents as rows",
    arguments: [JSONColumns.Rows.elements(at: "/a~1b/rows"), .records, .documents])
  func rows(_ rows: JSONColumns.Rows) throws {
    let (start, between, end) =
      switch rows {
      case .records: ("\u{1E}", "\n\u{1E}", "\n")
      case .elements: ("{\"n\":[],\"a/b\":{\"rows\":[", ",\n", "],\"m\":1}}")
      default: ("", "\n", "")
      }
    let texts = [line(1, "Ann"), "{\"id\":\"2\"}", line(3, "a name of more than twelve bytes")]
    let bytes = Array((start + texts.joined(separator: between) + end).utf8)
    for size in [1, 7, bytes.count] {
      var place = 0
      let columns = try JSONColumns(schema, rows: rows) { buffer in
        let count = min(size, buffer.count, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        place += count
        return count
      }
      var found: [String] = []
      for batch in columns {
        for (id, name) in zip(batch["id", as: Int.self], batch["name", as: String.self]) {
          found.append("\(id) \(name)")
        }
      }
      #expect(found == ["1 Ann", "3 a name of more than twelve bytes"])
      let rejects = columns.rejects()
      #expect(rejects.map(\.line) == [2])
      let isElement = rows == .elements(at: "/a~1b/rows")
      #expect(rejects.first?.path == (isElement ? "/a~1b/rows/1/id" : "/id"))
      let before = (start + texts[0] + between).utf8.count
      #expect(rejects.first?.lineOffset == before && rejects.first?.offset == before + 6)
    }
  }

  @Test("pieces in tasks have the rows and the rejects of the whole, at their places")
  func pieces() async throws {
    var bytes: [UInt8] = []
    var pieces: [(bytes: [UInt8], line: Int, offset: Int)] = []
    for piece in 0..<4 {
      let lines = (0..<50).map { row in row % 9 == 4 ? "{\"id\":\(row)" : line(row, "Ann \(piece)")
      }
      let text = Array((lines.joined(separator: "\n") + "\n").utf8)
      pieces.append((text, 50 * piece + 1, bytes.count))
      bytes += text
    }
    func read(_ bytes: [UInt8], _ line: Int, _ offset: Int) throws -> [String] {
      let columns = try JSONColumns(
        bytes, schema, batchRows: 7, firstLine: line, firstOffset: offset)
      var found = columns.flatMap { Array($0["name", as: String.self]) }
      for reject in columns.rejects() {
        found.append("\(reject.line ?? 0) \(reject.lineOffset ?? 0) \(reject.message)")
      }
      return found
    }
    let found = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
      for (index, piece) in pieces.enumerated() {
        group.addTask { (index, try read(piece.bytes, piece.line, piece.offset)) }
      }
      var found = [[String]](repeating: [], count: pieces.count)
      for try await (index, part) in group { found[index] = part }
      return found
    }
    #expect(try found.flatMap { $0 }.sorted() == read(bytes, 1, 0).sorted())
    #expect(throws: DecodeError.self) { try JSONColumns(bytes, schema, firstLine: -1) }
  }

  @Test("says what is wrong around the elements, and refuses what is no pointer")
  func around() throws {
    let bytes = Array("{\"a\":[\(line(1, "Ann"))],\"b\":tru}".utf8)
    let columns = try JSONColumns(bytes, schema, rows: .elements(at: "/a"))
    #expect(columns.map(\.count) == [1])
    let reject = try #require(columns.rejects().first)
    #expect(reject.code == .invalidLiteral && reject.lineOffset == nil && reject.line == 1)
    #expect(throws: DecodeError.self) {
      try JSONColumns(bytes, schema, rows: .elements(at: "a"))
    }
    #expect(throws: DecodeError.self) {
      try JSONColumns(bytes, schema, rows: .elements(at: "/a\0b"))
    }
  }

  @Test("has the schema of a model, which reads what the model's table writes")
  func schemaOfModel() throws {
    let text = try CTable(Reading.self).schemaText()
    #expect(
      text
        == #"{"fields":[{"key":"id","kind":"int64"},{"key":"at","kind":"record","fields":["#
        + #"{"key":"x","kind":"double"}]},{"key":"name","kind":"string"},"#
        + #"{"key":"note","kind":"string","optional":true},"#
        + #"{"key":"meal","kind":"enum","names":{"breakfast":0,"late lunch":1}},"#
        + #"{"key":"levels","kind":"array","element":"int32"}]}"#)
    let line = #"{"id":1,"at":{"x":0.5},"name":"Ann","meal":"late lunch","levels":[1,2]}"#
    let columns = try JSONColumns(Array("\(line)\n{}".utf8), ColumnSchema(Reading.self))
    let iterator = columns.makeIterator()
    let next = iterator.next()
    let batch = try #require(next)
    #expect(batch["meal", as: String.self].first == "late lunch")
    #expect(batch["levels", as: [Int32].self].first == [1, 2])
    #expect(batch["note", as: String?.self].first == .some(nil))
    #expect(columns.rejects().map(\.path) == ["/id"])
    #expect(throws: DecodeError.self) { try ColumnSchema(Chain.self) }
  }

  @Test("ends where reading fails, and keeps what was complete")
  func failingReader() throws {
    struct Broken: Error {}
    var calls = 0
    let text = Array((line(1, "Ann") + "\n3\n" + line(2, "Bob") + "\n{\"id\":").utf8)
    let columns = try JSONColumns(schema) { buffer in
      calls += 1
      if calls > 1 { throw Broken() }
      buffer.copyBytes(from: text)
      return text.count
    }
    #expect(columns.flatMap { Array($0["id", as: Int.self]) } == [1, 2])
    #expect(columns.failure is Broken)
    #expect(columns.rejects().map(\.line) == [2])
    let negative = try JSONColumns(schema) { _ in -1 }
    #expect(Array(negative).isEmpty)
    #expect((negative.failure as? DecodeError)?.code == .invalidArgument)
  }

  @Test("ends where the function that reads asks for batches or rejects", arguments: [false, true])
  func askingReader(_ asksForRejects: Bool) throws {
    final class Asker { var columns: JSONColumns? }
    let asker = Asker()
    defer { asker.columns = nil }
    var chunks = [line(1, "Ann") + "\n3\n", line(2, "Bob") + "\n"].map { Array($0.utf8) }
    let columns = try JSONColumns(schema) { buffer in
      if chunks.count == 1 {
        let isEmpty =
          asksForRejects
          ? asker.columns?.rejects().isEmpty : asker.columns?.makeIterator().next() == nil
        #expect(isEmpty == true)
      }
      let chunk = chunks.removeFirst()
      buffer.copyBytes(from: chunk)
      return chunk.count
    }
    asker.columns = columns
    #expect(columns.flatMap { Array($0["id", as: Int.self]) } == [1])
    #expect((columns.failure as? DecodeError)?.code == .invalidArgument)
    #expect(columns.rejects().map(\.line) == [2])
  }

  @Test("takes the options of documents")
  func options() throws {
    let ids = try ColumnSchema(#"{"fields":[{"key":"id","kind":"int64"}]}"#)
    func read(
      _ text: String, rows: JSONColumns.Rows = .lines, _ options: DecodingOptions
    ) throws -> (ids: [Int], codes: [DecodeError.Code]) {
      let columns = try JSONColumns(Array(text.utf8), ids, rows: rows, options: options)
      return (columns.flatMap { Array($0["id", as: Int.self]) }, columns.rejects().map(\.code))
    }
    let (one, two) = (#"{"id":1}"#, #"{"id":2}"#)
    for rows in [JSONColumns.Rows.lines, .documents] {
      let marked = "\u{FEFF}\(one)\n\(two)\n\u{FEFF}\(two)"
      let strict = try read(marked, rows: rows, DecodingOptions())
      #expect(strict == ([2], [.byteOrderMark, .byteOrderMark]))
      let relaxed = try read(marked, rows: rows, DecodingOptions(relaxations: .byteOrderMark))
      #expect(relaxed == ([1, 2], [.byteOrderMark]))
    }
    let array = try read(
      "\u{FEFF}[\(one)]", rows: .elements(at: ""), DecodingOptions(relaxations: .byteOrderMark))
    #expect(array == ([1], []))
    let comment = "\(one) // one\n{\"id\":2,}"
    let relaxed = try read(comment, DecodingOptions(relaxations: .comments))
    #expect(relaxed == ([1], [.unexpectedByte]))
    let both = try read(comment, DecodingOptions(relaxations: [.comments, .trailingCommas]))
    #expect(both.ids == [1, 2])
    let twice = #"{"id":1,"id":2}"#
    #expect(try read(twice, DecodingOptions(duplicateKeys: .last)).ids == [2])
    #expect(try read(twice, DecodingOptions(duplicateKeys: .reject)).codes == [.duplicateKey])
    #expect(try read(one, DecodingOptions(maximumBytes: 7)).codes == [.tooLarge])
    #expect(try read(#"{"id":1,"a":[]}"#, DecodingOptions(maximumDepth: 1)).codes == [.tooDeep])
    #expect(try read(one, DecodingOptions(maximumMemory: 1)).codes == [.tooLarge])
    let closed = DecodingOptions(unknownMembers: .reject)
    #expect(try read(#"{"id":1,"a":2}"#, closed).codes == [.unknownKey])
    #expect(throws: DecodeError.self) { try read(one, DecodingOptions(maximumDepth: 0)) }
    let error = #expect(throws: DecodeError.self) {
      try read(one, rows: .documents, DecodingOptions(relaxations: .comments))
    }
    #expect(error?.code == .unsupported)
  }

  @Test("counts the rejects beyond the most, and has the lines of rows and the text of rejects")
  func rejectsAndLines() throws {
    let ids = try ColumnSchema(#"{"fields":[{"key":"id","kind":"int64"}]}"#)
    let bytes = Array("{}\n{\"id\":1}\n\n[]\n{\"id\":2}\n3".utf8)
    let columns = try JSONColumns(bytes, ids, maximumRejects: 2, lineNumbers: true)
    #expect(columns.flatMap { Array($0["_line", as: Int.self]) } == [2, 5])
    let rejects = columns.rejects()
    #expect(rejects.map(\.line) == [1, 4, nil] && rejects.map(\.text) == ["{}", "[]", nil])
    let redacted = try JSONColumns(bytes, ids, options: DecodingOptions(redactsInput: true))
    #expect(redacted.rejects().map(\.text) == [nil, nil, nil])
    #expect(throws: DecodeError.self) { try JSONColumns(bytes, ids, maximumRejects: 0) }
    let first = try JSONColumns(bytes, ids, maximumRows: 1)
    #expect(first.flatMap { Array($0["id", as: Int.self]) } == [1])
    #expect(first.rejects().map(\.line) == [1])
    #expect(throws: DecodeError.self) { try JSONColumns(bytes, ids, maximumRows: -1) }
  }

  @Test("has times and dates, also before 1970")
  func times() throws {
    let times = try ColumnSchema(
      """
      {"fields":[ // comments are allowed if they are
        {"key":"a","kind":"time"},{"key":"b","kind":"time","unit":"ms","optional":true},
        {"key":"c","kind":"time","unit":"s","epoch":true},{"key":"d","kind":"date"},
        {"key":"e","kind":"array","element":"time","unit":"ns"}]}
      """, options: DecodingOptions(relaxations: .comments))
    let line =
      #"{"a":"1969-12-31T23:59:59.5Z","b":null,"c":-7,"d":"1970-01-03","#
      + #""e":["1970-01-01T00:00:01.25Z"]}"#
    let columns = try JSONColumns(Array(line.utf8), times)
    let next = columns.makeIterator().next()
    let batch = try #require(next)
    #expect(columns.rejects().isEmpty)
    #expect(batch["a", as: Int64.self].first == -500_000)
    let half = JSONTimestamp(seconds: -1, nanoseconds: 500_000_000)
    #expect(batch["a", as: JSONTimestamp.self].first == half)
    #expect(batch["b", as: JSONTimestamp?.self].first == .some(nil))
    #expect(batch["c", as: JSONTimestamp.self].first == JSONTimestamp(seconds: -7))
    #expect(batch["d", as: Int32.self].first == 2)
    let quarter = JSONTimestamp(seconds: 1, nanoseconds: 250_000_000)
    #expect(batch["e", as: [JSONTimestamp].self].first == [quarter])
    #expect(batch.values("a", as: Int32.self) == nil && batch.values("d", as: Int64.self) == nil)
    #expect(throws: DecodeError.self) { try ColumnSchema("{\"fields\":[]} //") }
  }

  @Test("has the bytes of base64 and UUIDs, and lists of lists")
  func bytes() throws {
    let schema = try ColumnSchema(
      """
      {"fields":[{"key":"id","kind":"uuid"},{"key":"a","kind":"base64","optional":true},
        {"key":"b","kind":"fixed_base64","capacity":3},{"key":"l","kind":"array","element":"record",
          "fields":[{"pointer":"","kind":"array","element":"int32"}]}]}
      """)
    let long = [UInt8](0..<20)
    let lines =
      #"{"id":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6","a":"QUI=","b":"AP8B","l":[[1,2],[]]}"# + "\n"
      + #"{"id":"00000000-0000-0000-0000-000000000001","a":"AAECAwQFBgcICQoLDA0ODxAREhM=","#
      + #""b":"AAAA","l":[]}"# + "\n"
      + #"{"id":"00000000-0000-0000-0000-000000000002","b":"AAAA","l":[[3]]}"#
    let columns = try JSONColumns(Array(lines.utf8), schema)
    let next = columns.makeIterator().next()
    let batch = try #require(next)
    #expect(columns.rejects().isEmpty)
    #expect(batch["id", as: [UInt8].self].map(\.count) == [16, 16, 16])
    #expect(batch["id", as: [UInt8].self][0].prefix(4) == [0xF8, 0x1D, 0x4F, 0xAE])
    #expect(Array(batch["a", as: [UInt8]?.self]) == [[65, 66], long, nil])
    #expect(batch["b", as: [UInt8].self].first == [0, 255, 1])
    #expect(Array(batch["l", as: [[Int32]].self]) == [[[1, 2], []], [], [[3]]])
    #expect(
      batch.values("id", as: [Int8].self) == nil && batch.values("a", as: String?.self) == nil)
  }

  @Test("refuses a description that is wrong, with its place")
  func wrongSchema() {
    let error = #expect(throws: DecodeError.self) {
      try ColumnSchema(#"{"fields":[{"key":"id","kind":"integer"}]}"#)
    }
    #expect(error?.description.contains("1:31: /fields/0/kind: is not a kind of field") == true)
  }
}

private enum Meal: String, CaseIterable, CEnum {
  case breakfast
  case lateLunch = "late lunch"

  static var cName: String { "meal" }
}

private struct Spot: CModel {
  let x: Double

  static func layout(_ c: inout CLayout<Spot>) {
    c.structure("spot", "", isPart: true)
    c.field("x", \.x)
  }
}

private struct Reading: CModel {
  let id: Int
  let at: Spot
  let name: String
  let note: String?
  let meal: Meal
  let levels: [Int32]

  static func layout(_ c: inout CLayout<Reading>) {
    c.structure("reading", "")
    c.field("id", \.id)
    c.field("at", \.at)
    c.field("name", \.name)
    c.field("note", \.note)
    c.field("meal", \.meal)
    c.field("levels", \.levels)
  }
}

private struct Chain: CModel {
  let next: [Chain]

  static func layout(_ c: inout CLayout<Chain>) {
    c.structure("chain", "")
    c.field("next", \.next)
  }
}
